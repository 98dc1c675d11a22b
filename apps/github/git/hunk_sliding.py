"""Position of a run of changed lines that could slide up or down: at its partner's, else by indentation.

The weights are those of github.com/mhagger/diff-slider-tools, found by comparing with people's choices.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

FARTHEST = 100  # lines a run is tried at
MAX_INDENT, MAX_BLANKS, TAB = 200, 20, 8
START_OF_FILE, END_OF_FILE, TOTAL_BLANK, POST_BLANK = 1, 21, -30, 6
INDENT, INDENT_WITH_BLANK = -4, 10
OUTDENT, OUTDENT_WITH_BLANK = 24, 17
DEDENT, DEDENT_WITH_BLANK = 23, 17
INDENT_WEIGHT = 60
_BLANK = b" \t\n\r\v\f"


class _Run:
    """A run of marked lines (maybe empty) of one text; unmarked lines pair off with the other text."""

    def __init__(self, marks: bytearray, size: int) -> None:
        self.marks, self.size, self.start = marks, size, 0
        self.end = marks.find(0, 0)

    def forward(self) -> bool:
        """Move to the next run, behind one unmarked line."""
        if self.end >= self.size:
            return False
        self.start = self.end + 1
        self.end = self.marks.find(0, self.start)
        return True

    def skip(self, count: int) -> None:
        """Move to the run behind a number of unmarked lines."""
        at = self.end
        while True:
            marked = self.marks.find(1, at)
            ahead = (marked if marked >= 0 else self.size) - at
            if ahead >= count:
                self.start, self.end = at + count, self.marks.find(0, at + count)
                return
            count, at = count - ahead, self.marks.find(0, marked)

    def backward(self) -> bool:
        """Move to the previous run, in front of one unmarked line."""
        if self.start == 0:
            return False
        self.end = self.start - 1
        self.start = self.marks.rfind(0, 0, self.end) + 1
        return True


class _Slider(_Run):
    """A run that can slide while the lines that enter and leave it are equal."""

    def __init__(self, lines: Sequence[bytes], marks: bytearray) -> None:
        super().__init__(marks, len(lines))
        self.lines = lines

    def up(self) -> bool:
        """Slide one line up, absorbing a run it meets."""
        if self.start == 0 or self.lines[self.start - 1] != self.lines[self.end - 1]:
            return False
        self.start, self.end = self.start - 1, self.end - 1
        self.marks[self.start], self.marks[self.end] = 1, 0
        self.start = self.marks.rfind(0, 0, self.start) + 1
        return True

    def down(self) -> bool:
        """Slide one line down, absorbing a run it meets."""
        if self.end >= self.size or self.lines[self.start] != self.lines[self.end]:
            return False
        self.marks[self.start], self.marks[self.end] = 0, 1
        self.start, self.end = self.start + 1, self.marks.find(0, self.end)
        return True


def settle(lines: Sequence[bytes], marks: bytearray, other_marks: bytearray, *, indents: bool) -> None:
    """Slide each run of a text to its display position; `marks` end with a 0 behind the last line."""
    run, other = _Slider(lines, marks), _Run(other_marks, len(other_marks) - 1)
    while True:
        if run.start != run.end:
            _place(run, other, indents)
        following = marks.find(1, run.end)
        if following < 0:
            return
        ahead = following - run.end
        run.skip(ahead)
        other.skip(ahead)


def _place(run: _Slider, other: _Run, indents: bool) -> None:
    size, earliest, partner = -1, run.end, -1
    while size != run.end - run.start:
        size = run.end - run.start
        while run.up():
            other.backward()
        earliest = run.end
        partner = run.end if other.end > other.start else -1
        while run.down():
            other.forward()
            if other.end > other.start:
                partner = run.end
    if run.end == earliest:
        return
    best = run.end
    if partner != -1:
        best = partner
    elif indents:
        best = _best(run.lines, run.end, size, earliest)
    while run.end > best and run.up():
        other.backward()


def _best(lines: Sequence[bytes], end: int, size: int, earliest: int) -> int:
    """Return the end position at which a run of some size reads best; the last of equals."""
    found: tuple[int, _Score] | None = None
    for shift in range(max(earliest, end - size - 1, end - FARTHEST), end + 1):
        score = _Score(*map(sum, zip(_score(lines, shift), _score(lines, shift - size), strict=True)))
        if (
            found is None
            or INDENT_WEIGHT * _sign(score.indent - found[1].indent) + score.penalty - found[1].penalty <= 0
        ):
            found = shift, score
    return found[0] if found else end


class _Score(NamedTuple):
    indent: int
    penalty: int


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _score(lines: Sequence[bytes], at: int) -> _Score:
    """Score a split of a text before a line; higher is worse."""
    here = _indent(lines[at]) if at < len(lines) else None
    before, blank_before = _nearest(lines[i] for i in range(at - 1, -1, -1))
    after, blank_after = _nearest(lines[i] for i in range(at + 1, len(lines)))
    blank_after = 1 + blank_after if here is None else 0
    blanks = blank_before + blank_after
    penalty = TOTAL_BLANK * blanks + POST_BLANK * blank_after
    if before is None and blank_before == 0:
        penalty += START_OF_FILE
    if at >= len(lines):
        penalty += END_OF_FILE
    indent = here if here is not None else after
    if indent is not None and before is not None:
        penalty += _step(indent, before, after, blanks > 0)
    return _Score(-1 if indent is None else indent, penalty)


def _step(indent: int, before: int, after: int | None, blank: bool) -> int:
    if indent > before:
        return INDENT_WITH_BLANK if blank else INDENT
    if indent == before:
        return 0
    if after is not None and after > indent:
        return OUTDENT_WITH_BLANK if blank else OUTDENT
    return DEDENT_WITH_BLANK if blank else DEDENT


def _nearest(lines: Iterator[bytes]) -> tuple[int | None, int]:
    """Return the indentation of the first non-blank line, and the number of blank ones before it."""
    blanks = 0
    for line in lines:
        indent = _indent(line)
        if indent is not None:
            return indent, blanks
        blanks += 1
        if blanks == MAX_BLANKS:
            return 0, blanks
    return None, blanks


def _indent(line: bytes) -> int | None:
    """Return the columns before the first character; None for a blank line."""
    text = line.lstrip(_BLANK)
    if not text:
        return None
    head = line[: len(line) - len(text)]
    return min(MAX_INDENT, len(head.replace(b"\t", b" " * TAB)) if b"\t" not in head.lstrip(b"\t") else _columns(head))


def _columns(head: bytes) -> int:
    found = 0
    for one in head:
        found += TAB - found % TAB if one == 9 else 1 if one == 32 else 0
    return found
