"""Changes of files in a person's drive, from the world's journal: each file once, at its last change."""

from typing import Any, NamedTuple

import orjson

from apps.drive import access, file_lists, groups
from apps.drive.access import FileRow
from apps.drive.query.compiler import Condition
from apps.drive.timestamps import format_timestamp
from apps.drive.views import Views
from world.core.call import Call
from world.core.json_types import JsonObject

_SINCE = (
    "SELECT j.id, j.table_name, j.before, j.after, c.at FROM _journal j JOIN _call c ON c.seq = j.call_seq"
    " WHERE j.id > :id AND j.table_name IN ('drive_file', 'drive_permission') ORDER BY j.id"
)


class FileChange(NamedTuple):
    """A changed file: its journal id, time, and present state if it is still in view."""

    place: int
    at: int
    key: str
    file: FileRow | None


def last(call: Call) -> int:
    """Return the journal id of the last change in the caller's view; changes elsewhere do not affect it."""
    return max((one.place for one in since(call, 0, removed=True, own=False)), default=0)


def since(call: Call, place: int, *, removed: bool, own: bool) -> list[FileChange]:
    """Return the files in the caller's present or former view that changed after a journal id.

    `own`: only those in their My Drive.
    """
    touched: dict[int, tuple[int, int]] = {}
    keys: dict[int, str] = {}
    lost: dict[int, tuple[int, int]] = {}  # what happens to a file after somebody lost it is nothing to them
    for number, table, before, after, at in call.all(_SINCE, {"id": place}):
        row = orjson.loads(after or before)
        file = row["id"] if table == "drive_file" else row["file_id"]
        touched[file] = (number, at)
        keys |= {file: row["key"]} if table == "drive_file" else {}
        if before is not None and _was_mine(call, table, orjson.loads(before)):
            lost[file] = number, at
    in_view = _in_view(call, list(touched))
    found: list[FileChange] = []
    for file, (number, at) in sorted(touched.items(), key=lambda one: one[1]):
        row = in_view.get(file)
        if row is not None and (not own or row.owner_id == call.person):
            found.append(FileChange(number, at, row.key, row))
        elif row is None and removed and file in lost:
            found.append(FileChange(*lost[file], keys.get(file) or _key(call, file), None))
    return sorted(found, key=lambda one: one.place)


def _in_view(call: Call, ids: list[int]) -> dict[int, FileRow]:
    condition = Condition("f.id IN (SELECT value FROM json_each(:touched))", {"touched": orjson.dumps(ids).decode()})
    return {row.id: row for row in file_lists.files(call, condition)}


def _key(call: Call, id: int) -> str:
    file = access.by_id(call, id)
    return file.key if file else ""


def _was_mine(call: Call, table: str, row: dict[str, Any]) -> bool:
    """Whether a former row let the caller see the file."""
    if table == "drive_file":
        return row["owner_id"] == call.person
    if row["type"] == "group":
        return str(row["email"]).lower() in groups.of(call, call.person)
    return row["person_id"] == call.person


def shape(call: Call, one: FileChange) -> JsonObject:
    """A Change."""
    told = {
        "kind": "drive#change",
        "type": "file",
        "changeType": "file",
        "time": format_timestamp(one.at),
        "removed": one.file is None,
        "fileId": one.key,
    }
    return {**told, **({"file": Views(call).file(one.file)} if one.file is not None else {})}
