"""Data of a pull request's pages beyond the API: merge box, conversations on code, viewed files, linked issues."""

from typing import Annotated, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain import markup
from apps.github.domain.branch_requirements import allows_method, list_requirements
from apps.github.domain.check_states import rollup, states
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.merge_messages import merge_message, squash_message
from apps.github.domain.mergeability import against, state_of, unmet
from apps.github.domain.params import RepoRef
from apps.github.domain.protection import writers
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull
from apps.github.domain.review_approvals import count_unresolved_threads, decision, latest, threads_of
from apps.github.domain.review_rows import find_pending_review, select_visible_comments
from apps.github.git.merge import conflicts_between
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, Review, ReviewComment, ReviewThread
from apps.github.operations.pulls.merges import allows
from apps.github.operations.pulls.pull_branches import head_repo_of
from apps.github.operations.pulls.review_threads import list_viewed_files
from apps.github.views.accounts import UserJson, user_json
from apps.github.views.checks import details
from apps.github.views.reviews import ReviewContext
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Int64

ONE = {"owner": "quayline", "repo": "payments"}
SOURCE = "docs.github.com/pull-requests/collaborating-with-pull-requests"
METHODS = ("merge", "squash", "rebase")
_STATUSES = (
    "SELECT context, state, description, target_url FROM github_status WHERE repo_id = :repo AND sha = :sha ORDER BY id"
)
_RUNS = """SELECT name, status, conclusion, title, details_url, started_at, completed_at, app FROM github_check_run
    WHERE repo_id = :repo AND head_sha = :sha ORDER BY id"""


class CheckLine(TypedDict):
    """A check or status as the merge box lists it; `seconds` it took, if it has ended."""

    name: str
    state: str
    description: str
    url: str | None
    required: bool
    app: str | None
    seconds: int | None


class Opinion(TypedDict):
    """A person's opinion of a pull request. `counts`: whether they may write."""

    user: UserJson
    state: str
    review_id: int
    counts: bool


class MergeBox(TypedDict):
    """Contents of the merge box. `unmet`: requirements of the branch's rule; `against`: reasons against the caller."""

    state: str
    mergeable: bool | None
    decision: str | None
    needed: int
    opinions: list[Opinion]
    checks: list[CheckLine]
    unmet: list[str]
    against: list[str]
    protected: bool
    exempt: bool
    may_push: bool
    may_change: bool
    methods: list[str]
    messages: dict[str, dict[str, str]]
    conflicts: list[str]
    behind: bool
    strict: bool
    may_update: bool
    auto_allowed: bool
    branch: str
    unresolved: int


@app.operation(
    "web/pulls/box",
    units=1,
    source=f"{SOURCE}/incorporating-changes-from-a-pull-request",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def box(call: Call, params: PullRef) -> MergeBox:
    """Read the merge box of a pull request: reviews, checks, conflicts, requirements, and the allowed merge methods."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    changes = Changes(context, repo, issue, pull)
    asked = list_requirements(context, repo, pull.base_ref)
    required = list(dict.fromkeys(name for one in asked for name in one.rule.contexts or ()))
    mergeable, state = state_of(context, repo, issue, pull, changes)
    unmet_here = unmet(context, repo, issue, pull, changes) if changes.open else []
    return {
        "state": state,
        "mergeable": mergeable,
        "decision": decision(context, repo, issue, pull),
        "needed": max((one.rule.reviews or 0 for one in asked), default=0),
        "opinions": _opinions(context, repo, issue),
        "checks": _checks(context, repo, pull.head_sha, required if changes.open else []),
        "unmet": unmet_here,
        "against": against(context, repo, issue, pull, changes, "squash") if changes.open else [],
        "protected": bool(asked),
        "exempt": bool(asked) and all(one.exempt for one in asked),
        "may_push": context.may(repo, "push"),
        "may_change": context.may(repo, "push") or issue.author_id == context.me.id,
        "methods": [one for one in METHODS if allows(repo, one) and all(allows_method(rules, one) for rules in asked)],
        "messages": _messages(context, repo, issue, pull, changes),
        "conflicts": _conflicts(changes) if mergeable is False else [],
        "behind": changes.open and changes.behind,
        "strict": any(one.rule.strict for one in asked),
        "auto_allowed": repo.allow_auto_merge,
        "may_update": _may_update(context, repo, pull),
        "branch": _branch(context, repo, issue, pull),
        "unresolved": count_unresolved_threads(context, issue),
    }


def _opinions(context: GithubContext, repo: Repository, issue: Issue) -> list[Opinion]:
    """Return the latest opinion of each reviewer, and the people who only commented."""
    query = (
        select(Review)
        .where(Review.issue_id == issue.id, Review.state != "PENDING")
        .order_by(col(Review.submitted_at), col(Review.id))
    )
    rows = {row.author_id: row for row in context.call.session.exec(query)} | latest(context, issue)
    rows.pop(issue.author_id, None)
    counting = writers(context, repo, rows)
    context.preload(rows)
    return [
        {
            "user": user_json(context, context.account(id)),
            "state": row.state,
            "review_id": row.id,
            "counts": id in counting,
        }
        for id, row in rows.items()
    ]


def _checks(context: GithubContext, repo: Repository, sha: str, required: list[str]) -> list[CheckLine]:
    values = {"repo": repo.id, "sha": sha}
    found: dict[str, CheckLine] = {}
    for name, state, description, url in context.call.all(_STATUSES, values):
        found[name] = _check_line(name, state, description or "", url, required)
    for name, status, conclusion, title, url, started, ended, app_name in context.call.all(_RUNS, values):
        state = conclusion if status == "completed" and conclusion else status
        took = (ended - started) // 1_000_000 if started is not None and ended is not None else None
        found[name] = {
            **_check_line(name, state, title or "", details(context, url), required),
            "app": app_name,
            "seconds": took,
        }
    for name in required:
        found.setdefault(name, _check_line(name, "expected", "Waiting for status to be reported", None, required))
    order = {
        "failure": 0,
        "error": 0,
        "timed_out": 0,
        "action_required": 0,
        "cancelled": 0,
        "success": 2,
        "neutral": 3,
        "skipped": 3,
    }
    return sorted(found.values(), key=lambda one: (order.get(one["state"], 1), one["name"]))


def _check_line(name: str, state: str, description: str, url: str | None, required: list[str]) -> CheckLine:
    return {
        "name": name,
        "state": state,
        "description": description,
        "url": url,
        "required": name in required,
        "app": None,
        "seconds": None,
    }


def _messages(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes
) -> dict[str, dict[str, str]]:
    if not changes.open:
        return {}
    said = {
        "merge": merge_message(context, repo, issue, pull),
        "squash": squash_message(context, repo, issue, changes.commits),
    }
    return {method: {"title": one.title, "body": one.body} for method, one in said.items()}


def _conflicts(changes: Changes) -> list[str]:
    return sorted({one.path for one in conflicts_between(changes.git, changes.base_tip, changes.pull.head_sha)})


def _may_update(context: GithubContext, repo: Repository, pull: Pull) -> bool:
    """Whether the caller may push to the head branch."""
    head = head_repo_of(context, pull)
    return head is not None and (
        context.may(head, "push") or (pull.maintainer_can_modify and context.may(repo, "push"))
    )


def _branch(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> str:
    """Return the possible action on the head branch of a closed pull request: delete, restore, or nothing."""
    head = head_repo_of(context, pull)
    if issue.state == "open" or head is None or not context.may(head, "push") or head.default_branch == pull.head_ref:
        return ""
    return "delete" if context.git(head).branch(pull.head_ref) is not None else "restore"


class ThreadJson(TypedDict):
    """A conversation on a pull request's code, for its page."""

    id: int
    path: str
    side: str | None
    line: int | None
    start_line: int | None
    start_side: str | None
    original_line: int | None
    original_start_line: int | None
    subject: str
    outdated: bool
    resolved_by: str | None
    diff_hunk: str
    review_id: object
    comments: list[JsonObject]
    created_at: str | None


@app.operation(
    "web/pulls/threads",
    units=1,
    source=f"{SOURCE}/reviewing-changes-in-pull-requests",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def threads(call: Call, params: PullRef) -> list[ThreadJson]:
    """List the conversations on a pull request's code with their comments, including your pending ones."""
    context = GithubContext(call)
    repo, issue, _ = get_pull(context, params)
    rows = call.session.exec(
        select_visible_comments(context, ReviewComment.issue_id == issue.id).order_by(col(ReviewComment.id))
    ).all()
    shown = ReviewContext(context, repo, rows).all()
    mine = find_pending_review(context, issue)
    by_thread: dict[int, list[JsonObject]] = {}
    for row, one in zip(rows, shown, strict=True):
        by_thread.setdefault(row.thread_id, []).append(
            {**one, "pending": mine is not None and row.review_id == mine.id}
        )
    return [_thread(context, row, by_thread[row.id]) for row in threads_of(context, issue) if row.id in by_thread]


def _thread(context: GithubContext, row: ReviewThread, comments: list[JsonObject]) -> ThreadJson:
    resolver = context.account(row.resolved_by_id).login if row.resolved_by_id is not None else None
    return {
        "id": row.id,
        "path": row.path,
        "side": row.side,
        "line": row.line,
        "start_line": row.start_line,
        "start_side": row.start_side,
        "original_line": row.original_line,
        "original_start_line": row.original_start_line,
        "subject": row.subject,
        "outdated": row.outdated,
        "resolved_by": resolver,
        "diff_hunk": row.diff_hunk,
        "review_id": comments[0]["pull_request_review_id"],
        "comments": comments,
        "created_at": stamp(row.created_at),
    }


class ReviewProgress(TypedDict):
    """Files the caller marked as viewed, and their pending review."""

    viewed: list[str]
    pending: int | None


@app.operation(
    "web/pulls/looked",
    units=1,
    source=f"{SOURCE}/reviewing-changes-in-pull-requests",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def get_review_progress(call: Call, params: PullRef) -> ReviewProgress:
    """Read the files of a pull request you marked as viewed, and the id of your pending review."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    mine = find_pending_review(context, issue)
    return {
        "viewed": sorted(list_viewed_files(context, issue, Changes(context, repo, issue, pull))),
        "pending": None if mine is None else mine.id,
    }


class Numbers(RepoRef):
    """Pull requests of a repository."""

    numbers: Annotated[list[Int64], Field(max_length=100)] = Field(description="Numbers.", examples=[[1]])


class ListState(TypedDict):
    """Checks and review decision of a pull request, for one row of a list."""

    number: int
    checks: str | None
    passed: int
    total: int
    decision: str | None


@app.operation(
    "web/pulls/states",
    units=1,
    source=f"{SOURCE}/reviewing-changes-in-pull-requests",
    examples=[{**ONE, "numbers": [1]}],
    raises=("not_found",),
)
def list_states(call: Call, params: Numbers) -> list[ListState]:
    """Read the states of checks and reviews of several pull requests."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    query = select(Issue, Pull).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(Issue.repo_id == repo.id)
    found = call.session.exec(query.where(col(Issue.number).in_(params.numbers)).order_by(col(Issue.number))).all()
    return [_list_state(context, repo, issue, pull) for issue, pull in found]


def _list_state(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> ListState:
    found = states(context, repo, pull.head_sha)
    passed = sum(state == "success" for state in found.values())
    return {
        "number": issue.number,
        "checks": rollup(found),
        "passed": passed,
        "total": len(found),
        "decision": decision(context, repo, issue, pull) if issue.state == "open" else None,
    }


class LinkedItem(TypedDict):
    """An issue a pull request closes, or a pull request that closes an issue."""

    full_name: str
    number: int
    title: str
    state: str
    is_pull: bool
    merged: bool
    draft: bool


class NumberRef(RepoRef):
    """An issue or pull request."""

    number: Int64 = Field(description="Its number.", examples=[1])


_CLOSING = """SELECT i.id FROM github_event e JOIN github_issue i ON i.id = json_extract(e.facts, '$.source')
    WHERE e.issue_id = :id AND e.kind = 'cross-referenced' AND i.is_pull ORDER BY i.id"""


@app.operation(
    "web/linked",
    units=1,
    source=f"{SOURCE}#linking-a-pull-request-to-an-issue",
    examples=[{**ONE, "number": 1}],
    raises=("not_found",),
)
def list_linked(call: Call, params: NumberRef) -> list[LinkedItem]:
    """List the issues that merging a pull request closes, or the pull requests that close an issue."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = call.session.exec(select(Issue).where(Issue.repo_id == repo.id, Issue.number == params.number)).first()
    if issue is None:
        return []
    from_body = _list_closed_issues(context, repo, issue) if issue.is_pull else _closers(context, repo, issue)
    return [_link_json(context, one) for one in from_body]


def _list_closed_issues(context: GithubContext, repo: Repository, issue: Issue) -> list[Issue]:
    out: list[Issue] = []
    for full, number in markup.closes(issue.body):
        where = _repo_named(context, full) if full else repo
        one = None
        if where is not None:
            one = context.call.session.exec(
                select(Issue).where(Issue.repo_id == where.id, Issue.number == number)
            ).first()
        if one is not None and not one.is_pull and one not in out:
            out.append(one)
    return out


def _repo_named(context: GithubContext, full: str) -> Repository | None:
    sql = (
        "SELECT r.id FROM github_repository r JOIN github_account a ON a.id = r.owner_id WHERE lower(a.login) || '/' ||"
        " r.name_key = :name"
    )
    id = context.call.scalar(sql, {"name": full.lower()})
    found = context.repo_by_id(id) if id is not None else None
    return found if found is not None and context.sees(found) else None


def _closers(context: GithubContext, repo: Repository, issue: Issue) -> list[Issue]:
    names = {(None, issue.number), (context.full_name(repo), issue.number)}
    out: list[Issue] = []
    for (id,) in context.call.all(_CLOSING, {"id": issue.id}):
        one = context.call.session.get(Issue, id)
        where = context.repo_by_id(one.repo_id) if one is not None else None
        if one is None or where is None or not context.sees(where) or one in out:
            continue
        said = {(full or context.full_name(where), number) for full, number in markup.closes(one.body)}
        if said & {(full or context.full_name(repo), number) for full, number in names}:
            out.append(one)
    return out


def _link_json(context: GithubContext, one: Issue) -> LinkedItem:
    repo = context.repo_by_id(one.repo_id)
    assert repo is not None
    pull = context.call.session.get(Pull, one.id) if one.is_pull else None
    return {
        "full_name": context.full_name(repo),
        "number": one.number,
        "title": one.title,
        "state": one.state,
        "is_pull": one.is_pull,
        "merged": pull is not None and pull.merged_at is not None,
        "draft": pull is not None and pull.draft,
    }
