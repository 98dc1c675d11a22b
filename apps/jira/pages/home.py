"""Home page: the reader's work, in tabs."""

from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

LIST_FIELDS = ["summary", "status", "priority", "issuetype", "assignee", "updated", "project", "duedate"]
TABS = {
    "assigned": ("Assigned to me", "assignee = currentUser() AND statusCategory != Done ORDER BY updated DESC"),
    "reported": ("Reported by me", "reporter = currentUser() ORDER BY created DESC"),
    "recent": (
        "Recently updated",
        (
            "updated >= -7d AND (assignee = currentUser() OR reporter = currentUser() OR watcher = currentUser()) ORDER"
            " BY updated DESC"
        ),
    ),
    "watching": ("Watching", "watcher = currentUser() ORDER BY updated DESC"),
    "done": ("Done", "assignee = currentUser() AND statusCategory = Done ORDER BY updated DESC"),
}


@pages.page("/", template="home.html", free=("overlay",))
def home(view: View) -> JsonObject:
    """Your work: what is assigned to you and not done, and other lists of yours."""
    shown = view.query.get("show", "assigned")
    shown = shown if shown in TABS else "assigned"
    found = view.call("searchAndReconsileIssuesUsingJql", jql=TABS[shown][1], fields=LIST_FIELDS, maxResults=50)
    groups: dict[str, list[JsonObject]] = {}
    for issue in found["issues"]:
        groups.setdefault(issue["fields"]["status"]["name"] if shown == "assigned" else "", []).append(issue)
    return {"groups": groups, "tabs": TABS, "shown": shown, "jql": TABS[shown][1], "title": "Your work"}
