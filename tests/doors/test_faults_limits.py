"""Rate limits and quotas at every door: the vendor's words, its headers, and when they end."""

import base64
from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from apps.gmail import outgoing
from apps.jira.rest.routes import LINES
from tests.doors.fault_scene import APPS, HERE, WORDS, Scene, on
from tests.doors.fault_shapes import QUOTA, SECONDARY, SHAPES, google
from tests.doors.same_world import ADMIN, DOORS
from tests.doors.three import Said
from world.core.clock import HOUR, MINUTE, SECOND


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
