"""One clause being compiled: its operands checked and resolved to values, in Jira's order and words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import ColumnElement, Integer, String, and_, bindparam, false, func, not_, or_, select
from sqlalchemy import column as typed
from sqlalchemy.sql.elements import SQLCoreOperations

from apps.jira.query import functions
from apps.jira.query.context import Lookups, NamedRow, find_named
from apps.jira.query.functions import Kind
from apps.jira.query.tree import Empty, Function, JqlError, Operand, OperandList, Operator, Value

Condition = ColumnElement[bool]
SqlColumn = SQLCoreOperations[Any]
Ids = Sequence[int | str]
Resolve = Callable[["ClauseQuestion", Value], Ids]

EQUALITY: frozenset[Operator] = frozenset({"=", "!=", "in", "not in", "is", "is not"})
EMPTINESS: frozenset[Operator] = frozenset({"is", "is not"})
RELATIONAL: frozenset[Operator] = frozenset({"<", "<=", ">", ">="})
HISTORY: frozenset[Operator] = frozenset({"was", "was not", "was in", "was not in"})
NEGATIVE: frozenset[Operator] = frozenset({"!=", "not in", "is not", "!~"})
LISTS: frozenset[Operator] = frozenset({"in", "not in", "was in", "was not in"})
_INLINE = 40  # values spelt out as parameters; more travel as one JSON parameter
MOST_PARTS = 200  # conditions of one OR, as SQLite limits the depth of an expression; own limit


@dataclass(frozen=True, slots=True)
class ClauseQuestion:
    """A clause: the field as the query names it, the operator and the operand."""

    name: str
    operator: Operator
    operand: Operand
    lookups: Lookups

    def check_usage(self, supported: frozenset[Operator]) -> None:
        """Refuse an operator with the wrong shape of operand, then one the field does not support."""
        self._check_shape()
        if self.operator not in supported:
            raise JqlError([f"The operator '{self.operator}' is not supported by the '{self.name}' field."])

    def _check_shape(self) -> None:
        said = f"Operator '{self.operator}' does not support"
        empty, listed = isinstance(self.operand, Empty), self._is_list()
        if empty and (self.operator in LISTS or self.operator in RELATIONAL):
            raise JqlError([f"{said} the empty value representation 'EMPTY' for field '{self.name}'."])
        if self.operator in LISTS and not listed:
            raise JqlError([f"{said} the non-list value '{self.operand.shown}' for field '{self.name}'."])
        if self.operator in EMPTINESS and not empty:
            raise JqlError([f"{said} searching for non-empty values for field '{self.name}'."])
        if self.operator not in LISTS and listed:
            raise JqlError([f"{said} the list value '{self.operand.shown}' for field '{self.name}'."])

    def _is_list(self) -> bool:
        if isinstance(self.operand, Function):
            return functions.find_function(self.operand).many
        return isinstance(self.operand, OperandList)

    def no_empty(self) -> JqlError:
        """The refusal of EMPTY by a field that always has a value."""
        return JqlError([f"The field '{self.name}' does not support searching for EMPTY values."])

    def refuse_value(self, value: Value) -> JqlError:
        """The refusal of a value that does not exist."""
        if value.number:
            return JqlError([f"A value with ID '{value.text}' does not exist for the field '{self.name}'."])
        return JqlError([f"The value '{value.text}' does not exist for the field '{self.name}'."])

    def wrong_function_error(self, call: Function) -> JqlError:
        """The refusal of a function of another kind."""
        return JqlError([f"A value provided by the function '{call.name}' is invalid for the field '{self.name}'."])


def iter_operands(operand: Operand) -> Iterator[Operand]:
    """The leaves of an operand: lists inside lists count as one list."""
    if isinstance(operand, OperandList):
        for item in operand.items:
            yield from iter_operands(item)
    else:
        yield operand


@dataclass(frozen=True, slots=True)
class Values:
    """Resolved operand: ids, and whether EMPTY is among them."""

    ids: Ids
    empty: bool


def resolve_operands(asked: ClauseQuestion, kinds: Sequence[Kind], how: Resolve) -> Values:
    """The ids of every operand; all refusals together. `kinds` are the kinds of function the field takes."""
    ids: dict[Any, None] = {}
    empty, messages = False, list[str]()
    for operand in iter_operands(asked.operand):
        try:
            if isinstance(operand, Empty):
                empty = True
            elif isinstance(operand, Function):
                ids.update(dict.fromkeys(_call_function(asked, operand, kinds)))
            elif isinstance(operand, Value):
                ids.update(dict.fromkeys(how(asked, operand)))
        except JqlError as error:
            messages += error.messages
    if messages:
        raise JqlError(messages)
    return Values(list(ids), empty)


def _call_function(asked: ClauseQuestion, call: Function, kinds: Sequence[Kind]) -> Ids:
    if functions.find_function(call).kind not in kinds:
        raise asked.wrong_function_error(call)
    return functions.evaluate(call, asked.lookups).values


def name_resolver(rows: Callable[[Lookups], list[NamedRow]]) -> Resolve:
    """Resolve a word to rows of a table by name, else by id."""

    def how(asked: ClauseQuestion, value: Value) -> Ids:
        found = find_named(rows(asked.lookups), value.text)
        if not found:
            raise asked.refuse_value(value)
        return [row.id for row in found]

    return how


def resolve_people(asked: ClauseQuestion, value: Value) -> Ids:
    """Resolve a word to people: accountId, mail address or name."""
    found = functions.resolve_person(value.text, asked.lookups)
    if not found:
        raise asked.refuse_value(value)
    return found


def is_among(column: SqlColumn, values: Ids) -> Condition:
    """Whether a column has one of the values; long lists travel as one parameter."""
    if not values:
        return false()
    if len(values) <= _INLINE:
        return column.in_(values)
    kind = Integer() if isinstance(values[0], int) else String()
    listed = func.json_each(bindparam(None, orjson.dumps(values).decode(), type_=String())).table_valued(
        typed("value", kind)
    )
    return column.in_(select(listed.c.value))


def any_condition(parts: Sequence[Condition]) -> Condition:
    """OR of conditions; none of them is no issue."""
    if len(parts) > MOST_PARTS:
        raise JqlError(["The JQL query is too complex: a list in it is too long."])
    if not parts:
        return false()
    return (
        or_(*parts) if len(parts) < 4 else func.coalesce(or_(*parts), false())
    )  # a function is not flattened into its surroundings


def match_values(
    asked: ClauseQuestion, values: Values, has: Callable[[Ids], Condition], empty: Condition | None
) -> Condition:
    """The condition of = != IN NOT IN IS IS NOT; a negative one never matches an issue without a value."""
    if values.empty and empty is None:
        raise asked.no_empty()
    nothing = false() if empty is None else empty
    if asked.operator not in NEGATIVE:
        return any_condition([*([has(values.ids)] if values.ids else []), *([nothing] if values.empty else [])])
    return and_(not_(nothing), not_(has(values.ids))) if values.ids else not_(nothing)
