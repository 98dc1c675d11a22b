"""Template filters of the file pages: times, kinds and owners of files."""

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from apps.drive.operations.file_fields import COLORS
from apps.drive.pages.share import address_of
from apps.drive.timestamps import parse_timestamp
from apps.drive.vendor_types import File
from world.core.clock import MONTHS, to_datetime
from world.web.time_format import hour_minute

SHORTCUT = "application/vnd.google-apps.shortcut"
KINDS = {
    "application/vnd.google-apps.spreadsheet": ("sheet", "Spreadsheet", "green"),
    "application/vnd.google-apps.folder": ("folder", "Folder", "grey"),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": (
        "file-spreadsheet",
        "Microsoft Excel",
        "green",
    ),
    "text/csv": ("file-text", "Comma-separated values", "blue"),
    "text/tab-separated-values": ("file-text", "Tab-separated values", "blue"),
    "application/pdf": ("file-text", "PDF", "red"),
    "application/json": ("file-code", "JSON", "blue"),
    "text/plain": ("file-text", "Text", "blue"),
    "text/markdown": ("file-text", "Markdown", "blue"),
    "application/zip": ("file-archive", "Compressed archive", "grey"),
}
PLAIN = "#8f8f8f"  # of folders nobody gave a colour
GROUPS = ((0, "Today"), (1, "Yesterday"), (7, "Previous 7 days"), (30, "Previous 30 days"))


def kind_of(mime_type: str) -> tuple[str, str, str]:
    """Icon, name and colour of a kind of file."""
    family = mime_type.partition("/")[0]
    usual = {
        "image": ("file-image", "Image", "red"),
        "text": ("file-text", "Text", "blue"),
        "video": ("file-play", "Video", "red"),
    }
    return KINDS.get(mime_type) or usual.get(family) or ("file", "File", "grey")


@pass_context
def format_moment(context: Context, text: str | None) -> Markup:
    """A time as a list has room for it: `9:24 AM` today, `Mar 2` this year, `Jan 26, 2025` before."""
    at = parse_timestamp(text) if text else None
    if at is None:
        return Markup("–")
    local, today = to_datetime(at, context["zone"]), to_datetime(context["now"], context["zone"])
    day = f"{MONTHS[local.month - 1][:3]} {local.day}"
    short = (
        hour_minute(local)
        if local.date() == today.date()
        else day
        if local.year == today.year
        else f"{day}, {local.year}"
    )
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        text, f"{day}, {local.year}, {hour_minute(local)}", short
    )


@pass_context
def format_full_time(context: Context, text: str | None) -> str:
    """A time in full: `Mar 2, 2026, 9:24 AM`."""
    at = parse_timestamp(text) if text else None
    if at is None:
        return "–"
    local = to_datetime(at, context["zone"])
    return f"{MONTHS[local.month - 1][:3]} {local.day}, {local.year}, {hour_minute(local)}"


@pass_context
def since(context: Context, text: str | None) -> str:
    """The part of the list a time belongs to."""
    at = parse_timestamp(text) if text else None
    if at is None:
        return "Earlier"
    days = (to_datetime(context["now"], context["zone"]).date() - to_datetime(at, context["zone"]).date()).days
    return next((name for most, name in GROUPS if days <= most), "Earlier")


def get_file_icon(file: File) -> tuple[str, str, str]:
    """Return icon, name and colour of a file: a shortcut looks like its target, a folder has its own colour."""
    if file["mimeType"] == SHORTCUT:
        symbol, name, colour = kind_of(str(file.get("shortcutDetails", {}).get("targetMimeType", "")))
        return symbol, f"Shortcut to a {name.lower()}", colour
    symbol, name, colour = kind_of(str(file["mimeType"]))
    own = str(file.get("folderColorRgb") or "")
    return symbol, name, f"f{COLORS.index(own)}" if own in COLORS and own != PLAIN else colour


def owner(file: File) -> str:
    """Return the owner of a file, for a list."""
    return "me" if file["ownedByMe"] else str(file["owners"][0]["displayName"])


@pass_context
def day(context: Context, text: str) -> str:
    """The day of a time, as a date field has it."""
    return f"{to_datetime(parse_timestamp(text) or 0, context['zone']):%Y-%m-%d}"


@pass_context
def file_address(context: Context, file: File) -> str:
    """The address of a file's page."""
    return address_of(context["view"], file)


FILTERS = {
    "day": day,
    "kind_of": kind_of,
    "moment": format_moment,
    "whole": format_full_time,
    "since": since,
    "owner": owner,
    "drawn": get_file_icon,
    "address": file_address,
}
