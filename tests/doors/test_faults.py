"""A failing service at every door: its vendor's shape, its effect on the world, its time, and life after it."""

import base64
import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import orjson
import pytest

from apps.gmail import outgoing
from apps.jira.rest.routes import LINES
from tests.conftest import Server, first
from tests.doors.test_doors import ADMIN, DOORS, FEED, differences
from tests.doors.three import Doors, Said, Trace, trace
from world.core.clock import HOUR, MINUTE, SECOND
from world.core.operation import Operation
from world.core.settings import Settings
from world.script.faults import Backlog, Fault, FaultKind
from world.script.scenario import Script, compile_script
from world.script.stage import Stage
from world.web.refusals import OUTAGE_STATUS

COLLEAGUE = "p_0003"
APPS = ("slack", "jira", "gmail", "github", "drive")
HERE, REPOSITORY, ISSUE = {"owner": "quayline", "repo": "payments"}, "/quayline/payments", 9
JIRA_DOWN = {"errorMessages": ["Internal server error"], "errors": {}}
READ_ONLY = "Jira is in read-only mode. Please try again later."
SIGNED_OUT = "Client must be authenticated to access this resource."
TROUBLE = dict.fromkeys(APPS, "is having trouble connecting") | {
    "gmail": "Something's not right",
    "drive": "Trying to reconnect",
}
WORDS = ("apricot", "bergamot", "cardamom")
SNIPPET = re.compile(r'class="row-snippet">(.*?)</span>')
NUMBERS = count(1)
SPREADSHEET = "application/vnd.google-apps.spreadsheet"


def google(code: int, status: str, reason: str, message: str, said: str = "", **more: str) -> dict[str, Any]:
    """An error of the mail API."""
    inner = {"message": said or message, "domain": "global", "reason": reason, **more}
    return {"error": {"code": code, "message": message, "errors": [inner], "status": status}}


def octo(status: int, message: str) -> dict[str, str]:
    """An error of the code host's API."""
    return {"message": message, "documentation_url": "https://docs.github.com/rest", "status": str(status)}


SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
MAIL_DOWN = google(500, "INTERNAL", "backendError", "Backend Error")
FILES_DOWN = google(500, "INTERNAL", "backendError", "Internal error encountered.")
MAIL_AWAY = google(503, "UNAVAILABLE", "backendError", "The service is currently unavailable.")
NO_LOGIN = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid"
    " authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
)
QUOTA = "User-rate limit exceeded.  Retry after {}"

# What REST answers, and the text of the tool result: docs/faults.md, FIDELITY of each vendor as its rest module says.
SHAPES: dict[str, dict[str, tuple[int, Any]]] = {
    "slack": {
        "auth_expired": (200, {"ok": False, "error": "token_revoked"}),
        "transport": (0, {"ok": False, "error": "internal_error"}),
        "timeout": (200, {"ok": False, "error": "request_timeout"}),
        "ratelimit": (429, {"ok": False, "error": "ratelimited"}),
        "readonly": (200, {"ok": False, "error": "service_unavailable"}),
        "error": (200, {"ok": False, "error": "internal_error"}),
        "write_then_error": (200, {"ok": False, "error": "fatal_error"}),
        "corrupt_payload": (200, '{"ok":true,"messages":[{"type":"mess'),
        "partial": (200, {"ok": False, "error": "service_unavailable"}),
    },
    "jira": {
        "auth_expired": (401, {"errorMessages": [SIGNED_OUT], "errors": {}}),
        "transport": (0, JIRA_DOWN),
        "timeout": (504, "upstream request timeout"),
        "ratelimit": (429, {"errorMessages": ["Rate limit exceeded."], "errors": {}}),
        "readonly": (503, {"errorMessages": [READ_ONLY], "errors": {}}),
        "error": (500, JIRA_DOWN),
        "write_then_error": (500, JIRA_DOWN),
        "corrupt_payload": (200, '{"expand":"schema,names","startAt":0,"maxRe'),
        "partial": (503, "Your Atlassian Cloud site is currently unavailable"),
    },
    "gmail": {
        "auth_expired": (
            401,
            google(
                401,
                "UNAUTHENTICATED",
                "authError",
                NO_LOGIN,
                "Invalid Credentials",
                location="Authorization",
                locationType="header",
            ),
        ),
        "transport": (0, MAIL_DOWN),
        "error": (500, MAIL_DOWN),
        "write_then_error": (500, MAIL_DOWN),
        "timeout": (504, google(504, "DEADLINE_EXCEEDED", "backendError", "Deadline exceeded")),
        "ratelimit": (
            429,
            google(
                429,
                "RESOURCE_EXHAUSTED",
                "rateLimitExceeded",
                QUOTA.format("2026-03-02T08:04:03.000Z"),
                domain="usageLimits",
            ),
        ),
        "readonly": (503, MAIL_AWAY),
        "partial": (503, MAIL_AWAY),
        "corrupt_payload": (200, '"messages": [\n    {\n      "id": "18'),
    },
    "drive": {
        "auth_expired": (
            401,
            google(
                401,
                "UNAUTHENTICATED",
                "authError",
                NO_LOGIN,
                "Invalid Credentials",
                location="Authorization",
                locationType="header",
            ),
        ),
        "transport": (0, FILES_DOWN),
        "error": (500, FILES_DOWN),
        "write_then_error": (500, FILES_DOWN),
        "timeout": (504, google(504, "DEADLINE_EXCEEDED", "backendError", "Deadline exceeded")),
        "ratelimit": (
            403,
            {
                "error": {
                    "code": 403,
                    "message": "User Rate Limit Exceeded",
                    "errors": [
                        {
                            "message": "User Rate Limit Exceeded",
                            "domain": "usageLimits",
                            "reason": "userRateLimitExceeded",
                        }
                    ],
                }
            },
        ),
        "readonly": (503, MAIL_AWAY),
        "partial": (503, MAIL_AWAY),
        "corrupt_payload": (200, '{\n  "kind": "drive#f'),
    },
    "github": {
        "auth_expired": (401, octo(401, "Bad credentials")),
        "transport": (0, octo(502, "Server Error")),
        "timeout": (504, "taking too long to load"),
        "ratelimit": (403, octo(403, SECONDARY)),
        "readonly": (503, octo(503, "GitHub is in read-only mode for maintenance.")),
        "error": (502, octo(502, "Server Error")),
        "write_then_error": (502, octo(502, "Server Error")),
        "corrupt_payload": (200, '[{"url":"https://api.githu'),
        "partial": (503, "taking too long to load"),
    },
}
LOUD = list(SHAPES["slack"])


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


@pytest.fixture(scope="module")
def scene(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One server for all faults."""
    server = Server(company, tmp_path_factory.mktemp("faults"))
    doors = Doors(server)
    yield Scene(doors)
    doors.close()
    server.stop()


def on(app: str, kind: FaultKind, **more: Any) -> Callable[[Script], None]:
    """A fault of ten minutes."""
    fault = Fault("trouble", app, kind, **more)
    return lambda script: script.fault(fault, start="+1m", end="+11m") and None


def shaped(app: str, kind: str, door: str, said: Said) -> None:
    """The vendor's own words at this door."""
    status, body = SHAPES[app][kind]
    waits = kind == "ratelimit"
    if door == "page":
        assert said.status == OUTAGE_STATUS[kind] or (kind == "auth_expired" and said.status == 303), said.text[:300]
        assert "Traceback" not in said.text and ("120 seconds" in said.text) == waits
        return
    text = said.text.removesuffix("\nRetry after 120 seconds.") if door == "mcp" and waits else said.text
    assert said.status == (status if door == "rest" else 0)
    assert ("retry-after" in said.headers) == (waits and door == "rest")
    if door == "mcp":
        assert not said.accepted and (text != said.text) == waits
    if door == "rest" and kind == "transport":
        assert text == ""
    elif isinstance(body, str):
        assert body in text
    else:
        assert orjson.loads(text) == body


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("kind", LOUD)
def test_a_failure_has_its_shape_its_effect_its_time_and_an_end_at_every_door(
    scene: Scene, app: str, kind: FaultKind
) -> None:
    scene.stage(on(app, kind, retry_after_s=120 if kind == "ratelimit" else None), app=app)
    place, root, during, after = scene.place(app), scene.world, {}, {}
    wrote = kind == "write_then_error"
    for door in DOORS:
        scene.fork(root, app)
        said, left, took = scene.call(door, place.operation, place.arguments)
        shaped(app, kind, door, said)
        assert (left.statuses, bool(left.rows)) == ([kind], wrote), door
        assert took == (33 if kind == "timeout" else 3) * SECOND, door
        during[door] = said, left
        scene.at(12 * MINUTE)
        again, then, took = scene.call(door, place.operation, place.arguments)
        assert again.accepted and then.statuses == ["ok"] and took == 3 * SECOND, (door, again.text[:300])
        after[door] = again, then
        assert scene.room(door, app).count("Deploy is done") >= (2 if wrote else 1), door
    problems = [
        line for line in (*differences("during", during), *differences("after", after)) if ": accepted at" not in line
    ]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("app", APPS)
def test_a_limited_call_is_refused_until_its_wait_is_over(scene: Scene, app: str) -> None:
    scene.stage(on(app, "ratelimit", retry_after_s=1200, reason="jira-quota-tenant-based"), app=app)
    place, root = scene.place(app), scene.world
    for door in DOORS:
        scene.fork(root, app)
        scene.call(door, place.operation, place.arguments)
        scene.at(12 * MINUTE)
        early, left, _ = scene.call(door, place.operation, place.arguments)
        assert (left.statuses, left.rows) == (["early_retry"], ()), door
        if door == "rest":
            assert (early.status, early.headers["retry-after"]) == (SHAPES[app]["ratelimit"][0], "600")
        else:
            assert "600 seconds" in early.text and "early" not in early.text.lower().replace("nearly", ""), door
        scene.at(22 * MINUTE + SECOND)
        assert scene.call(door, place.operation, place.arguments)[1].statuses == ["ok"], door


def test_a_tracker_says_in_headers_what_the_limit_was_and_when_it_ends(scene: Scene) -> None:
    scene.stage(on("jira", "ratelimit", retry_after_s=120, reason="jira-quota-tenant-based"), app="jira")
    scene.at(2 * MINUTE)
    place = scene.place("jira")
    headers = scene.call("rest", place.operation, place.arguments)[0].headers
    assert {name: headers[name] for name in headers if name.startswith(("x-ratelimit", "ratelimit", "retry"))} == {
        "retry-after": "120",
        "x-ratelimit-limit": "100",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-nearlimit": "true",
        "ratelimit-reason": "jira-quota-tenant-based",
        "x-ratelimit-reset": "2026-03-02T08:04:03.000Z",
    }


@pytest.mark.parametrize("app", APPS)
def test_a_patient_world_lets_the_wait_pass_when_a_limited_call_is_repeated(scene: Scene, app: str) -> None:
    scene.stage(on(app, "ratelimit", retry_after_s=1200), app=app, retry="patient")
    place, root = scene.place(app), scene.world
    for door in DOORS:
        scene.fork(root, app)
        assert scene.call(door, place.operation, place.arguments)[1].statuses == ["ratelimit"], door
        scene.doors.reload()
        _, left, took = scene.call(door, place.operation, place.arguments)
        assert (left.statuses[-1], took) == ("ok", 1200 * SECOND), door


@pytest.mark.parametrize("app", APPS)
def test_latency_takes_simulated_time_and_nothing_else(scene: Scene, app: str) -> None:
    scene.stage(on(app, "latency", latency_ms=60_000, sigma=0.0), app=app)
    place, root = scene.place(app), scene.world
    for door in DOORS:
        scene.fork(root, app)
        said, left, took = scene.call(door, place.operation, place.arguments)
        assert (said.accepted, left.statuses, took) == (True, ["ok"], 63 * SECOND), door
        scene.at(12 * MINUTE)
        assert scene.call(door, place.operation, place.saying("No wait"))[2] == 3 * SECOND, door


@pytest.mark.parametrize("app", APPS)
def test_a_degraded_service_fails_the_same_calls_at_every_door(scene: Scene, app: str) -> None:
    scene.stage(on(app, "error", rate=0.5), app=app)
    place, root, seen = scene.place(app), scene.world, {}
    for door in DOORS:
        scene.fork(root, app)
        seen[door] = [scene.call(door, place.operation, place.saying(f"try {n}"))[1].statuses[-1] for n in range(10)]
    assert seen["rest"] == seen["mcp"] == seen["page"]
    assert set(seen["rest"]) == {"error", "ok"}


SEARCHES = {
    "slack": (("search.*",), "search.messages", {"query": "quokka"}, "/search?q=quokka"),
    "jira": (
        ("search*", "countIssues"),
        "searchForIssuesUsingJql",
        {"jql": "summary ~ quokka", "fields": ["summary"]},
        "/issues?jql=summary~quokka",
    ),
    "github": (
        ("search/*",),
        "search/issues-and-pull-requests",
        {"q": "quokka repo:quayline/payments"},
        f"{REPOSITORY}/issues?q=quokka",
    ),
    "gmail": (("users.*.list", "mail.threads"), "users.threads.list", {"q": "quokka"}, "/mail/search?q=quokka"),
    "drive": (("drive.files.list",), "drive.files.list", {"q": "fullText contains 'quokka'"}, "/search?q=quokka"),
}


def entry(scene: Scene, app: str) -> tuple[str, dict[str, Any], str]:
    """What writes something to be found, its arguments, and the table of what it makes."""
    if app == "slack":
        return "chat.postMessage", {"channel": scene.channel, "text": "quokka marzipan"}, ""
    if app == "gmail":
        return "mail.send", scene.place(app).saying("quokka marzipan"), "gmail_message"
    if app == "github":
        return "issues/create", {**HERE, "title": "quokka marzipan"}, "github_issue"
    if app == "drive":
        return "drive.files.create", {"name": "quokka marzipan", "mimeType": SPREADSHEET}, "drive_file"
    fields = {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "quokka marzipan"}
    return "createIssue", {"fields": fields}, "jira_issue"


def itself(scene: Scene, door: str, app: str, made: Mapping[str, Any]) -> str:
    """What was written, by its key."""
    if app == "slack":
        return scene.room(door, app)
    if app == "gmail":
        return scene.read(door, "users.messages.get", {"id": made["id"]}, f"/mail/all/{made['thread_id']}")
    if app == "github":
        return scene.read(
            door, "issues/get", {**HERE, "issue_number": made["number"]}, f"{REPOSITORY}/issues/{made['number']}"
        )
    if app == "drive":
        return scene.read(door, "drive.files.get", {"fileId": made["key"]}, f"/d/{made['key']}/edit")
    return scene.read(door, "getIssue", {"issueIdOrKey": made["key"]}, f"/browse/{made['key']}")


@pytest.mark.parametrize("app", APPS)
def test_a_stale_search_misses_what_a_look_at_the_thing_itself_shows(scene: Scene, app: str) -> None:
    operations, search, asked, page = SEARCHES[app]
    scene.stage(on(app, "stale_read", operations=operations), app=app)
    root = scene.world
    write, arguments, table = entry(scene, app)
    for door in DOORS:
        scene.fork(root, app)
        left = scene.call(door, scene.host.operation(write), arguments)[1]
        made = next((row[-1] for row in left.rows if row[1] == table and row[3] == "insert"), {})
        assert "marzipan" not in scene.read(door, search, asked, page), door
        assert "marzipan" in itself(scene, door, app, made), door
        scene.at(12 * MINUTE)
        assert "marzipan" in scene.read(door, search, asked, page), door


def colleague(scene: Scene, app: str, *minutes: int) -> Callable[[Script], None]:
    """A colleague who writes one word at each of these minutes."""

    def tell(script: Script) -> None:
        for minute, word in zip(minutes, WORDS, strict=False):

            def say(stage: Stage, word: str = word) -> None:
                place = scene.place(app)
                stage.act(COLLEAGUE, place.operation.id, **place.saying(word))

            script.at(f"+{minute}m", say, name=word)

    return tell


def arrivals(scene: Scene) -> list[tuple[int, str]]:
    """When a colleague's writes went through, in seconds after the start, and how."""
    sql = "SELECT at, status FROM _call WHERE actor = ? AND at >= ? ORDER BY seq"
    found = scene.do(lambda: scene.host.actors[scene.world].bound.raw.execute(sql, (COLLEAGUE, scene.start)).fetchall())
    return [((at - scene.start) // SECOND, str(status)) for at, status in found if isinstance(at, int)]


def seen(text: str) -> list[str]:
    """The words that can be read, in their order."""
    return sorted((word for word in WORDS if word in text), key=text.index)


HELD = [
    (app, kind) for app in APPS for kind in ("delay_event", "error") if (app, kind) != ("github", "delay_event")
]  # it has deliveries


@pytest.mark.parametrize(("app", "kind"), HELD)
def test_what_was_held_back_arrives_in_order_at_its_pace(scene: Scene, app: str, kind: FaultKind) -> None:
    delivered = app == "gmail" and kind == "delay_event"  # what was sent is under way, and what waits is its delivery
    held = ("gmail.hand_over",) if delivered else (scene.place(app).operation.id,)
    scene.stage(on(app, kind, operations=held, backlog=Backlog(per_minute=6)), colleague(scene, app, 2, 3, 4), app=app)
    root = scene.world
    for door in DOORS:
        scene.fork(root, app, 5 * MINUTE)
        assert seen(scene.room(door, app)) == [], door
        scene.at(11 * MINUTE + 15 * SECOND)
        assert seen(scene.room(door, app)) == [WORDS[0]], door
        scene.at(13 * MINUTE)
        shown, at = seen(scene.room(door, app)), (120, 180, 240) if delivered else (670, 680, 690)
        assert shown in (list(WORDS), list(reversed(WORDS))) and arrivals(scene) == [(second, "ok") for second in at], (
            door
        )


MAILS = (
    "SELECT c.text, m.internal_at FROM gmail_message m JOIN gmail_mail c ON c.id = m.mail_id"
    " WHERE m.person_id = ? AND c.sender_id = ? AND c.sent_at > ?"
)


def had(scene: Scene) -> list[tuple[str, int]]:
    """The mails a colleague had from the employee, and when they came in, in seconds after the start."""
    found = scene.do(
        lambda: scene.host.actors[scene.world].bound.raw.execute(MAILS, (COLLEAGUE, ADMIN, scene.start)).fetchall()
    )
    return sorted(((str(text), (int(at) - scene.start) // SECOND) for text, at in found), key=lambda one: one[1])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("kind", "during", "after"),
    [
        ("delay_event", 0, [662, 664]),
        ("drop_event", 0, []),
        ("dup_event", 2, [120, 123]),
    ],
)
def test_mail_that_was_taken_comes_late_never_or_once_whatever_door_it_went_out_by(
    scene: Scene, kind: FaultKind, during: int, after: list[int]
) -> None:
    scene.stage(on("gmail", kind, operations=("gmail.hand_over",)), app="gmail")
    place, root, ends = scene.place("gmail"), scene.world, {}
    to = scene.do(lambda: str(first(scene.host, "plain", "SELECT email FROM person WHERE id = ?", COLLEAGUE)))
    for door in DOORS:
        scene.fork(root, "gmail")
        for word in WORDS[:2]:
            said = scene.call(door, place.operation, {**place.saying(word), "to": [to]})[0]
            assert said.accepted and said.status == {"rest": 200, "mcp": 0, "page": 303}[door], (door, said.text[:300])
        scene.at(5 * MINUTE)
        assert len(had(scene)) == during, door
        scene.at(15 * MINUTE)
        assert had(scene) == list(zip(WORDS, after, strict=False)), door
        ends[door] = Said(True, ""), scene.do(lambda: trace(scene.host, scene.world, 0))
    assert not differences("mail under way", ends)


def test_a_delay_without_a_backlog_of_its_own_loses_nothing(scene: Scene) -> None:
    scene.stage(on("slack", "delay_event"), colleague(scene, "slack", 2, 3), app="slack")
    scene.at(12 * MINUTE)
    assert arrivals(scene) == [(662, "ok"), (664, "ok")]


@pytest.mark.parametrize(
    "more", [{"operations": ("reactions.*",)}, {"people": frozenset({ADMIN})}, {"doors": frozenset({"rest"})}]
)
def test_an_outage_holds_back_only_what_it_hits(scene: Scene, more: dict[str, Any]) -> None:
    scene.stage(on("slack", "error", backlog=Backlog(), **more), colleague(scene, "slack", 2), app="slack")
    scene.at(3 * MINUTE)
    assert arrivals(scene) == [(120, "ok")]


def test_what_is_written_while_an_outage_fades_is_not_held_back_for_ever(scene: Scene) -> None:
    scene.stage(
        on("slack", "error", backlog=Backlog(per_minute=6), ramp_s=60), colleague(scene, "slack", 5, 20), app="slack"
    )
    scene.at(30 * MINUTE)
    assert [at for at, status in arrivals(scene) if status == "ok"][-1] == 1200
    assert len(arrivals(scene)) == 2


@pytest.mark.parametrize("app", APPS)
def test_a_page_whose_service_fails_has_its_banner(scene: Scene, app: str) -> None:
    scene.stage(on(app, "error", retry_after_s=90), app=app)
    scene.at(2 * MINUTE)
    page = scene.doors.look(f"/{app}{scene.place(app).page}")
    banner = html.unescape(page.text.partition('id="banner"')[2].partition('class="button')[0])
    assert (page.status_code, page.headers["retry-after"]) == (500, "90")
    assert 'role="alert"' in banner and TROUBLE[app] in banner and "90 seconds" in banner


@pytest.mark.parametrize("app", APPS)
def test_a_form_that_fails_says_what_was_lost_beside_what_was_typed(scene: Scene, app: str) -> None:
    place = scene.place(app)
    scene.stage(on(app, "error", operations=(place.operation.id,)), app=app)
    scene.at(2 * MINUTE)
    told, lost = (html.escape(said).replace("&#x27;", "&#39;") for said in (TROUBLE[app], place.lost))
    typed = place.saying("kept as typed")
    shown_in = "sheets" if app == "drive" else app  # comments on a spreadsheet stand beside its grid
    plain = scene.doors.page(place.operation, typed, place.page, app=shown_in, _form=place.form)
    assert plain.status == 500 and "kept as typed</textarea>" in plain.text
    assert f'id="{place.form}-error"' in plain.text and told in plain.text and lost in plain.text
    script = scene.doors.page(place.operation, typed, place.page, app=shown_in, _form=place.form, _script="1")
    assert (script.status, script.headers["hx-retarget"]) == (500, f"#{place.form}-error")
    assert told in script.text and lost in script.text and "<form" not in script.text
    toast = scene.doors.page(place.operation, typed, place.page, app=shown_in, _script="1")
    assert toast.headers["hx-retarget"] == "#toasts" and 'role="alert"' in toast.text


def burst(scene: Scene, door: str, operation: str, arguments: Mapping[str, Any], times: int) -> list[Said]:
    """So many calls at once."""
    return [scene.doors.call(door, scene.host.operation(operation), arguments) for _ in range(times)]


@pytest.mark.parametrize(
    ("operation", "arguments", "limit"),
    [
        ("getServerInfo", {}, 100),
        ("assignIssue", {"issueIdOrKey": "SHOP-1", "accountId": None}, 50),
    ],
)
def test_a_tracker_limits_bursts_by_the_second_and_endpoint(
    scene: Scene, operation: str, arguments: dict[str, Any], limit: int
) -> None:
    scene.stage(app="jira", read_s=0, write_s=0)
    root = scene.world
    for door in ("rest", "mcp"):
        scene.fork(root, "jira")
        *served, last = burst(scene, door, operation, arguments, limit + 1)
        assert all(said.accepted for said in served) and not last.accepted, door
        other = scene.doors.call(door, scene.host.operation("getCurrentUser"), {})
        assert other.accepted, door
        if door == "rest":
            assert (last.status, last.headers["retry-after"], last.headers["x-ratelimit-limit"]) == (
                429,
                "1",
                str(limit),
            )
            assert last.headers["ratelimit-reason"] == "jira-burst-based"
        assert orjson.loads(last.text.split("\n")[0])["errorMessages"] == ["Rate limit exceeded."]
        assert ("Retry after 1 seconds." in last.text) == (door == "mcp")
        scene.at(2 * MINUTE + 2 * SECOND)
        assert scene.doors.call(door, scene.host.operation(operation), arguments).accepted, door


def limited(said: Said, door: str, sentence: str) -> None:
    """The mail service's words for a quota that is used up."""
    assert not said.accepted
    if door == "page":
        assert said.status == 429 and sentence in said.text
        return
    assert said.status == (429 if door == "rest" else 0)
    error = orjson.loads(said.text.partition("\nRetry after")[0])["error"]
    assert (error["code"], error["status"], error["errors"][0]["reason"]) == (
        429,
        "RESOURCE_EXHAUSTED",
        "rateLimitExceeded",
    )
    assert sentence in error["message"]


def test_a_mailbox_has_250_units_a_second_of_which_a_mail_takes_100(scene: Scene) -> None:
    scene.stage(app="gmail", read_s=0, write_s=0)
    place, root = scene.place("gmail"), scene.world
    raw = base64.urlsafe_b64encode(f"To: {scene.email}\r\n\r\nHello.".encode()).decode()
    for door in DOORS:
        scene.fork(root, "gmail")
        sent = [scene.call(door, place.operation, place.saying(word)) for word in WORDS]
        assert [left.statuses[-1] for _, left, _ in sent] == ["ok", "ok", "ratelimit"], door
        limited(
            sent[-1][0], door, "Try again in 1 seconds." if door == "page" else QUOTA.format("2026-03-02T08:02:01.000Z")
        )
        if door != "page":
            assert scene.doors.call(door, scene.host.operation("users.labels.list"), {}).accepted, door
            api = scene.doors.call(door, scene.host.operation("users.messages.send"), {"raw": raw})
            limited(api, door, QUOTA.format("2026-03-02T08:02:01.000Z"))
        scene.at(2 * MINUTE + 2 * SECOND)
        assert scene.call(door, place.operation, place.arguments)[1].statuses == ["ok"], door


def test_reads_and_writes_of_sheets_are_counted_apart_and_each_over_all_methods(scene: Scene) -> None:
    scene.stage(app="sheets", read_s=0, write_s=0)
    root, reads = scene.world, ("spreadsheets.get", "spreadsheets.values.get")
    arguments = {"spreadsheetId": scene.book, "range": "A1"}

    def read(number: int) -> None:
        asked = arguments if number % 2 else {"spreadsheetId": scene.book}
        scene.host.call(scene.host.principal(scene.world, ADMIN), "rest", reads[number % 2], asked)

    for door in DOORS:
        scene.fork(root, "sheets")
        scene.do(lambda: [read(number) for number in range(60)])
        reading = scene.host.operation("spreadsheets.values.get")
        sentence = (
            "quota metric 'Read requests' and limit 'Read requests per minute per user' of service"
            " 'sheets.googleapis.com'"
        )
        said = scene.call(door, reading, arguments)[0]
        if door == "page":
            assert (said.status, "Try again in 60 seconds." in said.text) == (429, True)
        else:
            assert sentence in said.text and ("RESOURCE_EXHAUSTED" in said.text), door
        writing = {**arguments, "valueInputOption": "RAW", "values": [["x"]]}
        assert scene.call(door, scene.host.operation("spreadsheets.values.update"), writing)[0].accepted, door
        scene.doors.become(scene.world, ADMIN, "drive")
        assert scene.call(door, scene.host.operation("drive.files.list"), {})[0].accepted, door
        scene.doors.become(scene.world, ADMIN, "sheets")
        scene.at(3 * MINUTE + SECOND)
        assert scene.call(door, reading, arguments)[0].accepted, door


def test_a_spreadsheet_that_is_not_computed_shows_loading_at_every_door_until_it_is(scene: Scene) -> None:
    scene.stage(on("sheets", "degraded"), app="sheets")
    root, ends = scene.world, {}
    writing, place = scene.host.operation("spreadsheets.values.update"), {"spreadsheetId": scene.book, "range": "A1:B1"}
    for door in DOORS:
        scene.fork(root, "sheets")
        wrote, left, took = scene.call(
            door, writing, {**place, "valueInputOption": "USER_ENTERED", "values": [["7001", "=A1*2"]]}
        )
        assert (wrote.accepted, left.statuses, took) == (True, ["ok"], 3 * SECOND), door
        seen = scene.read(door, "spreadsheets.values.get", place, f"/d/{scene.book}/edit")
        assert ("7001" in seen, "Loading..." in seen, "14002" in seen) == (True, True, False), door
        scene.at(12 * MINUTE)
        seen = scene.read(door, "spreadsheets.values.get", place, f"/d/{scene.book}/edit")
        assert ("Loading..." in seen, "14002" in seen) == (False, True), door
        ends[door] = Said(True, ""), left
    assert not differences("typed while nothing is computed", ends)


def test_the_code_host_says_in_headers_what_is_left_of_the_hour(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene.host.apps["github"], "units", 3)
    scene.stage(app="github")
    place, root = scene.place("github"), scene.world
    for door in DOORS:
        scene.fork(root, "github")
        said = [scene.call(door, place.operation, place.saying(word)) for word in (*WORDS, "too many")]
        assert [left.statuses[-1] for _, left, _ in said] == ["ok", "ok", "ok", "ratelimit"], door
        last = said[-1][0]
        if door == "rest":
            assert [one.headers["x-ratelimit-used"] for one, _, _ in said] == ["1", "2", "3", "5000"]
            assert (last.status, last.headers["x-ratelimit-remaining"], "retry-after" in last.headers) == (
                403,
                "0",
                False,
            )
            assert int(last.headers["x-ratelimit-reset"]) * SECOND >= scene.start + 2 * MINUTE + HOUR
            assert orjson.loads(last.text)["message"] == "API rate limit exceeded."
        else:
            assert ("API rate limit exceeded." if door == "mcp" else "seconds") in last.text, door
        scene.at(2 * MINUTE + HOUR + MINUTE)
        assert scene.call(door, place.operation, place.arguments)[1].statuses[-1] == "ok", door


def test_a_secondary_limit_without_a_wait_has_no_header_for_it(scene: Scene) -> None:
    scene.stage(on("github", "ratelimit"), app="github")
    scene.at(2 * MINUTE)
    said = scene.call("rest", scene.host.operation("repos/get"), HERE)[0]
    assert (said.status, orjson.loads(said.text)["message"], "retry-after" in said.headers) == (403, SECONDARY, False)
    assert (said.headers["x-ratelimit-remaining"], said.headers["x-ratelimit-resource"]) == ("5000", "core")


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("userRateLimitExceeded", "User Rate Limit Exceeded"),
        ("dailyLimitExceeded", "Daily Limit Exceeded"),
    ],
)
def test_a_quota_of_a_person_is_told_as_403_over_rest_and_mcp(scene: Scene, reason: str, sentence: str) -> None:
    scene.stage(on("gmail", "ratelimit", reason=reason, retry_after_s=120), app="gmail")
    scene.at(2 * MINUTE)
    reading = scene.host.operation("users.messages.list")
    rest, mcp = scene.call("rest", reading, {})[0], scene.call("mcp", scene.host.operation("users.labels.list"), {})[0]
    body = google(403, "PERMISSION_DENIED", reason, sentence, domain="usageLimits")
    assert (rest.status, orjson.loads(rest.text), rest.headers["retry-after"]) == (403, body, "120")
    assert orjson.loads(mcp.text.removesuffix("\nRetry after 120 seconds.")) == body


def test_more_mails_than_a_day_allows_are_refused_at_every_door(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "MOST_A_DAY", 2)
    scene.stage(app="gmail")
    place, root = scene.place("gmail"), scene.world
    for door in DOORS:
        scene.fork(root, "gmail")
        sent = [scene.call(door, place.operation, place.saying(word)) for word in WORDS]
        assert [left.statuses[-1] for _, left, _ in sent] == ["ok", "ok", "sending_limit_exceeded"], door
        limited(sent[-1][0], door, "You have reached a limit for sending mail." if door == "page" else "(Mail sending)")
        scene.at(26 * HOUR)
        assert scene.call(door, place.operation, place.arguments)[1].statuses[-1] == "ok", door


def test_every_operation_of_the_tracker_has_the_limit_of_its_http_method(scene: Scene) -> None:
    methods = {line.operation: set[str]() for line in LINES}
    for line in LINES:
        methods[line.operation].add(line.method)
    wrong = {
        name: (found, scene.host.operation(name).limit)
        for name, found in methods.items()
        if (scene.host.operation(name).limit, scene.host.operation(name).window_s)
        != (50 if found <= {"PUT", "DELETE"} else 100, 1)
    }
    assert wrong == {}


@pytest.mark.parametrize("kind", [kind for kind in LOUD if kind not in ("readonly", "write_then_error")])
def test_the_status_pages_fail_in_the_same_words_over_rest_and_mcp(scene: Scene, kind: FaultKind) -> None:
    scene.stage(on("status", kind, retry_after_s=120 if kind == "ratelimit" else None), app="status")
    scene.at(2 * MINUTE)
    reading = scene.host.operation("status.pages")
    rest, mcp = scene.call("rest", reading, {})[0], scene.call("mcp", reading, {})[0]
    code = {"ratelimit": "too_many_requests", "auth_expired": "token_revoked"}.get(kind, "unavailable")
    assert orjson.loads(rest.text) == {"error": code} == orjson.loads(mcp.text.split("\n")[0])
    assert rest.status == {"ratelimit": 429, "auth_expired": 401}.get(kind, 503) and not mcp.accepted
    assert rest.headers.get("retry-after") == ("120" if kind == "ratelimit" else None)


@pytest.mark.parametrize(
    ("operation", "arguments", "body"),
    [
        ("status.summary", {"vendor": "nobody"}, {"error": "not_found"}),
        (
            "status.post",
            {
                "vendor": "aws",
                "incident": "i",
                "name": "Errors",
                "status": "investigating",
                "impact": "minor",
                "body": "Looking.",
            },
            {"error": "forbidden"},
        ),
    ],
)
def test_the_status_pages_refuse_in_the_same_words_over_rest_and_mcp(
    scene: Scene, operation: str, arguments: dict[str, Any], body: dict[str, str]
) -> None:
    scene.stage(app="status")
    asked = scene.host.operation(operation)
    rest, mcp = scene.doors.rest(asked, arguments), scene.doors.mcp(asked, arguments)
    assert orjson.loads(rest.text) == body == orjson.loads(mcp.text)
