"""Attributions in a text: words, decisions and wishes that it puts on somebody else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from world.grading.attributions.lexicon import Lexicon, load_lexicon
from world.grading.commitment.patterns import PhraseMatch
from world.grading.deeds.extraction import list_stems
from world.grading.deeds.sentences import DeedSentence, denies
from world.grading.facts import Fact

Who = Fact | str  # a named person, or a title
_AUXILIARIES = frozenset(
    """
    has have had also just already really personally explicitly clearly today yesterday now both all together himself herself then
    again even still only finally later recently always never_mind themselves actually basically simply specifically kindly this morning
    afternoon very once twice of course strongly flatly in person too
    """.split()
)
_OPEN = frozenset(
    """
    if whether unless until till once when before should would could can may might maybe perhaps will ask asking check checking let wait
    waiting need needs needed hope hopefully please not no nobody did does do what how who which why where want get getting pending await awaiting
    without must wish guess suppose wonder wondering see unclear sure wenn ob falls bitte tell
    """.split()
)
_AWAITING = frozenset(
    "waits awaits awaiting lacks lack lacking requires require depends hinges missing subject".split()
)
_ABSENT = frozenset(
    "missing pending outstanding lacking need needed required awaited absent open necessary wanting".split()
)
_LINKING = frozenset("is are was were 's still yet now also all just only the that what it we i".split())
_CONSENTS = frozenset(
    "approval ok okay go ahead yes consent green permission blessing light off signoff decision verdict call word backing".split()
)
_PRONOUNS = frozenset("he she they".split())
_LITTLE = frozenset("our the my your a an".split())


@dataclass(frozen=True, slots=True)
class Attribution:
    """Words or wishes that a text attributes to people: `kind` (order, say), `about`, and the sentence.

    `fault` holds the words of what they are blamed for, `named` those of names of others. `denies` says that the
    attribution is negated.
    """

    who: Sequence[Who]
    kind: str
    about: frozenset[str]
    text: str
    fault: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    denies: bool = False

    def is_covered(self, stems: frozenset[str], share: float, least: int = 1) -> bool:
        """Whether words have a share of those that it is about, and one that is no name; a figure speaks for itself."""
        if not self.about:
            return least == 1
        covered = self.about & stems
        if any(len(stem) > 1 and stem.isdigit() for stem in covered - self.named):
            return True
        needed = max(ceil(share * len(self.about)), min(least, len(self.about)))
        return len(covered) >= needed and not (self.about - self.named or covered).isdisjoint(covered)


@dataclass(frozen=True)
class TitledSentence:
    """A sentence in which titles stand as names too."""

    wording: DeedSentence
    who: dict[int, Who]


def list_attributions(wordings: Sequence[DeedSentence]) -> Iterator[Attribution]:
    """Iterate over the attributions in sentences: words and wishes of others."""
    lexicon, before = load_lexicon(), None
    for at, wording in enumerate(wordings):
        reading = put_titles(wording, lexicon)
        if not wording.asks:
            leads = wording.text.rstrip(" *_").endswith(":")
            more = wordings[at + 1].written if leads and at + 1 < len(wordings) else ()
            yield from _read_sentence(reading, before, more, lexicon)
        before = reading


def put_titles(wording: DeedSentence, lexicon: Lexicon) -> TitledSentence:
    """Return a sentence in which titles such as `our head of support` stand for people."""
    words = list(wording.words)
    who: dict[int, Who] = {at: fact for at, fact in wording.names.items() if fact.kind == "person"}
    for at, word in enumerate(words):
        if word in lexicon.titles:
            who[at], words[at] = word, "somebody"
    for hit in lexicon.headed.find(words):
        who[hit.start] = " ".join(words[hit.start : hit.end])
        words[hit.start : hit.end] = ["somebody", *[")"] * (hit.end - hit.start - 1)]
    return TitledSentence(replace(wording, words=words), who)


def _read_sentence(
    reading: TitledSentence, before: TitledSentence | None, more: Sequence[str], lexicon: Lexicon
) -> Iterator[Attribution]:
    words = reading.wording.words
    for hit in lexicon.behind.find(words):
        at = hit.end - 1
        if at in reading.who and not is_open(reading.wording, hit.start):
            yield attribute(reading, [reading.who[at]], hit, more, "order")
    for hit in lexicon.ahead.find(words):
        who, start = find_subject(reading, hit, before)
        if hit.tag == "owned" and is_awaited(reading.wording, start, hit.end, more):
            continue
        if who and not is_open(reading.wording, start) and (hit.tag != "plural" or _is_group(who)):
            yield attribute(reading, who, hit, more, "say" if hit.tag == "say" else "order")


def _is_group(who: Sequence[Who]) -> bool:
    return len(who) > 1 or isinstance(who[0], str)


def is_open(wording: DeedSentence, at: int) -> bool:
    """Whether what stands before makes it a plan, a wish, a question or a condition."""
    return not _OPEN.isdisjoint(wording.words[wording.begin(at) : at])


def is_awaited(wording: DeedSentence, start: int, end: int, more: Sequence[str]) -> bool:
    """Whether somebody's consent, named from one place to another, is said to be wanting: `their approval is missing`.

    `more` is what follows a colon at the end.
    """
    words = wording.words
    if words[end - 1] not in _CONSENTS:
        return False
    after = next((word for word in (*words[end : wording.end(end)], *more) if word not in _LINKING), "").lower()
    return after in _ABSENT or not _AWAITING.isdisjoint(words[wording.begin(start) : start])


def find_subject(reading: TitledSentence, hit: PhraseMatch, before: TitledSentence | None) -> tuple[list[Who], int]:
    """Return the people named before a verb, and the position of the first of them."""
    words, at = reading.wording.words, hit.start - 1
    while at >= 0 and (words[at] in _AUXILIARIES or words[at] in ("(", ")")):
        at -= 1
    if at >= 0 and words[at] == ",":
        at = at - 1 if at - 1 in reading.who and words[at - 2 : at - 1] == [","] else _skip_apposition(words, at)
    if at < 0:
        return [], 0
    if words[at] in _PRONOUNS and hit.tag != "owned":
        return find_antecedent(reading, at, before), at
    if at not in reading.who:
        return [], 0
    found = [reading.who[at]]
    if at >= 2 and words[at - 1] in ("and", "&", "or") and at - 2 in reading.who:
        found.append(reading.who[at - 2])
        at -= 2
    return found, at


def _skip_apposition(words: Sequence[str], at: int) -> int:
    """The name before `, our CTO,`."""
    start = at - 1
    while start >= 0 and at - start <= 5 and words[start] != ",":
        start -= 1
    return start - 1 if start >= 0 and words[start] == "," else -1


def find_antecedent(reading: TitledSentence, at: int, before: TitledSentence | None) -> list[Who]:
    """The only person whom a pronoun can mean."""
    people = [who for place, who in reading.who.items() if place < at]
    if not people and before is not None:
        people = list(before.who.values())
    return people if len(people) == 1 else []


def attribute(reading: TitledSentence, who: list[Who], hit: PhraseMatch, more: Sequence[str], kind: str) -> Attribution:
    """Build the attribution of a phrase to people, about the rest of its sentence."""
    written = reading.wording.written
    rest = [word for at, word in enumerate(written) if not hit.start <= at < hit.end and at not in reading.who]
    bodies = {at for at, fact in reading.wording.names.items() if fact.kind != "key"}
    named = (word for at, word in enumerate(written) if at in bodies and at not in reading.who)
    return Attribution(
        who,
        kind,
        list_stems(" ".join((*rest, *more))) - _SMALL,
        reading.wording.text,
        named=list_stems(" ".join(named)),
        denies=denies(rest),
    )


_SMALL = list_stems(
    """
    eur usd gbp chf while something somebody said says told asked wants decided agreed approved confirmed promised know thing things
    """
)
