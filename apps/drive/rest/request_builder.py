"""The request that asks for an operation; what holds a file goes as an upload."""

from base64 import urlsafe_b64decode
from dataclasses import replace

import orjson

from apps.drive.rest.api import DRIVE
from apps.drive.rest.routes import SELECTED
from apps.google import request_builder
from world.core.params import Arguments
from world.core.request_builder import Wire

BOUNDARY = "===============7330845974216740156=="


def wire(operation: str, arguments: Arguments) -> Wire:
    """Method, path, query and body of an operation's arguments, asked for every field."""
    content, kind = arguments.get("content"), str(arguments.get("contentType") or "application/octet-stream")
    uploads = operation in ("drive.files.create", "drive.files.update") and content is not None
    inside = {name: value for name, value in arguments.items() if not (uploads and name in ("content", "contentType"))}
    made = request_builder.wire((DRIVE,), operation, inside)
    if operation in SELECTED:
        made = replace(made, query={"fields": "*", **made.query})
    return _upload(made, urlsafe_b64decode(str(content) + "=" * (-len(str(content)) % 4)), kind) if uploads else made


def _upload(made: Wire, content: bytes, kind: str) -> Wire:
    """Metadata and content as two parts of one body."""
    head = f"--{BOUNDARY}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n".encode() + orjson.dumps(made.json)
    body = (
        head
        + f"\r\n--{BOUNDARY}\r\nContent-Type: {kind}\r\n\r\n".encode()
        + content
        + f"\r\n--{BOUNDARY}--\r\n".encode()
    )
    headers = {"Content-Type": f'multipart/related; boundary="{BOUNDARY}"'}
    return replace(
        made,
        path=f"/upload{made.path}",
        query={"uploadType": "multipart", **made.query},
        json=None,
        headers=headers,
        content=body,
    )
