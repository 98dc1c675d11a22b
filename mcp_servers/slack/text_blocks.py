"""Answers as the service's own server words them: short text blocks, names beside ids, times in the reader's zone."""

from collections.abc import Iterable, Mapping

from mcp_servers.json_text import as_json
from mcp_servers.slack.people import People, caller_zone
from mcp_servers.tools import Look, ToolAnswer
from world.core.clock import SECOND, to_datetime
from world.core.json_types import JsonMapping

Message = JsonMapping
COMINGS = frozenset({"channel_join", "channel_leave", "group_join", "group_leave"})


def unescape(text: str) -> str:
    """A text as it is read: the three characters that the API escapes, as themselves."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


class AnswerContext:
    """Context that the messages of one answer share."""

    def __init__(self, answer: ToolAnswer) -> None:
        self.people = People(answer.look)
        self.zone = caller_zone(answer.look)
        self.concise = answer.arguments.get("response_format") == "concise"
        self.bots = answer.arguments.get("include_bots", True) is not False

    def when(self, ts: str) -> str:
        """A ts as local time."""
        return to_datetime(int(float(ts)) * SECOND, self.zone).strftime("%Y-%m-%d %H:%M:%S %Z")

    def messages(self, found: Iterable[Message]) -> list[Message]:
        """The messages wanted."""
        return [message for message in found if self.bots or "bot_id" not in message]

    def block(self, message: Message, title: str = "Message", place: str = "") -> str:
        """One message."""
        who = self.people.get(str(message.get("user", "")))
        name = message.get("username") or who.real_name
        text = unescape(str(message.get("text", "")))
        if self.concise:
            return f"{self.when(message['ts'])} {name}: {text} [ts {message['ts']}]{_replies_note(message)}"
        lines = [
            f"=== {title} from {name} ({who.id}) at {self.when(message['ts'])} ===",
            f"Message TS: {message['ts']}",
        ]
        lines += [line for line in (place, text, *self._extras(message)) if line]
        return "\n".join(lines)

    def _extras(self, message: Message) -> Iterable[str]:
        files = ", ".join(f"{file.get('name')} ({file.get('id')})" for file in message.get("files", ()))
        yield f"Files: {files}" if files else ""
        for attached in message.get("attachments", ()):
            if isinstance(attached, Mapping):
                yield str(attached.get("fallback") or attached.get("text") or "")
        reactions = ", ".join(f"{one['name']} ({one['count']})" for one in message.get("reactions", ()))
        yield f"Reactions: {reactions}" if reactions else ""
        if message.get("reply_count"):
            yield f"Thread: {message['reply_count']} replies (latest: {self.when(message['latest_reply'])})"


def _replies_note(message: Message) -> str:
    return f" [{message['reply_count']} replies]" if message.get("reply_count") else ""


def _join_blocks(blocks: Iterable[str], cursor: str, nothing: str) -> str:
    parts = list(blocks) or [nothing]
    if cursor:
        parts.append(f"More follows; continue with cursor: {cursor}")
    return "\n\n".join(parts)


def render_channel(answer: ToolAnswer) -> str:
    """Render a page of a conversation, newest first."""
    page = AnswerContext(answer)
    found = page.messages(answer.result["messages"])
    said = [message for message in found if message.get("subtype") not in COMINGS]
    blocks = [page.block(message) for message in said]
    if len(said) < len(found):
        blocks.append(f"{len(found) - len(said)} notices of people who joined or left are not shown.")
    return _join_blocks(blocks, answer.result["response_metadata"]["next_cursor"], "No messages.")


def render_thread(answer: ToolAnswer) -> str:
    """Render a thread: parent, then replies."""
    page = AnswerContext(answer)
    found = page.messages(answer.result["messages"])
    blocks = [page.block(message, "Thread parent" if message.get("reply_count") else "Reply") for message in found]
    return _join_blocks(blocks, answer.result["response_metadata"]["next_cursor"], "No messages.")


def render_public_hits(answer: ToolAnswer) -> str:
    """Render messages found in public channels, with their places."""
    return render_hits(answer, "public channels")


def render_hits(answer: ToolAnswer, searched: str = "all conversations you can read") -> str:
    """Render the messages found, with their places, and name the conversations that were searched.

    A message may be missing because the reader is not in its conversation.
    """
    page, found = AnswerContext(answer), answer.result["messages"]
    blocks = [_render_hit(page, one) for one in page.messages(found["matches"])]
    paging = found["paging"]
    more = str(paging["page"] + 1) if paging["page"] < paging["pages"] else ""
    return _join_blocks([f"{found['total']} messages found in {searched}.", *blocks], more, "")


def _render_hit(page: AnswerContext, found: Message) -> str:
    place = found["channel"]
    name = "Direct message" if place.get("is_im") else f"#{place['name']}"
    lines = [page.block(found, "Result", f"Channel: {name} ({place['id']})")]
    return "\n".join([*lines, *([] if page.concise else [f"Permalink: {found['permalink']}"])])


def render_channels(answer: ToolAnswer) -> str:
    """Render channels found."""
    people = People(answer.look)
    return _join_blocks(
        (_render_channel_block(one, people) for one in answer.result["channels"]), "", "No channels found."
    )


def _render_channel_block(one: JsonMapping, people: People) -> str:
    kind = "private" if one.get("is_private") else "public"
    lines = [
        f"Name: #{one['name']} ({one['id']})",
        f"Type: {kind} channel{', archived' if one.get('is_archived') else ''}",
    ]
    for part in ("topic", "purpose"):
        value = (one.get(part) or {}).get("value")
        lines += [f"{part.capitalize()}: {value}"] if value else []
    lines += [f"Creator: {people.get(one['creator']).real_name}"] if one.get("creator") else []
    return "\n".join([*lines, f"Members: {one.get('num_members', 0)}"])


def render_users(answer: ToolAnswer) -> str:
    """Render people found."""
    return _join_blocks((_render_user(one) for one in answer.result["users"]), "", "No users found.")


def _render_user(one: JsonMapping) -> str:
    profile = one["profile"]
    rows = {
        "Name": f"{one.get('real_name') or profile.get('real_name')} ({one['id']})",
        "Username": f"@{one['name']}",
        "Email": profile.get("email"),
        "Title": profile.get("title"),
        "Time zone": one.get("tz"),
        "Status": " ".join(filter(None, (profile.get("status_emoji"), profile.get("status_text")))),
        "Account": "deactivated" if one.get("deleted") else "app" if one.get("is_bot") else "",
    }
    return "\n".join(f"{name}: {value}" for name, value in rows.items() if value)


def render_profile(answer: ToolAnswer) -> str:
    """Render one person, yourself by default."""
    user = answer.arguments.get("user_id") or answer.look("auth.test")["user_id"]
    found = answer.look("users.info", user=user)["user"]
    rows = {"Phone": answer.result["profile"].get("phone"), "Pronouns": answer.result["profile"].get("pronouns")}
    return "\n".join([_render_user(found), *(f"{name}: {value}" for name, value in rows.items() if value)])


def render_canvas(answer: ToolAnswer) -> str:
    """Render a canvas as Markdown, with the ids an update takes."""
    about, sections = answer.result["canvas"], answer.result["sections"]
    listed = "\n".join(
        f"- {part['id']}: {part['markdown'].splitlines()[0][:80]}" for part in sections if part["markdown"]
    )
    return f"Title: {about['title']} ({about['id']})\n\n{about['markdown']}\n\nSections:\n{listed}"


def render_sent(answer: ToolAnswer) -> str:
    """Render the address and the ts of a message that was sent."""
    channel, ts = answer.result["channel"], answer.result["ts"]
    link = answer.look("chat.getPermalink", channel=channel, message_ts=ts)["permalink"]
    return as_json({"message_link": link, "message_context": {"message_ts": ts, "channel_id": channel}})


def render_draft(answer: ToolAnswer) -> str:
    """Render the id of a draft and the address of its conversation."""
    draft = answer.result["draft"]
    return as_json({"draft_id": draft["id"], "channel_link": _conversation_address(answer.look, draft["channel_id"])})


def _conversation_address(look: Look, channel: str) -> str:
    return f"{str(look('auth.test')['url']).rstrip('/')}/archives/{channel}"


def render_scheduled(answer: ToolAnswer) -> str:
    """Render the time at which a message will be sent."""
    made = answer.result
    return as_json(
        {
            "scheduled_message_id": made["scheduled_message_id"],
            "channel_id": made["channel"],
            "post_at": made["post_at"],
        }
    )


def render_new_canvas(answer: ToolAnswer) -> str:
    """Render the new canvas."""
    return as_json({"canvas_id": answer.result["canvas_id"]})


def render_updated_canvas(answer: ToolAnswer) -> str:
    """Render the canvas that was changed."""
    return as_json({"canvas_id": answer.arguments["canvas_id"], "result": "updated"})
