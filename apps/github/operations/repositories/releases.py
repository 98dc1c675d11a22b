"""Releases of tags: read, created, changed, deleted; and notes generated from merged pull requests."""

from typing import Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Body, Id, Line, ListPage, MediaType, PageParams, Ref, RepoRef, page_of
from apps.github.domain.ref_updates import move_ref
from apps.github.domain.revisions import get_writable_repository
from apps.github.domain.tree_paths import is_ref_name
from apps.github.git import Repo
from apps.github.git.history import is_ancestor
from apps.github.models import Release, Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.refusals import invalid
from apps.github.views.releases import release_json, releases_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/releases/releases"
HERE = {"owner": "quayline", "repo": "payments"}
A_RELEASE = "$repos/create-release:id"
TAGS = "refs/tags/"


class ReleaseList(RepoRef, PageParams, MediaType):
    """Page of releases."""


class ReleaseLatest(RepoRef, MediaType):
    """The latest release."""


class ReleaseRef(RepoRef):
    """One release."""

    release_id: Id = Field(description="The id of the release.")


class ReleaseGet(ReleaseRef, MediaType):
    """A release to read."""


class ReleaseByTag(RepoRef, MediaType):
    """A release to read by its tag."""

    tag: Ref = Field(description="The name of the tag.", examples=["v1.0"])


class ReleaseShape(RepoRef):
    """Request fields shared by creating and updating a release."""

    target_commitish: Ref | None = Field(
        default=None, description="Where the tag is made if there is none: a branch or SHA."
    )
    name: Line | None = Field(default=None, description="The title.")
    body: Body | None = Field(default=None, description="The notes, in Markdown.")
    draft: bool | None = Field(default=None, description="Not published yet; only writers see it.")
    prerelease: bool | None = Field(default=None, description="Not ready for production.")
    make_latest: Literal["true", "false", "legacy"] | None = Field(
        default=None, description="Whether it counts as the latest; by date otherwise."
    )
    discussion_category_name: Line | None = Field(
        default=None, description="A category of discussions; there are none."
    )


class ReleaseNew(ReleaseShape):
    """A release to create."""

    tag_name: Ref = Field(description="The name of the tag.", examples=["v1.0"])
    generate_release_notes: bool = Field(default=False, description="Write the title and notes from what was merged.")


class ReleaseUpdate(ReleaseShape):
    """Request fields for updating a release."""

    release_id: Id = Field(description="The id of the release.")
    tag_name: Ref | None = Field(default=None, description="Another tag.")


class Notes(RepoRef):
    """Request fields for generated notes."""

    tag_name: Ref = Field(description="The tag of the release, which need not be there yet.", examples=["v1.0"])
    target_commitish: Ref | None = Field(default=None, description="Where the tag would be: a branch or SHA.")
    previous_tag_name: Ref | None = Field(
        default=None, description="The tag to begin behind; the last release if left out."
    )
    configuration_file_path: Line | None = Field(default=None, description="A file of categories; not looked at.")


def visible(context: GithubContext, repo: Repository) -> list[Condition]:
    """Return the condition for the releases the caller may see: drafts only for writers."""
    return [Release.repo_id == repo.id, *([] if context.may(repo, "push") else [col(Release.draft).is_(False)])]


def find_release(context: GithubContext, repo: Repository, id: int) -> Release:
    """Return a release by id. Raises not_found."""
    found = context.call.session.exec(select(Release).where(Release.id == id, *visible(context, repo))).first()
    if found is None:
        raise OperationError("not_found")
    return found


@app.operation("repos/list-releases", units=1, source=f"{SOURCE}#list-releases", examples=[HERE], raises=("not_found",))
def list_releases(call: Call, params: ReleaseList) -> list[JsonObject]:
    """List the releases of a repository, newest first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    query = (
        select(Release).where(*visible(context, repo)).order_by(col(Release.created_at).desc(), col(Release.id).desc())
    )
    page = page_of(list(call.session.exec(query)), params)
    return ListPage(releases_json(context, repo, page, params.mediaType), page.total)


def latest(context: GithubContext, repo: Repository) -> Release | None:
    """Return the newest release that is neither draft nor prerelease."""
    query = select(Release).where(
        Release.repo_id == repo.id, col(Release.draft).is_(False), col(Release.prerelease).is_(False)
    )
    return context.call.session.exec(query.order_by(col(Release.created_at).desc(), col(Release.id).desc())).first()


@app.operation(
    "repos/get-latest-release",
    units=1,
    source=f"{SOURCE}#get-the-latest-release",
    after=["repos/create-release"],
    examples=[HERE],
    raises=("not_found",),
)
def get_latest_release(call: Call, params: ReleaseLatest) -> JsonObject:
    """Read the latest release that is neither a draft nor a prerelease."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    found = latest(context, repo)
    if found is None:
        raise OperationError("not_found")
    return release_json(context, repo, found, params.mediaType)


@app.operation(
    "repos/get-release",
    units=1,
    source=f"{SOURCE}#get-a-release",
    examples=[{**HERE, "release_id": A_RELEASE}],
    raises=("not_found",),
)
def get_release(call: Call, params: ReleaseGet) -> JsonObject:
    """Read a release by its id."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return release_json(context, repo, find_release(context, repo, params.release_id), params.mediaType)


@app.operation(
    "repos/get-release-by-tag",
    units=1,
    source=f"{SOURCE}#get-a-release-by-tag-name",
    after=["repos/create-release"],
    examples=[{**HERE, "tag": "v1.0"}],
    raises=("not_found",),
)
def get_release_by_tag(call: Call, params: ReleaseByTag) -> JsonObject:
    """Read the release of a tag."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    found = _of_tag(context, repo, params.tag)
    if found is None:
        raise OperationError("not_found")
    return release_json(context, repo, found, params.mediaType)


def _of_tag(context: GithubContext, repo: Repository, tag: str) -> Release | None:
    """Return the published release of a tag."""
    return context.call.session.exec(
        select(Release).where(Release.repo_id == repo.id, Release.tag == tag, col(Release.draft).is_(False))
    ).first()


@app.operation(
    "repos/create-release",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-release",
    examples=[{**HERE, "tag_name": "v1.0", "name": "First"}],
    raises=("not_found", "archived", "validation_failed", "protected_branch", "unprocessable", "conflict"),
)
def create_release(call: Call, params: ReleaseNew) -> JsonObject:
    """Publish a release of a tag; a missing tag is created at `target_commitish`."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    title, body = params.name, params.body
    if params.generate_release_notes:
        written = _notes(context, repo, params.tag_name, params.target_commitish, None)
        title, body = title or written["name"], "\n\n".join(one for one in (body, written["body"]) if one)
    row = Release(
        id=context.next_id("github_release"),
        repo_id=repo.id,
        tag=_tag_name(params.tag_name),
        target=params.target_commitish or repo.default_branch,
        name=title,
        body=body,
        draft=bool(params.draft),
        prerelease=bool(params.prerelease),
        author_id=context.me.id,
        created_at=call.now,
        updated_at=call.now,
    )
    _publish(context, repo, row)
    context.add(row)
    return release_json(context, repo, row)


def _tag_name(tag: str) -> str:
    if not is_ref_name(TAGS + tag):
        raise invalid("Release", "tag_name", "custom", "tag_name is not a valid tag")
    return tag


def _publish(context: GithubContext, repo: Repository, row: Release) -> None:
    """Create the tag of a published release. Raises validation_failed."""
    if row.draft:
        return
    other = _of_tag(context, repo, row.tag)
    if other is not None and other.id != row.id:
        raise invalid("Release", "tag_name", "already_exists")
    git = context.git(repo)
    if git.ref(TAGS + row.tag) is None:
        move_ref(context, repo, TAGS + row.tag, None, _target(git, row.target))
    row.published_at = row.published_at or context.call.now
    context.call.publish("github.release_published", repository=repo.id, release=row.id, tag=row.tag, by=context.me.id)


def _target(git: Repo, target: str) -> str:
    found = git.resolve(target)
    if found is None:
        raise invalid("Release", "target_commitish", "invalid", value=target)
    return found


@app.operation(
    "repos/update-release",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-release",
    examples=[{**HERE, "release_id": A_RELEASE, "body": "Fixed"}],
    raises=("not_found", "archived", "validation_failed", "protected_branch", "unprocessable", "conflict"),
)
def update_release(call: Call, params: ReleaseUpdate) -> JsonObject:
    """Change a release; publish a draft by `draft` false."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    row = find_release(context, repo, params.release_id)
    given = params.model_dump(exclude_unset=True)
    row.tag = _tag_name(params.tag_name) if params.tag_name else row.tag
    row.target = params.target_commitish or row.target
    for name in ("name", "body"):
        if name in given:
            setattr(row, name, given[name])
    row.draft = row.draft if params.draft is None else params.draft
    row.prerelease = row.prerelease if params.prerelease is None else params.prerelease
    row.updated_at = call.now
    _publish(context, repo, row)
    context.add(row)
    return release_json(context, repo, row)


@app.operation(
    "repos/delete-release",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-release",
    examples=[{**HERE, "release_id": A_RELEASE}],
    raises=("not_found", "archived"),
)
def delete_release(call: Call, params: ReleaseRef) -> None:
    """Delete a release and its files; the tag stays."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    row = find_release(context, repo, params.release_id)
    values = {"release": row.id}
    call.execute("DELETE FROM github_asset WHERE release_id = :release", values)
    call.execute("DELETE FROM github_reaction WHERE subject = 'release' AND subject_id = :release", values)
    call.session.delete(row)
    call.flush()


@app.operation(
    "repos/generate-release-notes",
    writes=True,
    units=1,
    source=f"{SOURCE}#generate-release-notes-content-for-a-release",
    examples=[{**HERE, "tag_name": "v1.0"}],
    raises=("not_found", "archived", "validation_failed"),
)
def generate_release_notes(call: Call, params: Notes) -> dict[str, str]:
    """Generate the notes of a release from the pull requests merged since the last; nothing is stored."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    return _notes(context, repo, params.tag_name, params.target_commitish, params.previous_tag_name)


def _notes(
    context: GithubContext, repo: Repository, tag: str, target: str | None, previous: str | None
) -> dict[str, str]:
    git = context.git(repo)
    end = git.resolve(TAGS + tag) or _target(git, target or repo.default_branch)
    before = latest(context, repo)
    start_tag = previous or (before.tag if before and before.tag != tag else None)
    start = git.resolve(TAGS + start_tag) if start_tag else None
    if previous and start is None:
        raise invalid("Release", "previous_tag", "invalid", value=previous)
    html = context.repo_html(repo)
    merged = _list_merged_pulls(context, repo, git, start, end)
    lines = [
        f"* {issue.title} by @{context.account(issue.author_id).login} in {html}/pull/{issue.number}"
        for issue in merged
    ]
    link = f"{html}/compare/{start_tag}...{tag}" if start else f"{html}/commits/{tag}"
    parts = ["## What's Changed\n" + "\n".join(lines)] if lines else []
    return {"name": tag, "body": "\n\n".join([*parts, f"**Full Changelog**: {link}"])}


def _list_merged_pulls(context: GithubContext, repo: Repository, git: Repo, start: str | None, end: str) -> list[Issue]:
    """List the pull requests whose merge is in `end` and not in `start`, in merge order."""
    query = (
        select(Issue, Pull)
        .join(Pull, col(Pull.issue_id) == col(Issue.id))
        .where(Pull.repo_id == repo.id, col(Pull.merged_at).is_not(None))
    )
    found = []
    for issue, pull in context.call.session.exec(query.order_by(col(Pull.merged_at), col(Issue.id))):
        sha = pull.merge_sha
        if sha and git.graph.find(sha) and is_ancestor(git, sha, end) and not (start and is_ancestor(git, sha, start)):
            found.append(issue)
    return found
