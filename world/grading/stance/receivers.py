"""Whom something goes to: what is sent to somebody else than those a proposition is about is another thing."""

from collections.abc import Sequence

from world.grading.stance.frame import Frame
from world.grading.stance.phrases import Hit
from world.grading.stance.sentence import Layout

_WRITTEN = frozenset({"mailed", "emailed"})  # verbs of a person as well as of a thing
_PRONOUNS = frozenset({"him", "her", "them"})
_HELPING = frozenset("has have had is was been being already just also now".split())
_APART = frozenset("after before when once while since because as with copy cc i we he she they and but".split())


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
    return _goes_to(after, others)


def _goes_to(after: Sequence[str], others: frozenset[str]) -> bool:
    """Whether the words behind a phrase name one of others as its first receiver."""
    at = next((at for at, word in enumerate(after) if word == "to"), len(after))
    if not _APART.isdisjoint(after[:at]):
        return False  # of another verb, or a copy
    end = at + 1
    while after[end : end + 1] and after[end] in others:
        end += 1
    return end > at + 1 and after[end : end + 1] != ["'s"]
