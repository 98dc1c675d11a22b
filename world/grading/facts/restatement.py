"""Whether an author later gives the readers of a message another figure for the same thing, in any place."""

import re
from collections.abc import Iterator, Sequence

from world.core.audience import Audience
from world.core.reading.passage import Passage
from world.grading.effects import Effect
from world.grading.facts import Fact, Kind, extract, vocabulary_of
from world.grading.facts.agreement import RequiredFact
from world.grading.facts.measures import is_of_another_period
from world.grading.facts.role_rules import COUNTS, MONEY, Roles, find_role
from world.grading.readings import decode
from world.grading.scope import Scope
from world.grading.tables import Row, Table

_APART = re.compile(  # words of a difference, not of a value
    r"[ ,]*(?:or [0-9.,]+ ?% )?(?:below|above|under|over|more|less|short|higher|lower|better|worse|ahead|behind|off|away|beyond|up|down)\b"
)
_CORRECTS = re.compile(
    r"\b(?:mis(?:counted|read|typed|took)|(?:re)?counted (?:again|anew)|recount|correct(?:ion|ed|ing)|actually|wrong(?:ly)?"
    r"|mistake|mistyped|i meant|(?:should|must) (?:be|have been|read)|make (?:it|that)|instead|in fact|in truth|invented"
    r"|made up|forget|ignore|guess(?:ed)?|not (?:right|true|so)|say|put)\b",
    re.I,
)
_BY = re.compile(r"\b(?:by|than|was|were|from|instead of|rather than|not) (?:[a-z]{3} ?|€ ?)?$")


def is_restated(
    row: Row, table: Table, fields: Sequence[str], s: Scope, wanted: Sequence[RequiredFact], role: str, roles: Roles
) -> bool:
    """Whether a later message of the agent to a reader of this one gives another figure by a role, and not the wanted."""
    return any(
        _gives_another(facts, passage, wanted, role, roles)
        for effect in _list_later(row, table, s)
        for passage, facts in _read(effect, table, fields, s)
    )


def is_corrected(
    row: Row, table: Table, fields: Sequence[str], s: Scope, wanted: Sequence[RequiredFact], kinds: frozenset[Kind]
) -> bool:
    """Whether a later message of the agent to a reader of this one corrects a value of some kinds, and not to the wanted."""
    return any(
        _CORRECTS.search(passage.text) is not None and _names_another(facts, wanted, kinds)
        for effect in _list_later(row, table, s)
        for passage, facts in _read(effect, table, fields, s)
    )


def _names_another(facts: Sequence[Fact], wanted: Sequence[RequiredFact], kinds: frozenset[Kind]) -> bool:
    stated = [fact for fact in facts if fact.kind in kinds and fact.stated]
    return bool(stated) and not any(one.is_stated_by(fact) for one in wanted for fact in stated)


def _list_later(row: Row, table: Table, s: Scope) -> Iterator[Effect]:
    mine = s.changes.own_inserted.get((table.name, table.key_of(row)))
    if mine is None or mine.origin != "agent":
        return
    readers = _readers(mine, s)
    for effect in s.changes.of("agent"):
        if effect.kind == "insert" and effect.first_at > mine.first_at and effect.number != mine.number:
            if _share(readers, _readers(effect, s), s.evidence.agent) or _same_place(effect, row, table):
                yield effect


def _readers(effect: Effect, s: Scope) -> Audience:
    table = s.table(effect.table)
    return table.conduct.readers(decode(table, effect.written), s.world)


def _share(one: Audience, other: Audience, author: str) -> bool:
    """Whether both are told to somebody by name."""
    return bool((one.people & other.people) - {author}) or bool(one.outsiders & other.outsiders)


def _same_place(effect: Effect, row: Row, table: Table) -> bool:
    place = table.conduct.place
    return effect.table == table.name and bool(place) and table.same(place, effect.written.get(place), row.get(place))


def _read(effect: Effect, table: Table, fields: Sequence[str], s: Scope) -> Iterator[tuple[Passage, tuple[Fact, ...]]]:
    """Yield the passages that people read in a message, each with its facts.

    Of a message of the same kind, these are the same columns.
    """
    if effect.table == table.name:
        found = s.readings.passages(table, effect.written, fields)
    else:
        found = tuple(part.passage for part in s.readings.of_effect(effect) if part.kind == "body")
    yield from ((passage, extract(passage, vocabulary_of(s.directory))) for passage in found)


def _gives_another(
    facts: Sequence[Fact], passage: Passage, wanted: Sequence[RequiredFact], role: str, roles: Roles
) -> bool:
    kinds = MONEY if any(fact.kind in MONEY for one in wanted for fact in one.facts) else (*MONEY, *COUNTS)
    figures = [fact for fact in facts if fact.kind in kinds and fact.stated and not _is_apart(passage, fact)]
    called = [fact for fact in figures if find_role(passage, facts, fact, tuple(roles.words.items())) == role]
    if roles.period is not None:
        called = [fact for fact in called if not is_of_another_period(passage, fact, roles.period)]
    return bool(called) and not any(one.is_stated_by(fact) for one in wanted for fact in figures)


def _is_apart(passage: Passage, fact: Fact) -> bool:
    low = passage.text.lower()
    return bool(_APART.match(low, fact.end)) or bool(_BY.search(low[max(0, fact.start - 24) : fact.start]))
