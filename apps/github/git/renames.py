"""Rename detection: pairs removed and added files by equal content, then equal name, then similarity."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from apps.github.git.binary import is_binary
from apps.github.git.myers import lines_of
from apps.github.git.repo import Entry, Repo

FULL = 60_000  # git's score of files that are alike
LEAST = FULL // 2
LEAST_SAME_NAME = LEAST + (FULL - LEAST) // 2  # files of one name are not compared with all others
MAX_PAIRS = 10_000
CANDIDATES = 4  # of each added file
PIECE = 64
REGULAR = (0o100644, 0o100755, 0o100664)


class Pair(NamedTuple):
    """An added file and its former version; `score` out of 60,000."""

    old: Entry
    new: Entry
    score: int


def find_renames(repo: Repo, removed: Sequence[Entry], added: Sequence[Entry], *, empty: bool = True) -> list[Pair]:
    """Find the pairs among removed and added files. `empty`: files without content count too."""
    pairing = _Pairing(repo, removed, added)
    if not empty:
        pairing.drop_empty()
    pairing.same_content()
    pairing.same_name()
    pairing.most_alike()
    return pairing.pairs


class _Pairing:
    def __init__(self, repo: Repo, removed: Sequence[Entry], added: Sequence[Entry]) -> None:
        self.repo, self.pairs = repo, list[Pair]()
        self.removed = {one.path: one for one in removed if one.kind == "blob"}
        self.added = {one.path: one for one in added if one.kind == "blob"}
        self._pieces: dict[str, tuple[int, Counter[bytes]]] = {}

    def drop_empty(self) -> None:
        """Forget files without content."""
        for side in (self.removed, self.added):
            for path in [path for path, one in side.items() if not self.repo.blob(one.sha)]:
                del side[path]

    def _take(self, old: Entry, new: Entry, score: int) -> None:
        self.pairs.append(Pair(old, new, score))
        del self.removed[old.path], self.added[new.path]

    def same_content(self) -> None:
        """Pair files that only moved, those with an unchanged name first."""
        by_sha: dict[str, list[Entry]] = defaultdict(list)
        for one in self.removed.values():
            by_sha[one.sha].append(one)
        for new in list(self.added.values()):
            fit = [one for one in by_sha.get(new.sha, ()) if (one.mode in REGULAR) == (new.mode in REGULAR)]
            if fit:
                old = next((one for one in fit if one.name == new.name), fit[0])
                by_sha[new.sha].remove(old)
                self._take(old, new, FULL)

    def same_name(self) -> None:
        """Pair similar files whose name is unique on both sides."""
        old, new = _by_name(self.removed.values()), _by_name(self.added.values())
        for name, a in old.items():
            b = new.get(name)
            if a is not None and b is not None and (score := self.score(a, b, LEAST_SAME_NAME)) >= LEAST_SAME_NAME:
                self._take(a, b, score)

    def most_alike(self) -> None:
        """Pair the rest, most similar first."""
        if len(self.removed) * len(self.added) > MAX_PAIRS:
            return
        found = []
        for new in self.added.values():
            scores = [(self.score(old, new, LEAST), old.name == new.name, old) for old in self.removed.values()]
            best = sorted(scores, key=lambda one: one[:2], reverse=True)[:CANDIDATES]
            found += [(score, named, old, new) for score, named, old in best if score >= LEAST]
        for score, _, old, new in sorted(found, key=lambda one: one[:2], reverse=True):
            if old.path in self.removed and new.path in self.added:
                self._take(old, new, score)

    def score(self, old: Entry, new: Entry, least: int) -> int:
        """Return the share of the larger file that both have, out of 60,000."""
        if old.mode not in REGULAR or new.mode not in REGULAR:
            return 0
        (old_size, a), (new_size, b) = self._count_pieces(old.sha), self._count_pieces(new.sha)
        larger, smaller = max(old_size, new_size), min(old_size, new_size)
        if not new_size or larger * (FULL - least) < (larger - smaller) * FULL:
            return 0
        return sum(min(size, b[piece]) for piece, size in a.items() if piece in b) * FULL // larger

    def _count_pieces(self, sha: str) -> tuple[int, Counter[bytes]]:
        found = self._pieces.get(sha)
        if found is None:
            data = self.repo.blob(sha)
            found = self._pieces[sha] = (len(data), count_pieces(data))
        return found


def _by_name(entries: Iterable[Entry]) -> dict[str, Entry | None]:
    """Return files by their last name; None for an ambiguous name."""
    found: dict[str, Entry | None] = {}
    for one in entries:
        found[one.name] = None if one.name in found else one
    return found


def count_pieces(data: bytes) -> Counter[bytes]:
    """Count a file's bytes by piece: lines, cut every 64 bytes."""
    text = data if is_binary(data) else data.replace(b"\r\n", b"\n")
    found: Counter[bytes] = Counter()
    for line in lines_of(text):
        for start in range(0, len(line), PIECE):
            piece = line[start : start + PIECE]
            found[piece] += len(piece)
    return found
