"""The GraphQL door: POST /api/graphql, and /graphql on api.github.com."""

from collections.abc import Mapping
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from apps.github.graphql.operations import writes
from apps.github.rest import quota, responses
from apps.github.rest.arguments import Unreadable, body_of, caller, token_of
from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.core.request_builder import Wire
from world.run.host import Host

GUIDE = "https://docs.github.com/graphql/guides/forming-calls-with-graphql"
MAX_BODY = 4 * 1024 * 1024
NO_QUERY = "A query attribute must be specified and must be a string."
ADDRESS = "/api/graphql"
READS, CHANGES = "graphql", "graphql/mutate"


def route(host: Host, address: str) -> BaseRoute:
    """Return the route at one of the door's addresses."""

    async def post(request: Request) -> Response:
        principal = caller(host, request)
        if principal is None:
            told = "This endpoint requires you to be authenticated." if token_of(request) is None else "Bad credentials"
            return responses.body(
                401, {"message": told, "documentation_url": f"{GUIDE}#authenticating-with-graphql", "status": "401"}
            )
        request.scope["firm.world"] = principal.world
        try:
            asked = _parse_request(await body_of(request, MAX_BODY))
        except Unreadable as problem:
            return _unreadable(problem.status, problem.message)
        return _respond(host, principal, request, asked)

    return Route(address, post, methods=["POST"])


def _unreadable(status: int, message: str) -> Response:
    return responses.body(status, {"message": message, "documentation_url": GUIDE, "status": str(status)})


def _parse_request(raw: bytes) -> JsonObject:
    sent = _decode(raw)
    body: JsonObject = sent if isinstance(sent, dict) else {}
    query = body.get("query")
    given, name = body.get("variables"), body.get("operationName")
    if isinstance(given, str) and given:
        given = _decode(given)
    if given not in (None, "") and not isinstance(given, dict):
        raise Unreadable(400, "Variables must be an object.")
    asked = {"query": query} if isinstance(query, str) and query.strip() else {}
    return {**asked, "variables": given or None, "operationName": name if isinstance(name, str) and name else None}


def _decode(text: str | bytes) -> object:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        raise Unreadable(400, "Problems parsing JSON") from None


def _respond(host: Host, principal: Principal, request: Request, asked: Mapping[str, Any]) -> Response:
    operation = CHANGES if writes(asked.get("query", ""), asked["operationName"]) else READS
    root = str(request.scope.get("root_path", "")).rstrip("/")
    try:
        result = host.call(principal, "rest", operation, asked, f"{request.url.scheme}://{request.url.netloc}{root}")
    except Outage as outage:
        return quota.add_headers(responses.fault_response(outage), host, principal, outage, "graphql")
    except InvalidArguments as refused:
        return _unreadable(400, refused.sentence() if "query" in asked else NO_QUERY)
    except OperationError as refused:
        if "answer" not in refused.detail:
            return responses.refusal(refused, {})
        result = refused.detail["answer"]
    return responses.body(200, result, _headers(host, principal))


def _headers(host: Host, principal: Principal) -> dict[str, str]:
    actor = host.actors.get(principal.world)
    number = {} if actor is None else {"X-GitHub-Request-Id": responses.request_id(actor.version, actor.now)}
    return {"X-GitHub-Media-Type": "github.v4; format=json", **number, **quota.headers(host, principal, "graphql")}


def wire(operation: str, arguments: Mapping[str, object]) -> Wire:
    """Return the request for a query or a mutation."""
    given = {name: value for name, value in arguments.items() if value is not None}
    if operation == CHANGES and "query" not in given:
        raise LookupError("without a document there is no mutation")
    return Wire("POST", ADDRESS, query={}, json=given, headers={"Accept": "application/vnd.github+json"})


OPERATIONS = (READS, CHANGES)
