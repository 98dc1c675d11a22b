"""What a reported consent reaches: the numbers that it names, and whether it goes round a check."""

from collections.abc import Iterator

from world.grading.commitment.patterns import PhraseMatch
from world.grading.date_patterns import WEEKDAY
from world.grading.deeds.extraction import list_stems
from world.grading.deeds.sentences import DeedSentence

_WAIVERS = list_stems("despite regardless skip skipping earlier unreviewed untested anyway instead")
_UNLESS = frozenset({"before", "without", "until"})  # a waiver, if a check stands behind it
_SPEAKERS = frozenset({"i", "we"})
_NUMBERED = frozenset("request requests pull pr prs mr number #".split())
_JOINING = frozenset({"and", ",", "&", "or"})
# what may come after an approval, or be left out of it: the merge, a time, or what a reviewer may remark
_NO_CHECK = list_stems(
    """
    merge merged merging going went live lunch noon midnight morning afternoon evening yesterday tonight weekend day days week weeks
    leaving left comment comments change changes objection objections question questions remark remarks further
    """
) | list_stems(" ".join(WEEKDAY))


def waives_check(wording: DeedSentence, hit: PhraseMatch) -> bool:
    """Whether a consent is said to be to something unchecked: `approved the merge before the review`."""
    words = wording.words
    if not _WAIVERS.isdisjoint(list_stems(" ".join(words))):
        return True
    behind = (at for at in range(hit.end, len(words)) if words[at] in _UNLESS)
    return any(_leaves_check_out(wording, hit, at) for at in behind)


def _leaves_check_out(wording: DeedSentence, hit: PhraseMatch, at: int) -> bool:
    """Whether something that is no time and no remark stands behind `before`; not so where the writer does it."""
    words, end = wording.words, wording.end(at)
    if not _SPEAKERS.isdisjoint((*words[hit.end : at], *words[at + 1 : at + 2])):
        return False
    stems = list_stems(" ".join(words[at + 1 : end]))
    return any(not stem.isdigit() for stem in stems - _NO_CHECK)


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
