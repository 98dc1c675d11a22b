"""The page of a spreadsheet: the grid with its first cells, and the parts loaded while scrolling."""

from dataclasses import replace
from typing import Any

import orjson
from markupsafe import Markup
from starlette.responses import Response

from apps.sheets import a1
from apps.sheets.engine import FUNCTIONS
from apps.sheets.engine.registry import BODIES
from apps.sheets.pages import panes
from apps.sheets.pages.ui import pages
from world.web import View, response_headers
from world.web.pages import PageContext, Shortcut

SHORTCUTS = (
    Shortcut("mod+/", "Show keyboard shortcuts"),
    Shortcut("mod+z", "Undo"),
    Shortcut("mod+y", "Redo"),
    Shortcut("mod+c", "Copy"),
    Shortcut("mod+x", "Cut"),
    Shortcut("mod+v", "Paste"),
    Shortcut("mod+shift+v", "Paste values only"),
    Shortcut("mod+d", "Fill down"),
    Shortcut("mod+r", "Fill right"),
    Shortcut("mod+b", "Bold"),
    Shortcut("mod+i", "Italic"),
    Shortcut("mod+u", "Underline"),
    Shortcut("mod+\\", "Clear formatting"),
    Shortcut("mod+h", "Find and replace"),
    Shortcut("mod+j", "Go to a cell or a range"),
    Shortcut("mod+a", "Select the data around, then all"),
    Shortcut("mod+;", "Insert the current date"),
    Shortcut("mod+shift+;", "Insert the current time"),
    Shortcut("mod+alt+=", "Insert rows or columns"),
    Shortcut("mod+alt+-", "Delete rows or columns"),
    Shortcut("mod+Space", "Select the column"),
    Shortcut("shift+Space", "Select the row"),
    Shortcut("F2", "Edit the cell"),
    Shortcut("F4", "Absolute or relative references"),
    Shortcut("shift+F2", "Edit the note"),
    Shortcut("shift+F10", "Open the context menu"),
    Shortcut("F6", "Go to the menus"),
    Shortcut("shift+F11", "Add a sheet"),
    Shortcut("alt+ArrowDown", "Next sheet"),
    Shortcut("alt+ArrowUp", "Previous sheet"),
)
SHEET_PAGES = replace(pages, shortcuts=SHORTCUTS)
TABLE_ROWS, TABLE_COLUMNS = 50, 20  # of the plain table, a page
MOST = 1_000_000


def embed_json(value: object) -> Markup:
    """Write JSON as the text of an element."""
    text = orjson.dumps(value).decode()
    return Markup(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def number(view: View, name: str, default: int) -> int:
    """A whole number of the query, or the default."""
    text = view.query.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else default


def parse_window(view: View, key: str) -> PageContext:
    """Parse the sheet and the window of an address."""
    gid = {
        name: int(view.query[short])
        for name, short in (("gid", "gid"), ("filterView", "fvid"))
        if view.query.get(short, "").isdecimal()
    }
    top, left = number(view, "top", 0), number(view, "left", 0)
    area = [top, left, number(view, "bottom", top + 60), number(view, "right", left + 20)]
    return {"spreadsheetId": key, "view": area, **gid}


@pages.page("/d/{key}", template="sheet.html")
def short(view: View, key: str) -> Response:
    """The short address of a spreadsheet."""
    return response_headers.see_other(view.url(f"/d/{key}/edit"))


@pages.page(
    "/d/{key}/edit",
    template="sheet.html",
    free=("overlay", "comments", "cells", "summary", "edge", "find", "functions", "state"),
)
def sheet(view: View, key: str) -> PageContext:
    """One sheet of a spreadsheet."""
    if (found := panes.part(view, key)) or (found := part(view, key)):
        return found
    opened = view.call("web.open", **parse_window(view, key))
    can_edit = opened["role"] in ("owner", "writer")
    closed = view.readonly_failure("web.enter") if can_edit else None
    if closed and view.failure is None:
        view.failure = replace(
            closed,
            title=view.door.theme.trouble,
            message=f"{closed.title}. You can look at this spreadsheet and not change it.",
        )
    return panes.beside(view, key) | {
        "title": opened["title"],
        "opened": opened,
        "embedded": embed_json(opened),
        "state": opened["state"],
        "can_edit": can_edit,
        "closed": closed,
        "plain": plain(opened),
        "gid": opened["window"]["gid"],
        "pages": SHEET_PAGES,
    }


def part(view: View, key: str) -> PageContext | None:
    """Return the context of a part that the page's scripts load; None for anything else."""
    if view.block == "functions":
        return {"functions": embed_json(functions())}
    if view.block == "summary":
        area = [number(view, name, 0) for name in ("top", "left", "bottom", "right")]
        return {
            "summary": embed_json(view.call("web.summary", spreadsheetId=key, gid=number(view, "gid", 0), area=area))
        }
    if view.block == "edge":
        asked = {"gid": number(view, "gid", 0), "row": number(view, "row", 0), "column": number(view, "column", 0)}
        return {
            "edge": embed_json(
                view.call("web.edge", spreadsheetId=key, towards=view.query.get("towards", "down"), **asked)
            )
        }
    if view.block == "find":
        asked = {
            "gid": number(view, "gid", 0),
            "row": number(view, "row", 0),
            "column": number(view, "column", 0),
            "text": view.query.get("q", ""),
        }
        how = {"matchCase": bool(view.query.get("case")), "matchEntireCell": bool(view.query.get("whole"))}
        return {"found": embed_json(view.call("web.find", spreadsheetId=key, **asked, **how))}
    if view.block in ("cells", "state"):
        asked = parse_window(view, key) | ({"view": [0, 0, 0, 0]} if view.block == "state" else {})
        found = view.call("web.cells", **asked)
        return {"title": found["title"], "cells": embed_json(found), "state": found["state"]}
    return None


def functions() -> list[list[str]]:
    """Name, signature and help of every function."""
    if FUNCTIONS:
        return [[name, one.signature, one.help] for name, one in sorted(FUNCTIONS.items())]
    return [[name, f"{name}(…)", ""] for name in sorted(BODIES)]


def plain(opened: dict[str, Any]) -> dict[str, Any]:
    """The window as a table for browsers without scripts."""
    top, left, bottom, right = opened["window"]["area"]
    cells = {(cell[0], cell[1]): cell for cell in opened["window"]["cells"]}
    rows, columns = range(top, min(bottom, top + TABLE_ROWS)), range(left, min(right, left + TABLE_COLUMNS))
    lines = [
        [
            {"name": f"{a1.letters(column)}{row + 1}", "text": cells.get((row, column), (0, 0, ""))[2]}
            for column in columns
        ]
        for row in rows
    ]
    return {
        "columns": [a1.letters(column) for column in columns],
        "lines": list(zip([row + 1 for row in rows], lines, strict=True)),
        "before": max(0, top - TABLE_ROWS) if top else None,
        "after": rows.stop if rows.stop < opened["sheet"]["rows"] else None,
    }
