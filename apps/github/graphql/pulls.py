"""Resolvers of pull requests: branches, commits, files and mergeability."""

from collections.abc import Callable, Sequence

from sqlmodel import col, select

from apps.github.domain import mergeability
from apps.github.domain.context import git_node, stamp
from apps.github.domain.cross_references import list_referenced_issues
from apps.github.domain.merge_messages import Message, merge_message, squash_message
from apps.github.domain.pull_git import merge_ref
from apps.github.domain.review_approvals import decision
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.conversations import issue_path
from apps.github.graphql.git_types import HEADS, CommitAt, RefAt, commits_of
from apps.github.graphql.issue_lists import issue_page
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import Fact, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models import Account, Repository
from apps.github.models_issues import Event, Issue
from apps.github.models_pulls import Pull
from apps.github.operations.pulls.pull_states import ENABLED
from apps.github.operations.pulls.review_threads import list_viewed_files

MERGEABLE = {True: "MERGEABLE", False: "CONFLICTING", None: "UNKNOWN"}
METHODS = {"merge": "MERGE", "squash": "SQUASH", "rebase": "REBASE"}
CHANGES = {
    "added": "ADDED",
    "removed": "DELETED",
    "modified": "MODIFIED",
    "renamed": "RENAMED",
    "changed": "CHANGED",
    "copied": "COPIED",
}


def state_of(near: Loader, row: Issue) -> str:
    """Return OPEN, CLOSED or MERGED."""
    return "MERGED" if near.pull(row).merged_at is not None else row.state.upper()


def _pull(name: str) -> Callable[[Loader, Issue], object]:
    return lambda near, row: getattr(near.pull(row), name)


each(
    "PullRequest",
    state=state_of,
    merged=lambda near, row: near.pull(row).merged_at is not None,
    mergedAt=lambda near, row: stamp(near.pull(row).merged_at),
    mergedBy=lambda near, row: near.account(near.pull(row).merged_by_id),
    isDraft=_pull("draft"),
    headRefName=_pull("head_ref"),
    headRefOid=_pull("head_sha"),
    baseRefName=_pull("base_ref"),
    baseRefOid=lambda near, row: near.changes(row).base_tip,
    baseRepository=lambda near, row: near.home(row),
    baseRef=lambda near, row: _ref(near, near.home(row), near.pull(row).base_ref),
    headRef=lambda near, row: _head_ref(near, row),
    headRepository=lambda near, row: near.repo(near.pull(row).head_repo_id),
    headRepositoryOwner=lambda near, row: _head_owner(near, row),
    isCrossRepository=lambda near, row: near.pull(row).head_repo_id != row.repo_id,
    maintainerCanModify=_pull("maintainer_can_modify"),
    additions=lambda near, row: near.changes(row).size()["additions"],
    deletions=lambda near, row: near.changes(row).size()["deletions"],
    changedFiles=lambda near, row: len(near.changes(row).changes),
    reviewDecision=lambda near, row: _decision(near, row),
    mergeable=lambda near, row: MERGEABLE[_merge_state(near, row)[0]] if row.state == "open" else "UNKNOWN",
    mergeStateStatus=lambda near, row: _merge_state(near, row)[1].upper() if row.state == "open" else "UNKNOWN",
    canBeRebased=lambda near, row: (
        bool(_merge_state(near, row)[0]) and not any(" " in one.parents for one in near.changes(row).commits)
    ),
    permalink=lambda near, row: near.url(issue_path(near, row)),
    checksResourcePath=lambda near, row: f"{issue_path(near, row)}/checks",
    checksUrl=lambda near, row: near.url(f"{issue_path(near, row)}/checks"),
    revertResourcePath=lambda near, row: f"{issue_path(near, row)}/revert",
    revertUrl=lambda near, row: near.url(f"{issue_path(near, row)}/revert"),
    autoMergeRequest=lambda near, row: _auto(near, row),
    viewerCanUpdateBranch=lambda near, row: row.state == "open" and near.may(row, "push") and near.changes(row).behind,
    viewerCanEnableAutoMerge=lambda near, row: _may_wait(near, row) and near.pull(row).auto_merge is None,
    viewerCanDisableAutoMerge=lambda near, row: _may_wait(near, row) and near.pull(row).auto_merge is not None,
    viewerCanDeleteHeadRef=lambda near, row: (
        row.state == "closed" and near.may(row, "push") and _head_ref(near, row) is not None
    ),
    viewerCanApplySuggestion=lambda near, row: row.state == "open" and near.may(row, "push"),
    viewerCanEditFiles=lambda near, row: near.may(row, "push"),
    viewerCanMergeAsAdmin=lambda near, row: row.state == "open" and near.may(row, "admin"),
    totalCommentsCount=lambda near, row: _total(near, row),
)


def _ref(near: Loader, repo: Repository | None, name: str) -> RefAt | None:
    target = near.git(repo).branch(name) if repo is not None else None
    return None if repo is None or target is None else RefAt(repo.id, HEADS + name, target)


def _head_ref(near: Loader, row: Issue) -> RefAt | None:
    pull = near.pull(row)
    return _ref(near, near.repo(pull.head_repo_id), pull.head_ref)


def _head_owner(near: Loader, row: Issue) -> Account | None:
    repo = near.repo(near.pull(row).head_repo_id)
    return near.context.account(repo.owner_id) if repo is not None else None


def _decision(near: Loader, row: Issue) -> str | None:
    return near.once("decision", row.id, lambda: decision(near.context, near.home(row), row, near.pull(row)))


def _merge_state(near: Loader, row: Issue) -> tuple[bool | None, str]:
    def find() -> tuple[bool | None, str]:
        return mergeability.state_of(near.context, near.home(row), row, near.pull(row), near.changes(row))

    return near.once("standing", row.id, find)


def _may_wait(near: Loader, row: Issue) -> bool:
    return row.state == "open" and near.home(row).allow_auto_merge and near.may(row, "push")


def _total(near: Loader, row: Issue) -> int:
    sql = """SELECT (SELECT count(*) FROM github_comment WHERE issue_id = :id) + (SELECT count(*) FROM
        github_review_comment c
        JOIN github_review r ON r.id = c.review_id WHERE c.issue_id = :id AND r.state <> 'PENDING')"""
    return near.call.scalar(sql, {"id": row.id})


def _auto(near: Loader, row: Issue) -> Fact | None:
    pull = near.pull(row)
    if pull.auto_merge is None:
        return None
    query = (
        select(Event.created_at)
        .where(Event.issue_id == row.id, col(Event.kind).in_(ENABLED.values()))
        .order_by(col(Event.id).desc())
    )
    return Fact(
        "AutoMergeRequest",
        pullRequest=row,
        mergeMethod=METHODS[pull.auto_merge],
        enabledBy=near.account(pull.auto_merge_by_id),
        enabledAt=stamp(near.call.session.exec(query).first()),
        commitHeadline=pull.auto_merge_title,
        commitBody=pull.auto_merge_message,
        authorEmail=None,
    )


@batch("PullRequest", "mergeCommit")
def merge_commits(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the merge commits of pull requests."""
    near.pulls(rows)
    return list(
        commits_of(
            near,
            [(row.repo_id, near.pull(row).merge_sha if near.pull(row).merged_at is not None else None) for row in rows],
        )
    )


@batch("PullRequest", "potentialMergeCommit")
def potential(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the trial merges of open pull requests."""
    shas = [near.git(near.home(row)).ref(merge_ref(row.number)) if row.state == "open" else None for row in rows]
    return list(commits_of(near, [(row.repo_id, sha) for row, sha in zip(rows, shas, strict=True)]))


@field("PullRequest", "viewerMergeHeadlineText")
def headline(near: Loader, row: Issue, args: Args) -> str:
    """Return the first line of the message of a merge by the caller."""
    return _message(near, row, args.get("mergeType")).title


@field("PullRequest", "viewerMergeBodyText")
def body(near: Loader, row: Issue, args: Args) -> str:
    """Return the rest of the message of a merge by the caller."""
    return _message(near, row, args.get("mergeType")).body


def _message(near: Loader, row: Issue, method: str | None) -> Message:
    if method == "SQUASH":
        return squash_message(near.context, near.home(row), row, near.changes(row).commits)
    return merge_message(near.context, near.home(row), row, near.pull(row))


# -- commits and files


def commit_fact(row: Issue, commit: CommitAt) -> Fact:
    """Return a commit as part of a pull request."""
    return Fact(
        "PullRequestCommit",
        id=git_node("PURC", row.repo_id, f"{row.number}:{commit.row.sha1}"),
        pullRequest=row,
        commit=commit,
    )


@field("PullRequest", "commits")
def commits(near: Loader, row: Issue, args: Args) -> Page:
    """Return the commits of a pull request, oldest first; if only the last is selected, it is the head."""
    if args.get("last") == 1 and not args.get("before") and not args.asks & {"totalCount", "pageInfo"}:
        [head] = commits_of(near, [(row.repo_id, near.pull(row).head_sha)])
        return Page([commit_fact(row, head)] if head is not None else [])
    rows = [commit_fact(row, CommitAt(row.repo_id, one)) for one in near.changes(row).commits]
    return page_of_rows(rows, args, lambda one: one["commit"].row.sha1, ordered=False)


def _commit_path(near: Loader, one: Fact) -> str:
    return f"{issue_path(near, one['pullRequest'])}/commits/{one['commit'].row.sha1}"


each("PullRequestCommit", resourcePath=_commit_path, url=lambda near, one: near.url(_commit_path(near, one)))


@field("PullRequest", "files")
def files(near: Loader, row: Issue, args: Args) -> Page:
    """Return the changed files of a pull request."""
    changes = near.changes(row)
    seen = list_viewed_files(near.context, row, changes) if "nodes" in args.asks or "edges" in args.asks else set()
    listed = [
        Fact(
            "PullRequestChangedFile",
            path=one.change.path,
            additions=one.additions,
            deletions=one.deletions,
            changeType=CHANGES[one.change.status],
            viewerViewedState="VIEWED" if one.change.path in seen else "UNVIEWED",
        )
        for one in changes.files
    ]
    return page_of_rows(listed, args, lambda one: one["path"], ordered=False)


# -- issues they close, commits they belong to


@field("PullRequest", "closingIssuesReferences")
def list_closing_issues(near: Loader, row: Issue, args: Args) -> Page:
    """List the issues that a pull request says it closes."""
    found = {
        issue.id: issue
        for _, issue in list_referenced_issues(near.context, near.home(row), row.body, closing=True)
        if not issue.is_pull
    }
    return page_of_rows([found[id] for id in sorted(found)], args, lambda one: one.id)


@field("Commit", "associatedPullRequests")
def list_associated_pulls(near: Loader, one: CommitAt, args: Args) -> Page:
    """List the pull requests that brought a commit, or would bring it."""
    rows = near.call.session.exec(
        select(Issue, Pull).join(Pull, col(Pull.issue_id) == col(Issue.id)).where(Issue.repo_id == one.repo_id)
    ).all()
    sha = one.row.sha1
    found = [issue for issue, pull in rows if sha in (pull.head_sha, pull.merge_sha) or _brings(near, issue, pull, sha)]
    down = (args.get("orderBy") or {}).get("direction") == "DESC"
    return page_of_rows(sorted(found, key=lambda row: row.id, reverse=down), args, lambda row: row.id, descending=down)


def _brings(near: Loader, issue: Issue, pull: Pull, sha: str) -> bool:
    """Whether a pull request contains a commit; only pull requests of about its age are searched."""
    return (issue.state == "open" or pull.merged_at is not None) and any(
        row.sha1 == sha for row in near.changes(issue).commits
    )


@field("Ref", "associatedPullRequests")
def of_ref(near: Loader, row: RefAt, args: Args) -> Page:
    """Return the pull requests whose head is a branch."""
    where, mine = (
        near.in_seen(),
        "id IN (SELECT issue_id FROM github_pull WHERE head_repo_id = :of_repo AND head_ref = :of_branch)",
    )
    where.add(mine, of_repo=row.repo_id, of_branch=row.short)
    return issue_page(near, where, args, True)
