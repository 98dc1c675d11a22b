"""Findings about the work: a value, a formula or a row is wrong, which takes back nothing that was said."""

from collections.abc import Sequence

from world.grading.commitment.patterns import PhraseMatch

TURNS = frozenset("not never hardly barely scarcely no neither nor without".split())
COPULAS = frozenset(
    "is are was were be been being 's sounds seems looks proves proved turned became remains holds hold has have does do"
    " did will would can could stands applies should must may might".split()
)
# What a finding may be about, and no statement: this value is wrong, the formula was not right.
WORK = frozenset(
    """
    value values limit limits formula formulas formulae cell cells row rows column columns setting settings constant
    constants key keys label labels check checks rule rules default defaults name names entry entries threshold variable
    parameter condition query code branch range unit spelling order function method import
    """.split()
)
_FAULTS = frozenset(
    "wrong incorrect inaccurate mistaken erroneous false outdated obsolete stale invalid right correct accurate valid"
    " true".split()
)
_STATED = frozenset(
    """
    statement statements claim claims sentence sentences message messages text texts answer answers reply replies report
    reports assertion assertions word words line lines point points paragraph paragraphs fact facts news bit bits part
    parts next following above below thing things information info content contents post posts mail mails comment
    comments note notes update updates story draft template announcement notice rumour rumours rumor rumors belief
    impression assumption assumptions idea notion allegation view opinion author person
    """.split()
)
_NO_NOUNS = frozenset(
    "it this that these those they everything all nothing none anything something one which what who and or so but rest".split()
)
_MEASURED = frozenset("figure figures number numbers total totals amount amounts sum sums date dates".split())
_SHOWING = frozenset("this that these those".split())
_PAST = frozenset("was were".split())
_LINKING = _PAST | {"is", "are", "'s"}


def finds_fault(words: Sequence[str], hit: PhraseMatch) -> bool:
    """Whether a heading tells what was wrong with the work: three formulas were wrong, B3 is not right."""
    if words[hit.end - 1] not in _FAULTS:
        return False
    copula = next((at for at in range(hit.start - 1, 0, -1) if words[at] in _LINKING), 0)
    if not copula or any(word[0].isalnum() and word not in TURNS for word in words[copula + 1 : hit.start]):
        return False
    if list(words[:copula]) == ["what"]:
        return words[copula] in _PAST
    relative = copula > 1 and words[copula - 1] in ("that", "which")
    head = words[copula - 1 - relative]
    shown = not _SHOWING.isdisjoint(words[: copula - 1]) or words[copula] not in _PAST
    noun = head[0].isalnum() and head not in _NO_NOUNS and _STATED.isdisjoint(words[:copula])
    return noun and not (shown and head in _MEASURED)
