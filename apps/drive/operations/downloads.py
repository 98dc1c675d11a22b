"""Downloads as finished operations; and labels, of which files have none."""

import base64
import binascii
from typing import TypedDict

import orjson
from pydantic import Field

from apps.drive import blobs, contents, file_lookup, media_types, revisions
from apps.drive.app import app
from apps.drive.operations.params import DOCS, EXAMPLE, READ, FileParams, Key, Line, PageParams
from apps.drive.views import Views, export_page
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

RESPONSE = "type.googleapis.com/google.apps.drive.v3.DownloadFileResponse"


class DownloadParams(FileParams):
    """Request fields of a download: file, format and revision."""

    mimeType: Line = Field(default="", description="Of spreadsheets: the type wanted, xlsx unless said.")
    revisionId: Key | None = Field(default=None, description="A revision; the last unless said.")


class FinishedOperation(TypedDict):
    """A finished operation."""

    name: str
    done: bool
    metadata: JsonObject
    response: JsonObject


@app.operation(
    "drive.files.download",
    source=DOCS + "files/download",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=(
        "not_found",
        "forbidden",
        "no_revision",
        "not_downloadable",
        "conversion_unsupported",
        "invalid_value",
        "cannot_download",
    ),
)
def download_file(call: Call, params: DownloadParams) -> FinishedOperation:
    """Begin the download of a file: the answer is a finished operation with the address of the bytes.

    Deviates: the address wants the caller's token; that of a spreadsheet's older revision is a page's.
    """
    return _to_finished(call, params)


class OperationParams(Params):
    """Id of an operation."""

    name: Text = Field(min_length=1, max_length=2000, description="Its name.", examples=["$drive.files.download:name"])


@app.operation(
    "drive.operations.get",
    source=DOCS + "operations/get",
    scope=READ,
    after=["drive.files.download"],
    examples=[{"name": "$drive.files.download:name"}],
    raises=(
        "no_operation",
        "not_found",
        "forbidden",
        "no_revision",
        "not_downloadable",
        "conversion_unsupported",
        "invalid_value",
        "cannot_download",
    ),
)
def get_operation(call: Call, params: OperationParams) -> FinishedOperation:
    """Read the state of a download you began: it is done."""
    try:
        told = orjson.loads(base64.urlsafe_b64decode(params.name + "=" * (-len(params.name) % 4)))
        key, kind, revision = (str(one) for one in told)
    except (binascii.Error, ValueError, TypeError):
        raise OperationError("no_operation", id=params.name) from None
    if not 0 < len(key) <= 200 or len(kind) > 200 or len(revision) > 200:
        raise OperationError("no_operation", id=params.name)
    return _to_finished(call, DownloadParams(fileId=key, mimeType=kind, revisionId=revision or None))


def _to_finished(call: Call, params: DownloadParams) -> FinishedOperation:
    told = [params.fileId, params.mimeType, params.revisionId or ""]
    address = _address(call, params)
    name = base64.urlsafe_b64encode(orjson.dumps(told)).decode().rstrip("=")
    return {
        "name": name,
        "done": True,
        "metadata": {},
        "response": {"@type": RESPONSE, "downloadUri": address, "partialDownloadAllowed": False},
    }


def _address(call: Call, params: DownloadParams) -> str:
    """Return the download address."""
    file = file_lookup.get_file(call, params.fileId, "file.write" if params.revisionId else "file.read")
    kind = (params.mimeType or media_types.XLSX).partition(";")[0].strip().lower()
    kept = contents.find_content(call, file.mime_type)
    if kept is not None:
        if kind not in kept.exports:
            raise OperationError("conversion_unsupported")
    elif params.mimeType:
        raise OperationError("invalid_value", parameter="mimeType")
    elif blobs.get_content(call, file) is None:
        raise OperationError("not_downloadable")
    if not Views(call).may(file, "canDownload"):
        raise OperationError("cannot_download")
    revision = revisions.get_revision(call, file, params.revisionId).key if params.revisionId else ""
    base = f"{(call.base_url or '/sheets').removesuffix('/v4').removesuffix('/drive/v3')}/drive/v3/files/{file.key}"
    if kept is None:
        return f"{base}/revisions/{revision}?alt=media" if revision else f"{base}?alt=media"
    return (
        f"{export_page(call, file)}?revision={revision}&mimeType={kind}"
        if revision
        else f"{base}/export?mimeType={kind}"
    )


class ListLabelsParams(PageParams, FileParams):
    """The labels of a file."""

    maxResults: int | None = Field(default=None, ge=1, le=100, description="Most of a page.")


class LabelList(TypedDict):
    """A page of labels."""

    kind: str
    labels: list[JsonObject]


@app.operation(
    "drive.files.listLabels",
    source=DOCS + "files/listLabels",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden", "bad_page_token"),
)
def list_labels(call: Call, params: ListLabelsParams) -> LabelList:
    """List the labels of a file: the company has defined none."""
    file_lookup.get_file(call, params.fileId)
    if params.pageToken:
        raise OperationError("bad_page_token")
    return {"kind": "drive#labelList", "labels": []}
