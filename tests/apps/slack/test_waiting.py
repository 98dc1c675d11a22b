"""A wait ends for what the caller names, tells the ids to act on, and wakes nobody for what they may not see."""

from typing import Any

from tests.apps.slack.rows import CORE, GENERAL, SECRET
from tests.company import START, Say, as_person
from world.core.clock import MINUTE, SECOND
from world.core.settings import Settings
from world.run.host import Host

LATER = START // SECOND + 300


def _wait(host: Host, who: str = "ada", **more: Any) -> dict[str, Any]:
    return host.call(as_person(host, who, app=""), "mcp", "world.wait", {"seconds": 3600, **more})


def test_a_message_in_a_named_channel_ends_the_wait_with_its_ids(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", "bo", channel=GENERAL, text="Checkout is down", post_at=LATER)
    found = _wait(host, on=["#general"])
    (event,) = found["events"]
    assert event["app"] == "slack" and "Checkout is down" in event["text"] and event["ids"]["channel"] == GENERAL
    assert found["happened"] == [event["text"]]
    (message,) = say("conversations.history", channel=GENERAL, latest=event["ids"]["ts"], inclusive=True, limit=1)[
        "messages"
    ]
    assert message["text"] == "Checkout is down"


def test_without_its_name_the_same_message_lets_the_wait_go_on(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", "bo", channel=GENERAL, text="Checkout is down", post_at=LATER)
    before = host.actors["w"].now
    assert _wait(host)["events"] == [] == _wait(host, on=["#elsewhere"])["events"]
    assert host.actors["w"].now >= before + 2 * 3600 * SECOND


def test_what_the_caller_cannot_see_wakes_nobody(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", "dee", channel=SECRET, text="Not for Bo", post_at=LATER)
    assert _wait(host, "bo", on=[SECRET])["events"] == []


def test_a_mention_in_a_named_channel_is_told_once(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", "bo", channel=CORE, text="<@U0ADA> look", post_at=LATER)
    assert [one["text"] for one in _wait(host, on=[CORE])["events"]] == [
        "Bo Lindqvist mentioned you in #core: @Ada look"
    ]


def test_now_tells_what_is_left_and_the_last_calls_are_counted(host: Host, say: Say) -> None:
    host.drop("w")
    host.create("w", Settings(max_calls=3, horizon_at=START + 60 * MINUTE))
    me = as_person(host, "ada", app="")
    left = [host.call(me, "mcp", "world.now", {})["limits"]["calls_left"] for _ in range(3)]
    assert left == [2, 1, 0]
    assert host.call(me, "mcp", "world.finish", {"status": "done"})["status"] == "done"
