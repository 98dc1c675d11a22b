"""The REST door of the spreadsheet service. Every answer is compared with the discovery documents
(`tests.conformance`).
"""

from base64 import urlsafe_b64encode
from typing import Any

import pytest

from apps.drive import app as drive
from apps.drive import rest as drive_rest
from apps.sheets import app, rest
from apps.sheets.refusals import refusal
from tests.apps.examples import outcome
from tests.apps.sheets.conftest import BUDGET, NOTES, SECRET
from tests.company import as_person
from tests.conformance.sheets_client import SheetsClient
from world.core.errors import OperationError
from world.run.host import Host

VALUES = f"/v4/spreadsheets/{BUDGET}/values"
RAW = {"valueInputOption": "RAW"}


def error(answer: Any, status: int) -> dict[str, Any]:
    """The error of an answer that must be one."""
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


def test_values_are_read_as_displayed_plain_and_as_typed(client: SheetsClient) -> None:
    assert client.get(f"{VALUES}/A1:D2").json() == {
        "range": "Sheet1!A1:D2",
        "majorDimension": "ROWS",
        "values": [["Team", "Q1", "Q2", "Total"], ["Core", "1200", "1350.5", "2550.5"]],
    }
    plain = client.get(f"{VALUES}/Sheet1!B2:D2?valueRenderOption=UNFORMATTED_VALUE&prettyPrint=false")
    assert plain.content.endswith(b'"values":[[1200,1350.5,2550.5]]}')
    typed = client.get(f"{VALUES}/%27Sheet1%27%21D2%3AD2?valueRenderOption=FORMULA&majorDimension=COLUMNS").json()
    assert typed["values"] == [["=B2+C2"]] and typed["majorDimension"] == "COLUMNS"
    assert "values" not in client.get(f"{VALUES}/F10:G12").json()


def test_values_written_by_one_are_read_by_another(client: SheetsClient) -> None:
    written = client.put(
        f"{VALUES}/A7:B7?includeValuesInResponse=true",
        params=RAW,
        json={"majorDimension": None, "values": [["New", 7]]},
    )
    assert (written.json()["updatedRange"], written.json()["updatedCells"]) == ("Sheet1!A7:B7", 2)
    assert client.get(f"{VALUES}/A7:B7", who="bo").json()["values"] == [["New", "7"]]
    assert (
        error(client.put(f"{VALUES}/A7", who="cyrus", params=RAW, json={"values": [["x"]]}), 403)["status"]
        == "PERMISSION_DENIED"
    )
    assert client.get(f"{VALUES}:batchGet", who="cyrus", params={"ranges": ["A7", "B7"]}).json()["valueRanges"][1][
        "values"
    ] == [["7"]]


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        (f"{VALUES}/Nowhere!A1", 400, "Unable to parse range: Nowhere!A1"),
        (f"{VALUES}/A1:%5B5", 400, "Unable to parse range: A1:[5"),
        ("/v4/spreadsheets/none", 404, "Requested entity was not found."),
        (f"/v4/spreadsheets/{SECRET}", 403, "The caller does not have permission"),
        (f"/v4/spreadsheets/{NOTES}/values/A1", 403, "The caller does not have permission"),
    ],
)
def test_refusals_are_in_the_vendors_words(client: SheetsClient, path: str, status: int, message: str) -> None:
    assert error(client.get(path, who="cyrus"), status)["message"] == message


def said(answer: Any) -> Any:
    """What an answer says; of a download as the operation says it."""
    kind = answer.headers["content-type"]
    if kind.startswith("application/json"):
        return answer.json()
    return {"content": urlsafe_b64encode(answer.content).decode(), "mimeType": kind.partition(";")[0]}


def status(problem: OperationError) -> int:
    return refusal(problem)[0]


def test_every_example_of_every_operation_comes_to_the_same_over_the_wire(client: SheetsClient, host: Host) -> None:
    known = {**drive.operations, **app.operations}
    for name in (name for name, operation in known.items() if any(operation.examples)):

        def direct(example: dict[str, Any], name: str = name) -> Any:
            return host.call(as_person(host, "ada"), "rest", name, example, "http://sheets.test/sheets")

        def wired(example: dict[str, Any], name: str = name) -> Any:
            asked = (drive_rest if name in drive.operations else rest).wire(name, example)
            answer = client.request(
                asked.method,
                asked.path,
                params=dict(asked.query),
                json=asked.json,
                content=asked.content,
                headers=asked.headers,
            )
            return (
                said(answer) if answer.status_code == 200 else None if answer.status_code == 204 else answer.status_code
            )

        expected = outcome(host, name, direct, status)
        assert outcome(host, name, wired, status) == expected, name


def test_the_wire_puts_arguments_where_the_document_has_them() -> None:
    made = rest.wire(
        "spreadsheets.values.update",
        {"spreadsheetId": "s/1", "range": "'It''s'!A1:B2", "valueInputOption": "RAW", "values": [[None]]},
    )
    assert (made.method, made.path) == ("PUT", "/v4/spreadsheets/s%2F1/values/%27It%27%27s%27%21A1%3AB2")
    assert (made.query, made.json) == ({"valueInputOption": "RAW"}, {"values": [[None]]})
    assert (
        rest.wire("spreadsheets.sheets.copyTo", {"spreadsheetId": "s", "sheetId": 7}).path
        == "/v4/spreadsheets/s/sheets/7:copyTo"
    )
    assert drive_rest.wire("drive.files.list", {"q": "trashed = false"}).query == {
        "q": "trashed = false",
        "fields": "*",
    }
    upload = drive_rest.wire("drive.files.create", {"name": "a", "content": "aGk", "contentType": "text/plain"})
    assert (
        upload.path == "/upload/drive/v3/files" and upload.content is not None and b"\r\n\r\nhi\r\n" in upload.content
    )
    assert rest.wire("web.anything", {"a": 1}).path == "/sync/web.anything"


def test_every_operation_is_of_a_scope_that_opens_its_method() -> None:
    for api in rest.APIS:
        for line in api.lines:
            operation = api.operation(line)
            assert operation is None or operation.scope in line.scopes, line.operation


def test_a_refused_request_is_a_call_like_any_other(client: SheetsClient, host: Host) -> None:
    actor = host.actors["w"]
    before = actor.version
    client.get(f"{VALUES}/A1?nonsense=1")
    client.put(f"{VALUES}/A1", content=b"{", headers={"Content-Type": "application/json"})
    rows = actor.bound.raw.execute(
        "SELECT operation, door, status FROM _call WHERE seq > ? ORDER BY seq", (before,)
    ).fetchall()
    assert rows == [
        ("spreadsheets.values.get", "rest", "invalid_arguments"),
        ("spreadsheets.values.update", "rest", "invalid_arguments"),
    ]
