"""Depreciation: by declining balance, and by the French method."""

import math

from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.bonds import check_basis, nonnegative
from apps.sheets.engine.functions.dates import day, yearfrac
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import finite, format_plain_number, formula_error

MAX_PERIODS = 34_000  # ours: some ninety years in days


def losses(cost: float, salvage: float, life: float, factor: float, periods: int, switch: bool) -> list[float]:
    """Return the depreciation of each period: a share of the rest, or an even share once that is larger."""
    rest, found = cost, []
    share, even = min(factor / life, 1.0), -1.0
    for period in range(periods):
        declining = min(rest * share, max(rest - salvage, 0.0))
        if even < 0 and switch and life > period and max(rest - salvage, 0.0) / (life - period) > declining:
            even = (rest - salvage) / (life - period)
        loss = declining if even < 0 else even if period < life else 0.0
        rest -= loss
        found.append(loss)
    return found


@function("VDB", "n n n n n n? b?", run=True)
def variable_declining_balance(
    run: Run,
    cost: float,
    salvage: float,
    life: float,
    start: float,
    end: float,
    factor: float = 2.0,
    no_switch: bool = False,
) -> float:
    """Return the depreciation between two times of an asset's life; partial periods count in proportion."""
    nonnegative("VDB", p1=cost, p2=salvage, p4=start, p6=factor)
    if life <= 0:
        raise formula_error(
            "#NUM!", f"Function VDB parameter 3 value is {format_plain_number(life)}. It should be greater than 0."
        )
    if not start <= end <= life:
        raise formula_error(
            "#NUM!",
            f"Function VDB parameter 5 value is {format_plain_number(end)}. Valid values are between {format_plain_number(start)}"
            f" and {format_plain_number(life)} inclusive.",
        )
    if end > MAX_PERIODS:
        raise formula_error(
            "#NUM!",
            f"Function VDB parameter 5 value is {format_plain_number(end)}. It should be less than or equal to {MAX_PERIODS}.",
        )
    run.spend(math.ceil(end) * 3 // 2)
    found = losses(cost, salvage, life, factor, math.ceil(end), not no_switch)
    return finite(
        math.fsum(loss * max(min(end, period + 1) - max(start, period), 0) for period, loss in enumerate(found))
    )


@function("AMORLINC", "n n n n n n n?")
def french(
    cost: float, purchased: float, first: float, salvage: float, period: float, rate: float, basis: float = 0.0
) -> float:
    """Return the depreciation of one period; the first may be part of a year."""
    nonnegative("AMORLINC", p1=cost, p4=salvage, p5=period, p6=rate)
    if day(purchased, "AMORLINC", 2) > day(first, "AMORLINC", 3):
        told = (
            f"Function AMORLINC parameter 2 ({format_plain_number(purchased)}) should be on or before Function AMORLINC parameter 3"
            f" ({format_plain_number(first)})."
        )
        raise formula_error("#NUM!", told)
    if salvage > cost:
        raise formula_error(
            "#NUM!",
            f"Function AMORLINC parameter 4 value is {format_plain_number(salvage)}. It should be less than or equal to"
            f" {format_plain_number(cost)}.",
        )
    begun, each = cost * rate * yearfrac(purchased, first, check_basis("AMORLINC", 7, basis)), cost * rate
    gone = 0.0 if not period else begun + (max(1, math.floor(period)) - 1) * each
    return finite(max(0.0, min(each if period else begun, cost - salvage - gone)))
