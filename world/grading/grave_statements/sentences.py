"""Sentences with masked names: `somebody` for a person, customer or vendor, `someone` for an unnamed person, `code` for a
name such as `book_slot`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from world.core.reading.passage import Passage
from world.grading.commitment.sentences import Sentence, list_quotations, split_sentences
from world.grading.content.people import list_mentions
from world.grading.facts import Vocabulary

Span = tuple[int, int]
_IDENTIFIER = re.compile(r"[^\W_]+(?:_+[^\W_]+)+")


@dataclass(frozen=True, slots=True)
class MaskedSentence:
    """A sentence, and its words with names masked."""

    sentence: Sentence
    words: Sequence[str]


def read_lines(passage: Passage, vocabulary: Vocabulary) -> Iterator[MaskedSentence]:
    """The sentences that are the author's own."""
    named, quoted = list_mentions(passage, vocabulary), list_quotations(passage.text)
    for sentence in split_sentences(passage):
        if not any(start <= sentence.start < end for start, end in quoted):
            yield MaskedSentence(sentence, _without_names(sentence, named, quoted))


def _without_names(sentence: Sentence, named: Sequence[Span], quoted: Sequence[Span]) -> list[str]:
    words: list[str] = []
    inside: Span | None = None
    code = [(sentence.start + one.start(), sentence.start + one.end()) for one in _IDENTIFIER.finditer(sentence.text)]
    for token in sentence.tokens:
        at = sentence.start + token.start
        if any(start < at < end for start, end in quoted):
            continue
        name = next((one for one in (*named, *code) if one[0] <= at < one[1]), None)
        if name in code:
            words += ["code"] if name != inside else []
        elif name is None:
            words.append("someone" if token.text == "somebody" else token.text)
        elif name != inside:
            words.append("somebody")
        inside = name
    return words if words[-1:] in (["."], ["!"], ["?"]) else [*words, "."]
