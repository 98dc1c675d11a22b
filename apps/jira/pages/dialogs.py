"""Dialogs over an issue: edit, transitions, links, files, work, planning, moving and deleting."""

from collections.abc import Callable, Mapping
from typing import Any

from apps.jira.pages.controls import FormContext, list_controls, list_open_sprints
from world.core.clock import to_datetime
from world.web import View

Context = dict[str, Any]
Issue = Mapping[str, Any]


def issue_dialog(view: View, found: Issue) -> Context:
    """Return the dialog that the address opens, or nothing."""
    name = view.query.get("dialog", "")
    if name not in DIALOGS:
        return {"open": ""}
    return {"open": name, **(DIALOGS[name](view, found) if view.wants("overlay") else {})}


def plain_dialog(view: View, found: Issue) -> Context:
    """A dialog that needs nothing else."""
    return {}


def edit_dialog(view: View, found: Issue) -> Context:
    """All fields of the edit screen."""
    whole = view.read("getIssue", issueIdOrKey=found["key"], fields=["*all"], contentFormat="markdown")["fields"]
    asking = FormContext(view, whole["project"]["key"], whole["issuetype"]["hierarchyLevel"], found["key"], whole)
    types = [
        t
        for t in found["editmeta"]["fields"].get("issuetype", {}).get("allowedValues", ())
        if t["subtask"] == whole["issuetype"]["subtask"]
    ]
    return {"edit_controls": list_controls(asking, found["editmeta"]["fields"]), "edit_types": types}


def transition_dialog(view: View, found: Issue) -> Context:
    """One transition, or all of them, with what their screens ask."""
    wanted = view.query.get("transition", "")
    steps = view.read("getTransitions", issueIdOrKey=found["key"], expand="transitions.fields")["transitions"]
    asking = FormContext(view, found["fields"]["project"]["key"], 0, found["key"], found["fields"])
    chosen = [step for step in steps if wanted in ("", step["id"])]
    return {"steps": [(step, list_controls(asking, step["fields"])) for step in chosen], "step_asked": wanted}


def link_dialog(view: View, found: Issue) -> Context:
    """Linking: relations in both directions, the symmetric ones once."""
    words: list[tuple[str, str]] = []
    for kind in view.read("getIssueLinkTypes")["issueLinkTypes"]:
        words.append((str(kind["name"]), str(kind["outward"])))
        if kind["inward"] != kind["outward"]:
            words.append((f"{kind['name']}|inward", str(kind["inward"])))
    jql = f'project = "{found["fields"]["project"]["key"]}" AND key != {found["key"]} ORDER BY updated DESC'
    near = view.attempt("searchForIssuesUsingJql", jql=jql, fields=["summary"], maxResults=50) or {"issues": []}
    return {"relations": words, "nearby": near["issues"]}


def assign_dialog(view: View, found: Issue) -> Context:
    """Return the assignable people."""
    asking = FormContext(view, found["fields"]["project"]["key"], 0, found["key"], found["fields"])
    return {"assignable": asking.people()}


def plan_dialog(view: View, found: Issue) -> Context:
    """Sprint, epic and rank."""
    project = found["fields"]["project"]["key"]
    jql = f'project = "{project}" AND issuetype = Epic ORDER BY created DESC'
    epics = (view.attempt("searchForIssuesUsingJql", jql=jql, fields=["summary"], maxResults=100) or {"issues": []})[
        "issues"
    ]
    return {"sprints": list_open_sprints(view, project), "epics": epics}


def worklog_dialog(view: View, found: Issue) -> Context:
    """Logging work, or changing what was logged."""
    id = view.query.get("worklog", "")
    row = view.attempt("getWorklog", issueIdOrKey=found["key"], id=id, contentFormat="markdown") if id else None
    return {"log": row, "right_now": f"{to_datetime(view.now, view.page_state.me.tz):%Y-%m-%dT%H:%M}"}


def watchers_dialog(view: View, found: Issue) -> Context:
    """Return the watchers, and the people who could watch."""
    asking = FormContext(view, found["fields"]["project"]["key"], 0, found["key"], found["fields"])
    seen = view.read("getIssueWatchers", issueIdOrKey=found["key"])
    inside = {w["accountId"] for w in seen["watchers"]}
    return {"watching": seen, "others": [pair for pair in asking.people() if pair[0] not in inside]}


def voters_dialog(view: View, found: Issue) -> Context:
    """Return the voters."""
    return {"votes": view.read("getVotes", issueIdOrKey=found["key"])}


def move_dialog(view: View, found: Issue) -> Context:
    """Projects and types it may become."""
    targets = []
    for project in view.read("searchProjects", maxResults=100, action="create")["values"]:
        types = view.read("getCreateIssueMetaIssueTypes", projectIdOrKey=project["key"])["issueTypes"]
        targets += [
            (f"{project['key']},{t['id']}", f"{project['name']}: {t['name']}") for t in types if not t["subtask"]
        ]
    return {"targets": targets}


def web_link_dialog(view: View, found: Issue) -> Context:
    """A link to a page elsewhere: a new one, or one to change."""
    wanted = view.query.get("link", "")
    listed = view.attempt("getRemoteIssueLinks", issueIdOrKey=found["key"]) or []
    return {"web_link": next((one for one in listed if str(one["id"]) == wanted), None), "all_web_links": listed}


def properties_dialog(view: View, found: Issue) -> Context:
    """JSON values that integrations keep on it."""
    keys = [row["key"] for row in view.read("getIssuePropertyKeys", issueIdOrKey=found["key"])["keys"]]
    return {
        "kept": [
            (key, view.read("getIssueProperty", issueIdOrKey=found["key"], propertyKey=key)["value"]) for key in keys
        ]
    }


DIALOGS: dict[str, Callable[[View, Issue], Context]] = {
    "edit": edit_dialog,
    "transition": transition_dialog,
    "link": link_dialog,
    "assign": assign_dialog,
    "plan": plan_dialog,
    "worklog": worklog_dialog,
    "delete-worklog": worklog_dialog,
    "watchers": watchers_dialog,
    "voters": voters_dialog,
    "move": move_dialog,
    "web-link": web_link_dialog,
    "properties": properties_dialog,
    "attach": plain_dialog,
    "delete": plain_dialog,
    "delete-comment": plain_dialog,
    "delete-link": plain_dialog,
    "remove-attachment": plain_dialog,
}
