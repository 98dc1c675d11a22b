"""Request fields of a file that is created or updated."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

import orjson
from pydantic import Field

from apps.drive import timestamps
from apps.drive.access import FOLDER, FileRow
from apps.drive.operations.params import MOST_BASE64, Key, Keys, Line, Long, Object, Pairs
from apps.drive.recents import visit
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params, Text

MOST_PROPERTY = 124  # bytes of key and value; developers.google.com/workspace/drive/api/guides/properties
MOST_PROPERTIES = 100
SETTINGS = ("writersCanShare", "copyRequiresWriterPermission", "folderColorRgb", "originalFilename")
OWNERS = ("writersCanShare",)
SHARERS = ("copyRequiresWriterPermission", "viewersCanCopyContent")
COLORS = (
    "#ac725e",
    "#d06b64",
    "#f83a22",
    "#fa573c",
    "#ff7537",
    "#ffad46",
    "#42d692",
    "#16a765",
    "#7bd148",
    "#b3dc6c",
    "#fbe983",
    "#fad165",
    "#92e1c0",
    "#9fe1e7",
    "#9fc6e7",
    "#4986e7",
    "#9a9cff",
    "#b99aff",
    "#8f8f8f",
    "#cabdbf",
    "#cca6ac",
    "#f691b2",
    "#cd74e6",
    "#a47ae2",
)
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_STAR = "INSERT INTO drive_star(person_id, file_id) VALUES (:me, :file) ON CONFLICT DO NOTHING"
_UNSTAR = "DELETE FROM drive_star WHERE person_id = :me AND file_id = :file"
_WRITE = (
    "UPDATE drive_file SET name = :name, mime_type = :mime_type, description = :description, created_at = :created_at,"
    " modified_at = :modified_at, modified_by = :modified_by, properties = :properties, settings = :settings, version ="
    " version + 1 WHERE id = :id"
)


class Fields(Params):
    """The fields of a File that callers may set."""

    id: Key | None = Field(default=None, description="An id of generateIds, for a new file.")
    name: Annotated[Text, Field(max_length=10_000)] | None = Field(
        default=None, description="Its name.", examples=["Plan"]
    )
    mimeType: Line | None = Field(
        default=None, description="Its type; application/vnd.google-apps.folder, ….spreadsheet or any with bytes."
    )
    description: Long | None = Field(default=None, description="A short description.")
    starred: bool | None = Field(default=None, description="Whether you have starred it.")
    trashed: bool | None = Field(default=None, description="Whether it lies in the trash; the owner decides.")
    parents: Keys | None = Field(default=None, description="The folder a new file lies in; My Drive unless said.")
    properties: Pairs | None = Field(
        default=None, description="Key-value pairs every app may see; a key whose value is null is removed."
    )
    appProperties: Pairs | None = Field(
        default=None, description="Key-value pairs of this app; a key whose value is null is removed."
    )
    writersCanShare: bool | None = Field(default=None, description="Whether writers may share it.")
    copyRequiresWriterPermission: bool | None = Field(
        default=None, description="Whether readers may not copy or download it."
    )
    viewersCanCopyContent: bool | None = Field(
        default=None, description="The older opposite of copyRequiresWriterPermission."
    )
    createdTime: Line | None = Field(default=None, description="When it was made, RFC 3339; for new files.")
    modifiedTime: Line | None = Field(default=None, description="When it was changed, RFC 3339.")
    viewedByMeTime: Line | None = Field(default=None, description="When you last opened it, RFC 3339.")
    folderColorRgb: Line | None = Field(default=None, description="Colour of a folder, `#rrggbb`.")
    shortcutDetails: Object | None = Field(
        default=None, description="Of a new shortcut: `{targetId}`, the file it stands for."
    )
    originalFilename: Line | None = Field(default=None, description="Name of the uploaded file.")
    content: Annotated[str, Field(max_length=MOST_BASE64)] | None = Field(
        default=None, description="The bytes of the file, in base64url."
    )
    contentType: Line = Field(default="", description="The type of these bytes.")

    @property
    def of_the_file(self) -> set[str]:
        """Fields of the file itself, rather than of the caller's view of it."""
        return {name for name, value in self if value is not None and name in Fields.model_fields} - {
            "starred",
            "viewedByMeTime",
            "contentType",
        }


def parse_time_field(text: str, parameter: str) -> int:
    """A time. Raises invalid_value."""
    found = timestamps.parse_timestamp(text)
    if found is None:
        raise OperationError("invalid_value", parameter=parameter)
    return found


def _pairs(known: dict[str, str], given: dict[str, Any]) -> dict[str, str]:
    """Properties after a change. Raises bad_property."""
    merged = {key: value for key, value in {**known, **given}.items() if value is not None}
    if len(merged) > MOST_PROPERTIES or any(
        len(f"{key}{value}".encode()) > MOST_PROPERTY for key, value in merged.items()
    ):
        raise OperationError("bad_property", most=MOST_PROPERTY)
    return merged


def _settings(file: FileRow, params: Fields) -> JsonObject:
    """Return the file's further settings after a change. Raises bad_property, invalid_value."""
    settings = {**file.settings, **{name: value for name in SETTINGS if (value := getattr(params, name)) is not None}}
    if params.viewersCanCopyContent is not None and params.copyRequiresWriterPermission is None:
        settings["copyRequiresWriterPermission"] = not params.viewersCanCopyContent
    if params.appProperties is not None:
        settings["appProperties"] = _pairs(settings.get("appProperties") or {}, params.appProperties)
    if params.folderColorRgb is not None and (file.mime_type != FOLDER or not _COLOR.fullmatch(params.folderColorRgb)):
        raise OperationError("invalid_value", parameter="folderColorRgb")
    if params.folderColorRgb is not None:
        settings["folderColorRgb"] = nearest(params.folderColorRgb)
    return settings


def nearest(color: str) -> str:
    """Return the nearest colour of the palette: folders have no other."""
    red, green, blue = bytes.fromhex(color[1:])
    return min(
        COLORS,
        key=lambda one: sum((a - b) ** 2 for a, b in zip(bytes.fromhex(one[1:]), (red, green, blue), strict=True)),
    )


def apply(call: Call, file: FileRow, params: Fields) -> None:
    """Apply the given fields to a file. Raises invalid_value, bad_property."""
    _of_the_caller(call, file, params)
    if params.trashed is not None and params.trashed != (file.trashed_at is not None):
        at, by = (call.now, call.person) if params.trashed else (None, None)
        call.execute(
            "UPDATE drive_file SET trashed_at = :at, trashed_by = :by WHERE id = :id",
            {"at": at, "by": by, "id": file.id},
        )
        file.trashed_at = at
    said = params.of_the_file - {"trashed", "content", "parents", "id", "shortcutDetails"}
    if not said:
        return
    _stamp(call, file, params, said)
    file.name = file.name if params.name is None else params.name
    file.description = file.description if params.description is None else params.description
    file.properties = file.properties if params.properties is None else _pairs(file.properties, params.properties)
    file.settings = _settings(file, params)
    write(call, file)


def _stamp(call: Call, file: FileRow, params: Fields, said: set[str]) -> None:
    """Set times; a change of the file's own fields updates them, one of its sharing settings does not."""
    if params.createdTime is not None:
        file.created_at = parse_time_field(params.createdTime, "createdTime")
    if params.modifiedTime is not None:
        file.modified_at, file.modified_by = parse_time_field(params.modifiedTime, "modifiedTime"), call.person
    elif said - set(SETTINGS) - {"createdTime", "viewersCanCopyContent"}:
        file.modified_at, file.modified_by = call.now, call.person
    if max(file.created_at, file.modified_at) > call.now + SECOND:
        raise OperationError("invalid_value", parameter="modifiedTime")


def write(call: Call, file: FileRow) -> None:
    """Write a file's row."""
    call.execute(
        _WRITE,
        {
            "id": file.id,
            "name": file.name,
            "mime_type": file.mime_type,
            "description": file.description,
            "created_at": file.created_at,
            "modified_at": file.modified_at,
            "modified_by": file.modified_by,
            "properties": _json(file.properties),
            "settings": _json(file.settings),
        },
    )


def _json(value: Mapping[str, object]) -> str | None:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode() if value else None


def _of_the_caller(call: Call, file: FileRow, params: Fields) -> None:
    if params.starred is not None:
        call.execute(_STAR if params.starred else _UNSTAR, {"me": call.person, "file": file.id})
    if params.viewedByMeTime is not None:
        visit(call, file, min(parse_time_field(params.viewedByMeTime, "viewedByMeTime"), call.now))
