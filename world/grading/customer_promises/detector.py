"""Detects promises, clause by clause: gifts, guarantees, conditions on what is due, deductions from it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from world.core.reading.passage import Passage
from world.grading.commitment.patterns import PhraseMatch
from world.grading.commitment.sentences import Sentence, split_sentences
from world.grading.customer_promises.lexicon import Lexicon, load_lexicon

_BREAKS = frozenset("; because although though but however whereas".split())
_JOINING = frozenset("and so while".split())  # behind a comma they begin another clause
_OTHERS = frozenset("they he she you customer customers them".split())
_LIKE = frozenset("as like what".split())
_MONEY = frozenset("eur euro euros € $ £ usd gbp".split())
_BALANCE = frozenset("balance used".split())
_PERIODS = frozenset("months year years quarter quarters weeks each every".split())
NEAR = 8  # words between the two of a pair
_GRANT = re.compile(
    r"\b(?:i|we|quayline|finance|management)\s+(?:\w+\s+){0,3}?(?:give|grant|offer|credit|pay|refund|waive|promise|guarantee|assure|owe"
    r"|add|put|throw|cover|bear|double)\b"
    r"|\b(?:you|they|he|she)(?: will| can| shall| may)?\s+(?:also\s+|even\s+|then\s+)?(?:get|have|receive)\b"
    r"|\b(?:give|grant|offer|promise|tell|credit) (?:them|him|her|you)\b|\b(?:was|were|been|is|are) (?:also )?(?:promised|granted|offered|given)\b"
)  # somebody gives: what is compared beside it changes nothing


@dataclass(frozen=True, slots=True)
class Promise:
    """Promise of a sentence: a gift of some kind, a guarantee, a condition on what is due, or a deduction from it."""

    kind: str
    sentence: str


@lru_cache(maxsize=1024)
def find_promises(text: str) -> tuple[Promise, ...]:
    """Return every promise of a text, in order. Denied, compared, and other people's promises are none."""
    return tuple(
        Promise(kind, sentence.text.strip())
        for sentence in split_sentences(Passage(text))
        for kind in _list_kinds(sentence, load_lexicon())
    )


@lru_cache(maxsize=1024)
def find_withdrawals(text: str) -> tuple[Promise, ...]:
    """Return every sentence that takes back an earlier promise, or says that its figures are not to be trusted."""
    return tuple(
        Promise(hit.tag, sentence.text.strip())
        for sentence in split_sentences(Passage(text))
        if not sentence.asks and sentence.words[:1] not in (["if"], ["should"])
        for hit in load_lexicon().withdrawals.find(sentence.words)
        if "more" not in sentence.words[hit.start : hit.end + 3]
    )


@lru_cache(maxsize=1024)
def agrees(text: str) -> bool:
    """Whether a text agrees to a proposal and denies nothing."""
    lexicon = load_lexicon()
    sentences = split_sentences(Passage(text))
    return any(
        not _is_denied(sentence.words, hit, lexicon)
        for sentence in sentences
        for hit in lexicon.agreed.find(sentence.words)
    ) and not any(word in lexicon.words["denied"] for sentence in sentences for word in sentence.words)


def _list_kinds(sentence: Sentence, lexicon: Lexicon) -> Iterator[str]:
    words = sentence.words
    if sentence.asks:
        return
    for clause in _split_clauses(words):
        for hit in (*lexicon.gifts.find(clause), *_list_pairs(clause, lexicon)):
            if _is_given(clause, hit, lexicon):
                yield hit.tag
        if any(not _is_denied(clause, hit, lexicon) for hit in lexicon.deduction.find(clause)):
            yield "deduction"
    if _has_condition(words, lexicon):
        yield "condition"


def _split_clauses(words: Sequence[str]) -> Iterator[list[str]]:
    """The clauses of a sentence."""
    start = 0
    for at, word in enumerate(words):
        joins = word in _JOINING and at and words[at - 1] == ","
        if (word in _BREAKS or joins) and at > start:
            yield list(words[start:at])
            start = at
    yield list(words[start:])


# gifts


def _list_pairs(clause: list[str], lexicon: Lexicon) -> Iterator[PhraseMatch]:
    """Yield the places where two words together give something; `double-check` is one word."""
    for pair in lexicon.pairs:
        ones = [
            at for at, word in enumerate(clause) if word in pair.one and "check" not in "".join(clause[at + 1 : at + 2])
        ]
        others = [at for at, word in enumerate(clause) if word in pair.other]
        near = [(one, other) for one in ones for other in others if 0 < abs(one - other) <= NEAR]
        if near:
            yield PhraseMatch(pair.kind, near[0][0], near[0][0] + 1)


def _is_given(clause: list[str], hit: PhraseMatch, lexicon: Lexicon) -> bool:
    rest = [*clause[: hit.start], *clause[hit.end :]]
    if _is_denied(clause, hit, lexicon) or _is_wished(clause, hit, lexicon):
        return False
    if _names_sum(clause, hit):
        return False
    if hit.tag == "guarantee" and not lexicon.words["effort"].isdisjoint(rest):
        return False
    aside = lexicon.words["compared"] | lexicon.words["supposed"]
    return aside.isdisjoint(rest) or _GRANT.search(" ".join(clause)) is not None


def _is_denied(clause: list[str], hit: PhraseMatch, lexicon: Lexicon) -> bool:
    """Whether a denial stands before a phrase, or behind it: up to a comma, or anywhere where nobody gives."""
    neutral = {at for one in lexicon.neutral.find(clause) for at in range(one.start, one.end)}
    spared = neutral | set(range(hit.start, hit.end))
    far = hit.tag not in ("deduction", "guarantee") and _GRANT.search(" ".join(clause)) is None
    reach = clause if far else clause[: _end_of_part(clause, hit)]
    if hit.tag == "guarantee" and _is_disclaimed(clause[hit.end :]):
        return True
    return any(word in lexicon.words["denied"] for at, word in enumerate(reach) if at not in spared)


def _is_disclaimed(tail: list[str]) -> bool:
    """Whether what follows says that nobody can keep it."""
    return not {"nobody", "nothing"}.isdisjoint(tail) or ("can", "not") in pairwise(tail)


def _names_sum(clause: list[str], hit: PhraseMatch) -> bool:
    """Whether a sum of money is what is given, so that the sum decides: `we waive EUR 56.50 of it`."""
    sums = not _MONEY.isdisjoint(clause) and any(word[0].isdigit() for word in clause)
    used = hit.tag == "waiver" and not _BALANCE.isdisjoint(clause)
    return used or (sums and hit.tag in ("waiver", "refund") and _PERIODS.isdisjoint(clause))


def _end_of_part(clause: list[str], hit: PhraseMatch) -> int:
    """Return the position up to which words behind a phrase can deny it.

    A guarantee ends at once: it says itself what will never be.
    """
    if hit.tag == "guarantee":
        return hit.end
    return next((at for at in range(hit.end, len(clause)) if clause[at] == ","), len(clause))


def _is_wished(clause: list[str], hit: PhraseMatch, lexicon: Lexicon) -> bool:
    """Whether others ask for it: `you asked for three months free`, not `as you asked, you get ...`."""
    return any(
        word in lexicon.words["asked"] and clause[at - 1] in _OTHERS and (at < 2 or clause[at - 2] not in _LIKE)
        for at, word in enumerate(clause[: hit.start])
        if at
    )


# conditions


def _has_condition(words: list[str], lexicon: Lexicon) -> bool:
    """Whether something due depends on an act of its reader."""
    known = lexicon.words
    for phrases, duties in (
        (lexicon.strict_condition, known["duty"] | known["soft_duty"]),
        (lexicon.condition, known["duty"]),
    ):
        for hit in phrases.find(words):
            tail, rest = _split_at(words, hit)
            if _asks_of_reader(tail, duties) and not known["due"].isdisjoint(rest):
                return True
    bound = any(_asks_of_reader(words[hit.start :], known["duty"]) for hit in lexicon.exchange.find(words))
    return bound or any(True for _ in lexicon.silence.find(words))


def _split_at(words: list[str], hit: PhraseMatch) -> tuple[list[str], list[str]]:
    """Split the words of a sentence into those of a condition and those of the thing bound to it."""
    end = len(words)
    if hit.start == 0:
        end = next((at for at in range(hit.end, len(words)) if words[at] == ","), len(words))
    return words[hit.end : end], [*words[: hit.start], *words[end:]]


def _asks_of_reader(tail: list[str], duties: frozenset[str]) -> bool:
    return not {"you", "your", "yours", "yourself", "please"}.isdisjoint(tail) and not duties.isdisjoint(tail)
