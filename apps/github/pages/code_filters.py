"""Template filters for values of code: addresses, messages, sizes, colours of languages."""

import re
from datetime import datetime

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from apps.github.pages.template_filters import moment
from apps.github.views.urls import quote_path
from world.web.time_format import MONTHS, to_datetime

COLOURS = {
    "Python": "#3b74a8",
    "JavaScript": "#e6cf4a",
    "TypeScript": "#3b78bf",
    "HTML": "#d9552f",
    "CSS": "#6a4a96",
    "Shell": "#86c95a",
    "Go": "#2bacd3",
    "Rust": "#d3a58a",
    "Ruby": "#7a2233",
    "Java": "#a8702c",
    "C": "#5d5d5d",
    "C++": "#e0567f",
    "SQL": "#d98c1f",
    "Dockerfile": "#3f5766",
    "Makefile": "#4a8a2a",
    "PLpgSQL": "#3a6f9a",
    "Jinja": "#a52a22",
    "Kotlin": "#a383f0",
    "Swift": "#e8643c",
    "PHP": "#545f93",
}


def headline(message: str) -> str:
    """Return the first line of a commit message."""
    return message.partition("\n")[0]


def rest(message: str) -> str:
    """Return a commit message below its first line."""
    return message.partition("\n")[2].strip("\n")


def size(count: int) -> str:
    """Format a size: `812 Bytes`, `3.4 KB`, `1.21 MB`."""
    if count < 1024:
        return f"{count} {'Byte' if count == 1 else 'Bytes'}"
    return f"{count / 1024:.3g} KB" if count < 1024 * 1024 else f"{count / 1024 / 1024:.3g} MB"


def colour(language: str) -> str:
    """Return the colour of a language."""
    return COLOURS.get(language, "#9aa3ae")


def outward(address: str) -> str:
    """Return a website as a link with a scheme; other schemes than the web's are refused."""
    if re.fullmatch(r"https?://[\w.-]+(:\d{1,5})?([/?#][^\s<>]*)?", address, re.IGNORECASE):
        return address
    return "https://" + address if re.fullmatch(r"[\w.-]+\.[a-z]{2,}(/[^\s:]*)?", address, re.IGNORECASE) else "#"


def render_duration(start: str | None, end: str | None) -> str:
    """Render a duration: `1m 12s`."""
    if not start or not end:
        return ""
    first, last = (datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (start, end))
    seconds = max(0, int((last - first).total_seconds()))
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    words = [f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m"), (seconds % 60, "s")) if count]
    return " ".join(words) or "0s"


def mark_matches(text: str, words: str) -> Markup:
    """Mark the searched words in a text."""
    if not words:
        return escape(text)
    parts = re.split(f"({re.escape(words)})", text, flags=re.IGNORECASE)
    return Markup("").join(
        Markup("<mark>{}</mark>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )


@pass_context
def day(context: Context, at: str) -> str:
    """Format the heading over the commits of a day: `Mar 2, 2026`."""
    there = to_datetime(moment(at), context["zone"])
    return f"{MONTHS[there.month - 1][:3]} {there.day}, {there.year}"


CODE_FILTERS = {
    "quoted": quote_path,
    "headline": headline,
    "rest": rest,
    "bytes": size,
    "language_colour": colour,
    "outward": outward,
    "lasted": render_duration,
    "day": day,
    "found_in": mark_matches,
}
