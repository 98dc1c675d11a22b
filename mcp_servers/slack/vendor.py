"""Thirteen tools under the names of Slack's remote server.

Names are confirmed in public configurations. Of the parameters, channel_id, message, message_ts, thread_ts, draft_id,
query, sort, channel_types, oldest, latest, limit, cursor, include_bots and response_format are seen in use; the rest
(of scheduling and canvases), the required flags and the wording of answers are our choice.
"""

from apps.slack.markdown import to_mrkdwn
from mcp_servers.slack import arguments, conversation_lookup, text_blocks
from mcp_servers.tools import ArgumentForm, Surface

STYLE = ArgumentForm(
    {"type": "string", "enum": ["detailed", "concise"], "description": "detailed (default) or concise."}
)
BOTS = ArgumentForm(
    {"type": "boolean", "description": "Whether to show messages of apps; true unless given.", "default": True}
)
CURSOR = ArgumentForm(
    {"type": "string", "description": "Where to go on, from the answer before."}, arguments.parse_page_cursor, str
)
MARKDOWN = ArgumentForm({"type": "string", "description": "The content, in Markdown."}, write=str)
SECTION = ArgumentForm(
    {"type": "string", "description": "Section to replace; the whole canvas when left out."}, write=str
)
DRAFT = ArgumentForm({"type": "string"}, to_mrkdwn)
ACTIONS = {"append": "insert_at_end", "prepend": "insert_at_start", "replace": "replace"}


def _read_action(value: object) -> str:
    found = ACTIONS.get(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"must be one of: {', '.join(ACTIONS)}")
    return found


ACTION = ArgumentForm(
    {"type": "string", "enum": list(ACTIONS), "description": "append, prepend or replace."},
    _read_action,
    {action: name for name, action in ACTIONS.items()}.get,
)
CHANNEL = {
    "channel_id": "Id of the channel or direct message; a user id (U…) means the direct message with that person."
}
MESSAGE = {
    **CHANNEL,
    "message": "The text, in Markdown; <@U…> mentions somebody.",
    "thread_ts": "ts of a message, to reply in its thread.",
}

BESIDE = (
    *("chat.update", "usergroups.list", "usergroups.update"),
    *("conversations.archive", "conversations.invite", "conversations.kick", "conversations.members"),
    *("conversations.rename", "conversations.setPurpose", "conversations.setTopic"),
)
surface = Surface("vendor", app="slack", default=True, beside=BESIDE)
surface.tool(
    "slack_search_public",
    "search.messages",
    description=(
        "Search messages in public channels: words and modifiers such as from:@name, in:#channel, before:2026-03-01."
    ),
    rename={"limit": "count", "cursor": "page"},
    fixed={"public_only": True},
    only=["query", "sort", "sort_dir", "limit", "cursor", "include_bots", "response_format"],
    forms={"cursor": CURSOR},
    ignored={"include_bots": BOTS, "response_format": STYLE},
    result=text_blocks.render_public_hits,
)
surface.tool(
    "slack_search_public_and_private",
    "search.messages",
    description=("Search messages everywhere you can read, private channels and direct messages included."),
    rename={"limit": "count", "cursor": "page"},
    only=["query", "sort", "sort_dir", "limit", "cursor", "include_bots", "response_format"],
    forms={"cursor": CURSOR},
    ignored={"include_bots": BOTS, "response_format": STYLE},
    result=text_blocks.render_hits,
)
surface.tool(
    "slack_search_channels",
    "conversations.search",
    description="Find channels by part of their name, topic or purpose; gives the ids the other tools take.",
    rename={"channel_types": "types"},
    only=["query", "channel_types", "include_archived", "limit"],
    result=text_blocks.render_channels,
)
surface.tool(
    "slack_search_users",
    "users.search",
    description="Find people by part of their name, handle, title or address; gives their user ids.",
    only=["query", "limit"],
    result=text_blocks.render_users,
)
surface.tool(
    "slack_read_channel",
    "conversations.history",
    description="Read a channel or direct message, newest first; replies in threads are read with slack_read_thread.",
    rename={"channel_id": "channel"},
    only=["channel_id", "oldest", "latest", "limit", "cursor", "include_bots", "response_format"],
    ignored={"include_bots": BOTS, "response_format": STYLE},
    describe=CHANNEL,
    prepare=conversation_lookup.prepare_conversation,
    result=text_blocks.render_channel,
)
surface.tool(
    "slack_read_thread",
    "conversations.replies",
    description="Read a thread: the message with message_ts, then its replies, oldest first.",
    rename={"channel_id": "channel", "message_ts": "ts"},
    only=["channel_id", "message_ts", "oldest", "latest", "limit", "cursor", "response_format"],
    ignored={"response_format": STYLE},
    describe=CHANNEL,
    prepare=conversation_lookup.prepare_conversation,
    result=text_blocks.render_thread,
)
surface.tool(
    "slack_read_canvas",
    "canvases.read",
    description="Read a canvas (a document) as Markdown, with the ids of its sections.",
    only=["canvas_id"],
    result=text_blocks.render_canvas,
)
surface.tool(
    "slack_read_user_profile",
    "users.profile.get",
    description="Read somebody's profile, or your own when no user is given.",
    rename={"user_id": "user"},
    only=["user_id"],
    result=text_blocks.render_profile,
)
surface.tool(
    "slack_send_message",
    "chat.postMessage",
    description="Send a message to a channel or a person or, with thread_ts, as a reply in a thread.",
    rename={"channel_id": "channel", "message": "markdown_text"},
    only=["channel_id", "message", "thread_ts", "reply_broadcast", "draft_id"],
    required=["channel_id", "message"],
    describe=MESSAGE,
    result=text_blocks.render_sent,
)
surface.tool(
    "slack_send_message_draft",
    "drafts.create",
    description="Leave a message as an unsent draft in a channel or thread, for the person to look over and send.",
    rename={"channel_id": "channel", "message": "text"},
    only=["channel_id", "message", "thread_ts"],
    describe=MESSAGE,
    forms={"message": DRAFT},
    prepare=conversation_lookup.prepare_conversation,
    result=text_blocks.render_draft,
)
surface.tool(
    "slack_schedule_message",
    "chat.scheduleMessage",
    description="Send a message later, at post_at (seconds since the epoch).",
    rename={"channel_id": "channel", "message": "markdown_text"},
    only=["channel_id", "message", "post_at", "thread_ts", "reply_broadcast"],
    required=["channel_id", "message", "post_at"],
    describe=MESSAGE,
    result=text_blocks.render_scheduled,
)
surface.tool(
    "slack_create_canvas",
    "canvases.create",
    description="Create a canvas (a document) from Markdown.",
    rename={"content": "document_content.markdown"},
    fixed={"document_content.type": "markdown"},
    only=["title", "content"],
    required=["title", "content"],
    forms={"content": MARKDOWN},
    result=text_blocks.render_new_canvas,
)
surface.tool(
    "slack_update_canvas",
    "canvases.edit",
    description="Append to, prepend to or replace a canvas or one of its sections.",
    rename={
        "action": "changes[].operation",
        "content": "changes[].document_content.markdown",
        "section_id": "changes[].section_id",
    },
    fixed={"changes[].document_content.type": "markdown"},
    only=["canvas_id", "action", "content", "section_id"],
    required=["canvas_id", "action", "content"],
    forms={"action": ACTION, "content": MARKDOWN, "section_id": SECTION},
    result=text_blocks.render_updated_canvas,
)
