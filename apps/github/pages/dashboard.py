"""Issues and pull requests of all repositories: the reader's own, assigned, mentioned or to review."""

from apps.github.pages.issues import PER_PAGE, with_word
from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.pages import PageContext

TABS = {
    "issue": {
        "created": "is:open is:issue author:@me",
        "assigned": "is:open is:issue assignee:@me",
        "mentioned": "is:open is:issue mentions:@me",
    },
    "pr": {
        "created": "is:open is:pr author:@me",
        "assigned": "is:open is:pr assignee:@me",
        "mentioned": "is:open is:pr mentions:@me",
        "review-requested": "is:open is:pr review-requested:@me",
    },
}


@pages.page("/issues", template="mine.html")
def issues(view: View) -> PageContext:
    """The reader's issues."""
    return mine(view, "issue", "assigned")


@pages.page("/pulls", template="mine.html")
def pulls(view: View) -> JsonObject:
    """The reader's pull requests."""
    return mine(view, "pr", "created")


def mine(view: View, kind: str, usual: str) -> JsonObject:
    """Show a list over all repositories: a tab's search, or the reader's own query."""
    tabs = TABS[kind]
    text = view.query.get("q", tabs[usual]).strip() or f"is:{kind}"
    page = view.query.get("page", "1")
    number = whole_number(page, 1, least=1, most=40)
    found = view.call("search/issues-and-pull-requests", q=text, per_page=PER_PAGE, page=number)
    bare = " ".join(word for word in text.split() if word not in ("is:open", "is:closed", "state:open", "state:closed"))
    counts = {
        state: (
            view.attempt("search/issues-and-pull-requests", q=f"{bare} is:{state}", per_page=1) or {"total_count": 0}
        )["total_count"]
        for state in ("open", "closed")
    }
    words = text.split()
    return {
        "kind": kind,
        "items": found["items"],
        "total": found["total_count"],
        "q": text,
        "tabs": tabs,
        "counts": counts,
        "bare": bare,
        "shown_state": (
            "closed"
            if "is:closed" in words or "state:closed" in words
            else "open"
            if "is:open" in words or "state:open" in words
            else ""
        ),
        "with_word": with_word(text),
        "page": number,
        "page_count": -(-min(found["total_count"], 1000) // PER_PAGE),
        "current": next((name for name, search in tabs.items() if _same(search, text)), ""),
        "title": "Pull requests" if kind == "pr" else "Issues",
    }


def _same(search: str, text: str) -> bool:
    states = {"is:open", "is:closed"}
    return set(search.split()) - states == set(text.split()) - states
