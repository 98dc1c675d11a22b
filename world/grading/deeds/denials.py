"""The deeds that a text denies: that its author has done something, that a thing is done, or that anything is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.commitment.patterns import PhraseMatch, Phrases
from world.grading.deeds.affirmations import DENIALS, list_affirmations
from world.grading.deeds.extraction import PAST, list_claims
from world.grading.deeds.frames import CONDITIONS, MODALS, find_claim
from world.grading.deeds.sentences import DeedSentence
from world.grading.facts import Fact

FILE = Path(__file__).with_name("denials.yaml")
ANYTHING = "anything"  # the kind of a denial of all work
EXCEPTED = "excepted"  # that of all but one: what it is goes by the work
DEPLOYED = frozenset({"deployed"})
_MADE = {  # by the words of table names
    **dict.fromkeys(("github_pull", "issue", "milestone", "release"), "opened"),
    **dict.fromkeys(("permission", "member", "grant"), "admitted"),
    "review": "approved",
}


@dataclass(frozen=True)
class DenialLexicon:
    """The phrases of denials.yaml."""

    proven: Mapping[str, str]
    verbs: Phrases
    states: Phrases
    kinds: Mapping[str, frozenset[str]]
    others: Phrases
    idle: frozenset[str]
    parting: frozenset[str]
    cut: frozenset[str]
    nouns: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class DeniedDeed:
    """A deed that a clause denies, and what it says of its object.

    `kinds`: of the changes that would belie it. `names`: the objects it names. `words`: the words of
    its clause, `lead` those before it in the text. `unknown`: those by which it says something of its object that is
    not understood. `is_own`: it is said of the writer.
    """

    kinds: frozenset[str]
    names: Sequence[Fact]
    words: frozenset[str]
    lead: Sequence[str]
    text: str
    unknown: frozenset[str]
    is_own: bool = False
    is_general: bool = False
    is_past: bool = False


@cache
def get_denial_lexicon() -> DenialLexicon:
    """The phrases, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    lists = {name: {f"{name} {n}": entry for n, entry in enumerate(source[name])} for name in ("verbs", "states")}
    kinds = {tag: frozenset(entry["as"].split()) for entries in lists.values() for tag, entry in entries.items()}
    verbs, states = (Phrases({tag: entry["said"] for tag, entry in entries.items()}) for entries in lists.values())
    nouns = {word: frozenset(tables.split()) for words, tables in source["nouns"].items() for word in words.split()}
    words = {name: frozenset(said.split()) for name, said in source["words"].items()}
    others = Phrases({ANYTHING: source["nothing"], "absent": source["absent"], EXCEPTED: source["excepted"]})
    return DenialLexicon(
        source["proven"], verbs, states, kinds, others, words["idle"], words["parting"], words["cut"], nouns
    )


def list_denials(wordings: Sequence[DeedSentence]) -> Iterator[DeniedDeed]:
    """Every deed that the sentences of a text deny."""
    lead: list[str] = []
    for wording in wordings:
        if not (wording.asks or PAST.search(wording.text)):
            yield from _list_denied_claims(wording, lead)
            yield from _list_states(wording, lead)
            yield from _list_absences(wording, lead)
        lead += wording.words


def _list_denied_claims(wording: DeedSentence, lead: Sequence[str]) -> Iterator[DeniedDeed]:
    for one in list_affirmations(wording):
        for hit, kinds, is_own in _list_affirmed(one.wording):
            if not one.start <= hit.start < one.end or (one.is_general and one.wording.words[hit.start] == "done"):
                continue  # that nothing is done denies all work
            if kinds == DEPLOYED and {"main", "master"}.isdisjoint(wording.words[one.start : one.end]):
                continue  # what is merged need not be in production
            known = frozenset({hit.start, hit.end - 1})
            found = frozenset(get_denial_lexicon().proven[kind] for kind in kinds)
            denied = _describe(one.wording, (one.start, one.end), known, found, lead)
            yield replace(denied, is_own=is_own, is_general=one.is_general, is_past=one.is_past)


def _list_affirmed(wording: DeedSentence) -> Iterator[tuple[PhraseMatch, frozenset[str], bool]]:
    """The deeds that a sentence claims, each with its kinds, and whether they are the writer's."""
    lexicon = get_denial_lexicon()
    seen = set[int]()
    for hit in lexicon.verbs.find(wording.words):
        claim = find_claim(wording, hit.start, hit.end)
        if claim is not None:
            seen.add(hit.start)
            yield hit, lexicon.kinds[hit.tag], claim.frame == "own"
    for hit, deed in list_claims(wording):
        if hit.start not in seen and deed.kind in lexicon.proven and deed.kind != "changed":
            yield hit, frozenset({deed.kind}), deed.is_own


def _list_states(wording: DeedSentence, lead: Sequence[str]) -> Iterator[DeniedDeed]:
    """What is said to be as it was: `it is still open`, `I left it alone`."""
    lexicon = get_denial_lexicon()
    for hit in lexicon.states.find(wording.words):
        start, end = wording.begin(hit.start), wording.end(hit.end)
        outside = [*wording.words[start : hit.start], *wording.words[hit.end : end]]
        if DENIALS.isdisjoint(outside) and _is_stated(wording, start, hit):
            kinds = lexicon.kinds[hit.tag]
            known = _list_fixed(wording, hit)
            yield _describe(wording, (start, end), known, kinds, lead)


def _list_fixed(wording: DeedSentence, hit: PhraseMatch) -> frozenset[int]:
    """The first word of a phrase and its last ones: between them stands the object."""
    tail = (
        range(max(hit.start, hit.end - 3), hit.end)
        if wording.words[hit.end - 1] in ("is", "was", "are", "were")
        else ()
    )
    return frozenset({hit.start, hit.end - 1, *tail})


def _list_absences(wording: DeedSentence, lead: Sequence[str]) -> Iterator[DeniedDeed]:
    """That nothing is done, or that there is none of what was to be made."""
    lexicon = get_denial_lexicon()
    for hit in lexicon.others.find(wording.words):
        start, end = wording.begin(hit.start), wording.end(hit.end)
        known = frozenset(range(hit.start, hit.end))
        if hit.tag == EXCEPTED:
            start = hit.start
        if not _is_stated(wording, start, hit):
            continue
        if hit.tag in (ANYTHING, EXCEPTED):
            kinds = _name_kinds(wording.words[hit.start : hit.end]) if hit.tag == EXCEPTED else frozenset[str]()
            yield replace(_describe(wording, (start, end), known, kinds | {hit.tag}, lead), is_general=True)
            continue
        made = frozenset(
            _MADE[table]
            for word in wording.words[hit.start : end]
            for table in lexicon.nouns.get(word, frozenset())
            if table in _MADE
        )
        if made:
            yield _describe(wording, (start, end), known, made, lead)


def _name_kinds(words: Sequence[str]) -> frozenset[str]:
    """The kinds of the deed by which an exception is one: `all are closed but`."""
    lexicon = get_denial_lexicon()
    return frozenset(
        kind for hit in lexicon.verbs.find(words) if words[hit.start] != "done" for kind in lexicon.kinds[hit.tag]
    )


def _is_stated(wording: DeedSentence, start: int, hit: PhraseMatch) -> bool:
    before = frozenset(wording.words[start : hit.start])
    supposed = frozenset(wording.words[: hit.start]) & (
        CONDITIONS - {"had", "did", "should", "when", "before", "until", "till"}
    )
    return MODALS.isdisjoint(before) and not supposed


def _describe(
    wording: DeedSentence,
    clause: tuple[int, int],
    known: frozenset[int],
    kinds: frozenset[str],
    lead: Sequence[str],
) -> DeniedDeed:
    lexicon = get_denial_lexicon()
    start, end = clause
    last = max(known)
    end = next((at for at in range(last + 1, end) if wording.words[at] in lexicon.cut), end)
    said = [wording.words[at] for at in range(start, end) if at not in known]
    open_words = [
        word for word in said if word not in lexicon.idle and word not in lexicon.nouns and word[:1].isalnum()
    ]
    earlier = [*lead, *wording.words[:start]]
    names = wording.list_names(start, end)
    if not names and start > 0:  # `SHOP-4: not closed`
        names = (
            wording.list_names(wording.begin(start - 1), start) if wording.words[start - 1] in (":", "-", "–") else []
        )
    return DeniedDeed(kinds, names, frozenset(said), earlier, wording.text, frozenset(open_words))
