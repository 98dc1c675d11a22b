"""Rows of a sealed company by table, as the generator's own rows are: JSON columns decoded."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Rows = Sequence[Mapping[str, Any]]
Tables = Mapping[str, Rows]
READ = (
    "person",
    "service",
    "story_ref",
    "slack_channel",
    "slack_message",
    "slack_reaction",
    "slack_mention",
    "jira_issue",
    "jira_issue_type",
    "jira_comment",
    "jira_issue_link",
    "sheets_spreadsheet",
    "sheets_sheet",
    "sheets_cell",
    "gmail_mail",
    "gmail_message",
    "gmail_message_label",
    "github_repository",
    "github_issue",
    "github_pull",
    "github_commit",
    "github_ref",
    "github_release",
)


@contextmanager
def open_image(image: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads. Raises sqlite3.DatabaseError for a file that is no image."""
    connection = sqlite3.connect(f"file:{image}?immutable=1", uri=True)
    try:
        yield connection
    finally:
        connection.close()


def read_tables(connection: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
    """The rows that figures are measured on."""
    return {name: list(_read(connection, name)) for name in READ}


def _read(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    columns = [(row[1], row[2] == "JSON") for row in connection.execute(f"PRAGMA table_info({table})")]
    for row in connection.execute(f"SELECT {', '.join(name for name, _ in columns)} FROM {table}"):
        yield {
            name: json.loads(value) if coded and value is not None else value
            for (name, coded), value in zip(columns, row, strict=True)
        }
