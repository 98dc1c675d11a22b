"""Notices of changes: to assignees, mentioned people and watchers of a commented issue, and to listening colleagues."""

import json
from collections.abc import Iterable, Mapping

from sqlmodel import select

from apps.jira.app import app
from apps.jira.domain.context import JiraContext
from apps.jira.domain.text import list_mentions
from apps.jira.models import Issue, Watcher
from world.core.app import Facts, HeardMessage, Notice
from world.core.call import Call
from world.core.journal import Change
from world.core.json_types import JsonObject

SHOWN = 120  # characters of a text in a notice
SEEN = (
    "status_id",
    "assignee_id",
    "priority_id",
    "summary",
    "resolution_id",
)  # what a change of an issue is worth telling of


def _find_issue(call: Call, issue_id: object) -> Issue | None:
    return call.session.get(Issue, issue_id) if isinstance(issue_id, int) else None


def _load_document(value: object) -> JsonObject | None:
    loaded = json.loads(value) if isinstance(value, str) and value else value
    return loaded if isinstance(loaded, dict) else None


def _list_mentioned(context: JiraContext, document: object, but: object) -> list[str]:
    found = [context.people_by_account.get(account) for account in list_mentions(_load_document(document))]
    return [person for person in found if person is not None and person != but]


@app.notices
def list_notices(call: Call, change: Change) -> Iterable[Notice]:
    """Return notices of assignments, mentions and comments on watched issues."""
    if change.after is None:
        return []
    if change.table == "jira_issue":
        return _list_issue_notices(call, change)
    if change.table == "jira_comment" and change.op == "insert":
        return _list_comment_notices(call, change.after)
    return []


def _list_issue_notices(call: Call, change: Change) -> list[Notice]:
    row, before = change.after or {}, change.before or {}
    context = JiraContext(call)
    out: list[Notice] = []
    assignee = row.get("assignee_id")
    if assignee and assignee != before.get("assignee_id") and assignee != call.person:
        out.append(Notice(str(assignee), f"{row['key']} was assigned to you: {row['summary']}", _ids(row)))
    if row.get("description") != before.get("description"):
        old = _list_mentioned(context, before.get("description"), None)
        fresh = [
            person for person in _list_mentioned(context, row.get("description"), call.person) if person not in old
        ]
        out += [Notice(person, f"You were mentioned in {row['key']}: {row['summary']}", _ids(row)) for person in fresh]
    changed = sorted(name for name in (*SEEN, "key") if row.get(name) != before.get(name))
    if changed:
        done = "was created" if not before else f"changed ({', '.join(name.removesuffix('_id') for name in changed)})"
        out.append(_to_watchers(str(row["key"]), f"{row['key']} {done}: {row['summary']}", _ids(row)))
    return out


def _ids(row: Mapping[str, object]) -> dict[str, str]:
    return {"issueIdOrKey": str(row["key"])}


def _to_watchers(key: str, said: str, ids: dict[str, str]) -> Notice:
    """Return a notice of a change on an issue, for viewers of it or its project with access."""
    return Notice("", said, ids, (key, key.rpartition("-")[0]), ("getIssue", {"issueIdOrKey": key, "fields": "key"}))


def list_comment_audience(call: Call, issue: Issue, author: str) -> list[str]:
    """Return the people notified of a comment: watchers, reporter and assignee, without the author."""
    watchers = call.session.exec(
        select(Watcher.person_id).where(Watcher.issue_id == issue.id).order_by(Watcher.person_id)
    )
    people = dict.fromkeys([*watchers, issue.reporter_id, issue.assignee_id])
    return [person for person in people if person is not None and person != author]


def _list_comment_notices(call: Call, row: JsonObject) -> list[Notice]:
    issue = _find_issue(call, row["issue_id"])
    if issue is None or row.get("visibility_type"):
        return []
    author = str(row["author_id"])
    context = JiraContext(call)
    named = _list_mentioned(context, row["body"], author)
    said = f"{context.name(author)} on {issue.key}: {str(row['body_text'])[:SHOWN]}"
    watching = [person for person in list_comment_audience(call, issue, author) if person not in named]
    ids = {"issueIdOrKey": issue.key, "commentId": str(row["id"])}
    return [
        *(Notice(person, f"You were mentioned. {said}", ids) for person in named),
        *(Notice(person, said, ids) for person in watching),
        _to_watchers(issue.key, said, ids),
    ]


@app.finds_recipients
def list_listeners(call: Call, change: Change) -> Iterable[HeardMessage]:
    """Return the people who hear a comment: those it mentions, else assignee and reporter; they answer by comment."""
    row = change.after
    if change.table != "jira_comment" or change.op != "insert" or row is None:
        return []
    issue = _find_issue(call, row["issue_id"])
    if issue is None:
        return []
    author = str(row["author_id"])
    listeners = _list_mentioned(JiraContext(call), row["body"], author)
    if not listeners:
        listeners = [p for p in dict.fromkeys([issue.assignee_id, issue.reporter_id]) if p is not None and p != author]
    return [
        HeardMessage(
            person,
            author,
            str(row["body_text"]),
            f"jira:{issue.key}",
            "addComment",
            {"issueIdOrKey": issue.key},
            "body",
        )
        for person in listeners
    ]


@app.finds_place
def find_place(facts: Facts) -> str | None:
    """Return the issue of an event, from `key`."""
    return f"jira:{facts['key']}" if facts.get("key") else None


@app.involves_person
def involve_person(call: Call, person: str, arguments: JsonObject) -> tuple[str, JsonObject]:
    """Return a mention of a person as wiki markup."""
    account = call.directory.account("jira", person)
    return f"[~accountid:{account}]" if account else call.directory.full_name(person), arguments
