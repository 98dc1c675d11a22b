"""Rows in memory that stand on no world."""

import pytest
from sqlalchemy import Column, Integer, MetaData, String, Table, select

from world.store.memory import open_memory

PLANTS = Table("plants", MetaData(), Column("id", Integer, primary_key=True), Column("name", String, nullable=True))


def test_rows_are_read_by_both_connections() -> None:
    bound = open_memory({PLANTS: [{"id": 1, "name": "fern"}, {"id": 2}]})
    assert bound.raw.execute("SELECT id, name FROM plants ORDER BY id").fetchall() == [(1, "fern"), (2, None)]
    assert [tuple(row) for row in bound.sql.execute(select(PLANTS).order_by(PLANTS.c.id))] == [(1, "fern"), (2, None)]


def test_two_of_them_share_nothing() -> None:
    first, second = open_memory({PLANTS: [{"id": 1, "name": "fern"}]}), open_memory({PLANTS: []})
    assert first.raw.execute("SELECT count(*) FROM plants").fetchall() == [(1,)]
    assert second.raw.execute("SELECT count(*) FROM plants").fetchall() == [(0,)]


def test_a_connection_without_a_world_has_none() -> None:
    with pytest.raises(AttributeError):
        _ = open_memory({}).world
