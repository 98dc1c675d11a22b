"""Tables of the spreadsheet service; its files lie in the drive (`drive_file`). People are directory ids (`p_…`), times
microseconds UTC.

What people typed is kept, one row a cell (`sheets_cell`, rows and columns counted from 0); what it computes to is never
stored.
A cell's `row` and `col` are its lines' numbers: their places, until lines are put in, taken out or moved
(apps/sheets/structure/line_order.py).
Everything else that lies on a range of a sheet, from a merge to a chart, is a row of `sheets_object` with the vendor's
JSON.
"""

# SQLModel types __tablename__ as a declared attribute
# pyright: reportAssignmentType=false

from typing import Any

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field, SQLModel

FILE = "file_id:drive_file.name"
SHEET = "sheet_id:sheets_sheet.title"


def json_column() -> Any:
    """A JSON column; None is NULL."""
    return Column(JSON(none_as_null=True))


class Spreadsheet(SQLModel, table=True):
    """A spreadsheet's data beside its file. `state` identifies its content: equal states, equal cells."""

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
    """A cell with content. `kind` and `input` are as typed; `format` is the vendor's CellFormat."""

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
    """A row or column that differs from the default: size in pixels, hidden by somebody or by a filter."""

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
    """Undo record of a person's gesture in the page: rows as they were before (`undone`: as they were after)."""

    __tablename__ = "sheets_undo"
    __table_args__ = (Index("sheets_undo_of", "file_id", "person_id"), {"info": {"derived_from": "*"}})
    id: int | None = Field(default=None, primary_key=True)
    file_id: int = 0
    person_id: str = ""
    undone: bool = False
    patch: str = ""
