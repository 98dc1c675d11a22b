"""Trials of a spreadsheet: with other numbers, at other times, and with entries in cells that should not matter."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

from apps.sheets import a1
from apps.sheets.cells import EMPTY, Area, Entry, Fault, Value
from apps.sheets.engine import Cell, Lineage, Moment, Place, SheetEngine, engine
from apps.sheets.formats.entry import number_text
from world.core.grader_error import GraderError
from world.core.rng import Stream

NEAR = 0.006  # half a cent, and what the last bits of a sum differ by
MOST = 1_000  # by how much a typed number is made another one
LARGE, CENTS = 10_000, 100
MOST_CELLS = 2_000  # of a place, from its first on, and as many from its last
YEAR = 366 * 86_400_000_000
MOMENTS = tuple(Moment(years * YEAR, seed=seed) for seed, years in enumerate((55, 59, 99), 1))
MOST_ALONE, MOST_LITERALS = 24, 12  # strays that are tried one by one too; texts and numbers of formulas
FEW, MANY, BELOW = Entry("number", "1"), Entry("number", "1000000"), Entry("number", "-7000")
GROWING = (FEW, MANY, BELOW)
Filling = tuple[Entry, Entry]  # of even and of odd columns
FILLINGS: tuple[Filling, ...] = tuple(
    (one, one) for one in (EMPTY, Entry("number", "0"), *GROWING, Entry("text", "x"), Entry("boolean", "TRUE"))
)
Cells = tuple[tuple[int, int, Entry], ...]
Content = tuple[tuple[int, str, Cells], ...]  # of each sheet: its id, its title, and what was typed


def near(found: Value, wanted: Value) -> bool:
    """Whether two values are numbers, equal to half a cent."""
    numbers = [one for one in (found, wanted) if isinstance(one, (int, float)) and not isinstance(one, bool)]
    return len(numbers) == 2 and abs(numbers[0] - numbers[1]) <= NEAR


@dataclass(frozen=True)
class Book:
    """A spreadsheet with an added empty sheet, in one trial; the first trial keeps the typed entries unchanged."""

    content: Content
    trial: int

    @cached_property
    def beside(self) -> int:
        """The id of the empty sheet."""
        return max((sheet for sheet, *_ in self.content), default=0) + 1

    @cached_property
    def engine(self) -> SheetEngine:
        """Engine with the trial's content."""
        draws = Stream("typed numbers", self.trial)
        sheets = [
            (sheet, title, [(row, column, _vary(entry, self.trial, draws)) for row, column, entry in cells])
            for sheet, title, cells in self.content
        ]
        made = engine(lambda key, text: Fault("#REF!", "Import Range internal error."))
        made.load([*sheets, (self.beside, "\u2007", [])], {})
        return made

    @cached_property
    def typed(self) -> dict[Cell, Entry]:
        """All typed entries, by cell."""
        return {(sheet, row, column): entry for sheet, _, cells in self.content for row, column, entry in cells}

    def value(self, cell: Cell) -> Value:
        """Return the computed value of a cell."""
        return self.engine.value(*cell)

    def put_beside(self, formula: str) -> Cell:
        """Put a formula into a cell of the empty sheet."""
        self.engine.put(self.beside, [(0, 0, Entry("formula", formula))])
        return self.beside, 0, 0

    def agrees(self, cell: Cell, formula: str) -> bool:
        """Whether a cell and a formula have the same value."""
        return near(self.value(cell), self.value(self.put_beside(formula)))

    def hangs_alike(self, cell: Cell, formula: str) -> bool:
        """Whether a cell depends on no variable input that a formula does not depend on."""
        other = self.put_beside(formula)
        found, wanted = self.engine.lineage(*cell), self.engine.lineage(*other)
        if not found.unsteady <= wanted.unsteady:
            return False
        if found.unsteady and not all(near(self._at(one, cell), self._at(one, other)) for one in MOMENTS):
            return False
        return self._stays(cell, self._list_strays(found, wanted), found.literals)

    def hangs_on(self, cell: Cell, inputs: Iterable[Place]) -> bool:
        """Whether a cell depends only on some places and on constants."""
        found, wanted = self.engine.lineage(*cell), Lineage(frozenset(inputs))
        return not found.unsteady and self._stays(cell, self._list_strays(found, wanted), found.literals)

    def is_steady(self, cell: Cell) -> bool:
        """Whether a cell keeps its value as long as nobody types anything."""
        return not self.engine.lineage(*cell).unsteady

    def _at(self, moment: Moment, cell: Cell) -> Value:
        self.engine.at(moment)
        found = self.value(cell)
        self.engine.at(Moment())
        return found

    def _list_strays(self, found: Lineage, wanted: Lineage) -> list[Cell]:
        """Return the cells in one lineage but not in another, without formulas and the labels of lookups."""
        cells = dict.fromkeys(cell for place in sorted(found.places) for cell in self._list_cells(place))
        return [
            cell
            for cell in cells
            if not wanted.names(cell)
            and self.typed.get(cell, EMPTY).kind not in ("formula", "text")
            and not self.engine.list_spilled_cells(cell[0], Area(cell[1], cell[2], cell[1] + 1, cell[2] + 1))
        ]

    def _list_cells(self, place: Place) -> Iterator[Cell]:
        """The cells of a place as far as the sheet is filled, and one row and column more."""
        sheet, area = place
        filled = [cell for cell in self.typed if cell[0] == sheet]
        rows, columns = (max((cell[axis] for cell in filled), default=0) + 2 for axis in (1, 2))
        bottom = max(area.top, rows) + 1 if area.bottom is None else area.bottom
        right = max(area.left, columns) + 1 if area.right is None else area.right
        width = right - area.left
        count = (bottom - area.top) * width
        some = chain(range(min(count, MOST_CELLS)), range(max(MOST_CELLS, count - MOST_CELLS), count))
        yield from ((sheet, area.top + at // width, area.left + at % width) for at in some)

    def _stays(self, cell: Cell, strays: Sequence[Cell], literals: Iterable[str | float]) -> bool:
        """Whether a cell keeps its value whatever other cells hold, all together or one at a time."""
        before, groups = self.value(cell), [strays, *([one] for one in strays if 1 < len(strays) <= MOST_ALONE)]
        fillings = [
            *FILLINGS,
            *(pair for one in sorted(literals, key=str)[:MOST_LITERALS] for pair in _list_pairs(one)),
        ]
        return all(self._stays_with(cell, before, group, one) for group in groups if group for one in fillings)

    def _stays_with(self, cell: Cell, before: Value, strays: Sequence[Cell], filling: Filling) -> bool:
        """Whether a cell keeps its value; an error caused by text is harmless, as it shows."""
        for at, stray in enumerate(strays, 1):
            typed = self.typed.get(stray, EMPTY)
            entry = _fill(filling[stray[2] % 2], at)
            self._type(stray, typed if typed.kind == "number" and entry.kind not in ("", "number") else entry)
        found = self.value(cell)
        for stray in strays:
            self._type(stray, self.typed.get(stray, EMPTY))
        return near(found, before) or ("text" in {one.kind for one in filling} and isinstance(found, Fault))

    def _type(self, cell: Cell, entry: Entry) -> None:
        sheet, row, column = cell
        self.engine.put(sheet, [(row, column, entry)])


def _list_pairs(literal: str | float) -> Iterator[Filling]:
    """Yield fillings with the constant of a comparison: in every cell, or in every other one beside numbers."""
    one = Entry("text", literal) if isinstance(literal, str) else Entry("number", number_text(literal))
    yield from ((one, one), (one, FEW), (FEW, one))


def _fill(entry: Entry, at: int) -> Entry:
    """Return the entry for a stray cell; numbers vary, as equal ones could cancel out."""
    return Entry("number", number_text(float(entry.input) + at)) if entry in GROWING else entry


def _vary(entry: Entry, trial: int, draws: Stream) -> Entry:
    """Return a typed number for a trial: unchanged, larger, with cents, much larger, or a few cents."""
    if not trial or entry.kind != "number":
        return entry
    value, more = float(entry.input), draws.integer(1, MOST)
    return Entry("number", number_text(_WAYS[trial - 1](value, more)))


_WAYS: tuple[Callable[[float, int], float], ...] = (
    lambda value, more: value + more,
    lambda value, more: round(value + more * 7 / CENTS, 2),
    lambda value, more: (abs(value) + more) * LARGE,
    lambda value, more: more / CENTS,
)


@lru_cache(maxsize=64)
def read_book(content: Content, trial: int) -> Book:
    """Return the book of a trial."""
    return Book(content, trial)


def list_books(content: Content) -> list[Book]:
    """Return the books of all trials."""
    return [read_book(content, trial) for trial in range(len(_WAYS) + 1)]


def find_cell(content: Content, name: str) -> Cell | None:
    """A cell by its name; None where there is no such sheet. Raises GraderError for what is no cell with its sheet."""
    place = a1.parse(name)
    if place.area is None or place.sheet is None:
        raise GraderError(f"{name!r} is no cell with its sheet, such as Close!B4")
    sheet = _find_sheet(content, place.sheet)
    return None if sheet is None else (sheet, place.area.top, place.area.left)


def find_places(content: Content, names: str) -> list[Place]:
    """Areas by their names, with commas between. Raises GraderError for what is none."""
    found: list[Place] = []
    for name in filter(None, names.split(",")):
        place = a1.parse(name.strip())
        if place.area is None or place.sheet is None:
            raise GraderError(f"{name!r} is no area with its sheet, such as Rates!A1:B4")
        sheet = _find_sheet(content, place.sheet)
        found += [] if sheet is None else [Place(sheet, place.area)]
    return found


def _find_sheet(content: Content, title: str) -> int | None:
    return next((sheet for sheet, name, _ in content if name == title), None)
