"""The MCP door as a client sees it: the official client on each app's derived tools."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from world.agents.rest import outcome
from world.agents.steps import LastResult
from world.core.params import Arguments
from world.run.host import Host


class McpDoor:
    """Calls tools over HTTP. `surface` is the tool surface of every app; `mode` the protocol era (auto, legacy)."""

    name = "mcp"

    def __init__(
        self, host: Host, url: str, token: Callable[[str], str], last: LastResult, *, mode: str = "auto"
    ) -> None:
        self._host, self._url, self._token, self._last, self._mode = host, url, token, last, mode
        self._stack = ExitStack()
        self._portal: BlockingPortal = self._stack.enter_context(start_blocking_portal())
        self._clients: dict[str, Client] = {}

    def do(self, operation: str, arguments: Arguments) -> Any:
        """Perform an operation with its derived tool. Raises StepRefused."""
        declared = self._host.operation(operation)
        client = self._client(declared.app)
        self._last.forget()
        name = declared.id.split(".")[1] if declared.app == "world" else declared.snake
        answer = self._portal.call(client.call_tool, name, dict(arguments))
        return outcome(self._last, operation, str(answer.content))

    def _client(self, app: str) -> Client:
        if app not in self._clients:
            self._clients[app] = self._stack.enter_context(self._open(app))
        return self._clients[app]

    def _open(self, app: str) -> AbstractContextManager[Client]:
        path = "/mcp/world" if app == "world" else f"/mcp/{app}/operations"
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {self._token(app)}"}, timeout=60.0)
        self._stack.callback(self._portal.call, http.aclose)
        transport = streamable_http_client(f"{self._url}{path}", http_client=http)
        return self._portal.wrap_async_context_manager(Client(transport, mode=self._mode))

    def close(self) -> None:
        """Close all sessions."""
        self._stack.close()
