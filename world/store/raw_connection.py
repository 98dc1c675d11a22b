"""Typed interface of an apsw connection, as far as the world uses it; the caller knows the values of a row."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

import apsw

Row = tuple[Any, ...]


class Cursor(Protocol):
    """The rows of a statement."""

    exec_trace: Any
    is_readonly: Any

    def execute(self, statements: str, bindings: Any = None) -> "Cursor":
        """Run statements."""
        ...

    def get_description(self) -> Sequence[Sequence[Any]]:
        """The columns: name and declared type."""
        ...

    def close(self, force: bool = False) -> None:
        """End the statement."""
        ...

    def fetchall(self) -> list[Row]:
        """All rows that are left."""
        ...

    def fetchone(self) -> Row | None:
        """The next row, or None."""
        ...

    def __iter__(self) -> Iterator[Row]: ...

    def __next__(self) -> Row: ...


class RawConnection(Protocol):
    """A connection without SQLAlchemy."""

    authorizer: Any
    exec_trace: Any

    def execute(self, statements: str, bindings: Any = None) -> Cursor:
        """Run statements."""
        ...

    def cursor(self) -> Cursor:
        """A cursor of its own."""
        ...

    def create_scalar_function(
        self, name: str, callable: Callable[..., Any] | None, numargs: int = -1, *, deterministic: bool = False
    ) -> None:
        """Let SQL call a function."""
        ...

    def config(self, op: int, *args: Any) -> int:
        """Set an option of the connection."""
        ...

    def executemany(self, statements: str, sequenceofbindings: Iterable[Any]) -> Cursor:
        """Run a statement for every set of values."""
        ...

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def txn_state(self, schema: str | None = None) -> int:
        """The state of a transaction: 0 is none."""
        ...

    def changes(self) -> int:
        """Rows that the last statement changed."""
        ...

    def last_insert_rowid(self) -> int:
        """The id of the last row inserted."""
        ...

    def set_last_insert_rowid(self, rowid: int) -> None:
        """Forget, or set, that id."""
        ...

    def set_progress_handler(self, callable: Callable[[], bool] | None, nsteps: int = 100) -> None:
        """Call something every so many steps; True stops the statement."""
        ...

    def close(self, force: bool = False) -> None:
        """End the connection."""
        ...


def open_raw(path: str, **options: Any) -> RawConnection:
    """A connection to a file or URI."""
    return apsw.Connection(path, **options)
