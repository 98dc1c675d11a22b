"""Interface for reading a sealed state, table by table."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from world.grading.tables import Cells, Key


class Rows(Protocol):
    """Reads a sealed state. Values are as SQLite gives them: JSON as text, booleans as 0 and 1."""

    def rows(self, table: str) -> Iterator[Cells]: ...

    def row(self, table: str, pk: Key) -> Cells | None: ...

    def find(self, table: str, where: Mapping[str, Any]) -> Iterator[Cells]: ...

    def data(self, sha256: str) -> bytes | None: ...

    def read_held(self, table: str, pk: Key) -> bytes | None: ...

    def blobs(self, table: str, column: str) -> Iterator[tuple[Key, bytes]]: ...
