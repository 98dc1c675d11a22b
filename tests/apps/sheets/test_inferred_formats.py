"""The number format that a typed formula takes over from what it reads."""

import pytest

from tests.apps.sheets.requests.change_requests import Asking

CELLS = [["$5", "2026-03-02", "50%", "7", "2026-03-05", "$2"]]


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("=F1+I1-5", "$7"),
        ("=SUM(F1:F1, 2)", "$7"),
        ("=K1+F1", "$7"),
        ("=F1*H1", "$3"),
        ("=H1*F1", "$3"),
        ("=F1/K1", "2.5"),
        ("=F1*2", "$10"),
        ("=G1+1", "2026-03-03"),
        ("=J1-G1", "3"),
        ("=H1+1%", "51%"),
        ("=I1+1", "8"),
        ("=COUNT(F1:K1)", "6"),
        ('=F1&"x"', "5x"),
        ("=F1>2", "TRUE"),
        ("=MAX(F1,K1)", "$5"),
        ("=MONTH(G1)", "3"),
        ("=Sheet1!F1", "$5"),
        ("=Nowhere!F1", "#REF!"),
        ("=IF(TRUE,F1,0)", "$5"),
        ("=F1=K1", "FALSE"),
    ],
)
def test_a_formula_is_shown_as_what_it_reads(budget: Asking, formula: str, shown: str) -> None:
    budget.put("F1:K1", CELLS)
    budget.put("L1", [[formula]])
    assert budget.values("L1") == [[shown]]


def test_what_was_set_counts_more_and_written_values_count_at_once(budget: Asking) -> None:
    percent = {"userEnteredFormat": {"numberFormat": {"type": "PERCENT", "pattern": "0%"}}}
    budget.one(
        "repeatCell",
        range={"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1, "startColumnIndex": 6, "endColumnIndex": 7},
        cell=percent,
        fields="userEnteredFormat",
    )
    budget.put("F1:H1", [["$5", "=F1", "=F1+1"]])
    assert budget.values("F1:H1") == [["$5", "500%", "$6"]]
