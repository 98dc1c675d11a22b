"""Sentences and clauses of a text, as the claims grammar reads them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from world.grading.claims import lexicon

QUOTE = "«quote»"
MAX_WORDS = 120  # of one clause; longer ones are read in pieces
_QUOTED = re.compile(r'"[^"\n]{0,2000}"|(?<!\w)\'[^\'\n]{3,400}\'(?!\w)')
_BREAK = re.compile(r"(?<=[.!?])[)\]]?\s+(?=[\"'(\[@#*]?[A-Z0-9«])|[!?]+\s+|\n+|(?<=[a-z)])\.\s+(?=[a-z])")
_TOKEN = re.compile(r"«quote»|n't|'(?:s|re|ll|ve|m|d)\b|[#@]?\w+(?:[./:@-]\w+)*|[,;:?!()\[\]]|(?<=\s)-+(?=\s)", re.I)
_STOPS = frozenset(";:()[]-")


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of one clause, folded. `asks`: its sentence is a question; `opener`: the conjunction before it."""

    words: tuple[str, ...]
    asks: bool = False
    opener: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The clauses between two full stops."""

    clauses: tuple[Clause, ...]
    asks: bool


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a normalised text; what stands in quotation marks is one opaque word."""
    masked = _QUOTED.sub(f" {QUOTE} ", text)
    start = 0
    for match in [*_BREAK.finditer(masked), None]:
        end = match.end() if match else len(masked)
        yield _sentence(masked[start:end].strip())
        start = end


def _sentence(part: str) -> Sentence:
    words = [_whole(m.group()) for m in _TOKEN.finditer(_split_contractions(part.casefold()))]
    asks = part.rstrip(")]\"' ").endswith("?") or (bool(words) and "?" in words[-1])
    return Sentence(tuple(_clauses(_without(words, lexicon.HARMLESS), asks)), asks)


def _split_contractions(text: str) -> str:
    text = text.replace("cannot", "can not").replace("can't", "can n't").replace("won't", "will n't")
    text = re.sub(r"\b(is|are|was|were|has|have|had|does|do|did|could|would|should|must)nt\b", r"\1 n't", text)
    return re.sub(r"n't\b", " n't", text)


def _whole(word: str) -> str:
    return word.strip(".")


def _without(words: Sequence[str], phrases: lexicon.Phrases) -> list[str]:
    kept: list[str] = []
    at = 0
    for start, end in iter_phrases(words, phrases):
        if start >= at:
            kept += words[at:start]
            at = end
    return [*kept, *words[at:]]


def _clauses(words: Sequence[str], asks: bool) -> Iterator[Clause]:
    current: list[str] = []
    opener = ""
    for index, word in enumerate(words):
        joins = word in lexicon.CLAUSE_WORDS and not _same_thing(words, index)
        if len(current) >= MAX_WORDS:
            yield Clause(tuple(current), asks, opener)
            current = []
        if word in _STOPS or word in ",?!" or joins:
            if current:
                yield Clause(tuple(current), asks, opener)
                opener = ""
            current = []
            opener = word if joins else opener
        else:
            current.append(word)
    if current:
        yield Clause(tuple(current), asks, opener)


def _same_thing(words: Sequence[str], index: int) -> bool:
    """Whether `and` or `so` here does not start a clause: `up and running`, `so far`."""
    around = (words[index - 1] if index else "", words[index], words[index + 1] if index + 1 < len(words) else "")
    if around[:2] in (("anything", "but"), ("nothing", "but")):
        return True
    if around in (("up", "and", "running"), ("done", "and", "dusted")):
        return True
    return around[1:] in (("so", "far"), ("so", "it"), ("or", "so")) and around[1] != "and"


@lru_cache(maxsize=512)
def _by_first(phrases: lexicon.Phrases) -> Mapping[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase), phrase)):
        if phrase:
            found.setdefault(phrase[0], []).append(phrase)
    return found


def iter_phrases(words: Sequence[str], phrases: lexicon.Phrases) -> Iterator[tuple[int, int]]:
    """Yield the span of each phrase that occurs, the longest at each place."""
    known = _by_first(phrases)
    for start, word in enumerate(words):
        for phrase in known.get(word, ()):
            if tuple(words[start : start + len(phrase)]) == phrase:
                yield start, start + len(phrase)
                break


def has(words: Sequence[str], phrases: lexicon.Phrases) -> bool:
    """Whether any of the phrases stands in the words."""
    return next(iter_phrases(words, phrases), None) is not None
