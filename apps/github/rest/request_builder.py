"""Builder of the request that calls an operation: the inverse of the door, for tests and scripted solutions."""

import re
from base64 import b64decode
from urllib.parse import quote

from apps.github.rest import git_request_builder, graphql
from apps.github.rest.routes import BY_OPERATION
from world.core.params import Arguments
from world.core.request_builder import Wire

_HOLE = re.compile(r"\{(\w+)([*#]?)\}")
ACCEPT, BYTES = "application/vnd.github+json", "application/octet-stream"


def wire(operation: str, arguments: Arguments) -> Wire:
    """Return method, path, query and body of an operation's arguments."""
    if operation in git_request_builder.SERVICES:
        return git_request_builder.wire(operation, arguments)
    if operation in graphql.OPERATIONS:
        return graphql.wire(operation, arguments)
    if operation not in BY_OPERATION:
        return Wire("POST", f"/_private/{operation}", json=dict(arguments), headers={"Accept": ACCEPT})
    line = BY_OPERATION[operation]
    given = {name: value for name, value in arguments.items() if value is not None}
    media = given.pop("mediaType", None)
    accept = f"application/vnd.github.{media}+json" if media else ACCEPT
    accept = BYTES if media == "octet-stream" else accept
    path = "/api/v3" + _HOLE.sub(lambda hole: quote(str(given[hole[1]]), safe="/" if hole[2] == "*" else ""), line.path)
    rest = {name: value for name, value in arguments.items() if name not in (*line.names, "mediaType")}
    asked = {name: value for name, value in rest.items() if not line.has_body or name in line.query}
    query = {name: _text(value) for name, value in asked.items() if value is not None}
    if line.raw:
        kind = {"Content-Type": given.get("content_type", "application/octet-stream")}
        return Wire(
            line.method, path, query=query, content=b64decode(given[line.raw]), headers={"Accept": accept, **kind}
        )
    inside = {name: value for name, value in rest.items() if name not in asked}  # null takes a value away
    back = {new: old for old, new in line.renamed}
    json = {back.get(name, name): value for name, value in inside.items()} if line.has_body and inside else None
    return Wire(line.method, path, query=query, json=json, headers={"Accept": accept})


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(str(item) for item in value) if isinstance(value, list) else str(value)
