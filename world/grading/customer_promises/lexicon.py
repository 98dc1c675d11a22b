"""The phrases of phrases.yaml."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import Phrases

FILE = Path(__file__).parent / "phrases.yaml"
GIFTS = ("gift", "waiver", "refund", "more", "release", "guarantee")
_CLASS = re.compile(r"\$([a-z_]+)")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sets of words that together, in one clause, give something of a kind."""

    kind: str
    one: frozenset[str]
    other: frozenset[str]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases and little words, by their purpose."""

    gifts: Phrases
    deduction: Phrases
    withdrawals: Phrases
    strict_condition: Phrases
    condition: Phrases
    exchange: Phrases
    silence: Phrases
    neutral: Phrases
    agreed: Phrases
    pairs: tuple[Pair, ...]
    words: dict[str, frozenset[str]]


@cache
def load_lexicon() -> Lexicon:
    """The phrases, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    classes: dict[str, str] = source["words"]

    def take(*tags: str) -> Phrases:
        return Phrases({tag: [spell_out(phrase, classes) for phrase in source[tag]] for tag in tags})

    return Lexicon(
        take(*GIFTS),
        take("deduction"),
        take("withdrawal", "doubt"),
        take("strict_condition"),
        take("condition"),
        take("exchange"),
        take("silence"),
        take("neutral"),
        take("agreed"),
        tuple(
            Pair(one["kind"], frozenset(one["one"].split()), frozenset(one["other"].split())) for one in source["pairs"]
        ),
        {name: frozenset(value.split()) for name, value in source.items() if isinstance(value, str)},
    )


def spell_out(phrase: str, classes: dict[str, str]) -> str:
    """A phrase with the words of its classes."""
    return _CLASS.sub(lambda match: classes[match[1]], phrase)
