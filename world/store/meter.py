"""Meter of SQLite's steps for a call: they are counted while a statement runs, and one too many ends it."""

from collections.abc import Generator
from contextlib import contextmanager

from world.store.raw_connection import RawConnection

STEPS = 10_000  # of SQLite's machine between two looks
MOST_STEPS = 50_000_000  # of one call: one to two seconds of a slow processor; the widest search of a company takes 1 %


class Meter:
    """Counts the steps of one connection while a limit holds."""

    __slots__ = ("_left",)

    def __init__(self, raw: RawConnection) -> None:
        self._left: int | None = None
        raw.set_progress_handler(self._look, STEPS)

    def _look(self) -> bool:
        """Called by SQLite; True ends the statement."""
        if self._left is None:
            return False
        self._left -= 1
        return self._left < 0

    @contextmanager
    def limit(self) -> Generator[None, None, None]:
        """Limit the steps of the statements inside the block; inside another limit, that one goes on counting."""
        if self._left is not None:
            yield
            return
        self._left = MOST_STEPS // STEPS
        try:
            yield
        finally:
            self._left = None
