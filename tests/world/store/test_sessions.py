"""SQLModel and SQLAlchemy on pooled connections: worlds stay apart, failures leave nothing behind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from office import metadata
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import registry
from sqlmodel import Session

from world.store import Base, Store


class Team:
    id: int
    name: str


registry().map_imperatively(Team, metadata.tables["team"])


def team(id: int, name: str) -> Team:
    made = Team()
    made.id, made.name = id, name
    return made


@pytest.fixture
def store(tmp_path: Path, base: Base) -> Iterator[Store]:
    store = Store(tmp_path / "worlds", base, pool=1)
    yield store
    store.close()


def test_one_connection_serves_two_worlds_in_turn(store: Store) -> None:
    worlds = [store.create("a"), store.create("b")]
    connections = set()
    for number in range(100):
        for index, world in enumerate(worlds):
            bound = store.connection(world)
            connections.add(id(bound.sql))
            with bound.sql.begin(), Session(bind=bound.sql) as session:
                session.add(team(100 + number, f"{index}/{number}"))
                session.flush()
                found = session.get(Team, 100 + number)
                assert found is not None
                assert found.name == f"{index}/{number}"
    assert len(connections) == 1
    for index, world in enumerate(worlds):
        names = store.connection(world).raw.execute("SELECT name FROM team WHERE id >= 100 ORDER BY id").fetchall()
        assert names == [(f"{index}/{number}",) for number in range(100)]


def test_a_failed_flush_leaves_the_world_as_it_was(store: Store) -> None:
    world, other = store.create("a"), store.create("b")
    bound = store.connection(world)
    with pytest.raises(IntegrityError), bound.sql.begin(), Session(bind=bound.sql) as session:
        session.add(team(200, "kept?"))
        session.flush()
        session.add(team(1, "taken"))
        session.flush()
    for each in (world, other, world):
        assert store.connection(each).raw.execute("SELECT max(id) FROM team").fetchall() == [(5,)]


def test_a_nested_transaction_is_a_savepoint(store: Store) -> None:
    bound = store.connection(store.create("a"))
    with bound.sql.begin():
        bound.sql.execute(insert(metadata.tables["team"]).values(id=300, name="outer"))
        with pytest.raises(IntegrityError), bound.sql.begin_nested():
            bound.sql.execute(insert(metadata.tables["team"]).values(id=301, name="inner"))
            bound.sql.execute(insert(metadata.tables["team"]).values(id=300, name="again"))
        bound.sql.execute(insert(metadata.tables["team"]).values(id=302, name="after"))
    assert bound.raw.execute("SELECT id FROM team WHERE id >= 300 ORDER BY id").fetchall() == [(300,), (302,)]


def test_raw_and_sqlalchemy_share_a_transaction(store: Store) -> None:
    bound = store.connection(store.create("a"))
    with bound.sql.begin():
        bound.raw.execute("INSERT INTO team VALUES (400, 'raw')")
        assert bound.sql.scalar(select(metadata.tables["team"].c.name).filter_by(id=400)) == "raw"
        bound.sql.rollback()
    assert bound.raw.execute("SELECT count(*) FROM team WHERE id = 400").fetchall() == [(0,)]


def test_a_refused_statement_is_an_error_of_sqlalchemy(store: Store) -> None:
    bound = store.connection(store.create("a"))
    for sql in ("CREATE TABLE x(y)", "SELECT random()", "ATTACH ':memory:' AS other"):
        with pytest.raises(OperationalError, match=r"not authorized|prohibited"), bound.sql.begin():
            bound.sql.execute(text(sql))
    assert bound.is_idle()


def test_an_empty_result_is_a_result(store: Store) -> None:
    bound = store.connection(store.create("a"))
    with bound.sql.begin():
        assert bound.sql.execute(text("SELECT * FROM team WHERE id = 12345")).all() == []
        assert bound.sql.execute(text("DELETE FROM team WHERE id = 12345 RETURNING id")).all() == []
