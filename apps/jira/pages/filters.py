"""Saved filters, and dashboards made of them."""

from collections.abc import Mapping
from typing import Any

from apps.jira.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View

SHOWN = ["summary", "status", "priority", "issuetype", "assignee"]


@pages.page("/filters", template="filters.html", free=("overlay",))
def filters(view: View) -> JsonObject:
    """Filters the reader may use: starred ones first, then by name."""
    found = view.call("getFiltersPaginated", filterName=view.query.get("find") or None, maxResults=100)["values"]
    return {
        "title": "Filters",
        "filters": sorted(found, key=lambda f: (not f.get("favourite"), f["name"].lower(), f["id"])),
    }


@pages.page("/filters/{id}", template="filter.html", free=("overlay",))
def filter_page(view: View, id: str) -> JsonObject:
    """One filter: rename, change, share, star, delete."""
    found = view.call("getFilter", id=id)
    return {"title": found["name"], "filter": found, "shared": bool(found["sharePermissions"])}


@pages.page("/dashboards", template="dashboards.html", free=("overlay",))
def dashboards(view: View) -> JsonObject:
    """Dashboards the reader may open."""
    return {"title": "Dashboards", "dashboards": view.call("getAllDashboards", maxResults=50)["dashboards"]}


@pages.page("/dashboards/{id}", template="dashboard.html", free=("overlay",))
def dashboard(view: View, id: str) -> JsonObject:
    """One dashboard with what its filters find."""
    found = view.call("getDashboard", id=id)
    gadgets = (view.attempt("getDashboardGadgets", id=id) or {"gadgets": []})["gadgets"]
    jqls = {f["id"]: f for f in view.read("getFiltersPaginated", maxResults=100)["values"]}
    return {"title": found["name"], "dashboard": found, "gadgets": [render_gadget(view, g, jqls) for g in gadgets]}


def render_gadget(view: View, row: Mapping[str, object], filters: dict[str, dict[str, Any]]) -> JsonObject:
    """A gadget with the issues of the filter it names by title, if there is one."""
    used = next((f for f in filters.values() if f["name"].lower() in str(row.get("title", "")).lower()), None)
    out: JsonObject = {"title": row.get("title") or row.get("moduleKey") or "Gadget", "filter": used, "issues": []}
    if used is not None:
        try:
            out["issues"] = view.read("searchForIssuesUsingJql", jql=used["jql"], fields=SHOWN, maxResults=10)["issues"]
        except OperationError:
            out["issues"] = []
    return out
