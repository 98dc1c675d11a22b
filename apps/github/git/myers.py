"""Line diff: Myers' O(ND) algorithm in linear space, with git's choices among equal results."""

import io
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from apps.github.git.hunk_sliding import settle

WORTH = 256  # steps one search may take before the farthest point reached so far has to do
BUDGET = 400_000  # diagonals looked at, in all searches of one text; what is left then counts as rewritten
MOST_LINES = 30_000  # of both texts, between what they begin and end with alike; more counts as rewritten
COMMON = 1024  # lines that occur so often say nothing about where they belong
WINDOW = 100  # lines looked at around a frequent one
OUTWEIGH = 4
KEPT = 16  # comparisons


class Change(NamedTuple):
    """Lines a0..a1 of the old text became b0..b1 of the new one; counted from 0, ends excluded."""

    a0: int
    a1: int
    b0: int
    b1: int


def lines_of(data: bytes) -> list[bytes]:
    """Split a text into lines, each with its newline; the last one may lack it."""
    return io.BytesIO(data).readlines()


@lru_cache(maxsize=KEPT)
def compare_texts(old: bytes, new: bytes) -> tuple[Change, ...]:
    """Return the changes between two texts, in order. A page asks for those of a file more than once."""
    return tuple(changes(lines_of(old), lines_of(new)))


def changes(a: Sequence[bytes], b: Sequence[bytes], *, indents: bool = True) -> list[Change]:
    """Return the changes between two texts, in order.

    `indents`: blank lines and indentation decide the position of changes that could slide.
    """
    start, a_end, b_end = _trim(a, b, 0, len(a), 0, len(b))
    if start == a_end and start == b_end:
        return []
    old, new = bytearray(len(a) + 1), bytearray(len(b) + 1)
    if start < a_end and start < b_end and a_end + b_end - 2 * start <= MOST_LINES:
        _search(a, b, (start, a_end, b_end), old, new)
    else:
        old[start:a_end], new[start:b_end] = b"\1" * (a_end - start), b"\1" * (b_end - start)
    settle(a, old, new, indents=indents)
    settle(b, new, old, indents=indents)
    return _runs(old, new, len(a), len(b))


def _trim(a: Sequence[object], b: Sequence[object], a0: int, a1: int, b0: int, b1: int) -> tuple[int, int, int]:
    """Return the first line of `a` that differs, and the ends without the common suffix. Only for a0 == b0."""
    least = min(a1 - a0, b1 - b0)
    start = next((at for at in range(least) if a[a0 + at] != b[b0 + at]), least)
    rest = least - start
    back = next((at for at in range(rest) if a[a1 - 1 - at] != b[b1 - 1 - at]), rest)
    return a0 + start, a1 - back, b1 - back


def _search(a: Sequence[bytes], b: Sequence[bytes], span: tuple[int, int, int], old: bytearray, new: bytearray) -> None:
    """Mark the changes between two spans that differ at both ends."""
    start, a_end, b_end = span
    a_kept = _select_comparable_lines(a, Counter(b), start, a_end, old)
    b_kept = _select_comparable_lines(b, Counter(a), start, b_end, new)
    numbers: dict[bytes, int] = {}
    left = [numbers.setdefault(a[at], len(numbers)) for at in a_kept]
    right = [numbers.setdefault(b[at], len(numbers)) for at in b_kept]
    a_marks, b_marks = mark_differences(left, right)
    for at, mark in zip(a_kept, a_marks, strict=True):
        old[at] = mark
    for at, mark in zip(b_kept, b_marks, strict=True):
        new[at] = mark


def _select_comparable_lines(
    lines: Sequence[bytes], other: Counter[bytes], start: int, end: int, marks: bytearray
) -> list[int]:
    """Return the lines worth comparing.

    Lines that the other text lacks are marked, and very frequent lines among them.
    """
    limit = min(_root(len(lines)), COMMON)
    kinds = bytes(0 if (times := other[lines[at]]) == 0 else 1 if times < limit else 2 for at in range(start, end))
    surroundings = _Surroundings(kinds)
    kept: list[int] = []
    for at, kind in enumerate(kinds):
        if kind == 1 or (kind == 2 and not surroundings.is_among_changed_lines(at)):
            kept.append(start + at)
        else:
            marks[start + at] = 1
    return kept


class _Surroundings:
    """What stands around each line: lines that only one text has (0), distinctive ones (1), frequent ones (2)."""

    def __init__(self, kinds: bytes) -> None:
        self._kinds = kinds
        self._lost = [0, *accumulate(kind == 0 for kind in kinds)]

    def is_among_changed_lines(self, at: int) -> bool:
        """Whether a frequent line stands among changed lines, up to the next distinctive line on either side."""
        first = self._kinds.rfind(1, max(0, at - WINDOW), at) + 1 or max(0, at - WINDOW)
        last = self._kinds.find(1, at + 1, at + 1 + WINDOW)
        if last < 0:
            last = min(at + 1 + WINDOW, len(self._kinds))
        before, after = self._lost[at] - self._lost[first], self._lost[last] - self._lost[at + 1]
        if not before or not after:
            return False
        frequent = last - first - before - after + 1
        return frequent * OUTWEIGH < frequent + before + after


def _root(number: int) -> int:
    """Return a power of two near the square root."""
    return 1 << ((number.bit_length() + 1) // 2)


def mark_differences(a: Sequence[int], b: Sequence[int]) -> tuple[bytearray, bytearray]:
    """Mark the lines removed from `a` and added in `b`."""
    old, new = bytearray(len(a)), bytearray(len(b))
    spans = [(0, len(a), 0, len(b))]
    budget = BUDGET
    most = max(WORTH, _root(len(a) + len(b) + 3))
    while spans:
        a0, a1, b0, b1 = spans.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
        if a0 == a1 or b0 == b1 or budget < 0:
            old[a0:a1] = b"\1" * (a1 - a0)
            new[b0:b1] = b"\1" * (b1 - b0)
        else:
            x, y, steps = _middle(a[a0:a1], b[b0:b1], most)
            budget -= steps * steps
            spans += [(a0, a0 + x, b0, b0 + y), (a0 + x, a1, b0 + y, b1)]
    return old, new


class _Front:
    """Farthest point reached on each diagonal x - y, from one end; negative diagonals count from the list's end."""

    def __init__(self, at: int, reached: int, low: int, high: int, outside: int) -> None:
        self.reach = [outside] * (high - low + 3)
        self.reach[at] = reached
        self.least, self.most, self.low, self.high, self.outside = at, at, low, high, outside

    def widen(self) -> None:
        """Add a diagonal on each side, as long as there are any."""
        if self.least > self.low:
            self.least -= 1
            self.reach[self.least - 1] = self.outside
        else:
            self.least += 1
        if self.most < self.high:
            self.most += 1
            self.reach[self.most + 1] = self.outside
        else:
            self.most -= 1


def _middle(a: Sequence[int], b: Sequence[int], most: int) -> tuple[int, int, int]:
    """Return the meeting point of the searches from both ends on a shortest path, and its number of steps."""
    low, high = -len(b), len(a)
    forth = _Front(0, 0, low, high, -1)
    back = _Front(high + low, high, low, high, high - low + 1)
    odd = bool((high + low) & 1)
    for step in range(1, most + 1):
        forth.widen()
        met = _forth(a, b, forth, back if odd else None)
        if met is not None:
            return *met, step
        back.widen()
        met = _back(a, b, back, None if odd else forth)
        if met is not None:
            return *met, step
    return *_farthest(forth, back, high, -low), most


def _forth(a: Sequence[int], b: Sequence[int], front: _Front, other: _Front | None) -> tuple[int, int] | None:
    reach, a_end, b_end = front.reach, len(a), len(b)
    for diagonal in range(front.most, front.least - 1, -2):
        left, right = reach[diagonal - 1], reach[diagonal + 1]
        x = left + 1 if left >= right else right
        y = x - diagonal
        while x < a_end and y < b_end and a[x] == b[y]:
            x += 1
            y += 1
        reach[diagonal] = x
        if other is not None and other.least <= diagonal <= other.most and other.reach[diagonal] <= x:
            return x, y
    return None


def _back(a: Sequence[int], b: Sequence[int], front: _Front, other: _Front | None) -> tuple[int, int] | None:
    reach = front.reach
    for diagonal in range(front.most, front.least - 1, -2):
        left, right = reach[diagonal - 1], reach[diagonal + 1]
        x = left if left < right else right - 1
        y = x - diagonal
        while x > 0 and y > 0 and a[x - 1] == b[y - 1]:
            x -= 1
            y -= 1
        reach[diagonal] = x
        if other is not None and other.least <= diagonal <= other.most and x <= other.reach[diagonal]:
            return x, y
    return None


def _farthest(forth: _Front, back: _Front, a_end: int, b_end: int) -> tuple[int, int]:
    """Return the farthest point of a search that takes too long, from either end."""
    ahead = [(min(forth.reach[d], a_end, b_end + d), d) for d in range(forth.most, forth.least - 1, -2)]
    x, d = max(ahead, key=lambda one: 2 * one[0] - one[1])
    behind = [(max(back.reach[d], 0, d), d) for d in range(back.most, back.least - 1, -2)]
    u, e = min(behind, key=lambda one: 2 * one[0] - one[1])
    return (x, x - d) if a_end + b_end - (2 * u - e) < 2 * x - d else (u, u - e)


def _runs(old: bytearray, new: bytearray, a_size: int, b_size: int) -> list[Change]:
    """Convert marks to changes, in order."""
    found: list[Change] = []
    a = b = 0
    while True:
        next_a, next_b = old.find(1, a, a_size), new.find(1, b, b_size)
        gap_a, gap_b = next_a - a if next_a >= 0 else a_size, next_b - b if next_b >= 0 else b_size
        if next_a < 0 and next_b < 0:
            return found
        step = min(gap_a, gap_b)
        a, b = a + step, b + step
        a_end, b_end = old.find(0, a), new.find(0, b)
        found.append(Change(a, a_end, b, b_end))
        a, b = a_end, b_end
