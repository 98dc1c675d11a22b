"""What can be done on the chat service; importing a module declares its operations."""

from apps.slack.operations import (
    bookmarks,
    canvases,
    channels,
    client,
    conversations,
    drafts,
    edits,
    files,
    history,
    membership,
    messages,
    reactions,
    reminders,
    saved,
    scheduled,
    search,
    team,
    threads,
    usergroups,
    users,
)

__all__ = [
    "bookmarks", "canvases", "channels", "client", "conversations", "drafts", "edits",
    "files", "history", "membership",
    "messages", "reactions", "reminders", "saved", "scheduled", "search", "team", "threads", "usergroups", "users",
]  # fmt: skip
