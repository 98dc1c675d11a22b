"""Search of issues and pull requests in all repositories the caller can see."""

from typing import Any, Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line
from apps.github.domain.visibility import list_visible_repositories
from apps.github.models_issues import Issue
from apps.github.query.compiler import Page, find_page
from apps.github.query.issues import FROM, Issues, order
from apps.github.query.request import SOURCE, Search, add_matches, choose_sort, get_page, parse_tree, results_json
from apps.github.views.issues import issues_json
from world.core.call import Call
from world.core.json_types import JsonObject

Sort = Literal[
    "comments",
    "reactions",
    "reactions-+1",
    "reactions--1",
    "reactions-smile",
    "reactions-thinking_face",
    "reactions-heart",
    "reactions-tada",
    "interactions",
    "created",
    "updated",
]


class IssueSearch(Search):
    """Query and order of an issue search."""

    sort: Sort | None = Field(
        default=None,
        description="comments, reactions, reactions-+1, interactions, created, updated …; newest first if none.",
    )
    mediaType: Literal["raw", "text", "html", "full", "text-match"] | None = Field(
        default=None,
        description="raw, text, html or full for bodies; text-match: with the places where the words stand.",
    )
    advanced_search: Line | None = Field(
        default=None, description="Accepted and ignored: AND, OR and brackets are always understood."
    )
    search_type: Literal["lexical", "semantic", "hybrid"] = Field(
        default="lexical", description="Every search is lexical here."
    )


@app.operation(
    "search/issues-and-pull-requests",
    source=f"{SOURCE}#search-issues-and-pull-requests",
    examples=[{"q": "is:open is:issue"}],
    raises=("validation_failed", "unprocessable"),
)
def issues(call: Call, params: IssueSearch) -> dict[str, Any]:
    """Search issues and pull requests by words and qualifiers: repo: is: label: author: review: created: and more.

    Deviates: nothing is ranked; without `sort` the newest come first. A commit's sha finds the pull requests that stand
    at it only.
    """
    context = GithubContext(call)
    rows, total = search(context, params.q, params.sort, params.order, get_page(params))
    items = _issues_json(context, rows, None if params.mediaType == "text-match" else params.mediaType)
    if params.mediaType == "text-match":
        items = add_matches(items, "Issue", ("title", "body"), parse_tree(params.q, Issues.list_qualifiers()))
    return {**results_json(items, total), "search_type": "lexical"}


def search(context: GithubContext, text: str, sort: str | None, direction: str, where: Page) -> tuple[list[Issue], int]:
    """Return a page of search results, in order, and the total count. Raises validation_failed."""
    compiler = Issues(context, list_visible_repositories(context))
    node = parse_tree(text, Issues.list_qualifiers())
    condition = compiler.condition(node)
    ids, total = find_page(compiler, "i.id", FROM, condition, order(*choose_sort(node, sort, direction)), where)
    ids = [row[0] for row in ids]
    rows = {row.id: row for row in context.call.session.exec(select(Issue).where(col(Issue.id).in_(ids)))}
    return [rows[id] for id in ids], total


def _issues_json(context: GithubContext, rows: list[Issue], media: str | None) -> list[JsonObject]:
    by_repo: dict[int, list[Issue]] = {}
    for row in rows:
        by_repo.setdefault(row.repo_id, []).append(row)
    made: dict[int, JsonObject] = {}
    for id, some in by_repo.items():
        repo = context.repo_by_id(id)
        assert repo is not None
        made |= {
            shown["id"]: {name: shown[name] for name in shown if name != "closed_by"}
            for shown in issues_json(context, repo, some, media)
        }
    return [made[row.id] for row in rows]
