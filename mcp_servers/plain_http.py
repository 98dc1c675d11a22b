"""The same tools without the protocol's handshake: GET an address for its list, POST a name and arguments to call one."""

from json import JSONDecodeError
from typing import TYPE_CHECKING

import orjson
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mcp_servers.serve import read_filter
from mcp_servers.toolset import ToolFilter
from world.core.json_types import is_object
from world.core.principal import Principal
from world.run.team_turns import MemberTurn

if TYPE_CHECKING:
    from mcp_servers.http import McpEndpoint

MAX_BODY = 10 * 1024 * 1024
METHODS = "GET, POST"


class PlainDoor:
    """One address below `/tools`: the toolset, tokens and records of the address below `/mcp`."""

    def __init__(self, endpoint: "McpEndpoint") -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self._answer(Request(scope, receive)))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        principal = self._endpoint.find_principal(dict(request.scope["headers"]))
        if principal is None:
            return _refuse(401, "unauthorized", "Send an employee token as Authorization: Bearer.")
        if request.path_params.get("world", principal.world) != principal.world:
            return _refuse(404, "not_found", "This token is for another world.")
        request.scope["firm.world"] = principal.world
        if unknown := self._endpoint.find_unknown(request.scope):
            return _refuse(404, "not_found", f"No app or tool here is called {unknown}.")
        if request.method == "GET":
            return self._list(request, principal)
        if request.method != "POST":
            return _refuse(405, "method_not_allowed", "GET lists the tools, POST calls one.", allow=METHODS)
        return await self._call(request, principal)

    def _list(self, request: Request, principal: Principal) -> Response:
        tools, narrowing = self._endpoint.tools.tools, read_filter(request.query_params)
        listed = tools.list_tools(principal.app) if narrowing is None else tools.narrow_list(principal.app, narrowing)
        return _json([tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in listed.tools])

    async def _call(self, request: Request, principal: Principal) -> Response:
        body = await request.body()
        if len(body) > MAX_BODY:
            return _refuse(413, "too_large", f"A call may have {MAX_BODY} bytes.")
        try:
            asked: object = orjson.loads(body)
        except JSONDecodeError as error:
            return _refuse(400, "invalid_json", error.msg)
        given = asked.get("arguments", {}) if is_object(asked) else None
        if not is_object(asked) or not isinstance(asked.get("name"), str) or not is_object(given):
            return _refuse(400, "invalid_call", 'Send {"name": TOOL, "arguments": {...}}.')
        async with self._endpoint.enter_turn(principal) as turn:
            return await self._perform(turn, principal, asked["name"], dict(given), read_filter(request.query_params))

    async def _perform(
        self, turn: MemberTurn, principal: Principal, name: str, given: dict[str, object], narrowing: ToolFilter | None
    ) -> Response:
        tools = self._endpoint.tools
        try:
            result = await tools.tell_wake(turn, principal, name, tools.perform(principal, name, given, narrowing))
        except MCPError as error:
            if error.error.code == INTERNAL_ERROR:
                return _refuse(500, "internal_error", error.error.message)
            return _refuse(404, "unknown_tool", error.error.message)
        return _json(result.model_dump(by_alias=True, mode="json", exclude_none=True))


def _json(body: object, status: int = 200) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")


def _refuse(status: int, error: str, message: str, **headers: str) -> Response:
    answer = _json({"error": error, "message": message}, status)
    answer.headers.update(headers)
    return answer
