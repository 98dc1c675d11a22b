"""Rules of a rubric about a figure: the role of an amount or a count among others, and an amount's quarter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.passage import Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.compiler import Compiler
from world.grading.facts.comparisons import contradicts
from world.grading.facts.fact import Fact
from world.grading.facts.measures import Period, is_measured_otherwise, is_of_another_period, parse_period
from world.grading.facts.roles import Labels
from world.grading.scope import Operand

Fits = Callable[[Passage, Sequence[Fact], Fact], bool]  # whether a fact of a passage, among all of them, is meant
Says = Callable[[Passage, Sequence[Fact], float], bool]  # whether a passage says the contrary
Table = tuple[tuple[str, tuple[str, ...]], ...]  # roles with their words
Span = tuple[int, int]
MONEY = ("amount",)
COUNTS = ("count", "number")
NAMED = ("customer", "person", "product", "service", "vendor")


@dataclass(frozen=True)
class Roles:
    """The labels of a `facts` mapping, and the period of its amounts."""

    words: Mapping[str, tuple[str, ...]]
    period: Period | None

    def fits(self, role: Any, place: Place, c: Compiler) -> Fits:
        """Build the test of a fact's role. Raises the compiler's error for an unknown role."""
        if role is not None and role not in self.words:
            raise c.error((*place, "called"), describe_unknown("label", role, tuple(self.words)))
        table = tuple(self.words.items())

        def test(passage: Passage, facts: Sequence[Fact], fact: Fact) -> bool:
            if fact.kind not in (*MONEY, *COUNTS):
                return True
            if fact.kind in MONEY and is_measured_otherwise(passage, fact.unit):
                return False
            if fact.kind in MONEY and self.period is not None and is_of_another_period(passage, fact, self.period):
                return False
            return role is None or find_role(passage, facts, fact, table) in (None, role)

        return test


def find_role(passage: Passage, facts: Sequence[Fact], fact: Fact, table: Table) -> str | None:
    """The role by which a passage calls an amount or a count among others of the same, if by any."""
    kinds = MONEY if fact.kind in MONEY else COUNTS
    figures = tuple((one.start, one.end) for one in facts if one.kind in kinds)
    return _assign(passage.text, figures, table).get((fact.start, fact.end))


@lru_cache(maxsize=512)
def _assign(text: str, figures: tuple[Span, ...], table: Table) -> dict[Span, str]:
    return _labels(table).assign(text, figures)


@lru_cache(maxsize=64)
def _labels(table: Table) -> Labels:
    return Labels(dict(table))


def compile_roles(raw: Mapping[str, Any], place: Place, c: Compiler) -> Roles:
    """`labels` and `period` of a `facts` mapping."""
    labels = raw.get("labels", {})
    if not is_object(labels) or not all(
        is_array(words) and words and all(map(_is_word, words)) for words in labels.values()
    ):
        raise c.error((*place, "labels"), "labels takes a mapping of roles to lists of words")
    period = parse_period(str(raw["period"])) if "period" in raw else None
    if "period" in raw and period is None:
        raise c.error((*place, "period"), f"{raw['period']!r} is no quarter such as 2025-Q4")
    return Roles({role: tuple(map(str, words)) for role, words in labels.items()}, period)


def compile_sides(raw: Any, roles: Roles, place: Place, c: Compiler) -> list[tuple[Operand, Says]]:
    """`sides` of a `facts` mapping: `{of: net, by: plan, value: ...}` says on which side of one role's figure another's is."""
    if not is_array(raw) or not all(is_object(one) and set(one) == {"of", "by", "value"} for one in raw):
        raise c.error(place, "sides takes a list of {of: role, by: role, value: difference}")
    return [_compile_side(one, roles, (*place, at), c) for at, one in enumerate(raw)]


def _compile_side(raw: Mapping[str, Any], roles: Roles, place: Place, c: Compiler) -> tuple[Operand, Says]:
    for key in ("of", "by"):
        if raw[key] not in roles.words:
            raise c.error((*place, key), describe_unknown("label", raw[key], tuple(roles.words)))
    bound = roles.words[raw["by"]]
    other = tuple(word for role, words in roles.words.items() if role not in (raw["of"], raw["by"]) for word in words)

    def says(passage: Passage, facts: Sequence[Fact], value: float) -> bool:
        names = [passage.text[one.start : one.end] for one in facts if one.kind in NAMED]
        return contradicts(passage.without("quoted", "struck", "hidden"), value, bound, other, names)

    return c.operand(raw["value"], (*place, "value")), says


def _is_word(word: Any) -> bool:
    return isinstance(word, str) and any(letter.isalpha() for letter in word)
