"""Finds the installed tool that a call of a log means."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from world.studio.agent_logs.logged_call import LoggedCall
from world.studio.exports.chat import SEPARATOR
from world.studio.tool_lists import LocalTools

CLIENT_PREFIX = "mcp"  # of names such as mcp__mail__send_message


class UnknownCall(LookupError):
    """A call that no installed tool takes; the message says why."""


@dataclass(frozen=True, slots=True)
class CallResolver:
    """Resolves names against tool lists. `surfaces` are the lists to look at, all if there are none."""

    lists: LocalTools
    surfaces: Sequence[str] = ()

    def resolve(self, call: LoggedCall) -> tuple[str, str]:
        """(surface, tool) of a call. Raises UnknownCall."""
        if call.problem:
            raise UnknownCall(call.problem)
        for tool, server in list_meanings(call):
            found = list(self._list_surfaces(tool, server))
            fitting = [surface for surface in found if self.lists.accepts(surface, tool, call.arguments)] or found
            if fitting:
                self._check(tool, fitting)
                return fitting[0], tool
        raise UnknownCall("is no installed tool")

    def _list_surfaces(self, tool: str, server: str) -> Iterator[str]:
        """The lists with a tool; only those of the server's app if it is named for one."""
        allowed = self.surfaces or self.lists.surfaces
        found = [surface for surface in self.lists.find_surfaces(tool) if surface in allowed]
        named = [surface for surface in found if server and get_app(surface) in server.lower()]
        exact = [surface for surface in found if surface == server]
        yield from exact or named or found

    def _check(self, tool: str, surfaces: Sequence[str]) -> None:
        meant = {tuple(self.lists.list_operations(surface, tool)): surface for surface in reversed(surfaces)}
        if len({operations[0].partition(".")[0] for operations in meant}) > 1:
            raise UnknownCall(f"is on several lists ({', '.join(sorted(meant.values()))}); choose with --surface")


def list_meanings(call: LoggedCall) -> Iterator[tuple[str, str]]:
    """(tool, server) that a name may mean: itself, or a name that a client or an export has put a prefix on."""
    yield call.tool, call.server
    server, mark, tool = call.tool.removeprefix(f"{CLIENT_PREFIX}{SEPARATOR}").partition(SEPARATOR)
    if mark:
        yield tool, server


def get_app(surface: str) -> str:
    """The app of a surface."""
    return surface.partition("-")[0]


def list_unknown(resolver: CallResolver, calls: Iterable[LoggedCall]) -> list[str]:
    """A sentence for each kind of call that no tool takes: its first place, its name, why, and how often."""
    first, counts = dict[tuple[str, str], str](), Counter[tuple[str, str]]()
    for call in calls:
        try:
            resolver.resolve(call)
        except UnknownCall as why:
            key = (call.tool, str(why))
            first.setdefault(key, call.place)
            counts[key] += 1
    return [f"{first[key]}: {key[0]!r} {key[1]}" + (f", {n} times" if n > 1 else "") for key, n in counts.items()]
