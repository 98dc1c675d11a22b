"""App manifests: what an app is called, which events it subscribes to, whether it takes them over Socket Mode.

Source: docs.slack.dev/reference/app-manifest
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from apps.slack.models_apps import AppSettings
from world.core.call import Call
from world.core.json_types import JsonObject, is_object

EVENTS = frozenset(
    """
    app_mention channel_archive channel_created channel_rename channel_unarchive group_archive group_rename
    group_unarchive member_joined_channel member_left_channel message.channels message.groups message.im message.mpim
    pin_added pin_removed reaction_added reaction_removed team_join
    """.split()
)
NAMED = "SELECT person_id FROM slack_profile WHERE app_id = :app"


class Problem(NamedTuple):
    """What is wrong with a manifest, and where."""

    message: str
    pointer: str


def find_problems(manifest: JsonObject) -> list[Problem]:
    """Everything that keeps a manifest from being taken."""
    return [*_name_problems(manifest), *_event_problems(manifest)]


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
    if events and _at(manifest, "settings", "socket_mode_enabled") is not True:
        yield Problem("Event Subscription requires either Request URL or Socket Mode Enabled", where.rpartition("/")[0])


def list_subscriptions(manifest: JsonObject) -> frozenset[str]:
    """The events that an app is told over Socket Mode."""
    events = _at(manifest, "settings", "event_subscriptions", "bot_events")
    return frozenset(str(one) for one in events) if isinstance(events, list) else frozenset()


def takes_sockets(manifest: JsonObject) -> bool:
    """Whether Socket Mode is on."""
    return _at(manifest, "settings", "socket_mode_enabled") is True


def find_manifest(call: Call, app_id: str) -> JsonObject:
    """The manifest of an app, empty for one that nobody set up."""
    row = call.session.get(AppSettings, app_id)
    return {} if row is None else row.manifest


def _at(manifest: Any, *path: str) -> JsonValue:
    found: Any = manifest
    for name in path:
        found = found.get(name) if is_object(found) else None
    return found
