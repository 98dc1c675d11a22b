"""Validation of views, and the values that people enter into their input blocks.

Source: docs.slack.dev/reference/views, docs.slack.dev/reference/block-kit/block-elements
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import orjson

from apps.slack.blocks import add_block_ids
from apps.slack.blocks import find_problem as find_message_problem
from world.core.errors import InvalidArguments, OperationError
from world.core.json_types import JsonObject, is_object

Json = Mapping[str, Any]
MOST_BLOCKS, MOST_BYTES, MOST_TITLE, MOST_METADATA = 100, 250 * 1024, 24, 3000
TEXTS = frozenset({"plain_text_input", "number_input", "email_text_input", "url_text_input"})
CHOICES = frozenset({"static_select", "radio_buttons"})
SHOWN = frozenset({"section", "divider", "header", "image", "actions", "context", "input", "rich_text", "markdown"})
ELEMENTS = TEXTS | CHOICES | {"checkboxes", "datepicker", "timepicker", "users_select"}
Problem = tuple[str, str]
KEPT = (
    ("title", None),
    ("close", None),
    ("submit", None),
    ("private_metadata", ""),
    ("callback_id", ""),
    ("clear_on_close", False),
    ("notify_on_close", False),
)


class Input(NamedTuple):
    """One input block of a view."""

    block_id: str
    action_id: str
    element: Json
    is_optional: bool


def clean_view(given: Json, kind: str, view_id: str) -> JsonObject:
    """A view as it is kept, with ids. Raises view_too_large, InvalidArguments naming what is wrong where."""
    if len(orjson.dumps(dict(given))) > MOST_BYTES:
        raise OperationError("view_too_large")
    problems = list(_find_problems(given, kind))
    if problems:
        raise InvalidArguments([(f"view{where}".replace("/", "."), why) for where, why in problems])
    blocks = [_name_actions(block, view_id, n) for n, block in enumerate(add_block_ids(given["blocks"], view_id))]
    return {"type": kind, "blocks": blocks, **{name: given.get(name) or usual for name, usual in KEPT}}


def _name_actions(block: JsonObject, view_id: str, number: int) -> JsonObject:
    """The block, each of its elements with an action id."""
    element, elements = block.get("element"), block.get("elements")
    if block["type"] == "input" and is_object(element):
        return {**block, "element": {**element, "action_id": element.get("action_id") or f"{block['block_id']}-0"}}
    if block["type"] == "actions" and isinstance(elements, list):
        named = [
            {**one, "action_id": one.get("action_id") or f"{block['block_id']}-{n}"}
            for n, one in enumerate(elements)
            if is_object(one)
        ]
        return {**block, "elements": named}
    return block


def _find_problems(view: Json, kind: str) -> Iterator[Problem]:
    if view.get("type") != kind:
        yield "/type", f"must be {kind}"
    blocks = view.get("blocks")
    if not isinstance(blocks, list):
        yield "", "missing required field: blocks"
        return
    if len(blocks) > MOST_BLOCKS:
        yield "/blocks", f"no more than {MOST_BLOCKS} items allowed"
    if len(str(view.get("private_metadata") or "")) > MOST_METADATA:
        yield "/private_metadata", f"must be less than {MOST_METADATA + 1} characters"
    if kind == "modal":
        yield from _find_modal_problems(view, blocks)
    for n, block in enumerate(blocks):
        yield from ((f"/blocks/{n}{where}", why) for where, why in _find_block_problems(block))


def _find_modal_problems(view: Json, blocks: Sequence[object]) -> Iterator[Problem]:
    if view.get("title") is None:
        yield "", "missing required field: title"
    for name in ("title", "submit", "close"):
        text = view.get(name)
        if text is not None:
            yield from _find_text_problem(text, f"/{name}")
    if view.get("submit") is None and any(is_object(one) and one.get("type") == "input" for one in blocks):
        yield "", "missing required field: submit"


def _find_text_problem(text: object, where: str) -> Iterator[Problem]:
    if not is_object(text) or text.get("type") != "plain_text":
        yield where, "must be a plain_text object"
    elif not 0 < len(str(text.get("text") or "")) <= MOST_TITLE:
        yield f"{where}/text", f"must be less than {MOST_TITLE + 1} characters"


def _find_block_problems(block: object) -> Iterator[Problem]:
    wrong = find_message_problem([block])
    if wrong is not None:
        why, _, where = wrong.partition(" [json-pointer:/blocks/0")
        yield where.rstrip("]"), why
        return
    assert is_object(block)
    if block["type"] not in SHOWN:
        yield "/type", f"unsupported type: {block['type']}"
    elif block["type"] == "input":
        yield from _find_input_problems(block)


def _find_input_problems(block: Json) -> Iterator[Problem]:
    label, element = block.get("label"), block.get("element")
    if not is_object(label) or not label.get("text"):
        yield "", "missing required field: label"
    if not is_object(element):
        yield "", "missing required field: element"
    elif element.get("type") not in ELEMENTS:
        yield "/element/type", f"unsupported type: {element.get('type')}"
    elif element["type"] in CHOICES | {"checkboxes"} and not list_options(element):
        yield "/element", "missing required field: options"


def list_options(element: Json) -> list[JsonObject]:
    """The options of a choice, those of its groups among them."""
    groups: Any = element.get("option_groups") or [element]
    found = [one for group in groups if is_object(group) for one in _as_list(group.get("options"))]
    return [dict(one) for one in found if is_object(one) and is_object(one.get("text")) and "value" in one]


def _as_list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def list_blocks(content: Json) -> list[dict[str, object]]:
    """The blocks of a kept view."""
    return list(content["blocks"])


def list_inputs(content: Json) -> list[Input]:
    """The input blocks of a kept view."""
    return [
        Input(block["block_id"], block["element"]["action_id"], block["element"], bool(block.get("optional")))
        for block in content["blocks"]
        if block["type"] == "input"
    ]


def read_values(content: Json, given: Json) -> JsonObject:
    """Return the entered values, by block and action, as `view.state.values` has it. `given` is by block id.

    Raises InvalidArguments naming the blocks with something that may not be entered.
    """
    problems: list[tuple[str, str]] = []
    found: JsonObject = {}
    for one in list_inputs(content):
        value = given.get(one.block_id)
        empty = value in (None, "", [])
        why = ("" if one.is_optional else "Please complete this required field.") if empty else find_wrong(one, value)
        if why:
            problems.append((one.block_id, why))
        found[one.block_id] = {one.action_id: build_value(one.element, None if empty else value)}
    if problems:
        raise InvalidArguments(problems)
    return found


def find_wrong(one: Input, value: object) -> str:
    """Why something may not be entered; empty if it may."""
    kind = one.element["type"]
    if kind in CHOICES | {"checkboxes"}:
        known = {option["value"] for option in list_options(one.element)}
        wanted = {str(item) for item in value} if isinstance(value, list) else {str(value)}
        return "" if wanted <= known else "Choose one of the options."
    if kind == "datepicker":
        return "" if _is_date(str(value)) else "Enter a date."
    text = str(value)
    least, most = one.element.get("min_length") or 0, one.element.get("max_length") or MOST_METADATA
    if kind == "plain_text_input" and not least <= len(text) <= most:
        return f"Enter {least} to {most} characters."
    if kind == "number_input" and not _is_number(text):
        return "Enter a number."
    if kind == "email_text_input" and "@" not in text:
        return "Enter an email address."
    if kind == "url_text_input" and "://" not in text:
        return "Enter a URL."
    return ""


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text) is not None
    except ValueError:
        return False


def _is_number(text: str) -> bool:
    try:
        return float(text) == float(text)
    except ValueError:
        return False


def build_value(element: Json, value: object) -> JsonObject:
    """Return an element's entry in `state.values`."""
    kind = str(element["type"])
    options = {option["value"]: option for option in list_options(element)}
    if kind in CHOICES:
        return {"type": kind, "selected_option": options.get(str(value)) if value is not None else None}
    if kind == "checkboxes":
        chosen = value if isinstance(value, list) else [] if value is None else [value]
        return {"type": kind, "selected_options": [options[str(one)] for one in chosen if str(one) in options]}
    name = {"datepicker": "selected_date", "timepicker": "selected_time", "users_select": "selected_user"}
    return {"type": kind, name.get(kind, "value"): value}
