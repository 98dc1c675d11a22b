"""Reachable commits: from a client's wants down to its haves, and the edge of a shallow clone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from apps.github.git.graph import Graph
from apps.github.git.repo import Repo
from apps.github.git.wire.fetch import INFINITE

BATCH = 500
_READ = """SELECT sha1, kind, size, data FROM json_each(:shas) CROSS JOIN github_object ON repo_id = :repo AND sha1 =
    value"""
_KINDS = """SELECT sha1, kind FROM json_each(:shas) CROSS JOIN github_object ON repo_id = :repo AND sha1 = value"""


class Row(NamedTuple):
    """A stored object: `size` of its content, `data` its compressed content."""

    sha: str
    kind: int
    size: int
    data: bytes


class ObjectMissing(Exception):
    """Error for a wanted object that the repository does not have."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Edge of a shallow clone: commits whose parents are left out, and changes of the client's edge."""

    cut: frozenset[str]
    shallow: list[str] = field(default_factory=list)
    unshallow: list[str] = field(default_factory=list)


def rows(repo: Repo, shas: Iterable[str]) -> Iterator[Row]:
    """Yield the repository's objects among these, in the order asked for, compressed as stored."""
    wanted = list(shas)
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        found = {
            row[0]: Row(*row) for row in repo.call.all(_READ, {"repo": repo.id, "shas": orjson.dumps(batch).decode()})
        }
        yield from (found[sha] for sha in batch if sha in found)


def kinds(repo: Repo, shas: Iterable[str]) -> dict[str, int]:
    """Return the kinds of the repository's objects among these."""
    text = orjson.dumps(list(shas)).decode()
    return {sha: kind for sha, kind in repo.call.all(_KINDS, {"repo": repo.id, "shas": text})}


def closure(graph: Graph, heads: Iterable[str], cut: frozenset[str] = frozenset()) -> dict[str, int]:
    """Return every commit reachable from heads within the cut, with its distance; in order of distance."""
    found: dict[str, int] = {}
    level, distance = list(dict.fromkeys(heads)), 0
    while level:
        found.update(dict.fromkeys(level, distance))
        parents = (parent for sha in level if sha not in cut for parent in graph.node(sha).parents)
        level, distance = [sha for sha in dict.fromkeys(parents) if sha not in found and graph.find(sha)], distance + 1
    return found


def edge_by_depth(graph: Graph, heads: list[str], depth: int, client: list[str]) -> Edge:
    """Return the edge of a clone that is `depth` commits deep."""
    if depth >= INFINITE:
        return Edge(frozenset(), [], [sha for sha in client if graph.find(sha)])
    distance = _within(graph, heads, depth)
    return _edge(
        (sha for sha, far in distance.items() if far == depth - 1),
        (sha for sha, far in distance.items() if far < depth - 1),
        client,
    )


def _within(graph: Graph, heads: Iterable[str], depth: int) -> dict[str, int]:
    found: dict[str, int] = {}
    level = list(dict.fromkeys(heads))
    for distance in range(depth):
        found.update(dict.fromkeys(level, distance))
        level = [
            sha
            for sha in dict.fromkeys(one for sha in level for one in graph.node(sha).parents)
            if sha not in found and graph.find(sha)
        ]
        if not level:
            break
    return found


def edge_by_choice(
    graph: Graph, heads: list[str], since: int | None, excluded: Iterable[str], client: list[str]
) -> Edge:
    """Return the edge of a clone without commits older than a time, or reachable from some commits."""
    hidden = graph.reachable(excluded)
    kept: set[str] = set()
    waiting = list(heads)
    while waiting:
        sha = waiting.pop()
        node = graph.find(sha)
        if node is not None and sha not in kept and sha not in hidden and (since is None or node.at >= since):
            kept.add(sha)
            waiting += node.parents
    if not kept:
        raise ObjectMissing("no commits selected for shallow requests")
    ends = sorted(sha for sha in kept if any(parent not in kept for parent in graph.node(sha).parents))
    return _edge(ends, kept - set(ends), client)


def _edge(ends: Iterable[str], inside: Iterable[str], client: list[str]) -> Edge:
    cut, within = list(ends), set(inside)
    gone = [sha for sha in client if sha in within]
    kept = (set(client) - set(gone)) | set(cut)
    return Edge(frozenset(kept), [sha for sha in cut if sha not in set(client)], gone)


def can_reach(graph: Graph, wants: Iterable[str], common: Iterable[str]) -> bool:
    """Whether every wanted commit descends from a commit the client has."""
    heads, has = list(wants), set(common)
    children: dict[str, list[str]] = {}
    for sha in closure(graph, heads, frozenset(has)):
        for parent in graph.node(sha).parents:
            children.setdefault(parent, []).append(sha)
    grown, waiting = set(has), list(has)
    while waiting:
        new = [child for child in children.get(waiting.pop(), ()) if child not in grown]
        grown.update(new)
        waiting += new
    return bool(has) and all(sha in grown for sha in heads)
