"""Git objects of one repository as rows: an object store that dulwich can read and write."""

import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import orjson
from dulwich.object_store import BaseObjectStore
from dulwich.objects import Commit, ObjectID, RawObjectID, ShaFile
from dulwich.pack import Pack

from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

COMMIT, TREE, BLOB, TAG = 1, 2, 3, 4
KINDS = {COMMIT: "commit", TREE: "tree", BLOB: "blob", TAG: "tag"}
LEVEL, FAST = 6, 1  # of zlib: packs are sent as the rows have them
SAMPLE, SHRINKS = 256 * 1024, 0.9  # bytes at the start of a large object, and how small they must become
_GET = "SELECT kind, data FROM github_object WHERE repo_id = :repo AND sha1 = :sha"
_TREES = """SELECT sha1, data FROM json_each(:shas) CROSS JOIN github_object ON repo_id = :repo AND sha1 = value
    WHERE kind = :tree"""
_HAS = "SELECT 1 FROM github_object WHERE repo_id = :repo AND sha1 = :sha"
_ADD = "INSERT OR IGNORE INTO github_object(repo_id, sha1, kind, size, data) VALUES (:repo, :sha, :kind, :size, :data)"
_COMMIT = """INSERT OR IGNORE INTO github_commit(repo_id, sha1, tree, parents, author_name, author_email, authored_at, author_zone,
    committer_name, committer_email, committed_at, committer_zone, message)
    VALUES (:repo, :sha, :tree, :parents, :an, :ae, :at, :az, :cn, :ce, :ct, :cz, :message)"""
_PERSON = re.compile(rb"^(.*?)<([^<>]*)>")
_WHO = rb" ([^\n\0<>]*) <([^\n\0<>]*)> (0|[1-9]\d{0,11}) ([+-])(\d\d)(\d\d)\n"
_PLAIN = re.compile(rb"tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author" + _WHO + rb"committer" + _WHO + rb"\n")

MAX_WORK = 400_000  # of one call in one repository: tree entries read, and pieces of files
ENTRY, PIECE = 32, 512  # bytes of a unit of work: about an entry of a tree, and a piece of a file

Execute = Callable[[str, dict[str, Any]], Any]


class TooMuchWork(OperationError):
    """Error of a call that reads more of a repository than one call may."""

    def __init__(self) -> None:
        super().__init__("unprocessable", why="Sorry, this request is taking too long to process.")


def hex_of(sha: ObjectID | RawObjectID) -> str:
    """Return a SHA as 40 hex digits, from either of dulwich's forms."""
    return sha.hex() if len(sha) == 20 else sha.decode("ascii")


def person(line: bytes) -> tuple[str, str]:
    """Parse name and address of `Ann <ann@x>`."""
    found = _PERSON.match(line)
    name, mail = found.groups() if found else (line, b"")
    return name.rstrip().decode("utf-8", "replace"), mail.decode("utf-8", "replace")


class StoredObject(NamedTuple):
    """An object as its row stores it, and for a commit the columns of its github_commit row."""

    kind: int
    size: int
    data: bytes
    commit: JsonObject | None


def pack_object(kind: int, raw: bytes) -> StoredObject:
    """Pack an object for the store."""
    return store_object(kind, raw, commit_row(raw) if kind == COMMIT else None)


def store_object(kind: int, raw: bytes, commit: JsonObject | None) -> StoredObject:
    """The same, where the columns of a commit's row are known."""
    return StoredObject(kind, len(raw), zlib.compress(raw, choose_level(raw)), commit)


def choose_level(raw: bytes) -> int:
    """How hard zlib tries: large objects cost little, and those that do not shrink nearly nothing."""
    if len(raw) <= SAMPLE:
        return LEVEL
    return FAST if len(zlib.compress(raw[:SAMPLE], FAST)) < SHRINKS * SAMPLE else 0


def keep(execute: Execute, repo_id: int, kind: int, sha: str, raw: bytes) -> None:
    """Write one object, and for a commit its github_commit row. Existing objects stay."""
    keep_packed(execute, repo_id, sha, pack_object(kind, raw))


def keep_packed(execute: Execute, repo_id: int, sha: str, one: StoredObject) -> None:
    """Write one object that is packed already."""
    execute(_ADD, {"repo": repo_id, "sha": sha, "kind": one.kind, "size": one.size, "data": one.data})
    if one.commit is not None:
        execute(_COMMIT, {"repo": repo_id, "sha": sha, **one.commit})


def commit_row(raw: bytes) -> JsonObject:
    """Return the columns of a commit's row without repository and SHA."""
    return read_plain_commit(raw) or _read_commit(raw)


def read_plain_commit(raw: bytes) -> JsonObject | None:
    """The columns of a commit that git accepts and whose headers are the four usual ones; None for any other bytes."""
    found = _PLAIN.match(raw)
    if found is None or raw.find(b"\0", found.end()) >= 0:
        return None
    tree, parents, an, ae, at, *az, cn, ce, ct, cs, ch, cm = found.groups()
    return {
        "tree": tree.decode(),
        "parents": parents.decode().replace("parent ", "").replace("\n", " ").rstrip(),
        "an": an.rstrip().decode("utf-8", "replace"),
        "ae": ae.decode("utf-8", "replace"),
        "at": int(at),
        "az": _minutes(*az),
        "cn": cn.rstrip().decode("utf-8", "replace"),
        "ce": ce.decode("utf-8", "replace"),
        "ct": int(ct),
        "cz": _minutes(cs, ch, cm),
        "message": raw[found.end() :].decode("utf-8", "replace"),
    }


def _minutes(sign: bytes, hours: bytes, minutes: bytes) -> int:
    east = int(hours) * 60 + int(minutes)
    return -east if sign == b"-" else east


def _read_commit(raw: bytes) -> JsonObject:
    """The same of any commit that git accepts."""
    one = ShaFile.from_raw_string(COMMIT, raw)
    assert isinstance(one, Commit)
    (author, author_mail), (committer, committer_mail) = person(one.author), person(one.committer)
    return {
        "tree": one.tree.decode(),
        "parents": " ".join(parent.decode() for parent in one.parents),
        "an": author,
        "ae": author_mail,
        "at": one.author_time,
        "az": one.author_timezone // 60,
        "cn": committer,
        "ce": committer_mail,
        "ct": one.commit_time,
        "cz": one.commit_timezone // 60,
        "message": one.message.decode("utf-8", "replace"),
    }


class RowStore(BaseObjectStore):
    """The objects of one repository, for one call. Reads are cached: objects never change."""

    def __init__(self, call: Call, repo_id: int) -> None:
        super().__init__()
        self.call, self.repo_id = call, repo_id
        self._known: dict[str, tuple[int, bytes]] = {}
        self._work = 0

    def contains_loose(self, sha: ObjectID | RawObjectID) -> bool:
        """Whether the repository has an object."""
        text = hex_of(sha)
        return text in self._known or self.call.first(_HAS, {"repo": self.repo_id, "sha": text}) is not None

    @property
    def packs(self) -> list[Pack]:
        """None: incoming packs are unpacked into rows."""
        return []

    def raw(self, sha: str) -> tuple[int, bytes]:
        """Return kind and content of an object. Raises KeyError, TooMuchWork."""
        found = self._known.get(sha)
        if found is None:
            row = self.call.first(_GET, {"repo": self.repo_id, "sha": sha})
            if row is None:
                raise KeyError(sha)
            found = self._known[sha] = (row[0], zlib.decompress(row[1]))
        self._work += 1 + len(found[1]) // (ENTRY if found[0] == TREE else PIECE)
        if self._work > MAX_WORK:
            raise TooMuchWork
        return found

    def trees(self, shas: Collection[str]) -> dict[str, bytes]:
        """Return the contents of those trees that the repository has."""
        given = {"repo": self.repo_id, "shas": orjson.dumps(list(shas)).decode(), "tree": TREE}
        return {sha: zlib.decompress(data) for sha, data in self.call.all(_TREES, given)}

    def get_raw(self, name: ObjectID | RawObjectID) -> tuple[int, bytes]:
        """Return kind and content of an object. Raises KeyError."""
        return self.raw(hex_of(name))

    def __iter__(self) -> Iterator[ObjectID]:
        """Yield every SHA, in order."""
        for (sha,) in self.call.all(
            "SELECT sha1 FROM github_object WHERE repo_id = :repo ORDER BY sha1", {"repo": self.repo_id}
        ):
            yield ObjectID(sha.encode())

    def put(self, kind: int, raw: bytes) -> str:
        """Store an object; return its SHA."""
        sha = ShaFile.from_raw_string(kind, raw).id.decode()
        self._known[sha] = (kind, raw)
        keep(self.call.execute, self.repo_id, kind, sha, raw)
        return sha

    def add_object(self, obj: ShaFile) -> None:
        """Store one object."""
        self.put(obj.type_num, obj.as_raw_string())

    def add_objects(
        self, objects: Sequence[tuple[ShaFile, str | None]], progress: Callable[..., None] | None = None
    ) -> None:
        """Store several objects."""
        for obj, _ in objects:
            self.add_object(obj)

    def copy_from(self, other: "RowStore", shas: Iterable[str]) -> None:
        """Copy objects from another repository's store."""
        for sha in shas:
            kind, raw = other.raw(sha)
            self._known[sha] = (kind, raw)
            keep(self.call.execute, self.repo_id, kind, sha, raw)
