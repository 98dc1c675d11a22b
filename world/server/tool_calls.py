"""Tools called from the control plane, by programs that steer worlds and act in them too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from typing_extensions import TypedDict  # of Python 3.12: pydantic describes no other

from world.core import discovery
from world.core.principal import Principal
from world.run.host import Host


class TextPart(TypedDict):
    """One text of an answer."""

    type: str
    text: str


class ToolBody(TypedDict):
    """The answer of a tool as JSON, as the agents' plane sends it."""

    content: list[TextPart]
    isError: bool


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """Answer of a tool: its texts in order. `is_error`: the app refused, and the text says why."""

    texts: tuple[str, ...]
    is_error: bool = False

    @property
    def text(self) -> str:
        """All texts, one after another."""
        return "\n".join(self.texts)

    def to_json(self) -> ToolBody:
        """The answer as JSON."""
        return {"content": [{"type": "text", "text": one} for one in self.texts], "isError": self.is_error}


class UnknownTool(LookupError):
    """A name that no tool of this company has."""


class ToolCaller(Protocol):
    """All tools of a host in one list, without a protocol between."""

    def list_tools(self) -> Sequence[Mapping[str, Any]]:
        """Every tool: name, description, inputSchema."""
        ...

    def call(self, principal: Principal, name: str, arguments: Mapping[str, object]) -> ToolOutcome:
        """Call a tool as an employee. Raises UnknownTool."""
        ...


def open_tool_caller(host: Host) -> ToolCaller:
    """The tools of the installed surfaces. Raises LookupError where none are installed."""
    for package in discovery.packages("firmament.surfaces"):
        found = discovery.part(package, "direct_calls")
        if found is not None:
            return found.DirectCalls(host)
    raise LookupError("no tool surfaces are installed")
