"""Worlds with faults, what is written in each app there, and what can be seen of it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from tests.conftest import first
from tests.doors.same_world import ADMIN, FEED
from tests.doors.three import Doors, Said, Trace, trace
from world.core.clock import MINUTE
from world.core.operation import Operation
from world.core.settings import Settings
from world.script.faults import Fault, FaultKind
from world.script.scenario import Script, compile_script

COLLEAGUE = "p_0003"
APPS = ("slack", "jira", "gmail", "github", "drive")
HERE, REPOSITORY, ISSUE = {"owner": "quayline", "repo": "payments"}, "/quayline/payments", 9
WORDS = ("apricot", "bergamot", "cardamom")
SNIPPET = re.compile(r'class="row-snippet">(.*?)</span>')
NUMBERS = count(1)
SPREADSHEET = "application/vnd.google-apps.spreadsheet"


@dataclass(frozen=True, slots=True)
class Place:
    """One thing to write in an app, where its form stands, and the channel or issue it goes to."""

    operation: Operation
    arguments: Mapping[str, Any]
    page: str
    form: str
    lost: str
    words: str = "text"

    def saying(self, text: str) -> dict[str, Any]:
        """The same with another text."""
        return {**self.arguments, self.words: text}


class Scene:
    """Worlds of one server, each with its own faults; calls through a door, and what they left."""

    def __init__(self, doors: Doors) -> None:
        self.doors, self.host, self.do = doors, doors.host, doors.server.do
        self.start: int = self.do(lambda: self.host.create("plain").now)
        self.channel = self.do(self._channel)
        self.key, self.email = (
            "SHOP-1",
            self.do(lambda: str(first(self.host, "plain", "SELECT email FROM person WHERE id = ?", ADMIN))),
        )
        self.book = self.do(self._book)
        self.world, self.since = "", 0

    def _channel(self) -> str:
        mine = self.host.call(self.host.principal("plain", ADMIN), "rest", "users.conversations", {})["channels"]
        for room in mine:
            people = self.host.call(
                self.host.principal("plain", ADMIN),
                "rest",
                "conversations.members",
                {"channel": room["id"], "limit": 200},
            )
            accounts = dict(
                self.host.actors["plain"].bound.raw.execute(
                    "SELECT external_id, person_id FROM account WHERE app = 'slack'"
                )
            )
            if COLLEAGUE in {accounts.get(member) for member in people["members"]}:
                return room["id"]
        raise LookupError("no channel has both")

    def _book(self) -> str:
        """A spreadsheet that both may write."""
        asked = {"q": f"mimeType = '{SPREADSHEET}' and trashed = false", "pageSize": 1000}
        both = [
            self.host.call(self.host.principal("plain", who), "rest", "drive.files.list", asked)["files"]
            for who in (ADMIN, COLLEAGUE)
        ]
        mine, theirs = ({file["id"] for file in files if file["capabilities"]["canEdit"]} for files in both)
        return min(mine & theirs)

    def place(self, app: str) -> Place:
        """What is written in an app."""
        if app == "slack":
            arguments = {"channel": self.channel, "text": "Deploy is done"}
            return Place(
                self.host.operation("chat.postMessage"),
                arguments,
                f"/client/{self.channel}",
                "composer",
                "Your message was not sent.",
            )
        if app == "gmail":
            arguments = {"to": [self.email], "subject": "Release", "text": "Deploy is done"}
            return Place(
                self.host.operation("mail.send"),
                arguments,
                "/mail/inbox?compose=new",
                "compose-form",
                "Your message was not sent.",
            )
        if app == "github":
            arguments = {**HERE, "issue_number": ISSUE, "body": "Deploy is done"}
            return Place(
                self.host.operation("issues/create-comment"),
                arguments,
                f"{REPOSITORY}/issues/{ISSUE}",
                "comment",
                "Not saved.",
                "body",
            )
        if app == "drive":
            arguments = {"fileId": self.book, "content": "Deploy is done"}
            return Place(
                self.host.operation("drive.comments.create"),
                arguments,
                f"/d/{self.book}/edit?pane=comments&cell=A1",
                "new-comment",
                "Your comment wasn't posted.",
                "content",
            )
        arguments = {"issueIdOrKey": self.key, "body": "Deploy is done", "contentFormat": "wiki"}
        return Place(
            self.host.operation("addComment"), arguments, f"/browse/{self.key}", "add-comment", "Not saved.", "body"
        )

    def stage(self, *tell: Callable[[Script], None], app: str, person: str = ADMIN, **settings: Any) -> None:
        """A world of these scripts; from now on the doors lead there. Faults written by `on` last from +1m to +11m."""
        self.world, script = f"s{next(NUMBERS)}", Script("faults", self.start)
        for one in tell:
            one(script)
        timeline = compile_script(script, horizon="4h")
        self.do(lambda: self.host.create(self.world, Settings(**settings), timeline))
        self._enter(app, person)

    def fork(self, world: str, app: str, after: int = 2 * MINUTE) -> None:
        """Another copy of a staged world, its form opened in time, and what o'clock it is there."""
        self.world = f"s{next(NUMBERS)}"
        self.do(lambda: self.host.fork(self.host.actors[world], self.world))
        self._enter(app, ADMIN)
        self.at(after)

    def _enter(self, app: str, person: str) -> None:
        self.doors.become(self.world, person, app, "bot" if person == FEED else "user")
        if person != FEED:
            self.doors.open_page(next(iter(self.host.apps[app].operations.values())))

    def at(self, after: int) -> None:
        """Let it be that long after the start."""
        self.do(lambda: self.host.actors[self.world].advance(self.start + after))
        self.since = self.do(lambda: self.host.actors[self.world].version)

    def call(self, door: str, operation: Operation, arguments: Mapping[str, Any]) -> tuple[Said, Trace, int]:
        """One call: what was said, what it left, and the microseconds it took."""
        before = self.do(lambda: self.host.actors[self.world].now)
        said = self.doors.call(door, operation, arguments)
        left = self.do(lambda: trace(self.host, self.world, self.since))
        self.since = self.do(lambda: self.host.actors[self.world].version)
        return said, left, left.now - before

    def read(self, door: str, operation: str, arguments: Mapping[str, Any], page: str) -> str:
        """What an employee sees: the answer of a reading operation, or a page."""
        if door == "page":
            return self.doors.look(f"/{self.host.operation(operation).app}{page}").text
        return self.doors.call(door, self.host.operation(operation), arguments).text

    def room(self, door: str, app: str) -> str:
        """The channel, the issue or the mailbox as it can be read at a door."""
        if app == "gmail":
            listed = self.read(door, "mail.threads", {"folder": "all"}, "/mail/all")
            return " ".join(SNIPPET.findall(listed)) if door == "page" else listed
        if app == "slack":
            return self.read(door, "conversations.history", {"channel": self.channel}, f"/client/{self.channel}")
        if app == "github":
            return self.read(
                door,
                "issues/list-comments",
                {**HERE, "issue_number": ISSUE, "per_page": 100},
                f"{REPOSITORY}/issues/{ISSUE}",
            )
        if app == "drive":
            return self.read(
                door,
                "drive.comments.list",
                {"fileId": self.book, "pageSize": 100},
                f"/d/{self.book}/edit?pane=comments&show=all",
            )
        return self.read(
            door,
            "getComments",
            {"issueIdOrKey": self.key, "maxResults": 5000, "contentFormat": "wiki"},
            f"/browse/{self.key}",
        )


def on(app: str, kind: FaultKind, **more: Any) -> Callable[[Script], None]:
    """A fault of ten minutes."""
    fault = Fault("trouble", app, kind, **more)
    return lambda script: script.fault(fault, start="+1m", end="+11m") and None
