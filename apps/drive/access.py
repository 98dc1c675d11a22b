"""Access to files: roles from a file's own permissions and those of the folders above it."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from apps.drive import groups
from apps.drive.app import app
from world.core.call import Call

ROLES = {"": 0, "reader": 1, "commenter": 2, "writer": 3, "owner": 4}
DEEPEST = (
    100  # folders within folders; developers.google.com/workspace/drive/api/guides/handle-errors#my-drive-hierarchy
)
COLUMNS = (
    "id, key, name, mime_type, owner_id, parent_id, created_at, modified_at, modified_by, trashed_at, version,"
    " description, sha256, size, properties, settings"
)
_BY_KEY = f"SELECT {COLUMNS} FROM drive_file WHERE key = :key"
_BY_ID = f"SELECT {COLUMNS} FROM drive_file WHERE id = :id"
GRANT_COLUMNS = (
    "file_id, key, type, role, person_id, email, domain, discoverable, expires_at, shared_at, shared_by, message"
)
_GRANTS = f"SELECT {GRANT_COLUMNS} FROM drive_permission WHERE file_id = :file ORDER BY shared_at, key"


class Grant(NamedTuple):
    """A permission as a row."""

    file_id: int
    key: str
    type: str
    role: str
    person_id: str | None
    email: str
    domain: str
    discoverable: bool
    expires_at: int | None
    shared_at: int
    shared_by: str
    message: str | None = None


class FileRow:
    """A file as a row, without its content."""

    __slots__ = (
        "created_at",
        "description",
        "id",
        "key",
        "mime_type",
        "modified_at",
        "modified_by",
        "name",
        "owner_id",
        "parent_id",
        "properties",
        "settings",
        "sha256",
        "size",
        "trashed_at",
        "version",
    )

    def __init__(self, row: Any) -> None:
        (
            self.id,
            self.key,
            self.name,
            self.mime_type,
            self.owner_id,
            self.parent_id,
            self.created_at,
            self.modified_at,
            self.modified_by,
            self.trashed_at,
            self.version,
            self.description,
            self.sha256,
            self.size,
            properties,
            settings,
        ) = row
        self.properties: dict[str, str] = orjson.loads(properties) if properties else {}
        self.settings: dict[str, Any] = orjson.loads(settings) if settings else {}


def by_key(call: Call, key: str) -> FileRow | None:
    """Find a file by the vendor's id."""
    row = call.first(_BY_KEY, {"key": key})
    return None if row is None else FileRow(row)


def by_id(call: Call, number: int) -> FileRow | None:
    """Find a file by its row's id."""
    row = call.first(_BY_ID, {"id": number})
    return None if row is None else FileRow(row)


@dataclass(slots=True)
class FileCache:
    """Cache of files and permissions, for calls that look at many; nothing may change meanwhile."""

    call: Call
    rows: dict[int, FileRow | None] = field(default_factory=dict)
    grants: dict[int, list[Grant]] = field(default_factory=dict)
    groups: dict[str, frozenset[str]] = field(default_factory=dict)

    def row(self, number: int) -> FileRow | None:
        """A file by its row's id."""
        if number not in self.rows:
            self.rows[number] = by_id(self.call, number)
        return self.rows[number]

    def above(self, file: FileRow) -> FileRow | None:
        """The folder a file lies in."""
        return None if file.parent_id is None else self.row(file.parent_id)

    def own(self, number: int) -> list[Grant]:
        """The permissions of one file that have not expired, the oldest first."""
        if number not in self.grants:
            found = (Grant(*row) for row in self.call.all(_GRANTS, {"file": number}))
            self.grants[number] = [one for one in found if one.expires_at is None or one.expires_at > self.call.now]
        return self.grants[number]

    def groups_of(self, person: str) -> frozenset[str]:
        """The addresses of the groups somebody is in."""
        if person not in self.groups:
            self.groups[person] = groups.of(self.call, person)
        return self.groups[person]


def role(call: Call, file: FileRow, person: str = "", known: FileCache | None = None) -> str:
    """Return a person's role (default: the caller's): owner, writer, commenter, reader or nothing.

    The owner of a folder may write everything in it.
    """
    whose = person or call.person
    if file.owner_id == whose:
        return "owner"
    best, seen = "", known or FileCache(call)
    at: FileRow | None = file
    for _ in range(DEEPEST):
        if at is None or best == "writer":
            break
        for grant in seen.own(at.id):
            if ROLES.get(grant.role, 0) > ROLES[best] and _is_meant(seen, whose, grant):
                best = "writer" if grant.role == "owner" else grant.role
        at = seen.above(at)
        best = "writer" if at is not None and at.owner_id == whose else best
    return best


def _is_meant(known: FileCache, person: str, grant: Grant) -> bool:
    """Whether a permission applies to a person."""
    if grant.type == "user":
        return grant.person_id == person
    if grant.type == "group":
        return grant.email.lower() in known.groups_of(person)
    if grant.type == "domain":
        return groups.is_employee(known.call, person) and grant.domain == groups.get_company_domain(known.call)
    return grant.type == "anyone"


@app.rule("file.read")
def may_read(call: Call, file: FileRow) -> str | None:
    """Refuse unless the file is shared with the caller."""
    return None if role(call, file) else "forbidden"


@app.rule("file.comment")
def may_comment(call: Call, file: FileRow) -> str | None:
    """Refuse unless the caller is a commenter or above."""
    return None if ROLES[role(call, file)] >= ROLES["commenter"] else "forbidden"


@app.rule("file.write")
def may_write(call: Call, file: FileRow) -> str | None:
    """Refuse unless the caller is a writer or the owner."""
    return None if ROLES[role(call, file)] >= ROLES["writer"] else "forbidden"


@app.rule("file.export")
def may_export(call: Call, file: FileRow) -> str | None:
    """Refuse unless the caller may export the content: readers, or only writers if the file says so."""
    found = role(call, file)
    return (
        None
        if ROLES[found] >= ROLES["writer" if file.settings.get("copyRequiresWriterPermission") else "reader"]
        else "forbidden"
    )


@app.rule("file.share")
def may_share(call: Call, file: FileRow) -> str | None:
    """Refuse unless the caller may share: the owner, and writers unless the owner forbids it."""
    found = role(call, file)
    return (
        None if found == "owner" or (found == "writer" and file.settings.get("writersCanShare", True)) else "forbidden"
    )


@app.rule("file.own")
def may_own(call: Call, file: FileRow) -> str | None:
    """Refuse unless the caller is the owner."""
    return None if file.owner_id == call.person else "forbidden"


SPREADSHEET = "application/vnd.google-apps.spreadsheet"
FOLDER = "application/vnd.google-apps.folder"


RULES = app.rules
