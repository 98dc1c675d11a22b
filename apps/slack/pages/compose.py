"""Form input as operation arguments."""

from datetime import datetime
from typing import Any

from pydantic import JsonValue

from apps.slack.pages.ui import pages
from world.core.clock import from_datetime, zone_info
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.web import View
from world.web.fields import read_files


@pages.compose("chat.postMessage", "chat.update")
def trim_text(view: View, arguments: JsonObject) -> JsonObject:
    """Strip the space that completion leaves after the last word."""
    text = arguments.get("text")
    return {**arguments, "text": text.rstrip()} if isinstance(text, str) else arguments


@pages.compose("chat.scheduleMessage")
def schedule_arguments(view: View, arguments: JsonObject) -> JsonObject:
    """Convert a date and time in the reader's zone to epoch seconds."""
    post_at = arguments.get("post_at")
    if not isinstance(post_at, str) or "T" not in post_at:
        return arguments
    try:
        local = datetime.fromisoformat(post_at).replace(tzinfo=zone_info(view.page_state.me.tz))
    except ValueError:
        raise InvalidArguments([("post_at", "is not a date and time")]) from None
    return {**arguments, "post_at": from_datetime(local) // 1_000_000}


@pages.action("files.upload")
def upload_files(view: View, arguments: dict[str, object]) -> Any:
    """Upload one file in one call; several files become one message."""
    files = arguments.get("file")
    if not isinstance(files, list):
        return view.submit("files.upload", arguments)
    sent: list[JsonValue] = []
    for part in read_files(files):
        asked = view.submit("files.getUploadURLExternal", {"filename": part["filename"], "length": len(part["data"])})
        view.submit("files.uploadContent", {"secret": asked["upload_url"].rsplit("/", 1)[1], "data": part["data"]})
        sent.append({"id": asked["file_id"], "title": part["filename"]})
    rest = {"initial_comment": arguments.get("initial_comment", ""), "thread_ts": arguments.get("thread_ts")}
    channels = arguments.get("channels", "")
    return view.submit("files.completeUploadExternal", {"files": sent, "channels": channels, **rest})
