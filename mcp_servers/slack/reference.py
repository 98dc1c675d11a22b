"""Eight tools under the names of the archived reference server (2025.4); answers are the Web API's JSON as text."""

from mcp_servers.json_text import as_json
from mcp_servers.tools import Surface, ToolAnswer


def render_web_api(answer: ToolAnswer) -> str:
    """Render the body the Web API would send."""
    return as_json({"ok": True, **answer.result})


surface = Surface("reference", app="slack")
surface.tool(
    "slack_list_channels",
    "conversations.list",
    description="List the public channels of the workspace, a page at a time.",
    only=["limit", "cursor"],
    fixed={"types": "public_channel", "exclude_archived": True},
    defaults={"limit": 100},
    result=render_web_api,
)
surface.tool(
    "slack_post_message",
    "chat.postMessage",
    description="Post a new message to a channel.",
    rename={"channel_id": "channel"},
    only=["channel_id", "text"],
    required=["channel_id", "text"],
    result=render_web_api,
)
surface.tool(
    "slack_reply_to_thread",
    "chat.postMessage",
    description="Reply in the thread of a message.",
    rename={"channel_id": "channel"},
    only=["channel_id", "thread_ts", "text"],
    required=["channel_id", "thread_ts", "text"],
    result=render_web_api,
)
surface.tool(
    "slack_add_reaction",
    "reactions.add",
    description="Put an emoji under a message.",
    rename={"channel_id": "channel", "reaction": "name"},
    only=["channel_id", "timestamp", "reaction"],
    result=render_web_api,
)
surface.tool(
    "slack_get_channel_history",
    "conversations.history",
    description="Read the latest messages of a channel, newest first.",
    rename={"channel_id": "channel"},
    only=["channel_id", "limit"],
    defaults={"limit": 10},
    result=render_web_api,
)
surface.tool(
    "slack_get_thread_replies",
    "conversations.replies",
    description="Read a thread: its first message, then all replies.",
    rename={"channel_id": "channel", "thread_ts": "ts"},
    only=["channel_id", "thread_ts"],
    result=render_web_api,
)
surface.tool(
    "slack_get_users",
    "users.list",
    description="List the people of the workspace with their profiles, a page at a time.",
    only=["cursor", "limit"],
    defaults={"limit": 100},
    result=render_web_api,
)
surface.tool(
    "slack_get_user_profile",
    "users.profile.get",
    description="Read somebody's profile: name, title, status, address.",
    rename={"user_id": "user"},
    only=["user_id"],
    required=["user_id"],
    describe={"user_id": "User id."},
    result=render_web_api,
)
