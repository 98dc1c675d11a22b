"""Notices of changes: to people with an inbox entry, and to colleagues who hear comments, reviews and requests."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.notify import list_mentioned_accounts
from apps.github.models import Account, Repository
from apps.github.models_issues import Assignee, Issue
from apps.github.models_pulls import Review, ReviewRequest
from apps.github.views.notifications import title_of
from world.core.app import HeardMessage, Notice
from world.core.call import Call
from world.core.journal import Change
from world.core.json_types import JsonObject

SHOWN = 120  # characters of a text in a notice
_LATEST = """SELECT author_id, body FROM github_comment WHERE issue_id = :issue AND created_at = :at
    UNION ALL SELECT author_id, CASE state WHEN 'APPROVED' THEN 'approved. ' WHEN 'CHANGES_REQUESTED' THEN
    'requested changes. ' ELSE '' END || body
    FROM github_review WHERE issue_id = :issue AND submitted_at = :at AND state <> 'PENDING'"""
_EVENT = "SELECT actor_id, kind FROM github_event WHERE issue_id = :issue AND created_at = :at ORDER BY id DESC LIMIT 1"
_WORDS = {
    "closed": "closed this",
    "reopened": "reopened this",
    "merged": "merged this",
    "assigned": "assigned somebody",
    "review_requested": "asked for a review",
    "renamed": "changed the title",
    "review_dismissed": "dismissed a review",
}
# tables of what happens in a conversation, and the columns that must have changed for it to have happened
_OVERHEARD = {"github_issue": ("state",), "github_comment": ("id",), "github_review": ("submitted_at",)}
_ADDRESSED = {
    "mention": "You were mentioned. ",
    "team_mention": "Your team was mentioned. ",
    "assign": "You were assigned. ",
    "review_requested": "Your review was requested. ",
}


@app.notices
def notices(call: Call, change: Change) -> Iterable[Notice]:
    """Return notices of new unread inbox entries."""
    row, before = change.after, change.before
    if change.table in _OVERHEARD and row is not None:
        return _list_overheard(GithubContext(call), change.table, row, before or {})
    if change.table != "github_notification" or row is None or not row["unread"]:
        return []
    if before is not None and before["updated_at"] == row["updated_at"]:
        return []
    context = GithubContext(call)
    person, repo = context.account(row["account_id"]).person_id, context.repo_by_id(row["repo_id"])
    if person is None or repo is None:
        return []
    addressed = _ADDRESSED.get(row["reason"], "") if before is None or before["reason"] != row["reason"] else ""
    return [Notice(person, addressed + _text_of(context, repo, row), _ids_of(context, repo, row))]


def _ids_of(context: GithubContext, repo: Repository, row: dict[str, object]) -> dict[str, str]:
    issue = context.call.session.get(Issue, row["subject_id"]) if row["subject"] in ("Issue", "PullRequest") else None
    number = {"number": str(issue.number)} if issue is not None else {}
    return {"repository": context.full_name(repo), **number}


def _list_overheard(
    context: GithubContext, table: str, row: Mapping[str, Any], before: Mapping[str, Any]
) -> list[Notice]:
    """Return notices of opened, closed or commented issues, for viewers with access to the repository."""
    issue = context.call.session.get(Issue, row["id" if table == "github_issue" else "issue_id"])
    repo = context.repo_by_id(row["repo_id"])
    if issue is None or repo is None or any(row.get(name) == before.get(name) for name in _OVERHEARD[table]):
        return []
    name = context.full_name(repo)
    about = f"{name}#{issue.number}"
    done = f"opened {issue.title}" if not before else f"{row.get('state')}: {issue.title}"
    said = str(row.get("body") or "")[:SHOWN] if table != "github_issue" else done
    who = context.account(row["author_id"]).login if table != "github_issue" or not before else "Now"
    owner, _, short = name.partition("/")
    return [
        Notice(
            "",
            f"{who} on {about}: {said}",
            {"repository": name, "number": str(issue.number)},
            (name, about),
            ("issues/get", {"owner": owner, "repo": short, "issue_number": issue.number}),
        )
    ]


def _text_of(context: GithubContext, repo: Repository, row: dict[str, Any]) -> str:
    issue = context.call.session.get(Issue, row["subject_id"]) if row["subject"] in ("Issue", "PullRequest") else None
    if issue is None:
        return f"{context.full_name(repo)}: {title_of(context, row['subject'], row['subject_id'])}"
    about = f"{context.full_name(repo)}#{issue.number}"
    values = {"issue": issue.id, "at": row["updated_at"]}
    if (spoken := context.call.first(_LATEST, values)) is not None:
        return f"{context.account(spoken[0]).login} on {about}: {spoken[1][:SHOWN]}"
    if issue.created_at == row["updated_at"]:
        return f"{context.account(issue.author_id).login} opened {about}: {issue.title}"
    event = context.call.first(_EVENT, values)
    done = (
        f" ({context.account(event[0]).login} {_WORDS.get(event[1], 'changed something')})" if event is not None else ""
    )
    return f"{about}: {issue.title}{done}"


@app.finds_recipients
def list_hearers(call: Call, change: Change) -> Iterable[HeardMessage]:
    """Return the colleagues who hear a change.

    Comments are heard by the people they mention, else by those who work on the issue; review requests by the requested
    people.
    """
    row = change.after
    if change.op != "insert" or row is None or change.table not in _HEARD:
        return []
    context = GithubContext(call)
    issue = call.session.get(Issue, row["issue_id"] if "issue_id" in row else row["id"])
    repo = context.repo_by_id(issue.repo_id) if issue is not None else None
    return _HEARD[change.table](context, repo, issue, row) if issue is not None and repo is not None else []


def _comment(context: GithubContext, repo: Repository, issue: Issue, row: dict[str, Any]) -> Iterator[HeardMessage]:
    speaker = context.account(row["author_id"])
    for listener in _listeners(context, repo, issue, speaker, row["body"]):
        yield _to_heard(context, repo, issue, listener, speaker, row["body"])


def _hear_opened(context: GithubContext, repo: Repository, issue: Issue, row: dict[str, Any]) -> Iterator[HeardMessage]:
    """Yield a new issue's hearers: the people it mentions and its assignees."""
    speaker = context.account(row["author_id"])
    assigned = context.call.session.exec(
        select(Assignee.account_id).where(Assignee.issue_id == issue.id).order_by(col(Assignee.account_id))
    )
    for listener in _people(context, repo, speaker, [*list_mentioned_accounts(context, issue.body), *assigned]):
        yield _to_heard(context, repo, issue, listener, speaker, f"{issue.title}\n\n{issue.body or ''}".strip())


def _hear_request(
    context: GithubContext, repo: Repository, issue: Issue, row: dict[str, Any]
) -> Iterator[HeardMessage]:
    speaker = context.account(row["requester_id"])
    members = context.call.all(
        "SELECT account_id FROM github_team_member WHERE team_id = :team ORDER BY 1", {"team": row["team_id"]}
    )
    arguments = {**_where(context, repo), "pull_number": issue.number, "event": "COMMENT"}
    text = f"Please review: {issue.title}\n\n{issue.body or ''}".strip()
    for listener in _people(context, repo, speaker, [row["account_id"], *(id for (id,) in members)]):
        yield _to_heard(context, repo, issue, listener, speaker, text, "pulls/create-review", arguments)


def _hear_review(
    context: GithubContext, repo: Repository, issue: Issue, row: Mapping[str, object]
) -> Iterator[HeardMessage]:
    review = context.call.session.get(Review, row["id"])
    if review is None or review.state == "PENDING":
        return
    sql = "SELECT id, body FROM github_review_comment WHERE review_id = :id ORDER BY id"
    spoken = context.call.all(sql, {"id": review.id})
    text = "\n\n".join(one for one in (review.body, *(body for _, body in spoken)) if one)
    speaker = context.account(review.author_id)
    answered: tuple[Any, ...] = ()
    if len(spoken) == 1 and not review.body:
        answered = (
            "pulls/create-reply-for-review-comment",
            {**_where(context, repo), "pull_number": issue.number, "comment_id": spoken[0][0]},
        )
    for listener in _listeners(context, repo, issue, speaker, text):
        yield _to_heard(context, repo, issue, listener, speaker, text, *answered)


_HEARD = {
    "github_comment": _comment,
    "github_issue": _hear_opened,
    "github_review_request": _hear_request,
    "github_review": _hear_review,
}


def _listeners(context: GithubContext, repo: Repository, issue: Issue, speaker: Account, text: str) -> list[Account]:
    """Return the people a text mentions; without mentions the assignees, the author and the requested reviewers."""
    named = _people(context, repo, speaker, list_mentioned_accounts(context, text))
    if named:
        return named
    assigned = context.call.session.exec(
        select(Assignee.account_id).where(Assignee.issue_id == issue.id).order_by(col(Assignee.account_id))
    )
    asked = context.call.session.exec(
        select(ReviewRequest.account_id)
        .where(ReviewRequest.issue_id == issue.id)
        .order_by(col(ReviewRequest.account_id))
    )
    return _people(context, repo, speaker, [*assigned, issue.author_id, *asked])


def _people(context: GithubContext, repo: Repository, speaker: Account, ids: Iterable[int]) -> list[Account]:
    found = [context.account(id) for id in dict.fromkeys(ids) if id and id != speaker.id]
    return [account for account in found if account.person_id is not None and context.sees(repo, account)]


def _where(context: GithubContext, repo: Repository) -> JsonObject:
    return {"owner": context.account(repo.owner_id).login, "repo": repo.name}


def _to_heard(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    listener: Account,
    speaker: Account,
    text: str,
    operation: str = "issues/create-comment",
    arguments: Mapping[str, object] | None = None,
) -> HeardMessage:
    place = f"github:{context.full_name(repo)}#{issue.number}"
    given = arguments or {**_where(context, repo), "issue_number": issue.number}
    return HeardMessage(
        listener.person_id or "", speaker.person_id or f"github:{speaker.login}", text, place, operation, given, "body"
    )


@app.involves_person
def render_mention(call: Call, person: str, arguments: JsonObject) -> tuple[str, JsonObject]:
    """Render a mention of a person."""
    login = call.scalar("SELECT login FROM github_account WHERE person_id = :person", {"person": person})
    return f"@{login}" if login else call.directory.full_name(person), arguments
