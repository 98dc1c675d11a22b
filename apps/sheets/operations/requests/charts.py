"""Requests about charts and other things that float over a sheet: add, change, move, frame, delete."""

from collections.abc import Iterator

from apps.sheets.grid import filter_effects, protection
from apps.sheets.operations.requests.objects import new_key, objects_of, one
from apps.sheets.operations.requests.registry import RequestArguments, request
from apps.sheets.operations.requests.tabs import delete as delete_tab
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import StoredObject, delete_object, list_objects, save_object
from apps.sheets.structure.sheets import add_object_sheet
from apps.sheets.structure.tabs import Tab
from apps.sheets.vendor_types import CheckedObject
from apps.sheets.views.objects import _position, render_embedded_chart
from world.core.errors import OperationError

CHARTS = (
    "basicChart",
    "pieChart",
    "bubbleChart",
    "candlestickChart",
    "orgChart",
    "histogramChart",
    "waterfallChart",
    "treemapChart",
    "scorecardChart",
)
NEEDED = {
    "basicChart": ("chartType", "series"),
    "pieChart": ("domain", "series"),
    "bubbleChart": ("domain", "series"),
    "candlestickChart": ("domain", "data"),
    "orgChart": ("labels",),
    "histogramChart": ("series",),
    "waterfallChart": ("domain", "series"),
    "treemapChart": ("labels",),
    "scorecardChart": ("keyValueData",),
}
SIZE = {"widthPixels": 600, "heightPixels": 371}
MOST_PIXELS = 100_000
EMBEDDED = ("chart", "slicer")


def parse_position(book: Spreadsheet, asked: RequestArguments, given: CheckedObject) -> tuple[Tab, CheckedObject]:
    """Parse an EmbeddedObjectPosition: return its sheet and the position, empty on a sheet of its own.

    Raises bad_request, no_sheet.
    """
    if len([name for name in ("newSheet", "sheetId", "overlayPosition") if given.get(name) not in (None, False)]) > 1:
        raise asked.wrong("Exactly one position must be set.")
    if given.get("newSheet"):
        return add_object_sheet(book, asked.wrong), {}
    if given.get("sheetId") is not None:
        raise asked.wrong("The sheetId of a position may not be set: use newSheet.")
    overlay = objects_of(asked, given, "overlayPosition")
    cell = overlay.get("anchorCell") or {}
    tab, row, column = asked.coordinate(book, cell)
    sizes = {name: overlay.get(name) or usual for name, usual in SIZE.items()}
    moved = {name: overlay[name] for name in ("offsetXPixels", "offsetYPixels") if overlay.get(name)}
    if any(not 0 < size <= MOST_PIXELS for size in sizes.values()) or any(
        not 0 <= by <= MOST_PIXELS for by in moved.values()
    ):
        raise asked.wrong("Position sizes and offsets must be positive.")
    anchor = {"sheetId": tab.gid, **{name: at for name, at in (("rowIndex", row), ("columnIndex", column)) if at}}
    return tab, {"overlayPosition": {"anchorCell": anchor, **moved, **sizes}}


def check_spec(book: Spreadsheet, asked: RequestArguments, spec: CheckedObject) -> CheckedObject:
    """A ChartSpec that can be drawn. Raises bad_request, no_sheet, range_beyond_sheet."""
    if "dataSourceChartProperties" in spec:
        raise OperationError("unsupported_request", place=asked.place, kind=asked.kind)
    kinds = [name for name in CHARTS if spec.get(name) is not None]
    if len(kinds) != 1:
        raise asked.wrong("Exactly one chart specification must be set in ChartSpec.")
    drawn = spec[kinds[0]]
    for name in NEEDED[kinds[0]]:
        if not drawn.get(name) or str(drawn[name]).endswith("_UNSPECIFIED"):
            raise asked.wrong(f"{kinds[0]}.{name} is required.")
    for source in _sources(drawn):
        _check_source(book, asked, source)
    return spec


def _sources(value: object) -> Iterator[CheckedObject]:
    """The ChartSourceRanges of a specification."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _sources(item)
    if isinstance(value, dict) and isinstance(value.get("sourceRange"), dict):
        yield value["sourceRange"]


def _check_source(book: Spreadsheet, asked: RequestArguments, source: CheckedObject) -> None:
    ranges = source.get("sources") or []
    if not ranges:
        raise asked.wrong("At least one source range must be specified.")
    for given in ranges:
        tab, area = asked.range_of(book, given)
        whole = area.within(tab.rows, tab.columns)
        if (whole.bottom or 0) - whole.top > 1 and (whole.right or 0) - whole.left > 1:
            raise asked.wrong("Source ranges must have a width or height of 1.")


@request("addChart")
def add_chart(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Put a chart on a sheet."""
    given = objects_of(asked, asked.given, "chart")
    spec = check_spec(book, asked, objects_of(asked, given, "spec"))
    tab, position = parse_position(book, asked, objects_of(asked, given, "position"))
    protection.check_sheet(book, tab)
    key = new_key(book, asked, EMBEDDED, given.get("chartId"), "chart")
    border = {"border": given["border"]} if given.get("border") else {}
    book.add_object("chart", tab, None, {"spec": spec, "position": position, **border}, key=key)
    return {"chart": render_embedded_chart(book, one(book, asked, "chart", key, "chart"))}


@request("updateChartSpec")
def update_chart_spec(book: Spreadsheet, asked: RequestArguments) -> None:
    """Put another specification in place of a chart's."""
    thing = one(book, asked, "chart", asked.need("chartId"), "chart")
    protection.check_sheet(book, thing.tab(book))
    thing.spec = {**thing.spec, "spec": check_spec(book, asked, objects_of(asked, asked.given, "spec"))}
    save_object(book, thing)


def get_embedded_object(book: Spreadsheet, asked: RequestArguments) -> StoredObject:
    """The chart or slicer of `objectId`, which the caller may change. Raises no_object, protected."""
    number = asked.need("objectId")
    found = next((thing for kind in EMBEDDED for thing in list_objects(book, kind) if thing.key == str(number)), None)
    thing = found or one(book, asked, "chart", number, "embedded object")
    protection.check_sheet(book, thing.tab(book))
    return thing


@request("updateEmbeddedObjectPosition")
def update_position(book: Spreadsheet, asked: RequestArguments) -> CheckedObject:
    """Move or resize a chart or slicer."""
    thing, given = get_embedded_object(book, asked), objects_of(asked, asked.given, "newPosition")
    old = thing.tab(book)
    if given.get("newSheet") and thing.kind != "chart":
        raise asked.wrong("Only charts may be on a sheet of their own.")
    if isinstance(given.get("overlayPosition"), dict):
        kept = thing.spec["position"].get("overlayPosition") or {}
        given = {**given, "overlayPosition": asked.fields().merge(kept, given["overlayPosition"])}
    tab, position = parse_position(book, asked, given)
    protection.check_sheet(book, tab)
    if thing.kind == "slicer" and tab.id != thing.sheet:
        raise asked.wrong("A slicer must be on the same sheet as its data range.")
    thing.sheet, thing.spec = tab.id, {**thing.spec, "position": position}
    save_object(book, thing)
    if not old.is_grid:
        delete_tab(book, asked, book.tab(old.gid))
    return {"position": _position(book, thing)}


@request("updateEmbeddedObjectBorder")
def update_border(book: Spreadsheet, asked: RequestArguments) -> None:
    """Change the frame of a chart."""
    thing = get_embedded_object(book, asked)
    if thing.kind != "chart":
        raise asked.wrong("Only charts have a border.")
    border = asked.fields().merge(thing.spec.get("border") or {}, objects_of(asked, asked.given, "border"))
    thing.spec = {
        **{name: item for name, item in thing.spec.items() if name != "border"},
        **({"border": border} if border else {}),
    }
    save_object(book, thing)


@request("deleteEmbeddedObject")
def delete_embedded(book: Spreadsheet, asked: RequestArguments) -> None:
    """Delete a chart or a slicer."""
    thing = get_embedded_object(book, asked)
    if not thing.tab(book).is_grid:
        delete_tab(book, asked, thing.tab(book))
        return
    delete_object(book, thing)
    if thing.kind == "slicer":
        filter_effects.apply(book, thing.tab(book))
