"""The commit graph of a repository, from its github_commit rows: loaded in pages by date, cached for one call."""

import heapq
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import orjson

from apps.github.git.store import TooMuchWork
from world.core.call import Call

FIRST_PAGE, LAST_PAGE, GROWTH = 64, 4096, 4
MOST_NODES = 5_000  # commits that one call may look at
_NODE = "SELECT sha1, tree, parents, committed_at FROM github_commit WHERE repo_id = :repo AND sha1 = :sha"
_PAGE = """SELECT sha1, tree, parents, committed_at FROM github_commit
    WHERE repo_id = :repo AND committed_at <= :at ORDER BY committed_at DESC, sha1 LIMIT :page"""
_LINE = """WITH RECURSIVE line(sha, behind) AS (
        SELECT :sha, 0
        UNION ALL
        SELECT substr(parents, 1, 40), behind + 1 FROM line CROSS JOIN github_commit ON repo_id = :repo AND sha1 = sha
        WHERE parents <> '' AND behind + 1 < :page)
    SELECT sha1, tree, parents, committed_at FROM line CROSS JOIN github_commit ON repo_id = :repo AND sha1 = sha
    ORDER BY behind"""
_ROWS = """SELECT sha1, tree, parents, author_name, author_email, authored_at, author_zone,
    committer_name, committer_email, committed_at, committer_zone, message
    FROM json_each(:shas) CROSS JOIN github_commit ON repo_id = :repo AND sha1 = value ORDER BY key"""


class Node(NamedTuple):
    """A commit as a walk needs it; `at` in seconds."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    at: int


class Row(NamedTuple):
    """A commit as its row stores it: times in seconds, zones in minutes east, `parents` separated by spaces."""

    sha1: str
    tree: str
    parents: str
    author_name: str
    author_email: str
    authored_at: int
    author_zone: int
    committer_name: str
    committer_email: str
    committed_at: int
    committer_zone: int
    message: str

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.message.strip("\n").partition("\n")[0]


class Graph:
    """Commits by sha, read a page at a time: a commit's ancestors are mostly those of about its date.

    Where they are not, since many commits bear one date, pages follow the first parents instead.
    """

    def __init__(self, call: Call, repo_id: int) -> None:
        self.call, self.repo_id = call, repo_id
        self._nodes: dict[str, Node] = {}
        self._ancestors: dict[str, frozenset[str]] = {}
        self._page, self._is_dated = FIRST_PAGE, True

    def find(self, sha: str) -> Node | None:
        """Find a commit; None if the repository lacks it."""
        found = self._nodes.get(sha)
        return found if found is not None else self._load(sha)

    def node(self, sha: str) -> Node:
        """Return a commit. Raises KeyError."""
        found = self.find(sha)
        if found is None:
            raise KeyError(sha)
        return found

    def _load(self, sha: str) -> Node | None:
        if len(self._nodes) > MOST_NODES:
            raise TooMuchWork
        row = self.call.first(_NODE, {"repo": self.repo_id, "sha": sha})
        if row is None:
            return None
        if self._is_dated:
            page = self.call.all(_PAGE, {"repo": self.repo_id, "at": row[3], "page": self._page})
            self._is_dated = 2 * sum(one not in self._nodes for one, *_ in page) >= len(page)
        else:
            page = self.call.all(_LINE, {"repo": self.repo_id, "sha": sha, "page": self._page})
        self._page = min(LAST_PAGE, self._page * GROWTH)
        for one, tree, parents, at in (*page, row):
            self._nodes[one] = Node(one, tree, tuple(parents.split()), at)
        return self._nodes[sha]

    def parents(self, node: Node) -> list[Node]:
        """Return the parents of a commit that the repository has."""
        return [found for one in node.parents if (found := self._nodes.get(one) or self._load(one)) is not None]

    def rows(self, shas: Sequence[str]) -> list[Row]:
        """Return the rows of commits, in the order asked for."""
        if not shas:
            return []
        return [Row(*row) for row in self.call.all(_ROWS, {"repo": self.repo_id, "shas": orjson.dumps(shas).decode()})]

    def reachable(self, heads: Iterable[str]) -> set[str]:
        """Return every commit reachable from heads, the heads included."""
        seen: set[str] = set()
        waiting = list(heads)
        while waiting:
            sha = waiting.pop()
            if sha not in seen and (node := self._nodes.get(sha) or self._load(sha)) is not None:
                seen.add(sha)
                waiting += node.parents
        return seen

    def ancestors(self, sha: str) -> frozenset[str]:
        """Return a commit and all its ancestors."""
        found = self._ancestors.get(sha)
        if found is None:
            found = self._ancestors[sha] = frozenset(self.reachable([sha]))
        return found

    def newest_first(self, heads: Iterable[str], hidden: frozenset[str] | set[str] = frozenset()) -> Iterator[Node]:
        """Yield commits in the order of `git log`: the latest date first, among those whose child was shown."""
        queue = Queue(self, hidden)
        queue.push(heads)
        while (node := queue.pop()) is not None:
            yield node
            queue.push(node.parents)


class Queue:
    """Priority queue of commits to visit, latest date first, each at most once."""

    def __init__(self, graph: Graph, hidden: frozenset[str] | set[str] = frozenset()) -> None:
        self._graph, self._seen = graph, set(hidden)
        self._heap: list[tuple[int, int, Node]] = []
        self._count = 0

    def push(self, shas: Iterable[str]) -> None:
        """Add commits that were never added."""
        for sha in shas:
            if sha not in self._seen and (node := self._graph.find(sha)) is not None:
                self._seen.add(sha)
                self._count += 1
                heapq.heappush(self._heap, (-node.at, self._count, node))

    def pop(self) -> Node | None:
        """Return the next commit, or None."""
        return heapq.heappop(self._heap)[2] if self._heap else None

    def reopen(self, sha: str) -> None:
        """Allow a commit that was taken out to be added again."""
        self._seen.discard(sha)
