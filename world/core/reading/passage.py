"""A stretch of text as a person sees it, and what its dress says of parts of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

MarkKind = Literal["struck", "quoted", "code", "hidden", "link"]


@dataclass(frozen=True, slots=True)
class Mark:
    """Mark on `text[start:end]`: struck through, quoted from somebody else, code, hidden from view, a link."""

    start: int
    end: int
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class Passage:
    """Text without markup, lines ended by newlines; hidden text stands in it and is marked."""

    text: str
    marks: tuple[Mark, ...] = ()

    def marked(self, *kinds: MarkKind) -> Iterator[tuple[int, int]]:
        """Iterate over the stretches of text of some kinds, as (start, end)."""
        return ((mark.start, mark.end) for mark in self.marks if mark.kind in kinds)

    def is_marked(self, at: int, *kinds: MarkKind) -> bool:
        """Whether the character at an offset is of one of some kinds."""
        return any(start <= at < end for start, end in self.marked(*kinds))

    def without(self, *kinds: MarkKind) -> str:
        """Return the text with blanks in place of the stretches of some kinds: offsets stay."""
        letters = list(self.text)
        for start, end in self.marked(*kinds):
            letters[start:end] = ["\n" if letter == "\n" else " " for letter in letters[start:end]]
        return "".join(letters)
