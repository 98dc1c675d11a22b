"""Execution of a query on a table."""

import datetime
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from apps.sheets.cells import DAY_ZERO, Fault, Value
from apps.sheets.engine.query.language import AGGREGATES, BadQuery, Expression, Query
from apps.sheets.engine.values import format_plain_number

Row = Sequence[Value]
Reading = Callable[[Row], Value]
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_WORDS = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}
MAX_GROUPS = 20_000


@dataclass(slots=True)
class Table:
    """Columns by name, their labels and types, and rows."""

    names: dict[str, int]
    labels: list[str]
    types: list[str]
    rows: list[list[Value]]
    now: float


def infer_column_type(values: Sequence[Value]) -> str:
    """Return the type of most values in a column: number, text or boolean."""
    counts = {"number": 0, "text": 0, "boolean": 0}
    for value in values:
        kind = kind_of(value)
        if kind:
            counts[kind] += 1
    return max(counts, key=lambda kind: counts[kind]) if any(counts.values()) else "text"


def kind_of(value: Value) -> str:
    """Return a value's type; empty for blanks and errors."""
    if value is None or value == "" or isinstance(value, Fault):
        return ""
    return "boolean" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def header_rows(rows: Sequence[Row]) -> int:
    """Guess the number of header rows: one, if it is text above columns of other types."""
    if len(rows) < 2 or not all(kind_of(value) in ("text", "") for value in rows[0]) or not any(rows[0]):
        return 0
    below = [[row[index] for row in rows[1:]] for index in range(len(rows[0]))]
    return int(
        any(
            kind_of(top) == "text" and any(kind_of(value) for value in column) and infer_column_type(column) != "text"
            for top, column in zip(rows[0], below, strict=True)
        )
    )


def table(rows: list[list[Value]], headers: int, names: Sequence[str], now: float) -> Table:
    """Build the table of an array: headers joined with spaces, values of minority types removed."""
    head, body = rows[:headers], rows[headers:]
    labels = [" ".join(label_text(row[index]) for row in head if row[index] is not None) for index in range(len(names))]
    types = [infer_column_type([row[index] for row in body]) for index in range(len(names))]
    kept = [[value if kind_of(value) == kind else None for value, kind in zip(row, types, strict=True)] for row in body]
    return Table({name: index for index, name in enumerate(names)}, labels, types, kept, now)


def label_text(value: Value) -> str:
    """Return a value as header text."""
    if value is None or isinstance(value, Fault):
        return ""
    return (
        value
        if isinstance(value, str)
        else ("true" if value else "false")
        if isinstance(value, bool)
        else format_plain_number(value)
    )


class Answer:
    """Execution of one query."""

    def __init__(self, query: Query, source: Table) -> None:
        self.query = query
        self.source = source
        self.columns = (
            query.select if query.select is not None else [Expression("column", name) for name in source.names]
        )
        self.grouped = bool(query.group or query.pivot or any(column.has_aggregate() for column in self.columns))

    def compile_reading(self, expression: Expression) -> Reading:
        """Compile an expression to a function of a row."""
        if expression.kind == "constant":
            constant = expression.value
            return lambda row: constant  # type: ignore[return-value]
        if expression.kind == "column":
            index = self.index(str(expression.value))
            return lambda row: row[index]
        if expression.kind in AGGREGATES:
            raise BadQuery(f"INVALID_AGGREGATE: {self.format_expression(expression)}")
        if expression.kind == "now":
            return lambda row: self.source.now
        parts = [self.compile_reading(part) for part in expression.parts]
        return _reads(expression.kind, parts)

    def index(self, name: str) -> int:
        """Return a column's index."""
        found = self.source.names.get(name)
        if found is None:
            raise BadQuery(f"NO_COLUMN: {name}")
        return found

    def format_expression(self, expression: Expression) -> str:
        """Render an expression as the vendor does."""
        if expression.kind == "column":
            return str(expression.value)
        if expression.kind == "constant":
            return label_text(expression.value)  # type: ignore[arg-type]
        parts = [self.format_expression(part) for part in expression.parts]
        return f"{_WORDS.get(expression.kind, expression.kind)}({', '.join(parts)})"

    def label(self, expression: Expression) -> str:
        """Return a column's header."""
        if expression in self.query.labels:
            return self.query.labels[expression]
        if expression.kind == "column":
            return self.source.labels[self.index(str(expression.value))]
        if expression.kind == "constant":
            return label_text(expression.value)  # type: ignore[arg-type]
        parts = [self.label(part) for part in expression.parts]
        return (
            f"{expression.kind} {parts[0]}"
            if expression.kind in AGGREGATES
            else f"{_WORDS.get(expression.kind, expression.kind)}({''.join(parts)})"
        )

    def rows(self) -> list[list[Value]]:
        """Return header and rows of the result."""
        query = self.query
        for expression in (
            *self.columns,
            *query.group,
            *query.pivot,
            *(one for one, _ in query.order),
            *query.labels,
            *query.formats,
        ):
            for name in expression.columns():
                self.index(name)
        kept = self.source.rows
        if query.where is not None:
            if query.where.has_aggregate():
                raise BadQuery("CANNOT_BE_IN_WHERE: " + self.format_expression(query.where))
            holds = self.compile_reading(query.where)
            kept = [row for row in kept if holds(row) is True]
        heads, body = self.groups(kept) if self.grouped else self.straight(kept)
        body = body[:: query.skipping] if query.skipping else body
        body = body[query.offset : None if query.limit is None else query.offset + query.limit]
        return [list(heads), *body] if any(heads) else body

    def straight(self, rows: list[list[Value]]) -> tuple[list[str], list[list[Value]]]:
        """Return the result without groups."""
        for expression, down in reversed(self.query.order):
            key = self.compile_reading(expression)
            rows = sorted(rows, key=lambda row, key=key: column_sort_key(key(row)), reverse=down)
        readings = [self.compile_reading(column) for column in self.columns]
        return [self.label(column) for column in self.columns], [[read(row) for read in readings] for row in rows]

    def groups(self, rows: list[list[Value]]) -> tuple[list[str], list[list[Value]]]:
        """Return the grouped and possibly pivoted result."""
        query = self.query
        for column in self.columns:
            if not column.has_aggregate() and column not in query.group and column.kind != "constant":
                raise BadQuery(f"ADD_COL_TO_GROUP_BY_OR_AGG: {self.format_expression(column)}")
        keys = [self.compile_reading(expression) for expression in query.group]
        held: dict[tuple[Value, ...], list[list[Value]]] = {}
        for row in rows:
            held.setdefault(tuple(key(row) for key in keys), []).append(row)
        if not query.group:
            held = {(): rows}
        if len(held) > MAX_GROUPS:
            raise BadQuery("Too many groups.")
        groups = sorted(held.items(), key=lambda item: tuple(column_sort_key(value) for value in item[0]))
        for expression, down in reversed(query.order):
            groups = sorted(
                groups,
                key=lambda item, expression=expression: column_sort_key(self.total(expression, *item)),
                reverse=down,
            )
        if query.pivot:
            return self.pivot_rows(groups, rows)
        return [self.label(column) for column in self.columns], [
            [self.total(column, key, members) for column in self.columns] for key, members in groups
        ]

    def pivot_rows(
        self, groups: list[tuple[tuple[Value, ...], list[list[Value]]]], rows: list[list[Value]]
    ) -> tuple[list[str], list[list[Value]]]:
        """Make one column for each value of the pivot."""
        readings = [self.compile_reading(expression) for expression in self.query.pivot]
        across = sorted(
            {tuple(read(row) for read in readings) for row in rows},
            key=lambda key: tuple(column_sort_key(value) for value in key),
        )
        plain = [column for column in self.columns if not column.has_aggregate()]
        totals = [column for column in self.columns if column.has_aggregate()]
        if len(across) * max(len(totals), 1) > 1000:
            raise BadQuery("Too many pivot columns.")
        heads = [self.label(column) for column in plain]
        for key in across:
            for column in totals:
                name = ",".join(label_text(value) for value in key)
                heads.append(
                    name
                    if len(totals) == 1 and column not in self.query.labels
                    else f"{name} {self.label(column)}".rstrip()
                )
        body = []
        for key, members in groups:
            parts: dict[tuple[Value, ...], list[list[Value]]] = {}
            for row in members:
                parts.setdefault(tuple(read(row) for read in readings), []).append(row)
            line = [self.total(column, key, members) for column in plain]
            line += [
                self.total(column, key, parts[one]) if one in parts else None for one in across for column in totals
            ]
            body.append(line)
        return heads, body

    def total(self, expression: Expression, key: tuple[Value, ...], members: list[list[Value]]) -> Value:
        """Return the value of an expression for a group."""
        if expression in self.query.group:
            return key[self.query.group.index(expression)]
        if expression.kind in AGGREGATES:
            return self.aggregate(expression, members)
        if expression.kind == "constant":
            return expression.value  # type: ignore[return-value]
        if expression.kind == "column":
            raise BadQuery(f"COL_IN_ORDER_MUST_BE_IN_SELECT: {expression.value}")
        parts = [self.total(part, key, members) for part in expression.parts]
        return _reads(expression.kind, [lambda row, index=index: row[index] for index in range(len(parts))])(parts)

    def aggregate(self, expression: Expression, members: list[list[Value]]) -> Value:
        """Return an aggregate of a group."""
        part = expression.parts[0]
        read = self.compile_reading(part)
        values = [value for row in members if (value := read(row)) is not None]
        if expression.kind == "count":
            return float(len(values))
        if (
            expression.kind in ("sum", "avg")
            and part.kind == "column"
            and self.source.types[self.index(str(part.value))] != "number"
            and values
        ):
            raise BadQuery("AVG_SUM_ONLY_NUMERIC")
        if not values:
            return None
        if expression.kind in ("max", "min"):
            return (max if expression.kind == "max" else min)(values, key=column_sort_key)
        found = sum(float(value) for value in values if isinstance(value, float))
        return found if expression.kind == "sum" else found / len(values)


def column_sort_key(value: Value) -> tuple[int, float, str]:
    """Return the sort key of a value: blanks first."""
    if value is None or isinstance(value, Fault):
        return (0, 0.0, "")
    return (2, 0.0, value) if isinstance(value, str) else (1, float(value), "")


def _reads(kind: str, parts: list[Reading]) -> Reading:
    """Combine the parts of a function or comparison into a function of a row."""
    if kind == "and":
        return lambda row: all(part(row) is True for part in parts)
    if kind == "or":
        return lambda row: any(part(row) is True for part in parts)
    if kind == "not":
        return lambda row: parts[0](row) is not True
    if kind in ("null", "not null"):
        wanted = kind == "null"
        return lambda row: (parts[0](row) is None) is wanted
    code = _CODES[kind]

    def read(row: Row) -> Value:
        values = [part(row) for part in parts]
        return None if any(value is None for value in values) else code(*values)

    return read


def _compile_comparison(sign: str) -> Callable[..., Value]:
    compare = _COMPARISONS[sign]

    def code(one: Value, two: Value) -> Value:
        alike = isinstance(one, str) == isinstance(two, str)
        return compare(one, two) if alike else sign == "!="

    return code


def _arithmetic(sign: str, code: Callable[[float, float], float]) -> Callable[..., Value]:
    def compute(one: Value, two: Value) -> Value:
        if not isinstance(one, float) or not isinstance(two, float):
            raise BadQuery(f"Can't perform the function {_WORDS[sign]} on values that are not numbers")
        return None if sign == "/" and two == 0 else code(one, two)

    return compute


def _compile_text_test(code: Callable[[str, str], bool]) -> Callable[..., Value]:
    return lambda one, two: code(label_text(one), label_text(two))


@lru_cache(64)
def pattern(text: str) -> "re2._Regexp":
    """Compile a regular expression that must match a whole text."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        return re2.compile(text, options)
    except re2.error:
        raise BadQuery(f"Invalid regular expression: {text[:100]}") from None


def _like(hay: str, wanted: str) -> bool:
    return _compile_like(wanted).fullmatch(hay) is not None


@lru_cache(128)
def _compile_like(wanted: str) -> "re2._Regexp":
    return pattern("(?s)" + "".join({"%": ".*", "_": "."}.get(letter) or re2.escape(letter) for letter in wanted))


def _day(value: Value) -> datetime.date:
    if not isinstance(value, float) or not 0 <= value < 2_958_466:
        raise BadQuery("Can't perform the function on values that are not dates")
    return datetime.date.fromordinal(int(value) + DAY_ZERO)


def _clock(value: Value, unit: int, size: int) -> Value:
    if not isinstance(value, float):
        raise BadQuery("Can't perform the function on values that are not times")
    return float(round(value % 1 * 86_400_000) // unit % size)


_CODES: dict[str, Callable[..., Value]] = {
    **{sign: _compile_comparison(sign) for sign in _COMPARISONS},
    "+": _arithmetic("+", operator.add),
    "-": _arithmetic("-", operator.sub),
    "*": _arithmetic("*", operator.mul),
    "/": _arithmetic("/", operator.truediv),
    "contains": _compile_text_test(lambda one, two: two in one),
    "starts": _compile_text_test(str.startswith),
    "ends": _compile_text_test(str.endswith),
    "matches": _compile_text_test(lambda one, two: pattern(two).fullmatch(one) is not None),
    "like": _compile_text_test(_like),
    "upper": lambda value: label_text(value).upper(),
    "lower": lambda value: label_text(value).lower(),
    "year": lambda value: float(_day(value).year),
    "month": lambda value: float(_day(value).month - 1),
    "day": lambda value: float(_day(value).day),
    "quarter": lambda value: float((_day(value).month - 1) // 3 + 1),
    "dayofweek": lambda value: float((_day(value).weekday() + 1) % 7 + 1),
    "hour": lambda value: _clock(value, 3_600_000, 24),
    "minute": lambda value: _clock(value, 60_000, 60),
    "second": lambda value: _clock(value, 1_000, 60),
    "millisecond": lambda value: _clock(value, 1, 1_000),
    "datediff": lambda one, two: float((_day(one) - _day(two)).days),
    "todate": lambda value: float(int(value)) if isinstance(value, float) else None,
}


def answer(query: Query, source: Table) -> list[list[Value]]:
    """Return the rows of a query's result, with its header first if it has one."""
    return Answer(query, source).rows()
