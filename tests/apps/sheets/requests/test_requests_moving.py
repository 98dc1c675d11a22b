"""Cells inserted, deleted, cut, copied, pasted."""

from typing import Any

import pytest

from tests.apps.sheets.requests.change_requests import Asking, grid, lines, place

BOLD = {"userEnteredFormat": {"textFormat": {"bold": True}}}


def formats(budget: Asking, text: str) -> list[list[Any]]:
    rows = budget.sheet(includeGridData=True, ranges=[text])["data"][0].get("rowData", [])
    return [[cell.get("userEnteredFormat") for cell in row.get("values", [])] for row in rows]


def test_cells_put_in_push_others_down_or_right(budget: Asking) -> None:
    budget.one("insertRange", range=grid(1, 1, 2, 2), shiftDimension="ROWS")
    assert budget.typed("A1:D6") == [
        ["Team", "Q1", "Q2", "Total"],
        ["Core", "", 1350.5, "=B3+C2"],
        ["Support", 1200, 280, "=B4+C3"],
        ["", 300],
        ["All", "", "=SUM(C2:C3)", "=SUM(D2:D3)"],
        ["", "=SUM(B3:B4)"],
    ]
    budget.one("insertRange", range=grid(2, 0, 3, 1), shiftDimension="COLUMNS")
    assert budget.typed("A3:E3") == [["", "Support", 1200, 280, "=B4+D3"]]


def test_cells_at_the_edge_make_the_sheet_larger(budget: Asking) -> None:
    budget.put("A1000", [["last"]])
    budget.one("insertRange", range=grid(0, 0, 2, 1), shiftDimension="ROWS")
    assert budget.values("A1002") == [["last"]]
    budget.one("insertRange", range={"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1}, shiftDimension="ROWS")
    assert budget.values("A1003") == [["last"]]
    assert budget.values("A1:D2") == [[], ["", "Q1", "Q2", "Total"]]


def test_looks_pushed_off_the_sheet_do_not_come_back(budget: Asking) -> None:
    budget.one("repeatCell", range=grid(999, 0, 1000, 1), cell=BOLD, fields="userEnteredFormat")
    budget.one("insertRange", range={"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1}, shiftDimension="ROWS")
    budget.one("appendDimension", dimension="ROWS", length=1)
    assert formats(budget, "A1000:A1001") == []


def test_cells_deleted_let_others_take_their_place(budget: Asking) -> None:
    budget.one("deleteRange", range=grid(1, 0, 2, 2), shiftDimension="ROWS")
    assert budget.typed("A1:D5") == [
        ["Team", "Q1", "Q2", "Total"],
        ["Support", 300, 1350.5, "=#REF!+C2"],
        ["", "", 280, "=B2+C3"],
        ["All", "=SUM(B2:B2)"],
        ["", "", "=SUM(C2:C3)", "=SUM(D2:D3)"],
    ]
    budget.one("deleteRange", range={"sheetId": 0, "startRowIndex": 1, "endRowIndex": 3}, shiftDimension="ROWS")
    assert budget.typed("A1:A3") == [["Team"], ["All"]]
    assert budget.sheet()["properties"]["gridProperties"]["rowCount"] == 1000


def test_cut_cells_are_followed_by_those_who_read_them(budget: Asking) -> None:
    budget.one("cutPaste", source=grid(1, 1, 3, 2), destination=place(6, 5), pasteType="PASTE_NORMAL")
    assert budget.typed("B2:D5") == [
        ["", 1350.5, "=F7+C2"],
        ["", 280, "=F8+C3"],
        [],
        ["=SUM(F7:F8)", "=SUM(C2:C3)", "=SUM(D2:D3)"],
    ]
    assert budget.typed("F7:F8") == [[1200], [300]] and budget.values("D5") == [["3130.5"]]


def test_cells_cut_to_another_sheet(budget: Asking) -> None:
    budget.one("addSheet", properties={"title": "It's", "sheetId": 3})
    budget.one("cutPaste", source=grid(1, 1, 2, 4), destination=place(0, 0, 3))
    assert budget.typed("'It''s'!A1:C1") == [[1200, 1350.5, "=A1+B1"]]
    assert budget.typed("D5") == [["=SUM(D2:D3)"]] and budget.values("'It''s'!C1") == [["2550.5"]]


def test_cut_values_only(budget: Asking) -> None:
    budget.one("repeatCell", range=grid(1, 3, 2, 4), cell=BOLD, fields="userEnteredFormat")
    budget.one("cutPaste", source=grid(1, 3, 2, 4), destination=place(8, 0), pasteType="PASTE_VALUES")
    assert budget.typed("A9") == [[2550.5]] and budget.typed("D2") == [] and formats(budget, "A9") == [[None]]


def test_copies_keep_relative_references(budget: Asking) -> None:
    budget.put("F1", [["=$B$2+B$3+$C2"]])
    budget.one("copyPaste", source=grid(0, 5, 1, 6), destination=grid(1, 6, 3, 8))
    assert budget.typed("G2:H3") == [["=$B$2+C$3+$C3", "=$B$2+D$3+$C3"], ["=$B$2+C$3+$C4", "=$B$2+D$3+$C4"]]
    budget.one("copyPaste", source=grid(1, 3, 2, 4), destination=grid(0, 0, 1, 1))
    assert budget.typed("A1") == [["=#REF!+#REF!"]]


@pytest.mark.parametrize(
    ("goal", "covered"),
    [
        (grid(10, 0, 11, 1), (2, 2)),
        (grid(10, 0, 14, 2), (4, 2)),
        (grid(10, 0, 13, 2), (2, 2)),
        (grid(10, 0, 14, 6), (4, 6)),
        (grid(10, 0, 12, 5), (2, 2)),
    ],
)
def test_a_copy_fills_multiples_of_itself(budget: Asking, goal: dict[str, Any], covered: tuple[int, int]) -> None:
    budget.one("copyPaste", source=grid(1, 1, 3, 3), destination=goal)
    found = budget.typed("A11:H18")
    assert (len(found), max(map(len, found))) == covered
    assert found[0][:2] == [1200, 1350.5] and found[-1][-2:] == [300, 280]


def test_a_turned_copy(budget: Asking) -> None:
    budget.one(
        "copyPaste",
        source=grid(0, 0, 3, 2),
        destination=grid(10, 0, 11, 1),
        pasteOrientation="TRANSPOSE",
        pasteType="PASTE_VALUES",
    )
    assert budget.typed("A11:C12") == [["Team", "Core", "Support"], ["Q1", 1200, 300]]


def test_a_copy_over_its_own_source(budget: Asking) -> None:
    budget.one("copyPaste", source=grid(0, 0, 3, 1), destination=grid(1, 0, 4, 1))
    assert budget.typed("A1:A5") == [["Team"], ["Team"], ["Core"], ["Support"], ["All"]]


@pytest.mark.parametrize(
    ("kind", "typed", "look"),
    [
        ("PASTE_NORMAL", "=B10+C10", {"borders": {"top": {"style": "SOLID"}}, "textFormat": {"bold": True}}),
        ("PASTE_VALUES", 2550.5, None),
        ("PASTE_FORMULA", "=B10+C10", None),
        ("PASTE_NO_BORDERS", "=B10+C10", {"textFormat": {"bold": True}}),
        ("PASTE_FORMAT", "old", {"borders": {"top": {"style": "SOLID"}}, "textFormat": {"bold": True}}),
        ("PASTE_DATA_VALIDATION", "old", None),
        ("PASTE_CONDITIONAL_FORMATTING", "old", None),
    ],
)
def test_what_is_pasted(budget: Asking, kind: str, typed: Any, look: Any) -> None:
    style = {
        "userEnteredFormat": {"borders": {"top": {"style": "SOLID"}}, "textFormat": {"bold": True}},
        "dataValidation": {"condition": {"type": "BOOLEAN"}},
    }
    budget.one("repeatCell", range=grid(1, 3, 2, 4), cell=style, fields="userEnteredFormat,dataValidation")
    budget.put("D10", [["old"]])
    budget.lay("conditional_format", None, {"ranges": [grid(0, 3, 3, 4)]})
    budget.one("copyPaste", source=grid(1, 3, 2, 4), destination=grid(9, 3, 10, 4), pasteType=kind)
    cell = budget.sheet(includeGridData=True, ranges=["D10"])["data"][0]["rowData"][0]["values"][0]
    assert budget.typed("D10") == [[typed]] and cell.get("userEnteredFormat") == look
    assert ("dataValidation" in cell) == (
        kind in ("PASTE_NORMAL", "PASTE_NO_BORDERS", "PASTE_FORMAT", "PASTE_DATA_VALIDATION")
    )
    reached = grid(9, 3, 10, 4) in budget.laid("conditional_format")["ranges"]
    assert reached == (kind in ("PASTE_NORMAL", "PASTE_NO_BORDERS", "PASTE_FORMAT", "PASTE_CONDITIONAL_FORMATTING"))


def test_errors_and_booleans_are_pasted_as_values(budget: Asking) -> None:
    budget.put("F1", [["=1/0", "=1=1", '="a"&"b"', "=Z99"]])
    budget.one("copyPaste", source=grid(0, 5, 1, 9), destination=grid(1, 5, 2, 9), pasteType="PASTE_VALUES")
    assert budget.values("F2:I2") == [["#DIV/0!", "TRUE", "ab"]]
    assert budget.typed("F2:H2") == [["=#DIV/0!", True, "ab"]]


def test_merges_are_copied_and_cut_along_but_never_torn(budget: Asking) -> None:
    budget.lay("merge", grid(6, 0, 8, 2))
    budget.one("copyPaste", source=grid(6, 0, 8, 2), destination=grid(10, 0, 12, 4))
    assert sorted(merge["startColumnIndex"] for merge in budget.sheet()["merges"]) == [0, 0, 2]
    budget.one("cutPaste", source=grid(6, 0, 8, 2), destination=place(20, 3))
    assert grid(20, 3, 22, 5) in budget.sheet()["merges"] and len(budget.sheet()["merges"]) == 3
    assert (
        "partially intersects a merge"
        in budget.refused("cutPaste", source=grid(20, 3, 21, 5), destination=place(0, 0))[1]
    )
    assert (
        "partially intersects a merge"
        in budget.refused("cutPaste", source=grid(0, 0, 1, 1), destination=place(21, 3))[1]
    )
    assert (
        "partially intersects a merge"
        in budget.refused("copyPaste", source=grid(0, 0, 1, 1), destination=grid(20, 4, 21, 5))[1]
    )
    for kind in ("insertRange", "deleteRange"):
        assert "merged" in budget.refused(kind, range=grid(15, 3, 16, 4), shiftDimension="ROWS")[1]


def test_what_is_pasted_over_is_no_longer_merged(budget: Asking) -> None:
    budget.lay("merge", grid(10, 1, 12, 3))
    budget.one("cutPaste", source=grid(0, 0, 3, 4), destination=place(10, 0))
    assert "merges" not in budget.sheet()
    assert budget.values("A11:B12") == [["Team", "Q1"], ["Core", "1200"]]


def test_text_is_pasted_as_typed(budget: Asking) -> None:
    budget.one("pasteData", coordinate=place(8, 0), data='x,"a ""b"", c"\r\n1,=1+1\n3/2/2026,,z\n', delimiter=",")
    assert budget.values("A9:C11") == [["x", 'a "b", c'], ["1", "2"], ["3/2/2026", "", "z"]]
    assert budget.values("A11", valueRenderOption="UNFORMATTED_VALUE") == [[46083]]
    budget.one("pasteData", coordinate=place(998, 25), data="a\tb\nc\td\ne\tf", delimiter="\t", type="PASTE_VALUES")
    assert budget.sheet()["properties"]["gridProperties"] == {"rowCount": 1001, "columnCount": 27}
    budget.one("pasteData", coordinate=place(0, 0), data="a||b", delimiter="||")
    assert budget.typed("A1:B1") == [["a", "b"]]


def test_a_table_of_html_is_pasted(budget: Asking) -> None:
    page = "<style>x{}</style><table><tr><th>A <b>b</b></th><th>2</th></tr><tr><td>=1+2<td></table>"
    budget.one("pasteData", coordinate=place(8, 0), data=page, html=True)
    assert budget.values("A9:B10") == [["A b", "2"], ["3"]]


def test_protected_cells_are_not_pasted_over_or_pushed(budget: Asking) -> None:
    budget.lay("protected_range", grid(8, 0, 9, 3), {"editors": {"users": []}})
    for kind, given in (
        ("copyPaste", {"source": grid(0, 0, 1, 1), "destination": grid(8, 0, 9, 1)}),
        ("cutPaste", {"source": grid(8, 0, 9, 1), "destination": place(0, 0)}),
        ("cutPaste", {"source": grid(0, 0, 1, 1), "destination": place(8, 1)}),
        ("pasteData", {"coordinate": place(7, 0), "data": "a\nb", "delimiter": ","}),
        ("insertRange", {"range": grid(2, 0, 3, 1), "shiftDimension": "ROWS"}),
        ("deleteRange", {"range": grid(2, 0, 3, 1), "shiftDimension": "ROWS"}),
    ):
        assert budget.refused(kind, "bo", **given)[0] == "protected", kind
    budget.one("insertRange", "bo", range=grid(2, 3, 3, 4), shiftDimension="ROWS")


@pytest.mark.parametrize(
    ("kind", "given", "code"),
    [
        ("insertRange", {"range": grid(2, 2, 1, 3), "shiftDimension": "ROWS"}, "bad_request"),
        ("insertRange", {"range": grid(0, 0, 1, 1)}, "bad_request"),
        ("insertRange", {"range": grid(0, 0, 1, 27), "shiftDimension": "ROWS"}, "range_beyond_sheet"),
        ("deleteRange", {"range": grid(0, 0, 1, 1), "shiftDimension": "SIDEWAYS"}, "bad_request"),
        ("deleteRange", {}, "bad_request"),
        ("cutPaste", {"source": grid(0, 0, 1, 1)}, "bad_request"),
        ("cutPaste", {"source": grid(0, 0, 1, 1), "destination": place(1000, 0)}, "bad_request"),
        ("copyPaste", {"source": grid(0, 0, 1, 1), "destination": grid(0, 0, 1, 1, sheet=4)}, "no_sheet"),
        (
            "copyPaste",
            {"source": grid(0, 0, 1, 1), "destination": grid(0, 0, 1, 1), "pasteType": "PASTE_GLUE"},
            "bad_request",
        ),
        ("copyPaste", {"source": grid(0, 0, 1, 1), "destination": [1]}, "bad_request"),
        ("pasteData", {"coordinate": place(0, 0), "data": "x"}, "bad_request"),
        ("pasteData", {"coordinate": place(0, 0), "data": "x", "delimiter": ",", "html": True}, "bad_request"),
        ("pasteData", {"coordinate": place(0, 0), "data": {"x": 1}, "delimiter": ","}, "bad_request"),
        ("pasteData", {"coordinate": place(0, 0), "data": '"' + "y" * 200_000, "delimiter": ","}, "too_long"),
        ("pasteData", {"coordinate": place(0, 0), "data": "y" * 60_000, "delimiter": ","}, "too_long"),
    ],
)
def test_what_cannot_be_done(budget: Asking, kind: str, given: dict[str, Any], code: str) -> None:
    assert budget.refused(kind, **given)[0] == code


def test_lines_moved_before_cells_are_pushed(budget: Asking) -> None:
    budget.batch(
        {"moveDimension": {"source": lines("ROWS", 1, 2), "destinationIndex": 5}},
        {"insertDimension": {"range": lines("COLUMNS", 1, 2)}},
        {"insertRange": {"range": grid(1, 0, 2, 1), "shiftDimension": "ROWS"}},
        {"deleteRange": {"range": grid(0, 0, 1, 1), "shiftDimension": "COLUMNS"}},
    )
    assert budget.typed("A1:E6") == [
        ["", "Q1", "Q2", "Total"],
        ["", "", 300, 280, "=C2+D2"],
        ["Support"],
        ["", "", "=SUM(C2:C2)", "=SUM(D2:D2)", "=SUM(E2:E2)"],
        ["All", "", 1200, 1350.5, "=C5+D5"],
        ["Core"],
    ]


def test_more_than_can_be_put_on_record_is_refused(budget: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.sheets.grid.stored_cells.MOST_WRITTEN", 100)
    cell = {"userEnteredValue": {"numberValue": 1}}
    code, said = budget.refused("repeatCell", range=grid(0, 0, 11, 10), cell=cell, fields="userEnteredValue")
    assert (code, said) == ("bad_request", "This action would change more than 100 cells at once.")
