"""Rules of a rubric about a figure: the role of an amount or a count among others, and an amount's quarter."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from world.core.json_types import is_array, is_object
from world.core.reading.passage import Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.compiler import Compiler
from world.grading.facts.comparisons import contradicts
from world.grading.facts.fact import Fact
from world.grading.facts.measures import Period, is_measured_otherwise, is_of_another_period, parse_period
from world.grading.facts.name_roles import DENIED, NameLabels
from world.grading.facts.roles import UNDONE, Labels
from world.grading.scope import Operand

Stands = Literal["so", "bare", "not"]  # under the wanted label, under none, under another
Fits = Callable[[Passage, Sequence[Fact], Fact], Stands]  # how a fact of a passage stands among all of them
Says = Callable[[Passage, Sequence[Fact], float], bool]  # whether a passage says the contrary
Table = tuple[tuple[str, tuple[str, ...]], ...]  # roles with their words
Span = tuple[int, int]
MONEY = ("amount",)
COUNTS = ("count", "number")
FIGURES = (*MONEY, *COUNTS)
UNDONE_WORDS = (
    "yet to be, have yet to, has yet to, still to be, still to do, left to do, remain to be, remains to be, are to be, could not be, couldn't be,"
    " cannot be, can't be, can not be, could not, couldn't, was not able to, were not, weren't, are not, aren't, have not, haven't, left out,"
    " turned down, turned it down, turned them down, declined, refused, rejected, failed, skipped, gave up, given up, forgot, missed, not done,"
    " nobody"
)
_IDLE = frozenset("to be have has can it them are were was do able".split())
_CENTS = re.compile(r"[.,]\d\d$")
NAMED = ("customer", "person", "product", "service", "vendor")


@dataclass(frozen=True)
class Roles:
    """The labels of a `facts` mapping, and the period of its amounts."""

    words: Mapping[str, tuple[str, ...]]
    period: Period | None

    def check(self, role: Any, place: Place, c: Compiler) -> str:
        """A role of the labels. Raises the compiler's error for an unknown one."""
        if role not in self.words:
            raise c.error((*place, "called"), describe_unknown("label", role, tuple(self.words)))
        return str(role)

    def fits(self, role: Any, place: Place, c: Compiler) -> Fits:
        """Build the test of a fact's role. Raises the compiler's error for an unknown role."""
        if role is not None:
            self.check(role, place, c)

        def test(passage: Passage, facts: Sequence[Fact], fact: Fact) -> Stands:
            return find_standing(passage, facts, fact, role, self)

        return test


def find_standing(passage: Passage, facts: Sequence[Fact], fact: Fact, role: str | None, roles: Roles) -> Stands:
    """How a fact of a passage stands to a role."""
    if fact.kind in MONEY and is_measured_otherwise(passage, fact.unit):
        return "not"
    if fact.kind in MONEY and roles.period is not None and is_of_another_period(passage, fact, roles.period):
        return "not"
    table = tuple(roles.words.items())
    if role is not None and fact.kind in COUNTS:
        if _is_undone(passage.text, fact.end, table):
            return "not"
        table = _with_undone(table)
    return "bare" if role is None else compare_roles(find_role(passage, facts, fact, table), role)


@lru_cache(maxsize=64)
def _with_undone(table: Table) -> Table:
    """Roles with that of what was not brought about, in words that none of them uses."""
    free = _list_undone(table)
    return (*table, (UNDONE, free)) if free else table


def _is_undone(text: str, at: int, table: Table) -> bool:
    """Whether words of what was not brought about stand behind a count, and deny no label: `2 weren't green`."""
    said = _find_undone(table).match(text, at)
    return said is not None and not _labels(_with_undone(table)).is_denial(text, said.end())


@lru_cache(maxsize=64)
def _find_undone(table: Table) -> re.Pattern[str]:
    """Such words a little behind a count: `5 tickets are yet to be made`."""
    said = "|".join(re.escape(one) for one in _list_undone(table)) or "(?!)"
    return re.compile(
        rf"(?:[\s*_]+(?!and\b|but\b|while\b|plus\b|with\b)[^\W\d][\w'’-]*){{0,3}}[\s*_]+(?:{said})\b", re.I
    )


def _list_undone(table: Table) -> tuple[str, ...]:
    used = {word for _, words in table for label in words for word in re.findall(r"[\w']+", label.lower())}
    return tuple(one for one in UNDONE_WORDS.split(", ") if not (set(one.split()) - _IDLE) & used)


def compare_roles(found: str | None, wanted: str) -> Stands:
    """How a thing stands that a text calls by one role where another is wanted. Not to be of a third says nothing."""
    if found == wanted:
        return "so"
    return "bare" if found is None or (found[0] == DENIED and found[1:] != wanted) else "not"


def find_role(passage: Passage, facts: Sequence[Fact], fact: Fact, table: Table) -> str | None:
    """The role by which a passage calls a fact among others of its kind, if by any."""
    if fact.kind not in FIGURES:
        return next(iter(list_roles(passage, facts, fact, table)), None)
    kinds = MONEY if fact.kind in MONEY else COUNTS
    figures = tuple((one.start, one.end) for one in facts if one.kind in kinds or _is_sum(passage, one))
    return _assign(passage.text, figures, table).get((fact.start, fact.end))


def _is_sum(passage: Passage, fact: Fact) -> bool:
    """Whether a number has cents, so that labels of sums may be its own: `EUR 12.00: the charge was 14.00`."""
    return fact.kind == "count" and _CENTS.search(passage.text, fact.start, fact.end) is not None


def list_roles(passage: Passage, facts: Sequence[Fact], fact: Fact, table: Table) -> tuple[str, ...]:
    """The role of a name, and those of further labels that speak of it: `SHOP-4 was open, but is agreed`."""
    names = tuple((one.start, one.end) for one in facts if one.kind == fact.kind and one.stated)
    others = tuple((one.start, one.end) for one in facts if one.kind != fact.kind)
    return _assign_names(passage.text, names, others, table).get((fact.start, fact.end), ())


def speaks_of(passage: Passage, role: str, table: Table) -> bool:
    """Whether a passage has a label of a role, whatever it calls so."""
    return role in _name_labels(table).list_spoken(passage.text)


@lru_cache(maxsize=512)
def _assign_names(
    text: str, names: tuple[Span, ...], others: tuple[Span, ...], table: Table
) -> dict[Span, tuple[str, ...]]:
    return _name_labels(table).assign(text, names, others)


@lru_cache(maxsize=64)
def _name_labels(table: Table) -> NameLabels:
    return NameLabels(dict(table))


@lru_cache(maxsize=512)
def _assign(text: str, figures: tuple[Span, ...], table: Table) -> dict[Span, str]:
    return _labels(table).assign(text, figures)


@lru_cache(maxsize=64)
def _labels(table: Table) -> Labels:
    return Labels(dict(table))


def compile_roles(raw: Mapping[str, Any], place: Place, c: Compiler) -> Roles:
    """`labels` and `period` of a `facts` mapping."""
    labels = raw.get("labels", {})
    words = {role: _list_words(said) for role, said in labels.items()} if is_object(labels) else {}
    if not is_object(labels) or not all(words.values()):
        raise c.error((*place, "labels"), "labels takes a mapping of roles to lists of words")
    period = parse_period(str(raw["period"])) if "period" in raw else None
    if "period" in raw and period is None:
        raise c.error((*place, "period"), f"{raw['period']!r} is no quarter such as 2025-Q4")
    return Roles(words, period)


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


def _list_words(raw: Any) -> tuple[str, ...]:
    """The labels of a role: a list, or a text with commas; none where one of them has no letter."""
    words = [one.strip() for one in raw.split(",")] if isinstance(raw, str) else list(raw) if is_array(raw) else []
    return tuple(map(str, words)) if all(map(_is_word, words)) else ()


def _is_word(word: Any) -> bool:
    return isinstance(word, str) and any(letter.isalpha() for letter in word)
