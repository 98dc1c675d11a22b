"""Recently opened files; a file shared by link is listed once it was opened."""

from apps.drive.access import FileRow
from world.core.call import Call

_VISIT = (
    "INSERT INTO drive_visit(person_id, file_id, at) VALUES (:me, :file, :at)"
    " ON CONFLICT(person_id, file_id) DO UPDATE SET at = max(at, excluded.at)"
)


def visit(call: Call, file: FileRow, at: int | None = None) -> None:
    """Record that the caller opens a file."""
    call.execute(_VISIT, {"me": call.person, "file": file.id, "at": call.now if at is None else at})
