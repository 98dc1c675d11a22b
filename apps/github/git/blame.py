"""Blame: the commit that introduced each line of a file. Every commit passes shared lines on to its parents."""

import heapq
from typing import NamedTuple

from apps.github.git.graph import Node, Row
from apps.github.git.myers import compare_texts, lines_of
from apps.github.git.path_history import TREE_MODE
from apps.github.git.repo import Repo
from apps.github.git.tree_diff import list_changes


class Span(NamedTuple):
    """Lines (from 1, both included) introduced by one commit, and the file's path in it."""

    first_line: int
    last_line: int
    commit: Row
    path: str


class _Stretch(NamedTuple):
    """Lines without a commit yet: their position in the requested file, and in the version examined."""

    final: int
    here: int
    size: int


class _Version(NamedTuple):
    """A file in a commit."""

    commit: str
    path: str


def blame(repo: Repo, commit: str, path: str) -> list[Span]:
    """Return the spans of a file by introducing commit, renames followed. Raises KeyError for a missing file."""
    found = repo.places.at(repo.graph.node(commit), path)
    if found is None or found[0] == TREE_MODE:
        raise KeyError(path)
    claimed = _Blaming(repo).run(_Version(commit, path), found[1]) if repo.blob(found[1]) else []
    rows = {row.sha1: row for row in repo.graph.rows(sorted({version.commit for _, version in claimed}))}
    return [
        Span(one.final + 1, one.final + one.size, rows[version.commit], version.path)
        for one, version in _join_stretches(sorted(claimed))
    ]


def _join_stretches(claimed: list[tuple[_Stretch, _Version]]) -> list[tuple[_Stretch, _Version]]:
    """Join neighbouring lines of one commit into one span."""
    found: list[tuple[_Stretch, _Version]] = []
    for one, version in claimed:
        if found and found[-1][1] == version:
            before = found.pop()[0]
            one = _Stretch(before.final, before.here, before.size + one.size)
        found.append((one, version))
    return found


class _Blaming:
    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self._waiting: dict[_Version, list[_Stretch]] = {}
        self._heap: list[tuple[int, _Version]] = []
        self._shas: dict[_Version, str] = {}
        self._lines: dict[str, list[bytes]] = {}

    def run(self, start: _Version, sha: str) -> list[tuple[_Stretch, _Version]]:
        """Return every line with the version that introduced it."""
        claimed: list[tuple[_Stretch, _Version]] = []
        self._pass(start, sha, [_Stretch(0, 0, len(self._text(sha)))])
        while self._heap:
            version = heapq.heappop(self._heap)[1]
            kept = self._hand_on(version, self._waiting.pop(version))
            claimed += [(one, version) for one in kept]
        return claimed

    def _pass(self, version: _Version, sha: str, stretches: list[_Stretch]) -> None:
        if version not in self._waiting:
            heapq.heappush(self._heap, (-self.repo.graph.node(version.commit).at, version))
        self._waiting.setdefault(version, []).extend(stretches)
        self._shas[version] = sha

    def _hand_on(self, version: _Version, stretches: list[_Stretch]) -> list[_Stretch]:
        """Pass a version's lines on to its parents; return those that no parent has."""
        node = self.repo.graph.node(version.commit)
        here = self._shas[version]
        parents = self.repo.graph.parents(node)
        origins: dict[str, tuple[_Version, str]] = {}
        for renames in (False, True):
            for parent in parents:
                if parent.sha in origins:
                    continue
                origin = (
                    self._find_rename(node, parent, version.path) if renames else self._same_path(parent, version.path)
                )
                if origin is not None and origin[1] == here:
                    self._pass(*origin, stretches)
                    return []
                if origin is not None:
                    origins[parent.sha] = origin
        for older, sha in origins.values():
            stretches, taken = _split(_whole(stretches), self._runs(sha, here))
            if taken:
                self._pass(older, sha, taken)
        return stretches

    def _same_path(self, parent: Node, path: str) -> tuple[_Version, str] | None:
        found = self.repo.places.at(parent, path)
        return (
            None
            if found is None or not found[0].startswith(b"1") or found[0] == b"160000"
            else (_Version(parent.sha, path), found[1])
        )

    def _find_rename(self, node: Node, parent: Node, path: str) -> tuple[_Version, str] | None:
        for change in list_changes(self.repo, parent.tree, node.tree):
            if change.path == path and change.status == "renamed" and change.old is not None:
                return _Version(parent.sha, change.old.path), change.old.sha
        return None

    def _runs(self, old: str, new: str) -> list[tuple[int, int, int]]:
        """Return the stretches that an older text also has: start, end, and the offset of their lines there."""
        found, at, shift = [], 0, 0
        for one in compare_texts(self.repo.blob(old), self.repo.blob(new)):
            found.append((at, one.b0, shift))
            at, shift = one.b1, one.b1 - one.a1
        return [*found, (at, len(self._text(new)), shift)]

    def _text(self, sha: str) -> list[bytes]:
        if sha not in self._lines:
            self._lines[sha] = lines_of(self.repo.blob(sha))
        return self._lines[sha]


def _whole(stretches: list[_Stretch]) -> list[_Stretch]:
    """Sort stretches, and join those that are adjacent in both versions."""
    found: list[_Stretch] = []
    for one in sorted(stretches, key=lambda one: one.here):
        if found and found[-1].here + found[-1].size == one.here and found[-1].final + found[-1].size == one.final:
            one = _Stretch(found[-1].final, found[-1].here, found.pop().size + one.size)
        found.append(one)
    return found


def _split(stretches: list[_Stretch], same: list[tuple[int, int, int]]) -> tuple[list[_Stretch], list[_Stretch]]:
    """Split stretches into those that the older text lacks, and those it has, at their positions there."""
    kept: list[_Stretch] = []
    taken: list[_Stretch] = []
    at = 0
    for one in stretches:
        start, end = one.here, one.here + one.size
        while at < len(same) and same[at][1] <= start:
            at += 1
        index = at
        while start < end:
            low, high, shift = same[index] if index < len(same) else (end, end, 0)
            if start < low:
                stop = min(low, end)
                kept.append(_Stretch(one.final + start - one.here, start, stop - start))
            else:
                stop = min(high, end)
                taken.append(_Stretch(one.final + start - one.here, start - shift, stop - start))
                index += 1
            start = stop
    return kept, taken
