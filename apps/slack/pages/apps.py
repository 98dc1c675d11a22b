"""Apps: the modal that one has opened over the page, Home tabs, shortcuts, and the buttons of their messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException

from apps.slack.markup import Names, render_blocks
from apps.slack.pages import dialogs
from apps.slack.pages.buttons import Button, drop_buttons, list_buttons, text_of
from apps.slack.pages.messages import sanitise_html
from apps.slack.pages.people import People
from apps.slack.pages.ui import pages
from apps.slack.views.inputs import TEXTS, list_inputs, list_options
from apps.slack.views.stack import TRIGGER_US
from world.core.json_types import JsonObject
from world.web import View

FIELD_KINDS = {"number_input": "number", "email_text_input": "email", "url_text_input": "url", "datepicker": "date"}


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a view as the template draws it: plain HTML, buttons, or an input."""

    html: Markup
    buttons: tuple[Button, ...] = ()
    block_id: str = ""
    label: str = ""
    hint: str = ""
    placeholder: str = ""
    control: str = ""  # text, area, select, radio, checkboxes, user
    kind: str = "text"
    options: tuple[tuple[str, str], ...] = ()
    value: str | tuple[str, ...] = ""
    is_optional: bool = False


def build_blocks(view: Mapping[str, Any], names: Names) -> list[Block]:
    """The blocks of a view."""
    inputs = {one.block_id: one for one in list_inputs(view)}
    entered: Mapping[str, Any] = view["state"]["values"]
    return [
        _build_input(block, inputs[block["block_id"]].element, entered.get(block["block_id"]) or {})
        if block["type"] == "input"
        else _build_plain(block, names)
        for block in view["blocks"]
    ]


def _build_plain(block: Mapping[str, object], names: Names) -> Block:
    return Block(sanitise_html(render_blocks(drop_buttons([block]), names)), list_buttons(block))


def _build_input(block: Mapping[str, Any], element: Mapping[str, Any], entered: Mapping[str, Any]) -> Block:
    kind = str(element["type"])
    known = next(iter(entered.values()), None)
    value = _find_typed(known) if known is not None else _find_initial(element)
    control = (
        ("area" if element.get("multiline") else "text")
        if kind in TEXTS
        else {
            "static_select": "select",
            "radio_buttons": "radio",
            "checkboxes": "checkboxes",
            "users_select": "user",
        }.get(kind, "text")
    )
    return Block(
        Markup(""),
        block_id=str(block["block_id"]),
        label=text_of(block.get("label")),
        hint=text_of(block.get("hint")),
        placeholder=text_of(element.get("placeholder")),
        control=control,
        kind={**FIELD_KINDS, "timepicker": "time"}.get(kind, "text"),
        options=tuple((str(one["value"]), text_of(one["text"])) for one in list_options(element)),
        value=value,
        is_optional=bool(block.get("optional")),
    )


def _find_typed(entry: Mapping[str, Any]) -> str | tuple[str, ...]:
    if "selected_options" in entry:
        return tuple(str(one["value"]) for one in entry["selected_options"])
    chosen = entry.get("selected_option")
    if isinstance(chosen, Mapping):
        return str(chosen["value"])
    return str(next((value for name, value in entry.items() if name != "type" and value is not None), ""))


def _find_initial(element: Mapping[str, Any]) -> str | tuple[str, ...]:
    if element.get("initial_options"):
        return tuple(str(one["value"]) for one in element["initial_options"])
    chosen = element.get("initial_option")
    if isinstance(chosen, Mapping):
        return str(chosen["value"])
    names = ("initial_value", "initial_date", "initial_time", "initial_user")
    return str(next((element[name] for name in names if element.get(name)), ""))


def find_modal(view: View, people: People) -> JsonObject:
    """The uppermost modal, as every page draws it over itself."""
    modals = (view.attempt("views.list") or {"modals": []})["modals"]
    if not modals:
        return {"modal": None}
    top = modals[-1]
    return {
        "modal": top["view"],
        "modal_app": top["app_name"],
        "modal_errors": top["errors"],
        "modal_blocks": build_blocks(top["view"], people.names),
        "modal_waits": bool(top["submitted_at"]) and view.now - top["submitted_at"] <= TRIGGER_US,
        "modal_unanswered": bool(top["submitted_at"]) and view.now - top["submitted_at"] > TRIGGER_US,
    }


@pages.page("/apps", template="apps.html", free=("overlay",))
def apps(view: View) -> JsonObject:
    """The apps that people can do something with."""
    return _show_apps(view, "")


@pages.page("/apps/{app_id}", template="apps.html", free=("overlay",))
def app_home(view: View, app_id: str) -> JsonObject:
    """The Home tab of an app."""
    return _show_apps(view, app_id)


def _show_apps(view: View, app_id: str) -> JsonObject:
    people = People.of(view)
    listed = view.call("views.list")["apps"]
    shown = next((one for one in listed if one["app_id"] == app_id), None)
    if app_id and shown is None:
        raise HTTPException(404)
    blocks = build_blocks(shown["home"], people.names) if shown and shown["home"] else []
    title = shown["name"] if shown else "Apps"
    return {"title": title, "listed": listed, "shown": shown, "blocks": blocks} | dialogs.open_overlay(
        view, people, None
    )


@pages.compose("views.submit")
def name_blocks(view: View, arguments: dict[str, object]) -> dict[str, object]:
    """The fields of a modal, which a form numbers, by the ids of their blocks."""
    values = arguments.get("values")
    modals = (view.attempt("views.list") or {"modals": []})["modals"]
    shown = next((one["view"] for one in modals if one["view"]["id"] == arguments.get("view_id")), None)
    if not isinstance(values, dict) or shown is None or not all(str(name).isdecimal() for name in values):
        return arguments
    ids = {str(n): block["block_id"] for n, block in enumerate(shown["blocks"])}
    return {**arguments, "values": {ids[n]: value for n, value in values.items() if n in ids}}
