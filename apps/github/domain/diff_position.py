"""Positions of review comments: the lines of a diff that accept one, its hunk, and its line after the head moved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from apps.github.domain.pull_git import Changes
from apps.github.git import Repo
from apps.github.git.diff import Hunk, content, hunks, is_binary
from apps.github.git.myers import changes, lines_of
from apps.github.git.tree_diff import Change

LEFT, RIGHT = "LEFT", "RIGHT"


class DiffLine(NamedTuple):
    """A line of a file's diff. `position` counts lines below its first hunk's header, further headers included."""

    position: int
    hunk: int
    at: int
    kind: str
    old_no: int | None
    new_no: int | None

    def number(self, side: str) -> int | None:
        """Return the line's number on a side of the diff."""
        return self.old_no if side == LEFT else self.new_no


@dataclass(frozen=True, slots=True)
class CommentPosition:
    """Position of a comment; a comment on a whole file has no line."""

    path: str
    subject: str = "line"
    side: str = RIGHT
    line: int | None = None
    start_side: str | None = None
    start_line: int | None = None
    position: int | None = None
    diff_hunk: str = ""


class PositionNotInDiff(Exception):
    """Error for a position outside the diff; it names the wrong argument."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def file_hunks(git: Repo, change: Change) -> list[Hunk]:
    """Return the hunks of a changed file; none for a binary file."""
    old, new = content(git, change.old), content(git, change.new)
    return [] if is_binary(old) or is_binary(new) else hunks(old, new)


def spots(found: list[Hunk]) -> Iterator[DiffLine]:
    """Yield the lines of a file's diff that accept a comment."""
    position = 0
    for number, hunk in enumerate(found):
        position += number > 0
        for at, line in enumerate(hunk.lines):
            position += 1
            if line.kind != "\\":
                yield DiffLine(position, number, at, line.kind, line.old_no, line.new_no)


def place(
    of: Changes,
    path: str,
    *,
    line: int | None,
    side: str | None,
    start_line: int | None = None,
    start_side: str | None = None,
    position: int | None = None,
    whole: bool = False,
) -> CommentPosition:
    """Resolve the requested position of a comment in a pull request's diff. Raises PositionNotInDiff."""
    change = of.change(path)
    if change is None:
        raise PositionNotInDiff("path")
    if whole:
        return CommentPosition(path, "file")
    found = file_hunks(of.git, change)
    listed = list(spots(found))
    if line is None:
        end = next((one for one in listed if one.position == position), None)
        if end is None:
            raise PositionNotInDiff("position" if position is not None else "line")
        side = LEFT if end.kind == "-" else RIGHT
    else:
        side = side or RIGHT
        end = _spot(listed, side, line, "line")
    hunk, number = found[end.hunk], end.number(side)
    if start_line is None or (start_line == number and (start_side or side) == side):
        return CommentPosition(path, "line", side, number, None, None, end.position, hunk_text(hunk, end.at))
    begin = _spot(listed, start_side or side, start_line, "start_line")
    if begin.hunk != end.hunk or begin.position >= end.position:
        raise PositionNotInDiff("start_line")
    return CommentPosition(
        path, "line", side, number, start_side or side, start_line, end.position, hunk_text(hunk, end.at)
    )


def _spot(listed: list[DiffLine], side: str, number: int, field: str) -> DiffLine:
    found = next((one for one in listed if one.number(side) == number), None)
    if found is None:
        raise PositionNotInDiff(field)
    return found


def hunk_text(hunk: Hunk, last: int) -> str:
    """Return a hunk from its header to one of its lines."""
    return "\n".join([hunk.header, *(one.kind + one.text for one in hunk.lines[: last + 1])])


def line_after(git: Repo, old_blob: str, new_blob: str, line: int) -> int | None:
    """Map a line of one version of a file to another version; None if the line was changed."""
    if old_blob == new_blob:
        return line
    shift = 0
    for run in changes(lines_of(git.blob(old_blob)), lines_of(git.blob(new_blob))):
        if line - 1 < run.a0:
            break
        if line - 1 < run.a1:
            return None
        shift = run.b1 - run.a1
    return line + shift
