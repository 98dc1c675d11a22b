"""Values read, written, appended and cleared by A1 range and by data filter."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET, SECRET, TABLE, Say
from tests.apps.sheets.requests.change_requests import Asking, grid, lines
from tests.company import as_person
from world.run.host import Host


def test_values_as_displayed_plain_or_as_typed(budget: Asking) -> None:
    assert budget.values("A1:D2") == [["Team", "Q1", "Q2", "Total"], ["Core", "1200", "1350.5", "2550.5"]]
    assert budget.values("A2:D2", valueRenderOption="UNFORMATTED_VALUE") == [["Core", 1200, 1350.5, 2550.5]]
    assert budget.values("A2:D2", valueRenderOption="FORMULA") == [["Core", 1200, 1350.5, "=B2+C2"]]


@pytest.mark.parametrize(
    ("asked", "told", "height"),
    [
        ("Sheet1", "Sheet1!A1:Z1000", 5),
        ("A1:D5", "Sheet1!A1:D5", 5),
        ("sheet1!a2", "Sheet1!A2", 1),
        ("A:A", "Sheet1!A1:A1000", 5),
        ("2:3", "Sheet1!A2:Z3", 2),
        ("'Sheet1'!B2:C", "Sheet1!B2:C1000", 4),
        ("C3:B2", "Sheet1!B2:C3", 2),
        ("A6:D9", "Sheet1!A6:D9", 0),
        ("A900:AA2000", "Sheet1!A900:Z1000", 0),
        ("R2C1:R3C2", "Sheet1!A2:B3", 2),
        ("$A$2:$B$3", "Sheet1!A2:B3", 2),
    ],
)
def test_ranges_are_told_back_closed_and_values_trimmed(say: Say, asked: str, told: str, height: int) -> None:
    found = say("spreadsheets.values.get", spreadsheetId=BUDGET, range=asked)
    assert found["range"] == told and found["majorDimension"] == "ROWS"
    assert len(found.get("values", [])) == height and ("values" in found) == (height > 0)


def test_lines_are_trimmed_and_turned(say: Say) -> None:
    found = say("spreadsheets.values.get", spreadsheetId=BUDGET, range="A3:D5", majorDimension="COLUMNS")
    assert found["values"] == [
        ["Support", "", "All"],
        ["300", "", "1500"],
        ["280", "", "1630.5"],
        ["580", "", "3130.5"],
    ]
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="A3:F6")["values"][1:] == [
        [],
        ["All", "1500", "1630.5", "3130.5"],
    ]


@pytest.mark.parametrize(
    ("range_", "code"),
    [
        ("Sheet9!A1", "bad_range"),
        ("A1:B2:C3", "bad_range"),
        ("A1001", "beyond_grid"),
        ("AA1:AB2", "beyond_grid"),
        ("", "bad_range"),
        ("'Sheet1", "bad_range"),
        ("Sheet1!", "bad_range"),
        ("nothing", "bad_range"),
        ("A0", "bad_range"),
        ("x" * 1900, "bad_range"),
    ],
)
def test_ranges_that_are_none(refused: Say, range_: str, code: str) -> None:
    assert refused("spreadsheets.values.get", spreadsheetId=BUDGET, range=range_) == code


def test_who_may_read_and_write(say: Say, refused: Say) -> None:
    assert say("spreadsheets.values.get", "cyrus", spreadsheetId=BUDGET, range="A1")["values"] == [["Team"]]
    write = {"range": "A1", "valueInputOption": "RAW", "values": [["x"]]}
    assert refused("spreadsheets.values.update", "cyrus", spreadsheetId=BUDGET, **write) == "forbidden"
    assert refused("spreadsheets.values.get", "bo", spreadsheetId=SECRET, range="A1") == "forbidden"
    assert refused("spreadsheets.values.get", spreadsheetId="1NoSuchFile", range="A1") == "not_found"
    assert say("spreadsheets.values.update", "bo", spreadsheetId=BUDGET, **write)["updatedCells"] == 1


def test_several_ranges_at_once(say: Say) -> None:
    found = say(
        "spreadsheets.values.batchGet",
        spreadsheetId=BUDGET,
        ranges=["A1:B1", "D5", "Z9"],
        valueRenderOption="UNFORMATTED_VALUE",
    )
    assert found == {
        "spreadsheetId": BUDGET,
        "valueRanges": [
            {"range": "Sheet1!A1:B1", "majorDimension": "ROWS", "values": [["Team", "Q1"]]},
            {"range": "Sheet1!D5", "majorDimension": "ROWS", "values": [[3130.5]]},
            {"range": "Sheet1!Z9", "majorDimension": "ROWS"},
        ],
    }
    assert say("spreadsheets.values.batchGet", spreadsheetId=BUDGET, ranges="A1")["valueRanges"][0]["values"] == [
        ["Team"]
    ]
    assert say("spreadsheets.values.batchGet", spreadsheetId=BUDGET) == {"spreadsheetId": BUDGET}


def test_dates_as_numbers_or_texts(budget: Asking) -> None:
    budget.put("F1:G1", [["2026-03-02", "=F1+1"]])
    assert budget.values("F1:G1") == [["2026-03-02", "2026-03-03"]] or budget.values("F1") == [["2026-03-02"]]
    assert budget.values("F1", valueRenderOption="UNFORMATTED_VALUE") == [[46083]]
    assert budget.values("F1", valueRenderOption="UNFORMATTED_VALUE", dateTimeRenderOption="FORMATTED_STRING") == [
        ["2026-03-02"]
    ]
    assert budget.values("F1", valueRenderOption="FORMULA") == [[46083]]


# writing


def test_raw_and_as_typed(say: Say, budget: Asking) -> None:
    values: list[list[Any]] = [["=1+1", "12", True, 1.5, "'x", "TRUE", "$3", "10%"]]
    for option in ("RAW", "USER_ENTERED"):
        place = "F1" if option == "RAW" else "F2"
        told = say(
            "spreadsheets.values.update", spreadsheetId=BUDGET, range=place, valueInputOption=option, values=values
        )
        assert told["updatedCells"] == 8 and told["updatedColumns"] == 8 and told["updatedRows"] == 1
    assert budget.values("F1:M2", valueRenderOption="UNFORMATTED_VALUE") == [
        ["=1+1", "12", True, 1.5, "'x", "TRUE", "$3", "10%"],
        [2, 12, True, 1.5, "x", True, 3, 0.1],
    ]
    assert budget.values("F2:M2") == [["2", "12", "TRUE", "1.5", "x", "TRUE", "$3", "10%"]]


def test_null_leaves_and_empty_text_empties(budget: Asking) -> None:
    budget.put("A1:C1", [[None, "", 3]])
    assert budget.typed("A1:D1") == [["Team", "", 3, "Total"]]


def test_formulas_see_the_new_values_at_once(say: Say) -> None:
    told = say(
        "spreadsheets.values.update",
        spreadsheetId=BUDGET,
        range="B2:D2",
        valueInputOption="USER_ENTERED",
        values=[[1, 2]],
        includeValuesInResponse=True,
        responseValueRenderOption="FORMULA",
    )
    assert told["updatedRange"] == "Sheet1!B2:C2" and told["updatedData"]["values"] == [[1, 2]]
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="D2:D5")["values"] == [
        ["3"],
        ["580"],
        [],
        ["583"],
    ]


def test_columns_are_written_as_columns(budget: Asking) -> None:
    budget.say(
        "spreadsheets.values.update",
        spreadsheetId=BUDGET,
        range="F1:G3",
        valueInputOption="RAW",
        majorDimension="COLUMNS",
        values=[["a", "b", "c"], ["d"]],
    )
    assert budget.values("F1:G3") == [["a", "d"], ["b"], ["c"]]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"range": "A1:B2", "values": [["a", "b", "c"]]}, "beyond_range"),
        ({"range": "A1:B2", "values": [["a"]] * 3}, "beyond_range"),
        ({"range": "Z1000", "values": [["a", "b"]]}, "outside_grid"),
        ({"range": "A1", "values": [[{"a": 1}]]}, "bad_value"),
        ({"range": "A1", "values": [[["a"]]]}, "bad_value"),
        ({"range": "A1", "values": [["x" * 50_001]]}, "too_long"),
        ({"range": "A1", "values": [["a"]], "valueInputOption": None}, "input_option_missing"),
        ({"range": "A1", "values": "x"}, "invalid_arguments"),
        (
            {"range": "A1", "values": [["a"]], "valueInputOption": "INPUT_VALUE_OPTION_UNSPECIFIED"},
            "input_option_missing",
        ),
        ({"range": "A1:A1", "values": [["a"], ["b"]]}, "beyond_range"),
    ],
)
def test_writes_that_are_refused_leave_nothing(budget: Asking, refused: Say, given: dict[str, Any], code: str) -> None:
    before = budget.everything()
    assert refused("spreadsheets.values.update", spreadsheetId=BUDGET, **{"valueInputOption": "RAW", **given}) == code
    assert budget.everything() == before


def test_several_writes_or_none(budget: Asking, refused: Say) -> None:
    told = budget.say(
        "spreadsheets.values.batchUpdate",
        spreadsheetId=BUDGET,
        valueInputOption="USER_ENTERED",
        data=[{"range": "F1:G1", "values": [[1, 2]]}, {"range": "F2", "values": [["=F1+G1"]]}],
        includeValuesInResponse=True,
    )
    assert {name: told[name] for name in told if name != "responses"} == {
        "spreadsheetId": BUDGET,
        "totalUpdatedRows": 2,
        "totalUpdatedColumns": 2,
        "totalUpdatedCells": 3,
        "totalUpdatedSheets": 1,
    }
    assert [one["updatedRange"] for one in told["responses"]] == ["Sheet1!F1:G1", "Sheet1!F2"]
    assert told["responses"][1]["updatedData"]["values"] == [["3"]]
    before = budget.everything()
    data = [{"range": "A1", "values": [["gone"]]}, {"range": "Nowhere!A1", "values": [["x"]]}]
    assert (
        refused("spreadsheets.values.batchUpdate", spreadsheetId=BUDGET, valueInputOption="RAW", data=data)
        == "bad_range"
    )
    assert budget.everything() == before


def test_protected_cells_are_refused_to_others(budget: Asking, refused: Say) -> None:
    budget.lay("protected_range", grid(0, 0, 1, 26), {"editors": {"users": ["ada@tiny.example"]}})
    write = {"spreadsheetId": BUDGET, "valueInputOption": "RAW", "values": [["x"], ["y"]]}
    assert refused("spreadsheets.values.update", "bo", range="A1:A2", **write) == "protected"
    assert refused("spreadsheets.values.clear", "bo", spreadsheetId=BUDGET, range="A1:A2") == "protected"
    assert budget.say("spreadsheets.values.update", "bo", range="A2:A3", **write)["updatedCells"] == 2
    assert budget.say("spreadsheets.values.update", "ada", range="A1:A2", **write)["updatedCells"] == 2


def test_two_people_in_one_cell_the_later_one_stays(budget: Asking, host: Host) -> None:
    for who, text in (("ada", "mine"), ("bo", "no, mine"), ("ada", "=B2*2")):
        budget.say(
            "spreadsheets.values.update",
            who,
            spreadsheetId=BUDGET,
            range="A7",
            valueInputOption="USER_ENTERED",
            values=[[text]],
        )
        read = [
            host.call(as_person(host, one), "rest", "spreadsheets.values.get", {"spreadsheetId": BUDGET, "range": "A7"})
            for one in ("ada", "bo")
        ]
        assert read[0] == read[1]
    assert budget.values("A7") == [["2400"]]


def test_clearing_keeps_formats_and_notes(budget: Asking) -> None:
    budget.one(
        "repeatCell",
        range=grid(0, 0, 1, 2),
        cell={"note": "why", "userEnteredFormat": {"textFormat": {"bold": True}}},
        fields="note,userEnteredFormat",
    )
    told = budget.say("spreadsheets.values.clear", spreadsheetId=BUDGET, range="A1:B")
    assert told == {"spreadsheetId": BUDGET, "clearedRange": "Sheet1!A1:B1000"}
    assert budget.typed("A1:B5") == [] and budget.values("D2") == [["1350.5"]]
    cell = budget.sheet(includeGridData=True, ranges=["A1"])["data"][0]["rowData"][0]["values"][0]
    assert cell["note"] == "why" and cell["userEnteredFormat"] == {"textFormat": {"bold": True}}
    told = budget.say("spreadsheets.values.batchClear", spreadsheetId=BUDGET, ranges=["C1", "D:D"])
    assert told["clearedRanges"] == ["Sheet1!C1", "Sheet1!D1:D1000"]


def test_a_range_may_be_imported_by_who_may_read_it(budget: Asking, say: Say) -> None:
    for key, shown in ((SECRET, "90000"), ("1Nothing", "#REF!")):
        budget.put("F1", [[f'=IMPORTRANGE("{key}", "Sheet1!B1")']])
        assert budget.values("F1") == [[shown]]


# appending


def append(budget: Asking, text: str, values: Any, **how: Any) -> Any:
    return budget.say(
        "spreadsheets.values.append",
        spreadsheetId=budget.key,
        range=text,
        valueInputOption="USER_ENTERED",
        values=values,
        **how,
    )


@pytest.mark.parametrize(
    ("asked", "begins", "table"),
    [
        ("Sheet1", "B7", "B4:D6"),
        ("B4", "B7", "B4:D6"),
        ("C5:D5", "B7", "B4:D6"),
        ("B2:D4", "B7", "B4:D6"),
        ("A3:G10", "B7", "B4:D6"),
        ("A1", "A3", "A1:C2"),
        ("E4", "E4", None),
        ("A4", "A4", None),
    ],
)
def test_the_vendors_own_examples_of_tables(say: Say, asked: str, begins: str, table: str | None) -> None:
    notes = Asking(say, SECRET)
    notes.put("A1:C2", [["x", "y", "z"], ["x", "y", "z"]])
    notes.put("B4:D6", [["x", "y"], ["y", "z"], ["x", "", "z"]])
    told = append(notes, asked, [["new"]])
    assert told["updates"]["updatedRange"] == f"Sheet1!{begins}"
    assert told.get("tableRange") == (table and f"Sheet1!{table}")


def test_rows_are_written_over_or_put_in(budget: Asking) -> None:
    budget.put("A7", [["below"]])
    assert append(budget, "A5", [["x", 1], ["y", "=B6*2"]])["updates"]["updatedCells"] == 4
    assert budget.typed("A5:B7") == [["All", "=SUM(B2:B3)"], ["x", 1], ["y", "=B6*2"]]
    told = append(budget, "A1:D3", [["p"], ["q"]], insertDataOption="INSERT_ROWS", includeValuesInResponse=True)
    assert told["tableRange"] == "Sheet1!A1:D3" and told["updates"]["updatedRange"] == "Sheet1!A4:A5"
    assert told["updates"]["updatedData"]["values"] == [["p"], ["q"]]
    assert budget.typed("A3:A9") == [["Support"], ["p"], ["q"], [], ["All"], ["x"], ["y"]]


def test_a_table_is_joined_at_corners_and_new_rows_look_like_its_last(budget: Asking) -> None:
    budget.put("F10:H12", [["a", "", ""], ["", "b", ""], ["", "", "c"]])
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    budget.one("repeatCell", range=grid(11, 5, 12, 6), cell=bold, fields="userEnteredFormat")
    told = append(budget, "H12", [["x"]], insertDataOption="INSERT_ROWS")
    assert told["tableRange"] == "Sheet1!F10:H12" and told["updates"]["updatedRange"] == "Sheet1!F13"
    cell = budget.sheet(includeGridData=True, ranges=["F13"])["data"][0]["rowData"][0]["values"][0]
    assert cell["userEnteredFormat"] == bold["userEnteredFormat"]


def test_appending_makes_the_sheet_larger(budget: Asking) -> None:
    budget.put("Z1000", [["end"]])
    told = append(budget, "Z1000", [[1, 2], [3]])
    assert told["updates"]["updatedRange"] == "Sheet1!Z1001:AA1002"
    assert budget.sheet()["properties"]["gridProperties"] == {"rowCount": 1002, "columnCount": 27}
    assert append(budget, "A1:A2", [])["updates"] == {"spreadsheetId": BUDGET, "updatedRange": "Sheet1!A4"}


def test_appending_after_rows_were_moved(budget: Asking) -> None:
    budget.batch(
        {"moveDimension": {"source": lines("ROWS", 4, 5), "destinationIndex": 1}},
        {"insertDimension": {"range": lines("COLUMNS", 0, 1)}},
    )
    assert append(budget, "Sheet1", [["x"]]) == {
        "spreadsheetId": BUDGET,
        "tableRange": "Sheet1!B1:E4",
        "updates": {
            "spreadsheetId": BUDGET,
            "updatedRange": "Sheet1!B5",
            "updatedRows": 1,
            "updatedColumns": 1,
            "updatedCells": 1,
        },
    }
    assert budget.values("B1:B5") == [["Team"], ["All"], ["Core"], ["Support"], ["x"]]


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"valueInputOption": None}, "input_option_missing"),
        ({"range": "Nope!A1"}, "bad_range"),
        ({"values": [["x"] * 18_300]}, "bad_request"),
        ({"values": [[{}]]}, "bad_value"),
        ({"insertDataOption": "SOMEHOW"}, "invalid_arguments"),
    ],
)
def test_what_cannot_be_appended(budget: Asking, refused: Say, how: dict[str, Any], code: str) -> None:
    before = budget.everything()
    given = {"spreadsheetId": BUDGET, "range": "A1", "valueInputOption": "RAW", "values": [["x"]], **how}
    assert refused("spreadsheets.values.append", **given) == code
    assert budget.everything() == before


# data filters


def test_values_by_filters(budget: Asking) -> None:
    first, same, other = (
        {"a1Range": "A1:B1"},
        {"gridRange": grid(0, 0, 1, 2)},
        {"gridRange": {"sheetId": 0, "startRowIndex": 4, "endRowIndex": 5}},
    )
    told = budget.say(
        "spreadsheets.values.batchGetByDataFilter", spreadsheetId=BUDGET, dataFilters=[first, same, other]
    )
    assert told["valueRanges"] == [
        {
            "valueRange": {"range": "Sheet1!A1:B1", "majorDimension": "ROWS", "values": [["Team", "Q1"]]},
            "dataFilters": [first, same],
        },
        {
            "valueRange": {
                "range": "Sheet1!A5:Z5",
                "majorDimension": "ROWS",
                "values": [["All", "1500", "1630.5", "3130.5"]],
            },
            "dataFilters": [other],
        },
    ]
    told = budget.say(
        "spreadsheets.values.batchUpdateByDataFilter",
        spreadsheetId=BUDGET,
        valueInputOption="RAW",
        data=[{"dataFilter": first, "values": [["T", "Q"]]}],
    )
    assert (
        told["totalUpdatedCells"] == 2
        and told["responses"][0]["dataFilter"] == first
        and "spreadsheetId" not in told["responses"][0]
    )
    told = budget.say("spreadsheets.values.batchClearByDataFilter", spreadsheetId=BUDGET, dataFilters=[other])
    assert told["clearedRanges"] == ["Sheet1!A5:Z5"] and budget.typed() == [
        ["T", "Q", "Q2", "Total"],
        *[[*TABLE[1][:1], 1200, 1350.5, "=B2+C2"], ["Support", 300, 280, "=B3+C3"]],
    ]


def test_metadata_points_at_rows_wherever_they_are(budget: Asking) -> None:
    row: Any = (1, None, 2, None)
    budget.within(
        lambda book: book.add_object("metadata", book.tabs[0], row, {"metadataKey": "k", "metadataValue": "v"}, key="8")
    )
    lookup = {"developerMetadataLookup": {"metadataKey": "k"}}
    budget.one("insertDimension", range=lines("ROWS", 0, 1))
    for given in (
        {"metadataKey": "k"},
        {"metadataId": 8},
        {"metadataValue": "v", "locationType": "ROW"},
        {"metadataLocation": {"dimensionRange": lines("ROWS", 2, 3)}, "locationMatchingStrategy": "EXACT_LOCATION"},
        {"metadataLocation": {"sheetId": 0}},
        {"metadataLocation": {"dimensionRange": lines("COLUMNS", 0, 2)}},
    ):
        told = budget.say(
            "spreadsheets.values.batchGetByDataFilter",
            spreadsheetId=BUDGET,
            dataFilters=[{"developerMetadataLookup": given}],
        )
        assert told["valueRanges"][0]["valueRange"]["values"][0][0] == "Core", given
    for given in (
        {"metadataKey": "other"},
        {"metadataId": 9},
        {"locationType": "COLUMN"},
        {"metadataLocation": {"dimensionRange": lines("ROWS", 4, 5)}},
    ):
        told = budget.say(
            "spreadsheets.values.batchGetByDataFilter",
            spreadsheetId=BUDGET,
            dataFilters=[{"developerMetadataLookup": given}],
        )
        assert "valueRanges" not in told, given
    told = budget.say("spreadsheets.getByDataFilter", spreadsheetId=BUDGET, dataFilters=[lookup], includeGridData=True)
    assert told["sheets"][0]["data"][0]["startRow"] == 2


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "bad_request"),
        ({"a1Range": "A1", "gridRange": {}}, "bad_request"),
        ({"a1Range": "Nope!A1"}, "bad_range"),
        ({"a1Range": 3}, "bad_request"),
        ({"gridRange": grid(0, 0, 1, 40)}, "range_beyond_sheet"),
        ({"gridRange": {"sheetId": 4}}, "no_sheet"),
        ({"other": 1}, "bad_request"),
    ],
)
def test_filters_that_are_none(refused: Say, given: dict[str, Any], code: str) -> None:
    assert refused("spreadsheets.values.batchGetByDataFilter", spreadsheetId=BUDGET, dataFilters=[given]) == code
    assert refused("spreadsheets.getByDataFilter", spreadsheetId=BUDGET, dataFilters=[given]) == code
