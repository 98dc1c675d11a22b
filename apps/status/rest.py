"""The wire shape of the status pages: Statuspage's public JSON, readable with an employee token or the login cookie."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.status.app import app
from world.core.errors import EpisodeEnded, InvalidArguments, OperationError, Outage
from world.core.params import Arguments
from world.core.principal import Principal
from world.core.request_builder import Wire
from world.run.authentication import authenticate
from world.run.host import Host
from world.web.rest_door import RestDoor
from world.web.session import COOKIE

READS = {
    "/index.json": "status.pages",
    "/{vendor}/api/v2/summary.json": "status.summary",
    "/{vendor}/api/v2/incidents.json": "status.incidents",
}
POST = "/{vendor}/api/v2/incidents.json"
STATUS = {
    "not_found": 404,
    "forbidden": 403,
    "invalid_arguments": 422,
    "account_inactive": 401,
    "token_revoked": 401,
    "invalid_auth": 401,
    "too_many_requests": 429,
    "unavailable": 503,
}


def routes(host: Host) -> list[BaseRoute]:
    """Relative to the app's mount."""

    async def answer(request: Request, operation: str, arguments: Arguments) -> Response:
        principal = _authenticate(host, request)
        if principal is None:
            return _json_response(401, {"error": "unauthenticated"})
        request.scope["firm.world"] = principal.world
        try:
            return _json_response(200, host.call(principal, "rest", operation, arguments))
        except Outage as outage:
            return fault_response(outage)
        except OperationError as refused:
            return _json_response(*refusal(refused))

    def build_read_endpoint(operation: str) -> Any:
        async def endpoint(request: Request) -> Response:
            return await answer(request, operation, dict(request.path_params))

        return endpoint

    async def post_status(request: Request) -> Response:
        try:
            body = orjson.loads(await request.body())
        except orjson.JSONDecodeError:
            return _json_response(400, {"error": "not JSON"})
        if not isinstance(body, dict):
            return _json_response(422, {"error": "invalid_arguments"})
        return await answer(request, "status.post", {**body, **request.path_params})

    listed: list[BaseRoute] = [
        Route(path, build_read_endpoint(operation), methods=["GET"]) for path, operation in READS.items()
    ]
    return [*listed, Route(POST, post_status, methods=["POST"])]


def refusal(error: OperationError) -> tuple[int, dict[str, Any]]:
    """HTTP status and body of a refusal."""
    if isinstance(error, InvalidArguments):
        return 422, {"error": error.sentence()}
    if isinstance(error, EpisodeEnded):
        return STATUS[error.code], {"error": error.code, "message": error.sentence}
    return STATUS.get(error.code, 400), {"error": error.code}


def fault_response(outage: Outage) -> Response:
    """An emulated failure: the limiter with its Retry-After, a lost session, or a service that cannot be reached."""
    status = STATUS.get(outage.code, 503)
    headers = {"Retry-After": str(outage.retry_after_s)} if outage.retry_after_s else {}
    return _json_response(status, {"error": outage.code}, headers)


def wire(operation: str, arguments: Arguments) -> Wire:
    """The request that asks for an operation."""
    if operation == "status.post":
        body = {k: v for k, v in arguments.items() if k != "vendor"}
        return Wire("POST", POST.format(vendor=arguments["vendor"]), json=body)
    path = next(path for path, name in READS.items() if name == operation)
    return Wire("GET", path.format(**arguments))


def _authenticate(host: Host, request: Request) -> Principal | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    key = token.strip() if scheme.lower() == "bearer" else None
    return authenticate(host, app.name, key, request.cookies.get(COOKIE, ""))


def _json_response(status: int, body: object, headers: Mapping[str, str] | None = None) -> Response:
    return Response(orjson.dumps(body), status, headers, media_type="application/json")


def missing_response(request: Request, status: int) -> Response:
    """The answer to a request that is for nothing of the pages."""
    return _json_response(status, {"error": {404: "not_found", 405: "method_not_allowed"}.get(status, "unavailable")})


rest_door = RestDoor(routes, wire, fault_response, refusal, missing=missing_response)
