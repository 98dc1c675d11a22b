"""Pull requests: list, read, change; their commits and files."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain.context import GithubContext
from apps.github.domain.mergeability import state_of
from apps.github.domain.params import Body, Line, ListPage, MediaType, PageParams, Raw, RepoRef
from apps.github.domain.pull_git import Changes, merge_ref
from apps.github.domain.pull_lifecycle import set_state, twin
from apps.github.domain.pull_rows import EXAMPLE, PullRef, change_base, get_pull, need_author_or
from apps.github.git.diff import render_diff
from apps.github.git.history import is_ancestor
from apps.github.git.patches import mbox
from apps.github.models import Repository
from apps.github.models_issues import Comment, Issue
from apps.github.models_pulls import Pull
from apps.github.operations.issues.issue_changes import retitle, rewrite
from apps.github.operations.repositories.commits import KINDS, files_json
from apps.github.refusals import invalid
from apps.github.views.git_objects import Commits
from apps.github.views.pulls import PullContext, full_json, load_surroundings, simple_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Text

SOURCE = "docs.github.com/rest/pulls/pulls"
REPO = {"owner": "quayline", "repo": "payments"}
MOST_FILES, MOST_COMMITS = 3000, 250  # docs.github.com/rest/pulls/pulls
SORTS = {"created": col(Issue.created_at), "updated": col(Issue.updated_at)}


class PullList(RepoRef, PageParams, MediaType):
    """Filters and order of pull requests."""

    state: Literal["open", "closed", "all"] = Field(default="open", description="open, closed or all.")
    head: Line | None = Field(default=None, description="`user:branch` the commits come from.")
    base: Line | None = Field(default=None, description="The branch they go into.")
    sort: Literal["created", "updated", "popularity", "long-running"] = Field(
        default="created", description="created, updated, popularity (comments) or long-running."
    )
    direction: Literal["asc", "desc"] | None = Field(
        default=None, description="asc or desc; desc when sorted by created."
    )


class PullGet(PullRef, MediaType):
    """One pull request to read."""


class PullPages(PullRef, PageParams):
    """Parts of a pull request, page by page."""


class PullChange(PullRef):
    """Request fields for updating a pull request; fields left out stay."""

    title: Annotated[Text, Field(max_length=256)] | None = Field(
        default=None, description="The title.", examples=["Retry once"]
    )
    body: Body | None = Field(default=None, description="The text, in Markdown.")
    state: Literal["open", "closed"] | None = Field(default=None, description="open or closed.")
    base: Line | None = Field(default=None, description="The branch it goes into.")
    maintainer_can_modify: bool | None = Field(
        default=None, description="Whether those who can push to the base may push to its branch."
    )


@app.operation("pulls/list", units=1, source=f"{SOURCE}#list-pull-requests", examples=[REPO], raises=("not_found",))
def list_pulls(call: Call, params: PullList) -> list[JsonObject]:
    """List the pull requests of a repository, by state, head and base."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where = _conditions(context, repo, params)
    total = call.scalar(
        select(func.count()).select_from(Issue).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(*where)
    )
    query = select(Issue).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(*where).order_by(*_order(params))
    rows = list(call.session.exec(query.offset(params.start).limit(params.size)))
    around = PullContext(context, repo, rows)
    return ListPage([simple_json(around, issue, params.mediaType) for issue in rows], total)


def _conditions(context: GithubContext, repo: Repository, params: PullList) -> list[Condition]:
    where: list[Condition] = [Issue.repo_id == repo.id]
    if params.state != "all":
        where.append(Issue.state == params.state)
    if params.base:
        where.append(Pull.base_ref == params.base)
    if params.head and ":" in params.head:
        owner, _, branch = params.head.partition(":")
        account = context.find_login(owner)
        repos = _repos_of(context, account.id if account else 0)
        where += [Pull.head_ref == branch, col(Pull.head_repo_id).in_(repos)]
    return where


def _repos_of(context: GithubContext, owner_id: int) -> list[int]:
    """Return the repositories of an account."""
    return [
        id
        for (id,) in context.call.all(
            "SELECT id FROM github_repository WHERE owner_id = :owner ORDER BY id", {"owner": owner_id}
        )
    ]


def _order(params: PullList) -> list[Any]:
    comments = func.coalesce(select(func.count()).where(Comment.issue_id == Issue.id).scalar_subquery(), 0)
    key = comments if params.sort == "popularity" else SORTS.get(params.sort, col(Issue.created_at))
    down = params.direction == "desc" or (params.direction is None and params.sort == "created")
    return [key.desc(), col(Issue.number).desc()] if down else [key.asc(), col(Issue.number).asc()]


@app.operation("pulls/get", units=1, source=f"{SOURCE}#get-a-pull-request", examples=[EXAMPLE], raises=("not_found",))
def get(call: Call, params: PullGet) -> Any:
    """Read one pull request: state, branches, size, whether it can be merged; or its diff or patch."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    if params.mediaType == "diff":
        return Raw(render_diff(context.git(repo), *Changes(context, repo, issue, pull).trees), KINDS["diff"])
    if params.mediaType == "patch":
        changes = Changes(context, repo, issue, pull)
        return Raw(mbox(changes.git, [row.sha1 for row in changes.commits]), KINDS["patch"])
    return one_json(context, repo, issue, pull, params.mediaType)


def one_json(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, media: str | None = None
) -> JsonObject:
    """Render one pull request for the API."""
    around = load_surroundings(context, repo, issue)
    changes = Changes(context, repo, issue, pull)
    shown = full_json(around, issue, changes.size(), state_of(context, repo, issue, pull, changes), media)
    return (
        shown if pull.merged_at is not None else {**shown, "merge_commit_sha": changes.git.ref(merge_ref(issue.number))}
    )


@app.operation(
    "pulls/update",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-pull-request",
    examples=[{**EXAMPLE, "title": "Retry once"}],
    raises=("not_found", "forbidden", "archived", "validation_failed"),
)
def update(call: Call, params: PullChange) -> JsonObject:
    """Change a pull request: title, text, base branch; close or reopen it. Its author may, and people who can push."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    need_author_or(context, repo, issue, "push")
    if params.title is not None:
        retitle(context, repo, issue, params.title)
    if "body" in params.model_fields_set and (params.body or None) != issue.body:
        rewrite(context, repo, issue, params.body or None)
    if params.base is not None and params.base != pull.base_ref:
        rebase_onto(context, repo, issue, pull, params.base)
    if params.maintainer_can_modify is not None and pull.head_repo_id != repo.id:
        pull.maintainer_can_modify = params.maintainer_can_modify
    if params.state is not None:
        set_state(context, repo, issue, pull, params.state)
    issue.updated_at = call.now
    return one_json(context, repo, issue, pull)


def rebase_onto(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, base: str) -> None:
    """Change the base branch of a pull request. Raises validation_failed."""
    if pull.merged_at is not None or issue.state == "closed":
        raise invalid("PullRequest", "base", "custom", "Cannot change the base branch of a closed pull request.")
    git = context.git(repo)
    tip = git.branch(base)
    if tip is None:
        raise invalid("PullRequest", "base", "invalid", f"Proposed base branch '{base}' was not found")
    if is_ancestor(git, pull.head_sha, tip):
        raise invalid(
            "PullRequest",
            "base",
            "custom",
            f"There are no new commits between base branch '{base}' and head branch '{pull.head_ref}'",
        )
    if same := twin(repo, pull.head_repo_id, pull.head_ref, base, context):
        why = f"A pull request already exists for base branch '{base}' and head branch '{pull.head_ref}'"
        raise invalid("PullRequest", "base", "custom", why, same.number)
    change_base(context, repo, issue, pull, base, tip)


@app.operation(
    "pulls/list-commits",
    units=1,
    source=f"{SOURCE}#list-commits-on-a-pull-request",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def list_commits(call: Call, params: PullPages) -> list[JsonObject]:
    """List the commits of a pull request, oldest first, 250 at most."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    rows = Changes(context, repo, issue, pull).commits[:MOST_COMMITS]
    page = rows[params.start : params.start + params.size]
    return ListPage(Commits(context, repo, page).in_order(), len(rows))


@app.operation(
    "pulls/list-files", units=1, source=f"{SOURCE}#list-pull-requests-files", examples=[EXAMPLE], raises=("not_found",)
)
def list_files(call: Call, params: PullPages) -> list[JsonObject]:
    """List the files a pull request changes, each with its patch, 3,000 at most."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    changes = Changes(context, repo, issue, pull)
    found = changes.changes[:MOST_FILES]
    page = found[params.start : params.start + params.size]
    return ListPage(files_json(context, repo, changes.git, page, pull.head_sha), len(found))


@app.operation(
    "pulls/check-if-merged",
    units=1,
    source=f"{SOURCE}#check-if-a-pull-request-has-been-merged",
    examples=[EXAMPLE],
    after=["pulls/merge"],
    raises=("not_found",),
)
def check_if_merged(call: Call, params: PullRef) -> None:
    """Check whether a pull request was merged: not_found if not."""
    context = GithubContext(call)
    _, _, pull = get_pull(context, params)
    if pull.merged_at is None:
        raise OperationError("not_found")
