"""Spreadsheets given out in formats that nothing is read from: OpenDocument and web pages."""

import base64
import io
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET, Say
from tests.conformance.sheets_client import SheetsClient

OFFICE, TABLE = (f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table"))


def parts(say: Say, kind: str) -> dict[str, str]:
    """The parts of an export that is a zip, as text."""
    data = base64.urlsafe_b64decode(say("drive.files.export", fileId=BUDGET, mimeType=kind)["content"])
    with ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name).decode() for name in package.namelist()}


def dress(say: Say) -> None:
    """Bold red on a merged, struck-out, hostile first line."""
    area = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1, "startColumnIndex": 0, "endColumnIndex": 2}
    look = {"textFormat": {"bold": True}, "backgroundColor": {"red": 1}}
    say(
        "spreadsheets.batchUpdate",
        spreadsheetId=BUDGET,
        requests=[
            {"repeatCell": {"range": area, "cell": {"userEnteredFormat": look}, "fields": "userEnteredFormat"}},
            {"mergeCells": {"range": area, "mergeType": "MERGE_ALL"}},
            {"addSheet": {"properties": {"title": "a/b", "hidden": False}}},
        ],
    )
    say(
        "spreadsheets.values.update",
        spreadsheetId=BUDGET,
        range="A1",
        values=[["<b> & 'x'  y"]],
        valueInputOption="RAW",
    )


def test_an_opendocument_has_values_formulas_looks_and_merged_cells(say: Say) -> None:
    dress(say)
    found = parts(say, "application/x-vnd.oasis.opendocument.spreadsheet")
    assert list(found) == ["mimetype", "content.xml", "META-INF/manifest.xml"]
    tree = ElementTree.fromstring(found["content.xml"])
    cells = list(tree.iter(f"{{{TABLE}}}table-cell"))
    texts = ["".join(one.itertext()) for one in cells]
    assert texts[0] == "<b> & 'x' y" and "3130.5" in texts  # one of two blanks is an element
    assert cells[0].get(f"{{{TABLE}}}number-columns-spanned") == "2" and 'fo:font-weight="bold"' in found["content.xml"]
    total = cells[texts.index("3130.5")]
    assert (total.get(f"{{{TABLE}}}formula"), total.get(f"{{{OFFICE}}}value")) == ("msoxl:=SUM(D2:D3)", "3130.5")
    assert [one.get(f"{{{TABLE}}}name") for one in tree.iter(f"{{{TABLE}}}table")] == ["Sheet1", "a/b"]


def test_web_pages_have_a_page_for_each_sheet_and_no_markup_of_its_cells(say: Say) -> None:
    dress(say)
    found = parts(say, "application/zip")
    assert list(found) == ["Sheet1.html", "a_b.html", "resources/sheet.css"]
    page = found["Sheet1.html"]
    assert (
        '<td class="s0" rowspan="1" colspan="2">&lt;b&gt; &amp; &#x27;x&#x27;  y</td>' in page
        and '<td class="n">3130.5</td>' in page
    )
    assert ".s0 { font-weight: bold; background-color: #ff0000 }" in found["resources/sheet.css"]


def inside(done: dict[str, Any]) -> str:
    """The address of a download within the app."""
    return str(done["response"]["downloadUri"]).partition(".test/sheets")[2]


def test_a_download_is_done_at_once_and_its_address_has_the_bytes(client: SheetsClient, refused: Say, say: Say) -> None:
    done = client.post(f"/drive/v3/files/{BUDGET}/download?mimeType=text/csv").json()
    assert done["done"] and client.get(f"/drive/v3/operations/{done['name']}").json() == done
    assert client.get(inside(done)).text.startswith("Team,Q1")
    made = say("drive.files.create", name="x.bin", content="AAAA")["id"]
    assert (
        client.get(inside(client.post(f"/drive/v3/files/{made}/download?revisionId=head").json())).content == b"\0\0\0"
    )
    assert refused("drive.files.download", fileId=made, mimeType="text/csv") == "invalid_value"
    assert refused("drive.files.download", fileId=BUDGET, mimeType="application/pdf") == "conversion_unsupported"
    assert refused("drive.operations.get", name="W10") == refused("drive.operations.get", name="x") == "no_operation"
    assert refused("drive.files.download", "cyrus", fileId=BUDGET, revisionId="1") == "forbidden"
    assert client.get(f"/drive/v3/files/{BUDGET}/listLabels").json() == {"kind": "drive#labelList", "labels": []}


def test_a_shortcut_stands_for_a_file_and_is_found_by_it(client: SheetsClient, say: Say, refused: Say) -> None:
    kind = "application/vnd.google-apps.shortcut"
    made = client.post(
        "/drive/v3/files?fields=*", json={"mimeType": kind, "shortcutDetails": {"targetId": BUDGET}}
    ).json()
    target = {"targetId": BUDGET, "targetMimeType": "application/vnd.google-apps.spreadsheet"}
    assert (made["name"], made["shortcutDetails"], made["capabilities"]["canDownload"]) == ("Budget", target, False)
    query = f"shortcutDetails.targetId = '{BUDGET}'"
    assert [one["id"] for one in say("drive.files.list", q=query)["files"]] == [made["id"]]
    for wrong, code in (
        ({}, "required"),
        ({"targetId": made["id"]}, "shortcut_target"),
        ({"targetId": "root"}, "shortcut_target"),
        ({"targetId": NOTES}, "not_found"),
    ):
        assert refused("drive.files.create", mimeType=kind, shortcutDetails=wrong) == code
    assert (
        refused("drive.files.update", fileId=made["id"], shortcutDetails={"targetId": SECRET}) == "not_writable_field"
    )
    assert (
        refused("drive.files.copy", fileId=made["id"]) == "cannot_copy"
        and refused("drive.revisions.list", fileId=made["id"]) == "no_revisions"
    )
    say("drive.files.delete", fileId=made["id"])
    assert say("drive.files.get", fileId=BUDGET)["name"] == "Budget"


def test_a_folder_takes_the_nearest_colour_of_the_palette(say: Say) -> None:
    made = say("drive.files.create", name="F", mimeType="application/vnd.google-apps.folder", folderColorRgb="#4a85e0")
    assert made["folderColorRgb"] == "#4986e7"
