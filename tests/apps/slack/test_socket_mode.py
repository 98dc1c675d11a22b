"""Socket Mode: a bot's app is told of what it subscribes to and may see, until it acknowledges, in simulated time."""

from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from apps.slack.app import issue_app_token
from tests.apps.slack.rows import CORE, SECRET
from tests.apps.slack.web_api import Ask, bearer
from tests.company import as_person
from world.core.clock import SECOND
from world.run.host import Host

APP = "A0PAGER001"
EVERYTHING = [
    "app_mention",
    "channel_created",
    "channel_rename",
    "member_joined_channel",
    "message.channels",
    "message.groups",
    "pin_added",
    "reaction_added",
    "reaction_removed",
]


def manifest(*events: str, on: bool = True) -> dict[str, Any]:
    subscribed = {"event_subscriptions": {"bot_events": list(events)}, "socket_mode_enabled": on}
    return {"display_information": {"name": "Pager"}, "settings": subscribed}


@pytest.fixture
def app_token(host: Host) -> str:
    return str(issue_app_token(host, as_person(host, "pager", kind="bot"), [], "")["token"])


def connect(client: TestClient, app_token: str) -> WebSocketTestSession:
    """A connection at the address that the service gives."""
    opened = client.post("/slack/api/apps.connections.open", headers=bearer(app_token)).json()
    assert opened["ok"] and opened["url"].startswith("ws://testserver/slack/link/?app_id=A0PAGER001&ticket=")
    return client.websocket_connect(opened["url"].removeprefix("ws://testserver"))


def hear(socket: WebSocketTestSession) -> dict[str, Any]:
    """The next event, acknowledged."""
    envelope = socket.receive_json()
    socket.send_json({"envelope_id": envelope["envelope_id"]})
    return envelope["payload"]["event"]


def test_an_app_is_told_what_it_subscribes_to(client: TestClient, ask: Ask, app_token: str) -> None:
    assert ask("apps.manifest.update", app_id=APP, manifest=manifest(*EVERYTHING))["ok"]
    with connect(client, app_token) as socket:
        hello = socket.receive_json()
        assert (hello["type"], hello["connection_info"]) == ("hello", {"app_id": APP})
        bot = ask("users.list")["members"]
        [user] = [one["id"] for one in bot if one["is_bot"] and one["name"] == "pager"]
        ts = ask("chat.postMessage", "bo", channel=CORE, text=f"<@{user}> ack")["ts"]
        envelope = socket.receive_json()
        payload = envelope["payload"]
        assert (envelope["type"], envelope["retry_attempt"], envelope["retry_reason"]) == ("events_api", 0, "")
        assert (payload["type"], payload["api_app_id"]) == ("event_callback", APP)
        assert payload["authorizations"][0]["user_id"] == user and payload["event_id"].startswith("Ev")
        said = payload["event"]
        assert (said["type"], said["channel"], said["ts"], said["channel_type"]) == ("message", CORE, ts, "channel")
        assert said["text"] == f"<@{user}> ack" and said["blocks"] and said["event_ts"] == ts
        socket.send_json({"envelope_id": envelope["envelope_id"]})
        assert hear(socket)["type"] == "app_mention"
        ask("reactions.add", "bo", channel=CORE, timestamp=ts, name="eyes")
        put = hear(socket)
        assert (put["type"], put["reaction"], put["item"]["ts"]) == ("reaction_added", "eyes", ts)
        ask("reactions.remove", "bo", channel=CORE, timestamp=ts, name="eyes")
        assert hear(socket)["type"] == "reaction_removed"
        ask("chat.update", "bo", channel=CORE, ts=ts, text="better")
        edited = hear(socket)
        assert (edited["subtype"], edited["message"]["text"]) == ("message_changed", "better")
        assert edited["previous_message"]["text"] == f"<@{user}> ack"
        ask("pins.add", "bo", channel=CORE, timestamp=ts)
        assert hear(socket)["type"] == "pin_added"
        ask("chat.delete", "bo", channel=CORE, ts=ts)
        gone = hear(socket)
        assert (gone["subtype"], gone["deleted_ts"]) == ("message_deleted", ts)
        made = ask("conversations.create", name="new-place")["channel"]["id"]
        created = hear(socket)
        assert (created["type"], created["channel"]["id"], created["channel"]["name"]) == (
            "channel_created",
            made,
            "new-place",
        )


def test_an_app_hears_nothing_where_it_is_no_member_or_of_what_it_does_not_want(
    client: TestClient, ask: Ask, app_token: str
) -> None:
    ask("apps.manifest.update", app_id=APP, manifest=manifest("message.groups", "reaction_added"))
    with connect(client, app_token) as socket:
        socket.receive_json()
        ask("chat.postMessage", channel=SECRET, text="not for the app")
        ts = ask("chat.postMessage", "bo", channel=CORE, text="a kind it has not asked for")["ts"]
        ask("reactions.add", "bo", channel=CORE, timestamp=ts, name="eyes")
        assert hear(socket)["type"] == "reaction_added"


def test_what_is_not_acknowledged_comes_again_in_simulated_time_and_is_given_up(
    host: Host, client: TestClient, ask: Ask, app_token: str
) -> None:
    ask("apps.manifest.update", app_id=APP, manifest=manifest("message.channels"))
    actor, portal = host.actors["w"], client.portal
    assert portal is not None
    with connect(client, app_token) as socket:
        socket.receive_json()
        ask("chat.postMessage", "bo", channel=CORE, text="one")
        first = socket.receive_json()
        names = {first["envelope_id"]}
        for attempt, seconds in ((1, 3), (2, 60), (3, 300)):
            portal.call(lambda after=seconds: actor.advance(actor.now + after * SECOND))
            again = socket.receive_json()
            assert (again["retry_attempt"], again["retry_reason"]) == (attempt, "timeout")
            assert again["payload"] == first["payload"]
            names.add(again["envelope_id"])
        assert len(names) == 4
        portal.call(lambda: actor.advance(actor.now + 400 * SECOND))
        ask("chat.postMessage", "bo", channel=CORE, text="two")
        assert hear(socket)["text"] == "two"


def test_what_happens_while_nobody_listens_is_told_at_the_next_connection(
    client: TestClient, ask: Ask, app_token: str
) -> None:
    ask("apps.manifest.update", app_id=APP, manifest=manifest("message.channels"))
    with connect(client, app_token) as socket:
        socket.receive_json()
    ask("chat.postMessage", "bo", channel=CORE, text="meanwhile")
    with connect(client, app_token) as socket:
        assert socket.receive_json()["type"] == "hello"
        assert hear(socket)["text"] == "meanwhile"


def test_connections_are_for_app_level_tokens_and_for_apps_that_take_them(
    host: Host, client: TestClient, ask: Ask, app_token: str
) -> None:
    assert ask("apps.connections.open")["error"] == "not_allowed_token_type"
    bot = host.tokens.issue(as_person(host, "pager", kind="bot"), "xoxb-{}")
    answer = client.post("/slack/api/apps.connections.open", headers=bearer(bot)).json()
    assert answer["error"] == "not_allowed_token_type"
    assert client.post("/slack/api/chat.postMessage", headers=bearer(app_token)).json()["error"] == "missing_scope"
    with connect(client, app_token) as socket:
        assert socket.receive_json()["reason"] == "link_disabled"
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/slack/link/?ticket=made-up"):
        pass
    ask("apps.manifest.update", app_id=APP, manifest=manifest("message.channels"))
    with connect(client, app_token) as socket:
        socket.receive_json()
        client.portal.call(lambda: host.actors["w"].end("finished"))  # type: ignore[union-attr]
        assert socket.receive_json() == {
            "type": "disconnect",
            "reason": "link_disabled",
            "debug_info": {"host": "applink-1"},
        }


def test_connections_change_nothing_in_the_world(host: Host, client: TestClient, ask: Ask, app_token: str) -> None:
    ask("apps.manifest.update", app_id=APP, manifest=manifest("message.channels"))
    actor = host.actors["w"]
    with connect(client, app_token) as socket:
        socket.receive_json()
        before = actor.version, actor.now
        ask("chat.postMessage", "bo", channel=CORE, text="one")
        hear(socket)
        assert actor.version == before[0] + 1 and actor.now == before[1] + 3 * SECOND


# -- manifests


def test_a_manifest_is_made_read_changed_and_deleted_by_its_maker_and_by_admins(ask: Ask) -> None:
    made = ask("apps.manifest.create", "bo", manifest=manifest("app_mention"))
    assert ask("apps.manifest.export", "bo", app_id=made["app_id"])["manifest"] == manifest("app_mention")
    assert ask("apps.manifest.export", "cyrus", app_id=made["app_id"])["error"] == "no_permission"
    assert ask("apps.manifest.export", app_id=APP)["manifest"]["display_information"] == {"name": "Pager Bot"}
    assert ask("apps.manifest.update", "bo", app_id=APP, manifest=manifest())["error"] == "no_permission"
    assert ask("apps.manifest.delete", app_id=made["app_id"])["ok"]
    assert ask("apps.manifest.export", app_id=made["app_id"])["error"] == "invalid_app_id"


def test_what_is_wrong_with_a_manifest_is_said_with_its_place(ask: Ask) -> None:
    def refused(given: dict[str, Any]) -> list[str]:
        answer = ask("apps.manifest.validate", manifest=given)
        assert answer["error"] == "invalid_manifest"
        return [one["pointer"] for one in answer["errors"]]

    assert refused({}) == ["/display_information/name"]
    events = "/settings/event_subscriptions"
    assert refused(manifest("message.channels", "nothing_such")) == [f"{events}/bot_events/1"]
    assert refused(manifest("message.channels", on=False)) == [events]
    assert ask("apps.manifest.validate", manifest=manifest("team_join"))["errors"] == []
