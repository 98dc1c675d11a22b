"""Tools without a protocol between, for programs inside the server's process that act in worlds."""

from collections.abc import Mapping, Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, TextContent

from mcp_servers.catalogue import catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import Context, ToolServer
from world.core.principal import Principal
from world.run.host import Host
from world.server.tool_calls import ToolOutcome, UnknownTool


class DirectCalls:
    """The combined list of a host. A call is the same as one that comes over the protocol: door, time, record."""

    def __init__(self, host: Host) -> None:
        self._server = ToolServer(host, catalogue(host.apps.values()).combined, bodies(host.apps), refuse_session)

    def list_tools(self) -> Sequence[Mapping[str, Any]]:
        """Every tool as the protocol lists it."""
        return self._server.tools.wire

    def call(self, principal: Principal, name: str, arguments: Mapping[str, object]) -> ToolOutcome:
        """Call a tool as an employee. Raises UnknownTool."""
        try:
            result = self._server.perform(principal, name, arguments)
        except MCPError as error:
            if error.error.code == INTERNAL_ERROR:
                raise
            raise UnknownTool(error.error.message) from None
        texts = tuple(part.text for part in result.content if isinstance(part, TextContent))
        return ToolOutcome(texts, bool(result.is_error))


def refuse_session(_: Context) -> Principal:
    """Raises LookupError: nobody opens a session here."""
    raise LookupError("a session of tools that are called directly")
