"""Searches: issues and pull requests, repositories, people."""

from apps.github.domain.visibility import list_visible_repositories
from apps.github.graphql.connections import Page, key_of
from apps.github.graphql.errors import problem_of
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import Values, field
from apps.github.graphql.values import Args
from apps.github.operations.search.search_issues import search as search_issues
from apps.github.query import repositories, users
from apps.github.query.compiler import Page as Slice
from apps.github.query.compiler import find_page as ids_found
from apps.github.query.request import choose_sort, parse_tree
from world.core.errors import OperationError, Outage

MOST_FOUND = 1000
COUNTED = {"ISSUE": "issueCount", "REPOSITORY": "repositoryCount", "USER": "userCount", "DISCUSSION": "discussionCount"}


@field("Query", "search")
def search(near: Loader, row: None, args: Args) -> Page:
    """Return a page of search results."""
    start, size = _slice(args)
    rows, total = _search(near, args["type"], args["query"], Slice(start, size))
    shown = min(total, MOST_FOUND)
    keys = range(start + 1, start + len(rows) + 1)
    return Page(
        rows,
        total=total,
        keys=keys,
        onwards=(start > 0, start + len(rows) < shown),
        more={COUNTED[args["type"]]: total},
    )


def _slice(args: Args) -> tuple[int, int]:
    """Return start and size of a page; cursors of searches are positions in the list."""
    start = _place(args["after"]) if args.get("after") else 0
    size = args.get("first") if args.get("first") is not None else args.get("last") or 0
    if args.get("before"):
        stop = _place(args["before"]) - 1
        start, size = (
            (max(stop - args["last"], 0), min(args["last"], stop)) if args.get("last") else (0, min(size or stop, stop))
        )
    return start, max(min(size or 0, MOST_FOUND - start), 0)


def _place(cursor: str) -> int:
    key = key_of(cursor)
    if not isinstance(key, int) or not 0 <= key <= MOST_FOUND:
        raise ValueError(f"`{cursor}` does not appear to be a valid cursor.")
    return key


def _search(near: Loader, kind: str, text: str, where: Slice) -> tuple[Values, int]:
    try:
        if kind == "ISSUE":
            return search_issues(near.context, text, None, "desc", where)
        if kind == "REPOSITORY":
            return _repositories(near, text, where)
        if kind == "USER":
            return _users(near, text, where)
    except Outage:
        raise
    except OperationError as refused:
        if refused.code != "validation_failed":
            raise problem_of(refused) from None
    return [], 0


def _repositories(near: Loader, text: str, where: Slice) -> tuple[Values, int]:
    compiler = repositories.Repositories(near.context, list_visible_repositories(near.context))
    node = parse_tree(text, compiler.list_qualifiers())
    order = repositories.order(*choose_sort(node, None, "desc"))
    rows, total = ids_found(compiler, "r.id", repositories.FROM, compiler.condition(node), order, where)
    return [near.repo(row[0]) for row in rows], total


def _users(near: Loader, text: str, where: Slice) -> tuple[Values, int]:
    compiler = users.Users(near.context, list_visible_repositories(near.context))
    node = parse_tree(text, compiler.list_qualifiers())
    rows, total = ids_found(
        compiler, "a.id", users.FROM, compiler.condition(node), users.order(*choose_sort(node, None, "desc")), where
    )
    near.accounts(row[0] for row in rows)
    return [near.context.account(row[0]) for row in rows], total
