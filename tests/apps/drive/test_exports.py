"""Spreadsheets given out in formats that nothing is read from: OpenDocument, PDF and web pages."""

import base64
import io
import re
import zlib
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

from apps.sheets.files.pdf import MOST_FONTS, Document
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


def pdf_texts(data: bytes) -> list[list[str]]:
    """The texts of a PDF's pages; every object lies where its table says."""
    start = int(data.rpartition(b"startxref\n")[2].partition(b"\n")[0])
    places = re.findall(rb"(\d{10}) 00000 n ", data[start:])
    assert all(data[int(place) :].startswith(b"%d 0 obj" % number) for number, place in enumerate(places, 1))
    streams = [zlib.decompress(one) for one in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)]
    drawn = [one.decode() for one in streams if not one.startswith(b"/CIDInit")]
    return [[bytes.fromhex(code).decode("cp1252") for code in re.findall("<([0-9a-f]+)> Tj", one)] for one in drawn]


def test_a_pdf_has_a_page_for_each_sheet_with_its_cells_as_they_are_displayed(say: Say) -> None:
    dress(say)
    made = [say("drive.files.export", fileId=BUDGET, mimeType="application/pdf")["content"] for _ in range(2)]
    assert made[0] == made[1]
    data = base64.urlsafe_b64decode(made[0])
    assert data.startswith(b"%PDF-1.4") and data.endswith(b"%%EOF\n") and b"/BaseFont /Helvetica-Bold " in data
    first, second = pdf_texts(data)
    assert first[0] == "<b> & 'x'  y" and "3130.5" in first and second == []
    assert data.count(b"/Type /Page ") == 2 and b"/MediaBox [0 0 612 792]" in data
    one = say("web.download", spreadsheetId=BUDGET, format="pdf", gid=0)
    assert one["name"] == "Budget - Sheet1.pdf" and pdf_texts(base64.urlsafe_b64decode(one["content"])) == [first]


def test_a_long_sheet_fills_pages_and_letters_of_other_scripts_are_kept(say: Say) -> None:
    rows = [[f"Zażółć {n}", n] for n in range(100)]
    say("spreadsheets.values.update", spreadsheetId=BUDGET, range="A1", values=rows, valueInputOption="RAW")
    data = base64.urlsafe_b64decode(say("web.download", spreadsheetId=BUDGET, format="pdf")["content"])
    assert data.count(b"/Type /Page ") == 3 and b"/Differences [33 /uni017C /uni0142 /uni0107]" in data
    meanings = b"".join(zlib.decompress(one) for one in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL))
    assert b"<21> <017c>" in meanings


def test_a_pdf_of_too_many_cells_is_refused_and_an_empty_grid_costs_a_line_per_edge(say: Say, refused: Say) -> None:
    many = {"sheetId": 0, "gridProperties": {"rowCount": 20_000, "columnCount": 26}}
    grown = {"updateSheetProperties": {"properties": many, "fields": "gridProperties"}}
    say("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=[grown])
    say("spreadsheets.values.update", spreadsheetId=BUDGET, range="Z20000", values=[["x"]], valueInputOption="RAW")
    assert refused("web.download", spreadsheetId=BUDGET, format="pdf") == "too_large_to_export"
    say("spreadsheets.values.clear", spreadsheetId=BUDGET, range="Z20000")
    say("spreadsheets.values.update", spreadsheetId=BUDGET, range="Z300", values=[["x"]], valueInputOption="RAW")
    data = base64.urlsafe_b64decode(say("web.download", spreadsheetId=BUDGET, format="pdf")["content"])
    streams = [zlib.decompress(one) for one in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)]
    assert sum(one.count(b" l S") for one in streams) < 500


def test_the_fonts_of_a_pdf_are_bounded() -> None:
    document = Document("Letters")
    page = document.add_page(612, 792)
    page.draw_text(50, 50, "".join(map(chr, range(0x4E00, 0x6400))), 10)
    page.draw_text(50, 70, "unseen", 10, clip=0)
    data = document.to_bytes()
    assert data.count(b"/Type /Font ") == MOST_FONTS + 1 and data.count(b"/Font <<") == 1
    drawn = zlib.decompress(re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL)[0])
    assert b"3f3f3f" in drawn and drawn.count(b" re W n") == 1


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
    assert refused("drive.files.download", fileId=BUDGET, mimeType="application/epub+zip") == "conversion_unsupported"
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
