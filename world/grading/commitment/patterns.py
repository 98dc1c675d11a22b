"""Phrases of cues.yaml as patterns over the words of a sentence, all alternatives of a list in one linear pass."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import re2

from world.grading.stance.inflections import inflect
from world.grading.stance.tokens import words_of

GAP = "..."
MOST_SKIPPED = 4
_PIECE = re.compile(r"[()|]\??|[^\s()|]+")
_WORD = r"[^ ]+ "


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A phrase that was found: its tag, its first word, and the word behind its last."""

    tag: str
    start: int
    end: int


def to_pattern(phrase: str) -> str:
    """A phrase as a pattern, each of its words followed by a blank."""
    parts: list[str] = []
    for piece in _PIECE.findall(phrase):
        if piece == "(":
            parts.append("(?:")
        elif piece in ("|", ")", ")?"):
            parts.append(piece)
        elif piece == GAP:
            parts.append(f"(?:{_WORD}){{0,{MOST_SKIPPED}}}?")
        else:
            parts.append(_word_pattern(piece))
    return "".join(parts)


def _word_pattern(word: str) -> str:
    if word.endswith("+") and len(word) > 1:
        return f"(?:{'|'.join(re.escape(form) for form in inflect(word[:-1]))}) "
    return "".join(f"{re.escape(one)} " for one in ("'s",) if word == "'s") or "".join(
        f"{re.escape(one)} " for one in words_of(word)
    )


class Phrases:
    """Lists of phrases by tag; where two would match, the list that comes first wins."""

    def __init__(self, lists: Mapping[str, Iterable[str]]) -> None:
        self._tags = tuple(lists)
        groups = [f"( (?:{'|'.join(to_pattern(phrase) for phrase in phrases)}))" for phrases in lists.values()]
        options = re2.Options()
        options.max_mem = 1 << 27
        options.longest_match = True
        self._pattern = re2.compile("|".join(groups), options)

    def find(self, words: Sequence[str]) -> list[PhraseMatch]:
        """Every phrase of a sentence, the longest at each place, in order; they do not overlap."""
        line, starts = lay_out_words(words)
        found: list[PhraseMatch] = []
        at = 0
        while match := self._pattern.search(line, at):
            tag = next(tag for number, tag in enumerate(self._tags, 1) if match.start(number) >= 0)
            found.append(PhraseMatch(tag, starts[match.start() + 1], starts[match.end()]))
            at = match.end() - 1
        return found


def lay_out_words(words: Sequence[str]) -> tuple[str, dict[int, int]]:
    """The words between blanks, and at which letter each begins."""
    starts: dict[int, int] = {}
    at = 1
    for number, word in enumerate(words):
        starts[at] = number
        at += len(word) + 1
    starts[at] = len(words)
    return "".join((" ", *(f"{word} " for word in words))), starts
