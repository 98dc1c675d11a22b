"""Drafts and auto-merge of pull requests."""

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.mergeability import state_of
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import Body, Line
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import AUTO_MERGE, EXAMPLE, PullRef, get_pull, need_author_or, publish, reconsider
from apps.github.domain.timeline_events import record
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.operations.pulls.merges import DISALLOWED, Method, allows, merge_pull
from apps.github.operations.pulls.pulls import one_json
from apps.github.operations.pulls.review_requests import ask_owners
from apps.github.refusals import unprocessable
from world.core.app import Facts
from world.core.call import Call
from world.core.json_types import JsonObject

DRAFTS = "docs.github.com/graphql/reference/mutations#markpullrequestreadyforreview"
AUTO = "docs.github.com/graphql/reference/mutations#enablepullrequestautomerge"
ENABLED = {"merge": "auto_merge_enabled", "squash": "auto_squash_enabled", "rebase": "auto_rebase_enabled"}


class AutoMerge(PullRef):
    """Request fields for auto-merge."""

    merge_method: Method = Field(default="merge", description="merge, squash or rebase.")
    commit_title: Line | None = Field(default=None, description="The first line of the commit's message.")
    commit_message: Body | None = Field(default=None, description="The rest of the message.")


@app.operation(
    "web/pulls/mark-ready",
    writes=True,
    units=1,
    source=DRAFTS,
    examples=[EXAMPLE],
    raises=("not_found", "forbidden", "archived", "unprocessable"),
)
def mark_ready(call: Call, params: PullRef) -> JsonObject:
    """Mark a draft as ready for review; code owners are asked to review it."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    need_author_or(context, repo, issue, "push")
    _need_open(issue)
    if pull.draft:
        pull.draft = False
        record(context, repo, issue, "ready_for_review")
        ask_owners(context, repo, issue, pull, Changes(context, repo, issue, pull))
        publish(context, "pull_ready", repo, issue, pull)
        notify_concerned(context, repo, issue, "marked this pull request as ready for review.")
    return one_json(context, repo, issue, pull)


@app.operation(
    "web/pulls/convert-to-draft",
    writes=True,
    units=1,
    source=DRAFTS,
    examples=[EXAMPLE],
    raises=("not_found", "forbidden", "archived", "unprocessable"),
)
def convert_to_draft(call: Call, params: PullRef) -> JsonObject:
    """Convert a pull request to a draft."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    need_author_or(context, repo, issue, "push")
    _need_open(issue)
    if not pull.draft:
        pull.draft = True
        record(context, repo, issue, "convert_to_draft")
    return one_json(context, repo, issue, pull)


def _need_open(issue: Issue) -> None:
    if issue.state == "closed":
        raise unprocessable("Pull request is closed")


@app.operation(
    "web/pulls/enable-auto-merge",
    writes=True,
    units=1,
    source=AUTO,
    examples=[EXAMPLE],
    raises=("not_found", "forbidden", "archived", "unprocessable"),
)
def enable_auto_merge(call: Call, params: AutoMerge) -> JsonObject:
    """Enable auto-merge: the pull request merges once required reviews and checks are there."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    context.need(repo, "push")
    _need_open(issue)
    _check_waiting(context, repo, issue, pull, params.merge_method)
    pull.auto_merge, pull.auto_merge_by_id = params.merge_method, context.me.id
    pull.auto_merge_title, pull.auto_merge_message = params.commit_title, params.commit_message
    record(context, repo, issue, ENABLED[params.merge_method])
    reconsider(context, pull)
    return one_json(context, repo, issue, pull)


def _check_waiting(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, method: Method) -> None:
    if not repo.allow_auto_merge:
        raise unprocessable("Auto merge is not allowed for this repository")
    if not allows(repo, method):
        raise unprocessable(DISALLOWED[method])
    state = state_of(context, repo, issue, pull, Changes(context, repo, issue, pull))[1]
    if state in ("clean", "dirty"):
        raise unprocessable(f"Pull request is in {state} status")


@app.operation(
    "web/pulls/disable-auto-merge",
    writes=True,
    units=1,
    source=AUTO,
    examples=[EXAMPLE],
    raises=("not_found", "forbidden", "archived"),
)
def disable_auto_merge(call: Call, params: PullRef) -> JsonObject:
    """Disable auto-merge of a pull request."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    need_author_or(context, repo, issue, "push")
    if pull.auto_merge is not None:
        pull.auto_merge = pull.auto_merge_by_id = pull.auto_merge_title = pull.auto_merge_message = None
        record(context, repo, issue, "auto_merge_disabled")
    return one_json(context, repo, issue, pull)


@app.on(AUTO_MERGE)
def merge_waiting(call: Call, facts: Facts) -> None:
    """Merge a pull request with auto-merge, if it waits for nothing more."""
    pull = call.session.get(Pull, int(str(facts["issue"])))
    issue = call.session.get(Issue, pull.issue_id) if pull is not None else None
    if (
        pull is None
        or issue is None
        or issue.state == "closed"
        or pull.auto_merge is None
        or pull.auto_merge_by_id is None
    ):
        return
    context = GithubContext(call).act_as(pull.auto_merge_by_id)
    repo = context.repo_by_id(pull.repo_id)
    if repo is None or not context.may(repo, "push"):
        return
    if state_of(context, repo, issue, pull, Changes(context, repo, issue, pull))[1] in ("clean", "unstable"):
        merge_pull(context, repo, issue, pull, _method(pull), pull.auto_merge_title, pull.auto_merge_message)


def _method(pull: Pull) -> Method:
    return "squash" if pull.auto_merge == "squash" else "rebase" if pull.auto_merge == "rebase" else "merge"
