"""Files that nobody should send: each refused, and nothing of it stays."""

import io
import zipfile
from collections.abc import Callable
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest

from apps.sheets.files import import_export
from apps.sheets.spreadsheet import Spreadsheet
from tests.apps.drive.spreadsheet_files import calling, give_out, held, take_in, typed
from tests.apps.sheets.conftest import BUDGET
from world.core.errors import OperationError
from world.run.host import Host

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHEET = "xl/worksheets/sheet1.xml"
Change = Callable[[dict[str, bytes]], None]


def parts() -> dict[str, bytes]:
    """The parts of a plain workbook of another program, with `x` in its first cell."""
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active["A1"], book.active["B2"] = "x", 5
    book.save(out)
    with ZipFile(out) as package:
        return {name: package.read(name) for name in package.namelist()}


def zipped(found: dict[str, bytes]) -> bytes:
    """A zip of parts."""
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as package:
        for name, content in found.items():
            package.writestr(name, content)
    return out.getvalue()


def changed(**new: str | bytes) -> bytes:
    """A workbook with a worksheet, or the parts that are named, of another content."""
    found = parts()
    links, strings = (
        "xl/_rels/workbook.xml.rels",
        b'<Relationship Type="x/sharedStrings" Target="sharedStrings.xml" Id="rId9"/></Relationships>',
    )
    found[links] = found[links].replace(b"</Relationships>", strings)
    for name, content in new.items():
        found[{"sheet": SHEET, "book": "xl/workbook.xml", "strings": "xl/sharedStrings.xml"}[name]] = (
            content.encode() if isinstance(content, str) else content
        )
    return zipped(found)


def worksheet(data: str, more: str = "") -> bytes:
    """A workbook whose worksheet has these rows."""
    return changed(sheet=f"<worksheet {MAIN}><sheetData>{data}</sheetData>{more}</worksheet>")


def refused(host: Host, data: bytes, kind: str = "xlsx") -> str:
    """The code with which a file is refused; the drive stays as it was."""
    before = files_of(host)
    with pytest.raises(OperationError) as caught:
        take_in(host, data, kind)
    assert files_of(host) == before
    return caught.value.code


def files_of(host: Host) -> list[int]:
    """How many files, sheets and cells there are."""
    with calling(host) as call:
        return [
            call.scalar(f"SELECT count(*) FROM {table}")
            for table in ("drive_file", "sheets_sheet", "sheets_cell", "sheets_object", "sheets_dimension")
        ]


def bomb() -> str:
    """Entities that grow to gigabytes."""
    entities = "".join(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">' for number in range(1, 12))
    return (
        f'<!DOCTYPE x [<!ENTITY e0 "ha">{entities}]><worksheet {MAIN}><sheetData><row><c'
        ' t="str"><v>&e11;</v></c></row></sheetData></worksheet>'
    )


MANY = "".join(f'<sheet name="{number}" sheetId="{number}"/>' for number in range(1, 5000))
BAD = {
    "empty": (lambda: b"", "bad_file"),
    "text": (lambda: b"a,b,c", "bad_file"),
    "truncated": (lambda: zipped(parts())[:-300], "bad_file"),
    "not a workbook": (lambda: zipped({"word/document.xml": b"<x/>"}), "bad_file"),
    "encrypted": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "encrypted_file"),
    "entity bomb": (lambda: changed(sheet=bomb()), "bad_file"),
    "entity bomb in UTF-16": (lambda: changed(sheet=bomb().encode("utf-16")), "bad_file"),
    "outside entity": (lambda: changed(strings='<!DOCTYPE x SYSTEM "http://a.example/x"><sst/>'), "bad_file"),
    "broken XML": (lambda: worksheet('<row r="1"><c r="A1"><v>1</row>'), "bad_file"),
    "zip bomb": (lambda: changed(sheet=b"<" + b" " * 60_000_000), "file_too_large"),
    "path trick": (lambda: zipped({**parts(), "../../etc/passwd": b"x"}), "bad_file"),
    "no sheet part": (lambda: zipped({name: text for name, text in parts().items() if name != SHEET}), "bad_file"),
    "far away cell": (lambda: worksheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), "too_many_cells"),
    "row zero": (lambda: worksheet('<row r="0"><c r="A0"><v>1</v></c></row>'), "bad_file"),
    "row of letters": (lambda: worksheet('<row r="x"><c><v>1</v></c></row>'), "bad_file"),
    "no number": (lambda: worksheet('<row r="1"><c r="A1"><v>one</v></c></row>'), "bad_file"),
    "no cell name": (lambda: worksheet('<row r="1"><c r="!!"><v>1</v></c></row>'), "bad_file"),
    "missing text": (lambda: worksheet('<row r="1"><c r="A1" t="s"><v>77</v></c></row>'), "bad_file"),
    "long text": (
        lambda: worksheet(f'<row r="1"><c r="A1" t="inlineStr"><is><t>{"x" * 50_001}</t></is></c></row>'),
        "too_long",
    ),
    "8 MB of text": (
        lambda: changed(strings=f"<sst {MAIN}><si><t>{''.join(map(str, range(1_300_000)))}</t></si></sst>"),
        "too_long",
    ),
    "long formula": (lambda: worksheet(f'<row r="1"><c r="A1"><f>{"1+" * 30_000}1</f></c></row>'), "too_long"),
    "deep XML": (lambda: changed(book="<workbook>" + "<a>" * 5000 + "</a>" * 5000 + "</workbook>"), "file_too_large"),
    "thousands of sheets": (
        lambda: changed(book=f"<workbook {MAIN}><sheets>{MANY}</sheets></workbook>"),
        "too_many_sheets",
    ),
    "two sheets of one name": (
        lambda: changed(book=f'<workbook {MAIN}><sheets><sheet name="a"/><sheet name="A"/></sheets></workbook>'),
        "bad_file",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_cannot_be_read_is_refused_and_leaves_nothing(host: Host, what: str) -> None:
    made, code = BAD[what]
    assert refused(host, made()) == code


def test_a_damaged_part_is_refused(host: Host) -> None:
    data = bytearray(zipped(parts()))
    at = data.find(SHEET.encode()) + len(SHEET)
    data[at + 20 : at + 60] = b"\xff" * 40
    assert refused(host, bytes(data)) == "bad_file"


def test_an_unknown_way_of_packing_is_refused(host: Host) -> None:
    out = io.BytesIO()
    with ZipFile(out, "w", zipfile.ZIP_BZIP2) as package:
        package.writestr("xl/workbook.xml", "<workbook/>")
    assert refused(host, out.getvalue()) == "bad_file"


def test_declared_sizes_are_not_believed(host: Host) -> None:
    data = changed(
        sheet=(
            f'<worksheet {MAIN}><dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384" width="9"'
            ' customWidth="1"/></cols><sheetData><row r="1048576" ht="30" customHeight="1"><c r="XFD1048576"'
            ' s="0"/></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="B2:C3"/><mergeCell'
            ' ref="C3:D4"/></mergeCells><dataValidations><dataValidation type="whole"'
            ' sqref="A1:XFD1048576"><formula1>1</formula1></dataValidation></dataValidations></worksheet>'
        )
    )
    found = held(host, take_in(host, data))
    assert found["sheets"][0][2:4] == [1000, 26] and len(found["sizes"]) == 26
    assert [row[3:7] for row in found["objects"]] == [[1, 1, 3, 3]]


def test_macros_are_dropped_and_other_files_never_asked(host: Host) -> None:
    found = parts()
    found["xl/vbaProject.bin"] = b"\xd0\xcf macro"
    found["xl/externalLinks/externalLink1.xml"] = b'<externalLink><externalBook id="rId1"/></externalLink>'
    found[SHEET] = (
        f'<worksheet {MAIN}><sheetData><row r="1"><c r="A1"><f>[1]Sheet1!A1*2</f><v>42</v></c><c r="B1"><f>\'[1]Other'
        ' one\'!A1</f></c><c r="C1" t="str"><f>[1]!Name</f><v>kept</v></c><c'
        ' r="D1"><f>LEN("[1]")</f></c></row></sheetData></worksheet>'
    ).encode()
    key = take_in(host, zipped(found))
    assert typed(host, key) == {
        (0, 0): ("number", "42"),
        (0, 1): ("formula", "=#REF!"),
        (0, 2): ("text", "kept"),
        (0, 3): ("formula", '=LEN("[1]")'),
    }
    with ZipFile(io.BytesIO(give_out(host, key))) as package:
        assert not [name for name in package.namelist() if "vba" in name or "external" in name]


def test_shared_formulas_move_and_one_without_a_first_is_nothing(host: Host) -> None:
    data = worksheet(
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B3" si="0">A1*$A$1</f></c></row>'
        '<row r="2"><c r="B2"><f t="shared" si="0"/></c><c r="C2"><f t="shared" si="9"/></c></row>'
    )
    assert typed(host, take_in(host, data)) == {
        (0, 0): ("number", "1"),
        (0, 1): ("formula", "=A1*$A$1"),
        (1, 1): ("formula", "=A2*$A$1"),
    }


@pytest.mark.parametrize(
    "kept",
    [
        "[]",
        "{",
        '{"formats": {"0": {"backgroundColor": "red"}}}',
        '{"formats": [1], "sheets": [{"name": "Sheet", "rows": -1, "columns": 1e9, "filter": 5}]}',
        '{"sheets": [{"name": "Sheet", "rows": 9000000, "columns": 18278}]}',
        '{"sheets": [{"name": "Sheet", "validations": [{"where": "A1", "rule": {}}]}]}',
        (
            '{"locale": "xx", "zone": "../etc", "sheets": [{"name": "Sheet", "conditions": [{"where": "A1", "rule":'
            ' {"gradientRule": {}}}], "runs": {"0,0": [5]}}]}'
        ),
        (
            '{"sheets": [{"name": "Sheet", "title": 7, "properties": {"tabColor": []}, "hidden": 4,'
            ' "conditions": [{"where": 5, "rule": {"booleanRule": {}}}]}]}'
        ),
    ],
)
def test_what_a_file_claims_we_kept_is_looked_at_twice(host: Host, kept: str) -> None:
    data = zipped({**parts(), "xl/metadata": kept.encode()})
    if "9000000" in kept:
        assert refused(host, data) == "too_many_cells"
    else:
        assert held(host, take_in(host, data)) == held(host, take_in(host, zipped(parts())))


def test_a_hostile_import_into_a_sheet_changes_nothing(host: Host) -> None:
    before = held(host, BUDGET)
    with pytest.raises(OperationError), calling(host) as call, Spreadsheet(call, BUDGET, "file.write") as book:
        import_export.into(call, book, BAD["long formula"][0](), "xlsx", import_export.How("replace_sheet"))
    assert held(host, BUDGET) == before
