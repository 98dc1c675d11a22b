"""Differences between two trees, file by file."""

import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from apps.github.git.path_history import TREE_MODE, Found, parse_tree
from apps.github.git.renames import FULL, find_renames
from apps.github.git.repo import Entry, Repo


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs.

    `status`: added, removed, modified, renamed, or changed when only the mode or type did.
    """

    status: str
    old: Entry | None
    new: Entry | None
    score: int = FULL  # of a rename, of 60,000

    @property
    def path(self) -> str:
        """Present path of the file; the former path of a removed one."""
        return self.new.path if self.new else self.old.path if self.old else ""

    @property
    def old_path(self) -> str | None:
        """Former path of a renamed file."""
        return self.old.path if self.old and self.status == "renamed" else None

    @property
    def retyped(self) -> bool:
        """Whether a file became a link or submodule, or the reverse."""
        return (
            self.old is not None and self.new is not None and stat.S_IFMT(self.old.mode) != stat.S_IFMT(self.new.mode)
        )

    @property
    def similarity(self) -> int:
        """Similarity of the two sides of a rename, in percent."""
        return self.score * 100 // FULL


def list_changes(
    repo: Repo, old_tree: str | None, new_tree: str | None, *, renames: bool = True, empty: bool = True
) -> list[Change]:
    """List the files that differ between two trees, by path. `empty`: files without content may be renames too."""
    found = list(_compare_trees(repo, old_tree, new_tree, ""))
    if renames:
        found = _pair_renames(repo, found, empty)
    return sorted(found, key=lambda one: one.path.encode("utf-8", "surrogateescape"))


def _pair_renames(repo: Repo, found: list[Change], empty: bool) -> list[Change]:
    removed = [one.old for one in found if one.old and not one.new]
    added = [one.new for one in found if one.new and not one.old]
    if not removed or not added:
        return found
    pairs = find_renames(
        repo,
        *(sorted(side, key=lambda one: one.path.encode("utf-8", "surrogateescape")) for side in (removed, added)),
        empty=empty,
    )
    gone = {id(one) for pair in pairs for one in (pair.old, pair.new)}
    rest = [one for one in found if (one.old and one.new) or id(one.old or one.new) not in gone]
    return rest + [Change("renamed", pair.old, pair.new, pair.score) for pair in pairs]


def _compare_trees(repo: Repo, old: str | None, new: str | None, folder: str) -> Iterator[Change]:
    if old == new:
        return
    before, after = _entries(repo, old), _entries(repo, new)
    for name in sorted({**before, **after}):
        a, b = before.get(name), after.get(name)
        if a != b:
            yield from _compare_entries(repo, folder + name.decode("utf-8", "surrogateescape"), a, b)


def _entries(repo: Repo, tree: str | None) -> Mapping[bytes, Found]:
    return {} if tree is None else parse_tree(repo.store.raw(tree)[1])


def _compare_entries(repo: Repo, path: str, a: Found | None, b: Found | None) -> Iterator[Change]:
    old_tree, new_tree = (found[1] if found is not None and found[0] == TREE_MODE else None for found in (a, b))
    if old_tree or new_tree:
        yield from _compare_trees(repo, old_tree, new_tree, path + "/")
    old, new = (
        Entry(path, int(found[0], 8), found[1]) if found is not None and found[0] != TREE_MODE else None
        for found in (a, b)
    )
    if old and new:
        same = old.sha == new.sha or stat.S_IFMT(old.mode) != stat.S_IFMT(new.mode)
        yield Change("changed" if same else "modified", old, new)
    elif old or new:
        yield Change("added" if new else "removed", old, new)
