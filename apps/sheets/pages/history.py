"""Version history: a spreadsheet as it was in each of its versions, named and restored."""

from typing import Any

from apps.drive.public import parse_timestamp
from apps.sheets import a1
from apps.sheets.pages.ui import pages
from world.core.clock import MONTHS, to_datetime
from world.core.json_types import JsonObject
from world.web import View
from world.web.pages import PageContext

ROWS, COLUMNS = 100, 26  # of an older version, a page
SIDES = {"LEFT": "start", "CENTER": "middle", "RIGHT": "end"}
MARKS = {"b": "bold", "i": "italic", "u": "underlined", "s": "struck"}


@pages.page("/d/{key}/history", template="history.html", free=("overlay",))
def history(view: View, key: str) -> JsonObject:
    """The versions of a spreadsheet, and the one the address names as it was."""
    listed = view.call("web.versions", spreadsheetId=key)
    top = number(view, "top")
    gid = (
        {"gid": int(view.query["gid"])} if view.query.get("gid", "").isdecimal() and len(view.query["gid"]) < 11 else {}
    )
    chosen = view.query.get("version") or "head"
    seen = view.read(
        "web.version", spreadsheetId=key, revisionId=chosen[:40], view=[top, 0, top + ROWS, COLUMNS], **gid
    )
    named = bool(view.query.get("named"))
    rows = [one for one in listed["versions"] if one["name"] or not named]
    return {
        "title": f"{listed['title']} - Version history",
        "book_title": listed["title"],
        "key": key,
        "seen": seen,
        "version": seen["version"],
        "days": by_day(view, rows),
        "named": named,
        "marked": view.query.get("changes", "1") == "1",
        "table": table(seen, top),
        "top": top,
        "step": ROWS,
        "count": len(rows),
    }


def number(view: View, name: str) -> int:
    """A whole number of the query; else 0."""
    text = view.query.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0


def by_day(view: View, rows: list[dict[str, Any]]) -> list[tuple[str, list[JsonObject]]]:
    """Versions under the days they are of, as the reader counts days."""
    zone = view.page_state.me.tz
    today = to_datetime(view.page_state.now, zone).date()
    days: dict[str, list[dict[str, Any]]] = {}
    for one in rows:
        day = to_datetime(parse_timestamp(one["modifiedTime"]) or 0, zone).date()
        ago = (today - day).days
        date = f"{MONTHS[day.month - 1]} {day.day}{'' if day.year == today.year else f', {day.year}'}"
        days.setdefault({0: "Today", 1: "Yesterday"}.get(ago, date), []).append(one)
    return list(days.items())


def table(seen: dict[str, Any], top: int) -> PageContext:
    """The sheet as rows of cells to be drawn."""
    looks, sheet = seen["window"]["looks"], seen["sheet"]
    cells = {(cell[0], cell[1]): cell for cell in seen["window"]["cells"]}
    changed = {(row, column) for row, column in seen["changed"]}
    furthest = [seen["extent"], *([row + 1, column + 1] for row, column in changed)]
    bottom = min(sheet["rows"], top + ROWS, max(max(row for row, _ in furthest) + 5, top + 20))
    right = min(sheet["columns"], COLUMNS, max(max(column for _, column in furthest) + 2, 8))
    lines = [
        (
            row + 1,
            [
                cell_view(cells.get((row, column)), looks, (row, column) in changed, f"{a1.letters(column)}{row + 1}")
                for column in range(right)
            ],
        )
        for row in range(top, bottom)
    ]
    return {
        "columns": [a1.letters(column) for column in range(right)],
        "lines": lines,
        "more": bottom < max(row for row, _ in furthest),
        "changes": len(changed),
    }


def cell_view(cell: list[Any] | None, looks: list[dict[str, Any]], is_changed: bool, name: str) -> PageContext:
    """A cell: text, classes, colours."""
    if cell is None:
        return {"name": name, "text": "", "marks": "", "changed": is_changed, "ink": "", "paper": ""}
    look = looks[cell[4]]
    side = SIDES.get(look.get("h", "")) or {"n": "end", "b": "middle", "e": "middle"}.get(cell[3], "")
    marks = [*(word for short, word in MARKS.items() if look.get(short)), *([side] if side else [])]
    return {
        "name": name,
        "text": cell[2],
        "marks": " ".join(marks),
        "changed": is_changed,
        "ink": look.get("fg", ""),
        "paper": look.get("bg", ""),
    }


@pages.action("restore")
def restore(view: View, arguments: dict[str, Any]) -> JsonObject:
    """Let a version be the current one again."""
    return view.submit(
        "web.restoreVersion", {name: str(arguments.get(name) or "") for name in ("spreadsheetId", "revisionId")}
    )
