"""Releases, their files, and deployments."""

from sqlmodel import col, select

from apps.github.columns import Condition
from apps.github.domain import markup
from apps.github.domain.context import node, stamp
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.git_types import CommitAt, RefAt, commit_at, ref_at
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import TYPES, each, field
from apps.github.graphql.values import Args
from apps.github.models import Asset, Deployment, DeploymentStatus, Release, Repository
from apps.github.models_actions import Environment
from apps.github.operations.repositories.releases import latest, visible
from apps.github.views.urls import quote_path

TYPES[Release], TYPES[Asset] = "Release", "ReleaseAsset"
TYPES[Deployment], TYPES[DeploymentStatus], TYPES[Environment] = "Deployment", "DeploymentStatus", "Environment"


@field("Repository", "releases")
def releases(near: Loader, row: Repository, args: Args) -> Page:
    """Return the releases of a repository; drafts only to those who may push."""
    order = args.get("orderBy") or {"field": "CREATED_AT", "direction": "DESC"}
    column = Release.name if order["field"] == "NAME" else Release.created_at
    if order["field"] == "NAME":
        rows = sorted(
            near.call.session.exec(select(Release).where(*visible(near.context, row))),
            key=lambda one: (one.name or one.tag, one.id),
        )
        down = order["direction"] == "DESC"
        return page_of_rows(
            rows[::-1] if down else rows, args, lambda one: [one.name or one.tag, one.id], descending=down
        )
    return near.page_of(
        Release, visible(near.context, row), args, col(column), descending=order["direction"] == "DESC", asks=args.asks
    )


@field("Repository", "release")
def release(near: Loader, row: Repository, args: Args) -> Release | None:
    """Return a release by its tag."""
    query = select(Release).where(*visible(near.context, row), Release.tag == args["tagName"])
    return near.call.session.exec(query.order_by(col(Release.draft), col(Release.id).desc())).first()


@field("Repository", "latestRelease")
def latest_release(near: Loader, row: Repository, args: Args) -> Release | None:
    """Return the newest release that is neither draft nor prerelease."""
    return near.once("latest release", row.id, lambda: latest(near.context, row))


def _tag(row: Release) -> str:
    return f"untagged-{row.id}" if row.draft else row.tag


def _path(near: Loader, row: Release) -> str:
    return f"{near.path(row)}/releases/tag/{quote_path(_tag(row))}"


def _ref(near: Loader, row: Release) -> RefAt | None:
    return ref_at(near, near.home(row), f"refs/tags/{row.tag}")


def _commit(near: Loader, row: Release) -> CommitAt | None:
    ref = _ref(near, row)
    return commit_at(near, near.home(row), near.git(near.home(row)).peel(ref.target)) if ref is not None else None


def _is_latest(near: Loader, row: Release) -> bool:
    found = latest_release_of(near, near.home(row))
    return found is not None and found.id == row.id


def latest_release_of(near: Loader, repo: Repository) -> Release | None:
    """Return the latest release of a repository, cached."""
    return near.once("latest release", repo.id, lambda: latest(near.context, repo))


each(
    "Release",
    id=lambda near, row: node("Release", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    name=lambda near, row: row.name,
    tagName=lambda near, row: row.tag,
    description=lambda near, row: row.body,
    descriptionHTML=lambda near, row: near.html(row, row.body),
    shortDescriptionHTML=lambda near, row: markup.strip_markup(row.body)[:200],
    isDraft=lambda near, row: row.draft,
    isPrerelease=lambda near, row: row.prerelease,
    isLatest=_is_latest,
    author=lambda near, row: near.context.account(row.author_id),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    publishedAt=lambda near, row: stamp(row.published_at),
    repository=lambda near, row: near.home(row),
    resourcePath=_path,
    url=lambda near, row: near.url(_path(near, row)),
    tag=_ref,
    tagCommit=_commit,
    viewerCanReact=lambda near, row: not near.home(row).archived,
)


@field("Release", "releaseAssets")
def assets(near: Loader, row: Release, args: Args) -> Page:
    """Return the files of a release."""
    rows = list(near.call.session.exec(select(Asset).where(Asset.release_id == row.id).order_by(col(Asset.id))))
    return page_of_rows([one for one in rows if args.get("name") in (None, one.name)], args, lambda one: one.id)


def _release(near: Loader, row: Asset) -> Release:
    found = near.row(Release, row.release_id)
    assert found is not None
    return found


def _download(near: Loader, row: Asset) -> str:
    release = _release(near, row)
    return near.url(f"{near.path(release)}/releases/download/{quote_path(_tag(release))}/{quote_path(row.name)}")


each(
    "ReleaseAsset",
    id=lambda near, row: node("ReleaseAsset", _release(near, row).repo_id, row.id),
    name=lambda near, row: row.name,
    contentType=lambda near, row: row.content_type,
    size=lambda near, row: row.size,
    downloadCount=lambda near, row: row.downloads,
    release=_release,
    downloadUrl=_download,
    url=lambda near, row: f"{near.context.repo_api(near.home(_release(near, row)))}/releases/assets/{row.id}",
    uploadedBy=lambda near, row: near.context.account(row.uploader_id),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
)


# -- deployments


@field("Repository", "deployments")
def deployments(near: Loader, row: Repository, args: Args) -> Page:
    """Return the deployments of a repository."""
    where: list[Condition] = [Deployment.repo_id == row.id]
    if args.get("environments"):
        where.append(col(Deployment.environment).in_(args["environments"]))
    down = (args.get("orderBy") or {}).get("direction") == "DESC"
    return near.page_of(Deployment, where, args, col(Deployment.created_at), descending=down, asks=args.asks)


def _statuses(near: Loader, row: Deployment) -> list[DeploymentStatus]:
    query = (
        select(DeploymentStatus)
        .where(DeploymentStatus.deployment_id == row.id)
        .order_by(col(DeploymentStatus.id).desc())
    )
    return near.once("deployment statuses", row.id, lambda: list(near.call.session.exec(query)))


STATES = {
    "inactive": "INACTIVE",
    "success": "ACTIVE",
    "failure": "FAILURE",
    "error": "ERROR",
    "queued": "QUEUED",
    "in_progress": "IN_PROGRESS",
    "pending": "PENDING",
}
each(
    "Deployment",
    id=lambda near, row: node("Deployment", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    task=lambda near, row: row.task,
    environment=lambda near, row: row.environment,
    originalEnvironment=lambda near, row: row.environment,
    latestEnvironment=lambda near, row: row.environment,
    description=lambda near, row: row.description,
    commitOid=lambda near, row: row.sha,
    commit=lambda near, row: commit_at(near, near.home(row), row.sha),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    creator=lambda near, row: near.context.account(row.creator_id),
    repository=lambda near, row: near.home(row),
    ref=lambda near, row: ref_at(near, near.home(row), row.ref),
    latestStatus=lambda near, row: next(iter(_statuses(near, row)), None),
    state=lambda near, row: STATES[_statuses(near, row)[0].state] if _statuses(near, row) else "PENDING",
)


@field("Deployment", "statuses")
def statuses(near: Loader, row: Deployment, args: Args) -> Page:
    """Return the statuses of a deployment, newest first."""
    return page_of_rows(_statuses(near, row), args, lambda one: one.id, descending=True)


each(
    "DeploymentStatus",
    id=lambda near, row: node("DeploymentStatus", row.id),
    state=lambda near, row: row.state.upper(),
    description=lambda near, row: row.description,
    environment=lambda near, row: row.environment or None,
    environmentUrl=lambda near, row: row.environment_url or None,
    logUrl=lambda near, row: row.log_url or None,
    creator=lambda near, row: near.context.account(row.creator_id),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    deployment=lambda near, row: near.row(Deployment, row.deployment_id),
)


@field("Repository", "environments")
def environments(near: Loader, row: Repository, args: Args) -> Page:
    """Return the environments of a repository."""
    rows = near.call.session.exec(
        select(Environment).where(Environment.repo_id == row.id).order_by(col(Environment.name))
    )
    return page_of_rows(
        [one for one in rows if not args.get("names") or one.name in args["names"]], args, lambda one: one.name
    )


@field("Repository", "environment")
def environment(near: Loader, row: Repository, args: Args) -> Environment | None:
    """Return an environment by name."""
    query = select(Environment).where(Environment.repo_id == row.id, Environment.name == args["name"])
    return near.call.session.exec(query).first()


each(
    "Environment",
    id=lambda near, row: f"EN_{row.id}",
    databaseId=lambda near, row: row.id,
    name=lambda near, row: row.name,
)
