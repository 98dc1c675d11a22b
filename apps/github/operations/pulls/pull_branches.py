"""Branches of pull requests: deleted, restored and reverted, and the effects on the pull request."""

from collections.abc import Sequence

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Body, Line
from apps.github.domain.pull_git import HEADS
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, open_pulls
from apps.github.domain.ref_rules import judge_ref_update
from apps.github.domain.ref_updates import Update, move_ref, record_push
from apps.github.domain.revisions import by_web
from apps.github.domain.timeline_events import record
from apps.github.git.merge import merge_trees
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.operations.pulls.pull_creation import Ends, open_pull
from apps.github.operations.pulls.pulls import one_json
from apps.github.refusals import unprocessable
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

DELETING = (
    "docs.github.com/pull-requests/committing-changes-to-your-project/deleting-and-restoring-branches-in-a-pull-request"
)
REVERTING = "docs.github.com/pull-requests/collaborating-with-pull-requests/incorporating-changes-from-a-pull-request/reverting-a-pull-request"


class Revert(PullRef):
    """A merged pull request to revert."""

    title: Line | None = Field(default=None, description="The title of the new pull request.")
    body: Body | None = Field(default=None, description="Its text, in Markdown.")
    draft: bool = Field(default=False, description="Whether it is a draft.")


def head_repo_of(context: GithubContext, pull: Pull) -> Repository | None:
    """Return the repository of a pull request's branch."""
    return context.repo_by_id(pull.head_repo_id) if pull.head_repo_id is not None else None


def delete_head(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> bool:
    """Delete a pull request's branch, unless it is protected, a default branch, or another open pull request's."""
    head_repo = head_repo_of(context, pull)
    ref = HEADS + pull.head_ref
    if head_repo is None or head_repo.default_branch == pull.head_ref or not context.may(head_repo, "push"):
        return False
    git = context.git(head_repo)
    old = git.ref(ref)
    others = open_pulls(
        context, Pull.head_repo_id == head_repo.id, Pull.head_ref == pull.head_ref, Pull.issue_id != issue.id
    )
    if old is None or others or judge_ref_update(context, head_repo, ref, old, None).declined is not None:
        return False
    git.set_ref(ref, None, old)
    record(context, repo, issue, "head_ref_deleted", ref=pull.head_ref)
    record_push(context, head_repo, [Update(ref, old, None)])
    return True


@app.operation(
    "web/pulls/delete-head-branch",
    writes=True,
    units=1,
    source=DELETING,
    examples=[EXAMPLE],
    after=["web/pulls/restore-head-branch"],
    raises=("not_found", "forbidden", "archived", "unprocessable"),
)
def delete_head_branch(call: Call, params: PullRef) -> None:
    """Delete the branch of a pull request that is merged or closed."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    head_repo = head_repo_of(context, pull)
    if head_repo is None or context.git(head_repo).branch(pull.head_ref) is None:
        raise OperationError("not_found")
    context.need(head_repo, "push")
    if issue.state == "open":
        raise unprocessable("Cannot delete the branch of an open pull request.")
    if not delete_head(context, repo, issue, pull):
        raise unprocessable("This branch cannot be deleted.")


@app.operation(
    "web/pulls/restore-head-branch",
    writes=True,
    units=1,
    source=DELETING,
    examples=[EXAMPLE],
    after=["pulls/merge"],
    raises=("not_found", "forbidden", "archived", "unprocessable", "protected_branch"),
)
def restore_head_branch(call: Call, params: PullRef) -> None:
    """Restore the deleted branch of a pull request."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    head_repo = head_repo_of(context, pull)
    if head_repo is None:
        raise OperationError("not_found")
    context.need(head_repo, "push")
    if context.git(head_repo).branch(pull.head_ref) is not None:
        raise unprocessable("Reference already exists")
    move_ref(context, head_repo, HEADS + pull.head_ref, None, pull.head_sha)
    record(context, repo, issue, "head_ref_restored", ref=pull.head_ref)


@app.operation(
    "web/pulls/revert",
    writes=True,
    units=1,
    source=REVERTING,
    examples=[EXAMPLE],
    after=["pulls/merge"],
    raises=("not_found", "forbidden", "archived", "unprocessable", "validation_failed", "protected_branch"),
)
def revert(call: Call, params: Revert) -> JsonObject:
    """Open a pull request that reverts a merged one."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    context.need(repo, "push")
    if pull.merge_sha is None:
        raise unprocessable("Only merged pull requests can be reverted.")
    new, made = take_back(context, repo, issue, pull, params.title, params.body, draft=params.draft)
    return one_json(context, repo, new, made)


def take_back(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    pull: Pull,
    title: str | None,
    body: str | None,
    *,
    draft: bool = False,
) -> tuple[Issue, Pull]:
    """Return the pull request that reverts a merged one. Raises unprocessable."""
    git, done = context.git(repo), pull.merge_sha or ""
    tip = git.branch(pull.base_ref)
    if tip is None:
        raise unprocessable("The base branch has been deleted.")
    tree = merge_trees(git, git.tree_of(done), git.tree_of(tip), git.tree_of(pull.base_sha)).tree
    if tree is None or tree == git.tree_of(tip):
        raise unprocessable("Sorry, this pull request couldn't be reverted automatically.")
    message = f'Revert "{issue.title} (#{issue.number})"\n\nThis reverts commit {done}.'
    sha = git.put_commit(tree, [tip], message, context.signature(), by_web(context))
    branch = free_name(git.refs(HEADS), f"revert-{issue.number}-{pull.head_ref}")
    move_ref(context, repo, HEADS + branch, None, sha)
    ends = Ends(repo, branch, sha, pull.base_ref, tip)
    text = body if body is not None else f"Reverts {context.full_name(repo)}#{issue.number}"
    return open_pull(context, repo, ends, title or f'Revert "{issue.title}"', text, draft=draft)


def free_name(taken: Sequence[str] | dict[str, str], name: str) -> str:
    """Return an unused branch name, with a number appended if needed."""
    number, found = 1, name
    while HEADS + found in taken:
        found, number = f"{name}-{number}", number + 1
    return found
