"""Tools listed and called inside the process, for those who have a world but no server."""

from collections.abc import Iterable, Iterator, Mapping

from mcp.shared.exceptions import MCPError

from mcp_servers.catalogue import catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import ToolServer, describe_answer, describe_error
from mcp_servers.toolset import Toolset
from world.core.app import App
from world.core.errors import InvalidArguments
from world.core.json_types import JsonObject
from world.core.principal import Principal
from world.run.exchange import ToolResponse
from world.run.host import Host


class LocalTools:
    """The tool surfaces of installed apps, by the names that trajectories call them: `slack-vendor`, `firmament`."""

    def __init__(self, apps: Iterable[App]) -> None:
        found = catalogue(apps)
        defaults = [one[""] for one in found.of_app.values()]
        rest = [tools for one in found.of_app.values() for tools in one.values()]
        self._surfaces = {tools.name: tools for tools in (found.combined, *defaults, *rest)}
        self._servers: dict[tuple[Host, str], ToolServer] = {}

    @property
    def surfaces(self) -> list[str]:
        """Names: the combined list, then the default of each app, then the others."""
        return list(self._surfaces)

    def list_tools(self, surface: str) -> list[JsonObject]:
        """The list as clients get it. Raises LookupError."""
        return self._find(surface).wire

    def describe_list(self, surface: str) -> str:
        """Version and SHA-256 of a list, as the configuration of a run keeps them. Raises LookupError."""
        tools = self._find(surface)
        return f"{tools.version} {tools.digest}"

    def list_operations(self, surface: str, tool: str) -> list[str]:
        """The operations that a tool may call; none if the list has no such tool. Raises LookupError."""
        found = self._find(surface).tools.get(tool)
        return [] if found is None else [one.id for one in found.operations.values()]

    def find_surfaces(self, tool: str) -> Iterator[str]:
        """The surfaces with a tool of this name."""
        return (name for name, tools in self._surfaces.items() if tool in tools.tools)

    def accepts(self, surface: str, tool: str, arguments: Mapping[str, object]) -> bool:
        """Whether a tool knows these arguments and lacks none. Raises LookupError."""
        found = self._find(surface).tools.get(tool)
        if found is None:
            return False
        try:
            found.arguments(arguments)
        except InvalidArguments:
            return False
        return True

    def call(
        self, host: Host, principal: Principal, surface: str, tool: str, arguments: Mapping[str, object]
    ) -> ToolResponse:
        """Call a tool as an employee; the answer is the one that a client would see. Raises LookupError."""
        server = self._servers.get((host, surface))
        if server is None:
            server = ToolServer(host, self._find(surface), bodies(host.apps), lambda _: principal)
            self._servers[host, surface] = server
        try:
            return describe_answer(server.perform(principal, tool, arguments))
        except MCPError as error:
            return describe_error(error)

    def _find(self, surface: str) -> Toolset:
        if surface not in self._surfaces:
            raise LookupError(f"no tool surface {surface}")
        return self._surfaces[surface]
