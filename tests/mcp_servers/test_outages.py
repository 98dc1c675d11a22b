"""Emulated failures at the tool door: results in the vendor's words, with nothing that tells they are emulated."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

import apps.drive
import apps.github
import apps.gmail
import apps.jira
import apps.sheets
import apps.slack
from tests.apps.github.conftest import rows as hub_rows
from tests.apps.gmail.conftest import mail_rows
from tests.apps.jira.tracker import rows as tracker_rows
from tests.apps.sheets.conftest import BUDGET, sheet_rows
from tests.apps.slack.rows import CORE, workspace_rows
from tests.company import START, image
from tests.mcp_servers.calls import Desk
from tests.mcp_servers.memo import app as pad
from world.core.access import Tokens
from world.core.clock import SECOND
from world.core.settings import Settings
from world.run.host import Host
from world.script.faults import Fault
from world.script.scenario import Script, compile_script
from world.store import Base, Store

APPS = [apps.slack.app, apps.jira.app, apps.gmail.app, apps.github.app, apps.drive.app, apps.sheets.app, pad]
TELLS = ("fault", "outage", "emulat", "inject", "transport", "corrupt", "write_then", "simulat")


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(
        tmp_path_factory.mktemp("all"),
        APPS,
        lambda: [*workspace_rows(), *tracker_rows(), *mail_rows(), *hub_rows(), *sheet_rows()],
    )


def troubled(sealed: Path, folder: Path, fault: Fault | None, **settings: object) -> Host:
    """A host whose world `w` has one fault from the first second on; one of Sheets is one of its files too."""
    made = Host(Store(folder / "worlds", Base(sealed)), APPS, Tokens("test secret"))
    script = Script("test", START)
    if fault is not None:
        script.fault(fault, start="+1s")
    if fault is not None and fault.service == "sheets":
        script.fault(replace(fault, id="files", service="drive"), start="+1s")
    made.create("w", Settings(**settings), compile_script(script, horizon="2h"))  # type: ignore[arg-type]
    made.actors["w"].advance(START + 2 * SECOND)
    return made


KINDS = [
    "error",
    "timeout",
    "ratelimit",
    "readonly",
    "partial",
    "corrupt_payload",
    "transport",
    "auth_expired",
    "write_then_error",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("app", "surface", "tool", "given"),
    [
        ("slack", "vendor", "slack_send_message", {"channel_id": CORE, "message": "x"}),
        ("jira", "community", "jira_create_issue", {"project_key": "SHOP", "summary": "x", "issue_type": "Task"}),
        ("gmail", "community", "send_email", {"to": ["bo@tiny.example"], "subject": "x", "body": "y"}),
        ("gmail", "vendor", "create_draft", {"subject": "x"}),
        ("gmail", "workspace", "send_gmail_message", {"to": "bo@tiny.example", "subject": "x", "body": "y"}),
        ("github", "vendor", "issue_write", {"method": "create", "owner": "tiny", "repo": "app", "title": "x"}),
        ("github", "reference", "create_issue", {"owner": "tiny", "repo": "app", "title": "x"}),
        (
            "sheets",
            "community",
            "update_cells",
            {"spreadsheet_id": BUDGET, "sheet": "Sheet1", "range": "F1", "data": [["x"]]},
        ),
        ("sheets", "community", "create_spreadsheet", {"title": "x"}),
        ("sheets", "vendor", "update_values", {"spreadsheetId": BUDGET, "range": "F1", "values": [["x"]]}),
        (
            "sheets",
            "workspace",
            "modify_sheet_values",
            {"spreadsheet_id": BUDGET, "range_name": "F1", "values": [["x"]]},
        ),
        ("pad", "operations", "pad_write_note", {"text": "x"}),
    ],
)
def test_a_failing_service_answers_in_its_own_words(
    sealed: Path, tmp_path: Path, kind: str, app: str, surface: str, tool: str, given: dict[str, Any]
) -> None:
    host = troubled(sealed, tmp_path, Fault("down", app, kind, retry_after_s=30 if kind == "ratelimit" else None))  # type: ignore[arg-type]
    refused, text = Desk(host, app, surface).ask(tool, **given)
    assert refused and text
    assert not [word for word in TELLS if word in text.lower()], text
    assert ("Retry after 30 seconds." in text) == (kind == "ratelimit")


def test_a_limit_names_the_time_to_wait(sealed: Path, tmp_path: Path) -> None:
    host = troubled(sealed, tmp_path, None, read_s=0)
    desk = Desk(host, "slack", "reference")
    answers = [desk.ask("slack_get_users") for _ in range(30)]
    refused = [text for is_error, text in answers if is_error]
    assert refused and not answers[0][0]
    body, wait = refused[0].split("\n")
    assert orjson.loads(body) == {"ok": False, "error": "ratelimited"} and wait == "Retry after 60 seconds."


def test_a_tracker_that_is_down_says_so_as_rest_does(sealed: Path, tmp_path: Path) -> None:
    host = troubled(sealed, tmp_path, Fault("down", "jira", "error"))
    _, text = Desk(host, "jira").ask("atlassianUserInfo")
    assert orjson.loads(text) == {"errorMessages": ["Internal server error"], "errors": {}}


def test_a_mailbox_that_is_down_says_so_as_rest_does(sealed: Path, tmp_path: Path) -> None:
    host = troubled(sealed, tmp_path, Fault("down", "gmail", "error"))
    error = orjson.loads(Desk(host, "gmail").ask("list_email_labels")[1])["error"]
    assert (error["code"], error["status"]) == (500, "INTERNAL")


def test_a_quota_that_is_used_up_names_the_time_to_wait(sealed: Path, tmp_path: Path) -> None:
    desk = Desk(troubled(sealed, tmp_path, None, read_s=0, write_s=0), "gmail")
    answers = [desk.ask("send_email", to=["bo@tiny.example"], subject="x", body="y") for _ in range(3)]
    assert [is_error for is_error, _ in answers] == [False, False, True]
    body, _, wait = answers[2][1].rpartition("\n")
    assert (
        orjson.loads(body)["error"]["errors"][0]["reason"] == "rateLimitExceeded" and wait == "Retry after 1 seconds."
    )


@pytest.mark.parametrize(
    ("tool", "given", "says", "reason"),
    [
        (
            "update_cells",
            {"spreadsheet_id": BUDGET, "sheet": "Sheet1", "range": "F1", "data": [["x"]]},
            "quota metric 'Write requests'",
            "RATE_LIMIT_EXCEEDED",
        ),
        (
            "get_sheet_data",
            {"spreadsheet_id": BUDGET, "sheet": "Sheet1"},
            "quota metric 'Read requests'",
            "RATE_LIMIT_EXCEEDED",
        ),
        ("list_spreadsheets", {}, "User Rate Limit Exceeded", "userRateLimitExceeded"),
        (
            "share_spreadsheet",
            {"spreadsheet_id": BUDGET, "recipients": [{"email_address": "dee@tiny.example", "role": "reader"}]},
            "User Rate Limit Exceeded",
            "userRateLimitExceeded",
        ),
    ],
)
def test_a_used_up_quota_is_that_of_the_api_that_was_asked(
    sealed: Path, tmp_path: Path, tool: str, given: dict[str, Any], says: str, reason: str
) -> None:
    host = troubled(sealed, tmp_path, Fault("down", "sheets", "ratelimit", retry_after_s=30))
    refused, text = Desk(host, "sheets").ask(tool, **given)
    assert refused and says in text and reason in text and text.endswith("Retry after 30 seconds."), text


PLACE = {"spreadsheet_id": BUDGET}
ASKED: list[tuple[str, str, dict[str, Any], bool]] = [  # surface, tool, arguments, whether it is the drive's
    ("vendor", "get_values", {"spreadsheetId": BUDGET, "range": "A1"}, False),
    ("vendor", "update_values", {"spreadsheetId": BUDGET, "range": "F1", "values": [["x"]]}, False),
    ("community", "get_sheet_data", {**PLACE, "sheet": "Sheet1"}, False),
    ("community", "create_spreadsheet", {"title": "x"}, True),
    (
        "community",
        "share_spreadsheet",
        {**PLACE, "recipients": [{"email_address": "dee@tiny.example", "role": "reader"}]},
        True,
    ),
    ("workspace", "modify_sheet_values", {**PLACE, "range_name": "F1", "values": [["x"]]}, False),
    ("workspace", "create_spreadsheet", {"title": "x"}, False),
    ("workspace", "list_spreadsheets", {}, True),
    ("workspace", "list_spreadsheet_comments", PLACE, True),
    ("workspace", "create_drive_folder", {"folder_name": "x"}, True),
    ("operations", "spreadsheets_get", {"spreadsheetId": BUDGET}, False),
]


@pytest.mark.parametrize(("kind", "code"), [("error", 500), ("timeout", 504), ("partial", 503), ("auth_expired", 401)])
@pytest.mark.parametrize("surface", ["vendor", "community", "workspace", "operations"])
def test_every_surface_fails_in_the_words_of_the_api_behind_the_tool(
    sealed: Path, tmp_path: Path, kind: str, code: int, surface: str
) -> None:
    desk = Desk(troubled(sealed, tmp_path, Fault("down", "sheets", kind)), "sheets", surface)  # type: ignore[arg-type]
    for _, tool, given, drives in [one for one in ASKED if one[0] == surface]:
        refused, text = desk.ask(tool, **given)
        error = orjson.loads(text)["error"]
        assert refused and error["code"] == code, (tool, text)
        assert ("errors" in error) == drives, (
            tool,
            text,
        )  # of the two, only the drive's API still lists reasons as at first


def test_tools_that_ask_several_methods_take_from_the_quota_of_their_api(sealed: Path, tmp_path: Path) -> None:
    desk = Desk(troubled(sealed, tmp_path, None, read_s=0, write_s=0), "sheets", "workspace")
    answers = [desk.ask("create_spreadsheet", title="x") for _ in range(61)]
    assert [refused for refused, _ in answers] == [False] * 60 + [True]
    assert "limit 'Write requests per minute per user'" in answers[60][1] and answers[60][1].endswith(
        "Retry after 60 seconds."
    )


def test_a_spreadsheet_that_is_not_computed_says_so_through_every_tool(sealed: Path, tmp_path: Path) -> None:
    host = troubled(sealed, tmp_path, Fault("slow", "sheets", "degraded"))
    for surface, tool, given in (
        ("vendor", "get_values", {"spreadsheetId": BUDGET, "range": "A2:D2"}),
        ("community", "get_sheet_data", {**PLACE, "sheet": "Sheet1"}),
        ("workspace", "read_sheet_values", {**PLACE, "range_name": "A2:D2"}),
        ("operations", "spreadsheets_values_get", {"spreadsheetId": BUDGET, "range": "A2:D2"}),
    ):
        text = Desk(host, "sheets", surface).say(tool, **given)
        assert "1200" in text and "Loading..." in text and "2550.5" not in text, (surface, text)


def test_a_look_up_that_fails_after_the_call_does_not_hide_its_success(sealed: Path, tmp_path: Path) -> None:
    down = Fault("down", "slack", "error", operations=("chat.getPermalink",))
    text = Desk(troubled(sealed, tmp_path, down), "slack").say("slack_send_message", channel_id=CORE, message="x")
    assert orjson.loads(text)["message"]["text"] == "x"


def test_looking_names_up_meets_the_same_failure_as_the_call(sealed: Path, tmp_path: Path) -> None:
    host = troubled(sealed, tmp_path, Fault("down", "slack", "error"))
    refused, text = Desk(host, "slack", "community").ask("conversations_history", channel_id="#core")
    assert refused and orjson.loads(text)["ok"] is False
