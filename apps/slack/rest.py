"""The wire shape of the Web API: arguments and tokens from anywhere, ok:false with status 200, upload and download."""

import base64
import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

import orjson
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from apps.slack.app import app
from apps.slack.event_delivery import request_urls, socket_mode
from apps.slack.event_delivery.socket_mode import LINK_SCOPE, issue_ticket
from apps.slack.profiles import user_colour
from apps.slack.refusals import refusal_to_json
from world.core.errors import EpisodeEnded, OperationError, Outage
from world.core.json_types import JsonObject
from world.core.operation import Operation
from world.core.portraits import MARK, draw_portrait
from world.core.principal import Principal
from world.core.request_builder import Wire
from world.core.rng import digest
from world.run.authentication import authenticate
from world.run.host import Host
from world.web.cut_response import CutResponse
from world.web.rest_door import RestDoor
from world.web.session import COOKIE

JSON = "application/json; charset=utf-8"
UPLOAD_SCOPE = "files:content"  # what the token inside an upload address is good for
KINDS = ("channels", "groups", "im", "mpim")
KIND_SCOPES = [f"{kind}:{verb}" for kind in KINDS for verb in ("history", "read", "write")]
ALL_SCOPES = sorted({*KIND_SCOPES, *(operation.scope for operation in app.operations.values() if operation.scope)})
HEADERS = {
    "cache-control": "private, no-cache, no-store, must-revalidate",
    "pragma": "no-cache",
    "x-content-type-options": "nosniff",
    "vary": "Accept-Encoding",
    "referrer-policy": "no-referrer",
    "x-xss-protection": "0",
}
INLINE = frozenset({"image/png", "image/jpeg", "image/gif", "application/pdf", "text/plain", "text/csv"})
MAX_PART = 40 * 1024 * 1024
FORM, MAX_ESCAPES = "x-www-form-urlencoded", 400_000  # escaped bytes of such a form
METHOD = re.compile(r"[A-Za-z]{1,32}(\.[A-Za-z]{1,32}){1,3}")


class Unreadable(Exception):
    """Error for a request body that does not match its content type."""


def routes(host: Host) -> list[BaseRoute]:
    """Return the routes, relative to the app's mount."""
    door = _Door(host)
    return [
        Route("/api/{method}", door.method, methods=["GET", "POST"]),
        Route("/api/", door.method, methods=["GET", "POST"]),
        Route("/upload/v1/{token}/{secret}", door.upload, methods=["POST", "PUT"]),
        Route("/upload/v1/{secret}", door.upload, methods=["POST", "PUT"]),
        Route("/files-pri/{place}/{name}", door.download, methods=["GET"]),
        Route("/files-pri/{place}/download/{name}", door.download, methods=["GET"]),
        Route("/avatars/{name}.svg", _answer_picture, methods=["GET"]),
        WebSocketRoute("/link/", door.link),
    ]


class _Door:
    def __init__(self, host: Host) -> None:
        self.host = host

    async def method(self, request: Request) -> Response:
        name = request.path_params.get("method", "")
        try:
            arguments = await _read_arguments(request)
        except Unreadable as problem:
            return json_response({"ok": False, "error": str(problem)})
        token = _read_token(request, arguments)
        operation = app.operations.get(name)
        if operation is None:
            self._miss(token, name)
            return json_response({"ok": False, "error": "unknown_method", "req_method": name})
        if not token:
            if name == "api.test" and "error" not in arguments:
                return json_response({"ok": True, "args": arguments})
            return json_response({"ok": False, "error": "not_authed"})
        principal = self._principal(token)
        if principal is None or principal.scopes in ({UPLOAD_SCOPE}, {LINK_SCOPE}):
            return json_response({"ok": False, "error": "invalid_auth"})
        return self._call(request, principal, operation, arguments)

    async def link(self, socket: WebSocket) -> None:
        """A Socket Mode connection."""
        await socket_mode.serve(self.host, socket)

    def _miss(self, token: str, name: str) -> None:
        principal = self._principal(token) if token else None
        if principal is not None:
            self.host.record_unknown_method(principal, "rest", app.name, name if METHOD.fullmatch(name) else "?")

    def _principal(self, token: str) -> Principal | None:
        return authenticate(self.host, app.name, token)

    def _call(
        self, request: Request, principal: Principal, operation: Operation, arguments: Mapping[str, object]
    ) -> Response:
        request.scope["firm.world"] = principal.world
        try:
            result = self.host.call(principal, "rest", operation.id, arguments, _base_address(request))
        except Outage as outage:
            return fault_response(outage)
        except OperationError as refusal:
            return json_response(refusal_to_json(refusal, operation.id), self._headers(principal, operation))
        if operation.id == "apps.connections.open":
            result = {**result, "url": f"{result['url']}&ticket={issue_ticket(self.host, principal)}"}
        if operation.id == "files.getUploadURLExternal":
            result = self._reachable(principal, result)
        return json_response({"ok": True, **result}, self._headers(principal, operation))

    def _reachable(self, principal: Principal, result: Mapping[str, object]) -> JsonObject:
        """Return the upload address with its own token, as uploads are sent without an Authorization header."""
        only = replace(principal, app=app.name, scopes=frozenset({UPLOAD_SCOPE}))
        head, _, secret = str(result["upload_url"]).rpartition("/")
        return {**result, "upload_url": f"{head}/{self.host.tokens.issue(only, '{}')}/{secret}"}

    def _headers(self, principal: Principal, operation: Operation) -> dict[str, str]:
        actor = self.host.actors.get(principal.world)
        number = actor.version if actor else 0
        return {
            "x-slack-req-id": digest("slack request", principal.world, number, size=16).hex(),
            "x-oauth-scopes": ",".join(sorted(principal.scopes) or ALL_SCOPES),
            "x-accepted-oauth-scopes": list_accepted_scopes(operation),
        }

    async def upload(self, request: Request) -> Response:
        """The address files.getUploadURLExternal gave: raw bytes, or one part of a multipart form."""
        token = request.path_params.get("token") or _bearer_token(request)
        principal = self._principal(token) if token else None
        if principal is None:
            return Response("invalid upload address", 404, media_type="text/plain")
        request.scope["firm.world"] = principal.world
        data = base64.b64encode(await _read_content(request)).decode()
        try:
            result = self.host.call(
                principal,
                "rest",
                "files.uploadContent",
                {"secret": request.path_params["secret"], "data": data},
                _base_address(request),
            )
        except Outage as outage:
            return fault_response(outage)
        except EpisodeEnded as refusal:
            return Response(f"{refusal.code}: {refusal.sentence}", 400, media_type="text/plain")
        except OperationError as refusal:
            return Response(refusal.code, 404 if refusal.code == "file_not_found" else 400, media_type="text/plain")
        return Response(f"OK - {result['size']}", 200, media_type="text/plain")

    async def download(self, request: Request) -> Response:
        """A file's bytes, for a token in the header or the cookie of a login; never shown as a page of ours."""
        login = request.cookies.get(COOKIE, "")
        principal = authenticate(self.host, app.name, _bearer_token(request) or None, login)
        if principal is None:
            return Response(None, 302, {"location": f"{_base_address(request)}/"})
        request.scope["firm.world"] = principal.world
        file = request.path_params["place"].rpartition("-")[2]
        try:
            found = self.host.call(principal, "rest", "files.content", {"file": file}, _base_address(request))
        except Outage as outage:
            return fault_response(outage)
        except EpisodeEnded as refusal:
            return Response(f"Not found: {refusal.sentence}", 404, media_type="text/plain")
        except OperationError:
            return Response("Not found", 404, media_type="text/plain")
        shown = found["mimetype"] if found["mimetype"] in INLINE else "application/octet-stream"
        how = "attachment" if "/download/" in request.url.path or shown not in INLINE else "inline"
        headers = {"content-type": shown, "content-disposition": f"{how}; filename*=UTF-8''{quote(found['name'])}"}
        return Response(
            base64.b64decode(found["content"]), 200, {**HEADERS, "content-security-policy": "sandbox", **headers}
        )


def list_accepted_scopes(operation: Operation) -> str:
    """The scopes an operation accepts; those about conversations depend on the kind of conversation."""
    if operation.scope or not operation.id.startswith("conversations."):
        return operation.scope
    reads = "history" if operation.id in ("conversations.history", "conversations.replies") else "read"
    return ",".join(f"{kind}:{'write' if operation.writes else reads}" for kind in KINDS)


async def _read_arguments(request: Request) -> JsonObject:
    """Arguments of the query and of the body, whatever its type; null is the same as absent."""
    given: JsonObject = dict(request.query_params)
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == "application/json":
        given |= _read_json(await request.body())
    elif kind in ("application/x-www-form-urlencoded", "multipart/form-data"):
        given |= await _read_form(request)
    return {name: value for name, value in given.items() if value is not None}


def _read_json(body: bytes) -> JsonObject:
    if not body.strip():
        return {}
    try:
        loaded = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Unreadable("invalid_json") from None
    if not isinstance(loaded, dict):
        raise Unreadable("json_not_object")
    return loaded


async def _read_form(request: Request) -> JsonObject:
    if FORM in request.headers.get("content-type", "") and (await request.body()).count(b"%") > MAX_ESCAPES:
        raise Unreadable("invalid_form_data")
    try:
        async with request.form(max_part_size=MAX_PART) as form:
            return {
                name: await _read_part(value) if isinstance(value, UploadFile) else value
                for name, value in form.multi_items()
            }
    except HTTPException:
        raise Unreadable("invalid_form_data") from None


async def _read_part(upload: UploadFile) -> JsonObject:
    return {"filename": upload.filename or "", "mimetype": upload.content_type or "", "data": await upload.read()}


async def _read_content(request: Request) -> bytes:
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return await request.body()
    async with request.form(max_part_size=MAX_PART) as form:
        for _, value in form.multi_items():
            return await value.read() if isinstance(value, UploadFile) else value.encode()
    return b""


def _bearer_token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _read_token(request: Request, arguments: JsonObject) -> str:
    given = str(arguments.pop("token", "") or "")
    return _bearer_token(request) or given


def _base_address(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}{str(request.scope.get('root_path', '')).rstrip('/')}"


def json_response(body: Mapping[str, object], headers: Mapping[str, str] | None = None, status: int = 200) -> Response:
    """A body in the service's envelope; refusals too have status 200."""
    return Response(orjson.dumps(body), status, {**HEADERS, "content-type": JSON, **(headers or {})})


def fault_response(outage: Outage) -> Response:
    """An emulated failure: docs.slack.dev/apis/web-api/rate-limits for the limiter, common errors of any method
    otherwise.
    """
    body = {"ok": False, "error": outage.code}
    if outage.kind == "ratelimit":
        return json_response(body, {"retry-after": str(outage.retry_after_s or 1)}, 429)
    if outage.kind == "corrupt_payload":
        return Response(b'{"ok":true,"messages":[{"type":"mess', 200, {**HEADERS, "content-type": JSON})
    if outage.kind == "transport":
        return CutResponse(b'{"ok":tr', JSON)
    return json_response(body)


async def _answer_picture(request: Request) -> Response:
    """The portrait of a mark, or a plain picture in the colour of an id; neither shows what the address does not say."""
    owner, mark, *_ = [*request.path_params["name"].split("-"), ""]
    shape = (
        draw_portrait(mark)
        if MARK.fullmatch(mark)
        else (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
            f'<rect width="24" height="24" rx="4" fill="#{user_colour(owner)}"/>'
            '<circle cx="12" cy="9" r="4" fill="#fff"/><path d="M4 22a8 8 0 0 1 16 0z" fill="#fff"/></svg>'
        )
    )
    return Response(
        shape,
        200,
        {
            "content-type": "image/svg+xml",
            "cache-control": "public, max-age=86400",
            "x-content-type-options": "nosniff",
        },
    )


def wire(operation: str, arguments: Mapping[str, object]) -> Wire:
    """Return the request that calls an operation."""
    return Wire("POST", f"/api/{operation}", json=dict(arguments))


BROKEN = {500: "internal_error", 503: "service_unavailable"}


def missing_response(request: Request, status: int) -> Response:
    """Return the response to a request for no method."""
    unknown = "unknown_method" if "/api/" in request.url.path else "not_found"
    return json_response({"ok": False, "error": BROKEN.get(status, unknown)}, status=status)


rest_door = RestDoor(routes, wire, fault_response, missing=missing_response, deliver=request_urls.deliver)
