"""What an agent does in the chat over tools, whatever client carries it: derived tools of the first tier, and the
vendor's.
"""

import base64
from typing import Any

from mcp_round import Desk

WORD = "zephyrine"
CONTENT = f"id,amount\n1,{WORD}\n"


async def operations(desk: Desk, peer_mail: str) -> dict[str, Any]:
    """A day with the tools that are named after operations."""
    peer = await _look_around(desk, peer_mail)
    channel = (await desk.ask("conversations_create", name="zephyr-plans"))["channel"]["id"]
    await desk.ask("conversations_invite", channel=channel, users=[peer])
    await desk.ask("conversations_set_topic", channel=channel, topic="winds")
    await desk.ask("conversations_set_purpose", channel=channel, purpose="to plan")
    await desk.ask("conversations_rename", channel=channel, name="zephyr-works")
    shown = (await desk.ask("conversations_info", channel=channel, include_num_members=True))["channel"]
    assert (shown["name"], shown["topic"]["value"], shown["num_members"]) == ("zephyr-works", "winds", 2)
    assert peer in (await desk.ask("conversations_members", channel=channel))["members"]
    ts = await _talk(desk, channel, peer)
    await _files(desk, channel)
    await _find(desk, channel, ts)
    await desk.ask("conversations_kick", channel=channel, user=peer)
    await desk.ask("conversations_leave", channel=channel)
    assert (await desk.ask("conversations_join", channel=channel))["channel"]["is_member"]
    await desk.ask("conversations_archive", channel=channel)
    assert "is_archived" in await desk.refused("chat_post_message", channel=channel, text="too late")
    await desk.ask("conversations_unarchive", channel=channel)
    direct = (await desk.ask("conversations_open", users=[peer]))["channel"]["id"]
    await desk.ask("chat_post_message", channel=direct, text="in private")
    assert "channel_not_found" in await desk.refused("conversations_info", channel="C0NOWHERE00")
    assert "is required" in await desk.refused("conversations_info")
    return {"channel": channel, "ts": ts, "peer": peer}


async def _look_around(desk: Desk, peer_mail: str) -> str:
    await desk.ask("api_test")
    me = await desk.ask("auth_test")
    assert (await desk.ask("team_info"))["team"]["id"] == me["team_id"]
    assert isinstance((await desk.ask("emoji_list"))["emoji"], dict)
    ids: list[str] = []
    cursor = ""
    while not ids or cursor:
        page = await desk.ask("users_list", limit=10, cursor=cursor)
        ids += [one["id"] for one in page["members"]]
        cursor = page["response_metadata"]["next_cursor"]
    other = (await desk.ask("users_lookup_by_email", email=peer_mail))["user"]
    assert me["user_id"] in ids and other["id"] in ids and len(ids) == len(set(ids)) > 10
    assert (await desk.ask("users_info", user=other["id"]))["user"]["name"] == other["name"]
    assert (await desk.ask("users_profile_get", user=other["id"]))["profile"]["email"] == peer_mail
    assert (await desk.ask("users_get_presence", user=other["id"]))["presence"] in ("active", "away")
    mine = (await desk.ask("users_conversations", types="public_channel", exclude_archived=True, limit=200))["channels"]
    every = (await desk.ask("conversations_list", types="public_channel", exclude_archived=True, limit=200))["channels"]
    assert {one["id"] for one in mine} < {one["id"] for one in every}
    return other["id"]


async def _talk(desk: Desk, channel: str, peer: str) -> str:
    ts = (await desk.ask("chat_post_message", channel=channel, text=f"{WORD} <@{peer}>"))["ts"]
    slip = (await desk.ask("chat_post_message", channel=channel, text="a slip"))["ts"]
    await desk.ask("chat_post_message", channel=channel, thread_ts=ts, text="a reply")
    await desk.ask("chat_update", channel=channel, ts=ts, text=f"{WORD} edited")
    await desk.ask("chat_delete", channel=channel, ts=slip)
    await desk.ask("chat_post_ephemeral", channel=channel, user=peer, text="only you")
    thread = (await desk.ask("conversations_replies", channel=channel, ts=ts))["messages"]
    assert [one["text"] for one in thread] == [f"{WORD} edited", "a reply"]
    history = (await desk.ask("conversations_history", channel=channel))["messages"]
    assert f"{WORD} edited" in [one["text"] for one in history]
    assert channel in (await desk.ask("chat_get_permalink", channel=channel, message_ts=ts))["permalink"]
    await desk.ask("conversations_mark", channel=channel, ts=ts)
    await desk.ask("chat_schedule_message", channel=channel, text="tomorrow", post_at=int(float(ts)) + 86_400)
    return ts


async def _files(desk: Desk, channel: str) -> None:
    listed = []
    for name in (f"{WORD}.csv", "slip.csv"):
        place = await desk.ask("files_get_upload_url_external", filename=name, length=len(CONTENT))
        secret = place["upload_url"].rpartition("/")[2]
        await desk.ask("files_upload_content", secret=secret, data=base64.b64encode(CONTENT.encode()).decode())
        done = await desk.ask(
            "files_complete_upload_external", files=[{"id": place["file_id"], "title": name}], channel_id=channel
        )
        listed.append(done["files"][0]["id"])
    assert (await desk.ask("files_info", file=listed[0]))["file"]["size"] == len(CONTENT)
    await desk.ask("files_delete", file=listed[1])
    assert [one["id"] for one in (await desk.ask("files_list", channel=channel))["files"]] == listed[:1]


async def _find(desk: Desk, channel: str, ts: str) -> None:
    for name in ("thumbsup", "eyes"):
        await desk.ask("reactions_add", channel=channel, timestamp=ts, name=name)
    await desk.ask("reactions_remove", channel=channel, timestamp=ts, name="eyes")
    assert len((await desk.ask("reactions_get", channel=channel, timestamp=ts))["message"]["reactions"]) == 1
    assert ts in [
        one["message"]["ts"] for one in (await desk.ask("reactions_list"))["items"] if one["type"] == "message"
    ]
    assert ts in [one["ts"] for one in (await desk.ask("search_messages", query=WORD))["messages"]["matches"]]
    assert (await desk.ask("search_all", query=WORD))["files"]["total"] == 1
    assert [one["name"] for one in (await desk.ask("search_files", query=WORD))["files"]["matches"]] == [f"{WORD}.csv"]


async def vendor(desk: Desk, channel: str, ts: str, peer: str) -> None:
    """Every tool of the vendor's own surface, on the channel of the day."""
    assert WORD in await desk.say("slack_read_channel", channel_id=channel)
    assert "a reply" in await desk.say("slack_read_thread", channel_id=channel, message_ts=ts)
    assert WORD in await desk.say("slack_search_public", query=WORD)
    assert WORD in await desk.say("slack_search_public_and_private", query=WORD)
    assert channel in await desk.say("slack_search_channels", query="zephyr")
    assert peer in await desk.say("slack_search_users", query="karolina")
    assert peer in await desk.say("slack_read_user_profile", user_id=peer)
    await desk.say("slack_send_message", channel_id=channel, message="**bold** words", thread_ts=ts)
    await desk.say("slack_send_message_draft", channel_id=channel, message="not yet")
    await desk.say("slack_schedule_message", channel_id=channel, message="later", post_at=int(float(ts)) + 90_000)
    canvas = (await desk.ask("slack_create_canvas", title="Plan", content="# One\n\ntwo"))["canvas_id"]
    await desk.say("slack_update_canvas", canvas_id=canvas, action="append", content="three")
    assert "three" in await desk.say("slack_read_canvas", canvas_id=canvas)
    assert "channel_not_found" in await desk.refused("slack_read_channel", channel_id="C0NOWHERE00")
    desk.check_all_called()
