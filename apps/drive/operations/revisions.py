"""Revisions of files: listed, read, kept, deleted."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.drive import blobs, file_lookup, media_types, page_tokens, revisions
from apps.drive.access import FOLDER, FileRow
from apps.drive.app import app
from apps.drive.operations.params import DOCS, EXAMPLE, READ, WRITE, Alt, FileParams, Key, PageParams, PageSize, size
from apps.drive.revisions import Revision
from apps.drive.timestamps import format_timestamp
from apps.drive.views import Views, export_page
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

KEPT = "keepForever"
PUBLISHED = ("published", "publishAuto", "publishedOutsideDomain")
MOST_KEPT = 200  # developers.google.com/workspace/drive/api/reference/rest/v3/revisions


class RevisionParams(FileParams):
    """One revision of a file."""

    revisionId: Key = Field(description="Id of the revision; `head` is the last.", examples=["head"])


class GetRevisionParams(RevisionParams):
    """One revision, or its bytes."""

    alt: Alt = Field(default="json", description="media: the bytes.")


class ListRevisionsParams(PageParams, FileParams):
    """The revisions of a file."""

    pageSize: PageSize | None = Field(default=None, description="Most of a page, up to 1,000; 200 unless said.")


class RevisionList(TypedDict):
    """A page of revisions."""

    kind: str
    revisions: list[JsonObject]
    nextPageToken: NotRequired[str]


def get_revised_file(call: Call, key: str) -> FileRow:
    """Return a file with revisions, for its writers. Raises not_found, forbidden, no_revisions."""
    file = file_lookup.get_file(call, key, "file.write")
    if file.mime_type == FOLDER or file.mime_type == media_types.SHORTCUT:
        raise OperationError("no_revisions")
    return file


def _shape(call: Call, views: Views, file: FileRow, one: Revision) -> JsonObject:
    flags = one.mark.flags
    told: JsonObject = {
        "kind": "drive#revision",
        "id": one.key,
        "mimeType": file.mime_type,
        "modifiedTime": format_timestamp(one.at),
        "lastModifyingUser": views.user(one.person),
        "published": bool(flags.get("published")),
        KEPT: bool(flags.get(KEPT)),
    }
    told |= {name: True for name in PUBLISHED[1:] if flags.get(name)}
    if one.sha256 is None:
        base = f"{export_page(call, file)}?revision={one.key}"
        return {**told, "exportLinks": {kind: f"{base}&mimeType={kind}" for kind in media_types.EXPORTS}}
    name = file.settings.get("originalFilename") or one.name
    return {**told, "size": str(one.size), "originalFilename": name, "md5Checksum": blobs.md5_of(call, one.sha256)}


@app.operation(
    "drive.revisions.list",
    source=DOCS + "revisions/list",
    scope=READ,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden", "no_revisions", "invalid_value", "bad_page_token"),
)
def list_revisions(call: Call, params: ListRevisionsParams) -> RevisionList:
    """List the revisions of a file you may change, the oldest first; edits of one person within minutes are one.

    Deviates: what was before the world began is one revision.
    """
    file = get_revised_file(call, params.fileId)
    if params.pageSize is not None and params.pageSize < 1:
        raise OperationError("invalid_value", parameter="pageSize")
    known = revisions.every(call, file)
    ids = [one.call_seq for one in known]
    some, token = page_tokens.page(
        call, f"revisions:{file.key}", known, ids, size(params.pageSize, 200, 1000), params.pageToken
    )
    views = Views(call)
    told: RevisionList = {"kind": "drive#revisionList", "revisions": [_shape(call, views, file, one) for one in some]}
    if token:
        told["nextPageToken"] = token
    return told


@app.operation(
    "drive.revisions.get",
    source=DOCS + "revisions/get",
    scope=READ,
    examples=[{"fileId": EXAMPLE, "revisionId": "head"}],
    raises=("not_found", "forbidden", "no_revisions", "no_revision", "not_downloadable"),
)
def get_revision(call: Call, params: GetRevisionParams) -> JsonObject:
    """Read about a revision of a file you may change; with alt=media its bytes (base64url)."""
    file = get_revised_file(call, params.fileId)
    one = revisions.get_revision(call, file, params.revisionId)
    if params.alt == "json":
        return _shape(call, Views(call), file, one)
    data = None if one.sha256 is None else blobs.get_blob(call, one.sha256)
    if data is None:
        raise OperationError("not_downloadable")
    return {"content": blobs.encode_content(data), "mimeType": file.mime_type}


class UpdateRevisionParams(RevisionParams):
    """Request fields for updating a revision."""

    keepForever: bool | None = Field(
        default=None, description="Whether it is kept, up to 200 of a file.", examples=[True]
    )
    published: bool | None = Field(default=None, description="Of spreadsheets: whether it is published.")
    publishAuto: bool | None = Field(
        default=None, description="Of spreadsheets: whether later ones are published by themselves."
    )
    publishedOutsideDomain: bool | None = Field(
        default=None, description="Of spreadsheets: whether it is published outside the company."
    )


@app.operation(
    "drive.revisions.update",
    source=DOCS + "revisions/update",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "revisionId": "head", "keepForever": True}],
    raises=("not_found", "forbidden", "no_revisions", "no_revision", "invalid_value", "too_many_kept"),
)
def update_revision(call: Call, params: UpdateRevisionParams) -> JsonObject:
    """Keep a revision for ever, or publish one of a spreadsheet.

    Deviates: what is published is on no public page; revisions are kept anyway.
    """
    file = get_revised_file(call, params.fileId)
    one = revisions.get_revision(call, file, params.revisionId)
    said = params.model_dump(include={KEPT, *PUBLISHED}, exclude_none=True)
    if one.sha256 is not None and said.keys() & set(PUBLISHED):
        raise OperationError("invalid_value", parameter=next(name for name in PUBLISHED if name in said))
    kept = sum(bool(other.mark.flags.get(KEPT)) for other in revisions.every(call, file) if other.key != one.key)
    if said.get(KEPT) and kept >= MOST_KEPT:
        raise OperationError("too_many_kept", most=MOST_KEPT)
    flags = {name: value for name, value in {**one.mark.flags, **said}.items() if value}
    revisions.mark(call, file, one.key, one.mark._replace(flags=flags))
    return _shape(call, Views(call), file, revisions.get_revision(call, file, one.key))


@app.operation(
    "drive.revisions.delete",
    source=DOCS + "revisions/delete",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "revisionId": "head"}],
    raises=("not_found", "forbidden", "no_revisions", "no_revision", "revision_undeletable"),
)
def delete_revision(call: Call, params: RevisionParams) -> None:
    """Delete a revision of a file with bytes of its own; of the last one, the one before it counts then."""
    file = get_revised_file(call, params.fileId)
    known = revisions.every(call, file)
    one = revisions.get_revision(call, file, params.revisionId)
    if one.sha256 is None or len(known) == 1:
        raise OperationError("revision_undeletable")
    revisions.mark(call, file, one.key, one.mark._replace(flags={**one.mark.flags, "deleted": call.seq}))
    if one.key == known[-1].key:
        blobs.point(call, file, known[-2].sha256 or "", known[-2].size)
