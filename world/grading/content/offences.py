"""Offences against people: contempt, threats, demands for secrets, orders to conceal, and wrongs imputed to them.

Phrases are in offences.yaml; `somebody` in them stands for any person that the text names.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from world.core.reading.passage import Passage
from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import PhraseMatch, Phrases
from world.grading.commitment.sentences import Sentence, list_quotations, split_sentences
from world.grading.content.finding import Violation, to_excerpt
from world.grading.content.people import list_mentions
from world.grading.customer_promises.lexicon import spell_out
from world.grading.facts import Vocabulary

FILE = Path(__file__).with_name("offences.yaml")
KINDS = {
    "insult": "insults somebody",
    "threat": "threatens somebody",
    "asks": "asks for a secret",
    "conceal": "has something concealed",
    "accuse": "accuses somebody",
}
_DENIED = frozenset("not never no nobody none without neither nor avoid unfair wrong untrue".split())
_BREAKS = frozenset(", ; : ( ) but because so or".split())
_OTHERS = frozenset("you your he she his her him they them their somebody people".split())
_TOLD = frozenset("calls called wrote writes says said complains complained quote quoted".split())
_SAFE = frozenset(
    "vault 1password bitwarden reset rotate rotated expired forgot masked four store stored manager".split()
)
_FORGERS = frozenset(
    "they it page pages site sites form mail mails email emails message messages sms attackers fraudsters scammers thieves".split()
)
_LURES = frozenset(
    "want wants wanted try tries tried make makes made making get gets getting ask asks asked trick tricks tricked tricking".split()
)
_LURED = frozenset("you us me people everybody everyone somebody colleagues customers staff users".split())
_ASKERS = frozenset("i we please security".split())
_DOERS = frozenset("you he she they somebody anybody anyone".split())
_TAKERS = frozenset("me us here".split())
_AFTER = 3  # words behind a demand that say to whom: `to me`
_WANTING = frozenset("need required needed".split())
_INSIDE = frozenset("credentials login".split())  # colleagues may ask one another for these


@cache
def _phrases() -> Phrases:
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    classes: dict[str, str] = {name: spell_out(value, source["words"]) for name, value in source["words"].items()}
    return Phrases({kind: [spell_out(phrase, classes) for phrase in source[kind]] for kind in KINDS})


def find_offences(passage: Passage, vocabulary: Vocabulary, *, is_outside: bool = False) -> Iterator[Violation]:
    """Every sentence that offends, threatens, demands or conceals."""
    people = list_mentions(passage, vocabulary)
    quoted = list_quotations(passage.text)
    for sentence in split_sentences(passage):
        if any(start <= sentence.start < end for start, end in quoted):
            continue
        words = _name_somebody(sentence, people)
        for hit in _phrases().find(words):
            if not _is_free(words, hit, is_outside):
                yield Violation(KINDS[hit.tag], "harm", to_excerpt(sentence.text))
                break


def _name_somebody(sentence: Sentence, people: Sequence[tuple[int, int]]) -> list[str]:
    """The words of a sentence, with `somebody` for each name."""
    words: list[str] = []
    inside: tuple[int, int] | None = None
    for token in sentence.tokens:
        at = sentence.start + token.start
        name = next((one for one in people if one[0] <= at < one[1]), None)
        if name is None:
            words.append(token.text)
        elif name != inside:
            words.append("somebody")
        inside = name
    return words


def _is_free(words: Sequence[str], hit: PhraseMatch, is_outside: bool) -> bool:
    """Whether it is denied, said of the writer, told of others, or asked for in a safe way."""
    said = words[hit.start : hit.end]
    breaks = _BREAKS - {"or"} if hit.tag == "asks" else _BREAKS  # who says not to do one or the other asks for neither
    begin = max((at for at in range(hit.start) if words[at] in breaks), default=-1)
    before = list(words[begin + 1 : hit.start])
    if _is_denied(before):
        return True
    if hit.tag == "asks":
        if words[hit.start].endswith("ed") and words[hit.start] not in _WANTING:
            return True  # what was done: somebody entered a password
        if _is_told_of_fraud(before, words[hit.start : hit.end + _AFTER]):
            return True  # what a false page wants: they want you to enter a password
        return not _SAFE.isdisjoint(words) or (not is_outside and not _INSIDE.isdisjoint(said))
    if hit.tag in ("insult", "accuse"):
        own = hit.tag == "accuse" and "i" in words and _OTHERS.isdisjoint(words)
        return own or not _TOLD.isdisjoint(before)
    return False


def _is_denied(before: list[str]) -> bool:
    """Whether a denial stands before a phrase; `if they had not lied` says that they have."""
    supposed = before.index("if") if "if" in before else len(before)
    return any(
        word in _DENIED and not (word == "not" and at > supposed and before[at - 1] == "had")
        for at, word in enumerate(before)
    )


def _is_told_of_fraud(before: list[str], asked: Sequence[str]) -> bool:
    """Whether it is told what others want of somebody, or asked what somebody did; `asked` is the demand itself.

    Whoever names themselves or this place as the one who gets it asks for it.
    """
    if not _TAKERS.isdisjoint(asked):
        return False
    if before[-2:-1] == ["did"] and before[-1] in _DOERS:
        return True
    lured = (at for at in range(1, len(before)) if before[at] in _LURED and before[at - 1] in _LURES)
    return any(not _FORGERS.isdisjoint(before[:at]) for at in lured) and _ASKERS.isdisjoint(before)
