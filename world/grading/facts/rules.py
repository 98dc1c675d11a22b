"""The `facts` predicate of a rubric: facts that a text must state, may state besides, and must never name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.passage import Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.commitment import read_commitment
from world.grading.compiler import Compiler
from world.grading.directory import Directory
from world.grading.facts import KINDS, Fact, Kind, Vocabulary, extract, vocabulary_of
from world.grading.facts.agreement import RequiredFact, find_surplus
from world.grading.facts.alternatives import deny_alternatives
from world.grading.facts.display import show_facts
from world.grading.facts.fact import NUMERIC
from world.grading.facts.restatement import is_corrected, is_restated
from world.grading.facts.role_rules import Fits, Roles, Says, compile_roles, compile_sides
from world.grading.facts.units import CODES, UNITS
from world.grading.follow_ups import list_following
from world.grading.reasons.clause import Phrase
from world.grading.scope import Literal, Operand, PersonRef, RowRef, Scope
from world.grading.tables import Row, Table
from world.grading.text import Text
from world.grading.text_predicates.predicate import TextPredicate
from world.grading.values import decimal

KEYS = ("must", "some", "only", "never", "asked", "labels", "period", "sides")
LISTS = KEYS[:4]
KIND_LISTS = ("some", "only")
_MEASURES = ("amount", "number", "count", "percentage", "duration")
_TYPED: tuple[Kind, ...] = (*_MEASURES, "time", "date")
_ENTITY: Mapping[str, Kind] = {"person": "person", "contact": "person", "service": "service"}
_UNIT_NAMES = {
    "duration": "ms s seconds min minutes h hours d days weeks months years",
    "number": "bytes kb mb gb tb rps km kg points",
}
CORRECTABLE: frozenset[Kind] = frozenset((*NUMERIC, "date", "time"))
_LONG_AGO = 10**14  # a fact at least this large is a time in us


def compile_facts(raw: object, place: Place, c: Compiler, fields: tuple[str, ...], table: Table) -> list[TextPredicate]:
    """The predicates of a `facts` mapping."""
    if not is_object(raw) or not raw:
        raise c.error(place, f"facts takes a mapping with {', '.join(KEYS)}")
    for key, value in raw.items():
        if key not in KEYS:
            raise c.error((*place, key), describe_unknown("key", key, KEYS))
        if key == "asked" and value is not True:
            raise c.error((*place, key), "asked takes true: the facts may stand in a question")
        if key in LISTS and (not is_array(value) or not value):
            raise c.error(
                (*place, key), f"{key} takes a list of at least one {'kind' if key in KIND_LISTS else 'fact'}"
            )
    reads = _Reader(fields, table, asked="asked" in raw)
    roles = compile_roles(raw, place, c)
    musts = [
        _compile_must(one, (*place, "must", at), c, roles, fields, table) for at, one in enumerate(raw.get("must", ()))
    ]
    found = [replace(_must(*must, reads), place=(*place, "must", at)) for at, must in enumerate(musts)]
    if "sides" in raw:
        sides = compile_sides(raw["sides"], roles, (*place, "sides"), c)
        found += [replace(_side(*one, reads), place=(*place, "sides", at)) for at, one in enumerate(sides)]
    if "some" in raw:
        found.append(replace(_some(_kinds(raw["some"], (*place, "some"), c), reads), place=(*place, "some")))
    if "only" in raw:
        only = _only([find for find, *_ in musts], _kinds(raw["only"], (*place, "only"), c), reads)
        found.append(replace(only, place=(*place, "only")))
    for at, one in enumerate(raw.get("never", ())):
        here = (*place, "never", at)
        found.append(replace(_never(one, here, c, reads), place=here))
    return found


def _kinds(raw: Sequence[Any], place: Place, c: Compiler) -> frozenset[Kind]:
    return frozenset(_kind(one, (*place, at), c) for at, one in enumerate(raw))


def _kind(raw: object, place: Place, c: Compiler) -> Kind:
    for kind in KINDS:
        if raw == kind:
            return kind
    raise c.error(place, describe_unknown("kind of fact", raw, KINDS))


Stays = Callable[[Row, Scope, Sequence[RequiredFact]], bool]  # whether nothing else is told in its place later


def _compile_must(
    raw: Any, place: Place, c: Compiler, roles: Roles, fields: tuple[str, ...], table: Table
) -> "tuple[Find, Phrase, Fits, Stays]":
    role = raw.get("called") if is_object(raw) else None
    fits = roles.fits(role, place, c)
    if role is None:
        find, phrase = _compile_wanted(raw, place, c)
        return find, phrase, fits, lambda row, s, wanted: not _is_corrected(row, table, fields, s, wanted)
    find, said = _compile_wanted({key: value for key, value in raw.items() if key != "called"}, place, c)

    def stays(row: Row, s: Scope, wanted: Sequence[RequiredFact]) -> bool:
        return not is_restated(row, table, fields, s, wanted, str(role), roles)

    return find, lambda tell: f"{said(tell)} as {role}", fits, stays


def _is_corrected(row: Row, table: Table, fields: tuple[str, ...], s: Scope, wanted: Sequence[RequiredFact]) -> bool:
    """Whether the author later corrects a measure, a date or a time that is wanted."""
    kinds: set[Kind] = {fact.kind for one in wanted for fact in one.facts if fact.kind in CORRECTABLE}
    if any(one.number is not None for one in wanted):
        kinds |= NUMERIC
    return bool(kinds) and is_corrected(row, table, fields, s, wanted, frozenset(kinds))


def _must(wanted: "Find", phrase: Phrase, fits: Fits, stays: Stays, reads: "_Reader") -> TextPredicate:
    def list_stated(text: Text, row: Row, s: Scope) -> list[Fact]:
        read = reads.passages(text, row, s)
        return [fact for one, facts in read for fact in _plain(facts) if fits(one, facts, fact)]

    def test(text: Text, row: Row, s: Scope) -> bool:
        facts, all_wanted = list_stated(text, row, s), wanted(s)
        said = all(any(one.is_stated_by(fact) for fact in facts) for one in all_wanted)
        return said and (not text.is_own or stays(row, s, all_wanted))

    def show(text: Text, row: Row, s: Scope) -> str:
        facts, kept = reads.facts(text, row, s), list_stated(text, row, s)
        missing = [one for one in wanted(s) if not any(one.is_stated_by(fact) for fact in kept)]
        kinds = {fact.kind for one in missing for fact in one.facts} or NUMERIC
        disowned = [fact for fact in facts if any(one.is_stated_by(fact) for one in missing)]
        return show_facts(disowned or [fact for fact in facts if fact.kind in kinds], text.passages)

    return TextPredicate(test, lambda tell: f"states {phrase(tell)}", show=show)


def _side(operand: Operand, says: Says, reads: "_Reader") -> TextPredicate:
    def test(text: Text, row: Row, s: Scope) -> bool:
        value = decimal(s.value(operand))
        return value is None or not any(says(one, facts, float(value)) for one, facts in reads.passages(text, row, s))

    return TextPredicate(test, lambda _: "does not say above where it is below, or below where it is above")


def _plain(facts: Sequence[Fact]) -> list[Fact]:
    """The facts that the author states in plain letters."""
    return [fact for fact in facts if fact.stated and not fact.disguised]


def _some(kinds: frozenset[Kind], reads: "_Reader") -> TextPredicate:
    def test(text: Text, row: Row, s: Scope) -> bool:
        return any(reading.kind in kinds for fact in _plain(reads.facts(text, row, s)) for reading in fact.readings)

    def show(text: Text, row: Row, s: Scope) -> str:
        return show_facts([fact for fact in reads.facts(text, row, s) if fact.kind in kinds], text.passages)

    return TextPredicate(test, lambda _: f"states some {' or '.join(sorted(kinds))}", show=show)


def _only(musts: Sequence["Find"], kinds: frozenset[Kind], reads: "_Reader") -> TextPredicate:
    def surplus(text: Text, row: Row, s: Scope) -> list[Fact]:
        facts = [fact for fact in reads.facts(text, row, s) if not (fact.quoted or fact.struck or fact.denied)]
        return find_surplus(facts, [one for find in musts for one in find(s)], kinds)

    return _absent(surplus, lambda _: f"states no other {' or '.join(sorted(kinds))}")


def _never(raw: object, place: Place, c: Compiler, reads: "_Reader") -> TextPredicate:
    if isinstance(raw, str) and raw in KINDS:
        kind = _kind(raw, place, c)

        def of_kind(text: Text, row: Row, s: Scope) -> list[Fact]:
            return [fact for fact in reads.facts(text, row, s) if fact.kind == kind]

        return _absent(of_kind, lambda _: f"names no {kind}")
    find, phrase = _compile_wanted(raw, place, c)

    def list_given_away(text: Text, row: Row, s: Scope) -> list[Fact]:
        vocabulary, wanted = vocabulary_of(s.directory), find(s)
        return [fact for fact in reads.facts(text, row, s) if any(_gives_away(fact, one, vocabulary) for one in wanted)]

    return _absent(list_given_away, lambda tell: f"never names {phrase(tell)}")


def _absent(find: Callable[[Text, Row, Scope], list[Fact]], phrase: Phrase) -> TextPredicate:
    """The predicate that there are no such facts."""
    return TextPredicate(
        lambda text, row, s: not find(text, row, s),
        phrase,
        show=lambda text, row, s: show_facts(find(text, row, s), text.passages),
    )


def _gives_away(fact: Fact, wanted: RequiredFact, vocabulary: Vocabulary) -> bool:
    """Whether a fact names what must not be named: it, its address, or its people. A shared name names nobody."""
    shared = any(" is " in one.habit for one in fact.readings)
    if not shared and wanted.is_stated_by(fact):
        return True
    owners = {vocabulary.owner(one.kind, str(one.value)) for one in fact.readings}
    hidden = {vocabulary.owner(one.kind, str(one.value)) for one in wanted.facts if one.kind in ("customer", "vendor")}
    return bool(hidden) and owners <= hidden and None not in owners


# facts of a row


class _Reader:
    """Reads the facts of some fields of a row."""

    def __init__(self, fields: tuple[str, ...], table: Table, *, asked: bool = False) -> None:
        self._fields, self._table, self._asked = fields, table, asked

    def facts(self, text: Text, row: Row, s: Scope) -> tuple[Fact, ...]:
        """Every fact of a text; what is struck out, quoted, denied or taken back is marked."""
        return tuple(fact for _, facts in self.passages(text, row, s) for fact in facts)

    def passages(self, text: Text, row: Row, s: Scope) -> list[tuple[Passage, tuple[Fact, ...]]]:
        """The passages of a text, with their facts."""
        vocabulary = vocabulary_of(s.directory)
        following = list_following(row, self._table, s) if text.is_own else ()
        added = tuple(one for other in following for one in s.readings.passages(self._table, other, self._fields))
        return [(one, _facts(one, added, vocabulary, self._asked)) for one in text.passages]


@lru_cache(maxsize=1024)
def _facts(passage: Passage, added: tuple[Passage, ...], vocabulary: Vocabulary, asked: bool) -> tuple[Fact, ...]:
    found, reading = extract(passage, vocabulary), read_commitment(passage, added)
    if reading.voids:
        found = tuple(
            replace(fact, denied=reading.find_void(fact.start, fact.end, asked=asked) is not None) for fact in found
        )
    return deny_alternatives(passage.text, found)


# facts that a rubric wants

Find = Callable[[Scope], list[RequiredFact]]


def _compile_wanted(raw: object, place: Place, c: Compiler) -> tuple[Find, Phrase]:
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
    operand = c.operand(raw[kind], (*place, kind))
    factor, unit = _measure(kind, raw, place, c)
    tol = decimal(raw.get("tol", 0))
    if tol is None or tol < 0:
        raise c.error((*place, "tol"), f"{raw['tol']!r} is not a tolerance")
    return lambda s: [_to_wanted(kind, value, factor, unit, tol * factor, s) for value in s.values(operand)]


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
