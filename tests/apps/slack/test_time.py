"""What happens by itself later: scheduled messages, reminders; and whom new messages wake."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.slack.rows import CORE, GENERAL, IM, SECRET, ts
from tests.company import START, as_person
from world.core.journal import changes
from world.run.host import Host

Say = Callable[..., Any]
NOW_S = START // 1_000_000
MINUTE = 60_000_000


def texts(say: Say, channel: str, who: str = "ada") -> list[str]:
    return [m["text"] for m in say("conversations.history", who, channel=channel)["messages"]]


def test_a_scheduled_message_is_sent_by_its_author_at_its_time(host: Host, say: Say) -> None:
    plan = say("chat.scheduleMessage", channel=CORE, text="Good morning", post_at=NOW_S + 600)
    assert plan["post_at"] == NOW_S + 600 and "Good morning" not in texts(say, CORE)
    assert plan["scheduled_message_id"] in [m["id"] for m in say("chat.scheduledMessages.list")["scheduled_messages"]]
    host.actor("w").advance(START + 11 * MINUTE)
    sent = say("conversations.history", "bo", channel=CORE, limit=1)["messages"][0]
    assert (sent["user"], sent["text"], sent["ts"]) == ("U0ADA", "Good morning", f"{NOW_S + 600}.000000")
    assert plan["scheduled_message_id"] not in [
        m["id"] for m in say("chat.scheduledMessages.list")["scheduled_messages"]
    ]


def test_a_scheduled_reply_goes_into_its_thread(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", channel=CORE, text="later", post_at=NOW_S + 60, thread_ts=ts(11))
    host.actor("w").advance(START + 2 * MINUTE)
    assert say("conversations.replies", channel=CORE, ts=ts(11))["messages"][-1]["text"] == "later"


def test_a_withdrawn_message_is_never_sent(host: Host, say: Say, refused: Say) -> None:
    plan = say("chat.scheduleMessage", channel=CORE, text="No", post_at=NOW_S + 600)["scheduled_message_id"]
    assert (
        refused("chat.deleteScheduledMessage", "bo", channel=CORE, scheduled_message_id=plan)
        == "invalid_scheduled_message_id"
    )
    say("chat.deleteScheduledMessage", channel=CORE, scheduled_message_id=plan)
    host.actor("w").advance(START + 11 * MINUTE)
    assert "No" not in texts(say, CORE)


def test_a_message_about_to_go_cannot_be_withdrawn(say: Say, refused: Say) -> None:
    plan = say("chat.scheduleMessage", channel=CORE, text="x", post_at=NOW_S + 30)["scheduled_message_id"]
    assert (
        refused("chat.deleteScheduledMessage", channel=CORE, scheduled_message_id=plan)
        == "invalid_scheduled_message_id"
    )


def test_a_message_planned_for_a_channel_since_left_fails(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", channel=CORE, text="gone", post_at=NOW_S + 600)
    say("conversations.leave", channel=CORE)
    host.actor("w").advance(START + 11 * MINUTE)
    assert "gone" not in texts(say, CORE, "bo")
    states = (
        host.actor("w").bound.raw.execute("SELECT state FROM slack_scheduled_message WHERE text = 'gone'").fetchall()
    )
    assert states == [("failed",)]


@pytest.mark.parametrize(("after", "code"), [(0, "time_in_past"), (-5, "time_in_past"), (121 * 86_400, "time_too_far")])
def test_times_that_cannot_be_planned(refused: Say, after: int, code: str) -> None:
    assert refused("chat.scheduleMessage", channel=CORE, text="x", post_at=NOW_S + after) == code


def test_slackbot_reminds_at_the_time_said_in_words(host: Host, say: Say) -> None:
    made = say("reminders.add", text="check the rollout", time="in 15 minutes")["reminder"]
    assert made["time"] == NOW_S + 900
    host.actor("w").advance(START + 16 * MINUTE)
    im = next(im for im in say("client.userBoot")["ims"] if im["user"] == "USLACKBOT")
    message = say("conversations.history", channel=im["id"])["messages"][0]
    assert (message["user"], message["text"], message["ts"]) == (
        "USLACKBOT",
        "Reminder: check the rollout",
        f"{NOW_S + 900}.000000",
    )


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("tomorrow", 86_400),
        ("tomorrow at 9am", 86_400),
        ("today at 15:30", 23_400),
        ("at 5pm", 28_800),
        ("at 8am", 82_800),
        ("wednesday at 10am", 2 * 86_400 + 3600),
        ("in an hour", 3600),
        ("90", 90),
    ],
)
def test_reminder_times_are_read_in_ones_own_zone(say: Say, words: str, after: int) -> None:
    assert (
        say("reminders.add", text="x", time=words)["reminder"]["time"] == NOW_S + after
    )  # it is Monday 09:00 in Berlin


@pytest.mark.parametrize(
    ("time", "code"), [("soonish", "cannot_parse"), ("1600000000", "time_in_past"), ("at 25:00", "cannot_parse")]
)
def test_times_that_mean_nothing_are_refused(refused: Say, time: str, code: str) -> None:
    assert refused("reminders.add", text="x", time=time) == code


def test_reminders_are_ones_own(host: Host, say: Say, refused: Say) -> None:
    assert refused("reminders.add", text="x", time="in 1 hour", user="U0BO") == "cannot_add_others"
    made = say("reminders.add", text="x", time="in 1 hour")["reminder"]["id"]
    assert refused("reminders.info", "bo", reminder=made) == "not_found"
    say("reminders.complete", reminder=made)
    assert say("reminders.info", reminder=made)["reminder"]["complete_ts"] > 0
    say("reminders.delete", reminder=made)
    host.actor("w").advance(START + 70 * MINUTE)
    assert "USLACKBOT" not in [im["user"] for im in say("client.userBoot")["ims"]]


def reached(host: Host, say: Say, who: str, operation: str, **arguments: Any) -> dict[str, str]:
    """Whom the last change of a call by somebody reaches, and with which words."""
    actor = host.actor("w")
    say(operation, who, **arguments)
    found: dict[str, str] = {}
    with actor.events.step("look") as call:
        for change in changes(actor.bound, actor.version - 2, actor.version - 1):
            found |= {notice.person: notice.text for notice in actor.events.notices(call, change) if notice.person}
    return found


@pytest.mark.parametrize(
    ("who", "channel", "text", "people"),
    [
        ("bo", IM, "ping", ["p_ada"]),
        ("bo", CORE, "nothing special", []),
        ("bo", CORE, "hi <@U0DEE>", ["p_dee"]),
        ("bo", CORE, "hi <@U0EVE>", []),
        ("ada", GENERAL, "<!subteam^S0ONCALL01> please", ["p_bo"]),
        ("ada", CORE, "<!here> now", ["p_bo", "p_bot", "p_dee"]),
        ("bo", CORE, "`<@U0DEE>`", []),
        ("ada", SECRET, "<!channel>", ["p_dee"]),
    ],
)
def test_a_message_reaches_whom_it_calls(
    host: Host, say: Say, who: str, channel: str, text: str, people: list[str]
) -> None:
    assert sorted(reached(host, say, who, "chat.postMessage", channel=channel, text=text)) == people


def test_a_reply_reaches_those_who_follow_the_thread(host: Host, say: Say) -> None:
    found = reached(host, say, "dee", "chat.postMessage", channel=CORE, text="done", thread_ts=ts(11))
    assert found == {
        "p_ada": "Dee Okafor replied in a thread you follow in #core: done",
        "p_bo": "Dee Okafor replied in a thread you follow in #core: done",
    }


def test_muted_conversations_and_lines_of_the_service_reach_nobody(host: Host, say: Say) -> None:
    say("conversations.setMuted", channel=IM)
    assert reached(host, say, "bo", "chat.postMessage", channel=IM, text="ping") == {}
    assert reached(host, say, "eve", "conversations.join", channel=CORE) == {}
    assert reached(host, say, "bo", "chat.update", channel=IM, ts=ts(40), text="<@U0ADA> again") == {}


def test_waiting_ends_with_a_direct_message(host: Host, say: Say) -> None:
    say("chat.scheduleMessage", "bo", channel=IM, text="wake up", post_at=NOW_S + 300)
    waited = host.call(as_person(host), "mcp", "world.wait", {"seconds": 3600})
    assert waited["happened"] == ["Slack message from Bo Lindqvist: wake up"]
