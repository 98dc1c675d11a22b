"""Securities that pay coupons or at maturity: days and dates of coupons, durations, prices and yields."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.functions.dates import add_months, day, days360, last_day, nasd360, serial, yearfrac
from apps.sheets.engine.registry import function
from apps.sheets.engine.values import finite, format_plain_number, formula_error


@dataclass(frozen=True, slots=True)
class Coupons:
    """Coupon dates around a settlement, and the number of remaining coupons."""

    settlement: datetime.date
    before: datetime.date
    after: datetime.date
    left: int
    frequency: int
    basis: int

    def since(self) -> float:
        """Days since the last coupon."""
        return _gap(self.before, self.settlement, self.basis)

    def length(self) -> float:
        """Days of the coupon period of the settlement."""
        if self.basis == 1:
            return float((self.after - self.before).days)
        return (365 if self.basis == 3 else 360) / self.frequency

    def until(self) -> float:
        """Days until the next coupon."""
        return self.length() - self.since() if self.basis == 0 else _gap(self.settlement, self.after, self.basis)


def _gap(one: datetime.date, two: datetime.date, basis: int) -> float:
    if basis == 0:
        return nasd360(one, two)
    if basis == 4:
        return days360(serial(one), serial(two), True)
    return float((two - one).days)


def check_order(
    name: str, first: float, second: float, places: tuple[int, int] = (1, 2)
) -> tuple[datetime.date, datetime.date]:
    """Check that the first of two dates precedes the second."""
    one, two = day(first, name, places[0]), day(second, name, places[1])
    if one >= two:
        told = (
            f"Function {name} parameter {places[0]} ({format_plain_number(first)}) should be before Function {name} parameter"
            f" {places[1]} ({format_plain_number(second)})."
        )
        raise formula_error("#NUM!", told)
    return one, two


def check_basis(name: str, place: int, basis: float) -> int:
    """Check the requested day count basis."""
    if not 0 <= basis < 5:
        raise formula_error(
            "#NUM!",
            f"Function {name} parameter {place} value is {format_plain_number(basis)}. Valid values are between 0 and 4 inclusive.",
        )
    return int(basis)


def nonnegative(name: str, **values: float) -> None:
    """Refuse negative amounts; each is named by its parameter's number (`p4`)."""
    for place, value in values.items():
        if value < 0:
            raise formula_error(
                "#NUM!",
                f"Function {name} parameter {place[1:]} value is {format_plain_number(value)}. It should be greater than or equal"
                " to 0.",
            )


def coupons(name: str, settlement: float, maturity: float, frequency: float, basis: float, place: int = 3) -> Coupons:
    """The coupons of a security around its settlement; `place` is the number of the parameter that holds the frequency."""
    one, two = check_order(name, settlement, maturity)
    if int(frequency) not in (1, 2, 4):
        raise formula_error(
            "#NUM!",
            f"Function {name} parameter {place} value is {format_plain_number(frequency)}. Valid values are 1, 2, and 4.",
        )
    step = 12 // int(frequency)
    left = max(1, ((two.year - one.year) * 12 + two.month - one.month) // step)
    while left > 1 and _coupon(two, (left - 1) * step) <= one:
        left -= 1
    while _coupon(two, left * step) > one:
        left += 1
    return Coupons(
        one,
        _coupon(two, left * step),
        _coupon(two, (left - 1) * step),
        left,
        int(frequency),
        check_basis(name, place + 1, basis),
    )


def _coupon(maturity: datetime.date, months: int) -> datetime.date:
    """Return the coupon date some months before maturity; for a maturity at a month's end, always a month's end."""
    found = add_months(maturity, -months)
    if maturity.day == last_day(maturity.year, maturity.month):
        return found.replace(day=last_day(found.year, found.month))
    return found


def _of_coupons(name: str, code: Callable[[Coupons], float]) -> None:
    def compute(settlement: float, maturity: float, frequency: float, basis: float = 0.0) -> float:
        return code(coupons(name, settlement, maturity, frequency, basis))

    function(name, "n n n n?")(compute)


_of_coupons("COUPDAYBS", Coupons.since)
_of_coupons("COUPDAYS", Coupons.length)
_of_coupons("COUPDAYSNC", Coupons.until)
_of_coupons("COUPNCD", lambda found: serial(found.after))
_of_coupons("COUPPCD", lambda found: serial(found.before))
_of_coupons("COUPNUM", lambda found: float(found.left))


def compute_duration(
    name: str, run: Run, settlement: float, maturity: float, rate: float, yielded: float, frequency: float, basis: float
) -> float:
    """Return Macaulay's duration in years: the mean time of all payments, weighted by present value."""
    nonnegative(name, p3=rate, p4=yielded)
    found = coupons(name, settlement, maturity, frequency, basis, 5)
    run.spend(found.left // 4)
    part = (found.length() - found.since()) / found.length()
    payment, growth = 100 * rate / found.frequency, 1 + yielded / found.frequency
    times = [part + step for step in range(found.left)]
    worth = [payment * growth**-time for time in times]
    worth[-1] += 100 * growth ** -times[-1]
    total = sum(worth)
    return (
        finite(sum(time * value for time, value in zip(times, worth, strict=True)) / total / found.frequency)
        if total
        else 0.0
    )


@function("DURATION", "n n n n n n?", run=True)
def duration(
    run: Run, settlement: float, maturity: float, rate: float, yielded: float, frequency: float, basis: float = 0.0
) -> float:
    """Macaulay's duration of a security, in years."""
    return compute_duration("DURATION", run, settlement, maturity, rate, yielded, frequency, basis)


@function("MDURATION", "n n n n n n?", run=True)
def modified_duration(
    run: Run, settlement: float, maturity: float, rate: float, yielded: float, frequency: float, basis: float = 0.0
) -> float:
    """Return the modified duration: the sensitivity of a price to its yield."""
    return compute_duration("MDURATION", run, settlement, maturity, rate, yielded, frequency, basis) / (
        1 + yielded / int(frequency)
    )


def _spans(name: str, settlement: float, maturity: float, issue: float, basis: float) -> tuple[float, float, float]:
    """Return the years from issue to maturity, from settlement to maturity, and from issue to settlement."""
    check_order(name, settlement, maturity)
    check_order(name, issue, settlement, (3, 1))
    kind = float(check_basis(name, 6, basis))
    return yearfrac(issue, maturity, kind), yearfrac(settlement, maturity, kind), yearfrac(issue, settlement, kind)


@function("PRICEMAT", "n n n n n n?")
def price_at_maturity(
    settlement: float, maturity: float, issue: float, rate: float, yielded: float, basis: float = 0.0
) -> float:
    """The price of a security that pays its interest at maturity, per 100."""
    nonnegative("PRICEMAT", p4=rate, p5=yielded)
    whole, left, gone = _spans("PRICEMAT", settlement, maturity, issue, basis)
    return finite((100 + whole * rate * 100) / (1 + left * yielded) - gone * rate * 100)


@function("YIELDMAT", "n n n n n n?")
def yield_at_maturity(
    settlement: float, maturity: float, issue: float, rate: float, price: float, basis: float = 0.0
) -> float:
    """Return the annual yield of a security that pays its interest at maturity."""
    nonnegative("YIELDMAT", p4=rate)
    if price <= 0:
        raise formula_error(
            "#NUM!",
            f"Function YIELDMAT parameter 5 value is {format_plain_number(price)}. It should be greater than 0.",
        )
    whole, left, gone = _spans("YIELDMAT", settlement, maturity, issue, basis)
    return finite(((1 + whole * rate) / (price / 100 + gone * rate) - 1) / left)
