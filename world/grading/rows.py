"""How a sealed state is read, table by table."""

from collections.abc import Iterator
from typing import Protocol

from world.grading.tables import Cells, Key


class Rows(Protocol):
    """Reads a sealed state. Values are as SQLite gives them: JSON as text, booleans as 0 and 1."""

    def rows(self, table: str) -> Iterator[Cells]: ...

    def row(self, table: str, pk: Key) -> Cells | None: ...
