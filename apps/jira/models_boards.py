"""Tables of boards, sprints, saved filters and dashboards."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from sqlmodel import Field, SQLModel

from apps.jira.columns import PROJECT, json_column
from world.core.json_types import JsonObject


class Board(SQLModel, table=True):
    """A board of one project. `kind`: scrum, kanban or simple; `jql` narrows it, empty = the whole project."""

    __tablename__ = "jira_board"
    __table_args__ = {"info": {"names": {"project": PROJECT}}}
    id: int = Field(primary_key=True)
    name: str
    kind: str = "scrum"
    project_id: int = Field(index=True)
    jql: str = ""


class BoardColumn(SQLModel, table=True):
    """A column and the statuses it shows."""

    __tablename__ = "jira_board_column"
    board_id: int = Field(primary_key=True)
    position: int = Field(primary_key=True)
    name: str
    status_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    minimum: int | None = None
    maximum: int | None = None


class Sprint(SQLModel, table=True):
    """A sprint of a board. `state`: future, active or closed."""

    __tablename__ = "jira_sprint"
    __table_args__ = {
        "info": {"names": {"board": "board_id:jira_board.name"}, "volatile": ["activated_at", "completed_at"]}
    }
    id: int = Field(primary_key=True)
    board_id: int = Field(index=True)
    name: str
    state: str = "future"
    goal: str = ""
    start_at: int | None = None
    end_at: int | None = None
    activated_at: int | None = None
    completed_at: int | None = None
    created_at: int = 0
    position: int = 0


class Filter(SQLModel, table=True):
    """A saved search; `shared` with every employee or private to its owner."""

    __tablename__ = "jira_filter"
    __table_args__ = {"info": {"names": {"owner": "owner_id:person.id"}}}
    id: int = Field(primary_key=True)
    name: str
    description: str = ""
    owner_id: str = Field(index=True)
    jql: str
    shared: bool = False
    created_at: int = 0


class FilterFavourite(SQLModel, table=True):
    """A filter somebody starred."""

    __tablename__ = "jira_filter_favourite"
    filter_id: int = Field(primary_key=True)
    person_id: str = Field(primary_key=True)


class Dashboard(SQLModel, table=True):
    """A page of gadgets; each gadget is `{kind, title, filter_id?}`."""

    __tablename__ = "jira_dashboard"
    id: int = Field(primary_key=True)
    name: str
    description: str = ""
    owner_id: str
    gadgets: list[JsonObject] = Field(default_factory=list, sa_column=json_column())
