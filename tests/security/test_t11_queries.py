"""T11, T16: whatever is sought, search answers or refuses in words, shows nothing beyond the caller, and its cost stays
bounded.
"""

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.settings import Settings
from world.run.host import Host, open_host

TRIES = int(os.environ.get("FIRMAMENT_FUZZ", "1000"))
OWNER, OUTSIDER = "p_0005", "p_0014"
JQL = "searchAndReconsileIssuesUsingJql"
ODD = [
    "'",
    '"',
    "\\",
    ";",
    "--",
    "/*",
    "*/",
    "%",
    "_",
    "?",
    ":",
    "(",
    ")",
    "*",
    "^",
    "{",
    "}",
    "~",
    "+",
    "-",
    "@",
    "#",
    "\t",
    "\n",
    "\u2028",
    "é",
    "💥",
    "",
    "NEAR",
    "NEAR(a b)",
    "OR 1=1",
    "UNION SELECT",
    "rowid:1",
    "text:a",
    "a OR b",
    "AND",
    "NOT",
    ":q0",
    ":me",
    "?1",
    "$x",
    "0x1",
    "9" * 25,
    "null",
    "1e9",
]
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


class Place:
    """A world with a private room and a private project, and what one person outside of both may see."""

    def __init__(self, host: Host) -> None:
        self.host = host
        host.create("t11", Settings(limits="off"))
        self.raw = host.actors["t11"].bound.raw
        room = self.do(OWNER, "conversations.create", name="qzroomzq", is_private=True)["channel"]["id"]
        self.do(OWNER, "chat.postMessage", channel=room, text="qzroomzq said")
        self.do(OWNER, "files.upload", channels=[room], content="qzroomzq", filename="qzroomzq.txt")
        lead = self.raw.execute("SELECT lead_id FROM jira_project WHERE key = 'SEC'").fetchone()[0]
        fields = {
            "project": {"key": "SEC"},
            "issuetype": {"name": "Task"},
            "summary": "qzsecretzq",
            "labels": ["qzsecretzq"],
        }
        key = self.do(lead, "createIssue", fields=fields)["key"]
        self.do(lead, "addComment", issueIdOrKey=key, body="qzsecretzq")
        address = dict(self.raw.execute("SELECT id, email FROM person").fetchall())
        given = {
            "subject": "qzpostzq",
            "text": "qzpostzq",
            "attachments": [{"filename": "qzpostzq.txt", "data": "eA=="}],
        }
        self.do(OWNER, "mail.send", to=[address[lead]], bcc=["somebody+qzpostzq@partner.example"], **given)
        self.do(
            OWNER, "mail.send", to=[address[OUTSIDER]], subject="together", bcc=["somebody+qzblindzq@partner.example"]
        )
        host.actors["t11"].events.fire_until(host.actors["t11"].now)
        self.mine = {
            row[0] for row in self.raw.execute("SELECT id FROM gmail_message WHERE person_id = ?", (OUTSIDER,))
        }
        self.me = host.principal("t11", OUTSIDER)
        seen = (
            "SELECT c.id FROM slack_channel c WHERE c.kind = 'public' OR c.id IN (SELECT channel_id FROM slack_member"
            " WHERE person_id = ?)"
        )
        self.rooms = {row[0] for row in self.raw.execute(seen, (OUTSIDER,))}
        shown = {int(project["id"]) for project in self.look("getAllProjects")}
        self.hidden = {
            row[0] for row in self.raw.execute("SELECT id, project_id FROM jira_issue") if row[1] not in shown
        }

    def do(self, person: str, operation: str, /, **arguments: Any) -> Any:
        return self.host.call(self.host.principal("t11", person), "rest", operation, arguments)

    def look(self, operation: str, /, **arguments: Any) -> Any:
        """An answer, or None for a refusal in words."""
        try:
            return self.host.peek(self.me, "rest", operation, arguments)
        except OperationError as refusal:
            assert not isinstance(refusal, Outage) and refusal.code
            return None


@pytest.fixture(scope="module")
def place(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    host = open_host(company, tmp_path_factory.mktemp("t11") / "worlds")
    yield Place(host)
    host.store.close()


def drawn(seed: int, pieces: list[str], clauses: list[str] | None = None) -> Iterator[str]:
    """Texts of pieces put together with and without blanks, or of clauses, every fourth with a change somewhere."""
    chance = random.Random(seed)
    for number in range(TRIES):
        text = ("" if number % 3 == 0 else " ").join(chance.choices(pieces, k=chance.randint(1, 9)))
        if clauses and number % 2:
            text = chance.choice((" and ", " or ", " and not ", ") or (")).join(
                chance.choices(clauses, k=chance.randint(1, 4))
            )
        at = chance.randint(0, len(text))
        yield text[:at] + chance.choice(ODD) + text[at + chance.randint(0, 2) :] if number % 4 == 0 else text


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


LONG_SLACK = {
    "words": "w{} ",
    "not": "-w{} ",
    "phrases": '"a b{}" ',
    "prefixes": "p{}* ",
    "from": "from:@u{} ",
    "not from": "-from:me ",
    "with": "with:me ",
    "not with": "-with:me ",
    "to": "to:me ",
    "not to": "-to:me ",
    "on": "on:2026-01-0{} ",
    "has": "has::x{}: ",
    "mine": "hasmy::a{}: ",
    "saved": "is:saved ",
    "in": "in:c{} ",
    "quotes": '"',
    "colons": ":",
    "stars": "*",
    "dashes": "-",
    "hearts": "💥",
}
LONG_JQL = {
    "or": "votes = {} or ",
    "and": "votes != {} and ",
    "mixed": "votes = 1 or votes = {} and ",
    "texts": "text ~ w{} or ",
    "comments": "comment !~ w{} and ",
    "was": "status was Done or ",
    "changed": "status changed by currentUser() and ",
    "linked": 'issue in linkedIssues("SHOP-{}") or ',
    "not": "not ",
    "open": "(",
    "closed": ")",
    "bang": "!",
    "quotes": "'",
    "equals": "=",
    "escapes": "\\u0061",
    "watchers": "watcher = currentUser() and ",
}
LONG_MAIL = {
    "words": "w{} ",
    "not": "-w{} ",
    "or": "w{} OR ",
    "phrases": '"a b{}" ',
    "from": "from:u{} ",
    "not from": "-from:me ",
    "to": "to:me ",
    "bcc": "bcc:x{} ",
    "labels": "label:l{} ",
    "has": "has:attachment ",
    "sizes": "larger:{} ",
    "near": "a AROUND 3 b ",
    "dates": "older_than:{}d ",
    "open": "(",
    "closed": ")",
    "quotes": '"',
    "colons": ":",
    "dashes": "-",
    "hearts": "💥",
    "groups": "(a b) ",
    "lists": "list:x{} ",
    "files": "filename:f{} ",
}
LISTS = {
    "labels": 'labels in ({})|"l{}"',
    "ids": "id in ({})|{}",
    "keys": "key in ({})|SHOP-{}",
    "words": 'text ~ "{}"|w{} ',
    "optional": 'summary ~ "{}"|w{} OR ',
    "order": "project = SHOP order by {}|created{}",
    "groups": "assignee in ({})|'u{}'",
}


def repeated(unit: str, size: int) -> str:
    """A unit over and over, numbered, up to a size."""
    count = size // max(1, len(unit.replace("{}", "100")))
    return "".join(unit.replace("{}", str(n % 1000)) for n in range(count))


def listed(form: str, size: int) -> str:
    around, unit = form.split("|")
    joined = repeated(unit if unit.endswith(" ") else f"{unit},", size - len(around))
    return around.replace("{}", joined.rstrip(","))


def steps(place: Place, work: Callable[[], object]) -> int:
    """How much an answer costs: Python calls, and some for every thousand steps of the database."""
    count = 0

    def called(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    def ticked() -> bool:
        nonlocal count
        count += 100
        return False

    place.raw.set_progress_handler(ticked, 1000)
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
        place.raw.set_progress_handler(None)
    return count


@pytest.mark.parametrize("unit", LONG_SLACK.values(), ids=LONG_SLACK)
def test_a_query_of_the_greatest_length_is_answered_at_a_bounded_cost(place: Place, unit: str) -> None:
    half, whole = (
        steps(place, lambda size=size: place.look("search.all", query=repeated(unit, size))) for size in (1000, 2000)
    )
    assert whole < 1_000_000 and whole < 4 * half + 20_000, (half, whole)


@pytest.mark.parametrize("unit", LONG_MAIL.values(), ids=LONG_MAIL)
def test_a_search_of_mail_of_any_length_is_answered_or_refused_at_a_bounded_cost(place: Place, unit: str) -> None:
    half, whole = (
        steps(place, lambda size=size: place.look("users.messages.list", q=repeated(unit, size))) for size in (450, 900)
    )
    assert whole < 1_000_000 and whole < 4 * half + 30_000, (half, whole)


@pytest.mark.parametrize("text", [*LONG_JQL.values(), *LISTS.values()], ids=[*LONG_JQL, *LISTS])
def test_jql_of_any_length_is_answered_or_refused_at_a_bounded_cost(place: Place, text: str) -> None:
    def ask(size: int) -> object:
        return place.look(JQL, jql=listed(text, size) if "|" in text else repeated(text, size) + "votes = 1")

    half, whole = (steps(place, lambda size=size: ask(size)) for size in (6_000, 12_000))
    assert whole < 3_000_000 and whole < 4 * half + 50_000, (half, whole)


@pytest.mark.parametrize("unit", ["a", "(", "not ", "-a ", '"', "votes = 1 or ", "with:me "])
def test_a_megabyte_of_query_is_refused_before_it_is_read(place: Place, unit: str) -> None:
    text = repeated(unit, 1_000_000)
    for operation, name in (
        ("users.messages.list", "q"),
        ("mail.threads", "q"),
        ("search.all", "query"),
        ("search.messages", "query"),
        (JQL, "jql"),
        ("searchForIssuesUsingJql", "jql"),
        ("countIssues", "jql"),
    ):

        def ask(operation: str = operation, name: str = name) -> None:
            with pytest.raises(InvalidArguments):
                place.host.peek(place.me, "rest", operation, {name: text})

        assert steps(place, ask) < 1_500_000, "more than reading it once"
