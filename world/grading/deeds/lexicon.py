"""The phrases of phrases.yaml."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import Phrases
from world.grading.content.finding import Gravity

FILE = Path(__file__).with_name("phrases.yaml")
ANY, PRONOUN = "any", "it"


@dataclass(frozen=True, slots=True)
class Sense:
    """A kind that a phrase may be of, and the words that it must be done to; `free` takes anything, `bare` a pronoun."""

    kind: str
    things: frozenset[str]
    free: bool
    bare: bool


@dataclass(frozen=True, slots=True)
class Verb:
    """Senses of a phrase, in order.

    `only` is the frame it is bound to. `otherwise` is its kind when the writer has done it to something else.
    """

    senses: Sequence[Sense]
    only: str = ""
    otherwise: str = ""

    @property
    def kinds(self) -> frozenset[str]:
        """All of them."""
        return frozenset(sense.kind for sense in self.senses) | ({self.otherwise} if self.otherwise else set[str]())


@dataclass(frozen=True)
class Lexicon:
    """Phrases of deeds; `heads` finds a text that may have one."""

    phrases: Phrases
    verbs: Mapping[str, Verb]
    gravity: Mapping[str, Gravity]
    people: frozenset[str]
    things: frozenset[str]
    heads: re.Pattern[str]


@cache
def load_lexicon() -> Lexicon:
    """The phrases, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    classes = {name: frozenset(words.split()) for name, words in source["classes"].items()}
    verbs: dict[str, Verb] = {}
    lists: dict[str, list[str]] = {}
    for number, entry in enumerate(source["did"]):
        senses = [_read_sense(kind, names, classes) for kind, names in entry["as"].items()]
        verbs[str(number)] = Verb(senses, entry.get("only", ""), entry.get("else", ""))
        lists[str(number)] = entry["did"]
    return Lexicon(
        Phrases(lists),
        verbs,
        source["gravity"],
        classes["people"],
        frozenset[str]().union(*classes.values()) - classes["people"],
        _find_heads(source),
    )


def _read_sense(kind: str, names: str, classes: Mapping[str, frozenset[str]]) -> Sense:
    asked = names.split()
    things = frozenset[str]().union(*(classes.get(name, frozenset({name})) for name in asked))
    return Sense(kind, things - {ANY, PRONOUN}, ANY in asked, ANY in asked or PRONOUN in asked)


def _find_heads(source: Mapping[str, Any]) -> re.Pattern[str]:
    """Any word with which a phrase may begin; of what is only said to be so, with a verb before it."""
    first: dict[bool, set[str]] = {True: set(), False: set()}
    for entry in source["did"]:
        for phrase in entry["did"]:
            inside = re.match(r"\(([^)]*)\)", phrase)
            words = (inside[1] if inside else phrase.split()[0]).split("|")
            begins = {word.split()[0] for word in words}
            if begins <= _COMMON:
                begins = set(_LETTERS.findall(phrase[phrase.rindex("(") :]))
            first[entry.get("only", "") == "passive"].update(begins)
    states = rf"(?:is|are|was|were|been|'s|all|now|already) (?:\w+ ){{0,2}}(?:{'|'.join(sorted(first[True]))})"
    return re.compile(rf"\b(?:{'|'.join(sorted(first[False] - _COMMON))}|{states})\b")


_LETTERS = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset("is are am you he she they somebody the".split())
