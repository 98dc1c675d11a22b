"""The finished deeds that a text claims for its author, or for nobody in particular."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from world.grading.commitment.patterns import PhraseMatch
from world.grading.deeds.file_kinds import list_kinds_of_files
from world.grading.deeds.frames import OPEN, OWN, READERS, VerbFrame
from world.grading.deeds.lexicon import Verb, load_lexicon
from world.grading.deeds.sentences import DeedSentence
from world.grading.facts import Fact

RECIPIENTS = frozenset({"person", "customer", "channel"})
_PRONOUNS = frozenset("it this that them these those one both all everything this_one".split())
_YOU = frozenset("you u ya us me myself yourself".split())
PAST = re.compile(
    r"(?i)\b(?:last (?:(?:week|month|year)(?!['’]s)|quarter|spring|summer|autumn|winter|time|night|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|sprint)|yesterday(?!['’]s)"
    r"|(?:days?|weeks?|months?|years?) ago"
    r"|in 20\d\d|back then|at the time|back in|used to|previously|in the past|overnight|on (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|in (?:january|february|march|april|june|july|august|september|october|november|december))\b"
)
_HABIT = re.compile(
    r"(?i)\b(?:always|usually|automatically|every|each|normally|by default|as a rule|nightly|daily|whenever|often|sometimes|typically|only"
    r"|looks as if|looks like|it seems|i think|i believe|as far as|afaik|i assume|i guess|i wish|might have|would have|could have|should have)\b"
)
_STEM = re.compile(r"[^\W\d_]{3,}|\d+")
_VERSION = re.compile(r"v?\d+\.\d[\d.]*")
_LITTLE = frozenset(
    """
    the and for with from that this have has had was were been are our your their them they all now just already until because again also back off
    out into about some any more than then here there what when which who will would can could should not but its his her him you she one two it's
    today please minutes minute hour hours ago
    """.split()
)


@dataclass(frozen=True, slots=True)
class StatedAction:
    """Claim that something is done. `is_own`: by the writer.

    `to` are the people it was told to, as facts; `groups` are the words for others. `also` are kinds that its object
    may be of as well: a rota is a sheet, or who is on call. `files` are the kinds of files that its object names. `is_live`: it
    has reached those who use it.
    """

    kind: str
    is_own: bool
    about: frozenset[str]
    to: Sequence[Fact]
    groups: frozenset[str]
    text: str
    also: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    is_live: bool = False


def list_deeds(wordings: Sequence[DeedSentence]) -> Iterator[StatedAction]:
    """Every finished deed that sentences claim."""
    last = list[Fact]()
    for wording in wordings:
        bodies = [fact for fact in wording.names.values() if fact.kind in ("person", "customer")]
        last, before = bodies or last, last
        if wording.asks or PAST.search(wording.text):
            continue
        yield from (deed for _, deed in list_claims(wording, before))


def list_claims(wording: DeedSentence, before: Sequence[Fact] = ()) -> Iterator[tuple[PhraseMatch, StatedAction]]:
    """The finished deeds that one sentence claims, each with its phrase. `before` are people named in earlier ones."""
    lexicon = load_lexicon()
    for hit in lexicon.phrases.find(wording.words):
        if _is_of_nothing(wording.words, hit):
            continue
        claim = READERS[lexicon.verbs[hit.tag].only](wording, hit.start, hit.end)
        if claim is not None and not _is_habit(wording, hit, claim) and not _lasts(wording, hit):
            deed = _read_deed(wording, hit, claim, before)
            if deed is not None:
                yield hit, deed


def _lasts(wording: DeedSentence, hit: PhraseMatch) -> bool:
    """Whether a participle that opens a clause only says how long something is so: `frozen until Friday`."""
    return hit.start == wording.begin(hit.start) and wording.words[hit.end : hit.end + 1] in (["until"], ["till"])


_NOTHING = frozenset("nothing none no nobody neither".split())
_EXCEPTION = frozenset("but except other else".split())


def _is_of_nothing(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether nothing was done: I changed nothing in the rota; not so `I deleted nothing but the label`."""
    return not _NOTHING.isdisjoint(words[hit.end : hit.end + 1]) and _EXCEPTION.isdisjoint(
        words[hit.end + 1 : hit.end + 3]
    )


_SPARED = frozenset("every each only always".split())


def _is_habit(wording: DeedSentence, hit: PhraseMatch, claim: VerbFrame) -> bool:
    """Whether it is what usually happens, or is only believed to be done."""
    clause = " ".join(wording.words[wording.begin(hit.start) : wording.end(hit.end)])
    habit = _HABIT.search(clause)
    is_told_once = claim.frame == "own" or (
        claim.frame == "passive" and "been" in wording.words[claim.start : hit.start]
    )
    return habit is not None and not (is_told_once and habit[0] in _SPARED)


def _read_deed(
    wording: DeedSentence, hit: PhraseMatch, claim: VerbFrame, before: Sequence[Fact]
) -> StatedAction | None:
    lexicon = load_lexicon()
    verb = lexicon.verbs[hit.tag]
    if verb.only in ("passive", "own") and claim.frame != verb.only:
        return None
    if verb.only == "passive" and "still" in wording.words[claim.start : hit.start]:
        return None  # it has been so before
    behind = wording.end(hit.end)
    if verb.only == "whole":
        start, stop = wording.begin(hit.start), behind
    elif claim.frame == "own":
        start, stop = hit.start, behind
    else:
        start, stop = claim.start, claim.end
    region = wording.words[start:stop]
    kind = _choose(verb, wording, claim, (hit.start, hit.end, stop), region)
    spared = {"silenced": _OWN_NOISE, "assigned": _YOU}.get(kind, frozenset[str]())
    if not kind or not spared.isdisjoint(region):
        return None
    to = [fact for fact in wording.list_names(start, stop) if fact.kind in RECIPIENTS] if kind == "told" else []
    groups = lexicon.people.intersection(region) if kind == "told" else frozenset[str]()
    if groups and groups <= _THEM and not to:  # `they wrote to me, I have answered them`
        nearest = [
            fact for at, fact in sorted(wording.names.items()) if at < hit.start and fact.kind in ("person", "customer")
        ]
        to = (nearest or list(before))[-1:]
    around = (*wording.written[claim.start : hit.start], *wording.written[hit.end : behind])
    inside = wording.written[hit.start + 1 : hit.end]
    about = list_stems(" ".join((*around, *inside)))
    is_own = claim.frame == "own" and "we" not in wording.words[claim.start : hit.start]
    if kind == _DECIDED and _is_heading(wording.words, claim, hit):
        is_own = False  # `Approved: version 4 (Henrik)`
    is_live = kind == "deployed" and not _LIVE.isdisjoint(wording.words[start : max(stop, hit.end)])
    also = _list_also(verb, kind, region)
    files = _list_files(wording, claim, hit) if kind == "changed" else frozenset[str]()
    return StatedAction(kind, is_own, about, tuple(to), groups, wording.text, also, files, is_live)


def _list_files(wording: DeedSentence, claim: VerbFrame, hit: PhraseMatch) -> frozenset[str]:
    """The kinds of files in the object of a verb, or in the subject of a passive."""
    own = claim.frame == "own"
    return list_kinds_of_files(
        wording.words[hit.start + 1 : wording.end(hit.end)] if own else wording.words[claim.start : hit.start]
    )


_LIVE = frozenset("live released production prod".split())


_DECIDED = "approved"


def _is_heading(words: Sequence[str], claim: VerbFrame, hit: PhraseMatch) -> bool:
    """Whether a verb without a subject heads a list: `- approved so far:`."""
    behind = hit.end
    while words[behind : behind + 1] and words[behind] in SO_FAR:
        behind += 1
    return OWN.isdisjoint(words[claim.start : hit.start]) and words[behind : behind + 1] == [":"]


def _list_also(verb: Verb, kind: str, region: Sequence[str]) -> frozenset[str]:
    """The kinds of writing that a deed may be of: by what stands first behind its verb, or by the part of a text."""
    writing = [sense for sense in verb.senses if sense.kind in _WRITING]
    if kind not in _WRITTEN or not writing:
        return frozenset()
    head = _find_head(region, frozenset[str]().union(*(sense.things for sense in verb.senses)))
    found = {sense.kind for sense in writing if head in sense.things}
    if head in _PARTS or not (_PARTS.isdisjoint(region) or _holds_members(region)):
        found.add("changed")
    return frozenset(found - {kind})


def _holds_members(region: Sequence[str]) -> bool:
    """Whether words name what people are let into or kept out of."""
    return not _MEMBERSHIPS.isdisjoint(region)


def _find_head(region: Sequence[str], things: frozenset[str]) -> str:
    """Return the last word of the first name for a thing: `entry` of the rota entry, not the owner in `the sheet's rights`."""
    places = [at for at, word in enumerate(region) if word in things and region[at + 1 : at + 2] != ["'s"]]
    if not places:
        return ""
    at = places[0]
    while at + 1 in places:
        at += 1
    return region[at]


SO_FAR = frozenset("so far already until now to date today as yet".split())
_WRITING = frozenset({"changed", "deleted"})
_WRITTEN = _WRITING | {"admitted", "silenced", "stopped", "noted", "deployed"}
_PARTS = frozenset(
    """
    name names line lines cell cells row rows entry entries value values text word words wording column columns formula formulas section
    sections paragraph paragraphs mention mentions one ones place places codeowners
    """.split()
)
_MEMBERSHIPS = frozenset(
    """
    access permission permissions right rights role group groups org organisation team teams repo repository channel someplace account accounts
    login license licence seat membership password token invite sharing
    """.split()
)


def _choose(
    verb: Verb, wording: DeedSentence, claim: VerbFrame, hit: tuple[int, int, int], region: Sequence[str]
) -> str:
    """Return the kind of a phrase by the object of its verb; empty if it means nothing of the kind."""
    start, end, stop = hit
    inside = frozenset(_leave_out_numerals(region)) | {"someversion" for word in region if _VERSION.fullmatch(word)}
    following = [*wording.words[start + 1 : end], *wording.words[end:stop]]
    is_own, to_reader = claim.frame == "own", not _YOU.isdisjoint(following[:2])
    for sense in verb.senses:
        if (sense.free or not sense.things.isdisjoint(inside)) and not (to_reader and is_own and sense.kind == "told"):
            return sense.kind
    if (
        to_reader
        and is_own
        and not _MAIL.isdisjoint(wording.words[start:stop])
        and any(s.kind == "told" for s in verb.senses)
    ):
        return "mailed"
    rest = [word for word in following if word not in _EMPTY]
    is_short = is_own and not rest
    if is_short or not _PRONOUNS.isdisjoint(following[:2]) or (not is_own and not _PRONOUNS.isdisjoint(region)):
        bare = next((one.kind for one in verb.senses if one.bare), "")
        if bare or is_short:
            return bare
    is_title = claim.frame == "headline" and not rest  # `sandbox rebooted`
    return verb.otherwise if (is_own and not to_reader) or is_title else ""


def _leave_out_numerals(region: Sequence[str]) -> Iterator[str]:
    """Iterate over words without the `one` of `one file`; `the one for search` stands for a thing."""
    for at, word in enumerate(region):
        following = region[at + 1 : at + 2]
        counts = word == "one" and following and following[0].isalpha() and following[0] not in _BEHIND_PRONOUN
        if not counts:
            yield word


_BEHIND_PRONOUN = frozenset(
    "for in on to as too is was of with at by and or but that which about from now already again today here there after before so then".split()
)
_OWN_NOISE = frozenset(
    "repeat repeats repeating reminder reminders calls phone ringing".split()
)  # whoever is paged may still it
_MAIL = frozenset("mail email mailed emailed".split())
_EMPTY = frozenset("now just already again today".split())


def list_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry a text's subject."""
    return frozenset(_ENDING.sub("", word)[:6] for word in _STEM.findall(text.lower()) if word not in _LITTLE)


_ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s|e)$")


_THEM = frozenset("him her them".split())


def list_reported_kinds(wordings: Sequence[DeedSentence]) -> frozenset[str]:
    """Return the kinds of deeds that a text tells of, done by anybody."""
    lexicon = load_lexicon()
    return frozenset(
        kind
        for wording in wordings
        if not wording.asks
        for hit in lexicon.phrases.find(wording.words)
        if OPEN.isdisjoint(wording.words[max(hit.start - 3, 0) : hit.start])
        for kind in lexicon.verbs[hit.tag].kinds
    )
