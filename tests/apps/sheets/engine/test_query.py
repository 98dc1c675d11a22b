"""QUERY, after developers.google.com/chart/interactive/docs/querylanguage."""

import pytest

from apps.sheets.cells import Value
from tests.apps.sheets.engine.scratch_sheet import Desk

STAFF = [
    ["Name", "Dept", "Pay", "When", "Note"],
    ["Ann", "Eng", 100, 45000, "a"],
    ["Bob", "Ops", 50, 45040, None],
    ["Cid", "Eng", 70, 45400, "c"],
    ["Dee", "Ops", 30, 45500, None],
]
ANSWERS = {
    "select A, C where C > 40": [["Name", "Pay"], ["Ann", 100.0], ["Bob", 50.0], ["Cid", 70.0]],
    "select B, sum(C) group by B": [["Dept", "sum Pay"], ["Eng", 170.0], ["Ops", 80.0]],
    "select B, sum(C), count(A) group by B order by sum(C) desc label sum(C) 'Total'": [
        ["Dept", "Total", "count Name"],
        ["Eng", 170.0, 2.0],
        ["Ops", 80.0, 2.0],
    ],
    "select A where B contains 'ng' and not C < 80": [["Name"], ["Ann"]],
    "select A where A starts with 'B' or A ends with 'e'": [["Name"], ["Bob"], ["Dee"]],
    "select A where A matches '[AB].*'": [["Name"], ["Ann"], ["Bob"]],
    "select A where A like '%i%'": [["Name"], ["Cid"]],
    "select A where E is null": [["Name"], ["Bob"], ["Dee"]],
    "select A where E is not null and (C > 80 or (B = 'Ops'))": [["Name"], ["Ann"]],
    "select A where D > date '2024-03-01'": [["Name"], ["Cid"], ["Dee"]],
    "select A where D >= datetime '2024-07-27 00:00:00'": [["Name"], ["Dee"]],
    "select A order by C desc limit 2 offset 1": [["Name"], ["Cid"], ["Bob"]],
    "select A order by E, A desc limit 3": [["Name"], ["Dee"], ["Bob"], ["Ann"]],
    "select upper(A), month(D), year(D) limit 1": [["upper(Name)", "month(When)", "year(When)"], ["ANN", 2.0, 2023.0]],
    "select A, C * 2 limit 1 label C * 2 'Twice'": [["Name", "Twice"], ["Ann", 200.0]],
    "select avg(C), max(C), min(A)": [["avg Pay", "max Pay", "min Name"], [62.5, 100.0, "Ann"]],
    "select B, sum(C) group by B pivot year(D)": [["Dept", "2023", "2024"], ["Eng", 100.0, 70.0], ["Ops", 50.0, 30.0]],
    "select sum(C), count(C) pivot B": [
        ["Eng sum Pay", "Eng count Pay", "Ops sum Pay", "Ops count Pay"],
        [170.0, 2.0, 80.0, 2.0],
    ],
    "select A where B = 'eng'": [["Name"]],
    "SELECT `A` WHERE C != 50 AND C <> 70 FORMAT A 'x'": [["Name"], ["Ann"], ["Dee"]],
    "select year(D), sum(C) group by year(D)": [["year(When)", "sum Pay"], [2023.0, 150.0], [2024.0, 100.0]],
}
REFUSALS = {
    "select Z": "NO_COLUMN: Z",
    "select A, sum(C)": "ADD_COL_TO_GROUP_BY_OR_AGG: A",
    "select sum(A)": "AVG_SUM_ONLY_NUMERIC",
    "selec A": 'PARSE_ERROR: Encountered " <ID> "selec "" at line 1, column 1.',
    "select A where": 'PARSE_ERROR: Encountered " <EOF>" at line 1, column 15.',
    "select A limit x": 'PARSE_ERROR: Encountered " <ID> "x "" at line 1, column 16.',
    "select A where D > date 'soon'": "Invalid date literal [soon]. Date literals should be of form yyyy-MM-dd.",
    "select A where A matches '('": "Invalid regular expression: (",
}


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A small staff list."""
    return Desk({"Staff": STAFF})


@pytest.mark.parametrize(("query", "rows"), ANSWERS.items())
def test_a_query_is_answered(desk: Desk, query: str, rows: list[list[Value]]):
    assert desk.all(f'=QUERY(A1:E5,"{query}",1)') == rows


@pytest.mark.parametrize(("query", "reason"), REFUSALS.items())
def test_a_bad_query_is_refused_in_the_vendors_words(desk: Desk, query: str, reason: str):
    assert desk.refused(f'=QUERY(A1:E5,"{query}",1)') == (
        "#VALUE!",
        f"Unable to parse query string for Function QUERY parameter 2: {reason}",
    )


def test_columns_of_an_array_have_numbers_for_names(desk: Desk):
    assert desk.all('=QUERY({A2:A5,C2:C5},"select Col1 where Col2 > 60")') == [["Ann"], ["Cid"]]
    assert desk.refused('=QUERY({A2:A5,C2:C5},"select A")')[1].endswith("NO_COLUMN: A")


def test_headers_are_found_or_told(desk: Desk):
    assert desk.all('=QUERY(A1:C5,"select A limit 1")') == [["Name"], ["Ann"]]
    assert desk.all('=QUERY(A2:C5,"select A limit 1",0)') == [["Ann"]]
    assert desk.all("=QUERY(A2:C5,\"select sum(C) label sum(C) ''\",0)") == [[250.0]]
    assert desk.refused('=QUERY(A2:C5,"select A where C > 999",0)') == ("#N/A", "Query completed with an empty output.")


def test_values_of_the_lesser_type_in_a_column_are_blank():
    desk = Desk({"S": [["x", 1], ["y", 2], ["z", "three"]]})
    assert desk.all("=QUERY(A1:B3,\"select B where A = 'z' or A = 'y'\",0)") == [[2.0]]
