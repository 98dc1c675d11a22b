"""Tables of workflows, screens and the issue types of projects."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from sqlmodel import Field, SQLModel

from apps.jira.columns import json_column


class Workflow(SQLModel, table=True):
    """A set of statuses and transitions; `initial_status_id` is that of a new issue."""

    __tablename__ = "jira_workflow"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    initial_status_id: int


class Transition(SQLModel, table=True):
    """A step of a workflow.

    `from_ids`: statuses it starts from, empty = any. `condition`: "" | assignee | reporter | role:<name> |
    subtasks_done. `screen_id`: screen shown, whose required fields must be given. `resolution_id`: set by it;
    `clears_resolution`: removes it.
    """

    __tablename__ = "jira_transition"
    workflow_id: int = Field(primary_key=True)
    id: int = Field(primary_key=True)
    name: str
    from_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    to_id: int
    condition: str = ""
    screen_id: int | None = None
    resolution_id: int | None = None
    clears_resolution: bool = False
    position: int = 0


class Screen(SQLModel, table=True):
    """A list of fields that may be set together."""

    __tablename__ = "jira_screen"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)


class ScreenField(SQLModel, table=True):
    """A field on a screen; `field_id` is the REST id (`summary`, `customfield_10016`)."""

    __tablename__ = "jira_screen_field"
    screen_id: int = Field(primary_key=True)
    field_id: str = Field(primary_key=True)
    position: int
    required: bool = False


class ProjectType(SQLModel, table=True):
    """An issue type available in a project, with its workflow and screens."""

    __tablename__ = "jira_project_type"
    project_id: int = Field(primary_key=True)
    issue_type_id: int = Field(primary_key=True)
    position: int
    workflow_id: int
    create_screen_id: int
    edit_screen_id: int
