"""One cell of a row, and when two values of a column are the same."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import orjson

from world.core.json_types import is_array
from world.grading.compiler import Column
from world.grading.dates import parse_at
from world.grading.scope import PersonRef, RowRef, Scope, row_value
from world.grading.values import decimal


class Cell(NamedTuple):
    """A value under test: readable `value`, the key `raw` behind it, and what its column is."""

    value: Any
    raw: Any
    column: Column


def same(cell: Cell, wanted: object, s: Scope) -> bool:
    """Typed equality: people by employee id, rows by key, times in us, `1` is `1.0`."""
    if isinstance(wanted, PersonRef):
        return any(s.directory.identify(value, cell.column.app) == wanted.id for value in (cell.raw, cell.value))
    if isinstance(wanted, RowRef):
        if cell.column.target and cell.column.target != wanted.table:
            return False
        return bool(loose(cell.raw, row_value(wanted)))
    if cell.column.kind == "time" and isinstance(wanted, str):
        return any(parse_at(wanted, zone) == cell.value for zone in s.zones)
    if isinstance(wanted, str) and "@" in wanted and isinstance(cell.value, str):
        return _owner(cell.value, s) == _owner(wanted, s)
    return loose(cell.value, wanted) or _is_key(cell, wanted)


def _is_key(cell: Cell, wanted: object) -> bool:
    """Whether a text is the key behind a readable name: facts hold `C024BE91L` more often than `incidents`."""
    return bool(cell.column.target) and isinstance(wanted, str) and wanted == cell.raw


def _owner(text: str, s: Scope) -> str:
    """Return the colleague who reads mail to an address, their own or an additional one; else the address itself."""
    bare = address(text)
    return s.directory.addresses.get(bare, bare)


def loose(value: object, wanted: object) -> bool:
    if is_array(value) and is_array(wanted):
        return as_set(value) == as_set(wanted)
    if value is None or wanted is None or isinstance(value, (list, dict)) or isinstance(wanted, (list, dict)):
        return value == wanted
    if isinstance(value, str) and isinstance(wanted, str):
        return value == wanted
    one, other = decimal(value), decimal(wanted)
    return one == other if one is not None and other is not None else value == wanted


def as_set(values: Sequence[Any]) -> frozenset[str]:
    """A list as a set of canonical members."""
    return frozenset(orjson.dumps(v, option=orjson.OPT_SORT_KEYS).decode() for v in values)


def address(text: str) -> str:
    """The bare mail address of `Name <a@b>`, lower case."""
    inner = text[text.rindex("<") + 1 :].split(">")[0] if "<" in text else text
    return inner.strip().lower()


def members(cell: Cell) -> list[Cell]:
    """The members of a list cell; a text of addresses or comma-separated values is a list too."""
    value = cell.value
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    items = value if is_array(value) else [] if value is None else [value]
    inner = Column(
        cell.column.table, cell.column.name, "element", cell.column.real, cell.column.app, cell.column.target
    )
    return [Cell(item, item, inner) for item in items]
