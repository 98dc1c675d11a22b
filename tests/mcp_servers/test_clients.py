"""Clients of several makers against a server on loopback: all surfaces, and what they write is what REST would write.

The official client is the environment's own. `FIRM_CLIENTS` names a folder with virtual environments of others:
`older` (mcp 1.x) and `fastmcp` (4.x).
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from tests.company import image
from tests.mcp_servers.loopback import listening
from tests.mcp_servers.memo import token
from world.core.access import Tokens
from world.core.journal import changes
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

pytestmark = pytest.mark.anyio
SCRIPTS = Path(__file__).parents[1] / "clients"
OTHERS = Path(os.environ.get("FIRM_CLIENTS", "/nonexistent"))
CLOUD = {"cloudId": "11111111-2222-4333-8444-555555555555"}
SHOP = {"fields": {"project": {"key": "SHOP"}, "issuetype": {"name": "Task"}, "summary": "from afar"}}
ISSUE = {"project_key": "SHOP", "summary": "from afar", "issue_type": "Task"}
MAIL = {"to": ["bo@tiny.example"], "subject": "from afar"}
HUB = {"owner": "tiny", "repo": "app"}
GRID = {"spreadsheet_id": BUDGET, "sheet": "Sheet1"}
CELL = {"spreadsheetId": BUDGET, "values": [["hello"]]}
APPS = [apps.slack.app, apps.jira.app, apps.gmail.app, apps.github.app, apps.drive.app, apps.sheets.app]
STOPS: list[dict[str, Any]] = [
    {
        "path": "/mcp/slack",
        "read": ("slack_read_channel", {"channel_id": CORE}),
        "write": ("slack_send_message", {"channel_id": CORE, "message": "hello"}),
        "refused": ("slack_read_channel", {"channel_id": "C0NOWHERE"}),
    },
    {
        "path": "/mcp/slack/reference",
        "read": ("slack_list_channels", {}),
        "write": ("slack_post_message", {"channel_id": CORE, "text": "hello"}),
        "refused": ("slack_post_message", {"channel_id": "C0NOWHERE", "text": "hello"}),
    },
    {
        "path": "/mcp/slack/community",
        "read": ("channels_list", {"channel_types": "public_channel"}),
        "write": ("conversations_add_message", {"channel_id": "#core", "text": "hello"}),
        "refused": ("conversations_history", {"channel_id": "#nowhere"}),
    },
    {
        "path": "/mcp/slack/operations",
        "read": ("conversations_info", {"channel": CORE}),
        "write": ("chat_post_message", {"channel": CORE, "text": "hello"}),
        "refused": ("conversations_info", {"channel": "C0NOWHERE"}),
    },
    {
        "path": "/mcp/jira",
        "read": ("getJiraIssue", {**CLOUD, "issueIdOrKey": "SHOP-1"}),
        "write": ("createJiraIssue", {**CLOUD, "projectKey": "SHOP", "issueTypeName": "Task", "summary": "from afar"}),
        "refused": ("getJiraIssue", {**CLOUD, "issueIdOrKey": "NO-1"}),
    },
    {
        "path": "/mcp/jira/community",
        "read": ("jira_get_issue", {"issue_key": "SHOP-1"}),
        "write": ("jira_create_issue", ISSUE),
        "refused": ("jira_get_issue", {"issue_key": "NO-1"}),
    },
    {
        "path": "/mcp/jira/operations",
        "read": ("get_issue", {"issueIdOrKey": "SHOP-1"}),
        "write": ("create_issue", SHOP),
        "refused": ("get_issue", {"issueIdOrKey": "NO-1"}),
    },
    {
        "path": "/mcp/gmail",
        "read": ("list_email_labels", {}),
        "write": ("send_email", {**MAIL, "body": "Hello."}),
        "refused": ("read_email", {"messageId": "f" * 16}),
    },
    {
        "path": "/mcp/gmail/vendor",
        "read": ("list_labels", {}),
        "write": ("create_draft", {**MAIL, "body": "Hello."}),
        "refused": ("get_thread", {"threadId": "f" * 16}),
    },
    {
        "path": "/mcp/gmail/workspace",
        "read": ("list_gmail_filters", {}),
        "write": ("send_gmail_message", {**MAIL, "to": "bo@tiny.example", "body": "Hello."}),
        "refused": ("get_gmail_message_content", {"message_id": "f" * 16}),
    },
    {
        "path": "/mcp/gmail/operations",
        "read": ("users_get_profile", {}),
        "write": ("mail_send", {**MAIL, "text": "Hello."}),
        "refused": ("users_messages_get", {"id": "f" * 16}),
    },
    *(
        {
            "path": path,
            "read": ("issue_read", {**HUB, "method": "get", "issue_number": 1}),
            "write": ("issue_write", {**HUB, "method": "create", "title": "from afar"}),
            "refused": ("issue_read", {**HUB, "method": "get", "issue_number": 99}),
        }
        for path in ("/mcp/github", "/mcp/github/vendor-full")
    ),
    {
        "path": "/mcp/github/reference",
        "read": ("get_issue", {**HUB, "issue_number": 1}),
        "write": ("create_issue", {**HUB, "title": "from afar"}),
        "refused": ("get_issue", {**HUB, "issue_number": 99}),
    },
    {
        "path": "/mcp/github/operations",
        "read": ("issues_get", {**HUB, "issue_number": 1}),
        "write": ("issues_create", {**HUB, "title": "from afar"}),
        "refused": ("issues_get", {**HUB, "issue_number": 99}),
    },
    {
        "path": "/mcp/sheets",
        "read": ("get_sheet_data", GRID),
        "write": ("update_cells", {**GRID, "range": "F1", "data": [["hello"]]}),
        "refused": ("get_sheet_data", {**GRID, "sheet": "Nowhere"}),
    },
    {
        "path": "/mcp/sheets/vendor",
        "read": ("get_values", {"spreadsheetId": BUDGET, "range": "A1"}),
        "write": ("update_values", {**CELL, "range": "F2"}),
        "refused": ("get_values", {"spreadsheetId": "nowhere", "range": "A1"}),
    },
    {
        "path": "/mcp/sheets/workspace",
        "read": ("get_spreadsheet_info", {"spreadsheet_id": BUDGET}),
        "write": ("modify_sheet_values", {"spreadsheet_id": BUDGET, "range_name": "F3", "values": [["hello"]]}),
        "refused": ("get_drive_file_content", {"file_id": "nowhere"}),
    },
    {
        "path": "/mcp/sheets/operations",
        "read": ("spreadsheets_get", {"spreadsheetId": BUDGET}),
        "write": ("spreadsheets_values_update", {**CELL, "range": "F4", "valueInputOption": "RAW"}),
        "refused": ("spreadsheets_get", {"spreadsheetId": "nowhere"}),
    },
    {
        "path": "/mcp",
        "read": ("world_now", {}),
        "write": ("slack_send_message", {"channel_id": CORE, "message": "hello"}),
        "refused": ("world_wait", {"until": "yesterday"}),
    },
]
POST, CREATE = ("chat.postMessage", {"channel": CORE, "text": "hello"}), ("createIssue", SHOP)
SEND, KEEP = ("mail.send", {**MAIL, "text": "Hello."}), ("mail.saveDraft", {**MAIL, "text": "Hello."})
OPEN = ("issues/create", {**HUB, "title": "from afar"})
TYPED = [("spreadsheets.values.update", {**CELL, "range": f"F{row}", "valueInputOption": "RAW"}) for row in range(1, 5)]
WRITES = [POST, POST, POST, POST, CREATE, CREATE, CREATE, SEND, KEEP, SEND, SEND, OPEN, OPEN, OPEN, OPEN, *TYPED, POST]
KEPT = (
    "text",
    "summary",
    "channel_id",
    "project_id",
    "person_id",
    "creator_id",
    "key",
    "number",
    "sender_id",
    "from_email",
    "subject",
    "to",
    "title",
    "author_id",
    "row",
    "col",
    "kind",
    "input",
)


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(
        tmp_path_factory.mktemp("all"),
        APPS,
        lambda: [*workspace_rows(), *tracker_rows(), *mail_rows(), *hub_rows(), *sheet_rows()],
    )


@pytest.fixture
def new(sealed: Path, tmp_path: Path) -> Callable[[str], Host]:
    """A host with one world `w`, without limits and with calls that take no time, so that ids agree."""

    def make(name: str) -> Host:
        made = Host(Store(tmp_path / name, Base(sealed)), APPS, Tokens("test secret"))
        made.create("w", Settings(limits="off", read_s=0, write_s=0))
        return made

    return make


async def run(interpreter: Path | str, script: str, plan: dict[str, Any], *arguments: str) -> list[dict[str, Any]]:
    """What a client's script prints."""
    process = await asyncio.create_subprocess_exec(
        str(interpreter),
        str(SCRIPTS / script),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, problems = await process.communicate(json.dumps(plan).encode())
    assert process.returncode == 0, problems.decode()
    return json.loads(out)


def written(host: Host) -> list[Any]:
    """What changed, without the times and ids that follow from how many calls there were."""
    new = ("slack_message", "jira_issue", "gmail_mail", "gmail_draft", "github_issue", "sheets_cell")
    rows = [
        (c.table, c.op, {k: v for k, v in (c.after or {}).items() if k in KEPT})
        for c in changes(host.actors["w"].bound)
    ]
    return [row for row in rows if row[1] == "insert" and row[0] in new]


async def check(new: Callable[[str], Host], interpreter: Path | str, script: str, *arguments: str) -> None:
    """Let a client make its round, and do the same writes through the kernel as REST does."""
    host, rest = new("served"), new("rest")
    async with listening(host) as url:
        seen = await run(interpreter, script, {"url": url, "token": token(host), "stops": STOPS}, *arguments)
    for stop, saw in zip(STOPS, seen, strict=True):
        assert stop["read"][0] in saw["tools"] and saw["unknown"] == -32602
        assert (saw["read"][0], saw["write"][0], saw["refused"][0]) == (False, False, True), (stop["path"], saw)
    for operation, given in WRITES:
        rest.call(rest.principal("w", "ada"), "rest", operation, given)
    assert written(host) == written(rest) and len(written(host)) == len(WRITES)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_official_client(new: Callable[[str], Host], mode: str) -> None:
    await check(new, sys.executable, "mcp_official.py", mode)


@pytest.mark.skipif(not (OTHERS / "older").exists(), reason="FIRM_CLIENTS has no environment `older`")
async def test_the_official_client_of_the_line_before(new: Callable[[str], Host]) -> None:
    await check(new, OTHERS / "older" / "bin" / "python", "mcp_older.py")


@pytest.mark.skipif(not (OTHERS / "fastmcp").exists(), reason="FIRM_CLIENTS has no environment `fastmcp`")
async def test_the_client_of_fastmcp(new: Callable[[str], Host]) -> None:
    await check(new, OTHERS / "fastmcp" / "bin" / "python", "mcp_fastmcp.py")
