"""Read-only rows, read without the session at a fifth of its cost; changes of them would not be saved."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from sqlalchemy.dialects.sqlite import dialect
from sqlmodel import SQLModel

from apps.github.domain.context import GithubContext
from world.core.call import Call

M = TypeVar("M", bound=SQLModel)
_DIALECT = dialect()


class Conditions:
    """Conditions joined by AND, and the values of their parameters."""

    __slots__ = ("parts", "values")

    def __init__(self, *parts: str, **values: object) -> None:
        self.parts, self.values = list(parts), values

    def __str__(self) -> str:
        return " AND ".join(self.parts)

    def add(self, part: str, **values: object) -> None:
        """Add a condition."""
        self.parts.append(part)
        self.values.update(values)

    def bind_list(self, values: Iterable[object]) -> str:
        """Return `(:v1, :v2)` for a list of values."""
        names = []
        for value in values:
            names.append(f"v{len(self.values)}")
            self.values[names[-1]] = value
        return f"({', '.join(f':{name}' for name in names)})"


class RowReader:
    """Row reader of a table: its columns, the attributes they fill, and conversions of stored values."""

    __slots__ = ("columns", "made", "names", "table", "turned")

    def __init__(self, model: type[SQLModel]) -> None:
        columns = [(one.key, one.columns[0]) for one in model.__mapper__.column_attrs]  # type: ignore[attr-defined]
        self.made, self.table = model, str(model.__tablename__)
        self.names = [name for name, _ in columns]
        self.columns = ", ".join(f'"{column.name}"' for _, column in columns)
        found = [
            (name, column.type.dialect_impl(_DIALECT).result_processor(_DIALECT, None)) for name, column in columns
        ]
        self.turned = [(name, turn) for name, turn in found if turn is not None]

    def row(self, values: Sequence[Any]) -> Any:
        """Build an instance from a row's values."""
        one: Any = self.made.__new__(self.made)
        kept = one.__dict__
        kept.update(zip(self.names, values, strict=False))  # a count may follow
        for name, turn in self.turned:
            kept[name] = turn(kept[name])
        return one


_FORMS: dict[str, RowReader] = {}


def form(model: type[SQLModel]) -> RowReader:
    """Return the cached row reader of a model."""
    name = str(model.__tablename__)
    if name not in _FORMS:
        _FORMS[name] = RowReader(model)
    return _FORMS[name]


def read_rows(call: Call, model: type[M], where: Conditions, more: str = "") -> list[M]:
    """Return the rows of a table under conditions."""
    of = form(model)
    return [
        of.row(values) for values in call.all(f"SELECT {of.columns} FROM {of.table} WHERE {where} {more}", where.values)
    ]


class ReadContext(GithubContext):
    """Context of a request that changes nothing."""

    def rows(self, model: type[M], column: str, keys: Sequence[int]) -> list[M]:
        where = Conditions()
        where.add(f'"{column}" IN {where.bind_list(keys)}')
        return read_rows(self.call, model, where)
