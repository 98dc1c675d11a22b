"""Predicates on a whole row: the `where` and `set` mappings of a rubric."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from world.core.json_types import is_array, is_object
from world.grading.cells import Cell, address, members
from world.grading.compiler import FACT, Column, Compiler
from world.grading.operators import combine_tests, compile_predicate
from world.grading.scope import Scope
from world.grading.tables import Row, Table
from world.grading.yaml_source import Place

_COMBINE = ("all_of", "any_of", "none_of")


@dataclass(frozen=True, slots=True)
class Condition:
    """One requirement of a row; `columns` are the real columns it looks at."""

    columns: tuple[str, ...]
    test: Callable[[Row, Scope], bool]
    text: str


@dataclass(frozen=True, slots=True)
class Where:
    """All requirements of a row; an empty one holds for every row."""

    conditions: tuple[Condition, ...] = ()

    def holds(self, row: Row, s: Scope) -> bool:
        """Whether a row meets every condition."""
        return all(condition.test(row, s) for condition in self.conditions)

    def missed(self, row: Row, s: Scope) -> list[str]:
        """The conditions a row does not meet, in words."""
        return [condition.text for condition in self.conditions if not condition.test(row, s)]

    @property
    def columns(self) -> frozenset[str]:
        """Every real column the conditions look at."""
        return frozenset(column for condition in self.conditions for column in condition.columns)


def compile_where(raw: Any, table: Table, place: Place, c: Compiler, *, blind: bool = False) -> Where:
    """The conditions of a mapping column -> predicate; `name_from: event.x.y` compares with a fact.

    `recipients` are to and cc. Naming them means nobody else, so a blind copy fails the row; with `blind` (in
    `never`) blind copies are among the recipients instead.
    """
    if not is_object(raw):
        raise c.error(place, "takes a mapping of columns")
    conditions = [_condition(key, value, table, (*place, key), c, blind) for key, value in raw.items()]
    if not blind and "recipients" in raw and table.hidden_to and not _names_hidden(raw, table):
        conditions.append(_nobody_hidden(table))
    return Where(tuple(conditions))


def _condition(key: str, raw: Any, table: Table, place: Place, c: Compiler, blind: bool) -> Condition:
    if key in _COMBINE and key not in table.readable:
        return _combined(key, raw, table, place, c, blind)
    if key == "story" and key not in table.readable and len(table.key) == 1:
        key, raw = table.key[0], {"story": raw}
    if key.endswith("_from") and key not in table.readable:
        if not (isinstance(raw, str) and FACT.fullmatch(raw)):
            raise c.error(place, f"{key} takes a fact like event.outage.ticket")
        key = key.removesuffix("_from")
    column = c.column(table, key, place)
    predicate = compile_predicate(raw, place, column, c)

    def test(row: Row, s: Scope) -> bool:
        return predicate.test(read_cell(table, column, row, s, blind=blind), s)

    return Condition(_real(table, column), test, f"{key} {predicate.text}")


def _combined(how: str, raw: Any, table: Table, place: Place, c: Compiler, blind: bool) -> Condition:
    if not is_array(raw) or not raw:
        raise c.error(place, f"{how} takes a list of at least one mapping")
    parts = [compile_where(item, table, (*place, index), c, blind=blind) for index, item in enumerate(raw)]
    decide = combine_tests(how)

    def test(row: Row, s: Scope) -> bool:
        return decide([part.holds(row, s) for part in parts])

    said = "; ".join(" and ".join(condition.text for condition in part.conditions) for part in parts)
    return Condition(tuple(sorted({name for part in parts for name in part.columns})), test, f"{how} ({said})")


def _real(table: Table, column: Column) -> tuple[str, ...]:
    return table.sent_to if column.name == "recipients" and column.name not in table.columns else (column.real,)


def read_cell(table: Table, column: Column, row: Row, s: Scope, *, blind: bool = False) -> Cell:
    """A cell of a row: its readable value and the key behind it."""
    if column.name == "recipients" and column.name not in table.columns:
        value = sent(table, row, (*table.sent_to, *(table.hidden_to if blind else ())))
        return Cell(value, value, column)
    return Cell(s.readable(table, row, column.name), row.get(column.real), column)


def sent(table: Table, row: Row, columns: Sequence[str]) -> list[str]:
    """The addresses in some columns, without repeats, in order."""
    found: list[str] = []
    for name in columns:
        value = table.cell(row, name)
        if isinstance(value, str) and value.startswith("["):
            value = orjson.loads(value)
        found += [
            address(str(cell.value))
            for cell in members(Cell(value, value, Column(table.name, name, "json", name, table.app)))
        ]
    return list(dict.fromkeys(found))


def _names_hidden(raw: Mapping[str, Any], table: Table) -> bool:
    return any(name in raw for name in table.hidden_to)


def _nobody_hidden(table: Table) -> Condition:
    """Who names the recipients means nobody else: a blind copy to another than oneself is another recipient."""

    def test(row: Row, s: Scope) -> bool:
        blind = sent(table, row, table.hidden_to)
        return all(s.directory.identify(one, table.app) == s.evidence.agent for one in blind)

    return Condition(table.hidden_to, test, "nobody in bcc")
