"""Names of ranges, and ranges that are protected."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import EMAIL
from tests.apps.sheets.requests.change_requests import TABLE, Asking, grid
from tests.apps.sheets.requests.test_requests_formats import RED, rule


def test_rules_follow_the_title_of_a_sheet(budget: Asking) -> None:
    budget.one(
        "addConditionalFormatRule",
        rule={"ranges": [TABLE], "booleanRule": {"condition": rule("CUSTOM_FORMULA", "=A1>Sheet1!B2")}},
    )
    budget.one("setDataValidation", range=grid(0, 7, 1, 8), rule={"condition": rule("ONE_OF_RANGE", "=Sheet1!A1:A3")})
    budget.one("updateSheetProperties", properties={"title": "New one"}, fields="title")
    told = budget.sheet(includeGridData=True, ranges=["H1"])
    assert told["conditionalFormats"][0]["booleanRule"]["condition"]["values"] == [
        {"userEnteredValue": "=A1>'New one'!B2"}
    ]
    assert told["data"][0]["rowData"][0]["values"][0]["dataValidation"]["condition"]["values"] == [
        {"userEnteredValue": "='New one'!A1:A3"}
    ]


def test_formulas_follow_the_name_of_a_range(budget: Asking) -> None:
    made = budget.one("addNamedRange", namedRange={"name": "Costs", "range": grid(1, 1, 3, 2)})["namedRange"]
    budget.put("F1", [["=SUM(costs)"]])
    budget.one(
        "addConditionalFormatRule",
        rule={"ranges": [TABLE], "booleanRule": {"condition": rule("CUSTOM_FORMULA", "=A1>SUM(Costs)")}},
    )
    assert budget.values("F1") == [["1500"]]
    budget.one("updateNamedRange", namedRange={**made, "name": "Spend", "range": grid(1, 2, 3, 3)}, fields="name,range")
    assert (budget.typed("F1"), budget.values("F1"), budget.values("Spend")) == (
        [["=SUM(Spend)"]],
        [["1630.5"]],
        [["1350.5"], ["280"]],
    )
    condition = budget.sheet()["conditionalFormats"][0]["booleanRule"]["condition"]
    assert condition["values"] == [{"userEnteredValue": "=A1>SUM(Spend)"}]
    budget.one("deleteNamedRange", namedRangeId=made["namedRangeId"])
    assert budget.values("F1") == [["#NAME?"]]


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("A1", "Invalid name: A1"),
        ("R1C1", "Invalid name: R1C1"),
        ("two words", "Invalid name: two words"),
        ("1st", "Invalid name: 1st"),
        ("true", "Invalid name: true"),
        ("", "Must specify a name."),
        ("x" * 251, "Invalid name: x"),
        ("TAKEN", "Cannot add named range with name: TAKEN because a range with this name already exists."),
    ],
)
def test_names_that_cannot_be_given(budget: Asking, name: str, problem: str) -> None:
    budget.one("addNamedRange", namedRange={"name": "Taken", "range": grid(0, 0, 1, 1)})
    code, said = budget.refused("addNamedRange", namedRange={"name": name, "range": grid(0, 0, 1, 1)})
    assert code == "bad_request" and said.startswith(problem)


def test_a_protected_range_is_its_editors(budget: Asking) -> None:
    made = budget.one("addProtectedRange", protectedRange={"range": grid(0, 0, 1, 4), "description": "Header"})[
        "protectedRange"
    ]
    assert made["editors"] == {"users": [EMAIL["p_ada"]]} and made["requestingUserCanEdit"] is True
    number = made["protectedRangeId"]
    cell = {"cell": {"note": "x"}, "fields": "note"}
    assert budget.refused("repeatCell", "bo", range=grid(0, 0, 1, 1), **cell)[0] == "protected"
    assert budget.refused("mergeCells", "bo", range=grid(0, 0, 2, 2))[0] == "protected"
    assert budget.refused("deleteProtectedRange", "bo", protectedRangeId=number)[0] == "protected"
    seen = budget.say("spreadsheets.get", "bo", spreadsheetId=budget.key)["sheets"][0]["protectedRanges"]
    assert seen == [{"protectedRangeId": number, "range": grid(0, 0, 1, 4), "description": "Header"}]
    budget.one(
        "updateProtectedRange",
        protectedRange={"protectedRangeId": number, "editors": {"users": [EMAIL["p_bo"]]}},
        fields="editors",
    )
    budget.one("repeatCell", "bo", range=grid(0, 0, 1, 1), **cell)
    budget.one("deleteProtectedRange", "bo", protectedRangeId=number)
    assert "protectedRanges" not in budget.sheet()


def test_what_somebody_protects_the_owner_may_always_change(budget: Asking) -> None:
    made = budget.one(
        "addProtectedRange", "bo", protectedRange={"range": {"sheetId": 0}, "unprotectedRanges": [grid(7, 0, 9, 2)]}
    )["protectedRange"]
    assert made["range"] == {"sheetId": 0} and made["editors"]["users"] == [EMAIL["p_ada"], EMAIL["p_bo"]]
    budget.put("A1", [["Ada"]])
    cell = {"cell": {"note": "x"}, "fields": "note"}
    budget.one(
        "addProtectedRange",
        protectedRange={"range": {"sheetId": 0}, "unprotectedRanges": [grid(7, 0, 9, 2)], "protectedRangeId": 3},
    )
    budget.one("repeatCell", "bo", range=grid(7, 0, 9, 2), **cell)
    assert budget.refused("repeatCell", "bo", range=grid(7, 0, 9, 3), **cell)[0] == "protected"
    for kind, given in (
        (
            "addBanding",
            {"bandedRange": {"range": TABLE, "rowProperties": {"firstBandColor": RED, "secondBandColor": RED}}},
        ),
        ("setBasicFilter", {"filter": {"range": TABLE}}),
        ("addConditionalFormatRule", {"rule": {"ranges": [TABLE]}}),
    ):
        assert budget.refused(kind, "bo", **given)[0] == "protected"
    budget.one("deleteProtectedRange", protectedRangeId=3)
    budget.one(
        "updateProtectedRange",
        protectedRange={"protectedRangeId": made["protectedRangeId"], "warningOnly": True},
        fields="warningOnly",
    )
    assert "editors" not in budget.sheet()["protectedRanges"][0]


def test_a_protection_follows_its_named_range(budget: Asking) -> None:
    named = budget.one("addNamedRange", namedRange={"name": "Head", "range": grid(0, 0, 1, 4)})["namedRange"]
    budget.one("addProtectedRange", protectedRange={"namedRangeId": named["namedRangeId"]})
    budget.one("updateNamedRange", namedRange={**named, "range": grid(0, 0, 2, 4)}, fields="*")
    assert budget.sheet()["protectedRanges"][0]["range"] == grid(0, 0, 2, 4)
    assert (
        budget.refused("repeatCell", "bo", range=grid(1, 0, 2, 1), cell={"note": "x"}, fields="note")[0] == "protected"
    )
    budget.one("deleteNamedRange", namedRangeId=named["namedRangeId"])
    assert "namedRangeId" not in budget.sheet()["protectedRanges"][0]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"range": TABLE, "namedRangeId": "1"}, "Exactly one of range, namedRangeId and tableId must be set."),
        ({"range": TABLE, "unprotectedRanges": [TABLE]}, "Unprotected ranges are only supported on protected sheets."),
        ({"range": TABLE, "editors": {"users": ["nobody"]}}, "Invalid editors.users."),
        ({"range": TABLE, "protectedRangeId": 7}, "A protected range with id 7 already exists."),
    ],
)
def test_protections_that_mean_nothing(budget: Asking, given: Any, problem: str) -> None:
    budget.one("addProtectedRange", protectedRange={"range": grid(9, 9, 10, 10), "protectedRangeId": 7})
    assert budget.refused("addProtectedRange", protectedRange=given)[1].startswith(problem)
