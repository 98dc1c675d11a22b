"""A text ready to be judged: folded, in words, by sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from world.core.reading.passage import Passage
from world.grading.folding import FoldedText, fold
from world.grading.text_cache import keep_short

_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"[.!?;\n]+(?=\s|$)|\n")
_LEET = str.maketrans("013457@$", "oieastas")
_LONE = re.compile(r"\b\w[ .*-]\w[ .*-]\w\b")
_SPELT = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .*-]){3,}[^\W\d_](?![^\W_])")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is compared, and where it stands in the folded text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Text:
    """A passage that is judged. `quoted` stretches are somebody else's words."""

    passage: Passage

    @cached_property
    def folded(self) -> FoldedText:
        """With look-alike letters and accents folded away."""
        return fold(self.passage.text)

    @cached_property
    def words(self) -> Sequence[Word]:
        """All words, folded, in lower case; `1d10t` and `i d i o t` are read as the word they spell."""
        return [Word(read_leet(m.group()), m.start(), m.end()) for m in _WORD.finditer(self._joined)]

    @cached_property
    def tokens(self) -> Sequence[str]:
        """The words as they stand, which is quicker where their places do not matter."""
        plain = _WORD.findall(self.folded.low)
        return plain if self._joined is self.folded.low else _WORD.findall(self._joined)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The different words."""
        return frozenset(word if word.isalpha() else read_leet(word) for word in set(self.tokens))

    @cached_property
    def _joined(self) -> str:
        low = self.folded.low
        return _join_spelt(low) if _LONE.search(low) else low

    def sentences(self) -> Iterator["Sentence"]:
        """The words sentence by sentence, those of quotations left out."""
        low, begin = self.folded.low, 0
        ends = [(match.start(), match.end()) for match in _END.finditer(low)] + [(len(low), len(low))]
        index, words = 0, self.words
        for stop, following in ends:
            own: list[Word] = []
            while index < len(words) and words[index].start < following:
                own.append(words[index])
                index += 1
            if own and not self.is_quoted(own[0].start):
                yield Sentence(self, own, begin, stop, low[stop:following].strip())
            begin = following

    def is_quoted(self, at: int) -> bool:
        """Whether a letter of the folded text stands in a quotation."""
        return bool(self.passage.marks) and self.passage.is_marked(self.folded.place(at, at + 1)[0], "quoted")

    def excerpt(self, start: int, end: int) -> str:
        """The stretch of the text that a stretch of the folded one comes from."""
        begin, stop = self.folded.place(start, end)
        return self.passage.text[begin:stop]


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of one sentence, where it stands, and the marks that end it."""

    text: Text
    words: Sequence[Word]
    start: int
    end: int
    mark: str

    @property
    def is_question(self) -> bool:
        """Whether it asks."""
        return "?" in self.mark

    def gap(self, index: int) -> str:
        """Return the text between a word and the one before it."""
        before = self.words[index - 1].end if index else self.start
        return self.text.folded.low[before : self.words[index].start]

    @property
    def excerpt(self) -> str:
        """The sentence as it was written."""
        return self.text.excerpt(self.start, self.end)


@keep_short
def read_text(passage: Passage) -> Text:
    """The text of a passage; a short one is folded and split into words once."""
    return Text(passage)


def read_leet(word: str) -> str:
    """A word with digits in place of letters, as it is meant."""
    if word.isalpha() or word.isdigit() or len(word) < 4:
        return word
    return word.translate(_LEET) if sum(letter.isalpha() for letter in word) * 2 >= len(word) - 1 else word


def _join_spelt(low: str) -> str:
    """Words written letter by letter, joined; blanks keep everything else in its place."""
    if not _SPELT.search(low):
        return low
    return _SPELT.sub(lambda m: re.sub(r"[ .*-]", "", m.group()).ljust(len(m.group())), low)
