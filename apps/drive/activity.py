"""Activity of a file: created, edited, renamed, moved, shared, commented on; from the world's record and earlier rows.

support.google.com/drive/answer/6310686
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from apps.drive import access, groups, media_types, revisions
from apps.drive.access import FOLDER, FileRow
from world.core.call import Call

MOST = 60
_CHANGES = (
    "SELECT j.id, j.table_name, c.at, c.actor, j.before, j.after FROM _journal j JOIN _call c ON c.seq = j.call_seq"
    " WHERE (j.table_name = 'drive_file' AND j.pk = :pk) OR (j.table_name = 'drive_permission' AND"
    " json_extract(coalesce(j.after, j.before), '$.file_id') = :file) ORDER BY j.id"
)
_GIVEN = (
    "SELECT key, type, email, domain, role, shared_at, shared_by FROM drive_permission WHERE file_id = :file AND role"
    " != 'owner' AND shared_by != '' ORDER BY shared_at, key"
)
_SAID = (
    "SELECT author_id, parent_id, action, content, created_at FROM drive_comment WHERE file_id = :file AND deleted_at"
    " IS NULL ORDER BY created_at, id"
)
_INSIDE = "SELECT name, owner_id, created_at FROM drive_file WHERE parent_id = :file ORDER BY created_at, id"
ROLES = {"reader": "viewer", "commenter": "commenter", "writer": "editor", "owner": "owner"}
DEEDS = {"resolve": "resolved a comment", "reopen": "re-opened a comment"}


class ActivityEntry(NamedTuple):
    """One action on a file: its person, time (microseconds UTC) and description."""

    at: int
    person: str
    said: str
    more: str = ""


def of(call: Call, file: FileRow) -> list[ActivityEntry]:
    """Return the latest actions on a file, newest first; only writers see whom it was shared with."""
    writes = access.ROLES[access.role(call, file)] >= access.ROLES["writer"]
    found = [
        *_list_creations(call, file),
        *_list_comments(call, file),
        *_list_changes(call, file, sharing=writes),
        *(_before(call, file) if writes else ()),
    ]
    ordered = sorted(enumerate(found), key=lambda one: (one[1].at, one[0]), reverse=True)
    return [one for _, one in ordered][:MOST]


def _list_creations(call: Call, file: FileRow) -> Iterator[ActivityEntry]:
    """Yield creation and edits of a file; for a folder, the files put into it."""
    yield ActivityEntry(file.created_at, file.owner_id, "uploaded an item" if file.sha256 else "created an item")
    if file.mime_type == FOLDER:
        yield from (
            ActivityEntry(at, owner, "added an item", name) for name, owner, at in call.all(_INSIDE, {"file": file.id})
        )
    elif file.mime_type != media_types.SHORTCUT:
        yield from (
            ActivityEntry(one.at, one.person, "edited an item", one.mark.name)
            for one in revisions.every(call, file)
            if one.at > file.created_at
        )


def _list_comments(call: Call, file: FileRow) -> Iterator[ActivityEntry]:
    for author, parent, action, content, at in call.all(_SAID, {"file": file.id}):
        yield ActivityEntry(
            at,
            author,
            DEEDS.get(action) or ("commented on an item" if parent is None else "replied to a comment"),
            content,
        )


def _list_changes(call: Call, file: FileRow, *, sharing: bool) -> Iterator[ActivityEntry]:
    """Yield the recorded changes of the file's row and of its permissions."""
    for _, table, at, actor, before, after in call.all(_CHANGES, {"pk": f"[{file.id}]", "file": file.id}):
        was, now = before and orjson.loads(before), after and orjson.loads(after)
        who = file.owner_id if actor.startswith("system:") else actor
        told = (
            _of_permission(was, now)
            if table == "drive_permission" and sharing
            else _of_row(was, now)
            if table == "drive_file"
            else None
        )
        if told is not None:
            yield ActivityEntry(at, who, *told)


def _of_row(was: Any, now: Any) -> tuple[str, str] | None:
    if was is None or now is None:
        return None
    if was["name"] != now["name"]:
        return "renamed an item", f"{was['name']} → {now['name']}"
    if was["parent_id"] != now["parent_id"]:
        return "moved an item", ""
    if (was["trashed_at"] is None) != (now["trashed_at"] is None):
        return ("restored an item" if now["trashed_at"] is None else "moved an item to the trash"), ""
    return None


def _of_permission(was: Any, now: Any) -> tuple[str, str] | None:
    row = now or was
    whom = _whom(row["type"], row["email"], row["domain"])
    if now is None:
        return "removed access", whom
    if was is None:
        return None if now["role"] == "owner" else ("shared an item", f"{whom} · {ROLES[now['role']]}")
    return ("changed access", f"{whom} · {ROLES[now['role']]}") if was["role"] != now["role"] else None


def _before(call: Call, file: FileRow) -> Iterator[ActivityEntry]:
    """Yield permissions given before the world began."""
    known = {row[0] for row in call.all("SELECT DISTINCT pk FROM _journal WHERE table_name = 'drive_permission'")}
    for key, kind, email, domain, role, at, by in call.all(_GIVEN, {"file": file.id}):
        if orjson.dumps([file.id, key]).decode() not in known:
            yield ActivityEntry(at, by, "shared an item", f"{_whom(kind, email, domain)} · {ROLES[role]}")


def _whom(kind: str, email: str, domain: str) -> str:
    return "Anyone with the link" if kind == "anyone" else f"Everyone at {domain}" if kind == "domain" else email


def with_name(call: Call, text: str) -> str:
    """Replace the address at the beginning of a text by its owner's name."""
    address, dot, rest = text.partition(" · ")
    person = call.directory.by_email(address) if "@" in address else None
    group = groups.find_group(call, address) if "@" in address and person is None else None
    return f"{person.full_name if person else group.name if group else address}{dot}{rest}"
