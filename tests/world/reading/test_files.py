"""Files as passages: what is text, whatever it is called."""

import io
from zipfile import ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment

from world.core.reading.file import from_file


def _workbook() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Credits"
    sheet.append(["Customer", "Credit"])
    sheet.append(["Norsel Marine", 300.5])
    sheet["B2"].comment = Comment("not agreed", "Mia")
    book.create_sheet("Hidden").append(["all is well"])
    book["Hidden"].sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "kind", "data", "said"),
    [
        ("notes.txt", "text/plain", b"All is well.", "All is well."),
        ("notes.png", "image/png", b"All is well.", "All is well."),
        ("a.csv", "text/csv", "Größe,1".encode("cp1252"), "Größe,1"),
        ("a.csv", "text/csv", "\ufeffa,1".encode(), "a,1"),
        ("a.txt", "", "a,1".encode("utf-16"), "a,1"),
        ("a.html", "application/octet-stream", b"<p>All <b>is</b> well.</p>", "All is well."),
        ("a.xlsx", "", _workbook(), "Credits\nHidden\nCustomer Credit\nNorsel Marine 300.5\nall is well\nnot agreed"),
    ],
)
def test_what_is_text_is_read(name: str, kind: str, data: bytes, said: str) -> None:
    made = from_file(name, kind, data)
    assert made is not None
    assert made.text == said


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\x00", b"PK\x03\x04broken", b"\x00\x01"])
def test_what_is_no_text_is_not(data: bytes) -> None:
    assert from_file("notes.txt", "text/plain", data) is None


def test_entities_of_a_workbook_do_not_grow() -> None:
    out = io.BytesIO()
    with ZipFile(out, "w") as package:
        package.writestr("xl/worksheets/sheet1.xml", '<!DOCTYPE a [<!ENTITY b "x">]><a><c><v>&b;</v></c></a>')
    assert from_file("a.xlsx", "", out.getvalue()) is None
