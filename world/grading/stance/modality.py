"""Modality of a phrase: under way, wanted, due, or set in a clause of time, so that it does not hold now."""

from itertools import pairwise

from world.grading.stance.frame import Frame
from world.grading.stance.lexicon import load_common_words, load_verbs
from world.grading.stance.phrases import Hit
from world.grading.stance.sentence import Layout

_OPENING = frozenset("before until till once whenever when".split())
_MODALS = frozenset("should could must shall ought".split())
_WANTING = frozenset(
    """
    want wants wanted try tries tried trying ask asks asked asking need needs needed plan plans how order reason decided
    reminder time way about supposed start starts started help helps hoping hope like love prefer attempt attempts
    attempting request requested waiting told decide aim ready close used scheduled tend have has had
    """.split()
)
_STATES = frozenset("missing pending outstanding working failing waiting passing running nothing everything".split())
_INTERJECTIONS = frozenset("ok okay right fine good great well alright sure".split())
_POSSIBLE = frozenset("can may could might".split())
_NEEDING = frozenset("need needs needed require requires want wants ask asks asked requested seek seeks due".split())
_ORDERING = frozenset("please pls just kindly then now and let us do you should could can must may go".split())
_NOUNS = frozenset("live out over past primary resolved down".split())
_TELLING = frozenset("was were has have had been we i they he she is are got".split())
_ASKING = frozenset("should must to want wants need needs please let be can may would ought better".split())
_PRESENT = frozenset("is are am 's be".split())
_PAST = frozenset("was were been had".split())
_GOING = frozenset({"goes"})
_DONE = frozenset("already now been was were have has had".split())
_AHEAD = frozenset(
    "today tonight tomorrow later monday tuesday wednesday thursday friday saturday sunday evening afternoon next".split()
)
_PARTS = frozenset("one another some most half several few part parts two three".split())
_ALL = frozenset("all every last whole none both".split())
_WOULD = frozenset("would could might may will only".split())
_LITTLE = frozenset("and but so because since as no just also then now".split())
_GOOD = frozenset(
    "help helps fix fixes solve solves end ends best safest right cure mend stop restore save safe safer".split()
)
_PROGRESS = frozenset("is are am 's be was were been being still".split())


def _is_wanted(layout: Layout, at: int) -> bool:
    return at > 1 and layout.words[at - 1] == "to" and layout.words[at - 2] in _WANTING


def _is_under_way(layout: Layout, hit: Hit) -> bool:
    before = layout.words[hit.start - 1] if hit.start else ""
    return before in ("being", "gets", "get") or (
        layout.words[hit.start].endswith("ing")
        and layout.words[hit.start] not in _STATES
        and (not before.isalpha() or before in _PROGRESS)
    )


def _opens_time(layout: Layout, start: int) -> bool:
    places = layout.clause_of(start)
    return layout.words[places.start] in _OPENING and places.start not in layout.held


def _awaits(layout: Layout, hit: Hit) -> bool:
    """Whether it holds only from another moment on: it is over when the alerts clear."""
    after = layout.clause_of(hit.start).stop
    awaited = ("when", "after") if layout.words[hit.start] in _GOING else ("when",)
    later = any(word in awaited for word in layout.words[after : after + 1])
    before = {*_before(layout, hit, 9), layout.words[hit.start]}
    present = bool(before & (_PRESENT | _GOING)) and not before & _PAST
    return later and present and layout.segment[after] == layout.segment[hit.start]


def _is_scheduled(layout: Layout, hit: Hit) -> bool:
    """Whether the present tells a time to come: they are sent today at 19:55."""
    before, clause = _before(layout, hit, 3), layout.clause_of(hit.start)
    after = layout.words[hit.end + 1 : clause.stop + 1]
    timed = not _AHEAD.isdisjoint(after) or any(
        word in ("at", "by", "on") and following[0].isdigit() for word, following in pairwise(after)
    )
    present = not (_PRESENT | _GOING).isdisjoint((*before, layout.words[hit.start]))
    return timed and present and not _DONE & {*before, *after}


def _is_interjection(layout: Layout, hit: Hit) -> bool:
    """Whether a phrase only opens the sentence: right, ..."""
    following = layout.words[1:2]
    return hit.end == 0 and layout.words[0] in _INTERJECTIONS and following == [","]


def _before(layout: Layout, hit: Hit, most: int) -> list[str]:
    """The words of the clause before a phrase that belong to no other phrase."""
    first = max(layout.clause_of(hit.start).start, hit.start - most)
    return [layout.words[at] for at in range(first, hit.start) if at not in layout.held]


def _is_ordered(layout: Layout, hit: Hit) -> bool:
    """Whether a phrase opens its clause as an order: please merge 877."""
    word, before = layout.words[hit.start], _before(layout, hit, 9)
    if "please" in before and not {"note", "be", "that"} & set(before):
        return True
    bare = word in load_verbs() and word not in _NOUNS and not word.endswith(("ed", "ing", "s"))
    opening = all(one in _ORDERING or not one[0].isalnum() for one in before)
    return bare and opening and (bool(before) or hit.start + 1 < len(layout.words))


def _is_reported(layout: Layout, hit: Hit) -> bool:
    """Whether what could be asked for is told as done: we rolled back."""
    word = layout.words[hit.start]
    done = word.endswith("ed") and not word.startswith(
        ("approv", "clear", "sign", "request", "block", "object", "need")
    )
    before = _before(layout, hit, 9)
    if done and layout.words[hit.start - 1 : hit.start] == ["not"] and _LITTLE.issuperset(before):
        return True  # not merged
    return done and not (_ASKING & set(before)) and bool(_TELLING & set(before))


def _is_of_part(layout: Layout, hit: Hit, frame: Frame) -> bool:
    """Whether only a part of the subject has come to its end: one alert has cleared, some of the events were sent."""
    own = frame.about | frame.names
    places = range(layout.clause_of(hit.start).start, hit.start)
    return any(
        layout.words[at] in _PARTS and not own.isdisjoint(layout.words[at + 1 : at + 4]) for at in places
    ) and _ALL.isdisjoint(layout.words[at] for at in places)


def _is_consequence(layout: Layout, hit: Hit) -> bool:
    """Whether a clause tells what a step would bring, and nothing good: rolling back would only add a change."""
    opens = all(not word[0].isalnum() or word in _LITTLE for word in _before(layout, hit, 9))
    following = layout.words[hit.end + 1 : layout.clause_of(hit.start).stop]
    told = bool(following) and (following[0] in _WOULD or following[1:2] == ["would"])
    return layout.words[hit.start].endswith("ing") and opens and told and _GOOD.isdisjoint(following)


def _find_limit(layout: Layout, hit: Hit, frame: Frame) -> str:
    """Return the reason why a phrase holds for less than the proposition says, or an empty text."""
    ends = frame.concept.event and hit.tag == "+" and layout.parity[hit.start] > 0
    if ends and _is_of_part(layout, hit, frame):
        return "of a part"
    return "a consequence" if frame.concept.directive and _is_consequence(layout, hit) else ""


def find_modality(layout: Layout, hit: Hit, frame: Frame) -> str:
    """Return the reason why a phrase is not said to hold, or an empty text."""
    if _is_interjection(layout, hit):
        return "an interjection"
    if _opens_time(layout, hit.start):
        return "a clause of time"
    if frame.concept.event and _awaits(layout, hit):
        return "waits for another moment"
    if frame.concept.timetable and _is_scheduled(layout, hit):
        return "plan"
    if limit := _find_limit(layout, hit, frame):
        return limit
    if frame.concept.directive:
        return "told as done" if hit.tag == "+" and _is_reported(layout, hit) else ""
    if _is_wanted(layout, hit.start) or _NEEDING & set(_before(layout, hit, 9)):
        return "wanted"
    if frame.concept.event and (_is_under_way(layout, hit) or _is_ordered(layout, hit)):
        return "under way or ordered"
    before = set(_before(layout, hit, 3))
    if frame.concept.event and before & _POSSIBLE and layout.parity[hit.start] > 0:
        return "possible"
    binding = frame.concept.ahead and not frame.concept.event
    return "due" if before & _MODALS and not binding else ""


def has_unknown_words(layout: Layout, hit: Hit, frame: Frame) -> bool:
    """Whether words stand in the clause that neither the proposition nor everyday English knows."""
    slot = frame.proposition.slot
    people = slot is not None and slot.kind == "person"
    listed = "neither" in layout.words or "nor" in layout.words
    for at in range(layout.clause_of(hit.start).start, hit.end):
        word = layout.words[at]
        known = word in frame.known or at in layout.held or word in load_common_words() or layout.swapped[at]
        person = people and layout.tokens[at].written[0].isupper()
        if word.isalpha() and not known and not listed and not person:
            return True
    return False
