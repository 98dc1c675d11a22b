"""Files of the drive: found, seen by those they are shared with, made, moved, copied and deleted."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import md5, sha1, sha256
from pathlib import Path
from typing import Any

import pytest

import apps.drive
import apps.sheets
from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say
from tests.company import as_person
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

FOLDER, SHEET = "application/vnd.google-apps.folder", "application/vnd.google-apps.spreadsheet"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def base64(text: bytes) -> str:
    return urlsafe_b64encode(text).decode()


def names(say: Say, who: str = "ada", **arguments: Any) -> list[str]:
    return sorted(one["name"] for one in say("drive.files.list", who, **arguments)["files"])


def test_a_person_finds_their_own_files_and_those_shared_with_them(say: Say, refused: Say) -> None:
    assert names(say) == ["Budget", "Secret"]
    assert names(say, "bo") == ["Budget", "Notes"]
    assert names(say, "cyrus") == ["Budget"]
    assert names(say, "dee") == []
    assert refused("drive.files.get", "bo", fileId=SECRET) == "not_found"
    assert refused("drive.files.get", "bo", fileId="1Nothing") == "not_found"


def test_a_file_says_what_the_caller_may_do_with_it(say: Say) -> None:
    mine, writer, reader = (say("drive.files.get", who, fileId=BUDGET) for who in ("ada", "bo", "cyrus"))
    assert (mine["name"], mine["mimeType"], mine["ownedByMe"], mine["shared"]) == ("Budget", SHEET, True, True)
    assert [one["emailAddress"] for one in mine["owners"]] == ["ada@tiny.example"]
    can = [
        [one["capabilities"][name] for name in ("canEdit", "canComment", "canShare", "canTrash", "canCopy")]
        for one in (mine, writer, reader)
    ]
    assert can == [[True, True, True, True, True], [True, True, True, False, True], [False, False, False, False, True]]
    assert "permissions" in writer
    assert "permissions" not in reader
    assert mine["parents"] == [say("drive.files.get", fileId="root")["id"]]
    assert "parents" not in writer
    assert mine["webViewLink"] == f"https://docs.google.com/spreadsheets/d/{BUDGET}/edit"


def test_what_lies_in_a_folder_is_shared_with_it(say: Say, refused: Say) -> None:
    folder = say("drive.files.create", name="Plans", mimeType=FOLDER)["id"]
    inner = say("drive.files.create", name="2026", mimeType=FOLDER, parents=[folder])["id"]
    made = say("drive.files.create", name="Q1", mimeType=SHEET, parents=[inner])
    assert made["parents"] == [inner]
    assert refused("drive.files.get", "dee", fileId=made["id"]) == "not_found"
    say("drive.permissions.create", fileId=folder, type="user", role="writer", emailAddress="dee@tiny.example")
    assert names(say, "dee") == ["2026", "Plans", "Q1"]
    seen = say("drive.files.get", "dee", fileId=made["id"])
    assert (seen["capabilities"]["canEdit"], seen["parents"], seen["ownedByMe"]) == (True, [inner], False)
    say(
        "spreadsheets.values.update",
        "dee",
        spreadsheetId=made["id"],
        range="A1",
        values=[["x"]],
        valueInputOption="RAW",
    )
    put = say("drive.files.create", "dee", name="Dee's", mimeType=SHEET, parents=[inner])
    assert (put["ownedByMe"], say("drive.files.get", fileId=put["id"])["capabilities"]["canEdit"]) == (True, True)
    assert not say("drive.files.get", fileId=put["id"])["ownedByMe"]


def test_a_link_lets_in_those_who_have_it_and_lists_the_file_once_opened(say: Say, refused: Say) -> None:
    say("drive.permissions.create", fileId=SECRET, type="anyone", role="reader")
    assert say("drive.files.get", "dee", fileId=SECRET)["name"] == "Secret"
    assert names(say, "dee") == []
    opened = say("drive.files.update", "dee", fileId=SECRET, viewedByMeTime="2026-03-02T08:00:00Z")
    assert (opened["viewedByMe"], names(say, "dee")) == (True, ["Secret"])
    say("drive.permissions.delete", fileId=SECRET, permissionId="anyoneWithLink")
    assert (names(say, "dee"), refused("drive.files.get", "dee", fileId=SECRET)) == ([], "not_found")


def test_the_company_finds_what_is_discoverable(say: Say) -> None:
    say(
        "drive.permissions.create",
        fileId=SECRET,
        type="domain",
        role="reader",
        domain="tiny.example",
        allowFileDiscovery=True,
    )
    assert names(say, "dee") == ["Secret"]


def test_a_group_is_its_team(say: Say) -> None:
    made = say(
        "drive.permissions.create", fileId=SECRET, type="group", role="commenter", emailAddress="core@tiny.example"
    )
    assert (made["type"], made["displayName"], made["role"]) == ("group", "Core", "commenter")
    assert names(say, "eve", q="sharedWithMe") == ["Secret"]


@pytest.mark.parametrize(
    ("q", "found"),
    [
        ("name = 'budget'", ["Budget"]),
        ("name != 'Budget'", ["Plan A", "Secret", "tar's \\ notes"]),
        ("name contains 'bud'", ["Budget"]),
        ("name contains 'dget'", []),
        ("name contains 'pl a'", ["Plan A"]),
        ('mimeType="text/plain" and name = "Plan A"', ["Plan A"]),
        ("mimeType contains 'text/'", ["Plan A", "tar's \\ notes"]),
        ("name = 'tar\\'s \\\\ notes'", ["tar's \\ notes"]),
        ("fullText contains 'salary'", ["Secret"]),
        ("fullText contains 'sal'", []),
        ("fullText contains 'Support Team'", ["Budget"]),
        ("fullText contains '\"quick brown\"'", ["Plan A"]),
        ("fullText contains '\"brown quick\"'", []),
        ("fullText contains 'brown quick'", ["Plan A"]),
        ("starred", ["Plan A"]),
        ("starred = false and mimeType = 'text/plain'", ["tar's \\ notes"]),
        ("trashed = true", ["tar's \\ notes"]),
        ("not trashed=true and mimeType contains 'text'", ["Plan A"]),
        ("'root' in parents and trashed = false", ["Budget", "Plan A", "Secret"]),
        ("'bo@tiny.example' in writers", ["Budget"]),
        ("'cyrus@tiny.example' in readers", ["Budget"]),
        ("'cyrus@tiny.example' in writers", []),
        ("'me' in owners and name contains 'sec'", ["Secret"]),
        ("'bo@tiny.example' in owners", []),
        ("sharedWithMe", []),
        ("visibility = 'limited' and name contains 'b'", ["Budget"]),
        ("visibility = 'anyoneWithLink'", ["Secret"]),
        ("visibility != 'limited'", ["Secret"]),
        ("properties has { key='team' and value='core' }", ["Plan A"]),
        ("appProperties has { key='team' and value='core' }", []),
        ("modifiedTime > '2026-03-02T07:59:59'", ["Budget", "Plan A", "Secret", "tar's \\ notes"]),
        ("modifiedTime < '2026-03-02'", []),
        ("createdTime >= '2026-03-02T09:00:00+01:00' and not mimeType contains 'text'", ["Budget", "Secret"]),
        ("viewedByMeTime > '2020-01-01'", []),
        ("name = 'Budget' or name = 'Secret' and mimeType = 'x'", []),
        ("name = 'Budget' or (name = 'Secret' and mimeType = 'x')", ["Budget"]),
        ("", ["Budget", "Plan A", "Secret", "tar's \\ notes"]),
    ],
)
def test_the_language_of_searches(searched: Say, q: str, found: list[str]) -> None:
    """developers.google.com/workspace/drive/api/guides/search-files"""
    assert names(searched, q=q) == found


@pytest.fixture(scope="module")
def searched(sealed: Path, tmp_path_factory: pytest.TempPathFactory) -> Say:
    """Ada's drive with two texts more, one of them in the trash, and a secret that a link opens; nobody changes it."""
    host = Host(
        Store(tmp_path_factory.mktemp("searched"), Base(sealed)),
        [apps.drive.app, apps.sheets.app],
        Tokens("test secret"),
    )
    host.create("w", Settings(limits="off"))

    def say(operation: str, who: str = "ada", **arguments: Any) -> Any:
        return host.call(as_person(host, who), "rest", operation, arguments, base_url="http://sheets.test")

    notes = say("drive.files.create", name="tar's \\ notes", content=base64(b""), contentType="text/plain")
    say("drive.files.update", fileId=notes["id"], trashed=True)
    say(
        "drive.files.create",
        name="Plan A",
        content=base64(b"The quick brown fox"),
        contentType="text/plain",
        starred=True,
        properties={"team": "core"},
    )
    say("drive.permissions.create", fileId=SECRET, type="anyone", role="reader")
    return say


BAD = [
    "name",
    "name = ",
    "name ~ 'x'",
    "title = 'x'",
    "name = 'x",
    "name > 'x'",
    "trashed = 'false'",
    "modifiedTime > 'soon'",
    "'a' in name",
    "fullText = 'x'",
    "visibility = 'open'",
    "(" * 10_000,
    "(" * 10_000 + "starred" + ")" * 10_000,
    "name = '" + "x" * 1_000_000 + "'",
    " or ".join(["starred"] * 500),
    "properties has { value='a' and key='b' }",
    "name = 'a' name = 'b'",
    "starred;",
    "not",
    " and ".join(["fullText contains 'a'"] * 40),
]


@pytest.mark.parametrize("q", BAD, ids=lambda text: text[:20])
def test_what_is_no_search_is_refused(say: Say, refused: Say, q: str) -> None:
    assert refused("drive.files.list", q=q) == "invalid_value"


def test_a_parent_that_is_not_there_is_told_so(refused: Say) -> None:
    assert refused("drive.files.list", q="'1nowhere' in parents") == "not_found"


def test_a_search_cannot_tell_what_one_may_not_see(say: Say) -> None:
    assert names(say, "bo", q="fullText contains 'salary'") == []
    assert names(say, "bo", q="name = 'Secret' or not name = 'Secret'") == ["Budget", "Notes"]


def test_pages_of_a_search_are_bound_to_it_and_go_to_the_end(say: Say, refused: Say) -> None:
    for number in (12, 2, 1):
        say("drive.files.create", name=f"File {number}", mimeType=FOLDER)
    first = say("drive.files.list", orderBy="folder,name_natural", pageSize=2)
    second = say("drive.files.list", orderBy="folder,name_natural", pageSize=2, pageToken=first["nextPageToken"])
    third = say("drive.files.list", orderBy="folder,name_natural", pageSize=2, pageToken=second["nextPageToken"])
    assert [one["name"] for page in (first, second, third) for one in page["files"]] == [
        "File 1",
        "File 2",
        "File 12",
        "Budget",
        "Secret",
    ]
    assert "nextPageToken" not in third
    token = first["nextPageToken"]
    assert refused("drive.files.list", orderBy="name", pageSize=2, pageToken=token) == "bad_page_token"
    assert (
        refused("drive.files.list", "bo", orderBy="folder,name_natural", pageSize=2, pageToken=token)
        == "bad_page_token"
    )
    assert refused("drive.files.list", pageToken="%%%") == "bad_page_token"
    assert refused("drive.files.list", pageToken=token[:-3]) == "bad_page_token"
    say("drive.files.delete", fileId=first["files"][0]["id"])
    again = say("drive.files.list", orderBy="folder,name_natural", pageSize=2, pageToken=token)
    assert [one["name"] for one in again["files"]] == ["File 12", "Budget"]


def test_the_orders_of_a_list(searched: Say, refused: Say) -> None:
    def listed(order: str) -> list[str]:
        return [one["name"] for one in searched("drive.files.list", orderBy=order, q="trashed = false")["files"]]

    assert listed("name") == ["Budget", "Plan A", "Secret"]
    assert listed("name desc") == ["Secret", "Plan A", "Budget"]
    assert listed("starred,name") == ["Plan A", "Budget", "Secret"]
    assert listed("modifiedTime desc, name")[0] == "Plan A"
    assert listed("quotaBytesUsed desc")[0] == "Plan A"
    assert [refused("drive.files.list", orderBy=order) for order in ("size", "name up", "name,,x")] == [
        "invalid_value"
    ] * 3
    assert refused("drive.files.list", orderBy="name", q="fullText contains 'a'") == "order_with_text"


def test_bad_arguments_of_a_list(refused: Say) -> None:
    for wrong in ({"corpora": "all"}, {"spaces": "attic"}, {"pageSize": 0}):
        assert refused("drive.files.list", **wrong) == "invalid_value"
    assert refused("drive.files.list", driveId="0AX") == "no_drive"


def test_bytes_go_up_and_come_down_as_they_are(say: Say, refused: Say) -> None:
    data = bytes(range(256)) * 5
    made = say("drive.files.create", name="dump.tar.gz", content=base64(data))
    assert (made["size"], made["md5Checksum"], made["sha1Checksum"], made["sha256Checksum"]) == (
        "1280",
        md5(data).hexdigest(),
        sha1(data).hexdigest(),
        sha256(data).hexdigest(),
    )
    assert (made["fileExtension"], made["fullFileExtension"], made["originalFilename"]) == (
        "gz",
        "tar.gz",
        "dump.tar.gz",
    )
    assert say("drive.files.get", fileId=made["id"], alt="media") == {
        "content": base64(data),
        "mimeType": made["mimeType"],
    }
    changed = say("drive.files.update", fileId=made["id"], content=base64(b"less"), name="note.md")
    assert (changed["size"], changed["mimeType"], changed["name"]) == ("4", "text/markdown", "note.md")
    assert refused("drive.files.create", name="x", content="%%%") == "bad_content"
    assert refused("drive.files.get", fileId=BUDGET, alt="media") == "not_downloadable"
    assert refused("drive.files.export", fileId=made["id"], mimeType="text/csv") == "not_exportable"
    assert refused("drive.files.export", fileId=BUDGET) == "required"
    assert refused("drive.files.export", fileId=BUDGET, mimeType="application/epub+zip") == "conversion_unsupported"
    assert refused("drive.files.export", "dee", fileId=BUDGET, mimeType="text/csv") == "not_found"


def test_readers_may_be_kept_from_copying_and_downloading(say: Say, refused: Say) -> None:
    say("drive.files.update", fileId=BUDGET, copyRequiresWriterPermission=True)
    assert refused("drive.files.copy", "cyrus", fileId=BUDGET) == "cannot_copy"
    assert refused("drive.files.export", "cyrus", fileId=BUDGET, mimeType="text/csv") == "cannot_download"
    assert say("drive.files.copy", "bo", fileId=BUDGET)["ownedByMe"]


def test_a_copy_of_a_spreadsheet_has_its_content_and_goes_its_own_way(say: Say) -> None:
    rows = {"sheetId": 0, "dimension": "ROWS", "startIndex": 1, "endIndex": 3}
    tall = {"updateDimensionProperties": {"range": rows, "properties": {"pixelSize": 50}, "fields": "pixelSize"}}
    say("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[{"addDimensionGroup": {"range": rows}}, tall])
    say("drive.comments.create", fileId=BUDGET, content="Why?")
    copy = say("drive.files.copy", "cyrus", fileId=BUDGET)
    assert (copy["name"], copy["ownedByMe"], copy["shared"]) == ("Copy of Budget", True, False)
    assert say("drive.comments.list", "cyrus", fileId=copy["id"])["comments"] == []
    say(
        "spreadsheets.values.update",
        "cyrus",
        spreadsheetId=copy["id"],
        range="B2",
        values=[[0]],
        valueInputOption="RAW",
    )
    assert say("spreadsheets.values.get", "cyrus", spreadsheetId=copy["id"], range="D5")["values"] == [["1930.5"]]
    sheet = say("spreadsheets.get", "cyrus", spreadsheetId=copy["id"], includeGridData=True)["sheets"][0]
    assert [one["range"]["endIndex"] for one in sheet["rowGroups"]] == [3]
    assert [one.get("pixelSize") for one in sheet["data"][0]["rowMetadata"][:3]] == [21, 50, 50]
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="D5")["values"] == [["3130.5"]]


def test_a_file_moves_between_folders_and_never_into_itself(say: Say, refused: Say) -> None:
    root = say("drive.files.get", fileId="root")["id"]
    outer = say("drive.files.create", name="Outer", mimeType=FOLDER)["id"]
    inner = say("drive.files.create", name="Inner", mimeType=FOLDER, parents=[outer])["id"]
    assert refused("drive.files.update", fileId=BUDGET, addParents=inner) == "cannot_add_parent"
    assert say("drive.files.update", fileId=BUDGET, addParents=inner, removeParents="root")["parents"] == [inner]
    assert names(say, q=f"'{inner}' in parents") == ["Budget"]
    assert refused("drive.files.update", fileId=outer, addParents=inner, removeParents=root) == "would_be_circle"
    assert refused("drive.files.update", fileId=outer, addParents=outer, removeParents=root) == "would_be_circle"
    assert refused("drive.files.update", fileId=SECRET, addParents=BUDGET, removeParents=root) == "parent_not_folder"
    assert refused("drive.files.update", fileId=SECRET, addParents=NOTES, removeParents=root) == "not_found"
    assert refused("drive.files.update", fileId=SECRET, parents=[inner]) == "not_writable_field"
    assert refused("drive.files.create", name="x", parents=[inner, outer]) == "cannot_add_parent"
    assert say("drive.files.update", fileId=BUDGET, removeParents=inner)["parents"] == [root]


def test_who_may_write_a_file_does_not_take_it_out_of_its_place(say: Say, refused: Say) -> None:
    mine = say("drive.files.create", "bo", name="Mine", mimeType=FOLDER)["id"]
    for more in ({}, {"removeParents": "root"}):
        assert refused("drive.files.update", "bo", fileId=BUDGET, addParents=mine, **more) == "cannot_add_parent"
    folder = say("drive.files.create", name="Ours", mimeType=FOLDER)["id"]
    say("drive.permissions.create", fileId=folder, type="user", role="reader", emailAddress="bo@tiny.example")
    say("drive.files.update", fileId=BUDGET, addParents=folder, removeParents="root")
    assert refused("drive.files.update", "bo", fileId=BUDGET, addParents=mine, removeParents=folder) == "forbidden"
    put = say("drive.files.create", name="Put", mimeType=SHEET, parents=[folder])["id"]
    say(
        "drive.permissions.create",
        fileId=put,
        type="user",
        role="owner",
        emailAddress="bo@tiny.example",
        transferOwnership=True,
    )
    assert say("drive.files.update", "bo", fileId=put, addParents=mine, removeParents=folder)["parents"] == [mine]


def test_a_folder_tree_has_an_end(say: Say, refused: Say) -> None:
    at = "root"
    for level in range(100):
        at = say("drive.files.create", name=str(level), mimeType=FOLDER, parents=[at])["id"]
    assert refused("drive.files.create", name="100", mimeType=FOLDER, parents=[at]) == "hierarchy_too_deep"


def test_the_owner_trashes_and_takes_back_and_deletes_for_good(say: Say, refused: Say) -> None:
    folder = say("drive.files.create", name="Old", mimeType=FOLDER)["id"]
    say("drive.files.update", fileId=BUDGET, addParents=folder, removeParents="root")
    assert refused("drive.files.update", "bo", fileId=BUDGET, trashed=True) == "forbidden"
    say("drive.files.update", fileId=folder, trashed=True)
    inside = say("drive.files.get", "bo", fileId=BUDGET)
    assert (inside["trashed"], inside["explicitlyTrashed"]) == (True, False)
    say("drive.files.update", fileId=folder, trashed=False)
    assert not say("drive.files.get", fileId=BUDGET)["trashed"]
    assert refused("drive.files.delete", "bo", fileId=BUDGET) == "forbidden"
    say("drive.files.update", fileId=folder, trashed=True)
    say("drive.files.emptyTrash")
    assert names(say) == ["Secret"]
    assert refused("drive.files.get", fileId=BUDGET) == "not_found"
    assert refused("spreadsheets.get", spreadsheetId=BUDGET) == "not_found"


def test_deleting_a_folder_leaves_the_files_of_others_to_them(say: Say) -> None:
    folder = say("drive.files.create", name="Common", mimeType=FOLDER)["id"]
    say("drive.permissions.create", fileId=folder, type="user", role="writer", emailAddress="bo@tiny.example")
    say("drive.files.create", name="Mine", mimeType=SHEET, parents=[folder])
    theirs = say("drive.files.create", "bo", name="Theirs", mimeType=SHEET, parents=[folder])["id"]
    say("drive.files.delete", fileId=folder)
    root = say("drive.files.get", "bo", fileId="root")["id"]
    assert say("drive.files.get", "bo", fileId=theirs)["parents"] == [root]
    assert names(say, "bo", q="name = 'Mine'") == []


def test_what_a_person_says_of_a_file_is_kept(say: Say, refused: Say) -> None:
    changed = say(
        "drive.files.update",
        fileId=BUDGET,
        name="Budget 2026",
        description="Ours",
        starred=True,
        properties={"a": "1", "b": "2"},
        modifiedTime="2026-03-01T10:00:00.5Z",
    )
    assert (changed["name"], changed["description"], changed["starred"], changed["properties"]) == (
        "Budget 2026",
        "Ours",
        True,
        {"a": "1", "b": "2"},
    )
    assert changed["modifiedTime"] == "2026-03-01T10:00:00.500Z"
    assert say("drive.files.update", fileId=BUDGET, properties={"a": None})["properties"] == {"b": "2"}
    assert not say("drive.files.get", "bo", fileId=BUDGET)["starred"]
    assert say("drive.files.update", "cyrus", fileId=BUDGET, starred=True)["starred"]
    assert refused("drive.files.update", "cyrus", fileId=BUDGET, name="Mine") == "forbidden"
    assert refused("drive.files.update", fileId=BUDGET, properties={"k": "v" * 124}) == "bad_property"
    assert refused("drive.files.update", fileId=BUDGET, modifiedTime="yesterday") == "invalid_value"
    assert refused("drive.files.update", fileId=BUDGET, mimeType="text/plain") == "type_unsupported"
    assert refused("drive.files.update", fileId=BUDGET, id="1other") == "not_writable_field"
    assert refused("drive.files.update", fileId="root", name="Mine") == "forbidden"
    assert refused("drive.files.delete", fileId="root") == "forbidden"


def test_files_are_made_with_ids_handed_out_before(say: Say, refused: Say) -> None:
    given = say("drive.files.generateIds", count=3)
    assert (len(set(given["ids"])), given["space"]) == (3, "drive")
    one, two, _ = given["ids"]
    assert say("drive.files.create", name="x", id=one, content=base64(b"x"))["id"] == one
    assert refused("drive.files.create", name="x", id=one) == "id_in_use"
    assert refused("drive.files.create", name="x", id="1made-up") == "id_unusable"
    assert refused("drive.files.create", name="x", id=two, mimeType=SHEET) == "ids_for_documents"
    assert refused("drive.files.generateIds", count=1001) == "invalid_value"


def test_kinds_that_are_not_made_here(refused: Say) -> None:
    kind = "application/vnd.google-apps."
    assert refused("drive.files.create", name="x", mimeType=kind + "shortcut") == "required"
    assert refused("drive.files.create", name="x", mimeType=kind + "document") == "type_unsupported"
    picture = {"content": base64(b"\x89PNG"), "contentType": "image/png"}
    assert refused("drive.files.create", name="x", mimeType=kind + "spreadsheet", **picture) == "conversion_unsupported"


def test_a_table_becomes_a_spreadsheet_and_a_spreadsheet_a_table(say: Say, refused: Say) -> None:
    table = {"content": base64(b"Team,Q1\nCore,12\n"), "contentType": "text/csv"}
    made = say("drive.files.create", name="Teams", mimeType=SHEET, **table)
    assert (made["name"], made["mimeType"]) == ("Teams", SHEET)
    assert say("spreadsheets.values.get", spreadsheetId=made["id"], range="A1:B9")["values"] == [
        ["Team", "Q1"],
        ["Core", "12"],
    ]
    told = say("drive.files.export", fileId=made["id"], mimeType="text/csv")
    assert (urlsafe_b64decode(told["content"]), told["mimeType"]) == (b"Team,Q1\r\nCore,12", "text/csv")
    plain = say("drive.files.create", name="teams.csv", **table)
    assert plain["mimeType"] == "text/csv"
    turned = say("drive.files.copy", fileId=plain["id"], mimeType=SHEET)
    assert say("spreadsheets.values.get", spreadsheetId=turned["id"], range="B2")["values"] == [["12"]]
    assert (
        refused("drive.files.create", name="x", mimeType=SHEET, content=base64(b"PK\x03\x04"), contentType=XLSX)
        == "bad_file"
    )


def test_other_content_for_a_spreadsheet_leaves_its_id_and_sharing(say: Say) -> None:
    changed = say("drive.files.update", "bo", fileId=BUDGET, content=base64(b"New,1\n"), contentType="text/csv")
    assert (changed["id"], changed["name"], changed["mimeType"], changed["ownedByMe"]) == (
        BUDGET,
        "Budget",
        SHEET,
        False,
    )
    assert say("spreadsheets.values.get", "cyrus", spreadsheetId=BUDGET, range="A1:Z99")["values"] == [["New", "1"]]
    assert len(say("drive.files.list", "bo")["files"]) == 2
