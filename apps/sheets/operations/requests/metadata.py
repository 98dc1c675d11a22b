"""Requests about developer metadata: create, update, delete."""

from apps.sheets.operations.data_filters import KINDS, matches_lookup, places
from apps.sheets.operations.requests.dimensions import lines
from apps.sheets.operations.requests.objects import new_key, objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.requests.shapes import check_object
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import NOWHERE, Sides, StoredObject, delete_object, list_objects, save_object
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import METADATA_FIELDS, render_metadata

KIND = "metadata"
PLACES = ("spreadsheet", "sheetId", "dimensionRange")
MOST_LETTERS = 30_000  # of keys and values; developers.google.com/workspace/sheets/api/guides/metadata


def _place(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> tuple[Tab | None, Sides]:
    """Sheet and sides of a DeveloperMetadataLocation. Raises bad_request, no_sheet."""
    named = [name for name in PLACES if given.get(name) is not None]
    if len(named) != 1 or given.get("spreadsheet") is False:
        raise asked.wrong(
            "Exactly one of spreadsheet, sheetId and dimensionRange must be set in developerMetadata.location."
        )
    if named == ["spreadsheet"]:
        return None, NOWHERE
    if named == ["sheetId"]:
        return book.tab(given["sheetId"]), NOWHERE
    found = lines(book, asked, objects_of(asked, given, "dimensionRange"))
    if found.count != 1:
        raise asked.wrong("developerMetadata.location.dimensionRange must represent a single row or column.")
    if found.end > found.size:
        raise asked.wrong(f"{found.word.capitalize()} {found.start} does not exist.")
    is_row = found.axis == "ROWS"
    return found.tab, (found.start, None, found.end, None) if is_row else (None, found.start, None, found.end)


def _spec(asked: RequestArguments, given: CheckedObject) -> CheckedObject:
    """Key, value and visibility. Raises bad_request."""
    if not given.get("metadataKey"):
        raise asked.wrong("developerMetadata.metadataKey must be specified.")
    if given.get("visibility") not in ("DOCUMENT", "PROJECT"):
        raise asked.wrong("developerMetadata.visibility must be specified.")
    if len(given["metadataKey"]) + len(given.get("metadataValue") or "") > MOST_LETTERS:
        raise asked.wrong("Developer metadata would exceed its storage limit.")
    return {name: given[name] for name in METADATA_FIELDS if given.get(name) is not None}


def list_selected_metadata(book: Spreadsheet, given: CheckedObject) -> list[StoredObject]:
    """The metadata one data filter selects. Raises bad_request, bad_range, beyond_grid, no_sheet."""
    wanted = check_object(given, "dataFilter")
    if [name for name in KINDS if name in wanted] == ["developerMetadataLookup"] and len(wanted) == 1:
        return [
            thing for thing in list_objects(book, KIND) if _is_looked_up(book, wanted["developerMetadataLookup"], thing)
        ]
    found: list[StoredObject] = []
    for tab, area in places(book, given):
        near = [thing for thing in list_objects(book, KIND) if thing.sheet == tab.id and thing.sides != (None,) * 4]
        found += [thing for thing in near if thing.area.within(tab.rows, tab.columns).meets(area)]
    return found


def _is_looked_up(book: Spreadsheet, lookup: CheckedObject, thing: StoredObject) -> bool:
    if thing.sheet is not None:
        return matches_lookup(lookup, thing.tab(book), thing.sides, thing.key, thing.spec)
    if "metadataId" in lookup and str(lookup["metadataId"]) != thing.key:
        return False
    if any(name in lookup and lookup[name] != thing.spec.get(name) for name in METADATA_FIELDS):
        return False
    place = lookup.get("metadataLocation")
    return lookup.get("locationType", "SPREADSHEET") in (
        "SPREADSHEET",
        "DEVELOPER_METADATA_LOCATION_TYPE_UNSPECIFIED",
    ) and (place is None or bool(place.get("spreadsheet")))


def _match_filters(book: Spreadsheet, asked: RequestArguments, filters: list[CheckedObject]) -> list[StoredObject]:
    """Return the metadata that data filters select, each once. Raises bad_request."""
    if not filters:
        raise asked.wrong("At least one data filter must be specified.")
    return list({thing.key: thing for given in filters for thing in list_selected_metadata(book, given)}.values())


@request("createDeveloperMetadata")
def create_metadata(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Put metadata on the spreadsheet, a sheet, a row or a column."""
    given = objects_of(asked, asked.given, "developerMetadata")
    spec = _spec(asked, given)
    tab, sides = _place(book, asked, objects_of(asked, given, "location"))
    if given.get("metadataId") == 0:
        raise asked.wrong("developerMetadata.metadataId must be positive.")
    key = new_key(book, asked, (KIND,), given.get("metadataId"), "developer metadata")
    book.add_object(KIND, tab, None, spec, key=key)
    thing = one(book, asked, KIND, key, "developer metadata")
    thing.sides = sides
    save_object(book, thing)
    return {"developerMetadata": render_metadata(book, thing)}


@request("updateDeveloperMetadata")
def update_metadata(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Change the metadata that filters select."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "developerMetadata")
    found = _match_filters(book, asked, asked.get("dataFilters", []))
    for thing in found:
        wanted = fields.merge(render_metadata(book, thing), given)
        if str(wanted.get("metadataId", thing.key)) != thing.key:
            raise asked.wrong("developerMetadata.metadataId cannot be changed.")
        thing.spec = _spec(asked, wanted)
        tab, thing.sides = _place(
            book, asked, _merge_location(wanted.get("location") or {}, given if fields.has("location") else {})
        )
        thing.sheet = tab and tab.id
        save_object(book, thing)
    return {"developerMetadata": [render_metadata(book, thing) for thing in found]} if found else {}


def _merge_location(location: CheckedObject, given: CheckedObject) -> CheckedObject:
    """A location of which a part was changed: the new place counts."""
    new = {name: item for name, item in (given.get("location") or {}).items() if name in PLACES}
    return new or location


@request("deleteDeveloperMetadata")
def delete_metadata(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Delete the metadata that a filter selects."""
    found = _match_filters(book, asked, [objects_of(asked, asked.given, "dataFilter")])
    gone = [render_metadata(book, thing) for thing in found]
    for thing in found:
        delete_object(book, thing)
    return {"deletedDeveloperMetadata": gone} if gone else {}
