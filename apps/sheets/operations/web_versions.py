"""Version history on a spreadsheet's page: list, view with changes, name, restore."""

from typing import Any, TypedDict

from pydantic import Field

from apps.drive.public import READ, WRITE, FileRow, Key, Revision, Views, format_timestamp, revisions
from apps.sheets.app import app
from apps.sheets.history import undo_history, versions
from apps.sheets.operations.params import EXAMPLE, SpreadsheetParams, Word
from apps.sheets.operations.web_grid import ViewParams
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.spreadsheet_files import spreadsheet
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views import grid_view
from world.core.call import Call
from world.core.json_types import JsonObject

SOURCE = "support.google.com/docs/answer/190843"


class Version(TypedDict):
    """A version of a spreadsheet."""

    id: str
    name: str
    modifiedTime: str
    who: CheckedObject
    current: bool
    first: bool


class Versions(TypedDict):
    """The versions of a spreadsheet, the last first."""

    title: str
    versions: list[Version]


class VersionSheet(TypedDict):
    """A sheet of a version, with the cells that changed in it since the one before."""

    version: Version
    window: JsonObject
    sheet: CheckedObject
    tabs: list[CheckedObject]
    changed: list[list[int]]
    extent: list[int]


class VersionParams(ViewParams):
    """A version, and the part of it that is in view."""

    revisionId: Key = Field(default="head", description="Id of the version; `head` is the last.", examples=["head"])


def _version_view(views: Views, one: Revision, last: Revision) -> Version:
    return {
        "id": one.key,
        "name": one.mark.name,
        "modifiedTime": format_timestamp(one.at),
        "who": views.author(one.person),
        "current": one.key == last.key,
        "first": one.call_seq == 0,
    }


@app.operation(
    "web.versions",
    source=SOURCE,
    scope=READ,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet"),
)
def list_versions(call: Call, params: SpreadsheetParams) -> Versions:
    """List the versions of a spreadsheet you may change, the last first: when, by whom, and what they were named."""
    file = spreadsheet(call, params.spreadsheetId, "file.write")
    known, views = revisions.every(call, file), Views(call)
    return {"title": file.name, "versions": [_version_view(views, one, known[-1]) for one in reversed(known)]}


@app.operation(
    "web.version",
    source=SOURCE,
    scope=READ,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_revision", "no_sheet"),
)
def look(call: Call, params: VersionParams) -> VersionSheet:
    """Show a sheet as it was in an older version of a spreadsheet, and which of its cells changed then."""
    file = spreadsheet(call, params.spreadsheetId, "file.write")
    known = revisions.every(call, file)
    one = revisions.get_revision(call, file, params.revisionId)
    with versions.as_of(call, file, one.call_seq), Spreadsheet(call, params.spreadsheetId) as book:
        gids = {tab.gid for tab in book.tabs}
        tab = params.tab(book) if params.gid is None or params.gid in gids else book.tabs[0]
        bottom, right = book.last(tab)
        return {
            "version": _version_view(Views(call), one, known[-1]),
            "window": grid_view.window(book, tab, params.area()),
            "sheet": grid_view.sheet(book, tab),
            "tabs": grid_view.tabs(book),
            "changed": _list_changed_cells(call, file, book, tab, known, one),
            "extent": [bottom + 1, right + 1],
        }


def _list_changed_cells(
    call: Call, file: FileRow, book: Spreadsheet, tab: Any, known: list[Revision], one: Revision
) -> list[list[int]]:
    """The cells of a sheet that hold something else than in the version before."""
    place = [other.key for other in known].index(one.key)
    if place == 0:
        return []
    between = versions.list_changes(call, file, known[place - 1].call_seq, one.call_seq)
    differ = {
        at: rows
        for at, rows in between.items()
        if at[0] == "sheets_cell" and _cell_content(rows[0]) != _cell_content(rows[1])
    }
    return [list(at) for at in undo_history.list_places(tab, undo_history.touches(differ))]


def _cell_content(row: CheckedObject | None) -> tuple[str, str]:
    return ("", "") if row is None else (row["kind"], row["input"])


class NameVersionParams(SpreadsheetParams):
    """A name for a version."""

    revisionId: Key = Field(default="head", description="Id of the version; `head` is the last.", examples=["head"])
    name: Word = Field(default="", description="Its name; none takes the name away.", examples=["As approved"])


@app.operation(
    "web.nameVersion",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "name": "As approved"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_revision"),
)
def name_version(call: Call, params: NameVersionParams) -> Version:
    """Name a version of a spreadsheet; later edits begin another."""
    file = spreadsheet(call, params.spreadsheetId, "file.write")
    one = revisions.get_revision(call, file, params.revisionId)
    revisions.mark(call, file, one.key, one.mark._replace(name=params.name.strip()))
    return _version_view(Views(call), revisions.get_revision(call, file, one.key), revisions.every(call, file)[-1])


class RestoreVersionParams(SpreadsheetParams):
    """The version that is to come back."""

    revisionId: Key = Field(default="head", description="Id of the version.", examples=["head"])


@app.operation(
    "web.restoreVersion",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_revision", "protected"),
)
def restore_version(call: Call, params: RestoreVersionParams) -> Versions:
    """Restore a spreadsheet to a version; this is a new edit, and the history stays."""
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        one = revisions.get_revision(call, book.file, params.revisionId)
        versions.restore(book, one.call_seq)
    return list_versions(call, SpreadsheetParams(spreadsheetId=params.spreadsheetId))
