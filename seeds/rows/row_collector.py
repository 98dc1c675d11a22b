"""Collector of rows: kept per table, checked against its columns, inserted in bulk."""

from collections.abc import Callable
from typing import Any, cast

from sqlalchemy import Connection, insert
from sqlmodel import SQLModel

from world.core.directory import StoryRef

Row = dict[str, Any]  # a row that is still to be written, by column


class Sink:
    """Rows waiting for their tables. Every row has all columns, so one statement per table suffices."""

    def __init__(self) -> None:
        self.rows: dict[type[SQLModel], list[Row]] = {}
        self._defaults: dict[type[SQLModel], Row] = {}
        self._made: dict[type[SQLModel], dict[str, Callable[[], Any]]] = {}
        self._refs: dict[tuple[str, str, str], Row] = {}

    def add(self, model: type[SQLModel], **columns: object) -> Row:
        """One row; columns left out get the model's default. The row may still be changed before `flush`."""
        row = {**self._default(model), **columns}
        if len(row) != len(model.model_fields):
            wrong = sorted(set(row) ^ set(model.model_fields))
            raise KeyError(f"{model.__name__}: unknown or missing {wrong}")
        self.rows.setdefault(model, []).append(row)
        return row

    def refer(self, table: str, row_id: str, event_id: str, story: str, part: str) -> None:
        """Link a row to the event that made it; `row_id` joins a composite key with commas."""
        key = (table, row_id, event_id)
        self._refs[key] = {"table_name": table, "row_id": row_id, "event_id": event_id, "story": story, "part": part}

    def references(self, table: str) -> list[Row]:
        """The story references of one table's rows."""
        return [ref for ref in self._refs.values() if ref["table_name"] == table]

    def _default(self, model: type[SQLModel]) -> dict[str, object]:
        if model not in self._defaults:
            self._defaults[model] = {
                name: field.get_default(call_default_factory=False)
                for name, field in model.model_fields.items()
                if not field.is_required() and field.default_factory is None
            }
        lists: dict[str, object] = {name: make() for name, make in self._makers(model).items()}
        return {**self._defaults[model], **lists}

    def _makers(self, model: type[SQLModel]) -> dict[str, Callable[[], object]]:
        """Return the default factories of a model's columns, to call for each row.

        Pydantic's own way costs a millisecond a row.
        """
        if model not in self._made:
            found = ((name, field.default_factory) for name, field in model.model_fields.items())
            self._made[model] = {name: cast("Callable[[], Any]", make) for name, make in found if make is not None}
        return self._made[model]

    def flush(self, connection: Connection) -> None:
        """Insert everything, tables in the order they were first used."""
        for model, rows in self.rows.items():
            connection.execute(insert(model), rows)
        if self._refs:
            connection.execute(insert(StoryRef), [self._refs[key] for key in sorted(self._refs)])
