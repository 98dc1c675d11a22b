"""Rows sorted, shuffled and thinned out; texts found, trimmed and split; series filled."""

from typing import Any

import pytest

from tests.apps.sheets.requests.change_requests import Asking, grid


def by(column: int, *, down: bool = False) -> dict[str, Any]:
    return {"dimensionIndex": column, "sortOrder": "DESCENDING" if down else "ASCENDING"}


def test_numbers_before_texts_before_booleans_and_blanks_last(budget: Asking) -> None:
    budget.put("F1:F8", [["b"], [True], ["=1/0"], [10], ["A"], [""], [9], [False]])
    budget.one("sortRange", range=grid(0, 5, 8, 6), sortSpecs=[by(5)])
    assert budget.values("F1:F8") == [["9"], ["10"], ["A"], ["b"], ["FALSE"], ["TRUE"], ["#DIV/0!"]]
    budget.one("sortRange", range=grid(0, 5, 8, 6), sortSpecs=[by(5, down=True)])
    assert budget.values("F1:F8") == [["#DIV/0!"], ["TRUE"], ["FALSE"], ["b"], ["A"], ["10"], ["9"]]


def test_rows_without_a_key_keep_the_rest(budget: Asking) -> None:
    budget.put("F1:G4", [[3, "c"], ["", "none"], [1, "a"], ["", "either"]])
    budget.one("sortRange", range=grid(0, 5, 4, 7), sortSpecs=[by(5)])
    assert budget.typed("F1:G4") == [[1, "a"], [3, "c"], ["", "none"], ["", "either"]]


def test_later_keys_decide_among_equals_and_order_is_kept(budget: Asking) -> None:
    budget.put("F1:H5", [["x", 2, "1"], ["y", 1, "2"], ["x", 1, "3"], ["X", 1, "4"], ["y", 1, "5"]])
    budget.one("sortRange", range=grid(0, 5, 5, 8), sortSpecs=[by(6), by(5, down=True)])
    assert [row[2] for row in budget.values("F1:H5")] == ["2", "5", "3", "4", "1"]


def test_formulas_and_formats_go_with_their_rows(budget: Asking) -> None:
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}, "note": "n"}
    budget.one("repeatCell", range=grid(1, 0, 2, 1), cell=bold, fields="userEnteredFormat,note")
    budget.one("sortRange", range=grid(1, 0, 4, 4), sortSpecs=[by(1)])
    assert budget.typed("A2:D3") == [["Support", 300, 280, "=B2+C2"], ["Core", 1200, 1350.5, "=B3+C3"]]
    rows = budget.sheet(includeGridData=True, ranges=["A2:A3"])["data"][0]["rowData"]
    assert "note" not in rows[0]["values"][0] and rows[1]["values"][0]["note"] == "n"


def test_a_colour_sorts_to_the_top(budget: Asking) -> None:
    green = {"userEnteredFormat": {"backgroundColor": {"green": 1}}}
    budget.one("repeatCell", range=grid(4, 0, 5, 1), cell=green, fields="userEnteredFormat")
    budget.one(
        "sortRange", range=grid(1, 0, 5, 1), sortSpecs=[{"dimensionIndex": 0, "backgroundColor": {"green": 1.0}}]
    )
    assert budget.values("A2:A5") == [["All"], ["Core"], ["Support"]]


def test_shuffling_keeps_rows_whole_and_is_the_same_in_the_same_world(budget: Asking) -> None:
    budget.put("F1:G9", [[number, number * 2] for number in range(9)])
    budget.one("randomizeRange", range=grid(0, 5, 9, 7))
    found = budget.typed("F1:G9")
    assert found != sorted(found) and sorted(found) == [[number, number * 2] for number in range(9)]


def test_duplicates_are_taken_out_and_counted(budget: Asking) -> None:
    budget.put(
        "F1:H6",
        [["a", 1, "keep"], ["A", 1, "x"], ["b", 1, "keep"], ["a", 2, "keep"], ["a", "=2-1", "y"], ["b", 1, "z"]],
    )
    budget.put("F7", [["below"]])
    columns = [{"sheetId": 0, "dimension": "COLUMNS", "startIndex": 5, "endIndex": 7}]
    assert budget.one("deleteDuplicates", range=grid(0, 5, 6, 8), comparisonColumns=columns) == {
        "duplicatesRemovedCount": 3
    }
    assert budget.values("F1:H7") == [["a", "1", "keep"], ["b", "1", "keep"], ["a", "2", "keep"], [], [], [], ["below"]]
    assert budget.one("deleteDuplicates", range=grid(0, 5, 3, 8)) == {}


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        ("sortRange", {"range": grid(0, 0, 3, 3)}),
        ("sortRange", {"range": grid(0, 0, 3, 3), "sortSpecs": [by(3)]}),
        ("sortRange", {"range": grid(0, 0, 3, 3), "sortSpecs": [{"dimensionIndex": 0, "sortOrder": "SIDEWAYS"}]}),
        ("sortRange", {"range": grid(0, 0, 3, 3), "sortSpecs": "x"}),
        ("sortRange", {"range": grid(6, 6, 9, 9), "sortSpecs": [by(6)]}),
        (
            "deleteDuplicates",
            {"range": grid(0, 0, 3, 3), "comparisonColumns": [{"dimension": "ROWS", "startIndex": 0, "endIndex": 1}]},
        ),
        (
            "deleteDuplicates",
            {
                "range": grid(0, 0, 3, 3),
                "comparisonColumns": [{"dimension": "COLUMNS", "startIndex": 2, "endIndex": 9}],
            },
        ),
        ("randomizeRange", {"range": grid(6, 6, 9, 9)}),
        ("findReplace", {"find": "", "allSheets": True}),
        ("findReplace", {"find": "a"}),
        ("findReplace", {"find": "a", "allSheets": True, "sheetId": 0}),
        ("findReplace", {"find": "(", "searchByRegex": True, "allSheets": True}),
        ("findReplace", {"find": "a", "replacement": "$1", "searchByRegex": True, "allSheets": True}),
        ("findReplace", {"find": "a", "replacement": "$", "searchByRegex": True, "allSheets": True}),
        ("findReplace", {"find": 3, "allSheets": True}),
        ("textToColumns", {"source": grid(0, 0, 2, 2), "delimiterType": "COMMA"}),
        ("textToColumns", {"source": grid(0, 0, 2, 1)}),
        ("textToColumns", {"source": grid(0, 0, 2, 1), "delimiterType": "CUSTOM"}),
        ("autoFill", {}),
        ("autoFill", {"range": grid(0, 0, 1, 1), "sourceAndDestination": {}}),
        ("autoFill", {"sourceAndDestination": {"source": grid(0, 0, 1, 1), "dimension": "ROWS"}}),
        ("autoFill", {"sourceAndDestination": {"source": grid(0, 0, 1, 1), "fillLength": 3}}),
    ],
)
def test_what_cannot_be_done(budget: Asking, kind: str, given: dict[str, Any]) -> None:
    budget.lay("merge", grid(6, 6, 8, 7))
    assert budget.refused(kind, **given)[0] == "bad_request"


def test_protected_cells_stay_in_order(budget: Asking) -> None:
    budget.lay("protected_range", grid(2, 0, 3, 1), {"editors": {}})
    for kind, given in (
        ("sortRange", {"range": grid(0, 0, 4, 2), "sortSpecs": [by(0)]}),
        ("randomizeRange", {"range": grid(0, 0, 4, 2)}),
        ("deleteDuplicates", {"range": grid(0, 0, 4, 2)}),
        ("findReplace", {"find": "u", "replacement": "v", "allSheets": True}),
        ("trimWhitespace", {"range": grid(0, 0, 4, 2)}),
        ("autoFill", {"sourceAndDestination": {"source": grid(0, 0, 2, 1), "dimension": "ROWS", "fillLength": 2}}),
    ):
        assert budget.refused(kind, "bo", **given)[0] == "protected", kind


# texts


def test_found_and_replaced_with_counts(budget: Asking) -> None:
    budget.one("addSheet", properties={"title": "Two", "sheetId": 2})
    budget.put("Two!A1:B2", [["Google Sheets", "see"], ["none", '=UPPER("e")']])
    told = budget.one("findReplace", find="E", replacement="o", sheetId=2)
    assert told == {"valuesChanged": 3, "rowsChanged": 2, "sheetsChanged": 1, "occurrencesChanged": 6}
    assert budget.values("Two!A1:B2") == [["Googlo Shoots", "soo"], ["nono", "E"]]
    told = budget.one(
        "findReplace",
        find="(e)",
        replacement="x",
        matchCase=True,
        includeFormulas=True,
        searchByRegex=True,
        range=grid(1, 1, 2, 2, 2),
    )
    assert told == {"formulasChanged": 1, "rowsChanged": 1, "sheetsChanged": 1, "occurrencesChanged": 1}
    assert budget.typed("Two!B2") == [['=UPPER("x")']]
    assert budget.one("findReplace", find="nothing like this", allSheets=True) == {}


def test_the_vendors_own_example_of_groups(budget: Asking) -> None:
    budget.put("F1:F2", [["Google Sheets"], ["Google Docs"]])
    budget.one("findReplace", find="o.* (.*)", replacement="$1 Rocks", searchByRegex=True, allSheets=True)
    assert budget.values("F1:F2") == [["GSheets Rocks"], ["GDocs Rocks"]]


def test_whole_cells_and_numbers_and_dates(budget: Asking) -> None:
    budget.put("F1:F4", [["12"], ["2"], ["3/2/2026"], ["$1.50"]])
    assert (
        budget.one("findReplace", find="2", replacement="7", matchEntireCell=True, range=grid(0, 5, 4, 6))[
            "valuesChanged"
        ]
        == 1
    )
    budget.one("findReplace", find="3/2/", replacement="4/2/", range=grid(0, 5, 4, 6))
    budget.one("findReplace", find="1.5", replacement=r"\$", range=grid(0, 5, 4, 6))
    assert budget.values("F1:F4") == [["12"], ["7"], ["4/2/2026"], ["\\$"]]
    assert budget.values("F1:F3", valueRenderOption="UNFORMATTED_VALUE") == [[12], [7], [46114]]


def test_a_hostile_pattern_ends(budget: Asking) -> None:
    budget.put("F1", [["a" * 5000 + "!"]])
    assert budget.one("findReplace", find="(a+)+$", replacement="", searchByRegex=True, allSheets=True) == {}
    assert budget.refused("findReplace", find="a", replacement="b" * 1000, range=grid(0, 5, 1, 6))[0] == "too_long"


def test_white_space_is_trimmed(budget: Asking) -> None:
    budget.say(
        "spreadsheets.values.update",
        spreadsheetId=budget.key,
        range="F1",
        valueInputOption="RAW",
        values=[["  a \t b\n", "=x ", "ok", " "], [1, "  =1+1"]],
    )
    assert budget.one("trimWhitespace", range=grid(0, 5, 2, 9)) == {"cellsChangedCount": 4}
    assert budget.values("F1:I2") == [["a b", "=x", "ok"], ["1", "=1+1"]]
    assert budget.one("trimWhitespace", range=grid(0, 5, 2, 9)) == {}


@pytest.mark.parametrize(
    ("how", "typed", "found"),
    [
        ({"delimiterType": "COMMA"}, "a,b , 3", ["a", "b", 3]),
        ({"delimiterType": "AUTODETECT"}, "a;b,c;d;e", ["a", "b,c", "d", "e"]),
        ({"delimiterType": "CUSTOM", "delimiter": "--"}, "x--y", ["x", "y"]),
        ({"delimiterType": "SPACE"}, "1 2", [1, 2]),
        ({"delimiterType": "PERIOD"}, "no", ["no"]),
        ({"delimiterType": "SEMICOLON"}, "a;=1+1", ["a", "=1+1"]),
    ],
)
def test_text_is_split_into_columns(budget: Asking, how: dict[str, Any], typed: str, found: list[Any]) -> None:
    budget.put("F1:F2", [["q;r;s"] if how["delimiterType"] == "AUTODETECT" else ["plain"], [typed]])
    budget.one("textToColumns", source=grid(0, 5, 2, 6), **how)
    assert budget.typed("F2:J2") == [found]


def test_splitting_at_the_edge_makes_columns(budget: Asking) -> None:
    budget.put("Z1", [["a,b,c"]])
    budget.one("textToColumns", source=grid(0, 25, 1, 26), delimiterType="COMMA")
    assert budget.typed("Z1:AB1") == [["a", "b", "c"]]


# series


def fill(length: int, axis: str = "ROWS", source: Any = None) -> dict[str, Any]:
    return {"source": source or grid(0, 5, 2, 6), "dimension": axis, "fillLength": length}


def test_series_go_on_in_all_directions(budget: Asking) -> None:
    budget.put("F1:G2", [[1, "Jan"], [3, "Feb"]])
    budget.one("autoFill", sourceAndDestination=fill(2, source=grid(0, 5, 2, 7)))
    assert budget.typed("F1:G4") == [[1, "Jan"], [3, "Feb"], [5, "Mar"], [7, "Apr"]]
    budget.one("autoFill", sourceAndDestination=fill(2, "COLUMNS", grid(2, 5, 4, 7)))
    budget.one("autoFill", sourceAndDestination=fill(-1, "COLUMNS", grid(0, 5, 1, 6)))
    assert budget.typed("E1") == [[1]]
    assert budget.refused("autoFill", sourceAndDestination=fill(-1))[0] == "range_beyond_sheet"
    assert budget.refused("autoFill", sourceAndDestination=fill(2000))[0] == "range_beyond_sheet"


def test_formulas_and_formats_are_filled(budget: Asking) -> None:
    budget.one(
        "repeatCell",
        range=grid(2, 3, 3, 4),
        cell={"userEnteredFormat": {"textFormat": {"bold": True}}, "note": "n"},
        fields="*",
    )
    budget.put("D3", [["=B3+C3"]])
    budget.one("autoFill", sourceAndDestination=fill(1, source=grid(2, 3, 3, 4)))
    cell = budget.sheet(includeGridData=True, ranges=["D4"])["data"][0]["rowData"][0]["values"][0]
    assert budget.typed("D4") == [["=B4+C4"]]
    assert cell["userEnteredFormat"] == {"textFormat": {"bold": True}} and "note" not in cell


@pytest.mark.parametrize(
    ("typed", "area", "shown"),
    [
        ("F1:F2", grid(0, 5, 4, 6), [[1], [2], [3], [4]]),
        ("F3:F4", grid(0, 5, 4, 6), [[-1], [0], [1], [2]]),
        ("F1", grid(0, 5, 1, 8), [[1, 1, 1]]),
        ("H1", grid(0, 5, 1, 8), [[1, 1, 1]]),
        ("A900", grid(0, 5, 4, 6), []),
    ],
)
def test_the_part_with_data_is_found(budget: Asking, typed: str, area: dict[str, Any], shown: list[Any]) -> None:
    budget.put(typed, [[1], [2]] if ":" in typed else [[1]])
    budget.one("autoFill", range=area)
    assert budget.typed("F1:H4") == shown


def test_a_single_number_counts_up_when_asked_to(budget: Asking) -> None:
    budget.put("F1", [[5]])
    budget.one("autoFill", range=grid(0, 5, 3, 6), useAlternateSeries=True)
    assert budget.typed("F1:F3") == [[5], [6], [7]]
