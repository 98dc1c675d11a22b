"""The facts of a row, with the texts that a rubric looks for, and those of what its author says later."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from world.core.reading.passage import Passage
from world.grading.commitment import Commitment, read_commitment
from world.grading.effects import Effect
from world.grading.facts import Fact, Vocabulary, extract, vocabulary_of
from world.grading.facts.alternatives import deny_alternatives
from world.grading.facts.fact import NUMERIC
from world.grading.facts.requirements import Find
from world.grading.facts.titles import find_texts
from world.grading.follow_ups import list_following, list_later
from world.grading.scope import Scope
from world.grading.tables import Row, Table
from world.grading.text import Text

_NOT = re.compile(
    r"(?:\b(?:not|never|no)|n['’]t)\s+(?:(?:on|for|by|the|in|at|from|even|a|ticket)\s+)*[*_`@\"'(]*$", re.I
)
_REACH = 40  # characters before a name
Read = tuple[Passage, tuple[Fact, ...]]  # a passage with its facts


class FactReader:
    """Reads the facts of some fields of a row."""

    def __init__(
        self, fields: tuple[str, ...], table: Table, texts: Sequence[Find] = (), *, asked: bool = False
    ) -> None:
        self._fields, self._table, self._texts, self._asked = fields, table, tuple(texts), asked

    def facts(self, text: Text, row: Row, s: Scope) -> tuple[Fact, ...]:
        """Every fact of a text; what is struck out, quoted, denied or taken back is marked."""
        return tuple(fact for _, facts in self.passages(text, row, s) for fact in facts)

    def passages(self, text: Text, row: Row, s: Scope, *, called: bool = False) -> list[Read]:
        """The passages of a text, with their facts. With `called`, `could not enter SHOP-4` says something of SHOP-4."""
        vocabulary, texts = vocabulary_of(s.directory), self._list_texts(s)
        following = list_following(row, self._table, s) if text.is_own else ()
        added = tuple(one for other in following for one in s.readings.passages(self._table, other, self._fields))
        return [(one, _read_facts(one, added, vocabulary, texts, self._asked, called)) for one in text.passages]

    def list_later(self, row: Row, s: Scope) -> Iterator[Read]:
        """The passages that the agent writes later to a reader of a row or in its place, with all that stands in them."""
        vocabulary, texts = vocabulary_of(s.directory), self._list_texts(s)
        for effect in list_later(row, self._table, s):
            for passage in self._list_passages(effect, s):
                yield passage, (*extract(passage, vocabulary), *find_texts(passage, texts))

    def _list_texts(self, s: Scope) -> tuple[str, ...]:
        found = {
            str(fact.value) for find in self._texts for one in find(s) for fact in one.facts if fact.kind == "text"
        }
        return tuple(sorted(found))

    def _list_passages(self, effect: Effect, s: Scope) -> tuple[Passage, ...]:
        """Of a message of the same kind, the same columns; of others the body."""
        if effect.table == self._table.name:
            return tuple(s.readings.passages(self._table, effect.written, self._fields))
        return tuple(part.passage for part in s.readings.of_effect(effect) if part.kind == "body")


@lru_cache(maxsize=1024)
def _read_facts(
    passage: Passage,
    added: tuple[Passage, ...],
    vocabulary: Vocabulary,
    texts: tuple[str, ...],
    asked: bool,
    called: bool,
) -> tuple[Fact, ...]:
    found, reading = (*extract(passage, vocabulary), *find_texts(passage, texts)), read_commitment(passage, added)
    if reading.voids:
        found = tuple(replace(fact, denied=_is_denied(fact, reading, asked=asked, called=called)) for fact in found)
    return deny_alternatives(passage.text, found)


def _is_denied(fact: Fact, reading: Commitment, *, asked: bool, called: bool) -> bool:
    void = reading.find_void(fact.start, fact.end, asked=asked)
    if void is None or not called or fact.kind in NUMERIC or void.reason != "negated":
        return void is not None
    return _NOT.search(reading.passage.text, max(0, fact.start - _REACH), fact.start) is not None
