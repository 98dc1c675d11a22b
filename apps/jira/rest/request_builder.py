"""The request that asks for an operation: the inverse of the door, for tests and scripted solutions."""

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from apps.jira.bodies import from_markdown
from apps.jira.rest.routes import BY_OPERATION, Line
from world.core.json_types import JsonObject
from world.core.request_builder import Wire

_NAME = re.compile(r"\{(\w+)\}")
TEXTS = ("body", "comment", "description", "environment")


def wire(operation: str, arguments: Mapping[str, object]) -> Wire:
    """Method, path, query and body of an operation's arguments. Strings travel as v2, documents as v3."""
    line = BY_OPERATION[operation]
    given = {name: value for name, value in arguments.items() if value is not None}
    form = given.pop("contentFormat", None)
    if form == "markdown":
        given = _to_documents(given)
    version = "2" if form == "wiki" or (form is None and _holds_text(given)) else "3"
    names = _NAME.findall(line.path)
    path = _NAME.sub(lambda m: version if m[1] == "v" else quote(str(given[m[1]]), safe=""), line.path)
    rest = {name: value for name, value in given.items() if name not in names}
    if line.upload:
        return _build_upload(path, rest)
    if not line.has_body:
        return Wire(line.method, path, query=_to_query(rest))
    return _with_body(line, path, rest)


def _with_body(line: Line, path: str, rest: JsonObject) -> Wire:
    query = _to_query({name: value for name, value in rest.items() if name in line.query})
    inside = {name: value for name, value in rest.items() if name not in line.query}
    if line.whole:
        return Wire(line.method, path, query=query, json=inside.get(line.whole))
    return Wire(line.method, path, query=query, json=inside)


def _to_query(values: Mapping[str, object]) -> JsonObject:
    out: JsonObject = {}
    for name, value in values.items():
        if isinstance(value, bool):
            out[name] = "true" if value else "false"
        elif isinstance(value, (list, tuple)):
            out[name] = list(value) if name == "accountId" else ",".join(str(item) for item in value)
        else:
            out[name] = str(value)
    return out


def _build_upload(path: str, rest: Mapping[str, Any]) -> Wire:
    files = {
        f"file{position}" if position else "file": (
            item["filename"],
            base64.b64decode(item["content"]),
            item.get("mimeType", "application/octet-stream"),
        )
        for position, item in enumerate(rest["files"])
    }
    return Wire("POST", path, headers={"X-Atlassian-Token": "no-check"}, files=files)


def _holds_text(value: object) -> bool:
    """Whether a rich text inside is a string."""
    if isinstance(value, Mapping):
        return any((name in TEXTS and isinstance(item, str)) or _holds_text(item) for name, item in value.items())
    return isinstance(value, list) and any(_holds_text(item) for item in value)


def _to_documents(value: object) -> Any:
    """The same arguments with their Markdown texts as documents."""
    if isinstance(value, Mapping):
        return {
            n: from_markdown(v) if n in TEXTS and isinstance(v, str) else _to_documents(v) for n, v in value.items()
        }
    return [_to_documents(item) for item in value] if isinstance(value, list) else value
