"""Rows of a sealed image, read for an export."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, select
from sqlalchemy.pool import StaticPool
from sqlmodel import SQLModel


class Tables:
    """The tables of an image by their models; JSON columns are values. Close it after use."""

    def __init__(self, image: Path) -> None:
        address = f"file:{image.absolute()}?immutable=1"
        self._engine = create_engine(
            "sqlite://", creator=lambda: sqlite3.connect(address, uri=True), poolclass=StaticPool
        )
        self._connection = self._engine.connect()

    def rows(self, model: type[SQLModel]) -> list[Mapping[str, Any]]:
        """All rows of a table, by primary key."""
        table = SQLModel.metadata.tables[str(vars(model)["__tablename__"])]
        query = select(table).order_by(*table.primary_key.columns)
        return [dict(row) for row in self._connection.execute(query).mappings()]

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()
        self._engine.dispose()
