"""Permanent deletion of files, with everything that belongs to them."""

from apps.drive import contents
from apps.drive.access import FileRow, by_id
from world.core.call import Call

_CHILDREN = "SELECT id FROM drive_file WHERE parent_id = :file ORDER BY id"
_TRASHED = "SELECT id FROM drive_file WHERE owner_id = :me AND trashed_at IS NOT NULL ORDER BY id"
_TABLES = ("drive_permission", "drive_star", "drive_visit", "drive_comment", "drive_revision")
_ABOUT = tuple(f"DELETE FROM {table} WHERE file_id = :file" for table in _TABLES)


def remove(call: Call, file: FileRow) -> None:
    """Delete a file. In a folder, the owner's files are deleted too; others move to their owners' My Drive."""
    for (id,) in call.all(_CHILDREN, {"file": file.id}):
        child = by_id(call, id)
        if child is not None and child.owner_id == file.owner_id:
            remove(call, child)
        elif child is not None:
            call.execute("UPDATE drive_file SET parent_id = NULL WHERE id = :file", {"file": id})
    kept = contents.find_content(call, file.mime_type)
    if kept is not None:
        kept.delete(call, file.id)
    for sql in (*_ABOUT, "DELETE FROM drive_file WHERE id = :file"):
        call.execute(sql, {"file": file.id})


def empty_trash(call: Call) -> None:
    """Delete everything in the caller's trash."""
    for (id,) in call.all(_TRASHED, {"me": call.person}):
        file = by_id(call, id)
        if file is not None:
            remove(call, file)
