"""Answers of the vendors' surfaces are as short as they can be acted on; the whole is there when asked for."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_servers.catalogue import Catalogue, catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.serve import ToolServer
from tests.conftest import first
from world.core.settings import Settings
from world.run.host import Host, open_host

Ask = Any


@pytest.fixture
def firm(company: Path, tmp_path: Path) -> Iterator[Host]:
    """A host over the seeded company."""
    host = open_host(company, tmp_path / "worlds")
    yield host
    host.store.close()


@pytest.fixture
def ask(firm: Host) -> Iterator[Ask]:
    """`ask("slack_read_channel", channel_id=...)`: the text of a tool of the combined list, or of Sheets' operations, as
    an engineer.
    """
    firm.create("w", Settings(limits="off"))
    found: Catalogue = catalogue(firm.apps.values())

    def nobody(_: Any) -> Any:
        raise LookupError("no request")

    worded, me = bodies(firm.apps), firm.principal("w", "p_0004")
    servers = [ToolServer(firm, one, worded, nobody) for one in (found.combined, found.find("sheets", "operations"))]

    def call(name: str, **given: Any) -> str:
        server = next(one for one in servers if name in one.tools.tools)
        answer = server.call(me, name, given)
        assert not answer.is_error, answer.content
        return "\n".join(getattr(part, "text", "") for part in answer.content)

    yield call


def test_an_issue_is_told_without_pictures_and_whole_when_asked_for(ask: Ask, firm: Host) -> None:
    cloud = json.loads(ask("jira_getAccessibleAtlassianResources"))[0]["id"]
    key = first(firm, "w", "SELECT key FROM jira_issue WHERE reporter_id = 'p_0004' ORDER BY id LIMIT 1")
    at = {"cloudId": cloud, "issueIdOrKey": key}
    short, whole = ask("jira_getJiraIssue", **at), ask("jira_getJiraIssue", **at, verbose=True)
    assert "avatarUrls" in whole and "avatarUrls" not in short and "null" not in short and len(short) < len(whole) / 2
    edited = ask("jira_editJiraIssue", **at, fields={"summary": "Short answer"})
    assert json.loads(edited)["fields"]["summary"] == "Short answer" and len(edited) < 800


def test_texts_of_messages_are_told_as_they_are_read_and_comings_in_one_line(ask: Ask, firm: Host) -> None:
    room = first(
        firm,
        "w",
        "SELECT c.id FROM slack_channel c JOIN slack_member m ON m.channel_id = c.id WHERE m.person_id = 'p_0004'"
        " AND c.kind = 'public' ORDER BY c.id LIMIT 1",
    )
    ask("slack_send_message", channel_id=room, message="a < b && c > d")
    said = ask("slack_read_channel", channel_id=room, limit=100)
    assert "a < b && c > d" in said and "&amp;" not in said and "has joined the channel" not in said


def test_found_mails_name_their_thread_and_what_they_begin_with(ask: Ask) -> None:
    block = ask("gmail_search_emails", query="in:inbox", maxResults=1)
    assert [line.partition(":")[0] for line in block.splitlines()][:6] == [
        "ID",
        "Thread ID",
        "Subject",
        "From",
        "Date",
        "Snippet",
    ]


def test_nothing_found_says_where_was_looked(ask: Ask) -> None:
    assert ask("slack_search_public", query="zzzqqq") == "0 messages found in public channels."
    assert ask("slack_search_public_and_private", query="zzzqqq").endswith("in all conversations you can read.")
    assert ask("gmail_search_emails", query="zzzqqq").startswith("No emails found in your mailbox")


def test_written_cells_are_told_as_they_stand_then(ask: Ask) -> None:
    book = json.loads(ask("sheets_create_spreadsheet", title="Echo"))["spreadsheetId"]
    (sheet,) = json.loads(ask("sheets_list_sheets", spreadsheet_id=book))
    told = ask("sheets_update_cells", spreadsheet_id=book, sheet=sheet, range="A1", data=[[2, "=A1*21"]])
    assert json.loads(told)["updatedData"]["values"] == [["2", "42"]]


def test_channels_are_listed_by_an_empty_query(ask: Ask) -> None:
    assert ask("slack_search_channels", query="").count("Name: #") >= 10


def test_reads_of_files_and_cells_give_only_the_fields_asked_for(ask: Ask) -> None:
    shown = json.loads(ask("drive_files_list", pageSize=2, fields="files(id,name)"))
    assert list(shown) == ["files"] and {frozenset(one) for one in shown["files"]} == {frozenset({"id", "name"})}
    [sheet] = json.loads(
        ask("drive_files_list", pageSize=1, q="mimeType = 'application/vnd.google-apps.spreadsheet'", fields="files/id")
    )["files"]
    titles = ask("spreadsheets_get", spreadsheetId=sheet["id"], fields="sheets.properties.title")
    whole = ask("spreadsheets_get", spreadsheetId=sheet["id"])
    assert list(json.loads(titles)["sheets"][0]["properties"]) == ["title"] and len(titles) < len(whole) / 2
    cells = "sheets.data.rowData.values.formattedValue"
    assert "formattedValue" in ask("spreadsheets_get", spreadsheetId=sheet["id"], fields=cells)
    nulls = {"ranges": None, "includeGridData": None}
    assert titles == ask("spreadsheets_get", spreadsheetId=sheet["id"], fields="sheets.properties.title", **nulls)
    assert "formattedValue" in ask("spreadsheets_get", spreadsheetId=sheet["id"], fields=cells, **nulls)


def test_a_field_that_an_answer_does_not_have_is_named(ask: Ask) -> None:
    with pytest.raises(AssertionError, match="fields: Invalid field selection size2"):
        ask("drive_files_get", fileId="any", fields="id,size2")
