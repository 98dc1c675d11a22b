"""Whom something goes to: what is sent to somebody else than those a proposition is about is another thing."""

from world.grading.stance.frame import Frame
from world.grading.stance.phrases import Hit
from world.grading.stance.sentence import Layout

_WRITTEN = frozenset({"mailed", "emailed"})  # verbs of a person as well as of a thing
_PRONOUNS = frozenset({"him", "her", "them"})
_HELPING = frozenset("has have had is was been being already just also now".split())


def goes_elsewhere(layout: Layout, hit: Hit, frame: Frame) -> bool:
    """Whether a phrase tells of a message to somebody, not of the subject: `I've mailed him`, `sent it to Henrik`."""
    places = layout.clause_of(hit.start)
    before, after = layout.words[places.start : hit.start], layout.words[hit.end + 1 : places.stop]
    writes = layout.words[hit.end] in _WRITTEN
    if writes and not _PRONOUNS.isdisjoint(after[:1]) and frame.names.isdisjoint(after):
        return True
    others = frame.others
    if not others.isdisjoint(after[:1]) and after[1:2] != ["'s"]:
        return True
    if writes and before and before[-1] in _HELPING:
        return next((word for word in reversed(before) if word not in _HELPING), "") in others
    clause = layout.words[places.start : places.stop]
    return any(word == "to" and clause[at + 1] in others for at, word in enumerate(clause[:-1]))
