"""A fact of a text: a typed value, the same however it is written, and where it stands."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, get_args

from world.grading.dates import Moment

Kind = Literal[
    "amount",
    "number",
    "count",
    "percentage",
    "duration",
    "time",
    "date",
    "weekday",
    "key",
    "person",
    "customer",
    "vendor",
    "service",
    "region",
    "product",
    "channel",
    "address",
    "link",
    "text",  # one that a rubric looks for
]
KINDS: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "text")
NUMERIC: frozenset[Kind] = frozenset({"amount", "number", "count", "percentage", "duration"})
Value = Decimal | str


@dataclass(frozen=True, slots=True)
class FactReading:
    """One way to understand a writing. `habit` names what somebody who means this also means elsewhere: `1.234` read
    as 1234 goes with a decimal comma in the whole text. `written` is the number before its unit is applied.
    """

    kind: Kind
    value: Value
    unit: str = ""
    habit: str = ""
    written: Decimal | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value a text states. Facts are equal when kind, value and unit are; `others` are further readings.

    Amounts have their currency as unit, durations are microseconds, percentages are of a hundred, times of day are
    `15:00` with the zone as unit, dates `2026-03-31` or `--03-31`, weekdays `monday`, entities have their id.
    """

    kind: Kind
    value: Value
    unit: str = ""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    habit: str = field(default="", compare=False)
    written: Decimal | None = field(default=None, compare=False)
    others: tuple[FactReading, ...] = field(default=(), compare=False)
    moment: Moment | None = field(default=None, compare=False)
    disguised: bool = field(default=False, compare=False)
    quoted: bool = field(default=False, compare=False)
    struck: bool = field(default=False, compare=False)
    hidden: bool = field(default=False, compare=False)
    denied: bool = field(default=False, compare=False)

    @property
    def readings(self) -> tuple[FactReading, ...]:
        """Every way to understand it, the likeliest first."""
        return (FactReading(self.kind, self.value, self.unit, self.habit, self.written), *self.others)

    @property
    def stated(self) -> bool:
        """Whether the writer states it: not struck out, hidden, denied, taken back, or quoted from somebody else."""
        return not (self.quoted or self.struck or self.hidden or self.denied)

    def fits(self, other: "Fact") -> bool:
        """Whether some reading of one is some reading of the other."""
        return any(one.fits(two) for one in _comparable(self) for two in _comparable(other))


@dataclass(frozen=True, slots=True)
class _Comparable:
    """A reading, made ready to be compared."""

    kind: Kind
    value: Value
    unit: str

    def fits(self, other: "_Comparable") -> bool:
        """Whether both mean the same; a unit only one of them names does not part them."""
        if self.kind != other.kind or (self.unit != other.unit and self.unit and other.unit):
            return False
        if self.kind == "date" and _is_day_alone(str(self.value)) != _is_day_alone(str(other.value)):
            return str(self.value)[-2:] == str(other.value)[-2:] and "Q" not in f"{self.value}{other.value}"
        if self.kind == "date" and _leaves_out_year(str(self.value), str(other.value)):
            return str(self.value)[-6:] == str(other.value)[-6:]
        return self.value == other.value or (self.kind == "key" and _same_commit(str(self.value), str(other.value)))


def _comparable(fact: Fact) -> list[_Comparable]:
    return [_Comparable(one.kind, one.value, one.unit) for one in fact.readings]


def _is_day_alone(date: str) -> bool:
    """Whether a date is a day of whatever month is meant: the 9th."""
    return date.startswith("---") and len(date) == len("---09")


def _leaves_out_year(one: str, other: str) -> bool:
    """Whether one date of two is a day of any year, as people write it: 8 March."""
    return one.startswith("--") or other.startswith("--")


def _same_commit(one: str, other: str) -> bool:
    """Whether one commit id is the short form of the other."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 7 and long.startswith(short) and len(long) <= 40 and all(c in "0123456789abcdef" for c in long)
