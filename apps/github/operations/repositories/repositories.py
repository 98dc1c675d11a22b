"""Repositories: read, listed, and their settings changed."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.boilerplate.license_file import find_license
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Address, Id, Line, ListPage, Login, Name, PageParams, Ref, RepoRef, page_of
from apps.github.domain.repository_names import available
from apps.github.models import Account, Collaborator, OrgMember, Repository
from apps.github.refusals import invalid
from apps.github.views.accounts import repo_json
from apps.github.views.repository_settings import MERGE_SETTINGS, MERGE_TEXTS, full_repo
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

SOURCE = "docs.github.com/rest/repos/repos"
HERE = {"owner": "quayline", "repo": "payments"}
Sort = Literal["created", "updated", "pushed", "full_name"]
Direction = Literal["asc", "desc"]
COLUMNS = {"created": "created_at", "updated": "updated_at", "pushed": "pushed_at"}
PUBLIC_PAGE = 100
Title = Literal["PR_TITLE", "COMMIT_OR_PR_TITLE"]
About = Annotated[Text, Field(max_length=350)]


class RepoGet(RepoRef):
    """A repository to read."""


class SortOrder(PageParams):
    """Order of a list of repositories."""

    sort: Sort | None = Field(default=None, description="created, updated, pushed or full_name.")
    direction: Direction | None = Field(
        default=None, description="asc or desc; asc for full_name if left out, else desc."
    )


class OrgRepos(SortOrder):
    """Filter of an organisation's repositories."""

    org: Name = Field(description="The organisation's login.", examples=["quayline"])
    type: Literal["all", "public", "private", "forks", "sources", "member", "internal"] = Field(
        default="all", description="Which kind."
    )


class UserRepos(SortOrder):
    """Filter of somebody's repositories."""

    username: Login
    type: Literal["all", "owner", "member"] = Field(
        default="owner", description="Those they own, those they work on, or both."
    )


class MyRepos(SortOrder):
    """Filter of the repositories that the caller can reach."""

    visibility: Literal["all", "public", "private"] = Field(default="all", description="all, public or private.")
    affiliation: Line = Field(
        default="owner,collaborator,organization_member", description="owner, collaborator, organization_member."
    )
    type: Literal["all", "owner", "public", "private", "member"] | None = Field(
        default=None, description="Instead of the other two."
    )
    since: Line | None = Field(default=None, description="Only those changed after this time (ISO 8601).")
    before: Line | None = Field(default=None, description="Only those changed before this time (ISO 8601).")


class PublicRepos(Params):
    """Start of a list of all public repositories."""

    since: Id | None = Field(default=None, description="Only repositories with a greater id.")


class MergeOptions(Params):
    """Settings for merging pull requests."""

    allow_squash_merge: bool | None = Field(default=None, description="Allow squash merges.")
    allow_merge_commit: bool | None = Field(default=None, description="Allow merge commits.")
    allow_rebase_merge: bool | None = Field(default=None, description="Allow rebase merges.")
    allow_auto_merge: bool | None = Field(
        default=None, description="Allow merging as soon as everything required is there."
    )
    delete_branch_on_merge: bool | None = Field(default=None, description="Delete head branches after the merge.")
    allow_update_branch: bool | None = Field(default=None, description="Offer to update branches that are behind.")
    squash_merge_commit_title: Title | None = Field(default=None, description="Title of squash commits.")
    squash_merge_commit_message: Literal["PR_BODY", "COMMIT_MESSAGES", "BLANK"] | None = Field(
        default=None, description="Text of squash commits."
    )
    merge_commit_title: Literal["PR_TITLE", "MERGE_MESSAGE"] | None = Field(
        default=None, description="Title of merge commits."
    )
    merge_commit_message: Literal["PR_BODY", "PR_TITLE", "BLANK"] | None = Field(
        default=None, description="Text of merge commits."
    )


class Features(MergeOptions):
    """Request fields shared by creating and updating a repository."""

    description: About | None = Field(default=None, description="What it is about.", examples=["Takes money"])
    homepage: Address = Field(default=None, description="An address with more.")
    private: bool | None = Field(default=None, description="Whether it is private.")
    visibility: Literal["public", "private", "internal"] | None = Field(default=None, description="public or private.")
    has_issues: bool | None = Field(default=None, description="Whether it has issues.")
    has_projects: bool | None = Field(default=None, description="Whether it has projects.")
    has_wiki: bool | None = Field(default=None, description="Whether it has a wiki.")
    has_discussions: bool | None = Field(default=None, description="Whether it has discussions.")
    has_downloads: bool | None = Field(default=None, description="Whether it has downloads.")
    is_template: bool | None = Field(default=None, description="Whether others may begin with it.")


class RepoUpdate(RepoRef, Features):
    """Request fields for updating a repository."""

    name: Line | None = Field(default=None, description="A new name.")
    default_branch: Ref | None = Field(default=None, description="Another default branch.")
    archived: bool | None = Field(default=None, description="true makes it read-only.")
    allow_forking: bool | None = Field(default=None, description="Whether a private repository may be forked.")
    web_commit_signoff_required: bool | None = Field(
        default=None, description="Whether commits on the site need a sign-off."
    )


PLAIN = (
    "homepage",
    "description",
    "has_issues",
    "has_projects",
    "has_wiki",
    "has_discussions",
    "has_downloads",
    "is_template",
    "allow_forking",
    "web_commit_signoff_required",
    "archived",
    *MERGE_SETTINGS,
)


@app.operation("repos/get", units=1, source=f"{SOURCE}#get-a-repository", examples=[HERE], raises=("not_found",))
def get(call: Call, params: RepoGet) -> dict[str, Any]:
    """Read a repository: description, default branch, settings, counts, and the caller's permissions."""
    context = GithubContext(call)
    return full_repo(context, context.repo(params.owner, params.repo))


@app.operation(
    "repos/update",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-repository",
    examples=[{**HERE, "description": "Takes money"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def update(call: Call, params: RepoUpdate) -> JsonObject:
    """Change a repository's settings: name, description, visibility, default branch, merge options, archived."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("forbidden")
    if repo.archived and params.archived is not False:
        raise OperationError("archived")
    if params.name is not None and params.name != repo.name:
        repo.name = available(context, context.account(repo.owner_id), params.name, but=repo)
        repo.name_key = repo.name.lower()
    apply(repo, params)
    _set_default_branch(context, repo, params.default_branch)
    repo.updated_at = call.now
    context.add(repo)
    return full_repo(context, repo)


def apply(repo: Repository, params: Features) -> None:
    """Apply the given features, visibility and merge options. Raises validation_failed."""
    given = params.model_dump(exclude_unset=True)
    for name in PLAIN:
        if name in given and (given[name] is not None or name in ("description", "homepage")):
            setattr(repo, name, given[name])
    for name, column in MERGE_TEXTS.items():
        if given.get(name) is not None:
            setattr(repo, column, given[name])
    if not (repo.allow_merge_commit or repo.allow_squash_merge or repo.allow_rebase_merge):
        raise invalid(
            "Repository", "merge_commit_allowed", "custom", "Sorry, you need to allow at least one merge strategy."
        )
    _set_visibility(repo, params)


def _set_visibility(repo: Repository, params: Features) -> None:
    wanted: str = params.visibility or repo.visibility
    if params.visibility is None and params.private is not None and params.private == (repo.visibility == "public"):
        wanted = "private" if params.private else "public"
    if (
        wanted != repo.visibility and repo.fork_of is not None
    ):  # else whoever reads what is private could publish a copy
        raise invalid(
            "Repository", "visibility", "custom", "For security reasons, you cannot change the visibility of a fork."
        )
    repo.visibility = wanted


def _set_default_branch(context: GithubContext, repo: Repository, branch: str | None) -> None:
    if branch is None or branch == repo.default_branch:
        return
    if context.git(repo).branch(branch) is None:
        why = f"The branch {branch} was not found. Please push that ref first or create it via the Git Data API."
        raise invalid("Repository", "default_branch", "invalid", why)
    repo.default_branch = branch
    repo.license = find_license(context.git(repo), branch)


# -- lists


def sort_repositories(
    repos: Iterable[Repository], params: SortOrder, sort: Sort, context: GithubContext
) -> list[Repository]:
    """Sort repositories in the requested order, by default by `sort`."""
    by = params.sort or sort
    down = (params.direction or ("asc" if by == "full_name" else "desc")) == "desc"
    if by == "full_name":
        return sorted(repos, key=lambda repo: context.full_name(repo).lower(), reverse=down)
    return sorted(repos, key=lambda repo: (getattr(repo, COLUMNS[by]), repo.id), reverse=down)


def list_page(context: GithubContext, repos: list[Repository], params: PageParams) -> list[JsonObject]:
    """Return a page of repositories for a list."""
    page = page_of(repos, params)
    return ListPage([repo_json(context, repo) for repo in page], page.total)


def list_owned_repositories(context: GithubContext, owner: Account) -> list[Repository]:
    """Return the repositories of an account that the caller may see."""
    rows = context.call.session.exec(
        select(Repository).where(Repository.owner_id == owner.id).order_by(col(Repository.id))
    )
    return [repo for repo in rows if context.sees(repo)]


def list_collaborations(context: GithubContext, account: Account) -> list[Repository]:
    """Return other people's repositories on which an account is a collaborator."""
    mine = select(Collaborator.repo_id).where(Collaborator.account_id == account.id)
    return list(
        context.call.session.exec(select(Repository).where(col(Repository.id).in_(mine)).order_by(col(Repository.id)))
    )


@app.operation(
    "repos/list-for-org",
    units=1,
    source=f"{SOURCE}#list-organization-repositories",
    examples=[{"org": "quayline"}],
    raises=("not_found",),
)
def list_for_org(call: Call, params: OrgRepos) -> list[JsonObject]:
    """List the repositories of an organisation that the caller may see."""
    context = GithubContext(call)
    found = [
        repo
        for repo in list_owned_repositories(context, context.by_login(params.org, "Organization"))
        if _of_kind(context, repo, params.type)
    ]
    return list_page(context, sort_repositories(found, params, "created", context), params)


def _of_kind(context: GithubContext, repo: Repository, kind: str) -> bool:
    if kind in ("public", "internal"):
        return repo.visibility == kind
    if kind == "private":
        return repo.visibility != "public"
    if kind in ("forks", "sources"):
        return (repo.fork_of is not None) == (kind == "forks")
    return kind == "all" or context.level(repo) not in ("none", "pull")


@app.operation(
    "repos/list-for-user",
    units=1,
    source=f"{SOURCE}#list-repositories-for-a-user",
    examples=[{"username": "$users/get-authenticated:login"}],
    raises=("not_found",),
)
def list_for_user(call: Call, params: UserRepos) -> list[JsonObject]:
    """List somebody's public repositories."""
    context = GithubContext(call)
    account = context.by_login(params.username)
    found = [] if params.type == "member" else list_owned_repositories(context, account)
    found += [] if params.type == "owner" else list_collaborations(context, account)
    return list_page(
        context,
        sort_repositories([repo for repo in found if repo.visibility == "public"], params, "full_name", context),
        params,
    )


@app.operation(
    "repos/list-for-authenticated-user",
    units=1,
    source=f"{SOURCE}#list-repositories-for-the-authenticated-user",
    examples=[{}],
    raises=("bad_credentials", "validation_failed"),
)
def list_for_authenticated_user(call: Call, params: MyRepos) -> list[JsonObject]:
    """List the repositories that the caller owns, collaborates on, or reaches through an organisation."""
    context = GithubContext(call)
    if params.type is not None and params.model_fields_set & {"visibility", "affiliation"}:
        raise invalid(
            "Repository", "type", "invalid", "If you specify visibility or affiliation, you cannot specify type."
        )
    found = {repo.id: repo for repo in _list_reachable(context, _affiliations(params))}
    shown = params.type if params.type in ("public", "private") else params.visibility
    kept = [repo for repo in found.values() if shown == "all" or (repo.visibility == "public") == (shown == "public")]
    kept = [repo for repo in kept if _is_changed_within(repo, params)]
    return list_page(context, sort_repositories(kept, params, "full_name", context), params)


def _affiliations(params: MyRepos) -> set[str]:
    if params.type == "owner":
        return {"owner"}
    if params.type == "member":
        return {"collaborator", "organization_member"}
    return {one.strip() for one in params.affiliation.split(",")}


def _is_changed_within(repo: Repository, params: MyRepos) -> bool:
    at = stamp(repo.updated_at) or ""
    return (params.since is None or at > params.since) and (params.before is None or at < params.before)


def _list_reachable(context: GithubContext, how: set[str]) -> Iterable[Repository]:
    if "owner" in how:
        yield from list_owned_repositories(context, context.me)
    if "collaborator" in how:
        yield from list_collaborations(context, context.me)
    if "organization_member" in how:
        for id in context.call.session.exec(
            select(OrgMember.org_id).where(OrgMember.account_id == context.me.id).order_by(col(OrgMember.org_id))
        ):
            yield from list_owned_repositories(context, context.account(id))


@app.operation(
    "repos/list-public",
    units=1,
    source=f"{SOURCE}#list-public-repositories",
    examples=[{}],
    raises=("bad_credentials",),
)
def list_public(call: Call, params: PublicRepos) -> list[JsonObject]:
    """List all public repositories by id."""
    context = GithubContext(call)
    query = (
        select(Repository)
        .where(Repository.visibility == "public", col(Repository.id) > (params.since or 0))
        .order_by(col(Repository.id))
    )
    return [repo_json(context, repo) for repo in call.session.exec(query.limit(PUBLIC_PAGE))]
