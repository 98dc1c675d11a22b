"""The backlog: sprints to come with their issues, ranking, starting and completing sprints."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from apps.jira.pages.board import CARD_FIELDS, get_board, list_all_issues
from apps.jira.pages.ui import pages
from world.core.clock import to_datetime
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

SPRINT_DAYS = 14


@pages.page("/projects/{key}/backlog", template="backlog.html", free=("overlay",))
def backlog(view: View, key: str) -> PageContext:
    """Show the planned sprints with their issues, and the unplanned issues."""
    chosen = get_board(view, key)
    if chosen["type"] != "scrum":
        raise OperationError("sprint_state", why="The board does not support sprints")
    board = str(chosen["id"])
    rest = list_all_issues(view, "getIssuesForBacklog", {"boardId": board}, [])
    sprints = view.read("getAllSprints", boardId=board, state="active,future")["values"]
    sections: list[dict[str, Any]] = [
        {
            "sprint": s,
            "issues": list_all_issues(
                view, "getBoardIssuesForSprint", {"boardId": board, "sprintId": str(s["id"])}, []
            ),
        }
        for s in sorted(sprints, key=lambda s: (s["state"] != "active", s["id"]))
    ]
    sections.append({"sprint": None, "issues": rest})
    wanted = view.query.get("find", "").strip().lower()
    for section in sections:
        section["issues"] = [
            i for i in section["issues"] if wanted in i["fields"]["summary"].lower() or wanted in i["key"].lower()
        ]
        section["points"] = points_by_category(section["issues"])
    types = view.attempt("getCreateIssueMetaIssueTypes", projectIdOrKey=key) or {"issueTypes": []}
    return {
        "title": "Backlog",
        "board": chosen,
        "sections": sections,
        "sprints": [s["sprint"] for s in sections if s["sprint"]],
        "types": [t for t in types["issueTypes"] if t["hierarchyLevel"] == 0],
        "startable": not any(s["state"] == "active" for s in sprints),
        "open": "",
    } | backlog_overlay(view, sections)


def points_by_category(issues: list[dict[str, Any]]) -> dict[str, float]:
    """Story points to do, in progress and done."""
    out = {"new": 0.0, "indeterminate": 0.0, "done": 0.0}
    for issue in issues:
        out[issue["fields"]["status"]["statusCategory"]["key"]] += issue["fields"].get("customfield_10016") or 0
    return out


def backlog_overlay(view: View, sections: list[dict[str, Any]]) -> PageContext:
    """A row's menu, or a dialog about a sprint."""
    if not view.wants("overlay"):
        return {}
    if view.query.get("menu"):
        return row_menu(view.query["menu"], sections)
    name, id = view.query.get("dialog", ""), view.query.get("sprint", "")
    if name not in ("sprint", "start", "complete", "delete-sprint"):
        return {}
    section = next((s for s in sections if s["sprint"] and str(s["sprint"]["id"]) == id), None)
    if name != "sprint" and section is None:
        raise OperationError("sprint_not_found")
    start = to_datetime(view.now, view.page_state.me.tz)
    unfinished = [
        i for i in (section or {"issues": []})["issues"] if i["fields"]["status"]["statusCategory"]["key"] != "done"
    ]
    return {
        "open": name,
        "section": section,
        "unfinished": unfinished,
        "from_now": f"{start:%Y-%m-%dT%H:%M}",
        "in_two_weeks": f"{start + timedelta(days=SPRINT_DAYS):%Y-%m-%dT%H:%M}",
    }


def row_menu(key: str, sections: list[dict[str, Any]]) -> PageContext:
    """Return the places a row can move to: within its section, or to other sections."""
    for section in sections:
        keys = [issue["key"] for issue in section["issues"]]
        if key in keys:
            at = keys.index(key)
            return {
                "open": "row-menu",
                "row": section["issues"][at],
                "row_sprint": section["sprint"],
                "row_up": keys[at - 1] if at else "",
                "row_down": keys[at + 1] if at + 1 < len(keys) else "",
                "row_first": keys[0],
                "row_last": keys[-1],
            }
    return {"open": "row-menu", "row": None}


@pages.action("backlog.move")
def move_row(view: View, arguments: JsonObject) -> Any:
    """Move a dropped row: into another sprint, back to the backlog, or to another rank."""
    key, target, origin = (str(arguments.get(name, "")) for name in ("issue", "sprint", "origin"))
    before, follower, last = (str(arguments.get(name, "")) for name in ("before", "follower", "last"))
    if target == origin:
        if before == follower or (not before and last in ("", key)):
            return {"key": key}
        view.submit(
            "rankIssues", {"issues": [key], **({"rankBeforeIssue": before} if before else {"rankAfterIssue": last})}
        )
    elif target == "backlog":
        view.submit("moveIssuesToBacklog", {"issues": [key]})
    else:
        place = {"rankBeforeIssue": before} if before else {}
        view.submit("moveIssuesToSprintAndRank", {"issues": [key], "sprintId": target, **place})
    return {"key": key}


@pages.page("/sprints/{id}", template="sprint.html", free=("overlay",))
def sprint(view: View, id: str) -> JsonObject:
    """One sprint: its dates and goal, what is done and what is not."""
    found = view.call("getSprint", sprintId=id)
    board = view.read("getBoard", boardId=str(found["originBoardId"]))
    issues = view.read("getIssuesForSprint", sprintId=id, fields=CARD_FIELDS, maxResults=100)["issues"]
    done = [i for i in issues if i["fields"]["status"]["statusCategory"]["key"] == "done"]
    others = view.read("getAllSprints", boardId=str(found["originBoardId"]), state="active,future")["values"]
    return {
        "title": found["name"],
        "sprint": found,
        "board": board,
        "shown_project": board["location"]["projectKey"],
        "done_issues": done,
        "open_issues": [i for i in issues if i not in done],
        "others": [s for s in others if s["id"] != found["id"]],
        "open": "",
        "points_done": points(done),
        "points_all": points(issues),
    }


def points(issues: list[Mapping[str, Any]]) -> float:
    """The sum of story points."""
    return sum(i["fields"].get("customfield_10016") or 0 for i in issues)
