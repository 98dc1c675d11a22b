"""Merges of trees and commits: three-way, following renames, with a virtual base where histories crossed."""

import stat
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from apps.github.git.binary import is_binary
from apps.github.git.history import merge_bases
from apps.github.git.merge3 import merge_file, render_conflicts
from apps.github.git.repo import FILE, LINK, MODULE, Entry, Repo, Signature
from apps.github.git.tree_diff import list_changes

__all__ = [
    "Conflict",
    "MergeResult",
    "RebaseStopped",
    "conflicts_between",
    "merge_commits",
    "merge_file",
    "merge_trees",
    "rebase",
    "render_conflicts",
]

T = TypeVar("T", int, str)
Outcome = dict[str, tuple[int, str] | None]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that two sides changed differently.

    `kind`: content, binary, add/add, modify/delete, rename/delete, rename/rename or file/directory.
    """

    path: str
    kind: str
    base: Entry | None = None
    ours: Entry | None = None
    theirs: Entry | None = None


@dataclass(frozen=True, slots=True)
class MergeResult:
    """Result of a merge: its tree, or the conflicts."""

    tree: str | None
    conflicts: list[Conflict]


@dataclass(frozen=True, slots=True)
class RebaseStopped:
    """Error at the commit where a rebase could not continue."""

    commit: str
    conflicts: list[Conflict]


@dataclass(frozen=True, slots=True)
class _Fate:
    """State of a base file on one side; `entry` None: removed."""

    entry: Entry | None
    touched: bool


def merge_trees(repo: Repo, base_tree: str | None, ours: str, theirs: str) -> MergeResult:
    """Merge two trees: the result has the changes of either side since the base."""
    if theirs in (ours, base_tree):
        return MergeResult(ours, [])
    if ours == base_tree:
        return MergeResult(theirs, [])
    merging = _Merging(repo, base_tree, ours, theirs)
    tree = merging.run()
    return MergeResult(None if merging.conflicts else tree, merging.conflicts)


def merge_commits(repo: Repo, ours: str, theirs: str) -> MergeResult:
    """Merge two commits from their best common base."""
    return merge_trees(repo, base_of(repo, ours, theirs), repo.tree_of(ours), repo.tree_of(theirs))


def conflicts_between(repo: Repo, ours: str, theirs: str) -> list[Conflict]:
    """List the conflicts of merging two commits; the trial leaves no objects."""
    repo.call.flush()
    raw = repo.call.bound.raw
    raw.execute("SAVEPOINT conflicts")
    try:
        return merge_commits(repo, ours, theirs).conflicts
    finally:
        raw.execute("ROLLBACK TO conflicts")
        raw.execute("RELEASE conflicts")


def base_of(repo: Repo, ours: str, theirs: str) -> str | None:
    """Return the base tree of a merge; where histories crossed, the merge of all bases, with conflict markers."""
    bases = merge_bases(repo, ours, theirs)[::-1]
    return _merge_bases(repo, bases, 1) if bases else None


def _merge_bases(repo: Repo, bases: Sequence[str], depth: int) -> str:
    """Merge several bases into one tree, oldest first; each from its merge base with the earlier ones."""
    tree = repo.tree_of(bases[0])
    for at, commit in enumerate(bases[1:], 1):
        below = {base for earlier in bases[:at] for base in merge_bases(repo, earlier, commit)}
        common = [
            sha for sha in sorted(below, key=lambda sha: (repo.graph.node(sha).at, sha)) if _best(repo, sha, below)
        ]
        start = _merge_bases(repo, common, depth + 1) if common else None
        tree = _Merging(repo, start, tree, repo.tree_of(commit), depth).run()
    return tree


def _best(repo: Repo, sha: str, below: set[str]) -> bool:
    return not any(sha != other and sha in repo.graph.ancestors(other) for other in below)


class _Merging:
    """One merge. `depth` above 0: a merge of bases, whose conflicts are kept as text with markers."""

    def __init__(self, repo: Repo, base: str | None, ours: str, theirs: str, depth: int = 0) -> None:
        self.repo, self.base, self.ours, self.theirs, self.depth = repo, base, ours, theirs, depth
        self.conflicts: list[Conflict] = []
        self.result: Outcome = {}  # by path, what is otherwise than on our side

    def run(self) -> str:
        """Return the merged tree."""
        olds: dict[str, Entry] = {}
        fates, added = [], []
        for side in (self.ours, self.theirs):
            found = list_changes(self.repo, self.base, side, empty=False)
            olds.update((one.old.path, one.old) for one in found if one.old)
            fates.append({one.old.path: _Fate(one.new, True) for one in found if one.old})
            added.append({one.new.path: one.new for one in found if one.new and not one.old})
        for path in sorted(olds):
            base = olds[path]
            self._file(base, *(side.get(path, _Fate(base, False)) for side in fates))
        for path in sorted({**added[0], **added[1]}):
            self._addition(path, added[0].get(path), added[1].get(path))
        self._folders()
        self.conflicts.sort(key=lambda one: (one.path, one.kind))
        return self.repo.put_changed_tree(self.ours, self._outcome())

    def _outcome(self) -> Outcome:
        """Return the result without removals below a path that became a file."""
        files = {path for path, entry in self.result.items() if entry}
        return {
            path: entry
            for path, entry in self.result.items()
            if entry or not any(above in files for above in _above(path))
        }

    def _set(self, path: str, mode: int, sha: str) -> None:
        self.result[path] = (mode, sha)

    def _move(self, old: str, new: str, mode: int, sha: str) -> None:
        """Move a file from its path on our side to its path in the result."""
        if old != new and self.result.get(old) is None:
            self.result[old] = None
        self._set(new, mode, sha)

    def _file(self, base: Entry, ours: _Fate, theirs: _Fate) -> None:
        """Merge a file of the base."""
        a, b = ours.entry, theirs.entry
        if a is None or b is None:
            self._merge_removal(base, ours, theirs)
            return
        if a.path != b.path and base.path not in (a.path, b.path):
            self.conflicts.append(Conflict(base.path, "rename/rename", base, a, b))
            return
        path = b.path if a.path == base.path else a.path
        mode, sha = self._content(path, base, a, b)
        self._move(a.path, path, mode, sha)

    def _merge_removal(self, base: Entry, ours: _Fate, theirs: _Fate) -> None:
        """Merge the removal of a file by one side or both."""
        left = ours.entry or theirs.entry
        if left is None:
            return
        fate = ours if ours.entry else theirs
        if fate.touched:
            kind = "modify/delete" if left.path == base.path else "rename/delete"
            self.conflicts.append(Conflict(left.path, kind, base, ours.entry, theirs.entry))
            self._set(left.path, base.mode if self.depth else left.mode, base.sha if self.depth else left.sha)
        elif ours.entry:
            self.result[base.path] = None

    def _addition(self, path: str, ours: Entry | None, theirs: Entry | None) -> None:
        """Merge a path that at least one side added."""
        there = self.result.get(path)
        if ours and theirs:
            self._set(path, *self._content(path, None, ours, theirs))
        elif (one := ours or theirs) is not None and there is not None and there != (one.mode, one.sha):
            kept = Entry(path, *there)  # a file renamed to where the other side added one
            self._set(path, *self._content(path, None, *((one, kept) if ours else (kept, one))))
        elif one is not None:
            self._set(path, one.mode, one.sha)

    def _content(self, path: str, base: Entry | None, ours: Entry, theirs: Entry) -> tuple[int, str]:
        """Merge mode and content of a file that both sides have."""
        mode = _one_of(base.mode if base else None, ours.mode, theirs.mode)
        sha = _one_of(base.sha if base else None, ours.sha, theirs.sha)
        if sha is None and all(stat.S_ISREG(one.mode) for one in (base, ours, theirs) if one):
            sha = self._text(base, ours, theirs)
        if mode is None or sha is None:
            binary = sha is None and any(
                one.mode != MODULE and is_binary(self.repo.blob(one.sha)) for one in (ours, theirs)
            )
            self.conflicts.append(
                Conflict(path, "add/add" if base is None else "binary" if binary else "content", base, ours, theirs)
            )
        if sha is None:
            sha = self._put_conflict_blob(base, ours, theirs) if self.depth else ours.sha
        return mode or ours.mode, sha

    def _text(self, base: Entry | None, ours: Entry, theirs: Entry) -> str | None:
        found = merge_file(
            self.repo.blob(base.sha) if base else b"", self.repo.blob(ours.sha), self.repo.blob(theirs.sha)
        )
        return None if found is None else self.repo.put_blob(found)

    def _put_conflict_blob(self, base: Entry | None, ours: Entry, theirs: Entry) -> str:
        """Store the text of a conflict inside a base; binary content stays unchanged. Returns the SHA."""
        sides = [one for one in (base, ours, theirs) if one]
        if any(one.mode in (LINK, MODULE) or is_binary(self.repo.blob(one.sha)) for one in sides):
            return (base or ours).sha
        labels = "Temporary merge branch 1", "Temporary merge branch 2"
        texts = (self.repo.blob(base.sha) if base else b""), self.repo.blob(ours.sha), self.repo.blob(theirs.sha)
        return self.repo.put_blob(render_conflicts(*texts, labels, 7 + 2 * self.depth))

    def _folders(self) -> None:
        """Record conflicts of files with folders of the same path."""
        gone = {path for path, entry in self.result.items() if entry is None}
        files = {path: entry for path, entry in self.result.items() if entry}
        for path in sorted(files):
            here = self.repo.at(self.ours, path)
            if (
                here is not None
                and here.kind == "tree"
                and any(one.path not in gone for one in self.repo.walk(here.sha, path))
            ):
                self._add_file_directory_conflict(path, files[path])
            for above in _above(path):
                there = self.repo.at(self.ours, above)
                if above in files or (there is not None and there.kind != "tree" and above not in gone):
                    self._add_file_directory_conflict(above, files.get(above) or (FILE, ""))

    def _add_file_directory_conflict(self, path: str, entry: tuple[int, str]) -> None:
        if not any(one.path == path and one.kind == "file/directory" for one in self.conflicts):
            self.conflicts.append(Conflict(path, "file/directory", None, Entry(path, *entry), None))


def _one_of(base: T | None, ours: T, theirs: T) -> T | None:
    """Return the side that changed something; None if both changed it differently."""
    if ours == theirs or theirs == base:
        return ours
    return theirs if ours == base else None


def _above(path: str) -> list[str]:
    """Return the parent folders of a path."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def rebase(repo: Repo, onto: str, commits: Sequence[str], committer: Signature) -> str | RebaseStopped:
    """Reapply commits on top of another one, oldest first, keeping author and message.

    Merges and empty changes are left out.
    """
    head, tree = onto, repo.tree_of(onto)
    for row in repo.graph.rows(list(commits)):
        parents = row.parents.split()
        if len(parents) > 1:
            continue
        merged = merge_trees(repo, repo.graph.node(parents[0]).tree if parents else None, tree, row.tree)
        if merged.tree is None:
            return RebaseStopped(row.sha1, merged.conflicts)
        if merged.tree != tree:
            author = Signature(row.author_name, row.author_email, row.authored_at, row.author_zone)
            head, tree = repo.put_commit(merged.tree, [head], row.message, author, committer), merged.tree
    return head
