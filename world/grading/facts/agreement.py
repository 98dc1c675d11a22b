"""Whether facts state the wanted values, in one reading of the whole text: one decimal mark and one order of dates."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice, product

from world.grading.facts.fact import NUMERIC, Fact, Kind
from world.grading.facts.numerals import COMMA, POINT

_AXES: tuple[tuple[str, ...], ...] = (
    (POINT, COMMA),
    ("month first", "day first"),
    ("clock", "hours"),
    ("", "afternoon"),
)
MAX_READINGS = 64


@dataclass(frozen=True, slots=True)
class RequiredFact:
    """One thing to state, as any of `facts`; `number` is wanted in any unit, `at` is a simulated time."""

    say: str
    facts: tuple[Fact, ...] = ()
    number: Decimal | None = None
    tol: Decimal = Decimal(0)
    test: Callable[[Fact], bool] | None = None

    def is_stated_by(self, fact: Fact) -> bool:
        """Whether some reading of a fact states it."""
        if self.test is not None:
            return self.test(fact)
        if self.number is not None:
            return fact.kind in NUMERIC and any(
                _near(value, self.number, self.tol) for one in fact.readings for value in (one.value, one.written)
            )
        return any(one.fits(fact) or self._is_near(one, fact) for one in self.facts)

    def _is_near(self, one: Fact, fact: Fact) -> bool:
        if not self.tol or one.kind not in NUMERIC:
            return False
        return any(
            reading.kind == one.kind and reading.unit == one.unit and _near(reading.value, one.value, self.tol)
            for reading in fact.readings
        )


def _near(value: object, wanted: object, tol: Decimal) -> bool:
    return isinstance(value, Decimal) and isinstance(wanted, Decimal) and abs(value - wanted) <= tol


def lend_currency(text: str, facts: Sequence[Fact], wanted: Sequence[RequiredFact]) -> tuple[Fact, ...]:
    """The facts of a text, with its sums in the currency that is wanted where it names none at all.

    A number with cents is such a sum, and one that counts no things: `the right total is 35,092.38`, `2120 a month`.
    """
    units = {one.unit for want in wanted for one in want.facts if one.kind == "amount"}
    if len(units) != 1 or any(fact.kind == "amount" for fact in facts):
        return tuple(facts)
    (unit,) = units
    return tuple(_lend(one, unit) if one.kind == "count" and _is_sum(text, one) else one for one in facts)


def _lend(fact: Fact, unit: str) -> Fact:
    others = tuple(replace(one, kind="amount", unit=unit) for one in fact.others if one.kind == "count")
    return replace(fact, kind="amount", unit=unit, others=others)


def _is_sum(text: str, fact: Fact) -> bool:
    """Whether a number has cents, or stands alone where a sum may: not in words, not before what it counts."""
    said, behind = text[fact.start : fact.end], _NEXT.match(text, fact.end)
    if _CENTS.search(said):
        return True
    alone = behind is None or behind[1].lower() in _BEHIND_SUMS
    return alone and said[:1].isdigit() and _BEFORE_NUMBERS.search(text[: fact.start]) is None


_CENTS = re.compile(r"[.,][0-9]{1,2}$")
_NEXT = re.compile(r"[ -]?([^\W\d_]+)")
_BEHIND_SUMS = frozenset(
    """
    a an per each every in on at by for from to of and or but as is was has will back now today yesterday more again then so since instead
    altogether total monthly yearly annually net gross which that this it they we i with without after before until because including plus
    already once only exactly too not
    """.split()
)
_BEFORE_NUMBERS = re.compile(
    r"(?i)(?:[#/]|\b(?:row|rows|line|lines|cell|column|page|ticket|issue|number|no\.?|version|step|item|part|tab|q|until|till))[ ]?$"
)


def find_surplus(facts: Sequence[Fact], wanted: Sequence[RequiredFact], kinds: frozenset[Kind]) -> list[Fact]:
    """List the facts of some kinds that nobody wants, in the one reading of the whole text that fits best.

    A fact that is wanted only under another reading is surplus too.
    """
    stated = [one for one in wanted if any(one.is_stated_by(fact) for fact in facts)]
    best: tuple[int, list[Fact]] | None = None
    for reading in read_throughout(facts):
        surplus = [fact for fact in reading if fact.kind in kinds and not any(w.is_stated_by(fact) for w in wanted)]
        missing = [one for one in stated if not any(one.is_stated_by(fact) for fact in reading)]
        found = surplus or [fact for one in missing for fact in facts if one.is_stated_by(fact)]
        if best is None or len(surplus) + len(missing) < best[0]:
            best = len(surplus) + len(missing), found
    return best[1] if best else []


def read_throughout(facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """The facts with one reading each, for every habit the writer may have."""
    habits = {one.habit for fact in facts if fact.others for one in fact.readings}
    axes = [axis for axis in _AXES if habits & {one for one in axis if one}]
    axes += [tuple(sorted(one for one in habits if one.startswith(name))) for name in _list_habit_names(habits)]
    for chosen in islice(product(*axes), MAX_READINGS):
        yield [_settle(fact, frozenset(chosen)) for fact in facts]


def _list_habit_names(habits: set[str]) -> list[str]:
    return sorted({one.partition(" is ")[0] + " is " for one in habits if " is " in one})


def _settle(fact: Fact, habits: frozenset[str]) -> Fact:
    """A fact in the reading that goes with the habits; one without habits keeps all its readings."""
    if not fact.others or not any(one.habit for one in fact.readings):
        return fact
    for one in fact.readings:
        if one.habit in habits:
            return replace(fact, kind=one.kind, value=one.value, unit=one.unit, written=one.written, others=())
    return fact
