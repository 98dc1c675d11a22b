"""Discounted securities, schedules of rates, and some probabilities that the native engine lacks."""

import math
from collections.abc import Callable, Iterator
from statistics import NormalDist

from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.dates import yearfrac
from apps.sheets.engine.functions.mathematics import numbers
from apps.sheets.engine.functions.statistics import compute_variance
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import Grid, finite, format_plain_number, formula_error


def _security(name: str, code: Callable[[float, float, float], float]) -> None:
    """A function of two amounts and the years between two dates."""

    def compute(settlement: float, maturity: float, one: float, two: float, basis: float = 0.0) -> float:
        if settlement >= maturity:
            told = (
                f"Function {name} parameter 1 ({format_plain_number(settlement)}) should be before Function {name} parameter 2"
                f" ({format_plain_number(maturity)})."
            )
            raise formula_error("#NUM!", told)
        if one <= 0 or two <= 0:
            raise formula_error(
                "#NUM!",
                f"Function {name} parameter 3 value is {format_plain_number(min(one, two))}. It should be greater than 0.",
            )
        return finite(code(one, two, yearfrac(settlement, maturity, basis)))

    function(name, "n n n n n?")(compute)


_security("DISC", lambda price, redemption, years: (redemption - price) / redemption / years)
_security("INTRATE", lambda investment, redemption, years: (redemption - investment) / investment / years)
_security("RECEIVED", lambda investment, discount, years: investment / (1 - discount * years))
_security("PRICEDISC", lambda discount, redemption, years: redemption - discount * redemption * years)
_security("YIELDDISC", lambda price, redemption, years: (redemption / price - 1) / years)


@function("FVSCHEDULE", "n g")
def fv_schedule(principal: float, rates: Grid) -> float:
    """Return a principal after one rate in each period."""
    return finite(principal * math.prod(1 + rate for rate in numbers("FVSCHEDULE", (rates,))))


@function("PERMUTATIONA", "n n")
def permutations(total: float, chosen: float) -> float:
    """Ways to arrange with repetition."""
    if total < 0 or chosen < 0:
        raise formula_error(
            "#NUM!",
            f"Function PERMUTATIONA parameter 1 value is {format_plain_number(total)}. It should be greater than or equal to 0.",
        )
    return finite(float(int(total)) ** int(chosen))


@function("BINOM.DIST.RANGE", "n n n n?", run=True)
def binomial_range(run: Run, trials: float, chance: float, low: float, high: float | None = None) -> float:
    """Return the probability of a number of successes; both ends count, as in BINOM.DIST."""
    size, first = math.floor(trials), math.floor(low)
    last = first if high is None else math.floor(high)
    if not (0 <= first <= last <= size and 0 <= chance <= 1):
        raise formula_error("#NUM!", "Function BINOM.DIST.RANGE parameter value is out of range.")
    run.spend(20 + (last - first) // 2)
    if chance in (0, 1):
        return float(first <= size * chance <= last)
    return min(1.0, math.fsum(_binomials(size, chance, range(first, last + 1))))


def _binomials(size: int, chance: float, wins: range) -> Iterator[float]:
    orders, won, lost = math.lgamma(size + 1), math.log(chance), math.log1p(-chance)
    for some in wins:
        ways = orders - math.lgamma(some + 1) - math.lgamma(size - some + 1)
        yield math.exp(ways + some * won + (size - some) * lost)


@function("PROB", "g g n n?")
def prob(data: Grid, chances: Grid, low: float, high: float | None = None) -> float:
    """Return the probability of a value within limits."""
    values, shares = list(numbers("PROB", (data,))), list(numbers("PROB", (chances,)))
    if len(values) != len(shares):
        raise formula_error("#N/A", "Array arguments to PROB are of different size.")
    if abs(sum(shares) - 1) > 1e-7:
        raise formula_error("#NUM!", "Function PROB parameter 2 should add up to 1.")
    top = low if high is None else high
    return sum(share for value, share in zip(values, shares, strict=True) if low <= value <= top)


@function("MARGINOFERROR", "g n")
def margin_of_error(data: Grid, confidence: float) -> float:
    """Half the width of a confidence interval of the mean."""
    if not 0 < confidence < 1:
        raise formula_error(
            "#NUM!",
            f"Function MARGINOFERROR parameter 2 value is {format_plain_number(confidence)}. Valid values are between 0 and 1"
            " exclusive.",
        )
    found = list(numbers("MARGINOFERROR", (data,)))
    return NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(
        compute_variance("MARGINOFERROR", found, False) / len(found)
    )
