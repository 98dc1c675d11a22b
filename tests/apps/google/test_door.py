"""The door of Google's APIs, through Sheets and Drive. Every answer is compared with the discovery documents."""

from typing import Any

import pytest

from tests.apps.google.conftest import Staged
from tests.apps.google.shelf import ASKED, LETTERS
from tests.company import as_person
from tests.conformance.mail import told
from tests.conformance.sheets_client import SheetsClient
from world.script.faults import Fault

VALUES = "/v4/spreadsheets/s1/values"
FILES = "/drive/v3/files"
PAYLOAD = "Invalid JSON payload received. "


def error(answer: Any, status: int) -> dict[str, Any]:
    """The error of an answer that must be one."""
    assert answer.status_code == status, answer.text
    return answer.json()["error"]


@pytest.mark.parametrize(
    ("segment", "wanted"),
    [
        ("Sheet1", "Sheet1"),
        ("A1:B2", "A1:B2"),
        ("Sheet1!A1:B2", "Sheet1!A1:B2"),
        ("%27It%27%27s%27%21A1%3AB2", "'It''s'!A1:B2"),
        ("%27a%2Fb%27%21A%3AA", "'a/b'!A:A"),
        ("%27100%2525%27%21A1", "'100%25'!A1"),
        ("%27caf%C3%A9%20+%27!A1", "'café +'!A1"),
    ],
)
def test_a_range_in_a_path_is_decoded_once_and_may_hold_anything(
    client: SheetsClient, segment: str, wanted: str
) -> None:
    assert client.get(f"{VALUES}/{segment}").json()["range"] == wanted
    assert (
        client.put(f"{VALUES}/{segment}?valueInputOption=RAW", json={"values": [[1]]}).json()["updatedRange"] == wanted
    )


@pytest.mark.parametrize("path", [":batchUpdate", "%3AbatchUpdate"])
def test_a_verb_behind_a_colon_is_read_in_both_spellings(client: SheetsClient, path: str) -> None:
    answer = client.post(f"/v4/spreadsheets/s1{path}", json={"requests": [{"addSheet": {}}, {"addSheet": {}}]})
    assert answer.json() == {"spreadsheetId": "s1", "replies": [{}, {}]}
    assert client.post(f"{VALUES}/A1%3AB2%3Aappend", json={}).json() == {"spreadsheetId": "s1"}
    assert ASKED[-1]["range"] == "A1:B2"
    assert client.post("/v4/spreadsheets/s1/sheets/12:copyTo", json={"destinationSpreadsheetId": "s2"}).json() == {
        "sheetId": 12
    }
    wrong = error(client.post("/v4/spreadsheets/s1/sheets/twelve:copyTo", json={}), 400)
    assert wrong["message"] == "Invalid value at 'sheet_id' (TYPE_INT32), \"twelve\""
    assert error(client.post("/v4/spreadsheets/:batchUpdate", json={"requests": []}), 404)["status"] == "NOT_FOUND"


def test_path_query_and_body_are_one_and_null_is_absent_but_in_cells(client: SheetsClient) -> None:
    body = {"range": "A1:B2", "majorDimension": None, "values": [[None, 1, "x"], []]}
    client.put(
        f"{VALUES}/A1:B2?valueInputOption=RAW&includeValuesInResponse=true&%24.xgafv=2&key=k&quotaUser=q", json=body
    )
    assert ASKED[-1] == {
        "spreadsheetId": "s1",
        "range": "A1:B2",
        "valueInputOption": "RAW",
        "includeValuesInResponse": True,
        "values": [[None, 1, "x"], []],
    }
    differing = error(client.put(f"{VALUES}/A1?valueInputOption=RAW", json={"range": "A2", "values": []}), 400)
    assert (
        differing["message"] == "Request range[A1] does not match value's range[A2]"
        and differing["status"] == "INVALID_ARGUMENT"
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"values": "x"}, "Invalid value at 'data.values' (type.googleapis.com/google.protobuf.ListValue), \"x\""),
        ({"values": ["x"]}, "Invalid value at 'data.values[0]' (type.googleapis.com/google.protobuf.ListValue), \"x\""),
        ({"cells": []}, PAYLOAD + "Unknown name \"cells\" at 'data': Cannot find field."),
    ],
)
def test_a_body_of_the_wrong_shape_is_refused_where_it_is_wrong(client: SheetsClient, body: Any, message: str) -> None:
    assert error(client.put(f"{VALUES}/A1?valueInputOption=RAW", json=body), 400)["message"] == message


def test_a_member_that_an_enumeration_has_not_is_refused_by_its_type(client: SheetsClient) -> None:
    kind = "(type.googleapis.com/google.apps.sheets.v4.{})"
    wrong = error(client.put(f"{VALUES}/A1?valueInputOption=TYPED", json={}), 400)
    assert wrong["message"] == f"Invalid value at 'value_input_option' {kind.format('ValueInputOption')}, \"TYPED\""
    wrong = error(client.put(f"{VALUES}/A1?valueInputOption=RAW", json={"majorDimension": "DIAGONALS"}), 400)
    assert wrong["message"] == f"Invalid value at 'data.major_dimension' {kind.format('Dimension')}, \"DIAGONALS\""
    assert client.put(f"{VALUES}/A1?valueInputOption=RAW", json={"majorDimension": "COLUMNS"}).status_code == 200


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"frobnicate": {}}, PAYLOAD + "Unknown name \"frobnicate\" at 'requests[0]': Cannot find field."),
        (
            {"repeatCell": {"cell": {"userEnteredFormat": {"backgroundColor": {"red": "crimson"}}}}},
            (
                "Invalid value at 'requests[0].repeat_cell.cell.user_entered_format.background_color.red' (TYPE_FLOAT),"
                ' "crimson"'
            ),
        ),
        (
            {"setBasicFilter": {"filter": {"criteria": {"0": {"hiddenValues": [1]}}}}},
            "Invalid value at 'requests[0].set_basic_filter.filter.criteria[0].hidden_values[0]' (TYPE_STRING), 1",
        ),
    ],
)
def test_a_request_of_a_batch_is_read_to_its_last_field(client: SheetsClient, request_: Any, message: str) -> None:
    assert (
        error(client.post("/v4/spreadsheets/s1:batchUpdate", json={"requests": [request_]}), 400)["message"] == message
    )


def test_requests_are_taken_under_either_spelling_with_whole_and_broken_numbers(client: SheetsClient) -> None:
    range_ = {"sheet_id": "7", "start_row_index": 1.0}
    color = {"red": 1, "green": 0.5, "blue": "0.25"}
    client.post(
        "/v4/spreadsheets/s1:batchUpdate",
        json={
            "requests": [
                {
                    "repeat_cell": {
                        "range": range_,
                        "cell": {"userEnteredFormat": {"textFormat": {"foregroundColor": color}}},
                    }
                }
            ]
        },
    )
    (request,) = ASKED[-1]["requests"]
    assert request["repeatCell"]["range"] == {"sheetId": 7, "startRowIndex": 1}
    assert request["repeatCell"]["cell"]["userEnteredFormat"]["textFormat"]["foregroundColor"] == {
        "red": 1,
        "green": 0.5,
        "blue": 0.25,
    }


def test_a_whole_number_is_written_without_a_fraction(client: SheetsClient) -> None:
    answer = client.get(f"{VALUES}/A1?prettyPrint=false")
    assert b'[[105,0.5,"7.0",true,1e+21],[-3]]' in answer.content


def test_errors_of_the_newer_api_have_no_list_and_those_of_drive_have(client: SheetsClient) -> None:
    assert set(error(client.get(f"{VALUES}/A1?colour=red"), 400)) == {"code", "message", "status", "details"}
    missing = error(client.get(f"{FILES}/f2"), 404)
    assert missing == {
        "code": 404,
        "message": "File not found: f2.",
        "errors": [
            {
                "message": "File not found: f2.",
                "domain": "global",
                "reason": "notFound",
                "location": "fileId",
                "locationType": "parameter",
            }
        ],
    }
    nobody = error(client.get(f"{FILES}/f1", headers={"Authorization": None}), 401)
    assert nobody["errors"][0]["reason"] == "required" and nobody["details"][0]["metadata"] == {
        "service": "drive.googleapis.com"
    }
    assert "errors" not in error(client.get(f"{VALUES}/A1", headers={"Authorization": "Bearer no"}), 401)


def test_a_mask_says_whether_cells_are_wanted(client: SheetsClient) -> None:
    place = "/v4/spreadsheets/s1"
    assert "data" not in client.get(f"{place}?includeGridData=true&fields=sheets.properties").json()["sheets"][0]
    assert ASKED[-1]["includeGridData"] is False
    for fields in ("*", "sheets", "sheets.data", "sheets/data/startRow", "sheets(properties,data)", "sheets/*"):
        assert client.get(f"{place}?fields={fields}").json()["sheets"][0]["data"] == [{"startRow": 0}], fields
    assert client.get(f"{place}?fields=sheets(properties(title))").json() == {
        "sheets": [{"properties": {"title": "Sheet1"}}]
    }
    client.get(f"{place}?includeGridData=true")
    assert ASKED[-1]["includeGridData"] is True
    wrong = error(client.get(f"{place}?fields=sheets.cells"), 400)
    assert (
        wrong["message"] == "Error expanding 'fields' parameter. Cannot find matching fields for path 'sheets/cells'."
    )


def test_drive_answers_a_few_fields_unless_asked_for_others(client: SheetsClient) -> None:
    few = {"kind": "drive#file", "id": "f1", "name": "Untitled", "mimeType": "text/plain"}
    assert client.get(f"{FILES}/f1").json() == few
    assert client.get(FILES).json() == {"kind": "drive#fileList", "incompleteSearch": False, "files": [few]}
    assert client.get(f"{FILES}/f1?fields=id,properties/b").json() == {"id": "f1", "properties": {"b": "2"}}
    assert client.get(f"{FILES}/f1?fields=*").json()["starred"] is False
    assert client.get(f"{FILES}?fields=files(id)").json() == {"files": [{"id": "f1"}]}
    wrong = error(client.get(f"{FILES}?fields=items(id)"), 400)
    assert (wrong["message"], wrong["errors"][0]["location"]) == ("Invalid field selection items", "fields")
    required = error(client.get(f"{FILES}/f1/comments"), 400)
    assert required["message"] == "The 'fields' parameter is required for this method."
    assert client.get(f"{FILES}/f1/comments?fields=comments/id").json() == {"comments": []}


def test_unknown_fields_of_a_file_are_passed_over_but_not_wrong_ones(client: SheetsClient) -> None:
    assert client.post(FILES, json={"title": "Budget", "capabilities": {"canFly": True}}).json()["name"] == "Untitled"
    assert error(client.post(FILES, json={"name": 7}), 400)["message"] == "Invalid value at 'name' (TYPE_STRING), 7"
    assert (
        error(client.post(FILES, json={"properties": {"a": 7}}), 400)["message"]
        == "Invalid value at 'properties[a]' (TYPE_STRING), 7"
    )


def test_deletes_answer_204_and_the_trash_is_no_file(client: SheetsClient) -> None:
    for path in (f"{FILES}/trash", f"{FILES}/f1"):
        answer = client.delete(path)
        assert (answer.status_code, answer.content) == (204, b"")
    assert [one.get("fileId") for one in ASKED] == [None, "f1"]
    assert client.post(f"{FILES}/f1", headers={"X-HTTP-Method-Override": "DELETE"}).status_code == 204


def test_a_file_is_downloaded_whole_and_in_parts(client: SheetsClient) -> None:
    whole = client.get(f"{FILES}/f1?alt=media")
    assert (whole.status_code, whole.content, whole.headers["content-type"]) == (200, LETTERS, "image/png")
    part = client.get(f"{FILES}/f1?alt=media", headers={"Range": "bytes=1000-9999"})
    assert (part.status_code, part.content, part.headers["content-range"]) == (
        206,
        LETTERS[1000:],
        "bytes 1000-1023/1024",
    )
    assert client.get(f"{FILES}/f1?alt=media", headers={"Range": "bytes=1024-"}).status_code == 416
    assert client.get(f"{FILES}/f1?alt=media", headers={"Range": "lines=1-2"}).content == LETTERS
    exported = client.get(f"{FILES}/f1/export?mimeType=text/csv")
    assert (exported.content, exported.headers["content-type"]) == (b"a,b\r\n", "text/csv")
    assert error(client.get(f"{FILES}/f2?alt=media"), 404)["message"] == "File not found: f2."


def test_uploads_come_simple_in_two_parts_and_in_pieces(client: SheetsClient) -> None:
    made = client.post(
        "/upload/drive/v3/files?uploadType=media&fields=*", content=b"abc", headers={"Content-Type": "text/csv"}
    ).json()
    assert (made["size"], made["mimeType"]) == ("3", "text/csv")
    parts = (
        b'--x\r\nContent-Type: application/json\r\n\r\n{"name": "Two"}\r\n--x\r\nContent-Type:'
        b" text/csv\r\n\r\n\r\n--x--"
    )
    answer = client.patch(
        "/upload/drive/v3/files/f1?uploadType=multipart&fields=name,size",
        content=parts,
        headers={"Content-Type": "multipart/related; boundary=x"},
    )
    assert answer.json() == {"name": "Two", "size": "0"} and (ASKED[-1]["fileId"], ASKED[-1]["contentType"]) == (
        "f1",
        "text/csv",
    )
    begun = client.post(
        "/resumable/upload/drive/v3/files?uploadType=resumable&fields=size,name",
        json={"name": "Three"},
        headers={"X-Upload-Content-Type": "application/pdf", "X-Upload-Content-Length": "5"},
    )
    place = begun.headers["location"].removeprefix("http://sheets.test/sheets")
    assert client.put(place, content=b"hello").json() == {"name": "Three", "size": "5"}
    assert ASKED[-1]["contentType"] == "application/pdf"
    assert error(client.put("/upload/v4/spreadsheets/s1/values/A1", content=b""), 404)["message"] == "Method not found."
    assert error(client.get("/upload/drive/v3/files"), 404)["message"] == "Method not found."


def test_a_file_too_large_for_memory_is_refused_before_it_is_read(client: SheetsClient) -> None:
    answer = client.post(
        "/upload/drive/v3/files?uploadType=resumable", headers={"X-Upload-Content-Length": "5497558138880"}
    )
    assert error(answer, 413)["message"] == "Request Entity Too Large" and not ASKED


def test_a_batch_holds_calls_of_both_apis_under_their_own_words(client: SheetsClient) -> None:
    calls = (
        ("GET", f"{VALUES}/A1", ""),
        ("GET", f"{FILES}/f2", ""),
        ("PUT", f"{VALUES}/%27a%27%21A1", '{"values": [["x"]]}'),
        ("DELETE", f"{FILES}/f1", ""),
    )
    for at in ("/batch", "/batch/sheets/v4", "/batch/drive/v3"):
        assert [told(part)[0] for part in client.batch(*calls, at=at)] == [200, 404, 200, 204]
    assert ASKED[-2]["range"] == "'a'!A1"


@pytest.mark.parametrize(
    ("scope", "reads", "writes", "deletes"),
    [
        ("spreadsheets", 200, 200, 403),
        ("spreadsheets.readonly", 200, 403, 403),
        ("drive", 200, 200, 204),
        ("drive.readonly", 200, 403, 403),
        ("drive.file", 200, 200, 204),
        ("drive.metadata.readonly", 403, 403, 403),
    ],
)
def test_a_token_reaches_as_far_as_its_scopes(
    client: SheetsClient, scope: str, reads: int, writes: int, deletes: int
) -> None:
    only = (scope,)
    assert client.get(f"{VALUES}/A1", scopes=only).status_code == reads
    assert client.put(f"{VALUES}/A1", json={}, scopes=only).status_code == writes
    assert client.delete(f"{FILES}/f1", scopes=only).status_code == deletes
    denied = client.post(f"{FILES}", json={}, scopes=("gmail.readonly",))
    assert error(denied, 403)["errors"][0]["reason"] == "insufficientPermissions"
    assert 'error="insufficient_scope"' in denied.headers["www-authenticate"]


def test_a_token_for_what_files_are_called_opens_none(client: SheetsClient) -> None:
    named, opened = ("drive.metadata", "drive.metadata.readonly"), ("drive.readonly",)
    assert client.get(f"{FILES}/f1", scopes=named).status_code == 200
    assert (
        error(client.get(f"{FILES}/f1?alt=media", scopes=named), 403)["errors"][0]["reason"]
        == "insufficientPermissions"
    )
    assert client.get(f"{FILES}/f1?alt=media", scopes=opened).status_code == 200
    assert client.patch(f"{FILES}/f1", json={"name": "New"}, scopes=named).status_code == 200
    assert client.patch("/upload/drive/v3/files/f1?uploadType=media", content=b"x", scopes=named).status_code == 403


def test_a_token_of_no_app_in_particular_counts_and_one_of_another_does_not(client: SheetsClient) -> None:
    for of, status in (("", 200), ("sheets", 200), ("gmail", 401), ("slack", 401)):
        token = client.host.tokens.issue(as_person(client.host, "ada", app=of), "ya29.{}")
        assert client.get(f"{VALUES}/A1", headers={"Authorization": f"Bearer {token}"}).status_code == status, of


def test_what_is_not_there_is_noted_without_arguments(client: SheetsClient) -> None:
    for verb, path in (
        ("GET", f"{FILES}/secret/permissions"),
        ("POST", f"{VALUES}/secret:frob"),
        ("POST", "/v4/spreadsheets/secret:frob"),
        ("POST", "/v4/spreadsheets/secret/values:clear"),
        ("GET", "/v4/people"),
    ):
        assert error(client.request(verb, path), 404)["message"] == "Method not found."
    assert [one["method"] for one in client.host.misses("w")] == [
        "GET /v4/people",
        "POST /v4/spreadsheets/{}",
        "POST /v4/spreadsheets/{}/values/{}",
        "POST /v4/spreadsheets/{}/values:clear",
        "drive.permissions.list",
    ]


def test_the_pages_own_calls_stand_under_sync(client: SheetsClient) -> None:
    assert client.post("/sync/web.shelves", json={"wanted": 3}).json() == {"shelves": 3}
    assert client.post("/sync/drive.files.delete", json={}).status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "kind", "group"),
    [("GET", f"{VALUES}/A1", "Read", "read"), ("PUT", f"{VALUES}/A1", "Write", "write")],
)
def test_a_quota_names_what_it_counts(staged: Staged, method: str, path: str, kind: str, group: str) -> None:
    shown = error(
        staged(Fault("f", "sheets", "ratelimit")).request(method, path, **({"json": {}} if method == "PUT" else {})),
        429,
    )
    assert (
        shown["status"] == "RESOURCE_EXHAUSTED"
        and shown["message"]
        == f"Quota exceeded for quota metric '{kind} requests' and limit '{kind} requests per minute per user' of"
        " service 'sheets.googleapis.com' for consumer 'project_number:204817730165'."
    )
    reason, help_ = shown["details"]
    assert (reason["reason"], reason["metadata"]["quota_metric"]) == (
        "RATE_LIMIT_EXCEEDED",
        f"sheets.googleapis.com/{group}_requests",
    )
    assert help_["links"]


def test_drive_has_its_own_words_for_a_limit_and_outages_theirs(staged: Staged) -> None:
    limited = staged(Fault("f", "sheets", "ratelimit", retry_after_s=7)).get(f"{FILES}/f1")
    assert error(limited, 403)["errors"] == [
        {"message": "User Rate Limit Exceeded", "domain": "usageLimits", "reason": "userRateLimitExceeded"}
    ]
    assert limited.headers["retry-after"] == "7"


@pytest.mark.parametrize(
    ("kind", "status", "google"),
    [("error", 500, "INTERNAL"), ("readonly", 503, "UNAVAILABLE"), ("timeout", 504, "DEADLINE_EXCEEDED")],
)
def test_outages_have_the_vendors_shape(staged: Staged, kind: str, status: int, google: str) -> None:
    client = staged(Fault("f", "sheets", kind))  # type: ignore[arg-type]
    assert error(client.put(f"{VALUES}/A1", json={}), status)["status"] == google
