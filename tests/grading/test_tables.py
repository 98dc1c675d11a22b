"""What the grader reads off the apps' metadata."""

from sqlalchemy import JSON, Boolean, Column, Float, Integer, LargeBinary, MetaData, String, Table

from world.core import directory
from world.core.tables import metadata
from world.grading import Directory, SeedRows, describe
from world.grading.tables import Name


def test_annotations_and_kinds_are_read_from_the_metadata() -> None:
    meta = MetaData()
    Table(
        "x_note",
        meta,
        Column("id", Integer, primary_key=True),
        Column("done", Boolean),
        Column("made_at", Integer),
        Column("size", Float),
        Column("tags", JSON),
        Column("data", LargeBinary),
        Column("state_id", Integer),
        Column("gone", String),
        info={
            "volatile": ["size"],
            "benign": ["done"],
            "derived_from": {"tags": "x_note"},
            "soft_delete": {"gone": ["yes", "purged"]},
            "names": {"state": "state_id:x_state.name"},
        },
    )
    Table(
        "x_copy",
        meta,
        Column("a", String, primary_key=True),
        Column("b", String, primary_key=True),
        info={"derived_from": ["x_note", "x_state"], "derived_key": "a"},
    )
    Table("x_seen", meta, Column("a", String, primary_key=True), Column("at", Integer), info={"benign": True})
    Table(
        "x_bin",
        meta,
        Column("a", String, primary_key=True),
        Column("deleted_at", Integer),
        info={"soft_delete": "deleted_at", "control": True},
    )
    Table("_call", meta, Column("seq", Integer, primary_key=True))
    Table("x_note_fts", meta, Column("body", String, primary_key=True))
    found = describe(meta)
    assert list(found) == ["x_bin", "x_copy", "x_note", "x_seen"]
    note = found["x_note"]
    assert dict(note.columns) == {
        "id": "integer",
        "done": "boolean",
        "made_at": "time",
        "size": "number",
        "tags": "json",
        "data": "blob",
        "state_id": "integer",
        "gone": "text",
    }
    assert (note.app, note.key, note.volatile, note.benign, note.derived) == (
        "x",
        ("id",),
        {"size"},
        {"done"},
        {"tags"},
    )
    assert note.names == {"state": Name("state_id", "x_state", "name")} and "state" in note.readable
    assert not note.is_gone({"gone": "no"}) and note.is_gone({"gone": "purged"}) and note.is_gone(None)
    assert (
        found["x_bin"].is_gone({"deleted_at": 5})
        and not found["x_bin"].is_gone({"deleted_at": None})
        and found["x_bin"].control
    )
    assert (found["x_copy"].derived_from, found["x_copy"].derived_key) == (("x_note", "x_state"), ("a",))
    assert found["x_seen"].only_benign and not note.only_benign


def test_every_installed_table_has_a_key_and_annotations_that_name_real_columns() -> None:
    found = describe(metadata())
    assert {"person", "company", "story_ref"} <= set(found)
    for table in found.values():
        named = {
            *table.volatile,
            *table.benign,
            *table.derived,
            *table.soft_delete,
            *table.books,
            *(name.column for name in table.names.values()),
        }
        assert table.key and named <= set(table.columns), table.name
        for source in table.derived_from:
            assert source == "*" or source in found, table.name
        assert set(table.derived_key) <= set(table.columns), table.name
        for name in table.names.values():
            assert name.table in found and name.field in found[name.table].readable, table.name


def test_the_directory_is_read_from_its_tables() -> None:
    tables = describe(directory.SQLModel.metadata)
    person = {column: "" for column in tables["person"].columns} | {
        "id": "p_1",
        "full_name": "Mia Novak",
        "first_name": "Mia",
        "handle": "mia",
        "email": "Mia@Acme.test",
    }
    rows = SeedRows(
        tables,
        {
            "person": [
                person,
                {**person, "id": "p_2", "full_name": "Mia Moss", "handle": "mmoss", "email": "mm@acme.test"},
            ],
            "contact": [{"id": "c_1", "full_name": "Vera Stone", "email": "vera@vendor.test", "title": "AE"}],
            "account": [
                {"app": "slack", "external_id": "U1", "person_id": "p_1"},
                {"app": "jira", "external_id": "U1", "person_id": "p_2"},
            ],
            "alias": [{"id": 1, "person_id": "p_1", "kind": "email", "value": "M.Novak@acme.test"}],
        },
    )
    found = Directory.read(rows)
    known = {
        text: found.identify(text, "slack")
        for text in (
            "p_1",
            "U1",
            "mia@acme.test",
            "m.novak@ACME.test",
            "@mia",
            "Mia Moss",
            "Mia",
            "",
            "c_1",
            "Vera Stone",
        )
    }
    assert known == {
        "p_1": "p_1",
        "U1": "p_1",
        "mia@acme.test": "p_1",
        "m.novak@ACME.test": "p_1",
        "@mia": "p_1",
        "Mia Moss": "p_2",
        "Mia": "p_1",
        "": None,
        "c_1": "c_1",
        "Vera Stone": "c_1",
    }
    assert found.identify("U1", "jira") == "p_2" and found.identify("U1") is None and found.identify(5) is None
    assert (
        found.lead_of("x") is None
        and found.schedule("x") is None
        and found.on_call("x", 5) is None
        and found.list_spoken_names("nobody") == []
    )


def test_every_readable_name_leads_somewhere() -> None:
    tables = describe(metadata())
    for table in tables.values():
        for name, about in table.names.items():
            assert about.column in table.columns, f"{table.name}.{name}"
            assert about.field in tables[about.table].readable and name not in table.columns, f"{table.name}.{name}"
