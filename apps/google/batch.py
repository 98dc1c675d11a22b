"""Batches: up to 100 requests in one body, each a separate call, answered in order.

developers.google.com/workspace/gmail/api/guides/batch,
developers.google.com/drive/api/guides/performance#batch-requests
"""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from apps.google import responses
from apps.google.arguments import parse_query
from apps.google.dispatch import Caller
from apps.google.errors import ErrorBody, invalid_error
from apps.google.multipart import MalformedMultipart, Part, parse_part, parse_parts
from apps.google.request import ApiRequest, is_upload
from apps.google.responses import HEADERS, JSON, Reply
from world.core.rng import digest

MOST = 100
MAX_BYTES = 100 * 1024 * 1024
REQUEST_LINE = re.compile(rb"\s*([A-Z]{3,7})[ \t]+(\S{1,65536})(?:[ \t]+HTTP/1\.[01])?[ \t]*(?:\r?\n|\Z)")
PHRASES = {
    200: "OK",
    204: "No Content",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}
UNPARSED = "Failed to parse batch request, error: "
OUTER = ("authorization",)  # headers of the whole that hold for a part without its own


class PartResponse(NamedTuple):
    """A part's answer and the id it goes by."""

    id: str
    reply: Reply


def run_batch(caller: Caller, asked: ApiRequest) -> Reply:
    """Run every part of a batch, in order."""
    try:
        parts = (
            parse_parts(asked.headers.get("content-type", ""), asked.content)
            if asked.media_type == "multipart/mixed"
            else []
        )
    except MalformedMultipart as problem:
        return _refuse_batch(caller, invalid_error(f"{UNPARSED}{problem}", reason="badRequest"))
    if not parts:
        return _refuse_batch(
            caller, invalid_error(f"{UNPARSED}Missing or malformed multipart/mixed body", reason="badRequest")
        )
    if len(parts) > MOST:
        return _refuse_batch(
            caller, invalid_error(f"The batch request exceeds the limit of {MOST} calls.", reason="batchSizeTooLarge")
        )
    return _join_replies(
        caller, [PartResponse(part.headers.get("content-id", ""), _run_part(caller, asked, part)) for part in parts]
    )


def _refuse_batch(caller: Caller, error: ErrorBody) -> Reply:
    return responses.error_reply(caller.front, error)


def _run_part(caller: Caller, outer: ApiRequest, part: Part) -> Reply:
    """Run one call, with its own authorisation or that of the batch."""
    line = REQUEST_LINE.match(part.content)
    if part.media_type != "application/http" or line is None:
        return _refuse_batch(
            caller, invalid_error(f"{UNPARSED}Failed to parse embedded HTTP request", reason="badRequest")
        )
    inner = parse_part(b"X-Part: 1\r\n" + part.content[line.end() :])
    address = urlsplit(line[2].decode("latin-1"))
    headers = {**{name: outer.headers[name] for name in OUTER if name in outer.headers}, **inner.headers}
    asked = ApiRequest(
        line[1].decode(),
        _relative_path(address.path, outer.base),
        parse_query(address.query),
        headers,
        inner.content,
        outer.base,
    )
    if asked.path.startswith("/batch") or is_upload(caller.apis, asked.path):
        return _refuse_batch(
            caller, invalid_error("Batches and uploads cannot be part of a batch.", reason="badRequest")
        )
    return caller.serve(asked)


def _relative_path(path: str, base: str) -> str:
    """A part's path relative to the mount, which a client with an endpoint of its own puts before it."""
    mount = urlsplit(base).path
    return path.removeprefix(mount) if mount and path.startswith(mount + "/") else path


def _join_replies(caller: Caller, answered: list[PartResponse]) -> Reply:
    content = [_render_part(one) for one in answered]
    boundary = (
        f"batch_{digest(f'{caller.front.app.name} batch', *(part.hex() for part in content[:1]), len(content)).hex()}"
    )
    body = b"".join(f"--{boundary}\r\n".encode() + part + b"\r\n" for part in content) + f"--{boundary}--\r\n".encode()
    return Reply(200, body, {"Content-Type": f"multipart/mixed; boundary={boundary}"})


def _render_part(one: PartResponse) -> bytes:
    name = one.id.strip("<>")
    head = ["Content-Type: application/http", *([f"Content-ID: <response-{name}>"] if name else []), ""]
    reply = one.reply
    shown = {
        **{name: HEADERS[name] for name in ("Vary", "Cache-Control")},
        **reply.headers,
        "Content-Length": str(len(reply.content)),
    }
    shown.setdefault("Content-Type", JSON)
    status = f"HTTP/1.1 {reply.status} {PHRASES.get(reply.status, 'Unknown')}"
    return (
        "\r\n".join([*head, status, *(f"{name}: {value}" for name, value in shown.items()), "", ""]).encode()
        + reply.content
    )
