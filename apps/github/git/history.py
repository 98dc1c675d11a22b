"""Queries of history: logs, counts, merge bases, and the commit that last changed a file."""

from collections.abc import Collection, Iterator
from itertools import islice

from apps.github.git.graph import Graph, Node, Queue, Row
from apps.github.git.path_history import in_order
from apps.github.git.repo import Repo

BATCH = 256  # rows read at once by a log that looks into them

__all__ = ["Row", "ahead_behind", "between", "count", "is_ancestor", "last_changes", "log", "merge_base", "merge_bases"]


def log(
    repo: Repo,
    heads: list[str],
    *,
    exclude: Collection[str] = (),
    path: str | None = None,
    author: Collection[str] | None = None,
    since: int | None = None,
    until: int | None = None,
    start: int = 0,
    limit: int | None = None,
) -> list[Row]:
    """List commits reachable from heads and not from `exclude`, newest first, as `git log` does.

    `path` keeps those that changed a file or folder, `author` those of some addresses; `since` and `until` are
    seconds of the committer's date, both included.
    """
    hidden = repo.graph.reachable(exclude)
    nodes = (
        _walk_path_commits(repo, heads, hidden, path.strip("/"))
        if path and path.strip("/")
        else repo.graph.newest_first(heads, hidden)
    )
    if since is not None or until is not None:
        nodes = (node for node in nodes if (since is None or node.at >= since) and (until is None or node.at <= until))
    stop = None if limit is None else start + limit
    if author is None:
        return repo.graph.rows([node.sha for node in islice(nodes, start, stop)])
    return list(islice(_by(repo.graph, nodes, {one.lower() for one in author}), start, stop))


def _by(graph: Graph, nodes: Iterator[Node], emails: set[str]) -> Iterator[Row]:
    while batch := [node.sha for node in islice(nodes, BATCH)]:
        yield from (row for row in graph.rows(batch) if row.author_email.lower() in emails)


def _walk_path_commits(repo: Repo, heads: list[str], hidden: set[str], path: str) -> Iterator[Node]:
    """Walk the commits that changed a path; from a merge that took one side's version, follow only that side."""
    places = repo.places
    queue = Queue(repo.graph, hidden)
    queue.push(heads)
    while (node := queue.pop()) is not None:
        here = places.at(node, path)
        parents = repo.graph.parents(node)
        same = next((one for one in parents if places.at(one, path) == here), None)
        if same is not None:
            queue.push([same.sha])
            continue
        queue.push(one.sha for one in parents)
        if parents or here is not None:
            yield node


def count(repo: Repo, heads: list[str], exclude: Collection[str] = ()) -> int:
    """Count the commits reachable from heads and not from `exclude`."""
    return len(repo.graph.reachable(heads) - repo.graph.reachable(exclude))


def merge_bases(repo: Repo, a: str, b: str) -> list[str]:
    """Return the best common ancestors of two commits, newest first."""
    common = repo.graph.ancestors(a) & repo.graph.ancestors(b)
    older = {parent for sha in common for parent in repo.graph.node(sha).parents}
    return sorted(common - older, key=lambda sha: (-repo.graph.node(sha).at, sha))


def merge_base(repo: Repo, a: str, b: str) -> str | None:
    """Return the best common ancestor of two commits, the newest of several."""
    if a == b and repo.graph.find(a) is not None:
        return a
    return next(iter(merge_bases(repo, a, b)), None)


def ahead_behind(repo: Repo, base: str, head: str) -> tuple[int, int]:
    """Count the commits that `head` has and `base` lacks, and the reverse."""
    ours, theirs = repo.graph.ancestors(base), repo.graph.ancestors(head)
    return len(theirs - ours), len(ours - theirs)


def is_ancestor(repo: Repo, a: str, b: str) -> bool:
    """Whether `b` is `a` or a descendant of it."""
    return a == b or a in repo.graph.ancestors(b)


def between(repo: Repo, base: str, head: str) -> list[Row]:
    """List the commits that a pull of `head` into `base` adds, oldest first."""
    return log(repo, [head], exclude=[base])[::-1]


def last_changes(repo: Repo, commit: str, folder: str = "") -> dict[str, Row]:
    """Return the commit that last changed each entry of a folder, by name."""
    found = _last(repo, repo.graph.node(commit), folder.strip("/"))
    rows = {row.sha1: row for row in repo.graph.rows(sorted(set(found.values())))}
    return {name: rows[sha] for name, sha in sorted(found.items())}


def _last(repo: Repo, head: Node, folder: str) -> dict[str, str]:
    """Pass entries on to the parents that share them; each commit changed the remaining entries itself."""
    waiting = {head.sha: repo.places.names(head, folder)}
    queue = Queue(repo.graph)
    queue.push([head.sha])
    found: dict[str, str] = {}
    while waiting and (node := queue.pop()) is not None:
        names = waiting.pop(node.sha)
        queue.reopen(node.sha)  # where clocks disagree, a child may still come that hands something over
        for parent in repo.graph.parents(node):
            names, passed = repo.places.split(names, parent, folder)
            if passed:
                sha = parent.sha
                waiting[sha] = in_order({**waiting[sha], **passed}) if sha in waiting else passed
                queue.push([sha])
            if not names:
                break
        found.update(dict.fromkeys(names.values(), node.sha))
    return found
