"""Reading: order, spans, cursors, unread counts. docs.slack.dev/reference/methods/conversations.history and .replies."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.slack.rows import CORE, GENERAL, IM, SECRET, ts

Say = Callable[..., Any]


def stamps(answer: dict[str, Any]) -> list[str]:
    return [message["ts"] for message in answer["messages"]]


def test_history_is_newest_first_without_replies(say: Say) -> None:
    answer = say("conversations.history", channel=CORE)
    assert stamps(answer) == [ts(50), ts(11)]
    assert (answer["has_more"], answer["pin_count"], answer["response_metadata"]) == (False, 1, {"next_cursor": ""})


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ({"oldest": ts(12)}, [30]),
        ({"oldest": ts(12), "inclusive": True}, [30, 12]),
        ({"latest": ts(12)}, [10]),
        ({"latest": ts(12), "inclusive": True}, [12, 10]),
        ({"oldest": ts(10), "latest": ts(30)}, [12]),
        ({"oldest": "0", "latest": "now"}, [30, 12, 10]),
        ({"latest": ts(30), "oldest": ts(30), "inclusive": True}, [30]),
        ({"oldest": ts(40)}, []),
    ],
)
def test_a_span_has_ends_that_count_only_when_inclusive(say: Say, span: dict[str, Any], expected: list[int]) -> None:
    assert stamps(say("conversations.history", channel=GENERAL, **span)) == [ts(n) for n in expected]


def test_pages_go_on_where_they_stopped_although_messages_arrive(say: Say) -> None:
    first = say("conversations.history", channel=GENERAL, limit=2)
    say("chat.postMessage", channel=GENERAL, text="later")
    second = say("conversations.history", channel=GENERAL, limit=2, cursor=first["response_metadata"]["next_cursor"])
    assert (stamps(first), first["has_more"]) == ([ts(30), ts(12)], True)
    assert (stamps(second), second["has_more"], second["response_metadata"]["next_cursor"]) == ([ts(10)], False, "")


def test_a_public_channel_can_be_looked_into_by_people_but_not_by_apps(say: Say, refused: Say) -> None:
    assert stamps(say("conversations.history", "eve", channel=CORE)) == [ts(50), ts(11)]
    say("conversations.leave", "pager", kind="bot", channel=CORE)
    assert refused("conversations.history", "pager", kind="bot", channel=CORE) == "not_in_channel"


def test_a_message_carries_reactions_pins_files_and_its_thread(say: Say) -> None:
    welcome = say("conversations.history", channel=GENERAL)["messages"][-1]
    assert welcome["reactions"] == [
        {"name": "wave", "users": ["U0BO", "U0CYRUS"], "count": 2},
        {"name": "tada", "users": ["U0ADA"], "count": 1},
    ]
    assert welcome["pinned_to"] == [GENERAL]
    report, plan = say("conversations.history", channel=CORE)["messages"]
    assert [(file["id"], file["name"]) for file in report["files"]] == [("F0REPORT01", "report.csv")]
    assert (plan["thread_ts"], plan["reply_count"], plan["subscribed"], plan["last_read"]) == (ts(11), 2, True, ts(14))


def test_a_thread_is_parent_first_then_oldest_first_over_pages(say: Say) -> None:
    assert stamps(say("conversations.replies", channel=CORE, ts=ts(11))) == [ts(11), ts(14), ts(15)]
    first = say("conversations.replies", channel=CORE, ts=ts(11), limit=2)
    second = say(
        "conversations.replies", channel=CORE, ts=ts(11), limit=2, cursor=first["response_metadata"]["next_cursor"]
    )
    assert (stamps(first), first["has_more"], stamps(second), second["has_more"]) == (
        [ts(11), ts(14)],
        True,
        [ts(15)],
        False,
    )


def test_a_message_without_replies_is_a_thread_of_one(say: Say, refused: Say) -> None:
    assert stamps(say("conversations.replies", channel=GENERAL, ts=ts(10))) == [ts(10)]
    assert refused("conversations.replies", channel=GENERAL, ts="1500000000.000001") == "thread_not_found"


def test_a_bad_limit_is_refused_and_a_large_one_capped(say: Say, refused: Say) -> None:
    assert refused("conversations.history", channel=CORE, limit=-1) == "invalid_limit"
    assert len(stamps(say("conversations.history", channel=GENERAL, limit=100_000))) == 3


def unread(say: Say, channel: str, who: str = "ada") -> tuple[int, int]:
    counts = say("client.counts", who)
    item = next(c for kind in ("channels", "ims", "mpims") for c in counts[kind] if c["id"] == channel)
    return item["unread_count"], item["mention_count"]


def test_unread_messages_are_counted_with_mentions(say: Say) -> None:
    assert unread(say, GENERAL) == (2, 1)
    assert unread(say, IM) == (1, 1)
    assert unread(say, GENERAL, "bo") == (2, 0)


def test_marking_moves_the_line_both_ways(say: Say, refused: Say) -> None:
    say("conversations.mark", channel=GENERAL, ts=ts(30))
    assert unread(say, GENERAL) == (0, 0)
    say("conversations.mark", channel=GENERAL, ts=ts(12))
    assert unread(say, GENERAL) == (1, 0)
    assert refused("conversations.mark", "eve", channel=CORE, ts=ts(11)) == "not_in_channel"


def test_writing_reads_what_came_before(say: Say) -> None:
    say("chat.postMessage", channel=GENERAL, text="mine")
    assert unread(say, GENERAL) == (0, 0)
    assert unread(say, GENERAL, "bo") == (3, 0)


def test_unread_conversations_come_with_their_messages(say: Say) -> None:
    found = say("conversations.unreads")
    assert [item["name"] for item in found["channels"]] == ["Bo", "#general", "#core"]
    assert [m["ts"] for m in found["channels"][1]["messages"]] == [ts(12), ts(30)]
    say("conversations.setMuted", channel=GENERAL)
    assert [item["name"] for item in say("conversations.unreads")["channels"]] == ["Bo", "#core"]
    assert [item["name"] for item in say("conversations.unreads", mentions_only=True)["channels"]] == ["Bo"]


def test_followed_threads_show_unread_replies(say: Say) -> None:
    view = say("subscriptions.thread.getView")
    assert [(t["root_msg"]["ts"], [m["ts"] for m in t["unread_replies"]]) for t in view["threads"]] == [
        (ts(11), [ts(15)])
    ]
    say("subscriptions.thread.mark", channel=CORE, thread_ts=ts(11), ts=ts(15))
    assert say("subscriptions.thread.getView")["total_unread_replies"] == 0
    say("subscriptions.thread.remove", channel=CORE, thread_ts=ts(11))
    assert say("subscriptions.thread.getView")["threads"] == []


def test_the_feed_shows_what_concerns_one_and_nothing_of_foreign_rooms(say: Say) -> None:
    kinds = [(item["type"], item["channel"], item["message"]["ts"]) for item in say("activity.feed")["items"]]
    assert (
        ("mention", CORE, ts(15)) in kinds
        and ("reaction", SECRET, ts(20)) in kinds
        and ("thread_reply", CORE, ts(15)) in kinds
    )
    say("conversations.leave", "dee", channel=SECRET)
    assert SECRET not in [item["channel"] for item in say("activity.feed", "dee")["items"]]


def test_a_starting_client_is_told_its_own_conversations(say: Say) -> None:
    say("conversations.setStarred", channel=CORE)
    say("conversations.setMuted", channel=GENERAL)
    boot = say("client.userBoot")
    assert [channel["name"] for channel in boot["channels"]] == ["ada-notes", "core", "general", "reorg-plans"]
    assert (boot["self"]["id"], boot["starred"], boot["prefs"]["muted_channels"]) == ("U0ADA", [CORE], GENERAL)
    assert [im["user"] for im in boot["ims"]] == ["U0BO"]
