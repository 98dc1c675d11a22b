"""Projects: the list, settings, components, releases; people and their profiles."""

from starlette.responses import Response

from apps.jira.pages.controls import FormContext
from apps.jira.pages.ui import pages
from world.core.json_types import JsonObject
from world.web import View

SHOWN = ["summary", "status", "priority", "issuetype", "assignee", "updated", "project", "duedate"]


@pages.page("/projects", template="projects.html", free=("overlay",))
def projects(view: View) -> JsonObject:
    """All projects the reader may see."""
    found = view.call(
        "searchProjects", query=view.query.get("find") or None, maxResults=100, expand="lead,description"
    )["values"]
    return {"title": "Projects", "listed": found}


@pages.page("/projects/{key}/settings", template="settings.html", free=("overlay",))
def settings(view: View, key: str) -> JsonObject:
    """Details, people and workflow of a project."""
    project = view.call("getProject", projectIdOrKey=key, expand="description,lead,url")
    may = view.read("getMyPermissions", projectKey=project["key"])["permissions"]
    context: JsonObject = {
        "title": "Project settings",
        "project": project,
        "show": view.query.get("show", "details"),
        "people": FormContext(view, project["key"]).people(),
        "admin": may.get("ADMINISTER_PROJECTS", {}).get("havePermission", False),
    }
    if context["show"] == "people":
        roles = view.read("getProjectRoles", projectIdOrKey=key)
        context["roles"] = [
            view.read("getProjectRole", projectIdOrKey=key, id=address.rsplit("/", 1)[1]) for address in roles.values()
        ]
    if context["show"] == "workflow":
        context["types"] = view.read("getAllStatuses", projectIdOrKey=key)
    return context


@pages.page("/projects/{key}/components", template="components.html", free=("overlay",))
def components(view: View, key: str) -> JsonObject:
    """Components of a project."""
    project = view.read("getProject", projectIdOrKey=key)
    found = view.call("getProjectComponents", projectIdOrKey=key)
    counts = {
        c["id"]: view.attempt("countIssues", jql=f"component = {c['id']} AND statusCategory != Done") or {"count": 0}
        for c in found
    }
    return {
        "title": "Components",
        "project": project,
        "listed": found,
        "counts": counts,
        "people": FormContext(view, project["key"]).people(),
    }


@pages.page("/components/{id}", template="component.html", free=("overlay",))
def component(view: View, id: str) -> JsonObject:
    """One component."""
    found = view.call("getComponent", id=id)
    others = [c for c in view.read("getProjectComponents", projectIdOrKey=found["project"]) if c["id"] != found["id"]]
    return {
        "title": found["name"],
        "component": found,
        "others": others,
        "shown_project": found["project"],
        "tab": "components",
        "people": FormContext(view, found["project"]).people(),
    }


@pages.page("/projects/{key}/releases", template="releases.html", free=("overlay",))
def releases(view: View, key: str) -> JsonObject:
    """Versions of a project with how far they are."""
    project = view.read("getProject", projectIdOrKey=key)
    found = view.call("getProjectVersions", projectIdOrKey=key)
    return {"title": "Releases", "project": project, "listed": [add_progress(view, v) for v in found]}


def add_progress(view: View, version: JsonObject) -> JsonObject:
    """A version with its counts."""
    done = view.attempt("countIssues", jql=f"fixVersion = {version['id']} AND statusCategory = Done") or {"count": 0}
    total = view.attempt("countIssues", jql=f"fixVersion = {version['id']}") or {"count": 0}
    return {**version, "done": done["count"], "total": total["count"]}


@pages.page("/versions/{id}", template="version.html", free=("overlay",))
def version(view: View, id: str) -> JsonObject:
    """One version and its issues."""
    found = view.call("getVersion", id=id)
    project = view.read("getProject", projectIdOrKey=str(found["projectId"]))
    others = [v for v in view.read("getProjectVersions", projectIdOrKey=project["key"]) if v["id"] != found["id"]]
    jql = f"fixVersion = {found['id']} ORDER BY status ASC, Rank ASC"
    issues = (view.attempt("searchForIssuesUsingJql", jql=jql, fields=SHOWN, maxResults=100) or {"issues": []})[
        "issues"
    ]
    return {
        "title": found["name"],
        "version": add_progress(view, found),
        "others": others,
        "shown_project": project["key"],
        "tab": "releases",
        "issues": issues,
    }


@pages.page("/links/{id}", template="projects.html")
def link(view: View, id: str) -> Response:
    """An issue link by its number: the issue it starts from, about to remove it."""
    found = view.read("getIssueLink", linkId=id)
    key = found["inwardIssue"]["key"]
    return Response(status_code=303, headers={"Location": view.url(f"/browse/{key}", dialog="delete-link", link=id)})


@pages.page("/servicedesk/customer/portal/{desk}/{key}", template="projects.html")
def request(view: View, desk: str, key: str) -> Response:
    """A request at the portal of its desk: the issue."""
    return Response(status_code=303, headers={"Location": view.url(f"/browse/{key}")})


@pages.page("/people", template="people.html", free=("overlay",))
def people(view: View) -> JsonObject:
    """Everybody with an account."""
    wanted = view.query.get("find", "").lower()
    found = [p for p in view.call("getAllUsers", maxResults=1000) if p["active"] and wanted in p["displayName"].lower()]
    return {
        "title": "People",
        "listed": sorted(found, key=lambda p: (p["accountType"] == "app", p["displayName"].lower(), p["accountId"])),
    }


@pages.page("/people/{account}", template="person.html", free=("overlay",))
def person(view: View, account: str) -> JsonObject:
    """One person: groups, open work, recent reports."""
    who = view.call("getUser", accountId=account, expand="groups")
    lists = {
        "Working on": f'assignee = "{who["accountId"]}" AND statusCategory != Done ORDER BY updated DESC',
        "Reported": f'reporter = "{who["accountId"]}" ORDER BY created DESC',
    }
    found = {
        name: (view.attempt("searchForIssuesUsingJql", jql=jql, fields=SHOWN, maxResults=15) or {"issues": []})[
            "issues"
        ]
        for name, jql in lists.items()
    }
    return {"title": who["displayName"], "who": who, "lists": found, "jqls": lists}


@pages.page("/jira/people/{account}", template="person.html")
def person_link(view: View, account: str) -> Response:
    """The address that mentions give."""
    return Response(status_code=303, headers={"Location": view.url(f"/people/{account}")})
