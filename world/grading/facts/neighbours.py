"""Numbers side by side: ranges, durations in two units, shares."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, zip_longest

from world.grading.facts.fact import FactReading
from world.grading.facts.piece import ExtractionState, FactCandidate

_RANGE = re.compile(r" ?(?:-|to|bis|or|oder|and|und|until|through|a) ?")
_CENTS = re.compile(r"[0-9][0-9.,' ]*[.,][0-9]{2}(?![0-9])")
_MERGE = re.compile(r"\.?,? ?(?:and |und |et |y )?")
_RATIO = re.compile(r" (?P<how>in|out of|of every|in every|out of every|von|von je|von jeweils|auf|sur|de cada) ")
_MAX_RATIO = 1000


def join_ranges(found: list[FactCandidate], c: ExtractionState) -> list[FactCandidate]:
    """`30 to 40 minutes`: the first number is in the unit of the second."""
    for piece, following in pairwise(found):
        if piece.kind != "count" or following.kind not in ("amount", "number", "percentage", "duration"):
            continue
        if piece.others and following.kind != "amount":
            continue
        if following.kind != "amount" and _is_to_the_cent(c.low, piece) and not _is_to_the_cent(c.low, following):
            continue
        if not _RANGE.fullmatch(c.low, piece.end, following.start) or not isinstance(piece.value, Decimal):
            continue
        factor = following.step or Decimal(1)
        piece.kind, piece.unit, piece.weak = following.kind, following.unit, False
        piece.others = tuple(
            FactReading(following.kind, one.value * factor, following.unit, one.habit, one.written)
            for one in piece.others
            if isinstance(one.value, Decimal)
        )
        piece.value, piece.step = piece.value * factor, Decimal(0)
    return found


def _is_to_the_cent(low: str, piece: FactCandidate) -> bool:
    """Whether a number is written as sums are: `577.00 and 20 %` is no range of percentages."""
    return _CENTS.match(low, piece.start) is not None


def merge_durations(found: Sequence[FactCandidate], c: ExtractionState) -> list[FactCandidate]:
    """`1 hour and 5 minutes` is one duration."""
    kept: list[FactCandidate] = []
    for piece in found:
        last = kept[-1] if kept else None
        if last and last.kind == piece.kind == "duration" and last.unit == piece.unit and last.step > piece.step > 0:
            if _MERGE.fullmatch(c.low, last.end, piece.start) and not last.others and not piece.others:
                assert isinstance(last.value, Decimal) and isinstance(piece.value, Decimal)
                if piece.value >= last.step:  # `two hours, 117 minutes to be exact`
                    kept.append(piece)
                    continue
                last.value, last.end, last.step, last.written = last.value + piece.value, piece.end, piece.step, None
                continue
        kept.append(piece)
    return kept


def join_ratios(found: Sequence[FactCandidate], c: ExtractionState) -> Iterator[FactCandidate]:
    """`three in ten` is a percentage; `12 out of 40` is one too, and both counts stay."""
    skip = False
    for piece, following in zip_longest(found, found[1:]):
        if skip:
            skip = False
            continue
        match = _RATIO.fullmatch(c.low, piece.end, following.start) if following else None
        share = _share(piece, following, match) if match and following else None
        if share is None or following is None or match is None:
            yield piece
            continue
        value = (share * 100).quantize(Decimal("0.01")).normalize()
        yield FactCandidate("percentage", value, piece.start, following.end, written=value)
        if match["how"] in ("in", "in every", "of every", "von je", "auf"):
            skip = True
        else:
            yield piece


def _share(one: FactCandidate, of: FactCandidate, match: re.Match[str]) -> Decimal | None:
    if (
        one.kind != "count"
        or of.kind != "count"
        or not isinstance(one.value, Decimal)
        or not isinstance(of.value, Decimal)
    ):
        return None
    if not 0 < one.value <= of.value or of.value < 2 or of.value != of.value.to_integral_value():
        return None
    small = of.value <= 20 or of.value in (25, 50, 100, _MAX_RATIO)
    return one.value / of.value if small or match["how"].startswith(("out", "of", "von")) else None
