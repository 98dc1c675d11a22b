"""Facts that stand as alternatives: who writes `4, 5 or 6 guests` states none of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from world.grading.facts.fact import NUMERIC, Fact

_JOINT = re.compile(
    r"[\s#*_]*[,;]?[\s#*_]*(?:(?:or|oder|ou|and)\s)?[\s#*_]*(?:(?:perhaps|maybe|possibly|even|about|rather|else)\s)?[\s#*_]*",
    re.I,
)
_OR = re.compile(r"\b(?:or|oder|ou)\b", re.I)
_NEITHER = re.compile(r"(?:\b(?:not|never|neither|nor|without|no|nobody|cannot)\b|n['’]t)[^.,;:!?\n]*$", re.I)
_RANGE = re.compile(r"[\s*_]*(?:to|bis|–|—|-|\.\.+)[\s*_]*", re.I)  # of counts: 1 to 9 guests
_EITHER = re.compile(r"\beither\b[^.,;:!?\n]*$", re.I)
_OR_BEHIND = re.compile(r"[^.;:!?\n]{0,60}?\bor\b", re.I)
_OR_NAME = re.compile(r"[\s*_`\"']*,?\s*\bor\b[\s*_`\"']*[#@]?\w+(?:[-_./]\w+)+", re.I)
_OF = re.compile(r"\bof (?:the |all |these |our )?[*_`]*$", re.I)
_ONLY = re.compile(r"[^.;:!?\n]{0,60}?\b(?:only|just|merely|no more than|barely)\b", re.I)
_BETWEEN = re.compile(r"\bbetween [*_`]*$", re.I)
_LOOSELY = re.compile(
    r"\b(?:at least|at most|more than|fewer than|less than|no fewer than|no more than"
    r"|(?<!add )(?<!adds )(?<!added )(?<!sums )(?<!comes )up to|upwards of"
    r"|roughly|approximately|approx\.?"
    r"|circa|ca\.|nearly|almost|close to|something like|somewhere around|in the region of|perhaps|maybe|possibly|probably|presumably|supposedly"
    r"|(?:^|\b(?:is|are|was|were|it's|that's|be|come|comes|came|makes?|made|found|counted?|got|have|has|of|say|be))\s+(?:about|around))"
    r"\s+(?:the\s+|a\s+|(?:eur|usd|gbp)\s?|[€$£]\s?)?[*_`]*$|(?:^|\n)\s*(?:about|around|over|under)\s+[*_`]*$|[~≈<>]\s*$",
    re.I,
)  # before a count that is none
_LOOSELY_BEHIND = re.compile(
    r"[*_`]*\s*(?:or so|or more|or fewer|or less|give or take|at least|at most|-?ish)\b|\+(?![\w+])", re.I
)
_FAR = 80  # characters before a fact
_COUNTS = frozenset({"count", "number"})
_LISTED = 4  # bare counts in a row, which are tried out
_SAME = Decimal("0.05")  # a measure and the same in another unit differ by no more


def deny_alternatives(text: str, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """Mark as denied the facts of one kind that a text joins with `or`, and counts in a range, a bare list, or with `about`.

    Behind a negation `or` leaves nothing open: `I could not place B1 or B2`.
    """
    open_ones = {id(fact) for run in _list_runs(text, facts) if _is_open(text, run) for fact in run}
    open_ones |= {id(fact) for fact in facts if _is_one_of_two(text, fact) or _is_loose(text, fact)}
    return tuple(replace(fact, denied=True) if id(fact) in open_ones else fact for fact in facts)


def _is_one_of_two(text: str, fact: Fact) -> bool:
    """Whether a fact is one of two possibilities, whatever the other is: `either test_a or a test of Tom`, `test_a or test_b`.

    Nor is a count that of what was done where it is only the whole: `of 5 accounts I moved only two`.
    """
    if fact.kind in _COUNTS and _OF.search(text, 0, fact.start) and _ONLY.match(text, fact.end):
        return True
    if fact.kind == "text" and _OR_NAME.match(text, fact.end):
        return True
    either = _EITHER.search(text, max(0, fact.start - _FAR), fact.start)
    return either is not None and _OR_BEHIND.match(text, fact.end) is not None


def _is_loose(text: str, fact: Fact) -> bool:
    """Whether a count, or a sum to the cent, is only a bound or a guess: `at least 5`, `roughly EUR 12.34`."""
    if fact.kind != "count" and not (fact.kind == "amount" and _has_cents(fact)):
        return False
    before = _LOOSELY.search(text, max(0, fact.start - _FAR), fact.start)
    return before is not None or _LOOSELY_BEHIND.match(text, fact.end) is not None


def _has_cents(fact: Fact) -> bool:
    written = fact.written if fact.written is not None else fact.value
    return isinstance(written, Decimal) and written != written.to_integral_value()


def _list_runs(text: str, facts: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
    """Yield the rows of two or more facts of one kind with nothing but commas and joining words between them."""
    kinds: dict[str, list[Fact]] = {}
    for fact in sorted(facts, key=lambda one: (one.start, one.end)):
        kinds.setdefault("count" if fact.kind in _COUNTS else fact.kind, []).append(fact)
    for some in kinds.values():
        run = [some[0]]
        for last, fact in pairwise(some):
            if not _is_joined(text, last, fact):
                yield run
                run = []
            run.append(fact)
        yield run


def _is_joined(text: str, last: Fact, fact: Fact) -> bool:
    gap = text[last.end : fact.start]
    return last.end < fact.start and bool(_JOINT.fullmatch(gap) or _is_range(last, gap))


def _is_range(fact: Fact, gap: str) -> bool:
    return fact.kind in _COUNTS and bool(_RANGE.fullmatch(gap))


def _ascends(last: Fact, fact: Fact) -> bool:
    """Whether the second of two counts is the larger, as in a range; `6 to 5` is how a vote ended."""
    return isinstance(last.value, Decimal) and isinstance(fact.value, Decimal) and last.value < fact.value


def _is_open(text: str, run: Sequence[Fact]) -> bool:
    """Whether a row leaves open which of its facts is meant."""
    gaps = [(text[last.end : fact.start], _ascends(last, fact)) for last, fact in pairwise(run)]
    between = run[0].kind in _COUNTS and _BETWEEN.search(text, 0, run[0].start) is not None
    chosen = (between and len(run) > 1) or any(
        _OR.search(gap) or (ascends and _is_range(run[0], gap)) for gap, ascends in gaps
    )
    tried = run[0].kind in _COUNTS and len(run) >= _LISTED
    if run[0].kind not in NUMERIC and _NEITHER.search(text, 0, run[0].start):
        return False
    return (chosen or tried) and len({(fact.value, fact.unit) for fact in run}) > 1 and not _is_converted(run)


def _is_converted(run: Sequence[Fact]) -> bool:
    """Whether a sum is followed by its worth in another currency, or a measure by the same in another unit."""
    one, *others = run
    if one.kind not in NUMERIC or len(others) != 1:
        return False
    (other,) = others
    if one.unit != other.unit:
        return one.value != other.value
    if _is_written_alike(one, other):
        return one.value == other.value
    values = sorted(value for value in (one.value, other.value) if isinstance(value, Decimal))
    return one.kind not in _COUNTS and len(values) == 2 and values[1] - values[0] <= _SAME * values[1]


def _is_written_alike(one: Fact, other: Fact) -> bool:
    """Whether two measures of one unit stand in the same unit in the text too: none is the other converted."""
    if one.kind == "amount":
        return True
    first, second = _find_factor(one), _find_factor(other)
    return first is not None and first == second


def _find_factor(fact: Fact) -> Decimal | None:
    """How much a unit of the text is of that of the value; None where the text has no number."""
    if not isinstance(fact.value, Decimal) or not fact.written:
        return None
    return fact.value / fact.written
