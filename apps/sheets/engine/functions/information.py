"""Functions that test the kind of a value, and facts about cells and sheets."""

import re
from collections.abc import Callable, Sequence

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.evaluate import Run, Scope, lift
from apps.sheets.engine.functions.logic import attempt
from apps.sheets.engine.registry import function
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.tree import Node
from apps.sheets.engine.values import Broken, Result, formula_error, text_date

ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#ERROR!")
_URL = re.compile(
    r"(?:(?:https?|ftp)://|mailto:|www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?::[0-9]+)?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}")


def _asks(name: str, test: Callable[[Value], bool]) -> None:
    """Declare a test whose argument may be an error."""

    def run_test(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
        return lift(run, test, (attempt(run, nodes[0], scope, array),), array)

    function(name, "e", lazy=True)(run_test)


_asks("ISERROR", lambda value: isinstance(value, Fault))
_asks("ISERR", lambda value: isinstance(value, Fault) and value.code != "#N/A")
_asks("ISNA", lambda value: isinstance(value, Fault) and value.code == "#N/A")
_asks("ISBLANK", lambda value: value is None)
_asks("ISNUMBER", lambda value: type(value) is float)
_asks("ISTEXT", lambda value: isinstance(value, str))
_asks("ISNONTEXT", lambda value: not isinstance(value, str))
_asks("ISLOGICAL", lambda value: isinstance(value, bool))
_asks(
    "ISDATE",
    lambda value: (type(value) is float and value >= 1) or (isinstance(value, str) and text_date(value) is not None),
)
_asks("ISEMAIL", lambda value: isinstance(value, str) and len(value) < 320 and _EMAIL.fullmatch(value) is not None)
_asks("ISURL", lambda value: isinstance(value, str) and len(value) < 3000 and _URL.fullmatch(value) is not None)


def _type(value: Value) -> float:
    return (
        16.0 if isinstance(value, Fault) else 4.0 if isinstance(value, bool) else 2.0 if isinstance(value, str) else 1.0
    )


function("TYPE", "e", lazy=True)(
    lambda run, nodes, scope, array: lift(run, _type, (attempt(run, nodes[0], scope, array),), array)
)


@function("ERROR.TYPE", "e", lazy=True)
def error_type(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """The number of an error."""
    value = attempt(run, nodes[0], scope, False)
    if isinstance(value, Fault) and value.code in ERRORS:
        return float(ERRORS.index(value.code) + 1)
    raise formula_error("#N/A", "Function ERROR.TYPE parameter 1 is not an error.")


@function("NA", "")
def na() -> float:
    """The error #N/A."""
    raise formula_error("#N/A", "")


def _cell(run: Run, nodes: Sequence[Node], scope: Scope) -> tuple[int, int, int]:
    place = run.place(nodes[0], scope)
    return place.sheet, place.area.top, place.area.left


@function("ISFORMULA", "x", lazy=True)
def is_formula(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Whether a cell holds a formula."""
    return run.around.formula_text(*_cell(run, nodes, scope)) != ""


@function("FORMULATEXT", "x", lazy=True)
def formula_text(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """A cell's formula as text."""
    found = run.around.formula_text(*_cell(run, nodes, scope))
    if not found:
        raise formula_error("#N/A", "Argument must reference a cell with a formula.")
    return found


@function("ISREF", "x", lazy=True)
def is_ref(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Whether an argument is a reference."""
    try:
        run.place(nodes[0], scope)
    except Broken:
        return False
    return True


@function("SHEET", "x?", lazy=True)
def sheet(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """A sheet's number, from 1."""
    return float(run.around.position(_cell(run, nodes, scope)[0] if nodes else run.sheet))


@function("SHEETS", "", run=True)
def sheets(run: Run) -> float:
    """Return the number of sheets."""
    return float(run.around.count())


@function("CELL", "t x", lazy=True)
def cell(run: Run, nodes: Sequence[Node], scope: Scope, array: bool) -> Result:
    """Return a property of a cell."""
    what = str(run.scalar(nodes[0], scope)).lower()
    place = run.place(nodes[1], scope)
    facts = {
        "address": f"${column_letters(place.area.left)}${place.area.top + 1}",
        "col": place.area.left + 1.0,
        "row": place.area.top + 1.0,
    }
    if what not in facts:
        raise formula_error("#VALUE!", f"Function CELL parameter 1 value '{what}' is not supported.")
    return facts[what]
