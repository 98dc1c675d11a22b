"""Tables of the drive: files and folders, permissions, comments and revisions.

People are directory ids (`p_…`), times microseconds UTC. Contents kept by another app are in that app's tables.
"""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field, SQLModel

from world.core.json_types import JsonObject

FILE = "file_id:drive_file.name"


def json_column() -> Any:
    """A JSON column; None is NULL."""
    return Column(JSON(none_as_null=True))


class File(SQLModel, table=True):
    """A file or folder of the drive.

    `key` is the vendor's id; a file without `parent_id` is in its owner's My Drive.
    """

    __tablename__ = "drive_file"
    __table_args__ = {
        "info": {
            "volatile": ["modified_at", "modified_by", "version"],
            "soft_delete": "trashed_at",
            "names": {"owner": "owner_id:person.id", "folder": "parent_id:drive_file.name"},
        }
    }
    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    name: str = ""
    mime_type: str = ""
    owner_id: str = Field(default="", index=True)
    parent_id: int | None = Field(default=None, index=True)
    description: str = ""
    created_at: int = 0
    modified_at: int = 0
    modified_by: str = ""
    trashed_at: int | None = None
    trashed_by: str | None = None
    version: int = 1
    sha256: str | None = None  # of the `blob` row with the bytes; spreadsheets and folders have none
    size: int = 0
    properties: dict[str, str] | None = Field(default=None, sa_column=json_column())
    settings: JsonObject | None = Field(
        default=None, sa_column=json_column()
    )  # operations/file_fields.SETTINGS, appProperties, sums


class Permission(SQLModel, table=True):
    """A permission on a file; files in a folder inherit it. The owner has a row too."""

    __tablename__ = "drive_permission"
    __table_args__ = {"info": {"volatile": ["shared_at"], "names": {"file": FILE, "person": "person_id:person.id"}}}
    file_id: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    type: str = "user"  # user, group, domain, anyone
    role: str = "reader"  # owner, writer, commenter, reader
    person_id: str | None = Field(default=None, index=True)
    email: str = ""
    domain: str = ""
    discoverable: bool = False
    expires_at: int | None = None
    shared_at: int = 0
    shared_by: str = ""
    message: str | None = None  # what the mail said with which it was last shared


class Star(SQLModel, table=True):
    """A person's star on a file."""

    __tablename__ = "drive_star"
    __table_args__ = {"info": {"names": {"file": FILE, "person": "person_id:person.id"}, "benign": True}}
    person_id: str = Field(primary_key=True)
    file_id: int = Field(primary_key=True)


class Visit(SQLModel, table=True):
    """Time at which a person last opened a file."""

    __tablename__ = "drive_visit"
    __table_args__ = {
        "info": {"names": {"file": FILE, "person": "person_id:person.id"}, "derived_from": "*", "volatile": ["at"]}
    }
    person_id: str = Field(primary_key=True)
    file_id: int = Field(primary_key=True)
    at: int = 0


class Comment(SQLModel, table=True):
    """A comment on a file, or a reply to one (`parent_id`); `anchor` is its cell, in the vendor's JSON."""

    __tablename__ = "drive_comment"
    __table_args__ = {
        "info": {
            "volatile": ["modified_at"],
            "soft_delete": "deleted_at",
            "names": {"file": FILE, "author": "author_id:person.id"},
        }
    }
    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    file_id: int = Field(index=True)
    parent_id: int | None = Field(default=None, index=True)
    author_id: str = ""
    content: str = ""
    action: str = ""  # resolve, reopen: what an answer does beside speaking
    anchor: str = ""
    quoted: str = ""
    sheet_id: int | None = None
    row: int | None = None
    col: int | None = None
    resolved: bool = False
    assignee_id: str | None = None
    created_at: int = 0
    modified_at: int = 0
    deleted_at: int | None = None


class Revision(SQLModel, table=True):
    """A person's settings of a file's revision; the revisions themselves are read from the world's record."""

    __tablename__ = "drive_revision"
    __table_args__ = {"info": {"names": {"file": FILE}}}
    file_id: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    name: str = ""
    flags: dict[str, int] | None = Field(
        default=None, sa_column=json_column()
    )  # keepForever, published, publishAuto, …; the call that deleted it
