"""Arguments that tools write otherwise than the REST API: JSON in a text, words between commas, plain texts."""

from collections.abc import Mapping
from typing import Any

import orjson

from mcp_servers.tools import Form

STRING: Mapping[str, Any] = {"type": "string"}


def text(description: str) -> Form:
    """A plain text."""
    return Form({**STRING, "description": description}, _text, str)


def body(description: str) -> Form:
    """A text in Markdown, or an Atlassian document as JSON."""
    return Form({**STRING, "description": description}, _body)


def commas(description: str) -> Form:
    """Words between commas, or a list."""
    return Form({**STRING, "description": description}, _words, ",".join)


def thing(description: str) -> Form:
    """An object, or one written as JSON."""
    return Form({"type": "object", "description": description}, _object, dict)


def json_text(description: str) -> Form:
    """A JSON object in a text, or the object itself."""
    return Form({**STRING, "description": description}, _object, lambda value: orjson.dumps(value).decode())


def _text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError("Input should be a valid string")
    return str(value)


def _body(value: object) -> object:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        loaded = _loaded(value)
        if isinstance(loaded, dict) and loaded.get("type") == "doc":
            return loaded
    return value if isinstance(value, dict) else _text(value)


def _words(value: object) -> list[str]:
    if isinstance(value, list):
        return [_text(one) for one in value]
    return [part.strip() for part in _text(value).split(",") if part.strip()]


def _object(value: object) -> dict[str, Any]:
    loaded = _loaded(value) if isinstance(value, str) else value
    if not isinstance(loaded, dict):
        raise ValueError("Input should be a JSON object")
    return loaded


def listed(value: object) -> list[dict[str, Any]]:
    """A list of objects, or one written as JSON. Raises ValueError."""
    loaded = _loaded(value) if isinstance(value, str) else value
    if not isinstance(loaded, list) or not all(isinstance(one, dict) for one in loaded):
        raise ValueError("Input should be a JSON list of objects")
    return loaded


def _loaded(value: str) -> object:
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
