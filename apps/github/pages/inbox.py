"""Notification pages: the inbox with its filters, and actions on threads."""

from typing import Any

from starlette.responses import Response

from apps.github.pages.ui import pages
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View
from world.web.pages import PageContext

PER_PAGE = 25
REASONS = {
    "assign": "assigned",
    "author": "author",
    "comment": "commented",
    "mention": "mentioned",
    "review_requested": "review requested",
    "team_mention": "team mentioned",
    "ci_activity": "ci activity",
    "state_change": "state changed",
    "subscribed": "subscribed",
    "manual": "manual",
    "approval_requested": "approval requested",
    "invitation": "invitation",
    "security_alert": "security alert",
}


@pages.page("/notifications", template="inbox.html")
def inbox(view: View) -> PageContext:
    """The reader's threads, latest first."""
    query = view.query.get("query", "")
    only = {"all": "unread" not in query, "participating": "participating" in query}
    number = view.query.get("page", "1")
    page = whole_number(number, 1, least=1, most=999)
    repo = view.query.get("repo", "")
    if repo.count("/") == 1:
        owner, _, name = repo.partition("/")
        found = view.call(
            "activity/list-repo-notifications-for-authenticated-user",
            owner=owner,
            repo=name,
            per_page=PER_PAGE,
            page=page,
            **only,
        )
    else:
        found = view.call("activity/list-notifications-for-authenticated-user", per_page=PER_PAGE, page=page, **only)
    everything = view.attempt("activity/list-notifications-for-authenticated-user", all=True, per_page=50) or []
    names: dict[str, int] = {}
    for one in everything:
        name = one["repository"]["full_name"]
        names[name] = names.get(name, 0) + one["unread"]
    return {
        "threads": [one | {"address": address(view, one)} for one in found],
        "names": names,
        "chosen": repo,
        "box_query": query,
        "reasons": REASONS,
        "page": page,
        "page_count": -(-(found.total or 0) // PER_PAGE),
        "total": found.total or 0,
        "title": "Notifications",
    }


def address(view: View, thread: dict[str, Any]) -> str:
    """Return the page of a thread's subject."""
    name, kind = thread["repository"]["full_name"], thread["subject"]["type"]
    last = thread["subject"]["url"].rpartition("/")[2]
    part = {
        "Issue": f"/issues/{last}",
        "PullRequest": f"/pull/{last}",
        "Release": "/releases",
        "CheckSuite": "/actions",
    }.get(kind, "")
    return view.url(f"/{name}{part}")


@pages.action("inbox.open")
def visit(view: View, given: JsonObject) -> Response:
    """Mark a thread as read and show its subject's page."""
    thread = view.read("activity/get-thread", thread_id=whole_number(given.get("thread_id")))
    view.submit("activity/mark-thread-as-read", {"thread_id": thread["id"]})
    where = address(view, thread)
    if view.request.headers.get("hx-request") == "true":
        return Response(status_code=204, headers={"HX-Redirect": where})
    return Response(status_code=303, headers={"Location": where})


@pages.action("inbox.mark")
def mark(view: View, given: JsonObject) -> Any:
    """Mark the chosen threads as read or done."""
    done = given.get("how") == "done"
    chosen = given.get("thread_id") or []
    for id in chosen if isinstance(chosen, list) else [chosen]:
        view.submit("activity/mark-thread-as-done" if done else "activity/mark-thread-as-read", {"thread_id": id})
    return {}
