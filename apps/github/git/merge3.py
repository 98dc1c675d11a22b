"""Three-way merge of texts: a change of one side is taken, different changes of both sides conflict."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apps.github.git.binary import is_binary
from apps.github.git.myers import Change, changes, lines_of

MARKER = 7
NEAR = 3  # lines between two conflicts that are shown as one


class Part(NamedTuple):
    """A part of the merge: lines to take, or (`conflict`) the lines of either side."""

    ours: list[bytes]
    theirs: list[bytes]
    conflict: bool


class _Region(NamedTuple):
    """A stretch of the base that a side changed, and its position on either side."""

    ours: tuple[int, int]
    theirs: tuple[int, int]
    by: int  # 1 ours, 2 theirs, 3 both


def merge_file(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge two changed texts; None for a conflict, or when any is binary."""
    if any(is_binary(one) for one in (base, ours, theirs)):
        return None
    parts = merge_parts(base, ours, theirs)
    return None if any(part.conflict for part in parts) else b"".join(line for part in parts for line in part.ours)


def render_conflicts(base: bytes, ours: bytes, theirs: bytes, labels: tuple[str, str], size: int = MARKER) -> bytes:
    """Merge two texts with conflict markers, as `git merge` leaves them."""
    names = [label.encode("utf-8", "surrogateescape") for label in labels]
    ending = b"\r\n" if all(_windows(text) for text in (ours, theirs)) else b"\n"
    out: list[bytes] = []
    for part in merge_parts(base, ours, theirs):
        if not part.conflict:
            out += part.ours
            continue
        out += [b"<" * size + b" " + names[0] + ending, *_end_lines(part.ours, ending), b"=" * size + ending]
        out += [*_end_lines(part.theirs, ending), b">" * size + b" " + names[1] + ending]
    return b"".join(out)


def _windows(text: bytes) -> bool:
    return text.partition(b"\n")[0].endswith(b"\r")


def _end_lines(lines: list[bytes], ending: bytes) -> list[bytes]:
    return [*lines[:-1], lines[-1] + ending] if lines and not lines[-1].endswith(b"\n") else lines


def merge_parts(base: bytes, ours: bytes, theirs: bytes) -> list[Part]:
    """Return the parts of a merge."""
    lines = lines_of(base), lines_of(ours), lines_of(theirs)
    regions = _regions(changes(lines[0], lines[1], indents=False), changes(lines[0], lines[2], indents=False))
    return _close(list(_parts(lines[1], lines[2], regions)))


def _regions(ours: list[Change], theirs: list[Change]) -> Iterator[_Region]:
    """Yield the changed regions of both sides in order; touching changes form one region."""
    moved = [0, 0]  # how much longer either side is so far
    todo = sorted([(one.a0, one.a1, 0, one) for one in ours] + [(one.a0, one.a1, 1, one) for one in theirs])
    at = 0
    while at < len(todo):
        start, end, by, grown = todo[at][0], todo[at][0], 0, [0, 0]
        while at < len(todo) and (by == 0 or todo[at][0] <= end):
            _, stop, side, one = todo[at]
            end, by, at = max(end, stop), by | (side + 1), at + 1
            grown[side] += (one.b1 - one.b0) - (one.a1 - one.a0)
        spans = [(start + moved[side], end + moved[side] + grown[side]) for side in (0, 1)]
        yield _Region(spans[0], spans[1], by)
        moved = [moved[side] + grown[side] for side in (0, 1)]


def _parts(ours: Sequence[bytes], theirs: Sequence[bytes], regions: Iterator[_Region]) -> Iterator[Part]:
    at = 0
    for region in regions:
        yield _take_lines(ours[at : region.ours[0]])
        left, right = list(ours[slice(*region.ours)]), list(theirs[slice(*region.theirs)])
        if region.by == 3:
            yield from _split_agreed_lines(left, right)
        else:
            yield _take_lines(left if region.by == 1 else right)
        at = region.ours[1]
    yield _take_lines(ours[at:])


def _take_lines(lines: Sequence[bytes]) -> Part:
    return Part(list(lines), [], False)


def _split_agreed_lines(ours: list[bytes], theirs: list[bytes]) -> Iterator[Part]:
    """Split lines that both sides changed alike from a conflict."""
    at = 0
    for one in changes(ours, theirs, indents=False):
        yield _take_lines(ours[at : one.a0])
        yield Part(ours[one.a0 : one.a1], theirs[one.b0 : one.b1], True)
        at = one.a1
    yield _take_lines(ours[at:])


def _close(parts: list[Part]) -> list[Part]:
    """Conflicts with only a few lines between them become one. Parts grow in place: a text may have very many."""
    found: list[Part] = []
    for part in parts:
        if not part.conflict and not part.ours:
            continue
        if (
            part.conflict
            and len(found) > 1
            and found[-2].conflict
            and not found[-1].conflict
            and len(found[-1].ours) <= NEAR
        ):
            between = found.pop().ours
            _grow(found[-1], between, between)
            _grow(found[-1], part.ours, part.theirs)
        elif found and found[-1].conflict == part.conflict:
            _grow(found[-1], part.ours, part.theirs)
        else:
            found.append(part)
    return found


def _grow(part: Part, ours: list[bytes], theirs: list[bytes]) -> None:
    part.ours.extend(ours)
    part.theirs.extend(theirs)
