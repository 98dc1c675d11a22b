"""Attributions in a text: words, decisions and wishes that it puts on somebody else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import Literal

from world.grading.attributions.approvals import list_numbers, waives_check
from world.grading.attributions.lexicon import Lexicon, load_lexicon
from world.grading.commitment.patterns import PhraseMatch
from world.grading.deeds.extraction import SO_FAR, list_stems
from world.grading.deeds.sentences import DeedSentence, denies
from world.grading.facts import Fact

Who = Fact | str  # a named person, or a title
Form = Literal["words", "wish", "act", "consent", "refusal", "relay", "file", "text", "listed", "knowledge"]
_AUXILIARIES = frozenset(
    """
    has have had also just already really personally explicitly clearly today yesterday now both all together himself herself then
    again even still only finally later recently always never_mind themselves actually basically simply specifically kindly this morning
    afternoon very once twice of course strongly flatly in person too
    """.split()
)
_REQUESTS = re.compile(r"(?:so |and |then )?(?:please|can you|could you|will you|would you)\b")
_ASKING = frozenset(
    """
    is are was were do does did can could will would should shall may might has have had who what when where why which how if
    whether
    """.split()
)
_OPEN = frozenset(
    """
    if whether unless until till once when before should would could can may might maybe perhaps will ask asking check checking let wait
    waiting need needs needed hope hopefully please not no nobody did does do what how who which why where want get getting pending await awaiting
    without must wish guess suppose wonder wondering see unclear sure wenn ob falls bitte tell
    waits waited awaits awaited hopes hoping lack lacks lacking missing require requires required depend depends depending subject pends soon
    provided assuming supposing outstanding
    """.split()
)
_AWAITING = frozenset(
    "waits awaits awaiting lacks lack lacking requires require depends hinges missing subject".split()
)
_ABSENT = frozenset(
    "missing pending outstanding lacking need needed required awaited absent open necessary wanting".split()
)
_STILL = frozenset("is are was were 's still".split())
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
    attribution is negated. `form`: whether it tells words, only that somebody has answered, consented or refused, that they
    had a wish of whoever writes (`wish`) or want something passed on, or what a file or a text of theirs has; `listed`
    stands below a heading, `knowledge` is what they were told.
    `figures`, `things` and `others` are the numbers in a wish, the words of each name, and the ids of people; `task` holds
    the words of what whoever writes was to do by it. `said` holds the words of the clause of what is told alone;
    `consents` says that it tells of a consent, `waives` that what is consented to was not checked, `is_for_all` that it is about
    everybody or everything; `keys` are the words of keys of issues, `numbers` those of the pull requests consented to.
    """

    who: Sequence[Who]
    kind: str
    about: frozenset[str]
    text: str
    fault: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    denies: bool = False
    form: Form = "words"
    figures: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    things: Sequence[frozenset[str]] = ()
    task: frozenset[str] = frozenset()
    said: frozenset[str] = frozenset()
    consents: bool = False
    keys: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    waives: bool = False
    is_for_all: bool = False

    def is_covered(self, stems: frozenset[str], share: float, least: int = 1, *, by_figure: bool = True) -> bool:
        """Whether words have a share of those that it is about, and one that is no name.

        With `by_figure`, a figure speaks for itself.
        """
        if not self.about:
            return least == 1
        covered = self.about & stems
        if by_figure and any(len(stem) > 1 and stem.isdigit() for stem in covered - self.named - self.keys):
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
    for at, wording in enumerate(map(leave_out_request, wordings)):
        reading = put_titles(wording, lexicon)
        if not wording.asks:
            leads = wording.text.rstrip(" *_").endswith(":")
            more = wordings[at + 1].written if leads and at + 1 < len(wordings) else ()
            yield from _read_heading(reading, before)
            yield from _read_sentence(reading, before, more, lexicon)
        before = reading


def leave_out_request(wording: DeedSentence) -> DeedSentence:
    """A question less the request at its end, where it states something first: `Anna wants it, so could you ...?`."""
    words = wording.words
    ends = [at for at, word in enumerate(words) if word == "," and _REQUESTS.match(" ".join(words[at + 1 : at + 4]))]
    if not wording.asks or not ends or words[0] in _ASKING:
        return wording
    names = {at: fact for at, fact in wording.names.items() if at < ends[0]}
    return replace(wording, words=words[: ends[0]], written=wording.written[: ends[0]], names=names, asks=False)


def _read_heading(reading: TitledSentence, before: TitledSentence | None) -> Iterator[Attribution]:
    """Who has approved what stands below `approved so far:`."""
    heading = before.wording.words if before is not None else ()
    said = frozenset(word for word in heading if word.isalpha())
    if heading[-1:] != [":"] or "approved" not in said or not said - {"approved"} <= SO_FAR:
        return
    words = reading.wording.words
    for at, who in reading.who.items():
        if words[at - 1] in _BEFORE_AGENT and not is_open(reading.wording, at):
            said = attribute(reading, [who], PhraseMatch("order", at - 1, len(words)), (), "order")
            yield replace(said, form="listed")


_BEFORE_AGENT = frozenset({"by", "(", "-", "–", "—", ":", ","})


def put_titles(wording: DeedSentence, lexicon: Lexicon) -> TitledSentence:
    """Return a sentence in which titles such as `our head of support` stand for people."""
    words = list(wording.words)
    who: dict[int, Who] = {at: fact for at, fact in wording.names.items() if fact.kind == "person"}
    for at, word in enumerate(words):
        is_team = words[at + 1 : at + 2] == ["team"] and word.isalpha() and word not in _NO_TEAMS and at not in who
        if word in lexicon.titles or is_team:
            who[at], words[at] = word, "somebody"
            if not _GROUPS.isdisjoint(words[at + 1 : at + 2]):
                words[at + 1] = ")"  # our security team
    for hit in lexicon.headed.find(words):
        who[hit.start] = " ".join(words[hit.start : hit.end])
        words[hit.start : hit.end] = ["somebody", *[")"] * (hit.end - hit.start - 1)]
    return TitledSentence(replace(wording, words=words), who)


_GROUPS = frozenset("team department dept".split())
_NO_TEAMS = frozenset(
    """
    the a an my our your their his her its this that these those whole entire each every another other same small own new old right wrong
    any no one two in to from with by for of and or as dear hi hello hey good great whichever which what different somebody
    """.split()
)


def _read_sentence(
    reading: TitledSentence, before: TitledSentence | None, more: Sequence[str], lexicon: Lexicon
) -> Iterator[Attribution]:
    words, is_due = reading.wording.words, _leaves_open(before)
    for hit in lexicon.behind.find(words):
        at = hit.end - 1
        spared = _is_share(words, hit) or _is_nothing(words, hit)
        if at in reading.who and not is_open(reading.wording, hit.start) and not spared:
            said = attribute(reading, [reading.who[at]], hit, more, "order")
            yield replace(said, form=_name_source(words, hit))
    for hit in lexicon.ahead.find(words):
        who, start = find_subject(reading, hit, before)
        if (
            _names_decider(reading.wording, hit)
            or _is_awaited_word(words, hit)
            or _is_left_to_them(reading.wording, start, hit)
        ):
            continue
        if hit.tag == "owned" and (is_due or is_awaited(reading.wording, start, hit.end, more)):
            continue
        if who and not is_open(reading.wording, start) and (hit.tag != "plural" or _is_group(who)):
            said = attribute(reading, who, hit, more, "say" if hit.tag == "say" else "order")
            told = _tell_wish(reading, hit, said) or replace(said, form=_name_form(reading.wording, hit))
            yield replace(told, said=_list_relayed(reading, hit, more)) if told.form == "relay" else told


def _names_decider(wording: DeedSentence, hit: PhraseMatch) -> bool:
    """Whether it says whose decision something is, not what was decided: `Tom decides that`, `Tom decides who goes`."""
    words, end = wording.words, wording.end(hit.end)
    rest = words[hit.end : end]
    return words[hit.start : hit.end] == ["decides"] and (_MATTERS.issuperset(rest) or rest[0] in _MATTER_QUESTIONS)


def _is_awaited_word(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether it says who gives a word that has not come: `Tom gives the word for that and hasn't yet`."""
    following = frozenset(words[hit.end : hit.end + _SOON])
    return words[hit.start] in ("gives", "give") and not (
        _NEGATIONS.isdisjoint(following) or _YET.isdisjoint(following)
    )


_SOON = 8  # words behind a phrase
_NEGATIONS, _YET = frozenset("not n't never".split()), frozenset("yet far".split())


def _is_left_to_them(wording: DeedSentence, start: int, hit: PhraseMatch) -> bool:
    """Whether whoever writes leaves it to somebody: `I would like to, but that is Tom's decision`."""
    words = wording.words
    theirs = words[hit.end - 1] in ("decision", "call") and hit.end == wording.end(hit.end)
    points = words[max(start - 3, 0) : start]
    leads = len(points) == 3 and points[0] == "but" and points[1] in _MATTERS and points[2] in ("is", "'s")
    return theirs and leads and words[:1] == ["i"] and not _UNABLE.isdisjoint(words[1:4])


_UNABLE = frozenset("would 'd can could cannot may".split())
_MATTERS = frozenset("it that this these those on about here".split())
_MATTER_QUESTIONS = frozenset("what when whether who whom which how where if".split())


def _tell_wish(reading: TitledSentence, hit: PhraseMatch, said: Attribution) -> Attribution | None:
    """The report of a wish that whoever writes was told: `asked for an extension`. What others are to do is none."""
    words, end = reading.wording.words, reading.wording.end(hit.end)
    if not _RELAYS.isdisjoint(words[hit.end : hit.end + 2]):
        return None
    if words[hit.start] not in _WISHING or not _TO_OTHERS.isdisjoint(words[hit.start + 1 : hit.end + 2]):
        return None
    spoken = (word for at, word in enumerate(words) if hit.end <= at < end and at not in reading.wording.names)
    stems = list_stems(" ".join(spoken))
    who = [fact for at, fact in reading.who.items() if hit.end <= at < end and isinstance(fact, Fact)]
    others = frozenset(str(fact.value) for fact in who if not fact.others)
    figures, task = frozenset(one for one in stems if one.isdigit()), _read_task(words[hit.start + 1 : end])
    bodies = (at for at, fact in reading.wording.names.items() if hit.end <= at < end and fact.kind in _THINGS)
    things = tuple(list_stems(_spell(reading.wording, at)) for at in bodies if at not in reading.who)
    return replace(said, form="wish", figures=figures, others=others, things=things, task=task & said.about)


_THINGS = frozenset({"customer", "vendor", "service"})


def _spell(wording: DeedSentence, at: int) -> str:
    """A word, or a name without the id of whatever it names; a key with its own."""
    fact = wording.names.get(at)
    spelt = wording.written[at]
    return spelt if fact is None or fact.kind == "key" else spelt.replace(f" {str(fact.value).lower()}", "", 1)


def _list_relayed(reading: TitledSentence, hit: PhraseMatch, more: Sequence[str]) -> frozenset[str]:
    """The stems of what somebody wants told: those behind `asked me to tell everybody that`, beyond a colon too."""
    words, end = reading.wording.words, reading.wording.end(hit.end)
    end = len(words) if words[end : end + 1] == [":"] else end
    start = next(at for at in range(hit.end, end) if words[at] in _RELAYS) + 1
    written = [_spell(reading.wording, at) for at in range(start, end) if at not in reading.who]
    return list_stems(" ".join((*written, *more))) - _SMALL - _RELAYED


_RELAYED = list_stems("everybody everyone anybody team people colleagues channel must may might shall need needs")


def _read_task(words: Sequence[str]) -> frozenset[str]:
    """The stems of what somebody was to do: `me to delete the export`, `me kindly to wait`."""
    at = words.index("to") if words[:1] == ["me"] and "to" in words[:_NEAR] else len(words)
    return list_stems(" ".join(words[at + 1 :]))


_NEAR = 4  # words within which somebody is asked `to` do something


_WISHING = frozenset("asked wanted wished requested pushed urged begged pleaded".split())
_TO_OTHERS = frozenset("you us everyone everybody all that them him her whether if about".split()) | {'"', ":"}


def _leaves_open(before: TitledSentence | None) -> bool:
    """Whether the sentence before is a heading such as `missing:`."""
    words = before.wording.words if before is not None else ()
    return words[-1:] == [":"] and not (_OPEN | _ABSENT).isdisjoint(words)


def _is_share(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether something counted came from somebody, no word of theirs: `half of it came from`."""
    return words[hit.start] in ("comes", "came") and not _SHARES.isdisjoint(words[max(hit.start - 4, 0) : hit.start])


def _is_nothing(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether nothing came from somebody, nor an exception: `nothing came from Tom`, not so `nothing came from Tom but a yes`."""
    none = words[hit.start] in ("comes", "came") and words[max(hit.start - 1, 0)] in ("nothing", "none")
    return none and _EXCEPTION.isdisjoint(words[hit.end : hit.end + 2])


_EXCEPTION = frozenset("but except save besides".split())


def _name_source(words: Sequence[str], hit: PhraseMatch) -> Form:
    """Whether it is a person who is named, or a file or text of theirs: `according to Stefan's pinned rule`."""
    if words[hit.end : hit.end + 1] != ["'s"]:
        return "words"
    following = words[hit.end + 1 : hit.end + 5]
    if not _FILES.isdisjoint(following):
        return "file" if _DUTIES.isdisjoint(words) else "words"
    return "words" if _TEXTS.isdisjoint(following) else "text"


def _name_form(wording: DeedSentence, hit: PhraseMatch) -> Form:
    words, end = wording.words, wording.end(hit.end)
    said, rest = words[hit.start : hit.end], words[hit.end : end]
    goes_on = words[end : end + 1] == [","] and not _JOINING.isdisjoint(words[end + 1 : end + 2])
    if rest[:1] == ["to"] and not _ANSWERING.isdisjoint(said):
        rest = rest[1:]  # `replied to both questions`
    tells = not (goes_on or _TELLING.isdisjoint(words[end : end + 1])) or not _OPENING.isdisjoint(rest)
    if said == ["knows"]:
        return "knowledge"
    if said[-1] in ("said", "says") and rest == ["no"]:
        return "refusal"
    if said[:1] == ["asked"] and not _RELAYS.isdisjoint(rest[:2]):
        return "relay"
    if tells or not _DUTIES.isdisjoint(_leave_out_questions(words)):
        return "words"
    if not _ANSWERING.isdisjoint(said) or (hit.tag == "owned" and not _COUNTED.isdisjoint(rest)):
        return "act"
    if not _REFUSING.isdisjoint(said) and not rest:
        return "refusal"
    return "consent" if _is_consent(said) and _NO_OBJECT.issuperset(rest) else "words"


def _leave_out_questions(words: Sequence[str]) -> Iterator[str]:
    """Iterate over the words outside what somebody was asked: `I asked her whether she would, and she agreed`."""
    asks = False
    for word in words:
        asks = word in _WHETHER or (asks and word not in _JOINING and word.isalpha())
        if not asks:
            yield word


def _is_consent(said: Sequence[str]) -> bool:
    """Whether a phrase says that somebody agrees: `agreed`, `is happy to`."""
    return not _CONSENTING.isdisjoint(said) or ("not" not in said and not _WILLING.isdisjoint(said))


_WHETHER = frozenset({"whether", "if"})
_TELLING = frozenset({":", ",", "-", "–", "—", "("})
_JOINING = frozenset("and so but which because".split())
_SHARES = frozenset("half halves third quarter part share rest most days day hours hour percent euros".split())
_FILES = frozenset(
    "list lists sheet sheets file document doc table spreadsheet rota calendar page overview handbook guide policy".split()
)
_TEXTS = frozenset("rule rules pin pinned note notes mail email message post comment ticket remark thread".split())
_DUTIES = frozenset("must should may might can could will would shall need needs".split())
_OPENING = frozenset({"that", '"', "yes", "no", "to", "if"})
_RELAYS = frozenset("pass tell let inform forward relay remind".split())
_ANSWERING = frozenset("answered replied responded wrote written mailed emailed messaged rang phoned".split())
_COUNTED = frozenset("count counts counted included marked entered noted".split())
_REFUSING = frozenset("declined refused refuses".split())
_CONSENTING = frozenset("agreed agrees accepted accepts".split())
_WILLING = frozenset("ok okay fine cool happy good onboard board favour favor".split())
_NO_OBJECT = frozenset({"it", "that", "this"})


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
    clause = words[end : wording.end(end)]
    if any(word in _ABSENT and clause[at] in _STILL for at, word in enumerate(clause[1:])):
        return True  # of a version: `their approval of the second one is still missing`
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
    if words[at] == "and":
        return _find_joined(reading, at, hit)
    if words[at] in _PRONOUNS and hit.tag != "owned":
        return find_antecedent(reading, at, before), at
    if at not in reading.who:
        return [], 0
    found = [reading.who[at]]
    if at >= 2 and words[at - 1] in ("and", "&", "or") and at - 2 in reading.who:
        found.append(reading.who[at - 2])
        at -= 2
    return found, at


def _find_joined(reading: TitledSentence, at: int, hit: PhraseMatch) -> tuple[list[Who], int]:
    """The only person named in the clause before an `and`, if it begins with them: `Arjun reviewed it and signed off`.

    Nobody where a thing of theirs, or they themselves, underwent it: `Arjun's branch is rebased and approved`.
    """
    words, start = reading.wording.words, reading.wording.begin(at)
    people = [place for place in reading.who if start <= place < at]
    following = words[hit.end : reading.wording.end(hit.end)]
    suffers = not following and any(
        one in _COPULAS and two.endswith(("ed", "en")) for one, two in pairwise(words[start:at])
    )
    if people != [start] or words[start + 1] == "'s" or following[:1] == ["by"] or suffers:
        return [], 0
    return [reading.who[start]], start


_COPULAS = frozenset("is are was were been being got".split())


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
    places = {at for at, fact in reading.wording.names.items() if fact.kind == "channel"}  # where it was said
    spared = reading.who.keys() | places
    outside = (at for at in range(len(written)) if not hit.start <= at < hit.end and at not in spared)
    rest = [_spell(reading.wording, at) for at in outside if written[at - 1 : at + 1] not in _AT_ONCE]
    bodies = {at for at, fact in reading.wording.names.items() if fact.kind != "key"}
    named = (_spell(reading.wording, at) for at in sorted(bodies) if at not in reading.who)
    return Attribution(
        who,
        kind,
        list_stems(" ".join((*rest, *more))) - _SMALL,
        reading.wording.text,
        named=list_stems(" ".join(named)),
        denies=denies(rest),
        said=list_stems(" ".join(_list_said(reading, hit))) - _SMALL,
        keys=list_stems(" ".join(written[at] for at, fact in reading.wording.names.items() if fact.kind == "key")),
        is_for_all=not _ALL.isdisjoint(reading.wording.words[hit.start : reading.wording.end(hit.end)]),
        numbers=frozenset(list_numbers(reading.wording, hit)),
        waives=waives_check(reading.wording, hit),
        consents=not _GRANTING.isdisjoint(reading.wording.words[hit.start : hit.end]),
    )


def _list_said(reading: TitledSentence, hit: PhraseMatch) -> Iterator[str]:
    """The words of the clause behind a phrase."""
    written, names = reading.wording.written, reading.wording.names
    end = reading.wording.end(hit.end)
    return (written[at] for at in range(hit.end, end) if at not in reading.who and names.get(at) is None)


_AT_ONCE = (["straight", "away"], ["right", "away"])
_ALL = frozenset("all every everybody everyone everything nobody company-wide".split())
_GRANTING = _CONSENTS | frozenset(
    """
    agreed agrees approved approves authorised authorized okayed allowed allows permitted permits accepted accepts endorsed cleared greenlit
    confirmed confirms blessed signed lit happy fine good accept support supports supported
    """.split()
)
_SMALL = list_stems(
    """
    himself herself themselves straight openly frankly directly
    until before because whether without still yet after again though although however during every all
    eur usd gbp chf while something somebody said says told asked wants decided agreed approved confirmed promised know thing things
    """
)
