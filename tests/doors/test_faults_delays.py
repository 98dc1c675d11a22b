"""What a failing service holds back, loses or shows late, whatever door it went in by."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.conftest import first
from tests.doors.fault_scene import APPS, COLLEAGUE, HERE, REPOSITORY, SPREADSHEET, WORDS, Scene, on
from tests.doors.same_world import ADMIN, DOORS, differences
from tests.doors.three import Said, trace
from world.core.clock import MINUTE, SECOND
from world.script.faults import Backlog, FaultKind
from world.script.scenario import Script
from world.script.stage import Stage

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
