"""Actions on conversations: one form holds a list's check boxes, and each of its buttons names an action.

A button is `gesture=archive` for the checked rows, or `only=archive <thread id>` for one conversation.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import orjson
from starlette.responses import Response

from apps.gmail.pages.sidebar import read_counts
from apps.gmail.pages.ui import pages
from world.core.clock import SECOND, from_datetime, to_datetime
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.core.params import Arguments, whole_number
from world.web import View, response_headers
from world.web.time_format import hour_minute

Labels = tuple[tuple[str, ...], tuple[str, ...]]
# gesture -> labels put on, labels taken off, what the toast says of one conversation
CHANGES: dict[str, tuple[Labels, str]] = {
    "archive": (((), ("INBOX",)), "Conversation archived."),
    "inbox": ((("INBOX",), ()), "Conversation moved to Inbox."),
    "spam": ((("SPAM",), ()), "Conversation marked as spam."),
    "not-spam": ((("INBOX",), ("SPAM",)), "Conversation unmarked as spam and moved to Inbox."),
    "delete": ((("TRASH",), ()), "Conversation moved to Trash."),
    "read": (((), ("UNREAD",)), "Conversation marked as read."),
    "unread": ((("UNREAD",), ()), "Conversation marked as unread."),
    "star": ((("STARRED",), ()), ""),
    "unstar": (((), ("STARRED",)), ""),
    "important": ((("IMPORTANT",), ()), "Conversation marked as important."),
    "not-important": (((), ("IMPORTANT",)), "Conversation marked as not important."),
}
PLAIN = {
    "mute": ("mail.mute", "Conversation muted."),
    "unmute": ("mail.unmute", "Conversation unmuted."),
    "forever": ("mail.deleteForever", "Conversation deleted forever."),
    "unsnooze": ("mail.unsnooze", "Conversation moved to Inbox."),
}
CHOOSERS = ("label", "move", "snooze")
GestureResult = JsonObject


def to_texts(value: object) -> list[str]:
    """One or several values of a form."""
    return [str(item) for item in (value if isinstance(value, list) else [value] if value else [])]


def action_sentence(sentence: str, count: int) -> str:
    """The toast for several conversations: `3 conversations archived.`"""
    return sentence if count == 1 else sentence.replace("Conversation", f"{count} conversations", 1)


@pages.action("gesture")
def run_gesture(view: View, arguments: JsonObject) -> GestureResult | Response:
    """Run the action of a list's button."""
    wanted, _, one = str(arguments.get("only") or "").partition(" ")
    wanted, ids = (wanted, [one]) if one else (str(arguments.get("gesture") or ""), to_texts(arguments.get("ids")))
    if wanted in CHOOSERS:
        return response_headers.see_other(view.here(dialog=wanted, ids=ids))
    if not ids:
        return {"said": "No conversations selected."}
    run = _gesture_runner(wanted)
    if run is None:
        raise InvalidArguments([("gesture", "is not known")])
    return run(view, ids, arguments)


def _gesture_runner(wanted: str) -> Callable[[View, list[str], Mapping[str, object]], GestureResult] | None:
    if wanted in CHANGES:
        (add, remove), sentence = CHANGES[wanted]
        return lambda view, ids, _: _relabel(view, ids, add, remove, sentence)
    if wanted in PLAIN:
        operation, sentence = PLAIN[wanted]
        return lambda view, ids, _: _gesture_result(
            view.submit(operation, {"ids": [*ids]}), action_sentence(sentence, len(ids))
        )
    return {"apply-labels": _apply_labels, "move-to": _move_threads, "snooze-until": _snooze_threads}.get(wanted)


def _relabel(view: View, ids: list[str], add: tuple[str, ...], remove: tuple[str, ...], sentence: str) -> GestureResult:
    done = view.submit("mail.label", {"ids": [*ids], "addLabelIds": [*add], "removeLabelIds": [*remove]})
    return _gesture_result(done, action_sentence(sentence, len(ids)))


def _gesture_result(done: Mapping[str, Any], sentence: str) -> GestureResult:
    """Return the arguments of the toast."""
    undo = done.get("undo")
    told: JsonObject = {"said": sentence}
    return told | ({"undo_by": "mail.revert", "undo": orjson.dumps(undo).decode()} if undo else {})


def _apply_labels(view: View, ids: list[str], arguments: Arguments) -> GestureResult:
    """The dialog of labels: `on` are those checked now, `was` those that were."""
    on, was = set(to_texts(arguments.get("on"))), set(to_texts(arguments.get("was")))
    add, remove = sorted(on - was), sorted(was - on)
    if not add and not remove:
        return {"said": ""}
    names = {str(label["id"]): str(label["name"]) for label in read_counts(view)["labels"]}
    changed = [names.get(id, id) for id in (*add, *remove)]
    sentence = (
        f"Conversation {'added to' if add else 'removed from'} “{changed[0]}”."
        if len(changed) == 1
        else "Labels of conversation changed."
    )
    return _relabel(view, ids, tuple(add), tuple(remove), sentence)


def _move_threads(view: View, ids: list[str], arguments: Arguments) -> GestureResult:
    """Into a label, out of the inbox; or to the inbox, spam, trash."""
    target, here = str(arguments.get("to") or ""), str(arguments.get("from") or "")
    if target in ("INBOX", "SPAM", "TRASH"):
        return _relabel(view, ids, (target,), (), f"Conversation moved to {target.capitalize()}.")
    name = next((str(label["name"]) for label in read_counts(view)["labels"] if label["id"] == target), target)
    left = tuple(dict.fromkeys(label for label in ("INBOX", "SPAM", "TRASH", here) if label and label != target))
    return _relabel(view, ids, (target,), left, f"Conversation moved to “{name}”.")


# snoozing


def list_snooze_times(now: int, zone: str) -> list[tuple[str, int, str]]:
    """Return the choices of the snooze menu: name, time, formatted time."""
    local = to_datetime(now, zone)
    morning, evening = (
        local.replace(hour=8, minute=0, second=0, microsecond=0),
        local.replace(hour=18, minute=0, second=0, microsecond=0),
    )
    offered = [("Later today", evening)] if local < evening - timedelta(hours=1) else []
    offered.append(("Tomorrow", morning + timedelta(days=1)))
    if local.weekday() < 4:
        offered.append(("This weekend", morning + timedelta(days=5 - local.weekday())))
    offered.append(("Next week", morning + timedelta(days=7 - local.weekday())))
    return [(name, from_datetime(when), f"{when:%a}, {hour_minute(when)}") for name, when in offered]


def _snooze_threads(view: View, ids: list[str], arguments: Mapping[str, object]) -> GestureResult:
    """Until a time of the menu, or one typed as a date and a time."""
    asked = str(arguments.get("until") or "")
    until = (
        whole_number(asked, most=10**16)
        if asked.isascii() and asked.isdecimal()
        else _parse_typed_time(view, str(arguments.get("date") or ""), str(arguments.get("time") or ""))
    )
    view.submit("mail.snooze", {"ids": [*ids], "until": until // SECOND})
    return {
        "said": action_sentence(
            f"Conversation snoozed until {format_future_time(until, view.now, view.page_state.me.tz)}.", len(ids)
        ),
        "undo": orjson.dumps(ids).decode(),
    }


def _parse_typed_time(view: View, date: str, time: str) -> int:
    try:
        local = datetime.fromisoformat(f"{date}T{time or '08:00'}")
    except ValueError:
        raise InvalidArguments([("date", "is not a date")]) from None
    return from_datetime(local.replace(tzinfo=to_datetime(view.now, view.page_state.me.tz).tzinfo))


def format_future_time(at: int, now: int, zone: str) -> str:
    """A time ahead: `today, 6:00 PM`, `tomorrow, 8:00 AM`, `Mon, Mar 9, 8:00 AM`."""
    moment, today = to_datetime(at, zone), to_datetime(now, zone)
    days = (moment.date() - today.date()).days
    day = {0: "today", 1: "tomorrow"}.get(days) or f"{moment:%a}, {moment:%b} {moment.day}"
    return f"{day}, {hour_minute(moment)}"
