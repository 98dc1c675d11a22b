"""Every table in which people read something has a reading, and what is written the usual way deceives nobody."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.apps.reader import Reader, ReadRow
from tests.doors.test_doors import ADMIN, BY_FEED, of_company
from world.agents.examples import Examples
from world.core import discovery
from world.core.app import App
from world.core.settings import Settings
from world.core.tables import metadata
from world.grading.tables import Table, describe
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image

APPS = discovery.apps()
TABLES = describe(metadata())
NOBODY = "no operation"  # how reasons begin that say so


def _texts(app: App) -> list[Table]:
    """The tables of an app with a text in them; what follows other rows, and what no page shows, aside."""
    own = [table for table in TABLES.values() if table.app == app.name]
    with_text = [table for table in own if {"text", "json"} & set(table.columns.values())]
    return [table for table in with_text if not (table.derived_from or table.control)]


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_every_table_with_a_text_has_a_reading_or_a_reason(app: App) -> None:
    named = {table.name for table in _texts(app)}
    assert sorted(named - app.readings.keys() - app.unread.keys()) == []
    assert sorted(app.unread.keys() - named) == [], "a reason for a table that needs none"
    assert all(TABLES[table].app == app.name for table in app.readings)


@pytest.fixture(scope="module")
def small(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host over the XS company."""
    made = open_host(get_image(home, "XS"), tmp_path_factory.mktemp("read"))
    made.create("root", Settings(limits="off"))
    yield made
    made.store.close()


def test_the_seeded_company_deceives_nobody(small: Host) -> None:
    counts: Counter[str] = Counter()
    deceptive: list[tuple[str, tuple[str, ...]]] = []
    for read in Reader(small, "root").everything():
        counts[read.table] += 1
        if read.whys:
            deceptive.append((f"{read.table}:{dict(list(read.row.items())[:3])}", read.whys))
    print("\n" + "\n".join(f"{table}: {count}" for table, count in sorted(counts.items())))
    assert deceptive == []


WRITES = [one for app in APPS for one in app.operations.values() if one.writes]


@pytest.mark.parametrize("operation", WRITES, ids=lambda one: one.id)
def test_examples_deceive_nobody_and_write_nothing_that_is_said_to_be_out_of_reach(
    small: Host, operation: object
) -> None: ...
