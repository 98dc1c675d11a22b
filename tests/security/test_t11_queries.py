"""T11: whatever is sought, search answers or refuses in words and shows nothing beyond the caller."""

from typing import Any

import pytest

from tests.security.searched_world import JQL, ODD, OWNER, TRIES, Place, drawn

SLACK = [
    *ODD,
    "deploy",
    "qzroomzq",
    "qzroomzq*",
    '"qzroomzq said"',
    "from:",
    "from:me",
    "from:@daniel.kowalski",
    "in:",
    "in:#random",
    "in:qzroomzq",
    "in:@me",
    "to:me",
    "with:me",
    "with:",
    "has:link",
    "has::eyes:",
    "has:pin",
    "hasmy:reaction",
    "is:thread",
    "is:dm",
    "is:saved",
    "before:",
    "after:0001-01-01",
    "on:9999-12-31",
    "during:march",
    "before:2026-99-99",
    "on:today",
    "-",
    "-in:#random",
    "-from:me",
    "-qzroomzq",
    "-is:dm",
    "after:yesterday",
]
TRACKER = [
    *ODD,
    "project",
    "=",
    "!=",
    "!~",
    "<",
    ">=",
    "in",
    "not in",
    "is",
    "is not",
    "was",
    "was not in",
    "changed",
    "after",
    "before",
    "during",
    "by",
    "from",
    "to",
    "and",
    "or",
    "not",
    "order by",
    "asc",
    "SEC",
    "SHOP",
    "SHOP-1",
    "SEC-1",
    "text",
    "summary",
    "comment",
    "key",
    "id",
    "status",
    "assignee",
    "labels",
    "sprint",
    "created",
    "due",
    "EMPTY",
    "currentUser()",
    "now()",
    "startOfDay(-1d)",
    "linkedIssues(SEC-1)",
    "membersOf(x)",
    "openSprints()",
    "updatedBy(a,b)",
    "cf[10016]",
    '"qzsecretzq"',
    "Done",
    "-2w",
    "1970-01-01",
    "issuekey",
    "parent",
    "watcher",
    "worklogComment",
    "attachments",
    "votes",
    "filter",
    "text ~ qzsecretzq",
]
CLAUSES = [
    "created > '1970-01-01'",
    "project != SHOP",
    "summary ~ qzsecretzq",
    "comment ~ qzsecretzq",
    "text ~ 'qz*'",
    "votes >= 0",
    "status was 'To Do'",
    "due is EMPTY",
    "assignee is EMPTY",
    "status changed",
    "issue in linkedIssues('SHOP-1')",
    "status != Done",
    "reporter != currentUser()",
    "updated <= now()",
    "sprint is EMPTY",
    "priority in (High, Low)",
    "worklogComment ~ qzsecretzq",
    "watchers = 0",
    "issuetype = Task",
    "summary !~ x",
    "labels is not EMPTY",
    "not (votes = 1",
]


def test_no_search_in_chat_fails_or_shows_a_foreign_room(place: Place) -> None:
    answered = found = 0
    for query in drawn(11, SLACK):
        answer = place.look("search.all", query=query, count=20)
        if answer is None:
            continue
        answered += 1
        hits = [match["channel"]["id"] for match in answer["messages"]["matches"]]
        found += bool(hits)
        assert set(hits) <= place.rooms, query
        assert "qzroomzq" not in str({**answer, "query": ""}), query
    assert answered > TRIES // 2 and found > TRIES // 20


@pytest.mark.full
def test_no_jql_fails_or_shows_a_foreign_project(place: Place) -> None:
    answered = found = 0
    assert place.hidden
    for jql in drawn(12, TRACKER, CLAUSES):
        answer = place.look(JQL, jql=jql, maxResults=500)
        if answer is None:
            continue
        answered += 1
        found += bool(answer["issues"])
        assert not {int(issue["id"]) for issue in answer["issues"]} & place.hidden, jql
    assert answered > TRIES // 10 and found > TRIES // 20


MAIL = [
    *ODD,
    "qzpostzq",
    "qzblindzq",
    "from:",
    "to:",
    "cc:",
    "bcc:",
    "subject:",
    "label:",
    "has:",
    "in:",
    "is:",
    "list:",
    "filename:",
    "deliveredto:",
    "category:",
    "size:",
    "larger:",
    "smaller:",
    "older_than:",
    "newer_than:",
    "after:",
    "before:",
    "rfc822msgid:",
    "AROUND",
    "AROUND 5",
    "{",
    "}",
    "-",
    "+",
    "me",
    "inbox",
    "anywhere",
    "unread",
    "starred",
    "attachment",
    "primary",
    "2026/01/01",
    "2d",
    "10M",
    "drive",
    "pdf",
    "from:me",
    "in:anywhere",
    "together",
    "in:trash",
]
MAIL_CLAUSES = [
    "bcc:qzblindzq",
    "-bcc:qzblindzq",
    "to:qzpostzq",
    "in:anywhere",
    "has:attachment",
    "larger:1",
    "smaller:9M",
    "older_than:1d",
    "from:me",
    "-from:me",
    "{qzpostzq together}",
    "(together -qzpostzq)",
    "subject:(together)",
    "filename:qzpostzq.txt",
    "is:unread",
    "label:inbox",
    "category:primary",
    "is:muted",
]


@pytest.mark.parametrize(
    "operation", ["users.messages.list", "users.threads.list", "mail.threads", "users.drafts.list"]
)
def test_no_search_in_mail_fails_or_shows_a_foreign_mailbox(place: Place, operation: str) -> None:
    answered = found = 0
    plain: dict[str, Any] = {} if operation == "mail.threads" else {"includeSpamTrash": True}
    tried = list(drawn(13, MAIL, MAIL_CLAUSES))[:: 1 if operation == "users.messages.list" else 4]
    for query in tried:
        answer = place.look(operation, q=query, **plain)
        if answer is None:
            continue
        answered += 1
        ids = {one["id"] for one in (*answer.get("messages", ()), *answer.get("threads", ()))}
        found += bool(ids)
        assert ids <= place.mine, query
        assert "qzpostzq" not in str(answer) and "qzblindzq" not in str(answer), query
    assert answered > len(tried) // 20 and (found > len(tried) // 20 or operation == "users.drafts.list"), (
        answered,
        found,
    )


def test_the_rows_hidden_here_are_found_by_those_inside(place: Place) -> None:
    inside = place.host.principal("t11", OWNER)
    answer = place.host.peek(inside, "rest", "search.all", {"query": "qzroomzq"})
    assert answer["messages"]["total"] and answer["files"]["total"]
    lead = place.raw.execute("SELECT lead_id FROM jira_project WHERE key = 'SEC'").fetchone()[0]
    assert place.host.peek(place.host.principal("t11", lead), "rest", JQL, {"jql": "text ~ qzsecretzq"})["issues"]
    assert place.host.peek(inside, "rest", "users.messages.list", {"q": "bcc:qzpostzq qzpostzq filename:qzpostzq.txt"})[
        "messages"
    ]
