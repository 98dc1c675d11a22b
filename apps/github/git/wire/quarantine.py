"""Received objects of a push, before they are stored."""

import re
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dulwich.objects import parse_tree

from apps.github.git.check import check_object
from apps.github.git.repo import FOLDER, MODULE, Repo
from apps.github.git.store import (
    BLOB,
    COMMIT,
    KINDS,
    TAG,
    TREE,
    StoredObject,
    keep_packed,
    pack_object,
    read_plain_commit,
    store_object,
)
from apps.github.git.wire import limits
from apps.github.git.wire.pack_reader import PackRefused, unpack
from apps.github.git.wire.reach import kinds
from world.core.json_types import JsonObject

LINKS = re.compile(rb"(tree|parent) ([0-9a-f]{40})\n")
NAMED = re.compile(rb"object ([0-9a-f]{40})\ntype (commit|tree|blob|tag)\n")
PLAIN = frozenset(
    {b"tree", b"parent", b"author", b"committer", b"object", b"type", b"tag", b"tagger", b"encoding"}
)  # one line each
MERGED = re.compile(rb"(?m)^mergetag (.*(?:\n .*)*)")
LAST_DAY = 253_402_300_799  # seconds: the end of the year 9999
DAY_MINUTES = 24 * 60
CODES = {name: code for code, name in KINDS.items()}


@dataclass(slots=True)
class Quarantine:
    """Checked objects by SHA, and their references: the target's SHA and required kind."""

    objects: dict[str, StoredObject] = field(default_factory=dict)
    needs: set[tuple[str, int]] = field(default_factory=set)

    def kind(self, sha: str) -> int | None:
        """Return the kind of an object that came with the push."""
        found = self.objects.get(sha)
        return found.kind if found else None

    def find_missing_object(self, repo: Repo) -> str | None:
        """Find a referenced object that is missing or of another kind; None if there is none."""
        outside = sorted({sha for sha, _ in self.needs if sha not in self.objects})
        known = kinds(repo, outside)
        return min((sha for sha, kind in self.needs if (self.kind(sha) or known.get(sha)) != kind), default=None)

    def check_trees(self, repo: Repo) -> None:
        """Check that no tree unfolds beyond the limits. Raises TreeTooLarge."""

        def read(shas: Collection[str]) -> Mapping[str, bytes]:
            came = {sha: zlib.decompress(self.objects[sha].data) for sha in shas if self.kind(sha) == TREE}
            return {**repo.store.trees([sha for sha in shas if sha not in came]), **came}

        repo.extents.check(sorted(sha for sha, one in self.objects.items() if one.kind == TREE), read)

    def keep(self, repo: Repo) -> None:
        """Store the objects, in an order that does not depend on the pack."""
        for sha in sorted(self.objects):
            keep_packed(repo.call.execute, repo.id, sha, self.objects[sha])


def take_in(repo: Repo, pack: bytes) -> Quarantine:
    """Check every object of a pack and return them. Raises PackRefused."""
    held, left = Quarantine(), limits.MAX_COMMITS
    for sha, kind, raw in unpack(pack, lambda base: _read_stored(repo, base)):
        if sha in held.objects:
            continue
        plain = read_plain_commit(raw) if kind == COMMIT else None
        left -= 0 if kind != COMMIT else 2 if plain is None else 1
        if left < 0:
            raise PackRefused(f"pack has more than {limits.MAX_COMMITS} commits")
        held.objects[sha] = _check_plain_commit(sha, raw, plain) if plain else _check_object(sha, kind, raw)
        held.needs.update(links(kind, raw))
    return held


def _check_plain_commit(sha: str, raw: bytes, columns: JsonObject) -> StoredObject:
    """Return a commit, whose form git accepts, ready to be stored. Raises PackRefused."""
    if (problem := _untellable(columns) or _count_parents(columns)) is not None:
        raise _refuse(sha, problem)
    return store_object(COMMIT, raw, columns)


def _check_object(sha: str, kind: int, raw: bytes) -> StoredObject:
    """Return an object ready to be stored. Raises PackRefused."""
    if kind == TREE and len(raw) > limits.MAX_TREE:
        raise _refuse(sha, "largeTree")
    problem = check_object(kind, raw) or (_unreadable(raw) if kind in (COMMIT, TAG) else None)
    if problem is not None:
        raise _refuse(sha, problem)
    made = pack_object(kind, raw)
    if made.commit is not None and (problem := _untellable(made.commit) or _count_parents(made.commit)) is not None:
        raise _refuse(sha, problem)
    return made


def _refuse(sha: str, problem: str) -> PackRefused:
    return PackRefused("fsck error in packed object", f"error: object {sha}: {problem}")


def _count_parents(commit: JsonObject) -> str | None:
    return "tooManyParents" if str(commit["parents"]).count(" ") >= limits.MAX_PARENTS else None


def _unreadable(raw: bytes) -> str | None:
    """Return a problem of headers that git accepts but most readers, including ours, do not."""
    head, blank, _ = raw.partition(b"\n\n")
    word = b""
    for line in head.split(b"\n"):
        folded = line.startswith(b" ")
        if b" " not in line or (folded and word in PLAIN):
            return "badHeader"
        word = word if folded else line.partition(b" ")[0]
    if not blank:
        return "unterminatedHeader"
    merged = (folded.replace(b"\n ", b"\n") + b"\n" for folded in MERGED.findall(head))
    return next(("badMergetag" for tag in merged if check_object(TAG, tag) or _unreadable(tag)), None)


def _untellable(commit: Mapping[str, Any]) -> str | None:
    """Return a problem of dates that git accepts but no calendar can show."""
    if max(commit["at"], commit["ct"]) > LAST_DAY:
        return "badDateOverflow"
    return "badTimezone" if max(abs(commit["az"]), abs(commit["cz"])) >= DAY_MINUTES else None


def _read_stored(repo: Repo, sha: str) -> tuple[int, bytes] | None:
    try:
        return repo.store.raw(sha)
    except KeyError:
        return None


def links(kind: int, raw: bytes) -> Iterator[tuple[str, int]]:
    """Yield the SHAs that an object refers to, with the required kind of each."""
    if kind == COMMIT:
        for word, sha in LINKS.findall(raw.partition(b"\nauthor ")[0] + b"\n"):
            yield sha.decode(), TREE if word == b"tree" else COMMIT
    elif kind == TREE:
        for _, mode, sha in parse_tree(raw, 20):
            if mode != MODULE:
                yield sha.decode(), TREE if mode == FOLDER else BLOB
    elif kind == TAG and (named := NAMED.match(raw)):
        yield named[1].decode(), CODES[named[2].decode()]
