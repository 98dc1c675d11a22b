"""A small tracker for operation and REST tests: an open, a limited and a private project, and ways to call it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import SQLModel

from apps.jira import models as j
from apps.jira import models_boards as jira_boards
from apps.jira import models_workflows as jira_workflows
from tests.company import START, as_person
from world.core.clock import DAY
from world.core.errors import OperationError
from world.run.host import Host

TODO, DOING, REVIEW, DONE = 10000, 10001, 10002, 10003
EPIC, STORY, TASK, BUG, SUBTASK = 10000, 10001, 10002, 10003, 10004
COLUMNS = (("To Do", [TODO]), ("Doing", [DOING, REVIEW]), ("Done", [DONE]))
PRIORITIES = ("Highest", "High", "Medium", "Low")
FIXED, WONT = 10000, 10001
SEVERITY, CAUSE, ENDED = "customfield_10050", "customfield_10051", "customfield_10052"
DESCRIPTION = {
    "type": "doc",
    "version": 1,
    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Login fails after a retry."}]}],
}
FIELDS = (
    "summary*",
    "description",
    "priority",
    "assignee",
    "reporter",
    "labels",
    "components",
    "fixVersions",
    "versions",
    "duedate",
    "parent",
    "timetracking",
    "environment",
    "customfield_10020",
    "customfield_10016",
    "customfield_10001",
    SEVERITY,
    CAUSE,
)


def _screen(id: int, name: str, fields: tuple[str, ...]) -> list[SQLModel]:
    rows: list[SQLModel] = [jira_workflows.Screen(id=id, name=name)]
    for position, field in enumerate(fields):
        rows.append(
            jira_workflows.ScreenField(
                screen_id=id, field_id=field.rstrip("*"), position=position, required=field.endswith("*")
            )
        )
    return rows


def _workflow() -> list[SQLModel]:
    steps = (
        (11, "To Do", [], TODO, {"clears_resolution": True}),
        (21, "Start", [TODO, REVIEW], DOING, {}),
        (31, "Ask for review", [DOING], REVIEW, {}),
        (41, "Finish", [DOING, REVIEW], DONE, {"screen_id": 2}),
        (51, "Approve", [REVIEW], DONE, {"condition": "role:Administrator", "resolution_id": FIXED}),
        (61, "Close mine", [], DONE, {"condition": "assignee", "resolution_id": FIXED}),
    )
    rows: list[SQLModel] = [jira_workflows.Workflow(id=1, name="Software", initial_status_id=TODO)]
    for position, (id, name, from_ids, to_id, more) in enumerate(steps):
        rows.append(
            jira_workflows.Transition(
                workflow_id=1, id=id, name=name, from_ids=from_ids, to_id=to_id, position=position, **more
            )
        )  # type: ignore[arg-type]
    return rows


def _project(id: int, key: str, name: str, access: str, **more: Any) -> list[SQLModel]:
    rows: list[SQLModel] = [
        j.Project(id=id, key=key, name=name, access=access, lead_id="p_ada", created_at=START - 100 * DAY, **more)
    ]
    rows.append(j.RoleActor(project_id=id, role="Administrator", kind="person", actor="p_ada"))
    for position, kind in enumerate((TASK, STORY, BUG, EPIC, SUBTASK)):
        create = 3 if kind == BUG else 1
        rows.append(
            jira_workflows.ProjectType(
                project_id=id,
                issue_type_id=kind,
                position=position,
                workflow_id=1,
                create_screen_id=create,
                edit_screen_id=1,
            )
        )
    return rows


def _issue(id: int, project: int, key: str, summary: str, **more: Any) -> j.Issue:
    values: dict[str, Any] = {
        "id": id,
        "project_id": project,
        "number": int(key.split("-")[1]),
        "key": key,
        "issue_type_id": TASK,
        "status_id": TODO,
        "priority_id": 3,
        "summary": summary,
        "creator_id": "p_dee",
        "reporter_id": "p_dee",
        "rank": f"0|hzzz{id % 100:02}:",
        "created_at": START - 10 * DAY,
        "updated_at": START - 9 * DAY,
    }
    return j.Issue(**{**values, **more})


def rows() -> list[SQLModel]:
    """The tracker's seed: six issues in three projects."""
    kinds = ((EPIC, "Epic", 1), (STORY, "Story", 0), (TASK, "Task", 0), (BUG, "Bug", 0), (SUBTASK, "Sub-task", -1))
    states = (
        (TODO, "To Do", "new"),
        (DOING, "In Progress", "indeterminate"),
        (REVIEW, "In Review", "indeterminate"),
        (DONE, "Done", "done"),
    )
    return [
        j.Site(id=1, cloud_id="11111111-2222-4333-8444-555555555555", title="Tiny"),
        *(j.IssueType(id=id, name=name, level=level) for id, name, level in kinds),
        *(j.Status(id=id, name=name, category=category) for id, name, category in states),
        *(j.Priority(id=n, name=name, position=n, is_default=n == 3) for n, name in enumerate(PRIORITIES, 1)),
        j.Resolution(id=FIXED, name="Done"),
        j.Resolution(id=WONT, name="Won't Do"),
        j.CustomField(id=SEVERITY, name="Severity", kind="select"),
        j.CustomField(id=CAUSE, name="Root cause", kind="textarea"),
        j.CustomField(id=ENDED, name="Ended", kind="datetime"),
        *(j.FieldOption(id=10100 + n, field_id=SEVERITY, value=f"SEV{n}", position=n) for n in (1, 2, 3)),
        *_screen(1, "Default", FIELDS),
        *_screen(2, "Finish", ("resolution*", "fixVersions")),
        *_screen(3, "Bug", (*(f for f in FIELDS if f != SEVERITY), f"{SEVERITY}*")),
        *_workflow(),
        *_project(10000, "SHOP", "Engineering", "open", issue_counter=4),
        *_project(10001, "OPS", "Operations", "private", issue_counter=1),
        *_project(10002, "SUP", "Support", "limited", issue_counter=1, type_key="service_desk"),
        j.RoleActor(project_id=10001, role="Member", kind="person", actor="p_bo"),
        j.RoleActor(project_id=10002, role="Member", kind="group", actor="g_support"),
        j.Group(id="g_admin", name="jira-administrators"),
        j.Group(id="g_support", name="support"),
        j.GroupMember(group_id="g_admin", person_id="p_ada"),
        j.GroupMember(group_id="g_support", person_id="p_cy"),
        j.Category(id=10000, name="Product"),
        j.Component(id=10000, project_id=10000, name="Web", lead_id="p_eve", assignee_type="COMPONENT_LEAD"),
        j.Component(id=10001, project_id=10000, name="Billing"),
        j.Version(id=10000, project_id=10000, name="1.0", released=True, release_on="2026-02-01", position=1),
        j.Version(id=10001, project_id=10000, name="1.1", release_on="2026-02-20", position=2),
        j.LinkType(id=10000, name="Blocks", inward="is blocked by", outward="blocks"),
        j.LinkType(id=10001, name="Relates", inward="relates to", outward="relates to"),
        jira_boards.Board(id=1, name="SHOP board", kind="scrum", project_id=10000),
        jira_boards.Board(id=2, name="OPS board", kind="kanban", project_id=10001),
        *(
            jira_boards.BoardColumn(board_id=1, position=n, name=name, status_ids=ids)
            for n, (name, ids) in enumerate(COLUMNS)
        ),
        jira_boards.Sprint(
            id=1, board_id=1, name="Sprint 1", state="active", start_at=START, end_at=START + 11 * DAY, position=1
        ),
        jira_boards.Sprint(id=2, board_id=1, name="Sprint 2", position=2),
        j.Counter(name="jira_sprint", next=3),
        j.Counter(name="jira_issue", next=10010),
        jira_boards.Filter(
            id=10000, name="Open bugs", owner_id="p_ada", jql="type = Bug AND resolution is EMPTY", shared=True
        ),
        jira_boards.Filter(id=10001, name="Mine", owner_id="p_bo", jql="assignee = currentUser()"),
        j.Counter(name="jira_filter", next=10002),
        jira_boards.Dashboard(id=10000, name="Team", owner_id="p_ada"),
        _issue(
            10000,
            10000,
            "SHOP-1",
            "Login fails",
            assignee_id="p_bo",
            labels=["auth"],
            component_ids=[10000],
            sprint_id=1,
            description=DESCRIPTION,
            description_text="Login fails after a retry.",
            story_points=3.0,
        ),
        _issue(10001, 10000, "SHOP-2", "Rotate keys", issue_type_id=STORY, parent_id=10002),
        _issue(10002, 10000, "SHOP-3", "Security epic", issue_type_id=EPIC),
        _issue(10003, 10000, "SHOP-4", "Write a test", issue_type_id=SUBTASK, parent_id=10000),
        _issue(10004, 10001, "OPS-1", "Secret migration", creator_id="p_ada", reporter_id="p_ada"),
        _issue(10005, 10002, "SUP-1", "Customer asks", creator_id="p_cy", reporter_id="p_cy"),
        j.Watcher(issue_id=10000, person_id="p_dee", created_at=START - DAY),
        j.Comment(
            id=10000,
            issue_id=10000,
            author_id="p_dee",
            update_author_id="p_dee",
            body=DESCRIPTION,
            body_text="Login fails after a retry.",
            created_at=START - DAY,
            updated_at=START - DAY,
        ),
        j.Counter(name="jira_comment", next=10001),
    ]


@dataclass
class Tracker:
    """One world of the fixture company, called as one person or another."""

    host: Host

    def call(self, who: str, operation: str, /, **arguments: Any) -> Any:
        """Call an operation; raises OperationError for a refusal."""
        return self.host.call(as_person(self.host, who), "rest", operation, arguments)

    def refused(self, who: str, operation: str, /, **arguments: Any) -> OperationError:
        """The refusal of a call that must be refused."""
        try:
            answer = self.call(who, operation, **arguments)
        except OperationError as error:
            return error
        raise AssertionError(f"{operation} was not refused: {answer}")

    def errors(self, who: str, operation: str, /, **arguments: Any) -> Mapping[str, str]:
        """The field errors of a call that must be refused for its fields."""
        refusal = self.refused(who, operation, **arguments)
        assert refusal.code == "field_errors", refusal
        return refusal.detail["errors"]  # type: ignore[return-value]

    def fields(self, key: str, *names: str, who: str = "ada") -> dict[str, Any]:
        """Fields of an issue as somebody reads them."""
        return self.call(who, "getIssue", issueIdOrKey=key, fields=list(names))["fields"]

    def create(self, who: str = "ada", /, project: str = "SHOP", kind: str = "Task", **fields: Any) -> str:
        """Create an issue; its key."""
        values = {"project": {"key": project}, "issuetype": {"name": kind}, "summary": "A new thing", **fields}
        return self.call(who, "createIssue", fields=values)["key"]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of the world by plain SQL."""
        return self.host.actors["w"].bound.raw.execute(sql).fetchall()

    def journal(self) -> list[tuple[str, str]]:
        """(table, op) of every journal entry, in order."""
        return self.rows("SELECT table_name, op FROM _journal ORDER BY id")
