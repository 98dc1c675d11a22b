"""Overlays of a sheet's page: filter views and the rows they show, slicers, protected ranges."""

from typing import Any

from apps.sheets import a1
from apps.sheets.grid import filter_effects
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import StoredObject, list_objects
from apps.sheets.structure.tabs import Tab

Runs = list[list[int]]


def sheet_overlays(book: Spreadsheet, tab: Tab, view: int | None, hidden: Runs) -> dict[str, Any]:
    """Return a sheet's filter views, slicers and protected ranges; with a view in use, its filter and hidden rows."""
    views = list_objects(book, "filter_view", tab)
    found: dict[str, Any] = {
        "views": [_view(tab, thing) for thing in views],
        "slicers": [_slicer(tab, thing) for thing in list_objects(book, "slicer", tab)],
        "protections": [_protection(tab, thing) for thing in list_objects(book, "protected_range", tab)],
    }
    used = next((thing for thing in views if view is not None and thing.number == view), None)
    found["view"] = used.number if used else None
    if used:
        gone = filter_effects.find_hidden_rows(book, tab, used.area, used.spec)
        found |= {"filter": [_filter(tab, used)], "hiddenRows": _with(gone, hidden)}
    return found


def _filter(tab: Tab, thing: StoredObject) -> dict[str, Any]:
    return {"area": list(thing.area.within(tab.rows, tab.columns)), "spec": thing.spec}


def _view(tab: Tab, thing: StoredObject) -> dict[str, Any]:
    return {"id": thing.number, "title": thing.name, **_filter(tab, thing)}


def _protection(tab: Tab, thing: StoredObject) -> dict[str, Any]:
    """A protected range; one of a whole sheet has no area."""
    area = None if thing.sides == (None,) * 4 else list(thing.area.within(tab.rows, tab.columns))
    return {"id": thing.number, "area": area, "description": thing.spec.get("description", "")}


def _slicer(tab: Tab, thing: StoredObject) -> dict[str, Any]:
    """A slicer: its column as a place on the sheet, -1 while it has none."""
    area, _ = filter_effects.get_slicer_filter(thing.spec)
    spec, whole = thing.spec["spec"], area.within(tab.rows, tab.columns)
    column = whole.left + spec["columnIndex"] if "columnIndex" in spec else -1
    title = spec.get("title") or (_default_heading(tab, column) if column >= 0 else "Choose a column")
    return {
        "id": thing.number,
        "title": title,
        "named": spec.get("title", ""),
        "area": list(whole),
        "column": column,
        "criteria": spec.get("filterCriteria") or {},
        "place": thing.spec["position"].get("overlayPosition") or {},
    }


def _default_heading(tab: Tab, column: int) -> str:
    return f"Column {a1.letters(column)}"


def _with(gone: set[int], hidden: Runs) -> Runs:
    """Runs of rows: those hidden by hand, and those a view hides."""
    byhand = {row for start, end, filtered in hidden if not filtered for row in range(start, end)}
    runs: Runs = []
    for row in sorted(byhand | gone):
        filtered = int(row not in byhand)
        if runs and runs[-1][1] == row and runs[-1][2] == filtered:
            runs[-1][1] = row + 1
        else:
            runs.append([row, row + 1, filtered])
    return runs
