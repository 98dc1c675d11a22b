"""What only the pages of files ask for: whom a file may be shared with, access asked for, files taken into and out of a
spreadsheet.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any, Literal, NotRequired, TypedDict

from pydantic import Field

from apps.sheets import access, files, versions
from apps.sheets.app import app
from apps.sheets.drive import (
    activity,
    blobs,
    conversion,
    file_lookup,
    groups,
    mail_notifications,
    media_types,
    revisions,
)
from apps.sheets.drive.timestamps import shown
from apps.sheets.drive.views import Views
from apps.sheets.operations.drive_params import MOST_BASE64, READ, WRITE, Key, Line, Long
from apps.sheets.operations.params import EXAMPLE
from apps.sheets.spreadsheet import Book
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Int64, Params, Text

SOURCE = "support.google.com/docs/topic/9046002"
MOST = 20
OF_ONE = ("csv", "tsv")
KINDS = {
    "xlsx": media_types.XLSX,
    "ods": media_types.ODS,
    "html": media_types.ZIP,
    "csv": media_types.CSV,
    "tsv": media_types.TSV,
}
_PEOPLE = (
    "SELECT full_name, email, title FROM person WHERE kind = 'employee' AND status = 'active' ORDER BY full_name, id"
)


class Naming(Params):
    """What was typed of a name or an address."""

    q: Text = Field(
        default="", max_length=200, description="The beginning of a name or of an address.", examples=["ad"]
    )
    limit: Int64 = Field(default=8, ge=1, le=MOST, description="Most to name.")


class Somebody(TypedDict):
    """A person or a group."""

    name: str
    email: str
    about: str
    type: str


class People(TypedDict):
    """People and groups."""

    people: list[Somebody]


@app.operation("web.people", source=SOURCE, scope=READ, examples=[{"q": "a"}])
def people(call: Call, params: Naming) -> People:
    """Complete the name or the address of a colleague, a team or everybody, for sharing and for comments."""
    wanted = params.q.strip().lower().lstrip("@+")
    found = [one for one in _known(call) if _begins(one, wanted)] if groups.is_employee(call, call.person) else []
    return {"people": found[: params.limit]}


def _known(call: Call) -> Iterator[Somebody]:
    """Everybody here, then the addresses that stand for several."""
    for name, email, title in call.all(_PEOPLE):
        yield {"name": name, "email": email, "about": title, "type": "user"}
    for group in groups.every(call):
        yield {"name": group.name, "email": group.address, "about": "Group", "type": "group"}


def _begins(one: Somebody, wanted: str) -> bool:
    words = [*one["name"].lower().replace("-", " ").split(), one["name"].lower(), one["email"].lower()]
    return any(word.startswith(wanted) for word in words)


class Asking(Params):
    """Access that somebody wants."""

    fileId: Key = Field(description="Id of the file.", examples=[EXAMPLE])
    role: Literal["reader", "commenter", "writer"] = Field(
        default="reader", description="What for: reader, commenter or writer."
    )
    message: Long = Field(default="", description="A text for the owner.", examples=["I need it for the report."])


@app.operation(
    "web.requestAccess",
    source="support.google.com/drive/answer/6109494",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "message": "I need it for the report."}],
    raises=("not_found",),
)
def request_access(call: Call, params: Asking) -> None:
    """Ask the owner of a file for access to it: they are mailed, unless you have it."""
    file = access.by_key(call, params.fileId)
    if file is None or file.trashed_at is not None:
        raise OperationError("not_found", id=params.fileId)
    if access.ROLES[access.role(call, file)] < access.ROLES[params.role]:
        mail_notifications.asked(call, file, params.role, params.message)


class Importing(Params):
    """A file for a spreadsheet."""

    spreadsheetId: Key = Field(description="Id of the spreadsheet.", examples=[EXAMPLE])
    name: Line = Field(default="", description="The file's name.", examples=["offices.csv"])
    content: str = Field(
        max_length=MOST_BASE64, description="Its bytes, in base64url.", examples=["Y2l0eSxkZXNrcwpCZXJsaW4sMTI="]
    )
    contentType: Line = Field(default="", description="Their type; found out by the name unless said.")
    where: files.Where = Field(
        default="new_sheets", description="new_sheets, replace_spreadsheet, replace_sheet, append or replace_at."
    )
    gid: Int64 = Field(default=0, description="The sheet that is replaced or appended to.")
    row: Int64 = Field(default=0, ge=0, description="Of replace_at: the first row, from 0.")
    column: Int64 = Field(default=0, ge=0, description="Of replace_at: the first column, from 0.")
    typed: bool = Field(default=True, description="Whether texts become numbers, dates and formulas.")
    delimiter: Text = Field(default="", max_length=3, description="Between values of a line; found out unless said.")


class Imported(TypedDict):
    """The sheets that changed."""

    sheets: list[dict[str, Any]]
    gid: NotRequired[int]


@app.operation(
    "web.import",
    source="support.google.com/docs/answer/40608",
    scope=WRITE,
    writes=True,
    examples=[{"spreadsheetId": EXAMPLE, "name": "offices.csv", "content": "Y2l0eSxkZXNrcwpCZXJsaW4sMTI"}],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "no_sheet",
        "protected",
        "bad_content",
        "too_large",
        "conversion_unsupported",
        "bad_request",
        "bad_file",
        "encrypted_file",
        "file_too_large",
        "too_many_cells",
        "too_many_sheets",
        "too_long",
    ),
)
def import_file(call: Call, params: Importing) -> Imported:
    """Take an xlsx, csv or tsv file into a spreadsheet: as new sheets, instead of what is there, or after it."""
    kind = conversion.FORMATS.get(media_types.guessed(params.name, params.contentType))
    if kind is None:
        raise OperationError("conversion_unsupported")
    title = params.name.rpartition(".")[0].strip()[:100] or "Sheet"
    how = files.How(
        params.where, params.gid, params.row, params.column, typed=params.typed, delimiter=params.delimiter, title=title
    )
    with Book(call, params.spreadsheetId, "file.write") as book:
        changed = files.into(call, book, blobs.decoded(params.content), kind, how)
        told: Imported = {"sheets": [{"sheetId": tab.gid, "title": tab.title} for tab in changed]}
    return {**told, "gid": changed[0].gid} if changed else told


class Downloading(Params):
    """A spreadsheet, or one of its sheets, as a file."""

    spreadsheetId: Key = Field(description="Id of the spreadsheet.", examples=[EXAMPLE])
    format: Literal["xlsx", "ods", "html", "csv", "tsv"] = Field(
        default="xlsx", description="xlsx, ods, html (zipped), csv or tsv."
    )
    gid: Int64 | None = Field(default=None, description="Of csv and tsv: the sheet; the first visible one unless said.")
    revisionId: Key | None = Field(default=None, description="An older revision of it, for those who may change it.")


class Downloaded(TypedDict):
    """A file."""

    name: str
    mimeType: str
    content: str


@app.operation(
    "web.download",
    source="support.google.com/docs/answer/40608",
    scope=READ,
    examples=[{"spreadsheetId": EXAMPLE}],
    raises=(
        "not_found",
        "forbidden",
        "not_a_spreadsheet",
        "no_sheet",
        "no_revision",
        "cannot_download",
        "too_large_to_export",
    ),
)
def download(call: Call, params: Downloading) -> Downloaded:
    """Turn a spreadsheet into an xlsx, ods or zipped html file, or one of its sheets into csv or tsv (base64url)."""
    file = access.spreadsheet(call, params.spreadsheetId, "file.write" if params.revisionId else "file.read")
    if (
        file.settings.get("copyRequiresWriterPermission")
        and access.ROLES[access.role(call, file)] < access.ROLES["writer"]
    ):
        raise OperationError("cannot_download")
    seq = revisions.find(call, file, params.revisionId).call_seq if params.revisionId else None
    with nullcontext() if seq is None else versions.as_of(call, file, seq):
        data = conversion.exported(
            call, file.key, KINDS[params.format], params.gid if params.format in OF_ONE else None
        )
        return {
            "name": _file_name(call, file, params),
            "mimeType": KINDS[params.format],
            "content": blobs.encoded(data),
        }


def _file_name(call: Call, file: access.FileRow, params: Downloading) -> str:
    """`Budget.xlsx`; of one sheet `Budget - Q1.csv`, as the vendor's page names it."""
    sql = (
        "SELECT title FROM sheets_sheet WHERE file_id = :file AND (:gid IS NULL AND NOT hidden OR gid = :gid) ORDER BY"
        " position LIMIT 1"
    )
    title = call.scalar(sql, {"file": file.id, "gid": params.gid}) if params.format in OF_ONE else None
    return f"{file.name}{f' - {title}' if title else ''}.{'zip' if params.format == 'html' else params.format}"


class OfWhat(Params):
    """A file or folder."""

    fileId: Key = Field(description="Id of the file or folder.", examples=[EXAMPLE])


class Did(TypedDict):
    """What somebody did."""

    time: str
    who: dict[str, Any]
    said: str
    more: str


class Activity(TypedDict):
    """What happened to a file, the last first."""

    activity: list[Did]


@app.operation(
    "web.activity",
    source="support.google.com/drive/answer/6310686",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden"),
)
def list_activity(call: Call, params: OfWhat) -> Activity:
    """Tell what happened to a file or folder and by whom: edits, names, places, sharing (to those who may change it),
    comments.
    """
    views = Views(call)
    found = activity.of(call, file_lookup.found(call, params.fileId))
    return {
        "activity": [
            {
                "time": shown(one.at),
                "who": views.author(one.person),
                "said": one.said,
                "more": activity.named(call, one.more),
            }
            for one in found
        ]
    }
