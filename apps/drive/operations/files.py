"""Files of the drive: found, described, downloaded and exported."""

from typing import Literal, NotRequired, TypedDict

from pydantic import Field

from apps.drive import blobs, contents, file_lists, file_lookup, page_tokens
from apps.drive.access import FileRow
from apps.drive.app import app
from apps.drive.identifiers import draw_id
from apps.drive.operations.params import (
    DOCS,
    EXAMPLE,
    READ,
    WRITE,
    Alt,
    FileParams,
    Key,
    Line,
    PageParams,
    PageSize,
    size,
)
from apps.drive.query.compiler import compile_search
from apps.drive.query.grammar import parse
from apps.drive.query.tree import BadQuery, NoFolder, asks_text
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

CORPORA = ("user", "domain", "drive", "allDrives")
SPACES = ("drive", "appDataFolder", "photos")


class FileList(TypedDict):
    """A page of files."""

    kind: str
    files: list[JsonObject]
    incompleteSearch: bool
    nextPageToken: NotRequired[str]


class ListFilesParams(PageParams):
    """Query, order and page of files."""

    q: Text = Field(
        default="",
        description=(
            "Search: `name contains 'plan' and mimeType = '...' and trashed = false`, `'<folder id>' in parents`."
        ),
        examples=["trashed = false"],
    )
    orderBy: Line = Field(
        default="",
        description="Keys with commas between them: name, modifiedTime desc, folder, createdTime, starred, recency …",
    )
    pageSize: PageSize | None = Field(default=None, description="Most files of a page, up to 1,000; 100 unless said.")
    corpora: Line = Field(
        default="", description="Where to look: user, domain, drive or allDrives; there are no shared drives here."
    )
    corpus: Line = Field(default="", description="The older name of `corpora`.")
    driveId: Line = Field(default="", description="A shared drive; there is none here.")
    spaces: Line = Field(default="", description="drive, which is usual, or appDataFolder, which is empty.")


@app.operation(
    "drive.files.list",
    source=DOCS + "files/list",
    scope=READ,
    examples=[{}],
    raises=("invalid_value", "order_with_text", "not_found", "no_drive", "bad_page_token"),
)
def list_files(call: Call, params: ListFilesParams) -> FileList:
    """Find files and folders in your drive or shared with you, by a search, in an order, page by page.

    Deviates: text of spreadsheets is found as typed, not as displayed.
    """
    _check_search(params)
    asked = f"files:{params.q}:{params.orderBy}:{params.spaces}"
    rows = _search_files(call, params) if "drive" in (params.spaces or "drive").split(",") else []
    shown, token = page_tokens.page(
        call, asked, rows, [row.id for row in rows], size(params.pageSize, 100, 1000), params.pageToken
    )
    views = Views(call)
    told: FileList = {"kind": "drive#fileList", "incompleteSearch": False, "files": [views.file(row) for row in shown]}
    if token:
        told["nextPageToken"] = token
    return told


def _check_search(params: ListFilesParams) -> None:
    if params.pageSize is not None and params.pageSize < 1:
        raise OperationError("invalid_value", parameter="pageSize")
    if (params.corpora or "user") not in CORPORA:
        raise OperationError("invalid_value", parameter="corpora")
    if any(one not in SPACES for one in (params.spaces or "drive").split(",")):
        raise OperationError("invalid_value", parameter="spaces")
    if params.driveId:
        raise OperationError("no_drive", id=params.driveId)


def _search_files(call: Call, params: ListFilesParams) -> list[FileRow]:
    try:
        tree = parse(params.q)
        rows = file_lists.files(call, compile_search(call, tree))
    except NoFolder:
        raise OperationError("not_found", id="") from None  # the vendor names no id here
    except BadQuery:
        raise OperationError("invalid_value", parameter="q") from None
    if not params.orderBy:
        return rows
    if asks_text(tree):
        raise OperationError("order_with_text")
    try:
        return file_lists.sort_files(call, rows, params.orderBy)
    except BadQuery:
        raise OperationError("invalid_value", parameter="orderBy") from None


class GetFileParams(FileParams):
    """A file, or its bytes."""

    alt: Alt = Field(default="json", description="media: the bytes of the file.")


@app.operation(
    "drive.files.get",
    source=DOCS + "files/get",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "not_downloadable", "cannot_download"),
)
def get_file(call: Call, params: GetFileParams) -> JsonObject:
    """Describe a file or folder: name, type, owners, sharing, times; with alt=media its bytes (base64url)."""
    file = file_lookup.get_visible_file(call, params.fileId)
    views = Views(call)
    if params.alt == "json":
        return views.file(file)
    return _media(call, views, file)


def _media(call: Call, views: Views, file: FileRow) -> JsonObject:
    data = blobs.read_blob(call, file)
    if not views.may(file, "canDownload"):
        raise OperationError("cannot_download")
    return {"content": blobs.encode_content(data), "mimeType": file.mime_type}


class ExportParams(FileParams):
    """A spreadsheet in another format."""

    fileId: Key = Field(description="Id of the spreadsheet.", examples=["$spreadsheets.create:spreadsheetId"])
    mimeType: Line = Field(
        default="",
        description="text/csv, text/tab-separated-values (first sheet); type of xlsx, ods or pdf; zip for web pages.",
    )


@app.operation(
    "drive.files.export",
    source=DOCS + "files/export",
    scope=READ,
    examples=[{"fileId": "$spreadsheets.create:spreadsheetId", "mimeType": "text/csv"}],
    raises=(
        "not_found",
        "forbidden",
        "required",
        "not_exportable",
        "conversion_unsupported",
        "cannot_download",
        "too_large_to_export",
    ),
)
def export_file(call: Call, params: ExportParams) -> JsonObject:
    """Export a spreadsheet as a file: xlsx, ods, pdf, zipped html, csv or tsv (base64url)."""
    file = file_lookup.get_file(call, params.fileId)
    if not params.mimeType:
        raise OperationError("required", parameter="mimeType")
    kept = contents.find_content(call, file.mime_type)
    if kept is None:
        raise OperationError("not_exportable")
    if not Views(call).may(file, "canDownload"):
        raise OperationError("cannot_download")
    kind = params.mimeType.partition(";")[0].strip().lower()
    return {"content": blobs.encode_content(kept.export(call, file.key, kind)), "mimeType": kind}


class GenerateIdsParams(Params):
    """Number and purpose of ids to generate."""

    count: PageSize = Field(default=10, description="How many, up to 1,000.")
    space: Literal["drive", "appDataFolder"] = Field(default="drive", description="Where they are used.")
    type: Literal["files", "shortcuts"] = Field(default="files", description="What they are used for.")


class GeneratedIds(TypedDict):
    """Ids that files can be created with."""

    kind: str
    space: str
    ids: list[str]


@app.operation(
    "drive.files.generateIds", source=DOCS + "files/generateIds", scope=WRITE, examples=[{}], raises=("invalid_value",)
)
def generate_ids(call: Call, params: GenerateIdsParams) -> GeneratedIds:
    """Generate ids that new files can be created with."""
    if not 1 <= params.count <= 1000:
        raise OperationError("invalid_value", parameter="count")
    return {"kind": "drive#generatedIds", "space": params.space, "ids": [draw_id(call) for _ in range(params.count)]}
