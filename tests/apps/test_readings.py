"""Every table in which people read something has a reading, and what is written the usual way deceives nobody."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import JSON
from sqlmodel import SQLModel

from tests.apps.reader import Reader
from tests.doors.same_world import ADMIN, BY_FEED, of_company
from world.agents.examples import Examples
from world.core import discovery
from world.core.app import App
from world.core.operation import Operation
from world.core.settings import Settings
from world.core.tables import metadata
from world.gate.collateral import _new, _other
from world.grading.tables import Table, describe
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image

APPS = discovery.apps()
TABLES = describe(metadata())
VENDOR_JSON = {("sheets_cell", name) for name in ("format", "validation", "runs")}  # kept as text: always JSON
OUT_OF_REACH = "no operation"  # how reasons begin that say so
WRITES = [one for app in APPS for one in app.operations.values() if one.writes and one.id not in BY_FEED]


def _with_texts(app: App) -> set[str]:
    """The tables of an app with a text in them; what follows other rows, and what is the grader's own, aside."""
    own = [table for table in TABLES.values() if table.app == app.name and {"text", "json"} & set(_kinds(table))]
    return {table.name for table in own if not (table.derived_from or table.control)}


def _kinds(table: Table) -> list[str]:
    return list(table.columns.values())


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_every_table_with_a_text_has_a_reading_or_a_reason(app: App) -> None:
    named = _with_texts(app)
    assert sorted(named - app.readings.keys() - app.unread.keys()) == []
    assert sorted(app.unread.keys() - named) == [], "a reason for a table that needs none"
    assert not app.readings.keys() & app.unread.keys()
    assert all(TABLES[table].app == app.name for table in app.readings)


def test_a_table_is_read_once_or_left_out_once() -> None:
    app = App("calendar", "Calendar")
    app.declare_unread({"jira_board": "for a test"})
    with pytest.raises(ValueError, match="jira_board"):
        app.declare_unread({"jira_board": "once more"})
    with pytest.raises(KeyError):
        app.declare_unread({"calendar_event": "there is no such table"})


@pytest.fixture(scope="module")
def small(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host with a world of the XS company."""
    made = open_host(get_image(home, "XS"), tmp_path_factory.mktemp("small"))
    made.create("root")
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def host(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host with a world of the S company from which others are forked."""
    made = open_host(company, tmp_path_factory.mktemp("examples"))
    made.create("root", Settings(limits="off"))
    yield made
    made.store.close()


@pytest.mark.parametrize("operation", WRITES, ids=lambda one: one.id)
def test_examples_deceive_nobody_and_stay_within_what_is_said_to_be_in_reach(host: Host, operation: Operation) -> None:
    host.fork(host.actors["root"], "w")
    try:
        me, reader = host.principal("w", ADMIN), Reader(host)
        examples = Examples(host.operations, partial(host.call, me, "rest")).of(operation.id)
        more = of_company(host, "w", operation.id)
        mark = reader.mark()
        for example in examples:
            host.call(me, "rest", operation.id, {**example, **more})
        assert [(read.table, read.whys) for read in reader.since(mark) if read.whys] == []
        unread = {table: reason for app in APPS for table, reason in app.unread.items()}
        assert [t for t in reader.written(mark) if unread.get(t, "").startswith(OUT_OF_REACH)] == []
    finally:
        host.drop("w")


def test_odd_rows_are_read_too(small: Host) -> None:
    reader = Reader(small, "root")
    for name in sorted(reader.readers):
        table = SQLModel.metadata.tables[name]
        row = next(iter(reader.seeded(name)), None) or _as_stored(_new(table, {}))
        assert isinstance(reader.read(name, row).whys, tuple), name
        for column in [one for one in table.columns if (name, one.name) not in VENDOR_JSON]:
            value = row[column.name]
            is_json = isinstance(column.type, JSON) and isinstance(value, str)
            odd = _other(column, orjson.loads(value) if is_json else value)
            assert isinstance(reader.read(name, {**row, **_as_stored({column.name: odd})}).whys, tuple), name


def _as_stored(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as SQLite keeps it."""
    return {k: orjson.dumps(v).decode() if isinstance(v, (dict, list)) else v for k, v in row.items()}


def _is_newsletter(table: str, row: object) -> bool:
    """Mail from outside whose HTML begins with the sender's name: nobody in the company wrote it."""
    return table == "gmail_mail" and isinstance(row, dict) and row["sender_id"] is None


def test_the_seeded_company_deceives_nobody(small: Host) -> None:
    counts, deceptive = Counter[str](), list[tuple[str, tuple[str, ...]]]()
    for read in Reader(small, "root").everything():
        counts[read.table] += 1
        if read.whys and not _is_newsletter(read.table, dict(read.row)):
            deceptive.append((f"{read.table} {dict(list(read.row.items())[:3])}", read.whys))
    print("\n" + "\n".join(f"{table}: {count}" for table, count in sorted(counts.items())))
    assert deceptive == []
    assert counts["sheets_cell"] > 1_000 and counts["github_issue"] > 100 and counts["jira_issue"] > 10
