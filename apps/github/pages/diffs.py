"""Display of diffs: hunks of a patch with line numbers and colours, unified or side by side."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

HEADER = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)")
LARGE = 500  # changed lines of a file that is folded until asked for
EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"  # git's name of a file without content
LONGEST = 200_000  # characters of a text that is still coloured
NOTES = {
    "added": "",
    "removed": "This file was deleted.",
    "renamed": "File renamed without changes.",
    "changed": "File mode changed.",
}
_FORMAT: HtmlFormatter[str] = HtmlFormatter(nowrap=True, classprefix="pl-")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a diff: `kind` is add, del, same or none (no newline at the end); numbers in the old and new file."""

    kind: str
    old: int | None
    new: int | None
    code: Markup

    @property
    def key(self) -> str:
        """Position of a comment on the line: `R12`, or `L7` on a deleted line."""
        return f"L{self.old}" if self.kind == "del" else f"R{self.new}"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines of a hunk, and its header."""

    header: str
    lines: tuple[Line, ...]

    @property
    def pairs(self) -> list[tuple[Line | None, Line | None]]:
        """Lines side by side, deleted beside added."""
        return list(_pair_lines(self.lines))


@dataclass(frozen=True, slots=True)
class FileDiff:
    """A changed file. `note`: the reason why there are no hunks; `folded` files are shown on request."""

    path: str
    old_path: str | None
    status: str
    added: int
    removed: int
    hunks: tuple[Hunk, ...]
    note: str
    folded: bool

    @property
    def id(self) -> str:
        """Anchor of the file."""
        return f"diff-{sha256(self.path.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"

    @property
    def blocks(self) -> list[str]:
        """Five squares that show the shares of added, deleted and unchanged lines."""
        total = self.added + self.removed
        if not total:
            return ["none"] * 5
        plus = min(5, round(self.added * 5 / max(total, 5)) or (1 if self.added else 0))
        minus = min(5 - plus, round(self.removed * 5 / max(total, 5)) or (1 if self.removed else 0))
        return ["plus"] * plus + ["minus"] * minus + ["none"] * (5 - plus - minus)


def files_of(listed: Sequence[Mapping[str, object]], wanted: Sequence[str] = ()) -> list[FileDiff]:
    """Return changed files from the API's list; large ones are folded unless requested by name."""
    return [file_of(one, shown=one["filename"] in wanted) for one in listed]


def file_of(one: Mapping[str, Any], *, shown: bool = False) -> FileDiff:
    """Return one changed file."""
    patch = one.get("patch")
    large = one["changes"] > LARGE and not shown
    hunks = _hunks(one["filename"], patch) if patch and not large else ()
    note = "" if patch else _note(one)
    return FileDiff(
        one["filename"],
        one.get("previous_filename"),
        one["status"],
        one["additions"],
        one["deletions"],
        hunks,
        note,
        large and bool(patch),
    )


def _note(one: Mapping[str, object]) -> str:
    if one["changes"]:
        return "This diff is too large to be shown."
    if one["status"] in ("renamed", "changed"):
        return NOTES[one["status"]]
    return "Empty file." if one.get("sha") == EMPTY else "Binary file not shown."


@lru_cache(maxsize=512)
def _hunks(path: str, patch: str) -> tuple[Hunk, ...]:
    parts: list[list[str]] = []
    for line in patch.split("\n"):
        if HEADER.match(line):
            parts.append([line])
        elif parts:
            parts[-1].append(line)
    return tuple(_hunk(path, part) for part in parts)


def hunk_of(path: str, text: str) -> Hunk | None:
    """Parse the hunk stored with a conversation: its header and lines."""
    found = _hunks(path, text)
    return found[0] if found else None


def _hunk(path: str, part: list[str]) -> Hunk:
    found = HEADER.match(part[0])
    assert found is not None
    old, new = int(found[1]), int(found[2])
    before = iter(colour_file(path, "\n".join(line[1:] for line in part[1:] if line[:1] in ("-", " "))))
    after = iter(colour_file(path, "\n".join(line[1:] for line in part[1:] if line[:1] in ("+", " "))))
    lines: list[Line] = []
    for text in part[1:]:
        if text.startswith("+"):
            lines.append(Line("add", None, new, next(after)))
            new += 1
        elif text.startswith("-"):
            lines.append(Line("del", old, None, next(before)))
            old += 1
        elif text.startswith(" "):
            next(before)
            lines.append(Line("same", old, new, next(after)))
            old, new = old + 1, new + 1
        elif text.startswith("\\"):
            lines.append(Line("none", None, None, Markup.escape(text[2:])))
    return Hunk(part[0], tuple(lines))


def _pair_lines(lines: Sequence[Line]) -> Iterator[tuple[Line | None, Line | None]]:
    gone: list[Line] = []
    come: list[Line] = []

    def flush() -> Iterator[tuple[Line | None, Line | None]]:
        for place in range(max(len(gone), len(come))):
            yield (gone[place] if place < len(gone) else None, come[place] if place < len(come) else None)
        gone.clear()
        come.clear()

    for line in lines:
        if line.kind == "del":
            if come:
                yield from flush()
            gone.append(line)
        elif line.kind == "add":
            come.append(line)
        else:
            yield from flush()
            yield (line, line)
    yield from flush()


@lru_cache(maxsize=1024)
def colour_file(path: str, text: str) -> tuple[Markup, ...]:
    """Return the lines of a text as HTML, coloured by the language of the file's name."""
    lexer = _lexer(path.rpartition("/")[2])
    if lexer is None or len(text) > LONGEST:
        return tuple(Markup.escape(line) for line in text.split("\n"))
    shown = highlight(text, lexer, _FORMAT).removesuffix("\n").split("\n")
    if len(shown) != text.count("\n") + 1:  # a lexer that changes lines
        return tuple(Markup.escape(line) for line in text.split("\n"))
    return tuple(Markup(line) for line in shown)


@lru_cache(maxsize=256)
def _lexer(name: str) -> Lexer | None:
    try:
        return get_lexer_for_filename(name, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def totals(listed: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Count files, added lines and removed lines."""
    return {
        "files": len(listed),
        "added": sum(one["additions"] for one in listed),
        "removed": sum(one["deletions"] for one in listed),
    }


def tree_of(files: Sequence[FileDiff]) -> list[tuple[str, list[FileDiff]]]:
    """Return the files by folder, in order, for the file tree."""
    folders: dict[str, list[FileDiff]] = {}
    for one in files:
        folders.setdefault(one.path.rpartition("/")[0], []).append(one)
    return list(folders.items())
