"""Blame in a text: harm that somebody is said to have done, or care that they are said not to have taken."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from world.core.yaml_text import load_yaml
from world.grading.attributions.extraction import (
    Attribution,
    TitledSentence,
    Who,
    attribute,
    find_antecedent,
    find_subject,
    is_open,
    put_titles,
)
from world.grading.attributions.lexicon import load_lexicon
from world.grading.commitment.patterns import PhraseMatch, Phrases
from world.grading.deeds.extraction import list_stems
from world.grading.deeds.sentences import DeedSentence, is_bound

FILE = Path(__file__).with_name("blame.yaml")
BLAME = "blame"
NOBODY: list[Who] = [""]  # in particular
FEW_WORDS, MOST_WORDS = 6, 10  # between somebody without a name and a fault of theirs
RELATIVE_WORDS, MOST_TO_RELATIVE = 16, 6  # of a clause about them, and before it
NEAR = 4  # words between the owner of a thing and the thing
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPEAKERS = frozenset("i we you me us".split())
_APART = frozenset(
    ", ; : ( ) should could would can may might must to".split()
)  # what follows is of somebody else, or not done
_PRONOUNS = frozenset("he she they who".split())


@dataclass(frozen=True)
class BlameLexicon:
    """The phrases of blame.yaml. `heads` finds any word of theirs that says that there may be blame."""

    ahead: Phrases
    faults: Phrases
    behind: Phrases
    owned: Phrases
    yours: Phrases
    nameless: Phrases
    cause: Phrases
    things: frozenset[str]
    roles: frozenset[str]
    heads: re.Pattern[str]


@cache
def load_blame() -> BlameLexicon:
    """The phrases, read once."""
    source: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    lists = {
        name: Phrases({name: source[name]}) for name in ("faults", "behind", "owned", "cause", "yours", "nameless")
    }
    ahead = Phrases({name: source[name] for name in ("anybody", "person")})
    things = frozenset(source["things"].split())
    said = (phrase for name in ("anybody", "person", "faults", "behind", "cause", "yours") for phrase in source[name])
    words = {word for phrase in said for word in _WORD.findall(phrase)} - _COMMON
    return BlameLexicon(
        ahead,
        **lists,
        things=things,
        roles=frozenset(source["roles"].split()),
        heads=re.compile(rf"\b(?:{'|'.join(sorted(words | things))})\b", re.I),
    )


_COMMON = frozenset(
    """
    it this that the our all my your is are was were has have had to of on up by and not did us me you for no in as a every most again
    since even once simply just more always usual everything things any we his her their somebody about first work with off or out think act
    say look check checks test tell inform mention
    """.split()
)


def list_blames(wordings: Sequence[DeedSentence]) -> Iterator[Attribution]:
    """Yield every blame in sentences; questions, doubts and denials blame nobody."""
    before: TitledSentence | None = None
    lexicon = replace(load_lexicon(), titles=load_lexicon().titles | load_blame().roles)
    for wording in wordings:
        reading = put_titles(wording, lexicon)
        if not wording.asks and load_blame().heads.search(wording.text):
            yield from (_put_blame(reading, hit, who) for hit, who in _list_hits(reading, before))
        before = reading


def _put_blame(reading: TitledSentence, hit: PhraseMatch, who: list[Who]) -> Attribution:
    return replace(attribute(reading, who, hit, (), BLAME), fault=_name_fault(reading.wording.words, hit))


def _name_fault(words: Sequence[str], hit: PhraseMatch) -> frozenset[str]:
    """Return the stems of the fault: of the verb, or of the thing that somebody made."""
    if hit.tag == "cause":
        return frozenset()
    if hit.tag == "owned":
        return list_stems(" ".join(word for word in words[hit.end : hit.end + NEAR + 1] if word in load_blame().things))
    said = [
        stems
        for word in words[hit.start : hit.end]
        if word != "somebody" and (stems := list_stems(word) - _AUXILIARIES)
    ]
    return said[-1 if hit.tag in ("yours", "faults") else 0] if said else frozenset()


def _list_hits(reading: TitledSentence, before: TitledSentence | None) -> Iterator[tuple[PhraseMatch, list[Who]]]:
    lexicon, wording = load_blame(), reading.wording
    if before is not None and before.wording.words[-2:] == ["cause", ":"]:
        yield from _list_causes(reading)
    yield from _list_ahead(reading, before)
    for hit in lexicon.faults.find(wording.words):
        who = _find_culprit(reading, hit, before)
        if who and not is_open(wording, hit.start):
            yield hit, who
    for phrases, is_owned in ((lexicon.behind, False), (lexicon.cause, False), (lexicon.owned, True)):
        for hit in phrases.find(wording.words):
            if (one := reading.who.get(hit.end - 1)) is not None and not is_open(wording, hit.start):
                if not is_owned or _owns_thing(wording, hit):
                    yield hit, [one]
    yield from ((hit, []) for hit in lexicon.yours.find(wording.words) if not is_open(wording, hit.start))


def _list_ahead(reading: TitledSentence, before: TitledSentence | None) -> Iterator[tuple[PhraseMatch, list[Who]]]:
    """Yield the faults right behind whoever they are faults of, with a name or without."""
    lexicon, wording = load_blame(), reading.wording
    for hit in lexicon.ahead.find(wording.words):
        if _is_blameless(wording.words, hit):
            continue
        who, start = find_subject(reading, hit, before)
        if who and not is_open(wording, start) and (hit.tag == "anybody" or not isinstance(who[0], str)):
            yield hit, who
        elif not who and (start := _find_nameless(reading, hit)) is not None and not is_open(wording, start):
            yield hit, NOBODY


def _is_blameless(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether it was agreed, or nothing of some kind was done: `deleted it as planned`, `did nothing wrong`."""
    behind = words[hit.end :]
    if any(one == "as" and two in _AGREED for one, two in pairwise(behind)):
        return True
    return words[hit.end - 1] == "nothing" and bool(behind) and not (is_bound(behind[0]) or behind[0] in _ABSOLUTE)


_AUXILIARIES = list_stems("did does never even simply")
_AGREED = frozenset(
    "planned agreed asked requested announced scheduled instructed ordered intended discussed told".split()
)
_ABSOLUTE = frozenset("about for to until till when while all at in since whatsoever whatever as after before".split())


def _list_causes(reading: TitledSentence) -> Iterator[tuple[PhraseMatch, list[Who]]]:
    """Yield the people named first behind `Root cause:`, unless they are only said to have told of it."""
    words = reading.wording.words
    at = 1 if words[:1] in (["the"], ["our"]) else 0
    tells = any(hit.start <= at + 3 for hit in load_lexicon().ahead.find(words))
    if at in reading.who and not tells:
        yield PhraseMatch("cause", 0, at + 1), [reading.who[at]]


def _find_culprit(reading: TitledSentence, hit: PhraseMatch, before: TitledSentence | None) -> list[Who]:
    """The only person that a sentence speaks of before a fault, if nobody speaks of themselves."""
    words = reading.wording.words[: hit.start]
    if _SPEAKERS & set(words):
        return []
    people = [who for at, who in reading.who.items() if at < hit.start]
    if not people and _find_nameless(reading, hit, near=MOST_WORDS) is not None:
        return NOBODY
    if people:
        return people if len(people) == 1 and words[0] not in ("please", "ask", "tell", "let") else []
    return find_antecedent(reading, 0, before) if _PRONOUNS & set(words) else []


def _find_nameless(reading: TitledSentence, hit: PhraseMatch, near: int = FEW_WORDS) -> int | None:
    """Where somebody without a name is spoken of, at most some words before a fault: `a person in platform who`."""
    words = reading.wording.words
    found = [
        one.start
        for one in load_blame().nameless.find(words[: hit.start])
        if one.end + (RELATIVE_WORDS if _begins_relative(words, one.end) else near) >= hit.start
        and one.start not in reading.who
        and _SPEAKERS.isdisjoint(words[one.end : hit.start])
    ]
    between = words[found[-1] + 1 : hit.start] if found else ()
    if found and _begins_relative(words, found[-1] + 1):
        between = between[-2:]  # before the verb of its main clause
    return found[-1] if found and _APART.isdisjoint(between) else None


def _begins_relative(words: Sequence[str], at: int) -> bool:
    """Whether a relative clause begins at a place, maybe behind a place of work: `in the team that deployed last`."""
    return next(
        (word in _RELATIVES for word in words[at : at + MOST_TO_RELATIVE] if word in _RELATIVES | _APART), False
    )


_RELATIVES = frozenset("who that whose whom".split())


def _owns_thing(wording: DeedSentence, hit: PhraseMatch) -> bool:
    following = wording.words[hit.end : hit.end + NEAR + 1]
    return following[:1] == ["'s"] and not load_blame().things.isdisjoint(following)
