"""The board: columns of cards, filters over them, and moving a card by menu or by drag."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from apps.jira.pages.dialogs import issue_dialog
from apps.jira.pages.ui import pages
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View, response_headers
from world.web.pages import PageContext

CARD_FIELDS = [
    "summary",
    "issuetype",
    "status",
    "priority",
    "assignee",
    "labels",
    "parent",
    "duedate",
    "resolution",
    "customfield_10016",
]
QUICK = {"mine": "Only my issues", "recent": "Recently updated", "unassigned": "Unassigned"}
QUICK_JQL = {"mine": "assignee = currentUser()", "recent": "updated >= -1d", "unassigned": "assignee IS EMPTY"}
MOST = 400
Issue = dict[str, Any]


@dataclass(slots=True)
class Column:
    """One column with its cards, per swimlane."""

    index: int
    name: str
    statuses: tuple[str, ...]
    minimum: int | None
    maximum: int | None
    lanes: dict[str, list[Issue]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """All its cards."""
        return sum(len(cards) for cards in self.lanes.values())

    @property
    def over(self) -> bool:
        """Whether it holds more than its limit."""
        return self.maximum is not None and self.count > self.maximum


@pages.page("/projects/{key}", template="board.html")
def project_home(view: View, key: str) -> Response:
    """A project opens on its board, or on its list when it has none."""
    project = view.call("getProject", projectIdOrKey=key)
    name = "board" if list_boards(view, project["key"]) else "list"
    return Response(status_code=303, headers={"Location": view.url(f"/projects/{project['key']}/{name}")})


@pages.page("/boards/{id}", template="board.html")
def board_home(view: View, id: str) -> Response:
    """A board by its number."""
    return _redirect_to_project(view, id, "board")


@pages.page("/boards/{id}/backlog", template="board.html")
def backlog_home(view: View, id: str) -> Response:
    """A board's backlog by the board's number."""
    return _redirect_to_project(view, id, "backlog")


def _redirect_to_project(view: View, id: str, name: str) -> Response:
    board = view.read("getBoard", boardId=id)
    address = view.url(f"/projects/{board['location']['projectKey']}/{name}", **{**view.query, "board": id})
    return Response(status_code=303, headers={"Location": address})


def list_boards(view: View, key: str) -> list[JsonObject]:
    """The boards of a project."""
    return view.read("getAllBoards", projectKeyOrId=key, maxResults=50)["values"]


def get_board(view: View, key: str) -> JsonObject:
    """The board asked for, or the project's first."""
    found = list_boards(view, key)
    if not found:
        view.read("getProject", projectIdOrKey=key)
        raise OperationError("board_not_found")
    return next((b for b in found if str(b["id"]) == view.query.get("board")), found[0])


@pages.page("/projects/{key}/board", template="board.html", free=("overlay",))
def board(view: View, key: str) -> PageContext:
    """The board of a project."""
    chosen = get_board(view, key)
    config = view.read("getConfiguration", boardId=str(chosen["id"]))
    sprints = list_active_sprints(view, chosen)
    sprint = next((s for s in sprints if str(s["id"]) == view.query.get("sprint")), sprints[0] if sprints else None)
    issues = [] if chosen["type"] == "scrum" and sprint is None else list_board_issues(view, chosen, sprint)
    columns = list_columns(config)
    lanes = fill_columns(view, columns, [i for i in issues if matches_filters(view, i)])
    faces = {i["fields"]["assignee"]["accountId"]: i["fields"]["assignee"] for i in issues if i["fields"]["assignee"]}
    context: PageContext = {
        "board": chosen,
        "columns": columns,
        "lanes": lanes,
        "sprint": sprint,
        "sprints": sprints,
        "title": chosen["name"],
        "quick": QUICK,
        "faces": sorted(faces.values(), key=lambda p: (p["displayName"], p["accountId"])),
        "shown_count": sum(c.count for c in columns),
        "total": len(issues),
        "who": view.queries.get("who", []),
        "quick_on": view.queries.get("quick", []),
        "epics": list_distinct_epics(issues, "parent"),
        "types": sorted({i["fields"]["issuetype"]["name"] for i in issues}),
        "filtered": any(view.query.get(n) for n in ("who", "quick", "find", "epic", "kind")),
    }
    return context | card_overlay(view, [c for column in columns for lane in lanes for c in column.lanes.get(lane, [])])


def list_active_sprints(view: View, chosen: Mapping[str, object]) -> list[JsonObject]:
    """Running sprints of a scrum board."""
    if chosen["type"] != "scrum":
        return []
    return view.read("getAllSprints", boardId=str(chosen["id"]), state="active")["values"]


def list_board_issues(view: View, chosen: Mapping[str, object], sprint: Mapping[str, object] | None) -> list[Issue]:
    """Cards of the sprint; on a board without sprints all open ones, and those done in the last two weeks."""
    quick = [QUICK_JQL[name] for name in view.queries.get("quick", []) if name in QUICK_JQL]
    if sprint is not None:
        asked = {"boardId": str(chosen["id"]), "sprintId": str(sprint["id"])}
        return list_all_issues(view, "getBoardIssuesForSprint", asked, quick)
    recent = "(statusCategory != Done OR updated >= -14d)"
    return list_all_issues(view, "getIssuesForBoard", {"boardId": str(chosen["id"])}, [recent, *quick])


def list_all_issues(view: View, operation: str, asked: dict[str, str], clauses: list[str]) -> list[Issue]:
    """Issues of a list, page after page; the first page is the page's own call."""
    jql, out = " AND ".join(clauses), []
    more = {"jql": jql} if jql else {}
    page = view.call(operation, **asked, **more, fields=CARD_FIELDS, maxResults=100)
    out += page["issues"]
    while len(out) < min(page["total"], MOST) and page["issues"]:
        page = view.read(operation, **asked, **more, fields=CARD_FIELDS, maxResults=100, startAt=len(out))
        out += page["issues"]
    return out


def list_columns(config: Mapping[str, Any]) -> list[Column]:
    """The columns of a board."""
    return [
        Column(n, c["name"], tuple(str(s["id"]) for s in c["statuses"]), c.get("min"), c.get("max"))
        for n, c in enumerate(config["columnConfig"]["columns"])
    ]


def matches_filters(view: View, issue: Issue) -> bool:
    """Whether the filters over the board let a card through."""
    fields, text = issue["fields"], view.query.get("find", "").strip().lower()
    who = view.queries.get("who", [])
    return (
        (not text or text in fields["summary"].lower() or text in issue["key"].lower())
        and (not who or (fields["assignee"] or {"accountId": "none"})["accountId"] in who)
        and view.query.get("epic", "") in ("", (fields.get("parent") or {"key": "none"})["key"])
        and view.query.get("kind", "") in ("", fields["issuetype"]["name"])
    )


def fill_columns(view: View, columns: list[Column], issues: list[Issue]) -> list[str]:
    """Put cards into columns; the names of the swimlanes."""
    by = view.query.get("group", "")
    lanes = sorted({lane_name(issue, by) for issue in issues}) or [""]
    for column in columns:
        column.lanes = {lane: [] for lane in lanes}
    for issue in issues:
        column = next((c for c in columns if issue["fields"]["status"]["id"] in c.statuses), None)
        if column is not None:
            column.lanes[lane_name(issue, by)].append(issue)
    return lanes


def lane_name(issue: Issue, by: str) -> str:
    """The swimlane of a card."""
    fields = issue["fields"]
    if by == "assignee":
        return fields["assignee"]["displayName"] if fields["assignee"] else "Unassigned"
    if by == "epic":
        return (
            f"{fields['parent']['key']} {fields['parent']['fields']['summary']}" if fields.get("parent") else "No epic"
        )
    return ""


def list_distinct_epics(issues: list[Issue], name: str) -> list[dict[str, Any]]:
    """Epics above the cards, each once."""
    found = {i["fields"][name]["key"]: i["fields"][name] for i in issues if i["fields"].get(name)}
    return [found[key] for key in sorted(found)]


def card_overlay(view: View, cards: list[Issue]) -> PageContext:
    """A card's menu, or a transition's screen."""
    key, dialog = view.query.get("menu", ""), view.query.get("dialog", "")
    if key and view.wants("overlay"):
        found = view.attempt("getIssue", issueIdOrKey=key, fields=CARD_FIELDS, expand="transitions")
        same = [
            c["key"]
            for c in cards
            if found and c["fields"]["status"]["id"] == found["fields"]["status"]["id"] and c["key"] != key
        ]
        return {"open": "card-menu", "card": found, "neighbours": same}
    if dialog == "transition" and view.query.get("issue"):
        found = view.read("getIssue", issueIdOrKey=view.query["issue"], fields=["*all"], expand="editmeta")
        return {
            "issue": found,
            "fields": found["fields"],
            "shown_project": found["fields"]["project"]["key"],
            **issue_dialog(view, found),
        }
    return {"open": ""}


@pages.action("card.move")
def move_card(view: View, arguments: JsonObject) -> Any:
    """A card was dropped: another column means a transition, the same one a new rank."""
    key, target = str(arguments.get("issue", "")), str(arguments.get("column", ""))
    config = view.read("getConfiguration", boardId=str(arguments.get("board", "")))
    columns = list_columns(config)
    column = whole_number(target, -1)
    if not 0 <= column < len(columns):
        raise OperationError("bad_request", why="There is no such column.")
    found = view.read("getIssue", issueIdOrKey=key, fields=["status"])
    if found["fields"]["status"]["id"] in columns[column].statuses:
        return rank_card(view, key, arguments)
    return transition_to_column(view, key, columns[column])


def transition_to_column(view: View, key: str, column: Column) -> Any:
    """Take the transition that leads to a column; if its screen has required fields, show that first."""
    steps = view.read("getTransitions", issueIdOrKey=key, expand="transitions.fields")["transitions"]
    step = next((s for s in steps if s["to"]["id"] in column.statuses), None)
    if step is None:
        raise OperationError("bad_transition", name=column.name, issue=key)
    if any(meta["required"] for meta in step["fields"].values()):
        address = view.here(dialog="transition", issue=key, transition=step["id"])
        return (
            response_headers.elsewhere(address)
            if response_headers.is_fragment(view.request)
            else response_headers.see_other(address)
        )
    view.submit("doTransition", {"issueIdOrKey": key, "transition": {"id": step["id"]}})
    return {"key": key, "to": step["to"]["name"]}


def rank_card(view: View, key: str, arguments: Mapping[str, object]) -> Any:
    """Put a card before another one, or behind the last; nothing when it stays where it was."""
    before, follower, last = (str(arguments.get(name, "")) for name in ("before", "follower", "last"))
    if before == follower or (not before and last in ("", key)):
        return {"key": key}
    place = {"rankBeforeIssue": before} if before else {"rankAfterIssue": last}
    view.submit("rankIssues", {"issues": [key], **place})
    return {"key": key}
