"""Interactions of people with apps: buttons, shortcuts, modals and Home tabs. The app is sent each of them."""

from typing import Any, TypedDict

from pydantic import Field
from sqlmodel import col, select

from apps.slack import conversation_access
from apps.slack.app import app
from apps.slack.limits import CLIENT
from apps.slack.manifests import find_name, has_home, list_shortcuts
from apps.slack.message_delivery import format_ts
from apps.slack.message_views import find_message, single_message_to_json
from apps.slack.models_apps import AppSettings, AppView
from apps.slack.params import Ident, Json, OptionalTs
from apps.slack.profiles import Roster
from apps.slack.views.inputs import read_values
from apps.slack.views.stack import ViewShape, list_stack, record_interaction, view_to_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject, is_object
from world.core.params import NoParams, Params

AT_ONCE_S = 0.0  # pressing something takes no time: the app's answer is what is waited for


class Done(TypedDict):
    """An interaction; the app may answer to its trigger for 3 seconds."""

    trigger_id: str


class AppShape(TypedDict):
    """An app that people can do something with."""

    app_id: str
    name: str
    has_home: bool
    home: ViewShape | None
    shortcuts: list[JsonObject]


class OpenModal(TypedDict):
    """A modal over the page."""

    view: ViewShape
    app_name: str
    errors: JsonObject
    submitted_at: int


class Surfaces(TypedDict):
    """Views of apps that the caller sees."""

    modals: list[OpenModal]
    apps: list[AppShape]


class Press(Params):
    """An element of a message or of a view."""

    block_id: Ident = Field(description="The block the element stands in.", examples=["b1"])
    action_id: Ident = Field(description="The element.", examples=["approve"])
    view_id: str = Field(default="", max_length=40, description="The view it stands in; empty for a message.")
    channel: str = Field(default="", max_length=40, description="The conversation of the message.")
    ts: OptionalTs = Field(default=None, description="ts of the message.")
    value: str | None = Field(default=None, max_length=3000, description="What was chosen, where there is a choice.")


class Submit(Params):
    """A modal and what was entered into it."""

    view_id: Ident = Field(description="Id of the view, V….")
    values: Json = Field(default=None, description="By block_id what was entered; of choices the option's value.")


class ViewParams(Params):
    """One view."""

    view_id: Ident = Field(description="Id of the view, V….")


class Run(Params):
    """A shortcut and the message it is run on."""

    app_id: Ident = Field(description="The app, A….")
    callback_id: Ident = Field(description="The shortcut.", examples=["order_lunch"])
    channel: str = Field(default="", max_length=40, description="The conversation, for a shortcut on a message.")
    ts: OptionalTs = Field(default=None, description="ts of the message.")


def _message_of(call: Call, channel: str, ts: str | None) -> tuple[JsonObject, JsonObject, str]:
    """A message the caller can read, its channel, and who wrote it. Raises message_not_found, channel_not_found."""
    room = conversation_access.get_conversation(call, channel)
    row = find_message(call, room.id, ts or "")
    if row is None or row.is_tombstone:
        raise OperationError("message_not_found")
    body = single_message_to_json(call, row, Roster(call))
    return body, {"id": room.id, "name": room.name or "directmessage"}, str(row.person_id)


def _find_element(blocks: Any, block_id: str, action_id: str) -> JsonObject:
    """An element that can be pressed. Raises action_not_found."""
    for block in blocks or ():
        if block.get("block_id") == block_id:
            elements = [*(block.get("elements") or ()), block.get("accessory") or {}]
            for element in elements:
                if is_object(element) and element.get("action_id") == action_id:
                    return dict(element)
    raise OperationError("action_not_found")


@app.operation(
    "blocks.actions",
    source=CLIENT,
    writes=True,
    cost_s=AT_ONCE_S,
    examples=[{"view_id": "$views.open:view.id", "block_id": "more", "action_id": "add"}],
    raises=("action_not_found", "message_not_found", "channel_not_found", "not_found", "invalid_app_id"),
)
def press_element(call: Call, params: Press) -> Done:
    """Press a button, or choose something, in a message, a modal or a Home tab of an app."""
    if params.view_id:
        view = _find_mine(call, params.view_id)
        told = view_to_json(call, view)
        element = _find_element(view.content["blocks"], params.block_id, params.action_id)
        facts: JsonObject = {
            "container": {"type": "view", "view_id": view.id},
            "view": dict(told),
            "state": told["state"],
        }
        app_id = view.app_id
    else:
        message, channel, author = _message_of(call, params.channel, params.ts)
        element = _find_element(message.get("blocks"), params.block_id, params.action_id)
        place = {"message_ts": message["ts"], "channel_id": channel["id"], "is_ephemeral": False}
        facts = {"container": {"type": "message", **place}, "channel": channel, "message": message}
        app_id = (Roster(call).get(author) or Roster(call).me).app_id
    action = {name: element[name] for name in ("type", "action_id", "text", "value") if name in element}
    if params.value is not None:
        action["value"] = params.value
    action |= {"block_id": params.block_id, "action_ts": format_ts(call.now)}
    done = record_interaction(call, app_id, "block_actions", {**facts, "actions": [action]}, view_id=params.view_id)
    return {"trigger_id": done.trigger_id}


def _find_mine(call: Call, view_id: str) -> AppView:
    """A view that is shown to the caller. Raises not_found."""
    view = call.session.get(AppView, view_id)
    if view is None or view.person_id != call.person or view.closed_at:
        raise OperationError("not_found")
    return view


@app.operation(
    "views.submit",
    source=CLIENT,
    writes=True,
    cost_s=AT_ONCE_S,
    examples=[{"view_id": "$views.open:view.id", "values": {"dish": "Soup"}}],
    raises=("not_found", "invalid_app_id", "invalid_arguments"),
)
def submit_view(call: Call, params: Submit) -> Done:
    """Submit a modal of an app with what you entered. It stays open until the app has answered."""
    view = _find_mine(call, params.view_id)
    if view.kind != "modal":
        raise OperationError("not_found")
    view.entered = read_values(view.content, params.values or {})
    view.errors, view.submitted_at = {}, call.now
    call.session.add(view)
    call.flush()
    facts: JsonObject = {"view": dict(view_to_json(call, view)), "response_urls": []}
    done = record_interaction(call, view.app_id, "view_submission", facts, view_id=view.id)
    return {"trigger_id": done.trigger_id}


@app.operation(
    "views.close",
    source=CLIENT,
    writes=True,
    cost_s=AT_ONCE_S,
    examples=[{"view_id": "$views.open:view.id"}],
    raises=("not_found", "invalid_app_id"),
)
def close_view(call: Call, params: ViewParams) -> JsonObject:
    """Close a modal of an app; the one below it shows again. The app is told if it asked for that."""
    view = _find_mine(call, params.view_id)
    if view.kind != "modal":
        raise OperationError("not_found")
    stack = list_stack(call, call.person, view.app_id)
    closing = stack if view.content["clear_on_close"] else stack[stack.index(view) :]
    for one in closing:
        one.closed_at = call.now
        call.session.add(one)
    call.flush()
    if view.content["notify_on_close"]:
        facts: JsonObject = {"view": dict(view_to_json(call, view)), "is_cleared": len(closing) > 1}
        record_interaction(call, view.app_id, "view_closed", facts, view_id=view.id)
    return {}


@app.operation(
    "shortcuts.run",
    source=CLIENT,
    writes=True,
    cost_s=AT_ONCE_S,
    examples=[{"app_id": "$apps.manifest.create:app_id", "callback_id": "order_lunch"}],
    raises=("invalid_app_id", "shortcut_not_found", "message_not_found", "channel_not_found"),
)
def run_shortcut(call: Call, params: Run) -> Done:
    """Run a shortcut of an app, on a message or by itself."""
    settings = call.session.get(AppSettings, params.app_id)
    if settings is None:
        raise OperationError("invalid_app_id")
    kind = "message" if params.ts else "global"
    offered = [one["callback_id"] for one in list_shortcuts(settings.manifest) if one["type"] == kind]
    if params.callback_id not in offered:
        raise OperationError("shortcut_not_found")
    facts: JsonObject = {"callback_id": params.callback_id, "action_ts": format_ts(call.now)}
    if params.ts:
        message, channel, _ = _message_of(call, params.channel, params.ts)
        facts |= {"message_ts": message["ts"], "message": message, "channel": channel}
    done = record_interaction(call, params.app_id, "message_action" if params.ts else "shortcut", facts)
    return {"trigger_id": done.trigger_id}


@app.operation("views.list", source=CLIENT, examples=[{}])
def list_surfaces(call: Call, params: NoParams) -> Surfaces:
    """What apps show to you: modals that are open, Home tabs, and the shortcuts they offer."""
    rows = call.session.exec(select(AppSettings).order_by(col(AppSettings.app_id))).all()
    names = {row.app_id: find_name(row.manifest) for row in rows}
    modals: list[OpenModal] = [
        {
            "view": view_to_json(call, view),
            "app_name": names.get(view.app_id, ""),
            "errors": view.errors,
            "submitted_at": view.submitted_at,
        }
        for view in list_stack(call, call.person)
    ]
    return {"modals": modals, "apps": [_app_to_json(call, row, names[row.app_id]) for row in rows]}


def _app_to_json(call: Call, row: AppSettings, name: str) -> AppShape:
    chosen = select(AppView).where(
        col(AppView.app_id) == row.app_id, col(AppView.person_id) == call.person, col(AppView.kind) == "home"
    )
    home = call.session.exec(chosen).first()
    return {
        "app_id": row.app_id,
        "name": name,
        "has_home": has_home(row.manifest),
        "home": view_to_json(call, home) if home is not None else None,
        "shortcuts": list_shortcuts(row.manifest),
    }
