"""Channels and membership; expectations from docs.slack.dev/reference/methods/conversations.*."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.apps.slack.rows import CORE, GENERAL, IM, OLD, OWN, RANDOM, SECRET, ts

Say = Callable[..., Any]


def names(page: dict[str, Any]) -> list[str]:
    return sorted(channel.get("name", channel["id"]) for channel in page["channels"])


def lines(say: Say, channel: str, who: str = "ada") -> list[tuple[str, str]]:
    return [(m.get("subtype", ""), m["text"]) for m in say("conversations.history", who, channel=channel)["messages"]]


def test_private_channels_are_listed_for_members_only(say: Say) -> None:
    kinds = "public_channel,private_channel,im,mpim"
    assert names(say("conversations.list", types=kinds)) == [
        IM,
        "ada-notes",
        "core",
        "general",
        "launch-2024",
        "random",
        "reorg-plans",
    ]
    assert names(say("conversations.list", "eve", types=kinds)) == [
        "ada-notes",
        "core",
        "general",
        "launch-2024",
        "random",
    ]
    assert names(say("conversations.list", exclude_archived=True)) == ["ada-notes", "core", "general", "random"]


def test_pages_neither_repeat_nor_skip_while_channels_come(say: Say) -> None:
    first = say("conversations.list", limit=2)
    say("conversations.create", name="in-between")
    seen, cursor = names(first), first["response_metadata"]["next_cursor"]
    while cursor:
        page = say("conversations.list", limit=2, cursor=cursor)
        seen, cursor = seen + names(page), page["response_metadata"]["next_cursor"]
    assert len(seen) == len(set(seen)) and {"core", "general", "launch-2024", "random", "ada-notes"} <= set(seen)


@pytest.mark.parametrize("cursor", ["abc", "dXNlcjpVMDpmZg==", "====", "bmV4dF90czoxOmFh"])
def test_a_cursor_of_ones_own_making_is_refused(refused: Say, cursor: str) -> None:
    assert refused("conversations.list", cursor=cursor) == "invalid_cursor"


def test_a_cursor_belongs_to_its_kind_of_list(say: Say, refused: Say) -> None:
    cursor = say("conversations.list", limit=1)["response_metadata"]["next_cursor"]
    assert refused("conversations.members", channel=CORE, cursor=cursor) == "invalid_cursor"


def test_unknown_types_are_refused(refused: Say) -> None:
    assert refused("conversations.list", types="secret") == "invalid_types"


def test_a_channel_is_described_with_topic_and_members(say: Say) -> None:
    channel = say("conversations.info", channel=CORE, include_num_members=True)["channel"]
    assert channel["topic"] == {"value": "Release on Thursday", "creator": "U0BO", "last_set": 1772352060}
    assert (channel["num_members"], channel["is_member"], channel["is_private"], channel["is_channel"]) == (
        4,
        True,
        False,
        True,
    )
    assert say("conversations.info", channel=IM)["channel"]["user"] == "U0BO"


def test_what_one_may_not_see_does_not_exist(refused: Say) -> None:
    for operation in (
        "conversations.info",
        "conversations.history",
        "conversations.members",
        "conversations.leave",
        "pins.list",
    ):
        assert refused(operation, "bo", channel=SECRET) == "channel_not_found"
        assert refused(operation, "cyrus", channel=IM) == "channel_not_found"


def test_a_guest_sees_only_where_it_is_a_member(host: Any, say: Say, refused: Say) -> None:
    host.actor("w").bound.raw.execute(
        "INSERT INTO slack_profile(person_id, status_text, status_emoji, status_expires_at, presence, snooze_until_at,"
        " is_admin, is_owner, is_primary_owner, is_guest, updated_at) VALUES ('p_eve', '', '', 0, 'auto', 0, 0, 0, 0,"
        " 1, 0)"
    )
    assert names(say("conversations.list", "eve")) == ["general"]
    assert refused("conversations.history", "eve", channel=CORE) == "channel_not_found"
    assert refused("conversations.create", "eve", name="mine") == "restricted_action"
    assert say("search.messages", "eve", query="deploy")["messages"]["total"] == 0


def test_a_created_channel_has_its_maker_and_a_line_saying_so(say: Say) -> None:
    made = say("conversations.create", name="project-lemon", is_private=True)["channel"]
    assert (made["name"], made["is_private"], made["creator"], made["is_member"]) == (
        "project-lemon",
        True,
        "U0ADA",
        True,
    )
    assert lines(say, made["id"]) == [("channel_join", "<@U0ADA> has joined the channel")]
    assert say("conversations.members", channel=made["id"])["members"] == ["U0ADA"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "invalid_name_required"),
        ("x" * 81, "invalid_name_maxlength"),
        ("---", "invalid_name_punctuation"),
        ("Has Space", "invalid_name_specials"),
        ("dot.dot", "invalid_name_specials"),
        ("core", "name_taken"),
        ("reorg-plans", "name_taken"),
    ],
)
def test_bad_channel_names_are_refused(refused: Say, name: str, code: str) -> None:
    assert refused("conversations.create", "bo", name=name) == code


def test_joining_and_leaving_leave_lines_and_memberships(say: Say) -> None:
    assert say("conversations.join", channel=RANDOM)["channel"]["is_member"] is True
    assert lines(say, RANDOM)[0] == ("channel_join", "<@U0ADA> has joined the channel")
    assert say("conversations.join", channel=RANDOM)["warning"] == "already_in_channel"
    assert say("conversations.leave", channel=RANDOM) == {}
    assert lines(say, RANDOM)[0] == ("channel_leave", "<@U0ADA> has left the channel")
    assert say("conversations.leave", channel=RANDOM) == {"not_in_channel": True}


@pytest.mark.parametrize(
    ("operation", "who", "channel", "code"),
    [
        ("conversations.join", "eve", SECRET, "channel_not_found"),
        ("conversations.join", "eve", OLD, "is_archived"),
        ("conversations.join", "ada", IM, "method_not_supported_for_channel_type"),
        ("conversations.leave", "ada", GENERAL, "cant_leave_general"),
        ("conversations.archive", "ada", GENERAL, "cant_archive_general"),
        ("conversations.archive", "ada", OLD, "already_archived"),
        ("conversations.unarchive", "ada", CORE, "not_archived"),
        ("conversations.archive", "eve", CORE, "not_in_channel"),
        ("conversations.archive", "ada", IM, "method_not_supported_for_channel_type"),
    ],
)
def test_what_cannot_be_done_to_a_channel_is_refused(
    refused: Say, operation: str, who: str, channel: str, code: str
) -> None:
    assert refused(operation, who, channel=channel) == code


def test_the_last_member_cannot_leave_a_private_channel(say: Say, refused: Say) -> None:
    say("conversations.leave", "dee", channel=SECRET)
    assert refused("conversations.leave", "ada", channel=SECRET) == "last_member"


def test_an_invited_person_is_a_member_and_knows_by_whom(say: Say) -> None:
    say("conversations.invite", channel=SECRET, users=["U0EVE", "U0BO"])
    newest = say("conversations.history", "eve", channel=SECRET, limit=1)["messages"][0]
    assert (newest["subtype"], newest["inviter"]) == ("channel_join", "U0ADA")
    assert "U0BO" in say("conversations.members", channel=SECRET)["members"]


@pytest.mark.parametrize(
    ("users", "code"),
    [
        (["U0ADA"], "cant_invite_self"),
        (["U0NOBODY"], "user_not_found"),
        (["U0BO"], "already_in_channel"),
        (["U0GUS"], "cant_invite"),
        ([], "no_user"),
        (["U0EVE", "U0BO"], "already_in_channel"),
    ],
)
def test_who_cannot_be_invited(say: Say, refused: Say, users: list[str], code: str) -> None:
    assert refused("conversations.invite", channel=CORE, users=users) == code
    assert "U0EVE" not in say("conversations.members", channel=CORE)["members"]


def test_force_invites_those_who_can_be(say: Say) -> None:
    say("conversations.invite", channel=CORE, users=["U0EVE", "U0BO"], force=True)
    assert "U0EVE" in say("conversations.members", channel=CORE)["members"]


def test_kicking_is_for_creators_and_admins_in_public_channels(say: Say, refused: Say) -> None:
    assert refused("conversations.kick", "dee", channel=CORE, user="U0BO") == "restricted_action"
    assert refused("conversations.kick", "bo", channel=CORE, user="U0BO") == "cant_kick_self"
    assert refused("conversations.kick", channel=GENERAL, user="U0BO") == "cant_kick_from_general"
    assert refused("conversations.kick", channel=CORE, user="U0EVE") == "not_in_channel"
    say("conversations.kick", "bo", channel=CORE, user="U0DEE")
    assert "U0DEE" not in say("conversations.members", channel=CORE)["members"]
    assert refused("chat.postMessage", "dee", channel=CORE, text="x") == "not_in_channel"


def test_renaming_keeps_the_old_name_and_is_for_the_creator(say: Say, refused: Say) -> None:
    assert refused("conversations.rename", "bo", channel=OWN, name="mine") == "not_authorized"
    renamed = say("conversations.rename", channel=OWN, name="ada-diary")["channel"]
    assert (renamed["name"], renamed["previous_names"]) == ("ada-diary", ["ada-notes"])
    assert lines(say, OWN)[0] == ("channel_name", '<@U0ADA> has renamed the channel from "ada-notes" to "ada-diary"')


def test_topic_and_purpose_are_set_with_a_line(say: Say, refused: Say) -> None:
    topic = say("conversations.setTopic", "dee", channel=CORE, topic="R&D")["channel"]["topic"]
    assert (topic["value"], topic["creator"]) == ("R&amp;D", "U0DEE")
    newest = say("conversations.history", channel=CORE, limit=1)["messages"][0]
    assert (newest["subtype"], newest["topic"]) == ("channel_topic", "R&amp;D")
    assert (
        say("conversations.setPurpose", channel=CORE, purpose="All of it")["channel"]["purpose"]["value"] == "All of it"
    )
    assert refused("conversations.setTopic", channel=CORE, topic="x" * 251) == "too_long"
    assert refused("conversations.setTopic", "eve", channel=CORE, topic="x") == "not_in_channel"


def test_a_topic_that_is_set_again_leaves_no_second_line(say: Say) -> None:
    room = say("conversations.create", name="quiet")["channel"]["id"]
    for _ in range(2):
        say("conversations.setTopic", channel=room, topic="Only this")
    lines = [one["subtype"] for one in say("conversations.history", channel=room)["messages"] if "subtype" in one]
    assert lines.count("channel_topic") == 1


def test_an_archived_channel_is_readable_until_it_comes_back(say: Say, refused: Say) -> None:
    say("conversations.archive", channel=CORE)
    assert lines(say, CORE)[0][0] == "channel_archive"
    for operation, more in (
        ("chat.postMessage", {"text": "x"}),
        ("conversations.setTopic", {"topic": "x"}),
        ("reactions.add", {"timestamp": ts(11), "name": "x"}),
        ("conversations.invite", {"users": ["U0EVE"]}),
    ):
        assert refused(operation, channel=CORE, **more) == "is_archived"
    say("conversations.unarchive", channel=CORE)
    assert say("chat.postMessage", channel=CORE, text="back")["ts"]


def test_a_direct_message_is_opened_once(say: Say) -> None:
    first = say("conversations.open", users=["U0EVE"])["channel"]["id"]
    again = say("conversations.open", "eve", users=["U0ADA"], return_im=True)
    assert again["channel"]["id"] == first and again["channel"]["user"] == "U0ADA"
    assert say("conversations.open", users=["U0EVE"])["already_open"] is True


def test_a_group_message_belongs_to_its_people(say: Say, refused: Say) -> None:
    group = say("conversations.open", users=["U0EVE", "U0BO"], return_im=True)["channel"]
    assert (group["name"], group["is_mpim"], group["is_group"]) == ("mpdm-ada--bo--eve-1", True, True)
    assert say("conversations.open", "bo", users="U0ADA,U0EVE")["channel"]["id"] == group["id"]
    assert refused("conversations.info", "dee", channel=group["id"]) == "channel_not_found"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "users_list_not_supplied"),
        ({"users": ["U0NO"]}, "user_not_found"),
        ({"users": ["U0GUS"]}, "user_disabled"),
        ({"channel": CORE}, "method_not_supported_for_channel_type"),
        ({"users": ["U0EVE"], "prevent_creation": True}, "channel_not_found"),
    ],
)
def test_what_cannot_be_opened(refused: Say, arguments: dict[str, Any], code: str) -> None:
    assert refused("conversations.open", **arguments) == code


def test_a_closed_direct_message_comes_back_with_the_next_message(say: Say) -> None:
    assert say("conversations.close", channel=IM) == {}
    assert say("conversations.close", channel=IM) == {"no_op": True, "already_closed": True}
    say("chat.postMessage", "bo", channel=IM, text="still there?")
    assert say("conversations.info", channel=IM)["channel"]["is_open"] is True


def test_conversations_of_another_are_those_one_can_see(say: Say) -> None:
    assert names(say("users.conversations", "bo", user="U0ADA", types="public_channel,private_channel")) == [
        "ada-notes",
        "core",
        "general",
        "launch-2024",
    ]


def test_channels_are_found_by_name_topic_or_purpose(say: Say) -> None:
    assert names(say("conversations.search", query="release")) == ["core"]
    assert names(say("conversations.search", "bo", query="reorg")) == []
    assert names(say("conversations.search", query="launch")) == []
    assert names(say("conversations.search", query="launch", include_archived=True)) == ["launch-2024"]
