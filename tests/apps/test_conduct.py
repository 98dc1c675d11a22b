"""What apps declare of changes that nobody asked for names columns that are there."""

import pytest

from world.core.tables import metadata
from world.grading.tables import Table, describe

DECLARED = [table for table in describe(metadata()).values() if "conduct" in metadata().tables[table.name].info]


@pytest.mark.parametrize("table", DECLARED, ids=lambda table: table.name)
def test_every_column_is_there(table: Table) -> None:
    conduct = table.conduct
    assert set(conduct.owners) <= set(table.readable)
    assert conduct.harmless - {"*"} <= table.columns.keys()
    assert set(conduct.words) | conduct.direct.keys() | conduct.uncivil.keys() <= table.columns.keys()
    assert not conduct.place or conduct.place in table.columns


def test_a_message_has_an_author() -> None:
    messages = [table for table in DECLARED if table.conduct.place]
    assert {table.app for table in messages} == {"slack", "gmail", "jira", "github", "drive"}
    assert all(table.conduct.owners for table in messages)


def test_tables_that_share_what_they_were_declared_with_do_not_share_conduct() -> None:
    tables = describe(metadata())
    assert tables["jira_watcher"].conduct.owners == ("person_id",)
    assert tables["jira_change"].conduct.owners == ()
