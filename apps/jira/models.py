"""Tables of the issue tracker. Times are integer microseconds, days are ISO dates, bodies are ADF documents."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from pydantic import JsonValue
from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from apps.jira import models_boards, models_notifications, models_workflows  # noqa: F401  one import brings every table
from apps.jira.columns import ISSUE, OF_ISSUE, PERSON, PROJECT, json_column
from world.core.json_types import JsonObject


class Site(SQLModel, table=True):
    """The one row about the site itself."""

    __tablename__ = "jira_site"
    id: int = Field(default=1, primary_key=True)
    cloud_id: str
    title: str


class Counter(SQLModel, table=True):
    """The next number of a sequence; `name` is the table it numbers."""

    __tablename__ = "jira_counter"
    __table_args__ = {"info": {"volatile": ["next"], "derived_from": "*", "hidden": True}}
    name: str = Field(primary_key=True)
    next: int


class Group(SQLModel, table=True):
    """A named set of people (`jira-administrators`, `jira-software-users`, one per team)."""

    __tablename__ = "jira_group"
    id: str = Field(primary_key=True)
    name: str = Field(unique=True)


class GroupMember(SQLModel, table=True):
    """Membership of a group."""

    __tablename__ = "jira_group_member"
    __table_args__ = {"info": {"names": {"group": "group_id:jira_group.name", "user": PERSON}}}
    group_id: str = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)


class Category(SQLModel, table=True):
    """A heading over projects."""

    __tablename__ = "jira_project_category"
    id: int = Field(primary_key=True)
    name: str
    description: str = ""


class Project(SQLModel, table=True):
    """A project. `access`: open (every employee is a member), limited (every employee may view and comment), private."""

    __tablename__ = "jira_project"
    __table_args__ = {
        "info": {"volatile": ["issue_counter", "updated_at"], "soft_delete": "archived_at", "entity": "project"}
    }
    id: int = Field(primary_key=True)
    key: str = Field(unique=True)
    name: str
    description: str = ""
    lead_id: str
    type_key: str = "software"
    style: str = "classic"
    access: str = "open"
    category_id: int | None = None
    url: str = ""
    assignee_type: str = "UNASSIGNED"
    issue_counter: int = 0
    created_at: int = 0
    updated_at: int = 0
    archived_at: int | None = None


class RoleActor(SQLModel, table=True):
    """A person or group in a project role. `role`: Administrator, Member or Viewer; `kind`: person or group."""

    __tablename__ = "jira_role_actor"
    project_id: int = Field(primary_key=True)
    role: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    actor: str = Field(primary_key=True)


class IssueType(SQLModel, table=True):
    """Bug, Story, Epic ... `level`: 1 epic, 0 standard, -1 sub-task."""

    __tablename__ = "jira_issue_type"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    description: str = ""
    level: int = 0
    colour: str = ""
    icon: str = ""


class Priority(SQLModel, table=True):
    """Highest first by `position`."""

    __tablename__ = "jira_priority"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    description: str = ""
    colour: str = ""
    position: int
    is_default: bool = False


class Resolution(SQLModel, table=True):
    """Why an issue is finished."""

    __tablename__ = "jira_resolution"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    description: str = ""
    is_default: bool = False


class Status(SQLModel, table=True):
    """A workflow status. `category`: new (To Do), indeterminate (In Progress) or done (Done)."""

    __tablename__ = "jira_status"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    description: str = ""
    category: str = "new"


class CustomField(SQLModel, table=True):
    """A custom field; `kind`: text, textarea, number, date, datetime, select, multiselect, user, labels, url."""

    __tablename__ = "jira_field"
    id: str = Field(primary_key=True)
    name: str
    description: str = ""
    kind: str = "text"


class FieldOption(SQLModel, table=True):
    """A value a select field offers."""

    __tablename__ = "jira_field_option"
    id: int = Field(primary_key=True)
    field_id: str = Field(index=True)
    value: str
    position: int
    disabled: bool = False


class Component(SQLModel, table=True):
    """A part of a project, with its lead."""

    __tablename__ = "jira_component"
    __table_args__ = {"info": {"names": {"project": PROJECT}}}
    id: int = Field(primary_key=True)
    project_id: int = Field(index=True)
    name: str
    description: str = ""
    lead_id: str | None = None
    assignee_type: str = "PROJECT_DEFAULT"


class Version(SQLModel, table=True):
    """A release of a project; `start_on` and `release_on` are ISO days."""

    __tablename__ = "jira_version"
    __table_args__ = {"info": {"names": {"project": PROJECT}}}
    id: int = Field(primary_key=True)
    project_id: int = Field(index=True)
    name: str
    description: str = ""
    archived: bool = False
    released: bool = False
    start_on: str | None = None
    release_on: str | None = None
    position: int = 0


class Issue(SQLModel, table=True):
    """An issue. Lists hold ids (components, versions, sprints) or names (labels); people are directory ids."""

    __tablename__ = "jira_issue"
    __table_args__ = (
        Index("jira_issue_by_project", "project_id", "number"),
        Index("jira_issue_by_assignee", "assignee_id", "status_id"),
        {
            "info": {
                "volatile": ["updated_at", "status_changed_at", "resolved_at"],
                "derived": ["description_text", "environment_text", "time_spent_s"],
                "soft_delete": "deleted_at",
                "names": {
                    "project": PROJECT,
                    "issue_type": "issue_type_id:jira_issue_type.name",
                    "parent": "parent_id:jira_issue.key",
                    "status": "status_id:jira_status.name",
                    "resolution": "resolution_id:jira_resolution.name",
                    "priority": "priority_id:jira_priority.name",
                    "sprint": "sprint_id:jira_sprint.name",
                    "assignee": "assignee_id:person.id",
                    "reporter": "reporter_id:person.id",
                    "creator": "creator_id:person.id",
                },
            }
        },
    )
    id: int = Field(primary_key=True)
    project_id: int
    number: int
    key: str = Field(unique=True)
    issue_type_id: int
    status_id: int
    priority_id: int
    resolution_id: int | None = None
    summary: str
    description: JsonObject | None = Field(default=None, sa_column=json_column(nullable=True))
    description_text: str = ""
    environment: JsonObject | None = Field(default=None, sa_column=json_column(nullable=True))
    environment_text: str = ""
    creator_id: str
    reporter_id: str | None = Field(default=None, index=True)
    assignee_id: str | None = None
    parent_id: int | None = Field(default=None, index=True)
    labels: list[str] = Field(default_factory=list, sa_column=json_column())
    component_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    fix_version_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    affects_version_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    sprint_id: int | None = Field(default=None, index=True)
    past_sprint_ids: list[int] = Field(default_factory=list, sa_column=json_column())
    story_points: float | None = None
    team_id: str | None = None
    rank: str = Field(index=True)
    due_on: str | None = None
    original_estimate_s: int | None = None
    remaining_estimate_s: int | None = None
    time_spent_s: int | None = None
    custom: JsonObject = Field(default_factory=dict, sa_column=json_column())
    created_at: int
    updated_at: int = Field(index=True)
    resolved_at: int | None = None
    status_changed_at: int | None = None
    deleted_at: int | None = None


class KeyAlias(SQLModel, table=True):
    """A key an issue had before it was moved; it still answers."""

    __tablename__ = "jira_issue_key_alias"
    __table_args__ = {"info": OF_ISSUE}
    key: str = Field(primary_key=True)
    issue_id: int = Field(index=True)


class ChangeItem(SQLModel, table=True):
    """One field of one edit, as the changelog shows it; items of an edit share `history_id`.

    `from_value`/`to_value` are ids as text (person ids for people, ISO days, seconds), the strings what people read.
    `field` is the changelog's name (`Fix Version`, `Component`, `Link`, `Sprint`), `field_id` the REST id.
    """

    __tablename__ = "jira_change"
    __table_args__ = (
        Index("jira_change_by_issue", "issue_id", "history_id", "ordinal"),
        Index("jira_change_by_field", "field_id", "issue_id"),
        {"info": OF_ISSUE},
    )
    history_id: int = Field(primary_key=True)
    ordinal: int = Field(primary_key=True)
    issue_id: int
    author_id: str
    created_at: int
    field: str
    field_id: str
    field_type: str = "jira"
    from_value: str | None = None
    from_string: str | None = None
    to_value: str | None = None
    to_string: str | None = None


class Comment(SQLModel, table=True):
    """A comment; `visibility_*` limits it to a role or a group."""

    __tablename__ = "jira_comment"
    __table_args__ = (
        Index("jira_comment_by_issue", "issue_id", "id"),
        {
            "info": {
                "volatile": ["updated_at"],
                "derived": ["body_text"],
                "names": {"issue": ISSUE, "author": "author_id:person.id"},
            }
        },
    )
    id: int = Field(primary_key=True)
    issue_id: int
    author_id: str
    update_author_id: str
    body: JsonObject = Field(sa_column=json_column())
    body_text: str = ""
    visibility_type: str | None = None
    visibility_value: str | None = None
    internal: bool = False
    created_at: int
    updated_at: int


class LinkType(SQLModel, table=True):
    """A type of link between issues: the source `outward`s the destination ("blocks")."""

    __tablename__ = "jira_link_type"
    id: int = Field(primary_key=True)
    name: str = Field(unique=True)
    inward: str
    outward: str


class IssueLink(SQLModel, table=True):
    """Source --outward--> destination: source blocks destination."""

    __tablename__ = "jira_issue_link"
    __table_args__ = {
        "info": {
            "names": {
                "type": "type_id:jira_link_type.name",
                "source": "source_id:jira_issue.key",
                "destination": "destination_id:jira_issue.key",
            }
        }
    }
    id: int = Field(primary_key=True)
    type_id: int
    source_id: int = Field(index=True)
    destination_id: int = Field(index=True)
    created_at: int


class RemoteLink(SQLModel, table=True):
    """A link from an issue to a page elsewhere."""

    __tablename__ = "jira_remote_link"
    __table_args__ = {"info": {"names": {"issue": ISSUE}}}
    id: int = Field(primary_key=True)
    issue_id: int = Field(index=True)
    global_id: str | None = None
    url: str
    title: str
    summary: str = ""
    relationship: str = ""
    icon_url: str = ""
    icon_title: str = ""
    application: dict[str, JsonValue] = Field(default_factory=dict, sa_column=json_column())
    resolved: bool = False
    created_at: int


class Development(SQLModel, table=True):
    """Work on an issue in a repository. `kind`: branch, commit or pull; `state` of a pull: open, merged or declined."""

    __tablename__ = "jira_development"
    __table_args__ = {"info": {"names": {"issue": ISSUE}, "derived_from": "*"}}
    issue_id: int = Field(primary_key=True)
    url: str = Field(primary_key=True)
    kind: str
    repository: str
    title: str
    state: str = ""
    author: str = ""
    updated_at: int


class Rule(SQLModel, table=True):
    """An automation of a project: what happens to code moves the issue it names. `trigger`: pull_opened or pull_merged."""

    __tablename__ = "jira_rule"
    project_id: int = Field(primary_key=True)
    trigger: str = Field(primary_key=True)
    status_id: int


class Watcher(SQLModel, table=True):
    """Watcher of an issue, notified of its changes. Reporters watch their own."""

    __tablename__ = "jira_watcher"
    __table_args__ = {"info": OF_ISSUE}
    issue_id: int = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)
    created_at: int


class Vote(SQLModel, table=True):
    """A vote for an issue."""

    __tablename__ = "jira_vote"
    __table_args__ = {"info": {"names": {"issue": ISSUE, "user": PERSON}}}
    issue_id: int = Field(primary_key=True)
    person_id: str = Field(primary_key=True, index=True)
    created_at: int


class Worklog(SQLModel, table=True):
    """Time somebody spent."""

    __tablename__ = "jira_worklog"
    __table_args__ = {
        "info": {
            "volatile": ["updated_at"],
            "derived": ["comment_text"],
            "names": {"issue": ISSUE, "author": "author_id:person.id"},
        }
    }
    id: int = Field(primary_key=True)
    issue_id: int = Field(index=True)
    author_id: str = Field(index=True)
    update_author_id: str
    comment: JsonObject | None = Field(default=None, sa_column=json_column(nullable=True))
    comment_text: str = ""
    started_at: int
    spent_s: int
    created_at: int
    updated_at: int


class Attachment(SQLModel, table=True):
    """A file on an issue; its bytes are the directory's blob `sha256`."""

    __tablename__ = "jira_attachment"
    __table_args__ = {"info": {"names": {"issue": ISSUE, "author": "author_id:person.id"}}}
    id: int = Field(primary_key=True)
    issue_id: int = Field(index=True)
    author_id: str
    filename: str
    media_type: str
    size: int
    sha256: str
    created_at: int


class Property(SQLModel, table=True):
    """A JSON value an integration keeps on an issue, project or comment."""

    __tablename__ = "jira_property"
    entity: str = Field(primary_key=True)
    entity_id: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    value: Any = Field(sa_column=json_column(nullable=True))


DDL = [
    (
        "CREATE VIRTUAL TABLE jira_issue_fts USING fts5(summary, description_text, environment_text,"
        " content='jira_issue', content_rowid='id', tokenize='porter unicode61')"
    ),
    (
        "CREATE TRIGGER jira_issue_fts_insert AFTER INSERT ON jira_issue BEGIN"
        " INSERT INTO jira_issue_fts(rowid, summary, description_text, environment_text)"
        " VALUES (new.id, new.summary, new.description_text, new.environment_text); END"
    ),
    (
        "CREATE TRIGGER jira_issue_fts_delete AFTER DELETE ON jira_issue BEGIN"
        " INSERT INTO jira_issue_fts(jira_issue_fts, rowid, summary, description_text, environment_text)"
        " VALUES ('delete', old.id, old.summary, old.description_text, old.environment_text); END"
    ),
    (
        "CREATE TRIGGER jira_issue_fts_update AFTER UPDATE OF summary, description_text, environment_text ON jira_issue"
        " BEGIN INSERT INTO jira_issue_fts(jira_issue_fts, rowid, summary, description_text, environment_text) VALUES"
        " ('delete', old.id, old.summary, old.description_text, old.environment_text); INSERT INTO"
        " jira_issue_fts(rowid, summary, description_text, environment_text) VALUES (new.id, new.summary,"
        " new.description_text, new.environment_text); END"
    ),
    (
        "CREATE VIRTUAL TABLE jira_comment_fts USING fts5(body_text,"
        " content='jira_comment', content_rowid='id', tokenize='porter unicode61')"
    ),
    (
        "CREATE TRIGGER jira_comment_fts_insert AFTER INSERT ON jira_comment BEGIN"
        " INSERT INTO jira_comment_fts(rowid, body_text) VALUES (new.id, new.body_text); END"
    ),
    (
        "CREATE TRIGGER jira_comment_fts_delete AFTER DELETE ON jira_comment BEGIN INSERT INTO"
        " jira_comment_fts(jira_comment_fts, rowid, body_text) VALUES ('delete', old.id, old.body_text); END"
    ),
    (
        "CREATE TRIGGER jira_comment_fts_update AFTER UPDATE OF body_text ON jira_comment BEGIN"
        " INSERT INTO jira_comment_fts(jira_comment_fts, rowid, body_text) VALUES ('delete', old.id, old.body_text);"
        " INSERT INTO jira_comment_fts(rowid, body_text) VALUES (new.id, new.body_text); END"
    ),
]
