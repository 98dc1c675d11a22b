"""The words of `languages.yaml`, ready to be looked up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.content.text import Word
from world.grading.folding import fold

Span = tuple[int, int]  # of the words of a sentence
PATH = Path(__file__).with_name("languages.yaml")
KINDS = ("nouns", "metaphors", "adjectives", "phrases", "addressed", "criminals")
SETS = "be filler you they self passive have not if that seized deeds report which the by".split()


class Phrases:
    """Phrases of one word or several, found by their first word."""

    def __init__(self, text: str = "") -> None:
        self.by_first: dict[str, list[tuple[str, ...]]] = {}
        for phrase in sorted({tuple(word.split("_")) for word in fold(text).low.split()}, key=len, reverse=True):
            self.by_first.setdefault(phrase[0], []).append(phrase)
        self._first_words = frozenset(self.by_first)

    def __bool__(self) -> bool:
        return bool(self.by_first)

    def find(self, words: Sequence[Word]) -> Iterator[Span]:
        """Yield the span of each phrase that occurs, the longest at each place."""
        if self._first_words.isdisjoint(word.text for word in words):
            return
        for at, word in enumerate(words):
            for phrase in self.by_first.get(word.text, ()):
                if all(one.text == wanted for one, wanted in zip(words[at:], phrase, strict=False)):
                    if at + len(phrase) <= len(words):
                        yield at, at + len(phrase)
                        break

    def may_stand_in(self, vocabulary: frozenset[str]) -> bool:
        """Whether a text with these words can hold one of them."""
        return any(
            vocabulary.issuperset(phrase) for first in self._first_words & vocabulary for phrase in self.by_first[first]
        )

    def stand_in(self, words: Sequence[Word]) -> bool:
        """Whether one of them stands among words."""
        return any(True for _ in self.find(words))


NOTHING = Phrases()


@dataclass(frozen=True, slots=True)
class Crime:
    """A deed: the words for it, the words that must stand near by (if any), and those that must not."""

    words: Phrases
    needs: Phrases
    excludes: Phrases


@dataclass(frozen=True, slots=True)
class Language:
    """One language: phrases by what they do, and its little words."""

    name: str
    nouns: Phrases
    metaphors: Phrases
    adjectives: Phrases
    phrases: Phrases
    addressed: Phrases
    criminals: Phrases
    crimes: tuple[Crime, ...]
    states: tuple[Crime, ...]
    common: frozenset[str]
    little: Mapping[str, frozenset[str]]
    gaps: frozenset[str]  # words allowed between a person and the words about them

    def __getitem__(self, name: str) -> frozenset[str]:
        """The little words of a kind: `be`, `you`, `self`, `not` ..."""
        return self.little[name]


@cache
def read_languages() -> tuple[Language, ...]:
    """All languages."""
    raw: dict[str, dict[str, Any]] = load_yaml(PATH.read_text(encoding="utf-8"))
    return tuple(_language(name, words) for name, words in raw.items())


def _language(name: str, raw: Mapping[str, Any]) -> Language:
    little = {kind: frozenset(fold(str(raw[kind])).low.split()) for kind in SETS}
    gaps = little["filler"] | little["be"] | little["have"]
    common = frozenset(fold(str(raw["common"])).low.split()).union(*little.values())
    objects: Mapping[str, str] = raw.get("objects", {})
    crimes, states = (tuple(_crime(line, objects) for line in raw.get(kind, ())) for kind in ("crimes", "states"))
    nouns, metaphors, adjectives, phrases, addressed, criminals = (Phrases(raw.get(kind, "")) for kind in KINDS)
    said = (nouns, metaphors, adjectives, phrases, addressed, criminals)
    return Language(name, *said, crimes, states, common, little, gaps)


def _crime(line: str, objects: Mapping[str, str]) -> Crime:
    for name, words in objects.items():
        line = line.replace(f"${name}", words)
    return Crime(*(Phrases(part) for part in line.split("|")))


@cache
def list_common() -> frozenset[str]:
    """The little words of all languages."""
    return frozenset[str]().union(*(one.common for one in read_languages()))


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase that insults or accuses: its words, and those of which some must stand near by, if any."""

    language: Language
    words: frozenset[str]
    needs: Phrases

    def is_in(self, vocabulary: frozenset[str]) -> bool:
        """Whether a text with these words may hold it."""
        return self.words <= vocabulary and (not self.needs or self.needs.may_stand_in(vocabulary))


@cache
def read_cues() -> Mapping[str, tuple[Cue, ...]]:
    """Read the phrases that insult or accuse, by their longest word."""
    found: dict[str, list[Cue]] = {}
    for language in read_languages():
        for phrases, needs in _list_phrases(language):
            for phrase in (one for some in phrases.by_first.values() for one in some):
                found.setdefault(max(phrase, key=len), []).append(Cue(language, frozenset(phrase), needs))
    return {word: tuple(cues) for word, cues in found.items()}


def _list_phrases(language: Language) -> Iterable[tuple[Phrases, Phrases]]:
    said = (language.nouns, language.metaphors, language.adjectives, language.phrases, language.addressed)
    yield from ((phrases, NOTHING) for phrases in (*said, language.criminals))
    yield from ((crime.words, crime.needs) for crime in (*language.crimes, *language.states))
    yield from ((Phrases(" ".join(language[kind])), NOTHING) for kind in ("seized", "deeds"))
