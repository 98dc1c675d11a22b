"""What a reported consent reaches: the numbers that it names, and whether it goes round a check."""

from collections.abc import Iterator

from world.grading.commitment.patterns import PhraseMatch
from world.grading.deeds.extraction import list_stems
from world.grading.deeds.sentences import DeedSentence

_WAIVERS = list_stems("despite regardless skip skipping earlier unreviewed untested anyway instead")
_EVADING = frozenset({"before", "without", "until"})  # a waiver, if a check stands behind it
_SPEAKERS = frozenset({"i", "we"})
_NUMBERED = frozenset("request requests pull pr prs mr number #".split())
_JOINING = frozenset({"and", ",", "&", "or"})
_REMARKS = list_stems(
    "leaving left comment comments change changes objection objections question questions remark remarks further"
)
_CHECKS = list_stems(
    """
    review reviewed reviewer reviewers test tests tested check checks checked approval approvals signoff audit look looked read tried
    verified verification seen second pass passed through green ready finished complete
    """
)


def waives_check(wording: DeedSentence, hit: PhraseMatch) -> bool:
    """Whether a consent is said to be to something unchecked: `approved the merge before the review`."""
    words = wording.words
    if not _WAIVERS.isdisjoint(list_stems(" ".join(words))):
        return True
    behind = (at for at in range(hit.end, len(words)) if words[at] in _EVADING)
    return any(_leaves_check_out(wording, hit, at) for at in behind)


def _leaves_check_out(wording: DeedSentence, hit: PhraseMatch, at: int) -> bool:
    """Whether a check, or what somebody else does, stands behind `before`, or more than remarks behind `without`.

    Not so where the writer does it: `before I checked again`.
    """
    words, end = wording.words, wording.end(at)
    if not _SPEAKERS.isdisjoint((*words[hit.end : at], *words[at + 1 : at + 2])):
        return False
    stems = list_stems(" ".join(words[at + 1 : end]))
    if words[at] == "without":
        return not stems <= _REMARKS
    return "somebody" in words[at + 1 : end] or not stems.isdisjoint(_CHECKS)


def list_numbers(wording: DeedSentence, hit: PhraseMatch) -> Iterator[str]:
    """The numbers of what a consent is to: the 4 and 5 of `approved #4 and pull request 5`."""
    last = ""
    for at in range(wording.begin(hit.start), _find_list_end(wording, hit.end)):
        fact, word = wording.names.get(at), wording.words[at]
        if fact is not None and fact.kind == "key" and "#" in str(fact.value):
            yield str(fact.value).rpartition("#")[2]
            last = "#"
        elif word.isdigit() and last in _NUMBERED:
            yield word
        elif word not in _JOINING:
            last = word


def _find_list_end(wording: DeedSentence, at: int) -> int:
    """Where the clause of a word ends, with what is listed behind it: `#4 and #5`."""
    end = wording.end(at)
    while wording.words[end : end + 1] and wording.words[end] in _JOINING and _is_numbered(wording, end + 1):
        end = wording.end(end + 1)
    return end


def _is_numbered(wording: DeedSentence, at: int) -> bool:
    """Whether a number, alone or behind its kind, stands at a place."""
    words = wording.words
    while words[at : at + 1] and words[at] in _NUMBERED:
        at += 1
    return any(word.isdigit() or word == "somekey" for word in words[at : at + 1])
