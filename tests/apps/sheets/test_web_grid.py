"""Operations of the page: windows of cells, gestures and their undoing, and where Ctrl and an arrow lead."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say

UNDO = {"spreadsheetId": BUDGET}


def texts(answer: dict[str, Any]) -> dict[tuple[int, int], str]:
    """What a window displays."""
    return {(cell[0], cell[1]): cell[2] for cell in answer["window"]["cells"]}


def entered(say: Say, who: str, *cells: tuple[int, int, str]) -> dict[tuple[int, int], str]:
    """Type, and see."""
    return texts(say("web.enter", who, spreadsheetId=BUDGET, cells=[list(one) for one in cells]))


def test_a_page_opens_with_the_first_cells(say: Say, refused: Say) -> None:
    found = say("web.open", spreadsheetId=BUDGET)
    assert (found["title"], found["role"], found["starred"], found["undo"]) == ("Budget", "owner", False, False)
    assert found["window"]["cells"][6:8] == [[1, 2, "1350.5", "n", 0], [1, 3, "2550.5", "n", 0, {"e": "=B2+C2"}]]
    assert say("web.open", "cyrus", spreadsheetId=BUDGET)["role"] == "reader"
    assert refused("web.open", "bo", spreadsheetId=SECRET) in ("forbidden", "not_found")
    assert refused("web.open", spreadsheetId=BUDGET, gid=99) == "no_sheet"


def test_frozen_cells_come_with_every_window(say: Say) -> None:
    frozen = {
        "updateSheetProperties": {
            "properties": {"gridProperties": {"frozenRowCount": 1}},
            "fields": "gridProperties.frozenRowCount",
        }
    }
    say("web.change", spreadsheetId=BUDGET, requests=[frozen])
    assert texts(say("web.cells", spreadsheetId=BUDGET, view=[3, 0, 9, 2])) == {
        (4, 0): "All",
        (4, 1): "1500",
        (0, 0): "Team",
        (0, 1): "Q1",
    }


def test_typing_is_undone_and_done_again(say: Say, refused: Say) -> None:
    assert entered(say, "ada", (1, 1, "$5"), (1, 2, ""))[1, 3] == "5"
    assert texts(say("web.undo", **UNDO))[1, 3] == "2550.5"
    assert refused("web.undo", **UNDO) == "nothing_to_undo"
    again = say("web.redo", **UNDO)
    assert (texts(again)[1, 1], again["touched"], again["redo"]) == ("$5", [1, 1, 2, 3], False)
    assert refused("web.redo", **UNDO) == "nothing_to_undo"


def test_what_is_typed_right_below_a_table_belongs_to_it(say: Say) -> None:
    table = {
        "name": "Teams",
        "range": {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 5, "startColumnIndex": 0, "endColumnIndex": 4},
    }
    say("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[{"addTable": {"table": table}}])
    ends: list[int] = []
    for cell in ((5, 0, ""), (6, 0, "far"), (5, 5, "beside"), (5, 1, "12")):
        say("web.enter", spreadsheetId=BUDGET, cells=[list(cell)])
        ends.append(say("spreadsheets.get", spreadsheetId=BUDGET)["sheets"][0]["tables"][0]["range"]["endRowIndex"])
    assert ends == [5, 5, 5, 6]
    say("web.undo", **UNDO)
    assert say("spreadsheets.get", spreadsheetId=BUDGET)["sheets"][0]["tables"][0]["range"]["endRowIndex"] == 5


def test_everybody_undoes_their_own(say: Say) -> None:
    entered(say, "ada", (0, 0, "mine"), (0, 1, "mine too"))
    entered(say, "bo", (0, 1, "Bo's"))
    found = texts(say("web.undo", **UNDO))
    assert (found[0, 0], found[0, 1]) == ("Team", "Bo's")
    assert texts(say("web.undo", "bo", **UNDO))[0, 1] == "mine too"


@pytest.mark.parametrize("single", [0, 5_000])
@pytest.mark.parametrize("typed", ["new", ""])
def test_undo_leaves_what_somebody_typed_over_a_new_or_an_emptied_cell(
    say: Say, monkeypatch: pytest.MonkeyPatch, typed: str, single: int
) -> None:
    monkeypatch.setattr("apps.sheets.history.undo_history.MOST_SINGLE", single)
    row = 0 if not typed else 9
    say("web.enter", spreadsheetId=BUDGET, cells=[[row, 0, typed], [row, 1, typed]])
    say("web.enter", "bo", spreadsheetId=BUDGET, cells=[[row, 0, "Bo's"]])
    found = texts(say("web.undo", **UNDO))
    assert (found[row, 0], found.get((row, 1))) == ("Bo's", None if typed else "Q1")


def test_undo_finds_cells_that_rows_were_inserted_above(say: Say) -> None:
    entered(say, "ada", (4, 0, "Everything"))
    say(
        "spreadsheets.batchUpdate",
        "bo",
        spreadsheetId=BUDGET,
        requests=[{"insertDimension": {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": 0, "endIndex": 2}}}],
    )
    assert texts(say("web.undo", **UNDO))[6, 0] == "All"


def test_rows_inserted_are_undone_with_what_followed_them(say: Say) -> None:
    insert = {"insertDimension": {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": 1, "endIndex": 2}}}
    before = say("web.open", spreadsheetId=BUDGET)
    after = say("web.change", spreadsheetId=BUDGET, requests=[insert])
    assert (texts(after)[5, 3], after["sheet"]["rows"]) == ("3130.5", 1001)
    back = say("web.undo", **UNDO)
    assert (back["window"]["cells"], back["sheet"]["rows"]) == (before["window"]["cells"], 1000)


@pytest.mark.parametrize(
    ("at", "towards", "found"),
    [
        ((0, 0), "down", (2, 0)),
        ((2, 0), "down", (4, 0)),
        ((4, 0), "down", (999, 0)),
        ((4, 0), "up", (2, 0)),
        ((0, 0), "right", (0, 3)),
        ((3, 1), "left", (3, 0)),
        ((0, 0), "up", (0, 0)),
        ((9, 9), "end", (4, 3)),
    ],
)
def test_edges(say: Say, at: tuple[int, int], towards: str, found: tuple[int, int]) -> None:
    told = say("web.edge", spreadsheetId=BUDGET, gid=0, row=at[0], column=at[1], towards=towards)
    assert (told["row"], told["column"]) == found


def test_sums_and_finds(say: Say) -> None:
    told = say("web.summary", spreadsheetId=BUDGET, gid=0, area=[0, 0, 5, 2])
    assert (told["sum"], told["count"], told["numbers"], told["least"], told["most"]) == (3000, 8, 3, 300, 1500)
    assert told["texts"] == ["Team", "Q1", "Core", "1200", "Support", "300", "", "All", "1500"]
    assert say("web.find", spreadsheetId=BUDGET, gid=0, text="q") == {"found": True, "row": 0, "column": 1}
    assert say("web.find", spreadsheetId=BUDGET, gid=0, text="q", row=0, column=1)["column"] == 2
    assert say("web.find", spreadsheetId=BUDGET, gid=0, text="q", matchCase=True)["found"] is False
    assert say("web.find", "bo", spreadsheetId=NOTES, gid=0, text="anything")["found"] is False


def test_what_is_refused_changes_nothing(say: Say, refused: Say) -> None:
    place = {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 2, "startColumnIndex": 1, "endColumnIndex": 2}
    condition = {"type": "NUMBER_GREATER", "values": [{"userEnteredValue": "0"}]}
    rule = {"setDataValidation": {"range": place, "rule": {"condition": condition, "strict": True}}}
    say("web.change", spreadsheetId=BUDGET, requests=[rule])
    before = say("web.open", spreadsheetId=BUDGET)
    assert refused("web.enter", spreadsheetId=BUDGET, cells=[[1, 1, "-4"]]) == "violates_rule"
    assert refused("web.enter", spreadsheetId=BUDGET, cells=[]) == "nothing_typed"
    assert refused("web.enter", spreadsheetId=BUDGET, cells=[[-1, 0, "x"]]) == "no_such_cell"
    assert refused("web.enter", spreadsheetId=BUDGET, cells=[[1000, 0, "x"]]) == "outside_grid"
    assert refused("web.enter", "cyrus", spreadsheetId=BUDGET, cells=[[0, 0, "x"]]) == "forbidden"
    assert refused("web.change", spreadsheetId=BUDGET, requests=[]) == "no_requests"
    assert (
        refused("web.paste", spreadsheetId=BUDGET, requests=[{"deleteSheet": {"sheetId": 0}}]) == "unsupported_request"
    )
    assert refused("web.fill", spreadsheetId=BUDGET, requests=[{"nothing": {}}]) == "unsupported_request"
    assert say("web.open", spreadsheetId=BUDGET)["window"] == before["window"]


def test_what_many_cells_are_already_counts_for_nothing_and_an_undo_costs_what_it_undoes(
    say: Say, refused: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {"sheetId": 0, "endRowIndex": 5, "endColumnIndex": 4}
    bold = {
        "repeatCell": {
            "range": whole,
            "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}},
            "fields": "userEnteredFormat",
        }
    }
    before = say("web.open", spreadsheetId=BUDGET)["window"]
    say("web.change", spreadsheetId=BUDGET, requests=[bold])
    monkeypatch.setattr("apps.sheets.grid.stored_cells.MOST_WRITTEN", 19)
    monkeypatch.setattr("world.core.journal.MAX_ROWS", 25)
    monkeypatch.setattr("apps.sheets.history.undo_history.MOST_SINGLE", 10)
    say("web.change", spreadsheetId=BUDGET, requests=[bold])
    assert (
        refused("web.change", spreadsheetId=BUDGET, requests=[{"repeatCell": {**bold["repeatCell"], "cell": {}}}])
        == "bad_request"
    )
    assert say("web.undo", **UNDO)["window"]["cells"] == before["cells"]
    emptied = {"updateCells": {"range": {"sheetId": 0}, "fields": "userEnteredValue"}}
    assert say("web.change", spreadsheetId=BUDGET, requests=[emptied])["window"]["cells"] == []


def test_chips_show_people_by_name_and_files_by_title(say: Say) -> None:
    runs = [
        {"startIndex": 0, "chip": {"personProperties": {"email": "bo@tiny.example"}}},
        {
            "startIndex": 6,
            "chip": {"richLinkProperties": {"uri": f"https://docs.google.com/spreadsheets/d/{SECRET}/edit"}},
        },
    ]
    cell = {"userEnteredValue": {"stringValue": "@ has @"}, "chipRuns": runs}
    start = {"sheetId": 0, "rowIndex": 8, "columnIndex": 0}
    write = {"updateCells": {"start": start, "rows": [{"values": [cell]}], "fields": "userEnteredValue,chipRuns"}}
    say("web.change", spreadsheetId=BUDGET, requests=[write])
    found = {
        who: next(one for one in say("web.cells", who, spreadsheetId=BUDGET)["window"]["cells"] if one[0] == 8)
        for who in ("ada", "bo")
    }
    assert [found[who][2] for who in found] == [
        "Bo Lindqvist has Secret",
        f"Bo Lindqvist has {runs[1]['chip']['richLinkProperties']['uri']}",
    ]
    assert (found["ada"][5]["e"], found["ada"][5]["k"][0]) == (
        "@ has @",
        {"label": "Bo Lindqvist", "kind": "person", "to": "mailto:bo@tiny.example"},
    )
