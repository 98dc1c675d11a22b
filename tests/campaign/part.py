"""What a part of the campaign is: how much the whole of it is, what must never happen, and what runs it."""

import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from world.bench.local_plane import Answer

Figures = Mapping[str, Any]
LONG_MS = 250  # a longer hold of the thread is counted
FOREIGN = (  # words of the libraries below, which no vendor says
    "Input should be",
    "Field required",
    "Extra inputs are not permitted",
    "validation error",
    "Value error,",
    "Traceback (most recent call last)",
    "pydantic",
    "sqlite",
    "apsw",
    "starlette",
    "Expecting value",
    "JSONDecodeError",
    "NoneType",
    "object has no attribute",
    "codec can't",
)


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a part runs: the company's image, a folder, and how much of the whole is done."""

    company: Path
    scratch: Path
    scale: float

    def share(self, whole: int, least: int = 1) -> int:
        """How many of so many are done at this scale."""
        return max(least, round(whole * self.scale))


@dataclass(frozen=True, slots=True)
class Part:
    """One part. `whole` is how many units are done at scale 1; `never` are its figures that must be 0.

    `run` answers its figures, of which `done` counts the units.
    """

    name: str
    whole: int
    unit: str
    never: tuple[str, ...]
    run: Callable[[Ground], Figures]


@dataclass(slots=True)
class Tally:
    """Counts of requests and of what must not come back, with the first examples of each on stderr."""

    counts: Counter[str] = field(default_factory=Counter[str])
    longest_ms: float = 0.0
    _said: Counter[str] = field(default_factory=Counter[str])

    def note(self, what: str, example: str) -> None:
        """Count something that must not happen."""
        self.counts[what] += 1
        self._said[what] += 1
        if self._said[what] <= 20:
            print(f"{what}: {example[:600]}", file=sys.stderr)

    def add(self, answer: Answer, asked: str, sent: str = "") -> None:
        """Count an answer. `asked` says what was asked for, `sent` what may stand in the answer because it was sent."""
        self.counts["requests"] += 1
        self.counts["refused" if answer.status >= 400 else "answered"] += 1
        if answer.status >= 500:
            self.note("five_hundreds", f"{asked} -> {answer.status} {answer.text[:200]}")
        if answer.hold_ms > LONG_MS:
            self.note("long_holds", f"{asked} held {answer.hold_ms:.0f} ms")
        self.longest_ms = max(self.longest_ms, answer.hold_ms)
        if answer.status >= 400 or b'"isError":true' in answer.body or b'"ok":false' in answer.body[:20]:
            foreign = next((word for word in FOREIGN if word in answer.text and word not in sent), None)
            if foreign:
                self.note("foreign_words", f"{asked} -> {answer.status} {answer.text[:300]}")

    def figures(self, *names: str) -> dict[str, int | float]:
        """The counts of these names, 0 where nothing was counted, and the longest hold."""
        counts = {name: self.counts[name] for name in ("requests", "answered", "refused", *names)}
        return {"done": counts.pop("requests"), **counts, "longest_hold_ms": round(self.longest_ms, 1)}


def chance_of(name: str) -> random.Random:
    """The chance of a part: the same inputs in every run."""
    return random.Random(f"campaign {name}")
