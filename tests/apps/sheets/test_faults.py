"""Sheets and its drive when something fails: quotas as the vendor counts them, and a service that does not compute."""

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import apps.drive
import apps.sheets
from tests.apps.sheets.conftest import BUDGET, NOTES
from tests.company import START, as_person
from tests.conformance.sheets_client import SheetsClient
from world.core.access import Tokens
from world.core.clock import MINUTE, SECOND
from world.core.errors import OperationError, Outage
from world.core.operation import Pool
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.server.agent_plane import agent_plane
from world.store import Base, Store
from world.web.session import COOKIE

VALUES = f"/v4/spreadsheets/{BUDGET}/values"
WORDS = (
    "Quota exceeded for quota metric '{} requests' and limit '{} requests per minute{}' of service"
    " 'sheets.googleapis.com' for consumer "
)
LOADING = {"type": "LOADING", "message": "Loading..."}
ME = f"/d/{BUDGET}/edit"
# where a form stands, what it leads to, its id, what is typed, how that stands there again, and what is said of it
FORMS: list[tuple[str, str, str, dict[str, str], list[str], str]] = [
    (
        "/my-drive?dialog=new-folder",
        "new",
        "new-folder",
        {"kind": "folder", "name": "Plans 2027"},
        ['value="Plans 2027"'],
        "It wasn't created.",
    ),
    (
        f"{ME}?dialog=rename",
        "drive.files.update",
        "rename",
        {"fileId": BUDGET, "name": "Budget 2"},
        ['value="Budget 2"'],
        "Your change wasn't saved.",
    ),
    (
        f"{ME}?dialog=details",
        "drive.files.update",
        "describe",
        {"fileId": BUDGET, "description": "By team"},
        [">By team</textarea>"],
        "Your change wasn't saved.",
    ),
    (
        f"{ME}?dialog=share",
        "share",
        "share",
        {"fileId": BUDGET, "emails": "bo@tiny.example, eve@tiny.example", "role": "commenter", "message": "Look."},
        [
            'value="bo@tiny.example, eve@tiny.example"',
            'value="commenter" selected',
            ">Look.</textarea>",
            'name="notify" value="true">',
        ],
        "It wasn't shared.",
    ),
    (
        f"{ME}?dialog=copy",
        "copy",
        "copy",
        {"fileId": BUDGET, "name": "Mine", "shared": "true"},
        ['value="Mine"', 'name="shared" value="true" checked'],
        "The copy wasn't made.",
    ),
    (
        f"{ME}?dialog=move&at=root",
        "move",
        "move",
        {"fileId": BUDGET, "to": "root", "from": ""},
        ['id="move-error"'],
        "It wasn't moved.",
    ),
    (
        f"{ME}?pane=comments",
        "comment",
        "new-comment",
        {"fileId": BUDGET, "content": "Why?", "cell": "B2", "assignee_text": "bo@tiny.example"},
        [
            ">Why?</textarea>",
            'name="cell" value="B2"',
            'name="assignee_text" value="bo@tiny.example"',
            '<details class="assign" open>',
        ],
        "Your comment wasn't posted.",
    ),
    (
        ME,
        "cell",
        "plain-cell",
        {"key": BUDGET, "gid": "0", "cell": "F9", "text": "=1+"},
        ['value="F9"', 'value="=1+"'],
        "Your edit wasn't saved.",
    ),
]
Staged = Callable[..., SheetsClient]


@pytest.fixture
def staged(sealed: Path, tmp_path: Path) -> Iterator[Staged]:
    """`staged(fault, read_s=0)`: a client of a world in which faults are on from the first second to the tenth minute."""
    made: list[SheetsClient] = []

    def stage(*faults: Fault, **settings: Any) -> SheetsClient:
        host = Host(
            Store(tmp_path / f"worlds{len(made)}", Base(sealed)),
            [apps.drive.app, apps.sheets.app],
            Tokens("test secret"),
        )
        script = Script("test", START)
        for fault in faults:
            script.fault(fault, start="+1s", end="+10m")
        host.create("w", Settings(**settings), compile_script(script, horizon="2h"))
        host.actors["w"].advance(START + 2 * SECOND)
        made.append(SheetsClient(host))
        made[-1].http.__enter__()
        return made[-1]

    yield stage
    for one in made:
        one.http.__exit__()


def used(client: SheetsClient, who: str, operation: str, times: int, **arguments: Any) -> None:
    """So many calls at once, accepted or not, but none of them for want of quota."""
    for _ in range(times):
        try:
            client.host.call(as_person(client.host, who), "rest", operation, arguments)
        except Outage:
            raise
        except OperationError:
            continue


def error(answer: Any) -> Any:
    """The error of an answer."""
    return answer.json()["error"]


# quotas


def test_reads_are_counted_together_over_all_methods_and_apart_from_writes_and_from_the_drive(staged: Staged) -> None:
    client = staged(read_s=0, write_s=0)
    used(client, "ada", "spreadsheets.values.get", 30, spreadsheetId=BUDGET, range="A1")
    used(client, "ada", "spreadsheets.get", 30, spreadsheetId=BUDGET)
    refused = client.get(f"{VALUES}/A1")
    assert (refused.status_code, error(refused)["status"], refused.headers["retry-after"]) == (
        429,
        "RESOURCE_EXHAUSTED",
        "60",
    )
    assert error(refused)["message"].startswith(WORDS.format("Read", "Read", " per user"))
    metadata = error(refused)["details"][0]["metadata"]
    assert (metadata["quota_limit"], metadata["quota_limit_value"]) == ("ReadRequestsPerMinutePerUser", "60")
    assert client.put(f"{VALUES}/F1?valueInputOption=RAW", json={"values": [["x"]]}).status_code == 200
    assert client.get("/drive/v3/files").status_code == 200
    assert client.get(f"{VALUES}/A1", who="bo").status_code == 200
    client.host.actors["w"].advance(START + MINUTE + 3 * SECOND)
    assert client.get(f"{VALUES}/A1").status_code == 200


def test_writes_are_counted_together_whatever_becomes_of_them(staged: Staged) -> None:
    client = staged(read_s=0, write_s=0)
    used(
        client,
        "ada",
        "spreadsheets.values.update",
        59,
        spreadsheetId=BUDGET,
        range="Nope!A1",
        valueInputOption="RAW",
        values=[["x"]],
    )
    assert (
        client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json={"requests": [{"addSheet": {}}] * 5}).status_code
        == 200
    )  # one request
    refused = client.post(f"{VALUES}/A1:clear", json={})
    assert refused.status_code == 429 and error(refused)["message"].startswith(
        WORDS.format("Write", "Write", " per user")
    )
    assert client.get(f"{VALUES}/A1").status_code == 200


def test_all_users_of_a_project_share_a_quota_that_is_told_as_the_projects(
    staged: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = staged(read_s=0)
    for name in ("spreadsheets.get", "spreadsheets.values.get"):
        known = client.host.operation(name)
        assert known.pool == Pool("reads", 60, everybody=300)
        for where in (client.host.operations, client.host.apps["sheets"].operations):
            monkeypatch.setitem(where, name, replace(known, pool=Pool("reads", 60, everybody=90)))
    used(client, "ada", "spreadsheets.get", 50, spreadsheetId=BUDGET)
    client.host.actors["w"].advance(START + 30 * SECOND)
    used(client, "bo", "spreadsheets.get", 40, spreadsheetId=BUDGET)
    refused = client.get(f"{VALUES}/A1", who="dee")
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "32")
    assert error(refused)["message"].startswith(WORDS.format("Read", "Read", ""))
    metadata = error(refused)["details"][0]["metadata"]
    assert (metadata["quota_limit"], metadata["quota_limit_value"]) == ("ReadRequestsPerMinutePerProject", "300")


def test_the_page_and_the_worlds_people_use_no_quota(staged: Staged) -> None:
    client = staged(read_s=0)
    used(client, "ada", "web.cells", 61, spreadsheetId=BUDGET)
    pools = {name: one.pool.name for name, one in client.host.operations.items() if one.pool}
    assert {pools[name] for name in ("spreadsheets.get", "spreadsheets.values.batchGetByDataFilter")} == {"reads"}
    assert {pools[name] for name in ("spreadsheets.create", "spreadsheets.values.batchClear")} == {"writes"}
    assert {pool for name, pool in pools.items() if name.startswith("drive.")} == {"files"}
    assert {name for name in pools if name.startswith("web.")} == {
        "web.create",
        "web.copySheet",
        "web.share",
        "web.setAccess",
    }  # tools ask for them


# a service that does not compute


def grid(client: SheetsClient, area: str) -> list[list[dict[str, Any]]]:
    """The CellData of an area."""
    answer = client.get(f"/v4/spreadsheets/{BUDGET}", params={"ranges": area, "includeGridData": "true"})
    return [row.get("values", []) for row in answer.json()["sheets"][0]["data"][0]["rowData"]]


def values(client: SheetsClient, area: str, how: str = "FORMATTED_VALUE") -> Any:
    """The values of an area."""
    return client.get(f"{VALUES}/{area}", params={"valueRenderOption": how}).json().get("values")


def test_a_service_that_is_behind_shows_loading_wherever_nobody_typed_the_value(staged: Staged) -> None:
    client = staged(Fault("slow", "sheets", "degraded"))
    for how in ("FORMATTED_VALUE", "UNFORMATTED_VALUE"):
        assert values(client, "A2:D2", how) == [
            ["Core", *(["1200", "1350.5"] if how.startswith("F") else [1200, 1350.5]), "Loading..."]
        ]
    assert values(client, "D2:D2", "FORMULA") == [["=B2+C2"]]
    [[typed, computed]] = grid(client, "C2:D2")
    assert typed["effectiveValue"] == {"numberValue": 1350.5}
    assert computed["userEnteredValue"] == {"formulaValue": "=B2+C2"} and computed["formattedValue"] == "Loading..."
    assert computed["effectiveValue"] == {"errorValue": LOADING}


def test_what_is_typed_is_kept_and_all_of_it_computes_when_the_fault_is_over(staged: Staged) -> None:
    client = staged(Fault("slow", "sheets", "degraded"))
    asked = {"valueInputOption": "USER_ENTERED", "includeValuesInResponse": "true"}
    told = client.put(f"{VALUES}/F1:G1", params=asked, json={"values": [["7", "=F1*2"]]}).json()
    assert told["updatedData"]["values"] == [["7", "Loading..."]]
    client.put(f"{VALUES}/B2", params=asked, json={"values": [["1000"]]})
    client.put(f"{VALUES}/H1", params=asked, json={"values": [["=SEQUENCE(1,2)"]]})
    assert values(client, "H1:I1") == [["Loading...", "Loading..."]]  # the second is filled by the first
    client.host.actors["w"].advance(START + 11 * MINUTE)
    assert values(client, "F1:I1") == [["7", "14", "1", "2"]]
    assert values(client, "B2:D2") == [["1000", "1350.5", "2350.5"]]
    assert grid(client, "D2")[0][0]["effectiveValue"] == {"numberValue": 2350.5}


def test_only_what_comes_from_other_spreadsheets_may_be_behind(staged: Staged) -> None:
    client = staged(Fault("slow", "sheets", "degraded", reason="imports"))
    formulas = [[f'=IMPORTRANGE("{BUDGET}", "Sheet1!B2")', "=A1*2", "=1+1"]]
    client.put(
        f"/v4/spreadsheets/{NOTES}/values/A1:C1",
        params={"valueInputOption": "USER_ENTERED"},
        json={"values": formulas},
        who="bo",
    )
    asked = f"/v4/spreadsheets/{NOTES}/values/A1:C1"
    assert client.get(asked, who="bo").json()["values"] == [["Loading...", "Loading...", "2"]]
    assert values(client, "D2") == [["2550.5"]]
    client.host.actors["w"].advance(START + 11 * MINUTE)
    assert client.get(asked, who="bo").json()["values"] == [["1200", "2400", "2"]]


def test_a_row_is_sorted_by_what_it_comes_to_even_while_that_is_not_shown(staged: Staged) -> None:
    client = staged(Fault("slow", "sheets", "degraded"))
    area = {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 3, "startColumnIndex": 0, "endColumnIndex": 4}
    sort = {"sortRange": {"range": area, "sortSpecs": [{"dimensionIndex": 3, "sortOrder": "ASCENDING"}]}}
    assert client.post(f"/v4/spreadsheets/{BUDGET}:batchUpdate", json={"requests": [sort]}).status_code == 200
    assert values(client, "A2:A3") == [["Support"], ["Core"]]


def test_an_export_as_text_holds_what_is_shown(staged: Staged) -> None:
    client = staged(Fault("slow", "drive", "degraded", operations=("drive.files.export",)))
    assert (
        client.get(f"/drive/v3/files/{BUDGET}/export", params={"mimeType": "text/csv"}).text.splitlines()[1]
        == "Core,1200,1350.5,Loading..."
    )
    assert values(client, "D2") == [["2550.5"]]


# forms of the pages


@pytest.fixture
def browser(staged: Staged) -> Iterator[Callable[..., TestClient]]:
    """`browser(fault)`: Ada's browser, without a browser."""
    made: list[TestClient] = []

    def opened(*faults: Fault) -> TestClient:
        host = staged(*faults).host
        key = host.tokens.issue(host.principal("w", "ada", kind="session"))
        made.append(
            TestClient(
                agent_plane(host, [apps.drive, apps.sheets]), base_url="http://testserver", follow_redirects=False
            )
        )
        made[-1].__enter__().cookies.set(COOKIE, key)
        made[-1].app.state.host = host  # type: ignore[attr-defined]
        return made[-1]

    yield opened
    for one in made:
        one.__exit__()


def post(client: TestClient, page: str, action: str, given: dict[str, str], **more: Any) -> Any:
    """A form sent from a page."""
    token = re.search(r'name="_token" value="([^"]+)"', client.get("/sheets/more", headers={"Firm-Live": "1"}).text)
    assert token
    headers = {"Referer": f"http://testserver/sheets{page}", "Origin": "http://testserver", **more.pop("headers", {})}
    return client.post(f"/sheets/do/{action}", data={**given, "_token": token[1]}, headers=headers, **more)


@pytest.mark.parametrize(("page", "action", "form", "given", "again", "lost"), FORMS, ids=[one[2] for one in FORMS])
def test_a_form_that_meets_an_outage_shows_again_what_was_typed(
    browser: Callable[..., TestClient],
    page: str,
    action: str,
    form: str,
    given: dict[str, str],
    again: list[str],
    lost: str,
) -> None:
    client = browser(Fault("closed", "sheets", "readonly"), Fault("no files", "drive", "readonly"))
    answer = post(client, page, action, {**given, "_form": form})
    shown = html.unescape(answer.text)
    assert answer.status_code == 503 and "Sheets is read-only right now." in shown and lost in shown
    assert [text for text in again if text not in shown] == []
    script = {"HX-Request": "true", "HX-Current-URL": f"http://testserver/sheets{page}"}
    beside = post(client, page, action, {**given, "_form": form}, headers=script)
    assert (beside.status_code, beside.headers["hx-retarget"], beside.headers["hx-reswap"]) == (
        503,
        f"#{form}-error",
        "innerHTML",
    )
    assert lost in html.unescape(beside.text) and "<form" not in beside.text


def test_an_upload_that_meets_an_outage_names_the_files_to_choose_again(browser: Callable[..., TestClient]) -> None:
    client = browser(Fault("down", "drive", "error", operations=("drive.files.create",)))
    files = [("file", ("plan.csv", b"a,b")), ("file", ("notes.txt", b"c"))]
    answer = post(client, "/my-drive?dialog=upload", "upload", {"_form": "upload"}, files=files)
    shown = html.unescape(answer.text)
    assert (
        answer.status_code == 500
        and "Trying to reconnect. Upload failed. Sheets is having trouble connecting." in shown
    )
    assert "Choose again: plan.csv, notes.txt" in shown and 'name="convert" value="true">' in shown


def test_an_import_that_meets_an_outage_keeps_its_choices(browser: Callable[..., TestClient]) -> None:
    client = browser(Fault("down", "sheets", "error", operations=("web.import",)))
    given = {"_form": "import", "fileId": BUDGET, "where": "append", "separator": "comma"}
    shown = html.unescape(
        post(client, f"{ME}?dialog=import", "import", given, files=[("file", ("plan.csv", b"a,b"))]).text
    )
    assert "Import failed." in shown and "Choose again: plan.csv" in shown
    assert (
        '<option value="append" selected>' in shown
        and '<option value="comma" selected>' in shown
        and 'name="typed" value="true">' in shown
    )


def test_an_answer_that_meets_an_outage_stands_below_its_thread_again(browser: Callable[..., TestClient]) -> None:
    client = browser(Fault("down", "drive", "error", operations=("drive.replies.create",)))
    assert post(client, f"{ME}?pane=comments", "comment", {"fileId": BUDGET, "content": "Why?"}).status_code == 303
    listed = client.app.state.host.call(
        as_person(client.app.state.host), "rest", "drive.comments.list", {"fileId": BUDGET}
    )  # type: ignore[attr-defined]
    key = listed["comments"][0]["id"]
    given = {"_form": f"reply-{key}", "fileId": BUDGET, "commentId": key, "content": "Because."}
    shown = html.unescape(post(client, f"{ME}?pane=comments", "reply", given).text)
    assert ">Because.</textarea>" in shown and "Your reply wasn't posted." in shown


# the page of a spreadsheet


def test_a_page_while_nothing_can_be_changed_says_so_and_is_there_to_look_at(
    browser: Callable[..., TestClient],
) -> None:
    client = browser(Fault("closed", "sheets", "readonly"))
    shown = client.get(f"/sheets{ME}")
    assert shown.status_code == 200 and 'data-closed="1"' in shown.text and "2550.5" in shown.text
    banner = html.unescape(shown.text.partition('id="banner"')[2].partition('class="button')[0])
    assert 'role="alert"' in banner and "Trying to reconnect" in banner and "Sheets is read-only right now." in banner
    assert 'data-saved="unsaved"><span>Trying to reconnect' in shown.text
    host = client.app.state.host  # type: ignore[attr-defined]
    client.cookies.set(COOKIE, host.tokens.issue(host.principal("w", "cyrus", kind="session")))
    assert "Trying to reconnect" not in client.get(f"/sheets{ME}").text  # who may only look is told nothing
    client.cookies.set(COOKIE, host.tokens.issue(host.principal("w", "ada", kind="session")))
    host.actors["w"].advance(START + 11 * MINUTE)
    after = client.get(f"/sheets{ME}").text
    assert "data-closed" not in after and "Trying to reconnect" not in after and "Saved to Drive" in after


def test_a_page_of_a_spreadsheet_that_is_not_computed_shows_loading_in_its_cells(
    browser: Callable[..., TestClient],
) -> None:
    client = browser(Fault("slow", "sheets", "degraded"))
    shown = client.get(f"/sheets{ME}").text
    assert shown.count("<td>Loading...</td>") == 5 and "<td>1350.5</td>" in shown and "2550.5" not in shown
    cells = client.get(f"/sheets{ME}", headers={"HX-Request": "true", "HX-Target": "cells"}).text
    assert '[1,3,"Loading...","e",0,{"e":"=B2+C2","m":"Loading..."}]' in html.unescape(cells)
