"""The table of apps: what the workspace's app settings say of each."""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from world.core.json_types import JsonObject


class AppSettings(SQLModel, table=True):
    """An app's manifest as its settings have it; an app that nobody set up has no row."""

    __tablename__ = "slack_app"
    __table_args__ = {"info": {"names": {"user": "creator_id:person.id"}, "volatile": ["updated_at"]}}
    app_id: str = Field(primary_key=True)  # A…
    creator_id: str
    manifest: JsonObject = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: int
    updated_at: int = 0


class Interaction(SQLModel, table=True):
    """What a person did with an app: pressed a button, ran a shortcut, submitted or closed a view."""

    __tablename__ = "slack_interaction"
    __table_args__ = {"info": {"names": {"user": "person_id:person.id"}, "volatile": ["created_at"]}}
    id: str = Field(primary_key=True)  # I…
    app_id: str
    person_id: str
    kind: str  # block_actions, shortcut, message_action, view_submission, view_closed
    view_id: str = ""
    trigger_id: str
    exchanged_at: int = 0  # when the trigger opened a view
    payload: JsonObject = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: int


class AppView(SQLModel, table=True):
    """A view that an app shows to one person: a modal of a stack, or its Home tab."""

    __tablename__ = "slack_view"
    __table_args__ = {"info": {"names": {"user": "person_id:person.id"}, "volatile": ["created_at", "hash"]}}
    id: str = Field(primary_key=True)  # V…
    app_id: str
    person_id: str
    kind: str  # modal, home
    content: JsonObject = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    entered: JsonObject = Field(
        default_factory=dict, sa_column=Column(JSON, nullable=False)
    )  # block_id -> action_id -> value
    errors: JsonObject = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))  # block_id -> text
    external_id: str = ""
    root_id: str
    previous_id: str = ""
    hash: str
    created_at: int
    submitted_at: int = 0  # until the app has answered
    closed_at: int = 0
