"""Readership of the records of a world, as its apps declare it; asked once per record."""

from collections.abc import Iterator, Mapping

from world.core.audience import COMPANY, NOBODY, Audience
from world.core.reading.part import Lookup, Row
from world.grading.sources.archive import Place
from world.grading.sources.documents import Source
from world.grading.tables import Row as StoredRow


class Readership:
    """The readers of rows and records in one state."""

    def __init__(self, sources: Mapping[str, Source], lookup: Lookup) -> None:
        self._sources, self.lookup = sources, lookup
        self._known: dict[Place, Audience] = {}

    def of_row(self, table: str, row: StoredRow) -> Audience:
        """Return the readers of a row, given with its JSON columns decoded."""
        source = self._sources.get(table)
        return COMPANY if source is None else source.table.conduct.readers(row, self.lookup)

    def of_place(self, place: Place) -> Audience:
        """Return the readers of a record; nobody where it is not there."""
        if place not in self._known:
            row = next(self.rows(place), None)
            self._known[place] = NOBODY if row is None else self.of_row(place[0], row)
        return self._known[place]

    def rows(self, place: Place) -> Iterator[Row]:
        """The rows of a record."""
        name, record = place
        return iter(self.lookup.find(name, **self._sources[name].rows_of(record)))

    def text(self, place: Place) -> str:
        """Return the text of a record."""
        source = self._sources[place[0]]
        return "\n".join(source.text(row) for row in self.rows(place))
