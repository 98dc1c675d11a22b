"""Counts, means, spreads, ranks."""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Sequence

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.conditions import mean
from apps.sheets.engine.functions.mathematics import numbers, product
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import Broken, Grid, finite, format_plain_number, formula_error, number, text_number


@function("COUNT", "g g*")
def count(*arrays: Grid) -> float:
    """Count the numbers."""
    return float(sum(_counts(array, value) for array in arrays for value in array.flat()))


def _counts(array: Grid, value: Value) -> bool:
    if array.place is None and array.height * array.width == 1:
        return isinstance(value, float | bool) or (isinstance(value, str) and text_number(value) is not None)
    return type(value) is float


@function("COUNTA", "g g*")
def counta(*arrays: Grid) -> float:
    """Count the values."""
    return float(sum(value is not None for array in arrays for value in array.flat()))


@function("COUNTBLANK", "g g*", run=True)
def countblank(run: Run, *arrays: Grid) -> float:
    """Count the blanks, including those after the data."""
    return float(
        sum(value is None or value == "" for array in arrays for value in array.flat())
        + sum(_count_open_blanks(run, array) for array in arrays)
    )


def _count_open_blanks(run: Run, array: Grid) -> int:
    """Count the blank cells of an open range beyond its data."""
    top, left, bottom, right = run.around.clip_to_sheet(array.place).area if array.place else (0, 0, 0, 0)
    return (
        0 if bottom is None or right is None else max((bottom - top) * (right - left) - array.height * array.width, 0)
    )


@function("AVERAGE", "g g*")
def average(*arrays: Grid) -> float:
    """The mean."""
    return mean("AVERAGE", list(numbers("AVERAGE", arrays)))


@function("MIN", "g g*")
def min_(*arrays: Grid) -> float:
    """The smallest."""
    return min(numbers("MIN", arrays), default=0.0)


@function("MAX", "g g*")
def max_(*arrays: Grid) -> float:
    """The largest."""
    return max(numbers("MAX", arrays), default=0.0)


def loosely(arrays: Sequence[Grid]) -> list[float]:
    """Return numbers, with texts as 0 and TRUE as 1."""
    found = []
    for value in (value for array in arrays for value in array.flat() if value is not None):
        if isinstance(value, Fault):
            raise Broken(value)
        found.append(0.0 if isinstance(value, str) else float(value))
    return found


@function("AVERAGEA", "g g*")
def averagea(*arrays: Grid) -> float:
    """The mean, texts counting as 0."""
    return mean("AVERAGEA", loosely(arrays))


@function("MINA", "g g*")
def mina(*arrays: Grid) -> float:
    """The smallest, texts counting as 0."""
    return min(loosely(arrays), default=0.0)


@function("MAXA", "g g*")
def maxa(*arrays: Grid) -> float:
    """The largest, texts counting as 0."""
    return max(loosely(arrays), default=0.0)


@function("AVERAGE.WEIGHTED", "g g g* g*", array=True)
def average_weighted(*arrays: Grid) -> float:
    """The mean of values, each with its weight."""
    if len(arrays) % 2:
        raise formula_error(
            "#N/A", "Wrong number of arguments to AVERAGE.WEIGHTED. Expected an even number of arguments."
        )
    total = weights = 0.0
    for values, shares in zip(arrays[::2], arrays[1::2], strict=True):
        if (values.height, values.width) != (shares.height, shares.width):
            raise formula_error("#VALUE!", "Array arguments to AVERAGE.WEIGHTED are of different size.")
        for value, share in zip(values.flat(), shares.flat(), strict=True):
            if value is not None and share is not None:
                weight = number(share)
                if weight < 0:
                    raise formula_error(
                        "#NUM!",
                        f"Function AVERAGE.WEIGHTED parameter 2 value is {format_plain_number(weight)}. It should be greater than or"
                        " equal to 0.",
                    )
                total, weights = total + number(value) * weight, weights + weight
    if weights == 0:
        raise formula_error("#DIV/0!", "Evaluation of function AVERAGE.WEIGHTED caused a divide by zero error.")
    return finite(total / weights)


def sort_numbers(name: str, arrays: Sequence[Grid]) -> list[float]:
    """Sort the numbers upwards; there must be some."""
    found = sorted(numbers(name, tuple(arrays)))
    if not found:
        raise formula_error("#NUM!", f"{name} has no valid input data.")
    return found


@function("MEDIAN", "g g*")
def median(*arrays: Grid) -> float:
    """The middle one."""
    found = sort_numbers("MEDIAN", arrays)
    middle = len(found) // 2
    return found[middle] if len(found) % 2 else (found[middle - 1] + found[middle]) / 2


def modes(name: str, arrays: Sequence[Grid]) -> list[float]:
    """Return the most frequent numbers, in order of appearance."""
    counts = Counter(numbers(name, tuple(arrays)))
    top = max(counts.values(), default=0)
    if top < 2:
        raise formula_error("#N/A", f"{name} cannot produce a result. No values occur more than once.")
    return [value for value, times in counts.items() if times == top]


for _name in ("MODE", "MODE.SNGL"):
    function(_name, "g g*")(lambda *arrays, name=_name: modes(name, arrays)[0])
function("MODE.MULT", "g g*")(lambda *arrays: Grid([[value] for value in modes("MODE.MULT", arrays)]))


def compute_variance(name: str, found: list[float], population: bool) -> float:
    """The variance."""
    size = len(found) - (not population)
    if size < 1:
        raise formula_error("#DIV/0!", f"Evaluation of function {name} caused a divide by zero error.")
    middle = sum(found) / len(found)
    return finite(sum((value - middle) ** 2 for value in found) / size)


def _declare_variance(name: str, population: bool, root: bool, loose: bool = False) -> None:
    def code(*arrays: Grid) -> float:
        found = compute_variance(name, loosely(arrays) if loose else list(numbers(name, arrays)), population)
        return math.sqrt(found) if root else found

    function(name, "g g*")(code)


for _name in ("STDEV", "STDEV.S"):
    _declare_variance(_name, population=False, root=True)
for _name in ("STDEVP", "STDEV.P"):
    _declare_variance(_name, population=True, root=True)
for _name in ("VAR", "VAR.S"):
    _declare_variance(_name, population=False, root=False)
for _name in ("VARP", "VAR.P"):
    _declare_variance(_name, population=True, root=False)
_declare_variance("STDEVA", population=False, root=True, loose=True)
_declare_variance("STDEVPA", population=True, root=True, loose=True)
_declare_variance("VARA", population=False, root=False, loose=True)
_declare_variance("VARPA", population=True, root=False, loose=True)


def at_rank(name: str, array: Grid, place: float, upwards: bool) -> float:
    """Return the number at a rank."""
    found = sort_numbers(name, (array,))
    if not 1 <= place <= len(found):
        raise formula_error("#NUM!", f"Function {name} parameter 2 value {format_plain_number(place)} is out of range.")
    return found[int(place) - 1 if upwards else -int(place)]


function("LARGE", "g n")(lambda array, place: at_rank("LARGE", array, place, False))
function("SMALL", "g n")(lambda array, place: at_rank("SMALL", array, place, True))


def between(name: str, array: Grid, share: float) -> float:
    """Return the number below which that share lies, ends included."""
    found = sort_numbers(name, (array,))
    if not 0 <= share <= 1:
        raise formula_error(
            "#NUM!",
            f"Function {name} parameter 2 value is {format_plain_number(share)}. Valid values are between 0 and 1 inclusive.",
        )
    return interpolate_at(found, share * (len(found) - 1))


def interpolate_at(found: Sequence[float], place: float) -> float:
    """Interpolate between the values around a fractional position."""
    low = math.floor(place)
    high = min(low + 1, len(found) - 1)
    return found[low] + (found[high] - found[low]) * (place - low)


def between_open(name: str, array: Grid, share: float) -> float:
    """Return the number below which that share lies, ends excluded."""
    found = sort_numbers(name, (array,))
    place = share * (len(found) + 1) - 1
    if not 0 <= place <= len(found) - 1:
        raise formula_error(
            "#NUM!", f"Function {name} parameter 2 value is {format_plain_number(share)}. It is out of range."
        )
    return interpolate_at(found, place)


for _name in ("PERCENTILE", "PERCENTILE.INC"):
    function(_name, "g n")(lambda array, share, name=_name: between(name, array, share))
function("PERCENTILE.EXC", "g n")(lambda array, share: between_open("PERCENTILE.EXC", array, share))
for _name in ("QUARTILE", "QUARTILE.INC"):
    function(_name, "g n")(lambda array, quarter, name=_name: between(name, array, _quarter(name, quarter)))
function("QUARTILE.EXC", "g n")(
    lambda array, quarter: between_open("QUARTILE.EXC", array, _quarter("QUARTILE.EXC", quarter))
)


def _quarter(name: str, quarter: float) -> float:
    if not 0 <= quarter <= 4:
        raise formula_error(
            "#NUM!",
            f"Function {name} parameter 2 value is {format_plain_number(quarter)}. Valid values are between 0 and 4 inclusive.",
        )
    return math.floor(quarter) / 4


def rank(name: str, value: float, array: Grid, upwards: bool, mean_rank: bool) -> float:
    """The rank of a number among others."""
    if array.sorted is None:
        array.sorted = sorted(numbers(name, (array,)))
    found = array.sorted
    low, high = bisect_left(found, value), bisect_right(found, value)
    if low == high:
        raise formula_error("#N/A", f"{name} has no valid input data.")
    before = low if upwards else len(found) - high
    return before + (high - low + 1) / 2 if mean_rank else before + 1.0


def _declare_rank(name: str) -> None:
    def rank_value(run: Run, value: float, array: Grid, upwards: bool = False) -> float:
        run.spend(array.height * array.width // 2 if array.sorted is None else 4)
        return rank(name, value, array, upwards, name == "RANK.AVG")

    function(name, "n g b?", run=True)(rank_value)


for _name in ("RANK", "RANK.EQ", "RANK.AVG"):
    _declare_rank(_name)


@function("GEOMEAN", "g g*")
def geomean(*arrays: Grid) -> float:
    """The geometric mean."""
    found = sort_numbers("GEOMEAN", arrays)
    if found[0] <= 0:
        raise formula_error(
            "#NUM!",
            f"Function GEOMEAN parameter 1 value is {format_plain_number(found[0])}. It should be greater than 0.",
        )
    return math.exp(sum(math.log(value) for value in found) / len(found))


@function("HARMEAN", "g g*")
def harmean(*arrays: Grid) -> float:
    """The harmonic mean."""
    found = sort_numbers("HARMEAN", arrays)
    if found[0] <= 0:
        raise formula_error(
            "#NUM!",
            f"Function HARMEAN parameter 1 value is {format_plain_number(found[0])}. It should be greater than 0.",
        )
    return len(found) / sum(1 / value for value in found)


@function("AVEDEV", "g g*")
def avedev(*arrays: Grid) -> float:
    """The mean distance from the mean."""
    found = sort_numbers("AVEDEV", arrays)
    middle = sum(found) / len(found)
    return sum(abs(value - middle) for value in found) / len(found)


@function("DEVSQ", "g g*")
def devsq(*arrays: Grid) -> float:
    """The sum of squared distances from the mean."""
    found = sort_numbers("DEVSQ", arrays)
    middle = sum(found) / len(found)
    return sum((value - middle) ** 2 for value in found)


_TOTALS: dict[int, Callable[..., float]] = {1: average, 2: count, 3: counta, 4: max_, 5: min_, 6: product}


@function("SUBTOTAL", "n g g*")
def subtotal(code: float, *arrays: Grid) -> float:
    """One of several totals, by number."""
    number_ = int(code) % 100
    names = {7: "STDEV", 8: "STDEVP", 9: "SUM", 10: "VAR", 11: "VARP"}
    if number_ in _TOTALS:
        return _TOTALS[number_](*arrays)
    found = list(numbers("SUBTOTAL", arrays))
    if number_ == 9:
        return finite(sum(found))
    if number_ not in names or int(code) not in range(1, 112):
        raise formula_error(
            "#VALUE!",
            f"Function SUBTOTAL parameter 1 value is {format_plain_number(code)}. Valid values are between 1 and 11 inclusive, or 101"
            " and 111.",
        )
    variance = compute_variance("SUBTOTAL", found, number_ in (8, 11))
    return math.sqrt(variance) if number_ in (7, 8) else variance
