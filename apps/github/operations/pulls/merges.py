"""Merging pull requests: as a merge commit, squashed, or rebased; and updating a pull request's branch."""

from typing import Literal

from pydantic import Field

from apps.github.app import app
from apps.github.domain.closing_keywords import close_linked
from apps.github.domain.context import GithubContext
from apps.github.domain.merge_messages import Message, merge_message, squash_message
from apps.github.domain.mergeability import DISALLOWED, against, find_merged_tree
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import Body, Line
from apps.github.domain.pull_git import HEADS, Changes, carry, keep_ref, merge_ref
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, mark_merged, publish
from apps.github.domain.ref_updates import Update, move_ref, record_push
from apps.github.domain.revisions import by_web
from apps.github.git.history import between
from apps.github.git.merge import RebaseStopped, merge_commits, rebase
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.operations.pulls.pull_branches import delete_head
from apps.github.refusals import conflict, not_mergeable, unprocessable
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/pulls/pulls"
Method = Literal["merge", "squash", "rebase"]
NOT_MERGEABLE = "Pull Request is not mergeable"


class Merge(PullRef):
    """Request fields for a merge."""

    commit_title: Line | None = Field(default=None, description="The first line of the commit's message.")
    commit_message: Body | None = Field(default=None, description="The rest of the message.")
    sha: Line | None = Field(default=None, description="What the head must be for the merge to happen.")
    merge_method: Method | None = Field(default=None, description="merge (the usual), squash or rebase.")


class UpdateBranch(PullRef):
    """A pull request whose branch to update."""

    expected_head_sha: Line | None = Field(default=None, description="What the head must be.")


@app.operation(
    "pulls/merge",
    writes=True,
    units=1,
    source=f"{SOURCE}#merge-a-pull-request",
    examples=[EXAMPLE],
    raises=("not_found", "forbidden", "archived", "not_mergeable", "conflict"),
)
def merge(call: Call, params: Merge) -> JsonObject:
    """Merge a pull request into its base: merge commit, squash or rebase. Closes the issues it says it closes."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    context.need(repo, "push")
    if params.sha is not None and params.sha != pull.head_sha:
        raise conflict("Head branch was modified. Review and try the merge again.")
    sha = merge_pull(
        context, repo, issue, pull, params.merge_method or "merge", params.commit_title, params.commit_message
    )
    return {"sha": sha, "merged": True, "message": "Pull Request successfully merged"}


def merge_pull(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    pull: Pull,
    method: Method,
    title: str | None = None,
    body: str | None = None,
) -> str:
    """Merge a pull request if nothing prevents it; return the base's new head. Raises not_mergeable."""
    changes = Changes(context, repo, issue, pull)
    _check(context, repo, issue, pull, changes, method)
    sha = _commit(context, repo, issue, changes, method, title, body)
    base, commits = changes.base_tip, changes.commits
    changes.git.set_ref(HEADS + pull.base_ref, sha, base)
    mark_merged(context, repo, issue, pull, sha, base_before=base, method=method)
    keep_ref(changes.git, merge_ref(issue.number), None)
    record_push(context, repo, [Update(HEADS + pull.base_ref, base, sha)])
    if pull.base_ref == repo.default_branch:
        close_linked(context, repo, issue.body, pull=issue)
    publish(
        context,
        "pull_merged",
        repo,
        issue,
        pull,
        sha=sha,
        method=method,
        into_default=pull.base_ref == repo.default_branch,
    )
    notify_concerned(
        context, repo, issue, f"merged {len(commits)} commit{'s' * (len(commits) != 1)} into {pull.base_ref}."
    )
    if repo.delete_branch_on_merge:
        delete_head(context, repo, issue, pull)
    return sha


def _check(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes, method: Method
) -> None:
    """Raise not_mergeable with the vendor's sentence for the first reason against merging."""
    if issue.state == "closed" or changes.git.branch(pull.base_ref) is None:
        raise not_mergeable(NOT_MERGEABLE)
    if pull.draft:
        raise not_mergeable("Pull Request is still a draft")
    if not allows(repo, method):
        raise not_mergeable(DISALLOWED[method])
    if why := against(context, repo, issue, pull, changes, method):
        raise not_mergeable(" ".join(why))


def allows(repo: Repository, method: Method) -> bool:
    """Whether a repository's settings allow a merge method."""
    return {"merge": repo.allow_merge_commit, "squash": repo.allow_squash_merge, "rebase": repo.allow_rebase_merge}[
        method
    ]


def _commit(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    changes: Changes,
    method: Method,
    title: str | None,
    body: str | None,
) -> str:
    """Create the commits of a merge; return the last. Raises not_mergeable."""
    git, pull, base = changes.git, changes.pull, changes.base_tip
    if method == "rebase":
        done = rebase(git, base, [row.sha1 for row in changes.commits], context.signature())
        if isinstance(done, RebaseStopped):
            raise not_mergeable("This branch can't be rebased")
        return done
    tree = find_merged_tree(changes, issue.number)
    if tree is None:
        raise not_mergeable(NOT_MERGEABLE)
    if method == "merge":
        message = _choose_message(merge_message(context, repo, issue, pull), title, body)
        return git.put_commit(tree, [base, pull.head_sha], message.text, context.signature(), by_web(context))
    message = _choose_message(squash_message(context, repo, issue, changes.commits), title, body)
    return git.put_commit(
        tree, [base], message.text, context.signature(context.account(issue.author_id)), by_web(context)
    )


def _choose_message(message: Message, title: str | None, body: str | None) -> Message:
    return Message(title or message.title, message.body if body is None else body)


@app.operation(
    "pulls/update-branch",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-pull-request-branch",
    examples=[EXAMPLE],
    after=["repos/create-or-update-file-contents"],
    raises=("not_found", "forbidden", "archived", "unprocessable", "protected_branch"),
)
def update_branch(call: Call, params: UpdateBranch) -> JsonObject:
    """Merge the base branch into a pull request's branch, so that it is no longer behind."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    if params.expected_head_sha is not None and params.expected_head_sha != pull.head_sha:
        raise unprocessable("expected head sha didn’t match current head ref.")
    bring_up_to_date(context, repo, issue, pull)
    return {"message": "Updating pull request branch.", "url": f"{context.repo_api(repo)}/pulls/{issue.number}"}


def bring_up_to_date(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> str:
    """Merge the base into the head branch; return its new head. Raises forbidden, unprocessable."""
    head_repo = head_to_change(context, repo, issue, pull)
    changes = Changes(context, repo, issue, pull)
    if not between(changes.git, pull.head_sha, changes.base_tip):
        raise unprocessable("There are no new commits on the base branch.")
    tree = merge_commits(changes.git, pull.head_sha, changes.base_tip).tree
    if tree is None:
        raise unprocessable("merge conflict between base and head")
    message = f"Merge branch '{pull.base_ref}' into {pull.head_ref}"
    sha = changes.git.put_commit(tree, [pull.head_sha, changes.base_tip], message, context.signature(), by_web(context))
    return move_head(context, repo, head_repo, pull, sha)


def head_to_change(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> Repository:
    """Return the repository of a pull request's branch, if the caller may push there.

    Raises unprocessable, forbidden, archived.
    """
    head_repo = context.repo_by_id(pull.head_repo_id) if pull.head_repo_id is not None else None
    if issue.state == "closed" or head_repo is None:
        raise unprocessable("Cannot update PR branch due to the pull request being closed.")
    if not context.may(head_repo, "push") and not (pull.maintainer_can_modify and context.may(repo, "push")):
        raise OperationError("forbidden")
    if head_repo.archived:
        raise OperationError("archived")
    return head_repo


def move_head(context: GithubContext, repo: Repository, head_repo: Repository, pull: Pull, sha: str) -> str:
    """Move a pull request's branch to a commit made in the base repository."""
    if head_repo.id != repo.id:
        carry(context.git(repo), context.git(head_repo), sha)
    move_ref(context, head_repo, HEADS + pull.head_ref, pull.head_sha, sha)
    return sha
