"""A working day through slack_sdk: `python slack_sdk_day.py sync|async`; prints one line of what it touched.

FIRM_URL is the address of the Web API with a slash at its end, FIRM_TOKEN a user's token, FIRM_BOT_TOKEN a bot's, and
FIRM_PEER the address of a colleague.
"""

import asyncio
import inspect
import json
import os
import sys
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

WORD = "zephyrine"
BLOCKS = [{"type": "section", "text": {"type": "mrkdwn", "text": f"*{WORD}* in a block"}}]
CONTENT = f"id,amount\n1,{WORD}\n"


async def done(answer: Any) -> Any:
    """The answer of either client."""
    return await answer if inspect.isawaitable(answer) else answer


async def pages(answer: Any, key: str) -> list[list[Any]]:
    """The items of every page, as the client's own pager turns them."""
    first = await done(answer)
    if hasattr(first, "__aiter__"):
        return [list(page[key]) async for page in first]
    return [list(page[key]) for page in first]


async def items(answer: Any, key: str) -> list[Any]:
    """The items of all pages."""
    return [one for page in await pages(answer, key) for one in page]


async def refused(answer: Any) -> str:
    """The code of the client's own exception."""
    try:
        await done(answer())
    except SlackApiError as error:
        assert error.response["ok"] is False
        return error.response["error"]
    return "nothing was refused"


async def look_around(client: Any, peer: str) -> dict[str, Any]:
    """Who am I, who is there, what is there."""
    assert (await done(client.api_test(foo="bar")))["args"]["foo"] == "bar"
    me = await done(client.auth_test())
    assert me["url"].endswith(".slack.com/") and me["user_id"] and me["team_id"]
    assert (await done(client.team_info()))["team"]["id"] == me["team_id"]
    assert isinstance((await done(client.emoji_list()))["emoji"], dict)
    people = await pages(client.users_list(limit=7), "members")
    assert len(people) > 2 and all(len(page) <= 7 for page in people)
    ids = [one["id"] for page in people for one in page]
    assert len(ids) == len(set(ids)) and me["user_id"] in ids
    other = (await done(client.users_lookupByEmail(email=peer)))["user"]
    assert other["id"] in ids and other["profile"]["email"] == peer
    assert (await done(client.users_info(user=other["id"])))["user"]["name"] == other["name"]
    assert (await done(client.users_profile_get(user=other["id"])))["profile"]["real_name"] == other["profile"][
        "real_name"
    ]
    assert (await done(client.users_getPresence(user=other["id"])))["presence"] in ("active", "away")
    mine = await pages(
        client.users_conversations(types="public_channel,private_channel", exclude_archived=True, limit=3), "channels"
    )
    every = await pages(client.conversations_list(types="public_channel", exclude_archived=True, limit=5), "channels")
    assert len(mine) > 1 and len(every) > 1
    names = {one["name"] for page in every for one in page}
    assert {one["name"] for page in mine for one in page if not one["is_private"]} <= names
    return {"me": me["user_id"], "peer": other["id"], "people": len(ids)}


async def open_channel(client: Any, peer: str) -> str:
    """A channel of my own, with a colleague in it."""
    made = (await done(client.conversations_create(name="zephyr-plans")))["channel"]
    channel = made["id"]
    await done(client.conversations_invite(channel=channel, users=[peer]))
    assert (await done(client.conversations_setTopic(channel=channel, topic="winds & <plans>")))["ok"]
    assert (await done(client.conversations_setPurpose(channel=channel, purpose="to plan")))["ok"]
    assert (await done(client.conversations_rename(channel=channel, name="zephyr-works")))["channel"][
        "name"
    ] == "zephyr-works"
    shown = (await done(client.conversations_info(channel=channel, include_num_members=True)))["channel"]
    assert (shown["name"], shown["topic"]["value"], shown["num_members"]) == (
        "zephyr-works",
        "winds &amp; &lt;plans&gt;",
        2,
    )
    assert peer in await items(client.conversations_members(channel=channel, limit=1), "members")
    return channel


async def talk(client: Any, channel: str, peer: str) -> dict[str, Any]:
    """Messages, a thread, an edit, and what a reader sees of them."""
    first = await done(client.chat_postMessage(channel=channel, text=f"{WORD} <@{peer}> a & b"))
    ts = first["ts"]
    await done(client.chat_postMessage(channel=channel, text="fallback", blocks=BLOCKS))
    slip = (await done(client.chat_postMessage(channel=channel, text="a slip")))["ts"]
    for number in range(3):
        await done(client.chat_postMessage(channel=channel, thread_ts=ts, text=f"reply {number}"))
    await done(client.chat_update(channel=channel, ts=ts, text=f"{WORD} edited"))
    await done(client.chat_delete(channel=channel, ts=slip))
    assert (await done(client.chat_postEphemeral(channel=channel, user=peer, text="only you")))["message_ts"]
    thread = await items(client.conversations_replies(channel=channel, ts=ts, limit=2), "messages")
    assert [one["text"] for one in thread] == [f"{WORD} edited", "reply 0", "reply 1", "reply 2"]
    assert thread[0]["edited"]["user"] and thread[0]["reply_count"] == 3
    history = await pages(client.conversations_history(channel=channel, limit=2), "messages")
    texts = [one["text"] for page in history for one in page]
    assert len(history) > 1 and f"{WORD} edited" in texts and "fallback" in texts and "a slip" not in texts
    link = (await done(client.chat_getPermalink(channel=channel, message_ts=ts)))["permalink"]
    assert channel in link and ts.replace(".", "") in link
    await done(client.conversations_mark(channel=channel, ts=ts))
    later = await done(client.chat_scheduleMessage(channel=channel, text="tomorrow", post_at=int(float(ts)) + 86_400))
    return {"ts": ts, "scheduled": later["scheduled_message_id"]}


async def react_and_find(client: Any, channel: str, ts: str) -> None:
    """Reactions of mine, and the search."""
    for name in ("thumbsup", "eyes"):
        await done(client.reactions_add(channel=channel, timestamp=ts, name=name))
    given = (await done(client.reactions_get(channel=channel, timestamp=ts)))["message"]["reactions"]
    assert sorted((one["name"], one["count"]) for one in given) in (
        [("+1", 1), ("eyes", 1)],
        [("eyes", 1), ("thumbsup", 1)],
    )
    await done(client.reactions_remove(channel=channel, timestamp=ts, name="eyes"))
    assert ts in [
        one["message"]["ts"] for one in (await done(client.reactions_list()))["items"] if one["type"] == "message"
    ]
    found = (await done(client.search_messages(query=WORD)))["messages"]
    assert ts in [one["ts"] for one in found["matches"]] and found["total"] >= 1
    every = await done(client.search_all(query=WORD))
    assert every["messages"]["total"] == found["total"] and every["files"]["total"] >= 1
    assert [one["title"] for one in (await done(client.search_files(query=WORD)))["files"]["matches"]] == [
        "Figures zephyrine"
    ]


async def share_files(client: Any, channel: str, thread: str) -> dict[str, str]:
    """One file that stays and one that goes."""
    kept = await done(
        client.files_upload_v2(
            filename="figures.csv",
            content=CONTENT,
            title="Figures zephyrine",
            channel=channel,
            initial_comment="the figures",
        )
    )
    two = [{"filename": "a.txt", "content": "aaa", "title": "A"}, {"filename": "b.txt", "content": "bbb", "title": "B"}]
    both = await done(client.files_upload_v2(file_uploads=two, channel=channel, thread_ts=thread))
    assert [one["title"] for one in both["files"]] == ["A", "B"]
    shown = (await done(client.files_info(file=kept["file"]["id"])))["file"]
    assert (shown["name"], shown["size"]) == ("figures.csv", len(CONTENT))
    gone = both["files"][0]["id"]
    await done(client.files_delete(file=gone))
    listed = [one["id"] for one in (await done(client.files_list(channel=channel)))["files"]]
    assert kept["file"]["id"] in listed and gone not in listed
    return {"kept": kept["file"]["id"], "gone": gone}


async def close(client: Any, channel: str, peer: str) -> None:
    """People come and go; the channel is put away and taken out again."""
    await done(client.conversations_kick(channel=channel, user=peer))
    await done(client.conversations_leave(channel=channel))
    assert (await done(client.conversations_join(channel=channel)))["channel"]["is_member"]
    await done(client.conversations_archive(channel=channel))
    assert await refused(lambda: client.chat_postMessage(channel=channel, text="too late")) == "is_archived"
    await done(client.conversations_unarchive(channel=channel))
    direct = (await done(client.conversations_open(users=[peer])))["channel"]["id"]
    assert (await done(client.chat_postMessage(channel=direct, text="in private")))["channel"] == direct


async def day(client: Any, bot: Any, stranger: Any) -> dict[str, Any]:
    """The whole day."""
    seen = await look_around(client, os.environ["FIRM_PEER"])
    channel = await open_channel(client, seen["peer"])
    said = await talk(client, channel, seen["peer"])
    files = await share_files(client, channel, said["ts"])
    await react_and_find(client, channel, said["ts"])
    await close(client, channel, seen["peer"])
    refusals = {
        "channel_not_found": await refused(lambda: client.conversations_info(channel="C0NOWHERE00")),
        "unknown_method": await refused(lambda: client.api_call("nothing.here")),
        "not_allowed_token_type": await refused(lambda: bot.search_messages(query=WORD)),
        "invalid_auth": await refused(lambda: stranger.auth_test()),
    }
    assert all(code == wanted for wanted, code in refusals.items()), refusals
    return {"channel": channel, **seen, **said, **files, "refusals": sorted(refusals)}


def main(kind: str) -> None:
    """Spend the day and say where."""
    make = WebClient if kind == "sync" else AsyncWebClient
    url = os.environ["FIRM_URL"]
    tokens = (os.environ["FIRM_TOKEN"], os.environ["FIRM_BOT_TOKEN"], "xoxp-nobody")
    clients = [make(token=token, base_url=url) for token in tokens]
    print(json.dumps(asyncio.run(day(*clients))))


if __name__ == "__main__":
    main(sys.argv[1])
