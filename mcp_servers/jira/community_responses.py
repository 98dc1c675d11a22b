"""Answers of the community tools: the API's objects cut down to what a reader needs, texts in Markdown, indented JSON."""

from collections.abc import Iterable
from typing import Any

import orjson

from mcp_servers.tools import ToolAnswer
from world.core.json_types import JsonMapping, JsonObject

Thing = JsonMapping
NOBODY = {"display_name": "Unassigned"}


def to_text(value: object) -> str:
    """Indented JSON."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()


def user_to_json(one: Thing | None) -> JsonObject:
    """A person."""
    if one is None:
        return dict(NOBODY)
    return {
        "display_name": one["displayName"],
        "name": one["displayName"],
        "email": one.get("emailAddress", ""),
        "account_id": one["accountId"],
    }


def _named_to_json(one: Thing | None) -> JsonObject | None:
    return None if one is None else {"id": one.get("id"), "name": one.get("name") or one.get("value")}


def _status_to_json(one: Thing) -> JsonObject:
    return {"name": one["name"], "category": one["statusCategory"]["name"]}


def _other_end_to_json(one: Thing | None) -> JsonObject | None:
    if one is None:
        return None
    fields = one["fields"]
    return {
        "id": one["id"],
        "key": one["key"],
        "summary": fields["summary"],
        "status": _status_to_json(fields["status"]),
    }


def _link_to_json(one: Thing) -> JsonObject:
    return {
        "id": one["id"],
        "type": one["type"]["name"],
        "inward_issue": _other_end_to_json(one.get("inwardIssue")),
        "outward_issue": _other_end_to_json(one.get("outwardIssue")),
    }


def comment_to_json(one: Thing) -> JsonObject:
    """A comment."""
    return {**{name: one[name] for name in ("id", "body", "created", "updated")}, "author": user_to_json(one["author"])}


SHOWN: dict[str, tuple[str, Any]] = {
    "summary": ("summary", None),
    "description": ("description", None),
    "status": ("status", _status_to_json),
    "issuetype": ("issue_type", _named_to_json),
    "priority": ("priority", _named_to_json),
    "project": ("project", lambda p: {"key": p["key"], "name": p["name"]}),
    "assignee": ("assignee", user_to_json),
    "reporter": ("reporter", user_to_json),
    "labels": ("labels", None),
    "created": ("created", None),
    "updated": ("updated", None),
    "duedate": ("due_date", None),
    "resolution": ("resolution", _named_to_json),
    "resolutiondate": ("resolution_date", None),
    "parent": ("parent", _other_end_to_json),
    "components": ("components", lambda found: [one["name"] for one in found]),
    "fixVersions": ("fix_versions", lambda found: [one["name"] for one in found]),
    "issuelinks": ("issuelinks", lambda found: [_link_to_json(one) for one in found]),
    "subtasks": ("subtasks", lambda found: [_other_end_to_json(one) for one in found]),
    "attachment": (
        "attachments",
        lambda found: [{"id": a["id"], "filename": a["filename"], "size": a["size"]} for a in found],
    ),
    "comment": ("comments", lambda found: [comment_to_json(one) for one in found["comments"]]),
}
SKIPPED = frozenset(
    {
        "statuscategorychangedate",
        "statusCategory",
        "workratio",
        "lastViewed",
        "security",
        "watches",
        "votes",
        "progress",
        "aggregateprogress",
        "timespent",
        "timeestimate",
        "timeoriginalestimate",
        "aggregatetimespent",
        "aggregatetimeestimate",
        "aggregatetimeoriginalestimate",
        "creator",
        "worklog",
        "environment",
        "customfield_10019",
    }
)
PEOPLE = frozenset({"assignee", "reporter"})


def issue_to_json(one: Thing) -> dict[str, Any]:
    """An issue with the fields it came with."""
    out: JsonObject = {"id": one["id"], "key": one["key"]}
    for name, value in one.get("fields", {}).items():
        if name in SKIPPED or (value in (None, [], {}) and name not in PEOPLE):
            continue
        shown, form = SHOWN.get(name, (name, None))
        out[shown] = form(value) if form is not None else value
    for name in ("changelog", "transitions", "names", "renderedFields"):
        if name in one:
            out[name] = one[name]
    return out


def _read_full_issue(answer: ToolAnswer, key: str) -> JsonObject:
    return issue_to_json(answer.look("getIssue", issueIdOrKey=key, contentFormat="markdown"))


def render_issue(answer: ToolAnswer) -> str:
    """Render an issue, with at most `comment_limit` comments, the latest kept."""
    shown = issue_to_json(answer.result)
    limit = int(answer.arguments.get("comment_limit", 10) or 0)
    if "comments" in shown:
        shown["comments"] = shown["comments"][-limit:] if limit else []
    return to_text(shown)


def render_issues(answer: ToolAnswer) -> str:
    """Render a page of issues."""
    found = answer.result
    return to_text(
        {
            "total": found.get("total", -1),
            "start_at": found.get("startAt", 0),
            "max_results": found.get("maxResults", 0),
            "issues": [issue_to_json(one) for one in found["issues"]],
        }
    )


def render_created(answer: ToolAnswer) -> str:
    """Render the new issue."""
    return to_text({"message": "Issue created successfully", "issue": _read_full_issue(answer, answer.result["key"])})


def render_updated(answer: ToolAnswer) -> str:
    """Render the issue after a change."""
    return to_text(
        {"message": "Issue updated successfully", "issue": _read_full_issue(answer, str(answer.arguments["issue_key"]))}
    )


def render_transitioned(answer: ToolAnswer) -> str:
    """Render the issue in its new status."""
    return to_text(
        {
            "message": "Issue transitioned successfully",
            "issue": _read_full_issue(answer, str(answer.arguments["issue_key"])),
        }
    )


def render_batch(answer: ToolAnswer) -> str:
    """Render the new issues, and those that failed."""
    made = [_read_full_issue(answer, one["key"]) for one in answer.result["issues"]]
    return to_text({"message": f"{len(made)} issues created", "issues": made, "errors": answer.result["errors"]})


def render_changelogs(answer: ToolAnswer) -> str:
    """Render the changes of several issues, only the fields asked for."""
    wanted = {name.strip() for name in str(answer.arguments.get("fields") or "").split(",") if name.strip()}
    limit = int(answer.arguments.get("limit", -1))
    return to_text([_changes_to_json(one, wanted, limit) for one in answer.result["issues"]])


def _changes_to_json(one: Thing, wanted: set[str], limit: int) -> JsonObject:
    rows = [
        {"id": entry["id"], "author": user_to_json(entry.get("author")), "created": entry["created"], "items": items}
        for entry in one["changelog"]["histories"]
        if (items := [item for item in entry["items"] if not wanted or item["field"] in wanted])
    ]
    return {"issue_id": one["id"], "key": one["key"], "changelogs": rows[:limit] if limit >= 0 else rows}


def render_transitions(answer: ToolAnswer) -> str:
    """Render the transitions that an issue can take now."""
    return to_text(
        [{"id": one["id"], "name": one["name"], "to_status": one["to"]["name"]} for one in answer.result["transitions"]]
    )


def render_comment(answer: ToolAnswer) -> str:
    """Render a comment."""
    return to_text(comment_to_json(answer.result))


def render_worklog(answer: ToolAnswer) -> str:
    """Render a worklog."""
    return to_text({"message": "Worklog added successfully", "worklog": _worklog_to_json(answer.result)})


def render_worklogs(answer: ToolAnswer) -> str:
    """Render the worklogs of an issue."""
    return to_text({"worklogs": [_worklog_to_json(one) for one in answer.result["worklogs"]]})


def _worklog_to_json(one: Thing) -> JsonObject:
    names = ("id", "comment", "created", "updated", "started", "timeSpent", "timeSpentSeconds")
    return {**{name: one.get(name) for name in names}, "author": user_to_json(one["author"])}


def render_profile(answer: ToolAnswer) -> str:
    """Render a person."""
    one = answer.result
    return to_text(
        {"success": True, "user": {**user_to_json(one), "active": one["active"], "time_zone": one.get("timeZone", "")}}
    )


def render_users(answer: ToolAnswer) -> str:
    """Render people found."""
    return to_text([user_to_json(one) for one in answer.result])


def render_fields(answer: ToolAnswer) -> str:
    """Render fields found."""
    return to_text(
        [{"id": one["id"], "name": one["name"], "schema": one.get("schema")} for one in answer.result["values"]]
    )


def render_projects(answer: ToolAnswer) -> str:
    """Render projects, listed or found."""
    found: Iterable[Thing] = answer.result["values"] if isinstance(answer.result, dict) else answer.result
    return to_text(
        [
            {
                "id": p["id"],
                "key": p["key"],
                "name": p["name"],
                "lead": user_to_json(p["lead"]) if p.get("lead") else None,
            }
            for p in found
        ]
    )


def render_values(answer: ToolAnswer) -> str:
    """Render a page of boards or sprints, without addresses."""
    return to_text([{name: value for name, value in one.items() if name != "self"} for one in answer.result["values"]])


def render_api_answer(answer: ToolAnswer) -> str:
    """Render the API's own answer."""
    return to_text(answer.result)


def render_link_types(answer: ToolAnswer) -> str:
    """Render kinds of links, by part of their name."""
    wanted = str(answer.arguments.get("name_filter") or "").casefold()
    found = (one for one in answer.result["issueLinkTypes"] if wanted in one["name"].casefold())
    return to_text([{name: one[name] for name in ("id", "name", "inward", "outward")} for one in found])


def render_watchers(answer: ToolAnswer) -> str:
    """Render the watchers of an issue."""
    found = answer.result
    return to_text({"watcher_count": found["watchCount"], "watchers": [user_to_json(one) for one in found["watchers"]]})


def render_done(answer: ToolAnswer) -> str:
    """Render a success, with the arguments it was about."""
    return to_text({"success": True, **answer.arguments})
