"""Limits on the unfolded size of trees.

Equal subtrees are one object, so a few objects can unfold to more paths than any walk could visit.
"""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from dulwich.objects import parse_tree

from apps.github.git.paths import MAX_DEPTH
from world.core.errors import OperationError

MAX_PATHS = 20_000  # files and folders of one commit; the vendor names no number, and advises 3,000 in one folder
FOLDER = 0o040000

Read = Callable[[Collection[str]], Mapping[str, bytes]]  # the contents of those trees that are here, by sha


class Extent(NamedTuple):
    """Unfolded size of a tree: number of files and folders, and depth of folders."""

    paths: int
    depth: int


class TreeTooLarge(OperationError):
    """A tree that unfolds beyond the limits of a repository; `why` is for its author."""

    def __init__(self, why: str) -> None:
        super().__init__("unprocessable", why=why)


class _Folder(NamedTuple):
    """One tree object: the number of entries, and the SHAs of its subfolders."""

    entries: int
    folders: list[str]


NOTHING = _Folder(0, [])  # stands for a tree that is not here


class Extents:
    """Cache of extents by tree; a tree never changes."""

    def __init__(self) -> None:
        self._known: dict[str, Extent] = {}

    def check(self, trees: Collection[str], read: Read) -> None:
        """Check that trees unfold within the limits of a repository. Raises TreeTooLarge."""
        here = self._load(trees, read)
        for tree in trees:
            self._measure(tree, here)

    def _load(self, trees: Collection[str], read: Read) -> dict[str, _Folder]:
        """Load every reachable tree whose extent is unknown."""
        here: dict[str, _Folder] = {}
        waiting = [sha for sha in trees if sha not in self._known]
        while waiting:
            here.update((sha, _parse(raw)) for sha, raw in read(waiting).items())
            below = {one for sha in waiting for one in here.get(sha, NOTHING).folders}
            waiting = sorted(one for one in below if one not in here and one not in self._known)
        return here

    def _measure(self, tree: str, here: Mapping[str, _Folder]) -> None:
        """Measure the extents of a tree and of all trees below it, deepest first, without recursion."""
        path = [tree]
        while path:
            if len(path) > MAX_DEPTH:
                raise TreeTooLarge("exceeded maximum allowed tree depth")
            folder = here.get(path[-1], NOTHING)
            unknown = next((one for one in folder.folders if one not in self._known), None)
            if path[-1] in self._known:
                path.pop()
            elif unknown is not None:
                path.append(unknown)
            else:
                self._known[path.pop()] = self._sum(folder)

    def _sum(self, folder: _Folder) -> Extent:
        below = [self._known[one] for one in folder.folders]
        found = Extent(
            folder.entries + sum(one.paths for one in below), 1 + max((one.depth for one in below), default=0)
        )
        if found.paths > MAX_PATHS:
            raise TreeTooLarge(f"exceeded maximum allowed number of paths ({MAX_PATHS})")
        if found.depth > MAX_DEPTH:
            raise TreeTooLarge("exceeded maximum allowed tree depth")
        return found


def _parse(raw: bytes) -> _Folder:
    entries = list(parse_tree(raw, 20))
    return _Folder(len(entries), [sha.decode() for _, mode, sha in entries if mode == FOLDER])
