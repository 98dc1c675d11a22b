"""Search page over everything the reader may see, by kind of result."""

from typing import Any

from apps.github.pages.ui import pages
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View

PER_PAGE = 10
KINDS = {
    "repositories": ("Repositories", "search/repos", "book-bookmark"),
    "code": ("Code", "search/code", "code"),
    "commits": ("Commits", "search/commits", "git-commit-horizontal"),
    "issues": ("Issues", "search/issues-and-pull-requests", "circle-dot"),
    "pullrequests": ("Pull requests", "search/issues-and-pull-requests", "git-pull-request"),
    "users": ("Users", "search/users", "users"),
}


@pages.page("/search", template="search.html")
def search(view: View) -> JsonObject:
    """Show one kind of results, and the counts of the others."""
    text = view.query.get("q", "").strip()
    kind = view.query.get("type", _guess(text))
    kind = kind if kind in KINDS else "repositories"
    number = view.query.get("page", "1")
    page = whole_number(number, 1, least=1, most=100)
    shown: JsonObject = {
        "kinds": KINDS,
        "kind": kind,
        "q": text,
        "page": page,
        "title": f"Search: {text}" if text else "Search",
        "problem": "",
    }
    if not text:
        return shown | {"found": None, "counts": {}, "page_count": 0}
    found: dict[str, Any] | None = None
    try:
        found = view.call(KINDS[kind][1], q=_words(kind, text), per_page=PER_PAGE, page=page, **_more(kind))
    except Outage:
        raise
    except OperationError as error:
        shown["problem"] = _describe_error(error)
    counts = {name: _count(view, name, text) for name in KINDS if name != kind}
    if found is not None:
        counts[kind] = found["total_count"]
    return shown | {
        "found": found,
        "counts": counts,
        "page_count": -(-min(found["total_count"], 1000) // PER_PAGE) if found else 0,
    }


def _guess(text: str) -> str:
    words = text.split()
    if "is:pr" in words or "type:pr" in words:
        return "pullrequests"
    if "is:issue" in words or "type:issue" in words:
        return "issues"
    return "code" if any(word.startswith(("path:", "filename:", "extension:")) for word in words) else "repositories"


def _words(kind: str, text: str) -> str:
    words = text.split()
    if kind == "issues":
        return text if "is:issue" in words else f"{text} is:issue"
    if kind == "pullrequests":
        return text if "is:pr" in words else f"{text} is:pr"
    return text


def _more(kind: str) -> dict[str, str]:
    return {"mediaType": "text-match"} if kind == "code" else {}


def _describe_error(error: OperationError) -> str:
    errors = error.detail.get("errors")
    first = errors[0] if isinstance(errors, list) and errors else None
    said = first.get("message") if isinstance(first, dict) else None
    return str(said or error.detail.get("why") or error.detail.get("message") or "This search could not be understood.")


def _count(view: View, kind: str, text: str) -> int | None:
    found = view.attempt(KINDS[kind][1], q=_words(kind, text), per_page=1)
    return found["total_count"] if found else None
