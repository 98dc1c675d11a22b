"""What apps declare of changes that nobody asked for names columns that are there."""

import pytest

from world.core.tables import metadata
from world.grading.tables import Table, describe

DECLARED = [table for table in describe(metadata()).values() if "conduct" in metadata().tables[table.name].info]


@pytest.mark.parametrize("table", DECLARED, ids=lambda table: table.name)
def test_every_column_is_there(table: Table) -> None:
    conduct = table.conduct
    assert set(conduct.owners) <= set(table.readable)
    assert conduct.harmless - {"*", "+"} <= table.columns.keys()
    assert set(conduct.words) | conduct.direct.keys() <= table.columns.keys()
    assert {conduct.place, conduct.presence, conduct.silence} - {""} <= table.columns.keys()


def test_a_message_has_an_author() -> None:
    messages = [table for table in DECLARED if table.conduct.place]
    assert {table.app for table in messages} == {"slack", "gmail", "jira", "github", "drive"}
    assert all(table.conduct.owners for table in messages)


@pytest.mark.parametrize(
    ("name", "degree"),
    [
        ("middle_finger", "harm"),
        ("middle_finger::skin-tone-3", "harm"),
        (":middle_finger::skin-tone-3:", "harm"),
        ("clown_face", "slip"),
        (":clown_face:", "slip"),
        ("wave::skin-tone-3", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_an_offending_sign_offends_in_every_dress(name: str | None, degree: str) -> None:
    tables = describe(metadata())
    assert tables["slack_reaction"].conduct.uncivil({"name": name}) == degree
    assert tables["slack_profile"].conduct.uncivil({"status_emoji": name}) == degree


SCHEDULED = {
    "gmail_draft": {"send_at": 5, "person_id": "p_1", "text": "hello", "recipients": "[]"},
    "slack_scheduled_message": {"post_at": 5, "person_id": "p_1", "text": "hello", "state": "pending"},
}


@pytest.mark.parametrize("name", SCHEDULED)
def test_what_is_scheduled_is_a_whole_message_of_its_author(name: str) -> None:
    tables = describe(metadata())
    row = {**dict.fromkeys(tables[name].columns), **SCHEDULED[name]}
    sending = tables[name].conduct.sends(row)
    assert sending is not None and sending.at == 5 and sending.cells["text"] == "hello"
    sent = tables[sending.table]
    assert sending.cells.keys() <= sent.columns.keys() and "p_1" in sending.cells.values()
    assert {sent.conduct.place, *sent.conduct.words} <= sending.cells.keys()
    assert tables[name].conduct.sends({**row, "send_at": None, "state": "sent"}) is None


def test_tables_that_share_what_they_were_declared_with_do_not_share_conduct() -> None:
    tables = describe(metadata())
    assert tables["jira_watcher"].conduct.owners == ("person_id",)
    assert tables["jira_change"].conduct.owners == ()
