"""Calls under way in the sessions of clients. A session that ends finishes these calls and takes no more."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import anyio


class CallsUnderWay:
    """Counts the calls of each session of one address."""

    def __init__(self) -> None:
        self._count: Counter[bytes] = Counter()
        self._closing: dict[bytes, anyio.Event] = {}

    def is_closing(self, session: bytes) -> bool:
        """Whether a session is about to end."""
        return session in self._closing

    @contextmanager
    def under_way(self, session: bytes) -> Iterator[None]:
        """Count a call while it is served."""
        self._count[session] += 1
        try:
            yield
        finally:
            self._count[session] -= 1
            if not self._count[session]:
                del self._count[session]
                if session in self._closing:
                    self._closing[session].set()

    async def finish(self, session: bytes) -> None:
        """Let no further call into a session, and wait for those that are under way."""
        ended = self._closing.setdefault(session, anyio.Event())
        if self._count[session]:
            await ended.wait()

    def forget(self, session: bytes) -> None:
        """A session is gone."""
        self._closing.pop(session, None)
