"""Tables of phrases: written with inflections, choices and gaps, found in one pass over the words of a sentence."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from world.grading.stance.inflections import inflect
from world.grading.stance.tokens import words_of

GAP = "..."
MOST_SKIPPED = 4
NEGATORS = frozenset({"no", "not", "never", "without", "nobody", "nothing"})  # no gap passes over these
_PART = re.compile(r"\([^()]*\)\??|\S+")


@dataclass(slots=True)
class _Node:
    after: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])
    tags: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase that was found: its tag and the places of its words."""

    tag: str
    places: tuple[int, ...]

    @property
    def start(self) -> int:
        """The place of its first word."""
        return self.places[0]

    @property
    def end(self) -> int:
        """The place of its last word."""
        return self.places[-1]


def _expand_part(part: str) -> list[tuple[str, ...]]:
    """The word rows that one part of a phrase stands for."""
    if part in (GAP, "'s"):
        return [(part,)]
    if part.startswith("("):
        inner = part.rstrip("?")[1:-1]
        rows = [row for choice in inner.split("|") for row in expand(choice)]
        return [*rows, ()] if part.endswith("?") else rows
    if part.endswith("+"):
        return [(form,) for form in inflect(part[:-1])]
    return [words_of(part)]


def expand(phrase: str) -> list[tuple[str, ...]]:
    """Every row of words a phrase stands for: `go+ (down|dark)?`, `take+ ... back`."""
    parts = [_expand_part(part) for part in _PART.findall(phrase)]
    return [tuple(word for row in rows for word in row) for rows in product(*parts)]


class PhraseTable:
    """Phrases with tags, as a tree of words."""

    def __init__(self) -> None:
        self._root = _Node()
        self.vocabulary = set[str]()

    def add(self, tag: str, phrases: Iterable[str]) -> None:
        """Add phrases under a tag."""
        for phrase in phrases:
            for row in expand(phrase):
                self._add_row(tag, row)

    def _add_row(self, tag: str, row: tuple[str, ...]) -> None:
        node = self._root
        for word in row:
            node = node.after.setdefault(word, _Node())
        if row:
            node.tags.append(tag)
            self.vocabulary.update(word for word in row if word != GAP)

    def _walk(self, node: _Node, words: Sequence[str], places: tuple[int, ...], at: int, found: list[Hit]) -> None:
        """Collect the phrases that go on from a node."""
        while True:
            if node.tags:
                found.append(Hit(node.tags[0], places))
            if gap := node.after.get(GAP):
                self._skip(gap, words, places, at, found)
            following = node.after.get(words[at]) if at < len(words) else None
            if following is None:
                return
            node, places, at = following, (*places, at), at + 1

    def _skip(self, gap: _Node, words: Sequence[str], places: tuple[int, ...], at: int, found: list[Hit]) -> None:
        """Collect the phrases that go on behind a gap."""
        for skip in range(at, min(at + MOST_SKIPPED + 1, len(words))):
            if following := gap.after.get(words[skip]):
                self._walk(following, words, (*places, skip), skip + 1, found)
            if not words[skip][0].isalnum() or words[skip] in NEGATORS:
                break

    def find(self, words: Sequence[str]) -> list[Hit]:
        """The phrases of a sentence, longest first where they overlap, in order."""
        found = list[Hit]()
        first = self._root.after
        for at, word in enumerate(words):
            if word in first:
                self._walk(first[word], words, (at,), at + 1, found)
        if len(found) < 2:
            return found
        found.sort(key=lambda hit: (-len(hit.places), hit.start, -hit.end))
        taken = set[int]()
        kept = list[Hit]()
        for hit in found:
            if taken.isdisjoint(hit.places):
                taken.update(hit.places)
                kept.append(hit)
        return sorted(kept, key=lambda hit: hit.start)
