"""One tool call without the wire: the same path as the doors', and its text."""

from typing import Any

from mcp_types import CallToolResult

from mcp_servers.bodies import bodies
from mcp_servers.catalogue import catalogue
from mcp_servers.serve import Context, ToolServer
from tests.company import as_person
from world.access import Principal
from world.host import Host


def _nobody(context: Context) -> Principal:
    raise LookupError("no request")


class Desk:
    """Calls the tools of one surface as one person."""

    def __init__(self, host: Host, app: str, surface: str | None = None) -> None:
        self._host = host
        self.tools = catalogue(host.apps.values()).find(app, surface)
        self._server = ToolServer(host, self.tools, bodies(host.apps), _nobody)

    def answer(self, tool: str, who: str = "ada", /, **given: Any) -> CallToolResult:
        """The whole answer."""
        return self._server.call(as_person(self._host, who), tool, given)

    def ask(self, tool: str, who: str = "ada", /, **given: Any) -> tuple[bool, str]:
        """(refused, text)."""
        answer = self.answer(tool, who, **given)
        return answer.is_error, "\n".join(part.text for part in answer.content)

    def say(self, tool: str, who: str = "ada", /, **given: Any) -> str:
        """The text of a call that must be accepted."""
        refused, text = self.ask(tool, who, **given)
        assert not refused, text
        return text
