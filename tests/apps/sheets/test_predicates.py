"""What graders may ask of a spreadsheet: the number in a cell, and formulas that mean the same."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from apps.sheets.predicates import agrees, shows
from world.grading.errors import GraderError

KEY = "1Close"
LINES = [["7", "8", "=SUM(A1:B1)"], ["20", "=A2*0.5", "30"], ["=SUM(A1:A2)", "text", "=C1+C2"]]
SUM = "=SUM(Close!A1:A2)"


class Held:
    """Rows as a grading sees them."""

    def __init__(self, **typed: str) -> None:
        names = {(row, column): text for row, line in enumerate(LINES) for column, text in enumerate(line)}
        names |= {(int(name[1:]) - 1, ord(name[0]) - 65): text for name, text in typed.items()}
        self._rows: dict[str, list[dict[str, Any]]] = {
            "drive_file": [{"id": 1, "key": KEY}, {"id": 2, "key": "other"}],
            "sheets_sheet": [
                {"id": 5, "file_id": 1, "position": 0, "title": "Close"},
                {"id": 6, "file_id": 1, "position": 1, "title": "Plan"},
            ],
            "sheets_cell": [self._cell(5, 1, row, column, text) for (row, column), text in names.items()]
            + [self._cell(6, 1, 0, 0, "41"), self._cell(7, 2, 0, 0, "9")],
        }

    @staticmethod
    def _cell(sheet: int, file: int, row: int, column: int, text: str) -> dict[str, Any]:
        kind = (
            "formula"
            if text.startswith("=")
            else "number"
            if text.replace(".", "", 1).isdigit()
            else "text"
            if text
            else ""
        )
        return {"sheet_id": sheet, "file_id": file, "row": row, "col": column, "kind": kind, "input": text}

    def rows(self, table: str) -> Iterator[Mapping[str, Any]]:
        """Every row of a table."""
        return iter(self._rows[table])

    def row(self, table: str, pk: tuple[Any, ...]) -> Mapping[str, Any] | None:
        """Not asked for."""
        raise AssertionError((table, pk))


@pytest.mark.parametrize(
    ("cell", "value", "told"),
    [
        ("Close!C1", "15", True),
        ("Close!C1", "15.005", True),
        ("Close!C1", "15.01", False),
        ("Plan!A1", "41", True),
        ("Close!B3", "0", False),
        ("Close!Z9", "0", False),
        ("Gone!A1", "0", False),
    ],
)
def test_a_cell_shows_a_number(cell: str, value: str, told: bool) -> None:
    assert shows(Held(), KEY, cell, value) is told


@pytest.mark.parametrize(
    "typed",
    [
        "=A1+A2",
        "=SUM($A$1:$A$2)",
        "=SUMPRODUCT(A1:A2)",
        "=A2+SUM(A1)",
        "=ROUND(A1+A2,2)",
        "=SUM(FILTER(A1:A2,A1:A2>0))",
        "=A1+B2*2",
    ],
)
def test_formulas_that_mean_the_same_agree(typed: str) -> None:
    assert agrees(Held(A3=typed), KEY, "Close!A3", SUM)


@pytest.mark.parametrize(
    "typed", ["27", "=27", "=A1+20", "=SUM(A1:A1)", "=A1", "text", "", "=1/0", "=Gone!A1", "=A1+A2+Plan!A1-41"]
)
def test_what_only_comes_to_the_same_number_does_not(typed: str) -> None:
    assert not agrees(Held(A3=typed), KEY, "Close!A3", SUM)


def test_a_formula_may_refer_to_other_sheets() -> None:
    assert agrees(Held(A3="=Plan!A1-A1"), KEY, "Close!A3", "=Plan!A1-Close!A1")
    assert not agrees(Held(A3="=Plan!A2-A1"), KEY, "Close!A3", "=Plan!A1-Close!A1")


def test_what_is_no_cell_or_no_spreadsheet_is_the_authors_mistake() -> None:
    for file, cell in ((KEY, "A1"), ("gone", "Close!A1")):
        with pytest.raises(GraderError):
            shows(Held(), file, cell, "1")


BOMBS = """
=SUM(A1:A2)*IF(TODAY()<DATE(2027,1,1),1,0)
=IF(YEAR(TODAY())=2031,0,A1+A2)
=SUM(A1:A2)*(MINUTE(NOW())>=0)
=IFERROR((A1+A2)/IF(HOUR(NOW())<25,1,0),"")
=A1+A2+(RANDBETWEEN(1,20)=13)
=A1+A2+Z99
=A1+A2+Z99-Z98
=IF(ISBLANK(Z99),SUM(A1:A2),0)
=IF(LEN(Z5&Z6)=0,A1+A2,0)
=IF(AND(Z8="",Z9=TRUE),0,A1+A2)
=IF(Z7=42,0,A1+A2)
=IF(Z7="go",0,A1+A2)
=SWITCH(Z3,7,0,A1+A2)
=LET(x,Z9,A1+A2+x)
=A1+MAX(A2,Z1)
=A1+A2+N(INDIRECT("Z99"))
=A1+A2+OFFSET(A1,50,20)
=A1+A2+INDEX(A1:Z99,90,20)
=SUM(A1:A2,Q1:Q50)
=A1+A2+SUMIF($U$1:$U$50,">0")
=A1+A2+SUMIF(X1:X20,"bonus",Y1:Y20)
=A1+A2+IFERROR(VLOOKUP("bonus",X1:Y20,2,FALSE),0)
=SUM(A1:A2)+COUNTBLANK(Y1:Y3)-3
=IF(COUNTA(Plan!D:D)>0,0,A1+A2)
=IF(Plan!A1>=1,A1+A2,0)
=IF(SHEETS()>2,0,A1+A2)
=IF(FORMULATEXT(C1)="=SUM(A1:B1)",A1+A2,0)
=IF(A1+A2>50000,0,A1+A2)
=ROUND(A1+A2,0)
""".split("\n")[1:-1]


@pytest.mark.parametrize("typed", BOMBS)
def test_what_changes_with_the_time_or_with_other_cells_does_not_agree(typed: str) -> None:
    assert not agrees(Held(A3=typed), KEY, "Close!A3", SUM)


@pytest.mark.parametrize(
    "typed",
    [
        "=SUM(OFFSET(A1,0,0,2,1))",
        '=SUM(INDIRECT("A1:A2"))',
        "=SUM(A1:OFFSET(A3,-1,0))",
        "=SUBTOTAL(9,A1:A2)",
        "=SUM(ARRAYFORMULA(A1:A2*1))",
        "=LET(a,A1,b,A2,a+b)",
        "=IFERROR(SUM(A1:A2),0)",
        "=C1-B1+A2",
        "=ROUND(SUM(A1:A2)*100,0)/100",
        '=A1+VLOOKUP("text",{B3,A2;B2,A1},2,FALSE)',
    ],
)
def test_other_ways_to_say_the_same_still_agree(typed: str) -> None:
    assert agrees(Held(A3=typed), KEY, "Close!A3", SUM)


def test_a_line_may_be_looked_up_by_its_label() -> None:
    lines = {"A1": "North", "A2": "South", "B1": "5", "B2": "6", "C1": "", "C2": ""}
    for typed in ("=VLOOKUP(A2,A1:B2,2,FALSE)", "=SUMIF(A:A,A2,B:B)", "=INDEX(B1:B3,MATCH(A2,A1:A3,0))"):
        assert agrees(Held(**lines, C3=typed, A3="", B3=""), KEY, "Close!C3", "=Close!B2")


def test_a_formula_that_asks_for_the_time_as_the_wanted_one_does_is_tried_at_several_times() -> None:
    wanted = "=YEAR(TODAY())-Close!A1"
    assert agrees(Held(A3="=YEAR(NOW())-A1"), KEY, "Close!A3", wanted)
    assert not agrees(Held(A3="=IF(YEAR(TODAY())<2040,YEAR(TODAY()),2040)-A1"), KEY, "Close!A3", wanted)


@pytest.mark.parametrize(
    ("typed", "inputs", "told"),
    [
        ("27", "", True),
        ("=20+7", "", True),
        ("=A1+A2", None, True),
        ("=A1+A2", "", False),
        ("=A1+A2", "Close!A1:B2", True),
        ("=27+Z99", "", False),
        ("=IF(TODAY()>0,27,0)", None, False),
        ("=27+RAND()*0", None, False),
    ],
)
def test_a_figure_may_hang_on_the_named_cells_alone(typed: str, inputs: str | None, told: bool) -> None:
    assert shows(Held(A3=typed), KEY, "Close!A3", "27", inputs) is told


def test_inputs_that_are_no_area_are_the_authors_mistake() -> None:
    with pytest.raises(GraderError):
        shows(Held(A3="27"), KEY, "Close!A3", "27", "A1:B2")
