"""Sub-issues, and issues that block others."""

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.issue_rows import find_issue
from apps.github.domain.params import Id, PageParams, page_of
from apps.github.models import Repository
from apps.github.models_issues import Blocking, Issue, SubIssue
from apps.github.operations.issues.issue_changes import ISSUE
from apps.github.operations.issues.issues import IssueRef
from apps.github.refusals import invalid, unprocessable
from apps.github.views.issues import one_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/issues/sub-issues"
BLOCKS = "docs.github.com/rest/issues/issue-dependencies"
MOST, DEEPEST = 100, 8  # sub-issues of one issue, levels; docs.github.com, adding sub-issues
SECOND = "$issues/create:id"


class SubIssueList(IssueRef, PageParams):
    """Sub-issues of an issue."""


class SubIssueNew(IssueRef):
    """An issue to make a sub-issue of another."""

    sub_issue_id: Id = Field(description="The id (not the number) of the issue to put under it.", examples=[1])
    replace_parent: bool = Field(default=False, description="Whether to take it away from its present parent.")


class SubIssueRemoval(IssueRef):
    """A sub-issue to remove from its parent."""

    sub_issue_id: Id = Field(description="The id (not the number) of the sub-issue.", examples=[1])


class SubIssueMove(IssueRef):
    """A position among the sub-issues; one of `after_id` and `before_id`."""

    sub_issue_id: Id = Field(description="The id of the sub-issue to move.", examples=[1])
    after_id: Id | None = Field(default=None, description="The id of the sub-issue it shall follow.")
    before_id: Id | None = Field(default=None, description="The id of the sub-issue it shall precede.")


class BlockedBy(IssueRef):
    """An issue that blocks another."""

    issue_id: Id = Field(description="The id (not the number) of the issue that blocks it.", examples=[1])


def _by_id(context: GithubContext, id: int, resource: str = "Issue") -> tuple[Repository, Issue]:
    """Return an issue the caller can see, by id. Raises validation_failed."""
    issue = context.call.session.get(Issue, id)
    repo = context.repo_by_id(issue.repo_id) if issue is not None else None
    if issue is None or repo is None or issue.is_pull or not context.sees(repo):
        raise invalid(resource, "sub_issue_id", "invalid", value=id)
    return repo, issue


def _show(context: GithubContext, issue: Issue) -> JsonObject:
    repo = context.repo_by_id(issue.repo_id)
    assert repo is not None
    return one_json(context, repo, issue)


def _children(context: GithubContext, parent: int) -> list[SubIssue]:
    return list(
        context.call.session.exec(
            select(SubIssue)
            .where(SubIssue.parent_id == parent)
            .order_by(col(SubIssue.position), col(SubIssue.issue_id))
        )
    )


def _above(context: GithubContext, id: int) -> list[int]:
    """Return the ids of an issue's ancestors, nearest first."""
    out: list[int] = []
    row = context.call.session.get(SubIssue, id)
    while row is not None and row.parent_id not in out:
        out.append(row.parent_id)
        row = context.call.session.get(SubIssue, row.parent_id)
    return out


@app.operation(
    "issues/list-sub-issues",
    units=1,
    source=f"{SOURCE}#list-sub-issues",
    examples=[ISSUE],
    raises=("not_found", "moved"),
)
def list_sub_issues(call: Call, params: SubIssueList) -> list[JsonObject]:
    """List the sub-issues of an issue, in their order."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = _children(context, find_issue(context, repo, params.issue_number).id)
    issues = [
        issue
        for row in rows
        if (issue := call.session.get(Issue, row.issue_id)) is not None and _visible(context, issue)
    ]
    return page_of([_show(context, issue) for issue in issues], params)


def _visible(context: GithubContext, issue: Issue) -> bool:
    repo = context.repo_by_id(issue.repo_id)
    return repo is not None and context.sees(repo)


@app.operation(
    "issues/get-parent",
    units=1,
    source=f"{SOURCE}#get-parent-issue",
    examples=[{**ISSUE, "issue_number": "$issues/create:number"}],
    after=["issues/add-sub-issue"],
    raises=("not_found", "moved"),
)
def get_parent(call: Call, params: IssueRef) -> JsonObject:
    """Read the parent of an issue; refused with 404 when there is none."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = call.session.get(SubIssue, find_issue(context, repo, params.issue_number).id)
    parent = call.session.get(Issue, row.parent_id) if row is not None else None
    if parent is None or not _visible(context, parent):
        raise OperationError("not_found")
    return _show(context, parent)


@app.operation(
    "issues/add-sub-issue",
    writes=True,
    units=1,
    source=f"{SOURCE}#add-sub-issue",
    examples=[{**ISSUE, "sub_issue_id": SECOND}],
    raises=("not_found", "moved", "forbidden", "archived", "validation_failed", "unprocessable"),
)
def add(call: Call, params: SubIssueNew) -> JsonObject:
    """Add a sub-issue to an issue, in the last place. An issue has one parent."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    parent = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    _, child = _by_id(context, params.sub_issue_id)
    _check(context, parent, child, params.replace_parent)
    rows = _children(context, parent.id)
    old = call.session.get(SubIssue, child.id)
    if old is not None:
        call.session.delete(old)
        call.flush()
    context.add(
        SubIssue(issue_id=child.id, parent_id=parent.id, position=max((row.position for row in rows), default=0) + 1)
    )
    parent.updated_at = call.now
    return one_json(context, repo, parent)


def _check(context: GithubContext, parent: Issue, child: Issue, replace: bool) -> None:
    old = context.call.session.get(SubIssue, child.id)
    above = _above(context, parent.id)
    if child.id == parent.id or child.id in above:
        raise unprocessable("Sub-issue cannot be its own parent or ancestor")
    if old is not None and old.parent_id == parent.id:
        raise unprocessable("Issue may not contain duplicate sub-issues")
    if old is not None and not replace:
        raise unprocessable("Sub issue may only have one parent")
    if len(_children(context, parent.id)) >= MOST:
        raise unprocessable(f"Parent cannot have more than {MOST} sub-issues")
    if len(above) + 1 >= DEEPEST:
        raise unprocessable(f"Sub-issues may not be nested more than {DEEPEST} levels deep")


@app.operation(
    "issues/remove-sub-issue",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-sub-issue",
    examples=[{**ISSUE, "sub_issue_id": SECOND}],
    after=["issues/add-sub-issue"],
    raises=("not_found", "moved", "forbidden", "archived"),
)
def remove(call: Call, params: SubIssueRemoval) -> JsonObject:
    """Remove a sub-issue from its parent."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    parent = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    row = call.session.get(SubIssue, params.sub_issue_id)
    if row is None or row.parent_id != parent.id:
        raise OperationError("not_found")
    call.session.delete(row)
    parent.updated_at = call.now
    return one_json(context, repo, parent)


@app.operation(
    "issues/reprioritize-sub-issue",
    writes=True,
    units=1,
    source=f"{SOURCE}#reprioritize-sub-issue",
    examples=[{**ISSUE, "sub_issue_id": SECOND, "after_id": 1}],
    after=["issues/add-sub-issue"],
    raises=("not_found", "moved", "forbidden", "archived", "unprocessable"),
)
def move(call: Call, params: SubIssueMove) -> JsonObject:
    """Move a sub-issue before or after another of the same parent."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    parent = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    order = [row.issue_id for row in _children(context, parent.id)]
    near = params.after_id if params.after_id is not None else params.before_id
    if (
        params.sub_issue_id not in order
        or near not in order
        or (params.after_id is not None and params.before_id is not None)
    ):
        raise unprocessable(
            "The provided sub-issue or its neighbour is not a sub-issue of this issue, or both after_id and before_id"
            " were given."
        )
    order.remove(params.sub_issue_id)
    order.insert(
        order.index(near) + (1 if params.after_id is not None else 0) if near in order else 0, params.sub_issue_id
    )
    for position, row in enumerate(sorted(_children(context, parent.id), key=lambda one: order.index(one.issue_id)), 1):
        row.position = position
    return one_json(context, repo, parent)


@app.operation(
    "issues/list-dependencies-blocked-by", units=1, source=BLOCKS, examples=[ISSUE], raises=("not_found", "moved")
)
def list_blocking_issues(call: Call, params: SubIssueList) -> list[JsonObject]:
    """List the issues that block an issue."""
    return _dependencies(call, params, "SELECT blocked_by_id FROM github_blocking WHERE issue_id = :id ORDER BY 1")


@app.operation(
    "issues/list-dependencies-blocking", units=1, source=BLOCKS, examples=[ISSUE], raises=("not_found", "moved")
)
def list_blocked_issues(call: Call, params: SubIssueList) -> list[JsonObject]:
    """List the issues that an issue blocks."""
    return _dependencies(call, params, "SELECT issue_id FROM github_blocking WHERE blocked_by_id = :id ORDER BY 1")


def _dependencies(call: Call, params: SubIssueList, sql: str) -> list[JsonObject]:
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    ids = [row[0] for row in call.all(sql, {"id": find_issue(context, repo, params.issue_number).id})]
    issues = [issue for id in ids if (issue := call.session.get(Issue, id)) is not None and _visible(context, issue)]
    return page_of([_show(context, issue) for issue in issues], params)


@app.operation(
    "issues/add-blocked-by-dependency",
    writes=True,
    units=1,
    source=BLOCKS,
    examples=[{**ISSUE, "issue_id": SECOND}],
    raises=("not_found", "moved", "forbidden", "archived", "validation_failed", "unprocessable"),
)
def add_blocked_by(call: Call, params: BlockedBy) -> JsonObject:
    """Mark an issue as blocked by another."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    _, other = _by_id(context, params.issue_id)
    if other.id == issue.id:
        raise unprocessable("An issue cannot block itself")
    if call.session.get(Blocking, (issue.id, other.id)) is not None:
        raise unprocessable("Issue is already blocked by this issue")
    context.add(Blocking(issue_id=issue.id, blocked_by_id=other.id))
    issue.updated_at = call.now
    return one_json(context, repo, issue)


@app.operation(
    "issues/remove-dependency-blocked-by",
    writes=True,
    units=1,
    source=BLOCKS,
    examples=[{**ISSUE, "issue_id": SECOND}],
    after=["issues/add-blocked-by-dependency"],
    raises=("not_found", "moved", "forbidden", "archived"),
)
def remove_blocked_by(call: Call, params: BlockedBy) -> JsonObject:
    """Remove the mark that an issue is blocked by another."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    context.need(repo, "triage")
    row = call.session.get(Blocking, (issue.id, params.issue_id))
    if row is None:
        raise OperationError("not_found")
    call.session.delete(row)
    issue.updated_at = call.now
    return one_json(context, repo, issue)
