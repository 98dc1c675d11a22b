"""Tables as the grader knows them: columns, and the dependencies that the owning app declares."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from operator import itemgetter
from typing import Any, cast

import orjson
from sqlalchemy import JSON, Boolean, Float, Integer, LargeBinary, MetaData, Numeric
from sqlalchemy import Table as SQLTable

from world.core.conduct import Conduct
from world.core.json_types import is_object, is_row
from world.core.rows import Row

Key = tuple[Any, ...]
Cells = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Name:
    """A readable column: the value of `field`, itself perhaps readable, in the row of `table` whose key is in `column`.

    A longer key's first part has its own names here.
    """

    column: str
    table: str
    field: str


@dataclass(frozen=True)
class Table:
    """One table. `columns` maps a name to its kind: text, integer, number, boolean, json, blob or time (us).

    `control` tables can be read by the grader and are outside the graded world.
    """

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]
    volatile: frozenset[str] = frozenset()
    benign: frozenset[str] = frozenset()
    derived: frozenset[str] = frozenset()
    derived_from: tuple[str, ...] = ()
    derived_key: tuple[str, ...] = ()
    books: Mapping[str, str] = field(default_factory=dict[str, str])
    part_of: Mapping[str, str] = field(default_factory=dict[str, str])
    soft_delete: Mapping[str, Any] = field(default_factory=dict[str, Any])
    names: Mapping[str, Name] = field(default_factory=dict[str, Name])
    control: bool = False
    entity: str = ""  # kind of its rows in texts: channel, project, product
    login: tuple[str, ...] = ()  # columns: the name by which texts call somebody (`@name`), and whose it is
    conduct: Conduct = field(default_factory=Conduct)

    @cached_property
    def app(self) -> str:
        """The app that owns the table, by its prefix."""
        return self.name.split("_", 1)[0]

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The columns that hold JSON."""
        return tuple(name for name, kind in self.columns.items() if kind == "json")

    @cached_property
    def quiet(self) -> frozenset[str]:
        """Columns that alone do not make a change meaningful."""
        return self.volatile | self.derived | self.benign

    def is_book(self, row: Mapping[str, Any]) -> bool:
        """Whether a row is one that the service keeps by itself.

        The whole table is such, or a column of the row fits a pattern of `books`.
        """
        return "*" in self.derived_from or any(
            fnmatchcase(str(row.get(column, "")), pattern) for column, pattern in self.books.items()
        )

    @cached_property
    def only_benign(self) -> bool:
        """Whether a whole row is a read flag: nothing in it but its key and benign columns."""
        rest = set(self.columns) - set(self.key) - self.volatile - self.derived
        return bool(self.benign) and rest <= self.benign

    @cached_property
    def readable(self) -> tuple[str, ...]:
        """Every name a rubric may use for a cell of this table."""
        extra = ["recipients"] if self.sent_to else []
        return (
            *self.columns,
            *(n for n in self.names if n not in self.columns),
            *(e for e in extra if e not in self.columns),
        )

    @cached_property
    def sent_to(self) -> tuple[str, ...]:
        """The columns that hold the open recipients of a mail: to and cc."""
        return tuple(n for n in self.columns if _is_address_list(n, "to", "cc") and self.columns[n] in ("text", "json"))

    @cached_property
    def hidden_to(self) -> tuple[str, ...]:
        """The columns that hold blind recipients."""
        return tuple(n for n in self.columns if _is_address_list(n, "bcc") and self.columns[n] in ("text", "json"))

    def key_of(self, row: Row) -> Key:
        """The primary key of a row, in declared order."""
        return self._get_key(row)

    @cached_property
    def _get_key(self) -> Callable[[Row], Key]:
        """A getter in C: keys are asked for of every row of a table."""
        if len(self.key) > 1:
            return cast("Callable[[Row], Key]", itemgetter(*self.key))
        only = next(iter(self.key), "")
        return lambda row: (row[only],) if only else ()

    def cell(self, row: Row, column: str) -> Any:
        """A real column's value; JSON columns are decoded."""
        value = row.get(column)
        if isinstance(value, str) and self.columns.get(column) == "json":
            return orjson.loads(value)
        return value

    def same(self, column: str, one: Any, other: Any) -> bool:
        """Whether two values of a column mean the same; the spelling of JSON and of numbers does not matter."""
        if one == other:
            return True
        if self.columns.get(column) != "json" or one is None or other is None:
            return False
        return self.cell({column: one}, column) == self.cell({column: other}, column)

    def is_gone(self, row: Row | None) -> bool:
        """Whether a row is absent or lies in the bin."""
        if row is None or not self.soft_delete:
            return row is None
        return any(_in_bin(row.get(column), states) for column, states in self.soft_delete.items())


def _in_bin(value: Any, states: Any) -> bool:
    return bool(value) if states is True else value in states


def describe(metadata: MetaData) -> dict[str, Table]:
    """Every table of the installed apps, by name; the kernel's own and search indexes are left out."""
    found: dict[str, Table] = {}
    for name in sorted(metadata.tables):
        table = metadata.tables[name]
        if not name.startswith(("_", "sqlite_")) and "_fts" not in name:
            found[name] = _describe(table)
    return found


def _describe(table: SQLTable) -> Table:
    info = table.info
    origin = info.get("derived_from", ())
    columns_from: tuple[str, ...] = tuple(origin) if is_object(origin) else ()
    return Table(
        name=table.name,
        columns={column.name: _kind(column.name, column.type) for column in table.columns},
        key=tuple(column.name for column in table.primary_key.columns),
        volatile=frozenset(_names(info.get("volatile", ()))),
        benign=frozenset(table.columns.keys() if info.get("benign") is True else _names(info.get("benign", ()))),
        derived=frozenset(_names(info.get("derived", ()))) | frozenset(columns_from),
        derived_from=() if columns_from else tuple(_names(origin)),
        derived_key=tuple(_names(info.get("derived_key", ()))),
        books=dict(info.get("books", {})),
        part_of=dict(info.get("part_of", {})),
        soft_delete=_bin(info.get("soft_delete")),
        names={alias: _name(text) for alias, text in info.get("names", {}).items()},
        control=bool(info.get("control")),
        entity=str(info.get("entity", "")),
        login=tuple(info.get("login", ())),
        conduct=info.get("conduct", Conduct()),
    )


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _bin(value: Any) -> Mapping[str, Any]:
    if is_object(value):
        return {column: tuple(v) if is_row(v) else (v,) for column, v in value.items()}
    return {value: True} if value else {}


def _name(text: str) -> Name:
    column, _, target = text.partition(":")
    table, _, wanted = target.partition(".")
    return Name(column, table, wanted)


def _kind(name: str, type_: Any) -> str:
    if isinstance(type_, Boolean):
        return "boolean"
    if isinstance(type_, Integer):
        return "time" if name.endswith("_at") else "integer"
    for kind, label in ((JSON, "json"), (Numeric, "number"), (Float, "number"), (LargeBinary, "blob")):
        if isinstance(type_, kind):
            return label
    return "text"


def _is_address_list(column: str, *kinds: str) -> bool:
    """Whether a column lists addresses of some kinds, as `to` and `to_list` do."""
    return any(column in (kind, f"{kind}_list", f"{kind}_addresses") for kind in kinds)
