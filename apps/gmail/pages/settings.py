"""Settings: signature and vacation responder, labels, addresses to send from, filters, forwarding."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from apps.gmail.mime.html import from_text, to_text
from apps.gmail.pages import dialogs
from apps.gmail.pages.sidebar import read_counts
from apps.gmail.pages.ui import pages
from world.core.clock import from_datetime, to_datetime, zone_info
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.pages import PageContext

TABS = (
    ("general", "General"),
    ("labels", "Labels"),
    ("accounts", "Accounts"),
    ("filters", "Filters and Blocked Addresses"),
    ("forwarding", "Forwarding"),
)
MILLISECOND = 1_000  # microseconds
SPECIAL = {
    "INBOX": "Inbox",
    "UNREAD": "Unread",
    "STARRED": "Starred",
    "IMPORTANT": "Important",
    "TRASH": "Trash",
    "SPAM": "Spam",
}
# label put on and taken off -> what a filter says it does
SAID = {
    ("", "INBOX"): "Skip Inbox",
    ("", "UNREAD"): "Mark as read",
    ("STARRED", ""): "Star it",
    ("TRASH", ""): "Delete it",
    ("", "SPAM"): "Never send it to Spam",
    ("IMPORTANT", ""): "Mark it as important",
    ("", "IMPORTANT"): "Never mark it as important",
}


@pages.page("/settings", template="settings.html", free=("overlay",))
def settings(view: View) -> JsonObject:
    """A tab of the settings."""
    tab = view.query.get("tab", "general")
    make = MAKERS.get(tab, general_tab)
    tab = tab if tab in MAKERS else "general"
    shown = make(view) if view.wants("main") else {}
    over = dialogs.open_overlay(view, []) | {"here_label": "", "kind": "settings"} if view.wants("overlay") else {}
    return {"title": "Settings", "tab": tab, "tabs": TABS, **over, **shown}


def _list_send_as(view: View) -> list[Mapping[str, Any]]:
    return list(view.read("users.settings.sendAs.list")["sendAs"])


def general_tab(view: View) -> PageContext:
    """Signature and vacation responder."""
    own = _list_send_as(view)
    usual = next((one for one in own if one.get("isDefault")), own[0])
    vacation = view.call("users.settings.getVacation")
    body = vacation.get("responseBodyPlainText") or to_text(vacation.get("responseBodyHtml", ""))
    days = {
        name: _day_text(vacation.get(name), view.page_state.me.tz, last=name == "endTime")
        for name in ("startTime", "endTime")
    }
    return {
        "usual": usual,
        "signature": to_text(usual.get("signature", "")),
        "vacation": vacation,
        "away": body,
        "days": days,
    }


def _day_text(at: Any, zone: str, *, last: bool) -> str:
    """Format a limit of the vacation for a date field; the last day is the one before its end."""
    if not at or at == "0":
        return ""
    moment = to_datetime(int(at) * MILLISECOND, zone) - timedelta(days=1 if last else 0)
    return f"{moment:%Y-%m-%d}"


def labels_tab(view: View) -> JsonObject:
    """Return the context of the own labels."""
    return {"all_labels": read_counts(view)["labels"]}


def accounts_tab(view: View) -> JsonObject:
    """Return the context of the addresses to send from."""
    return {"own": _list_send_as(view)}


def filters_tab(view: View) -> PageContext:
    """Return the context of the filters, as sentences."""
    listed = read_counts(view)["labels"]
    names = SPECIAL | {str(label["id"]): str(label["name"]) for label in listed}
    found = view.call("users.settings.filters.list").get("filter", [])
    addresses = view.attempt("users.settings.forwardingAddresses.list") or {}
    return {
        "filters": [
            (one["id"], _describe_criteria(one["criteria"]), _describe_action(one["action"], names)) for one in found
        ],
        "all_labels": listed,
        "addresses": _list_verified(addresses.get("forwardingAddresses", [])),
    }


def _describe_criteria(criteria: Mapping[str, object]) -> str:
    words = [f"{name}:({criteria[name]})" for name in ("from", "to", "subject") if criteria.get(name)]
    words += [str(criteria["query"])] if criteria.get("query") else []
    words += [f"-{{{criteria['negatedQuery']}}}"] if criteria.get("negatedQuery") else []
    words += ["has:attachment"] if criteria.get("hasAttachment") else []
    words += (
        [f"{criteria['sizeComparison']}:{criteria['size']}"]
        if criteria.get("size") and criteria.get("sizeComparison")
        else []
    )
    return " ".join(words)


def _describe_action(action: Mapping[str, Any], names: Mapping[str, str]) -> str:
    done = [SAID.get((id, "")) or f"Apply label “{names.get(id, id)}”" for id in action.get("addLabelIds", [])]
    done += [SAID.get(("", id)) or f"Remove label “{names.get(id, id)}”" for id in action.get("removeLabelIds", [])]
    done += [f"Forward to {action['forward']}"] if action.get("forward") else []
    return ", ".join(done)


def _list_verified(listed: list[Mapping[str, object]]) -> list[str]:
    return [str(one["forwardingEmail"]) for one in listed if one.get("verificationStatus") == "accepted"]


def forwarding_tab(view: View) -> JsonObject:
    """Return the context of forwarding: auto-forwarding, and the allowed addresses."""
    listed = view.call("users.settings.forwardingAddresses.list").get("forwardingAddresses", [])
    return {
        "forward_all": view.read("users.settings.getAutoForwarding"),
        "listed": listed,
        "addresses": _list_verified(listed),
    }


MAKERS: dict[str, Callable[[View], JsonObject]] = {
    "general": general_tab,
    "labels": labels_tab,
    "accounts": accounts_tab,
    "filters": filters_tab,
    "forwarding": forwarding_tab,
}


@pages.compose("users.settings.sendAs.patch")
def signature_arguments(view: View, arguments: JsonObject) -> JsonObject:
    """Return the arguments of a signature; plain text becomes HTML."""
    given = dict(arguments)
    if "signature_text" in given:
        given["signature"] = from_text(str(given.pop("signature_text")))
    return given


@pages.compose("users.settings.updateVacation")
def vacation_arguments(view: View, arguments: JsonObject) -> JsonObject:
    """Return the arguments of the vacation: first day's start to last day's end, in the reader's zone."""
    given = dict(arguments)
    for name, days in (("startTime", 0), ("endTime", 1)):
        typed = str(given.pop(name, "") or "")
        given[name] = (
            _day_border(typed, days, view.page_state.me.tz, name)
            if typed and not typed.isdecimal()
            else whole_number(typed)
        )
    return given


def _day_border(typed: str, days: int, zone: str, name: str) -> int:
    try:
        day = datetime.fromisoformat(typed)
    except ValueError:
        raise InvalidArguments([(name, "is not a date")]) from None
    return from_datetime((day + timedelta(days=days)).replace(tzinfo=zone_info(zone))) // MILLISECOND


@pages.compose("users.settings.filters.create")
def filter_arguments(view: View, arguments: dict[str, object]) -> dict[str, object]:
    """Return the arguments of a filter; boxes become labels to add and remove."""
    given = {name: value for name, value in arguments.items() if name not in ("does", "label", "forward")}
    if "action" in given:
        return given
    does = arguments.get("does", [])
    chosen = [one for one in (does if isinstance(does, list) else [does]) if isinstance(one, str)]
    add = [name.removeprefix("+") for name in chosen if name.startswith("+")] + (
        [str(arguments["label"])] if arguments.get("label") else []
    )
    action: dict[str, object] = {
        "addLabelIds": add,
        "removeLabelIds": [name.removeprefix("-") for name in chosen if name.startswith("-")],
    }
    if arguments.get("forward"):
        action["forward"] = arguments["forward"]
    return {**given, "action": action}
