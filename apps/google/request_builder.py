"""Builder of the request that calls an operation: the inverse of the door, for tests and scripted solutions."""

from collections.abc import Mapping
from urllib.parse import quote

from apps.google.method_table import Line
from apps.google.request import Apis
from world.core.json_types import JsonObject
from world.core.request_builder import Wire


def wire(apis: Apis, operation: str, arguments: Mapping[str, object], **usual: str) -> Wire:
    """Method, path, query and body of an operation's arguments; bytes stay base64url. `usual`: arguments of paths that
    go without saying.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    found = next(((api, api.by_operation[operation]) for api in apis if operation in api.by_operation), None)
    if found is None:
        return Wire("POST", f"/sync/{operation}", json=given)
    api, line = found
    given = {**usual, **given}
    path = api.prefix + line.fill_path({name: quote(str(given[name]), safe="") for name in line.placed})
    inside = {name: value for name, value in given.items() if name not in (*line.placed, *line.query)}
    return Wire(line.method, path, query=_build_query(line, given, inside), json=inside if line.body else None)


def _build_query(line: Line, given: Mapping[str, object], inside: Mapping[str, object]) -> JsonObject:
    """The query; without a body it also has what the method does not know, so that the vendor can refuse it."""
    named = {name: value for name, value in given.items() if name in line.query}
    return {name: _to_text(value) for name, value in (named if line.body else {**named, **inside}).items()}


def _to_text(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else str(value)
