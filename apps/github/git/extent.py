"""How far trees unfold. Equal subtrees are one object, so a few objects can stand for more paths than any walk ends."""

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from dulwich.objects import parse_tree

from apps.github.git.paths import MAX_DEPTH
from world.core.errors import OperationError

MAX_PATHS = 20_000  # files and folders of one commit; the vendor names no number, and advises 3,000 in one folder
FOLDER = 0o040000

Read = Callable[[Collection[str]], Mapping[str, bytes]]  # the contents of those trees that are here, by sha


class Extent(NamedTuple):
    """What a tree unfolds to: files and folders, and how many folders stand in each other."""

    paths: int
    depth: int


class TreeTooLarge(OperationError):
    """A tree that unfolds to more than a repository takes; `why` is for who made it."""

    def __init__(self, why: str) -> None:
        super().__init__("unprocessable", why=why)


class _Folder(NamedTuple):
    """One tree object: how many entries, and the shas of those that are folders."""

    entries: int
    folders: list[str]


NOTHING = _Folder(0, [])  # stands for a tree that is not here


class Extents:
    """What is known of trees; a tree never changes."""

    def __init__(self) -> None:
        self._known: dict[str, Extent] = {}

    def check(self, trees: Collection[str], read: Read) -> None:
        """See that trees unfold to what a repository takes. Raises TreeTooLarge."""
        here = self._load(trees, read)
        for tree in trees:
            self._measure(tree, here)

    def _load(self, trees: Collection[str], read: Read) -> dict[str, _Folder]:
        """Every tree within reach whose extent is not known."""
        here: dict[str, _Folder] = {}
        waiting = [sha for sha in trees if sha not in self._known]
        while waiting:
            here.update((sha, _parse(raw)) for sha, raw in read(waiting).items())
            below = {one for sha in waiting for one in here.get(sha, NOTHING).folders}
            waiting = sorted(one for one in below if one not in here and one not in self._known)
        return here

    def _measure(self, tree: str, here: Mapping[str, _Folder]) -> None:
        """Note the extents of a tree and of all below it, the deepest first; without recursion."""
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
