"""Effects of a push on pull requests: heads and bases move, some merge or close; commits close issues."""

from collections.abc import Sequence

from apps.github.boilerplate.license_file import find_license
from apps.github.domain.branch_requirements import list_requirements
from apps.github.domain.closing_keywords import close_by_commits
from apps.github.domain.context import GithubContext
from apps.github.domain.diff_position import LEFT, file_hunks, line_after, spots
from apps.github.domain.mergeability import forget, soon
from apps.github.domain.notify import notify_concerned
from apps.github.domain.pull_git import Changes, carry, head_ref, keep_ref
from apps.github.domain.pull_rows import change_base, close, mark_merged, open_pulls, publish
from apps.github.domain.ref_updates import AFTER_PUSH, Update
from apps.github.domain.review_approvals import latest, threads_of
from apps.github.domain.review_rows import dismiss
from apps.github.domain.timeline_events import record
from apps.github.git import Repo
from apps.github.git.diff import file_diff
from apps.github.git.history import between, is_ancestor, merge_base
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, Review, ReviewThread

MOST_CLOSING = 200  # commits of one push that are read for what they close


def follow(context: GithubContext, repo: Repository, updates: Sequence[Update]) -> None:
    """Update pull requests and issues after changes of branches."""
    for update in updates:
        if update.branch is None:
            continue
        for issue, pull in open_pulls(context, Pull.repo_id == repo.id, Pull.base_ref == update.branch):
            _base_moved(context, repo, issue, pull, update)
        if update.new is not None and update.old is not None and update.branch:
            soon_for(context, repo, update.branch)
        for issue, pull in open_pulls(context, Pull.head_repo_id == repo.id, Pull.head_ref == update.branch):
            _head_moved(context, repo, issue, pull, update)
        if update.branch == repo.default_branch and update.new is not None and update.old is not None:
            close_by_commits(context, repo, between(context.git(repo), update.old, update.new)[-MOST_CLOSING:])
        if update.branch == repo.default_branch:
            repo.license = find_license(context.git(repo), repo.default_branch)
    context.call.flush()


AFTER_PUSH.append(follow)


def soon_for(context: GithubContext, repo: Repository, base: str) -> None:
    """Schedule new trial merges of the pull requests into a branch."""
    if open_pulls(context, Pull.repo_id == repo.id, Pull.base_ref == base):
        soon(context, repo, base=base)


def _base_moved(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, update: Update) -> None:
    git = context.git(repo)
    if update.new is None:
        _base_deleted(context, repo, issue, pull, update)
    elif update.old is not None and is_ancestor(git, pull.head_sha, update.new):
        sha = _arrival(git, update.new, pull.head_sha)
        mark_merged(context, repo, issue, pull, sha, base_before=update.old, method="merge")
        publish(
            context,
            "pull_merged",
            repo,
            issue,
            pull,
            sha=sha,
            method="merge",
            into_default=pull.base_ref == repo.default_branch,
        )
        notify_concerned(context, repo, issue, f"merged this into {pull.base_ref}.")


def _arrival(git: Repo, tip: str, head: str) -> str:
    """Return the commit that brought another one into a branch: the last whose first parent lacks it."""
    while tip != head and (parents := git.graph.node(tip).parents) and is_ancestor(git, head, parents[0]):
        tip = parents[0]
    return tip


def _base_deleted(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, update: Update) -> None:
    """Retarget pull requests whose base was the branch of a merged one to that one's base; close others."""
    sql = """SELECT base_ref FROM github_pull WHERE head_repo_id = :repo AND head_ref = :branch AND merged_at IS NOT
        NULL
        ORDER BY merged_at DESC, issue_id DESC LIMIT 1"""
    base = context.call.scalar(sql, {"repo": repo.id, "branch": update.branch})
    tip = context.git(repo).branch(base) if base is not None else None
    if base is None or tip is None:
        pull.base_sha = update.old or pull.base_sha
        record(context, repo, issue, "base_ref_deleted")
        close(context, repo, issue, pull)
    else:
        change_base(context, repo, issue, pull, base, tip, kind="automatic_base_change_succeeded")


def _head_moved(context: GithubContext, head_repo: Repository, issue: Issue, pull: Pull, update: Update) -> None:
    repo = context.repo_by_id(pull.repo_id)
    if repo is None or update.new == pull.head_sha:
        return
    if update.new is None:
        record(context, repo, issue, "head_ref_deleted", ref=pull.head_ref)
        close(context, repo, issue, pull)
        return
    if head_repo.id != repo.id:
        carry(context.git(head_repo), context.git(repo), update.new)
    before = Changes(context, repo, issue, pull)
    old_view = _content(before) if _may_go_stale(context, repo, issue, pull) else None
    _set_head(context, repo, issue, pull, update)
    after = Changes(context, repo, issue, pull)
    if old_view is not None and old_view != _content(after):
        _dismiss_stale(context, repo, issue, update.new)
    move_threads(context, issue, after)
    if pull.auto_merge is not None and not context.may(repo, "push"):
        pull.auto_merge = None
        record(
            context,
            repo,
            issue,
            "auto_merge_disabled",
            reason="Head branch was pushed to by a user without write access",
        )
    publish(context, "pull_synchronized", repo, issue, pull, before=update.old, after=update.new)
    if is_ancestor(after.git, update.new, after.base_tip):
        close(context, repo, issue, pull)


def _set_head(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, update: Update) -> None:
    assert update.new is not None
    if update.forced:
        record(context, repo, issue, "head_ref_force_pushed", commit=update.new, before=update.old, after=update.new)
    pull.head_sha, issue.updated_at = update.new, context.call.now
    pull.base_sha = context.git(repo).branch(pull.base_ref) or pull.base_sha
    forget(pull)
    keep_ref(context.git(repo), head_ref(issue.number), update.new)
    soon(context, repo, number=issue.number)


def _may_go_stale(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> bool:
    asked = list_requirements(context, repo, pull.base_ref)
    return any(one.rule.dismiss_stale for one in asked) and any(
        row.state == "APPROVED" for row in latest(context, issue).values()
    )


def _content(changes: Changes) -> list[tuple[str, str | None, str | None]]:
    """Return a pull request's changes independent of its base: the patch of each file, or its SHA without one."""
    return [(one.path, file_diff(changes.git, one).patch, one.new.sha if one.new else None) for one in changes.changes]


def _dismiss_stale(context: GithubContext, repo: Repository, issue: Issue, head: str) -> None:
    """Dismiss approvals of content that has changed since."""
    rows: list[Review] = [row for row in latest(context, issue).values() if row.state == "APPROVED"]
    for row in rows:
        dismiss(context, repo, issue, row, None, commit=head)


def move_threads(context: GithubContext, issue: Issue, changes: Changes) -> None:
    """Move conversations with their lines to the new head; those on changed lines become outdated."""
    for thread in threads_of(context, issue):
        if thread.subject == "line":
            _move(thread, changes)
        elif changes.change(thread.path) is None:
            thread.outdated = True


def _move(thread: ReviewThread, changes: Changes) -> None:
    change = changes.change(thread.path)
    entry = (change.old if thread.side == LEFT else change.new) if change is not None else None
    old_blob = _original(thread, changes)
    line = start = position = None
    if (
        change is not None
        and entry is not None
        and entry.kind == "blob"
        and old_blob is not None
        and thread.original_line is not None
    ):
        line = line_after(changes.git, old_blob, entry.sha, thread.original_line)
        if thread.original_start_line is not None:
            start = line_after(changes.git, old_blob, entry.sha, thread.original_start_line)
        found = (
            one.position
            for one in spots(file_hunks(changes.git, change))
            if line is not None and one.number(thread.side) == line
        )
        position = next(found, None)
    if line is None or position is None or (thread.original_start_line is not None and start is None):
        thread.line = thread.start_line = thread.position = None
        thread.outdated = True
        return
    thread.line, thread.start_line, thread.position, thread.outdated = line, start, position, False
    thread.commit_sha = changes.pull.head_sha


def _original(thread: ReviewThread, changes: Changes) -> str | None:
    """Return the content of the file on which a conversation began."""
    git = changes.git
    commit: str | None = thread.original_sha
    if thread.side == LEFT:
        commit = merge_base(git, changes.base_tip, thread.original_sha)
    entry = git.at(git.tree_of(commit), thread.path) if commit is not None and git.kind(commit) == "commit" else None
    return entry.sha if entry is not None and entry.kind == "blob" else None
