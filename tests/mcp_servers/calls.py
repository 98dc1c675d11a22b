"""One tool call without the wire: the same path as the doors', its text, and whether it wrote what REST would have
written.
"""

from typing import Any

from mcp_types import CallToolResult

from mcp_servers.catalogue import catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import Context, ToolServer
from tests.company import as_person
from world.core.journal import changes
from world.core.principal import Principal
from world.run.host import Host


def _nobody(context: Context) -> Principal:
    raise LookupError("no request")


class Desk:
    """Calls the tools of one surface as one person in one world."""

    def __init__(self, host: Host, app: str, surface: str | None = None, world: str = "w") -> None:
        self._host, self._world = host, world
        self.tools = catalogue(host.apps.values()).find(app, surface)
        self._server = ToolServer(host, self.tools, bodies(host.apps), _nobody)

    def answer(self, tool: str, who: str = "ada", /, **given: Any) -> CallToolResult:
        """The whole answer."""
        return self._server.call(as_person(self._host, who, self._world), tool, given)

    def ask(self, tool: str, who: str = "ada", /, **given: Any) -> tuple[bool, str]:
        """(refused, text)."""
        answer = self.answer(tool, who, **given)
        return answer.is_error, "\n".join(part.text for part in answer.content)

    def say(self, tool: str, who: str = "ada", /, **given: Any) -> str:
        """The text of a call that must be accepted."""
        refused, text = self.ask(tool, who, **given)
        assert not refused, text
        return text


def do(firm: Host, operation: str, who: str = "ada", world: str = "w", **arguments: Any) -> Any:
    """Call an operation as REST does."""
    return firm.call(as_person(firm, who, world), "rest", operation, arguments)


def written(firm: Host, world: str) -> list[tuple[Any, ...]]:
    """The rows a world has changed."""
    return [(c.table, c.op, c.pk, c.before, c.after) for c in changes(firm.actors[world].bound)]


def same_as_rest(firm: Host, operation: str, who: str = "ada", **arguments: Any) -> None:
    """Do the operation as REST does in the world `rest`, and compare rows and time with the world `w`, where a tool did
    it.
    """
    do(firm, operation, who, "rest", **arguments)
    assert written(firm, "w") == written(firm, "rest") != []
    assert firm.actors["w"].now == firm.actors["rest"].now
