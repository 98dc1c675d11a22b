"""Files in a person's view, and their order."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import orjson

from apps.drive import groups
from apps.drive.access import COLUMNS, FOLDER, FileRow
from apps.drive.query.compiler import Condition
from apps.drive.query.tree import BadQuery
from world.core.call import Call
from world.core.json_types import JsonObject

# What has been shared so that everybody, or everybody who has the link, may read it is in view once it was opened.
_TABLES = """WITH RECURSIVE
live AS (SELECT * FROM drive_permission WHERE expires_at IS NULL OR expires_at > :now),
open(id) AS (SELECT file_id FROM live WHERE type = 'anyone' OR (type = 'domain' AND domain = :domain)
  UNION SELECT f.id FROM drive_file f JOIN open o ON f.parent_id = o.id),
seen(id) AS (SELECT id FROM drive_file WHERE owner_id = :me
  UNION SELECT file_id FROM live WHERE type = 'user' AND person_id = :me
  UNION SELECT file_id FROM live WHERE type = 'group' AND lower(email) IN (SELECT value FROM json_each(:groups))
  UNION SELECT file_id FROM live WHERE discoverable AND (type = 'anyone' OR (type = 'domain' AND domain = :domain))
  UNION SELECT v.file_id FROM drive_visit v WHERE v.person_id = :me AND v.file_id IN (SELECT id FROM open)
  UNION SELECT f.id FROM drive_file f JOIN seen s ON f.parent_id = s.id)
"""
_STARRED = "SELECT file_id FROM drive_star WHERE person_id = :me"
_VISITED = "SELECT file_id, at FROM drive_visit WHERE person_id = :me"
_SHARED = (
    "SELECT file_id, max(shared_at) FROM drive_permission WHERE person_id = :me AND role != 'owner' GROUP BY file_id"
)
_DIGITS = re.compile(r"(\d+)")
Key = Callable[[FileRow], Any]


def values(call: Call) -> JsonObject:
    """Return the values that the tables above need about the caller."""
    domain = groups.get_company_domain(call) if groups.is_employee(call, call.person) else None
    return {
        "me": call.person,
        "now": call.now,
        "domain": domain,
        "groups": orjson.dumps(sorted(groups.of(call, call.person))).decode(),
    }


def files(call: Call, condition: Condition) -> list[FileRow]:
    """Return the files in the caller's view that meet a condition, last changed first."""
    columns = ", ".join(f"f.{name.strip()}" for name in COLUMNS.split(","))
    sql = (
        f"{_TABLES} SELECT {columns} FROM drive_file f WHERE f.id IN (SELECT id FROM seen) AND ({condition.sql}) ORDER"
        " BY f.modified_at DESC, f.id"
    )
    return [FileRow(row) for row in call.all(sql, {**values(call), **condition.values})]


def sort_files(call: Call, rows: Sequence[FileRow], text: str) -> list[FileRow]:
    """Sort files by an `orderBy` expression. Raises BadQuery."""
    keys = _keys(call)
    out = list(rows)
    for part in reversed([one.split() for one in text.split(",")]):
        if not part or part[0] not in keys or part[1:] not in ([], ["desc"], ["asc"]):
            raise BadQuery
        out.sort(key=keys[part[0]], reverse=part[1:] == ["desc"])
    return out


def _keys(call: Call) -> dict[str, Key]:
    """Return the sort keys of files; True sorts first, as the vendor does for folders."""
    mine = {"me": call.person}
    starred = {row[0] for row in call.all(_STARRED, mine)}
    visited = dict(call.all(_VISITED, mine))  # type: ignore[arg-type]
    shared = dict(call.all(_SHARED, mine))  # type: ignore[arg-type]

    def by_me(row: FileRow) -> int:
        return row.modified_at if row.modified_by == call.person else 0

    return {
        "createdTime": lambda row: row.created_at,
        "folder": lambda row: row.mime_type != FOLDER,
        "modifiedByMeTime": by_me,
        "modifiedTime": lambda row: row.modified_at,
        "name": lambda row: row.name.casefold(),
        "name_natural": lambda row: natural(row.name),
        "quotaBytesUsed": lambda row: row.size,
        "sharedWithMeTime": lambda row: shared.get(row.id, 0),
        "starred": lambda row: row.id not in starred,
        "recency": lambda row: max(row.modified_at, row.created_at, visited.get(row.id, 0), shared.get(row.id, 0)),
        "viewedByMeTime": lambda row: visited.get(row.id, 0),
    }


def natural(name: str) -> list[tuple[int, int, str]]:
    """Return a sort key by which 2 comes before 12."""
    return [
        (0, int(part[:300]), "") if part.isdecimal() else (1, 0, part)
        for part in _DIGITS.split(name.casefold())
        if part
    ]
