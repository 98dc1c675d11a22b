"""People, groups, presence, status. docs.slack.dev/reference/methods/users.*, usergroups.*, dnd.*."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.company import START
from world.run.host import Host

Say = Callable[..., Any]
HOUR = 3600


def test_everybody_is_listed_with_apps_and_leavers(say: Say) -> None:
    page = say("users.list")
    kinds = {user["name"]: (user["is_bot"], user["deleted"]) for user in page["members"]}
    assert kinds["pager"] == (True, False) and kinds["gus"] == (False, True) and kinds["ada"] == (False, False)
    assert kinds["slackbot"] == (False, False) and page["response_metadata"]["next_cursor"] == ""


def test_pages_of_users_cover_everybody_once(say: Say) -> None:
    seen, cursor = [], ""
    while True:
        page = say("users.list", limit=3, cursor=cursor)
        seen += [user["id"] for user in page["members"]]
        cursor = page["response_metadata"]["next_cursor"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == 8


def test_a_user_is_described_in_the_shape_of_the_documentation(say: Say, refused: Say) -> None:
    user = say("users.info", user="U0BO", include_locale=True)["user"]
    assert (user["name"], user["real_name"], user["tz"], user["tz_offset"], user["locale"]) == (
        "bo",
        "Bo Lindqvist",
        "Europe/Berlin",
        3600,
        "de-DE",
    )
    profile = user["profile"]
    assert (profile["status_text"], profile["status_emoji"], profile["email"]) == (
        "Heads down",
        ":headphones:",
        "bo@tiny.example",
    )
    assert refused("users.info", user="U0NOBODY") == "user_not_found"


def test_a_mail_address_finds_its_user_by_alias_too(say: Say, refused: Say) -> None:
    assert say("users.lookupByEmail", email="b.lindqvist@tiny.example")["user"]["id"] == "U0BO"
    assert refused("users.lookupByEmail", email="gus@tiny.example") == "users_not_found"


def test_a_status_runs_out_at_its_time(host: Host, say: Say) -> None:
    now = START // 1_000_000
    say(
        "users.profile.set",
        profile={"status_text": "Lunch", "status_emoji": ":ramen:", "status_expiration": now + HOUR},
    )
    assert say("users.profile.get", "bo", user="U0ADA")["profile"]["status_text"] == "Lunch"
    host.actor("w").advance(START + 2 * HOUR * 1_000_000)
    assert say("users.profile.get", "bo", user="U0ADA")["profile"]["status_text"] == ""


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "invalid_profile"),
        ({"profile": {"shoe_size": "43"}}, "invalid_profile"),
        ({"name": "status_text", "value": "x" * 101}, "too_long"),
        ({"profile": {"status_expiration": "soon"}}, "invalid_profile"),
    ],
)
def test_a_profile_takes_only_what_it_has(refused: Say, arguments: dict[str, Any], code: str) -> None:
    assert refused("users.profile.set", **arguments) == code


def test_presence_follows_working_hours_and_ones_own_word(host: Host, say: Say) -> None:
    assert say("users.getPresence", user="U0BO") == {"presence": "active"}
    say("users.setPresence", "bo", presence="away")
    assert say("users.getPresence", user="U0BO") == {"presence": "away"}
    assert say("users.getPresence", "bo")["manual_away"] is True
    host.actor("w").advance(START + 14 * HOUR * 1_000_000)
    assert say("users.getPresence", user="U0DEE") == {"presence": "away"}


def test_people_are_found_by_name_and_title(say: Say) -> None:
    assert [u["name"] for u in say("users.search", query="lind")["users"]] == ["bo"]
    assert [u["name"] for u in say("users.search", query="engineer")["users"]] == ["ada", "bo", "eve"]


def test_a_snooze_lasts_its_minutes(host: Host, say: Say, refused: Say) -> None:
    assert refused("dnd.endSnooze", "bo") == "snooze_not_active"
    assert say("dnd.setSnooze", "bo", num_minutes=30)["snooze_remaining"] == 1800
    assert say("dnd.info", "bo")["snooze_enabled"] is True and "snooze_enabled" not in say("dnd.info", user="U0BO")
    assert say("dnd.endSnooze", "bo")["snooze_enabled"] is False


def test_quiet_hours_are_the_next_night(say: Say) -> None:
    info = say("dnd.info")
    assert (info["next_dnd_start_ts"], info["next_dnd_end_ts"]) == (1772485200, 1772521200)  # 22:00 and 08:00 in Berlin


def test_a_group_gets_members_and_is_mentioned_by_them(host: Host, say: Say, refused: Say) -> None:
    group = say("usergroups.create", name="Lemon Team", description="Sour")["usergroup"]
    assert (group["handle"], group["users"]) == ("lemon-team", [])
    say("usergroups.users.update", usergroup=group["id"], users="U0BO,U0EVE")
    assert say("usergroups.users.list", usergroup=group["id"])["users"] == ["U0BO", "U0EVE"]
    assert say("usergroups.users.update", usergroup=group["id"], users=["U0EVE"])["usergroup"]["users"] == ["U0EVE"]
    say("usergroups.disable", usergroup=group["id"])
    assert refused("usergroups.users.list", usergroup=group["id"]) == "no_such_subteam"
    assert say("usergroups.enable", usergroup=group["id"])["usergroup"]["date_delete"] == 0


@pytest.mark.parametrize(
    ("operation", "arguments", "code"),
    [
        ("usergroups.create", {"name": "On-call"}, "name_already_exists"),
        ("usergroups.create", {"name": "x", "handle": "oncall"}, "handle_already_exists"),
        ("usergroups.create", {"name": "x", "handle": "ada"}, "handle_already_exists"),
        ("usergroups.create", {"name": "!", "handle": "a b"}, "invalid_handle"),
        ("usergroups.update", {"usergroup": "S0NOPE", "name": "x"}, "no_such_subteam"),
        ("usergroups.users.update", {"usergroup": "S0ONCALL01", "users": []}, "no_users_provided"),
        ("usergroups.users.update", {"usergroup": "S0ONCALL01", "users": ["U0NO"]}, "user_not_found"),
        ("usergroups.enable", {"usergroup": "S0ONCALL01"}, "already_enabled"),
        ("usergroups.disable", {"usergroup": "S0RETIRED1"}, "already_disabled"),
    ],
)
def test_what_a_group_cannot_be(refused: Say, operation: str, arguments: dict[str, Any], code: str) -> None:
    assert refused(operation, **arguments) == code


def test_groups_are_listed_without_the_disabled_ones(say: Say) -> None:
    assert [g["handle"] for g in say("usergroups.list")["usergroups"]] == ["oncall"]
    assert [g["handle"] for g in say("usergroups.list", include_disabled=True)["usergroups"]] == ["oncall", "retired"]


def test_the_token_knows_whose_it_is(say: Say) -> None:
    assert say("auth.test") == {
        "url": "https://tiny.slack.com/",
        "team": "Tiny",
        "user": "ada",
        "team_id": "T0TINY0001",
        "user_id": "U0ADA",
        "is_enterprise_install": False,
    }
    assert say("auth.test", "pager", kind="bot")["bot_id"] == "B0PAGER001"


def test_a_bot_is_described_by_the_id_in_its_messages(say: Say, refused: Say, host: Host) -> None:
    bot = (
        host.actors["w"].bound.raw.execute("SELECT bot_id FROM slack_profile WHERE bot_id <> '' LIMIT 1").fetchone()[0]
    )
    told = say("bots.info", bot=bot)["bot"]
    assert (told["id"], told["deleted"]) == (bot, False) and told["user_id"].startswith("U") and told["name"]
    assert say("bots.info") == {} and refused("bots.info", bot="B0NOBODY") == "bot_not_found"


def test_the_emoji_of_a_status_is_told_with_its_character(say: Say) -> None:
    profile = say("users.profile.set", profile={"status_text": "Away", "status_emoji": ":palm_tree:"})["profile"]
    (shown,) = profile["status_emoji_display_info"]
    assert (shown["emoji_name"], shown["unicode"]) == ("palm_tree", "1f334")


def test_a_new_channel_is_unread_from_the_beginning(say: Say) -> None:
    made = say("conversations.create", name="fresh-start")["channel"]
    assert (made["last_read"], made["priority"]) == ("0000000000.000000", 0)
