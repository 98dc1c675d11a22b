"""The chat surfaces against the small workspace: every tool called, and what is written is what REST would write."""

import csv
import io
from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.slack
from tests.apps.slack.rows import CORE, GENERAL, IM, OWN, RANDOM, SECRET, ts, workspace_rows
from tests.company import as_person, image, unmetered
from tests.mcp_servers.calls import Desk, written
from world.run.host import Host


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(tmp_path_factory.mktemp("slack"), [apps.slack.app], workspace_rows)


@pytest.fixture
def firm(sealed: Path, tmp_path: Path) -> Host:
    return unmetered(sealed, tmp_path, apps.slack.app, worlds=("w", "rest"))


@pytest.fixture
def vendor(firm: Host) -> Desk:
    return Desk(firm, "slack")


@pytest.fixture
def reference(firm: Host) -> Desk:
    return Desk(firm, "slack", "reference")


@pytest.fixture
def community(firm: Host) -> Desk:
    return Desk(firm, "slack", "community")


def rows(text: str) -> list[dict[str, str]]:
    """The rows of a CSV answer."""
    return list(csv.DictReader(io.StringIO(text)))


def test_messages_are_read_with_names_times_and_threads(vendor: Desk) -> None:
    text = vendor.say("slack_read_channel", channel_id=CORE)
    assert "=== Message from Ada Novak (U0ADA) at 2026-03-01 09:50:00 CET ===" in text
    assert f"Message TS: {ts(11)}" in text
    assert "Thread: 2 replies (latest: 2026-03-01 09:15:00 CET)" in text
    assert "Files: report.csv (F0REPORT01)" in text
    assert "Reactions: eyes (1)" in text
    short = vendor.say("slack_read_channel", channel_id=CORE, response_format="concise")
    assert short.splitlines()[0] == f"2026-03-01 09:50:00 CET Ada Novak: The report is attached [ts {ts(50)}]"


def test_messages_of_apps_are_shown_unless_left_out(vendor: Desk) -> None:
    assert "[Triggered] checkout p99" in vendor.say("slack_read_channel", channel_id=GENERAL)
    assert "[Triggered] checkout p99" not in vendor.say("slack_read_channel", channel_id=GENERAL, include_bots=False)


def test_pages_go_on_where_they_ended(vendor: Desk) -> None:
    first = vendor.say("slack_read_channel", channel_id=GENERAL, limit=1)
    cursor = first.rsplit("cursor: ", 1)[1]
    assert "Lunch today" in vendor.say("slack_read_channel", channel_id=GENERAL, limit=1, cursor=cursor)


def test_a_thread_is_read_by_its_first_message(vendor: Desk) -> None:
    text = vendor.say("slack_read_thread", channel_id=CORE, message_ts=ts(11))
    assert [line.split(" from ")[0] for line in text.splitlines() if line.startswith("===")] == [
        "=== Thread parent",
        "=== Reply",
        "=== Reply",
    ]


def test_a_user_id_stands_for_the_direct_message_with_that_person(vendor: Desk) -> None:
    assert "Can you look at the checkout deploy?" in vendor.say("slack_read_channel", channel_id="U0BO")
    refused, text = vendor.ask("slack_read_channel", channel_id="U0CYRUS")
    assert (refused, orjson.loads(text)["error"]) == (True, "channel_not_found")


def test_the_public_search_does_not_see_what_the_private_one_sees(vendor: Desk) -> None:
    public = vendor.say("slack_search_public", query="deploy")
    both = vendor.say("slack_search_public_and_private", query="deploy")
    assert "Deploy of checkout" in public and "team structure" not in public and "checkout deploy" not in public
    assert "team structure" in both and "Channel: Direct message" in both
    assert "Permalink: " in public
    page = vendor.say("slack_search_public_and_private", query="deploy", limit=1)
    assert "continue with cursor: 2" in page
    assert vendor.say("slack_search_public_and_private", query="deploy", limit=1, cursor="2") != page
    wrong = vendor.ask("slack_search_public", query="deploy", cursor="x")
    assert wrong == (True, "cursor: must be a cursor of an earlier answer")


def test_channels_and_people_are_found(vendor: Desk) -> None:
    found = vendor.say("slack_search_channels", query="core")
    assert f"Name: #core ({CORE})" in found and "Topic: Release on Thursday" in found and "Members: 4" in found
    assert "Name: Bo Lindqvist (U0BO)" in vendor.say("slack_search_users", query="lindq")
    assert "Status: :headphones: Heads down" in vendor.say("slack_read_user_profile", user_id="U0BO")
    assert "Name: Ada Novak (U0ADA)" in vendor.say("slack_read_user_profile")


def test_a_message_is_sent_as_markdown_and_leaves_what_rest_leaves(firm: Host, vendor: Desk) -> None:
    answer = orjson.loads(
        vendor.say("slack_send_message", channel_id=CORE, message="**done** <@U0BO>", thread_ts=ts(11))
    )
    assert answer["message_link"].endswith(f"thread_ts={ts(11)}&cid={CORE}")
    arguments = {"channel": CORE, "markdown_text": "**done** <@U0BO>", "thread_ts": ts(11)}
    firm.call(as_person(firm, world="rest"), "rest", "chat.postMessage", arguments)
    assert written(firm, "w") == written(firm, "rest")
    assert firm.actors["w"].now == firm.actors["rest"].now
    assert any(after and after.get("text") == "*done* <@U0BO>" for *_, after in written(firm, "w"))


def test_drafts_and_scheduled_messages_wait(firm: Host, vendor: Desk) -> None:
    draft = orjson.loads(vendor.say("slack_send_message_draft", channel_id=CORE, message="**soon**"))
    assert draft["channel_link"].endswith(f"/archives/{CORE}")
    later = firm.actors["w"].now // 10**6 + 3600
    planned = orjson.loads(vendor.say("slack_schedule_message", channel_id=CORE, message="later", post_at=later))
    assert (planned["channel_id"], planned["post_at"]) == (CORE, later)
    sent = vendor.say("slack_send_message", channel_id=CORE, message="now", draft_id=draft["draft_id"])
    assert draft["draft_id"] not in str(firm.peek(as_person(firm), "rest", "drafts.list", {}))
    assert "message_context" in sent


def test_a_canvas_is_written_read_and_changed(vendor: Desk) -> None:
    made = orjson.loads(vendor.say("slack_create_canvas", title="Plan", content="# One\n\ntwo"))["canvas_id"]
    vendor.say("slack_update_canvas", canvas_id=made, action="append", content="three")
    text = vendor.say("slack_read_canvas", canvas_id=made)
    assert text.startswith(f"Title: Plan ({made})\n\n# One\n\ntwo\n\nthree")
    section = (
        next(line for line in text.splitlines() if line.endswith(": two")).removeprefix("- ").removesuffix(": two")
    )
    vendor.say("slack_update_canvas", canvas_id=made, action="replace", section_id=section, content="2")
    assert "# One\n\n2\n\nthree" in vendor.say("slack_read_canvas", canvas_id=made)
    wrong = vendor.ask("slack_update_canvas", canvas_id=made, action="burn", content="x")
    assert wrong == (True, "action: must be one of: append, prepend, replace")


def test_refusals_read_as_the_web_api_words_them(vendor: Desk, reference: Desk) -> None:
    refused, text = vendor.ask("slack_send_message", channel_id="C0NOWHERE", message="x")
    assert (refused, orjson.loads(text)) == (True, {"ok": False, "error": "channel_not_found"})
    assert (
        orjson.loads(
            reference.ask(
                "slack_post_message",
                channel_id=SECRET,
                text="x",
            )[1]
        )["ok"]
        is True
    )
    refused, text = reference.ask("slack_post_message", "bo", channel_id=SECRET, text="x")
    assert (refused, orjson.loads(text)["error"]) == (True, "channel_not_found")


def test_the_reference_tools_answer_raw_web_api_json(firm: Host, reference: Desk) -> None:
    def say(tool: str, **given: Any) -> dict[str, Any]:
        answer = orjson.loads(reference.say(tool, **given))
        assert answer.pop("ok") is True
        return answer

    listed = say("slack_list_channels")
    assert {one["name"] for one in listed["channels"]} == {"general", "core", "ada-notes", "random"}
    posted = say("slack_post_message", channel_id=CORE, text="hello")
    reply = say("slack_reply_to_thread", channel_id=CORE, thread_ts=posted["ts"], text="yes")
    assert reply["message"]["thread_ts"] == posted["ts"]
    say("slack_add_reaction", channel_id=CORE, timestamp=posted["ts"], reaction="eyes")
    thread = say("slack_get_thread_replies", channel_id=CORE, thread_ts=posted["ts"])["messages"]
    assert [one["text"] for one in thread] == ["hello", "yes"] and thread[0]["reactions"][0]["name"] == "eyes"
    assert len(say("slack_get_channel_history", channel_id=GENERAL, limit=2)["messages"]) == 2
    assert {one["name"] for one in say("slack_get_users")["members"]} >= {"ada", "bo"}
    assert say("slack_get_user_profile", user_id="U0BO")["profile"]["status_text"] == "Heads down"
    raw = firm.actors["w"].bound.raw
    assert raw.execute("SELECT count(*) FROM _call WHERE door = 'mcp'").fetchone() == (8,)


def test_conversations_are_listed_as_csv(community: Desk) -> None:
    listed = rows(community.say("channels_list", channel_types="public_channel"))
    assert listed[0].keys() == {"ID", "Name", "Topic", "Purpose", "MemberCount", "Cursor"}
    popular = rows(community.say("channels_list", channel_types="public_channel,private_channel", sort="popularity"))
    assert popular[0]["Name"] == "#general"
    some = rows(community.say("channels_list", channel_types="public_channel", query="thursday", query_targets="topic"))
    assert [one["ID"] for one in some] == [CORE]
    mine = rows(community.say("channels_me", channel_types="im"))
    assert [(one["ID"], one["Name"]) for one in mine] == [(IM, "@bo")]


def test_history_is_csv_with_windows_names_and_a_cursor_in_the_last_row(community: Desk) -> None:
    found = rows(community.say("conversations_history", channel_id="#core", limit="2d"))
    assert [(one["UserName"], one["Text"]) for one in found] == [
        ("ada", "The report is attached"),
        ("bo", "Deploy of checkout is planned for Thursday"),
    ]
    assert found[0]["AttachmentIDs"] == "F0REPORT01" and found[1]["Reactions"] == "eyes:1"
    assert rows(community.say("conversations_history", channel_id="#core", limit="1d")) == []
    first = rows(community.say("conversations_history", channel_id="#core", limit="1"))
    second = rows(community.say("conversations_history", channel_id="#core", cursor=first[-1]["Cursor"], limit=""))
    assert [one["MsgID"] for one in (*first, *second)] == [ts(50), ts(11)]
    direct = rows(community.say("conversations_history", channel_id="@bo", limit="10"))
    assert direct[0]["Text"] == "Can you look at the checkout deploy?"


def test_joins_are_left_out_unless_asked_for(community: Desk) -> None:
    joined = rows(community.say("conversations_join", channel_id="#random"))
    assert joined[0]["Name"] == "#random"
    assert rows(community.say("conversations_history", channel_id=RANDOM, limit="5")) == []
    every = rows(community.say("conversations_history", channel_id=RANDOM, limit="5", include_activity_messages=True))
    assert "has joined" in every[0]["Text"]
    assert community.say("conversations_leave", channel_id="#random") == "OK: #random"


def test_threads_replies_and_new_messages(community: Desk) -> None:
    thread = rows(community.say("conversations_replies", channel_id="#core", thread_ts=ts(11), limit="10"))
    assert [one["ThreadTs"] for one in thread] == [ts(11)] * 3
    plain = rows(
        community.say("conversations_add_message", channel_id="#core", text="**x**", content_type="text/plain")
    )
    marked = rows(community.say("conversations_add_message", channel_id="#core", text="**x**", thread_ts=ts(11)))
    assert (plain[0]["Text"], marked[0]["Text"], marked[0]["ThreadTs"]) == ("**x**", "*x*", ts(11))
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "hi"}}]
    assert rows(community.say("conversations_add_message", channel_id="#core", blocks=blocks))[0]["Channel"] == CORE


def test_search_takes_words_and_filters(community: Desk) -> None:
    def found(**given: Any) -> list[str]:
        return [one["MsgID"] for one in rows(community.say("conversations_search_messages", **given))]

    assert set(found(search_query="deploy")) == {ts(11), ts(14), ts(20), ts(40)}
    assert found(search_query="deploy", filter_users_from="U0BO", filter_in_channel="#core") == [ts(11)]
    assert found(search_query="deploy", filter_in_im_or_mpim="@bo") == [ts(40)]
    assert found(search_query="deploy", filter_date_after="2026-03-05") == []
    assert set(found(search_query="deploy", filter_threads_only=True)) == {ts(11), ts(14)}
    pages = rows(community.say("conversations_search_messages", search_query="deploy", limit=1))
    assert pages[-1]["Cursor"] == "2"


def test_unread_messages_are_shown_and_marked(community: Desk) -> None:
    text = community.say("conversations_unreads", "bo")
    assert text.startswith("ChannelID,ChannelName,ChannelType,UnreadCount") and "Thanks" not in text
    before = {one["ChannelID"]: int(one["UnreadCount"]) for one in rows(text.split("\n\n")[0])}
    assert before[CORE] == 1
    assert community.say("conversations_mark", "bo", channel_id="#core") == "OK: #core"
    after = rows(community.say("conversations_unreads", "bo", include_messages=False))
    assert CORE not in {one["ChannelID"] for one in after}
    only = rows(community.say("conversations_unreads", channel_types="im", include_messages=False))
    assert [one["ChannelType"] for one in only] == ["im"]


def test_user_groups_are_listed_made_changed_and_joined(community: Desk) -> None:
    assert [one["Handle"] for one in rows(community.say("usergroups_list"))] == ["oncall"]
    every = rows(community.say("usergroups_list", include_disabled=True, include_users=True))
    assert [(one["Handle"], one["IsEnabled"]) for one in every] == [("oncall", "true"), ("retired", "false")]
    made = rows(community.say("usergroups_create", name="Lemons", handle="lemons", channels=CORE))[0]["ID"]
    renamed = rows(community.say("usergroups_update", usergroup_id=made, name="Limes"))[0]
    assert (renamed["Name"], renamed["Handle"]) == ("Limes", "lemons")
    assert rows(community.say("usergroups_users_update", usergroup_id=made, users="U0BO,U0DEE"))[0]["UserCount"] == "2"
    assert rows(community.say("usergroups_me", action="list")) == []
    joined = rows(community.say("usergroups_me", action="join", usergroup_id=made))[0]
    assert set(joined["Users"].split("|")) == {"U0ADA", "U0BO", "U0DEE"}
    assert [one["ID"] for one in rows(community.say("usergroups_me", action="list"))] == [made]
    left = rows(community.say("usergroups_me", action="leave", usergroup_id=made))[0]
    assert set(left["Users"].split("|")) == {"U0BO", "U0DEE"}
    refused, text = community.ask("usergroups_me", action="join", usergroup_id="S0NOBODY")
    assert (refused, orjson.loads(text)["error"]) == (True, "no_such_subteam")


def test_people_come_with_the_direct_message_you_have_with_them(community: Desk) -> None:
    found = rows(community.say("users_search", query="lindq"))
    assert [(one["UserID"], one["DMChannelID"], one["Email"]) for one in found] == [("U0BO", IM, "bo@tiny.example")]


def test_every_tool_of_every_surface_is_in_these_tests(vendor: Desk, reference: Desk, community: Desk) -> None:
    said = Path(__file__).read_text(encoding="utf-8")
    for desk in (vendor, reference, community):
        assert [name for name in desk.tools.tools if f'"{name}"' not in said] == []


def test_what_a_surface_maps_can_be_mapped_back(vendor: Desk, reference: Desk) -> None:
    assert reference.tools.arguments_for("chat.postMessage", {"channel": OWN, "text": "x"}) == (
        "slack_post_message",
        {"channel_id": OWN, "text": "x"},
    )
    assert reference.tools.arguments_for("chat.postMessage", {"channel": OWN, "text": "x", "parse": "full"}) is None
    change = {"operation": "replace", "section_id": "s", "document_content": {"type": "markdown", "markdown": "x"}}
    assert vendor.tools.arguments_for("canvases.edit", {"canvas_id": "F1", "changes": [change]}) == (
        "slack_update_canvas",
        {"canvas_id": "F1", "action": "replace", "content": "x", "section_id": "s"},
    )
    assert vendor.tools.arguments_for("search.messages", {"query": "x", "page": 2}) == (
        "slack_search_public_and_private",
        {"query": "x", "cursor": "2"},
    )
