"""Violation found in a text: its kind, its gravity, and the words that show it."""

from dataclasses import dataclass
from typing import Literal

Gravity = Literal["slip", "harm"]
EXCERPT = 60


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong. `excerpt` is the offending stretch of the text, cut to 60 characters."""

    kind: str
    gravity: Gravity
    excerpt: str

    @property
    def why(self) -> str:
        """Wording of the violation in verdicts."""
        return f"{self.kind}: {self.excerpt!r}"


def find_at(text: str, start: int, end: int, kind: str, gravity: Gravity = "harm") -> Violation:
    """A finding on a stretch of a text."""
    return Violation(kind, gravity, to_excerpt(text[start:end]))


def to_excerpt(text: str) -> str:
    """A text on one line, cut to the length of an excerpt."""
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"
