"""The request that asks for an operation: the inverse of the door, for tests and scripted solutions."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from apps.gmail.rest.table import BY_OPERATION, Line
from world.wire import Wire

ROOT = "/gmail/v1/users/"


def wire(operation: str, arguments: Mapping[str, Any]) -> Wire:
    """Method, path, query and body of an operation's arguments; bytes stay base64url."""
    given = {name: value for name, value in arguments.items() if value is not None}
    line = BY_OPERATION.get(operation)
    if line is None:
        return Wire("POST", f"/sync/{operation}", json=given)
    given.setdefault("userId", "me")
    path = ROOT + "/".join(_segment(part, given) for part in line.path)
    inside = {name: value for name, value in given.items() if name not in _names(line)}
    return Wire(line.method, path, query=_query(line, given, inside), json=inside if line.body else None)


def _names(line: Line) -> set[str]:
    """What travels outside the body."""
    return {part[1:-1] for part in line.path if part.startswith("{")} | set(line.query)


def _segment(part: str, given: Mapping[str, Any]) -> str:
    return quote(str(given[part[1:-1]]), safe="") if part.startswith("{") else part


def _query(line: Line, given: Mapping[str, Any], inside: Mapping[str, Any]) -> dict[str, Any]:
    """The query; without a body it also has what the method does not know, so that the vendor can refuse it."""
    named = {name: value for name, value in given.items() if name in line.query}
    return {name: _text(value) for name, value in (named if line.body else {**named, **inside}).items()}


def _text(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else str(value)
