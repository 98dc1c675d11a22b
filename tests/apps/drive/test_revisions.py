"""Revisions: how edits make them, a spreadsheet as it was, names, restoring; and of files with bytes, keeping and
deleting.
"""

import base64
from typing import Any

import pytest

from tests.apps.sheets.conftest import BUDGET, NOTES, Say
from tests.conformance.sheets_client import SheetsClient

FOLDER = "application/vnd.google-apps.folder"


def put(say: Say, cell: str, text: str, who: str = "ada", key: str = BUDGET) -> None:
    say(
        "spreadsheets.values.update",
        who,
        spreadsheetId=key,
        range=cell,
        values=[[text]],
        valueInputOption="USER_ENTERED",
    )


def pause(say: Say, minutes: int = 30) -> None:
    say("world.wait", seconds=60 * minutes)


def listed(say: Say, key: str = BUDGET) -> list[tuple[str, str]]:
    found = say("drive.revisions.list", fileId=key)["revisions"]
    return [(one["id"], one["lastModifyingUser"]["displayName"].split()[0]) for one in found]


def texts(say: Say, revision: str, key: str = BUDGET, **more: Any) -> dict[tuple[int, int], str]:
    window = say("web.version", spreadsheetId=key, revisionId=revision, **more)["window"]
    return {(row, column): text for row, column, text, *_ in window["cells"] if text}


def test_edits_of_one_person_within_minutes_are_one_revision(say: Say) -> None:
    assert listed(say) == [("1", "Ada")]
    put(say, "B2", "1")
    put(say, "B2", "2")
    put(say, "B3", "3", "bo")
    pause(say)
    put(say, "B3", "4", "bo")
    say("drive.files.update", fileId=BUDGET, description="not of its content")
    assert listed(say) == [("1", "Ada"), ("3", "Ada"), ("4", "Bo"), ("5", "Bo")]
    times = [one["modifiedTime"] for one in say("drive.revisions.list", fileId=BUDGET)["revisions"]]
    assert times == sorted(times) and len(set(times)) == 4
    assert [one["id"] for one in say("drive.revisions.list", "bo", fileId=NOTES)["revisions"]] == ["1"]


def test_an_older_version_is_shown_as_it_was_with_what_changed_and_nothing_stays_of_that(say: Say) -> None:
    before = say("spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True)
    put(say, "B2", "7")
    pause(say)
    say(
        "spreadsheets.batchUpdate",
        "bo",
        spreadsheetId=BUDGET,
        requests=[
            {"insertDimension": {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": 1, "endIndex": 2}}},
            {"addSheet": {"properties": {"title": "More"}}},
            {"updateSpreadsheetProperties": {"properties": {"locale": "de_DE"}, "fields": "locale"}},
        ],
    )
    now = say("spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True)
    assert texts(say, "1")[1, 1] == "1200" and texts(say, "1")[4, 3] == "3130.5"
    second = say("web.version", spreadsheetId=BUDGET, revisionId="2")
    assert second["changed"] == [[1, 1]] and (
        second["version"]["who"]["displayName"],
        second["version"]["current"],
    ) == ("Ada Novak", False)
    assert texts(say, "2")[4, 3] == "1937.5"
    assert [tab["title"] for tab in say("web.version", spreadsheetId=BUDGET, revisionId="head")["tabs"]] == [
        "Sheet1",
        "More",
    ]
    assert [tab["title"] for tab in second["tabs"]] == ["Sheet1"]
    assert say("spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True) == now
    say("web.restoreVersion", "bo", spreadsheetId=BUDGET, revisionId="1")
    after = say("spreadsheets.get", spreadsheetId=BUDGET, includeGridData=True)
    assert after == before and listed(say)[-1] == ("4", "Bo")
    assert texts(say, "2")[1, 1] == "7"


def test_a_sheet_that_was_deleted_comes_back_though_another_has_its_number(say: Say) -> None:
    made = say(
        "spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[{"addSheet": {"properties": {"title": "Gone"}}}]
    )["replies"][0]
    gid = made["addSheet"]["properties"]["sheetId"]
    put(say, "Gone!A1", "=1+1")
    say(
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[
            {
                "addNamedRange": {
                    "namedRange": {
                        "name": "two",
                        "range": {
                            "sheetId": gid,
                            "startRowIndex": 0,
                            "endRowIndex": 1,
                            "startColumnIndex": 0,
                            "endColumnIndex": 1,
                        },
                    }
                }
            }
        ],
    )
    pause(say)
    say("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[{"deleteSheet": {"sheetId": gid}}])
    other = say("spreadsheets.create", "bo", properties={"title": "Mine"})["spreadsheetId"]
    put(say, "A1", "Bo's", "bo", other)
    version = listed(say)[-2][0]
    assert texts(say, version, gid=gid) == {(0, 0): "2"}
    say("web.restoreVersion", spreadsheetId=BUDGET, revisionId=version)
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="two")["values"] == [["2"]]
    assert say("spreadsheets.values.get", "bo", spreadsheetId=other, range="A1")["values"] == [["Bo's"]]


def test_what_is_named_is_not_gone_on_with(say: Say, refused: Say) -> None:
    put(say, "A9", "x")
    named = say("web.nameVersion", spreadsheetId=BUDGET, name="As approved")
    assert (named["id"], named["name"]) == ("2", "As approved")
    put(say, "A9", "y")
    told = say("web.versions", spreadsheetId=BUDGET)
    assert [(one["id"], one["name"]) for one in told["versions"]] == [("3", ""), ("2", "As approved"), ("1", "")]
    assert refused("web.nameVersion", spreadsheetId=BUDGET, revisionId="9", name="x") == "no_revision"
    assert refused("web.versions", "cyrus", spreadsheetId=BUDGET) == "forbidden"
    assert refused("web.version", "cyrus", spreadsheetId=BUDGET) == "forbidden"
    assert refused("web.restoreVersion", "cyrus", spreadsheetId=BUDGET, revisionId="1") == "forbidden"


def test_restoring_leaves_what_the_caller_may_not_edit(say: Say, refused: Say) -> None:
    put(say, "A9", "mine")
    cell = {"sheetId": 0, "startRowIndex": 8, "endRowIndex": 9, "startColumnIndex": 0, "endColumnIndex": 1}
    say(
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[{"addProtectedRange": {"protectedRange": {"range": cell, "editors": {}}}}],
    )
    put(say, "B2", "5", "bo")
    assert refused("web.restoreVersion", "bo", spreadsheetId=BUDGET, revisionId="1") == "protected"
    say("web.restoreVersion", "bo", spreadsheetId=BUDGET, revisionId="3")
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="A9")["values"] == [["mine"]]


def test_revisions_of_bytes_are_kept_read_and_deleted(say: Say, refused: Say) -> None:
    made = say("drive.files.create", name="x.bin", content="AAAA")["id"]
    for content in ("AAAB", "AAAC", "AAAA"):
        say("drive.files.update", fileId=made, content=content)
    found = say("drive.revisions.list", fileId=made)["revisions"]
    ids = [one["id"] for one in found]
    assert [say("drive.revisions.get", fileId=made, revisionId=id, alt="media")["content"] for id in ids] == [
        "AAAB",
        "AAAC",
        "AAAA",
    ]
    assert (
        ids[-1] == say("drive.files.get", fileId=made)["headRevisionId"]
        and len({one["md5Checksum"] for one in found}) == 3
    )
    assert say("drive.revisions.update", fileId=made, revisionId=ids[0], keepForever=True)["keepForever"]
    assert say("drive.revisions.get", fileId=made, revisionId=ids[0])["keepForever"]
    assert refused("drive.revisions.update", fileId=made, revisionId=ids[0], published=True) == "invalid_value"
    say("drive.revisions.delete", fileId=made, revisionId="head")
    assert say("drive.files.get", fileId=made, alt="media")["content"] == "AAAC"
    say("drive.revisions.delete", fileId=made, revisionId=ids[0])
    assert refused("drive.revisions.delete", fileId=made, revisionId="head") == "revision_undeletable"
    assert refused("drive.revisions.delete", fileId=BUDGET, revisionId="head") == "revision_undeletable"
    say("drive.files.update", fileId=made, content="AAAB")
    assert [one["id"] for one in say("drive.revisions.list", fileId=made)["revisions"]] == [ids[1], ids[0]]
    folder = say("drive.files.create", name="F", mimeType=FOLDER)["id"]
    assert refused("drive.revisions.list", fileId=folder) == "no_revisions"


def test_revisions_come_in_pages_and_as_published(client: SheetsClient, say: Say) -> None:
    for number in range(3):
        put(say, "A1", str(number))
        pause(say)
    path = f"/drive/v3/files/{BUDGET}/revisions"
    first = client.get(f"{path}?pageSize=3").json()
    rest = client.get(path, params={"pageSize": 3, "pageToken": first["nextPageToken"]}).json()
    assert [one["id"] for one in (*first["revisions"], *rest["revisions"])] == ["1", "2", "3", "4"]
    kept = client.patch(f"{path}/2?fields=*", json={"keepForever": True, "publishAuto": True}).json()
    assert (kept["id"], kept["keepForever"], kept["publishAuto"]) == ("2", True, True)
    assert client.delete(f"{path}/2").status_code == 403


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_older_revision_is_given_out_as_a_file(say: Say, kind: str) -> None:
    put(say, "A1", "Squad")
    old = say("web.download", spreadsheetId=BUDGET, format=kind, revisionId="1")
    assert old["name"].endswith(kind)
    if kind == "csv":
        assert base64.urlsafe_b64decode(old["content"]).startswith(b"Team")
