"""What other programs do in several calls, as one: a spreadsheet made in a folder, a sheet copied under a name, sharing
with several.
"""

from typing import Any, Literal, TypedDict

from pydantic import Field

from apps.sheets.access import FileRow, Grant
from apps.sheets.app import app
from apps.sheets.drive import file_lookup, grants, locations
from apps.sheets.drive.views import Views
from apps.sheets.new_files import new_spreadsheet, permission_key
from apps.sheets.operations import spreadsheet_view
from apps.sheets.operations.drive_fields import write
from apps.sheets.operations.drive_params import EXAMPLE as FILE
from apps.sheets.operations.drive_params import Key, Line, Long, OfFile
from apps.sheets.operations.drive_permissions import Sharing, create_permission
from apps.sheets.operations.params import EXAMPLE, Word
from apps.sheets.operations.requests import Asked, tabs
from apps.sheets.operations.requests.registry import Alone
from apps.sheets.operations.sheet_copy import Copying, copied
from apps.sheets.operations.spreadsheets import WRITE, SpreadsheetShape
from apps.sheets.refusals import render
from apps.sheets.spreadsheet import Book
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

SOURCE = "support.google.com/docs/topic/9046002"
DRIVE = "drive"
MOST = 200


class Making(Params):
    """A new spreadsheet."""

    title: Word = Field(default="", description="Its title.", examples=["Budget"])
    sheetNames: list[Word] = Field(
        default_factory=list, max_length=MOST, description="Titles of its sheets; one sheet unless said."
    )
    folderId: Key | None = Field(default=None, description="The folder it is to lie in; My Drive unless said.")


@app.operation(
    "web.create",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"sheetNames": ["Plan", "Actual"]}],
    raises=("bad_request", "not_found", "forbidden", "parent_not_folder", "cannot_add_parent", "hierarchy_too_deep"),
)
def make(call: Call, params: Making) -> SpreadsheetShape:
    """Make a spreadsheet with sheets of these names in a folder."""
    place = locations.first_place(call, [params.folderId]) if params.folderId else None
    key = new_spreadsheet(call, params.title or "Untitled spreadsheet", parent=place, first_sheet=not params.sheetNames)
    with Book(call, key, "file.write") as book:
        for number, title in enumerate(params.sheetNames):
            _sheet(book, Asked({}, "create", number), title)
    with Book(call, key) as book:
        return spreadsheet_view.spreadsheet(book, None, cells=False)  # type: ignore[return-value]


def _sheet(book: Book, asked: Asked, title: str) -> None:
    """A sheet of a new spreadsheet; the first has the number 0."""
    tabs.add(book, {"title": title, "sheetId": None if book.tabs else 0}, asked.wrong)


class CopyingNamed(Copying):
    """A sheet, where it goes, and what it is called there."""

    title: Word = Field(description="Title of the copy.", examples=["Copied"])


class CopiedSheet(TypedDict):
    """The copy's properties."""

    sheetId: int
    title: str
    index: int


@app.operation(
    "web.copySheet",
    source=SOURCE,
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "sheetId": 0, "destinationSpreadsheetId": EXAMPLE, "title": "Copied"}],
    raises=("not_found", "forbidden", "not_a_spreadsheet", "no_sheet", "bad_request"),
)
def copy_named(call: Call, params: CopyingNamed) -> CopiedSheet:
    """Copy a sheet into another spreadsheet under a name."""
    if not params.title.strip():
        raise Alone({}, "copyTo", 0).wrong(tabs.BAD_TITLE)
    made = copied(call, params, params.title)
    return {"sheetId": made.gid, "title": made.title, "index": made.position}


class Recipient(Params):
    """Somebody a file is to be shared with."""

    emailAddress: Line = Field(default="", description="Address of the person or group.")
    domain: Line = Field(default="", description="The company's domain, for type domain.")
    type: Line = Field(default="user", description="user, group, domain or anyone.")
    role: Line = Field(default="reader", description="reader, commenter or writer.")
    expirationTime: Line | None = Field(default=None, description="When it ends, RFC 3339.")


class SharingWithSeveral(OfFile):
    """With whom a file is to be shared."""

    recipients: list[Recipient] = Field(
        description="Each with emailAddress and role.",
        min_length=1,
        max_length=MOST,
        examples=[[{"type": "anyone", "role": "reader"}]],
    )
    sendNotificationEmail: bool = Field(default=True, description="Whether they are mailed.")
    emailMessage: Long = Field(default="", description="A text for the mail.")


class Shared(TypedDict):
    """Permissions given, and what was wrong with the others."""

    permissions: list[dict[str, Any]]
    failures: list[dict[str, Any]]


@app.operation(
    "web.share",
    source=SOURCE,
    scope=DRIVE,
    writes=True,
    examples=[{"fileId": FILE, "recipients": [{"type": "anyone"}]}],
    raises=("not_found", "forbidden"),
)
def share(call: Call, params: SharingWithSeveral) -> Shared:
    """Share a file with several people; what is wrong with one of them does not keep it from the others."""
    file_lookup.found(call, params.fileId, "file.share")
    told: Shared = {"permissions": [], "failures": []}
    for one in params.recipients:
        try:
            told["permissions"].append(create_permission(call, _sharing(params, one)))
        except OperationError as error:  # every check comes before the first write
            told["failures"].append(
                {**one.model_dump(include={"emailAddress", "role"}), "code": error.code, "error": render(error).message}
            )
    return told


def _sharing(params: SharingWithSeveral, one: Recipient) -> Sharing:
    mailed = {"sendNotificationEmail": params.sendNotificationEmail, "emailMessage": params.emailMessage}
    return Sharing(fileId=params.fileId, **one.model_dump(), **mailed)


class Access(OfFile):
    """What everybody with the link may do, and who may share and copy."""

    link: Literal["off", "reader", "commenter", "writer"] | None = Field(
        default=None, description="What who has the link may do; as it is unless said.", examples=["reader"]
    )
    writersCanShare: bool | None = Field(default=None, description="Whether writers may share it.")
    copyRequiresWriterPermission: bool | None = Field(
        default=None, description="Whether readers may not copy or download it."
    )


@app.operation(
    "web.setAccess",
    source=SOURCE,
    scope=DRIVE,
    writes=True,
    examples=[{"fileId": FILE}],
    raises=("not_found", "forbidden"),
)
def set_access(call: Call, params: Access) -> dict[str, Any]:
    """Set what everybody with the link may do with a file, and whether writers may share and readers copy it."""
    file = file_lookup.found(call, params.fileId)
    if params.link:
        call.authorise("file.share", file)
        _link(call, file, params.link)
    said = params.model_dump(include={"writersCanShare", "copyRequiresWriterPermission"}, exclude_none=True)
    if said:
        call.authorise("file.own" if "writersCanShare" in said else "file.share", file)
        file.settings = {**file.settings, **said}
        write(call, file)
    return Views(call).file(file_lookup.found(call, params.fileId))


def _link(call: Call, file: FileRow, role: str) -> None:
    key = permission_key("anyone", "")
    grants.drop(call, file.id, key)
    if role != "off":
        grants.put(call, Grant(file.id, key, "anyone", role, None, "", "", False, None, call.now, call.person))
