"""Pages of history: commits of a revision or path, one commit, contributors."""

from itertools import groupby
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from starlette.responses import Response

from apps.github.pages.code import around, crumbs, see
from apps.github.pages.code_filters import day
from apps.github.pages.diffs import files_of
from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.pages import PageContext

PER_PAGE = 35
PER_CONTRIBUTORS = 100


def page_number(view: View) -> int:
    """Return the requested page number of a list, from 1."""
    text = view.query.get("page", "1")
    return whole_number(text, 1, least=1, most=9_999)


@pages.page("/{owner}/{repo}/commits", template="commits.html")
def commits_of_default(view: View, owner: str, repo: str) -> JsonObject | Response:
    """The commits of the default branch."""
    found = around(view, owner, repo)
    return see(found["file_at"]("commits", found["repo"]["default_branch"]))


@pages.page("/{owner}/{repo}/commits/{place:path}", template="commits.html", free=("overlay",))
def commits(view: View, owner: str, repo: str, place: str) -> PageContext:
    """The commits of a revision, or of one path in it."""
    found = around(view, owner, repo)
    here = view.read("web/revision", owner=owner, repo=repo, place=place)
    asked = {"sha": here["ref"], "path": here["path"] or None, "author": view.query.get("author") or None}
    page = page_number(view)
    given = {name: value for name, value in asked.items() if value}
    listed = view.call("repos/list-commits", owner=owner, repo=repo, per_page=PER_PAGE, page=page, **given)
    here["name"] = here["path"].rpartition("/")[2]
    return found | {
        "place": here,
        "crumbs": crumbs(found, here),
        "commits": listed,
        "page": page,
        "page_count": -(-listed.total // PER_PAGE),
        "total": listed.total,
        "states": view.attempt("web/commit-states", owner=owner, repo=repo, shas=[one["sha"] for one in listed]) or {},
        "authors": view.attempt("repos/list-contributors", owner=owner, repo=repo, per_page=30) or [],
        "author": asked["author"],
        "by_day": by_day,
        "title": f"Commits · {found['full_name']}"
        if not here["path"]
        else f"History for {here['path']} · {found['full_name']}",
    }


@pass_context
def by_day(context: Context, listed: list[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Group commits by day."""
    return [
        (name, list(some))
        for name, some in groupby(listed, key=lambda one: day(context, one["commit"]["committer"]["date"]))
    ]


@pages.page("/{owner}/{repo}/commit/{sha}", template="commit.html", free=("overlay",))
def commit(view: View, owner: str, repo: str, sha: str) -> JsonObject:
    """Show one commit with its changes."""
    found = around(view, owner, repo)
    shown = view.call("repos/get-commit", owner=owner, repo=repo, ref=sha)
    return found | {
        "commit": shown,
        "files": files_of(shown["files"], view.queries.get("expand", [])),
        "mode": view.query.get("diff", "unified"),
        "held": view.attempt("web/commit-place", owner=owner, repo=repo, ref=shown["sha"])
        or {"branches": [], "tags": []},
        "state": (view.attempt("web/commit-states", owner=owner, repo=repo, shas=[shown["sha"]]) or {}).get(
            shown["sha"]
        ),
        "checks": (view.attempt("checks/list-for-ref", owner=owner, repo=repo, ref=shown["sha"]) or {}).get(
            "check_runs", []
        ),
        "comments": view.attempt(
            "repos/list-comments-for-commit", owner=owner, repo=repo, commit_sha=shown["sha"], per_page=100
        )
        or [],
        "place": None,
        "title": f"{shown['commit']['message'].partition(chr(10))[0]} · {found['full_name']}@{shown['sha'][:7]}",
    }


@pages.page("/{owner}/{repo}/graphs/contributors", template="contributors.html")
def contributors(view: View, owner: str, repo: str) -> JsonObject:
    """Show the contributors with their number of commits."""
    found = around(view, owner, repo)
    people = view.call("repos/list-contributors", owner=owner, repo=repo, per_page=PER_CONTRIBUTORS)
    activity = view.attempt("repos/list-activities", owner=owner, repo=repo, per_page=30) or []
    most = max((one["contributions"] for one in people), default=1)
    return found | {
        "people": people or [],
        "most": most,
        "activity": activity,
        "title": f"Contributors to {found['full_name']}",
    }
