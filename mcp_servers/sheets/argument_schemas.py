"""Arguments as the tools write them: their schemas, and the errors of wrong ones."""

from collections.abc import Mapping
from typing import Any

import orjson

from mcp_servers.tools import ArgumentForm
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject

STRING: JsonObject = {"type": "string"}
OBJECT: JsonObject = {"type": "object"}
ROW: JsonObject = {"type": "array", "items": {}}
ROWS: dict[str, Any] = {"type": "array", "items": ROW}
BOUND = 10_000_000  # the cells a spreadsheet may have


def text(description: str, **more: object) -> ArgumentForm:
    """A text that the operation does not take as it stands."""
    return ArgumentForm({**STRING, "description": description, **more})


def flag(description: str, default: bool | None = None) -> ArgumentForm:
    """A yes or no that the operation does not take."""
    return ArgumentForm(
        {"type": "boolean", "description": description, **({} if default is None else {"default": default})}
    )


def number(description: str, **more: object) -> ArgumentForm:
    """A whole number that the operation does not take."""
    return ArgumentForm({"type": "integer", "description": description, **more})


def list_schema(description: str, items: Mapping[str, object] = STRING) -> ArgumentForm:
    """A list that the operation does not take."""
    return ArgumentForm({"type": "array", "items": dict(items), "description": description})


def object_schema(description: str, **more: object) -> ArgumentForm:
    """The schema of an object that the operation does not take."""
    return ArgumentForm({**OBJECT, "description": description, **more})


def wrong(name: str, problem: str) -> InvalidArguments:
    """Build the refusal of one argument."""
    return InvalidArguments([(name, problem)])


def whole(given: Mapping[str, object], name: str, default: int | None = None, *, least: int = 0) -> int | None:
    """A whole number. Raises InvalidArguments."""
    value = given.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= BOUND:
        raise wrong(name, f"must be a whole number from {least} on")
    return value


def texts(given: Mapping[str, object], name: str) -> list[str]:
    """A list of texts; a single text stands for itself. Raises InvalidArguments."""
    value = given.get(name)
    items = [value] if isinstance(value, str) else value or []
    if not isinstance(items, list) or not all(isinstance(one, str) for one in items):
        raise wrong(name, "must be a list of texts")
    return items


def objects(given: Mapping[str, object], name: str) -> list[dict[str, Any]]:
    """A list of objects. Raises InvalidArguments."""
    value = given.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise wrong(name, "must be a list of objects")
    return value


def rows(value: object, name: str = "values") -> list[list[Any]]:
    """Rows of cells, or their JSON text. Raises InvalidArguments."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            raise wrong(name, "is no JSON") from None
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise wrong(name, "must be a list of rows, each a list of values")
    return value


def word(value: object, name: str) -> str:
    """A text inside an object. Raises InvalidArguments."""
    if not isinstance(value, str) or not value:
        raise wrong(name, "must be a text")
    return value
