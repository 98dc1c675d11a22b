"""New files of the drive."""

from world.core.call import Call
from world.core.rng import digest

SPREADSHEET = "application/vnd.google-apps.spreadsheet"
FOLDER = "application/vnd.google-apps.folder"
_ADD = (
    "INSERT INTO sheets_file(id, key, name, mime_type, owner_id, parent_id, description, created_at, modified_at,"
    " modified_by, version, sha256, size) VALUES (:id, :key, :name, :mime_type, :me, :parent, '', :now, :now, :me, 1,"
    " :sha256, :size)"
)
_GRANT = (
    "INSERT INTO sheets_permission(file_id, key, type, role, person_id, email, domain, discoverable, shared_at,"
    " shared_by) VALUES (:file, :key, 'user', 'owner', :me, :email, '', 0, :now, :me)"
)
_BOOK = "INSERT INTO sheets_spreadsheet(file_id, locale, time_zone, state) VALUES (:file, 'en_US', :zone, :state)"
_SHEET = (
    "INSERT INTO sheets_sheet(id, file_id, gid, title, position, rows, columns, frozen_rows, frozen_columns, hidden)"
    " VALUES (:id, :file, 0, 'Sheet1', 0, 1000, 26, 0, 0, 0)"
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
    number = (call.scalar("SELECT max(id) FROM sheets_file") or 0) + 1
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


def new_spreadsheet(call: Call, name: str, *, parent: int | None = None, first_sheet: bool = True) -> str:
    """An empty spreadsheet of the caller's; its id."""
    number, key = new_file(call, name, SPREADSHEET, parent=parent)
    call.execute(_BOOK, {"file": number, "zone": call.directory.zone(call.person), "state": digest("new", key).hex()})
    if first_sheet:
        sheet = (call.scalar("SELECT max(id) FROM sheets_sheet") or 0) + 1
        call.execute(_SHEET, {"id": sheet, "file": number})
    return key
