"""The wire shape: one address per operation, JSON in and out."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError, Outage
from world.core.json_types import is_object
from world.core.request_builder import Wire
from world.run.authentication import authenticate
from world.run.host import Host
from world.web.rest_door import RestDoor

from .app import app

STATUS = {"note_not_found": 404, "not_your_note": 403, "token_revoked": 401, "account_inactive": 401}


def routes(host: Host) -> list[BaseRoute]:
    """Relative to the app's mount."""

    async def serve(request: Request) -> Response:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        principal = authenticate(host, app.name, token.strip() if scheme.lower() == "bearer" else "")
        if principal is None:
            return respond(401, {"error": "unauthenticated"})
        request.scope["firm.world"] = principal.world
        operation = f"notebook.{request.path_params['name']}"
        if operation not in app.operations:
            return respond(404, {"error": "unknown_operation"})
        try:
            return respond(200, host.call(principal, "rest", operation, await read_body(request)))
        except Outage as outage:
            return fault_response(outage)
        except OperationError as refused:
            return respond(*refusal(refused))

    return [Route("/api/{name}", serve, methods=["POST"])]


async def read_body(request: Request) -> Mapping[str, Any]:
    """The arguments of a request. Raises InvalidArguments."""
    try:
        body = orjson.loads(await request.body() or b"{}")
    except orjson.JSONDecodeError:
        raise InvalidArguments([("body", "not JSON")]) from None
    if not is_object(body):
        raise InvalidArguments([("body", "not a JSON object")])
    return body


def refusal(error: OperationError) -> tuple[int, dict[str, Any]]:
    """Status and body of a refusal."""
    if isinstance(error, InvalidArguments):
        return 422, {"error": error.code, "message": error.sentence()}
    if isinstance(error, EpisodeEnded):
        return 401, {"error": error.code, "message": error.sentence}
    return STATUS.get(error.code, 400), {"error": error.code}


def fault_response(outage: Outage) -> Response:
    """An emulated failure."""
    headers = {"Retry-After": str(outage.retry_after_s)} if outage.retry_after_s else {}
    return respond(503, {"error": outage.code}, headers)


def wire(operation: str, arguments: Mapping[str, Any]) -> Wire:
    """The request that asks for an operation."""
    return Wire("POST", f"/api/{operation.partition('.')[2]}", json=dict(arguments))


def respond(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response."""
    return Response(orjson.dumps(body), status, headers, media_type="application/json")


rest_door = RestDoor(routes, wire, fault_response, refusal)
