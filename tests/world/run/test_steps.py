"""What SQLite does for one call is counted: a query without end is refused, and leaves nothing behind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import Field as Column
from sqlmodel import SQLModel, select

from tests.company import as_person, host
from world.core.app import App, Facts
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import InvalidArguments
from world.core.params import NoParams, Params
from world.run.failures import list_failures
from world.run.host import Host
from world.store import meter

COUNTING = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT :most) SELECT count(*) FROM c"


class Tally(SQLModel, table=True):
    """A row of the test app."""

    __tablename__ = "tally_row"  # type: ignore[assignment]
    id: int = Column(primary_key=True)


class Long(Params):
    """How long to count."""

    most: int = 10**12


app = App("tally", "Tally", units=100)


@app.operation("tally.count", source="own choice")
def count(call: Call, params: Long) -> int:
    """Count."""
    return call.scalar(COUNTING, {"most": params.most})


@app.operation("tally.write", writes=True, source="own choice")
def write(call: Call, params: Long) -> None:
    """Write a row, and many more by one statement of the session."""
    call.session.add(Tally(id=1))
    call.execute(
        "INSERT INTO tally_row(id) WITH RECURSIVE c(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
    )


@app.operation("tally.join", source="own choice")
def join(call: Call, params: NoParams) -> int:
    """Join without end, by a statement of SQLAlchemy's."""
    endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n AS id FROM c WHERE n < 0"
    return len(call.all(select(Tally).from_statement(text(endless))))


@app.operation("tally.later", writes=True, source="own choice")
def later(call: Call, params: NoParams) -> None:
    """Count in an event."""
    call.later("tally.count", call.now + SECOND)


@app.on("tally.count")
def count_later(call: Call, facts: Facts) -> None:
    call.scalar(COUNTING, {"most": 10**12})


@pytest.fixture
def firm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr(meter, "MOST_STEPS", 1_000_000)
    monkeypatch.setattr(Host, "strict", False)
    made = host(tmp_path, [app])
    yield made
    made.store.close()


@pytest.mark.parametrize("operation", ["tally.count", "tally.write", "tally.join"])
def test_a_statement_without_end_is_refused_and_the_world_goes_on(firm: Host, operation: str) -> None:
    for _ in range(2):
        with pytest.raises(InvalidArguments, match="more work than one call"):
            firm.call(as_person(firm), "rest", operation, {})
    raw = firm.actors["w"].bound.raw
    assert raw.execute("SELECT count(*) FROM tally_row").fetchone() == (0,)
    assert raw.execute("SELECT status FROM _call").fetchall() == [("invalid_arguments",)] * 2
    assert firm.call(as_person(firm), "rest", "tally.count", {"most": 1000}) == 1000


def test_a_page_that_only_looks_is_held_to_it_too(firm: Host) -> None:
    with pytest.raises(InvalidArguments):
        firm.peek(as_person(firm), "page", "tally.count", {})


def test_an_event_that_takes_too_many_steps_fails_once(firm: Host) -> None:
    firm.call(as_person(firm), "rest", "tally.later", {})
    for _ in range(2):
        assert firm.call(as_person(firm), "rest", "tally.count", {"most": 10}) == 10
    assert [one.error for one in list_failures(firm.actors["w"].bound)] == ["InterruptError"]


def test_who_grades_is_not_limited(firm: Host) -> None:
    raw = firm.actors["w"].bound.raw
    assert raw.execute(COUNTING, {"most": 200_000}).fetchone() == (200_000,)
