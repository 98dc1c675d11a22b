"""Spreadsheets of chores: made and shared by their owner, written by a solution, expected cell by cell."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Unpack

from world.agents.steps import Step
from world.core.clock import SECOND, zone_info
from world.script.chore import Draw, Item, ItemOptions
from world.script.stage import Stage

Rows = Sequence[Sequence[object]]
BOOK = {"table": "drive_file", "where": {"key_from": "event.truth.book.key"}}


def make_book(
    w: Stage, owner: str, title: str, tabs: Mapping[str, Rows], share: Sequence[str], *, role: str = "writer"
) -> dict[str, str]:
    """Make a spreadsheet with tabs, and share it with people. Returns its `key` and `title`, as a fact of the draw."""
    key = create_book(w, owner, title, tabs)
    for person in dict.fromkeys(share):
        if person != owner:
            share_file(w, owner, key, person, role=role)
    return {"key": key, "title": title}


def create_book(w: Stage, owner: str, title: str, tabs: Mapping[str, Rows], *, entry: str = "USER_ENTERED") -> str:
    """Make a spreadsheet with filled tabs; returns its key. `entry` is the API's `valueInputOption`."""
    sheets = [{"properties": {"title": tab}} for tab in tabs]
    key = w.act(owner, "spreadsheets.create", properties={"title": title}, sheets=sheets)["spreadsheetId"]
    data = [{"range": f"'{tab}'!A1", "values": [list(row) for row in rows]} for tab, rows in tabs.items()]
    w.act(owner, "spreadsheets.values.batchUpdate", spreadsheetId=key, valueInputOption=entry, data=data)
    return key


def share_file(w: Stage, owner: str, key: str, person: str, *, role: str = "writer") -> None:
    """Give a colleague access to a file, without a mail about it."""
    address = w.person(person).email
    w.act(
        owner,
        "drive.permissions.create",
        fileId=key,
        type="user",
        role=role,
        emailAddress=address,
        sendNotificationEmail=False,
    )


def name_cell(tab: str, row: int, col: int) -> str:
    """`'Tab'!C4` of a row and a column that are counted from 0."""
    return f"'{tab}'!{chr(ord('A') + col)}{row + 1}"


def write(id: str, book: Mapping[str, str], start: str, *values: object, after: tuple[str, ...] = ()) -> Step:
    """The step that types values into the cells of one row, from a cell on."""
    arguments = {"spreadsheetId": book["key"], "range": start, "valueInputOption": "USER_ENTERED"}
    return Step(id, "spreadsheets.values.update", {**arguments, "values": [list(values)]}, repeatable=True, after=after)


ANY_NOTE = {"any_of": [{"null": True}, {"null": False}]}


def cell(
    id: str, tab: str, row: str, col: int, wanted: Item, *, empty: bool = False, **more: Unpack[ItemOptions]
) -> Item:
    """The expectation that a cell of the book is typed. `row` is the path of a fact; `empty` cells are filled anew.

    Such a cell may have a note, say on where its value comes from.
    """
    place = {"file_id": {"ref": "book"}, "sheet": tab, "row_from": row, "col": col}
    if empty:
        return {"id": id, "insert": "sheets_cell", "where": {**place, **wanted, "note": ANY_NOTE}, **more}
    return {"id": id, "update": "sheets_cell", "where": place, "set": dict(wanted), **more}


def word(text: str) -> Item:
    """A cell that holds this word, in any case."""
    return {"input": {"matches": rf"(?i)\s*{re.escape(text)}[\s.]*"}}


def money(cents: int) -> str:
    """`1234.50`: an amount as it is typed into a cell."""
    return f"{cents // 100}.{cents % 100:02d}"


def pretty(cents: int) -> str:
    """`1,234.50`: an amount as people write it in a mail."""
    return f"{cents // 100:,}.{cents % 100:02d}"


def draw_amounts(d: Draw, count: int, low: int, high: int) -> list[int]:
    """Different amounts in cents."""
    rng = d.stream("amounts")
    found: dict[int, None] = {}
    while len(found) < count:
        found[rng.integer(low, high) * 100 + rng.choice((0, 0, 50, 90, 25, 99, 40))] = None
    return list(found)


def local_time(at: int, zone: str) -> str:
    """`2026-03-02 17:30`: a moment as it stands in a spreadsheet of somebody in a zone."""
    return datetime.fromtimestamp(at / SECOND, zone_info(zone)).strftime("%Y-%m-%d %H:%M")


def list_workdays(d: Draw, count: int) -> list[date]:
    """The next working days, from a few days on."""
    start = datetime.fromtimestamp(d.asked_at / SECOND, UTC).date() + timedelta(days=d.stream("start").integer(2, 9))
    days = (start + timedelta(days=more) for more in range(2 * count + 3))
    return [day for day in days if day.weekday() < 5][:count]


def say_day(day: date) -> str:
    """`12 March`."""
    return f"{day.day} {day:%B}"


def noon(day: date) -> int:
    """Noon of a day, UTC, in microseconds since the epoch: a date that a rubric can compare."""
    return round(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()) * SECOND
