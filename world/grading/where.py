"""Predicates on a whole row: the `where` and `set` mappings of a rubric."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import orjson

from world.core.json_types import is_array, is_object
from world.core.yaml_document import Place
from world.grading.cells import Cell, address, members
from world.grading.compiler import FACT, Column, Compiler
from world.grading.operators import Predicate, compile_predicate, decide
from world.grading.reasons.clause import Detail, How, Miss, Phrase, Teller, find_failed, say
from world.grading.reasons.value_phrases import tell_both, tell_value
from world.grading.scope import Scope
from world.grading.tables import Row, Table

_COMBINE: Mapping[str, How] = {"all_of": "all_of", "any_of": "any_of", "none_of": "none_of"}


@dataclass(frozen=True)
class Condition:
    """One requirement of a row; `columns` are the real columns it looks at. One on a column has its `predicate` and the
    `cell` it is about, combined ones have `parts`. `place`: in the rubric.
    """

    columns: tuple[str, ...]
    test: Callable[[Row, Scope], bool]
    phrase: Phrase
    how: How = ""
    parts: tuple["Condition", ...] = ()
    place: Place = ()
    cell: Callable[[Row, Scope], Cell] | None = None
    predicate: Predicate | None = None

    @cached_property
    def text(self) -> str:
        """The condition in the rubric's own words."""
        return self.phrase(say)

    def explain(self, row: Row, s: Scope, *, wanted: bool = True) -> Detail:
        """The smallest part that explains why a row does not meet it (or, unless `wanted`, why it does)."""
        failed, wanted = find_failed(self, lambda part: part.test(row, s), wanted=wanted)
        if failed.cell is None or failed.predicate is None:
            return Detail(
                failed.place, *tell_both(failed, "", failed.phrase, wanted, s), failed._describe_columns(row, s)
            )
        cell = failed.cell(row, s)
        part, wanted = find_failed(failed.predicate, lambda one: one.test(cell, s), wanted=wanted)
        told = tell_both(part, cell.column.name, part.phrase, wanted, s)
        return Detail(part.place or failed.place, *told, tell_value(cell.value, s, cell.column))

    def _describe_columns(self, row: Row, s: Scope) -> str:
        """The values of the columns it looks at."""
        return ", ".join(f"{name} {tell_value(row.get(name), s)}" for name in self.columns)


@dataclass(frozen=True, slots=True)
class RowCondition:
    """All requirements of a row; an empty one holds for every row."""

    conditions: tuple[Condition, ...] = ()

    def holds(self, row: Row, s: Scope) -> bool:
        """Whether a row meets every condition."""
        return all(condition.test(row, s) for condition in self.conditions)

    def list_misses(self, row: Row, s: Scope) -> list[Miss]:
        """The conditions a row does not meet."""
        return [Miss(one.text, partial(one.explain, row, s)) for one in self.conditions if not one.test(row, s)]

    def phrase(self, tell: Teller) -> str:
        """All conditions in words."""
        return " and ".join(condition.phrase(tell) for condition in self.conditions)

    @property
    def columns(self) -> frozenset[str]:
        """Every real column the conditions look at."""
        return frozenset(column for condition in self.conditions for column in condition.columns)


def compile_where(raw: object, table: Table, place: Place, c: Compiler, *, blind: bool = False) -> RowCondition:
    """The conditions of a mapping column -> predicate; `name_from: event.x.y` compares with a fact.

    `recipients` are to and cc. Naming them means nobody else outside the company, and no blind copy; with `blind` (in
    `never`) blind copies are among the recipients instead.
    """
    if not is_object(raw):
        raise c.error(place, "takes a mapping of columns")
    conditions = [_condition(key, value, table, (*place, key), c, blind) for key, value in raw.items()]
    if not blind and "recipients" in raw and table.hidden_to and not _names_hidden(raw, table):
        conditions.append(_nobody_hidden(table, (*place, "recipients")))
    if not blind and "recipients" in raw and table.sent_to:
        conditions.append(_nobody_copied(raw["recipients"], table, (*place, "recipients"), c))
    return RowCondition(tuple(conditions))


def _condition(key: str, raw: object, table: Table, place: Place, c: Compiler, blind: bool) -> Condition:
    how = _COMBINE.get(key)
    if how is not None and key not in table.readable:
        return _build_combination(how, raw, table, place, c, blind)
    if key == "story" and key not in table.readable and len(table.key) == 1:
        key, raw = table.key[0], {"story": raw}
    if key.endswith("_from") and key not in table.readable:
        if not (isinstance(raw, str) and FACT.fullmatch(raw)):
            raise c.error(place, f"{key} takes a fact like event.outage.ticket")
        key = key.removesuffix("_from")
    column = c.column(table, key, place)
    predicate = compile_predicate(raw, place, column, c)

    def cell(row: Row, s: Scope) -> Cell:
        return read_cell(table, column, row, s, blind=blind)

    return Condition(
        _real(table, column),
        lambda row, s: predicate.test(cell(row, s), s),
        lambda tell: f"{key} {predicate.phrase(tell)}",
        place=place,
        cell=cell,
        predicate=predicate,
    )


def _build_combination(how: How, raw: object, table: Table, place: Place, c: Compiler, blind: bool) -> Condition:
    if not is_array(raw) or not raw:
        raise c.error(place, f"{how} takes a list of at least one mapping")
    parts = [compile_where(item, table, (*place, index), c, blind=blind) for index, item in enumerate(raw)]

    def test(row: Row, s: Scope) -> bool:
        return decide(how, parts, lambda part: part.holds(row, s))

    return Condition(
        tuple(sorted({name for part in parts for name in part.columns})),
        test,
        lambda tell: f"{how} ({'; '.join(part.phrase(tell) for part in parts)})",
        how,
        tuple(_together(part, (*place, index)) for index, part in enumerate(parts)),
        place,
    )


def _together(where: RowCondition, place: Place) -> Condition:
    """All conditions of a mapping as one."""
    if len(where.conditions) == 1:
        return where.conditions[0]
    return Condition(tuple(sorted(where.columns)), where.holds, where.phrase, "all_of", where.conditions, place)


def _real(table: Table, column: Column) -> tuple[str, ...]:
    return table.sent_to if column.name == "recipients" and column.name not in table.columns else (column.real,)


def read_cell(table: Table, column: Column, row: Row, s: Scope, *, blind: bool = False) -> Cell:
    """A cell of a row: its readable value and the key behind it."""
    if column.name == "recipients" and column.name not in table.columns:
        value = list_addresses(table, row, (*table.sent_to, *(table.hidden_to if blind else ())))
        return Cell(value, value, column)
    return Cell(s.readable(table, row, column.name), row.get(column.real), column)


def _names_hidden(raw: Mapping[str, Any], table: Table) -> bool:
    return any(name in raw for name in table.hidden_to)


def _nobody_hidden(table: Table, place: Place) -> Condition:
    """Build the condition that nobody gets a blind copy, except the agent itself.

    A rubric that names the recipients means nobody else.
    """

    def test(row: Row, s: Scope) -> bool:
        blind = list_addresses(table, row, table.hidden_to)
        return all(s.directory.identify(one, table.app) == s.evidence.agent for one in blind)

    return Condition(table.hidden_to, test, lambda _: "nobody in bcc", place=place)


def _nobody_copied(raw: object, table: Table, place: Place, c: Compiler) -> Condition:
    """A copy to an outsider whom neither the item nor the conversation names is another recipient."""
    column = c.column(table, "recipients", place)
    predicate = compile_predicate(raw, place, column, c)

    def test(row: Row, s: Scope) -> bool:
        def suffices(left: Sequence[str]) -> bool:
            return predicate.test(Cell(left, left, column), s)

        return not list_copied(table, row, s, suffices)

    return Condition(table.sent_to, test, lambda _: "no copy to an outsider whom nobody named", place=place)


# whom a message goes to


def list_addresses(table: Table, row: Row, columns: Sequence[str]) -> list[str]:
    """The addresses in some columns, without repeats, in order."""
    found: list[str] = []
    for name in columns:
        value = table.cell(row, name)
        if isinstance(value, str) and value.startswith("["):
            value = orjson.loads(value)
        found += [
            address(str(cell.value["email"] if is_object(cell.value) and "email" in cell.value else cell.value))
            for cell in members(Cell(value, value, Column(table.name, name, "json", name, table.app)))
        ]
    return list(dict.fromkeys(found))


def list_copied(table: Table, row: Row, s: Scope, suffices: Callable[[Sequence[str]], bool]) -> list[str]:
    """List the outsiders to whom a message need not have gone.

    `suffices` says whether some recipients are all that is asked for. Copies may go to others of an organisation that
    is written to, and to people in the conversation that is answered.
    """
    everybody = list_addresses(table, row, table.sent_to)
    outside = [one for one in everybody if not is_colleague(one, s)]
    spare: list[str] = []
    for one in reversed(outside):
        if suffices([other for other in everybody if other not in spare and other != one]):
            spare.append(one)
    known = {str(domain).casefold() for _, _, domain, _ in s.directory.organisations if domain}
    hosts = known & {_host(one) for one in outside if one not in spare}
    left = [one for one in reversed(spare) if _host(one) not in hosts]
    present = (
        {person for other in _list_answered(table, row, s) for person in _list_people(table, other)} if left else ()
    )
    return [one for one in left if one.casefold() not in present]


def is_colleague(one: str, s: Scope) -> bool:
    """Whether an address is somebody's of the company."""
    known = s.directory.by_id.get(s.directory.identify(one) or "")
    if known is not None:
        return known.kind != "contact"
    return _host(one) == str(s.directory.company.get("domain", "")).casefold()


def _host(one: str) -> str:
    return one.rpartition("@")[2].casefold()


def _list_answered(table: Table, row: Row, s: Scope) -> Iterator[Row]:
    """The messages that a message answers, as its app says."""
    for column, how in table.conduct.acts.get("answers", {}).items():
        id_column = str(how["any"]).removeprefix("{of}.")
        answered = {str(one) for one in table.cell(row, column) or ()}
        yield from (one for one in s.changes.final.rows(table.name) if str(one.get(id_column)) in answered)


def _list_people(table: Table, row: Row) -> set[str]:
    """Return the sender and the recipients of a message, in small letters."""
    senders = {str(row.get(name)) for name in table.columns if name.startswith("from_")}
    return {one.casefold() for one in (*senders, *list_addresses(table, row, table.sent_to))}
