"""Ranges without end reach to where their sheet ends, not only as far as it is filled."""

import pytest

from apps.sheets.cells import Area, Entry, Fault
from apps.sheets.engine import Moment
from apps.sheets.engine.workbook import NativeWorkbook
from tests.apps.sheets.conftest import Say
from tests.apps.sheets.engine.scratch_sheet import Desk
from tests.apps.sheets.requests.change_requests import Asking

SHEET = [[1, 2], [3, "x"], [5]]
SIZE = (30, 12)
FOUND: dict[str, object] = {
    "=ROWS(A:A)": 30.0,
    "=COLUMNS(1:1)": 12.0,
    "=ROWS(A5:A)": 26.0,
    "=COLUMNS(C2:2)": 10.0,
    "=ROWS(A:B)*COLUMNS(A:B)": 60.0,
    '=ROWS(INDIRECT("A:A"))': 30.0,
    "=COUNTBLANK(A:A)": 27.0,
    "=COUNTBLANK(A:B)": 55.0,
    '=COUNTBLANK(INDIRECT("A:B"))': 55.0,
    '=COUNTIF(A:A,"")': 27.0,
    '=COUNTIF(A:A,"<>3")': 29.0,
    '=COUNTIFS(A:A,"<>3",B:B,"")': 28.0,
    '=SUMPRODUCT(--(A:A=""))': 27.0,
    "=INDEX(A:A,3)": 5.0,
    "=INDEX(A:A,29)": None,
    "=SUM(ARRAYFORMULA(ROW(A:A)))": 465.0,
    "=SUM(ARRAYFORMULA(COLUMN(1:1)))": 78.0,
    '=COUNTA(ARRAYFORMULA(A:A&""))': 30.0,
    "=COLUMNS(TRANSPOSE(A:A))": 30.0,
    "=ROWS({A:A;B:B})": 60.0,
    "=ROWS(UNIQUE(A:A))": 4.0,
    '=LEN(JOIN(",",A:A))': 32.0,
    "=SUM(A:A)": 9.0,
    "=MATCH(5,A:A,0)": 3.0,
}


def sized(rows: int, columns: int) -> Desk:
    """A few cells on a sheet of a size."""
    desk = Desk({"S": SHEET})
    desk.book.set_sizes({0: (rows, columns)})
    return desk


@pytest.mark.parametrize(("formula", "expected"), FOUND.items())
def test_a_range_without_end_reaches_to_the_end_of_its_sheet(formula: str, expected: object):
    assert sized(*SIZE).one(formula) == expected


def test_an_index_behind_the_last_row_is_refused():
    told = "Function INDEX parameter 2 value is 31. Valid values are between 0 and 30 inclusive."
    assert sized(*SIZE).refused("=INDEX(A:A,31)") == ("#NUM!", told)


def test_an_array_over_a_whole_column_fills_the_column_and_ends_with_it():
    desk = sized(*SIZE)
    desk.type("D1", "=ARRAYFORMULA(A:A*2)")
    desk.type("E3", "=ARRAYFORMULA(A:A*2)")
    assert desk.book.values(0, Area(0, 3, 31, 4))[-3:] == [[0.0], [0.0], [None]]
    assert desk.book.values(0, Area(0, 4, 31, 5))[-3:] == [[0.0], [0.0], [None]]
    desk.type("F1", "=SUM(E:E)-COUNT(D:E)")
    assert desk.cell("F1") == 18.0 - 58.0


def test_what_reads_to_the_end_follows_the_size_of_its_sheet():
    desk = sized(*SIZE)
    desk.type("D1", "=ROWS(A:A)")
    desk.type("E1", "=COUNTBLANK(A:A)")
    desk.type("F1", '=ARRAYFORMULA(A:A&"")')
    desk.book.set_sizes({0: (40, 12)})
    assert (desk.cell("D1"), desk.cell("E1")) == (40.0, 37.0)
    assert len(desk.book.list_spilled_cells(0, Area(0, 0, 50, 12))) == 39
    desk.book.set_sizes({0: (4, 12)})
    assert (desk.cell("D1"), desk.cell("E1")) == (4.0, 1.0)
    assert len(desk.book.list_spilled_cells(0, Area(0, 0, 50, 12))) == 3


def test_blanks_of_a_very_large_sheet_are_counted_and_not_handed_over():
    book = NativeWorkbook(lambda spreadsheet, reference: Fault("#REF!"))
    book.set_sizes({0: (1_000_000, 10)})
    book.at(Moment(seed=1))
    book.load([(0, "S", [(0, 1, Entry("number", "4")), (0, 0, Entry("formula", "=COUNTBLANK(B:C)+ROWS(B:B)"))])], {})
    assert book.value(0, 0, 0) == 2_999_999.0


def test_a_spreadsheet_tells_its_formulas_how_large_it_is(say: Say):
    asking = Asking(say)
    asking.put("Sheet1!H1:I1", [["=ROWS(A:A)", "=COLUMNS(1:1)"]])
    size = asking.sheet()["properties"]["gridProperties"]
    assert asking.values("Sheet1!H1:I1") == [[str(size["rowCount"]), str(size["columnCount"])]]
    asking.one("appendDimension", sheetId=0, dimension="ROWS", length=7)
    assert asking.values("Sheet1!H1:H1") == [[str(size["rowCount"] + 7)]]
