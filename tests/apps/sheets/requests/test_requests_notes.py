"""What is noted about cells: metadata of developers, and comments."""

from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET, EMAIL, Say
from tests.apps.sheets.requests.change_requests import Asking, lines, metadata, place


def test_metadata_stands_on_things_and_moves_along(budget: Asking, say: Say) -> None:
    for where in (
        {"spreadsheet": True},
        {"sheetId": 0},
        {"dimensionRange": lines("ROWS", 2, 3)},
        {"dimensionRange": lines("COLUMNS", 1, 2)},
    ):
        budget.one("createDeveloperMetadata", developerMetadata=metadata(where, metadataId=10 + len(str(where))))
    budget.one("insertDimension", range=lines("ROWS", 0, 1))

    def found(lookup: dict[str, Any]) -> list[str]:
        told = say(
            "spreadsheets.developerMetadata.search",
            spreadsheetId=BUDGET,
            dataFilters=[{"developerMetadataLookup": lookup}],
        )
        return [
            one["developerMetadata"]["location"]["locationType"] for one in told.get("matchedDeveloperMetadata", [])
        ]

    assert (
        found({"metadataKey": "owner"}) == ["SPREADSHEET", "SHEET", "ROW", "COLUMN"]
        and found({"metadataKey": "x"}) == []
    )
    assert found({"locationType": "ROW"}) == ["ROW"] and found(
        {"metadataValue": "ada", "locationType": "SPREADSHEET"}
    ) == ["SPREADSHEET"]
    assert found(
        {"metadataLocation": {"dimensionRange": lines("ROWS", 3, 4)}, "locationMatchingStrategy": "EXACT_LOCATION"}
    ) == ["ROW"]
    near = say("spreadsheets.developerMetadata.search", spreadsheetId=BUDGET, dataFilters=[{"a1Range": "B9:C9"}])[
        "matchedDeveloperMetadata"
    ]
    assert [one["developerMetadata"]["location"]["locationType"] for one in near] == ["COLUMN"]
    told = say("spreadsheets.get", spreadsheetId=BUDGET)
    assert len(told["developerMetadata"]) == len(told["sheets"][0]["developerMetadata"]) == 1
    number = told["developerMetadata"][0]["metadataId"]
    assert (
        say("spreadsheets.developerMetadata.get", spreadsheetId=BUDGET, metadataId=number)
        == told["developerMetadata"][0]
    )
    lookup = {"developerMetadataLookup": {"locationType": "ROW"}}
    changed = budget.one(
        "updateDeveloperMetadata",
        dataFilters=[lookup],
        developerMetadata={"metadataValue": "bo"},
        fields="metadataValue",
    )
    assert changed["developerMetadata"][0]["metadataValue"] == "bo"
    gone = budget.one("deleteDeveloperMetadata", dataFilter={"a1Range": "A4:C4"})["deletedDeveloperMetadata"]
    assert [one["location"]["locationType"] for one in gone] == ["ROW", "COLUMN"] and found(
        {"metadataKey": "owner"}
    ) == ["SPREADSHEET", "SHEET"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            metadata({}),
            "Exactly one of spreadsheet, sheetId and dimensionRange must be set in developerMetadata.location.",
        ),
        (
            metadata({"dimensionRange": lines("ROWS", 0, 2)}),
            "developerMetadata.location.dimensionRange must represent a single row or column.",
        ),
        (metadata({"sheetId": 0}, key=""), "developerMetadata.metadataKey must be specified."),
        (
            metadata({"sheetId": 0}, visibility="DEVELOPER_METADATA_VISIBILITY_UNSPECIFIED"),
            "developerMetadata.visibility must be specified.",
        ),
        (metadata({"sheetId": 0}, metadataId=7), "A developer metadata with id 7 already exists."),
    ],
)
def test_metadata_that_means_nothing(budget: Asking, given: Any, problem: str) -> None:
    budget.one("createDeveloperMetadata", developerMetadata=metadata({"sheetId": 0}, metadataId=7))
    assert budget.refused("createDeveloperMetadata", developerMetadata=given) == ("bad_request", problem)


def test_comments_are_made_answered_changed_and_deleted(budget: Asking, say: Say) -> None:
    made = budget.one(
        "insertComment", coordinate=place(1, 1), content="Is this right?", assigneeEmailAddress=EMAIL["p_bo"]
    )["commentThread"]
    assert (made["status"], made["plainTextQuote"], made["headPost"]["author"]["me"]) == ("OPEN", "1200", True)
    key = made["commentId"]
    reply = budget.one("addCommentReply", "bo", commentId=key, post={"content": "Yes", "commentAction": "RESOLVE"})[
        "post"
    ]
    budget.one("updateCommentPost", commentId=key, postId=key, content="Is it?")
    assert budget.refused("updateCommentPost", commentId=key, postId=reply["postId"], content="No")[0] == "bad_request"
    told = say("drive.comments.list", fileId=BUDGET)["comments"][0]
    assert (told["content"], told["resolved"], told["replies"][0]["content"]) == ("Is it?", True, "Yes")
    budget.one("deleteCommentReply", "bo", commentId=key, postId=reply["postId"])
    budget.one("deleteComment", commentId=key)
    assert (
        say("drive.comments.list", fileId=BUDGET)["comments"] == []
        and budget.refused("deleteComment", commentId=key)[0] == "no_object"
    )
