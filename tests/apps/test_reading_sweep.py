"""No column of prose goes unread: each text that a call may write is read, derived, an identifier, or a setting."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from sqlmodel import SQLModel

from tests.apps.reader import Reader
from world.core.conduct import Conduct
from world.core.tables import metadata
from world.gate.collateral import _new
from world.grading.degrees.utterance import list_utterances
from world.grading.readings import decode
from world.grading.tables import Row, Table, describe
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image

MARK = "zebrafinch"
IDS = ("_id", "_ids", "_ts", "_by", "_sha", "_ref", "_on", "_key", "_list", "_mail", "_email")
SETTINGS = frozenset(  # of programs or of a fixed set: ids, states, kinds, digests, addresses of the service's own
    """
    id ts sha sha256 key kind type state status role level email domain login person_id app color text_color background_color
    mimetype mime_type media_type filetype content_type digest rank slug bot_id app_id recipients answers message_id verification
    """.split()
)
TECHNICAL = {
    "drive_comment": "anchor",  # a place in the file
    "drive_file": "properties settings",  # of programs; switches
    "drive_revision": "flags",
    "github_account": "base_permission",
    "github_check_run": "conclusion external_id details_url",
    "github_commit_comment": "path",
    "github_deployment": "ref payload",  # of programs
    "github_deployment_status": "environment",  # the name of another row
    "github_environment": "reviewers branch_policy",
    "github_issue": "state_reason lock_reason",  # of a fixed set
    "github_pull": "merge_method auto_merge",
    "github_ref": "target",
    "github_release": "target",
    "github_repository": "visibility default_branch squash_title squash_message merge_title merge_message license",
    "github_ruleset": "target",
    "github_team": "privacy notification",
    "gmail_label": "list_visibility message_visibility",
    "gmail_mail": "features list_id",
    "gmail_draft": "features list_id bcc_list to_list cc_list",  # nobody else sees a draft
    "gmail_send_as": "reply_to",
    "jira_comment": "visibility_type",
    "jira_component": "assignee_type",
    "jira_issue": "custom",  # read by the kinds of its fields
    "jira_project": "style access assignee_type",
    "jira_remote_link": "icon_url application",
    "sheets_cell": "format validation runs",  # colours; a rule and runs are read when they are well formed
    "sheets_sheet": "properties",
    "slack_channel": "previous_names posting",
    "slack_message": "subtype facts",
    "slack_profile": "presence",
    "slack_usergroup": "channels",
}


@pytest.fixture(scope="module")
def reader(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """The rows of a small company."""
    host = open_host(get_image(home, "XS"), tmp_path_factory.mktemp("sweep"))
    host.create("root")
    yield Reader(host, "root")
    host.store.close()


TABLES = describe(metadata())
READ = sorted(name for name, table in TABLES.items() if "conduct" in SQLModel.metadata.tables[name].info)


def _prose(table: Table) -> Iterator[str]:
    for name, kind in table.columns.items():
        technical = name in SETTINGS or name.endswith(IDS) or name in TECHNICAL.get(table.name, "").split()
        if kind in ("text", "json") and not technical and name not in (*table.key, *table.quiet):
            yield name


def _marked(table: Table, row: Row, name: str) -> Iterator[Any]:
    """Values of a column that hold the mark, of any shape it may take."""
    yield MARK
    if table.columns[name] == "json":
        old = table.cell(row, name)
        yield from ([MARK], [{"name": MARK, "email": "a@b.test"}], {"name.md": MARK}, {"title": MARK})
        yield [{"type": "section", "text": {"type": "mrkdwn", "text": MARK}}]
        yield [{"title": MARK, "message": MARK, "text": MARK}]
        yield {
            "type": "doc",
            "version": 1,
            "content": [{"type": "paragraph", "content": [{"type": "text", "text": MARK}]}],
        }
        yield from (_put(old),) if old else ()


def _put(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _put(one) for key, one in value.items()}
    return [_put(one) for one in value] if isinstance(value, list) else MARK if isinstance(value, str) else value


def _is_read(reader: Reader, table: Table, row: Row, name: str) -> bool:
    for value in _marked(table, row, name):
        stored = value if isinstance(value, str) else orjson.dumps(value).decode()
        if table.columns[name] == "json" and isinstance(value, str):
            stored = orjson.dumps(value).decode()
        try:
            parts = reader.read(table.name, {**row, name: stored}).parts if table.name in reader.readers else ()
            said = list_utterances(table, decode(table, {**row, name: stored}), {}, frozenset((name,)), parts)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue  # a shape that the column does not take
        if any(MARK in text for one in said for text in (one.passage.text.lower(), one.stored.lower())):
            return True
    return False


@pytest.mark.parametrize("name", READ)
def test_every_text_that_can_be_written_is_read(reader: Reader, name: str) -> None:
    table = TABLES[name]
    if isinstance(table.conduct, Conduct) and (table.derived_from or table.control):
        return
    row = next(iter(reader.seeded(name)), None) or _new(SQLModel.metadata.tables[name], {})
    assert [column for column in _prose(table) if not _is_read(reader, table, row, column)] == []
