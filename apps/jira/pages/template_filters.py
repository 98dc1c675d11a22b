"""Template filters for the tracker's values: times, numbers, icons of types and priorities, keys as links."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from world.core.clock import from_datetime, to_datetime, zone_info
from world.web.icons import icon
from world.web.time_format import MONTHS, hour_minute, stamp

TYPE_ICONS = {
    "Bug": ("bug", "red"),
    "Story": ("bookmark", "green"),
    "Task": ("check", "blue"),
    "Epic": ("zap", "purple"),
    "Sub-task": ("corner-down-right", "blue"),
    "Incident": ("siren", "red"),
    "Support Request": ("life-buoy", "teal"),
}
PRIORITY_ICONS = {
    "Highest": ("chevrons-up", "red"),
    "High": ("chevron-up", "red"),
    "Medium": ("equal", "amber"),
    "Low": ("chevron-down", "blue"),
    "Lowest": ("chevrons-down", "blue"),
}
FLOW = ("new", "indeterminate", "done")
KEY = re.compile(r"\b[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6}\b")
OWN_LINK = re.compile(r'href="https://[\w-]+\.atlassian\.net/browse/([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,6})')
STYLED = re.compile(r'<span style="[^"]*">')  # colours of the API's HTML; a page's policy admits no inline style
ACCOUNT = re.compile(r"@([0-9A-Za-z][0-9A-Za-z:\\-]{3,})")


def parse_api_time(text: str) -> int:
    """Microseconds of a time as the API writes it."""
    return from_datetime(datetime.fromisoformat(text))


def local_input(text: str, zone: str) -> str:
    """A time of the API as a `datetime-local` field holds it."""
    return f"{to_datetime(parse_api_time(text), zone):%Y-%m-%dT%H:%M}" if text else ""


def day_text(day: str) -> str:
    """`2026-03-02` as `Mar 2, 2026`."""
    year, month, number = day[:10].split("-")
    return f"{MONTHS[int(month) - 1][:3]} {int(number)}, {year}"


def due_text(day: str, now: int, zone: str) -> str:
    """A due day as a list writes it: without the year when it is this one."""
    text = day_text(day)
    return text.removesuffix(f", {to_datetime(now, zone).year}")


@pass_context
def render_when(context: Context, at: int, letters: int | None = None) -> Markup:
    """`February 27, 2026 at 8:55 AM`: how this tracker dates comments and changes; the month may be cut to its first
    letters.
    """
    there = to_datetime(at, context["zone"])
    short = stamp(at, context["now"], context["zone"])
    return Markup("{}>{} at {}</time>").format(
        Markup(short.split(">", 1)[0]),
        f"{MONTHS[there.month - 1][:letters]} {there.day}, {there.year}",
        hour_minute(there),
    )


def is_overdue(day: str, now: int, zone: str) -> bool:
    """Whether a due day has passed where the reader is."""
    return bool(day) and day < to_datetime(now, zone).date().isoformat()


def number_text(value: float | None) -> str:
    """`3`, `2.5`, or nothing."""
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() else str(value)


def type_icon(kind: Mapping[str, object], size: int = 16) -> Markup:
    """The coloured square of an issue type."""
    name = str(kind["name"])
    shape, colour = TYPE_ICONS.get(name, ("circle", "blue"))
    return Markup('<span class="type-icon tint-{}" role="img" aria-label="{}" title="{}">{}</span>').format(
        colour, name, name, icon(shape, size - 5)
    )


def priority_icon(priority: Mapping[str, object] | None, size: int = 16) -> Markup:
    """The arrow of a priority."""
    if priority is None:
        return Markup("")
    name = str(priority["name"])
    shape, colour = PRIORITY_ICONS.get(name, ("minus", "blue"))
    return Markup('<span class="priority-icon ink-{}" role="img" aria-label="{} priority" title="{}">{}</span>').format(
        colour, name, name, icon(shape, size)
    )


def render_status(status: Mapping[str, Any]) -> Markup:
    """A status in the colour of its category."""
    return Markup('<span class="lozenge lozenge-{}">{}</span>').format(status["statusCategory"]["key"], status["name"])


def sort_by_workflow(statuses: Iterable[Mapping[str, object]]) -> list[Mapping[str, Any]]:
    """Statuses in the order work goes through them: to do, in progress, done."""
    return sorted(statuses, key=lambda status: FLOW.index(status["statusCategory"]["key"]))


def render_prose(
    body: object, named: Callable[[str], str | None], known: Callable[[str], str | None] | None = None
) -> Markup:
    """Rendered HTML, with the names of mentioned people where only their account is written, and links to our issues
    kept here.
    """

    def render_mention(found: re.Match[str]) -> str:
        name = named(found[1])
        return f"@{escape(name)}" if name else found[0]

    def here(found: re.Match[str]) -> str:
        address = known(found[1]) if known else None
        return f'href="{escape(address)}' if address else found[0]

    return Markup(OWN_LINK.sub(here, ACCOUNT.sub(render_mention, STYLED.sub("<span>", str(body)))))


def render_source(body: object, named: Callable[[str], str | None]) -> str:
    """Return an editor's text with the names of mentioned people; the template escapes it."""

    def render_mention(found: re.Match[str]) -> str:
        name = named(found[1])
        return f"@{name}" if name else found[0]

    return ACCOUNT.sub(render_mention, str(body))


def link_issue_keys(text: object, known: Callable[[str], str | None]) -> Markup:
    """Plain text with issue keys as links."""
    return Markup(_link_keys(str(escape(text)), known))


def _link_keys(part: str, known: Callable[[str], str | None]) -> str:
    def link(found: re.Match[str]) -> str:
        address = known(found[0])
        return f'<a href="{escape(address)}">{found[0]}</a>' if address else found[0]

    return KEY.sub(link, part)


def to_api_time(local: str, zone: str) -> str:
    """A `datetime-local` value as the API takes it, in UTC."""
    there = datetime.fromisoformat(local).replace(tzinfo=zone_info(zone))
    return f"{there.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.000+0000"


FILTERS: dict[str, Callable[..., object]] = {
    "moment": parse_api_time,
    "day_text": day_text,
    "number": number_text,
    "type_icon": type_icon,
    "priority_icon": priority_icon,
    "lozenge": render_status,
    "prose": render_prose,
    "source": render_source,
    "key_text": link_issue_keys,
    "overdue": is_overdue,
    "local_input": local_input,
    "in_flow": sort_by_workflow,
    "due_text": due_text,
    "when": render_when,
}
