"""Commits as mail, in the format of `git format-patch --stdout --no-signature`."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

from apps.github.git.diff import content, file_diff, is_binary, quote_path, render_file_diff
from apps.github.git.graph import Row
from apps.github.git.repo import Repo
from apps.github.git.tree_diff import Change, list_changes

WIDTH = 72  # of the table of files
HEADER, ENCODED = 78, 76  # columns of a header's line
_SPECIAL = re.compile(r'[()<>@,;:\\".\[\]]')
_IN_NAME = re.compile(r"[A-Za-z0-9!*+/-]")
_IN_HEADER = re.compile(r"[!-<>@-^`-~]")


def mbox(repo: Repo, commits: Sequence[str]) -> bytes:
    """Render commits as mailable patches, in the order given; merges are left out."""
    rows = [row for row in repo.graph.rows(list(commits)) if len(row.parents.split()) < 2]
    return b"\n".join(_mail(repo, row, number, len(rows)) for number, row in enumerate(rows, 1))


def _mail(repo: Repo, row: Row, number: int, count: int) -> bytes:
    parents = repo.graph.parents(repo.graph.node(row.sha1))
    found = list_changes(repo, parents[0].tree if parents else None, row.tree)
    title, body = _parts(row.message)
    of = f" {number:0{len(str(count))}}/{count}" if count > 1 else ""
    head = [
        f"From {row.sha1} Mon Sep 17 00:00:00 2001",
        _from(row.author_name, row.author_email),
        f"Date: {_date(row)}",
    ]
    head.append(_subject(f"[PATCH{of}] ", title))
    if not body.isascii():
        head += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8", "Content-Transfer-Encoding: 8bit"]
    text = "\n".join([*head, "", *([body, "---"] if body else ["---"]), ""])
    table = "".join(f"{line}\n" for line in stat(repo, found))
    return f"{text}{table}\n".encode("utf-8", "surrogateescape") + b"".join(
        render_file_diff(repo, change, mailed=True) for change in found
    )


def _parts(message: str) -> tuple[str, str]:
    """Split a message into title (the first paragraph on one line) and the rest."""
    lines = [line.rstrip() for line in message.split("\n")]
    while lines and not lines[0]:
        del lines[0]
    end = lines.index("") if "" in lines else len(lines)
    return " ".join(line.strip() for line in lines[:end]), "\n".join(lines[end:]).strip("\n")


def _date(row: Row) -> str:
    zone = timezone(timedelta(minutes=row.author_zone)) if row.author_zone else UTC
    at = datetime.fromtimestamp(row.authored_at, zone)
    return f"{at:%a}, {at.day} {at:%b %Y %H:%M:%S %z}"


def _sender(name: str) -> str:
    if not name.isascii():
        return _encode_header(name, len("From: "), _IN_NAME)
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"' if _SPECIAL.search(name) else name


def _from(name: str, email: str) -> str:
    line = f"From: {_sender(name)}"
    full = len(line.rpartition("\n")[2]) + len(f" <{email}>") > HEADER
    return line + ("\n" if full else "") + f" <{email}>"


def _subject(start: str, title: str) -> str:
    head = f"Subject: {start}"
    if not title.isascii():
        return head + _encode_header(title, len(head), _IN_HEADER)
    lines, line = [], head.rstrip()
    for word in title.split(" "):
        if len(line) + 1 + len(word) > HEADER and line != head.rstrip():
            lines.append(line)
            line = ""
        line += f" {word}"
    return "\n".join([*lines, line])


def _encode_header(text: str, used: int, plain: re.Pattern[str]) -> str:
    """Encode a header as RFC 2047's q encoding, folded."""
    out = "=?UTF-8?q?"
    used += len(out)
    for one in text:
        piece = one if plain.match(one) else "".join(f"={byte:02X}" for byte in one.encode("utf-8", "surrogateescape"))
        if used + len(piece) + 2 > ENCODED:
            out += "?=\n =?UTF-8?q?"
            used = len(" =?UTF-8?q?")
        out += piece
        used += len(piece)
    return out + "?="


class _File(NamedTuple):
    name: str
    added: int
    removed: int
    binary: bool


def stat(repo: Repo, found: Sequence[Change], width: int = WIDTH) -> list[str]:
    """Render the table of changed files, as `git diff --stat --summary` does."""
    files = [_count_lines(repo, change) for change in found]
    if not files:
        return []
    added, removed = (
        sum(sizes) for sizes in zip(*((0, 0) if one.binary else (one.added, one.removed) for one in files), strict=True)
    )
    words = [f"{len(files)} file{'s' * (len(files) != 1)} changed"]
    words += [f"{added} insertion{'s' * (added != 1)}(+)"] * bool(added or not removed)
    words += [f"{removed} deletion{'s' * (removed != 1)}(-)"] * bool(removed or not added)
    return [*_table(files, width), " " + ", ".join(words), *(line for change in found for line in _summary(change))]


def _count_lines(repo: Repo, change: Change) -> _File:
    old, new = change.old, change.new
    name = _render_move(old.path, new.path) if change.status == "renamed" and old and new else quote_path(change.path)
    if old and new and old.sha == new.sha:
        return _File(name, 0, 0, False)
    sides = content(repo, old), content(repo, new)
    if any(is_binary(side) for side in sides):
        return _File(name, len(sides[1]), len(sides[0]), True)
    diff = file_diff(repo, change)
    return _File(name, diff.additions, diff.deletions, False)


def _render_move(old: str, new: str) -> str:
    """Render a move as `src/{a => b}/c.py`."""
    if quote_path(old) != old or quote_path(new) != new:
        return f"{quote_path(old)} => {quote_path(new)}"
    start = _alike(old, new)
    start = old.rfind("/", 0, start) + 1
    least = max(start - 1, 0)
    end = _alike(old[least:][::-1], new[least:][::-1])
    tail = old[len(old) - end :]
    cut = tail.find("/")
    end = len(tail) - cut if cut >= 0 else 0
    a, b = old[start : max(start, len(old) - end)], new[start : max(start, len(new) - end)]
    return f"{old[:start]}{{{a} => {b}}}{old[len(old) - end :]}" if start or end else f"{old} => {new}"


def _alike(a: str, b: str) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _table(files: Sequence[_File], width: int) -> Iterator[str]:
    most = max([0, *(one.added + one.removed for one in files if not one.binary)])
    binary = max([0, *(14 + len(str(one.added)) + len(str(one.removed)) for one in files if one.binary)])
    digits = max(len(str(most)), 3 if binary else 0)
    names, marks = _widths(max(len(one.name) for one in files), digits, max(most, binary - 4), width)
    for one in files:
        shown = _fit(one.name, names)
        if one.binary:
            sizes = f" {one.removed} -> {one.added} bytes" if one.added or one.removed else ""
            yield f" {shown:<{names}} | {'Bin':>{digits}}{sizes}"
            continue
        plus, minus = _scale_graph(one.added, one.removed, marks, most)
        total = one.added + one.removed
        yield f" {shown:<{names}} | {total:>{digits}}{' ' if total else ''}{'+' * plus}{'-' * minus}"


def _widths(name: int, digits: int, marks: int, width: int) -> tuple[int, int]:
    if name + digits + 6 + marks <= width:
        return name, marks
    marks = min(marks, max(6, width * 3 // 8 - digits - 6))
    room = width - digits - 6
    return (room - marks, marks) if name > room - marks else (name, room - name)


def _fit(name: str, width: int) -> str:
    if len(name) <= width:
        return name
    tail = name[len(name) - width + 3 :]
    return "..." + (tail[tail.index("/") :] if "/" in tail else tail)


def _scale_graph(added: int, removed: int, width: int, most: int) -> tuple[int, int]:
    if width > most:
        return added, removed
    total = _scale(added + removed, width, most)
    if total < 2 and added and removed:
        total = 2
    if added < removed:
        plus = _scale(added, width, most)
        return plus, total - plus
    minus = _scale(removed, width, most)
    return total - minus, minus


def _scale(number: int, width: int, most: int) -> int:
    return 1 + number * (width - 1) // most if number else 0


def _summary(change: Change) -> Iterator[str]:
    old, new = change.old, change.new
    if old is None or new is None:
        entry, word = (new, "create") if new else (old, "delete")
        if entry is not None:
            yield f" {word} mode {entry.mode:06o} {quote_path(entry.path)}"
        return
    moded = f" mode change {old.mode:06o} => {new.mode:06o}"
    if change.status == "renamed":
        yield f" rename {_render_move(old.path, new.path)} ({change.similarity}%)"
        if old.mode != new.mode:
            yield moded
    elif old.mode != new.mode:
        yield f"{moded} {quote_path(new.path)}"
