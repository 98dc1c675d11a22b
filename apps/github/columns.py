"""Kinds of column that the tables share."""

from typing import Any

from sqlalchemy import JSON, Column


def json_column(*, nullable: bool = False) -> Any:
    """A JSON column; None is SQL NULL."""
    return Column(JSON(none_as_null=True), nullable=nullable)
