"""Template filters for the code host's values: times, labels, states, Markdown with its links."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import nh3
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from apps.github.domain import markup
from world.core.clock import DAY, from_datetime
from world.web.icons import icon
from world.web.time_format import stamp

LIGHT = 0.6  # how bright a label's colour is from which dark text reads better
STATES = {
    ("issue", "open"): ("circle-dot", "Open", "open"),
    ("issue", "closed"): ("circle-check", "Closed", "done"),
    ("issue", "not_planned"): ("circle-slash", "Closed", "idle"),
    ("pull", "open"): ("git-pull-request", "Open", "open"),
    ("pull", "draft"): ("git-pull-request-draft", "Draft", "idle"),
    ("pull", "merged"): ("git-merge", "Merged", "done"),
    ("pull", "closed"): ("git-pull-request-closed", "Closed", "closed"),
}
EMOJI = {
    "+1": "👍",
    "-1": "👎",
    "laugh": "😄",
    "confused": "😕",
    "heart": "❤️",
    "hooray": "🎉",
    "eyes": "👀",
    "rocket": "🚀",
}
REACTION_NAMES = {
    "+1": "Thumbs up",
    "-1": "Thumbs down",
    "hooray": "Hooray",
    "laugh": "Laugh",
    "confused": "Confused",
    "heart": "Heart",
    "rocket": "Rocket",
    "eyes": "Eyes",
}


CLASSES = {"contains-task-list", "task-list-item", "task-list-item-checkbox"}
ALIGNED = re.compile(r'style="text-align:(left|right|center)"')
BOX = re.compile(r'(<input [^>]*class="task-list-item-checkbox"[^>]*)>([^<\n]*)')
SHOWN = {**markup.ATTRIBUTES, "th": {"align"}, "td": {"align"}}


def moment(text: str) -> int:
    """Parse a time of the API to microseconds."""
    return from_datetime(datetime.fromisoformat(text.replace("Z", "+00:00")))


@pass_context
def when(context: Context, text: str | None) -> Markup:
    """Render a time of the API as `3 hours ago` or, after a month, `on Mar 4`; the full time shows on hover."""
    if not text:
        return Markup("")
    at, now = moment(text), context["now"]
    old = abs(now - at) > 30 * DAY
    return Markup("on " if old else "") + stamp(at, now, context["zone"], "date" if old else "ago")


def _bright(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def label(one: Mapping[str, object], address: str = "") -> Markup:
    """Render a label as a coloured chip.

    The colour is an image attribute, as the pages' policy forbids inline styles.
    """
    colour = str(one.get("color") or "ededed")
    ink = "on-light" if _bright(colour) > LIGHT else "on-dark"
    fill = Markup(
        '<svg class="label-fill" aria-hidden="true" width="100%" height="100%"><rect width="100%" height="100%" rx="9"'
        ' fill="#{}"/></svg>'
    )
    inside = Markup("{}<span>{}</span>").format(fill.format(colour), one["name"])
    title = escape(one.get("description") or one["name"])
    if address:
        return Markup('<a class="label {}" href="{}" title="{}">{}</a>').format(ink, address, title, inside)
    return Markup('<span class="label {}" title="{}">{}</span>').format(ink, title, inside)


def swatch(colour: str) -> Markup:
    """Render a small disc of a colour."""
    return Markup(
        '<svg class="swatch" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="7" fill="#{}"/></svg>'
    ).format(colour)


def state_of(one: Mapping[str, Any]) -> tuple[str, str]:
    """Return kind (issue or pull) and state of an issue or pull request of the API."""
    pull = one.get("pull_request") or ({"merged_at": one.get("merged_at")} if "head" in one else None)
    if pull is None:
        planned = one["state"] == "closed" and one.get("state_reason") in ("not_planned", "duplicate")
        return "issue", "not_planned" if planned else one["state"]
    if pull.get("merged_at"):
        return "pull", "merged"
    return "pull", "draft" if one["state"] == "open" and one.get("draft") else one["state"]


def state_icon(one: Mapping[str, object], size: int = 16) -> Markup:
    """Return the icon of an issue's state."""
    picture, words, colour = STATES[state_of(one)]
    kind = "pull request" if state_of(one)[0] == "pull" else "issue"
    return Markup('<span class="state-icon {}">{}</span>').format(colour, icon(picture, size, f"{words} {kind}"))


def state_badge(one: Mapping[str, object]) -> Markup:
    """Render the badge under an issue's title."""
    picture, words, colour = STATES[state_of(one)]
    return Markup('<span class="state {}">{} {}</span>').format(colour, icon(picture, 16), words)


@pass_context
def gfm(context: Context, text: str | None) -> Markup:
    """Render Markdown as HTML, with people, issues and commits as links into these pages."""
    links = tuple(markup.Autolink(*one) for one in context.get("autolinks") or ())
    return render_markdown(text, str(context["url"]("/")).rstrip("/"), context.get("full_name"), links)


def render_markdown(text: str | None, site: str, repo: str | None, links: tuple[markup.Autolink, ...] = ()) -> Markup:
    """Render Markdown for a page: no external pictures, no inline styles, only classes of task lists and code."""
    made = ALIGNED.sub(r'align="\1"', markup.html(text, site, repo, links))
    clean = nh3.clean(
        made, tags=markup.ALLOWED, attributes=SHOWN, attribute_filter=_keep_attribute, link_rel="nofollow noopener"
    )
    return Markup(BOX.sub(_label_box, clean))


def _label_box(found: re.Match[str]) -> str:
    """Render a task list's box, labelled by the text behind it."""
    name = found[2].strip().replace('"', "&quot;") or "Task"
    return f'{found[1]} aria-label="{name}">{found[2]}'


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "src":
        return value if value.startswith("/") and value[1:2] not in ("/", "\\") else None
    return (
        " ".join(word for word in value.split() if word in CLASSES or word.startswith("language-")) or None
        if name == "class"
        else value
    )


def short(sha: str) -> str:
    """Return the first seven digits of a SHA."""
    return sha[:7]


def format_count(number: int) -> str:
    """Format counts of four digits and more as `1.2k`."""
    return str(number) if number < 1000 else f"{number / 1000:.1f}k".replace(".0k", "k")


@pass_context
def inner(context: Context, address: str) -> str:
    """Return an address of a response as one of these pages, without its scheme and host."""
    path = "/" + address.partition("://")[2].partition("/")[2]
    return path if path.startswith(str(context["url"]("/")).rstrip("/") + "/") else address


def repo_of(one: Mapping[str, object]) -> str:
    """Return `owner/name` of the repository of an issue in search results."""
    return "/".join(str(one["repository_url"]).rsplit("/", 2)[1:])


def mark_fragments(fragment: str, matches: Sequence[Mapping[str, Any]]) -> Markup:
    """Mark the matches in a fragment of text."""
    out, end = Markup(""), 0
    for one in sorted(matches, key=lambda one: one["indices"][0]):
        start, stop = one["indices"]
        if start < end:
            continue
        out += escape(fragment[end:start]) + Markup("<mark>{}</mark>").format(fragment[start:stop])
        end = stop
    return out + escape(fragment[end:])


CHECKS = {
    "success": ("check", "good"),
    "failure": ("x", "bad"),
    "error": ("x", "bad"),
    "pending": ("circle-dot", "wait"),
    "cancelled": ("circle-slash", "idle"),
    "skipped": ("circle-slash", "idle"),
    "neutral": ("square", "idle"),
    "timed_out": ("x", "bad"),
    "action_required": ("circle-alert", "bad"),
    "queued": ("circle-dot", "wait"),
    "in_progress": ("circle-dot", "wait"),
    "expected": ("circle-dot", "wait"),
}


def check_icon(state: str, size: int = 15) -> Markup:
    """Return the icon of the state of a check or status."""
    picture, tone = CHECKS.get(state, ("circle-dot", "wait"))
    return Markup('<span class="check-icon {}">{}</span>').format(tone, icon(picture, size, state.replace("_", " ")))


FILTERS = {
    "when": when,
    "moment": moment,
    "label": label,
    "swatch": swatch,
    "state_icon": state_icon,
    "state_badge": state_badge,
    "gfm": gfm,
    "short": short,
    "repo_of": repo_of,
    "marked": mark_fragments,
    "counted": format_count,
    "state_of": state_of,
    "inner": inner,
    "check_icon": check_icon,
}
