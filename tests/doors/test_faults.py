"""A failing service at every door: its vendor's shape, its effect on the world, its time, and life after it."""

import html
from typing import Any

import orjson
import pytest

from tests.doors.fault_scene import APPS, Scene, on
from tests.doors.fault_shapes import LOUD, SHAPES
from tests.doors.same_world import DOORS, differences
from tests.doors.three import Said
from world.core.clock import MINUTE, SECOND
from world.script.faults import FaultKind
from world.web.refusals import OUTAGE_STATUS

TROUBLE = dict.fromkeys(APPS, "is having trouble connecting") | {
    "gmail": "Something's not right",
    "drive": "Trying to reconnect",
}


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
