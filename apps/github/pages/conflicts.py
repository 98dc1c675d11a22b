"""Conflict editor of a pull request."""

from typing import Any

from apps.github.pages.pulls import PullPage
from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext


@pages.page("/{owner}/{repo}/pull/{number:int}/conflicts", template="pull_conflicts.html")
def conflicts(view: View, owner: str, repo: str, number: int) -> PageContext:
    """Show the files in conflict, each in an editor."""
    asked = PullPage(view, owner, repo, number, "conflicts")
    found = view.call("web/pulls/conflicts", **asked.ref)
    return asked.context(view.read("pulls/get", **asked.ref)) | {"conflicts": found}


@pages.action("pull.solve")
def solve(view: View, given: JsonObject) -> Any:
    """Commit the merge; form fields are numbered, so that any path can be used."""
    where = {name: given[name] for name in ("owner", "repo", "pull_number")}
    paths, texts = given.get("path") or [], given.get("content") or []
    named = zip(
        paths if isinstance(paths, list) else [paths], texts if isinstance(texts, list) else [texts], strict=True
    )
    return view.submit(
        "web/pulls/resolve-conflicts", {**where, "files": [{"path": path, "content": text} for path, text in named]}
    )
