"""REST routes that belong to no vendor: the time, waiting, and finishing an episode."""

from json import JSONDecodeError
from typing import Any

import orjson
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from world.core.errors import EpisodeEnded, InvalidArguments, OperationError, Outage
from world.core.json_types import is_array, is_object
from world.core.principal import Principal
from world.run.authentication import authenticate
from world.run.host import Host
from world.server.exchange_capture import ExchangeCapture

MAX_BODY = 1 << 20
STATUSES = {"token_revoked": 401, "account_inactive": 401, "invalid_auth": 401, "not_yours": 403}
NOT_YOURS = "A task is finished by the employee who has it, with their own token; a token for one app cannot."


def employee_routes(host: Host) -> list[BaseRoute]:
    """`GET /world/now`, `POST /world/wait`, `POST /world/finish`; an employee token in `Authorization: Bearer`."""

    async def serve(request: Request) -> Response:
        principal = bearer(host, request)
        if principal is None:
            return _json(401, {"error": "unauthorized", "message": "Send an employee token as Authorization: Bearer."})
        request.scope["firm.world"] = principal.world
        try:
            arguments = await _arguments(request)
            async with host.team_turns.enter(principal) as turn:
                answer = host.call(principal, "rest", f"world.{request.path_params['name']}", arguments)
                return _json(200, await turn.sleep() or answer)
        except InvalidArguments as refusal:
            return _json(400, {"error": refusal.code, "message": refusal.sentence()})
        except Outage as refusal:
            return _json(500, {"error": refusal.code, "message": _sentence(refusal)})
        except OperationError as refusal:
            return _json(STATUSES.get(refusal.code, 409), {"error": refusal.code, "message": _sentence(refusal)})

    capture = [Middleware(ExchangeCapture, host=host)]
    return [
        Route("/world/{name:str}", _only(serve, ("now",)), methods=["GET"], middleware=capture),
        Route("/world/{name:str}", _only(serve, ("wait", "finish")), methods=["POST"], middleware=capture),
    ]


def _only(serve: Any, names: tuple[str, ...]) -> Any:
    async def endpoint(request: Request) -> Response:
        if request.path_params["name"] not in names:
            return _json(404, {"error": "not_found", "message": "There is nothing at this address."})
        return await serve(request)

    return endpoint


def bearer(host: Host, request: Request) -> Principal | None:
    """The principal of `Authorization: Bearer TOKEN`."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return authenticate(host, "", token.strip() if scheme.lower() == "bearer" else "")


async def _arguments(request: Request) -> dict[str, Any]:
    if request.method == "GET":
        return {}
    body = await request.body()
    if len(body) > MAX_BODY:
        raise InvalidArguments([("body", "larger than 1 MiB")])
    try:
        parsed: object = orjson.loads(body) if body.strip() else {}
    except JSONDecodeError as error:
        raise InvalidArguments([("body", f"not JSON: {error.msg}")]) from None
    if not is_object(parsed):
        raise InvalidArguments([("body", "not a JSON object")])
    return dict(parsed)


def _sentence(refusal: OperationError) -> str:
    if isinstance(refusal, EpisodeEnded):
        return refusal.sentence
    if refusal.code == "not_yours":
        return NOT_YOURS
    problems = refusal.detail.get("problems")
    if is_array(problems):
        return "; ".join(f"{name}: {text}" for name, text in problems)
    return refusal.code.replace("_", " ")


def _json(status: int, body: Any) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")
