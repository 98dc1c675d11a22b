"""Mutations of pull requests."""

from apps.github.graphql.loader import Loader
from apps.github.graphql.mutation_context import Given, Payload, ask, get_node, logins, mutation, place, pull_at
from apps.github.graphql.mutations_issues import again, build_issue_arguments
from apps.github.graphql.registry import Problem
from apps.github.models import Repository
from apps.github.models_issues import Issue


def _pull(near: Loader, given: Given) -> Issue:
    return get_node(near, given["pullRequestId"], "PullRequest")


def _pull_payload(near: Loader, row: Issue, **more: object) -> Payload:
    return {"pullRequest": again(near, row), **more}


@mutation("createPullRequest")
def create_pull(near: Loader, given: Given) -> Payload:
    """Open a pull request."""
    repo: Repository = get_node(near, given["repositoryId"], "Repository")
    made = ask(
        near,
        "pulls/create",
        **place(near, repo),
        title=given["title"],
        base=given["baseRefName"],
        body=given.get("body"),
        draft=bool(given.get("draft")),
        maintainer_can_modify=given.get("maintainerCanModify"),
        **_head(near, repo, given),
    )
    return {"pullRequest": near.call.session.get(Issue, made["id"])}


def _head(near: Loader, repo: Repository, given: Given) -> Payload:
    head = given["headRefName"]
    other: Repository | None = (
        get_node(near, given["headRepositoryId"], "Repository") if given.get("headRepositoryId") else None
    )
    if other is None or other.id == repo.id:
        return {"head": head}
    owner, _, name = head.rpartition(":")
    return {"head": f"{owner or near.context.account(other.owner_id).login}:{name}", "head_repo": other.name}


@mutation("updatePullRequest")
def update_pull(near: Loader, given: Given) -> Payload:
    """Update a pull request, including the fields shared with issues."""
    row = _pull(near, given)
    wanted = build_issue_arguments(near, given)
    of_issue = {name: wanted[name] for name in ("assignees", "labels", "milestone") if name in wanted}
    own = {name: wanted[name] for name in ("title", "body") if name in wanted}
    for key, name in (("baseRefName", "base"), ("maintainerCanModify", "maintainer_can_modify")):
        if given.get(key) is not None:
            own[name] = given[key]
    if given.get("state"):
        own["state"] = given["state"].lower()
    if own or not of_issue:
        ask(near, "pulls/update", **pull_at(near, row), **own)
    if of_issue:
        near.context.need(near.home(row), "triage")
        ask(near, "issues/update", **place(near, row), issue_number=row.number, **of_issue)
    return _pull_payload(near, row, actor=near.me)


@mutation("closePullRequest")
def close_pull(near: Loader, given: Given) -> Payload:
    """Close a pull request."""
    row = _pull(near, given)
    ask(near, "pulls/update", **pull_at(near, row), state="closed")
    return _pull_payload(near, row)


@mutation("reopenPullRequest")
def reopen_pull(near: Loader, given: Given) -> Payload:
    """Reopen a pull request."""
    row = _pull(near, given)
    ask(near, "pulls/update", **pull_at(near, row), state="open")
    return _pull_payload(near, row)


def _expect(near: Loader, row: Issue, sha: str | None) -> None:
    if sha is not None and sha != near.pull(row).head_sha:
        raise Problem("Head branch was modified. Review and try the merge again.", "UNPROCESSABLE")


def _merge_arguments(given: Given) -> Payload:
    names = {"commitHeadline": "commit_title", "commitBody": "commit_message"}
    words = {new: given[old] for old, new in names.items() if given.get(old) is not None}
    return {"merge_method": (given.get("mergeMethod") or "MERGE").lower(), **words}


@mutation("mergePullRequest")
def merge_pull(near: Loader, given: Given) -> Payload:
    """Merge a pull request."""
    row = _pull(near, given)
    _expect(near, row, given.get("expectedHeadOid"))
    ask(near, "pulls/merge", **pull_at(near, row), **_merge_arguments(given))
    return _pull_payload(near, row, actor=near.me)


@mutation("enablePullRequestAutoMerge")
def enable_auto_merge(near: Loader, given: Given) -> Payload:
    """Enable auto-merge: the pull request merges once all requirements are met."""
    row = _pull(near, given)
    _expect(near, row, given.get("expectedHeadOid"))
    ask(near, "web/pulls/enable-auto-merge", **pull_at(near, row), **_merge_arguments(given))
    return _pull_payload(near, row, actor=near.me)


@mutation("disablePullRequestAutoMerge")
def disable_auto_merge(near: Loader, given: Given) -> Payload:
    """Disable auto-merge of a pull request."""
    row = _pull(near, given)
    ask(near, "web/pulls/disable-auto-merge", **pull_at(near, row))
    return _pull_payload(near, row, actor=near.me)


@mutation("markPullRequestReadyForReview")
def mark_ready(near: Loader, given: Given) -> Payload:
    """Mark a draft as ready for review."""
    row = _pull(near, given)
    ask(near, "web/pulls/mark-ready", **pull_at(near, row))
    return _pull_payload(near, row)


@mutation("convertPullRequestToDraft")
def convert_to_draft(near: Loader, given: Given) -> Payload:
    """Convert a pull request to a draft."""
    row = _pull(near, given)
    ask(near, "web/pulls/convert-to-draft", **pull_at(near, row))
    return _pull_payload(near, row)


@mutation("revertPullRequest")
def revert_pull(near: Loader, given: Given) -> Payload:
    """Open a pull request that reverts a merged one."""
    row = _pull(near, given)
    said = {name: given[name] for name in ("title", "body") if given.get(name) is not None}
    made = ask(near, "web/pulls/revert", **pull_at(near, row), draft=bool(given.get("draft")), **said)
    return _pull_payload(near, row, revertPullRequest=near.call.session.get(Issue, made["id"]))


@mutation("updatePullRequestBranch")
def update_branch(near: Loader, given: Given) -> Payload:
    """Merge the base into a pull request's branch."""
    row = _pull(near, given)
    if given.get("updateMethod") == "REBASE":
        raise Problem("Updating a pull request branch by rebase is not supported here.", "UNPROCESSABLE")
    sha = {"expected_head_sha": given["expectedHeadOid"]} if given.get("expectedHeadOid") else {}
    ask(near, "pulls/update-branch", **pull_at(near, row), **sha)
    return _pull_payload(near, row)


@mutation("requestReviews")
def request_reviews(near: Loader, given: Given) -> Payload:
    """Request reviews from people and teams; without `union`, other requests are removed."""
    row = _pull(near, given)
    people = logins(near, given.get("userIds") or [])
    teams = [get_node(near, id, "Team").slug for id in given.get("teamIds") or []]
    if not given.get("union"):
        _unask(near, row, people, teams)
    if people or teams:
        ask(near, "pulls/request-reviewers", **pull_at(near, row), reviewers=people, team_reviewers=teams)
    return _pull_payload(near, row, actor=near.me)


def _unask(near: Loader, row: Issue, people: list[str], teams: list[str]) -> None:
    asked = ask(near, "pulls/list-requested-reviewers", **pull_at(near, row))
    gone = [one["login"] for one in asked["users"] if one["login"] not in people]
    others = [one["slug"] for one in asked["teams"] if one["slug"] not in teams]
    if gone or others:
        ask(near, "pulls/remove-requested-reviewers", **pull_at(near, row), reviewers=gone, team_reviewers=others)


@mutation("markFileAsViewed")
def mark_viewed(near: Loader, given: Given) -> Payload:
    """Mark a file as viewed."""
    return _mark_file_viewed(near, given, True)


@mutation("unmarkFileAsViewed")
def unmark_viewed(near: Loader, given: Given) -> Payload:
    """Mark a file as not viewed."""
    return _mark_file_viewed(near, given, False)


def _mark_file_viewed(near: Loader, given: Given, viewed: bool) -> Payload:
    row = _pull(near, given)
    ask(near, "web/pulls/mark-file-viewed", **pull_at(near, row), path=given["path"], viewed=viewed)
    return _pull_payload(near, row)
