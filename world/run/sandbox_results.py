"""Results of sandboxes in a world: asked of the host, or read from a run folder for a replay or a new grading."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import orjson

from world.sandbox import Unavailable, require, step
from world.sandbox.result_cache import ResultCache

Ask = Callable[[], dict[str, Any]]


class SandboxResultSource(Protocol):
    """Source from which a host's worlds get the results of sandboxes."""

    @property
    def sandbox(self) -> str:
        """The kind of sandbox they come from, `none` where there is none."""
        ...

    def recall(self, key: str, ask: Ask) -> dict[str, Any]:
        """The outcome under a key, asked for if it is not known. Raises Unavailable."""
        ...


class HostResults:
    """Results of this host's own sandbox, kept in a folder for its other worlds if one is given.

    Without a sandbox nothing that was kept is used either.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def sandbox(self) -> str:
        """The sandbox of this host."""
        return step() or "none"

    def recall(self, key: str, ask: Ask) -> dict[str, Any]:
        """The kept outcome, else what `ask` says. Raises Unavailable."""
        require()
        if self._folder is None:
            return ask()
        return ResultCache(self._folder / self.sandbox).recall(key, ask)


class RecordedResults:
    """Results of a stored run. A missing one, as after a change of the scenario, is asked for anew."""

    def __init__(self, found: Mapping[str, dict[str, Any]], sandbox: str) -> None:
        self._found, self.sandbox = found, sandbox

    def recall(self, key: str, ask: Ask) -> dict[str, Any]:
        """As recorded. Raises Unavailable for an unknown one where there is no sandbox."""
        return self._found[key] if key in self._found else ask()


class SandboxResults:
    """The outcomes that one world asked for, and why others could not be had."""

    def __init__(
        self,
        source: SandboxResultSource,
        found: Mapping[str, dict[str, Any]] | None = None,
        lacking: Sequence[str] = (),
    ) -> None:
        self.source, self.found, self.lacking = source, dict(found or {}), list(lacking)

    def recall(self, key: str, ask: Ask) -> dict[str, Any]:
        """The outcome under a key, the same to the order of keys wherever it comes from. Raises Unavailable."""
        try:
            said = self.source.recall(key, ask)
        except Unavailable as why:
            self.lacking.append(str(why))
            raise
        self.found[key] = orjson.loads(orjson.dumps(said, option=orjson.OPT_SORT_KEYS))
        return self.found[key]

    def fork(self) -> "SandboxResults":
        """Return the results of a world that goes on from this one."""
        return SandboxResults(self.source, self.found, self.lacking)
