"""Tool surfaces as the studio needs them: lists to export, tools to call; the installed package provides them."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from world.core import discovery
from world.core.builtin_operations import app as employee_app
from world.core.principal import Principal
from world.run.exchange import ToolResponse
from world.run.host import Host


class LocalTools(Protocol):
    """Tools by the name of their surface, such as `world-employee`. Methods raise LookupError for an unknown surface."""

    @property
    def surfaces(self) -> list[str]:
        """Names of all surfaces, the most usual first."""
        ...

    def list_tools(self, surface: str) -> list[dict[str, Any]]:
        """The list as clients get it."""
        ...

    def describe_list(self, surface: str) -> str:
        """Version and SHA-256 of a list."""
        ...

    def list_operations(self, surface: str, tool: str) -> list[str]:
        """The operations that a tool may call."""
        ...

    def find_surfaces(self, tool: str) -> Iterator[str]:
        """The surfaces with a tool of this name."""
        ...

    def accepts(self, surface: str, tool: str, arguments: Mapping[str, object]) -> bool:
        """Whether a tool knows these arguments and lacks none."""
        ...

    def call(
        self, host: Host, principal: Principal, surface: str, tool: str, arguments: Mapping[str, object]
    ) -> ToolResponse:
        """Call a tool as an employee."""
        ...


def open_local_tools() -> LocalTools:
    """The tools of the installed apps. Raises LookupError if no package with tool surfaces is installed."""
    for package in discovery.packages("firmament.surfaces"):
        module = discovery.part(package, "local_tools")
        if module is not None:
            return module.LocalTools((*discovery.apps(), employee_app))
    raise LookupError("no package with tool surfaces is installed")
