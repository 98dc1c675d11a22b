"""The facts a rubric wants: a value, a ref, an event's value, or a mapping of a kind to a value."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.passage import Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.compiler import Compiler
from world.grading.directory import Directory
from world.grading.facts import Fact, Kind, Vocabulary, extract, vocabulary_of
from world.grading.facts.agreement import RequiredFact
from world.grading.facts.titles import spell_text
from world.grading.facts.units import CODES, UNITS
from world.grading.reasons.clause import Phrase
from world.grading.scope import Literal, PersonRef, RowRef, Scope
from world.grading.values import decimal

_MEASURES = ("amount", "number", "count", "percentage", "duration")
_TYPED: tuple[Kind, ...] = (*_MEASURES, "time", "date", "text")
_ENTITY: Mapping[str, Kind] = {"person": "person", "contact": "person", "service": "service"}
_UNIT_NAMES = {
    "duration": "ms s seconds min minutes h hours d days weeks months years",
    "number": "bytes kb mb gb tb rps km kg points",
}
_LONG_AGO = 10**14  # a fact at least this large is a time in us

Find = Callable[[Scope], list[RequiredFact]]


def compile_wanted(raw: object, place: Place, c: Compiler) -> tuple[Find, Phrase]:
    """How to find the facts that an entry of a rubric wants, and the entry in words."""
    if is_object(raw) and "ref" not in raw:
        return _compile_typed(raw, place, c), lambda tell: tell(raw)
    operand = c.operand(raw, place)
    if isinstance(operand, Literal):
        wanted = _literal(operand.value, place, c)
        return lambda _: [wanted], lambda tell: tell(raw)
    return lambda s: [_resolve(value, s) for value in s.values(operand)], lambda tell: tell(raw)


def _literal(value: object, place: Place, c: Compiler) -> RequiredFact:
    number = decimal(value)
    if number is not None:
        return RequiredFact(str(value), number=number)
    if not isinstance(value, str):
        raise c.error(place, "a fact is a text such as 35 min, a number, a ref or an event's value")
    c.refuse_text_id(value, place)
    facts = _whole(value, vocabulary_of(_NOBODY))
    if not facts:
        raise c.error(
            place, f"{value!r} states no fact; write a value with its unit (35 min, 1234.00 EUR, 30 %), or use a ref"
        )
    return RequiredFact(value, facts)


_NOBODY = Directory()


def _whole(text: str, vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """The facts that a text consists of."""
    facts = extract(Passage(text), vocabulary)
    whole = tuple(fact for fact in facts if fact.end - fact.start >= len(text.strip(" .")) and fact.end <= len(text))
    return whole or (facts if len({fact.kind for fact in facts}) == len(facts) == 1 else ())


def _compile_typed(raw: Mapping[str, Any], place: Place, c: Compiler) -> Find:
    kinds: list[Kind] = [kind for kind in _TYPED if kind in raw]
    if len(kinds) != 1:
        raise c.error(place, f"a fact is a value, a ref, or a mapping with one of {', '.join(_TYPED)}")
    kind, extra = kinds[0], {"amount": ("currency",), "number": ("unit",), "duration": ("unit",)}.get(kinds[0], ())
    for key in raw:
        if key not in (kind, "tol", *extra):
            raise c.error((*place, key), describe_unknown("key", key, (kind, "tol", *extra)))
    if kind == "text":
        operands = [c.operand(one, (*place, kind)) for one in _list_values(raw[kind])]
        return lambda s: [
            _name_text(one) for operand in operands for value in s.values(operand) for one in _list_values(value)
        ]
    operand = c.operand(raw[kind], (*place, kind))
    factor, unit = _measure(kind, raw, place, c)
    tol = decimal(raw.get("tol", 0))
    if tol is None or tol < 0:
        raise c.error((*place, "tol"), f"{raw['tol']!r} is not a tolerance")
    return lambda s: [_to_wanted(kind, value, factor, unit, tol * factor, s) for value in s.values(operand)]


def _list_values(value: object) -> list[object]:
    return [*value] if is_array(value) else [value]


def _name_text(value: object) -> RequiredFact:
    return RequiredFact(str(value), (Fact("text", spell_text(str(value))),))


def _measure(kind: Kind, raw: Mapping[str, Any], place: Place, c: Compiler) -> tuple[Decimal, str]:
    if kind == "amount":
        currency = str(raw.get("currency", "")).upper()
        if currency not in CODES:
            raise c.error((*place, "currency"), describe_unknown("currency", raw.get("currency"), CODES))
        return Decimal(1), currency
    if kind not in ("number", "duration"):
        return Decimal(1), ""
    unit = UNITS.get(str(raw.get("unit", "")).lower())
    if unit is None or unit.kind != kind:
        raise c.error(
            (*place, "unit"), describe_unknown(f"unit of a {kind}", raw.get("unit"), _UNIT_NAMES[kind].split())
        )
    return unit.factor, unit.name


def _to_wanted(kind: Kind, value: object, factor: Decimal, unit: str, tol: Decimal, s: Scope) -> RequiredFact:
    number = decimal(value)
    if kind in ("time", "date"):
        return _moment(kind, int(number), s, int(tol)) if number is not None else _resolve(value, s)
    if number is None:
        return _resolve(value, s)
    return RequiredFact(f"{value} {unit}".strip(), (Fact(kind, number * factor, unit),), tol=tol)


def _moment(kind: str, at: int, s: Scope, tol: int = 0) -> RequiredFact:
    def test(fact: Fact) -> bool:
        moment = fact.moment
        if moment is None or fact.kind != kind:
            return False
        return (moment if kind == "time" else replace(moment, clock=None)).means(at, s.zones, tol)

    return RequiredFact(str(at), test=test)


def _resolve(value: object, s: Scope) -> RequiredFact:
    """Return a value of the run as a fact to be stated."""
    if isinstance(value, PersonRef):
        return RequiredFact(s.person(value.id).full_name, (Fact("person", value.id),))
    if isinstance(value, RowRef):
        return _row(value, s)
    number = decimal(value)
    if number is not None and number >= _LONG_AGO:
        return _moment("time", int(number), s)
    if number is not None:
        return RequiredFact(str(value), number=number)
    facts = _whole(str(value), vocabulary_of(s.directory))
    return RequiredFact(str(value), facts or (Fact("key", str(value)),))


def _row(row: RowRef, s: Scope) -> RequiredFact:
    id = str(row.pk[0])
    if row.table in _ENTITY:
        return RequiredFact(id, (Fact(_ENTITY[row.table], id),))
    if row.table == "organisation":
        return RequiredFact(
            str(row.row.get("name")), (Fact("vendor" if row.row.get("kind") == "vendor" else "customer", id),)
        )
    if "key" in row.row:
        return RequiredFact(str(row.row["key"]), (Fact("key", str(row.row["key"])),))
    if isinstance(row.row.get("number"), int):
        return RequiredFact(f"#{row.row['number']}", (Fact("key", f"#{row.row['number']}"),))
    return _resolve(str(row.row.get("name") or row.row.get("title") or id), s)
