"""Searches of commits, repositories, people, labels and topics."""

from typing import Any, Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id
from apps.github.domain.visibility import list_visible_repositories
from apps.github.models_issues import Label
from apps.github.query import commits, repositories, users
from apps.github.query.compiler import find_page
from apps.github.query.errors import query_missing
from apps.github.query.request import (
    SOURCE,
    Query,
    Search,
    TextMatches,
    add_matches,
    choose_sort,
    get_page,
    list_matches,
    parse_tree,
    results_json,
)
from apps.github.query.tokens import begins, holds, tokens
from apps.github.query.tree import Words, terms
from apps.github.views.accounts import minimal_repo, repo_json, user_json
from apps.github.views.git_objects import Commits as CommitViews
from apps.github.views.issues import label_json
from world.core.call import Call
from world.core.errors import OperationError

Found = dict[str, Any]


class CommitSearch(Search, TextMatches):
    """Query and order of a commit search."""

    sort: Literal["author-date", "committer-date"] | None = Field(
        default=None, description="author-date or committer-date; latest first if none."
    )


class RepoSearch(Search, TextMatches):
    """Query and order of a repository search."""

    sort: Literal["stars", "forks", "help-wanted-issues", "updated"] | None = Field(
        default=None, description="stars, forks or updated; the last updated first if none."
    )


class UserSearch(Search, TextMatches):
    """Query and order of an account search."""

    sort: Literal["followers", "repositories", "joined"] | None = Field(
        default=None, description="followers, repositories or joined."
    )


class LabelSearch(Search):
    """Query and order of a label search in one repository."""

    repository_id: Id = Field(description="The id of the repository.", examples=["$repos/get:id"])
    q: Query = Field(default="", description="Words of the name or description.", examples=["bug"])
    sort: Literal["created", "updated"] | None = Field(default=None, description="created or updated.")


class TopicSearch(Search):
    """Query of a topic search."""


@app.operation(
    "search/commits",
    source=f"{SOURCE}#search-commits",
    examples=[{"q": "merge:false"}],
    raises=("validation_failed", "unprocessable"),
)
def search_commits(call: Call, params: CommitSearch) -> Found:
    """Search commits of default branches by words of the message and qualifiers: author: committer-date: repo: hash:
    and more.
    """
    context = GithubContext(call)
    compiler = commits.Commits(context, list_visible_repositories(context))
    node = parse_tree(params.q, compiler.list_qualifiers())
    ordering = commits.order(*choose_sort(node, params.sort, params.order))
    rows, total = find_page(
        compiler,
        "c.repo_id, c.sha1",
        commits.FROM,
        compiler.condition(node),
        ordering,
        get_page(params),
        commits.REACHABLE,
    )
    items = _commits(context, [(row[0], row[1]) for row in rows])
    if params.mediaType:
        items = [
            {
                **one,
                "text_matches": list_matches(one["url"], "Commit", {"message": one["commit"]["message"]}, terms(node)),
            }
            for one in items
        ]
    return results_json(items, total)


def _commits(context: GithubContext, found: list[tuple[int, str]]) -> list[Found]:
    made: dict[tuple[int, str], Found] = {}
    for id in dict.fromkeys(id for id, _ in found):
        repo = context.repo_by_id(id)
        assert repo is not None
        where = minimal_repo(context, repo)
        rows = context.git(repo).graph.rows([sha for other, sha in found if other == id])
        views = CommitViews(context, repo, rows)
        for one in map(views.json, rows):
            made[id, one["sha"]] = {
                **one,
                "committer": one["commit"]["committer"],
                "repository": where,
            }  # as published: no account here
    return [made[one] for one in found]


@app.operation(
    "search/repos",
    source=f"{SOURCE}#search-repositories",
    examples=[{"q": "payments"}],
    raises=("validation_failed", "unprocessable"),
)
def search_repos(call: Call, params: RepoSearch) -> Found:
    """Search repositories by words of name, description and topics and by qualifiers: language: topic: stars: user: and
    more.
    """
    context = GithubContext(call)
    compiler = repositories.Repositories(context, list_visible_repositories(context))
    node = parse_tree(params.q, compiler.list_qualifiers())
    ordering = repositories.order(*choose_sort(node, params.sort, params.order))
    rows, total = find_page(compiler, "r.id", repositories.FROM, compiler.condition(node), ordering, get_page(params))
    items = [repo_json(context, repo) for row in rows if (repo := context.repo_by_id(row[0])) is not None]
    return results_json(
        add_matches(items, "Repository", ("name", "description"), node) if params.mediaType else items, total
    )


@app.operation(
    "search/users",
    source=f"{SOURCE}#search-users",
    examples=[{"q": "type:user"}],
    raises=("validation_failed", "unprocessable"),
)
def search_users(call: Call, params: UserSearch) -> Found:
    """Search people and organisations by words of login, name and address and by qualifiers: type: location: repos:
    created:.
    """
    context = GithubContext(call)
    compiler = users.Users(context, list_visible_repositories(context))
    node = parse_tree(params.q, compiler.list_qualifiers())
    ordering = users.order(*choose_sort(node, params.sort, params.order))
    rows, total = find_page(compiler, "a.id", users.FROM, compiler.condition(node), ordering, get_page(params))
    context.preload(row[0] for row in rows)
    items = [user_json(context, context.account(row[0])) for row in rows]
    return results_json(add_matches(items, "User", ("login",), node) if params.mediaType else items, total)


@app.operation(
    "search/labels",
    source=f"{SOURCE}#search-labels",
    after=["search/repos"],
    examples=[{"repository_id": "$search/repos:items.0.id", "q": "bug"}],
    raises=("not_found", "validation_failed", "unprocessable"),
)
def search_labels(call: Call, params: LabelSearch) -> Found:
    """Search the labels of a repository by words of name and description."""
    context = GithubContext(call)
    repo = context.repo_by_id(params.repository_id)
    if repo is None or not context.sees(repo):
        raise OperationError("not_found")
    wanted, where = _plain_words(params.q), get_page(params)
    rows = context.call.session.exec(select(Label).where(Label.repo_id == repo.id).order_by(col(Label.id)))
    fitting = [row for row in rows if all(begins(row.name, one) or holds(row.description, one) for one in wanted)]
    return results_json(
        [label_json(context, repo, row) for row in fitting[where.start : where.start + where.size]], len(fitting)
    )


def _plain_words(text: str) -> list[tuple[str, ...]]:
    """Return the words of a search without qualifiers."""
    if not text.strip():
        raise query_missing()
    node = parse_tree(text, frozenset())
    parts = getattr(node, "parts", (node,))
    return [sought for part in parts if isinstance(part, Words) and (sought := tokens(part.text))]


@app.operation(
    "search/topics",
    source=f"{SOURCE}#search-topics",
    examples=[{"q": "python"}],
    raises=("validation_failed", "unprocessable"),
)
def search_topics(call: Call, params: TopicSearch) -> Found:
    """Search the topics of the repositories you can see by words of their names."""
    context = GithubContext(call)
    wanted, where = _plain_words(params.q), get_page(params)
    sql = """SELECT lower(t.value), min(r.created_at), max(r.updated_at), count(*) FROM github_repository r,
        json_each(r.topics) t
        WHERE r.id IN (SELECT value FROM json_each(:seen)) GROUP BY 1 ORDER BY 4 DESC, 1"""
    rows = [
        row
        for row in call.all(sql, {"seen": list_visible_repositories(context).json})
        if all(begins(row[0], one) for one in wanted)
    ]
    return results_json([_topic(*row) for row in rows[where.start : where.start + where.size]], len(rows))


def _topic(name: str, created: int, updated: int, count: int) -> Found:
    return {
        "name": name,
        "display_name": None,
        "short_description": None,
        "description": None,
        "created_by": None,
        "released": None,
        "created_at": stamp(created),
        "updated_at": stamp(updated),
        "featured": False,
        "curated": False,
        "repository_count": count,
    }
