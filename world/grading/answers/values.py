"""Reading of submitted values by the type of their field: one value, in any usual way to write it."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from world.core.reading.passage import Passage
from world.grading.claims.lexicon import NEGATORS
from world.grading.dates import Moment, one_moment
from world.grading.facts import Fact, Kind, Vocabulary, extract, vocabulary_of
from world.grading.facts.fact import NUMERIC
from world.grading.facts.units import CURRENCY_AFTER, UNITS, Unit
from world.grading.schema import AnswerField
from world.grading.scope import Scope
from world.grading.text import read_text
from world.grading.values import duration_us, money, quantity

MAX_CHARS = 300  # of one answer field; a value, not an essay
MAX_WORDS = 8  # around a value
_YES = frozenset("true yes y ja oui si tak correct".split())
_NO = frozenset("false no n nein non nee nie".split())
_EITHER = NEGATORS | frozenset(
    "or oder ou either maybe perhaps not nicht kein keine vs versus except besides without".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_TIMED: frozenset[Kind] = frozenset({"time", "date"})


def is_single(given: Any) -> bool:
    """Whether a field holds one value at all: a text of some length, a number, a boolean."""
    return isinstance(given, (bool, int, float)) or (isinstance(given, str) and 0 < len(given.strip()) <= MAX_CHARS)


def truth(given: Any) -> bool | None:
    """Return the truth value of a boolean or of a word for one; None for anything else."""
    if isinstance(given, bool):
        return given
    word = str(given).strip().strip(".!").casefold() if isinstance(given, str) else ""
    return True if word in _YES else False if word in _NO else None


def default_unit(name: str, spec: AnswerField) -> str:
    """The unit of a number field; `minutes` is in minutes without being told."""
    if spec.unit:
        return spec.unit
    last = name.rpartition("_")[2]
    return last if last in UNITS and UNITS[last].kind in ("duration", "percentage") and len(last) > 2 else ""


def read_facts(given: str, s: Scope) -> tuple[Fact, ...]:
    """The facts of a submitted text."""
    return _facts(given, vocabulary_of(s.directory))


def _facts(given: str, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    return extract(Passage(read_text(given).plain), vocabulary)


def offers_choice(given: Any) -> bool:
    """Whether a text denies its value or leaves it open: `not 5`, `5 or 6`."""
    return isinstance(given, str) and not _EITHER.isdisjoint(word.casefold() for word in _WORD.findall(given))


def the_only(given: str, kinds: Iterable[Kind], s: Scope, beside: frozenset[Kind] = NUMERIC | _TIMED) -> Fact | None:
    """The one fact of some kinds in a text that offers no choice, denies nothing, and states nothing else like it."""
    if offers_choice(given) or len(_WORD.findall(given)) > MAX_WORDS:
        return None
    facts, wanted = read_facts(given, s), frozenset(kinds)
    found = {fact: fact for fact in facts if fact.kind in wanted}
    others = [fact for fact in facts if fact.kind in beside and fact.kind not in wanted]
    return next(iter(found.values())) if len(found) == 1 and not others else None


def reads_number(given: Any, wanted: Decimal, unit: str, tol: Decimal, s: Scope) -> bool:
    """Whether a value is a number, in any unit that converts, or counted in words: `3 times`, `35 Minuten`, `#12`."""
    own = quantity(given)
    if own is not None and own.within(wanted, unit, tol):
        return True
    fact = the_only(given, (*NUMERIC, "key"), s, _TIMED) if isinstance(given, str) else None
    if fact is None:
        return False
    return any(abs(value - wanted) <= tol for value in _in_unit(fact, UNITS.get(unit.lower())))


def _in_unit(fact: Fact, unit: Unit | None) -> Iterable[Decimal]:
    for one in fact.readings:
        if one.kind == "key" and unit is None and str(one.value).lstrip("#").isdigit():
            yield Decimal(str(one.value).lstrip("#"))
        elif isinstance(one.value, Decimal) and one.kind == "count":
            yield one.value
        elif isinstance(one.value, Decimal) and unit is not None and (one.kind, one.unit) == (unit.kind, unit.name):
            yield one.value / unit.factor


def reads_money(given: Any, wanted: Decimal, currency: str, tol: Decimal, s: Scope) -> bool:
    """Whether a value is an amount in a currency; a bare number is in the currency of the field."""
    own = None if offers_choice(given) else money(given, currency)
    if own is not None and own.currency == currency and abs(own.value - wanted) <= tol:
        return True
    fact = the_only(given, ("amount", "count"), s) if isinstance(given, str) else None
    if fact is None or (fact.kind == "amount" and fact.unit != currency):
        return False
    if fact.kind == "count" and any(word in CURRENCY_AFTER for word in str(given).casefold().split()):
        return False
    values = [one.value for one in fact.readings if one.kind == fact.kind]
    return any(isinstance(value, Decimal) and abs(value - wanted) <= tol for value in values)


def read_duration(given: Any, s: Scope) -> int | None:
    """Microseconds of one duration."""
    own = duration_us(given)
    if own is not None or not isinstance(given, str):
        return own
    fact = the_only(given, ("duration",), s)
    return int(Decimal(fact.value)) if fact is not None and fact.unit == "us" else None


def read_moment(given: Any, s: Scope) -> Moment | None:
    """The one date, or date and time, of a text; its weekday may stand beside it."""
    if not isinstance(given, str):
        return None
    own = one_moment(read_text(given).plain)
    if own is not None:
        return own
    if offers_choice(given) or len(_WORD.findall(given)) > MAX_WORDS:
        return None
    moments = {fact.moment for fact in read_facts(given, s) if fact.kind in _TIMED}
    return next(iter(moments)) if len(moments) == 1 else None


def same_fact(given: str, wanted: str, s: Scope) -> bool:
    """Whether a text names the same key, service, region or the like as the wanted one, and no other of its kind."""
    (target, *more) = read_facts(wanted, s) or (None,)
    if target is None or more or target.kind in NUMERIC or target.end - target.start < len(wanted.strip()):
        return False
    fact = the_only(given, (target.kind,), s)
    return fact is not None and fact.fits(target)
