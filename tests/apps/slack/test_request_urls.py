"""Request URLs: an app's program on this machine is sent signed events, again until it takes them, in simulated time."""

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import pytest
from starlette.testclient import TestClient

from apps.slack.app import find_signing_secret
from apps.slack.event_delivery import request_urls
from apps.slack.event_delivery.request_urls import deliver
from tests.apps.slack.receivers import PATIENCE_S, Receiver, Reply, Request, on_loop, receiving
from tests.apps.slack.rows import CORE
from tests.apps.slack.web_api import Ask, bearer
from tests.company import as_person
from world.core.clock import SECOND
from world.core.diff import state_hash
from world.core.errors import OperationError
from world.run.call_record import CallRecord
from world.run.host import Host

APP = "A0PAGER001"


def manifest(url: str, *events: str) -> dict[str, Any]:
    subscribed = {"event_subscriptions": {"request_url": url, "bot_events": list(events)}}
    return {"display_information": {"name": "Pager"}, "settings": subscribed}


@contextmanager
def delivering(host: Host, client: TestClient, *addresses: str) -> Iterator[None]:
    """Send what the world has to send to these receivers."""
    assert client.portal is not None
    with patch.object(request_urls, "TIMEOUT_S", PATIENCE_S):  # a slow machine is no lost answer
        task = client.portal.start_task_soon(deliver, host, host.actors["w"], frozenset(addresses))
        try:
            yield
        finally:
            task.cancel()


def secret_of(host: Host, client: TestClient) -> str:
    return on_loop(client, lambda: find_signing_secret(host, as_person(host, "pager", kind="bot")))


def is_signed(host: Host, client: TestClient, request: Request) -> bool:
    """Whether a request is signed as docs.slack.dev/authentication/verifying-requests-from-slack has it."""
    signed = b"v0:" + request.headers["x-slack-request-timestamp"].encode() + b":" + request.body
    mark = "v0=" + hmac.new(secret_of(host, client).encode(), signed, sha256).hexdigest()
    return hmac.compare_digest(mark, request.headers["x-slack-signature"])


def assert_repeats(host: Host, recorded: list[CallRecord]) -> None:
    """The recorded calls alone, without any program outside, lead to the same rows in a fresh world."""
    again, base = host.create("again", host.actors["w"].settings), host.store.base
    for call in recorded:
        kind = "bot" if call.actor == "p_bot" else "user"
        who = host.principal("again", call.actor, app="slack", kind=kind)
        with suppress(OperationError):
            host.call(who, call.door, call.operation, call.arguments)
    assert state_hash(again.bound, base) == state_hash(host.actors["w"].bound, base)


def test_an_address_gives_back_a_challenge_and_is_sent_signed_events(host: Host, client: TestClient, ask: Ask) -> None:
    with receiving(Receiver()) as receiver:
        assert ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url, "message.channels"))["ok"]
        with delivering(host, client, receiver.address):
            asked = receiver.take()
            assert asked.json["type"] == "url_verification" and is_signed(host, client, asked)
            ts = ask("chat.postMessage", "bo", channel=CORE, text="here")["ts"]
            sent = receiver.take()
    assert is_signed(host, client, sent) and sent.headers["content-type"] == "application/json"
    assert "x-slack-retry-num" not in sent.headers
    told = sent.json
    assert (told["type"], told["api_app_id"], told["team_id"]) == ("event_callback", APP, "T0TINY0001")
    assert told["token"] == asked.json["token"] and told["event_id"].startswith("Ev")
    assert told["event"]["ts"] == ts and told["event_time"] == int(ts.split(".")[0])
    [bot] = told["authorizations"]
    assert bot["is_bot"] and bot["team_id"] == "T0TINY0001"


@pytest.mark.parametrize(
    "reply",
    [
        lambda challenge: (200, {"Content-Type": "application/json"}, b'{"challenge": "%s"}' % challenge.encode()),
        lambda challenge: (200, {}, b"challenge=" + challenge.encode()),
    ],
)
def test_a_challenge_may_come_back_as_json_or_as_a_form(
    host: Host, client: TestClient, ask: Ask, reply: Callable[[str], Reply]
) -> None:
    with receiving(Receiver(challenged=reply)) as receiver:
        ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url, "message.channels"))
        with delivering(host, client, receiver.address):
            receiver.take()
            ask("chat.postMessage", "bo", channel=CORE, text="here")
            assert receiver.take().json["type"] == "event_callback"


def test_an_address_that_does_not_give_the_challenge_back_is_sent_no_event(
    host: Host, client: TestClient, ask: Ask
) -> None:
    with receiving(Receiver(challenged=lambda challenge: (200, {}, b"hello"))) as receiver:
        ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url, "message.channels"))
        with delivering(host, client, receiver.address):
            ask("chat.postMessage", "bo", channel=CORE, text="here")
            kinds = {receiver.take().json["type"] for _ in range(3)}
    assert kinds == {"url_verification"}


def test_what_is_not_taken_comes_at_once_after_a_minute_and_after_five_and_is_given_up(
    host: Host, client: TestClient, ask: Ask
) -> None:
    actor, portal = host.actors["w"], client.portal
    assert portal is not None
    with receiving(Receiver(reply=lambda request: (503, {}, b"busy"))) as receiver:
        ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url, "message.channels"))
        with delivering(host, client, receiver.address):
            receiver.take()
            ask("chat.postMessage", "bo", channel=CORE, text="one")
            first = receiver.take()
            for attempt, seconds in (("1", 0), ("2", 60), ("3", 300)):
                portal.call(lambda after=seconds: actor.advance(actor.now + after * SECOND))
                again = receiver.take()
                assert again.body == first.body and is_signed(host, client, again)
                assert again.headers["x-slack-retry-num"] == attempt
                assert again.headers["x-slack-retry-reason"] == "http_error"
            portal.call(lambda: actor.advance(actor.now + 3600 * SECOND))
            ask("chat.postMessage", "bo", channel=CORE, text="two")
            assert receiver.take().json["event"]["text"] == "two"


def test_a_program_that_wants_no_repetition_gets_none(host: Host, client: TestClient, ask: Ask) -> None:
    with receiving(Receiver(reply=lambda request: (500, {"X-Slack-No-Retry": "1"}, b""))) as receiver:
        ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url, "message.channels"))
        with delivering(host, client, receiver.address):
            receiver.take()
            for text in ("one", "two"):
                ask("chat.postMessage", "bo", channel=CORE, text=text)
                assert receiver.take().json["event"]["text"] == text


def test_a_program_that_was_not_allowed_is_sent_nothing(host: Host, client: TestClient, ask: Ask) -> None:
    with receiving(Receiver()) as named, receiving(Receiver()) as other:
        ask("apps.manifest.update", app_id=APP, manifest=manifest(other.url, "message.channels"))
        with delivering(host, client, named.address):
            ask("chat.postMessage", "bo", channel=CORE, text="not for everybody")
            ask("apps.manifest.update", app_id=APP, manifest=manifest(named.url, "message.channels"))
            assert named.take().json["type"] == "url_verification"
        assert other.came.empty()


@pytest.mark.parametrize(
    "url", ["https://example.com/slack", "http://10.0.0.1/", "file:///etc/passwd", "http://127.0.0.1.example/", "x", 7]
)
def test_an_address_elsewhere_is_refused(ask: Ask, url: Any) -> None:
    answer = ask("apps.manifest.validate", manifest=manifest(url, "app_mention"))
    assert answer["error"] == "invalid_manifest"
    assert {"/settings/event_subscriptions/request_url"} <= {one["pointer"] for one in answer["errors"]}


def test_a_delivery_changes_nothing_and_the_calls_alone_repeat_the_world(
    host: Host, client: TestClient, ask: Ask
) -> None:
    bot = on_loop(client, lambda: host.tokens.issue(as_person(host, "pager", kind="bot"), "xoxb-{}"))

    def answer(request: Request) -> Reply:
        event = request.json["event"]
        said = {"channel": event["channel"], "thread_ts": event["ts"], "text": "On it."}
        client.post("/slack/api/chat.postMessage", json=said, headers=bearer(bot))
        return 200, {}, b""

    recorded: list[CallRecord] = []
    with receiving(Receiver(reply=answer)) as receiver:
        host.actors["w"].recorders.append(recorded.append)
        ask("apps.manifest.update", app_id=APP, manifest=manifest(receiver.url, "app_mention"))
        with delivering(host, client, receiver.address):
            receiver.take()
            [user] = [one["id"] for one in ask("users.list")["members"] if one["name"] == "pager"]
            ts = ask("chat.postMessage", "bo", channel=CORE, text=f"<@{user}> look")["ts"]
            receiver.take()
            receiver.finish()
            assert "On it." in str(ask("conversations.replies", channel=CORE, ts=ts))
    assert_repeats(host, recorded)
