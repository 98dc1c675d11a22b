"""Revisions of a file, read from the world's record; edits of one person within minutes are one, as with the vendor.

developers.google.com/workspace/drive/api/guides/change-overview#revisions, support.google.com/docs/answer/190843
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from apps.drive import blobs, contents
from apps.drive.access import FileRow
from world.core.call import Call
from world.core.clock import MINUTE
from world.core.errors import OperationError

TOGETHER = 10 * MINUTE  # between two edits of one person that are one revision
HEAD = "head"
RESTORING = "web.restoreVersion"
_EDITS = (
    "SELECT j.table_name, j.call_seq, c.at, c.actor, c.operation, j.before, j.after FROM _journal j JOIN _call c ON"
    " c.seq = j.call_seq WHERE j.table_name IN ('drive_file', :table) AND j.pk = :pk ORDER BY j.id"
)
_MARKS = "SELECT key, name, flags FROM drive_revision WHERE file_id = :file"
_MARK = (
    "INSERT INTO drive_revision(file_id, key, name, flags) VALUES (:file, :key, :name, :flags)"
    " ON CONFLICT(file_id, key) DO UPDATE SET name = excluded.name, flags = excluded.flags"
)


class RevisionMark(NamedTuple):
    """A person's settings of a revision: its name, and keepForever, published …, or the call that deleted it."""

    name: str = ""
    flags: dict[str, int] = {}


class Revision(NamedTuple):
    """A revision: its id, its time and author, the last call included, and for a file with bytes their blob."""

    key: str
    at: int
    person: str
    call_seq: int
    mark: RevisionMark
    sha256: str | None = None
    size: int = 0
    name: str = ""


class _Edit(NamedTuple):
    """One call that changed a file's content; the first one of a seeded file has no call."""

    call_seq: int
    at: int
    person: str
    sha256: str | None
    size: int
    name: str
    begins: bool = False  # a revision, whatever was before


def every(call: Call, file: FileRow) -> list[Revision]:
    """Return the revisions of a file that has any, oldest first."""
    marks = {
        key: RevisionMark(name, orjson.loads(flags) if flags else {})
        for key, name, flags in call.all(_MARKS, {"file": file.id})
    }
    kept = contents.find_content(call, file.mime_type)
    made = _bytes(call, file, marks) if kept is None else _list_edit_revisions(call, file, marks, kept.table)
    return [one for one in made if one.call_seq >= one.mark.flags.get("deleted", -1)]


def get_revision(call: Call, file: FileRow, key: str) -> Revision:
    """Return one revision; `head` is the last. Raises no_revision."""
    known = every(call, file)
    found = known[-1] if key == HEAD else next((one for one in known if one.key == key), None)
    if found is None:
        raise OperationError("no_revision", id=key)
    return found


def mark(call: Call, file: FileRow, key: str, said: RevisionMark) -> None:
    """Store a person's settings of a revision."""
    flags = orjson.dumps(said.flags, option=orjson.OPT_SORT_KEYS).decode() if said.flags else None
    call.execute(_MARK, {"file": file.id, "key": key, "name": said.name, "flags": flags})


def _list_edit_revisions(call: Call, file: FileRow, marks: dict[str, RevisionMark], table: str) -> list[Revision]:
    """Group edits into revisions; a revision that was named or kept gets no further edits."""
    found: list[Revision] = []
    for number, one in enumerate(_edits(call, file, table), 1):
        key = str(number)
        made = Revision(key, one.at, one.person, one.call_seq, marks.get(key, RevisionMark()))
        last = found[-1] if found else None
        if (
            last
            and last.call_seq
            and not one.begins
            and last.person == one.person
            and one.at - last.at <= TOGETHER
            and last.mark == RevisionMark()
        ):
            found.pop()
        found.append(made)
    return found


def _bytes(call: Call, file: FileRow, marks: dict[str, RevisionMark]) -> list[Revision]:
    """Return a revision for each distinct content of a file; a repeated content counts once, at its last time."""
    found: dict[str, Revision] = {}
    for one in _edits(call, file):
        if one.sha256 is not None:
            key = blobs.revision(one.sha256)
            found.pop(key, None)
            found[key] = Revision(
                key, one.at, one.person, one.call_seq, marks.get(key, RevisionMark()), one.sha256, one.size, one.name
            )
    return list(found.values())


def _edits(call: Call, file: FileRow, kept: str = "") -> Iterator[_Edit]:
    rows = call.all(_EDITS, {"pk": orjson.dumps([file.id]).decode(), "table": kept})
    first = next((orjson.loads(before) for table, *_, before, _ in rows if table == "drive_file" and before), None)
    was_made = any(table == "drive_file" and before is None for table, *_, before, _ in rows)
    if not was_made:
        then: dict[str, Any] = first or {
            name: getattr(file, name) for name in ("modified_at", "modified_by", "owner_id", "sha256", "size", "name")
        }
        yield _Edit(
            0, then["modified_at"], then["modified_by"] or then["owner_id"], then["sha256"], then["size"], then["name"]
        )
    seen = 0
    for table, seq, at, actor, operation, before, after in rows:
        told = _find_new_content(table, kept, before and orjson.loads(before), after and orjson.loads(after))
        if told is not None and seq != seen:
            seen = seq
            yield _Edit(
                seq, at, file.owner_id if actor.startswith("system:") else actor, *told, begins=operation == RESTORING
            )


def _find_new_content(table: str, kept: str, before: Any, after: Any) -> tuple[str | None, int, str] | None:
    """Return a file's bytes after a change of its content; None for any other change."""
    if after is None or (table == kept) != bool(kept):
        return None
    if kept:
        return (None, 0, "") if before is None or before["state"] != after["state"] else None
    is_new = before is None or before["sha256"] != after["sha256"]
    return (after["sha256"], after["size"], after["name"]) if is_new and after["sha256"] else None
