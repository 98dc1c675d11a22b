"""Sentences in other languages than English: they are not understood, except greetings."""

import re
from functools import cache
from pathlib import Path

from world.core.yaml_text import load_yaml
from world.grading.commitment.sentences import Sentence
from world.grading.stance.lexicon import load_common_words
from world.grading.stance.speech import is_english

FILE = Path(__file__).parent / "languages.yaml"
MOST_GREETED = 6  # words of a greeting
FEW = 3
LONG = 6  # words: in English some of them are everyday ones
ACCENTED = 2  # words in small letters with accents; English has few
BORROWED = frozenset(
    "café cafés résumé résumés naïve cliché clichés décor fiancé fiancée façade à über née vis touché déjà".split()
)
_LETTERS = re.compile(r"[^\W\d_]+")
_OTHER_SCRIPT = re.compile(
    r"[\u0370-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0e7f\u10a0-\u10ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)


@cache
def _words(key: str) -> frozenset[str]:
    source: dict[str, list[str]] = load_yaml(FILE.read_text(encoding="utf-8"))
    return frozenset(word.casefold() for line in source[key] for word in line.split())


def is_foreign(sentence: Sentence) -> bool:
    """Whether a sentence is in another language, and more than a greeting."""
    letters = [word.casefold() for word in _LETTERS.findall(sentence.text)]
    if not letters or _is_greeting(letters):
        return False
    if len(_OTHER_SCRIPT.findall(sentence.text)) > 2:
        return True
    strange = [word for word in letters if word not in load_common_words()]
    if any(word in _words("denials") for word in strange) or (len(strange) == len(letters) and _is_long(sentence)):
        return True
    written = [word for word in _LETTERS.findall(sentence.text) if word.islower() and not word.isascii()]
    if sum(word not in BORROWED for word in written) >= ACCENTED:
        return True
    foreign = [word for word in strange if word in _words("small")]
    if len(foreign) >= 2 and not is_english(letters):
        return True
    return len(letters) >= FEW and 3 * len(foreign) >= len(letters) and len(foreign) >= 2


def _is_long(sentence: Sentence) -> bool:
    """Whether a sentence is more than a list of names: long, and not all of its words have capitals."""
    found = _LETTERS.findall(sentence.text)
    return len(found) >= LONG and any(word.islower() for word in found)


def _is_greeting(letters: list[str]) -> bool:
    return len(letters) <= MOST_GREETED and any(word in _words("greetings") for word in letters)
