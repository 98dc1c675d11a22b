"""Conversations named otherwise than by id: `#name`, `@handle`, a user id."""

from collections.abc import Mapping

from mcp_servers.tools import Look
from world.core.errors import OperationError
from world.core.json_types import JsonObject


def prepare_conversation(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """Replace a conversation's name by its id. The operation refuses a name that stands for none."""
    channel = arguments.get("channel")
    return {**arguments, "channel": resolve_conversation(channel, look)} if isinstance(channel, str) else arguments


def resolve_conversation(name: str, look: Look) -> str:
    """The id of `#name`, of the direct message with `@handle` or with a user id; the name itself if there is none."""
    if name.startswith("#"):
        return _find_channel(name[1:], look) or name
    if name.startswith("@"):
        return _find_direct(_find_user(name[1:], look), look) or name
    return (_find_direct(name, look) or name) if name.startswith("U") else name


def _find_channel(name: str, look: Look) -> str | None:
    try:
        found = look("conversations.search", query=name, include_archived=True, limit=100)["channels"]
    except OperationError:
        return None
    return next((one["id"] for one in found if one["name"] == name.lower()), None)


def _find_user(handle: str, look: Look) -> str | None:
    try:
        found = look("users.search", query=handle, limit=100)["users"]
    except OperationError:
        return None
    return next((one["id"] for one in found if one["name"] == handle.lower()), None)


def _find_direct(user: str | None, look: Look) -> str | None:
    """The id of the caller's direct message with somebody, if they ever had one."""
    cursor = ""
    while user is not None:
        page = look("users.conversations", types="im", limit=1000, cursor=cursor)
        for one in page["channels"]:
            if one.get("user") == user:
                return str(one["id"])
        cursor = page["response_metadata"]["next_cursor"]
        if not cursor:
            return None
    return None
