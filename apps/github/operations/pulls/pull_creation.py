"""Opening pull requests: from a branch of the repository or of a fork, or by converting an issue."""

from typing import Annotated, NamedTuple

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.cross_references import cross_reference
from apps.github.domain.fork_compare import in_network
from apps.github.domain.issue_rows import new_issue
from apps.github.domain.mergeability import soon
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import Body, Int64, Line, RepoRef
from apps.github.domain.pull_git import Changes, carry, head_ref, keep_ref
from apps.github.domain.pull_lifecycle import twin
from apps.github.domain.pull_rows import publish
from apps.github.git.history import is_ancestor, merge_base
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.operations.pulls.pulls import SOURCE, one_json
from apps.github.operations.pulls.review_requests import ask_owners
from apps.github.refusals import invalid
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Text

RESOURCE = "PullRequest"


class PullNew(RepoRef):
    """A pull request to open."""

    title: Annotated[Text, Field(max_length=256)] | None = Field(
        default=None, description="The title; not with `issue`.", examples=["Retry once"]
    )
    head: Line = Field(description="The branch the commits are on; `user:branch` for one of a fork.", examples=["main"])
    base: Line = Field(description="The branch they go into.", examples=["main"])
    body: Body | None = Field(default=None, description="The text, in Markdown.")
    draft: bool | None = Field(default=None, description="Whether it is a draft.")
    issue: Int64 | None = Field(default=None, description="An issue to make a pull request of.")
    head_repo: Line | None = Field(
        default=None, description="The name of the repository the head is in, if both belong to one owner."
    )
    maintainer_can_modify: bool | None = Field(
        default=None, description="Whether those who can push to the base may push to its branch."
    )


class Ends(NamedTuple):
    """The two branches."""

    head_repo: Repository
    head: str
    head_sha: str
    base: str
    base_sha: str


@app.operation(
    "pulls/create",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-pull-request",
    examples=[
        {
            "owner": "quayline",
            "repo": "payments",
            "title": "Try it",
            "head": "$pulls/list:0.head.ref",
            "base": "$pulls/list:1.head.ref",
        }
    ],
    raises=("not_found", "archived", "validation_failed"),
)
def create(call: Call, params: PullNew) -> JsonObject:
    """Open a pull request from a branch, also of a fork, or by converting an issue.

    Code owners are asked for review.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if repo.archived:
        raise OperationError("archived")
    ends = _ends(context, repo, params)
    issue = _get_convertible_issue(context, repo, params.issue) if params.issue is not None else None
    if issue is None and not (params.title or "").strip():
        raise invalid(RESOURCE, "title", "missing_field")
    issue, pull = open_pull(
        context,
        repo,
        ends,
        (params.title or "").strip(),
        params.body,
        draft=params.draft or False,
        issue=issue,
        modifiable=params.maintainer_can_modify is not False,
    )
    return one_json(context, repo, issue, pull)


def _ends(context: GithubContext, repo: Repository, params: PullNew) -> Ends:
    head_repo, head = _head(context, repo, params)
    tip, base_sha = context.git(head_repo).branch(head), context.git(repo).branch(params.base)
    if base_sha is None:
        raise invalid(RESOURCE, "base", "invalid")
    if tip is None:
        raise invalid(RESOURCE, "head", "invalid")
    return Ends(head_repo, head, tip, params.base, base_sha)


def _head(context: GithubContext, repo: Repository, params: PullNew) -> tuple[Repository, str]:
    """Return repository and branch of the head. Raises validation_failed."""
    owner, found, branch = params.head.rpartition(":")
    if not found and params.head_repo is None:
        return repo, params.head
    account = context.find_login(owner) if found else context.account(repo.owner_id)
    name = params.head_repo.rpartition("/")[2] if params.head_repo else None
    if account is not None and account.id == repo.owner_id and name in (None, repo.name):
        return repo, branch
    head_repo = in_network(context, repo, account, name) if account is not None else None
    if head_repo is None:
        raise invalid(RESOURCE, "head", "invalid")
    return head_repo, branch


def _get_convertible_issue(context: GithubContext, repo: Repository, number: int) -> Issue:
    """Return the issue to convert to a pull request. Raises validation_failed."""
    found = context.call.scalar(
        "SELECT id FROM github_issue WHERE repo_id = :repo AND number = :number", {"repo": repo.id, "number": number}
    )
    issue = context.call.session.get(Issue, found) if found is not None else None
    if issue is None or issue.is_pull or issue.state == "closed":
        raise invalid(RESOURCE, "issue", "invalid")
    if issue.author_id != context.me.id:
        context.need(repo, "push")
    return issue


def open_pull(
    context: GithubContext,
    repo: Repository,
    ends: Ends,
    title: str,
    body: str | None,
    *,
    draft: bool = False,
    issue: Issue | None = None,
    modifiable: bool = False,
) -> tuple[Issue, Pull]:
    """Open a pull request between two branches. Raises validation_failed."""
    if twin(repo, ends.head_repo.id, ends.head, ends.base, context) is not None:
        name = f"{context.account(ends.head_repo.owner_id).login}:{ends.head}"
        raise invalid(RESOURCE, "head", "custom", f"A pull request already exists for {name}.")
    git = context.git(repo)
    if ends.head_repo.id != repo.id:
        carry(context.git(ends.head_repo), git, ends.head_sha)
    if is_ancestor(git, ends.head_sha, ends.base_sha):
        raise invalid(RESOURCE, "head", "custom", f"No commits between {ends.base} and {ends.head}")
    if merge_base(git, ends.base_sha, ends.head_sha) is None:
        raise invalid(RESOURCE, "head", "custom", f"The {ends.head} branch has no history in common with {ends.base}")
    if issue is None:
        issue = new_issue(context, repo, title, body, pull=True)
    pull = Pull(
        issue_id=issue.id,
        repo_id=repo.id,
        head_repo_id=ends.head_repo.id,
        head_ref=ends.head,
        head_sha=ends.head_sha,
        base_ref=ends.base,
        base_sha=ends.base_sha,
        draft=draft,
        maintainer_can_modify=modifiable and ends.head_repo.id != repo.id,
    )
    issue.is_pull, issue.updated_at = True, context.call.now
    context.add(pull)
    context.call.flush()
    _follow(context, repo, issue, pull)
    return issue, pull


def _follow(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> None:
    """Run the effects of opening: head ref, cross-references, review requests, trial merge, notifications."""
    keep_ref(context.git(repo), head_ref(issue.number), pull.head_sha)
    cross_reference(context, repo, issue, issue.body)
    notify_concerned(context, repo, issue, "opened this pull request", issue.body)
    ask_owners(context, repo, issue, pull, Changes(context, repo, issue, pull))
    soon(context, repo, number=issue.number)
    publish(context, "pull_opened", repo, issue, pull)
