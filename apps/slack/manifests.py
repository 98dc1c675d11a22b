"""App manifests: what an app is called, which events it subscribes to, and how it takes them.

Source: docs.slack.dev/reference/app-manifest
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from apps.slack.models_apps import AppSettings
from world.core.call import Call
from world.core.json_types import JsonObject, is_object
from world.core.loopback import find_receiver

EVENTS = frozenset(
    """
    app_mention channel_archive channel_created channel_rename channel_unarchive group_archive group_rename
    group_unarchive member_joined_channel member_left_channel message.channels message.groups message.im message.mpim
    pin_added pin_removed reaction_added reaction_removed team_join
    """.split()
)
URLS = ("event_subscriptions", "interactivity")
NAMED = "SELECT person_id FROM slack_profile WHERE app_id = :app"


class Problem(NamedTuple):
    """Errors of a manifest with their places."""

    message: str
    pointer: str


def find_problems(manifest: JsonObject) -> list[Problem]:
    """Everything that keeps a manifest from being taken."""
    return [
        *_name_problems(manifest),
        *_event_problems(manifest),
        *_url_problems(manifest),
        *_shortcut_problems(manifest),
    ]


def _name_problems(manifest: JsonObject) -> Iterator[Problem]:
    name = _at(manifest, "display_information", "name")
    if not isinstance(name, str) or not 1 <= len(name) <= 35:
        yield Problem("Must be more than 0 and fewer than 36 characters", "/display_information/name")


def _event_problems(manifest: JsonObject) -> Iterator[Problem]:
    events = _at(manifest, "settings", "event_subscriptions", "bot_events")
    where = "/settings/event_subscriptions/bot_events"
    if events is None:
        return
    if not isinstance(events, list):
        yield Problem("Must be an array", where)
        return
    for place, one in enumerate(events):
        if not isinstance(one, str) or one not in EVENTS:
            yield Problem("Event type is not supported", f"{where}/{place}")
    if events and not takes_sockets(manifest) and not find_request_url(manifest, "event_subscriptions"):
        yield Problem("Event Subscription requires either Request URL or Socket Mode Enabled", where.rpartition("/")[0])


def _shortcut_problems(manifest: JsonObject) -> Iterator[Problem]:
    for place, one in enumerate(list_shortcuts(manifest)):
        if one.get("type") not in ("global", "message"):
            yield Problem("Must be one of the allowed values: global, message", f"/features/shortcuts/{place}/type")
        for name in ("name", "callback_id"):
            if not isinstance(one.get(name), str) or not one[name]:
                yield Problem("Required field", f"/features/shortcuts/{place}/{name}")


def _url_problems(manifest: JsonObject) -> Iterator[Problem]:
    for part in URLS:
        url = _at(manifest, "settings", part, "request_url")
        if url is not None and (not isinstance(url, str) or (url and find_receiver(url) is None)):
            yield Problem("Must be a valid URL of this machine", f"/settings/{part}/request_url")


def find_request_url(manifest: JsonObject, part: str) -> str:
    """Return the URL that takes events (`event_subscriptions`) or interactions (`interactivity`) by POST; empty for none."""
    url = _at(manifest, "settings", part, "request_url")
    return url if isinstance(url, str) else ""


def list_subscriptions(manifest: JsonObject) -> frozenset[str]:
    """The events that an app is told."""
    events = _at(manifest, "settings", "event_subscriptions", "bot_events")
    return frozenset(str(one) for one in events) if isinstance(events, list) else frozenset()


def find_name(manifest: JsonObject) -> str:
    """Return the name of an app."""
    return str(_at(manifest, "display_information", "name") or "")


def has_home(manifest: JsonObject) -> bool:
    """Whether an app has a Home tab."""
    return _at(manifest, "features", "app_home", "home_tab_enabled") is True


def is_interactive(manifest: JsonObject) -> bool:
    """Whether an app is told what people do with what it shows."""
    return _at(manifest, "settings", "interactivity", "is_enabled") is True


def list_shortcuts(manifest: JsonObject) -> list[JsonObject]:
    """The shortcuts of an app, each with name, type (global, message) and callback_id."""
    listed = _at(manifest, "features", "shortcuts")
    return [dict(one) for one in listed if is_object(one)] if isinstance(listed, list) else []


def takes_sockets(manifest: JsonObject) -> bool:
    """Whether Socket Mode is on."""
    return _at(manifest, "settings", "socket_mode_enabled") is True


def find_manifest(call: Call, app_id: str) -> JsonObject:
    """The manifest of an app, empty for one that nobody set up."""
    row = call.session.get(AppSettings, app_id)
    return {} if row is None else row.manifest


def _at(manifest: object, *path: str) -> JsonValue:
    found: Any = manifest
    for name in path:
        found = found.get(name) if is_object(found) else None
    return found
