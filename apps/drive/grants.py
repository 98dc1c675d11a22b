"""The permissions of a file: its own, and those of the folders above it."""

from typing import NamedTuple

from apps.drive import groups
from apps.drive.access import DEEPEST, GRANT_COLUMNS, ROLES, FileCache, FileRow, Grant
from world.core.call import Call

_PUT = (
    f"INSERT INTO drive_permission({GRANT_COLUMNS}) VALUES (:file_id, :key, :type, :role, :person_id, :email, :domain,"
    " :discoverable, :expires_at, :shared_at, :shared_by, :message) ON CONFLICT(file_id, key) DO UPDATE SET role ="
    " excluded.role, discoverable = excluded.discoverable, expires_at = excluded.expires_at, shared_at ="
    " excluded.shared_at, shared_by = excluded.shared_by, message = excluded.message"
)


class EffectivePermission(NamedTuple):
    """An effective permission of a file: its own row and the inherited ones."""

    grant: Grant
    own: Grant | None
    above: Grant | None
    folder: str  # the id of the folder it comes from


def own(call: Call, file_id: int) -> list[Grant]:
    """The rows of one file that have not expired, the oldest first."""
    return FileCache(call).own(file_id)


def list_effective(call: Call, file: FileRow, known: FileCache | None = None) -> list[EffectivePermission]:
    """List the effective permissions of a file, the widest for each grantee. The owner of a folder above may write."""
    seen = known or FileCache(call)
    mine = {one.key: one for one in seen.own(file.id)}
    above = _above(seen, file)
    found: list[EffectivePermission] = []
    for key in dict.fromkeys([*mine, *above]):
        direct, (inherited, folder) = mine.get(key), above.get(key, (None, ""))
        widest = max((one for one in (direct, inherited) if one), key=lambda one: ROLES.get(one.role, 0))
        found.append(EffectivePermission(widest, direct, inherited, folder))
    return found


def _above(known: FileCache, file: FileRow) -> dict[str, tuple[Grant | None, str]]:
    found: dict[str, tuple[Grant | None, str]] = {}
    at = file
    for _ in range(DEEPEST):
        parent = known.above(at)
        if parent is None:
            break
        for one in known.own(parent.id):
            before = found.get(one.key, (None, ""))[0]
            given = one._replace(role="writer") if one.role == "owner" else one
            if before is None or ROLES.get(given.role, 0) > ROLES.get(before.role, 0):
                found[one.key] = (given, parent.key)
        at = parent
    return found


def put(call: Call, grant: Grant) -> None:
    """Give or change a permission."""
    call.execute(_PUT, grant._asdict())


def drop(call: Call, file_id: int, key: str) -> None:
    """Remove a permission."""
    call.execute("DELETE FROM drive_permission WHERE file_id = :file AND key = :key", {"file": file_id, "key": key})


def people(call: Call, grant: Grant) -> list[str]:
    """Return the people of a permission for a person or a group."""
    if grant.type == "user":
        return [grant.person_id] if grant.person_id else []
    group = groups.find_group(call, grant.email) if grant.type == "group" else None
    return groups.members(call, group) if group else []


def to_me(known: FileCache, file: FileRow) -> Grant | None:
    """Return the permission that puts a file into the caller's `Shared with me`."""
    me = known.call.person
    for one in known.own(file.id):
        group = one.type == "group" and one.email.lower() in known.groups_of(me)
        if one.role != "owner" and (group or (one.type == "user" and one.person_id == me)):
            return one
    return None
