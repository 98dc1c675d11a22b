"""A plain form for any writing operation, made from its params model: for what has no page of its own."""

from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from world.core.errors import OperationError
from world.core.operation import Operation
from world.web.fields import kinds_of
from world.web.pages import Page
from world.web.view import View

LONG = 400  # characters; longer texts get a box of several lines


@dataclass(frozen=True, slots=True)
class FormField:
    """One argument as a form shows it. `usual` stands in a text from the start, since an empty one is sent as such."""

    name: str
    label: str
    kind: str
    hint: str
    required: bool
    options: tuple[str, ...] = ()
    usual: str = ""


def fields_of(operation: Operation) -> list[FormField]:
    """The form of an operation."""
    return [_field(info.alias or name, info) for name, info in operation.params.model_fields.items()]


def _field(name: str, info: FieldInfo) -> FormField:
    kind, options = _kind(info)
    sent = f"{name}:json" if kind == "json" else name
    label = name.replace("_", " ").strip().capitalize()
    usual = info.default if kind in ("text", "long") and isinstance(info.default, str) else ""
    return FormField(sent, label, kind, info.description or "", info.is_required() and kind != "check", options, usual)


def _kind(info: FieldInfo) -> tuple[str, tuple[str, ...]]:
    choices = _choices(info.annotation)
    if choices:
        return "choice", choices if info.is_required() else ("", *choices)
    kinds = kinds_of(info.annotation)
    if dict in kinds or list in kinds or not {str, int, float, bool} & set(kinds):
        return "json", ()
    if bool in kinds:
        return "check", ()
    if int in kinds or float in kinds:
        return "number", ()
    return ("long" if _longest(info) > LONG else "text"), ()


def _choices(annotation: object) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(str(choice) for choice in get_args(annotation))
    return next((found for part in get_args(annotation) if (found := _choices(part))), ())


def _longest(info: FieldInfo) -> int:
    return max(
        (length for item in info.metadata if isinstance(length := getattr(item, "max_length", 0), int)), default=0
    )


def more(view: View) -> dict[str, Any]:
    """Every writing operation of the app."""
    app = view.door.host.apps[view.door.app]
    writing = [operation for _, operation in sorted(app.operations.items()) if operation.writes]
    listed = [(operation, view.url(f"/more/{operation.id}")) for operation in writing]
    return {"title": "More actions", "listed": listed, "chosen": None, "fields": []}


def one(view: View, operation: str) -> dict[str, Any]:
    """The form of one operation. Query values fill its fields."""
    found = view.door.host.apps[view.door.app].operations.get(operation)
    if found is None or not found.writes:
        raise OperationError("not_found")
    return {"title": operation, "listed": [], "chosen": found, "fields": fields_of(found)}


PAGES = (Page("/more", "more.html", more), Page("/more/{operation:path}", "more.html", one))
