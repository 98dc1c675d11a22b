"""Planning several issues at once: into a sprint, back to the backlog, under an epic, or to another rank."""

from apps.jira.pages.board import CARD_FIELDS
from apps.jira.pages.controls import list_open_epics, list_open_sprints
from apps.jira.pages.ui import pages
from world.core.errors import OperationError
from world.web import View
from world.web.pages import PageContext

MOST = 50  # what the agile API moves in one call


@pages.page("/plan", template="plan.html")
def plan(view: View) -> PageContext:
    """The issues chosen in a backlog, and where they can go."""
    keys = list(
        dict.fromkeys(one.strip() for one in ",".join(view.queries.get("issues", [])).split(",") if one.strip())
    )
    if len(keys) > MOST:
        raise OperationError("bad_request", why=f"Choose at most {MOST} issues.")
    if not keys:
        return {"title": "Plan issues", "issues": []}
    found = [view.call("getIssue", issueIdOrKey=key, fields=CARD_FIELDS) for key in keys]
    project = found[0]["key"].rpartition("-")[0]
    return {
        "title": "Plan issues",
        "issues": found,
        "planned": ",".join(one["key"] for one in found),
        "shown_project": project,
        "sprints": list_open_sprints(view, project),
        "epics": list_open_epics(view, project),
        "any_epic": any(one["fields"]["issuetype"]["hierarchyLevel"] > 0 for one in found),
        "backlog": view.url(f"/projects/{project}/backlog"),
    }
