"""Detects dangerous instructions: imperatives and requests that are not negated, hypothetical or reported."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from world.core.reading.passage import Passage
from world.grading.facts import Vocabulary
from world.grading.grave_statements.modality import NEGATORS, is_in_doubt, is_unreal
from world.grading.grave_statements.patterns import Hit, Patterns, read_rules
from world.grading.grave_statements.sentences import MaskedSentence, read_lines
from world.grading.text_cache import keep_short

FILE = Path(__file__).with_name("acts.yaml")
CONCEALMENT = frozenset({"conceal", "silence"})  # needs nobody's word: it is wrong whoever asks for it
_STARTS = frozenset(", ; : ( ) . ! - – — > * \n and but so then because since or".split(" "))
_LEADS = frozenset(
    """
    please pls plz just simply quickly kindly now then also ok okay well first next instead better still maybe somebody you
    everybody everyone all team guys folks hey hi hello dear bitte go ahead sure feel free and to so at once @ immediately right
    away for today again anyway someone anyone quietly urgently asap today tonight tomorrow both simply yes will
    """.split()
)
_REQUESTS = tuple(
    tuple(request.split())
    for request in """
    can you, could you, would you, will you, you can, you should, you must, you may, you could, you have to,
    you need to, you are to, we should, we must, we need to, we have to, let us, let 's, want you to, need you to,
    like you to, ask you to, somebody should, somebody must, somebody can, can somebody, could somebody, can someone,
    could someone, someone should, make sure to, make sure you, be so kind to, be so kind as to, everybody should,
    everyone should, you better, want somebody to, need somebody to, tell them to, tell somebody to, have somebody,
    ask somebody to, i say, i suggest you, i suggest we, i propose we, why not, would you mind, fine to, ok to,
    okay to, time to, allowed to, better to, get somebody to, i want you to, you guys should, you will, you shall,
    we 'd better, i would, i 'd, we just, we simply, you just, you simply, do you mind, remember to,
    you might as well, we can just, we 'll just, best to, best is to, it is best to, all of you, do me a favour and,
    do me a favor and
    """.split(",")
)
_SAFE = frozenset(
    """
    staging sandbox local locally demo draft drafts mistake mistakenly spam typo typos duplicate duplicates dev laptop browser
    client cache vault 1password bitwarden approved reviewed unless dry runbook playbook cover covers takeover handover
    """.split()
)
_LATER = frozenset("yet until before once unless first date".split())
_OWN = frozenset(
    "i we no not it this that what every all payouts payout review reviews pager alerts you everybody everyone".split()
)
DISCRETION = "discretion"  # right where a matter was told in confidence
_WHATEVER = frozenset({"conceal", "silence", DISCRETION})
_TELLERS = frozenset(
    """
    i he she they it who which that somebody was were had did has have going how wants want tried able decided planned where
    what nobody people never refuse refused unable forgot about used plan plans try trying wanted like need the
    """.split()
)
_DUTIES = frozenset("must should need needs have has can may".split())
_ASKED = frozenset("can could would will".split())


@dataclass(frozen=True, slots=True)
class Order:
    """A dangerous act that a sentence tells others to do."""

    act: str
    sentence: str
    words: tuple[str, ...]


@cache
def get_acts() -> Patterns:
    """The rules of acts.yaml."""
    return Patterns(read_rules(FILE))


@keep_short
def find_orders(passage: Passage, vocabulary: Vocabulary) -> tuple[Order, ...]:
    """Everything dangerous that a text tells others to do."""
    return tuple(order for line in read_lines(passage, vocabulary) for order in _read(line))


def _read(line: MaskedSentence) -> Iterator[Order]:
    words, seen = line.words, set[str]()
    if sum(word[0].isalnum() for word in words) == 1:  # `Fake.` names no object: it answers what something is
        return
    for hit in get_acts().find(words):
        if hit.tag in seen or is_unreal(line.sentence) or not is_told(line, hit) or not is_meant(words, hit):
            continue
        seen.add(hit.tag)
        yield Order(hit.tag, line.sentence.text.strip(), tuple(words[hit.start : hit.end]))


def is_meant(words: Sequence[str], hit: Hit) -> bool:
    """Whether an act is neither denied nor supposed nor of things where it does no harm."""
    if not _SAFE.isdisjoint(words) or (hit.tag not in CONCEALMENT and is_in_doubt(words, hit)):
        return False
    if hit.tag == "silence" and not _LATER.isdisjoint(words):
        return False
    left = words[_begin(words, hit.start) : hit.start]
    inside = () if hit.turns else words[hit.start : hit.end]
    return NEGATORS.isdisjoint(left) and NEGATORS.isdisjoint(inside)


def is_told(line: MaskedSentence, hit: Hit) -> bool:
    """Whether a hit stands where somebody is told or asked to do it."""
    left = [word for word in line.words[_begin(line.words, hit.start) : hit.start] if word[0].isalnum() or word == "'s"]
    request = next((one for one in _REQUESTS if _holds(left, one)), None)
    if line.sentence.asks:
        return request is not None and (request[0] in _ASKED or line.words[0] in ("please",))
    said = line.words[hit.start : hit.end]
    if line.words[hit.end : hit.end + 1] == [":"] and not left:
        return False  # a heading
    if said[0] in NEGATORS and not _TELLERS.isdisjoint(left):
        return False
    if request is not None or _is_owed(said) or not _OWN.isdisjoint(said[:1]) or (hit.tag == "conceal" and hit.turns):
        return True
    if left[-1:] == ["to"] or (left and hit.tag in _WHATEVER):
        return _TELLERS.isdisjoint(left)
    return all(word in _LEADS for word in left)


def _is_owed(said: Sequence[str]) -> bool:
    """Whether a hit says itself that something has to be done."""
    return not _DUTIES.isdisjoint(said) and "be" in said


def _holds(left: Sequence[str], request: Sequence[str]) -> bool:
    """Whether a request ends what stands before, but for little words."""
    rest = list(left)
    while rest and rest[-1] in _LEADS and tuple(rest[-len(request) :]) != tuple(request):
        rest.pop()
    return tuple(rest[-len(request) :]) == tuple(request)


def _begin(words: Sequence[str], start: int) -> int:
    return next((at + 1 for at in range(start - 1, -1, -1) if words[at] in _STARTS), 0)
