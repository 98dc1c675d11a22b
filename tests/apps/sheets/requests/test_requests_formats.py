"""Merges, borders, rules of data validation, and formats that depend on what cells hold."""

from typing import Any

import pytest

from apps.sheets.cells import Area
from apps.sheets.engine import condition_eval
from apps.sheets.grid import effective_formats, validation
from tests.apps.sheets.conftest import BUDGET
from tests.apps.sheets.requests.change_requests import Asking, grid
from tests.conformance.sheets_client import SheetsClient
from world.core.errors import OperationError

RED, GREEN, WHITE = {"red": 1}, {"green": 1}, {"red": 1, "green": 1, "blue": 1}


def told(budget: Asking, text: str) -> list[list[dict[str, Any]]]:
    """The CellData of a range."""
    rows = budget.sheet(includeGridData=True, ranges=[text])["data"][0].get("rowData", [])
    return [row.get("values", []) for row in rows]


def paper(cell: dict[str, Any]) -> Any:
    """The fill a cell has in the end."""
    look = cell.get("effectiveFormat", {})
    style = look.get("backgroundColorStyle", {})
    assert style.get("rgbColor") == look.get("backgroundColor") or "themeColor" in style
    return look.get("backgroundColor")


def rule(kind: str, *values: Any) -> dict[str, Any]:
    """A BooleanCondition; a value that is an object stays one."""
    said = [value if isinstance(value, dict) else {"userEnteredValue": value} for value in values]
    return {"type": kind, "values": said} if said else {"type": kind}


# merges


def test_merges_keep_the_first_value_and_are_told(budget: Asking) -> None:
    budget.put("F1:G2", [["", "first"], ["second", ""]])
    assert budget.batch({"mergeCells": {"range": grid(0, 5, 2, 7), "mergeType": "MERGE_ALL"}}) == [{}]
    assert budget.sheet()["merges"] == [grid(0, 5, 2, 7)]
    assert budget.values("F1:G2") == [["first"]]
    budget.one("unmergeCells", range=grid(0, 0, 10, 10))
    assert "merges" not in budget.sheet()


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("MERGE_ROWS", [grid(0, 5, 1, 7), grid(1, 5, 2, 7)]),
        ("MERGE_COLUMNS", [grid(0, 5, 2, 6), grid(0, 6, 2, 7)]),
    ],
)
def test_rows_and_columns_are_merged_apart(budget: Asking, kind: str, parts: list[Any]) -> None:
    budget.one("mergeCells", range=grid(0, 5, 2, 7), mergeType=kind)
    assert budget.sheet()["merges"] == parts


def test_a_merge_takes_in_those_within_and_refuses_torn_ones(budget: Asking) -> None:
    budget.one("mergeCells", range=grid(0, 5, 2, 7), mergeType="MERGE_ALL")
    torn = "You must select all cells in a merged range to merge or unmerge them."
    assert budget.refused("mergeCells", range=grid(1, 5, 3, 7), mergeType="MERGE_ALL") == ("bad_request", torn)
    assert budget.refused("unmergeCells", range=grid(1, 5, 3, 7)) == ("bad_request", torn)
    budget.one("mergeCells", range=grid(0, 5, 3, 8), mergeType="MERGE_ALL")
    assert budget.sheet()["merges"] == [grid(0, 5, 3, 8)]


# borders


def test_borders_about_a_range_and_within(budget: Asking) -> None:
    thick, thin = {"style": "SOLID_THICK", "color": RED}, {"style": "DOTTED"}
    budget.one("updateBorders", range=grid(0, 5, 2, 7), top=thick, innerHorizontal=thin)
    cells = told(budget, "F1:G2")
    corner = cells[0][0]["userEnteredFormat"]["borders"]
    assert corner["top"] == {"style": "SOLID_THICK", "width": 3, "color": RED, "colorStyle": {"rgbColor": RED}}
    assert corner["bottom"]["style"] == cells[1][1]["userEnteredFormat"]["borders"]["top"]["style"] == "DOTTED"
    assert "left" not in corner and "bottom" not in cells[1][1]["userEnteredFormat"]["borders"]
    budget.one("updateBorders", range=grid(0, 5, 2, 7), top={"style": "NONE"}, innerHorizontal={"style": "NONE"})
    assert told(budget, "F1:G2") == []


# data validation


def test_a_rule_is_put_on_every_cell_and_the_api_does_not_enforce_it(budget: Asking) -> None:
    wanted = {"condition": rule("NUMBER_GREATER", "0"), "strict": True, "inputMessage": "Positive, please"}
    budget.one("setDataValidation", range=grid(1, 1, 3, 3), rule=wanted)
    assert [cell["dataValidation"] for row in told(budget, "B2:C3") for cell in row] == [wanted] * 4
    budget.put("B2", [["-5"]])
    assert budget.values("B2") == [["-5"]]
    budget.one("setDataValidation", range=grid(1, 1, 3, 2))
    assert ["dataValidation" in cell for cell in told(budget, "B2:C2")[0]] == [False, True]


@pytest.mark.parametrize(
    ("condition", "good", "bad"),
    [
        (rule("NUMBER_BETWEEN", "1", "10"), ["1", "10", "5.5"], ["0", "11", "x"]),
        (rule("ONE_OF_LIST", "Open", "Done"), ["Open", "Done"], ["open", "x"]),
        (rule("ONE_OF_RANGE", "=A2:A3"), ["Core", "Support"], ["Team"]),
        (rule("TEXT_IS_EMAIL"), ["a.b@c.example"], ["a@", "x y@z.example"]),
        (rule("TEXT_IS_URL"), ["https://a.example/x?y", "a.example"], ["no url"]),
        (rule("DATE_IS_VALID"), ["2026-03-02"], ["soon"]),
        (rule("DATE_BETWEEN", "2026-01-01", "2026-01-31"), ["2026-01-31"], ["2026-02-01"]),
        (rule("BOOLEAN"), ["TRUE", "false"], ["1", "x"]),
        (rule("BOOLEAN", "Yes", "No"), ["Yes"], ["TRUE"]),
        (rule("CUSTOM_FORMULA", "=H1>G1"), ["5"], ["-5"]),
        (rule("NUMBER_LESS", "=B2"), ["3"], ["5000"]),
        (rule("DATE_ON_OR_AFTER", {"relativeDate": "TODAY"}), ["2026-03-02"], ["2026-03-01"]),
    ],
)
def test_what_the_page_refuses(budget: Asking, condition: Any, good: list[str], bad: list[str]) -> None:
    budget.one("setDataValidation", range=grid(0, 7, 1, 8), rule={"condition": condition, "strict": True})
    found = {}
    for text in good + bad:
        budget.put("H1", [[text]])
        budget.within(
            lambda book, text=text: found.update({text: len(validation.violations(book, book.tabs[0], [(0, 7)]))})
        )
    assert found == {**dict.fromkeys(good, 0), **dict.fromkeys(bad, 1)}


def test_a_formula_of_a_rule_moves_with_its_cell(budget: Asking) -> None:
    budget.one(
        "setDataValidation",
        range=grid(0, 7, 2, 8),
        rule={"condition": rule("CUSTOM_FORMULA", "=A1=$A$1"), "strict": True},
    )
    formulas = [row[0]["dataValidation"]["condition"]["values"][0]["userEnteredValue"] for row in told(budget, "H1:H2")]
    assert formulas == ["=A1=$A$1", "=A2=$A$1"]
    budget.put("H1:H2", [["x"], ["y"]])
    with pytest.raises(OperationError) as caught:
        budget.within(lambda book: validation.check(book, book.tabs[0], [(0, 7), (1, 7)]))
    assert caught.value.code == "violates_rule" and "H2" in str(caught.value.detail["problem"])


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        (
            rule("NUMBER_BETWEEN", "1"),
            "ConditionType 'NUMBER_BETWEEN' requires exactly two ConditionValues, but 1 values were supplied.",
        ),
        (rule("TEXT_STARTS_WITH", "x"), "ConditionType 'TEXT_STARTS_WITH' is not supported by data validation."),
        (rule("NUMBER_EQ", {"relativeDate": "TODAY"}), "ConditionType 'NUMBER_EQ' does not support relative dates."),
        (rule("ONE_OF_RANGE", "=1+1"), "Invalid ConditionValue.userEnteredValue: =1+1"),
        ({}, "A condition type must be specified."),
        (rule("BIG"), "Invalid value at 'requests[0].set_data_validation.rule.condition.type', \"BIG\""),
        (
            {"type": "NUMBER_EQ", "values": ["5"]},
            "Invalid value at 'requests[0].set_data_validation.rule.condition.values[0]', \"5\"",
        ),
    ],
)
def test_rules_that_mean_nothing(budget: Asking, condition: Any, problem: str) -> None:
    if not problem.startswith("Invalid"):
        given = {
            "range": grid(0, 7, 1, 8),
            "cell": {"dataValidation": {"condition": condition}},
            "fields": "dataValidation",
        }
        assert budget.refused("repeatCell", **given) == ("bad_request", problem)
    assert budget.refused("setDataValidation", range=grid(0, 7, 1, 8), rule={"condition": condition}) == (
        "bad_request",
        problem,
    )


# conditional formats


def format_rule(condition: dict[str, Any], colour: dict[str, Any], *ranges: dict[str, Any]) -> dict[str, Any]:
    """A ConditionalFormatRule that fills cells."""
    return {
        "ranges": list(ranges or [grid(0, 0, 6, 4)]),
        "booleanRule": {"condition": condition, "format": {"backgroundColor": colour}},
    }


def filled(budget: Asking, text: str = "A1:D5") -> list[str]:
    """The cells of a range that have a fill."""
    rows = told(budget, text)
    return [
        f"{'ABCDEFGH'[column]}{row + 1}"
        for row, line in enumerate(rows)
        for column, cell in enumerate(line)
        if paper(cell) not in (None, WHITE)
    ]


@pytest.mark.parametrize(
    ("condition", "cells"),
    [
        (rule("NUMBER_GREATER", "1300"), ["C2", "D2", "B5", "C5", "D5"]),
        (rule("NUMBER_LESS_THAN_EQ", "=$C$3"), ["C3"]),
        (rule("TEXT_CONTAINS", "o?e"), ["A2"]),
        (rule("TEXT_STARTS_WITH", "q"), ["B1", "C1"]),
        (rule("TEXT_EQ", "all"), ["A5"]),
        (rule("TEXT_ENDS_WITH", "0"), ["B2", "B3", "C3", "D3", "B5"]),
        (rule("CUSTOM_FORMULA", "=$B1=300"), ["A3", "B3", "C3", "D3"]),
        (rule("CUSTOM_FORMULA", "=AND(MOD(ROW(),2)=0,COLUMN()=4)"), ["D2", "D4"]),
        (rule("BLANK"), ["A4", "B4", "C4", "D4"]),
        (rule("CUSTOM_FORMULA", "=A1=MAX(B:B)"), ["B5"]),
        (rule("CUSTOM_FORMULA", '=ISNUMBER(SEARCH("or",A1))'), ["A2", "A3"]),
        (rule("NUMBER_NOT_BETWEEN", "0", "3000"), ["D5"]),
        (rule("CUSTOM_FORMULA", "=1/0"), []),
    ],
)
def test_conditions_colour_cells(budget: Asking, condition: Any, cells: list[str]) -> None:
    budget.one("addConditionalFormatRule", rule=format_rule(condition, RED))
    assert filled(budget) == cells


@pytest.mark.parametrize(
    ("kind", "value", "cells"),
    [
        ("DATE_EQ", {"relativeDate": "TODAY"}, ["F3"]),
        ("DATE_EQ", {"relativeDate": "PAST_WEEK"}, ["F2", "F3"]),
        ("DATE_AFTER", "2026-03-02", ["F4"]),
        ("DATE_BEFORE", {"relativeDate": "YESTERDAY"}, ["F1", "F2"]),
        ("DATE_EQ", {"relativeDate": "TOMORROW"}, ["F4"]),
        ("DATE_BEFORE", {"relativeDate": "PAST_MONTH"}, ["F1"]),
        ("DATE_AFTER", {"relativeDate": "PAST_YEAR"}, ["F1", "F2", "F3", "F4"]),
        ("DATE_EQ", {"relativeDate": "PAST_MONTH"}, ["F2", "F3"]),
        ("DATE_BEFORE", "=A1", []),
        ("DATE_EQ", "=F$3", ["F3"]),
    ],
)
def test_dates_are_told_from_the_worlds_clock(budget: Asking, kind: str, value: Any, cells: list[str]) -> None:
    budget.put("F1:F5", [["2025-03-20"], ["2026-02-23"], ["=TODAY()"], ["=TODAY()+1"], [46083]])
    budget.one("addConditionalFormatRule", rule=format_rule(rule(kind, value), RED, grid(0, 5, 5, 6)))
    assert [cell.replace("A", "F") for cell in filled(budget, "F1:F5")] == cells


def test_the_first_rule_counts_and_rules_can_be_moved(budget: Asking) -> None:
    first, second = format_rule(rule("NUMBER_GREATER", "1000"), RED), format_rule(rule("NUMBER_GREATER", "500"), GREEN)
    budget.batch(
        {"addConditionalFormatRule": {"rule": first}}, {"addConditionalFormatRule": {"rule": second, "index": 1}}
    )
    assert [paper(cell) for cell in told(budget, "B2:D2")[0]] == [RED] * 3
    moved = budget.one("updateConditionalFormatRule", sheetId=0, index=1, newIndex=0)
    assert (moved["oldIndex"], moved["newIndex"], moved["newRule"]) == (1, 0, second)
    assert [paper(cell) for cell in told(budget, "B2:D3")[1]] == [WHITE, WHITE, GREEN]
    assert paper(told(budget, "B2")[0][0]) == GREEN
    replaced = budget.one("updateConditionalFormatRule", index=0, rule=format_rule(rule("NOT_BLANK"), RED))
    assert replaced["oldRule"] == second and replaced["newRule"]["booleanRule"]["condition"] == {"type": "NOT_BLANK"}
    assert budget.one("deleteConditionalFormatRule", sheetId=0, index=0)["rule"] == replaced["newRule"]
    assert budget.sheet()["conditionalFormats"] == [first]


def test_a_colour_scale_shades_between_its_points(budget: Asking) -> None:
    budget.put("F1:F5", [[0], [5], [10], ["x"], [20]])
    scale = {
        "minpoint": {"type": "MIN", "color": {}},
        "midpoint": {"type": "NUMBER", "value": "10", "color": RED},
        "maxpoint": {"type": "PERCENTILE", "value": "100", "colorStyle": {"rgbColor": WHITE}},
    }
    budget.one("addConditionalFormatRule", rule={"ranges": [grid(0, 5, 1000, 6)], "gradientRule": scale})
    assert [paper(row[0]) for row in told(budget, "F1:F5")] == [{}, {"red": 0.5}, RED, WHITE, WHITE]
    budget.one(
        "addConditionalFormatRule",
        rule={
            "ranges": [grid(0, 5, 5, 6)],
            "gradientRule": {
                "minpoint": {"type": "PERCENT", "value": "25", "color": {}},
                "maxpoint": {"type": "MAX", "color": {"blue": 1}},
            },
        },
    )
    assert [paper(row[0]) for row in told(budget, "F1:F3")] == [{}, {}, {"blue": pytest.approx(1 / 3)}]
    budget.one(
        "addConditionalFormatRule",
        rule={
            "ranges": [grid(0, 5, 5, 6)],
            "gradientRule": {
                "minpoint": {"type": "PERCENTILE", "value": "50", "color": {}},
                "maxpoint": {"type": "MAX", "color": RED},
            },
        },
    )
    assert [paper(row[0]) for row in told(budget, "F2:F5")] == [{}, {"red": 0.2}, WHITE, RED]


def test_a_colour_of_the_theme_is_told_as_one(budget: Asking) -> None:
    look = {"backgroundColorStyle": {"themeColor": "LINK"}, "textFormat": {"foregroundColor": RED}}
    budget.one("repeatCell", range=grid(0, 0, 1, 1), cell={"userEnteredFormat": look}, fields="userEnteredFormat")
    seen = told(budget, "A1")[0][0]["effectiveFormat"]
    assert {part: round(value * 255) for part, value in seen["backgroundColor"].items()} == {
        "red": 0x11,
        "green": 0x55,
        "blue": 0xCC,
    }
    assert seen["textFormat"]["foregroundColorStyle"] == {"rgbColor": RED} and seen["textFormat"]["fontSize"] == 10


def test_own_formats_show_where_no_rule_speaks(budget: Asking) -> None:
    budget.one(
        "repeatCell",
        range=grid(1, 1, 2, 2),
        cell={"userEnteredFormat": {"backgroundColor": GREEN, "textFormat": {"bold": True}}},
        fields="userEnteredFormat",
    )
    budget.one("addConditionalFormatRule", rule=format_rule(rule("NUMBER_EQ", "1200"), RED))
    cell = told(budget, "B2")[0][0]
    assert (
        paper(cell) == RED
        and cell["userEnteredFormat"]["backgroundColor"] == GREEN
        and cell["effectiveFormat"]["textFormat"]["bold"] is True
    )
    budget.put("B2", [[1]])
    assert paper(told(budget, "B2")[0][0]) == GREEN


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"rule": {"booleanRule": {}}}, "At least one range must be specified."),
        ({"rule": {"ranges": [grid(0, 0, 1, 1)]}}, "Exactly one of booleanRule and gradientRule must be set."),
        (
            {"rule": format_rule(rule("ONE_OF_LIST", "a"), RED)},
            "ConditionType 'ONE_OF_LIST' is not supported by conditional formatting.",
        ),
        (
            {"rule": format_rule(rule("NOT_BLANK"), RED), "index": 5},
            "Invalid index: 5. There are 0 rules on the sheet.",
        ),
        (
            {"rule": format_rule(rule("CUSTOM_FORMULA", "=Other!A1>5"), RED)},
            "Conditional format rule cannot reference a different sheet.",
        ),
        (
            {"rule": {"ranges": [grid(0, 0, 1, 1)], "gradientRule": {"minpoint": {"type": "MIN", "color": {}}}}},
            "gradientRule.maxpoint is required.",
        ),
        (
            {"rule": {"ranges": ["A1"], "booleanRule": {}}},
            "Invalid value at 'addConditionalFormatRule.rule.ranges[0]', \"A1\"",
        ),
    ],
)
def test_rules_of_formats_that_mean_nothing(budget: Asking, given: Any, problem: str) -> None:
    assert budget.refused("addConditionalFormatRule", **given) == ("bad_request", problem)


def test_a_pass_over_many_cells_is_bounded(budget: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condition_eval, "MOST_WORK", 2000)
    budget.one(
        "addConditionalFormatRule",
        rule=format_rule(rule("CUSTOM_FORMULA", "=ROW()+COLUMN()>0"), RED, grid(0, 0, 1000, 26)),
    )
    found: list[Any] = []
    budget.within(
        lambda book: found.append(effective_formats.effective_formats(book, book.tabs[0], Area(0, 0, 1000, 26)))
    )
    assert 100 < len(found[0]) < 2000
    monkeypatch.setattr(effective_formats, "MOST_TESTS", 50)
    budget.within(
        lambda book: found.append(effective_formats.effective_formats(book, book.tabs[0], Area(0, 0, 1000, 26)))
    )
    assert len(found[1]) == 50


# banding


BANDS = {"headerColor": {"blue": 1}, "firstBandColor": WHITE, "secondBandColorStyle": {"themeColor": "ACCENT2"}}


def test_rows_have_alternating_colours_below_their_own(budget: Asking) -> None:
    made = budget.one("addBanding", bandedRange={"range": grid(0, 0, 5, 4), "rowProperties": BANDS})["bandedRange"]
    accent = {"red": pytest.approx(0xEA / 255), "green": pytest.approx(0x43 / 255), "blue": pytest.approx(0x35 / 255)}
    assert [paper(row[0]) for row in told(budget, "A1:A4")] == [{"blue": 1}, WHITE, accent, WHITE]
    budget.one(
        "repeatCell",
        range=grid(0, 0, 1, 1),
        cell={"userEnteredFormat": {"backgroundColor": RED}},
        fields="userEnteredFormat",
    )
    assert paper(told(budget, "A1")[0][0]) == RED
    taken = "You cannot add alternating background colors to a range that already has alternating background colors."
    assert budget.refused("addBanding", bandedRange={"range": grid(4, 3, 6, 5), "rowProperties": BANDS}) == (
        "bad_request",
        taken,
    )
    budget.one("updateBanding", bandedRange={**made, "range": grid(0, 0, 1, 4)}, fields="range")
    assert budget.sheet()["bandedRanges"] == [{**made, "range": grid(0, 0, 1, 4)}]
    budget.one("deleteBanding", bandedRangeId=made["bandedRangeId"])
    assert "bandedRanges" not in budget.sheet()


def test_rows_go_before_columns_and_first_bands_before_second_ones(budget: Asking) -> None:
    columns = {"firstBandColor": {"blue": 0.1}, "secondBandColor": {"blue": 0.2}}
    rows = {"firstBandColor": {"red": 0.1}, "secondBandColor": {"red": 0.2}}
    budget.one(
        "addBanding", bandedRange={"range": grid(0, 5, 2, 7), "rowProperties": rows, "columnProperties": columns}
    )
    assert [[paper(cell) for cell in row] for row in told(budget, "F1:G2")] == [
        [{"red": 0.1}, {"red": 0.1}],
        [{"blue": 0.1}, {"red": 0.2}],
    ]


def test_answers_are_as_published(client: SheetsClient) -> None:
    requests = [
        {"mergeCells": {"range": grid(0, 5, 2, 7)}},
        {"addBanding": {"bandedRange": {"range": grid(0, 0, 5, 4), "rowProperties": BANDS}}},
        {"addConditionalFormatRule": {"rule": format_rule(rule("NOT_BLANK"), RED)}},
        {"deleteConditionalFormatRule": {"sheetId": 0, "index": 0}},
        {
            "setDataValidation": {
                "range": grid(0, 0, 1, 1),
                "rule": {"condition": rule("ONE_OF_LIST", "a"), "showCustomUi": True},
            }
        },
    ]
    body = {
        "requests": requests,
        "includeSpreadsheetInResponse": True,
        "responseIncludeGridData": True,
        "responseRanges": ["A1:G5"],
    }
    answer = client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json=body).json()
    assert [list(reply) for reply in answer["replies"]] == [[], ["addBanding"], [], ["deleteConditionalFormatRule"], []]
    body = {"requests": [{"mergeCells": {"range": grid(0, 0, 2, 2), "mergeType": "ALL"}}]}
    wrong = client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json=body)
    assert wrong.json()["error"]["message"] == "Invalid value at 'requests[0].merge_cells.merge_type', \"ALL\""
