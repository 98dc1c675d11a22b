"""Entries at a path in many commits: trees are read in batches by date and searched as bytes."""

import zlib
from collections.abc import Mapping
from typing import TypeAlias

from apps.github.git.graph import Node
from apps.github.git.store import TREE, RowStore

FIRST_PAGE, LAST_PAGE, GROWTH = 16, 1024, 4
SHA_BYTES = 20
MODES = frozenset({b"100644", b"100755", b"120000", b"160000", b"100664"})
TREE_MODE = b"40000"
_PAGE = """SELECT o.sha1, o.data FROM (SELECT DISTINCT tree FROM (SELECT tree FROM github_commit
    WHERE repo_id = :repo AND committed_at <= :at ORDER BY committed_at DESC, sha1 LIMIT :page))
    CROSS JOIN github_object o ON o.repo_id = :repo AND o.sha1 = tree"""

Found: TypeAlias = tuple[bytes, str]  # mode as the tree has it, sha
Names: TypeAlias = dict[bytes, str]  # a whole entry's bytes -> its name


class Places:
    """Paths in the trees of many commits, inside one call."""

    def __init__(self, store: RowStore) -> None:
        self._store = store
        self._packed: dict[str, bytes] = {}
        self._raw: dict[str, bytes] = {}
        self._page = FIRST_PAGE

    def at(self, node: Node, path: str) -> Found | None:
        """Return mode and SHA of a path in a commit; its root tree at ""."""
        found: Found = (TREE_MODE, node.tree)
        if not path:
            return found
        raw = self._root(node)
        for name in path.encode("utf-8", "surrogateescape").split(b"/"):
            if found[0] != TREE_MODE:
                return None
            below = entry_of(self._tree(found[1]) if raw is None else raw, name)
            if below is None:
                return None
            found, raw = below, None
        return found

    def names(self, node: Node, folder: str) -> Names:
        """Return the entries of a commit's folder; none if it does not exist."""
        found = self.at(node, folder)
        return entries_of(self._tree(found[1])) if found is not None and found[0] == TREE_MODE else {}

    def split(self, names: Names, node: Node, folder: str) -> tuple[Names, Names]:
        """Split entries into those that a commit's folder has differently or lacks, and those it has unchanged."""
        found = self.at(node, folder)
        if found is None or found[0] != TREE_MODE:
            return names, {}
        raw = self._tree(found[1]) if folder else self._root(node)
        other: Names = {}
        same: Names = {}
        start = 0
        for entry, name in names.items():  # in the tree's order, as are the entries of `raw`
            place = raw.find(entry, start)
            if place == 0 or (place > SHA_BYTES and raw[place - SHA_BYTES - 1] == 0):
                same[entry] = name
                start = place + len(entry)
            else:
                other[entry] = name
        return other, same

    def _root(self, node: Node) -> bytes:
        if node.tree not in self._raw and node.tree not in self._packed:
            page = {"repo": self._store.repo_id, "at": node.at, "page": self._page}
            self._packed.update((sha, data) for sha, data in self._store.call.all(_PAGE, page))
            self._page = min(LAST_PAGE, self._page * GROWTH)
        return self._tree(node.tree)

    def _tree(self, sha: str) -> bytes:
        raw = self._raw.get(sha)
        if raw is None:
            packed = self._packed.pop(sha, None)
            raw = self._raw[sha] = zlib.decompress(packed) if packed is not None else self._read(sha)
        return raw

    def _read(self, sha: str) -> bytes:
        kind, raw = self._store.raw(sha)
        if kind != TREE:
            raise KeyError(sha)
        return raw


def entry_of(raw: bytes, name: bytes) -> Found | None:
    """Return mode and SHA of one entry of a tree's bytes."""
    if not name:
        return None
    place = raw.find(b" " + name + b"\0")
    if place < 0:
        return None
    start = place - (len(TREE_MODE) if raw[max(0, place - 6) : place] not in MODES else 6)
    if raw[start:place] in MODES or raw[start:place] == TREE_MODE:
        if start == 0 or (start > SHA_BYTES and raw[start - SHA_BYTES - 1] == 0):
            return raw[start:place], raw[place + len(name) + 2 :][:SHA_BYTES].hex()
    return parse_tree(raw).get(name)


def parse_tree(raw: bytes) -> Mapping[bytes, Found]:
    """Parse all entries of a tree's bytes."""
    found: dict[bytes, Found] = {}
    start = 0
    while start < len(raw):
        space = raw.index(b" ", start)
        nul = raw.index(b"\0", space)
        found[raw[space + 1 : nul]] = (raw[start:space], raw[nul + 1 : nul + 1 + SHA_BYTES].hex())
        start = nul + 1 + SHA_BYTES
    return found


def entries_of(raw: bytes) -> Names:
    """Return all entries of a tree's bytes, by name."""
    names: Names = {}
    start = 0
    while start < len(raw):
        space = raw.index(b" ", start)
        nul = raw.index(b"\0", space)
        end = nul + 1 + SHA_BYTES
        names[raw[start:end]] = raw[space + 1 : nul].decode("utf-8", "surrogateescape")
        start = end
    return names


def in_order(names: Names) -> Names:
    """Sort entries as a tree does: folders as if their names ended in a slash."""
    return dict(sorted(names.items(), key=lambda one: _key(one[0])))


def _key(entry: bytes) -> bytes:
    mode, _, rest = entry.partition(b" ")
    return rest[: rest.index(b"\0")] + (b"/" if mode == TREE_MODE else b"")
