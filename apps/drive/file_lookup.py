"""Lookup of a file by id; an invisible file counts as missing."""

from apps.drive import access, roots
from apps.drive.access import FileCache, FileRow
from world.core.call import Call
from world.core.errors import OperationError


def get_file(call: Call, key: str, rule: str = "file.read") -> FileRow:
    """Return a file that the caller may open in this way.

    Raises not_found for an invisible file, forbidden without permission.
    """
    if roots.is_root(call, key):
        raise OperationError("forbidden")
    file = _get_visible(call, key)
    call.authorise(rule, file)
    return file


def _get_visible(call: Call, key: str) -> FileRow:
    file = access.by_key(call, key)
    if file is None or not access.role(call, file):
        raise OperationError("not_found", id=key)
    return file


def get_visible_file(call: Call, key: str) -> FileRow:
    """Return a file to look at, My Drive included. Raises not_found."""
    return roots.row(call) if roots.is_root(call, key) else _get_visible(call, key)


def folder(call: Call, key: str) -> FileRow | None:
    """Return a folder that the caller may put files into; None for their My Drive.

    Raises not_found, forbidden, parent_not_folder.
    """
    if roots.is_root(call, key):
        return None
    file = get_file(call, key)
    if file.mime_type != access.FOLDER:
        raise OperationError("parent_not_folder")
    call.authorise("file.write", file)
    return file


def is_trashed(known: FileCache, file: FileRow) -> bool:
    """Whether a file or a folder above it is in the trash."""
    at: FileRow | None = file
    for _ in range(access.DEEPEST):
        if at is None or at.trashed_at is not None:
            break
        at = known.above(at)
    return at is not None and at.trashed_at is not None
