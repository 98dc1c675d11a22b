"""slack_sdk, unmodified, against the chat service: both clients, every operation of the first tier, and its retry
handlers.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.clients.day import WORLD, ask, interpreter, new_world, run, token, touched, urgent
from tests.conftest import Server
from tests.doors.same_world import ADMIN
from world.server.control_state import Grant
from world.server.serve import tcp

FIRST_BOT = """SELECT p.id, s.app_id FROM person p JOIN slack_profile s ON s.person_id = p.id
    JOIN account a ON a.person_id = p.id AND a.app = 'slack' WHERE p.kind = 'bot' AND p.status = 'active'
    ORDER BY p.id LIMIT 1"""
ME, PEER = "dkowalski", "karolina.lis@quayline.example"


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_day_with_slack_sdk_reaches_every_method_of_the_first_tier(server: Server, kind: str) -> None:
    python = interpreter("slack_sdk")
    new_world(server)
    report = run(
        python,
        "slack_sdk_day.py",
        kind,
        FIRM_URL=f"{server.url}/slack/api/",
        FIRM_PEER=PEER,
        FIRM_TOKEN=token(server, "slack", ME),
        FIRM_BOT_TOKEN=token(server, "slack", ask(server, FIRST_BOT)[0][0], "bot"),
    )
    assert urgent("slack") - touched(server, "rest") == set()
    channel = report["channel"]
    assert ask(server, "SELECT name, topic, purpose, archived_at FROM slack_channel WHERE id = ?", channel) == [
        ("zephyr-works", "winds &amp; &lt;plans&gt;", "to plan", None)
    ]
    posted = ask(
        server, "SELECT text FROM slack_message WHERE channel_id = ? AND deleted_at IS NULL ORDER BY ts", channel
    )
    assert [text for (text,) in posted] == [
        "zephyrine edited",
        "fallback",
        "reply 0",
        "reply 1",
        "reply 2",
        "the figures",
        "",
    ]
    assert ask(server, "SELECT count(*) FROM slack_ephemeral WHERE channel_id = ?", channel) == [(1,)]
    assert ask(server, "SELECT id FROM slack_scheduled_message WHERE channel_id = ?", channel) == [
        (report["scheduled"],)
    ]
    assert ask(
        server,
        "SELECT name FROM slack_reaction r JOIN slack_message m ON m.id = r.message_id WHERE m.ts = ?",
        report["ts"],
    ) == [("+1",)]


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_the_retry_handler_of_slack_sdk_outlasts_the_limit_in_a_patient_world(server: Server, kind: str) -> None:
    python = interpreter("slack_sdk")
    new_world(server, retry="patient", read_s=2.95)
    url = f"{server.url}/slack/api/"
    report = run(python, "slack_sdk_patience.py", kind, FIRM_URL=url, FIRM_TOKEN=token(server, "slack", ME))
    for method, after in (("emoji.list", ["ok"]), ("usergroups.list", [])):
        statuses = [
            status for (status,) in ask(server, "SELECT status FROM _call WHERE operation = ? ORDER BY seq", method)
        ]
        assert statuses == ["ok"] * 20 + ["ratelimit"] + after, method
    assert report == {"answers": 21, "then": "ratelimited", "retry_after": 1}


def _set_manifest(server: Server, settings: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Subscribe the company's first bot; its person and what the control plane grants it."""
    bot, app = ask(server, FIRST_BOT)[0]
    manifest = {"display_information": {"name": "Works"}, "settings": settings}
    host = server.plane.host
    arguments = {"app_id": app, "manifest": manifest}
    server.do(lambda: host.call(host.principal(WORLD, ADMIN), "rest", "apps.manifest.update", arguments))
    given = Grant.model_validate({"person": bot, "app": "slack", "kind": "bot", "credential": "app_token"})
    return bot, server.do(lambda: server.plane.grant(WORLD, given))


def _list_answers(server: Server, report: dict[str, Any]) -> list[tuple[Any, ...]]:
    return ask(
        server,
        "SELECT person_id, text FROM slack_message WHERE channel_id = ? AND thread_ts = ?",
        report["channel"],
        report["ts"],
    )


def test_an_app_of_slack_sdk_hears_events_over_socket_mode_and_answers(server: Server) -> None:
    python = interpreter("slack_sdk")
    new_world(server)
    events = {"bot_events": ["app_mention", "message.channels"]}
    bot, granted = _set_manifest(server, {"event_subscriptions": events, "socket_mode_enabled": True})
    report = run(
        python,
        "slack_socket_mode.py",
        FIRM_URL=f"{server.url}/slack/api/",
        FIRM_TOKEN=token(server, "slack", ME),
        FIRM_BOT_TOKEN=granted["token"],
        FIRM_APP_TOKEN=granted["credentials"]["token"],
    )
    assert report["came"] and ["events_api", "app_mention", 0] in report["heard"]
    assert ["events_api", "message", 0] in report["heard"]
    assert _list_answers(server, report) == [(bot, "On it.")]


def test_an_app_of_bolt_takes_events_at_its_request_url_and_answers(company: Path, tmp_path: Path) -> None:
    python = interpreter("slack_sdk")
    with tcp("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    server = Server(company, tmp_path, receivers=frozenset({f"127.0.0.1:{port}"}))
    new_world(server)
    events = {"bot_events": ["app_mention"], "request_url": f"http://127.0.0.1:{port}/slack/events"}
    bot, granted = _set_manifest(server, {"event_subscriptions": events})
    report = run(
        python,
        "slack_request_url.py",
        FIRM_URL=f"{server.url}/slack/api/",
        FIRM_PORT=str(port),
        FIRM_TOKEN=token(server, "slack", ME),
        FIRM_BOT_TOKEN=granted["token"],
        FIRM_SIGNING_SECRET=granted["credentials"]["signing_secret"],
    )
    assert report["came"] and report["heard"] == [["event_callback", "app_mention", True]]
    assert _list_answers(server, report) == [(bot, "On it.")]
    server.stop()
