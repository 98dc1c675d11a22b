"""Diffs as text: hunks of two files, the API's patch, and the output of `git diff`."""

import re
import zlib
from base64 import b85encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apps.github.git.binary import is_binary
from apps.github.git.myers import Change as Run
from apps.github.git.myers import compare_texts, lines_of
from apps.github.git.repo import MODULE, ZERO, Entry, Repo
from apps.github.git.tree_diff import Change, list_changes

CONTEXT = 3
ABBREVIATED = 7
MAX_LINES, MAX_BYTES = (
    20_000,
    1_000_000,
)  # of one file; docs.github.com/repositories/creating-and-managing-repositories/repository-limits
PACKED_LINE = 52  # bytes of a binary file in one line
HEADING = 80  # bytes of the line that says where a hunk is
NO_NEWLINE = b"\\ No newline at end of file\n"
_HEADING = re.compile(rb"[A-Za-z_$]")
_QUOTED = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}

__all__ = [
    "Change",
    "FileDiff",
    "Hunk",
    "Line",
    "file_diff",
    "hunks",
    "is_binary",
    "list_changes",
    "quote_path",
    "render_diff",
]


class Line(NamedTuple):
    """A line of a hunk.

    `kind`: blank, + or -, or a backslash for the remark that the preceding line ends the file without a newline.
    """

    kind: str
    old_no: int | None
    new_no: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that changed together, with context.

    Starts count from 1; in a side without lines, they are the preceding line.
    """

    old_start: int
    old_lines: int
    new_start: int
    new_lines: int
    section: str
    lines: list[Line]

    @property
    def header(self) -> str:
        """`@@ -1,4 +1,5 @@ def f():`."""
        return _header(self.old_start, self.old_lines, self.new_start, self.new_lines) + (
            f" {self.section}" if self.section else ""
        )


@dataclass(frozen=True, slots=True)
class FileDiff:
    """Changes of one file. `patch` is None without lines to show: binary, too large, or renamed only."""

    change: Change
    additions: int
    deletions: int
    patch: str | None
    binary: bool = False


class _Block(NamedTuple):
    """The runs of one hunk, including context lines."""

    a0: int
    a1: int
    b0: int
    b1: int
    runs: Sequence[Run]


def _header(old_start: int, old_lines: int, new_start: int, new_lines: int) -> str:
    return f"@@ -{_span(old_start, old_lines)} +{_span(new_start, new_lines)} @@"


def _span(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"


def _blocks(a: Sequence[bytes], runs: Sequence[Run], b_size: int, context: int) -> Iterator[_Block]:
    at = 0
    while at < len(runs):
        end = at + 1
        while end < len(runs) and runs[end].a0 - runs[end - 1].a1 <= 2 * context:
            end += 1
        first, last = runs[at], runs[end - 1]
        before, after = min(context, first.a0, first.b0), min(context, len(a) - last.a1, b_size - last.b1)
        yield _Block(first.a0 - before, last.a1 + after, first.b0 - before, last.b1 + after, runs[at:end])
        at = end


def _headings(a: Sequence[bytes], blocks: list[_Block]) -> Iterator[bytes]:
    """For each hunk, return the last preceding line that begins with a name in the first column."""
    known, below = b"", -1
    for block in blocks:
        for at in range(block.a0 - 1, below, -1):
            if _HEADING.match(a[at]):
                known = a[at][:HEADING].rstrip()
                break
        below = block.a0 - 1
        yield known


def _body(a: Sequence[bytes], b: Sequence[bytes], block: _Block) -> Iterator[tuple[bytes, int, int, bytes]]:
    """Yield (kind, old index, new index, line) of a hunk."""
    x, y = block.a0, block.b0
    for run in (*block.runs, Run(block.a1, block.a1, block.b1, block.b1)):
        for at in range(run.a0 - x):
            yield b" ", x + at, y + at, a[x + at]
        for at in range(run.a0, run.a1):
            yield b"-", at, -1, a[at]
        for at in range(run.b0, run.b1):
            yield b"+", -1, at, b[at]
        x, y = run.a1, run.b1


def hunks(old: bytes, new: bytes, context: int = CONTEXT) -> list[Hunk]:
    """Return the changes between two texts, as hunks."""
    a, b = lines_of(old), lines_of(new)
    blocks = list(_blocks(a, compare_texts(old, new), len(b), context))
    found = []
    for block, heading in zip(blocks, _headings(a, blocks), strict=True):
        lines = [line for part in _body(a, b, block) for line in _list_lines(*part)]
        old_lines, new_lines = block.a1 - block.a0, block.b1 - block.b0
        section = heading.decode("utf-8", "replace")
        found.append(Hunk(block.a0 + (old_lines > 0), old_lines, block.b0 + (new_lines > 0), new_lines, section, lines))
    return found


def _list_lines(kind: bytes, old: int, new: int, text: bytes) -> Iterator[Line]:
    ended = text.endswith(b"\n")
    yield Line(
        kind.decode(),
        None if old < 0 else old + 1,
        None if new < 0 else new + 1,
        text[: len(text) - ended].decode("utf-8", "replace"),
    )
    if not ended:
        yield Line("\\", None, None, " No newline at end of file")


def _render_hunks(a: Sequence[bytes], b: Sequence[bytes], runs: Sequence[Run]) -> bytes:
    """Render hunks as `git diff` prints them."""
    out: list[bytes] = []
    blocks = list(_blocks(a, runs, len(b), CONTEXT))
    for block, heading in zip(blocks, _headings(a, blocks), strict=True):
        old_lines, new_lines = block.a1 - block.a0, block.b1 - block.b0
        out.append(_header(block.a0 + (old_lines > 0), old_lines, block.b0 + (new_lines > 0), new_lines).encode())
        out.append(b" " + heading + b"\n" if heading else b"\n")
        for kind, _, _, text in _body(a, b, block):
            out.append(kind + text if text.endswith(b"\n") else kind + text + b"\n" + NO_NEWLINE)
    return b"".join(out)


def content(repo: Repo, entry: Entry | None) -> bytes:
    """Return the content of one side of a diff; a submodule is one line with its commit."""
    if entry is None:
        return b""
    return f"Subproject commit {entry.sha}\n".encode() if entry.mode == MODULE else repo.blob(entry.sha)


def file_diff(repo: Repo, change: Change) -> FileDiff:
    """Return counts and patch of one changed file."""
    if change.old and change.new and change.old.sha == change.new.sha:
        return FileDiff(change, 0, 0, None)
    old, new = content(repo, change.old), content(repo, change.new)
    if is_binary(old) or is_binary(new):
        return FileDiff(change, 0, 0, None, binary=True)
    a, b = lines_of(old), lines_of(new)
    runs = compare_texts(old, new)
    added, removed = sum(run.b1 - run.b0 for run in runs), sum(run.a1 - run.a0 for run in runs)
    if not runs or added + removed > MAX_LINES:
        return FileDiff(change, added, removed, None)
    patch = _render_hunks(a, b, runs)
    return FileDiff(change, added, removed, patch[:-1].decode("utf-8", "replace") if len(patch) <= MAX_BYTES else None)


def render_diff(repo: Repo, old_tree: str | None, new_tree: str | None) -> bytes:
    """Render the differences between two trees as `git diff` prints them."""
    return b"".join(render_file_diff(repo, change) for change in list_changes(repo, old_tree, new_tree))


def render_file_diff(repo: Repo, change: Change, *, mailed: bool = False) -> bytes:
    """Render one file's change as `git diff` does; `mailed`: include what applies a change of a binary file."""
    if change.retyped:
        halves = Change("removed", change.old, None), Change("added", None, change.new)
        return b"".join(render_file_diff(repo, half, mailed=mailed) for half in halves)
    old_path, new_path = (change.old or change.new), (change.new or change.old)
    assert old_path is not None and new_path is not None
    a, b = quote_path("a/" + old_path.path), quote_path("b/" + new_path.path)
    head = [f"diff --git {a} {b}", *_modes(change)]
    old, new = change.old, change.new
    if old and new and old.sha == new.sha:
        return "\n".join([*head, ""]).encode()
    sides = content(repo, old), content(repo, new)
    binary = is_binary(sides[0]) or is_binary(sides[1])
    size = len(ZERO) if binary and mailed else ABBREVIATED
    shas = "..".join((entry.sha if entry else ZERO)[:size] for entry in (old, new))
    head.append(f"index {shas} {old.mode:06o}" if old and new and old.mode == new.mode else f"index {shas}")
    start = "\n".join([*head, ""]).encode()
    if binary and mailed:
        return start + b"GIT binary patch\n" + _literal(sides[1]) + _literal(sides[0])
    names = (a if old else "/dev/null"), (b if new else "/dev/null")
    return start + (f"Binary files {names[0]} and {names[1]} differ\n".encode() if binary else _text(*sides, *names))


def _text(old: bytes, new: bytes, a: str, b: str) -> bytes:
    before, after = lines_of(old), lines_of(new)
    runs = compare_texts(old, new)
    return _side("---", a) + _side("+++", b) + _render_hunks(before, after, runs) if runs else b""


def _literal(data: bytes) -> bytes:
    """Render a whole binary file, as `git apply` reads it."""
    packed = zlib.compress(data, zlib.Z_BEST_SPEED)
    out = [f"literal {len(data)}\n".encode()]
    for start in range(0, len(packed), PACKED_LINE):
        piece = packed[start : start + PACKED_LINE]
        size = len(piece)
        out.append(bytes([size + 64 if size <= 26 else size + 70]) + b85encode(piece, pad=True) + b"\n")
    return b"".join([*out, b"\n"])


def _side(word: str, path: str) -> bytes:
    return f"{word} {path}{chr(9) if ' ' in path else ''}\n".encode()


def _modes(change: Change) -> list[str]:
    if change.old is None:
        return [f"new file mode {change.new.mode:06o}"] if change.new else []
    if change.new is None:
        return [f"deleted file mode {change.old.mode:06o}"]
    lines = []
    if change.old.mode != change.new.mode:
        lines += [f"old mode {change.old.mode:06o}", f"new mode {change.new.mode:06o}"]
    if change.status == "renamed":
        lines += [
            f"similarity index {change.similarity}%",
            f"rename from {quote_path(change.old.path)}",
            f"rename to {quote_path(change.new.path)}",
        ]
    return lines


def quote_path(path: str) -> str:
    """Quote a path as git prints it: with octal bytes, if it has any but plain characters."""
    data = path.encode("utf-8", "surrogateescape")
    if all(31 < one < 127 and one not in _QUOTED for one in data):
        return path
    return '"' + "".join(_escape(one) for one in data) + '"'


def _escape(one: int) -> str:
    if one in _QUOTED:
        return "\\" + _QUOTED[one]
    return chr(one) if 31 < one < 127 else f"\\{one:03o}"
