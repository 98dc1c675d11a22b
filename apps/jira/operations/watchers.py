"""Watching an issue and voting for it."""

from pydantic import Field
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, find_person, project_of, require
from apps.jira.domain.context import JiraContext
from apps.jira.limits import EDITS
from apps.jira.models import Issue, Vote, Watcher
from apps.jira.operations.params import Id, IssueRef
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

WATCHERS = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-watchers"
VOTES = "developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-votes"


class IssueOnly(Params):
    """One issue."""

    issueIdOrKey: IssueRef


class WatcherRef(Params):
    """A watcher of an issue; yourself when no account is named."""

    issueIdOrKey: IssueRef
    accountId: Id | None = Field(default=None, description="Whose watch; your own by default.")


def list_watchers(context: JiraContext, issue: Issue) -> list[str]:
    """Person ids of an issue's watchers, in the order they began."""
    query = select(Watcher.person_id).where(Watcher.issue_id == issue.id)
    return list(context.call.session.exec(query.order_by(col(Watcher.created_at), Watcher.person_id)))


def add_watcher_row(context: JiraContext, issue: Issue, person_id: str) -> None:
    """Add a watcher of an issue, once."""
    if context.call.session.get(Watcher, (issue.id, person_id)) is None:
        context.call.session.add(Watcher(issue_id=issue.id, person_id=person_id, created_at=context.call.now))


def watches_to_json(context: JiraContext, issue: Issue, count: int, mine: bool) -> JsonObject:
    """The watches field."""
    return {"self": f"{context.api}/issue/{issue.key}/watchers", "watchCount": count, "isWatching": mine}


def votes_to_json(context: JiraContext, issue: Issue, count: int, mine: bool) -> JsonObject:
    """The votes field."""
    return {"self": f"{context.api}/issue/{issue.key}/votes", "votes": count, "hasVoted": mine}


def _short_user(user: dict[str, object] | None) -> dict[str, object]:
    return {name: value for name, value in (user or {}).items() if name not in ("timeZone",)}


@app.operation(
    "getIssueWatchers",
    source=WATCHERS,
    scope="read:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def get_issue_watchers(call: Call, params: IssueOnly) -> JsonObject:
    """List who watches an issue."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    people = list_watchers(context, issue)
    context.preload(people)
    return {
        "self": f"{context.api}/issue/{issue.key}/watchers",
        "isWatching": call.person in people,
        "watchCount": len(people),
        "watchers": [_short_user(context.user(person)) for person in people],
    }


@app.operation(
    "addWatcher",
    writes=True,
    source=WATCHERS,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found", "user_not_found", "cannot_watch_others", "cannot_be_watcher"),
)
def add_watcher(call: Call, params: WatcherRef) -> None:
    """Watch an issue yourself, or add somebody else to its watchers."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    person = call.person if params.accountId is None else find_person(context, params.accountId)
    if person != call.person:
        require(context, "MANAGE_WATCHERS", project_of(context, issue))
        if not context.person_may(person, "BROWSE_PROJECTS", project_of(context, issue)):
            raise OperationError("cannot_be_watcher", user=params.accountId)
    add_watcher_row(context, issue, person)


@app.operation(
    "removeWatcher",
    writes=True,
    limit=EDITS,
    source=WATCHERS,
    scope="write:jira-work",
    after=["addWatcher"],
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found", "user_not_found", "cannot_watch_others"),
)
def remove_watcher(call: Call, params: WatcherRef) -> None:
    """Stop watching an issue, or remove somebody else from its watchers."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    person = call.person if params.accountId is None else find_person(context, params.accountId)
    if person != call.person:
        require(context, "MANAGE_WATCHERS", project_of(context, issue))
    row = call.session.get(Watcher, (issue.id, person))
    if row is not None:
        call.session.delete(row)


@app.operation(
    "getVotes", source=VOTES, scope="read:jira-work", examples=[{"issueIdOrKey": "SHOP-1"}], raises=("issue_not_found",)
)
def get_votes(call: Call, params: IssueOnly) -> JsonObject:
    """See who voted for an issue."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    query = select(Vote.person_id).where(Vote.issue_id == issue.id).order_by(col(Vote.created_at), Vote.person_id)
    people = list(call.session.exec(query))
    voters = [_short_user(context.user(person)) for person in people]
    return {**votes_to_json(context, issue, len(people), call.person in people), "voters": voters}


@app.operation(
    "addVote",
    writes=True,
    source=VOTES,
    scope="write:jira-work",
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found", "cannot_vote_own", "cannot_vote_resolved"),
)
def add_vote(call: Call, params: IssueOnly) -> None:
    """Vote for an unresolved issue that somebody else reported."""
    context = JiraContext(call)
    issue = find_issue(context, params.issueIdOrKey)
    if issue.reporter_id == call.person:
        raise OperationError("cannot_vote_own")
    if issue.resolution_id is not None:
        raise OperationError("cannot_vote_resolved")
    if call.session.get(Vote, (issue.id, call.person)) is None:
        call.session.add(Vote(issue_id=issue.id, person_id=call.person, created_at=call.now))


@app.operation(
    "removeVote",
    writes=True,
    limit=EDITS,
    source=VOTES,
    scope="write:jira-work",
    after=["addVote"],
    examples=[{"issueIdOrKey": "SHOP-1"}],
    raises=("issue_not_found",),
)
def remove_vote(call: Call, params: IssueOnly) -> None:
    """Remove your vote for an issue."""
    context = JiraContext(call)
    row = call.session.get(Vote, (find_issue(context, params.issueIdOrKey).id, call.person))
    if row is not None:
        call.session.delete(row)
