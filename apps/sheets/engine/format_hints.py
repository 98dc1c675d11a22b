"""Display hints of a formula's result in a cell without a format: from its functions, or from the cells it refers to.

A hint is a number format's type, with its own pattern after a colon where there is one: `DATE`, `CURRENCY:[$€]#,##0`.
"""

from collections.abc import Callable, Container, Mapping
from typing import NamedTuple, Protocol

from apps.sheets.cells import Area
from apps.sheets.engine.tree import Call, Chain, Leaf, Literal, Node, Place, Program, Sign

MAX_FOLLOWED, MAX_MET, MAX_LENGTH = (
    4,
    40,
    120,
)  # formulas behind each other, formulas in all, characters of one: followed for a number format

SHOWN = {
    "DATE": "TODAY DATE EDATE EOMONTH WORKDAY WORKDAY.INTL TO_DATE EPOCHTODATE DATEVALUE",
    "DATE_TIME": "NOW",
    "TIME": "TIME",
    "PERCENT": "TO_PERCENT UNARY_PERCENT",
    "CURRENCY": "TO_DOLLARS",
}
_KIND = {name: kind for kind, names in SHOWN.items() for name in names.split()}
_KIND["EPOCHTODATE"] = "DATE_TIME"
_ANY = frozenset(
    "IFERROR IFNA ARRAYFORMULA MAX MIN SUM AVERAGE MEDIAN MODE CHOOSE".split()
)  # shown as the first argument that is shown as something
_FIRST = frozenset(
    "INDEX FILTER SORT SORTN UNIQUE TAKE DROP ARRAY_CONSTRAIN SUMIFS AVERAGEIFS MAXIFS MINIFS LARGE SMALL ROUND ROUNDUP"
    " ROUNDDOWN ABS".split()
)
_AT = {"XLOOKUP": 2, "LOOKUP": -1, "SUMIF": -1, "AVERAGEIF": -1}  # which argument a function's result comes from
_FROM = _FIRST | _AT.keys() | {"VLOOKUP"}
Referred = Callable[[Leaf, int | None], str]  # how the cells of a reference are shown, or those of one of its columns


def ignore_reference(leaf: Leaf, column: int | None) -> str:
    """Return no hint for a reference, so that its format is not looked up."""
    return ""


def hint(node: Node, referred: Referred = ignore_reference, column: int | None = None) -> str:
    """Return the hint of a formula, or of a column of the array that it fills."""
    match node:
        case Leaf():
            return referred(node, column)
        case Call("IF" | "IFS", arguments):
            return _some(arguments[1:], referred, column)
        case Call(name, arguments) if name in _ANY:
            return _some(arguments, referred, column)
        case Call(name, arguments) if arguments and name in _FROM:
            return _of_argument(name, arguments, referred, column)
        case Call(name):
            return _KIND.get(name, "")
        case Sign("%"):
            return "PERCENT"
        case Sign(_, operand):
            return hint(operand, referred, column)
        case Chain(first, rest):
            return _join_hints(
                [hint(first, referred, column), *[hint(operand, referred, column) for _, operand in rest]],
                [sign for sign, _ in rest],
            )
    return ""


def _some(nodes: tuple[Node, ...], referred: Referred, column: int | None) -> str:
    return next((kind for node in nodes if (kind := hint(node, referred, column))), "")


def _of_argument(name: str, arguments: tuple[Node, ...], referred: Referred, column: int | None) -> str:
    """Return the hint of the argument that a result is taken from."""
    if name == "VLOOKUP" or (name == "INDEX" and len(arguments) > 2):
        at, number = (1, arguments[2:3]) if name == "VLOOKUP" else (0, arguments[2:3])
        given = number[0].value if number and isinstance(number[0], Literal) else None
        return (
            hint(arguments[at], referred, int(given) - 1 if isinstance(given, float) and given >= 1 else column)
            if at < len(arguments)
            else ""
        )
    at = _AT.get(name, 0)
    return hint(arguments[at], referred, column) if at < len(arguments) else ""


def _join_hints(kinds: list[str], signs: list[str]) -> str:
    """Join the hints of operands with operators between them."""
    if not signs:
        return kinds[0]
    types = [kind.partition(":")[0] for kind in kinds]
    if any(sign not in "+-*/" for sign in signs):
        return ""
    if any(sign in "*/" for sign in signs):
        money = [kind for kind, name in zip(kinds, types, strict=True) if name == "CURRENCY"]
        if money:
            return money[0] if len(money) == 1 and (types[0] == "CURRENCY" or "/" not in signs) else ""
        return "PERCENT" if types == ["PERCENT"] * len(types) and all(sign == "*" for sign in signs) else ""
    if sum(name.startswith("DATE") for name in types) > 1 and "-" in signs:
        return ""
    return next((kind for kind in kinds if kind), "")


class PlacedFormula(Protocol):
    """A formula with the places it refers to."""

    text: str
    program: Program
    places: tuple[Place | None, ...]


class CellHints(NamedTuple):
    """Formulas of a spreadsheet, and `looks`: the hint of the first cell of an area that has a number format."""

    formulas: Mapping[tuple[int, int, int], PlacedFormula]
    sheets: Container[int]
    looks: Callable[[int, Area], str]


def infer_hint(seen: CellHints, formula: PlacedFormula, column: int) -> str:
    """Infer the hint of a formula's result from the number formats of its references, or else from the formulas there.

    A formula that reads single cells and no ranges took their format over when it was typed; see
    apps/sheets/grid/inferred_formats.py.
    """
    return (
        formula.program.hint if formula.program.is_told else _follow_references(seen, formula, column, {}, MAX_FOLLOWED)
    )


def _follow_references(
    seen: CellHints, formula: PlacedFormula, column: int, known: dict[tuple[int, int, int], str], left: int
) -> str:
    def cells(leaf: Leaf, at: int | None) -> str:
        place = formula.places[leaf.index]
        if place is None or place.sheet not in seen.sheets:
            return ""
        (top, first, bottom, right), across = place.area, column if at is None else at
        wide = not leaf.reference.single and (right is None or first + across < right)
        area = Area(top, first + across, bottom, right) if wide else place.area
        return seen.looks(place.sheet, area) or follow_formula((place.sheet, area.top, area.left))

    def follow_formula(cell: tuple[int, int, int]) -> str:
        below = seen.formulas.get(cell)
        if cell in known or below is None or not left or len(known) >= MAX_MET or len(below.text) > MAX_LENGTH:
            return known.get(cell, "")
        known[cell] = ""
        known[cell] = _follow_references(seen, below, 0, known, left - 1)
        return known[cell]

    return hint(formula.program.root, cells) if formula.places else formula.program.hint
