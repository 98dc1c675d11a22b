"""Reports computed from issues and their changelogs: burndown of a sprint, created against resolved, open work."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from apps.jira.pages.board import list_boards
from apps.jira.pages.template_filters import number_text, parse_api_time
from apps.jira.pages.ui import pages
from world.core.clock import DAY, from_datetime, to_datetime
from world.core.json_types import JsonObject
from world.web import View
from world.web.time_format import MONTHS

DAYS = 30
WIDTH, HEIGHT, LEFT, TOP = 760, 240, 36, 10
FIELDS = ["summary", "status", "created", "customfield_10016", "customfield_10020"]
MOST = 500


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of lines over days: their points, the day labels, the marks of the vertical axis."""

    lines: dict[str, str]
    days: list[tuple[float, str]]
    marks: list[tuple[float, str]]
    rows: list[tuple[str, list[str]]]


@pages.page("/projects/{key}/reports", template="reports.html", free=("overlay",))
def reports(view: View, key: str) -> JsonObject:
    """The reports of a project."""
    project = view.call("getProject", projectIdOrKey=key)
    sprints = list_started_sprints(view, project["key"])
    asked = view.query.get("sprint", "")
    sprint = next((s for s in sprints if str(s["id"]) == asked), sprints[0] if sprints else None)
    jql = f'project = "{project["key"]}" AND statusCategory != Done'
    open_issues = list_all_issues(view, jql, ["status", "assignee", "priority"])
    return {
        "title": "Reports",
        "project": project,
        "sprints": sprints,
        "sprint": sprint,
        "burndown": burndown_chart(view, sprint) if sprint else None,
        "flow": build_created_resolved_chart(view, project["key"]),
        "breakdowns": {
            "Open issues by assignee": count_words(
                (i["fields"]["assignee"] or {"displayName": "Unassigned"})["displayName"] for i in open_issues
            ),
            "Open issues by status": count_words(i["fields"]["status"]["name"] for i in open_issues),
            "Open issues by priority": count_words(i["fields"]["priority"]["name"] for i in open_issues),
        },
    }


def list_started_sprints(view: View, key: str) -> list[JsonObject]:
    """Running and past sprints, the latest first."""
    found: list[JsonObject] = []
    for board in list_boards(view, key):
        if board["type"] == "scrum":
            found += view.read("getAllSprints", boardId=str(board["id"]), state="active,closed")["values"]
    return sorted(
        (s for s in found if s.get("startDate") and s.get("endDate")),
        key=lambda s: (s["startDate"], s["id"]),
        reverse=True,
    )


def list_all_issues(view: View, jql: str, fields: list[str]) -> list[dict[str, Any]]:
    """All issues a query finds, up to a bound."""
    out: list[JsonObject] = []
    while len(out) < MOST:
        page = view.read("searchForIssuesUsingJql", jql=jql, fields=fields, maxResults=100, startAt=len(out))
        out += page["issues"]
        if not page["issues"] or len(out) >= page["total"]:
            break
    return out


def count_words(words: Any) -> list[tuple[str, int]]:
    """Count words, the most frequent first."""
    return sorted(Counter(words).items(), key=lambda pair: (-pair[1], pair[0]))


# burndown


def burndown_chart(view: View, sprint: Mapping[str, Any]) -> Chart:
    """Points left at the end of each day of a sprint, against the ideal."""
    page = view.read(
        "getIssuesForSprint", sprintId=str(sprint["id"]), fields=FIELDS, expand="changelog", maxResults=100
    )
    issues = page["issues"]
    while len(issues) < min(page["total"], MOST) and page["issues"]:
        page = view.read(
            "getIssuesForSprint",
            sprintId=str(sprint["id"]),
            fields=FIELDS,
            expand="changelog",
            maxResults=100,
            startAt=len(issues),
        )
        issues = [*issues, *page["issues"]]
    done = {str(s["id"]) for s in view.read("getStatuses") if s["statusCategory"]["key"] == "done"}
    start, end = parse_api_time(sprint["startDate"]), parse_api_time(sprint["endDate"])
    ends = [start, *list_day_ends(start, end, view.page_state.me.tz)]
    until = min(view.now, parse_api_time(sprint["completeDate"])) if sprint.get("completeDate") else view.now
    left = [sum_remaining_points(issues, str(sprint["id"]), at, done) for at in ends if at <= until + DAY]
    scope = left[0] if left else 0.0
    ideal = [scope * (len(ends) - 1 - n) / max(1, len(ends) - 1) for n in range(len(ends))]
    labels = ["Start", *(day_label(to_datetime(at, view.page_state.me.tz)) for at in ends[1:])]
    return chart(labels, {"Remaining": left, "Guideline": ideal})


def list_day_ends(start: int, end: int, zone: str) -> list[int]:
    """The last moment of each day of a sprint where the reader is."""
    first = to_datetime(start, zone).replace(hour=23, minute=59, second=59, microsecond=0)
    count = (to_datetime(end, zone).date() - first.date()).days + 1
    return [from_datetime(first + timedelta(days=n)) for n in range(max(1, count))]


def sum_remaining_points(issues: list[dict[str, Any]], sprint: str, at: int, done: set[str]) -> float:
    """Points of issues in a sprint and not done at a time; an issue without points counts nothing."""
    total = 0.0
    for issue in issues:
        if parse_api_time(issue["fields"]["created"]) > at:
            continue
        ids = value_at(
            issue,
            "customfield_10020",
            at,
            ",".join(str(s["id"]) for s in issue["fields"].get("customfield_10020") or ()),
        )
        status = value_at(issue, "status", at, str(issue["fields"]["status"]["id"]))
        if sprint in [word.strip() for word in ids.split(",")] and status not in done:
            total += issue["fields"].get("customfield_10016") or 0
    return total


def value_at(issue: Mapping[str, Any], field: str, at: int, now: str) -> str:
    """Return a field's value at a time: the present value with later changes undone."""
    value = now
    for history in issue["changelog"]["histories"]:
        if parse_api_time(history["created"]) <= at:
            continue
        for item in history["items"]:
            if item["fieldId"] == field:
                value = item["from"] or ""
    return value


# created against resolved


def build_created_resolved_chart(view: View, key: str) -> Chart:
    """Return the chart of issues created and resolved in the last thirty days, cumulative."""
    zone = view.page_state.me.tz
    today = to_datetime(view.now, zone).date()
    days = [today - timedelta(days=DAYS - n) for n in range(DAYS + 1)]
    counts = []
    for field in ("created", "resolutiondate"):
        clause = {"created": "created", "resolutiondate": "resolved"}[field]
        found = list_all_issues(view, f'project = "{key}" AND {clause} >= -{DAYS}d', [field])
        per_day = Counter(
            to_datetime(parse_api_time(i["fields"][field]), zone).date() for i in found if i["fields"][field]
        )
        total, line = 0, []
        for day in days:
            total += per_day[day]
            line.append(float(total))
        counts.append(line)
    return chart([day_label(day) for day in days], {"Created": counts[0], "Resolved": counts[1]})


# drawing


def day_label(day: date) -> str:
    """`Mar 2`."""
    return f"{MONTHS[day.month - 1][:3]} {day.day}"


def round_top(most: float) -> float:
    """The end of an axis: the least round number that holds the value and makes four equal steps of whole numbers."""
    step = next(
        s for power in range(12) for s in (10**power, 2 * 10**power, 3 * 10**power, 5 * 10**power) if 4 * s >= most
    )
    return float(4 * step)


def chart(labels: list[str], values: dict[str, list[float]]) -> Chart:
    """Lines over days in the chart's own coordinates, and the same figures as rows."""
    top = round_top(max((value for line in values.values() for value in line), default=0))
    step = (WIDTH - LEFT - 10) / max(1, len(labels) - 1)

    def place(n: int, value: float) -> tuple[float, float]:
        return round(LEFT + n * step, 1), round(TOP + (HEIGHT - TOP - 30) * (1 - value / top), 1)

    lines = {
        name: " ".join("{},{}".format(*place(n, value)) for n, value in enumerate(line))
        for name, line in values.items()
    }
    every_nth = max(1, len(labels) // 8)
    days = [(place(n, 0)[0], label) for n, label in enumerate(labels) if n % every_nth == 0]
    marks = [(place(0, top * part)[1], number_text(round(top * part, 1))) for part in (0.0, 0.25, 0.5, 0.75, 1.0)]
    rows = [
        (label, [number_text(round(line[n], 1)) if n < len(line) else "" for line in values.values()])
        for n, label in enumerate(labels)
    ]
    return Chart(lines, days, marks, rows)
