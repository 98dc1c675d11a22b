"""The phrases of cues.yaml."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import Phrases
from world.grading.stance.tokens import words_of

FILE = Path(__file__).parent / "cues.yaml"
POINTERS = ("before", "after", "both", "none", "vague")


@dataclass(frozen=True, slots=True)
class Cues:
    """Phrases by what they are for, and single words that deny beside others."""

    pointers: Phrases
    predicates: Phrases
    retraction: Phrases
    unreal: Phrases
    wrapper: Phrases
    negation: Phrases
    irony: Phrases
    remark: Phrases
    bare: frozenset[str]
    signs: frozenset[str]
    unreal_words: frozenset[str]
    factive: frozenset[str]


@cache
def load_cues() -> Cues:
    """The cues, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))

    def take(*tags: str) -> Phrases:
        return Phrases({tag: source[tag] for tag in tags})

    return Cues(
        take(*POINTERS),
        take("untrue", "holds"),
        take("retraction"),
        take("unreal"),
        take("wrapper"),
        take("neutral", "negator"),
        take("irony"),
        take("remark"),
        frozenset(word for phrase in source["bare"] for word in words_of(phrase)),
        frozenset(source["signs"]),
        frozenset(source["unreal_words"].split()),
        frozenset(source["factive"].split()),
    )
