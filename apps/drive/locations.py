"""Places of files: each is in one folder, or in its owner's My Drive."""

from collections.abc import Sequence

from apps.drive import access, file_lookup, roots
from apps.drive.access import DEEPEST, FOLDER, FileRow
from world.core.call import Call
from world.core.errors import OperationError

_CHILDREN = "SELECT id FROM drive_file WHERE parent_id = :id ORDER BY id"
_MOVE = "UPDATE drive_file SET parent_id = :parent, version = version + 1 WHERE id = :id"


def first_place(call: Call, keys: Sequence[str]) -> int | None:
    """The folder a new file lies in. Raises not_found, forbidden, parent_not_folder, cannot_add_parent,
    hierarchy_too_deep.
    """
    if len(keys) > 1:
        raise OperationError("cannot_add_parent")
    folder = file_lookup.folder(call, keys[0]) if keys else None
    if folder is not None and _depth(call, folder) >= DEEPEST:
        raise OperationError("hierarchy_too_deep")
    return None if folder is None else folder.id


def move(call: Call, file: FileRow, added: Sequence[str], removed: Sequence[str]) -> None:
    """Move a file. Raises not_found, forbidden, parent_not_folder, cannot_add_parent, would_be_circle,
    hierarchy_too_deep.
    """
    taken_out = _is_taken_out(call, file, removed)
    wanted = [file_lookup.folder(call, key) for key in added]
    if not wanted:
        if taken_out:
            _put_into(call, file, None)
        return
    target = wanted[0]
    place = None if target is None else target.id
    if len(wanted) > 1 or (place != file.parent_id and not taken_out and not _is_lost(call, file)):
        raise OperationError("cannot_add_parent")
    if target is None and file.owner_id != call.person:
        raise OperationError("forbidden")
    if place != file.parent_id:
        call.authorise("file.share", file)  # who has the new folder has the file
    _check_target(call, file, target)
    _put_into(call, file, place)


def _is_taken_out(call: Call, file: FileRow, keys: Sequence[str]) -> bool:
    """Whether a file may be taken out of its folder: by its owner, or by writers of the folder."""
    for key in keys:
        if roots.is_root(call, key):
            if file.parent_id is None and file.owner_id == call.person:
                return True
            continue
        folder = file_lookup.get_file(call, key, "file.read" if file.owner_id == call.person else "file.write")
        if folder.id == file.parent_id:
            return True
    return False


def _is_lost(call: Call, file: FileRow) -> bool:
    """Whether a file of the caller is in a place they cannot see."""
    above = None if file.parent_id is None else access.by_id(call, file.parent_id)
    return file.owner_id == call.person and above is not None and not access.role(call, above)


def _check_target(call: Call, file: FileRow, target: FileRow | None) -> None:
    """Refuse to put a folder into itself, or too deep."""
    at = target
    for _ in range(DEEPEST):
        if at is None:
            break
        if at.id == file.id:
            raise OperationError("would_be_circle")
        at = None if at.parent_id is None else access.by_id(call, at.parent_id)
    if target is not None and file.mime_type == FOLDER and _depth(call, target) + _height(call, file.id) > DEEPEST:
        raise OperationError("hierarchy_too_deep")


def _depth(call: Call, folder: FileRow) -> int:
    depth, at = 1, folder
    while at.parent_id is not None and depth <= DEEPEST and (above := access.by_id(call, at.parent_id)) is not None:
        depth, at = depth + 1, above
    return depth


def _height(call: Call, id: int) -> int:
    """Return the number of levels below a folder, itself included."""
    level, height = [id], 0
    while level and height <= DEEPEST:
        height += 1
        level = [row[0] for one in level for row in call.all(_CHILDREN, {"id": one})]
    return height


def _put_into(call: Call, file: FileRow, parent: int | None) -> None:
    if file.parent_id != parent:
        call.execute(_MOVE, {"id": file.id, "parent": parent})
        file.parent_id = parent
