"""Large formulas that people write: a column of ten thousand rows is within every formula's budget of work."""

import pytest

from apps.sheets.cells import Area
from tests.apps.sheets.engine.scratch_sheet import Desk

ROWS = 10_000
LARGE = {
    "=SUM(ARRAYFORMULA(IF(T!A1:A10000>5,T!B1:B10000*2,0)))": 2.0 * sum(row % 7 for row in range(6, ROWS)),
    "=SUM(ARRAYFORMULA(T!A1:A10000*T!B1:B10000))": float(sum(row * (row % 7) for row in range(ROWS))),
    "=SUMPRODUCT(T!A1:A10000,T!B1:B10000)": float(sum(row * (row % 7) for row in range(ROWS))),
    '=SUMPRODUCT((T!C1:C10000="word 3")*T!A1:A10000)': float(sum(row for row in range(ROWS) if row % 97 == 3)),
    "=INDEX(SORT(T!A1:C10000,2,FALSE),1,1)": 6.0,
    "=COUNTA(UNIQUE(T!C1:C10000))": 97.0,
    "=ROWS(FILTER(T!A1:C10000,T!B1:B10000=1))": float(sum(row % 7 == 1 for row in range(ROWS))),
    '=INDEX(QUERY(T!A1:C10000,"select C, sum(A) group by C order by sum(A) desc",0),2,1)': "word 8",
    "=SUM(ARRAYFORMULA(VLOOKUP(T!A1:A10000,T!A1:C10000,2,FALSE)))": float(sum(row % 7 for row in range(ROWS))),
    "=SUM(ARRAYFORMULA(VLOOKUP(T!A1:A10000,T!A1:C10000,2)))": float(sum(row % 7 for row in range(ROWS))),
    "=SUM(ARRAYFORMULA(XLOOKUP(T!A1:A10000,T!A1:A10000,T!B1:B10000)))": float(sum(row % 7 for row in range(ROWS))),
    "=SUM(ARRAYFORMULA(MATCH(T!A1:A10000,T!A1:A10000,0)))": float(sum(range(1, ROWS + 1))),
    "=SUM(ARRAYFORMULA(IFERROR(1/T!B1:B10000,0)))": pytest.approx(sum(1 / (row % 7) for row in range(ROWS) if row % 7)),
    '=COUNTIFS(T!B1:B10000,3,T!C1:C10000,"word*")': float(sum(row % 7 == 3 for row in range(ROWS))),
    '=SUMIFS(T!A1:A10000,T!B1:B10000,">4",T!C1:C10000,"<>word 1")': float(
        sum(row for row in range(ROWS) if row % 7 > 4 and row % 97 != 1)
    ),
    "=SUM(MAP(T!A1:A5000,LAMBDA(x,x*2)))": 2.0 * sum(range(5_000)),
}


@pytest.fixture(scope="module")
def desk() -> Desk:
    """Ten thousand rows: numbers, remainders, words."""
    return Desk({"S": [], "T": [[float(row), float(row % 7), f"word {row % 97}"] for row in range(ROWS)]})


@pytest.mark.full
@pytest.mark.parametrize("formula", LARGE, ids=lambda formula: formula[:40])
def test_a_formula_over_ten_thousand_rows_is_computed(desk: Desk, formula: str):
    assert desk.one(formula) == LARGE[formula]


def test_a_column_of_lookups_is_computed():
    desk = Desk(
        {
            "S": [
                [float(row), f"=XLOOKUP(A{row + 1},A$1:A$1000,A$1:A$1000)*VLOOKUP(A{row + 1},A$1:A$1000,1,FALSE)"]
                for row in range(1_000)
            ]
        }
    )
    assert desk.book.values(0, Area(0, 1, 1_000, 2)) == [[float(row * row)] for row in range(1_000)]
