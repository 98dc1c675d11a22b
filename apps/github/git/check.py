"""Checks of objects that a client sends, in the words of `git fsck`."""

import re
from collections.abc import Iterator

from apps.github.git.paths import inside_git, is_dotgitmodules
from apps.github.git.repo import SHA
from apps.github.git.store import COMMIT, TAG, TREE

SHA_BYTES = 20
LATEST = 2**63 - 1  # seconds
LINK = b"120000"
MODES = frozenset({b"100644", b"100664", b"100755", b"120000", b"160000", b"40000"})
TYPES = frozenset({b"commit", b"tree", b"blob", b"tag"})
IN_ORDER = (  # in which git tells what is wrong with a tree
    "gitmodulesSymlink",
    "nullSha1",
    "fullPathname",
    "hasDot",
    "hasDotdot",
    "hasDotgit",
    "zeroPaddedFilemode",
    "badFilemode",
    "duplicateEntries",
    "treeNotSorted",
)
_ENTRY = re.compile(rb"([0-7]+) ([^\0]+)\0(.{20})", re.S)
_DATE = re.compile(rb"(-?\d+) ")
_ZONE = re.compile(rb"[+-]\d{4}")


def check_object(kind: int, raw: bytes) -> str | None:
    """Return the id of git's first complaint about an object, as `hasDotgit`, `badTimezone`; None for a valid one."""
    if kind == TREE:
        return check_tree(raw)
    if kind not in (COMMIT, TAG):
        return None
    return _headers(raw) or (check_commit(raw) if kind == COMMIT else check_tag(raw))


def _headers(raw: bytes) -> str | None:
    """Check that the header ends its last line and holds no NUL."""
    head, blank, _ = raw.partition(b"\n\n")
    if b"\0" in head:
        return "nulInHeader"
    return None if blank or not raw or raw.endswith(b"\n") else "unterminatedHeader"


def check_tree(raw: bytes) -> str | None:
    """Return git's complaint about a tree, or None."""
    entries = []
    start = 0
    while start < len(raw):
        found = _ENTRY.match(raw, start)
        if found is None:
            return "badTree"
        entries.append((found[1], found[2], found[3]))
        start = found.end()
    problems = {problem for entry in entries for problem in _entry(*entry)} | set(
        _order([entry[:2] for entry in entries])
    )
    return next((problem for problem in IN_ORDER if problem in problems), None)


def _entry(mode: bytes, name: bytes, sha: bytes) -> Iterator[str]:
    if mode == LINK and is_dotgitmodules(name):
        yield "gitmodulesSymlink"
    if sha == bytes(SHA_BYTES):
        yield "nullSha1"
    if b"/" in name:
        yield "fullPathname"
    if name in (b".", b".."):
        yield "hasDot" if name == b"." else "hasDotdot"
    if inside_git(name):
        yield "hasDotgit"
    if mode.startswith(b"0"):
        yield "zeroPaddedFilemode"
    if mode.lstrip(b"0") not in MODES:
        yield "badFilemode"


def _order(entries: list[tuple[bytes, bytes]]) -> Iterator[str]:
    names = [name for _, name in entries]
    if len(set(names)) < len(names):
        yield "duplicateEntries"
    keys = [name + (b"/" if mode.lstrip(b"0") == b"40000" else b"") for mode, name in entries]
    if keys != sorted(keys):
        yield "treeNotSorted"


def check_commit(raw: bytes) -> str | None:
    """Return git's complaint about a commit whose header ends, or None."""
    head, _, body = raw.partition(b"\n\n")
    lines = head.split(b"\n")
    if not lines[0].startswith(b"tree "):
        return "missingTree"
    if not _is_sha(lines[0][5:]):
        return "badTreeSha1"
    at = 1
    while at < len(lines) and lines[at].startswith(b"parent "):
        if not _is_sha(lines[at][7:]):
            return "badParentSha1"
        at += 1
    return _people(lines[at:]) or ("nulInCommit" if b"\0" in body else None)


def _people(lines: list[bytes]) -> str | None:
    count = next((at for at, line in enumerate(lines) if not line.startswith(b"author ")), len(lines))
    for line in lines[:count]:
        if problem := person(line[7:]):
            return problem
    if count != 1:
        return "multipleAuthors" if count else "missingAuthor"
    if len(lines) < 2 or not lines[1].startswith(b"committer "):
        return "missingCommitter"
    return person(lines[1][10:])


def check_tag(raw: bytes) -> str | None:
    """Return git's complaint about a tag whose header ends, or None."""
    lines = raw.partition(b"\n\n")[0].removesuffix(b"\n").split(b"\n")
    for word, missing in ((b"object ", "missingObject"), (b"type ", "missingTypeEntry"), (b"tag ", "missingTagEntry")):
        if not lines or not lines[0].startswith(word):
            return missing
        value = lines.pop(0)[len(word) :]
        if word == b"object " and not _is_sha(value):
            return "badObjectSha1"
        if word == b"type " and value not in TYPES:
            return "badType"
    return person(lines[0][7:]) if lines and lines[0].startswith(b"tagger ") else None


def _is_sha(text: bytes) -> bool:
    return SHA.fullmatch(text.decode("latin-1").lower()) is not None


def person(line: bytes) -> str | None:
    """Return git's complaint about `Ann <ann@x> 1700000000 +0000`, or None."""
    if line.startswith(b"<"):
        return "missingNameBeforeEmail"
    name = re.match(rb"[^<>]*", line)
    end = name.end() if name else 0
    if line[end : end + 1] != b"<":
        return "badName" if line[end : end + 1] == b">" else "missingEmail"
    if not line[:end].endswith(b" "):
        return "missingSpaceBeforeEmail"
    mail = re.match(rb"[^<>]*", line[end + 1 :])
    rest = line[end + 1 + (mail.end() if mail else 0) :]
    if not rest.startswith(b">"):
        return "badEmail"
    return _date(rest[2:]) if rest.startswith(b"> ") else "missingSpaceBeforeDate"


def _date(rest: bytes) -> str | None:
    if rest.startswith(b"0") and not rest.startswith(b"0 "):
        return "zeroPaddedDate"
    found = _DATE.match(rest)
    if found is None or int(found[1]) < 0:
        return "badDate"
    if int(found[1]) >= LATEST:
        return "badDateOverflow"
    return None if _ZONE.fullmatch(rest, found.end()) else "badTimezone"
