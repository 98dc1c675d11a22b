"""Completion while typing: people after an @, issues after a #."""

from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

SHOWN = 8


@pages.page("/complete", template="complete.html", free=("suggestions",))
def complete(view: View) -> JsonObject:
    """Return people, issues and pull requests that begin with the typed text."""
    typed, (owner, _, repo) = view.query.get("q", ""), view.query.get("context", "").partition("/")
    found: JsonObject = {"people_found": [], "issues_found": [], "title": "Suggestions"}
    if not owner or not repo:
        return found
    if typed.startswith("@"):
        wanted = typed[1:].lower()
        listed = view.attempt("issues/list-assignees", owner=owner, repo=repo, per_page=100) or []
        found["people_found"] = [one for one in listed if one["login"].lower().startswith(wanted)][:SHOWN]
    elif typed.startswith("#"):
        wanted = typed[1:].lower()
        listed = (
            view.attempt("issues/list-for-repo", owner=owner, repo=repo, state="all", sort="updated", per_page=100)
            or []
        )
        found["issues_found"] = [
            one for one in listed if str(one["number"]).startswith(wanted) or wanted in one["title"].lower()
        ][:SHOWN]
    return found
