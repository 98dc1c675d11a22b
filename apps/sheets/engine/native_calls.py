"""Functions that only the native engine has: computed in a separate workbook."""

import math
import re
from collections.abc import Sequence

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.native_values import new_workbook
from apps.sheets.engine.tokens import column_letters
from apps.sheets.engine.values import Broken, Grid, Result, formula_error, grid

MAX_CELLS = 20_000  # handed to one function
_ANY = 1e308
LARGEST = {
    "CUMIPMT": (_ANY, 1e5),
    "CUMPRINC": (_ANY, 1e5),
    "DB": (_ANY, _ANY, 1e5, 1e5),
    "DDB": (_ANY, _ANY, 1e6, 1e6),
    "BINOM.INV": (1e6,),
    "CRITBINOM": (1e6,),
    "HYPGEOM.DIST": (1e5, 1e5),
    "HYPGEOMDIST": (1e5, 1e5),
    "PRICE": (3e6, 3e6),
    "YIELD": (3e6, 3e6),
    "IMPOWER": (_ANY, 1e6),
}  # what a function loops over; each loop stays within some milliseconds


class Scratch:
    """A workbook that holds the arguments of one function at a time."""

    def __init__(self) -> None:
        self.workbook = new_workbook()
        self.workbook.sheet("x")

    def call(self, name: str, arguments: Sequence[Result]) -> Result:
        """Return the function's value; an error gets a general message."""
        most = LARGEST.get(name)
        if most and any(
            isinstance(argument, float) and abs(argument) > limit
            for argument, limit in zip(arguments, most, strict=False)
        ):
            raise _error(name, "Num")
        words = [self.word(index, argument) for index, argument in enumerate(arguments)]
        self.workbook.set_formula("x", 1, 1, f"={name}({','.join(words)})")
        found = self.workbook.evaluate_cell("x", 1, 1)
        if isinstance(found, dict):
            raise _error(name, found.get("kind", ""))
        return (
            Grid([[_value(name, value) for value in row] for row in found])
            if isinstance(found, list)
            else _value(name, found)
        )

    def word(self, index: int, argument: Result) -> str:
        """Return the text of an argument, or of the cells it was put into."""
        if not isinstance(argument, Grid):
            return _literal(argument)  # type: ignore[arg-type]
        rows = grid(argument).rows
        if len(rows) * len(rows[0]) > MAX_CELLS:
            raise formula_error("#ERROR!", "Calculation limit was reached while trying to compute this formula.")
        first = 1 + index * 40
        sheet = f"a{index}_"
        self.workbook.sheet(sheet)
        self.workbook.set_values_batch(
            sheet, 1, first, [[None if isinstance(value, Fault) else value for value in row] for row in rows]
        )
        return f"'{sheet}'!{column_letters(first - 1)}1:{column_letters(first + len(rows[0]) - 2)}{len(rows)}"


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, Fault):
        raise formula_error(value.code, value.message)
    return "0" if value is None else repr(value)


def _value(name: str, value: object) -> Value:
    if isinstance(value, dict):
        return _error(name, str(value.get("kind", ""))).fault
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) else _error(name, "Num").fault
    return _error(name, "Num").fault if isinstance(value, str) and _ENDLESS.search(value) else value  # type: ignore[return-value]


_ENDLESS = re.compile(r"inf|NaN")


_SENTENCES = {
    "Div": ("#DIV/0!", "Evaluation of function {} caused a divide by zero error."),
    "Num": ("#NUM!", "Function {} parameter value is out of range."),
    "Na": ("#N/A", "Did not find a value in {} evaluation."),
    "Value": ("#VALUE!", "Function {} parameter is of the wrong kind."),
}


def _error(name: str, kind: str) -> Broken:
    code, sentence = _SENTENCES.get(kind, ("#VALUE!", "Function {} could not be computed."))
    return formula_error(code, sentence.format(name))
