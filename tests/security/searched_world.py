"""Texts to search for, and a world in which they find nothing foreign: a private room, a private project, mail of others."""

import os
import random
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from world.core.errors import OperationError, Outage
from world.core.settings import Settings
from world.run.host import Host

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


def repeated(unit: str, size: int) -> str:
    """A unit over and over, numbered, up to a size."""
    count = size // max(1, len(unit.replace("{}", "100")))
    return "".join(unit.replace("{}", str(n % 1000)) for n in range(count))


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
