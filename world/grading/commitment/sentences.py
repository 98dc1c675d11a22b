"""The sentences of a text, each with where it stands, its words and how it is said."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from world.core.reading.passage import Passage
from world.grading.stance.tokens import Token, tokenize

_END = re.compile(
    r"(?<=[.!?。！？])[\"')\]*_~]*(?=\s|[*_~]|\Z)|(?<=:)(?=\s)|\.{3,}(?=\s)|…|\n+|(?<=[。！？])"
    r"|(?<=[a-z0-9%)])(?= (?:This|That|It|Not|No|None|Nothing|Please|Scratch|Strike|Correction|Everything|All|Never|Sorry|Edit|EDIT|PS|P\.S)\b)"
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|Nr|vs|approx|e\.g|i\.e|cf|etc|resp|ca|bzw|z\.B)|(?:\A|[(\s])[A-Z])\.\Z"
)
_QUOTE = re.compile(r"[\"“”„«»]([^\"“”„«»]{12,4000})[\"“”„«»]")
_SINGLE = re.compile(r"(?<![\w])[‘'‚`]([^‘’'`]{12,4000})['’`](?!\w)")
_SENTENCE_INSIDE = re.compile(r"[.!?](?:\s|\Z)")
_SHORT_QUOTE = 6  # words; a shorter quotation is a name or a term


@dataclass(frozen=True)
class Sentence:
    """A sentence: `text[start:end]` of the passage. `leads` ends with a colon, `asks` with a question mark."""

    text: str
    start: int
    end: int

    @cached_property
    def tokens(self) -> list[Token]:
        """Its words and signs; wide and ornamental letters as plain ones."""
        return tokenize(_plain(self.text))

    @cached_property
    def words(self) -> list[str]:
        """Its words alone, with signs that part clauses."""
        return [token.text for token in self.tokens]

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.rstrip("\"') *_").endswith("?")

    @property
    def leads(self) -> bool:
        """Whether it announces what follows."""
        return self.text.rstrip(" *_").endswith(":")


def _plain(text: str) -> str:
    """A text with every letter of another width or ornament in its plain form, letter for letter."""
    if text.isascii():
        return text
    return "".join(one if len(one := unicodedata.normalize("NFKC", letter)) == 1 else letter for letter in text)


@lru_cache(maxsize=512)
def split_sentences(passage: Passage) -> list[Sentence]:
    """The sentences of a text in order; what is struck out, hidden or quoted from others is left out."""
    text = passage.without("struck", "hidden", "quoted")
    return [Sentence(text[start:end], start, end) for start, end in _spans(text) if text[start:end].strip(" \t\n*_~|")]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _END.finditer(text):
        if match.group() == "" and _ABBREVIATED.search(text[max(0, match.start() - 8) : match.start()]):
            continue
        yield start, match.end()
        start = match.end()
    yield start, len(text)


def list_quotations(text: str) -> list[tuple[int, int]]:
    """List the stretches of whole sentences in quotation marks: they are somebody else's words."""
    found: list[tuple[int, int]] = []
    for match in (*_QUOTE.finditer(text), *_SINGLE.finditer(text)):
        inner = match[1]
        if _SENTENCE_INSIDE.search(inner) or len(inner.split()) >= _SHORT_QUOTE:
            found.append((match.start(), match.end()))
    return found
