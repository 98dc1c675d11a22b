"""What can be wrong with a rubric or with a run's evidence, said so that it can be mended."""

from collections.abc import Iterable
from difflib import get_close_matches

from world.core.evidence import GraderError

__all__ = ["GraderError", "RubricError", "Unfired", "unknown"]


class RubricError(ValueError):
    """A rubric that does not load. The message names file, line and the mend."""

    def __init__(self, message: str, *, file: str = "rubric.yaml", line: int | None = None, where: str = "") -> None:
        self.message, self.file, self.line, self.where = message, file, line, where
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {where}: {message}" if where else f"{place}: {message}")


class Unfired(Exception):
    """A predicate needs an event that has not happened in this run; the item that asked is not met."""


def unknown(what: str, name: object, known: Iterable[str]) -> str:
    """`unknown table 'perso'; did you mean 'person'?`"""
    names = sorted(known)
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if near:
        return f"unknown {what} {str(name)!r}; did you mean {near[0]!r}?"
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"unknown {what} {str(name)!r}; known: {listed or 'none'}"
