"""Writer of packs: the objects that a client lacks, as compressed in their rows."""

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dulwich.objects import parse_tree

from apps.github.git.graph import Graph
from apps.github.git.repo import FOLDER, MODULE, Repo
from apps.github.git.store import BLOB, COMMIT, TAG, TREE
from apps.github.git.wire import limits
from apps.github.git.wire.reach import ObjectMissing, Row, closure, kinds, rows

MAX_EDGE = 32  # commits of the client whose trees are read, to leave out what they hold
UNITS = {"": 1, "k": 1024, "m": 1024**2, "g": 1024**3}
TARGET = slice(len(b"object "), len(b"object ") + 40)


@dataclass(slots=True)
class WantedObjects:
    """The wants of a request by kind; tags as the chain down to their target."""

    commits: list[str] = field(default_factory=list)
    trees: list[str] = field(default_factory=list)
    blobs: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)


def sort_out(repo: Repo, wants: Iterable[str]) -> WantedObjects:
    """Sort wants by kind. Raises ObjectMissing for one the repository does not have."""
    found, waiting = WantedObjects(), list(dict.fromkeys(wants))
    listed = {COMMIT: found.commits, TREE: found.trees, BLOB: found.blobs, TAG: found.tags}
    for _ in range(limits.MAX_TAGS):
        known = kinds(repo, waiting)
        missing = next((sha for sha in waiting if sha not in known), None)
        if missing is not None:
            raise ObjectMissing(f"upload-pack: not our ref {missing}")
        for sha in waiting:
            listed[known[sha]].append(sha)
        waiting = [
            target_of(zlib.decompress(row.data)) for row in rows(repo, [sha for sha in waiting if known[sha] == TAG])
        ]
        if not waiting:
            break
    return found


def target_of(tag: bytes) -> str:
    """Return the target of a tag object."""
    return tag[TARGET].decode()


def select(
    repo: Repo,
    wanted: WantedObjects,
    common: list[str],
    *,
    has_cut: frozenset[str] = frozenset(),
    cut: frozenset[str] = frozenset(),
    filter: str | None = None,
    tags: Iterable[tuple[str, str]] = (),
) -> list[Row]:
    """Return the rows to send: those that `wanted` reaches within `cut`, without those the client has within `has_cut`.

    `tags` are tag objects and their targets; a tag is sent with its target.
    """
    graph = repo.graph
    has = closure(graph, [sha for sha in common if graph.find(sha)], has_cut)
    commits = [sha for sha in closure(graph, wanted.commits, cut) if sha not in has]
    sent = set(commits)
    along = [tag for tag, target in tags if target in sent]
    out = [*rows(repo, commits), *rows(repo, dict.fromkeys([*wanted.tags, *along]))]
    walk = _Trees(repo)
    if filter == "tree:0":
        out += rows(repo, wanted.trees)
    else:
        walk.know(_edge_trees(graph, commits, has, common))
        out += walk.read([*wanted.trees, *(graph.node(sha).tree for sha in commits)])
    blobs = [] if filter in ("blob:none", "tree:0") else [row for row in rows(repo, walk.blobs) if _small(row, filter)]
    wished = [row for row in rows(repo, dict.fromkeys(wanted.blobs))]
    there = {row.sha for row in blobs}
    return [*out, *(row for row in wished if row.sha not in there), *blobs]


def _small(row: Row, filter: str | None) -> bool:
    if filter is None:
        return True
    number = filter.removeprefix("blob:limit=")
    unit = number[-1] if number[-1] in UNITS else ""
    return row.size < int(number.removesuffix(unit)) * UNITS[unit]


def _edge_trees(graph: Graph, commits: list[str], has: dict[str, int], common: list[str]) -> list[str]:
    """Return trees that the client is known to have, nearest to the new commits."""
    near = dict.fromkeys(parent for sha in commits for parent in graph.node(sha).parents if parent in has)
    shas = [*near, *(sha for sha in common if sha in has)]
    return [graph.node(sha).tree for sha in dict.fromkeys(shas[:MAX_EDGE])]


class _Trees:
    """Walks trees level by level, reading each once; `blobs` are the files found, in order."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo
        self._seen: set[str] = set()
        self._known: set[str] = set()
        self.blobs: dict[str, None] = {}

    def know(self, roots: list[str]) -> None:
        """Treat these trees and their contents as sent."""
        for _ in self.read(roots):
            pass
        self._known, self.blobs = set(self.blobs), {}

    def read(self, roots: list[str]) -> Iterator[Row]:
        """Yield the rows of unseen trees, and of the trees below them."""
        level = self._new(roots)
        while level:
            below: list[str] = []
            for row in rows(self._repo, level):
                yield row
                below += self._look(row)
            level = self._new(below)

    def _new(self, trees: Iterable[str]) -> list[str]:
        new = [sha for sha in dict.fromkeys(trees) if sha not in self._seen]
        self._seen.update(new)
        return new

    def _look(self, row: Row) -> list[str]:
        folders: list[str] = []
        for _, mode, raw in parse_tree(zlib.decompress(row.data), 20):
            sha = raw.decode()
            if mode == FOLDER:
                folders.append(sha)
            elif mode != MODULE and sha not in self._known:
                self.blobs[sha] = None
        return folders


def pack(objects: list[Row]) -> bytes:
    """Build a pack of rows: each a header and the row's own zlib stream, then the checksum."""
    parts = [b"PACK" + struct.pack(">II", 2, len(objects))]
    for _, kind, size, data in objects:
        parts += (_header(kind, size), data)
    digest = hashlib.sha1(usedforsecurity=False)
    for part in parts:
        digest.update(part)
    return b"".join((*parts, digest.digest()))


def _header(kind: int, size: int) -> bytes:
    first, size = kind << 4 | size & 15, size >> 4
    out = bytearray()
    while size:
        out.append(first | 0x80)
        first, size = size & 0x7F, size >> 7
    out.append(first)
    return bytes(out)
