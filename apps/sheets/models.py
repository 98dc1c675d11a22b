"""Tables of the spreadsheet service and of the drive its files lie in. People are directory ids (`p_…`), times
microseconds UTC.

What people typed is kept, one row a cell (`sheets_cell`, rows and columns counted from 0); what it computes to is never
stored.
A cell's `row` and `col` are its lines' numbers: their places, until lines are put in, taken out or moved
(apps/sheets/line_order.py).
Everything else that lies on a range of a sheet, from a merge to a chart, is a row of `sheets_object` with the vendor's
JSON.
"""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field, SQLModel

FILE = "file_id:sheets_file.name"
SHEET = "sheet_id:sheets_sheet.title"


def json_column() -> Any:
    """A JSON column; None is NULL."""
    return Column(JSON(none_as_null=True))


class File(SQLModel, table=True):
    """A file or folder of the drive. `key` is the vendor's id; a file without `parent_id` lies in its owner's My Drive."""

    __tablename__ = "sheets_file"
    __table_args__ = {
        "info": {
            "volatile": ["modified_at", "modified_by", "version"],
            "soft_delete": "trashed_at",
            "names": {"owner": "owner_id:person.id", "folder": "parent_id:sheets_file.name"},
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
    settings: dict[str, Any] | None = Field(
        default=None, sa_column=json_column()
    )  # operations/drive_fields.SETTINGS, appProperties, sums


class Permission(SQLModel, table=True):
    """Who may do what with a file; inherited by what lies in a folder. The owner has a row too."""

    __tablename__ = "sheets_permission"
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


class Star(SQLModel, table=True):
    """Who starred a file."""

    __tablename__ = "sheets_star"
    __table_args__ = {"info": {"names": {"file": FILE, "person": "person_id:person.id"}, "benign": True}}
    person_id: str = Field(primary_key=True)
    file_id: int = Field(primary_key=True)


class Visit(SQLModel, table=True):
    """When somebody last opened a file."""

    __tablename__ = "sheets_visit"
    __table_args__ = {
        "info": {"names": {"file": FILE, "person": "person_id:person.id"}, "derived_from": "*", "volatile": ["at"]}
    }
    person_id: str = Field(primary_key=True)
    file_id: int = Field(primary_key=True)
    at: int = 0


class Comment(SQLModel, table=True):
    """A comment on a file, or an answer to one (`parent_id`); `anchor` is the cell it hangs on, in the vendor's JSON."""

    __tablename__ = "sheets_comment"
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
    """What somebody said of a revision of a file; the revisions themselves are read from the world's record."""

    __tablename__ = "sheets_revision"
    __table_args__ = {"info": {"names": {"file": FILE}}}
    file_id: int = Field(primary_key=True)
    key: str = Field(primary_key=True)
    name: str = ""
    flags: dict[str, int] | None = Field(
        default=None, sa_column=json_column()
    )  # keepForever, published, publishAuto, …; the call that deleted it


class Spreadsheet(SQLModel, table=True):
    """What a spreadsheet has beside its file. `state` names its content: equal states, equal cells."""

    __tablename__ = "sheets_spreadsheet"
    __table_args__ = {"info": {"volatile": ["state"], "names": {"spreadsheet": FILE}}}
    file_id: int = Field(primary_key=True)
    locale: str = "en_US"
    time_zone: str = "Etc/GMT"
    properties: dict[str, Any] | None = Field(
        default=None, sa_column=json_column()
    )  # further ones, as the vendor writes them
    state: str = ""


class Sheet(SQLModel, table=True):
    """One tab. `gid` is the vendor's sheetId; `properties` the rest of its SheetProperties."""

    __tablename__ = "sheets_sheet"
    __table_args__ = (
        Index("sheets_sheet_of", "file_id", "gid", unique=True),
        {"info": {"names": {"spreadsheet": FILE}}},
    )
    id: int | None = Field(default=None, primary_key=True)
    file_id: int = 0
    gid: int = 0
    title: str = ""
    position: int = 0
    rows: int = 1000
    columns: int = 26
    frozen_rows: int = 0
    frozen_columns: int = 0
    hidden: bool = False
    properties: dict[str, Any] | None = Field(default=None, sa_column=json_column())


class CellRow(SQLModel, table=True):
    """A cell that holds anything. `kind` and `input` are what was typed; `format` is the vendor's CellFormat."""

    __tablename__ = "sheets_cell"
    __table_args__ = {"sqlite_with_rowid": False, "info": {"names": {"spreadsheet": FILE, "sheet": SHEET}}}
    sheet_id: int = Field(primary_key=True)
    row: int = Field(primary_key=True)
    col: int = Field(primary_key=True)
    file_id: int = 0
    kind: str = ""  # number, text, boolean, formula
    input: str = ""
    format: str | None = None  # JSON, keys sorted
    note: str | None = None
    validation: str | None = None  # the vendor's DataValidationRule as JSON
    runs: str | None = None  # textFormatRuns as JSON


class Dimension(SQLModel, table=True):
    """A row or column that is not as usual: size in pixels, hidden by somebody or by a filter."""

    __tablename__ = "sheets_dimension"
    __table_args__ = {"sqlite_with_rowid": False, "info": {"names": {"sheet": SHEET}}}
    sheet_id: int = Field(primary_key=True)
    axis: str = Field(primary_key=True)  # ROWS, COLUMNS
    at: int = Field(primary_key=True)
    size: int | None = None
    hidden: bool = False
    filtered: bool = False


class Object(SQLModel, table=True):
    """Something that lies on a range: merge, named_range, protected_range, conditional_format, basic_filter,
    filter_view, banding, chart, table, pivot_table, metadata, group, slicer. `key` is the vendor's id, `spec` its JSON
    without the range."""

    __tablename__ = "sheets_object"
    __table_args__ = (
        Index("sheets_object_of", "file_id", "kind", "position"),
        {"info": {"names": {"spreadsheet": FILE, "sheet": SHEET}}},
    )
    id: int | None = Field(default=None, primary_key=True)
    file_id: int = 0
    sheet_id: int | None = None
    kind: str = ""
    key: str = ""
    name: str = ""
    position: int = 0
    top: int | None = None
    left: int | None = None
    bottom: int | None = None
    right: int | None = None
    spec: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))


class Undo(SQLModel, table=True):
    """What takes a person's gesture in the page back: rows as they were before (`undone`: as they were after)."""

    __tablename__ = "sheets_undo"
    __table_args__ = (Index("sheets_undo_of", "file_id", "person_id"), {"info": {"derived_from": "*"}})
    id: int | None = Field(default=None, primary_key=True)
    file_id: int = 0
    person_id: str = ""
    undone: bool = False
    patch: str = ""
