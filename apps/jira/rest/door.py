"""The REST door: one endpoint per path, which picks the line of the table and renders the answer."""

import base64
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from apps.jira.app import FOLDER
from apps.jira.limits import BURST
from apps.jira.rest import responses, server_dialect
from apps.jira.rest.arguments import Unreadable, authenticate_caller, read_arguments
from apps.jira.rest.avatars import PATH as AVATARS
from apps.jira.rest.avatars import find_avatar
from apps.jira.rest.routes import LINES, Line
from apps.jira.rest.server_dialect import Dialect
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject, is_object
from world.core.principal import Principal
from world.run.host import Host

Endpoint = Callable[[Request], Awaitable[Response]]
VERSIONS = {"2": "2", "3": "3", "latest": "2"}
NEWEST = "/rest/api/3/"
FILE = "getAttachmentContent"
WORD = re.compile(r"[a-z][A-Za-z]{2,31}")
VERSION = re.compile(r"\d(\.\d)?|latest")
KNOWN_WORDS = frozenset(word for line in LINES for word in line.path.split("/") if WORD.fullmatch(word))
API_PREFIX = 3  # segments of /rest/<api>/<version>
SAFE_INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp", "text/plain", "application/pdf")


def routes(host: Host) -> list[BaseRoute]:
    """Every route of the API, relative to the app's mount; unknown addresses under /rest answer like the vendor."""
    paths: dict[str, dict[str, Line]] = {}
    for line in LINES:
        paths.setdefault(line.path, {})[line.method] = line
    listed: list[BaseRoute] = [
        Route(path, _make_endpoint(host, lines), methods=["GET", "POST", "PUT", "DELETE", "PATCH"])
        for path, lines in paths.items()
    ]

    async def answer_unknown(request: Request) -> Response:
        return _answer_unknown(host, request)

    async def answer_avatar(request: Request) -> Response:
        return find_avatar(host, request, responses.no_route_response)

    listed.append(Route(AVATARS, answer_avatar, methods=["GET"]))
    listed.append(Route("/rest/{rest:path}", answer_unknown, methods=["GET", "POST", "PUT", "DELETE", "PATCH"]))
    return [*listed, Mount("/ex/jira/{cloud}", routes=listed), Mount(FOLDER, routes=listed)]


def _answer_unknown(host: Host, request: Request) -> Response:
    _record_miss(host, request, template_path("/rest/" + request.path_params.get("rest", "?")))
    return responses.no_route_response(str(request.url.replace(query="")))


def _record_miss(host: Host, request: Request, path: str) -> None:
    principal = authenticate_caller(host, request)
    if principal is not None:
        host.record_unknown_method(principal, "rest", "jira", f"{request.method} {path}")


def template_path(path: str) -> str:
    """A path of the vendor's with `{}` for what can be an argument: after the noun, every other segment unless we know
    it.
    """
    parts = path.strip("/").split("/")
    kept = [part if _is_path_word(part, position) else "{}" for position, part in enumerate(parts[API_PREFIX + 1 :])]
    first = [part if WORD.fullmatch(part) or VERSION.fullmatch(part) else "{}" for part in parts[: API_PREFIX + 1]]
    return "/" + "/".join([*first, *kept])


def _is_path_word(part: str, position: int) -> bool:
    return part in KNOWN_WORDS or (position % 2 == 1 and WORD.fullmatch(part) is not None)


def _make_endpoint(host: Host, lines: dict[str, Line]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        line = lines.get("GET" if request.method == "HEAD" else request.method)
        version = VERSIONS.get(request.path_params.get("v", "2"))
        own_server = server_dialect.is_asked(request)
        if version is None or (own_server and version == "3"):
            return _answer_unknown(host, request)
        if line is None:
            _record_miss(host, request, next(iter(lines.values())).path)
            return responses.error_response(405, "Method Not Allowed", headers={"Allow": ", ".join(sorted(lines))})
        principal = authenticate_caller(host, request)
        if principal is None:
            return responses.build_unauthenticated_response()
        request.scope["firm.world"] = principal.world
        dialect = Dialect(host, principal.world) if own_server else None
        try:
            given = await read_arguments(request, line, version, dialect)
        except Unreadable as problem:
            return responses.error_response(problem.status, problem.message)
        asked = Asked(principal, line, _base_address(request), version, dialect)
        return _call_operation(host, asked, given)

    return endpoint


def _base_address(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}{str(request.scope.get('root_path', '')).rstrip('/')}"


@dataclass(frozen=True, slots=True)
class Asked:
    """Caller, route, at what address, in which version and dialect (none is the cloud's)."""

    principal: Principal
    line: Line
    base: str
    version: str
    dialect: Dialect | None


def _call_operation(host: Host, asked: Asked, given: JsonObject) -> Response:
    principal, line = asked.principal, asked.line
    try:
        result = host.call(principal, "rest", line.operation, given, asked.base)
    except Outage as outage:
        return responses.fault_response(
            outage, _current_time(host, principal), host.operation(line.operation).limit or BURST
        )
    except OperationError as refused:
        if asked.dialect is not None and refused.code == "user_not_found":
            return responses.error_response(404, asked.dialect.name_missing_user(given))
        return responses.refusal_response(refused, _response_headers(host, principal))
    headers = _response_headers(host, principal)
    if line.operation == FILE:
        return _file_response(result, headers)
    if result is None or (line.status == 204 and line.operation != "editIssue"):
        return responses.json_response(line.status, None, headers)
    status = 200 if line.operation == "editIssue" else line.status
    return responses.json_response(status, _phrase(result, asked), headers)


def _phrase(result: object, asked: Asked) -> object:
    """An answer in the caller's API version and dialect."""
    shown = _set_api_version(result, asked.base, asked.version)
    if asked.dialect is None:
        return shown
    if asked.line.operation == "getServerInfo" and is_object(shown):
        return server_dialect.describe_server(shown, asked.base)
    return asked.dialect.translate_answer(shown)


def _current_time(host: Host, principal: Principal) -> int | None:
    actor = host.actors.get(principal.world)
    return actor.now if actor else None


def _response_headers(host: Host, principal: Principal) -> dict[str, str]:
    actor = host.actors.get(principal.world)
    if actor is None:
        return {}
    return {"X-AREQUESTID": responses.request_id(actor.version, actor.now), "X-Seraph-LoginReason": "OK"}


def _file_response(result: dict[str, Any], headers: dict[str, str]) -> Response:
    """The bytes of an attachment, never rendered as a page of ours."""
    kind = result["mimeType"] if result["mimeType"] in SAFE_INLINE else "application/octet-stream"
    how = "inline" if kind != "application/octet-stream" else "attachment"
    shown = {**responses.HEADERS, **headers, "Content-Type": kind, "Content-Security-Policy": "sandbox"}
    shown["Content-Disposition"] = f"{how}; filename*=UTF-8''{quote(result['filename'])}"
    return Response(base64.b64decode(result["content"]), 200, shown)


def _set_api_version(value: object, base: str, version: str) -> object:
    """The addresses of a result in the caller's API version."""
    if version == "3":
        return value
    return _replace_prefix(value, base + NEWEST, f"{base}/rest/api/{version}/")


def _replace_prefix(value: object, old: str, new: str) -> object:
    if isinstance(value, dict):
        return {name: _replace_prefix(item, old, new) for name, item in value.items()}
    if isinstance(value, list):
        return [_replace_prefix(item, old, new) for item in value]
    if isinstance(value, str) and value.startswith(old):
        return new + value[len(old) :]
    return value
