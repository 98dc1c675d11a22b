"""A connected tool client, whoever made it: calls by name, what was called, and the whole round over all surfaces."""

import json
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any

UNKNOWN = -32602  # modelcontextprotocol.io/specification, server/tools, error handling
Call = Callable[[str, dict[str, Any]], Awaitable[tuple[bool, str]]]


class Desk:
    """`tools` are the names listed, `call` gives (is an error, text), `unknown` the protocol error code of a name not
    listed.
    """

    def __init__(self, tools: list[str], call: Call, unknown: Callable[[str], Awaitable[int]]) -> None:
        self.tools, self._call, self.unknown = tools, call, unknown
        self.called: set[str] = set()

    async def say(self, tool: str, /, **arguments: Any) -> str:
        """The text of a call that must be accepted."""
        is_error, text = await self._call(tool, arguments)
        assert not is_error, (tool, arguments, text)
        self.called.add(tool)
        return text

    async def ask(self, tool: str, /, **arguments: Any) -> Any:
        """The JSON of a call that must be accepted."""
        return json.loads(await self.say(tool, **arguments))

    async def refused(self, tool: str, /, **arguments: Any) -> str:
        """The text of a call that must be refused."""
        is_error, text = await self._call(tool, arguments)
        assert is_error, (tool, arguments, text)
        return text

    def check_all_called(self) -> None:
        """Nothing listed was left out, nothing else was called."""
        assert sorted(self.called) == sorted(self.tools), sorted(set(self.tools) ^ self.called)


Connect = Callable[[str, str, str], AbstractAsyncContextManager[Desk]]


async def rounds(connect: Connect, days: dict[str, Any]) -> dict[str, Any]:
    """Both apps over both surfaces; `connect(app, surface, token)` opens one, `days` holds what to do there."""
    token, peer = os.environ["FIRM_TOKEN"], os.environ["FIRM_PEER"]
    report: dict[str, Any] = {}
    async with AsyncExitStack() as stack:

        async def at(app: str, surface: str) -> Desk:
            desk = await stack.enter_async_context(connect(app, surface, token))
            assert await desk.unknown("no_such_tool") == UNKNOWN
            return desk

        chat = report["slack"] = await days["slack"].operations(await at("slack", "operations"), peer)
        await days["slack"].vendor(await at("slack", "vendor"), chat["channel"], chat["ts"], chat["peer"])
        work = report["jira"] = await days["jira"].operations(await at("jira", "operations"), peer)
        await days["jira"].vendor(await at("jira", "vendor"), work["issue"], work["parts"][0])
    return report
