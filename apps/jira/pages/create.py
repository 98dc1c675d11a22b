"""Creating an issue: project and type first, then the fields that type asks for; on its own page and as a dialog."""

from apps.jira.pages.controls import FormContext, list_controls
from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

FIRST = ("summary", "description")  # shown above what depends on the type


@pages.page("/create", template="create.html", free=("overlay", "create_form", "create_fields"))
def create(view: View) -> JsonObject:
    """A form for a new issue."""
    if not view.is_peek:
        view.call("getCreateIssueMetaIssueTypes", projectIdOrKey=choose_project(view, "")["key"])
    return create_form(view, "") | {"title": "Create issue"}


def choose_project(view: View, here: str) -> PageContext:
    """The project asked for, else the page's own, else the first one the reader may create in."""
    offered = view.read("searchProjects", maxResults=100, action="create")["values"]
    wanted = view.query.get("fields.project.key") or view.query.get("project") or here
    fallback = offered[0] if offered else {"key": "", "name": ""}
    return next(
        (p for p in offered if p["key"] == wanted),
        next((p for p in offered if p["projectTypeKey"] == "software"), fallback),
    )


def create_form(view: View, here: str) -> JsonObject:
    """Return the context of the create form. When project or type change, the typed values come in the query."""
    project = choose_project(view, here)
    types = view.read("getCreateIssueMetaIssueTypes", projectIdOrKey=project["key"])["issueTypes"]
    kind = choose_type(view, types)
    metas = view.read(
        "getCreateIssueMetaIssueTypeId", projectIdOrKey=project["key"], issueTypeId=kind["id"], maxResults=200
    )["fields"]
    found = list_controls(
        FormContext(view, str(project["key"]), int(kind["hierarchyLevel"])), {m["key"]: m for m in metas}
    )
    first = [one for name in FIRST for one in found if one.field == name]
    return {
        "create": {
            "projects": view.read("searchProjects", maxResults=100, action="create")["values"],
            "project": project,
            "types": types,
            "type": kind,
            "first": first,
            "controls": [one for one in found if one.field not in FIRST],
            "parent": view.query.get("parent", ""),
        }
    }


def choose_type(view: View, types: list[JsonObject]) -> PageContext:
    """The type asked for by name, else the first one; a sub-task when a parent is given that is no epic."""
    wanted = view.query.get("fields.issuetype.name") or view.query.get("type")
    found = next((t for t in types if t["name"] == wanted), None)
    return found or next((t for t in types if not t["subtask"]), types[0])
