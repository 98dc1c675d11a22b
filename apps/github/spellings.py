"""Spellings of a name: names that differ in case alone are one, in every alphabet; accents tell names apart.

SQLite's `lower` knows ASCII only, so the comparison is made here.
"""

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Mapped
from sqlmodel import col, select

from apps.github.models_issues import Label
from world.core.call import Call


def spellings(call: Call, column: Mapped[str], *names: str) -> list[str]:
    """List how names are written in a column."""
    wanted = {name.lower() for name in names}
    return sorted(written for (written,) in call.all(select(column).distinct()) if written.lower() in wanted)


def is_called(call: Call, column: Mapped[str], name: str) -> ColumnElement[bool]:
    """Return the condition that a column holds a name."""
    return column.in_(spellings(call, column, name))


def has_name(call: Call, name: str) -> ColumnElement[bool]:
    """Return the condition that a label has a name."""
    return is_called(call, col(Label.name), name)
