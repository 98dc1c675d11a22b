"""Arguments that tools take in another form than their operations.

They are windows of days, filters, plain or Markdown text, and the caller's membership in a group.
"""

from collections.abc import Mapping

from mcp_servers.slack import conversation_lookup
from mcp_servers.tools import Look
from world.core.clock import SECOND, from_datetime, to_datetime
from world.core.json_types import JsonObject
from world.core.params import whole_number

DAYS = {"d": 1, "w": 7, "m": 30}
DEFAULT_WINDOW = "1d"


def split_commas(value: object) -> list[str]:
    """The parts of a comma-separated text. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return [part.strip() for part in value.split(",") if part.strip()]


def parse_page_cursor(value: object) -> int:
    """The page number that a cursor of a search stands for. Raises ValueError."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 6:
        return int(value)
    raise ValueError("must be a cursor of an earlier answer")


def prepare_window(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """A count or a number of days from `limit`; nothing when a cursor goes on from an earlier page."""
    arguments = conversation_lookup.prepare_conversation(arguments, given, look)
    if arguments.get("cursor"):
        return arguments
    limit = str(given.get("limit") or DEFAULT_WINDOW)
    if limit[-1:] not in DAYS or not whole_number(limit[:-1], most=10_000):
        return {**arguments, "limit": limit}
    clock = look("world.now")
    midnight = to_datetime(clock["epoch_s"] * SECOND, clock["zone"]).replace(hour=0, minute=0, second=0, microsecond=0)
    oldest = from_datetime(midnight) // SECOND - (int(limit[:-1]) * DAYS[limit[-1]] - 1) * 86_400
    return {**arguments, "oldest": f"{max(oldest, 0)}.000000", "inclusive": True, "limit": 100}


def prepare_content(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """The text as Markdown unless told that it is plain."""
    arguments = conversation_lookup.prepare_conversation(arguments, given, look)
    field = "text" if given.get("content_type") == "text/plain" else "markdown_text"
    return {
        **{k: v for k, v in arguments.items() if k != "text"},
        **({field: given["text"]} if given.get("text") else {}),
    }


FILTERS = {
    "filter_in_channel": "in",
    "filter_in_im_or_mpim": "in",
    "filter_users_from": "from",
    "filter_users_with": "with",
    "filter_date_before": "before",
    "filter_date_after": "after",
    "filter_date_on": "on",
    "filter_date_during": "during",
}


def prepare_search(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """One query from the words and the filters."""
    words = [str(given.get("search_query") or "")]
    words += [f"{FILTERS[name]}:{_search_term(str(given[name]))}" for name in FILTERS if given.get(name)]
    words += ["is:thread"] if given.get("filter_threads_only") else []
    return {**arguments, "query": " ".join(word for word in words if word)}


def _search_term(value: str) -> str:
    return f"<@{value}>" if value.startswith("U") and value[1:].isalnum() and value.isupper() else value


def prepare_membership(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """A group's members with, or without, the caller; `list` shows the groups with their members."""
    if given["action"] == "list":
        return {"include_users": True, "include_count": True}
    group = str(given.get("usergroup_id") or "")
    me = look("auth.test")["user_id"]
    others = [user for user in look("usergroups.users.list", usergroup=group)["users"] if user != me] if group else []
    return {"usergroup": group, "users": [*others, me] if given["action"] == "join" else others, "include_count": True}


def prepare_read_mark(arguments: JsonObject, given: Mapping[str, object], look: Look) -> JsonObject:
    """Mark everything up to the last message as read, unless a ts is given."""
    arguments = conversation_lookup.prepare_conversation(arguments, given, look)
    if arguments.get("ts"):
        return arguments
    found = look("conversations.history", channel=arguments["channel"], limit=1)["messages"]
    return {**arguments, "ts": found[0]["ts"] if found else "0000000000.000000"}
