"""Who can read the records of a world, as its apps say; asked once per record."""

from collections.abc import Iterator, Mapping
from typing import Any

from world.core.audience import COMPANY, NOBODY, Audience
from world.core.reading.part import Lookup, Row
from world.grading.sources.archive import Place
from world.grading.sources.documents import Source
from world.grading.tables import Row as StoredRow


class Remembered:
    """A lookup that reads every row once."""

    def __init__(self, lookup: Lookup) -> None:
        self._lookup = lookup
        self._rows: dict[tuple[str, tuple[Any, ...]], Row | None] = {}
        self._found: dict[tuple[Any, ...], list[Row]] = {}

    def row(self, table: str, *key: Any) -> Row | None:
        """The row with a key, or None."""
        if (table, key) not in self._rows:
            self._rows[table, key] = self._lookup.row(table, *key)
        return self._rows[table, key]

    def before(self, table: str, *key: Any) -> Row | None:
        """The row with a key as it was when the run began, or None."""
        return self._lookup.before(table, *key)

    def find(self, table: str, **where: Any) -> Iterator[Row]:
        """The rows with these values in some columns."""
        asked = (table, *sorted(where.items()))
        if asked not in self._found:
            self._found[asked] = list(self._lookup.find(table, **where))
        return iter(self._found[asked])

    def data(self, sha256: str) -> bytes | None:
        """Stored bytes by their digest, or None if they are not at hand."""
        return self._lookup.data(sha256)

    def called(self, person: str) -> Any:
        """What a person is called."""
        return self._lookup.called(person)


class Readership:
    """The readers of rows and records in one state."""

    def __init__(self, sources: Mapping[str, Source], lookup: Lookup) -> None:
        self._sources, self.lookup = sources, Remembered(lookup)
        self._known: dict[Place, Audience] = {}

    def of_row(self, table: str, row: StoredRow) -> Audience:
        """Who can read a row, given with its JSON columns decoded."""
        source = self._sources.get(table)
        return COMPANY if source is None else source.table.conduct.readers(row, self.lookup)

    def of_place(self, place: Place) -> Audience:
        """Who can read a record; nobody where it is not there."""
        if place not in self._known:
            row = next(self.rows(place), None)
            self._known[place] = NOBODY if row is None else self.of_row(place[0], row)
        return self._known[place]

    def rows(self, place: Place) -> Iterator[Row]:
        """The rows of a record."""
        name, record = place
        return self.lookup.find(name, **self._sources[name].rows_of(record))

    def text(self, place: Place) -> str:
        """What a record says."""
        source = self._sources[place[0]]
        return "\n".join(source.text(row) for row in self.rows(place))
