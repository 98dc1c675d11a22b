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
