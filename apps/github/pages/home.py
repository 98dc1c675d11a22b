"""Home page of the reader: repositories, pending work, and recent activity."""

from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

SHOWN = 6


@pages.page("/", template="home.html")
def home(view: View) -> JsonObject:
    """Show repositories, review requests, the reader's pull requests and issues, and recent activity."""
    repos = view.call("repos/list-for-authenticated-user", sort="pushed", per_page=100)
    text = view.query.get("repository", "").strip().lower()

    def search(words: str, count: int = SHOWN) -> JsonObject:
        """Search issues and pull requests; return none during an outage."""
        found = view.attempt("search/issues-and-pull-requests", q=words, sort="updated", per_page=count)
        return found or {"items": [], "total_count": 0}

    return {
        "repos": [one for one in repos if text in one["full_name"].lower()],
        "repository": view.query.get("repository", ""),
        "reviews": search("is:open is:pr review-requested:@me"),
        "own": search("is:open is:pr author:@me"),
        "assigned": search("is:open is:issue assignee:@me"),
        "recent": search("involves:@me", 10),
        "title": "Dashboard",
    }
