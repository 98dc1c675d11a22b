"""Rows of a table as plain text: the sources of a statement."""

from collections.abc import Mapping
from typing import Any

from world.grading.tables import Key, Row, Table

_IDS = ("_id", "_ids", "sha1", "sha256", "_sha", "digest", "_ts", "cursor", "_key")
_NO_TEXT = frozenset("id ts format properties settings spec validation runs rank colour color tz ref features".split())


class Source:
    """A table that people read. `is_copy`: its rows repeat what stands in others, and say nothing of who may know it.

    Rows of one record, as the cells of a line, are named by the columns they share.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.name = table.name
        self.is_copy = bool(table.derived_from)
        self.is_mail = bool(table.sent_to)
        self._record = table.conduct.record or table.key
        self._columns = tuple(
            name
            for name, kind in table.columns.items()
            if kind in ("text", "json", "number") and name not in _NO_TEXT and not name.endswith(_IDS)
        )

    def text(self, row: Row) -> str:
        """Return the text of a row, column by column; layout is left out."""
        return "\n".join(_to_text(row[name]) for name in self._columns if row.get(name) not in (None, ""))

    def record(self, row: Row) -> Key:
        """Return the key of the record that a row belongs to."""
        return tuple(row[name] for name in self._record)

    def rows_of(self, record: Key) -> dict[str, Any]:
        """The cells by which the rows of a record are found."""
        return dict(zip(self._record, record, strict=True))


def _to_text(value: Any) -> str:
    text = value if isinstance(value, str) else str(value)
    return "" if text.startswith('{"') else text


def list_sources(tables: Mapping[str, Table]) -> dict[str, Source]:
    """The tables that people read, by name."""
    return {name: Source(table) for name, table in tables.items() if not (table.control or table.only_benign)}
