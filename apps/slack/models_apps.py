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
