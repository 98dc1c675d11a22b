"""Sheets without formulas are read from their rows: the same values, and no engine is loaded for them."""

from typing import Any

import pytest

from apps.sheets.cells import Area, Entry
from apps.sheets.engine import SheetEngine, pool
from apps.sheets.spreadsheet import Spreadsheet
from tests.apps.drive.spreadsheet_files import calling
from tests.apps.sheets.conftest import Say
from tests.apps.sheets.requests.change_requests import Asking, lines
from world.run.host import Host

TYPED: list[list[Any]] = [
    ["Name", 1, -0.5, True],
    ["", 1e300, 0.1, False],
    ["2026-03-02", "5%", "", "'=1+1"],
    [" a ", "$3.20", 12345678901234567890, "ü😀"],
]


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[SheetEngine]:
    """The engines that were loaded."""
    found: list[SheetEngine] = []
    load = Spreadsheet._load
    monkeypatch.setattr(Spreadsheet, "_load", lambda book, engine: (found.append(engine), load(book, engine))[1])
    monkeypatch.setattr(pool, "_WARM", type(pool._WARM)())
    return found


@pytest.fixture
def plain(say: Say) -> Asking:
    """A spreadsheet without formulas."""
    made = Asking(say, say("spreadsheets.create", properties={"title": "Plain"})["spreadsheetId"])
    made.put("B2:E5", TYPED)
    return made


def test_the_values_are_those_of_the_engine(host: Host, plain: Asking, loads: list[SheetEngine]) -> None:
    with calling(host) as call, Spreadsheet(call, plain.key) as book:
        area = Area(0, 0, 7, 6)
        read = book.values(book.tabs[0], area)
        assert not loads
        assert read[1][4] is True and read[2][4] is False and read[1][2] == 1.0
        assert read == book.engine.values(book.tabs[0].id, area) == book.values(book.tabs[0], area)
        assert [list(map(type, line)) for line in read] == [
            list(map(type, line)) for line in book.engine.values(book.tabs[0].id, area)
        ]


def test_no_engine_is_loaded_without_a_formula(plain: Asking, loads: list[SheetEngine]) -> None:
    assert plain.values("B2:E3") == [["Name", "1", "-0.5", "TRUE"], ["", "1E+300", "0.1", "FALSE"]]
    plain.one("insertDimension", range=lines("ROWS", 2, 3))
    assert plain.values("B4:D5") == [["", "1E+300", "0.1"], ["2026-03-02", "5%"]]
    plain.say("spreadsheets.get", spreadsheetId=plain.key, includeGridData=True)
    assert not loads


def test_a_formula_fills_cells_and_its_end_empties_them(plain: Asking, loads: list[SheetEngine]) -> None:
    plain.put("G1", [["=SEQUENCE(3,2)"]])
    assert plain.values("B2:F5")[0][:2] == ["Name", "1"] and not loads
    assert plain.values("H3") == [["6"]] and len(loads) == 1
    assert plain.values("G1:H3") == [["1", "2"], ["3", "4"], ["5", "6"]]
    plain.put("G1", [[""]])
    assert plain.values("G1:H3") == []


def test_a_sheet_that_others_read_stays_plain(plain: Asking, loads: list[SheetEngine]) -> None:
    plain.one("addSheet", properties={"title": "Sums", "sheetId": 7})
    plain.put("Sums!A1", [["=Sheet1!C2*2"]])
    assert plain.values("C2") == [["1"]] and not loads
    assert plain.values("Sums!A1") == [["2"]] and len(loads) == 1


def test_engines_kept_warm_hold_so_many_cells_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_WARM", type(pool._WARM)())  # pyright: ignore[reportPrivateUsage]
    for number in range(4):
        held, outside = pool.take(
            "book", f"state {number}", lambda one: one.load([(0, "A", [(20_000, 0, Entry("number", "1"))])], {})
        )
        monkeypatch.setattr(pool, "MOST_CELLS", 2 * held.size)
        pool.give("book", f"state {number}", held, outside)
    assert [number for number in range(4) if pool.is_warm("book", f"state {number}")] == [2, 3]
