"""Requests about filters: the basic filter of a sheet, filter views, slicers."""

from typing import Any

from apps.sheets.cells import Area
from apps.sheets.grid import filter_effects, protection
from apps.sheets.grid.conditions import problem
from apps.sheets.operations.requests.charts import parse_position
from apps.sheets.operations.requests.objects import new_key, objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.requests.sort import sort_range
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.grid_ranges import grid_range
from apps.sheets.structure.objects import delete_object, list_objects, save_object
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject, FilterCriteria
from apps.sheets.views.objects import render_filter, render_slicer
from world.core.errors import OperationError

PARTS = ("filterSpecs", "sortSpecs")


def _place(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> tuple[Tab, Area]:
    """The range of a filter, which may be that of a named range or a table. Raises bad_request, no_object."""
    named = [name for name in ("range", "namedRangeId", "tableId") if given.get(name)]
    if len(named) != 1:
        raise asked.wrong("Exactly one of range, namedRangeId and tableId must be set.")
    if named == ["range"]:
        tab, area = asked.range_of(book, given["range"])
        return tab, area.within(tab.rows, tab.columns)
    kind, what = {"namedRangeId": ("named_range", "named range"), "tableId": ("table", "table")}[named[0]]
    thing = one(book, asked, kind, given[named[0]], what)
    tab = thing.tab(book)
    return tab, thing.area.within(tab.rows, tab.columns)


def _parse_filter(book: Spreadsheet, asked: RequestArguments, given: Any) -> tuple[Tab, Area, CheckedObject]:
    """Sheet, range and specification of a filter. Raises bad_request."""
    tab, area = _place(book, asked, given)
    for name in ("criteria", "filterSpecs", "sortSpecs"):
        if not isinstance(given.get(name, {} if name == "criteria" else []), dict if name == "criteria" else list):
            raise asked.wrong(f"Invalid {name}.")
    wanted = filter_effects.criteria(given)
    if any(not str(key).isdigit() for key in given.get("criteria") or {}):
        raise asked.wrong("The keys of criteria must be column indexes.")
    for column, criterion in wanted.items():
        check_criterion(asked, area, column, criterion)
    for order in given.get("sortSpecs") or []:
        if not area.left <= (order.get("dimensionIndex") or 0) < (area.right or 0):
            raise asked.wrong(f"dimensionIndex {order.get('dimensionIndex') or 0} is not in the range.")
    spec = {name: given[name] for name in ("namedRangeId", "tableId", "sortSpecs") if given.get(name)}
    if wanted:
        spec["filterSpecs"] = [
            {"columnIndex": column, "filterCriteria": item} for column, item in sorted(wanted.items())
        ]
    return tab, area, spec


def check_criterion(asked: RequestArguments, area: Area, column: int, criterion: FilterCriteria) -> None:
    """Refuse a FilterCriteria that means nothing. Raises bad_request."""
    if not area.left <= column < (area.right or 0):
        raise asked.wrong(f"Filter criteria column {column} is not in the range.")
    if criterion.get("condition") is not None:
        wrong = problem(objects_of(asked, criterion, "condition"), "filter")
        if wrong:
            raise asked.wrong(wrong)
    colours = [
        name
        for name in ("visibleBackgroundColor", "visibleForegroundColor")
        if name in criterion or f"{name}Style" in criterion
    ]
    if len(colours) > 1:
        raise asked.wrong("Only one of visibleBackgroundColor and visibleForegroundColor may be set.")


@request("setBasicFilter")
def set_basic_filter(book: Spreadsheet, asked: RequestArguments) -> None:
    """Put a filter on a range of a sheet in place of the one it has: rows are sorted, and hidden where criteria say so."""
    tab, area, spec = _parse_filter(book, asked, objects_of(asked, asked.given, "filter"))
    protection.check_area(book, tab, area)
    _drop_basic(book, tab)
    book.add_object("basic_filter", tab, area, spec)
    body = Area(area.top + 1, area.left, area.bottom, area.right)
    if spec.get("sortSpecs") and body.top < (body.bottom or 0):
        sort_range(
            book,
            RequestArguments({"range": grid_range(tab, body), "sortSpecs": spec["sortSpecs"]}, asked.kind, asked.place),
        )
    filter_effects.apply(book, tab)


def _drop_basic(book: Spreadsheet, tab: Tab) -> None:
    """Take a sheet's filter away. Raises protected."""
    for thing in list_objects(book, "basic_filter", tab):
        protection.check_area(book, tab, thing.area)
        delete_object(book, thing)


@request("clearBasicFilter")
def clear_basic_filter(book: Spreadsheet, asked: RequestArguments) -> None:
    """Take the filter of a sheet away; the rows it hid are shown."""
    tab = book.tab(asked.get("sheetId", 0))
    _drop_basic(book, tab)
    filter_effects.apply(book, tab)


# filter views


def _free_title(book: Spreadsheet) -> str:
    taken = {thing.name for thing in list_objects(book, "filter_view")}
    return next(title for number in range(1, len(taken) + 2) if (title := f"Filter {number}") not in taken)


@request("addFilterView")
def add_filter_view(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Keep a filter that everybody may look through, without changing what others see."""
    given = objects_of(asked, asked.given, "filter")
    tab, area, spec = _parse_filter(book, asked, given)
    key = new_key(book, asked, ("filter_view",), given.get("filterViewId"), "filter view")
    book.add_object("filter_view", tab, area, spec, key=key, name=given.get("title") or _free_title(book))
    return {"filter": render_filter(book, one(book, asked, "filter_view", key, "filter view"))}


@request("updateFilterView")
def update_filter_view(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change the title, range, criteria or order of a filter view."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "filter")
    thing = one(book, asked, "filter_view", given.get("filterViewId") or 0, "filter view")
    old = render_filter(book, thing)
    for newer, older in (("filterSpecs", "criteria"), ("criteria", "filterSpecs")):
        if fields.is_all or (fields.has(newer) and not fields.has(older)):
            old.pop(older, None)
    for name in ("range", "namedRangeId", "tableId"):
        if not fields.is_all and fields.has(name) and given.get(name):
            old = {
                key: item for key, item in old.items() if key not in ("range", "namedRangeId", "tableId") or key == name
            }
    wanted = fields.merge(old, given)
    if any(wanted.get(name) for name in ("namedRangeId", "tableId")):
        wanted.pop("range", None)
    tab, area, thing.spec = _parse_filter(book, asked, wanted)
    thing.name, thing.sheet, thing.sides = wanted.get("title") or thing.name, tab.id, area
    save_object(book, thing)


@request("duplicateFilterView")
def duplicate_filter_view(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Copy a filter view."""
    thing = one(book, asked, "filter_view", asked.get("filterId", 0), "filter view")
    key = new_key(book, asked, ("filter_view",), None, "filter view")
    book.add_object("filter_view", thing.tab(book), thing.area, thing.spec, key=key, name=f"Copy of {thing.name}")
    return {"filter": render_filter(book, one(book, asked, "filter_view", key, "filter view"))}


@request("deleteFilterView")
def delete_filter_view(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete a filter view."""
    delete_object(book, one(book, asked, "filter_view", asked.get("filterId", 0), "filter view"))


# slicers


def _slicer_spec(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> CheckedObject:
    """Return a SlicerSpec as stored. Raises bad_request."""
    tab, area = asked.range_of(book, objects_of(asked, given, "dataRange"))
    whole = area.within(tab.rows, tab.columns)
    column = given.get("columnIndex")
    if column is None and given.get("filterCriteria"):
        raise asked.wrong("columnIndex is required where filterCriteria is set.")
    if column is not None:
        check_criterion(
            asked, Area(0, 0, None, (whole.right or 0) - whole.left), column, given.get("filterCriteria") or {}
        )
    return {**given, "dataRange": grid_range(tab, whole)}


@request("addSlicer")
def add_slicer(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Put a slicer on a sheet: a filter of one column of a range that shows as a box."""
    given = objects_of(asked, asked.given, "slicer")
    spec = _slicer_spec(book, asked, objects_of(asked, given, "spec"))
    tab, position = parse_position(book, asked, objects_of(asked, given, "position"))
    protection.check_sheet(book, tab)
    if (spec["dataRange"].get("sheetId") or 0) != tab.gid:
        raise asked.wrong("A slicer must be on the same sheet as its data range.")
    key = new_key(book, asked, ("chart", "slicer"), given.get("slicerId"), "slicer")
    book.add_object("slicer", tab, None, {"spec": spec, "position": position}, key=key)
    filter_effects.apply(book, tab)
    return {"slicer": render_slicer(one(book, asked, "slicer", key, "slicer"))}


@request("updateSlicerSpec")
def update_slicer_spec(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change the title, range or criteria of a slicer."""
    fields, given = asked.fields(), objects_of(asked, asked.given, "spec")
    thing = one(book, asked, "slicer", asked.need("slicerId"), "slicer")
    tab = thing.tab(book)
    protection.check_sheet(book, tab)
    spec = _slicer_spec(book, asked, fields.merge(thing.spec["spec"], given))
    if (spec["dataRange"].get("sheetId") or 0) != tab.gid:
        raise OperationError(
            "bad_request",
            place=asked.place,
            kind=asked.kind,
            problem="A slicer must be on the same sheet as its data range.",
        )
    thing.spec = {**thing.spec, "spec": spec}
    save_object(book, thing)
    filter_effects.apply(book, tab)
