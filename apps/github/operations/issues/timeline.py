"""Histories of issues: events, and the timeline with comments, commits, reviews and references too."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, git_node, node, stamp
from apps.github.domain.issue_rows import find_issue, pull_of
from apps.github.domain.params import Id, ListPage, PageParams, RepoRef, page_of
from apps.github.git import history
from apps.github.models import Repository, Team
from apps.github.models_issues import Comment, Event, Issue
from apps.github.models_pulls import Review
from apps.github.operations.issues.comments import one_comment_json as comment_shown
from apps.github.operations.issues.issue_changes import ISSUE
from apps.github.operations.issues.issues import IssueRef
from apps.github.views.accounts import repo_json, user_json
from apps.github.views.issues import association, one_json
from apps.github.views.pulls import team_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

EVENTS = "docs.github.com/rest/issues/events"
TIMELINE = "docs.github.com/rest/issues/timeline"
REPO = {"owner": "quayline", "repo": "payments"}
ONLY_TIMELINE = ("cross-referenced",)  # not among an issue's events
UNSIGNED = {"verified": False, "reason": "unsigned", "signature": None, "payload": None, "verified_at": None}


class EventList(RepoRef, PageParams):
    """Events of a repository."""


class EventRef(RepoRef):
    """One event."""

    event_id: Id = Field(description="The event's id.", examples=[1])


class IssueTimeline(IssueRef, PageParams):
    """Events of an issue."""


def event_json(context: GithubContext, repo: Repository, row: Event) -> JsonObject:
    """Render an event with the fields of its kind."""
    api = context.repo_api(repo)
    out: dict[str, Any] = {
        "id": row.id,
        "node_id": node("IssueEvent", repo.id, row.id),
        "url": f"{api}/issues/events/{row.id}",
        "actor": user_json(context, context.account(row.actor_id)),
        "event": row.kind,
        "commit_id": row.commit_sha,
        "commit_url": f"{api}/commits/{row.commit_sha}" if row.commit_sha else None,
        "created_at": stamp(row.created_at),
        "performed_via_github_app": None,
    }
    facts = row.facts
    for name in ("label", "rename", "lock_reason", "state_reason"):
        if name in facts:
            out[name] = facts[name]
    if "milestone" in facts:
        out["milestone"] = {"title": facts["milestone"]}
    if "assignee" in facts:
        out |= {"assignee": user_json(context, context.account(facts["assignee"])), "assigner": out["actor"]}
    if "dismissed_review" in facts:
        out["dismissed_review"] = facts["dismissed_review"]
    return out | _review_request_to_json(context, row, out["actor"])


def _review_request_to_json(context: GithubContext, row: Event, actor: Mapping[str, object]) -> JsonObject:
    if not row.kind.startswith("review_request"):
        return {}
    out: JsonObject = {"review_requester": actor}
    if row.facts.get("reviewer"):
        out["requested_reviewer"] = user_json(context, context.account(row.facts["reviewer"]))
    team = context.call.session.get(Team, row.facts["team"]) if row.facts.get("team") else None
    if team is not None:
        out["requested_team"] = team_json(context, team)
    return out


def _for_events(shown: Mapping[str, object], kind: str) -> JsonObject:
    """Return an event without the fields that only the timeline has."""
    kept = dict(shown)
    kept.pop("state_reason", None)
    if kind not in ("locked", "unlocked"):
        kept.pop("lock_reason", None)
    return kept


@app.operation(
    "issues/list-events", units=1, source=f"{EVENTS}#list-issue-events", examples=[ISSUE], raises=("not_found", "moved")
)
def list_events(call: Call, params: IssueTimeline) -> list[JsonObject]:
    """List the events of an issue, oldest first: labels, assignments, closing, renaming."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    rows = [row for row in _events(context, issue) if row.kind not in ONLY_TIMELINE]
    return page_of([_for_events(event_json(context, repo, row), row.kind) for row in rows], params)


@app.operation(
    "issues/list-events-for-repo",
    units=1,
    source=f"{EVENTS}#list-issue-events-for-a-repository",
    examples=[REPO],
    raises=("not_found",),
)
def list_for_repo(call: Call, params: EventList) -> list[JsonObject]:
    """List the events of all issues of a repository, newest first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where = [Event.repo_id == repo.id, col(Event.kind).not_in(ONLY_TIMELINE)]
    total = call.scalar(select(func.count()).select_from(Event).where(*where))
    rows = list(
        call.session.exec(
            select(Event).where(*where).order_by(col(Event.id).desc()).offset(params.start).limit(params.size)
        )
    )
    return ListPage([_with_issue(context, repo, row) for row in rows], total)


def _with_issue(context: GithubContext, repo: Repository, row: Event) -> JsonObject:
    issue = context.call.session.get(Issue, row.issue_id)
    assert issue is not None
    return {**_for_events(event_json(context, repo, row), row.kind), "issue": one_json(context, repo, issue)}


@app.operation(
    "issues/get-event",
    units=1,
    source=f"{EVENTS}#get-an-issue-event",
    examples=[{**REPO, "event_id": "$issues/list-events-for-repo:0.id"}],
    after=["issues/update"],
    raises=("not_found",),
)
def get_event(call: Call, params: EventRef) -> JsonObject:
    """Read one event by its id."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = call.session.get(Event, params.event_id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return _with_issue(context, repo, row)


def _events(context: GithubContext, issue: Issue) -> list[Event]:
    return list(
        context.call.session.exec(
            select(Event).where(Event.issue_id == issue.id).order_by(col(Event.created_at), col(Event.id))
        )
    )


@app.operation(
    "issues/list-events-for-timeline",
    units=1,
    source=f"{TIMELINE}#list-timeline-events-for-an-issue",
    examples=[ISSUE],
    raises=("not_found", "moved"),
)
def timeline(call: Call, params: IssueTimeline) -> list[JsonObject]:
    """List the timeline of an issue or pull request, oldest first: comments, commits, reviews, references, events."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    found = [*_list_events(context, repo, issue), *_list_comments(context, repo, issue)]
    if issue.is_pull:
        found += [*_list_commits(context, repo, issue), *_list_reviews(context, repo, issue)]
    found.sort(key=lambda one: one[0])
    return page_of([one for _, one in found], params)


Placed = tuple[tuple[int, int, int], dict[str, Any]]


def _list_events(context: GithubContext, repo: Repository, issue: Issue) -> list[Placed]:
    out: list[Placed] = []
    for row in _events(context, issue):
        if row.kind == "cross-referenced":
            shown = _reference(context, row)
        else:
            shown = {name: value for name, value in event_json(context, repo, row).items() if name != "assigner"}
        if shown is not None:
            out.append(((row.created_at, 1, row.id), shown))
    return out


def _reference(context: GithubContext, row: Event) -> JsonObject | None:
    issue = context.call.session.get(Issue, row.facts["source"])
    repo = context.repo_by_id(issue.repo_id) if issue is not None else None
    if issue is None or repo is None or not context.sees(repo):
        return None
    at = stamp(row.created_at)
    source = {"type": "issue", "issue": {**one_json(context, repo, issue), "repository": repo_json(context, repo)}}
    return {
        "event": "cross-referenced",
        "actor": user_json(context, context.account(row.actor_id)),
        "created_at": at,
        "updated_at": at,
        "source": source,
    }


def _list_comments(context: GithubContext, repo: Repository, issue: Issue) -> list[Placed]:
    rows = context.call.session.exec(select(Comment).where(Comment.issue_id == issue.id).order_by(col(Comment.id)))
    out: list[Placed] = []
    for row in rows:
        shown = comment_shown(context, repo, issue, row)
        out.append(((row.created_at, 2, row.id), {**shown, "event": "commented", "actor": shown["user"]}))
    return out


def _list_commits(context: GithubContext, repo: Repository, issue: Issue) -> list[Placed]:
    pull = pull_of(context, issue)
    git = context.git(repo)
    out: list[Placed] = []
    for place, row in enumerate(history.between(git, pull.base_sha, pull.head_sha)):
        at = max(row.committed_at * 1_000_000, issue.created_at)
        out.append(((at, 0, place), commit_to_json(context, repo, row)))
    return out


def commit_to_json(context: GithubContext, repo: Repository, row: Any) -> JsonObject:
    """Render a commit for a timeline."""
    git_url, html = f"{context.repo_api(repo)}/git", context.repo_html(repo)
    return {
        "event": "committed",
        "sha": row.sha1,
        "node_id": git_node("C", repo.id, row.sha1),
        "url": f"{git_url}/commits/{row.sha1}",
        "html_url": f"{html}/commit/{row.sha1}",
        "author": {"name": row.author_name, "email": row.author_email, "date": zulu(row.authored_at, row.author_zone)},
        "committer": {
            "name": row.committer_name,
            "email": row.committer_email,
            "date": zulu(row.committed_at, row.committer_zone),
        },
        "tree": {"sha": row.tree, "url": f"{git_url}/trees/{row.tree}"},
        "message": row.message.rstrip("\n"),
        "parents": [
            {"sha": one, "url": f"{git_url}/commits/{one}", "html_url": f"{html}/commit/{one}"}
            for one in row.parents.split()
        ],
        "verification": UNSIGNED,
    }


def zulu(seconds: int, _zone: int = 0) -> str | None:
    """Format seconds since the epoch as the API writes a commit's time, in UTC."""
    return stamp(seconds * 1_000_000)


def _list_reviews(context: GithubContext, repo: Repository, issue: Issue) -> list[Placed]:
    rows = context.call.session.exec(
        select(Review).where(Review.issue_id == issue.id, Review.state != "PENDING").order_by(col(Review.id))
    )
    return [
        ((row.submitted_at or row.created_at, 2, row.id), review_to_json(context, repo, issue, row)) for row in rows
    ]


def review_to_json(context: GithubContext, repo: Repository, issue: Issue, row: Review) -> JsonObject:
    """Render a review for a timeline."""
    author = context.account(row.author_id)
    html = f"{context.repo_html(repo)}/pull/{issue.number}#pullrequestreview-{row.id}"
    pull = f"{context.repo_api(repo)}/pulls/{issue.number}"
    return {
        "event": "reviewed",
        "id": row.id,
        "node_id": node("PullRequestReview", repo.id, row.id),
        "user": user_json(context, author),
        "body": row.body,
        "state": row.state.lower(),
        "commit_id": row.commit_sha,
        "html_url": html,
        "pull_request_url": pull,
        "_links": {"html": {"href": html}, "pull_request": {"href": pull}},
        "author_association": association(context, repo, author),
        "submitted_at": stamp(row.submitted_at),
    }
