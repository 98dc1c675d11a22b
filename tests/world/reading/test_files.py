"""Files as passages: what is text, whatever it is called."""

import io
from zipfile import ZipFile

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment

from world.core.reading import workbook_text
from world.core.reading.file import MAX_FILE, from_file
from world.core.reading.workbook_text import MAX_TEXT


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


def _package(**parts: str) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as package:
        for name, text in parts.items():
            package.writestr(f"xl/{name.replace('__', '/')}.xml", text)
    return out.getvalue()


def _sheet(*cells: str) -> str:
    return f'<worksheet xmlns="urn:x"><row>{"".join(cells)}</row></worksheet>'


NAMES = '<workbook xmlns="urn:x"><sheet name="First"/><sheet/></workbook>'
SHARED = '<sst xmlns="urn:x"><si><t>one </t><r><t> two</t></r></si><si/><si><t>three</t></si></sst>'


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"workbook": NAMES}, "First\n"),
        ({"worksheets__sheet1": _sheet("<c><v>5</v></c>", "<c t='str'><v> x </v></c>", "<c/>")}, "5 x"),
        ({"worksheets__sheet1": _sheet("<c><f>A1</f><v>5</v></c>", "<c t='inlineStr'><is><t>y</t></is></c>")}, "5 y"),
        # Numbers of shared texts; the third is beyond their end, and the last no number
        (
            {
                "sharedStrings": SHARED,
                "worksheets__sheet1": _sheet(
                    *(f"<c t='s'><v>{n}</v></c>" for n in ("2", "0", "3", "x")), "<c><v>1</v></c>"
                ),
            },
            "three one two x 1",
        ),
        ({"sharedStrings": SHARED, "worksheets__sheet1": _sheet("<c t='s'><v>1</v></c>")}, ""),
        # Sheets by their number, notes after them; nothing else is read
        (
            {
                "threadedComments__threadedComment1": "<x><threadedComment><text>f</text></threadedComment></x>",
                "comments1": "<x><comment><t>d</t><t>e</t></comment><comment><t>g</t></comment></x>",
                "worksheets__sheet10": _sheet("<c><v>c</v></c>"),
                "worksheets__sheet2": _sheet("<c><v>b</v></c>"),
                "worksheets__sheet1": _sheet("<c><v>a</v></c>"),
                "styles": _sheet("<c><v>z</v></c>"),
            },
            "a\nb\nc\nd e\ng\nf",
        ),
        ({"worksheets__sheet1": "<row>"}, ""),
        ({"other": "<row/>"}, ""),
    ],
)
def test_a_workbook_is_read_row_by_row(parts: dict[str, str], said: str) -> None:
    made = from_file("a.xlsx", "", _package(**parts))
    assert (made.text if made else "") == said


def test_a_workbook_is_read_up_to_a_number_of_characters_and_no_part_that_unfolds_too_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def row(text: str) -> str:
        return _sheet(f"<c><v>{text}</v></c>")

    whole = from_file("", "", _package(worksheets__sheet1=row("y" * (MAX_TEXT - 2)), worksheets__sheet2=row("xyz")))
    assert whole is not None and whole.text == "y" * (MAX_TEXT - 2) + "\nx"
    monkeypatch.setattr(workbook_text, "MAX_PART", 2_000)
    padding = 2_000 - len(row("z"))
    for more, said in ((0, "z"), (1, "a")):
        parts = {"worksheets__sheet1": row("z") + " " * (padding + more), "worksheets__sheet2": row("a")}
        made = from_file("", "", _package(**parts))
        assert made is not None and made.text.split()[0] == said


@pytest.mark.parametrize(
    ("name", "kind", "html"),
    [
        ("a.txt", "text/html", True),
        ("A.HTM", "", True),
        ("a.svg", "", True),
        ("a.html.txt", "text/plain", False),
        ("html", "", False),
    ],
)
def test_a_file_is_html_by_its_type_or_its_ending(name: str, kind: str, html: bool) -> None:
    made = from_file(name, kind, b"<p>a<p>b")
    assert made is not None and made.text == ("a\n\nb" if html else "<p>a<p>b")


def test_bytes_are_text_unless_their_beginning_holds_control_characters() -> None:
    def read(data: bytes) -> str | None:
        made = from_file("a", "", data)
        return made.text if made else None

    assert read(b"a\tb\n\f\x1bc") == "a\tb\n\f\x1bc" and read(b"") == ""
    assert [read(b"a" + bytes([n])) for n in (0, 8, 11, 14, 26, 31)] == [None] * 6
    assert read(b"a" * 4_095 + b"\0") is None and read(b"a" * 4_096 + b"\0") == "a" * 4_096 + "\0"
    assert read("a\0é".encode("utf-16-be").join((b"\xfe\xff", b""))) == "a\0é"
    assert read(b"\xef\xbb\xbf\xff") == "\ufffd" and read(b"\xe9\x81") == "é\ufffd"
    for kind in ("text/plain", "text/html"):
        made = from_file("a", kind, b"a" * (MAX_FILE + 1))
        assert made is not None and made.text == "a" * MAX_FILE
