"""Issue page: fields, status, activity, and dialogs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from apps.jira.pages.activity import list_activity
from apps.jira.pages.controls import Control, FormContext, kind_of, list_controls
from apps.jira.pages.dialogs import issue_dialog
from apps.jira.pages.line_ends import show_line_ends
from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

EXPAND = "transitions,renderedFields,names,changelog,editmeta,schema"
ORDER = (
    "assignee",
    "reporter",
    "priority",
    "labels",
    "parent",
    "customfield_10020",
    "fixVersions",
    "components",
    "versions",
    "duedate",
    "customfield_10016",
    "timetracking",
    "customfield_10001",
)
HIDDEN = frozenset(
    {
        "summary",
        "description",
        "issuetype",
        "comment",
        "attachment",
        "issuelinks",
        "resolution",
        "customfield_10014",
        "customfield_10019",
    }
)
TEAM = "customfield_10001"
ROW_FIELDS = ["summary", "issuetype", "status", "priority", "assignee", "customfield_10016"]


@dataclass(frozen=True, slots=True)
class DetailLine:
    """One line of the side panel."""

    id: str
    label: str
    kind: str
    value: Any
    rendered: str
    controls: tuple[Control, ...]


@pages.page("/browse/{key}", template="issue.html", free=("overlay", "side", "head", "description", "activity"))
def issue(view: View, key: str) -> JsonObject | Response:
    """One issue."""
    found = view.call("getIssue", issueIdOrKey=key, fields=["*all"], expand=EXPAND)
    if found["key"] != key:
        return Response(status_code=303, headers={"Location": view.url(f"/browse/{found['key']}", **view.query)})
    fields = found["fields"]
    context: JsonObject = {
        "issue": found,
        "fields": fields,
        "rendered": found["renderedFields"],
        "title": f"[{found['key']}] {fields['summary']}",
        "transitions": found["transitions"],
        "shown_project": fields["project"]["key"],
        "tab": "",
        "may": list_permissions(view, found["key"]),
        "details": list_details(view, found),
        "edit": view.query.get("edit", ""),
        "is_epic": fields["issuetype"]["hierarchyLevel"] > 0,
        "is_subtask": fields["issuetype"]["subtask"],
        "markdown": description_markdown(view, found["key"]) if view.query.get("edit") == "description" else "",
        "named": name_lookup(view),
        "below": subtask_type_name(view, fields),
    }
    if view.wants("main"):
        context |= {
            "children": list_children(view, found),
            "links": group_links(fields["issuelinks"]),
            "web_links": view.attempt("getRemoteIssueLinks", issueIdOrKey=found["key"]) or [],
            "development": view.attempt("getDevelopmentInformation", issueIdOrKey=found["key"]) or [],
        }
    if view.wants("main", "activity"):
        context |= list_activity(view, found)
    return context | issue_dialog(view, found)


def list_permissions(view: View, key: str) -> set[str]:
    """Return the reader's permissions on an issue."""
    found = (view.attempt("getMyPermissions", issueKey=key) or {"permissions": {}})["permissions"]
    return {name for name, row in found.items() if row["havePermission"]}


def description_markdown(view: View, key: str) -> str:
    """The description as its editor shows it."""
    said = view.read("getIssue", issueIdOrKey=key, fields=["description"], contentFormat="markdown")
    return show_line_ends(str(said["fields"]["description"] or ""))


def name_lookup(view: View) -> object:
    """A function from account to name, which asks only when it is used."""

    def find_display_name(account: str) -> str | None:
        wanted = account.replace("\\", "")
        return next(
            (p["displayName"] for p in view.read("getAllUsers", maxResults=1000) if p["accountId"] == wanted), None
        )

    return find_display_name


def list_details(view: View, found: Mapping[str, Any]) -> list[DetailLine]:
    """The side panel: known fields in their usual order, then the site's own."""
    fields, metas = found["fields"], found["editmeta"]["fields"]
    asking = FormContext(view, fields["project"]["key"], fields["issuetype"]["hierarchyLevel"], found["key"], fields)
    edited = view.query.get("edit", "")
    custom = sorted(name for name in fields if name.startswith("customfield_") and name not in ORDER)
    out: list[DetailLine] = []
    for id in (*ORDER, *custom):
        if id in HIDDEN or ((id not in metas or id == TEAM) and fields.get(id) in (None, [], {})):
            continue
        made = (
            tuple(list_controls(asking, {id: metas[id]}))
            if id in metas and (id == edited or view.query.get("dialog") == "edit")
            else ()
        )
        schema = (metas.get(id) or {"schema": found["schema"].get(id, {"type": "string"})})["schema"]
        rendered = str(found["renderedFields"].get(id) or "")
        out.append(DetailLine(id, field_label(found, id, metas), kind_of(schema), fields.get(id), rendered, made))
    return [one for one in out if not (one.id == "parent" and fields["issuetype"]["hierarchyLevel"] > 0)]


def field_label(found: Mapping[str, Any], id: str, metas: Mapping[str, Any]) -> str:
    """Return the name of a field on this issue."""
    return str(found["names"].get(id) or metas.get(id, {}).get("name") or id)


def subtask_type_name(view: View, fields: Mapping[str, Any]) -> str:
    """The type that the project's sub-tasks have; empty for an epic, a sub-task, or a project without."""
    if fields["issuetype"]["hierarchyLevel"] != 0:
        return ""
    types = view.attempt("getCreateIssueMetaIssueTypes", projectIdOrKey=fields["project"]["key"]) or {"issueTypes": []}
    return next((str(t["name"]) for t in types["issueTypes"] if t["subtask"]), "")


def list_children(view: View, found: Mapping[str, object]) -> list[JsonObject]:
    """Sub-tasks, or the issues of an epic."""
    jql = f"parent = {found['key']} ORDER BY Rank ASC"
    return (view.attempt("searchForIssuesUsingJql", jql=jql, fields=ROW_FIELDS, maxResults=100) or {"issues": []})[
        "issues"
    ]


def group_links(links: list[dict[str, Any]]) -> dict[str, list[JsonObject]]:
    """Linked issues by how they relate."""
    out: dict[str, list[JsonObject]] = {}
    for link in links:
        other = link.get("outwardIssue") or link["inwardIssue"]
        word = link["type"]["outward" if "outwardIssue" in link else "inward"]
        out.setdefault(word, []).append({"id": link["id"], "other": other, "word": word})
    return out
