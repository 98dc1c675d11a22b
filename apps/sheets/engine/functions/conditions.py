"""Criteria (`>5`, `a*`, `<>`) and the functions that count and add by them."""

from collections.abc import Callable, Sequence

from apps.sheets.cells import Area, Fault, Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.texts import wild
from apps.sheets.engine.registry import function
from apps.sheets.engine.tree import Place
from apps.sheets.engine.values import Broken, Grid, finite, fold_case, formula_error, text_number

Test = Callable[[Value], bool]
_SIGNS = ("<=", ">=", "<>", "<", ">", "=")


def criterion(value: Value) -> Test:
    """Return the test of a criterion."""
    if isinstance(value, Fault):
        return lambda other: other == value
    if value is None:
        return lambda other: type(other) is float and other == 0
    if not isinstance(value, str):
        return _equal_to(value)
    sign = next((sign for sign in _SIGNS if value.startswith(sign)), "")
    body = value[len(sign) :]
    wanted: Value = {"TRUE": True, "FALSE": False}.get(body.upper(), text_number(body) if body else None)
    if sign in ("", "=", "<>"):
        matches = _equality(sign, body, wanted)
        return (lambda other: not matches(other)) if sign == "<>" else matches
    return _comparison(sign, body, wanted)


def _equal_to(value: float | bool) -> Test:
    kind = type(value)

    def equal(other: Value) -> bool:
        return (
            other == value
            if type(other) is kind
            else kind is float and isinstance(other, str) and text_number(other) == value
        )

    return equal


def _equality(sign: str, body: str, wanted: Value) -> Test:
    if not body:
        return (lambda other: other is None) if sign else (lambda other: other is None or other == "")
    if wanted is not None:
        return _equal_to(wanted)  # type: ignore[arg-type]
    if any(mark in body for mark in "*?~"):
        whole = wild(body).fullmatch
        return lambda other: isinstance(other, str) and whole(other) is not None
    plain = fold_case(body)
    return lambda other: isinstance(other, str) and fold_case(other) == plain


def _comparison(sign: str, body: str, wanted: Value) -> Test:
    checks: dict[str, Callable[[object, object], bool]] = {
        "<": lambda one, two: one < two,  # type: ignore[operator]
        "<=": lambda one, two: one <= two,  # type: ignore[operator]
        ">": lambda one, two: one > two,  # type: ignore[operator]
        ">=": lambda one, two: one >= two,  # type: ignore[operator]
    }
    check = checks[sign]
    if wanted is not None:
        return lambda other: type(other) is type(wanted) and check(other, wanted)
    folded = body.casefold()
    return lambda other: isinstance(other, str) and check(other.casefold(), folded)


def places(name: str, run: Run, pairs: Sequence[tuple[Grid, Value]]) -> list[tuple[int, int]]:
    """Return the positions where all criteria hold."""
    height = max(array.height for array, _ in pairs)
    first = pairs[0][0]
    if any(
        array.width != first.width or (array.height != first.height and not _open(array, first)) for array, _ in pairs
    ):
        raise formula_error("#VALUE!", f"Array arguments to {name} are of different size.")
    run.spend(3 + height * first.width * len(pairs))
    if len(pairs) == 1:
        test = criterion(pairs[0][1])
        return [
            (row, column) for row, values in enumerate(first.rows) for column, value in enumerate(values) if test(value)
        ]
    tests = [(array, criterion(wanted)) for array, wanted in pairs]
    return [
        (row, column)
        for row in range(height)
        for column in range(first.width)
        if all(test(array.rows[row][column] if row < array.height else None) for array, test in tests)
    ]


def _open(one: Grid, two: Grid) -> bool:
    return all(array.place is not None and array.place.area.bottom is None for array in (one, two))


def list_numbers_at(array: Grid, held: Sequence[tuple[int, int]]) -> list[float]:
    """Return the numbers at those positions."""
    found: list[float] = []
    for row, column in held:
        value = array.rows[row][column] if row < array.height and column < array.width else None
        if type(value) is float:
            found.append(value)
        elif isinstance(value, Fault):
            raise Broken(value)
    return found


def pair_criteria(name: str, arguments: Sequence[Grid | Value]) -> list[tuple[Grid, Value]]:
    """Pair ranges and criteria, which alternate."""
    if len(arguments) % 2:
        raise formula_error(
            "#N/A", f"Wrong number of arguments to {name}. Expected an even number of ranges and criteria."
        )
    return [(arguments[index], arguments[index + 1]) for index in range(0, len(arguments), 2)]  # type: ignore[misc]


def align_sum_range(run: Run, array: Grid, other: Grid | None) -> Grid:
    """Return the range to sum, resized to the first from its upper left cell."""
    if other is None:
        return array
    if (other.height, other.width) == (array.height, array.width) or other.place is None or array.place is None:
        return other
    if array.place.area.bottom is None or array.place.area.right is None or other.place.area.bottom is None:
        return other
    top, left = other.place.area.top, other.place.area.left
    return run.read(Place(other.place.sheet, Area(top, left, top + array.height, left + array.width)))


@function("SUMIF", "g e g?", run=True)
def sumif(run: Run, array: Grid, wanted: Value, other: Grid | None = None) -> float:
    """Return the sum of the values that meet a criterion."""
    return finite(sum(list_numbers_at(align_sum_range(run, array, other), places("SUMIF", run, [(array, wanted)]))))


@function("COUNTIF", "g e", run=True)
def countif(run: Run, array: Grid, wanted: Value) -> float:
    """Count the values that meet a criterion."""
    if type(wanted) is float or (
        isinstance(wanted, str) and wanted.isalpha() and wanted.upper() not in ("TRUE", "FALSE")
    ):
        run.spend(2)
        return float(array.counts()[wanted.casefold() if isinstance(wanted, str) else wanted])
    return float(len(places("COUNTIF", run, [(array, wanted)])))


@function("PERCENTIF", "g e", run=True)
def percentif(run: Run, array: Grid, wanted: Value) -> float:
    """Return the share of a range that meets a criterion."""
    return countif(run, array, wanted) / (array.height * array.width)


@function("AVERAGEIF", "g e g?", run=True)
def averageif(run: Run, array: Grid, wanted: Value, other: Grid | None = None) -> float:
    """Return the mean of the values that meet a criterion."""
    return mean(
        "AVERAGEIF", list_numbers_at(align_sum_range(run, array, other), places("AVERAGEIF", run, [(array, wanted)]))
    )


def mean(name: str, found: Sequence[float]) -> float:
    """The mean."""
    if not found:
        raise formula_error("#DIV/0!", f"Evaluation of function {name} caused a divide by zero error.")
    return finite(sum(found) / len(found))


@function("SUMIFS", "g g e g* e*", run=True)
def sumifs(run: Run, array: Grid, *arguments: Grid | Value) -> float:
    """Return the sum of the values that meet all criteria."""
    return finite(sum(list_numbers_at(array, _list_matches("SUMIFS", run, array, arguments))))


def _list_matches(name: str, run: Run, array: Grid, arguments: Sequence[Grid | Value]) -> list[tuple[int, int]]:
    pairs = pair_criteria(name, arguments)
    if (pairs[0][0].height, pairs[0][0].width) != (array.height, array.width) and not _open(pairs[0][0], array):
        raise formula_error("#VALUE!", f"Array arguments to {name} are of different size.")
    return places(name, run, pairs)


@function("COUNTIFS", "g e g* e*", run=True)
def countifs(run: Run, *arguments: Grid | Value) -> float:
    """Count the values that meet all criteria."""
    return float(len(places("COUNTIFS", run, pair_criteria("COUNTIFS", arguments))))


@function("AVERAGEIFS", "g g e g* e*", run=True)
def averageifs(run: Run, array: Grid, *arguments: Grid | Value) -> float:
    """Return the mean of the values that meet all criteria."""
    return mean("AVERAGEIFS", list_numbers_at(array, _list_matches("AVERAGEIFS", run, array, arguments)))


@function("MAXIFS", "g g e g* e*", run=True)
def maxifs(run: Run, array: Grid, *arguments: Grid | Value) -> float:
    """Return the largest value that meets all criteria."""
    return max(list_numbers_at(array, _list_matches("MAXIFS", run, array, arguments)), default=0.0)


@function("MINIFS", "g g e g* e*", run=True)
def minifs(run: Run, array: Grid, *arguments: Grid | Value) -> float:
    """Return the smallest value that meets all criteria."""
    return min(list_numbers_at(array, _list_matches("MINIFS", run, array, arguments)), default=0.0)


@function("COUNTUNIQUEIFS", "g g e g* e*", run=True)
def countuniqueifs(run: Run, array: Grid, *arguments: Grid | Value) -> float:
    """Count the distinct values that meet all criteria."""
    held = _list_matches("COUNTUNIQUEIFS", run, array, arguments)
    return float(len({(type(value), value) for row, column in held if (value := array.rows[row][column]) is not None}))
