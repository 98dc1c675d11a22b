"""Sprints: plan, start, complete, and which issues are in them."""

from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import or_
from sqlmodel import col, func, select

from apps.jira.app import app
from apps.jira.domain.access import find_issue, parse_number, require
from apps.jira.domain.context import JiraContext, format_zulu_timestamp
from apps.jira.domain.edits import Changes
from apps.jira.domain.field_kinds import read_moment
from apps.jira.domain.fields import SOFTWARE, SPRINT
from apps.jira.domain.history import Edit, announce
from apps.jira.domain.offset_pages import agile_page_to_json
from apps.jira.domain.text import Problem
from apps.jira.limits import EDITS
from apps.jira.models import Issue
from apps.jira.models_boards import Sprint
from apps.jira.operations.boards import (
    BoardIssues,
    IssueList,
    Moves,
    find_board,
    find_neighbour_rank,
    get_movable_issues,
    is_on_board,
    list_board_issues,
    rank_between,
)
from apps.jira.operations.params import Id, MaxResults, StartAt, Word, split_commas
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

SOURCE = "developer.atlassian.com/cloud/jira/software/rest/api-group-sprint"
BOARD = "developer.atlassian.com/cloud/jira/software/rest/api-group-board"
BACKLOG = "developer.atlassian.com/cloud/jira/software/rest/api-group-backlog"
MAX_NAME = 30  # characters of a sprint's name


class SprintList(Params):
    """Sprints of a board."""

    boardId: Id = Field(description="Board id.", examples=["1"])
    startAt: StartAt = 0
    maxResults: MaxResults = 50
    state: Word | None = Field(default=None, description="future, active, closed; comma-separated.")


class SprintRef(Params):
    """One sprint."""

    sprintId: Id = Field(description="Sprint id.")


class SprintIssues(IssueList):
    """Issues of a sprint."""

    sprintId: Id = Field(description="Sprint id.")


class BoardSprintIssues(BoardIssues):
    """Issues of a sprint on a board."""

    sprintId: Id = Field(description="Sprint id.")


class SprintNew(Params):
    """A new sprint."""

    name: Word | None = Field(default=None, description="Name, at most 30 characters.", examples=["Sprint 14"])
    originBoardId: Id | None = Field(default=None, description="Board it belongs to.", examples=["1"])
    goal: Annotated[Text, Field(max_length=10_000)] | None = Field(default=None, description="What it is for.")
    startDate: Word | None = Field(default=None, description="Planned start, ISO 8601 with offset.")
    endDate: Word | None = Field(default=None, description="Planned end, ISO 8601 with offset.")


class SprintChange(Params):
    """New values of a sprint; state active starts it, closed completes it."""

    sprintId: Id = Field(description="Sprint id.")
    name: Word | None = Field(default=None, description="Name, at most 30 characters.")
    state: Literal["future", "active", "closed"] | None = Field(
        default=None, description="active starts it, closed completes it."
    )
    goal: Annotated[Text, Field(max_length=10_000)] | None = Field(default=None, description="What it is for.")
    startDate: Word | None = Field(default=None, description="Start, ISO 8601 with offset; needed to start.")
    endDate: Word | None = Field(default=None, description="End, ISO 8601 with offset; needed to start.")
    incompleteIssuesDestinationId: Id | None = Field(
        default=None, description="Sprint that takes open issues on completion; the backlog by default."
    )


class SprintMove(Moves):
    """Issues to put into a sprint."""

    sprintId: Id = Field(description="Sprint id.")
    rankBeforeIssue: Id | None = Field(default=None, description="Rank them before this issue.")
    rankAfterIssue: Id | None = Field(default=None, description="Rank them after this issue.")


def sprint_details_to_json(context: JiraContext, row: Sprint) -> JsonObject:
    """A sprint as the agile API shows it."""
    out: JsonObject = {
        "id": row.id,
        "self": f"{context.agile}/sprint/{row.id}",
        "state": row.state,
        "name": row.name,
    }
    for name, at in (("startDate", row.start_at), ("endDate", row.end_at), ("completeDate", row.completed_at)):
        if at is not None:
            out[name] = format_zulu_timestamp(at)
    out["createdDate"] = format_zulu_timestamp(row.created_at)
    return out | {"originBoardId": row.board_id, "goal": row.goal}


def find_sprint(context: JiraContext, id: str) -> Sprint:
    """A sprint of a visible board. Raises sprint_not_found."""
    row = context.sprints.get(parse_number(id) or 0)
    if row is None:
        raise OperationError("sprint_not_found")
    try:
        find_board(context, str(row.board_id))
    except OperationError:
        raise OperationError("sprint_not_found") from None
    return row


def _get_managed_sprint(context: JiraContext, row: Sprint) -> Sprint:
    board = find_board(context, str(row.board_id))
    require(context, "MANAGE_SPRINTS_PERMISSION", context.projects[board.project_id])
    return row


def _parse_moment(text: str | None) -> int | None:
    try:
        return None if text is None else read_moment(text)
    except Problem as problem:
        raise OperationError("sprint_state", why=str(problem)) from None


def _check_sprint_name(text: str | None) -> str:
    if not text or not text.strip():
        raise OperationError("sprint_state", why="Sprint name is required.")
    if len(text.strip()) > MAX_NAME:
        raise OperationError("sprint_state", why=f"The sprint name must be {MAX_NAME} characters or fewer.")
    return text.strip()


@app.operation(
    "getAllSprints",
    source=BOARD,
    scope="read:jira-work",
    examples=[{"boardId": "1"}],
    raises=("board_not_found", "sprint_state"),
)
def get_all_sprints(call: Call, params: SprintList) -> JsonObject:
    """List the sprints of a board, by state."""
    context = JiraContext(call)
    board = find_board(context, params.boardId)
    if board.kind != "scrum":
        raise OperationError("sprint_state", why="The board does not support sprints")
    states = split_commas(params.state)
    rows = [s for s in context.sprints.values() if s.board_id == board.id and (not states or s.state in states)]
    return agile_page_to_json(
        rows, params.startAt, min(params.maxResults, 50), lambda row: sprint_details_to_json(context, row)
    )


@app.operation(
    "getSprint",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"sprintId": "$getAllSprints:values.0.id"}],
    raises=("sprint_not_found",),
)
def get_sprint(call: Call, params: SprintRef) -> JsonObject:
    """Read a sprint: state, dates, goal."""
    context = JiraContext(call)
    return sprint_details_to_json(context, find_sprint(context, params.sprintId))


@app.operation(
    "getIssuesForSprint",
    source=SOURCE,
    scope="read:jira-work",
    examples=[{"sprintId": "$getAllSprints:values.0.id"}],
    raises=("sprint_not_found", "bad_jql"),
)
def get_issues_for_sprint(call: Call, params: SprintIssues) -> JsonObject:
    """List the issues of a sprint in rank order, narrowed by JQL."""
    context = JiraContext(call)
    return list_board_issues(context, params, _is_in_sprint(find_sprint(context, params.sprintId)))


@app.operation(
    "getBoardIssuesForSprint",
    source=BOARD,
    scope="read:jira-work",
    examples=[{"boardId": "1", "sprintId": "$getAllSprints:values.0.id"}],
    raises=("board_not_found", "sprint_not_found", "bad_jql"),
)
def get_board_issues_for_sprint(call: Call, params: BoardSprintIssues) -> JsonObject:
    """List the issues of a sprint that a board shows."""
    context = JiraContext(call)
    board = find_board(context, params.boardId)
    return list_board_issues(
        context, params, is_on_board(context, board) & _is_in_sprint(find_sprint(context, params.sprintId))
    )


def _is_in_sprint(row: Sprint) -> Any:
    past = func.json_each(Issue.past_sprint_ids).table_valued("value")
    was_in = select(past.c.value).where(past.c.value == row.id).exists()
    return or_(col(Issue.sprint_id) == row.id, was_in)


@app.operation(
    "createSprint",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"name": "Sprint 14", "originBoardId": "1"}],
    raises=("board_not_found", "cannot_manage_sprints", "sprint_state"),
)
def create_sprint(call: Call, params: SprintNew) -> JsonObject:
    """Plan a new sprint on a board."""
    context = JiraContext(call)
    board = find_board(context, params.originBoardId or "")
    require(context, "MANAGE_SPRINTS_PERMISSION", context.projects[board.project_id])
    if board.kind != "scrum":
        raise OperationError("sprint_state", why="The board does not support sprints")
    last = max((s.position for s in context.sprints.values() if s.board_id == board.id), default=0)
    row = Sprint(
        id=context.next_id("jira_sprint", 1),
        board_id=board.id,
        name=_check_sprint_name(params.name),
        goal=params.goal or "",
        start_at=_parse_moment(params.startDate),
        end_at=_parse_moment(params.endDate),
        created_at=call.now,
        position=last + 1,
    )
    call.session.add(row)
    return sprint_details_to_json(context, row)


@app.operation(
    "partiallyUpdateSprint",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"sprintId": "$createSprint:id", "goal": "No open bugs"}],
    raises=("sprint_not_found", "cannot_manage_sprints", "sprint_state", "sprint_closed"),
)
def partially_update_sprint(call: Call, params: SprintChange) -> JsonObject:
    """Change a sprint: rename, set dates or goal, start it (state active) or complete it (state closed)."""
    context = JiraContext(call)
    row = _get_managed_sprint(context, find_sprint(context, params.sprintId))
    given = params.model_fields_set
    if "name" in given:
        row.name = _check_sprint_name(params.name)
    if params.goal is not None:
        row.goal = params.goal
    if "startDate" in given:
        row.start_at = _parse_moment(params.startDate)
    if "endDate" in given:
        row.end_at = _parse_moment(params.endDate)
    if params.state is not None and params.state != row.state:
        _change_state(context, row, params)
    return sprint_details_to_json(context, row)


@app.operation(
    "updateSprint",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"sprintId": "$createSprint:id", "name": "Sprint 15", "state": "future"}],
    raises=("sprint_not_found", "cannot_manage_sprints", "sprint_state", "sprint_closed"),
)
def update_sprint(call: Call, params: SprintChange) -> JsonObject:
    """Replace a sprint's values; those left out are emptied. Prefer the partial update."""
    context = JiraContext(call)
    row = _get_managed_sprint(context, find_sprint(context, params.sprintId))
    row.name, row.goal = _check_sprint_name(params.name), params.goal or ""
    row.start_at, row.end_at = _parse_moment(params.startDate), _parse_moment(params.endDate)
    if params.state is not None and params.state != row.state:
        _change_state(context, row, params)
    return sprint_details_to_json(context, row)


def _change_state(context: JiraContext, row: Sprint, params: SprintChange) -> None:
    if (row.state, params.state) == ("future", "active"):
        _start_sprint(context, row)
    elif (row.state, params.state) == ("active", "closed"):
        _complete_sprint(context, row, params.incompleteIssuesDestinationId)
    else:
        why = f"A sprint in state '{row.state}' cannot be changed to state '{params.state}'."
        raise OperationError("sprint_state", why=why)


def _start_sprint(context: JiraContext, row: Sprint) -> None:
    if row.start_at is None or row.end_at is None:
        raise OperationError("sprint_state", why="The sprint must have a start date and an end date to be started.")
    if row.end_at <= row.start_at:
        raise OperationError("sprint_state", why="The end date of the sprint must be after the start date.")
    if not _list_sprint_issues(context, row):
        raise OperationError("sprint_state", why="The sprint must contain at least one issue to be started.")
    row.state, row.activated_at = "active", context.call.now


def _list_sprint_issues(context: JiraContext, row: Sprint) -> list[Issue]:
    query = select(Issue).where(Issue.sprint_id == row.id, col(Issue.deleted_at).is_(None))
    return list(context.call.session.exec(query.order_by(Issue.rank, col(Issue.id))))


def _complete_sprint(context: JiraContext, row: Sprint, heir: str | None) -> None:
    target = None if heir is None else find_sprint(context, heir)
    if target is not None and (target.state == "closed" or target.id == row.id):
        raise OperationError("sprint_closed")
    row.state, row.completed_at = "closed", context.call.now
    for issue in _list_sprint_issues(context, row):
        if context.statuses[issue.status_id].category != "done":
            set_sprint(context, issue, target, keep=True)


def set_sprint(context: JiraContext, issue: Issue, target: Sprint | None, *, keep: bool = False) -> None:
    """Move an issue to a sprint or the backlog; `keep` remembers the sprint it leaves."""
    changes = Changes(Edit(context, issue), None)
    spec = SOFTWARE[SPRINT]
    before = spec.get_stored_value(issue)
    left = context.sprints.get(issue.sprint_id or 0)
    if left is not None and (keep or left.state == "closed") and left.id not in issue.past_sprint_ids:
        issue.past_sprint_ids = [*issue.past_sprint_ids, left.id]
    issue.sprint_id = None if target is None else target.id
    scope = changes.scope(spec)
    changes.edit.of(spec, spec.values.trace(scope, before), spec.values.trace(scope, spec.get_stored_value(issue)))
    changes.edit.finish()


@app.operation(
    "deleteSprint",
    writes=True,
    limit=EDITS,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"sprintId": "$createSprint:id"}],
    raises=("sprint_not_found", "cannot_manage_sprints"),
)
def delete_sprint(call: Call, params: SprintRef) -> None:
    """Delete a sprint; its open issues go to the backlog."""
    context = JiraContext(call)
    row = _get_managed_sprint(context, find_sprint(context, params.sprintId))
    for issue in _list_sprint_issues(context, row):
        set_sprint(context, issue, None)
    call.session.delete(row)


@app.operation(
    "moveIssuesToSprintAndRank",
    writes=True,
    source=SOURCE,
    scope="write:jira-work",
    examples=[{"sprintId": "$createSprint:id", "issues": ["SHOP-1"]}],
    raises=("sprint_not_found", "sprint_closed", "too_many_issues", "issue_not_found", "cannot_edit"),
)
def move_issues_to_sprint_and_rank(call: Call, params: SprintMove) -> None:
    """Put issues into a sprint that is not closed, and rank them there if asked."""
    context = JiraContext(call)
    row = find_sprint(context, params.sprintId)
    if row.state == "closed":
        raise OperationError("sprint_closed")
    issues = get_movable_issues(context, params.issues, "SCHEDULE_ISSUES")
    for issue in issues:
        set_sprint(context, issue, row)
        announce(context, "jira.sprint_changed", issue, sprint=row.name)
    if params.rankBeforeIssue is not None:
        anchor = find_issue(context, params.rankBeforeIssue)
        rank_between(context, issues, find_neighbour_rank(context, anchor.rank, above=True, moving=issues), anchor.rank)
    elif params.rankAfterIssue is not None:
        anchor = find_issue(context, params.rankAfterIssue)
        rank_between(
            context, issues, anchor.rank, find_neighbour_rank(context, anchor.rank, above=False, moving=issues)
        )


@app.operation(
    "moveIssuesToBacklog",
    writes=True,
    source=BACKLOG,
    scope="write:jira-work",
    examples=[{"issues": ["SHOP-1"]}],
    raises=("too_many_issues", "issue_not_found", "cannot_edit"),
)
def move_issues_to_backlog(call: Call, params: Moves) -> None:
    """Take issues out of their sprint, back to the backlog."""
    context = JiraContext(call)
    for issue in get_movable_issues(context, params.issues, "SCHEDULE_ISSUES"):
        set_sprint(context, issue, None)
