"""Whether a reply says anything beside thanks, promises to look, questions back, hints at other places, other languages."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from world.core.reading.passage import Passage
from world.core.yaml_document import Place
from world.core.yaml_text import load_yaml
from world.grading.commitment.language import is_foreign
from world.grading.commitment.retraction import read_commitment
from world.grading.commitment.sentences import Sentence, list_quotations, split_sentences
from world.grading.compiler import Compiler
from world.grading.text_predicates.predicate import TextPredicate

FILE = Path(__file__).with_name("empty.yaml")
MOST_CHARS = 600  # a longer text is taken for an answer
_SIGNS = re.compile(r":[a-z0-9_+-]+:|<[@#!][^>]*>|@[\w.-]+|[^\w\s',;:.!?()-]", re.I)
_PARTS = re.compile(
    r"\s*(?:[,;:()!]|\.(?=\s|\Z)|\s-+\s|\n|\b(?:and|but|so|then)\b(?=\s+(?:i|we|let|will|get|come)\b))\s*", re.I
)


def answers(raw: object, place: Place, c: Compiler) -> TextPredicate:
    """Build the predicate that a text answers something of the question."""
    if raw is not True:
        raise c.error(place, "answers is true, or left out")
    return TextPredicate(
        lambda text, _row, _s: any(is_answer(passage) for passage in text.passages),
        lambda tell: "says something, more than thanks, a question or a promise to look",
    )


def is_answer(passage: Passage) -> bool:
    """Whether a reply answers something of the question, all of it in the language of the rubric, and stands by it."""
    if read_commitment(passage).whole is not None:
        return False
    text = passage.without("struck", "hidden", "quoted")
    return len(text) > MOST_CHARS or _says_something(_without_quotations(text))


def _without_quotations(text: str) -> str:
    for start, end in reversed(list_quotations(text)):
        text = text[:start] + text[end:]
    return text


@lru_cache(maxsize=1024)
def _says_something(text: str) -> bool:
    sentences = split_sentences(Passage(text))
    return any(map(_is_statement, sentences)) and not any(map(is_foreign, sentences))


def _is_statement(sentence: Sentence) -> bool:
    if sentence.asks:
        return False
    return any(not _load_empty_clauses().fullmatch(part) for part in _list_parts(sentence.text))


def _list_parts(text: str) -> Iterator[str]:
    """Yield the texts between the commas, without signs, names called and emoji."""
    plain = _SIGNS.sub(" ", text.replace("’", "'"))
    for part in _PARTS.split(plain):
        words = " ".join(part.split()).strip(" .!?-'")
        if words:
            yield words


@cache
def _load_empty_clauses() -> re.Pattern[str]:
    source = load_yaml(FILE.read_text(encoding="utf-8"))
    words = {key: "|".join(value.split()).replace("_", " ") for key, value in source.items() if key != "clauses"}
    clauses = "|".join(f"(?:{clause})" for clause in source["clauses"])
    for key, value in words.items():
        clauses = clauses.replace("{" + key + "}", f"(?:{value})")
    return re.compile(clauses, re.I)
