"""Excerpts of texts: short, on one line, around what matters."""

import re
from collections.abc import Callable, Iterator

from world.grading.text import Text

LONGEST = 160  # characters of an excerpt
_END = re.compile(r"(?<=[.!?])\s+|\n+")


def shorten(text: str, most: int = LONGEST) -> str:
    """A text on one line, cut at a length."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def quote(text: str) -> str:
    """An excerpt between quotation marks; `nothing` for an empty text."""
    said = shorten(text)
    return f"“{said}”" if said else "nothing"


def list_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences and lines of a text."""
    start = 0
    for match in _END.finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def find_sentence(text: str, at: int) -> str:
    """The sentence around a place."""
    return next((text[start:end] for start, end in list_sentences(text) if start <= at < end), text)


def find_holding(text: Text, holds: Callable[[Text], bool]) -> str:
    """The first sentence of which something holds; empty if it holds of none by itself."""
    sentences = (text.plain[start:end] for start, end in list_sentences(text.plain))
    return next((one for one in sentences if holds(Text(one))), "")
