"""T3 on the drive: what is in a file is changed by those who may change it, at every door."""

from typing import Any

import pytest

from tests.mcp_servers.calls import Desk
from tests.security.sheet_vault import EMAIL, TYPE, Drive, b64
from tests.security.sheet_writes import BREAKING, OWN, area, closed, lines, writes


def whole(drive: Drive, key: str) -> list[Any]:
    """Everything about a spreadsheet, as its owner sees it."""
    reads = ("drive.files.get", "drive.permissions.list", "drive.comments.list")
    told = [drive.say(one, fileId=key) for one in reads] + [
        drive.say("spreadsheets.get", spreadsheetId=key, includeGridData=True)
    ]
    return [{name: value for name, value in one.items() if name != "viewedByMeTime"} for one in told]


@pytest.mark.parametrize(
    ("who", "role", "may"),
    [
        ("eve", "", set[str]()),
        ("cyrus", "reader", set[str]()),
        ("dee", "commenter", {"drive.comments.create", "drive.replies.create"}),
    ],
)
def test_readers_write_by_no_operation_and_commenters_only_comment(
    drive: Drive, who: str, role: str, may: set[str]
) -> None:
    key = drive.book("Plan", bo="writer", **{who: role} if role else {})
    drive.put(key, "A1", ["x"])
    comment = drive.say("drive.comments.create", fileId=key, content="x")["id"]
    permission = next(
        (
            one["id"]
            for one in drive.say("drive.permissions.list", fileId=key)["permissions"]
            if one["emailAddress"] == EMAIL(who)
        ),
        "1",
    )
    ids = {
        "comment": comment,
        "reply": drive.say("drive.replies.create", fileId=key, commentId=comment, content="x")["id"],
        "mine": drive.book("Mine", who),
        "permission": permission,
        "folder": drive.say("drive.files.create", who, name="f", mimeType=f"{TYPE}folder")["id"],
        "bo": next(
            one["id"]
            for one in drive.say("drive.permissions.list", fileId=key)["permissions"]
            if one["emailAddress"] == EMAIL("bo")
        ),
    }
    known = writes(drive, key, **ids)
    assert {one.id for one in drive.operations.values() if one.writes} == set(known) | OWN
    before = whole(drive, key)
    for operation, one in [
        (operation, one) for operation, given in known.items() if operation not in may for one in given
    ]:
        assert drive.code(who, operation, **one) in ("forbidden", "not_found", "not_the_author"), (operation, one)
    assert whole(drive, key) == before
    assert not [operation for operation in may for one in known[operation] if drive.code(who, operation, **one)]
    assert drive.code(who, "drive.files.copy", fileId=key) == ("" if role else "not_found")


def test_writers_do_not_give_a_file_away_bin_it_or_lock_it(drive: Drive) -> None:
    key = drive.book("Plan", bo="writer", cyrus="reader")
    bo = next(
        one["id"]
        for one in drive.say("drive.permissions.list", "bo", fileId=key)["permissions"]
        if one["emailAddress"] == EMAIL("bo")
    )
    ada = next(
        one["id"]
        for one in drive.say("drive.permissions.list", "bo", fileId=key)["permissions"]
        if one["emailAddress"] == EMAIL("ada")
    )
    for operation, given in [
        (
            "drive.permissions.create",
            {"type": "user", "role": "owner", "emailAddress": EMAIL("bo"), "transferOwnership": True},
        ),
        (
            "drive.permissions.create",
            {"type": "user", "role": "owner", "emailAddress": EMAIL("eve"), "transferOwnership": True},
        ),
        ("drive.permissions.update", {"permissionId": bo, "role": "owner", "transferOwnership": True}),
        ("drive.files.delete", {}),
        ("drive.files.update", {"trashed": True}),
        ("drive.files.update", {"writersCanShare": False}),
        ("web.setAccess", {"writersCanShare": False}),
    ]:
        assert drive.code("bo", operation, fileId=key, **given) == "forbidden", (operation, given)
    for operation, given in [
        ("drive.permissions.delete", {"permissionId": ada}),
        ("drive.permissions.update", {"permissionId": ada, "role": "reader"}),
    ]:
        assert drive.code("bo", operation, fileId=key, **given) == "cannot_remove_owner"
    told = drive.say("web.share", "bo", fileId=key, recipients=[{"emailAddress": EMAIL("bo"), "role": "owner"}])
    assert told["failures"] and drive.say("drive.files.get", fileId=key)["ownedByMe"]
    drive.say("drive.files.update", fileId=key, writersCanShare=False)
    assert drive.code("bo", "drive.permissions.create", fileId=key, type="anyone", role="reader") == "forbidden"
    assert drive.code("bo", "web.setAccess", fileId=key, link="reader") == "forbidden"


@pytest.mark.parametrize("sheet", [False, True])
def test_protected_cells_hold_against_every_kind_of_request(drive: Drive, sheet: bool) -> None:
    key = closed(drive, sheet=sheet)
    before = drive.read(key, "Sheet1!A1:Z9")
    for request in BREAKING:
        for operation in ("spreadsheets.batchUpdate", "web.change"):
            assert drive.code("bo", operation, spreadsheetId=key, requests=[request]) == "protected", (
                operation,
                request,
            )
        kind = next(iter(request))
        for operation in [
            one
            for one, kinds in {
                "web.paste": ("copyPaste", "cutPaste", "pasteData"),
                "web.fill": ("autoFill", "copyPaste"),
            }.items()
            if kind in kinds
        ]:
            assert drive.code("bo", operation, spreadsheetId=key, requests=[request]) == "protected", (
                operation,
                request,
            )
    assert drive.read(key, "Sheet1!A1:Z9") == before


def test_protected_cells_hold_at_every_other_door(drive: Drive) -> None:
    key = closed(drive)
    before = drive.read(key, "Sheet1!A1:Z9")
    value = {"valueInputOption": "RAW", "values": [["y"]]}
    tries: list[tuple[str, dict[str, Any]]] = [
        *(("spreadsheets.values.update", {"range": range, **value}) for range in ("A1", "Sheet1!B2", "kept", "R1C1")),
        (
            "spreadsheets.values.batchUpdate",
            {
                "valueInputOption": "RAW",
                "data": [{"range": "H1", "values": [["y"]]}, {"range": "A1", "values": [["y"]]}],
            },
        ),
        (
            "spreadsheets.values.batchUpdateByDataFilter",
            {"valueInputOption": "RAW", "data": [{"dataFilter": {"gridRange": area()}, "values": [["y"]]}]},
        ),
        ("spreadsheets.values.clear", {"range": "Sheet1"}),
        ("spreadsheets.values.batchClear", {"ranges": ["H1", "A2"]}),
        ("spreadsheets.values.batchClearByDataFilter", {"dataFilters": [{"a1Range": "kept"}]}),
        ("web.enter", {"gid": 0, "cells": [[0, 0, "y"]]}),
        ("web.enter", {"gid": 0, "cells": [[8, 8, "y"], [1, 1, ""]]}),
        *(
            ("web.import", {"name": "a.csv", "content": b64(b"y,y"), "where": where})
            for where in ("replace_spreadsheet", "replace_sheet", "replace_at")
        ),
    ]
    for operation, given in tries:
        assert drive.code("bo", operation, spreadsheetId=key, **given) == "protected", (operation, given)
    assert drive.code("bo", "drive.files.update", fileId=key, content=b64(b"y"), contentType="text/csv") == "protected"
    desk = Desk(drive.host, "sheets")
    assert desk.ask("update_cells", "bo", spreadsheet_id=key, sheet="Sheet1", range="A1", data=[["y"]])[0]
    assert [row[:2] for row in drive.read(key, "Sheet1!A1:Z9")[:3]] == before


def test_what_was_done_before_is_not_undone_once_it_is_protected(drive: Drive) -> None:
    key = drive.book("Undo", bo="writer")
    drive.say("web.enter", "bo", spreadsheetId=key, cells=[[0, 0, "bo"], [4, 4, "bo"]])
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"protectedRangeId": 5, "range": area()}}})
    assert drive.code("bo", "web.undo", spreadsheetId=key) == "protected" and drive.read(key, "A1:E5")[0] == ["bo"]
    drive.batch(key, {"deleteProtectedRange": {"protectedRangeId": 5}})
    drive.say("web.undo", "bo", spreadsheetId=key)
    drive.batch(key, {"addProtectedRange": {"protectedRange": {"range": area()}}})
    assert drive.code("bo", "web.redo", spreadsheetId=key) == "protected" and drive.read(key, "A1:E5") == []
    added = drive.book("Lines", bo="writer")
    drive.say("web.change", "bo", spreadsheetId=added, requests=[{"insertDimension": {"range": lines("ROWS", 0, 2)}}])
    drive.put(added, "A1", ["ada"])
    drive.batch(added, {"addProtectedRange": {"protectedRange": {"range": area()}}})
    assert drive.code("bo", "web.undo", spreadsheetId=added) == "protected" and drive.read(added, "A1") == [["ada"]]
