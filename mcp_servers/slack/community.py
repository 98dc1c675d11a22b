"""Sixteen tools under the names of a widely used community server (MIT); answers are CSV.

Names, parameters and required flags are confirmed; columns beyond those of messages are our choice.
"""

from mcp_servers.slack import arguments, conversation_lookup, csv_tables
from mcp_servers.slack.arguments import split_commas
from mcp_servers.tools import ArgumentForm, Surface

FLAG = {"type": "boolean", "default": False}
TEXT = {"type": "string"}
LIMIT = ArgumentForm(
    {**TEXT, "default": "1d", "description": "How many (50), or how far back in whole days of yours (1d, 2w, 3m)."}
)
ACTIVITY = ArgumentForm({**FLAG, "description": "Also show joins, topic changes and the like."})
CHANNEL = {"channel_id": "Id of the conversation, #name of a channel or @handle of a direct message."}
CURSOR = ArgumentForm(
    {**TEXT, "description": "Cursor column of the last row of the page before."}, arguments.parse_page_cursor, str
)
KINDS = ArgumentForm({**TEXT, "description": "Comma-separated: public_channel, private_channel, im, mpim."}, write=str)

surface = Surface("community", app="slack")
surface.tool(
    "channels_list",
    "conversations.list",
    description="List conversations of the given kinds as CSV, with topic, purpose and number of members.",
    rename={"channel_types": "types"},
    only=["channel_types", "cursor", "limit", "query", "query_targets", "sort"],
    required=["channel_types"],
    forms={"channel_types": KINDS},
    ignored={
        "query": ArgumentForm({**TEXT, "description": "Show only those with this text."}),
        "query_targets": ArgumentForm(
            {**TEXT, "description": "Where to look: name, topic, purpose, comma-separated; all by default."}
        ),
        "sort": ArgumentForm(
            {**TEXT, "enum": ["popularity"], "description": "popularity puts those with most members first."}
        ),
    },
    result=csv_tables.render_channels,
)
surface.tool(
    "channels_me",
    "users.conversations",
    description="List the conversations you are in, as CSV.",
    rename={"channel_types": "types"},
    only=["channel_types", "cursor", "limit"],
    forms={"channel_types": KINDS},
    result=csv_tables.render_channels,
)
surface.tool(
    "conversations_history",
    "conversations.history",
    description="Read a conversation as CSV, newest first; a cursor in the last row means that there is more.",
    rename={"channel_id": "channel"},
    only=["channel_id", "cursor", "include_activity_messages", "limit"],
    describe=CHANNEL,
    ignored={"include_activity_messages": ACTIVITY, "limit": LIMIT},
    prepare=arguments.prepare_window,
    result=csv_tables.render_history,
)
surface.tool(
    "conversations_replies",
    "conversations.replies",
    description="Read a thread as CSV: its first message, then the replies, oldest first.",
    rename={"channel_id": "channel", "thread_ts": "ts"},
    only=["channel_id", "cursor", "include_activity_messages", "limit", "thread_ts"],
    describe=CHANNEL,
    ignored={"include_activity_messages": ACTIVITY, "limit": LIMIT},
    prepare=arguments.prepare_window,
    result=csv_tables.render_history,
)
surface.tool(
    "conversations_add_message",
    "chat.postMessage",
    description="Send a message to a conversation or, with thread_ts, as a reply; give text, or blocks, or both.",
    rename={"channel_id": "channel"},
    only=["blocks", "channel_id", "content_type", "text", "thread_ts"],
    required=["channel_id"],
    describe={**CHANNEL, "text": "The message, in Markdown unless content_type says otherwise."},
    ignored={
        "content_type": ArgumentForm(
            {
                **TEXT,
                "enum": ["text/markdown", "text/plain"],
                "default": "text/markdown",
                "description": "How text is written.",
            }
        )
    },
    prepare=arguments.prepare_content,
    result=csv_tables.render_posted,
)
surface.tool(
    "conversations_search_messages",
    "search.messages",
    description="Search messages you can read; words, filters or both. Answers CSV.",
    rename={"limit": "count", "cursor": "page"},
    only=[
        "cursor",
        "filter_date_after",
        "filter_date_before",
        "filter_date_during",
        "filter_date_on",
        "filter_in_channel",
        "filter_in_im_or_mpim",
        "filter_threads_only",
        "filter_users_from",
        "filter_users_with",
        "limit",
        "search_query",
    ],
    required=[],
    forms={"cursor": CURSOR},
    ignored={
        "search_query": ArgumentForm({**TEXT, "description": "Words and modifiers to look for."}),
        "filter_date_after": ArgumentForm({**TEXT, "description": "Only after this day, 2026-03-01."}),
        "filter_date_before": ArgumentForm({**TEXT, "description": "Only before this day, 2026-03-01."}),
        "filter_date_during": ArgumentForm(
            {**TEXT, "description": "Only in this month or year, such as march or 2026."}
        ),
        "filter_date_on": ArgumentForm({**TEXT, "description": "Only on this day, 2026-03-01."}),
        "filter_in_channel": ArgumentForm({**TEXT, "description": "Only in this channel: #name or id."}),
        "filter_in_im_or_mpim": ArgumentForm({**TEXT, "description": "Only in this direct message: @handle or id."}),
        "filter_threads_only": ArgumentForm({**FLAG, "description": "Only messages in threads."}),
        "filter_users_from": ArgumentForm({**TEXT, "description": "Only from this person: @handle or user id."}),
        "filter_users_with": ArgumentForm(
            {**TEXT, "description": "Only in conversations with this person: @handle or user id."}
        ),
    },
    prepare=arguments.prepare_search,
    result=csv_tables.render_hits,
)
surface.tool(
    "conversations_unreads",
    "conversations.unreads",
    description="Show what you have not read, conversation by conversation, direct messages first, as CSV.",
    only=[
        "channel_types",
        "include_messages",
        "include_muted",
        "max_channels",
        "max_messages_per_channel",
        "mentions_only",
    ],
    forms={"channel_types": ArgumentForm(KINDS.schema, split_commas, ",".join)},
    result=csv_tables.render_unreads,
)
surface.tool(
    "conversations_mark",
    "conversations.mark",
    description="Mark a conversation as read up to a message, or up to the last one.",
    rename={"channel_id": "channel"},
    only=["channel_id", "ts"],
    required=["channel_id"],
    describe=CHANNEL,
    prepare=arguments.prepare_read_mark,
    result=csv_tables.render_done,
)
surface.tool(
    "conversations_join",
    "conversations.join",
    description="Join a public channel.",
    rename={"channel_id": "channel"},
    only=["channel_id"],
    describe=CHANNEL,
    prepare=conversation_lookup.prepare_conversation,
    result=csv_tables.render_channel,
)
surface.tool(
    "conversations_leave",
    "conversations.leave",
    description="Leave a channel.",
    rename={"channel_id": "channel"},
    only=["channel_id"],
    describe=CHANNEL,
    prepare=conversation_lookup.prepare_conversation,
    result=csv_tables.render_done,
)
surface.tool(
    "usergroups_list",
    "usergroups.list",
    description="List the user groups (handles that stand for several people) as CSV.",
    only=["include_count", "include_disabled", "include_users"],
    result=csv_tables.render_groups,
)
surface.tool(
    "usergroups_create",
    "usergroups.create",
    description="Create a user group; it has no members yet.",
    only=["channels", "description", "handle", "name"],
    forms={
        "channels": ArgumentForm(
            {**TEXT, "description": "Ids of its default channels, comma-separated."}, split_commas, ",".join
        )
    },
    result=csv_tables.render_group,
)
surface.tool(
    "usergroups_update",
    "usergroups.update",
    description="Change a user group's name, handle, description or default channels.",
    rename={"usergroup_id": "usergroup"},
    only=["channels", "description", "handle", "name", "usergroup_id"],
    forms={
        "channels": ArgumentForm(
            {**TEXT, "description": "Ids of its default channels, comma-separated."}, split_commas, ",".join
        )
    },
    result=csv_tables.render_group,
)
surface.tool(
    "usergroups_users_update",
    "usergroups.users.update",
    description="Replace all members of a user group.",
    rename={"usergroup_id": "usergroup"},
    only=["usergroup_id", "users"],
    forms={
        "users": ArgumentForm(
            {**TEXT, "description": "User ids of all members from now on, comma-separated."}, split_commas, ",".join
        )
    },
    result=csv_tables.render_group,
)
surface.tool(
    "usergroups_me",
    {"list": "usergroups.list", "join": "usergroups.users.update", "leave": "usergroups.users.update"},
    description="List the user groups you are in, join one, or leave one.",
    rename={"usergroup_id": "usergroup"},
    by="action",
    only=["action", "usergroup_id"],
    prepare=arguments.prepare_membership,
    result=csv_tables.render_my_groups,
    describe={"action": "list, join or leave.", "usergroup_id": "Which group to join or leave."},
)
surface.tool(
    "users_search",
    "users.search",
    description=(
        "Find people by part of their name, handle, title or address, as CSV with the direct message you have with"
        " each."
    ),
    only=["limit", "query"],
    result=csv_tables.render_users,
)
