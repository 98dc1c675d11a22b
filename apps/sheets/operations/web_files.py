"""Operations of the pages only: import of files into a spreadsheet, and download of a spreadsheet."""

from contextlib import nullcontext
from typing import Literal, NotRequired, TypedDict

from pydantic import Field

from apps.drive.public import MOST_BASE64, READ, WRITE, FileRow, Key, Line, access, blobs, media_types, revisions
from apps.sheets.app import app
from apps.sheets.files import conversion, import_export
from apps.sheets.history import versions
from apps.sheets.operations.params import EXAMPLE
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure import spreadsheet_files
from apps.sheets.vendor_types import CheckedObject
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Int64, Params, Text

SOURCE = "support.google.com/docs/topic/9046002"
OF_ONE = ("csv", "tsv")  # a pdf is of one sheet if one is named
KINDS = {
    "xlsx": media_types.XLSX,
    "ods": media_types.ODS,
    "pdf": media_types.PDF,
    "html": media_types.ZIP,
    "csv": media_types.CSV,
    "tsv": media_types.TSV,
}


class ImportFileParams(Params):
    """A file for a spreadsheet."""

    spreadsheetId: Key = Field(description="Id of the spreadsheet.", examples=[EXAMPLE])
    name: Line = Field(default="", description="The file's name.", examples=["offices.csv"])
    content: str = Field(
        max_length=MOST_BASE64, description="Its bytes, in base64url.", examples=["Y2l0eSxkZXNrcwpCZXJsaW4sMTI="]
    )
    contentType: Line = Field(default="", description="Their type; found out by the name unless said.")
    where: import_export.Where = Field(
        default="new_sheets", description="new_sheets, replace_spreadsheet, replace_sheet, append or replace_at."
    )
    gid: Int64 = Field(default=0, description="The sheet that is replaced or appended to.")
    row: Int64 = Field(default=0, ge=0, description="Of replace_at: the first row, from 0.")
    column: Int64 = Field(default=0, ge=0, description="Of replace_at: the first column, from 0.")
    typed: bool = Field(default=True, description="Whether texts become numbers, dates and formulas.")
    delimiter: Text = Field(default="", max_length=3, description="Between values of a line; found out unless said.")


class ImportedSheets(TypedDict):
    """The sheets that changed."""

    sheets: list[CheckedObject]
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
def import_file(call: Call, params: ImportFileParams) -> ImportedSheets:
    """Import an xlsx, csv or tsv file into a spreadsheet: as new sheets, in place of its content, or after it."""
    kind = conversion.FORMATS.get(media_types.guess_type(params.name, params.contentType))
    if kind is None:
        raise OperationError("conversion_unsupported")
    title = params.name.rpartition(".")[0].strip()[:100] or "Sheet"
    how = import_export.How(
        params.where, params.gid, params.row, params.column, typed=params.typed, delimiter=params.delimiter, title=title
    )
    with Spreadsheet(call, params.spreadsheetId, "file.write") as book:
        changed = import_export.into(call, book, blobs.decode_content(params.content), kind, how)
        told: ImportedSheets = {"sheets": [{"sheetId": tab.gid, "title": tab.title} for tab in changed]}
    return {**told, "gid": changed[0].gid} if changed else told


class DownloadParams(Params):
    """A spreadsheet, or one of its sheets, as a file."""

    spreadsheetId: Key = Field(description="Id of the spreadsheet.", examples=[EXAMPLE])
    format: Literal["xlsx", "ods", "pdf", "html", "csv", "tsv"] = Field(
        default="xlsx", description="xlsx, ods, pdf, html (zipped), csv or tsv."
    )
    gid: Int64 | None = Field(
        default=None, description="Of pdf: one sheet alone. Of csv and tsv: the sheet, the first visible unless said."
    )
    revisionId: Key | None = Field(default=None, description="An older revision of it, for those who may change it.")


class DownloadedFile(TypedDict):
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
def download(call: Call, params: DownloadParams) -> DownloadedFile:
    """Convert a spreadsheet to an xlsx, ods, pdf or zipped html file, or one of its sheets to pdf, csv or tsv (base64url)."""
    file = spreadsheet_files.spreadsheet(call, params.spreadsheetId, "file.write" if params.revisionId else "file.read")
    if (
        file.settings.get("copyRequiresWriterPermission")
        and access.ROLES[access.role(call, file)] < access.ROLES["writer"]
    ):
        raise OperationError("cannot_download")
    seq = revisions.get_revision(call, file, params.revisionId).call_seq if params.revisionId else None
    with nullcontext() if seq is None else versions.as_of(call, file, seq):
        data = conversion.export_file(
            call, file.key, KINDS[params.format], params.gid if params.format in (*OF_ONE, "pdf") else None
        )
        return {
            "name": _file_name(call, file, params),
            "mimeType": KINDS[params.format],
            "content": blobs.encode_content(data),
        }


def _file_name(call: Call, file: FileRow, params: DownloadParams) -> str:
    """`Budget.xlsx`; of one sheet `Budget - Q1.csv`, as the vendor's page names it."""
    sql = (
        "SELECT title FROM sheets_sheet WHERE file_id = :file AND (:gid IS NULL AND NOT hidden OR gid = :gid) ORDER BY"
        " position LIMIT 1"
    )
    of_one = params.format in OF_ONE or (params.format == "pdf" and params.gid is not None)
    title = call.scalar(sql, {"file": file.id, "gid": params.gid}) if of_one else None
    return f"{file.name}{f' - {title}' if title else ''}.{'zip' if params.format == 'html' else params.format}"
