"""Operation arguments and caller of a request."""

import base64
import binascii
from mimetypes import MimeTypes

import orjson
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request

from apps.jira.app import app
from apps.jira.operations.attachments import MAX_BYTES
from apps.jira.rest.responses import BAD_JSON, BAD_PAYLOAD
from apps.jira.rest.routes import Line
from apps.jira.rest.server_dialect import Dialect, is_asked
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.run.authentication import authenticate
from world.run.host import Host
from world.store.queries import row
from world.web.query_values import group_values
from world.web.session import COOKIE

MAX_JSON = 5 * 1024 * 1024  # bytes of a JSON body
MAX_UPLOAD = 8 * MAX_BYTES  # bytes of a multipart body
MAX_FILES = 60
KINDS = MimeTypes(filenames=())  # by ending of a name, of no system's own list


class Unreadable(Exception):
    """A request that cannot be read; `status` and the vendor's sentence."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


def authenticate_caller(host: Host, request: Request) -> Principal | None:
    """Authenticate a request by Basic mail:token, Bearer token, or for reading the login cookie."""
    scheme, _, rest = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return authenticate(host, app.name, rest.strip())
    if scheme.lower() == "basic":
        return _resolve_basic(host, rest.strip(), by_name=is_asked(request))
    if not scheme and request.method in ("GET", "HEAD"):
        return authenticate(host, app.name, None, request.cookies.get(COOKIE, ""))
    return None


def _resolve_basic(host: Host, encoded: str, *, by_name: bool) -> Principal | None:
    try:
        mail, _, token = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    found = authenticate(host, app.name, token)
    if found is None:
        return None
    known = _owns_name if by_name else _owns_address
    return found if known(host, found, mail.strip().lower()) else None


def _owns_name(host: Host, principal: Principal, name: str) -> bool:
    """Basic authentication of a server takes a user's name."""
    return row(host.actor(principal.world).bound, "SELECT handle FROM person WHERE id = ?", principal.person) == (name,)


def _owns_address(host: Host, principal: Principal, mail: str) -> bool:
    raw = host.actor(principal.world).bound.raw
    query = "SELECT email FROM person WHERE id = ? UNION SELECT value FROM alias WHERE person_id = ? AND kind = 'email'"
    return any(
        str(row[0]).lower() == mail for row in raw.execute(query, (principal.person, principal.person)).fetchall()
    )


async def read_arguments(request: Request, line: Line, version: str, dialect: Dialect | None = None) -> JsonObject:
    """The operation's arguments from path, query and body, put from another dialect into ours. Raises Unreadable."""
    out = _read_query(request, line, dialect)
    if line.upload:
        out["files"] = await _read_files(request)
    elif line.has_body:
        out |= await _read_body(request, line, dialect)
    out |= {name: value for name, value in request.path_params.items() if name != "v"}
    if line.takes_format:
        out["contentFormat"] = "adf" if version == "3" else "wiki"
    return out


def _read_query(request: Request, line: Line, dialect: Dialect | None) -> JsonObject:
    """Query values; a repeated name is a list where the operation takes one, else its last value counts."""
    fields = line.params.model_fields
    out: JsonObject = {}
    items = request.query_params.multi_items()
    if dialect is not None:
        items = [*dialect.translate_query(line.operation, items)]
    for name, values in group_values(items).items():
        if name not in fields or (line.has_body and name not in line.query):
            continue
        many = len(values) > 1 and "list" in str(fields[name].annotation)
        out[name] = ",".join(values) if many and name != "accountId" else values if many else values[-1]
    return out


async def _read_content(request: Request, most: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > most:
            raise Unreadable(413, "The request entity is too large.")
        chunks.append(chunk)
    return b"".join(chunks)


async def _read_body(request: Request, line: Line, dialect: Dialect | None) -> JsonObject:
    raw = await _read_content(request, MAX_JSON)
    if not raw.strip():
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise Unreadable(415, "Unsupported Media Type")
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise Unreadable(400, BAD_JSON) from None
    if dialect is not None:
        value = dialect.translate_body(line.operation, value)
    if line.whole:
        return {} if value is None and line.whole != "value" else {line.whole: value}
    if not isinstance(value, dict):
        raise Unreadable(400, BAD_PAYLOAD)
    return value


async def _read_files(request: Request) -> list[dict[str, str]]:
    if request.headers.get("x-atlassian-token", "").lower() not in ("no-check", "nocheck"):
        raise Unreadable(403, "XSRF check failed")
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise Unreadable(415, "Unsupported Media Type")
    if int(request.headers.get("content-length") or 0) > MAX_UPLOAD:
        raise Unreadable(413, "The request entity is too large.")
    try:
        async with request.form(max_files=MAX_FILES, max_fields=MAX_FILES, max_part_size=MAX_UPLOAD) as form:
            parts = [part for _, part in form.multi_items() if isinstance(part, UploadFile)]
            return [await _read_file(part) for part in parts]
    except HTTPException:
        raise Unreadable(400, BAD_PAYLOAD) from None


async def _read_file(part: UploadFile) -> dict[str, str]:
    data = await part.read()
    name = part.filename or "file"
    kind = part.content_type or KINDS.guess_type(name)[0] or "application/octet-stream"
    return {"filename": name, "content": base64.b64encode(data).decode(), "mimeType": kind}
