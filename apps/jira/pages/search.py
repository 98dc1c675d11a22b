"""Issue search: JQL or a few choices, a sortable table, bulk changes; the list of a project is the same table."""

import re
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from apps.jira.pages.controls import FormContext
from apps.jira.pages.template_filters import KEY
from apps.jira.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View

COLUMNS = (
    ("issuetype", "Type", "type"),
    ("key", "Key", "key"),
    ("summary", "Summary", "summary"),
    ("status", "Status", "status"),
    ("assignee", "Assignee", "assignee"),
    ("reporter", "Reporter", "reporter"),
    ("priority", "Priority", "priority"),
    ("duedate", "Due", "due"),
    ("created", "Created", "created"),
    ("updated", "Updated", "updated"),
)
FIELDS = [name for name, _, _ in COLUMNS if name != "key"] + ["project", "labels", "resolution"]
PAGE = 50
DOWN_FIRST = frozenset({"created", "updated", "priority"})
_ORDER = re.compile(r"\s*\border\s+by\s+(.*)$", re.IGNORECASE | re.DOTALL)
_ALONE = re.compile(r"\s*\"?([\w ]+?)\"?(?:\s+(asc|desc))?\s*$", re.IGNORECASE)


@pages.page("/issues", template="issues.html", free=("overlay",))
def search_page(view: View) -> JsonObject | Response:
    """Search by JQL, by a saved filter, or by the words of the search box."""
    words = view.query.get("q", "").strip()
    if KEY.fullmatch(words.upper()):
        return Response(status_code=303, headers={"Location": view.url(f"/browse/{words.upper()}")})
    chosen = view.read("getFilter", id=view.query["filter"]) if view.query.get("filter") else None
    jql = view.query.get("jql", "").strip() or (str(chosen["jql"]) if chosen else "") or build_basic_jql(view, "")
    return search_table(view, jql or "created >= -30d ORDER BY created DESC") | {
        "title": "Issues",
        "filter": chosen,
        "place": "issues",
    }


@pages.page("/issues/", template="issues.html")
def issues_slash(view: View) -> Response:
    """The address that filters give."""
    return Response(status_code=303, headers={"Location": view.url("/issues", **view.query)})


@pages.page("/projects/{key}/list", template="issues.html", free=("overlay",))
def project_list(view: View, key: str) -> JsonObject:
    """All issues of a project."""
    project = view.read("getProject", projectIdOrKey=key)
    order = view.query.get("order", "created DESC")
    jql = view.query.get("jql", "").strip() or f"{build_basic_jql(view, project['key'])} ORDER BY {order}"
    return search_table(view, jql) | {
        "title": f"{project['name']} list",
        "filter": None,
        "place": "list",
        "project_name": project["name"],
    }


def build_basic_jql(view: View, project: str) -> str:
    """JQL of the choices above the table."""
    chosen = {
        "project": project or view.query.get("in", ""),
        "issuetype": view.query.get("kind", ""),
        "status": view.query.get("status", ""),
    }
    clauses = [f"{name} = {quote_jql(value)}" for name, value in chosen.items() if value]
    who, words = view.query.get("who", ""), view.query.get("q", "").strip()
    if who:
        clauses.append(
            {"me": "assignee = currentUser()", "none": "assignee IS EMPTY"}.get(who) or f"assignee = {quote_jql(who)}"
        )
    if words:
        clauses.append(f"text ~ {quote_jql(words)}")
    if view.query.get("open"):
        clauses.append("statusCategory != Done")
    return " AND ".join(clauses)


def quote_jql(value: str) -> str:
    """A text as a JQL string."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def search_table(view: View, jql: str) -> JsonObject:
    """Return the context of a query's results, a page at a time; or its syntax errors."""
    start = whole_number(view.query.get("start"))
    bulk = bool(view.query.get("bulk"))
    context: JsonObject = {
        "jql": jql,
        "columns": list_headings(view, jql),
        "start": start,
        "page_size": PAGE,
        "bulk": bulk,
        "problem": [],
        "issues": [],
        "total": 0,
        "kinds": sorted({t["name"] for t in view.read("getIssueAllTypes")}),
        "states": sorted({s["name"] for s in view.read("getStatuses")}),
        "everyone": list_people(view),
    }
    asked = {
        "jql": jql,
        "startAt": start,
        "maxResults": PAGE,
        "fields": FIELDS,
        **({"expand": "transitions"} if bulk else {}),
    }
    try:
        found = view.call("searchForIssuesUsingJql", **asked)
    except OperationError as error:
        if error.code != "bad_jql":
            raise
        view.status = 400
        messages = error.detail.get("messages")
        return context | {"problem": messages if isinstance(messages, list) else [str(error)]}
    context |= {"issues": found["issues"], "total": found["total"]}
    if bulk:
        context |= bulk_choices(view, found["issues"])
    return context


def list_people(view: View) -> list[tuple[str, str]]:
    """Return the assignable people, by name, without apps."""
    found = [p for p in view.read("getAllUsers", maxResults=1000) if p["active"] and p["accountType"] != "app"]
    return sorted(((p["accountId"], p["displayName"]) for p in found), key=lambda pair: (pair[1].lower(), pair[0]))


def list_headings(view: View, jql: str) -> list[dict[str, str]]:
    """Column heads with the address that sorts by them."""
    order = _ORDER.search(jql)
    alone = _ALONE.fullmatch(order[1].split(",")[0]) if order else None
    by, direction = (alone[1].lower(), (alone[2] or "asc").lower()) if alone else ("", "")
    out = []
    for name, text, clause in COLUMNS:
        now = direction if by in (clause, name) else ""
        wanted = {"asc": "DESC", "desc": "ASC"}.get(now) or ("DESC" if clause in DOWN_FIRST else "ASC")
        sorted_jql = f"{_ORDER.sub('', jql)} ORDER BY {clause} {wanted}".strip()
        out.append(
            {"name": name, "text": text, "address": view.here(jql=sorted_jql, start=None, filter=None), "now": now}
        )
    return out


# bulk change


def bulk_choices(view: View, found: list[dict[str, Any]]) -> JsonObject:
    """Return the bulk changes of the displayed issues: transitions by name, people of their projects."""
    steps = sorted({(t["name"], t["to"]["name"]) for issue in found for t in issue["transitions"] if not t["isLooped"]})
    people: dict[str, str] = {}
    for key in sorted({issue["fields"]["project"]["key"] for issue in found}):
        people |= dict(FormContext(view, key).people())
    return {
        "steps": steps,
        "people": sorted(people.items(), key=lambda pair: (pair[1].lower(), pair[0])),
        "resolutions": [r["name"] for r in view.read("getResolutions")],
    }


@pages.action("bulk.change")
def bulk_change(view: View, arguments: JsonObject) -> JsonObject:
    """One change to each chosen issue, through the operation a single change takes."""
    chosen = arguments.get("issues") or []
    keys = [str(key) for key in (chosen if isinstance(chosen, list) else [chosen]) if key]
    if not keys:
        raise OperationError("bad_request", why="Choose at least one issue.")
    changes = list(list_asked_changes(arguments))
    if not changes:
        raise OperationError("bad_request", why="Choose what to change.")
    failed = [key for key in keys if not all(_apply_change(view, key, operation, more) for operation, more in changes)]
    said = f"{len(keys) - len(failed)} of {len(keys)} issues changed"
    return {"said": f"{said}; not changed: {', '.join(failed)}" if failed else said}


def list_asked_changes(arguments: JsonObject) -> Any:
    """Return the operations for the chosen changes; "-" stands for nobody."""
    text = {
        name: str(arguments.get(name) or "")
        for name in ("step", "assignee", "add_labels", "remove_labels", "priority", "resolution")
    }
    if text["step"]:
        fields = {"fields": {"resolution": {"name": text["resolution"]}}} if text["resolution"] else {}
        yield "doTransition", {"transition": {"name": text["step"]}, **fields}
    if text["assignee"]:
        yield "assignIssue", {} if text["assignee"] == "-" else {"accountId": text["assignee"]}
    labels = [{verb: word} for verb in ("add", "remove") for word in text[f"{verb}_labels"].replace(",", " ").split()]
    if labels:
        yield "editIssue", {"update": {"labels": labels}}
    if text["priority"]:
        yield "editIssue", {"fields": {"priority": {"name": text["priority"]}}}


def _apply_change(view: View, key: str, operation: str, more: Mapping[str, object]) -> bool:
    try:
        view.submit(operation, {"issueIdOrKey": key, **more})
    except OperationError:
        return False
    return True
