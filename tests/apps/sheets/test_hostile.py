"""What nobody should send to a spreadsheet: refused in the vendor's words or shown as an error, and nothing is
half-written.

What single formulas may cost is in engine/test_hostile.py; files that bite are in test_files_hostile.py.
"""

import io
import socket
from typing import Any
from zipfile import ZipFile

import orjson
import pytest

from apps.sheets.spreadsheet import MOST_WORK
from tests.apps.sheets.conftest import BUDGET, SECRET
from tests.apps.sheets.files.test_files_hostile import BAD
from tests.apps.sheets.requests.change_requests import Asking, grid, lines
from tests.conformance.sheets_client import SheetsClient

BOOK, FILE = f"/v4/spreadsheets/{BUDGET}", f"/drive/v3/files/{BUDGET}"
TYPED, RAW = {"valueInputOption": "USER_ENTERED"}, {"valueInputOption": "RAW"}
SHEET, SPREADSHEET = (
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.google-apps.spreadsheet",
)
CIRCULAR = "Circular dependency detected. To resolve with iterative calculation, see File > Settings."
MANY = "This action would change more than 290000 cells at once."
BATCH = f"This action would change more than {MOST_WORK} cells at once."
LONG = "Your input contains more than the maximum of 50000 characters in a single cell."
LIMIT = "above the limit of 10000000 cells"
CLOSED = "You don't have permissions to access that sheet."
SMALL = ") exceeds grid limits. Max rows: 1000, max columns: 26"


def write(client: SheetsClient, at: str, values: Any, how: dict[str, str] = TYPED, **more: Any) -> Any:
    """An answer to a write of values."""
    return client.put(f"{BOOK}/values/{at}", params=how, json={"values": values}, **more)


def read(client: SheetsClient, at: str, **more: Any) -> Any:
    """What a range shows."""
    return client.get(f"{BOOK}/values/{at}", **more).json().get("values", [])


def change(client: SheetsClient, *requests: Any, **more: Any) -> Any:
    """An answer to a batch of requests."""
    return client.post(f"{BOOK}:batchUpdate", json={"requests": list(requests)}, **more)


def refusal(answer: Any, status: int = 400) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text[:500]
    return answer.json()["error"]["message"]


def told(client: SheetsClient, at: str) -> list[Any]:
    """What the first row of a range computes to, by the cell's full description; errors with their sentences."""
    cells = client.get(BOOK, params={"ranges": at, "includeGridData": True}).json()["sheets"][0]["data"][0]["rowData"][
        0
    ]["values"]
    return [next(iter(cell["effectiveValue"].values())) if "effectiveValue" in cell else None for cell in cells]


# formulas that go round, run away, reach outside


def test_cycles_are_errors_in_their_cells_and_nowhere_else(client: SheetsClient) -> None:
    assert write(client, "F1:H1", [["=G1", "=H1*2", "=F1+1"]]).status_code == 200
    assert write(client, "F2", [["=IFERROR(F2,1)"]]).status_code == 200
    assert told(client, "F1:H1") == [{"type": "REF", "message": CIRCULAR}] * 3
    assert read(client, "F1:H2") == [["#REF!"] * 3, ["#REF!"]] and read(client, "D5") == [["3130.5"]]
    assert write(client, "H1", [[4]]).status_code == 200 and read(client, "F1:H1") == [["8", "8", "4"]]


@pytest.mark.parametrize(
    ("formula", "kind", "message"),
    [
        ("=SEQUENCE(10000,10000)", "ERROR", "Result too large."),
        ("=SEQUENCE(3,3)", "REF", "Array result was not expanded because it would overwrite data in K3."),
        ("=ARRAYFORMULA(J1:J&J1:J)", "REF", CIRCULAR),
    ],
)
def test_a_runaway_spill_is_an_error_that_overwrites_nothing(
    client: SheetsClient, formula: str, kind: str, message: str
) -> None:
    write(client, "K3", [["kept"]])
    assert write(client, "J1", [[formula]]).status_code == 200
    assert told(client, "J1") == [{"type": kind, "message": message}]
    assert read(client, "J1:L4") == [[f"#{kind}!"], [], ["", "kept"]]


@pytest.mark.parametrize(
    ("formula", "shown", "value"),
    [
        ('=IMPORTXML("http://127.0.0.1/x","//a")', "#N/A", "Could not fetch url: http://127.0.0.1/x"),
        ('=IMPORTDATA("file:///etc/passwd")', "#N/A", "Could not fetch url: file:///etc/passwd"),
        ('=IMPORTHTML("http://[::1]/","table",1)', "#N/A", "Could not fetch url: http://[::1]/"),
        ('=IMPORTFEED("http://quayline.example/feed")', "#N/A", "Could not fetch url: http://quayline.example/feed"),
        ('=WEBSERVICE("http://127.0.0.1/x")', "#NAME?", "Unknown function: 'WEBSERVICE'."),
        ('=IMAGE("http://127.0.0.1/x.png?"&A1)', "", None),
        ('=HYPERLINK("http://127.0.0.1/"&A1,"here")', "here", "here"),
        (
            '=GOOGLEFINANCE("GOOG")',
            "#N/A",
            "When evaluating GOOGLEFINANCE, the query for the symbol: 'GOOG' returned no data.",
        ),
        (f'=IMPORTRANGE("{SECRET}","A1:B1")', "#REF!", CLOSED),
        (f'=IMPORTRANGE("https://docs.google.com/spreadsheets/d/{SECRET}/edit","A1")', "#REF!", CLOSED),
        ('=IMPORTRANGE("no such spreadsheet","A1")', "#REF!", CLOSED),
        ("='file:///etc/[passwd]x'!A1", "#REF!", "Unresolved sheet name 'file:///etc/[passwd]x'."),
        ("=cmd|' /C calc'!A1", "#ERROR!", "Formula parse error."),
    ],
)
def test_a_formula_reaches_nothing_outside(
    client: SheetsClient, monkeypatch: pytest.MonkeyPatch, formula: str, shown: str, value: object
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("something was asked for")

    monkeypatch.setattr(socket.socket, "connect", never)
    monkeypatch.setattr(socket, "getaddrinfo", never)
    assert write(client, "J1", [[formula]], who="bo").status_code == 200
    seen = client.get(BOOK, who="bo", params={"ranges": "J1", "includeGridData": True}).json()["sheets"][0]["data"][0][
        "rowData"
    ][0]["values"][0]
    found = next(iter(seen.get("effectiveValue", {"": None}).values()))
    assert (seen.get("formattedValue", ""), found["message"] if isinstance(found, dict) else found) == (shown, value)


def test_a_spill_ends_with_its_sheet(client: SheetsClient) -> None:
    write(client, "J1", [["=SEQUENCE(1200,30)"]])
    shown = read(client, "J1:1000")
    assert (len(shown), len(shown[0]), shown[0][0], shown[999][0]) == (1000, 17, "1", "29971")
    assert client.get(BOOK).json()["sheets"][0]["properties"]["gridProperties"] == {"rowCount": 1000, "columnCount": 26}


# sizes and depths


def test_more_cells_than_may_change_at_once_are_refused(client: SheetsClient, budget: Asking) -> None:
    wide = {
        "properties": {"sheetId": 0, "gridProperties": {"rowCount": 1000, "columnCount": 1000}},
        "fields": "gridProperties",
    }
    change(client, {"updateSheetProperties": wide})
    before = budget.everything()
    assert refusal(write(client, "A1", [[1] * 1000] * 400)) == MANY
    cell = {"userEnteredValue": {"formulaValue": "=ROW()"}}
    assert BATCH in refusal(
        change(client, {"repeatCell": {"range": grid(0, 0, 1000, 1000), "cell": cell, "fields": "*"}})
    )
    for count in (10_000_000, 2**31 - 1):
        assert LIMIT in refusal(
            change(client, {"appendDimension": {"sheetId": 0, "dimension": "ROWS", "length": count}})
        )
        assert "limit of 18278 columns" in refusal(
            change(client, {"insertDimension": {"range": lines("COLUMNS", 0, count)}})
        )
    assert budget.everything() == before


def test_long_texts_are_refused_and_nothing_beside_them_is_written(client: SheetsClient, budget: Asking) -> None:
    before, long = budget.everything(), "x" * 8_000_000
    assert refusal(write(client, "A1:A2", [["first"], [long]])) == LONG
    assert refusal(write(client, "A1", [[f"={long}"]])) == LONG
    data = [{"range": "A1", "values": [["first"]]}, {"range": "A2", "values": [[long]]}]
    assert refusal(client.post(f"{BOOK}/values:batchUpdate", json={**RAW, "data": data})) == LONG
    renamed = {"updateSpreadsheetProperties": {"properties": {"title": "first"}, "fields": "title"}}
    assert refusal(change(client, renamed, {"addSheet": {"properties": {"title": long}}})).startswith(
        "Invalid requests[1].addSheet: "
    )
    for one in (
        {"updateSpreadsheetProperties": {"properties": {"title": long}, "fields": "title"}},
        {"updateSheetProperties": {"properties": {"sheetId": 0, "title": long}, "fields": "title"}},
        {"duplicateSheet": {"sourceSheetId": 0, "newSheetName": long}},
    ):
        refusal(change(client, renamed, one))
    refusal(client.post(f"{FILE}/comments", params={"fields": "id"}, json={"content": long}))
    refusal(write(client, "A1", [["x" * 11_000_000]]), 413)
    assert (
        budget.everything() == before
        and client.get(f"{FILE}/comments", params={"fields": "*"}).json()["comments"] == []
    )


def test_ten_thousand_levels_are_an_error_or_refused(client: SheetsClient, budget: Asking) -> None:
    before, deep = budget.everything(), 10_000
    kind = {"headers": {"Content-Type": "application/json"}}
    for open, close in ("[]", ('{"a":', "}")):
        nested = open * deep + ("1" if close == "}" else "") + close * deep
        refusal(client.put(f"{BOOK}/values/A1", params=RAW, content=f'{{"values":{nested}}}', **kind))
        refusal(client.post(f"{BOOK}:batchUpdate", content=f'{{"requests":[{{"updateCells":{nested}}}]}}', **kind))
    refusal(client.get(BOOK, params={"fields": "sheets(" * 5_000 + ")" * 5_000}))
    refusal(client.get("/drive/v3/files", params={"q": "(" * deep + "trashed=true" + ")" * deep}))
    for mask in ("a(" * deep, "a." * deep, "a." * 2_000, "a(" * 2_000 + "b" + ")" * 2_000):
        assert "Invalid field mask" in refusal(
            change(client, {"updateSheetProperties": {"properties": {"sheetId": 0}, "fields": mask}})
        )
    assert budget.everything() == before
    assert write(client, "J1", [["=" + "(" * deep + "1" + ")" * deep]]).status_code == 200
    assert told(client, "J1") == [{"type": "ERROR", "message": "Formula parse error."}]


# files out and in


def test_texts_that_look_like_formulas_leave_as_they_are_and_cannot_leave_their_field(client: SheetsClient) -> None:
    texts = [
        "=cmd|' /C calc'!A1",
        "+1+1",
        "-2+3",
        "@SUM(1)",
        '=HYPERLINK("http://x","y")',
        'a","=1+1',
        "b\r\n=1+1",
        "\t=1+1",
    ]
    write(client, "A7:H7", [texts], RAW)
    out = client.get(f"{FILE}/export", params={"mimeType": "text/csv"}).content.decode()
    assert (
        out.split("\r\n", 6)[6]
        == '=cmd|\' /C calc\'!A1,+1+1,-2+3,@SUM(1),"=HYPERLINK(""http://x"",""y"")","a"",""=1+1","b\r\n=1+1",\t=1+1'
    )
    with ZipFile(io.BytesIO(client.get(f"{FILE}/export", params={"mimeType": SHEET}).content)) as package:
        sheet = package.read("xl/worksheets/sheet1.xml").decode()
    assert "calc" not in sheet and sheet.count("<f>") == 5  # texts lie among the shared strings


@pytest.mark.parametrize("what", ["outside entity", "long formula"])
def test_a_file_that_bites_is_refused_at_the_door_and_no_file_is_made(client: SheetsClient, what: str) -> None:
    listed = client.get("/drive/v3/files").json()
    told = orjson.dumps({"name": "bites", "mimeType": SPREADSHEET}).decode()
    begin = f"--cut\r\nContent-Type: application/json\r\n\r\n{told}\r\n--cut\r\nContent-Type: {SHEET}\r\n\r\n"
    body = begin.encode() + BAD[what][0]() + b"\r\n--cut--"
    headers = {"Content-Type": "multipart/related; boundary=cut"}
    answer = client.post("/upload/drive/v3/files", params={"uploadType": "multipart"}, content=body, headers=headers)
    assert refusal(answer) and client.get("/drive/v3/files").json() == listed


# places that are none


@pytest.mark.parametrize(
    "text",
    ["!", "A0", "ZZZZ1", "A1:A99999999999", "Sheet1!", "'Sheet1", "Nowhere!A1", "A1:B2:C3", "=A1", "🦊", "A1" * 900],
)
def test_a_range_that_is_none_is_said_to_be_so(client: SheetsClient, text: str) -> None:
    said = f"Unable to parse range: {text}"
    assert refusal(client.get(f"{BOOK}/values:batchGet", params={"ranges": ["A1", text]})) == said
    assert refusal(client.get(BOOK, params={"ranges": text})) == said
    data = [{"range": "A1", "values": [["first"]]}, {"range": text, "values": [["x"]]}]
    assert refusal(client.post(f"{BOOK}/values:batchUpdate", json={**RAW, "data": data})) == f"Invalid data[1]: {said}"
    assert read(client, "A1") == [["Team"]]


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"sheetId": 0, "startRowIndex": 5, "endRowIndex": 2}, "GridRange is empty or reversed."),
        ({"sheetId": 0, "startRowIndex": -1}, "GridRange is empty or reversed."),
        ({"sheetId": 7}, "No grid with id: 7"),
        ({"sheetId": 0, "startRowIndex": 2**31 - 1}, SMALL),
        ({"sheetId": 0, "endColumnIndex": 27}, SMALL),
        ({"sheetId": 0, "startRowIndex": 2**40}, "(TYPE_INT32), 1099511627776"),
        ({"sheetId": "x"}, '(TYPE_INT32), "x"'),
    ],
)
def test_a_grid_range_that_is_none_takes_its_batch_along(client: SheetsClient, where: Any, said: str) -> None:
    cell = {"userEnteredValue": {"numberValue": 1}}
    first = {"repeatCell": {"range": grid(0, 0, 1, 1), "cell": cell, "fields": "userEnteredValue"}}
    second = {"repeatCell": {"range": where, "cell": cell, "fields": "userEnteredValue"}}
    assert said in refusal(change(client, first, second))
    assert read(client, "A1") == [["Team"]]


@pytest.mark.parametrize(
    "mask", ["(", "sheets(", "a", "sheets.nope", "replies)", ",", "sheets.data.rowData.values.nope", "a." * 5000]
)
def test_a_mask_that_is_none_is_refused(client: SheetsClient, mask: str) -> None:
    assert refusal(client.get(BOOK, params={"fields": mask})).startswith("Error expanding 'fields' parameter.")
    assert refusal(client.get("/drive/v3/files", params={"fields": mask})).startswith("Invalid field selection")


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ("userEnteredFormat.backgroundcolor", "Invalid field mask: userEnteredFormat.backgroundcolor"),
        ("note(", "Invalid field mask: note("),
        (",", "Invalid field mask: ,"),
        ("", "At least one field"),
    ],
)
def test_a_mask_of_a_change_that_is_none_takes_its_batch_along(client: SheetsClient, mask: str, said: str) -> None:
    cell = {"userEnteredValue": {"numberValue": 1}}
    both = [
        {"repeatCell": {"range": grid(0, 0, 1, 1), "cell": cell, "fields": one}} for one in ("userEnteredValue", mask)
    ]
    assert said in refusal(change(client, *both)) and read(client, "A1") == [["Team"]]


# others


def test_a_protected_range_stays_whatever_way_another_writer_takes(client: SheetsClient, budget: Asking) -> None:
    change(
        client,
        {
            "addProtectedRange": {
                "protectedRange": {"range": grid(1, 1, 2, 3), "editors": {"users": ["ada@tiny.example"]}}
            }
        },
    )
    before, cell = budget.everything(), {"userEnteredValue": {"numberValue": 0}}
    free = {"repeatCell": {"range": grid(9, 0, 10, 1), "cell": cell, "fields": "*"}}
    tries: list[dict[str, Any]] = [
        {"repeatCell": {"range": grid(0, 0, 5, 5), "cell": cell, "fields": "userEnteredValue"}},
        {"deleteDimension": {"range": lines("ROWS", 1, 2)}},
        {"sortRange": {"range": grid(1, 0, 3, 4), "sortSpecs": [{"dimensionIndex": 0}]}},
        {"copyPaste": {"source": grid(2, 0, 3, 4), "destination": grid(1, 0, 2, 4), "pasteType": "PASTE_NORMAL"}},
        {"findReplace": {"find": "1200", "replacement": "0", "allSheets": True}},
        {"deleteSheet": {"sheetId": 0}},
    ]
    for one in tries:
        refusal(change(client, free, one, who="bo"))
    assert refusal(write(client, "A2:C2", [["x", 0, 0]], who="bo")).startswith(
        "You are trying to edit a protected cell or object."
    )
    refusal(client.post(f"{BOOK}/values/A1:D5:clear", who="bo"))
    assert budget.everything() == before


def test_of_two_people_in_one_cell_the_later_one_stays_and_none_writes_into_what_is_gone(client: SheetsClient) -> None:
    change(client, {"addSheet": {"properties": {"sheetId": 5, "title": "Plans"}}})
    for who, text in (("ada", "mine"), ("bo", "=1/0"), ("ada", "'=mine"), ("bo", "")):
        assert write(client, "Plans!A1", [[text]], who=who).status_code == 200
        assert read(client, "Plans!A1", who="ada") == read(client, "Plans!A1", who="bo")
    assert read(client, "Plans!A1") == []
    assert change(client, {"deleteSheet": {"sheetId": 5}}).status_code == 200
    assert refusal(write(client, "Plans!A1", [["late"]], who="bo")) == "Unable to parse range: Plans!A1"
    assert "No grid with id: 5" in refusal(
        change(client, {"appendCells": {"sheetId": 5, "rows": [], "fields": "*"}}, who="bo")
    )
