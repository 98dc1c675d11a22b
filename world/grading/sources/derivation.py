"""Whether a number follows from others: as a sum, a difference, a product, a share, or the same in other units."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property

MOST = 60  # numbers that are combined in threes
TIMES = 100.0  # by more nobody multiplies an amount: how often, how many, how much of a hundred
FACTORS = (100.0, 1000.0, 1_000_000.0, 60.0, 3600.0, 24.0, 12.0, 4.0, 7.0, 0.01, 0.001)


class Operands:
    """The numbers a writer has at hand."""

    def __init__(self, values: Collection[float]) -> None:
        self.values = sorted({value for value in values if value > 0})
        self._times = [value for value in self.values if value <= TIMES]

    @cached_property
    def _pairs(self) -> Sequence[float]:
        some, times = self.values[-MOST:], self._times[:MOST]
        found = {one + other for one in some for other in some}
        found |= {one - other for one in some for other in some if one > other}
        found |= {one * other for one in some for other in times}
        return sorted(found)

    @cached_property
    def _multipliers(self) -> Sequence[float]:
        """Numbers by which an amount is multiplied: small ones, products of two of them, and as many hundredths."""
        some = self._times[:MOST]
        found = {*some, *(one * other for one in some for other in some)}
        return sorted({*found, *(one / 100 for one in found)})

    def yields(self, value: float, step: float) -> bool:
        """Whether some of the numbers give a value, to half of the last place it is written with."""
        half = step / 2 + 1e-9
        if any(_holds(self.values, value * factor, half * factor) for factor in (1.0, *FACTORS)):
            return True
        return any(self._gives(one, value, half) for one in self.values)

    def _gives(self, one: float, value: float, half: float) -> bool:
        return (
            _holds(self.values, value - one, half)
            or _holds(self.values, value + one, half)
            or _holds(self._multipliers, value / one, half / one)
            or _holds(self._multipliers, one / value, abs(one / value) * half / value)
            or _holds(self._pairs, value - one, half)
            or _holds(self._pairs, value + one, half)
        )


def is_share(value: float, operands: Operands, step: float) -> bool:
    """Whether a percentage is how much one number is of another, or how much one is above another."""
    half = step / 2 + 1e-9
    numbers = operands.values
    return any(
        _holds(numbers, one * part / 100, one * half / 100)
        for one in numbers
        for part in (value, 100 + value, 100 - value)
    )


def _holds(values: Sequence[float], wanted: float, half: float) -> bool:
    """Whether a sorted list has a value near another."""
    at = bisect_left(values, wanted - half)
    return at < len(values) and values[at] <= wanted + half
