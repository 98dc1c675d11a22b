"""Operation arguments and caller of a request."""

import base64
import binascii
import re
import zlib
from collections.abc import Mapping

import orjson
from starlette.requests import Request

from apps.github.app import app
from apps.github.rest.routes import Line
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.run.authentication import authenticate
from world.run.host import Host
from world.web.session import COOKIE

MAX_JSON = 40 * 1024 * 1024  # bytes of a JSON body: a file of 25 MB in base64
MEDIA = re.compile(
    r"application/vnd\.github(?:\.[\w-]+)*?(?:\.(raw|text|html|full|diff|patch|object|sha|star|text-match))?(?:\+json)?$"
)


class Unreadable(Exception):
    """Error for an unreadable request, with `status` and the vendor's sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


def token_of(request: Request) -> str | None:
    """Return the token of a request: `token x`, `Bearer x`, or Basic with the token as password or as user name."""
    scheme, _, rest = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() in ("bearer", "token"):
        return rest.strip()
    if scheme.lower() == "basic":
        try:
            user, _, password = base64.b64decode(rest.strip(), validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            return ""
        return user if password in ("", "x-oauth-basic") else password
    return None


def caller(host: Host, request: Request) -> Principal | None:
    """Authenticate a request; the login cookie counts only for reading."""
    login = request.cookies.get(COOKIE, "") if request.method in ("GET", "HEAD") else ""
    return authenticate(host, app.name, token_of(request), login)


async def arguments(request: Request, line: Line, path: dict[str, str]) -> JsonObject:
    """Return the operation's arguments from path, query, body and Accept header. Raises Unreadable."""
    out = _query(request, line)
    if line.raw:
        data = await body_of(request, MAX_JSON)
        out |= {
            line.raw: base64.b64encode(data).decode(),
            "content_type": request.headers.get("content-type", "application/octet-stream"),
        }
    elif line.has_body:
        out |= await _body(request, line)
    if (media := media_of(request.headers.get("accept", ""))) in line.media:
        out["mediaType"] = media
    return out | path


def media_of(accept: str) -> str | None:
    """Return the format requested by `application/vnd.github.v3.diff` and its like."""
    for part in accept.split(","):
        kind = part.partition(";")[0].strip().lower()
        if kind in ("application/vnd.github.diff", "application/vnd.github.patch"):
            return kind.rpartition(".")[2]
        if kind == "application/octet-stream":
            return "octet-stream"
        if found := MEDIA.fullmatch(kind):
            return found[1]
    return None


def _query(request: Request, line: Line) -> JsonObject:
    fields = line.params.model_fields
    return {
        name: request.query_params[name]
        for name in dict.fromkeys(request.query_params.keys())
        if name in fields
        and name != "mediaType"
        and (request.query_params[name] or fields[name].is_required())
        and (not line.has_body or name in line.query or line.method == "DELETE")
    }


async def body_of(request: Request, most: int) -> bytes:
    """Read a body up to a size limit, decoding gzip. Raises Unreadable."""
    unzip = zlib.decompressobj(31) if request.headers.get("content-encoding", "").lower() == "gzip" else None
    chunks, size = [], 0
    async for chunk in request.stream():
        try:
            data = unzip.decompress(chunk, most + 1 - size) if unzip else chunk
        except zlib.error:
            raise Unreadable(400, "Problems parsing JSON") from None
        size += len(data)
        if size > most:
            raise Unreadable(413, "Request body is too large")
        chunks.append(data)
    return b"".join(chunks)


async def _body(request: Request, line: Line) -> JsonObject:
    raw = await body_of(request, MAX_JSON)
    if not raw.strip():
        return {}
    try:
        value: object = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise Unreadable(400, "Problems parsing JSON") from None
    if not isinstance(value, dict):
        if not line.whole:
            raise Unreadable(400, "Body should be a JSON object")
        whole: JsonObject = {line.whole: value}
        return whole
    return _fields(line, value)


def _fields(line: Line, value: Mapping[str, object]) -> JsonObject:
    renamed = dict(line.renamed)
    return {renamed.get(name, name): item for name, item in value.items() if name not in line.names or name in renamed}
