"""Export of a spreadsheet as web pages in a zip, one for each visible sheet; equal content gives equal bytes."""

import re
from html import escape

from apps.sheets import a1
from apps.sheets.files import displayed_cells
from apps.sheets.files.displayed_cells import DisplayedCell
from apps.sheets.files.package import pack_zip
from apps.sheets.spreadsheet import Spreadsheet
from apps.sheets.structure.objects import list_objects
from apps.sheets.structure.tabs import Tab
from apps.sheets.views.grid_view import Style

SHEET = "resources/sheet.css"
RULES = """body { margin: 0; font: 10pt Arial, sans-serif; }
table { border-collapse: collapse; }
td, th { border: 1px solid #ccc; padding: 2px 3px; vertical-align: bottom; white-space: pre; }
th { background: #f8f9fa; color: #444; font-weight: normal; text-align: center; }
td.n { text-align: right; }
"""
_UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_ALIGNED = {"LEFT": "left", "CENTER": "center", "RIGHT": "right"}


def export_webpage(book: Spreadsheet) -> bytes:
    """Export a spreadsheet's sheets as pages in a zip."""
    found = [tab for tab in book.tabs if not tab.hidden]
    classes: dict[str, int] = {}
    pages = {f"{name}.html": _page(book, tab, classes) for name, tab in zip(_names(found), found, strict=True)}
    rules = RULES + "".join(f".s{number} {{ {style} }}\n" for style, number in classes.items())
    return pack_zip({**pages, SHEET: rules})


def _names(tabs: list[Tab]) -> list[str]:
    """File names, no two alike."""
    names: list[str] = []
    for tab in tabs:
        plain = name = _UNFIT.sub("_", tab.title).strip(". ") or "Sheet"
        number = 1
        while name.casefold() in {one.casefold() for one in names}:
            number += 1
            name = f"{plain} ({number})"
        names.append(name)
    return names


def _page(book: Spreadsheet, tab: Tab, classes: dict[str, int]) -> str:
    lines = displayed_cells.lines(book, tab)
    merged = {(one.area.top, one.area.left): one.area for one in list_objects(book, "merge", tab)}
    covered = {
        (row, column)
        for at, area in merged.items()
        for row in range(area.top, area.bottom or 0)
        for column in range(area.left, area.right or 0)
        if (row, column) != at
    }
    head = "".join(f"<th>{a1.letters(column)}</th>" for column in range(len(lines[0]) if lines else 0))
    rows: list[str] = []
    for row, line in enumerate(lines):
        cells = [
            _cell(one, merged.get((row, column)), classes)
            for column, one in enumerate(line)
            if (row, column) not in covered
        ]
        rows.append(f"<tr><th>{row + 1}</th>{''.join(cells)}</tr>\n")
    title = escape(tab.title)
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title><link rel="stylesheet"'
        f' href="{SHEET}"></head>\n'
        f"<body><table>\n<thead><tr><th></th>{head}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n</table></body></html>\n"
    )


def _cell(one: DisplayedCell, merge: object, classes: dict[str, int]) -> str:
    names = ["n"] if isinstance(one.value, float) else []
    style = css(one.look)
    if style:
        names.append(f"s{classes.setdefault(style, len(classes))}")
    said = f' class="{" ".join(names)}"' if names else ""
    return f"<td{said}{_span(merge)}>{escape(one.text)}</td>"


def _span(merge: object) -> str:
    if not isinstance(merge, tuple):
        return ""
    top, left, bottom, right = merge
    return f' rowspan="{(bottom or top + 1) - top}" colspan="{(right or left + 1) - left}"'


def css(look: Style) -> str:
    """Render a style as CSS declarations."""
    lines = [name for short, name in (("u", "underline"), ("s", "line-through")) if look.get(short)]
    parts = {
        "font-weight": "bold" if look.get("b") else "",
        "font-style": "italic" if look.get("i") else "",
        "text-decoration": " ".join(lines),
        "color": look.get("fg", ""),
        "background-color": look.get("bg", ""),
        "text-align": _ALIGNED.get(look.get("h", ""), ""),
        "font-size": f"{look['fs']}pt" if look.get("fs") else "",
    }
    return "; ".join(f"{name}: {value}" for name, value in parts.items() if value)
