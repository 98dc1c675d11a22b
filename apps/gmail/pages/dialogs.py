"""Dialogs over a list: choice of labels, folder or time; a new label; search options."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.gmail.pages.labels import COLOURS
from apps.gmail.pages.sidebar import read_counts
from apps.gmail.pages.thread_actions import list_snooze_times
from apps.gmail.pages.ui import register_shared_part
from world.core.clock import to_datetime
from world.core.json_types import JsonObject
from world.web import View

WITHIN = (
    ("1d", "1 day"),
    ("3d", "3 days"),
    ("7d", "1 week"),
    ("14d", "2 weeks"),
    ("1m", "1 month"),
    ("2m", "2 months"),
    ("6m", "6 months"),
    ("1y", "1 year"),
)
SEARCHED = (
    ("", "All Mail"),
    ("inbox", "Inbox"),
    ("starred", "Starred"),
    ("sent", "Sent Mail"),
    ("drafts", "Drafts"),
    ("spam", "Spam"),
    ("trash", "Trash"),
    ("anywhere", "Mail & Spam & Trash"),
)
Context = JsonObject


def open_overlay(view: View, rows: list[Mapping[str, object]]) -> Context:
    """Return the requested dialog and its context. `rows` are the conversations listed."""
    name = view.query.get("dialog", "")
    ids = view.queries.get("ids", [])
    make = DIALOGS.get(name)
    if make is None or (name in NEEDS_IDS and not ids):
        return {"open": "", "chosen_ids": ids}
    return {"open": name, "chosen_ids": ids, **make(view, [row for row in rows if row["id"] in ids])}


def label_dialog(view: View, rows: list[Mapping[str, Any]]) -> Context:
    """All labels, those on every chosen conversation, and those on some."""
    held = [set(row["labelIds"]) for row in rows]
    every = set.intersection(*held) if held else set()
    return {"all_labels": read_counts(view)["labels"], "on_all": every, "on_some": set().union(*held) - every}


def move_dialog(view: View, rows: list[Mapping[str, object]]) -> Context:
    """Return the places that conversations can be moved to."""
    return {"all_labels": read_counts(view)["labels"]}


def snooze_dialog(view: View, rows: list[Mapping[str, object]]) -> Context:
    """Return the times at which conversations can return."""
    tomorrow = to_datetime(view.now + 24 * 3600 * 1_000_000, view.page_state.me.tz)
    return {
        "slots": list_snooze_times(view.now, view.page_state.me.tz),
        "first_day": f"{to_datetime(view.now, view.page_state.me.tz):%Y-%m-%d}",
        "chosen_day": f"{tomorrow:%Y-%m-%d}",
    }


def name_dialog(view: View, rows: list[Mapping[str, object]]) -> Context:
    """A new label, or the one to change or remove."""
    labels = read_counts(view)["labels"]
    return {
        "all_labels": labels,
        "colours": COLOURS,
        "subject_label": next((label for label in labels if label["id"] == view.query.get("of")), None),
    }


def search_dialog(view: View, rows: list[Mapping[str, object]]) -> Context:
    """Search options."""
    return {"all_labels": read_counts(view)["labels"], "within": WITHIN, "search_places": SEARCHED}


def plain_dialog(view: View, rows: list[Mapping[str, object]]) -> Context:
    """A dialog that needs nothing else."""
    return {}


@register_shared_part
def build_dialogs(view: View) -> Context:
    """The dialogs that any page can open."""
    return open_overlay(view, []) if view.query.get("dialog") in ANYWHERE else {}


DIALOGS: dict[str, Callable[[View, list[Mapping[str, object]]], Context]] = {
    "label": label_dialog,
    "move": move_dialog,
    "snooze": snooze_dialog,
    "new-label": name_dialog,
    "edit-label": name_dialog,
    "remove-label": name_dialog,
    "search": search_dialog,
    "empty": plain_dialog,
}
ANYWHERE = frozenset({"new-label", "edit-label", "remove-label", "search"})
NEEDS_IDS = frozenset({"label", "move", "snooze"})
