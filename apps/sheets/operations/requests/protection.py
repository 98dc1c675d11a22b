"""Requests about protected ranges: add, update, delete. Only those who may edit what is protected may change that."""

from apps.sheets.cells import Area
from apps.sheets.grid import protection
from apps.sheets.operations.requests.objects import new_key, objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import grid_range
from apps.sheets.structure.objects import StoredObject, delete_object, save_object
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import PROTECTION_FIELDS, render_protected_range
from world.core.errors import OperationError

KIND, MOST_EDITORS = "protected_range", 200
_WRITERS = (
    "SELECT DISTINCT email FROM drive_permission WHERE file_id = :file AND type = 'user' AND role IN ('owner',"
    " 'writer') ORDER BY email"
)


def _place(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> tuple[Tab, Area]:
    """Return the protected sheet and area. Raises bad_request, no_object."""
    named = [name for name in ("range", "namedRangeId", "tableId") if given.get(name) is not None]
    if len(named) != 1:
        raise asked.wrong("Exactly one of range, namedRangeId and tableId must be set.")
    if named == ["range"]:
        return asked.range_of(book, objects_of(asked, given, "range"))
    kind, what = {"namedRangeId": ("named_range", "named range"), "tableId": ("table", "table")}[named[0]]
    thing = one(book, asked, kind, given[named[0]], what)
    return thing.tab(book), thing.area


def _spec(book: Spreadsheet, asked: RequestArguments, given: CheckedObject, tab: Tab, area: Area) -> CheckedObject:
    """Return a protection as stored, without its range. Raises bad_request."""
    spec = {name: given[name] for name in PROTECTION_FIELDS if given.get(name)}
    free = [asked.range_of(book, one) for one in given.get("unprotectedRanges") or []]
    if free and area != Area(0, 0, None, None):
        raise asked.wrong("Unprotected ranges are only supported on protected sheets.")
    if any(other.id != tab.id for other, _ in free):
        raise asked.wrong("Unprotected ranges must be on the protected sheet.")
    if free:
        spec["unprotectedRanges"] = [grid_range(other, part) for other, part in free]
    if not spec.get("warningOnly"):
        spec["editors"] = _editors(book, asked, given.get("editors"))
    return spec


def _editors(book: Spreadsheet, asked: RequestArguments, given: CheckedObject | None) -> CheckedObject:
    """Return the editors of a protection: the given ones, and always the owner and the caller."""
    given = given or {}
    for name in ("users", "groups"):
        emails = given.get(name) or []
        if len(emails) > MOST_EDITORS or any("@" not in email for email in emails):
            raise asked.wrong(f"Invalid editors.{name}.")
    owner = book.call.directory.person(book.file.owner_id)
    users = [*(given.get("users") or []), *([owner.email] if owner else []), book.call.me.email]
    kept: CheckedObject = {"users": list(dict.fromkeys(email.lower() for email in users))}
    if given.get("groups"):
        kept["groups"] = list(dict.fromkeys(email.lower() for email in given["groups"]))
    return {**kept, "domainUsersCanEdit": True} if given.get("domainUsersCanEdit") else kept


def _mine(book: Spreadsheet, asked: RequestArguments, key: object) -> StoredObject:
    """A protection the caller may change. Raises no_object, protected."""
    thing = one(book, asked, KIND, key, "protected range")
    if protection.shuts(book, thing.spec):
        raise OperationError("protected")
    return thing


@request("addProtectedRange")
def add_protected_range(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Protect a range, a named range or a whole sheet; without editors only you and the owner may edit it then."""
    given = objects_of(asked, asked.given, "protectedRange")
    tab, area = _place(book, asked, given)
    protection.check_area(book, tab, area)
    spec = _spec(book, asked, given, tab, area)
    key = new_key(book, asked, (KIND,), given.get("protectedRangeId"), "protected range")
    book.add_object(KIND, tab, area, spec, key=key)
    return {"protectedRange": render_protected_range(book, one(book, asked, KIND, key, "protected range"))}


@request("updateProtectedRange")
def update_protected_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change what is protected and who may edit it."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "protectedRange")
    thing = _mine(book, asked, given.get("protectedRangeId") or 0)
    wanted = fields.merge(render_protected_range(book, thing), given)
    sources = [
        name for name in ("range", "namedRangeId", "tableId") if fields.has(name) and given.get(name) is not None
    ]
    if not fields.is_all and sources:
        wanted = {
            name: item
            for name, item in wanted.items()
            if name not in ("range", "namedRangeId", "tableId") or name in sources
        }
    elif wanted.get("namedRangeId") or wanted.get("tableId"):
        wanted.pop("range", None)
    if thing.spec.get("warningOnly") and not wanted.get("warningOnly") and not wanted.get("editors"):
        wanted["editors"] = {"users": [email for (email,) in book.call.all(_WRITERS, {"file": book.file.id})]}
    tab, area = _place(book, asked, wanted)
    thing.spec, thing.sheet, thing.sides = _spec(book, asked, wanted, tab, area), tab.id, area
    save_object(book, thing)


@request("deleteProtectedRange")
def delete_protected_range(book: Spreadsheet, asked: RequestArguments) -> None:
    """Take a protection away."""
    delete_object(book, _mine(book, asked, asked.get("protectedRangeId", 0)))
