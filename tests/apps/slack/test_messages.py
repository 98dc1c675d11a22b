"""Posting, changing and deleting messages: docs.slack.dev/reference/methods/chat.* unless a test says otherwise."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from tests.apps.slack.rows import BEGAN_S, CORE, GENERAL, IM, OLD, SECRET, ts
from tests.company import START
from world.run.host import Host

Say = Callable[..., Any]


def newest(say: Say, channel: str, who: str = "ada") -> dict[str, Any]:
    return say("conversations.history", who, channel=channel, limit=1)["messages"][0]


def count(host: Host, table: str) -> int:
    return host.actor("w").bound.raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_a_posted_message_is_what_readers_see_first(say: Say) -> None:
    sent = say("chat.postMessage", channel=CORE, text="Deploy *done* & <checked>")
    seen = newest(say, CORE, "bo")
    assert sent["ts"] == f"{START // 1_000_000}.000000"
    assert seen == {**sent["message"]}
    assert (seen["user"], seen["text"], seen["team"]) == ("U0ADA", "Deploy *done* &amp; &lt;checked&gt;", "T0TINY0001")
    assert seen["blocks"][0]["type"] == "rich_text"


def test_time_stamps_rise_even_after_a_message_of_the_future(host: Host, say: Say) -> None:
    host.actor("w").bound.raw.execute("UPDATE slack_channel SET latest_ts = '1999999999.000000' WHERE id = ?", (CORE,))
    first, second = (say("chat.postMessage", channel=CORE, text=word)["ts"] for word in ("a", "b"))
    assert (first, second) == ("1999999999.000001", "1999999999.000002")


def test_a_channel_can_be_named_and_a_person_written_to(say: Say) -> None:
    assert say("chat.postMessage", channel="#core", text="x")["channel"] == CORE
    assert say("chat.postMessage", channel="U0BO", text="x")["channel"] == IM
    new = say("chat.postMessage", channel="U0EVE", text="hello")["channel"]
    assert new.startswith("D") and newest(say, new, "eve")["text"] == "hello"


@pytest.mark.parametrize(
    ("channel", "who", "code"),
    [
        ("C0NOWHERE1", "ada", "channel_not_found"),
        (SECRET, "bo", "channel_not_found"),
        (CORE, "eve", "not_in_channel"),
        (OLD, "ada", "is_archived"),
        (IM, "cyrus", "channel_not_found"),
        ("U0GUS", "ada", "channel_not_found"),
    ],
)
def test_posting_where_one_may_not_is_refused(refused: Say, channel: str, who: str, code: str) -> None:
    assert refused("chat.postMessage", who, channel=channel, text="x") == code


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "no_text"),
        ({"text": "  "}, "no_text"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": [{"type": "nonsense"}]}, "invalid_blocks"),
        ({"text": "x", "blocks": [{"type": "section"}]}, "invalid_blocks"),
        (
            {"text": "x", "blocks": [{"type": "header", "text": {"type": "plain_text", "text": "h" * 151}}]},
            "invalid_blocks",
        ),
        (
            {"text": "x", "blocks": [{"type": "divider", "block_id": "a"}, {"type": "divider", "block_id": "a"}]},
            "invalid_blocks",
        ),
        ({"text": "x", "blocks": [{"type": "divider"}] * 51}, "invalid_blocks"),
        ({"text": "x", "attachments": [{"text": "a"}] * 101}, "too_many_attachments"),
        ({"text": "x", "thread_ts": "1600000000.000001"}, "thread_not_found"),
        ({"text": "x", "markdown_text": "y"}, "markdown_text_conflict"),
    ],
)
def test_a_message_the_service_would_not_take_is_refused(refused: Say, arguments: dict[str, Any], code: str) -> None:
    assert refused("chat.postMessage", channel=CORE, **arguments) == code


def test_a_refused_post_leaves_no_row(host: Host, refused: Say) -> None:
    before = count(host, "slack_message")
    refused("chat.postMessage", channel=OLD, text="x")
    assert count(host, "slack_message") == before


def test_forty_thousand_characters_are_taken(say: Say) -> None:
    assert len(say("chat.postMessage", channel=CORE, text="x" * 40_000)["message"]["text"]) == 40_000


def test_blocks_keep_their_shape_and_give_the_text_when_there_is_none(say: Say) -> None:
    blocks = [
        {"type": "section", "text": {"type": "mrkdwn", "text": "*Alert* on checkout"}},
        {"type": "divider", "block_id": "d"},
    ]
    sent = say("chat.postMessage", channel=CORE, blocks=blocks)["message"]
    assert sent["text"] == "*Alert* on checkout"
    assert [block["type"] for block in sent["blocks"]] == ["section", "divider"]
    assert sent["blocks"][1]["block_id"] == "d" and sent["blocks"][0]["block_id"]


def test_the_same_client_msg_id_of_the_same_person_posts_once(host: Host, say: Say) -> None:
    before = count(host, "slack_message")
    first = say("chat.postMessage", channel=CORE, text="once", client_msg_id="k1")
    again = say("chat.postMessage", channel=CORE, text="once", client_msg_id="k1")
    say("chat.postMessage", "bo", channel=CORE, text="once", client_msg_id="k1")
    assert again["ts"] == first["ts"] and first["message"]["client_msg_id"] == "k1"
    assert count(host, "slack_message") == before + 2


def test_a_reply_counts_in_its_parent_and_stays_out_of_the_channel(say: Say) -> None:
    reply = say("chat.postMessage", "dee", channel=CORE, text="Me too", thread_ts=ts(11))
    assert reply["message"]["thread_ts"] == ts(11) and reply["message"]["parent_user_id"] == "U0BO"
    parent, *replies = say("conversations.replies", channel=CORE, ts=ts(11))["messages"]
    assert (parent["reply_count"], parent["reply_users_count"], parent["latest_reply"]) == (3, 2, reply["ts"])
    assert parent["reply_users"] == ["U0ADA", "U0DEE"] and replies[-1]["text"] == "Me too"
    assert newest(say, CORE)["ts"] == ts(50)


def test_a_reply_to_a_reply_joins_the_thread_of_its_parent(say: Say) -> None:
    assert say("chat.postMessage", channel=CORE, text="x", thread_ts=ts(14))["message"]["thread_ts"] == ts(11)


def test_a_broadcast_reply_is_in_the_channel_with_its_root(say: Say) -> None:
    say("chat.postMessage", channel=CORE, text="For all", thread_ts=ts(11), reply_broadcast=True)
    seen = newest(say, CORE, "bo")
    assert (seen["subtype"], seen["thread_ts"], seen["root"]["ts"]) == ("thread_broadcast", ts(11), ts(11))


def test_an_edit_is_marked_and_an_edit_without_change_is_not(say: Say) -> None:
    same = say("chat.update", channel=CORE, ts=ts(50), text="The report is attached")
    assert "edited" not in same["message"]
    changed = say("chat.update", channel=CORE, ts=ts(50), text="The *final* report")
    assert changed["text"] == "The *final* report" and changed["message"]["edited"]["user"] == "U0ADA"
    assert newest(say, CORE, "bo")["edited"] == changed["message"]["edited"]


def test_an_edit_keeps_blocks_that_are_not_given_and_drops_an_empty_list(say: Say) -> None:
    sent = say("chat.postMessage", channel=CORE, text="a", blocks=[{"type": "divider"}])
    kept = say("chat.update", channel=CORE, ts=sent["ts"], text="b")
    assert [block["type"] for block in kept["message"]["blocks"]] == ["divider"]
    dropped = say("chat.update", channel=CORE, ts=sent["ts"], text="c", blocks=[])
    assert [block["type"] for block in dropped["message"]["blocks"]] == ["rich_text"]


@pytest.mark.parametrize(
    ("who", "channel", "at", "code"),
    [
        ("bo", CORE, ts(50), "cant_update_message"),
        ("ada", CORE, "1.000000", "message_not_found"),
        ("bo", OLD, ts(3), "is_archived"),
    ],
)
def test_what_is_not_ones_own_cannot_be_edited(refused: Say, who: str, channel: str, at: str, code: str) -> None:
    assert refused("chat.update", who, channel=channel, ts=at, text="x") == code


def test_the_edit_window_of_the_workspace_closes(host: Host, refused: Say) -> None:
    host.actor("w").bound.raw.execute("UPDATE slack_workspace SET edit_window_s = 60")
    assert refused("chat.update", channel=CORE, ts=ts(50), text="x") == "edit_window_closed"


def test_a_deleted_message_is_gone_for_every_reader(host: Host, say: Say, refused: Say) -> None:
    say("chat.delete", channel=CORE, ts=ts(50))
    assert ts(50) not in [m["ts"] for m in say("conversations.history", "bo", channel=CORE)["messages"]]
    assert say("search.messages", query="report")["messages"]["total"] == 0
    assert refused("reactions.get", channel=CORE, timestamp=ts(50)) == "message_not_found"
    assert say("pins.list", channel=CORE)["items"] == []
    row = host.actor("w").bound.sql.execute(text("SELECT deleted_by, text FROM slack_message WHERE id = 7")).one()
    assert tuple(row) == ("p_ada", "The report is attached")


def test_a_deleted_parent_leaves_a_tombstone_until_its_last_reply_goes(say: Say, refused: Say) -> None:
    say("chat.delete", "bo", channel=CORE, ts=ts(11))
    seen = next(m for m in say("conversations.history", channel=CORE)["messages"] if m["ts"] == ts(11))
    assert (seen["subtype"], seen["text"], seen["user"], seen["reply_count"]) == (
        "tombstone",
        "This message was deleted.",
        "USLACKBOT",
        2,
    )
    say("chat.delete", "dee", channel=CORE, ts=ts(15))
    say("chat.delete", channel=CORE, ts=ts(14))
    assert ts(11) not in [m["ts"] for m in say("conversations.history", channel=CORE)["messages"]]
    assert refused("conversations.replies", channel=CORE, ts=ts(11)) == "thread_not_found"


def test_only_authors_and_admins_delete(say: Say, refused: Say) -> None:
    assert refused("chat.delete", "dee", channel=CORE, ts=ts(50)) == "cant_delete_message"
    assert say("chat.delete", "ada", channel=CORE, ts=ts(11))["ts"] == ts(11)


def test_an_ephemeral_message_is_in_no_history(host: Host, say: Say, refused: Say) -> None:
    before = say("conversations.history", "bo", channel=CORE)["messages"]
    say("chat.postEphemeral", channel=CORE, user="U0BO", text="psst")
    assert say("conversations.history", "bo", channel=CORE)["messages"] == before
    assert count(host, "slack_ephemeral") == 1
    assert refused("chat.postEphemeral", channel=CORE, user="U0EVE", text="x") == "user_not_in_channel"


def test_an_app_posts_with_its_bot_identity_and_may_dress_up(say: Say) -> None:
    sent = say(
        "chat.postMessage", "pager", kind="bot", channel=CORE, text="x", username="Deploys", icon_emoji="rocket"
    )["message"]
    assert (sent["bot_id"], sent["app_id"], sent["subtype"], sent["username"]) == (
        "B0PAGER001",
        "A0PAGER001",
        "bot_message",
        "Deploys",
    )
    assert sent["icons"] == {"emoji": ":rocket:"} and sent["bot_profile"]["name"] == "Pager Bot"
    plain = say("chat.postMessage", "ada", channel=CORE, text="x", username="Somebody else")["message"]
    assert "username" not in plain and "bot_id" not in plain


def test_names_become_mentions_when_asked_for(host: Host, say: Say) -> None:
    sent = say("chat.postMessage", channel=CORE, text="@bo see #general", link_names=True)["message"]
    assert sent["text"] == f"<@U0BO> see <#{GENERAL}|general>"
    rows = host.actor("w").bound.raw.execute("SELECT target FROM slack_mention WHERE ts = ?", (sent["ts"],)).fetchall()
    assert rows == [("p_bo",)]


def test_a_permalink_is_the_public_one_wherever_it_was_asked_for(say: Say, refused: Say) -> None:
    link = say("chat.getPermalink", channel=CORE, message_ts=ts(14))["permalink"]
    assert link == f"https://tiny.slack.com/archives/{CORE}/p{ts(14).replace('.', '')}?thread_ts={ts(11)}&cid={CORE}"
    assert refused("chat.getPermalink", "bo", channel=SECRET, message_ts=ts(20)) == "channel_not_found"


def test_sending_a_draft_uses_it_up(say: Say, refused: Say) -> None:
    assert refused("drafts.create", channel=GENERAL, text="again") == "draft_already_exists"
    say("chat.postMessage", channel=GENERAL, text="Almost there", draft_id="Dr0ADA00001")
    assert say("drafts.list")["drafts"] == []
    assert refused("drafts.update", draft_id="Dr0ADA00001", text="x") == "draft_not_found"


def test_drafts_are_their_writers_own(say: Say, refused: Say) -> None:
    assert say("drafts.list", "bo")["drafts"] == []
    assert refused("drafts.delete", "bo", draft_id="Dr0ADA00001") == "draft_not_found"


def test_a_message_of_the_day_before_has_its_second(say: Say) -> None:
    assert say("conversations.history", channel=GENERAL)["messages"][-1]["ts"] == f"{BEGAN_S + 600}.000010"


def test_a_channel_kept_for_admins_takes_posts_of_admins_and_its_creator(host: Host, say: Say, refused: Say) -> None:
    host.actor("w").bound.raw.execute("UPDATE slack_channel SET posting = 'admins' WHERE id = ?", (CORE,))
    assert refused("chat.postMessage", "dee", channel=CORE, text="x") == "restricted_action_read_only_channel"
    assert say("chat.postMessage", "ada", channel=CORE, text="x")["ts"]
    assert say("chat.postMessage", "bo", channel=CORE, text="x")["ts"]
