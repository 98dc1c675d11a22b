"""Voice of a past-tense verb: whether it is about the writer, about nobody in particular, or about others."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from world.grading.deeds.sentences import DeedSentence, is_bound

Frame = Literal["own", "passive", "headline"]
ADVERBS = frozenset(
    """
    just already now also then finally quickly hereby meanwhile manually simply really actually both all only even again
    personally immediately instead too first therefore since gladly duly successfully briefly still temporarily fully completely
    permanently accidentally safely properly earlier twice tonight straight here there additionally yesterday swiftly hence thus
    went ahead and today myself ourselves happily of course officially at once right away
    """.split()
)
FILLERS = frozenset(
    """
    ok okay done yes yep yeah yup sure so fyi update hi hello hey dear morning all thanks thank alright right great cool
    fine sorry well good news btw quick note ack acknowledged team folks everyone somebody @ ; : , - * > ✅ also and then ps edit
    no worries oh ah hmm fixed sorted understood noted incident acked
    """.split()
)
OWN = frozenset("i we ive weve".split())
HAVE = frozenset("have has had 've ve".split())
BE = frozenset("is are was were 's got".split())
CONDITIONS = frozenset(
    "if unless whether once when until till before wish supposed assuming provided whenever had should did".split()
)
MODALS = frozenset(
    """
    will would can could should shall may might must let lets please if unless whether once when until till before wish going gonna
    ought need needs wenn falls whenever whoever supposed assuming provided
    """.split()
)
NEGATIONS = frozenset(
    "not never no nobody none nothing neither nor hardly without n't barely nowhere nicht kein keine".split()
)
OPEN = MODALS | NEGATIONS | {"to", "be"}
HEDGES = frozenset(
    "seems apparently supposedly allegedly presumably perhaps maybe afaik looks look as_if though".split()
)
_DETERMINERS = frozenset(
    """
    the a an this that it them these those our your my his her their both all everything everyone everybody some somebody someplace somekey
    someservice him one two three four five back off down up out to on in at for from with so somefirm into by via over again now today as because
    customer customers support
    """.split()
)
_FINITE = frozenset("is are was were will can must should may does do need needs means has have would could".split())
_AGENTS = frozenset("me us hand mistake accident now then noon mail email default myself ourselves".split())
_THIRD = frozenset("he she they you it who that this there somebody somefirm everyone everybody".split())


@dataclass(frozen=True, slots=True)
class VerbFrame:
    """The voice of a verb, and where the subject of a passive stands."""

    frame: Frame
    start: int
    end: int


def find_claim(wording: DeedSentence, start: int, end: int) -> VerbFrame | None:  # noqa: C901
    """The voice of a verb in its sentence; None where it is denied, planned, asked, or about others."""
    words = wording.words
    begin = wording.begin(start)
    at = _skip(words, start - 1, begin)
    verb = words[at] if at >= begin else ""
    if verb in BE:
        return _read_passive(wording, begin, at, end)
    if verb == "been":
        at = _skip(words, at - 1, begin)
        return _read_passive(wording, begin, at, end) if at >= begin and words[at] in HAVE | {"'s"} else None
    is_perfect = verb in HAVE or verb == "would"  # `I'd told them`
    if is_perfect:
        at = _skip(words, at - 1, begin)
    if at < begin:
        return _read_opening(wording, begin, start, end, is_perfect=is_perfect)
    if words[at] in OWN:
        before = words[_skip(words, at - 1, begin)] if at > begin else ""
        is_open = before in CONDITIONS or before in HAVE or before in NEGATIONS
        return None if is_open else VerbFrame("own", begin, start)
    if not (NEGATIONS | HEDGES).isdisjoint(words[begin:start]):
        return None
    if all(word in FILLERS for word in words[begin : at + 1]) and words[at] != "somebody":
        return _read_opening(wording, begin, start, end, is_perfect=is_perfect)
    if words[at - 1 : at] == ["consider"]:
        return VerbFrame("own", begin, start)
    if _is_caused(words[begin:start]):
        return VerbFrame("own", begin, start)
    if not is_perfect and _is_headline(wording, begin, start, end):
        return VerbFrame("headline", begin, start)
    return None


def _is_caused(before: Sequence[str]) -> bool:
    """Whether the writer had it done: `I had the exporter restarted`, `got it reverted`."""
    said = [word for word in before if word not in ADVERBS and word not in FILLERS]
    if said[:1] and said[0] in OWN:
        said = [word for word in said[1:] if word not in ("have", "'ve")]
    elif said[:1] == ["have"] or said[:1] == ["had"]:
        return False
    return bool(said) and said[0] in ("had", "got", "gotten") and MODALS.isdisjoint(before) and len(said) > 1


def find_subject(wording: DeedSentence, start: int, end: int) -> VerbFrame | None:
    """Return the frame of a verb that only tells what became of its subject: `the mail went out`."""
    words, begin = wording.words, wording.begin(start)
    subject = words[begin:start]
    if not NEGATIONS.isdisjoint(subject) or not HEDGES.isdisjoint(subject) or _is_open(words, begin, start):
        return None
    return VerbFrame("passive", begin, start)


def find_whole(wording: DeedSentence, start: int, end: int) -> VerbFrame | None:
    """Return the frame of a phrase that says itself that something is done."""
    words, begin = wording.words, wording.begin(start)
    before = [*words[begin:start], *words[start:end]]
    if not NEGATIONS.isdisjoint(before) or not HEDGES.isdisjoint(before) or not MODALS.isdisjoint(before):
        return None
    return None if _has_agent(wording, end) else VerbFrame("own", begin, start)


def _skip(words: Sequence[str], at: int, begin: int) -> int:
    while at >= begin and (words[at] in ADVERBS or (words[at].endswith("ly") and len(words[at]) > 4)):
        at -= 1
    return at


def _is_open(words: Sequence[str], begin: int, at: int) -> bool:
    """Whether what stands before a verb makes it a plan, a wish or a condition."""
    return not MODALS.isdisjoint(words[begin:at])


def _read_passive(wording: DeedSentence, begin: int, at: int, end: int) -> VerbFrame | None:
    """`the alert is switched off`: said of nobody, or of the writer where it is `by me`."""
    words = wording.words
    begin = _skip_telling(words, begin, at)
    if at <= begin or _is_open(words, begin, at) or _has_agent(wording, end):
        return None
    subject = words[begin:at]
    if not (NEGATIONS | HEDGES).isdisjoint(subject):
        return None
    if subject[-1] in OWN or not NEGATIONS.isdisjoint(words[at:end]):
        return None
    if subject[-1] in ("who", "that", "which", "what") or (words[begin - 1 : begin] == ["so"] and subject[0] == "that"):
        return None
    general = words[at] in ("is", "are") and words[end : end + 1] and words[end] in _WHERE and _is_general(subject)
    return None if general else VerbFrame("passive", begin, at)


_TELLING = frozenset("know confirm note inform report say mention announce".split())
_DOUBTING = frozenset("if whether want sure check ensure hope think heard they he she nobody not".split())


def _skip_telling(words: Sequence[str], begin: int, at: int) -> int:
    """Return the position behind an introduction such as `please note that` or `to let you know`."""
    told = max((place for place in range(begin, at) if words[place] in _TELLING), default=-1)
    if told < 0 or not _DOUBTING.isdisjoint(words[begin:told]):
        return begin
    return told + 2 if words[told + 1 : told + 2] == ["that"] else told + 1


_WHERE = frozenset("for when if during after by in at per via only with within to on".split())


def _is_general(subject: Sequence[str]) -> bool:
    """Whether it is said of things in general: `alerts are muted`."""
    first = next((word for word in subject if word not in FILLERS), "")
    return first not in _DETERMINERS and first.endswith("s") and first.isalpha()


def _has_agent(wording: DeedSentence, end: int) -> bool:
    """Whether the sentence says who has done it."""
    words, stop = wording.words, wording.end(end)
    for at in range(end, stop):
        if words[at] == "by" and at + 1 < len(words):
            following = words[at + 1]
            if following not in _AGENTS and not following[:1].isdigit():
                return True
    return False


def _read_opening(wording: DeedSentence, begin: int, start: int, end: int, *, is_perfect: bool) -> VerbFrame | None:
    """A verb without a subject: `rolled it back`, or one that goes on for a subject before it."""
    words = wording.words
    if _is_by_others(wording, end) and not is_perfect:
        return None
    if begin > 0 and words[begin - 1] in ("and", "but", "then", ",", "plus", "&", "+"):
        return _inherit(wording, begin)
    if is_perfect:
        return VerbFrame("own", begin, start)
    following = words[end] if end < len(words) else "."
    rest = words[end : wording.end(end)]
    if not (following in _DETERMINERS or is_bound(following) or following[:1].isdigit() or _is_told(words, start)):
        return VerbFrame("own", begin, start) if _FINITE.isdisjoint(rest) and following not in ('"', "'") else None
    return None if _FINITE.intersection(rest[:5]) and following not in _DETERMINERS else VerbFrame("own", begin, start)


def _is_by_others(wording: DeedSentence, end: int) -> bool:
    """Whether a verb without a subject was done by somebody who is named: `announced by Miriam`, `closed: 4, by Tom`."""
    words, stop = wording.words, wording.end(end)
    if words[stop : stop + 1] == [":"]:
        stop = len(words)
    named = (
        words[at + 1] == "somebody" or words[at + 1 : at + 3] == ["the", "somebody"]
        for at in range(end, stop - 1)
        if words[at] == "by"
    )
    return any(named)


def _is_told(words: Sequence[str], start: int) -> bool:
    return words[start] in ("mailed", "emailed", "told", "pinged", "paged")


def _inherit(wording: DeedSentence, begin: int) -> VerbFrame | None:
    """The frame of the clauses before one without a subject."""
    words, own = wording.words, VerbFrame("own", begin, begin)
    joint, at = words[begin - 1], begin - 1
    while at >= 0:
        start = wording.begin(at)
        part = [word for word in words[start:at] if word not in FILLERS and word not in ADVERBS]
        if part and part[0] not in _LEADING:
            if {"have", "be"}.intersection(part) and not MODALS.isdisjoint(part):
                return None
            if part[0] in OWN or part[0].endswith("ed") or part[0] in _BARE:
                return own
            if len(part) > 1 or part[0] in _THIRD:
                return own if joint == "," and not BE.isdisjoint(part) and not CONDITIONS.intersection(part) else None
        at = start - 1
    return own


_BARE = frozenset("told sent put took shut gave wrote let set undid made got ran".split())
_LEADING = frozenset(
    "as after per with for in on at from about re regarding like following upon due thanks following".split()
)


def _is_headline(wording: DeedSentence, begin: int, start: int, end: int) -> bool:
    """`alert muted`, `INC-7 opened`: a thing and a participle, and little behind it."""
    words = wording.words
    subject = [word for word in words[begin:start] if word not in FILLERS and word not in ADVERBS]
    if subject[:1] and subject[0] in ("the", "a", "an", "our", "your", "this", "that", "these", "those", "its"):
        return False
    if not subject or len(subject) > 6 or not _THIRD.isdisjoint(subject) or _is_open(words, begin, start):
        return False
    if (
        "as" in subject
        or not OWN.isdisjoint(subject)
        or not _FINITE.isdisjoint(subject)
        or not HAVE.isdisjoint(subject)
        or not _SAYING.isdisjoint(subject)
    ):
        return False
    following = words[end] if end < len(words) else "."
    behind = is_bound(following) or following in _BEHIND or following[:1].isdigit()
    return behind and not _has_agent(wording, end)


_SAYING = frozenset(
    "says said say calls called call shows show reports reported tells told wrote writes means as".split()
)
_BEHIND = frozenset("to on in at for from with now again so as until till back already today by via".split())


READERS = {"": find_claim, "own": find_claim, "passive": find_claim, "subject": find_subject, "whole": find_whole}
