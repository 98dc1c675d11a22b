"""Order of a sheet's lines: rows and columns keep their number in the tables wherever they are moved to.

So a row inserted above ten thousand others changes none of them. A sheet whose lines were never moved has them in their
natural order.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

NEW = 1 << 40  # lines put in between have numbers from here on; others are numbered by where they stood first


class Run(NamedTuple):
    """Lines that follow on each other in number and in place; the last run has no end."""

    line: int
    size: int | None


class LineOrder:
    """Mapping between lines and places."""

    def __init__(self, runs: Sequence[Run] = (Run(0, None),)) -> None:
        self.runs = tuple(runs)

    @classmethod
    def read(cls, told: Sequence[Sequence[int | None]] | None) -> "LineOrder":
        """Parse the order's JSON; None is the natural order."""
        return cls([Run(line or 0, count) for line, count in told]) if told else NATURAL

    def to_json(self) -> list[list[int | None]] | None:
        """Return the order's JSON; None for the natural order."""
        return None if self.is_natural else [list(run) for run in self.runs]

    @property
    def is_natural(self) -> bool:
        """Whether every line is at the place of its number."""
        return self.runs == NATURAL.runs

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """The lines at places from `start` to `end`: first, end, and what is added to a line's number for its place."""
        at = 0
        for line, count in self.runs:
            low, high = max(start, at), end if count is None else min(end, at + count)
            if low < high:
                yield line + low - at, line + high - at, at - line
            at += count or 0

    def line(self, at: int) -> int:
        """The line at a place."""
        return next(self.spans(at, at + 1))[0]

    @cached_property
    def _numbered(self) -> tuple[list[int], list[tuple[int | None, int]]]:
        """The runs by number: their first lines, and for each its count and the place of its first line."""
        places: list[tuple[int, int | None, int]] = []
        at = 0
        for line, count in self.runs:
            places.append((line, count, at))
            at += count or 0
        places.sort()
        return [line for line, *_ in places], [(count, at) for _, count, at in places]

    def place(self, line: int) -> int | None:
        """Return the place of a line; None for a deleted one."""
        lines, held = self._numbered
        found = bisect_right(lines, line) - 1
        if found < 0:
            return None
        count, at = held[found]
        offset = line - lines[found]
        return at + offset if count is None or offset < count else None

    def insert_lines(self, at: int, count: int) -> "LineOrder":
        """The order with new lines before a place."""
        fresh = max((line + (count or 0) for line, count in self.runs if line >= NEW), default=NEW)
        return _join_runs([*self._until(at), Run(fresh, count), *self._since(at)])

    def delete_lines(self, start: int, end: int) -> "LineOrder":
        """The order without the lines between two places."""
        return _join_runs([*self._until(start), *self._since(end)])

    def move_lines(self, start: int, end: int, to: int) -> "LineOrder":
        """With the lines between two places put before another one, counted as before the move."""
        taken = LineOrder(self._until(end))._since(start)
        rest = self.delete_lines(start, end)
        target = to - (end - start) if to > start else to
        return _join_runs([*rest._until(target), *taken, *rest._since(target)])

    def _until(self, at: int) -> list[Run]:
        return [Run(first, end - first) for first, end, _ in self.spans(0, at)]

    def _since(self, start: int) -> list[Run]:
        kept: list[Run] = []
        at = 0
        for line, count in self.runs:
            skipped = max(0, start - at)
            if count is None or skipped < count:
                kept.append(Run(line + skipped, None if count is None else count - skipped))
            at += count or 0
        return kept


def _join_runs(runs: Sequence[Run]) -> LineOrder:
    """Runs that follow on each other as one."""
    out: list[Run] = []
    for run in runs:
        before = out[-1] if out else None
        if before is not None and before.size is not None and before.line + before.size == run.line:
            out[-1] = Run(before.line, None if run.size is None else before.size + run.size)
        elif run.size != 0:
            out.append(run)
    return LineOrder(out)


NATURAL = LineOrder()
