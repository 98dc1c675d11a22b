"""Boards: their issues, backlog and epics, and the rank of issues."""

from pydantic import Field
from sqlalchemy import ColumnElement, and_, func, not_, or_
from sqlmodel import col, select

from apps.jira.app import app
from apps.jira.domain import ranks
from apps.jira.domain.access import find_issue, parse_number, project_of, require
from apps.jira.domain.context import JiraContext
from apps.jira.domain.edits import Changes
from apps.jira.domain.fields import EPIC_LINK, POINTS, SYSTEM
from apps.jira.domain.history import Edit
from apps.jira.domain.offset_pages import agile_page_to_json
from apps.jira.domain.text import Problem
from apps.jira.limits import EDITS
from apps.jira.models import Issue, IssueType, Status
from apps.jira.models_boards import Board, BoardColumn, Sprint
from apps.jira.operations.issue_view import issues_to_json
from apps.jira.operations.params import BodyFormat, Expand, Id, MaxResults, Refs, StartAt, Word, Words
from apps.jira.operations.search import Jql, compile_for_caller, parse_query, view_options
from apps.jira.refusals import field_errors
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Int64, Params

SOURCE = "developer.atlassian.com/cloud/jira/software/rest/api-group-board"
EPICS = "developer.atlassian.com/cloud/jira/software/rest/api-group-epic"
ISSUES = "developer.atlassian.com/cloud/jira/software/rest/api-group-issue"
MOST_MOVED = 50  # issues moved or ranked in one request
COLOURS = 9


class BoardList(Params):
    """Filters and page of boards."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50
    type: Word | None = Field(default=None, description="scrum, kanban or simple.")
    name: Word | None = Field(default=None, description="Part of the name.")
    projectKeyOrId: Id | None = Field(default=None, description="Only boards of this project.")


class BoardRef(Params):
    """One board."""

    boardId: Id = Field(description="Board id.", examples=["1"])


class IssueList(BodyFormat):
    """Request fields for listing issues: a query to narrow them, fields, page."""

    startAt: StartAt = 0
    maxResults: MaxResults = 50
    jql: Jql | None = Field(default=None, description="Narrow with JQL.")
    fields: Words = Field(default_factory=list, description="Fields to return; *navigable when empty.")
    expand: Expand | None = Field(default=None, description="changelog, names, schema.")
    validateQuery: bool = Field(default=True, description="Ignored: queries are always validated.")


class BoardIssues(IssueList):
    """Issues of a board."""

    boardId: Id = Field(description="Board id.", examples=["1"])


class EpicRef(Params):
    """One epic."""

    epicIdOrKey: Id = Field(description="Epic key or id.")


class EpicIssues(IssueList):
    """Issues of an epic; `none` for those without."""

    epicIdOrKey: Id = Field(description="Epic key or id, or none.")


class BoardEpics(Params):
    """Epics of a board."""

    boardId: Id = Field(description="Board id.", examples=["1"])
    startAt: StartAt = 0
    maxResults: MaxResults = 50
    done: bool | None = Field(default=None, description="Only done, or only open ones.")


class EpicMove(Params):
    """Issues to put into an epic; `none` takes them out."""

    epicIdOrKey: Id = Field(description="Epic key or id, or none.")
    issues: Refs = Field(description="Issue keys or ids, at most 50.")


class Moves(Params):
    """Issues to move."""

    issues: Refs = Field(description="Issue keys or ids, at most 50.")


class RankChange(Params):
    """Issues to rank before or after another."""

    issues: Refs = Field(description="Issue keys or ids, at most 50, in their new order.")
    rankBeforeIssue: Id | None = Field(default=None, description="The issue they go before.")
    rankAfterIssue: Id | None = Field(default=None, description="The issue they go after.")
    rankCustomFieldId: Int64 | None = Field(default=None, description="Id of the rank field; there is one.")


def board_to_json(context: JiraContext, board: Board) -> JsonObject:
    """A board as the agile API shows it."""
    project = context.projects[board.project_id]
    icon = f"{context.api}/universal_avatar/view/type/project/owner/{project.id}?size=small"
    place = {
        "projectId": project.id,
        "displayName": f"{project.name} ({project.key})",
        "projectName": project.name,
        "projectKey": project.key,
        "projectTypeKey": project.type_key,
        "avatarURI": icon,
        "name": f"{project.name} ({project.key})",
    }
    return {
        "id": board.id,
        "self": f"{context.agile}/board/{board.id}",
        "name": board.name,
        "type": board.kind,
        "location": place,
        "isPrivate": False,
    }


def find_board(context: JiraContext, id: str) -> Board:
    """A board of a visible project. Raises board_not_found."""
    wanted = parse_number(id)
    board = None if wanted is None else context.call.session.get(Board, wanted)
    if board is None or board.project_id not in context.visible_projects:
        raise OperationError("board_not_found")
    return board


def is_on_board(context: JiraContext, board: Board) -> ColumnElement[bool]:
    """Issues a board shows: those of its project and its query, sub-tasks included, epics not."""
    level = select(IssueType.id).where(col(IssueType.level) < 1)
    where = and_(col(Issue.project_id) == board.project_id, col(Issue.issue_type_id).in_(level))
    return and_(where, compile_for_caller(context, parse_query(board.jql)).where) if board.jql else where


def is_in_open_sprint(board: Board) -> ColumnElement[bool]:
    """Issues in an active or future sprint of a board."""
    return col(Issue.sprint_id).in_(select(Sprint.id).where(Sprint.board_id == board.id, col(Sprint.state) != "closed"))


def list_board_issues(context: JiraContext, params: IssueList, where: ColumnElement[bool]) -> JsonObject:
    """A page of issues in rank order, narrowed by the caller's query."""
    made = compile_for_caller(context, parse_query(params.jql or ""))
    condition = and_(where, made.where)
    asked = parse_query(params.jql or "").order_by
    order = made.order_by if asked else [col(Issue.rank), col(Issue.id)]
    limit = min(params.maxResults, 100)
    total = int(context.call.scalar(select(func.count()).select_from(Issue).where(condition)))
    rows = list(
        context.call.session.exec(select(Issue).where(condition).order_by(*order).offset(params.startAt).limit(limit))
    )
    look = view_options(context, params.fields, params.expand, params.contentFormat, "*navigable")
    shown = issues_to_json(look, rows)
    return {"expand": "schema,names", "startAt": params.startAt, "maxResults": limit, "total": total, "issues": shown}


@app.operation("getAllBoards", source=SOURCE, scope="read:jira-work", examples=[{}])
def get_all_boards(call: Call, params: BoardList) -> JsonObject:
    """List boards by name, type or project."""
    context = JiraContext(call)
    text = (params.name or "").casefold()
    boards = call.session.exec(
        select(Board).where(col(Board.project_id).in_(context.visible_projects)).order_by(col(Board.id))
    )
    ref = params.projectKeyOrId
    found = [
        b
        for b in boards
        if text in b.name.casefold()
        and params.type in (None, b.kind)
        and (ref is None or ref.upper() in (context.projects[b.project_id].key, str(b.project_id)))
    ]
    return agile_page_to_json(found, params.startAt, min(params.maxResults, 50), lambda b: board_to_json(context, b))


@app.operation(
    "getBoard", source=SOURCE, scope="read:jira-work", examples=[{"boardId": "1"}], raises=("board_not_found",)
)
def get_board(call: Call, params: BoardRef) -> JsonObject:
    """Read a board."""
    context = JiraContext(call)
    return board_to_json(context, find_board(context, params.boardId))


@app.operation(
    "getConfiguration", source=SOURCE, scope="read:jira-work", examples=[{"boardId": "1"}], raises=("board_not_found",)
)
def get_configuration(call: Call, params: BoardRef) -> JsonObject:
    """Read a board's columns with their statuses and limits, and its estimation field."""
    context = JiraContext(call)
    board = find_board(context, params.boardId)
    query = select(BoardColumn).where(BoardColumn.board_id == board.id).order_by(col(BoardColumn.position))
    columns = [_column_to_json(context, row) for row in call.session.exec(query)]
    out: JsonObject = {
        "id": board.id,
        "name": board.name,
        "type": board.kind,
        "self": f"{context.agile}/board/{board.id}/configuration",
        "location": {"type": "project", "key": context.projects[board.project_id].key, "id": str(board.project_id)},
        "filter": {"id": str(board.id), "self": f"{context.api}/filter/{board.id}"},
        "columnConfig": {"columns": columns, "constraintType": "issueCount"},
        "ranking": {"rankCustomFieldId": 10019},
    }
    if board.kind == "scrum":
        out["estimation"] = {"type": "field", "field": {"fieldId": POINTS, "displayName": "Story point estimate"}}
    return out


def _column_to_json(context: JiraContext, row: BoardColumn) -> JsonObject:
    statuses = [{"id": str(id), "self": f"{context.api}/status/{id}"} for id in row.status_ids]
    limits = {name: value for name, value in (("min", row.minimum), ("max", row.maximum)) if value is not None}
    return {"name": row.name, "statuses": statuses, **limits}


@app.operation(
    "getIssuesForBoard",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"boardId": "1"}],
    raises=("board_not_found", "bad_jql"),
)
def get_issues_for_board(call: Call, params: BoardIssues) -> JsonObject:
    """List the issues of a board in rank order, narrowed by JQL."""
    context = JiraContext(call)
    return list_board_issues(context, params, is_on_board(context, find_board(context, params.boardId)))


@app.operation(
    "getIssuesForBacklog",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"boardId": "1"}],
    raises=("board_not_found", "bad_jql"),
)
def get_issues_for_backlog(call: Call, params: BoardIssues) -> JsonObject:
    """List the backlog of a board: open issues in no active or future sprint, in rank order."""
    context = JiraContext(call)
    board = find_board(context, params.boardId)
    done = select(Status.id).where(Status.category == "done")
    free = or_(col(Issue.sprint_id).is_(None), not_(is_in_open_sprint(board)))
    return list_board_issues(
        context, params, and_(is_on_board(context, board), free, not_(col(Issue.status_id).in_(done)))
    )


# epics


def epic_to_json(context: JiraContext, issue: Issue) -> JsonObject:
    """An epic as the agile API shows it."""
    return {
        "id": issue.id,
        "key": issue.key,
        "self": f"{context.agile}/epic/{issue.id}",
        "name": issue.summary,
        "summary": issue.summary,
        "color": {"key": f"color_{issue.id % COLOURS + 1}"},
        "done": context.statuses[issue.status_id].category == "done",
    }


def find_epic(context: JiraContext, ref: str) -> Issue:
    """An epic the caller may see. Raises epic_not_found."""
    try:
        issue = find_issue(context, ref)
    except OperationError:
        raise OperationError("epic_not_found") from None
    if context.types[issue.issue_type_id].level != 1:
        raise OperationError("epic_not_found")
    return issue


@app.operation(
    "getEpics", source=SOURCE, scope="read:jira-work", examples=[{"boardId": "1"}], raises=("board_not_found",)
)
def get_epics(call: Call, params: BoardEpics) -> JsonObject:
    """List the epics of a board's project."""
    context = JiraContext(call)
    board = find_board(context, params.boardId)
    kinds = select(IssueType.id).where(IssueType.level == 1)
    query = select(Issue).where(
        Issue.project_id == board.project_id, col(Issue.issue_type_id).in_(kinds), col(Issue.deleted_at).is_(None)
    )
    rows = [epic_to_json(context, issue) for issue in call.session.exec(query.order_by(Issue.rank, col(Issue.id)))]
    found = [row for row in rows if params.done in (None, row["done"])]
    return agile_page_to_json(found, params.startAt, min(params.maxResults, 50), lambda row: row)


@app.operation(
    "getEpic",
    source=EPICS,
    scope="read:jira-work",
    examples=[{"epicIdOrKey": "$getEpics:values.0.key"}],
    raises=("epic_not_found",),
)
def get_epic(call: Call, params: EpicRef) -> JsonObject:
    """Read an epic."""
    context = JiraContext(call)
    return epic_to_json(context, find_epic(context, params.epicIdOrKey))


@app.operation(
    "getIssuesForEpic",
    source=EPICS,
    scope="read:jira-work",
    examples=[{"epicIdOrKey": "$getEpics:values.0.key"}],
    raises=("epic_not_found", "bad_jql"),
)
def get_issues_for_epic(call: Call, params: EpicIssues) -> JsonObject:
    """List the issues of an epic in rank order; epic none for issues outside all epics."""
    context = JiraContext(call)
    if params.epicIdOrKey == "none":
        level = select(IssueType.id).where(IssueType.level == 0)
        return list_board_issues(
            context, params, and_(col(Issue.parent_id).is_(None), col(Issue.issue_type_id).in_(level))
        )
    return list_board_issues(context, params, col(Issue.parent_id) == find_epic(context, params.epicIdOrKey).id)


@app.operation(
    "moveIssuesToEpic",
    writes=True,
    source=EPICS,
    scope="write:jira-work",
    examples=[{"epicIdOrKey": "$getEpics:values.0.key", "issues": ["SHOP-1"]}],
    raises=("epic_not_found", "issue_not_found", "cannot_edit", "too_many_issues", "field_errors"),
)
def move_issues_to_epic(call: Call, params: EpicMove) -> None:
    """Put issues into an epic; epic none takes them out of theirs."""
    context = JiraContext(call)
    epic = None if params.epicIdOrKey == "none" else find_epic(context, params.epicIdOrKey)
    for issue in get_movable_issues(context, params.issues, "EDIT_ISSUES"):
        changes = Changes(Edit(context, issue), None)
        try:
            changes.set(SYSTEM["parent"], None if epic is None else {"id": str(epic.id)})
        except Problem as problem:
            raise field_errors(**{EPIC_LINK: str(problem)}) from None
        changes.edit.finish()


# rank


def get_movable_issues(context: JiraContext, refs: list[str], permission: str) -> list[Issue]:
    """Issues to move, in the order asked. Raises too_many_issues, issue_not_found and the permission's refusal."""
    if len(refs) > MOST_MOVED:
        raise OperationError("too_many_issues", limit=MOST_MOVED)
    return [find_issue(context, ref, permission) for ref in dict.fromkeys(refs)]


def rank_between(context: JiraContext, issues: list[Issue], low: str | None, high: str | None) -> None:
    """Give issues ranks between two, in their order, and note the change."""
    for issue in issues:
        rank = ranks.rank_between(low, high)
        edit = Edit(context, issue)
        word = "Ranked higher" if rank < issue.rank else "Ranked lower"
        edit.record("Rank", "customfield_10019", (None, ""), (None, word), custom=True)
        issue.rank = low = rank
        edit.finish()


def find_neighbour_rank(context: JiraContext, rank: str, *, above: bool, moving: list[Issue]) -> str | None:
    """The nearest rank above or below one, leaving out the issues that move."""
    side = col(Issue.rank) < rank if above else col(Issue.rank) > rank
    aside = col(Issue.id).not_in([issue.id for issue in moving])
    order = col(Issue.rank).desc() if above else col(Issue.rank).asc()
    return context.call.scalar(select(Issue.rank).where(side, aside).order_by(order, col(Issue.id)).limit(1))


@app.operation(
    "rankIssues",
    writes=True,
    limit=EDITS,
    source=ISSUES,
    scope="write:jira-work",
    examples=[{"issues": ["SHOP-1"], "rankBeforeIssue": "$createIssue:key"}],
    raises=("bad_rank", "too_many_issues", "issue_not_found", "cannot_edit"),
)
def rank_issues(call: Call, params: RankChange) -> None:
    """Change the order of issues: put them before or after another one."""
    context = JiraContext(call)
    if (params.rankBeforeIssue is None) == (params.rankAfterIssue is None):
        raise OperationError("bad_rank", why="Either rankBeforeIssue or rankAfterIssue must be given.")
    issues = get_movable_issues(context, params.issues, "SCHEDULE_ISSUES")
    anchor = find_issue(context, params.rankBeforeIssue or params.rankAfterIssue)
    if anchor in issues:
        raise OperationError("bad_rank", why="An issue cannot be ranked relative to itself.")
    require(context, "SCHEDULE_ISSUES", project_of(context, anchor))
    if params.rankBeforeIssue is not None:
        rank_between(context, issues, find_neighbour_rank(context, anchor.rank, above=True, moving=issues), anchor.rank)
    else:
        rank_between(
            context, issues, anchor.rank, find_neighbour_rank(context, anchor.rank, above=False, moving=issues)
        )
