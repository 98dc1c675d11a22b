"""Template filters of the mail client: senders, time and labels, for a row of a list."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from apps.gmail.pages.sidebar import label_path
from world.core.clock import MONTHS, WEEKDAYS, to_datetime
from world.web.icons import icon
from world.web.time_format import hour_minute

SHOWN = 3  # names in a row before some are left out


@dataclass(frozen=True, slots=True)
class Name:
    """A piece of the senders' column."""

    text: str
    is_unread: bool = False
    is_draft: bool = False


def short_name(who: Mapping[str, object], *, short: bool) -> str:
    """Somebody's name as a row has room for it."""
    if who["isMe"]:
        return "me"
    name = str(who["name"]) or str(who["email"]).partition("@")[0]
    return name.split()[0].strip(",") if short and name.strip() else name


def list_senders(row: Mapping[str, Any], kind: str) -> list[Name]:
    """The first column: who wrote, or to whom what the owner wrote goes."""
    if kind in ("sent", "scheduled") and row["recipients"]:
        people = row["recipients"]
        return [
            Name(
                "To: " + ", ".join(short_name(who, short=len(people) > 1) for who in people[:SHOWN]),
                bool(row["isUnread"]),
            )
        ]
    people = row["senders"]
    names = [Name(short_name(who, short=len(people) > 1), bool(who["isUnread"])) for who in people]
    if len(names) > SHOWN:
        names = [names[0], Name(".."), *names[-2:]]
    return [*names, *([Name("Draft", is_draft=True)] if row["drafts"] and kind != "scheduled" else [])]


def describe_row(row: Mapping[str, Any], kind: str, at: str) -> str:
    """A row as one sentence, for its accessible name."""
    names = ", ".join(name.text for name in list_senders(row, kind) if name.text != "..") or "no recipient"
    several = f" {row['messages']} messages" if row["messages"] > 1 else ""
    files = f", {len(row['attachments'])} attached" if row["attachments"] else ""
    return f"{'unread, ' if row['isUnread'] else ''}{names}{several}, {row['subject'] or '(no subject)'}, {at}{files}"


def clock_or_day(at: int, now: int, zone: str) -> str:
    """`10:24 AM` today, `Mar 2` this year, `3/2/25` before."""
    moment, today = to_datetime(at, zone), to_datetime(now, zone)
    if moment.date() == today.date():
        return hour_minute(moment)
    if moment.year == today.year:
        return f"{MONTHS[moment.month - 1][:3]} {moment.day}"
    return f"{moment.month}/{moment.day}/{moment.year % 100:02}"


def day_and_clock(at: int, zone: str) -> str:
    """`Mon, Mar 2, 2026, 10:24 AM`."""
    moment = to_datetime(at, zone)
    return (
        f"{WEEKDAYS[moment.weekday()][:3]}, {MONTHS[moment.month - 1][:3]} {moment.day}, {moment.year},"
        f" {hour_minute(moment)}"
    )


def render_list_time(at: int, now: int, zone: str) -> Markup:
    """The last column, with the whole date in `title`."""
    machine = to_datetime(at).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        machine, day_and_clock(at, zone), clock_or_day(at, now, zone)
    )


def list_chips(
    row: Mapping[str, Any], labels: Mapping[str, Mapping[str, object]], here: str
) -> list[Mapping[str, object]]:
    """The labels a row shows: one's own but the one listed, and Inbox where other mail is listed too."""
    own = [
        labels[id]
        for id in row["labelIds"]
        if id in labels and id != here and labels[id]["messageVisibility"] != "hide"
    ]
    inbox = {"id": "INBOX", "name": "Inbox", "color": "", "textColor": ""}
    elsewhere = "INBOX" in row["labelIds"] and here not in ("INBOX", "DRAFT")
    return [*([inbox] if elsewhere else []), *sorted(own, key=lambda one: str(one["name"]).lower())]


def colour_classes(label: Mapping[str, object]) -> str:
    """The classes of a label's colours."""
    ground, ink = str(label["color"]).removeprefix("#"), str(label["textColor"]).removeprefix("#")
    return f"bg-{ground} fg-{ink or '000000'}" if ground else ""


@lru_cache(maxsize=256)
def declare_icon(name: str) -> Markup:
    """An icon to be drawn many times: declared once on a page, used by `drawn`."""
    shapes = str(icon(name)).partition(">")[2].removesuffix("</svg>")
    return Markup('<symbol id="i-{}" viewBox="0 0 24 24">{}</symbol>').format(name, Markup(shapes))


@lru_cache(maxsize=256)
def render_icon(name: str, size: int = 18) -> Markup:
    """An icon the page has declared."""
    return Markup('<svg class="icon" aria-hidden="true" width="{0}" height="{0}"><use href="#i-{1}"/></svg>').format(
        size, name
    )


FILTERS = {
    "senders": list_senders,
    "spoken": describe_row,
    "listed_time": render_list_time,
    "clock_or_day": clock_or_day,
    "day_and_clock": day_and_clock,
    "chips": list_chips,
    "paint": colour_classes,
    "symbol": declare_icon,
    "label_path": label_path,
    "drawn": render_icon,
}
