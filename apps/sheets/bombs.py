"""Inputs made to cost at the spreadsheets' parsers: formulas, files, ranges, formats, filters, searches of the drive."""

import base64
import io
import json
import zipfile
from collections.abc import Mapping

from world.bench.attacker import Attacker, read
from world.bench.bombs import Bomb, repeat

V4 = "/v4/spreadsheets"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
GOOGLE = "application/vnd.google-apps.spreadsheet"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"


def _new(at: Attacker) -> str:
    grid = {"rowCount": 1_000, "columnCount": 26}
    made = at.post(
        V4, {"properties": {"title": "x"}, "sheets": [{"properties": {"sheetId": 0, "gridProperties": grid}}]}
    )
    return str(read(made)["spreadsheetId"])


def _put(at: Attacker, key: str, where: str, values: list[list[object]]) -> None:
    body = json.dumps({"values": values}).encode()
    at.send("PUT", f"{V4}/{key}/values/{where}?valueInputOption=USER_ENTERED", body, "application/json")


def _formula(*formulas: str) -> Bomb:
    """Formulas typed over a column of numbers, read, and shown."""

    def send(at: Attacker) -> None:
        key = _new(at)
        _put(at, key, "A1:A1000", [[number] for number in range(1_000)])
        _put(at, key, "C1", [[formula] for formula in formulas])
        at.get(f"{V4}/{key}/values/A1:Z1000")
        at.page(f"/d/{key}/edit")

    return send


def _batch(*requests: Mapping[str, object], times: int = 1) -> Bomb:
    def send(at: Attacker) -> None:
        key = _new(at)
        _put(at, key, "A1:A1000", [[f"{number} " + "a" * 30] for number in range(1_000)])
        at.post(f"{V4}/{key}:batchUpdate", {"requests": list(requests) * times})
        at.page(f"/d/{key}/edit")

    return send


def _upload(content: bytes, kind: str) -> Bomb:
    """A file sent to the drive to become a spreadsheet."""
    head = (
        f'--b\r\nContent-Type: application/json\r\n\r\n{{"name": "x", "mimeType": "{GOOGLE}"}}\r\n'
        f"--b\r\nContent-Type: {kind}\r\n\r\n"
    )
    body = head.encode() + content + b"\r\n--b--"

    def send(at: Attacker) -> None:
        made = at.send("POST", "/upload/drive/v3/files?uploadType=multipart", body, "multipart/related; boundary=b")
        if made.status == 200:
            at.page(f"/d/{read(made)['id']}/edit")

    return send


def _archive(parts: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def _workbook(sheet: str, **more: bytes) -> bytes:
    """An xlsx file with one sheet of this data, and further parts."""
    overrides = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{KIND}.{kind}+xml"/>'
        for name, kind in (
            ("workbook", "sheet.main"),
            ("worksheets/sheet1", "worksheet"),
            ("sharedStrings", "sharedStrings"),
            ("styles", "styles"),
        )
    )
    relations = (
        f'<Relationship Id="r1" Type="{LINKS}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{LINKS}/sharedStrings" Target="sharedStrings.xml"/>'
        f'<Relationship Id="r3" Type="{LINKS}/styles" Target="styles.xml"/>'
    )
    kinds = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{kinds}{overrides}</Types>',
        "_rels/.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships">'
            f'<Relationship Id="r1" Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{relations}</Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>a</t></si></sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"/>',
    }
    return _archive({**{name: text.encode() for name, text in parts.items()}, **more})


def _sheet(rows: str, before: str = "") -> str:
    return f'{before}<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def _entities() -> str:
    lines = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&a9;</t></is></c></row>'
    return _sheet(cell, f"<!DOCTYPE x [{lines}]>")


AREA = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 1_000, "startColumnIndex": 0, "endColumnIndex": 26}
STORED = _workbook(_sheet(""))

bombs: Mapping[str, Bomb] = {
    "a formula of 5,000 brackets": _formula("=" + "(" * 5_000 + "1" + ")" * 5_000),
    "a formula of 40,000 additions": _formula("=1" + "+1" * 20_000),
    "a formula of nested conditions": _formula("=" + "IF(TRUE," * 2_000 + "1" + ",2)" * 2_000),
    "a formula of a text that doubles": _formula('=REPT(REPT(REPT("a",1000),1000),1000)'),
    "a formula of a long sequence": _formula("=SUM(SEQUENCE(10000,1000))"),
    "a formula of crossed ranges": _formula("=SUMPRODUCT(A1:A1000*TRANSPOSE(A1:A1000))"),
    "a formula of a matrix product": _formula("=MMULT(SEQUENCE(1000,1000),SEQUENCE(1000,1000))"),
    "a formula of a slow pattern": _formula('=REGEXMATCH(REPT("a",30000)&"!","^(a+)+$")'),
    "a formula of a recursive function": _formula("=LET(f,LAMBDA(g,n,g(g,n+1)),f(f,1))"),
    "a formula of a mapped sequence": _formula("=SUM(MAP(SEQUENCE(100000),LAMBDA(x,x*x)))"),
    "a formula of a reduction": _formula('=REDUCE("",SEQUENCE(10000),LAMBDA(a,b,a&b))'),
    "a formula of splits": _formula('=SPLIT(REPT("a,",20000),",")'),
    "a formula of substitutions": _formula('=SUBSTITUTE(REPT("a",30000),"a",REPT("b",1000))'),
    "a formula of a query": _formula('=QUERY(A1:A1000,"select A where A > 1 ' + "or A = 2 " * 1_000 + '")'),
    "a formula of a sort": _formula("=SORT(RANDARRAY(1000,1000))", "=SORT(SEQUENCE(100000))"),
    "a formula of powers": _formula("=9^9^9^9", "=FACT(170)*FACT(170)", "=COMBIN(1E15,5E14)"),
    "a formula of dates": _formula("=NETWORKDAYS(1,2958465)", "=WORKDAY(1,2958000)", '=DATEDIF(1,2958465,"D")'),
    "a formula of repeated search": _formula("=ARRAYFORMULA(VLOOKUP(A1:A1000,A1:B1000,1,FALSE))"),
    "a formula of counted conditions": _formula("=ARRAYFORMULA(COUNTIF(A1:A1000,A1:A1000))"),
    "a thousand formulas over a column": _formula(*["=SUM(A$1:A$1000)"] * 1_000),
    "a chain of a thousand formulas": _formula("=A1", *[f"=C{row}+1" for row in range(1, 1_000)]),
    "a circle of a thousand formulas": _formula("=C1000", *[f"=C{row}+1" for row in range(1, 1_000)]),
    "a formula of 20,000 references": _formula("=SUM(" + ",".join(["A1:A1000"] * 4_000) + ")"),
    "a formula of a long text": _formula('="' + "a" * 49_000 + '"'),
    "a formula of quotes": _formula("=" + '"' * 40_000),
    "an xlsx file of 200 MB of zeros": _upload(_workbook(_sheet(""), **{"xl/media/a.bin": bytes(200 << 20)}), XLSX),
    "an xlsx file of a sheet of blanks": _upload(_workbook(_sheet(" " * (100 << 20))), XLSX),
    "an xlsx file of entities": _upload(_workbook(_entities()), XLSX),
    "an xlsx file of 100,000 cells": _upload(
        _workbook(_sheet("".join(f'<row r="{row}"><c r="A{row}"><v>1</v></c></row>' for row in range(1, 100_001)))),
        XLSX,
    ),
    "an xlsx file of far cells": _upload(
        _workbook(_sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')), XLSX
    ),
    "an xlsx file of 50,000 merged ranges": _upload(
        _workbook(
            f'<worksheet xmlns="{MAIN}"><sheetData/><mergeCells>'
            + "".join(f'<mergeCell ref="A{row}:B{row}"/>' for row in range(1, 50_001))
            + "</mergeCells></worksheet>"
        ),
        XLSX,
    ),
    "an xlsx file of deep elements": _upload(_workbook(_sheet("<a>" * 100_000 + "</a>" * 100_000)), XLSX),
    "an xlsx file of 5,000 members": _upload(_archive({f"xl/{number}.xml": b"<a/>" for number in range(5_000)}), XLSX),
    "an xlsx file of 100,000 texts": _upload(
        _workbook(
            _sheet(""),
            **{"xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">'.encode() + b"<si><t>a</t></si>" * 100_000 + b"</sst>"},
        ),
        XLSX,
    ),
    "an xlsx file that is cut": _upload(STORED[: len(STORED) // 2], XLSX),
    "an ods file of repeated cells": _upload(
        _archive(
            {
                "mimetype": ODS.encode(),
                "content.xml": (
                    b'<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
                    b' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
                    b' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
                    b'<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell'
                    b' table:number-columns-repeated="16384"><text:p>a</text:p></table:table-cell></table:table-row>'
                    b"</table:table></office:spreadsheet></office:body></office:document-content>"
                ),
            }
        ),
        ODS,
    ),
    "a csv file of commas": _upload(b"," * 5_000_000, "text/csv"),
    "a csv file of quotes": _upload(b'"' * 5_000_000, "text/csv"),
    "a csv file of lines": _upload(b"\n" * 1_000_000, "text/csv"),
    "a csv file of numbers": _upload(b"1,2,3\n" * 100_000, "text/csv"),
    "a csv file of dates": _upload(b"2026-03-02,$1.50,45%\n" * 40_000, "text/csv"),
    "10,000 changes in one batch": _batch(
        {"updateSheetProperties": {"properties": {"sheetId": 0, "title": "x"}, "fields": "title"}}, times=10_000
    ),
    "a slow pattern to replace": _batch(
        {"findReplace": {"find": "(a+)+$", "replacement": "b", "searchByRegex": True, "allSheets": True}}
    ),
    "a pattern of many choices": _batch(
        {"findReplace": {"find": "(a|a|a)*b", "replacement": "b", "searchByRegex": True, "allSheets": True}}
    ),
    "a grid of ten million cells": _batch(
        {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": 10_000_000}}
    ),
    "rows inserted a thousand times": _batch(
        {"insertDimension": {"range": {"sheetId": 0, "dimension": "ROWS", "startIndex": 0, "endIndex": 1}}}, times=1_000
    ),
    "an area copied over another": _batch(
        {
            "copyPaste": {
                "source": {
                    "sheetId": 0,
                    "startRowIndex": 0,
                    "endRowIndex": 1,
                    "startColumnIndex": 0,
                    "endColumnIndex": 1,
                },
                "destination": AREA,
            }
        },
        times=20,
    ),
    "every cell formatted": _batch(
        {"repeatCell": {"range": AREA, "cell": {"userEnteredFormat": {"textFormat": {"bold": True}}}, "fields": "*"}},
        times=20,
    ),
    "borders a hundred times": _batch(
        {"updateBorders": {"range": AREA, "innerHorizontal": {"style": "SOLID"}, "innerVertical": {"style": "SOLID"}}},
        times=100,
    ),
    "a long number format": _batch(
        {
            "repeatCell": {
                "range": AREA,
                "cell": {
                    "userEnteredValue": {"numberValue": 1.5},
                    "userEnteredFormat": {"numberFormat": {"type": "NUMBER", "pattern": "#,##0.00;" * 500}},
                },
                "fields": "*",
            }
        }
    ),
    "500 conditional formats": _batch(
        {
            "addConditionalFormatRule": {
                "rule": {
                    "ranges": [AREA],
                    "booleanRule": {
                        "condition": {
                            "type": "CUSTOM_FORMULA",
                            "values": [{"userEnteredValue": "=SUM($A$1:$A$1000)>1"}],
                        },
                        "format": {"textFormat": {"bold": True}},
                    },
                },
                "index": 0,
            }
        },
        times=500,
    ),
    "a merge of all cells a hundred times": _batch(
        {"mergeCells": {"range": AREA, "mergeType": "MERGE_ROWS"}}, times=100
    ),
    "20,000 ranges asked for": lambda at: at.get(f"{V4}/{_new(at)}/values:batchGet?" + "ranges=A1&" * 3_200),
    "a range of 10,000 characters": lambda at: at.get(f"{V4}/{_new(at)}/values/" + "A" * 10_000),
    "a field mask of brackets": lambda at: at.get("/drive/v3/files?fields=" + "files(" * 4_000 + "id" + ")" * 4_000),
    "a field mask of commas": lambda at: at.get("/drive/v3/files?fields=" + "kind," * 6_000 + "kind"),
    "a search of the drive of brackets": lambda at: at.call(
        "drive.files.list", q="(" * 4_000 + "trashed = false" + ")" * 4_000
    ),
    "a search of the drive of negations": lambda at: at.call("drive.files.list", q="not " * 4_000 + "trashed = false"),
    "a search of the drive of alternatives": lambda at: at.call(
        "drive.files.list", q=repeat("name contains 'a{}' or ", 20_000) + "trashed = false"
    ),
    "a file with an image of 4 GB": lambda at: at.call(
        "drive.files.create",
        name="a.png",
        contentType="image/png",
        content=base64.b64encode(
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\xff\xff\x00\x00\xff\xff\x08\x06\x00\x00\x00" + bytes(100_000)
        ).decode(),
    ),
    "a comment of 100,000 stars": lambda at: at.call("drive.comments.create", fileId=_new(at), content="*a " * 30_000),
    "a file with 5,000 properties": lambda at: at.call(
        "drive.files.create", name="a", properties={f"p{number}": "a" for number in range(5_000)}
    ),
}
