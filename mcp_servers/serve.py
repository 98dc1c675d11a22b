"""One protocol server per tool surface: lists the tools, calls them, and answers every kind of failure."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from mcp_servers import truncation
from mcp_servers.error_bodies import Body
from mcp_servers.json_text import as_json
from mcp_servers.tools import ToolAnswer
from mcp_servers.toolset import BoundTool, ToolFilter, Toolset, quote_known_name
from world.core.errors import InvalidArguments, OperationError, Outage
from world.core.principal import Principal
from world.run.episode_end import warn_of_end
from world.run.exchange import ToolRequest, ToolResponse, enter_exchange, leave_exchange
from world.run.host import Host
from world.run.team_turns import MemberTurn

log = logging.getLogger("firmament")
LIST_TTL_MS = 3_600_000
Context = ServerRequestContext[Any, Any]


class ToolServer:
    """Serves one toolset. `who` returns a request's employee; `crashes` counts programming errors."""

    def __init__(
        self, host: Host, tools: Toolset, bodies: Mapping[str, Body], who: Callable[[Context], Principal], **more: Any
    ) -> None:
        self._host, self.tools, self._bodies, self._who = host, tools, bodies, who
        self.crashes = 0
        self.server: Server[object] = Server(
            tools.name,
            version=tools.version,
            on_list_tools=self._list,
            on_call_tool=self._call,
            cache_hints={"tools/list": CacheHint(ttl_ms=LIST_TTL_MS, scope="private")},
            **more,
        )
        if hasattr(self.server, "get_tool_input_schema"):
            self.server.get_tool_input_schema = tools.schema

    async def _list(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        narrowing, app = read_narrowing(context), self._who(context).app
        return self.tools.list_tools(app) if narrowing is None else self.tools.narrow_list(app, narrowing)

    async def _call(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        principal, given = self._who(context), params.arguments or {}
        async with self._host.team_turns.enter(principal) as turn:
            await self._host.turns.take(principal.world)
            with self._host.turns.measure(principal.world):
                answer = self.perform(principal, params.name, given, read_narrowing(context))
            return await self.tell_wake(turn, principal, params.name, answer)

    async def tell_wake(
        self, turn: MemberTurn, principal: Principal, name: str, answer: types.CallToolResult
    ) -> types.CallToolResult:
        """The answer of a call; of a wait in a team, its result once it is over."""
        woken, tool = await turn.sleep(), self.tools.find(name, principal.app)
        return answer if woken is None or tool is None else _answer(as_json(woken))

    def perform(
        self, principal: Principal, name: str, given: Mapping[str, object], narrowing: ToolFilter | None = None
    ) -> types.CallToolResult:
        """The same as `call`, on record as one exchange; an error nobody foresaw is logged, and raised as MCPError
        without its text.
        """
        exchange, token = enter_exchange()
        asked: ToolRequest = {"surface": self.tools.name, "tool": name, "arguments": given}
        try:
            answer = self._guard(principal, name, given, narrowing)
        except MCPError as error:
            visits = not exchange.is_heard
            exchange.close(asked, describe_error(error))
            if visits:
                self._host.record_visit(principal.world, exchange)
            raise
        finally:
            leave_exchange(token)
        if exchange.is_heard:
            exchange.close(asked, describe_answer(answer))
        return answer

    def _guard(
        self, principal: Principal, name: str, given: Mapping[str, object], narrowing: ToolFilter | None
    ) -> types.CallToolResult:
        try:
            return self.call(principal, name, given, narrowing)
        except MCPError:
            raise
        except Exception:  # the edge of the server: the package would send the text of the error
            self.crashes += 1
            log.exception("tool %s", quote_known_name(name))
            raise MCPError(code=types.INTERNAL_ERROR, message="Internal error") from None

    def call(
        self, principal: Principal, name: str, given: Mapping[str, object], narrowing: ToolFilter | None = None
    ) -> types.CallToolResult:
        """The answer to one tool call. Raises MCPError for a tool this employee does not have, or did not ask for."""
        tool = self.tools.find(name, principal.app)
        if tool is None or not (narrowing is None or narrowing.takes(tool)):
            known = quote_known_name(name)
            if name not in self.tools.tools:
                self._host.record_unknown_method(principal, "mcp", self.tools.name, known if known == name else "?")
            raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool: {known if known == name else '?'}")
        try:
            return self._perform(principal, tool, given)
        except InvalidArguments as refusal:
            return _answer(tool.sentence(refusal), is_error=True)
        except OperationError as refusal:
            return self._render_refusal(tool, refusal, given)
        except Exception:  # the edge of the server, as above
            if principal.world not in self._host.quarantined:
                raise
            return self._render_outage(tool, given)

    def _perform(self, principal: Principal, tool: BoundTool, given: Mapping[str, object]) -> types.CallToolResult:
        def look(operation: str, **arguments: object) -> Any:
            return self._host.peek(principal, "mcp", operation, arguments)

        try:
            arguments = tool.arguments(given)
            operation = tool.operation(given)
            if tool.tool.prepare is not None:
                arguments = tool.tool.prepare(arguments, given, look)
        except OperationError as refusal:
            self._host.refuse(principal, "mcp", tool.operation_of(given).id, given, refusal)
        result = self._carry_out(principal, tool, operation.id, arguments)
        *before, text = _texts(tool, ToolAnswer(result, given, look))
        warning = warn_of_end(self._host.actor(principal.world).calls_left)
        return _answer(*before, *truncation.within(text, tool.paths), *([warning] if warning else []))

    def _carry_out(self, principal: Principal, tool: BoundTool, operation: str, arguments: Mapping[str, object]) -> Any:
        """Return an operation's result; a refusal that leads elsewhere is followed once."""
        try:
            return self._host.call(principal, "mcp", operation, arguments)
        except OperationError as refusal:
            elsewhere = tool.tool.follow(refusal) if tool.tool.follow is not None else None
            if elsewhere is None:
                raise
        return self._host.call(principal, "mcp", operation, {**arguments, **elsewhere})

    def _render_refusal(
        self, tool: BoundTool, refusal: OperationError, given: Mapping[str, object]
    ) -> types.CallToolResult:
        if refusal.code == "invalid_arguments":
            problems = refusal.detail.get("problems")
            if isinstance(problems, list):
                return _answer(tool.sentence(InvalidArguments(problems)), is_error=True)
        wait = (
            f"Retry after {refusal.retry_after_s} seconds."
            if isinstance(refusal, Outage) and refusal.retry_after_s
            else ""
        )
        return _answer(self._bodies[tool.app](refusal, tool.operation(given).id), wait, is_error=True)

    def _render_outage(self, tool: BoundTool, given: Mapping[str, object]) -> types.CallToolResult:
        """Return the answer that every tool of a quarantined world gives: the service has failed."""
        code = self._host.apps[tool.app].fault_codes.get("error", "internal_error")
        outage = Outage("error", code, app=tool.app)
        return _answer(self._bodies[tool.app](outage, tool.operation_of(given).id), is_error=True)


def describe_answer(answer: types.CallToolResult) -> ToolResponse:
    """A tool's result as an exchange keeps it."""
    texts = [one.text for one in answer.content if isinstance(one, types.TextContent)]
    return {
        "is_error": bool(answer.is_error),
        "code": None,
        "content": [{"type": "text", "text": text} for text in texts],
    }


def describe_error(error: MCPError) -> ToolResponse:
    """An error of the protocol as an exchange keeps it."""
    said = error.error
    return {"is_error": True, "code": said.code, "content": [{"type": "text", "text": said.message}]}


def read_narrowing(context: Context) -> ToolFilter | None:
    """Return the tools that a request's address selects, or None: `?apps=slack,jira`, `?tools=slack_send_message`."""
    return read_filter(context.request.query_params) if context.request is not None else None


def read_filter(query: Mapping[str, str]) -> ToolFilter | None:
    """Return the tools that a query selects, or None."""
    if "apps" not in query and "tools" not in query:
        return None
    return ToolFilter(*(frozenset(filter(None, query.get(name, "").split(","))) for name in ("apps", "tools")))


def _texts(tool: BoundTool, answer: ToolAnswer) -> list[str]:
    """The tool's own form, or plain JSON when a look-up fails after the call itself has succeeded."""
    if tool.tool.result is None:
        return [as_json(answer.result)]
    try:
        made = tool.tool.result(answer)
    except OperationError:
        return [as_json(answer.result)]
    return made if isinstance(made, list) else [made]


def _answer(*texts: str, is_error: bool = False) -> types.CallToolResult:
    """The parts of an answer; one after the first that is empty is none."""
    parts = [texts[0], *filter(None, texts[1:])]
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=part) for part in parts], is_error=is_error
    )
