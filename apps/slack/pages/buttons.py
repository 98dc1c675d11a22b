"""The buttons of an app in its messages and views: those that the app is told of when they are pressed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Button:
    """A button of an app."""

    block_id: str
    action_id: str
    label: str
    style: str


def text_of(value: object) -> str:
    """The text of a text object."""
    return str(value.get("text") or "") if isinstance(value, Mapping) else ""


def list_buttons(block: Mapping[str, Any]) -> tuple[Button, ...]:
    """The buttons of a block that the app is told of."""
    if not block.get("block_id"):
        return ()
    elements = [*(block.get("elements") or ()), block.get("accessory") or {}]
    return tuple(
        Button(str(block["block_id"]), str(one["action_id"]), text_of(one.get("text")), str(one.get("style") or ""))
        for one in elements
        if isinstance(one, Mapping) and one.get("type") == "button" and one.get("action_id") and not one.get("url")
    )


def drop_buttons(blocks: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Blocks without the buttons that are drawn beside them."""
    return [bare for block in blocks if (bare := _drop_from(block)) is not None]


def _drop_from(block: Mapping[str, Any]) -> Mapping[str, object] | None:
    pressed = {button.action_id for button in list_buttons(block)}
    if block.get("type") != "actions" or not pressed:
        return block
    left = [one for one in block.get("elements") or () if one.get("action_id") not in pressed]
    return {**block, "elements": left} if left else None
