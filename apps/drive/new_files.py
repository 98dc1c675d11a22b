"""New files of the drive."""

from apps.drive.access import SPREADSHEET
from world.core.call import Call
from world.core.rng import digest

_ADD = (
    "INSERT INTO drive_file(id, key, name, mime_type, owner_id, parent_id, description, created_at, modified_at,"
    " modified_by, version, sha256, size) VALUES (:id, :key, :name, :mime_type, :me, :parent, '', :now, :now, :me, 1,"
    " :sha256, :size)"
)
_GRANT = (
    "INSERT INTO drive_permission(file_id, key, type, role, person_id, email, domain, discoverable, shared_at,"
    " shared_by) VALUES (:file, :key, 'user', 'owner', :me, :email, '', 0, :now, :me)"
)


def new_file(
    call: Call,
    name: str,
    mime_type: str,
    *,
    parent: int | None = None,
    sha256: str | None = None,
    size: int = 0,
    key: str = "",
) -> tuple[int, str]:
    """A file of the caller's; its row id and the vendor's id."""
    number = (call.scalar("SELECT max(id) FROM drive_file") or 0) + 1
    made = key or "1" + call.ids.base62(43 if mime_type == SPREADSHEET else 32)
    values = {
        "id": number,
        "key": made,
        "name": name,
        "mime_type": mime_type,
        "me": call.person,
        "parent": parent,
        "now": call.now,
        "sha256": sha256,
    }
    call.execute(_ADD, {**values, "size": size})
    call.execute(
        _GRANT,
        {
            "file": number,
            "key": permission_key("user", call.me.email),
            "me": call.person,
            "email": call.me.email,
            "now": call.now,
        },
    )
    return number, made


def permission_key(kind: str, whom: str) -> str:
    """The id of a permission: the same for the same person on every file, as the vendor's are."""
    if kind == "anyone":
        return "anyoneWithLink"
    number = int.from_bytes(digest("permission", kind, whom.lower(), size=8), "big")
    return str(number)[:20].rjust(20, "0") if kind != "domain" else f"{number}k"
