"""A service of a few methods of Sheets and Drive that keeps nothing and tells what it was asked: what is tested is the
door.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from typing import Any

from pydantic import Field
from starlette.routing import BaseRoute

from apps.drive.app import HOSTS as DRIVE_HOSTS
from apps.drive.rest.api import DRIVE
from apps.google import door
from apps.sheets.app import HOSTS as SHEETS_HOSTS
from apps.sheets.rest.api import SHEETS
from world.core.app import App
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params
from world.run.host import Host

app = App("sheets", "Shelf", window_s=60, hosts=(*SHEETS_HOSTS, *DRIVE_HOSTS))
app.fault_codes.update(
    error="internal", timeout="deadline_exceeded", readonly="unavailable", ratelimit="quota_exceeded"
)
app.token_forms.update(user="ya29.{}")
APIS = (replace(SHEETS, app=app), replace(DRIVE, app=app))
LETTERS = bytes(range(256)) * 4
ASKED: list[dict[str, Any]] = []


def routes(host: Host) -> list[BaseRoute]:
    """The door."""
    return door.routes(
        host, APIS, batches=("/batch", "/batch/sheets/v4", "/batch/drive/v3"), paths=("/v4", "/drive/v3")
    )


class Anything(Params):
    """Whatever the door makes of a request."""

    model_config = {"extra": "allow"}
    spreadsheetId: str = Field(default="", description="A spreadsheet.")
    fileId: str = Field(default="", description="A file.")

    def told(self) -> dict[str, Any]:
        """What was said, kept for the test to read."""
        said = self.model_dump(exclude_unset=True)
        ASKED.append(said)
        return said


def declare(id: str, *, writes: bool = False, scope: str = "", limit: int | None = None) -> Any:
    """An operation of the shelf."""
    return app.operation(id, source="a test", writes=writes, scope=scope, limit=limit)


@declare("spreadsheets.values.get", scope="spreadsheets.readonly", limit=60)
def get_values(call: Call, params: Anything) -> Any:
    """Numbers with and without a fraction."""
    said = params.told()
    return {"range": said["range"], "majorDimension": "ROWS", "values": [[105.0, 0.5, "7.0", True, 1e21], [-3.0]]}


@declare("spreadsheets.values.update", scope="spreadsheets", writes=True, limit=60)
def update_values(call: Call, params: Anything) -> Any:
    """The values it was given."""
    said = params.told()
    return {
        "spreadsheetId": said["spreadsheetId"],
        "updatedRange": said["range"],
        "updatedData": {"values": said.get("values", [])},
    }


@declare("spreadsheets.values.append", scope="spreadsheets", writes=True)
def append_values(call: Call, params: Anything) -> Any:
    """Where values would go."""
    return {"spreadsheetId": params.told()["spreadsheetId"]}


@declare("spreadsheets.get", scope="spreadsheets.readonly")
def get_spreadsheet(call: Call, params: Anything) -> Any:
    """One sheet, with cells where they are asked for."""
    data = {"data": [{"startRow": 0}]} if params.told().get("includeGridData") else {}
    return {
        "spreadsheetId": params.spreadsheetId,
        "sheets": [{"properties": {"sheetId": 0, "title": "Sheet1"}, **data}],
    }


@declare("spreadsheets.batchUpdate", scope="spreadsheets", writes=True)
def batch_update(call: Call, params: Anything) -> Any:
    """One empty reply to each request."""
    return {"spreadsheetId": params.spreadsheetId, "replies": [{} for _ in params.told()["requests"]]}


@declare("spreadsheets.sheets.copyTo", scope="spreadsheets", writes=True)
def copy_to(call: Call, params: Anything) -> Any:
    """The number of the sheet."""
    return {"sheetId": params.told()["sheetId"]}


def shown(said: dict[str, Any]) -> Any:
    """A file with as many bytes as were sent."""
    size = len(urlsafe_b64decode(said.get("content", "")))
    name, kind = said.get("name", "Untitled"), said.get("mimeType") or said.get("contentType", "text/plain")
    return {
        "kind": "drive#file",
        "id": "f1",
        "name": name,
        "mimeType": kind,
        "size": str(size),
        "starred": False,
        "properties": {"a": "1", "b": "2"},
    }


@declare("drive.files.create", scope="drive.file", writes=True)
def create_file(call: Call, params: Anything) -> Any:
    """A file."""
    return shown(params.told())


@declare("drive.files.update", scope="drive.file", writes=True)
def update_file(call: Call, params: Anything) -> Any:
    """A file."""
    return shown(params.told())


@declare("drive.files.get", scope="drive.metadata.readonly")
def get_file(call: Call, params: Anything) -> Any:
    """A file or its bytes; one of another name is not there."""
    said = params.told()
    if params.fileId != "f1":
        raise OperationError("not_found", id=params.fileId)
    return (
        {"content": urlsafe_b64encode(LETTERS).decode().rstrip("="), "mimeType": "image/png"}
        if said.get("alt") == "media"
        else shown(said)
    )


@declare("drive.files.export", scope="drive.readonly")
def export_file(call: Call, params: Anything) -> Any:
    """A file's bytes in another form."""
    return {"content": urlsafe_b64encode(b"a,b\r\n").decode(), "mimeType": params.told()["mimeType"]}


@declare("drive.files.list", scope="drive.metadata.readonly")
def list_files(call: Call, params: Anything) -> Any:
    """One file."""
    return {"kind": "drive#fileList", "incompleteSearch": False, "files": [shown(params.told())]}


@declare("drive.files.delete", scope="drive.file", writes=True)
def delete_file(call: Call, params: Anything) -> None:
    """Nothing."""
    params.told()


@declare("drive.files.emptyTrash", scope="drive", writes=True)
def empty_trash(call: Call, params: Anything) -> None:
    """Nothing."""
    params.told()


@declare("drive.comments.list", scope="drive.readonly")
def list_comments(call: Call, params: Anything) -> Any:
    """None."""
    params.told()
    return {"kind": "drive#commentList", "comments": []}


@declare("web.shelves")
def shelves(call: Call, params: Anything) -> Any:
    """What only the page asks for."""
    return {"shelves": params.told().get("wanted", 0)}
