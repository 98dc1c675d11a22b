"""Building an image: whose tables it has, what is there while its rows are loaded, and what time it is in it."""

from pathlib import Path

import pytest
import sqlalchemy
from sqlalchemy.exc import IntegrityError
from sqlmodel import Field, SQLModel

from tests.company import START
from world.core import diff, discovery, journal, tables
from world.core.app import App
from world.core.directory import TABLES
from world.core.entry_points import packages
from world.core.image_builder import build
from world.store import Base, Store


class Nut(SQLModel, table=True):
    """A row of the test app."""

    __tablename__ = "ash_nut"
    id: int = Field(primary_key=True)
    tree: int | None = Field(default=None, foreign_key="ash_tree.id", index=True)


class Tree(SQLModel, table=True):
    """Another, which the first names."""

    __tablename__ = "ash_tree"
    id: int = Field(primary_key=True)
    name: str = ""


class Stranger(SQLModel, table=True):
    """A table of an app whose name begins alike."""

    __tablename__ = "ashes_stranger"
    id: int = Field(primary_key=True)


ash = App(
    "ash", "Ash", ddl=["CREATE VIRTUAL TABLE ash_fts USING fts5(name)", "CREATE INDEX ash_by_name ON ash_tree(name)"]
)


def load(connection: sqlalchemy.Connection) -> None:
    connection.execute(sqlalchemy.insert(Tree).values(id=1, name="oldest"))
    connection.execute(sqlalchemy.insert(Nut).values(id=1, tree=1))
    connection.exec_driver_sql("INSERT INTO ash_fts(name) VALUES ('oldest')")


def test_an_image_holds_the_company_and_the_apps_it_is_built_for(tmp_path: Path) -> None:
    base = Base(build(tmp_path, [ash], load, now=START))
    store = Store(tmp_path / "worlds", base)
    bound = store.connection(store.create("w"))
    rows = bound.raw.execute("SELECT type, name FROM sqlite_schema ORDER BY name").fetchall()
    names = {name for kind, name in rows if kind == "table" and "_fts" not in name and name[0] != "_"}
    assert names - {"sqlite_stat1", "sqlite_stat4"} == {*TABLES, "ash_nut", "ash_tree"} and "person" in names
    assert {"ix_ash_nut_tree", "ash_by_name", "ix_person_team_id", "_queue_due"} <= {name for _, name in rows}
    assert bound.raw.execute("SELECT at, call_seq FROM _now").fetchall() == [(START, 0)]
    assert journal.changes(bound) == [] and diff.full_hash(bound) == base.state_hash
    assert set(base.tables) == names - {"sqlite_stat1", "sqlite_stat4", "story_ref"} and base.has_calls
    bound.raw.execute("UPDATE ash_tree SET name = 'older'")
    assert [(change.table, change.op) for change in journal.changes(bound)] == [("ash_tree", "update")]
    store.close()


def test_the_same_apps_in_any_order_are_the_same_image(tmp_path: Path) -> None:
    other = App("beech", "Beech", ddl=["CREATE INDEX beech_by_tree ON ash_nut(tree)"])
    made = [build(tmp_path, order, load, now=START) for order in ([ash, other], [other, ash])]
    assert made[0] == made[1] != build(tmp_path, [ash, other], load, now=START + 1)


def test_rows_that_name_nothing_are_refused_and_leave_no_image(tmp_path: Path) -> None:
    def load_orphan(connection: sqlalchemy.Connection) -> None:
        connection.execute(sqlalchemy.insert(Nut).values(id=1, tree=9))

    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        build(tmp_path / "images", [ash], load_orphan, now=START)
    assert not list(tmp_path.rglob("*.db"))


def test_apps_are_found_by_name_and_their_parts_where_they_have_them() -> None:
    names = [app.name for app in discovery.apps()]
    assert names == sorted(names) and {"github", "gmail", "jira", "sheets", "slack"} <= set(names)
    slack = discovery.app_packages()[names.index("slack")]
    assert slack.app.name == "slack"
    found = discovery.part(slack, "rest")
    assert found is not None and found.__name__ == f"{slack.__name__}.rest"
    assert discovery.part(slack, "nowhere") is None
    below = [module.__name__ for module in discovery.submodules(slack)]
    assert below == sorted(below) and f"{slack.__name__}.rest" in below
    modules = [module.__name__ for module in discovery.modules("firmament.apps")]
    assert modules[0] == "apps" and slack.__name__ in modules and len(set(modules)) == len(modules)
    assert [package.__name__ for package in packages("firmament.apps")] == ["apps"] and packages("firmament.none") == ()
    assert {"slack_message", "person"} <= set(tables.metadata().tables)
