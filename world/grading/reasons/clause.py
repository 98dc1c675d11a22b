"""Clauses that do not hold: the smallest part that explains it, the wanted value, and the one found instead."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self, TypeVar

from world.core.json_types import is_array, is_object
from world.core.yaml_document import Place

Teller = Callable[[Any], str]  # puts a value of the rubric into words
Phrase = Callable[[Teller], str]  # a clause in words, its values told by somebody
How = Literal["", "all_of", "any_of", "none_of"]


@dataclass(frozen=True, slots=True)
class Detail:
    """A clause that does not hold.

    It has its place and its wording in the rubric, the wording with every name resolved, and the value found instead.
    """

    place: Place
    asks: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Miss:
    """Reason why something does not count, in a few words; `detail` is called only when a verdict shows it."""

    said: str
    detail: Callable[[], Detail]


class Clause(Protocol):
    """Interface of the clauses that `find_failed` looks through."""

    @property
    def how(self) -> How:
        """Combination of the parts; empty for a clause without parts."""
        ...

    @property
    def parts(self) -> Sequence[Self]:
        """The clauses it is made of."""
        ...


C = TypeVar("C", bound=Clause)


def find_failed(clause: C, holds: Callable[[C], bool], *, wanted: bool = True) -> tuple[C, bool]:
    """The smallest part that explains why a clause does not hold (or, unless `wanted`, why it does), and whether that
    part was wanted. Of alternatives that all fail it is the one of which most holds, or all of them.
    """
    if not clause.parts:
        return clause, wanted
    if clause.how == "none_of":
        held = next((part for part in clause.parts if holds(part)), None) if wanted else None
        return (clause, wanted) if held is None else find_failed(held, holds, wanted=False)
    if (clause.how == "all_of") is wanted:
        part = next((part for part in clause.parts if holds(part) is not wanted), None)
        return (clause, wanted) if part is None else find_failed(part, holds, wanted=wanted)
    nearest = max(clause.parts, key=lambda part: _count_held(part, holds)) if wanted else clause
    return find_failed(nearest, holds) if wanted and _count_held(nearest, holds) else (clause, wanted)


def _count_held(clause: C, holds: Callable[[C], bool]) -> int:
    """Count the parts of an alternative that hold."""
    return sum(holds(part) for part in clause.parts) if clause.how == "all_of" else 0


def tell_wanted(phrase: str, name: str, wanted: bool) -> str:
    """A clause in words, or that it must not hold."""
    said = f"{name} {phrase}" if name else phrase
    return said if wanted else f"not: {said}"


def plain_miss(said: str, key: str, expected: Callable[[], str], found: str) -> Miss:
    """Build the reason why something does not count, by a key of its item."""
    return Miss(said, lambda: Detail((key,), said, expected(), found))


def miss_unfired_event(waiting: Exception) -> Miss:
    """A clause that asks for an event of which nothing has come."""
    said = str(waiting)
    return plain_miss(said, "", lambda: said.removesuffix(" has not happened"), "it has not happened")


def say(raw: object) -> str:
    """A value of the rubric as an explanation shows it."""
    if is_object(raw) and "ref" in raw:
        return f"{raw['ref']}.{raw['field']}" if "field" in raw else f"ref {raw['ref']}"
    if is_array(raw):
        return f"[{', '.join(say(item) for item in raw)}]"
    if is_object(raw):
        return ", ".join(f"{key} {say(value)}" for key, value in raw.items())
    return repr(raw) if isinstance(raw, str) else str(raw)
