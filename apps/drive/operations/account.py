"""The drive as a whole: owner, changes, and shared drives, of which there are none."""

from typing import NotRequired, TypedDict

from pydantic import Field

from apps.drive import blobs, changes, media_types, opaque_tokens
from apps.drive.access import SPREADSHEET
from apps.drive.app import app
from apps.drive.operations.file_fields import COLORS
from apps.drive.operations.params import DOCS, READ, Line, PageParams, PageSize, size
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import NoParams

MOST_UPLOAD = blobs.MOST_BYTES
_USED = (
    "SELECT coalesce(sum(size), 0), coalesce(sum(CASE WHEN trashed_at IS NULL THEN 0 ELSE size END), 0) FROM"
    " drive_file WHERE owner_id = :me"
)


@app.operation("drive.about.get", source=DOCS + "about/get", scope=READ, examples=[{}])
def get_about(call: Call, params: NoParams) -> JsonObject:
    """Read the owner of this drive, its size, and the import and export formats."""
    used, trashed = call.first(_USED, {"me": call.person}) or (0, 0)
    return {
        "kind": "drive#about",
        "user": Views(call).user(call.person),
        "appInstalled": True,
        "canCreateDrives": False,
        "canCreateTeamDrives": False,
        "storageQuota": {"usage": str(used), "usageInDrive": str(used), "usageInDriveTrash": str(trashed)},
        "importFormats": {kind: [SPREADSHEET] for kind in media_types.IMPORTS},
        "exportFormats": {SPREADSHEET: list(media_types.EXPORTS)},
        "maxImportSizes": {SPREADSHEET: str(MOST_UPLOAD)},
        "maxUploadSize": str(MOST_UPLOAD),
        "folderColorPalette": list(COLORS),
        "driveThemes": [],
    }


class ListDrivesParams(PageParams):
    """A page of shared drives."""

    pageSize: PageSize | None = Field(default=None, description="Most of a page.")
    q: Line = Field(default="", description="A search.")


class DriveList(TypedDict):
    """A page of shared drives."""

    kind: str
    drives: list[JsonObject]


@app.operation("drive.drives.list", source=DOCS + "drives/list", scope=READ, examples=[{}], raises=("bad_page_token",))
def list_drives(call: Call, params: ListDrivesParams) -> DriveList:
    """List shared drives: there are none here; every file is in somebody's My Drive."""
    if params.pageToken:
        raise OperationError("bad_page_token")
    return {"kind": "drive#driveList", "drives": []}


class StartPageTokenParams(NoParams):
    """Start of a list of changes."""

    driveId: Line = Field(default="", description="A shared drive; there is none here.")


class StartPageToken(TypedDict):
    """Token from which changes can be listed."""

    kind: str
    startPageToken: str


@app.operation(
    "drive.changes.getStartPageToken",
    source=DOCS + "changes/getStartPageToken",
    scope=READ,
    examples=[{}],
    raises=("no_drive",),
)
def get_start_page_token(call: Call, params: StartPageTokenParams) -> StartPageToken:
    """Get the token from which later changes of files can be listed."""
    if params.driveId:
        raise OperationError("no_drive", id=params.driveId)
    return {"kind": "drive#startPageToken", "startPageToken": _token(call, changes.last(call))}


def _token(call: Call, place: int) -> str:
    """Return the token of a journal id: a number, like the vendor's."""
    return str(int.from_bytes(opaque_tokens.seal_numbers(call, "changes", place), "big"))


def _place(call: Call, token: str) -> int:
    """Return the journal id of a token. Raises bad_page_token."""
    size = opaque_tokens.TAG + opaque_tokens.EACH
    if not token.isascii() or not token.isdecimal() or len(token) > 20 or int(token) >= 1 << 8 * size:
        raise OperationError("bad_page_token")
    return opaque_tokens.open_token(call, "changes", int(token).to_bytes(size, "big"), 1)[0]


class ListChangesParams(PageParams):
    """Filters and page of changes."""

    driveId: Line = Field(default="", description="A shared drive; there is none here.")
    includeRemoved: bool = Field(
        default=True, description="Tell files too that were deleted or are no longer shared with you."
    )
    restrictToMyDrive: bool = Field(default=False, description="Only files in your My Drive.")
    pageSize: PageSize | None = Field(default=None, description="Most of a page, up to 1,000; 100 unless said.")


class ChangeList(TypedDict):
    """A page of changes."""

    kind: str
    changes: list[JsonObject]
    nextPageToken: NotRequired[str]
    newStartPageToken: NotRequired[str]


@app.operation(
    "drive.changes.list",
    source=DOCS + "changes/list",
    scope=READ,
    examples=[{"pageToken": "$drive.changes.getStartPageToken:startPageToken"}],
    raises=("required", "no_drive", "invalid_value", "bad_page_token"),
)
def list_changes(call: Call, params: ListChangesParams) -> ChangeList:
    """List the files that changed since a page token: each once, with how it is now."""
    if params.driveId:
        raise OperationError("no_drive", id=params.driveId)
    if not params.pageToken:
        raise OperationError("required", parameter="pageToken")
    if params.pageSize is not None and params.pageSize < 1:
        raise OperationError("invalid_value", parameter="pageSize")
    found = changes.since(
        call, _place(call, params.pageToken), removed=params.includeRemoved, own=params.restrictToMyDrive
    )
    shown_, rest = found[: size(params.pageSize, 100, 1000)], found[size(params.pageSize, 100, 1000) :]
    told: ChangeList = {"kind": "drive#changeList", "changes": [changes.shape(call, one) for one in shown_]}
    if rest:
        told["nextPageToken"] = _token(call, shown_[-1].place)
    else:
        told["newStartPageToken"] = _token(call, changes.last(call))
    return told
