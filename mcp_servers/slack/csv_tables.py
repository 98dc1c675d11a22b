"""Answers as CSV, one row an item, the way a widely used community server prints them; the cursor rides in the last
row.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mcp_servers.slack.people import People
from mcp_servers.tools import ToolAnswer
from world.core.clock import SECOND, iso
from world.core.json_types import JsonMapping

Row = dict[str, Any]
MESSAGE = (
    "MsgID",
    "UserID",
    "UserName",
    "RealName",
    "Channel",
    "ThreadTs",
    "Text",
    "Time",
    "Permalink",
    "Reactions",
    "BotName",
    "FileCount",
    "AttachmentIDs",
    "HasMedia",
    "Cursor",
)
CHANNEL = ("ID", "Name", "Topic", "Purpose", "MemberCount", "Cursor")
USER = ("UserID", "UserName", "RealName", "DisplayName", "Email", "Title", "DMChannelID")
GROUP = ("ID", "Name", "Handle", "Description", "UserCount", "IsEnabled", "Users")
UNREAD = ("ChannelID", "ChannelName", "ChannelType", "UnreadCount", "MentionCount", "LastRead", "Latest")
ACTIVITY = frozenset(
    {
        "channel_join",
        "channel_leave",
        "channel_topic",
        "channel_purpose",
        "channel_name",
        "channel_archive",
        "channel_unarchive",
        "group_join",
        "group_leave",
    }
)


def render_csv(columns: Sequence[str], rows: Iterable[Row], cursor: str = "") -> str:
    """Render CSV with a header; `cursor` goes into the last row."""
    listed = list(rows)
    if listed and cursor and "Cursor" in columns:
        listed[-1]["Cursor"] = cursor
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return out.getvalue()


def _message_row(one: JsonMapping, people: People, place: str) -> Row:
    who = people.get(str(one.get("user", "")))
    files = one.get("files", ())
    return {
        "MsgID": one["ts"],
        "UserID": who.id,
        "UserName": who.handle,
        "RealName": who.real_name,
        "Channel": place,
        "ThreadTs": one.get("thread_ts", ""),
        "Text": one.get("text", ""),
        "Time": iso(int(float(one["ts"])) * SECOND),
        "Permalink": one.get("permalink", ""),
        "BotName": (one.get("bot_profile") or {}).get("name", ""),
        "Reactions": "|".join(f"{r['name']}:{r['count']}" for r in one.get("reactions", ())),
        "FileCount": len(files),
        "AttachmentIDs": "|".join(str(file.get("id", "")) for file in files),
        "HasMedia": str(bool(files)).lower(),
    }


def render_history(answer: ToolAnswer) -> str:
    """Render messages of a conversation or thread; joins and the like only when asked for."""
    people, place = People(answer.look), str(answer.arguments["channel_id"])
    every = bool(answer.arguments.get("include_activity_messages"))
    found = [one for one in answer.result["messages"] if every or one.get("subtype") not in ACTIVITY]
    rows = [_message_row(one, people, place) for one in found]
    return render_csv(MESSAGE, rows, answer.result["response_metadata"]["next_cursor"])


def render_posted(answer: ToolAnswer) -> str:
    """Render the message that was sent."""
    place = str(answer.result["channel"])
    return render_csv(
        MESSAGE, [_message_row({"ts": answer.result["ts"], **answer.result["message"]}, People(answer.look), place)]
    )


def render_hits(answer: ToolAnswer) -> str:
    """Render messages found; the cursor is the next page's number."""
    people, found = People(answer.look), answer.result["messages"]
    rows = [_message_row(one, people, _place_name(one["channel"])) for one in found["matches"]]
    paging = found["paging"]
    return render_csv(MESSAGE, rows, str(paging["page"] + 1) if paging["page"] < paging["pages"] else "")


def _place_name(place: Mapping[str, object]) -> str:
    return str(place["id"]) if place.get("is_im") else f"#{place['name']}"


def render_channels(answer: ToolAnswer) -> str:
    """Render conversations, sorted and filtered as asked."""
    people = People(answer.look)
    rows = [_channel_row(one, people) for one in answer.result["channels"]]
    words = str(answer.arguments.get("query") or "").lower()
    targets = str(answer.arguments.get("query_targets") or "name,topic,purpose").split(",")
    kept = [
        row for row in rows if any(words in str(row.get(target.strip().capitalize(), "")).lower() for target in targets)
    ]
    if answer.arguments.get("sort") == "popularity":
        kept.sort(key=lambda row: (-row["MemberCount"], row["ID"]))
    return render_csv(CHANNEL, kept, answer.result["response_metadata"]["next_cursor"])


def _channel_row(one: JsonMapping, people: People) -> Row:
    name = f"@{people.get(one['user']).handle}" if one.get("is_im") else f"#{one.get('name', '')}"
    return {
        "ID": one["id"],
        "Name": name,
        "Topic": (one.get("topic") or {}).get("value", ""),
        "Purpose": (one.get("purpose") or {}).get("value", ""),
        "MemberCount": one.get("num_members", 0),
    }


def render_channel(answer: ToolAnswer) -> str:
    """Render one conversation."""
    return render_csv(CHANNEL, [_channel_row(answer.result["channel"], People(answer.look))])


def render_unreads(answer: ToolAnswer) -> str:
    """Render conversations with news, then their messages when asked for."""
    people, found = People(answer.look), answer.result["channels"]
    table = render_csv(UNREAD, (_unread_row(one) for one in found))
    rows = [
        _message_row(message, people, str(one["channel"]["id"])) for one in found for message in one.get("messages", ())
    ]
    return f"{table}\n{render_csv(MESSAGE, rows)}" if rows else table


def _unread_row(one: JsonMapping) -> Row:
    place = one["channel"]
    kinds = {"is_im": "im", "is_mpim": "mpim", "is_private": "private_channel"}
    kind = next((name for flag, name in kinds.items() if place.get(flag)), "public_channel")
    return {
        "ChannelID": place["id"],
        "ChannelName": one["name"],
        "ChannelType": kind,
        "UnreadCount": one["unread_count"],
        "MentionCount": one["mention_count"],
        "LastRead": one["last_read"],
        "Latest": one["latest"],
    }


def render_users(answer: ToolAnswer) -> str:
    """Render people found, with the direct message each already has with you."""
    page = answer.look("users.conversations", types="im", limit=1000)
    direct = {one.get("user"): one["id"] for one in page["channels"]}
    return render_csv(USER, (_user_row(one, str(direct.get(one["id"], ""))) for one in answer.result["users"]))


def _user_row(one: JsonMapping, direct: str) -> Row:
    profile = one["profile"]
    return {
        "UserID": one["id"],
        "UserName": one["name"],
        "RealName": one.get("real_name") or profile.get("real_name", ""),
        "DisplayName": profile.get("display_name", ""),
        "Email": profile.get("email", ""),
        "Title": profile.get("title", ""),
        "DMChannelID": direct,
    }


def render_groups(answer: ToolAnswer) -> str:
    """Render user groups."""
    return render_csv(GROUP, (_group_row(one) for one in answer.result["usergroups"]))


def render_group(answer: ToolAnswer) -> str:
    """Render one user group."""
    return render_csv(GROUP, [_group_row(answer.result["usergroup"])])


def _group_row(one: JsonMapping) -> Row:
    return {
        "ID": one["id"],
        "Name": one["name"],
        "Handle": one["handle"],
        "Description": one["description"],
        "UserCount": one.get("user_count", ""),
        "IsEnabled": str(not one["date_delete"]).lower(),
        "Users": "|".join(one.get("users", ())),
    }


def render_my_groups(answer: ToolAnswer) -> str:
    """Render the groups you are in, or the one you joined or left."""
    if "usergroup" in answer.result:
        return render_group(answer)
    me = answer.look("auth.test")["user_id"]
    return render_csv(GROUP, (_group_row(one) for one in answer.result["usergroups"] if me in one.get("users", ())))


def render_done(answer: ToolAnswer) -> str:
    """Render a bare success."""
    return f"OK: {answer.arguments['channel_id']}"
