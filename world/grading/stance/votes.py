"""The votes of a sentence: the stances of its clauses on a proposition, for or against."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from world.grading.stance.frame import Frame
from world.grading.stance.lexicon import load_small_words, load_verbs
from world.grading.stance.modality import find_modality, has_unknown_words
from world.grading.stance.phrases import Hit
from world.grading.stance.receivers import goes_elsewhere
from world.grading.stance.sentence import Layout
from world.grading.stance.subject import Subject, find_subject

_AMOUNT = re.compile(r"\d+(?:\.\d+)?\Z")
_DAY = re.compile(r"\d{1,2}(?:\.\d{1,2})?\Z")
_TASKS = frozenset(("done",))
_VERBS = frozenset("is are was were be been has have had did does do 's will would can could".split())
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_PAST = frozenset("was were been had did went took got came made put done gone is has have".split())
_RESULTS = frozenset(
    """
    recovered restored fixed resolved solved repaired healed returned crashed died collapsed failed stopped vanished
    lifted declassified noticed complained relieved stepped approved cleared blocked objected requested
    """.split()
)
_TURNED = frozenset("got became went grew turned fell rose".split())  # it got worse
_MENDED = frozenset("fixed mended repaired resolved restored solved".split())
_ENDED = frozenset("over gone done finished ended resolved closed solved fixed cleared past behind history".split())
_AUXILIARY = frozenset("is are be been being has have 's am will would can may must should get gets".split())
_ARTICLES = frozenset("the a an his her its their our my your this that any all".split())
_OTHERS = frozenset({"else", "another", "different"})


@dataclass(frozen=True, slots=True)
class Vote:
    """Vote of a clause: 1 for the proposition, -1 against.

    It also says whether the clause speaks of the past or of now, and whether what was done then lasts.
    """

    sign: int
    reason: str
    past: bool
    now: bool
    named: bool
    place: int
    lasts: bool = False


@dataclass(frozen=True, slots=True)
class Silence:
    """Reason why a phrase gives no vote, and the side it would have spoken for."""

    reason: str
    sign: int


@dataclass(frozen=True, slots=True)
class SlotValue:
    """Whether a clause holds the proposition's value (1), a rival of it (-1) or neither (0), and where."""

    sign: int
    place: int


def _find_rival(layout: Layout, places: range, frame: Frame) -> int | None:
    slot = frame.proposition.slot
    if slot is None:
        return None
    for at in places:
        word, written = layout.words[at], layout.tokens[at].written
        if slot.kind == "person" and (_is_other_person(layout, at, frame) or word in _OTHERS):
            return at
        if slot.kind == "amount" and _AMOUNT.match(word) and word not in frame.known and not written.startswith("20"):
            return at
        if slot.kind == "date" and _is_other_date(layout, at):
            return at
    return None


def _is_other_person(layout: Layout, at: int, frame: Frame) -> bool:
    word, written = layout.words[at], layout.tokens[at].written
    if not (written[0].isupper() and written[1:].islower()) or word in frame.known or word in frame.spelling.common:
        return False
    begins = at == 0 or layout.words[at - 1] in ".!?"
    return not begins or (at + 1 < len(layout.words) and layout.words[at + 1] in (*_VERBS, *frame.known))


def _is_other_date(layout: Layout, at: int) -> bool:
    months = {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october"}
    months |= {"november", "december"}
    near = layout.words[max(0, at - 3) : at + 3]
    return bool(_DAY.match(layout.words[at])) and any(word in months for word in near)


def _find_slot(layout: Layout, places: range, frame: Frame) -> SlotValue:
    if frame.slot is None:
        return SlotValue(1, -1)
    words = layout.words[places.start : places.stop]
    hits = frame.slot.find(words)
    values = [hit.end + places.start for hit in hits if hit.tag == "value" and not layout.void[hit.end + places.start]]
    kept = [at for at in values if not layout.swapped[at]]
    turned = [at for at in kept if layout.parity[at] < 0]
    if len(places) == len(layout.words) and turned and len(turned) == len(kept) and len(layout.spans) > 1:
        return SlotValue(-1, turned[0])
    if values:
        return SlotValue(1, kept[0]) if kept else SlotValue(-1, values[0])
    rivals = [hit.end + places.start for hit in hits if hit.tag == "rival"]
    other = _find_rival(layout, places, frame)
    place = rivals[0] if rivals else other
    return SlotValue(0, -1) if place is None else SlotValue(-1, place)


def _is_left_out(layout: Layout, hit: Hit, frame: Frame) -> bool:
    """Whether the clause names the subject only as what is left out: all but the fix."""
    own = [
        at for at in layout.clause_of(hit.start) if layout.words[at] in frame.names or layout.words[at] in frame.about
    ]
    return bool(own) and not layout.swapped[hit.start] and all(layout.swapped[at] for at in own)


def _weigh_hit(layout: Layout, hit: Hit, frame: Frame) -> tuple[int, str]:
    """The sign of a phrase with what turns it, and with the value it is said of."""
    pole = (1 if hit.tag == "+" else -1) * frame.sign
    slot = frame.proposition.slot
    if slot is None:
        sign = -pole if _is_left_out(layout, hit, frame) else pole
        return sign * layout.parity[hit.start], "turned" if sign * pole * layout.parity[hit.start] < 0 else "plain"
    value = _find_slot(layout, layout.clause_of(hit.start), frame)
    if value.sign == 0 or (value.sign < 0 and not layout.swapped[value.place]):
        whole = _find_slot(layout, range(len(layout.words)), frame)
        value = SlotValue(0, -1) if whole.sign > 0 and value.sign < 0 else value
    if value.sign == 0:
        value = _find_slot(layout, range(len(layout.words)), frame)
        value = SlotValue(max(value.sign, 0), -1)  # a rival elsewhere in the sentence excludes nothing
    if value.sign < 0:
        excluded = slot.exclusive and layout.parity[hit.start] > 0
        return (-1 if excluded else 0), "another value"
    parity = layout.parity[hit.start if layout.swapped[hit.start] else max(hit.start, value.place)]
    if value.sign == 0:
        return (-1 if pole * parity < 0 else 0), "no value"
    return pole * parity, "turned" if parity < 0 else "plain"


def _is_past(times: set[str]) -> bool:
    return bool(times & {"past", "near_past", "remote"}) and not times & {"now", "present"}


def _is_turned_after(layout: Layout, hit: Hit) -> bool:
    """Whether a negation stands behind the last phrase of a clause: the revert was never deployed."""
    places = layout.clause_of(hit.start)
    later = [one for one in layout.hits if hit.end < one.start < places.stop]
    if any(one.tag in "+-" for one in later) or not any(one.tag == "not" for one in later):
        return False
    turn = next(one.start for one in later if one.tag == "not")
    if not _ENDED.isdisjoint(layout.words[turn : places.stop]):
        return False  # a thing that is not over goes on
    return layout.words[turn - 1] in _VERBS or (layout.words[turn] in ("no", "never") and turn > hit.end + 1)


def _is_counted_zero(layout: Layout, hit: Hit) -> bool:
    """Whether a count of nought follows: missing objects: 0."""
    after = layout.words[hit.end + 1 : hit.end + 6]
    signs = [at for at, word in enumerate(after) if word in (":", "=")]
    if not signs or after[signs[0] + 1 : signs[0] + 2] not in [[none] for none in ("0", "none", "no", "zero", "nil")]:
        return False
    following = layout.words[hit.end + signs[0] + 3 : hit.end + signs[0] + 4]
    return after[signs[0] + 1] != "no" or not following or not following[0][0].isalpha()  # over: no error any more


def _is_due(layout: Layout, places: range) -> bool:
    """Whether a day is named and nothing in the clause is past: moves on Saturday."""
    words = layout.words[places.start : places.stop]
    days = any(word == "on" and after in _WEEKDAYS for word, after in pairwise(words))
    return days and not any(word.endswith("ed") or word in _PAST for word in words)


def _is_simple_past(layout: Layout, hit: Hit) -> bool:
    """Whether the phrase is a verb in the past, without has or be before it: then it broke."""
    words = [layout.words[at] for at in layout.clause_of(hit.start) if at <= hit.end]
    done = any(word.endswith("ed") and word in load_verbs() and word not in _RESULTS for word in words)
    return done and not any(word in _AUXILIARY for word in words)


def _is_mended(layout: Layout, hit: Hit) -> bool:
    """Whether a phrase says that something was put right, which lasts: it was repaired at noon."""
    return not _MENDED.isdisjoint(layout.words[hit.start : hit.end + 1])


def _find_silence(layout: Layout, hit: Hit, frame: Frame, times: set[str]) -> str:
    """Return the reason why a phrase states nothing, or an empty text."""
    if layout.void[hit.start]:
        return layout.void[hit.start]
    if any("remote" in one for one in layout.times) and "present" not in times:
        return "another time"
    if not frame.concept.ahead and _is_due(layout, layout.clause_of(hit.start)):
        return "plan"
    return find_modality(layout, hit, frame) or ("unknown words" if has_unknown_words(layout, hit, frame) else "")


def _find_topic(layout: Layout, start: int, frame: Frame) -> tuple[Subject, int] | None:
    """Return the subject of the clause before and its segment; None where a phrase stands in it."""
    first = layout.clause_of(start).start
    if first == 0 or layout.segment[first - 1] != layout.segment[start]:
        return None
    before = layout.clause_of(first - 1)
    if any(hit.tag in "+-" for hit in layout.hits if hit.start in before):
        return None
    return find_subject(layout, before.start, before.start - 1, frame), layout.segment[start]


def _carry_subjects(layout: Layout, frame: Frame) -> dict[Hit, Subject]:
    """Return the subject of each phrase; a clause without a subject keeps that of the clause before it."""
    subjects = dict[Hit, Subject]()
    last: tuple[Subject, int] = "open", -1
    for hit in layout.hits:
        if hit.tag in "+-":
            subject = find_subject(layout, hit.start, hit.end, frame)
            if subject == "open":
                last = _find_topic(layout, hit.start, frame) or last
            carried = subject == "open" and last == ("foreign", layout.segment[hit.start])
            subjects[hit] = "foreign" if carried else subject
            last = subjects[hit], layout.segment[hit.start]
    return subjects


def _is_elliptic(layout: Layout, places: range) -> bool:
    """Whether a clause without a phrase ends in a bare negation: the version that went out isn't."""
    words = [layout.words[at] for at in places if layout.words[at][0].isalnum()]
    if any(hit.tag in "+-" for hit in layout.hits if hit.start in places):
        return False
    return len(words) > 1 and words[-1] == "not" and words[-2] in _VERBS


def _is_contrast(layout: Layout, places: range, frame: Frame) -> bool:
    """Whether a clause only takes the subject out: ..., not customers."""
    words = [layout.words[at] for at in places if layout.words[at][0].isalnum()]
    if any(hit.tag in "+-" for hit in layout.hits if hit.start in places) or not 2 <= len(words) <= 5:
        return False
    return words[0] == "not" and any(word in frame.names or word in frame.about for word in words)


def list_ellipses(layout: Layout, frame: Frame, before: list[Vote], votes: list[Vote]) -> list[Vote]:
    """List the votes of clauses that only negate an earlier statement; a bare `no` is none: `no, they are not`.

    What a clause is set against stands in its own sentence, if that begins before it: `the revert is open, not merged`.
    """
    found = list[Vote]()
    before = [vote for vote in before if vote.reason != "answer"]
    if "not" not in layout.words:
        return found
    for places in layout.spans:
        contrasts = _is_contrast(layout, places, frame)
        said = [vote for vote in votes if vote.place < places.start and vote.reason != "answer"]
        said = said or ([] if contrasts and places.start else before)
        bare = contrasts or _is_elliptic(layout, places)
        if said and bare and not layout.void[places.start]:
            plain = -said[-1].sign if said[-1].reason == "turned" else said[-1].sign
            found.append(Vote(-plain, "turned by a bare negation", False, True, False, places.start))
    return found


def _is_governed(layout: Layout, hit: Hit, before: Hit | None) -> bool:
    """Whether a phrase is the object of one before it, which decides: withdrew his approval."""
    if before is None or before.tag == hit.tag or layout.clause[before.start] != layout.clause[hit.start]:
        return False
    between = layout.words[before.end + 1 : hit.start]
    return 0 < len(between) <= 2 and between[0] in _ARTICLES


def _is_predicate(layout: Layout, place: int, hit: Hit) -> bool:
    """Whether a verb parts a phrase from one before it, which was its subject: the outage is over."""
    return any(word in _VERBS for word in layout.words[place : hit.start])


def _identify(layout: Layout, places: range, frame: Frame) -> int:
    """The sign of a clause that only names a value: it's Marisol, 14 June."""
    words = [layout.words[at] for at in places if layout.words[at][0].isalnum()]
    value = _find_slot(layout, places, frame)
    plain = all(_is_small(layout, at, frame, value.place) for at in places)
    later = {layout.words[at] for at in places if at > value.place}
    plain = plain and later.isdisjoint(frame.names) and later.isdisjoint(frame.about)
    if not value.sign or len(words) > 7 or not plain or layout.void[value.place]:
        return 0
    parity = layout.parity[places[-1]]
    slot = frame.proposition.slot
    if value.sign > 0:
        return parity
    return -1 if slot and slot.exclusive and parity > 0 else 0


def _is_small(layout: Layout, at: int, frame: Frame, value: int) -> bool:
    word = layout.words[at]
    known = word in load_small_words() or word in frame.names or word in frame.about or not word[0].isalpha()
    return known or at == value or (frame.slot is not None and word in frame.slot.vocabulary)


def list_identifications(layout: Layout, frame: Frame) -> list[Vote]:
    """Votes of clauses that name the value and nothing else."""
    if frame.slot is None:
        return []
    votes = list[Vote]()
    for number, places in enumerate(layout.spans):
        if any(hit.tag in "+-" for hit in layout.hits if hit.start in places):
            continue
        if sign := _identify(layout, places, frame):
            times = layout.times[number]
            past = _is_past(times)
            votes.append(Vote(sign, "names the value", past, "now" in times, True, places.start))
    return votes


def _find_omission(layout: Layout, hit: Hit, subject: Subject, frame: Frame) -> str:
    """Return the reason why a phrase is not about the subject now.

    It is about something else, about any piece of work (`done.`), or about a turn that it once took (`it got worse`).
    """
    if subject == "foreign" or (hit.tag == "+" and goes_elsewhere(layout, hit, frame)):
        return "another subject"
    told = [layout.words[at] for at in layout.clause_of(hit.start) if at < hit.start]
    if frame.concept.event and hit.tag == "-" and not _TURNED.isdisjoint(told) and _AUXILIARY.isdisjoint(told):
        return "another time"
    tasks = subject == "open" and _TASKS.issuperset(layout.words[hit.start : hit.end + 1])
    return "may be said of any work" if tasks else ""


def list_votes(layout: Layout, frame: Frame) -> tuple[list[Vote], Silence]:
    """The votes of a sentence, one a clause, and why phrases in it give none."""
    votes = dict[int, Vote]()
    silence: Silence | None = None
    before: Hit | None = None
    loose = set[int]()
    for hit, subject in _carry_subjects(layout, frame).items():
        governed, before = _is_governed(layout, hit, before), hit
        if governed:
            continue
        times = layout.times[layout.clause[hit.start]]
        reason = _find_omission(layout, hit, subject, frame) or _find_silence(layout, hit, frame, times)
        sign, why = (0, reason) if reason else _weigh_hit(layout, hit, frame)
        if reason == "unknown words":
            loose.add(_weigh_hit(layout, hit, frame)[0])
        if sign == 0:
            silence = silence or Silence(why, _weigh_hit(layout, hit, frame)[0])
            continue
        if why == "plain" and (_is_turned_after(layout, hit) or _is_counted_zero(layout, hit)):
            sign, why = -sign, "turned"
        past = _is_past(times)
        past = past or (_is_simple_past(layout, hit) and not times & {"now", "present"})
        number = layout.clause[hit.start]
        if number in votes and votes[number].sign != sign and not _is_predicate(layout, votes[number].place, hit):
            why = "mixed"
        votes[number] = Vote(sign, why, past, "now" in times, subject == "named", hit.start, _is_mended(layout, hit))
    return [
        replace(vote, reason="mixed") if -vote.sign in loose else vote for vote in votes.values()
    ], silence or Silence("", 0)
