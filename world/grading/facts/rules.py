"""The `facts` predicate of a rubric: facts that a text must state, may state besides, and must never name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from world.core.json_types import is_array, is_object
from world.core.reading.passage import Passage
from world.core.yaml_document import Place, describe_unknown
from world.grading.compiler import Compiler
from world.grading.facts import KINDS, Fact, Kind, Vocabulary, vocabulary_of
from world.grading.facts.agreement import RequiredFact, find_surplus, lend_currency
from world.grading.facts.display import show_facts
from world.grading.facts.fact import NUMERIC
from world.grading.facts.requirements import Find, compile_wanted
from world.grading.facts.restatement import (
    is_corrected,
    is_restated,
    is_taken_back,
    list_beside,
    list_bound,
    list_called,
    list_continued,
)
from world.grading.facts.role_rules import FIGURES, Fits, Roles, Says, Stands, compile_roles, compile_sides
from world.grading.facts.row_facts import FactReader
from world.grading.reasons.clause import Phrase
from world.grading.scope import Operand, Scope
from world.grading.tables import Row, Table
from world.grading.text import Text
from world.grading.text_predicates.predicate import TextPredicate
from world.grading.values import decimal

KEYS = ("must", "some", "only", "never", "asked", "labels", "period", "sides")
LISTS = KEYS[:4]
KIND_LISTS = ("some", "only")
CORRECTABLE: frozenset[Kind] = frozenset((*NUMERIC, "date", "time"))


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
    reads = FactReader(fields, table, _list_texts(raw, place, c), asked="asked" in raw)
    roles = compile_roles(raw, place, c)
    musts = [_compile_must(one, (*place, "must", at), c, roles) for at, one in enumerate(raw.get("must", ()))]
    known = {role: [one.find for one in musts if one.role == role] for role in roles.words}
    found = [
        replace(_must(must, known.get(must.role or "", ()), roles, reads), place=(*place, "must", at))
        for at, must in enumerate(musts)
    ]
    if "sides" in raw:
        sides = compile_sides(raw["sides"], roles, (*place, "sides"), c)
        found += [replace(_side(*one, reads), place=(*place, "sides", at)) for at, one in enumerate(sides)]
    if "some" in raw:
        found.append(replace(_some(_kinds(raw["some"], (*place, "some"), c), reads), place=(*place, "some")))
    finds = [must.find for must in musts]
    found += _compile_only(raw.get("only", ()), finds, known, roles, (*place, "only"), c, reads)
    for at, one in enumerate(raw.get("never", ())):
        here = (*place, "never", at)
        called = is_object(one) and "called" in one
        found.append(
            replace(
                _never_called(one, known, roles, here, c, reads) if called else _never(one, here, c, reads), place=here
            )
        )
    return found


def _kinds(raw: Sequence[Any], place: Place, c: Compiler) -> frozenset[Kind]:
    return frozenset(_kind(one, (*place, at), c) for at, one in enumerate(raw))


def _kind(raw: object, place: Place, c: Compiler) -> Kind:
    for kind in KINDS:
        if raw == kind:
            return kind
    raise c.error(place, describe_unknown("kind of fact", raw, KINDS))


@dataclass(frozen=True)
class _Must:
    """An entry of `must`."""

    find: Find
    phrase: Phrase
    role: str | None
    fits: Fits


def _list_texts(raw: Mapping[str, Any], place: Place, c: Compiler) -> list[Find]:
    """The texts that a mapping looks for."""
    return [
        compile_wanted(_strip_role(one), (*place, key, at), c)[0]
        for key in ("must", "never")
        for at, one in enumerate(raw.get(key, ()))
        if is_object(one) and "text" in one
    ]


def _strip_role(raw: Any) -> Any:
    """An entry without its role; `{fact: x}` is x."""
    if not is_object(raw):
        return raw
    bare = {key: value for key, value in raw.items() if key != "called"}
    return bare["fact"] if set(bare) == {"fact"} else bare


def _compile_must(raw: Any, place: Place, c: Compiler, roles: Roles) -> _Must:
    role = raw.get("called") if is_object(raw) else None
    fits = roles.fits(role, place, c)
    find, said = compile_wanted(_strip_role(raw), place, c)
    return _Must(find, said if role is None else lambda tell: f"{said(tell)} as {role}", role, fits)


def _must(must: _Must, known: Sequence[Find], roles: Roles, reads: FactReader) -> TextPredicate:
    def list_stated(text: Text, row: Row, s: Scope) -> list[Fact]:
        wanted = must.find(s)
        read = [
            (one, lend_currency(one.text, facts, wanted) if must.role else facts)
            for one, facts in reads.passages(text, row, s, called=must.role is not None)
        ]
        return _list_standing([(fact, must.fits(one, facts, fact)) for one, facts in read for fact in _plain(facts)])

    def test(text: Text, row: Row, s: Scope) -> bool:
        facts, all_wanted = list_stated(text, row, s), must.find(s)
        said = all(any(one.is_stated_by(fact) for fact in facts) for one in all_wanted)
        return said and (not text.is_own or not is_changed(row, s, all_wanted))

    def is_changed(row: Row, s: Scope, wanted: Sequence[RequiredFact]) -> bool:
        later = list(reads.list_later(row, s))
        if not later:
            return False
        if is_corrected(later, wanted, _list_correctable(wanted, called=must.role is not None)):
            return True
        by_role = [one for find in known for one in find(s)]
        return must.role is not None and is_restated(later, wanted, by_role, must.role, roles)

    def show(text: Text, row: Row, s: Scope) -> str:
        facts, kept = reads.facts(text, row, s), list_stated(text, row, s)
        missing = [one for one in must.find(s) if not any(one.is_stated_by(fact) for fact in kept)]
        kinds = {fact.kind for one in missing for fact in one.facts} or NUMERIC
        disowned = [fact for fact in facts if any(one.is_stated_by(fact) for one in missing)]
        return show_facts(disowned or [fact for fact in facts if fact.kind in kinds], text.passages)

    return TextPredicate(test, lambda tell: f"states {must.phrase(tell)}", show=show)


def _list_standing(found: Sequence[tuple[Fact, Stands]]) -> list[Fact]:
    """The facts that stand under the wanted label or under none.

    A name without a label does not count where it has another one elsewhere, and nowhere the wanted one.
    """
    so = {(fact.kind, fact.value) for fact, how in found if how == "so"}
    lost = {(fact.kind, fact.value) for fact, how in found if how == "not" and fact.kind not in FIGURES} - so
    return [fact for fact, how in found if how != "not" and (fact.kind, fact.value) not in lost]


def _list_correctable(wanted: Sequence[RequiredFact], *, called: bool) -> frozenset[Kind]:
    """The kinds of what is wanted, if they can be corrected: measures, days and times, and whatever has a role."""
    kinds: set[Kind] = {fact.kind for one in wanted for fact in one.facts if called or fact.kind in CORRECTABLE}
    return frozenset(kinds | NUMERIC if any(one.number is not None for one in wanted) else kinds)


def _side(operand: Operand, says: Says, reads: FactReader) -> TextPredicate:
    def test(text: Text, row: Row, s: Scope) -> bool:
        value = decimal(s.value(operand))
        return value is None or not any(says(one, facts, float(value)) for one, facts in reads.passages(text, row, s))

    return TextPredicate(test, lambda _: "does not say above where it is below, or below where it is above")


def _plain(facts: Sequence[Fact]) -> list[Fact]:
    """The facts that the author states in plain letters."""
    return [fact for fact in facts if fact.stated and not fact.disguised]


def _some(kinds: frozenset[Kind], reads: FactReader) -> TextPredicate:
    def test(text: Text, row: Row, s: Scope) -> bool:
        return any(reading.kind in kinds for fact in _plain(reads.facts(text, row, s)) for reading in fact.readings)

    def show(text: Text, row: Row, s: Scope) -> str:
        return show_facts([fact for fact in reads.facts(text, row, s) if fact.kind in kinds], text.passages)

    return TextPredicate(test, lambda _: f"states some {' or '.join(sorted(kinds))}", show=show)


def _compile_only(
    raw: Sequence[Any],
    musts: Sequence[Find],
    known: Mapping[str, Sequence[Find]],
    roles: Roles,
    place: Place,
    c: Compiler,
    reads: FactReader,
) -> list[TextPredicate]:
    """Build one predicate for all kinds, and one for each kind under a label."""
    found = [
        replace(_only_called(one, known, roles, (*place, at), c, reads), place=(*place, at))
        for at, one in enumerate(raw)
        if is_object(one)
    ]
    kinds = [one for one in raw if not is_object(one)]
    return [*([replace(_only(musts, _kinds(kinds, place, c), reads), place=place)] if kinds else []), *found]


def _only(musts: Sequence[Find], kinds: frozenset[Kind], reads: FactReader) -> TextPredicate:
    def surplus(text: Text, row: Row, s: Scope) -> list[Fact]:
        facts = [fact for fact in reads.facts(text, row, s) if not (fact.quoted or fact.struck or fact.denied)]
        return find_surplus(facts, [one for find in musts for one in find(s)], kinds)

    return _absent(surplus, lambda _: f"states no other {' or '.join(sorted(kinds))}")


def _only_called(
    raw: Mapping[str, Any],
    known: Mapping[str, Sequence[Find]],
    roles: Roles,
    place: Place,
    c: Compiler,
    reads: FactReader,
) -> TextPredicate:
    if set(raw) != {"kind", "called"}:
        raise c.error(place, "only takes kinds, or mappings {kind: key, called: role}")
    kind, role = _kind(raw["kind"], (*place, "kind"), c), roles.check(raw["called"], place, c)

    def list_bad(one: Passage, facts: Sequence[Fact], s: Scope) -> list[Fact]:
        wanted = [want for find in known[role] for want in find(s)]
        lent = lend_currency(one.text, facts, wanted)
        return list_other((*list_called(one, lent, role, roles), *list_beside(one, lent, wanted, role, roles)), s)

    def list_other(found: Sequence[Fact], s: Scope) -> list[Fact]:
        wanted = [want for find in known[role] for want in find(s)]
        return [fact for fact in found if fact.kind == kind and not any(want.is_stated_by(fact) for want in wanted)]

    return _no_other(list_bad, list_other, reads, lambda _: f"states no other {kind} as {role}")


def _never_called(
    raw: Mapping[str, Any],
    known: Mapping[str, Sequence[Find]],
    roles: Roles,
    place: Place,
    c: Compiler,
    reads: FactReader,
) -> TextPredicate:
    find, phrase = compile_wanted(_strip_role(raw), place, c)
    role = roles.check(raw["called"], place, c)

    def list_bad(one: Passage, facts: Sequence[Fact], s: Scope) -> list[Fact]:
        wanted = [want for find in known[role] for want in find(s)]
        return list_forbidden((*list_bound(one, facts, role, roles), *list_beside(one, facts, wanted, role, roles)), s)

    def list_forbidden(found: Sequence[Fact], s: Scope) -> list[Fact]:
        return [fact for fact in found if any(bad.is_stated_by(fact) for bad in find(s))]

    def is_undone(row: Row, s: Scope) -> bool:
        """Whether what is wanted by another role is put under this one later, without its name."""
        told = [want for finds in known.values() for wanted in finds for want in wanted(s)]
        both = [want for want in find(s) if any(want.facts and want.facts == one.facts for one in told)]
        return bool(both) and is_taken_back(reads.list_later(row, s), both, role, roles)

    def list_more(found: Sequence[Fact], s: Scope) -> list[Fact]:
        return list_forbidden(found, s) if known[role] else []

    made = _no_other(list_bad, list_more, reads, lambda tell: f"never states {phrase(tell)} as {role}")

    def test(text: Text, row: Row, s: Scope) -> bool:
        return made.test(text, row, s) and not (text.is_own and is_undone(row, s))

    return replace(made, test=test)


def _no_other(
    list_bad: Callable[[Passage, Sequence[Fact], Scope], list[Fact]],
    list_more: Callable[[Sequence[Fact], Scope], list[Fact]],
    reads: FactReader,
    phrase: Phrase,
) -> TextPredicate:
    """The predicate that the author puts no such fact under a label, in a text or later to its readers.

    `list_more` picks the bad ones of those with which a later message goes on.
    """

    def find(text: Text, row: Row, s: Scope) -> list[Fact]:
        later = list(reads.list_later(row, s)) if text.is_own else []
        found = [
            fact
            for one, facts in (*reads.passages(text, row, s, called=True), *later)
            for fact in list_bad(one, facts, s)
        ]
        return [*found, *(fact for one, facts in later for fact in list_more(list_continued(one, facts), s))]

    return _absent(find, phrase)


def _never(raw: object, place: Place, c: Compiler, reads: FactReader) -> TextPredicate:
    if isinstance(raw, str) and raw in KINDS:
        kind = _kind(raw, place, c)

        def of_kind(text: Text, row: Row, s: Scope) -> list[Fact]:
            return [fact for fact in reads.facts(text, row, s) if fact.kind == kind]

        return _absent(of_kind, lambda _: f"names no {kind}")
    find, phrase = compile_wanted(raw, place, c)

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
