"""The shared words: cues that turn, void or date a statement, pairs of opposites, and common words of English."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from world.core.yaml_text import load_yaml
from world.grading.stance.inflections import inflect
from world.grading.stance.phrases import PhraseTable

FOLDER = Path(__file__).parent
TIME_TAGS = ("remote", "near_past", "past", "now", "present")
CLAIM_TAGS = ("claim", "untrue")
Pole = Literal["positive", "negative"]


class Concept(BaseModel, extra="forbid", frozen=True):
    """A pair of opposites, with the phrases that say either."""

    state: bool = Field(default=False, description="Holds now: the past says nothing on it.")
    ahead: bool = Field(default=False, description="`will` announces it bindingly.")
    event: bool = Field(default=False, description="Happens once: what is under way has not happened.")
    timetable: bool = Field(default=False, description="The present with a time ahead announces it: sent tonight.")
    directive: bool = Field(default=False, description="Is asked for rather than reported.")
    positive: tuple[str, ...]
    negative: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cues:
    """The phrases of cues.yaml by tag."""

    scope: dict[str, tuple[str, ...]]
    time: PhraseTable
    claims: PhraseTable


@cache
def load_cues() -> Cues:
    """The cues, those of time and of claims apart: they may share words with others."""
    source: dict[str, list[str]] = load_yaml((FOLDER / "cues.yaml").read_text(encoding="utf-8"))
    time = PhraseTable()
    for tag in TIME_TAGS:
        time.add(tag, source[tag])
    claims = PhraseTable()
    for tag in CLAIM_TAGS:
        claims.add(tag, source[tag])
    apart = (*TIME_TAGS, *CLAIM_TAGS)
    return Cues({tag: tuple(phrases) for tag, phrases in source.items() if tag not in apart}, time, claims)


@cache
def load_concept(name: str) -> Concept:
    """A pair of opposites by its name."""
    text = (FOLDER / "concepts" / f"{name}.yaml").read_text(encoding="utf-8")
    return Concept.model_validate(load_yaml(text))


@cache
def load_common_words() -> frozenset[str]:
    """Everyday English: words that name no subject of their own."""
    return load_small_words() | load_verbs() | frozenset((FOLDER / "nouns.txt").read_text(encoding="utf-8").split())


@cache
def load_small_words() -> frozenset[str]:
    """Small words, adverbs and adjectives, which narrow no noun to another thing."""
    return frozenset((FOLDER / "common.txt").read_text(encoding="utf-8").split())


@cache
def load_verbs() -> frozenset[str]:
    """Everyday verbs in all their forms."""
    verbs = (FOLDER / "verbs.txt").read_text(encoding="utf-8").split()
    return frozenset(form for verb in verbs for form in inflect(verb))
