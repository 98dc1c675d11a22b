"""Files of the drive: created, changed, copied and deleted."""

from pydantic import Field

from apps.drive import access, blobs, contents, deletion, file_lookup, identifiers, locations, media_types
from apps.drive.access import FOLDER, SPREADSHEET, FileRow
from apps.drive.app import app
from apps.drive.new_files import new_file
from apps.drive.operations.file_fields import OWNERS, SHARERS, Fields, apply, write
from apps.drive.operations.params import DOCS, EXAMPLE, WRITE, FileParams, Line
from apps.drive.views import Views
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

UNTITLED = "Untitled"
NAMES = {SPREADSHEET: "Untitled spreadsheet"}


class CreateFileParams(Fields):
    """A new file."""


@app.operation(
    "drive.files.create",
    source=DOCS + "files/create",
    scope=WRITE,
    writes=True,
    examples=[{"name": "Plan", "mimeType": SPREADSHEET}],
    raises=(
        "not_found",
        "forbidden",
        "parent_not_folder",
        "cannot_add_parent",
        "hierarchy_too_deep",
        "id_in_use",
        "id_unusable",
        "ids_for_documents",
        "invalid_value",
        "bad_property",
        "bad_content",
        "too_large",
        "required",
        "shortcut_target",
        "type_unsupported",
        "conversion_unsupported",
        "bad_file",
        "encrypted_file",
        "file_too_large",
        "too_many_cells",
        "too_many_sheets",
        "too_long",
        "bad_request",
    ),
)
def create_file(call: Call, params: CreateFileParams) -> JsonObject:
    """Make a file, folder, shortcut or spreadsheet of your own, with content if given; csv and xlsx become a
    spreadsheet when that is the type.
    """
    place = locations.first_place(call, params.parents or [])
    data = None if params.content is None else blobs.decode_content(params.content)
    kind = media_types.guess_type(params.name or "", params.contentType)
    wanted = params.mimeType or kind
    key = _choose_id(call, params.id, wanted)
    if wanted == media_types.SHORTCUT:
        made = _shortcut(call, params, place)
    elif (kept := contents.find_content(call, wanted)) is not None:
        made = _create_in_app(call, kept, params, data, kind, place)
    else:
        made = _plain(call, params, data, wanted, place, key)
    file = _row(call, made)
    apply(call, file, params.model_copy(update={"name": None, "mimeType": None}))
    return Views(call).file(_row(call, made))


def _row(call: Call, key: str) -> FileRow:
    found = access.by_key(call, key)
    assert found is not None
    return found


def _choose_id(call: Call, key: str | None, kind: str) -> str:
    """Return the id of a new file. Raises id_in_use, id_unusable, ids_for_documents."""
    if key is None:
        return ""
    if media_types.is_native(kind) and kind != FOLDER:
        raise OperationError("ids_for_documents")
    if access.by_key(call, key) is not None:
        raise OperationError("id_in_use")
    if not identifiers.was_drawn(call, key):
        raise OperationError("id_unusable")
    return key


def _create_in_app(
    call: Call, kept: contents.Content, params: Fields, data: bytes | None, kind: str, place: int | None
) -> str:
    """A file whose content another app keeps."""
    name = params.name or NAMES.get(kept.media_type, UNTITLED)
    return kept.create(call, name, place) if data is None else kept.import_file(call, name, data, kind, place)


def _plain(call: Call, params: Fields, data: bytes | None, kind: str, place: int | None, key: str) -> str:
    """A folder, or a file with bytes. Raises type_unsupported."""
    if media_types.is_native(kind) and (kind != FOLDER or data):
        raise OperationError("type_unsupported")
    name = params.name or (params.originalFilename or UNTITLED)
    if kind == FOLDER:
        return new_file(call, name, kind, parent=place, key=key)[1]
    sha256, size, sums = blobs.keep(call, data or b"")
    made = new_file(call, name, kind, parent=place, sha256=sha256, size=size, key=key)[1]
    file = _row(call, made)
    file.settings = {"sums": sums, "originalFilename": params.originalFilename or name}
    write(call, file)
    return made


def _shortcut(call: Call, params: Fields, place: int | None) -> str:
    """Create a shortcut to another file, by default with its name. Raises required, not_found, shortcut_target."""
    target = str((params.shortcutDetails or {}).get("targetId") or "")
    if not target:
        raise OperationError("required", parameter="shortcutDetails.targetId")
    other = file_lookup.get_visible_file(call, target)
    if other.mime_type == media_types.SHORTCUT or other.id == 0:
        raise OperationError("shortcut_target")
    made = new_file(call, params.name or other.name, media_types.SHORTCUT, parent=place)[1]
    file = _row(call, made)
    file.settings = {"shortcut": {"targetId": other.key, "targetMimeType": other.mime_type}}
    write(call, file)
    return made


class UpdateFileParams(Fields, FileParams):
    """Changes of a file."""

    addParents: Line = Field(default="", description="Id of the folder to move it to.")
    removeParents: Line = Field(default="", description="Id of the folder to take it out of.")


@app.operation(
    "drive.files.update",
    source=DOCS + "files/update",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "name": "Plan B"}],
    raises=(
        "not_found",
        "forbidden",
        "parent_not_folder",
        "cannot_add_parent",
        "would_be_circle",
        "hierarchy_too_deep",
        "not_writable_field",
        "invalid_value",
        "bad_property",
        "bad_content",
        "too_large",
        "type_unsupported",
        "conversion_unsupported",
        "protected",
        "bad_file",
        "encrypted_file",
        "file_too_large",
        "too_many_cells",
        "too_many_sheets",
        "too_long",
        "bad_request",
    ),
)
def update_file(call: Call, params: UpdateFileParams) -> JsonObject:
    """Change a file: name, description, content, folder (addParents, removeParents), star, trash and back, properties."""
    file = file_lookup.get_file(call, params.fileId)
    _writable(file, params)
    said = params.of_the_file - {"id"}
    if said - {"trashed"} or params.addParents or params.removeParents:
        call.authorise("file.write", file)
    if said & set(SHARERS):
        call.authorise("file.share", file)
    if "trashed" in said or said & set(OWNERS):
        call.authorise("file.own", file)
    _mime_type(file, params)
    locations.move(call, file, _keys(params.addParents), _keys(params.removeParents))
    if params.content is not None:
        _replace_content(call, file, params)
        file = _row(call, file.key)
    apply(call, file, params)
    return Views(call).file(_row(call, file.key))


def _writable(file: FileRow, params: UpdateFileParams) -> None:
    """Refuse changes of fields that are fixed or change by other parameters. Raises not_writable_field."""
    if params.parents is not None:
        raise OperationError(
            "not_writable_field", field="parents", hint=" Use the addParents and removeParents parameters instead."
        )
    for name, own in (("id", file.key), ("createdTime", None), ("shortcutDetails", None)):
        if getattr(params, name) not in (None, own):
            raise OperationError("not_writable_field", field=name)


def _keys(text: str) -> list[str]:
    return [key for one in text.split(",") if (key := one.strip())]


def _mime_type(file: FileRow, params: UpdateFileParams) -> None:
    """Change the type of a file: only files with bytes may change theirs. Raises type_unsupported."""
    if params.mimeType in (None, file.mime_type):
        return
    if file.sha256 is None or media_types.is_native(params.mimeType or ""):
        raise OperationError("type_unsupported")
    file.mime_type = params.mimeType or file.mime_type


def _replace_content(call: Call, file: FileRow, params: UpdateFileParams) -> None:
    """Replace a file's content."""
    data = blobs.decode_content(params.content or "")
    if file.mime_type == FOLDER:
        raise OperationError("type_unsupported")
    kept = contents.find_content(call, file.mime_type)
    if kept is not None:
        kept.replace(call, file.key, data, media_types.guess_type(params.name or file.name, params.contentType))
    else:
        sha256, size, sums = blobs.keep(call, data)
        kind = params.mimeType or media_types.guess_type(params.name or file.name, params.contentType)
        file.settings = {**file.settings, "sums": sums}
        file.mime_type = kind if kind != media_types.UNKNOWN else file.mime_type
        call.execute(
            "UPDATE drive_file SET sha256 = :sha256, size = :size WHERE id = :id",
            {"sha256": sha256, "size": size, "id": file.id},
        )
    file.modified_at, file.modified_by = call.now, call.person
    write(call, file)


class CopyFileParams(Fields, FileParams):
    """Request fields of a copy."""


@app.operation(
    "drive.files.copy",
    source=DOCS + "files/copy",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE, "name": "Plan, copied"}],
    raises=(
        "not_found",
        "forbidden",
        "cannot_copy",
        "not_downloadable",
        "parent_not_folder",
        "cannot_add_parent",
        "hierarchy_too_deep",
        "id_in_use",
        "id_unusable",
        "ids_for_documents",
        "invalid_value",
        "bad_property",
        "conversion_unsupported",
        "bad_file",
        "encrypted_file",
        "file_too_large",
        "too_many_cells",
        "too_many_sheets",
        "too_long",
        "bad_request",
    ),
)
def copy_file(call: Call, params: CopyFileParams) -> JsonObject:
    """Copy a file you can read into one of your own; a spreadsheet with sheets, cells and charts, without comments and
    sharing.
    """
    file = file_lookup.get_file(call, params.fileId)
    if not Views(call).may(file, "canCopy"):
        raise OperationError("cannot_copy")
    place = locations.first_place(call, params.parents) if params.parents else _beside(call, file)
    kind = params.mimeType or file.mime_type
    key = _choose_id(call, params.id, kind)
    name = params.name or f"Copy of {file.name}"
    made = _copy_file(call, file, name, kind, place, key)
    row = _row(call, made)
    row.description = file.description
    row.properties = dict(file.properties)
    apply(call, row, params.model_copy(update={"name": name, "content": None}))
    return Views(call).file(_row(call, made))


def _beside(call: Call, file: FileRow) -> int | None:
    """Return the folder of a copy: that of the original if the caller may write there, else their My Drive."""
    above = None if file.parent_id is None else access.by_id(call, file.parent_id)
    return above.id if above is not None and access.role(call, above) in ("owner", "writer") else None


def _copy_file(call: Call, file: FileRow, name: str, kind: str, place: int | None, key: str) -> str:
    own = contents.find_content(call, file.mime_type)
    if own is not None:
        if kind != file.mime_type:
            raise OperationError("conversion_unsupported")
        number, made = new_file(call, name, kind, parent=place)
        own.copy(call, file.id, number, made)
        return made
    if (kept := contents.find_content(call, kind)) is not None:
        return kept.import_file(call, name, blobs.read_blob(call, file), file.mime_type, place)
    if file.sha256 is None or media_types.is_native(kind):
        raise OperationError("cannot_copy")
    made = new_file(call, name, kind, parent=place, sha256=file.sha256, size=file.size, key=key)[1]
    row = _row(call, made)
    row.settings = {name: value for name, value in file.settings.items() if name in ("sums", "originalFilename")}
    write(call, row)
    return made


@app.operation(
    "drive.files.delete",
    source=DOCS + "files/delete",
    scope=WRITE,
    writes=True,
    examples=[{"fileId": EXAMPLE}],
    raises=("not_found", "forbidden"),
)
def delete_file(call: Call, params: FileParams) -> None:
    """Delete a file of yours for good, past the trash; a folder with all of yours that is in it."""
    deletion.remove(call, file_lookup.get_file(call, params.fileId, "file.own"))


class EmptyTrashParams(Params):
    """Trash to empty."""

    driveId: Line = Field(default="", description="A shared drive; there is none here.")


@app.operation(
    "drive.files.emptyTrash",
    source=DOCS + "files/emptyTrash",
    scope=WRITE,
    writes=True,
    examples=[{}],
    raises=("no_drive",),
)
def empty_trash(call: Call, params: EmptyTrashParams) -> None:
    """Delete everything in your trash for good."""
    if params.driveId:
        raise OperationError("no_drive", id=params.driveId)
    deletion.empty_trash(call)
