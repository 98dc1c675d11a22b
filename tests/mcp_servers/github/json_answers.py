"""Calls of the code host's tools in tiny/app, and what they did."""

from typing import Any

import orjson

from tests.mcp_servers import calls
from tests.mcp_servers.calls import Desk
from world.core.clock import SECOND
from world.run.host import Host

HERE = {"owner": "tiny", "repo": "app"}
FEATURE = {"title": "Tuples", "head": "feature", "base": "main"}


def same_as_rest(firm: Host, operation: str, who: str = "ada", **arguments: Any) -> None:
    """The same in tiny/app."""
    calls.same_as_rest(firm, operation, who, **{**HERE, **arguments})


class Json(Desk):
    """Calls tools in tiny/app that answer JSON."""

    def get(self, tool: str, who: str = "ada", /, **given: Any) -> Any:
        """The answer of a call that must be accepted."""
        return orjson.loads(self.say(tool, who, **self._placed(tool, given)))

    def text(self, tool: str, who: str = "ada", /, **given: Any) -> str:
        """The same as text."""
        return self.say(tool, who, **self._placed(tool, given))

    def why(self, tool: str, who: str = "ada", /, **given: Any) -> str:
        """Why a call is refused: the vendor's sentence, or what is wrong with the arguments."""
        refused, text = self.ask(tool, who, **self._placed(tool, given))
        assert refused, text
        return orjson.loads(text)["message"] if text.startswith("{") else text

    def _placed(self, tool: str, given: dict[str, Any]) -> dict[str, Any]:
        needed = self.tools.tools[tool].required
        return {**{name: value for name, value in HERE.items() if name in needed}, **given}


def done(firm: Host) -> str:
    """The operation of the last call, as the journal has it."""
    [(operation,)] = (
        firm.actors["w"]
        .bound.raw.execute("SELECT operation FROM _call WHERE door = 'mcp' ORDER BY seq DESC LIMIT 1")
        .fetchall()
    )
    return str(operation)


def later(firm: Host, seconds: int = 5) -> None:
    """Let time go by in all worlds."""
    for actor in firm.actors.values():
        actor.advance(actor.now + seconds * SECOND)
