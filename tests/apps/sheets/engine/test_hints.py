"""A formula without a format of its own is shown as what it refers to."""

import pytest

from tests.apps.sheets.conftest import Say
from tests.apps.sheets.engine.scratch_sheet import Desk
from tests.apps.sheets.requests.change_requests import Asking

TABLE = [
    ["Name", "Paid", "On", "Share"],
    ["Ada", "€1,200.50", "2026-03-02", "45%"],
    ["Bo", "€3.00", "2026-04-01", "5%"],
]
SHOWN = {
    "=J2": "€1,200.50",
    '=VLOOKUP("Bo",I:L,3,FALSE)': "2026-04-01",
    "=INDEX(K:K,3)": "2026-04-01",
    "=INDEX(I2:L3,2,2)": "€3.00",
    '=XLOOKUP("Bo",I:I,L:L)': "5%",
    "=MAX(K2:K3)": "2026-04-01",
    "=MIN(K:K)": "2026-03-02",
    "=SUM(J:J)": "€1,203.50",
    '=SUMIF(I:I,"Ada",J:J)': "€1,200.50",
    "=IF(TRUE,J3,1)": "€3.00",
    "=K2+30": "2026-04-01",
    "=K3-K2": "30",
    "=K3-DATE(2026,3,2)": "30",
    "=J3*2": "€6.00",
    "=J3/2": "€1.50",
    "=J2/J3": "400.1666667",
    "=IFERROR(1/0,J3)": "€3.00",
    "=ROUND(J2)": "€1,201.00",
    "=COUNT(J:J)": "2",
    "=LEN(I2)": "3",
    "=M1": "€6.00",
    "=-J3": "-€3.00",
}


@pytest.fixture
def asking(say: Say) -> Asking:
    """A table with money, days and shares, and `M1`, a formula about money."""
    asking = Asking(say)
    asking.put("Sheet1!I1:L3", TABLE)
    asking.put("Sheet1!M1", [["=J3*2"]])
    return asking


def test_a_formula_is_shown_as_what_it_refers_to(asking: Asking):
    asking.put("Sheet1!O1:O22", [[formula] for formula in SHOWN])
    assert dict(zip(SHOWN, [row[0] for row in asking.values("Sheet1!O1:O22")], strict=True)) == SHOWN


def test_each_column_of_an_array_is_shown_as_its_own(asking: Asking):
    asking.put("Sheet1!O1", [["=SORT(I2:L3,2,TRUE)"]])
    assert asking.values("Sheet1!O1:R2") == [
        ["Bo", "€3.00", "2026-04-01", "5%"],
        ["Ada", "€1,200.50", "2026-03-02", "45%"],
    ]


def test_another_format_there_is_another_format_here(asking: Asking):
    asking.put("Sheet1!O1", [['=XLOOKUP("Bo",I:I,J:J)+1']])
    assert asking.values("Sheet1!O1") == [["€4.00"]]
    look = {"userEnteredFormat": {"numberFormat": {"type": "NUMBER", "pattern": "0.0"}}}
    where = {"sheetId": 0, "startRowIndex": 2, "endRowIndex": 3, "startColumnIndex": 9, "endColumnIndex": 10}
    asking.one("repeatCell", range=where, cell=look, fields="userEnteredFormat.numberFormat")
    assert asking.values("Sheet1!O1") == [["€4.00"]]
    asking.one("repeatCell", range={**where, "startRowIndex": 1}, cell=look, fields="userEnteredFormat.numberFormat")
    assert asking.values("Sheet1!O1") == [["4.0"]]


def test_formulas_that_refer_to_each_other_in_circles_and_long_chains_end():
    rows = [[f"=SUM(A{row + 2}:B{row + 2})", f"=MAX(B{row + 2}:C{row + 2})"] for row in range(60)]
    desk = Desk({"S": [*rows, ["=TODAY()", "=SUM(B1:C1)"]]})
    assert desk.book.hint(0, 0, 0) == ""
    assert desk.book.hint(0, 59, 0) == "DATE"
