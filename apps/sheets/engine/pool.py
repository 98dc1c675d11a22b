"""Pool of warm engines, keyed by their content.

A content has the same key in every world, so forks share the work of loading.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.sheets.cells import Area, Fault, Value
from apps.sheets.engine import SheetEngine, engine

MOST, MOST_CELLS = 32, 6_000_000  # engines, and cells of all of them together
MOST_KNOWN = 1024
First = Sequence[Sequence[int]]  # columns with formulas, and the first row of each that has one
Reach = Callable[[str, str], list[list[Value]] | Fault]


def _nowhere(key: str, text: str) -> Fault:
    return Fault("#REF!", "Import Range internal error.")


def _no_hint(sheet: int, area: Area) -> str:
    return ""


@dataclass
class Outside:
    """An engine's access to other spreadsheets and to cell formats, through the current call."""

    reach: Reach = _nowhere
    look: Callable[[int, Area], str] = _no_hint
    used: bool = False

    def looks(self, sheet: int, area: Area) -> str:
        """Return the display hint of an area's cells."""
        return self.look(sheet, area)

    def __call__(self, key: str, text: str) -> list[list[Value]] | Fault:
        self.used = True
        return self.reach(key, text)


_FORMULAS: OrderedDict[tuple[str, str, int], First] = OrderedDict()
_WARM: OrderedDict[tuple[str, str], tuple[SheetEngine, Outside]] = OrderedDict()


def take(key: str, state: str, load: Callable[[SheetEngine], None]) -> tuple[SheetEngine, Outside]:
    """Take an engine with a content; nobody else uses it until it is given back."""
    found = _WARM.pop((key, state), None) if state else None
    if found is None:
        outside = Outside()
        found = engine(outside, outside.looks), outside
        load(found[0])
    return found


def is_warm(key: str, state: str) -> bool:
    """Whether an engine holds a content."""
    return (key, state) in _WARM


def formulas(key: str, state: str, sheet: int, look: Callable[[], First]) -> First:
    """Return the cached formula columns of a content's sheet, with their first rows; `look` reads them on first use."""
    asked = key, state, sheet
    if asked not in _FORMULAS:
        _FORMULAS[asked] = look()
    while len(_FORMULAS) > MOST_KNOWN:
        _FORMULAS.popitem(last=False)
    return _FORMULAS[asked]


def give(key: str, state: str, held: SheetEngine, outside: Outside) -> None:
    """Give an engine back for the next use of its content; the longest unused one is dropped.

    An engine that imported other spreadsheets is not kept, as permissions differ.
    """
    outside.reach, outside.look = _nowhere, _no_hint
    if state and not outside.used:
        _WARM[key, state] = held, outside
    while len(_WARM) > MOST or (len(_WARM) > 1 and sum(one.size for one, _ in _WARM.values()) > MOST_CELLS):
        _WARM.popitem(last=False)
