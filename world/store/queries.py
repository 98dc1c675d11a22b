"""Short ways to read a bound world by SQL."""

from typing import Any, Protocol


class Bound(Protocol):
    """Interface of anything bound to a world."""

    @property
    def raw(self) -> Any: ...


def rows(bound: Bound, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    return bound.raw.execute(sql, values).fetchall()


def row(bound: Bound, sql: str, *values: object) -> tuple[Any, ...] | None:
    """The first row of a query, or None; the statement is finished."""
    found = rows(bound, sql, *values)
    return found[0] if found else None


def value(bound: Bound, sql: str, *values: object) -> Any:
    """The first column of the first row. Raises LookupError when there is none."""
    found = row(bound, sql, *values)
    if found is None:
        raise LookupError(f"no row for {sql}")
    return found[0]
