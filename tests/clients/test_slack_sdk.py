"""slack_sdk, unmodified, against the chat service: both clients, every operation of the first tier, and its retry
handlers.
"""

import pytest

from tests.clients.day import WORLD, ask, interpreter, new_world, run, token, touched, urgent
from tests.conftest import Server
from tests.doors.same_world import ADMIN
from world.server.control_state import Grant

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
        FIRM_BOT_TOKEN=token(server, "slack", ME, "bot"),
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


def test_an_app_of_slack_sdk_hears_events_over_socket_mode_and_answers(server: Server) -> None:
    python = interpreter("slack_sdk")
    new_world(server)
    bot, app = ask(
        server,
        "SELECT p.id, s.app_id FROM person p JOIN slack_profile s ON s.person_id = p.id JOIN account a ON a.person_id ="
        " p.id AND a.app = 'slack' WHERE p.kind = 'bot' AND p.status = 'active' ORDER BY p.id LIMIT 1",
    )[0]
    events = {"bot_events": ["app_mention", "message.channels"]}
    manifest = {
        "display_information": {"name": "Works"},
        "settings": {"event_subscriptions": events, "socket_mode_enabled": True},
    }
    host = server.plane.host
    server.do(
        lambda: host.call(
            host.principal(WORLD, ADMIN), "rest", "apps.manifest.update", {"app_id": app, "manifest": manifest}
        )
    )
    given = Grant.model_validate({"person": bot, "app": "slack", "kind": "bot", "credential": "app_token"})
    granted = server.do(lambda: server.plane.grant(WORLD, given))
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
    answers = ask(
        server,
        "SELECT person_id, text FROM slack_message WHERE channel_id = ? AND thread_ts = ?",
        report["channel"],
        report["ts"],
    )
    assert answers == [(bot, "On it.")]
