"""What is under way, wanted, due or set in a clause of time: nothing that holds."""

from world.grading.stance.frame import Frame
from world.grading.stance.lexicon import load_common_words
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
_PROGRESS = frozenset("is are am 's be was were been being still".split())


def _is_wanted(layout: Layout, at: int) -> bool:
    return at > 1 and layout.words[at - 1] == "to" and layout.words[at - 2] in _WANTING


def _is_under_way(layout: Layout, hit: Hit) -> bool:
    before = layout.words[hit.start - 1] if hit.start else ""
    return before == "being" or (
        layout.words[hit.start].endswith("ing") and (not before.isalpha() or before in _PROGRESS)
    )


def _opens_time(layout: Layout, start: int) -> bool:
    places = layout.clause_of(start)
    return layout.words[places.start] in _OPENING and places.start not in layout.held


def find_modality(layout: Layout, hit: Hit, frame: Frame) -> str:
    """Why a phrase is not said to hold, or an empty text."""
    if _opens_time(layout, hit.start):
        return "a clause of time"
    if frame.concept.directive:
        return ""
    if _is_wanted(layout, hit.start):
        return "wanted"
    if frame.concept.event and _is_under_way(layout, hit):
        return "under way"
    before = range(max(layout.clause_of(hit.start).start, hit.start - 3), hit.start)
    modal = any(layout.words[at] in _MODALS and at not in layout.held for at in before)
    return "due" if modal and not frame.concept.ahead else ""


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
