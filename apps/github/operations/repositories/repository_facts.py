"""Facts about a repository: topics, languages, contributors, teams, activity, community files."""

from collections import Counter
from typing import Any, Literal, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.boilerplate.license_file import find_license_file
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext, git_node, stamp
from apps.github.domain.languages import languages
from apps.github.domain.params import Int64, Line, ListPage, PageParams, Ref, Reply, RepoRef, page_of
from apps.github.domain.readme import readme_of
from apps.github.domain.revisions import to_displayable
from apps.github.git import ZERO
from apps.github.git.history import log
from apps.github.models import Push, Repository, RepoTeam, Team
from apps.github.operations.repositories.contents import README_PLACES
from apps.github.operations.repositories.repositories import HERE, SOURCE
from apps.github.refusals import unprocessable
from apps.github.views.accounts import UserJson, maybe_user, user_json
from apps.github.views.git_objects import accounts_by_email
from apps.github.views.licenses import license_json
from apps.github.views.pulls import team_json
from apps.github.views.repository_settings import rights
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.json_types import JsonObject

MAX_TOPICS, MAX_TOPIC = 20, 50
PERIODS = {"day": 1, "week": 7, "month": 30, "quarter": 90, "year": 365}
DAY = 86_400_000_000
HEALTH = {
    "code_of_conduct_file": ("CODE_OF_CONDUCT.md",),
    "contributing": ("CONTRIBUTING.md",),
    "issue_template": ("ISSUE_TEMPLATE.md", "ISSUE_TEMPLATE"),
    "pull_request_template": ("PULL_REQUEST_TEMPLATE.md", "pull_request_template.md"),
}


class ActivityJson(TypedDict):
    """Response of `_activity_json`."""

    id: int
    node_id: str
    before: str
    after: str
    ref: str
    timestamp: str | None
    activity_type: str
    actor: UserJson | None


class Topics(RepoRef, PageParams):
    """The topics of a repository."""


class TopicsNew(RepoRef):
    """Request fields for replacing the topics."""

    names: list[Line] = Field(
        max_length=100, description="All its topics, in lower case.", examples=[["payments", "python"]]
    )


class Facts(RepoRef):
    """A repository."""


class Contributors(RepoRef, PageParams):
    """Filter and page of contributors."""

    anon: Line | None = Field(default=None, description="1 or true: those without an account too.")


class RepoTeams(RepoRef, PageParams):
    """Page of the teams with access."""


class Activity(RepoRef):
    """Filters of changes of refs."""

    direction: Literal["asc", "desc"] = Field(default="desc", description="asc or desc by time.")
    per_page: Int64 = Field(default=30, description="Results per page, 100 at most.")
    ref: Ref | None = Field(default=None, description="Only this ref: main or refs/heads/main.")
    actor: Line | None = Field(default=None, description="Only by this login.")
    time_period: Literal["day", "week", "month", "quarter", "year"] | None = Field(
        default=None, description="Only the last day, week, …"
    )
    activity_type: Literal["push", "force_push", "branch_creation", "branch_deletion"] | None = Field(
        default=None, description="Only of this kind."
    )


@app.operation(
    "repos/get-all-topics",
    units=1,
    source=f"{SOURCE}#get-all-repository-topics",
    examples=[HERE],
    raises=("not_found",),
)
def get_all_topics(call: Call, params: Topics) -> JsonObject:
    """List the topics of a repository."""
    return {"names": page_of(GithubContext(call).repo(params.owner, params.repo).topics, params)}


@app.operation(
    "repos/replace-all-topics",
    writes=True,
    units=1,
    source=f"{SOURCE}#replace-all-repository-topics",
    examples=[{**HERE, "names": ["payments"]}],
    raises=("not_found", "archived", "unprocessable"),
)
def replace_all_topics(call: Call, params: TopicsNew) -> JsonObject:
    """Set all topics of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "maintain", code="not_found")
    names = list(dict.fromkeys(name.strip().lower() for name in params.names))
    if len(names) > MAX_TOPICS or not all(_is_topic(name) for name in names):
        why = (
            "Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include"
            " hyphens."
        )
        raise unprocessable(why)
    repo.topics, repo.updated_at = names, call.now
    context.add(repo)
    return {"names": names}


def _is_topic(name: str) -> bool:
    return 0 < len(name) <= MAX_TOPIC and name.isascii() and name[0] != "-" and name.replace("-", "").isalnum()


@app.operation(
    "repos/list-languages",
    units=1,
    source=f"{SOURCE}#list-repository-languages",
    examples=[HERE],
    raises=("not_found",),
)
def list_languages(call: Call, params: Facts) -> dict[str, int]:
    """Return the number of bytes of each language on the default branch."""
    context = GithubContext(call)
    return languages(context, context.repo(params.owner, params.repo))


@app.operation(
    "repos/list-contributors",
    units=1,
    source=f"{SOURCE}#list-repository-contributors",
    examples=[HERE],
    raises=("not_found",),
)
def list_contributors(call: Call, params: Contributors) -> object:
    """List the authors of commits on the default branch, by number of commits."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = context.git(repo)
    head = git.branch(repo.default_branch)
    if head is None:
        return Reply({}, 204)
    rows = [row for row in log(git, [head]) if " " not in row.parents]
    known = accounts_by_email(context, {row.author_email for row in rows})
    mine = Counter(known[mail].id for row in rows if (mail := row.author_email.lower()) in known)
    found: list[dict[str, Any]] = [
        {**user_json(context, context.account(id)), "contributions": count} for id, count in mine.items()
    ]
    if params.anon in ("1", "true"):
        others = Counter((row.author_name, row.author_email) for row in rows if row.author_email.lower() not in known)
        found += [
            {"type": "Anonymous", "name": name, "email": mail, "contributions": count}
            for (name, mail), count in others.items()
        ]
    return page_of(sorted(found, key=lambda one: (-one["contributions"], one.get("login") or one["name"])), params)


@app.operation(
    "repos/list-teams", units=1, source=f"{SOURCE}#list-repository-teams", examples=[HERE], raises=("not_found",)
)
def list_teams(call: Call, params: RepoTeams) -> list[JsonObject]:
    """List the teams that have access to a repository, with their permissions."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    query = (
        select(Team, RepoTeam)
        .join(RepoTeam, col(RepoTeam.team_id) == col(Team.id))
        .where(RepoTeam.repo_id == repo.id)
        .order_by(Team.slug)
    )
    page = page_of(list(call.session.exec(query)), params)
    shown_teams = [
        {**team_json(context, team), "permission": access.permission, "permissions": rights(access.permission)}
        for team, access in page
    ]
    return ListPage(shown_teams, page.total)


@app.operation(
    "repos/list-activities",
    units=1,
    source=f"{SOURCE}#list-repository-activities",
    examples=[HERE],
    raises=("not_found",),
)
def list_activities(call: Call, params: Activity) -> list[ActivityJson]:
    """List changes of branches: pushes, forced pushes, branches created and deleted."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where: list[Condition] = [Push.repo_id == repo.id]
    if params.ref is not None:
        where.append(Push.ref == (params.ref if params.ref.startswith("refs/") else f"refs/heads/{params.ref}"))
    if params.actor is not None:
        found = context.find_login(params.actor)
        where.append(Push.account_id == (found.id if found else 0))
    if params.time_period is not None:
        where.append(Push.created_at >= call.now - PERIODS[params.time_period] * DAY)
    order = col(Push.id).desc() if params.direction == "desc" else col(Push.id).asc()
    rows = [
        row
        for row in call.session.exec(select(Push).where(*where).order_by(order))
        if params.activity_type in (None, _kind(row))
    ]
    size = params.per_page if 1 <= params.per_page <= 100 else 30
    return [_activity_json(context, repo, row) for row in rows[:size]]


def _kind(row: Push) -> str:
    if row.old == ZERO or row.new == ZERO:
        return "branch_creation" if row.old == ZERO else "branch_deletion"
    return "force_push" if row.forced else "push"


def _activity_json(context: GithubContext, repo: Repository, row: Push) -> ActivityJson:
    return {
        "id": row.id,
        "node_id": git_node("PSH", repo.id, str(row.id)),
        "before": row.old,
        "after": row.new,
        "ref": row.ref,
        "timestamp": stamp(row.created_at),
        "activity_type": _kind(row),
        "actor": maybe_user(context, row.account_id),
    }


@app.operation(
    "repos/get-community-profile-metrics",
    units=1,
    source="docs.github.com/rest/metrics/community#get-community-profile-metrics",
    examples=[HERE],
    raises=("not_found",),
)
def get_community_profile_metrics(call: Call, params: Facts) -> JsonObject:
    """List the community files of a repository: README, license, contributing, templates."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = context.git(repo)
    head = git.branch(repo.default_branch)
    tree = None if head is None else git.tree_of(head)
    found = {name: _first(context, repo, tree, names) for name, names in HEALTH.items()}
    readme = None if tree is None else readme_of(git, tree, README_PLACES)
    files = {
        **found,
        "code_of_conduct": None,
        "license": _license(context, repo, tree),
        "readme": _file(context, repo, readme.path) if readme else None,
    }
    there = [*found.values(), files["readme"], files["license"], repo.description]
    return {
        "health_percentage": round(100 * sum(1 for one in there if one) / len(there)),
        "description": repo.description,
        "documentation": None,
        "files": files,
        "updated_at": stamp(repo.pushed_at),
        "content_reports_enabled": False,
    }


def _license(context: GithubContext, repo: Repository, tree: str | None) -> JsonObject | None:
    found = tree and find_license_file(context.git(repo), tree)
    if not found:
        return None
    entry, key = found
    return {**(license_json(context, key) or {}), "html_url": _file(context, repo, entry.name)["html_url"]}


def _first(context: GithubContext, repo: Repository, tree: str | None, names: tuple[str, ...]) -> dict[str, str] | None:
    git = context.git(repo)
    for folder in README_PLACES if tree else ():
        for name in names:
            path = f"{folder}/{name}".lstrip("/")
            if tree is not None and git.at(tree, path) is not None:
                return _file(context, repo, path)
    return None


def _file(context: GithubContext, repo: Repository, path: str) -> dict[str, str]:
    return {
        "url": f"{context.repo_api(repo)}/contents/{quote_path(path)}",
        "html_url": f"{context.repo_html(repo)}/blob/{quote_path(repo.default_branch)}/{quote_path(to_displayable(path))}",
    }
