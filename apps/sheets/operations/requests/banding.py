"""Requests about ranges of alternating colours: add, update, delete."""

from apps.sheets.cells import Area
from apps.sheets.grid import protection
from apps.sheets.grid.effective_formats import style_at
from apps.sheets.operations.requests.objects import new_key, objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import StoredObject, delete_object, list_objects, list_overlapping, save_object
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import render_banded_range

KIND = "banding"
PARTS = ("rowProperties", "columnProperties")
TAKEN = "You cannot add alternating background colors to a range that already has alternating background colors."


def _parse_banding(
    book: Spreadsheet, asked: RequestArguments, given: CheckedObject, but: StoredObject | None = None
) -> tuple[Tab, Area, CheckedObject]:
    """Sheet, range and colours. Raises bad_request."""
    tab, area = asked.range_of(book, objects_of(asked, given, "range"))
    whole = area.within(tab.rows, tab.columns)
    spec = {name: objects_of(asked, given, name) for name in PARTS if given.get(name)}
    if not spec:
        raise asked.wrong("At least one of rowProperties and columnProperties must be specified.")
    for name, colours in spec.items():
        for band in ("firstBandColor", "secondBandColor"):
            if style_at(colours, band) is None:
                raise asked.wrong(f"{name}.{band} is required.")
    protection.check_area(book, tab, whole)
    if list_overlapping(list_objects(book, KIND, tab), tab, whole, but=but) or list_overlapping(
        list_objects(book, "table", tab), tab, whole
    ):
        raise asked.wrong(TAKEN)
    return tab, whole, spec


def _open(book: Spreadsheet, asked: RequestArguments, key: int) -> StoredObject:
    """A banded range whose cells are the caller's to change. Raises no_object, protected."""
    thing = one(book, asked, KIND, key, "banded range")
    protection.check_area(book, thing.tab(book), thing.area)
    return thing


@request("addBanding")
def add_banding(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Give the rows or columns of a range alternating colours."""
    given = objects_of(asked, asked.given, "bandedRange")
    tab, area, spec = _parse_banding(book, asked, given)
    key = new_key(book, asked, (KIND,), given.get("bandedRangeId"), "banded range")
    book.add_object(KIND, tab, area, spec, key=key)
    return {"bandedRange": render_banded_range(book, one(book, asked, KIND, key, "banded range"))}


@request("updateBanding")
def update_banding(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change the range or the colours."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "bandedRange")
    thing = _open(book, asked, given.get("bandedRangeId") or 0)
    tab, area, thing.spec = _parse_banding(book, asked, fields.merge(render_banded_range(book, thing), given), thing)
    thing.sheet, thing.sides = tab.id, area
    save_object(book, thing)


@request("deleteBanding")
def delete_banding(book: Spreadsheet, asked: RequestArguments) -> None:
    """Take the alternating colours away."""
    delete_object(book, _open(book, asked, asked.get("bandedRangeId", 0)))
