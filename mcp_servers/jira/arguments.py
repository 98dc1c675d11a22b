"""Arguments that tools write otherwise than the REST API: JSON in a text, words between commas, plain texts."""

from collections.abc import Mapping

import orjson

from mcp_servers.tools import ArgumentForm
from world.core.json_types import JsonObject

STRING: Mapping[str, object] = {"type": "string"}


def text_argument(description: str) -> ArgumentForm:
    """A plain text."""
    return ArgumentForm({**STRING, "description": description}, _read_text, str)


def body_argument(description: str) -> ArgumentForm:
    """A text in Markdown, or an Atlassian document as JSON."""
    return ArgumentForm({**STRING, "description": description}, _read_body)


def comma_argument(description: str) -> ArgumentForm:
    """Words between commas, or a list."""
    return ArgumentForm({**STRING, "description": description}, _read_words, ",".join)


def object_argument(description: str) -> ArgumentForm:
    """An object, or one written as JSON."""
    return ArgumentForm({"type": "object", "description": description}, _read_object, dict)


def json_text_argument(description: str) -> ArgumentForm:
    """A JSON object in a text, or the object itself."""
    return ArgumentForm(
        {**STRING, "description": description}, _read_object, lambda value: orjson.dumps(value).decode()
    )


def _read_text(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError("must be a string")
    return str(value)


def _read_body(value: object) -> object:
    if isinstance(value, str) and value.lstrip().startswith("{"):
        loaded = _load_json(value)
        if isinstance(loaded, dict) and loaded.get("type") == "doc":
            return loaded
    return value if isinstance(value, dict) else _read_text(value)


def _read_words(value: object) -> list[str]:
    if isinstance(value, list):
        return [_read_text(one) for one in value]
    return [part.strip() for part in _read_text(value).split(",") if part.strip()]


def _read_object(value: object) -> JsonObject:
    loaded = _load_json(value) if isinstance(value, str) else value
    if not isinstance(loaded, dict):
        raise ValueError("must be a JSON object")
    return loaded


def read_object_list(value: object) -> list[JsonObject]:
    """A list of objects, or one written as JSON. Raises ValueError."""
    loaded = _load_json(value) if isinstance(value, str) else value
    if not isinstance(loaded, list) or not all(isinstance(one, dict) for one in loaded):
        raise ValueError("must be a JSON list of objects")
    return loaded


def _load_json(value: str) -> object:
    try:
        return orjson.loads(value)
    except orjson.JSONDecodeError:
        return None
