"""The REST door: one endpoint that finds the route of a request and renders the response."""

from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, Router
from starlette.routing import Host as OnHost

from apps.github.app import app
from apps.github.domain.params import Raw, Redirect, Reply
from apps.github.limits import resource_of
from apps.github.rest import graphql, quota, responses
from apps.github.rest.arguments import Unreadable, arguments, caller, token_of
from apps.github.rest.avatars import list_avatar_routes
from apps.github.rest.files import sign_address
from apps.github.rest.numeric_ids import by_name
from apps.github.rest.routes import Line, find_lines
from world.core.errors import OperationError, Outage
from world.core.principal import Principal
from world.run.host import Host

Endpoint = Callable[[Request], Awaitable[Response]]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
PREFIX = "/api/v3"
UPLOADS = ("/api/uploads", f"{PREFIX}/uploads")  # at a host of its own, below a folder
PRIVATE = (  # what the vendor's pages ask of addresses no description lists: an operation's id, arguments as JSON
    "/_private"
)


def routes(host: Host) -> list[BaseRoute]:
    """Return the routes of the API, under /api/v3 and at the root of api.github.com, and those only for pages.

    Unknown addresses are answered like the vendor's.
    """

    async def enterprise(request: Request) -> Response:
        return await answer(host, request, PREFIX)

    async def dotcom(request: Request) -> Response:
        return await answer(host, request, "")

    def uploads(prefix: str) -> Endpoint:
        async def endpoint(request: Request) -> Response:
            return await answer(host, request, prefix)

        return endpoint

    async def private(request: Request) -> Response:
        line = Line("POST", "", request.path_params["operation"])
        return await _dispatch(
            host,
            request,
            {"POST": (line, {})} if line.operation in app.operations else {},
            _place(request, "")[0],
            "/_private",
        )

    pictures = list_avatar_routes()
    return [
        OnHost(
            "api.github.com",
            Router([graphql.route(host, "/graphql"), *pictures, Route("/{rest:path}", dotcom, methods=METHODS)]),
        ),
        *pictures,
        OnHost("uploads.github.com", Router([Route("/{rest:path}", dotcom, methods=METHODS)])),
        Route(PRIVATE + "/{operation:path}", private, methods=METHODS),
        *(Route(prefix + "/{rest:path}", uploads(prefix), methods=METHODS) for prefix in UPLOADS),
        Route(PREFIX, enterprise, methods=METHODS),
        Route(PREFIX + "/{rest:path}", enterprise, methods=METHODS),
    ]


async def answer(host: Host, request: Request, prefix: str) -> Response:
    """Find the operation of a request, run it, and render its result."""
    base, path = _place(request, prefix)
    principal = caller(host, request)
    if principal is not None:
        path = by_name(host.actors[principal.world].bound, path)
    return await _dispatch(host, request, find_lines(path), base, path)


async def _dispatch(
    host: Host, request: Request, found: Mapping[str, tuple[Line, dict[str, str]]], base: str, path: str
) -> Response:
    method = "GET" if request.method == "HEAD" else request.method
    principal = caller(host, request)
    if principal is None:
        return _answer_stranger(request, method in found, path)
    request.scope["firm.world"] = principal.world
    if method not in found:
        host.record_unknown_method(principal, "rest", "github", f"{request.method} {_noun(path)}")
        return responses.error(404, "Not Found", _headers(host, principal))
    line, given = found[method]
    try:
        given = await arguments(request, line, given)
    except Unreadable as problem:
        return responses.error(problem.status, problem.message, _headers(host, principal))
    return _call(host, principal, request, line, given, base)


def _answer_stranger(request: Request, is_there: bool, path: str) -> Response:
    """Answer an unauthenticated request; private repositories do not exist for it."""
    if token_of(request) is not None:
        return responses.error(401, "Bad credentials", quota.STRANGER)
    if not is_there or path.startswith(("/repos/", "/repositories/")):
        return responses.error(404, "Not Found", quota.STRANGER)
    return responses.error(401, "Requires authentication", quota.STRANGER)


def _place(request: Request, prefix: str) -> tuple[str, str]:
    """Return the base of the addresses in a response, and the path below the API's root, still encoded."""
    root = str(request.scope.get("root_path", "")).rstrip("/")
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    path = raw.decode("latin-1").partition("?")[0].removeprefix(root).removeprefix(prefix)
    netloc = request.url.netloc.replace("uploads.github.com", "api.github.com", 1)
    return f"{request.url.scheme}://{netloc}{root}", path or "/"


def _noun(path: str) -> str:
    """Return a path with `{}` for its arguments, as far as it is known."""
    parts = path.split("/")
    if parts[1:2] == ["repos"] and len(parts) > 3:
        parts[2:4] = ["{}", "{}"]
    elif parts[1:2] in (["users"], ["orgs"]) and len(parts) > 2:
        parts[2] = "{}"
    return "/".join(part if part in ("", "{}") or part.replace("-", "").isalpha() else "{}" for part in parts[:6])[:120]


def _call(
    host: Host, principal: Principal, request: Request, line: Line, given: Mapping[str, object], base: str
) -> Response:
    resource = resource_of(line.operation)
    try:
        result = host.call(principal, "rest", line.operation, given, base)
    except Outage as outage:
        return quota.add_headers(responses.fault_response(outage), host, principal, outage, resource)
    except OperationError as refused:
        return responses.refusal(refused, _headers(host, principal, resource), _below_issue(request, line, given))
    return _respond(host, principal, request, line, given, result, base)


def _below_issue(request: Request, line: Line, given: Mapping[str, object]) -> str:
    """Return what an address has below an issue, its query too: the same is found below the issue's new address."""
    parts = line.path.partition("/{issue_number}")[2].split("/")
    filled = [quote(str(given[part[1:-1]]), safe="") if part.startswith("{") else part for part in parts]
    return "/".join(filled) + (f"?{request.url.query}" if request.url.query else "")


def _respond(
    host: Host,
    principal: Principal,
    request: Request,
    line: Line,
    given: Mapping[str, object],
    result: object,
    base: str,
) -> Response:
    headers = _headers(host, principal, resource_of(line.operation))
    if isinstance(result, Raw):
        return _bytes(result, headers)
    if isinstance(result, Redirect):
        return Response(
            b"", 302, {**responses.HEADERS, **headers, "Location": sign_address(host, principal, str(result))}
        )
    status = result.status if isinstance(result, Reply) else line.status
    if status in (204, 205) or result is None:
        return responses.body(status, None, headers)
    if link := responses.link(
        request, result, given, base + request.scope["path"].removeprefix(str(request.scope.get("root_path", "")))
    ):
        headers["Link"] = link
    response = responses.body(status, result, headers)
    return _add_etag(request, response) if line.method == "GET" else response


def _add_etag(request: Request, response: Response) -> Response:
    """Return the response with its ETag, or 304 if the caller has it already."""
    tag = responses.etag(bytes(response.body))
    response.headers["ETag"] = tag
    asked = request.headers.get("if-none-match", "")
    if tag in asked or tag.removeprefix("W/") in asked:
        kept = {
            name: value for name, value in response.headers.items() if name not in ("content-length", "content-type")
        }
        return Response(b"", 304, kept)
    return response


def _bytes(result: Raw, headers: Mapping[str, str]) -> Response:
    shown = {**responses.HEADERS, **headers, "Content-Type": result.content_type}
    if result.filename:
        shown["Content-Disposition"] = f'attachment; filename="{result.filename}"'
    return Response(bytes(result), 200, shown)


def _headers(host: Host, principal: Principal, resource: str = "core") -> dict[str, str]:
    actor = host.actors.get(principal.world)
    if actor is None:
        return {}
    return {
        "X-GitHub-Request-Id": responses.request_id(actor.version, actor.now),
        "X-OAuth-Scopes": "repo, workflow, read:org, gist, notifications, user",
        "X-Accepted-OAuth-Scopes": "repo",
        **quota.headers(host, principal, resource),
    }
