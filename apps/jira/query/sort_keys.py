"""SQL that fields of a query share: sort keys of named rows, and tests of columns that hold one value or a list."""

from collections.abc import Callable

from sqlalchemy import Integer, and_, exists, func, literal_column, select

from apps.jira.models import Issue
from apps.jira.query.clause import Condition, SqlColumn
from apps.jira.query.field_families import list_items


def is_empty_list(column: SqlColumn) -> Condition:
    """Whether a JSON list column holds nothing."""
    return func.json_array_length(column) == 0


def count_rows(issue: SqlColumn) -> SqlColumn:
    """Count the rows of another table that belong to the issue."""
    return select(func.count()).where(issue == Issue.id).correlate(Issue).scalar_subquery()


def name_sort_key(column: SqlColumn, key: SqlColumn, own: SqlColumn) -> SqlColumn:
    """A name in another table, as a sort key that ignores case."""
    return select(func.lower(column)).where(key == own).correlate(Issue).scalar_subquery()


def first_sort_key(ids: SqlColumn, key: SqlColumn, place: SqlColumn) -> SqlColumn:
    """The lowest place among the rows that a JSON list column names."""
    items = list_items(ids, Integer())
    return select(func.min(place)).select_from(items).where(key == items.c.value).correlate(Issue).scalar_subquery()


def holds_column(column: SqlColumn) -> Callable[[Callable[[SqlColumn], Condition]], Condition]:
    """A test of the value in a plain column."""
    return lambda test: and_(column.is_not(None), test(column))


def holds_list(column: SqlColumn) -> Callable[[Callable[[SqlColumn], Condition]], Condition]:
    """A test of some value in a JSON list column."""

    def holds(test: Callable[[SqlColumn], Condition]) -> Condition:
        items = list_items(column, Integer())
        return exists(select(literal_column("1")).select_from(items).where(test(items.c.value)).correlate(Issue))

    return holds
