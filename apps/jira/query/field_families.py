"""Families of fields: compilation of a clause on ids, a time, a number or a text to SQL."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Integer, Select, and_, exists, false, func, literal_column, not_, or_, table
from sqlalchemy import column as typed
from sqlalchemy.sql.selectable import TableValuedAlias
from sqlalchemy.types import TypeEngine
from sqlmodel import col, select

from apps.jira.models import Comment, Issue, Worklog
from apps.jira.query import dates, functions, text_search
from apps.jira.query.clause import (
    EMPTINESS,
    EQUALITY,
    RELATIONAL,
    ClauseQuestion,
    Condition,
    Ids,
    Resolve,
    SqlColumn,
    Values,
    any_condition,
    is_among,
    iter_operands,
    match_values,
    resolve_operands,
)
from apps.jira.query.functions import Kind
from apps.jira.query.tree import Empty, Function, JqlError, Operator, Value

Compile = Callable[[ClauseQuestion], Condition]
Has = Callable[[ClauseQuestion, Ids], Condition]
ORDERED = EQUALITY | RELATIONAL
LIKE: frozenset[Operator] = frozenset({"~"})
TEXT: frozenset[Operator] = frozenset({"~", "!~"})
SECOND = dates.SECOND


@dataclass(frozen=True, slots=True)
class Discrete:
    """A field whose values are ids: how words resolve, which functions fit, and what having one means in SQL.

    `empty` is None when the field always has a value and Jira says so. `greater` compares, for ordered fields.
    """

    how: Resolve
    has: Has
    empty: Condition | None = field(default_factory=false)
    kinds: tuple[Kind, ...] = ()
    greater: Callable[[ClauseQuestion, Ids], Condition] | None = None
    operators: frozenset[Operator] = EQUALITY

    def __call__(self, asked: ClauseQuestion) -> Condition:
        """The condition of a clause."""
        asked.check_usage(self.operators | RELATIONAL if self.greater else self.operators)
        values = resolve_operands(asked, self.kinds, self.how)
        if asked.operator in RELATIONAL:
            assert self.greater is not None
            return self.greater(asked, values.ids)
        return match_values(asked, values, lambda ids: self.has(asked, ids), self.empty)


def column_has(column: SqlColumn) -> Has:
    """Having a value in a plain column."""
    return lambda asked, ids: is_among(column, ids)


def list_items(column: SqlColumn, of: TypeEngine[Any]) -> TableValuedAlias:
    """The items of a JSON list column as a table with one column."""
    return func.json_each(column).table_valued(typed("value", of))


def list_has(column: SqlColumn, of: TypeEngine[Any]) -> Has:
    """Having a value in a JSON list column."""

    def has(asked: ClauseQuestion, ids: Ids) -> Condition:
        items = list_items(column, of)
        return exists(
            select(literal_column("1")).select_from(items).where(is_among(items.c.value, ids)).correlate(Issue)
        )

    return has


def has_row(issue: SqlColumn, column: SqlColumn, *conditions: Condition) -> Has:
    """Having a row of another table with a value."""

    def has(asked: ClauseQuestion, ids: Ids) -> Condition:
        return col(Issue.id).in_(select(issue).where(is_among(column, ids), *conditions))

    return has


def has_no_row(issue: SqlColumn) -> Condition:
    """Having no row of another table."""
    return col(Issue.id).not_in(select(issue))


def moment_family(column: SqlColumn) -> Compile:
    """A date-time column; compared in whole seconds, as Jira indexes it."""

    def build(asked: ClauseQuestion) -> Condition:
        asked.check_usage(ORDERED)
        values = resolve_operands(asked, ("date",), _read_instant)
        if asked.operator in RELATIONAL:
            return _compare_moment(column, asked.operator, int(values.ids[0]) // SECOND * SECOND)
        return match_values(
            asked, values, lambda ids: any_condition([_within_second(column, int(at)) for at in ids]), column.is_(None)
        )

    return _refuse_undated_functions(build)


def _read_instant(asked: ClauseQuestion, value: Value) -> Ids:
    found = parse_moment_value(value, asked)
    if found is None:
        raise JqlError([f"Date value '{value.text}' for field '{asked.name}' is invalid. {dates.FORMATS}"])
    return [found.at]


def parse_moment_value(value: Value, asked: ClauseQuestion) -> dates.Moment | None:
    """A literal as a moment; a number is milliseconds since the epoch."""
    if value.number:
        return dates.Moment(max(-(2**62), min(int(value.text) * 1000, 2**62)))
    return dates.parse_moment(value.text, functions.caller_clock(asked.lookups))


def _refuse_undated_functions(build: Compile) -> Compile:
    """Say Jira's sentence when a function that is no date is compared with a date."""

    def build_checked(asked: ClauseQuestion) -> Condition:
        for operand in iter_operands(asked.operand):
            if isinstance(operand, Function) and functions.find_function(operand).kind != "date":
                asked.check_usage(ORDERED)
                raise JqlError(
                    [f"A date for the field '{asked.name}' provided by the function '{operand.name}' is not valid."]
                )
        return build(asked)

    return build_checked


def _compare_moment(column: SqlColumn, operator: Operator, at: int) -> Condition:
    if operator == "<":
        return column < at
    if operator == ">=":
        return column >= at
    return column < at + SECOND if operator == "<=" else column >= at + SECOND


def _within_second(column: SqlColumn, at: int) -> Condition:
    second = at // SECOND * SECOND
    return and_(column >= second, column < second + SECOND)


def day_family(column: SqlColumn) -> Compile:
    """A date column of ISO days without a zone; times count as the caller's day."""

    def build(asked: ClauseQuestion) -> Condition:
        asked.check_usage(ORDERED)
        values = resolve_operands(asked, ("date",), _read_instant)
        days = [_format_day(asked, int(at)) for at in values.ids]
        if asked.operator in RELATIONAL:
            return compare(column, asked.operator, days[0])
        return match_values(asked, Values(days, values.empty), lambda ids: is_among(column, ids), column.is_(None))

    return _refuse_undated_functions(build)


_FIRST, _LAST = -62_135_510_400 * SECOND, 253_402_200_000 * SECOND  # the second day of year 1, the last but one of 9999


def _format_day(asked: ClauseQuestion, at: int) -> str:
    clamped = max(_FIRST, min(at, _LAST))
    local = dates.to_datetime(clamped, asked.lookups.context.zone)
    return f"{local.year:04}-{local.month:02}-{local.day:02}"


def compare(column: SqlColumn, operator: Operator, value: object) -> Condition:
    """A plain comparison."""
    if operator == "<":
        return column < value
    if operator == ">":
        return column > value
    return column <= value if operator == "<=" else column >= value


def day_row_family(issue: SqlColumn, column: SqlColumn) -> Compile:
    """A day of some row of another table, in the caller's zone; the rows hold times."""

    def build(asked: ClauseQuestion) -> Condition:
        asked.check_usage(ORDERED - EMPTINESS)
        values = resolve_operands(asked, ("date",), _read_instant)
        if values.empty:
            raise asked.no_empty()
        spans = [_day_bounds(asked, int(at)) for at in values.ids]
        if asked.operator in RELATIONAL:
            return col(Issue.id).in_(select(issue).where(_compare_day(column, asked.operator, *spans[0])))
        inside = col(Issue.id).in_(
            select(issue).where(any_condition([and_(column >= start, column < end) for start, end in spans]))
        )
        return inside if asked.operator in ("=", "in") else and_(col(Issue.id).in_(select(issue)), not_(inside))

    return _refuse_undated_functions(build)


def _day_bounds(asked: ClauseQuestion, at: int) -> tuple[int, int]:
    """The start and end of the caller's day around a time."""
    clock = functions.caller_clock(asked.lookups)
    local = dates.to_datetime(max(_FIRST, min(at, _LAST)), clock.zone)
    start = local.replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
    return clock.instant(start), clock.instant(start + timedelta(days=1))


def _compare_day(column: SqlColumn, operator: Operator, start: int, end: int) -> Condition:
    sides = {"<": column < start, "<=": column < end, ">": column >= end, ">=": column >= start}
    return sides[operator]


def number_family(
    column: SqlColumn, read: Callable[[ClauseQuestion, Value], float | int], *, empty: Condition | None = None
) -> Compile:
    """A number; `empty` is None when the field always has one."""

    def build(asked: ClauseQuestion) -> Condition:
        asked.check_usage(ORDERED if empty is not None else ORDERED - EMPTINESS)
        values = resolve_operands(asked, (), lambda a, v: [read(a, v)])  # type: ignore[list-item]
        if asked.operator in RELATIONAL:
            return compare(column, asked.operator, values.ids[0])
        return match_values(asked, values, lambda ids: column.in_(ids), empty)

    return build


def parse_number(asked: ClauseQuestion, value: Value) -> float:
    """A decimal number."""
    try:
        found = float(value.text)
    except ValueError:
        found = float("nan")
    if found != found or abs(found) > 1e300 or len(value.text) > 40:
        raise JqlError([f"The value '{value.text}' is not a valid number for the field '{asked.name}'."])
    return found


_WORKING = {
    "w": 5 * 8 * 60,
    "d": 8 * 60,
    "h": 60,
    "m": 1,
}  # minutes: five days of eight hours, the site's time tracking


def parse_working_seconds(asked: ClauseQuestion, value: Value) -> int:
    """A duration like `2d 4h`, in seconds of working time; a bare number is minutes."""
    minutes = dates.parse_period(value.text, _WORKING)
    if minutes is None:
        form = "Durations should be in the format '*w *d *h *m', e.g. '4w 2d 5h 30m'."
        raise JqlError([f"Duration value '{value.text}' for field '{asked.name}' is invalid. {form}"])
    return minutes * 60


def text_family(
    *columns: str,
    comments: bool = False,
    negative: bool = True,
    empty: Callable[[ClauseQuestion], Condition] | None = None,
) -> Compile:
    """Text: each named column of the issue index separately, and each visible comment separately."""

    def build(asked: ClauseQuestion) -> Condition:
        asked.check_usage((TEXT if negative else LIKE) | (EMPTINESS if empty else frozenset()))
        if isinstance(asked.operand, Empty):
            return _empty_condition(asked, empty)
        expression = _search_expression(asked)
        found = _match_text(asked, expression, columns, comments)
        if asked.operator == "~":
            return found
        filled = not_(empty(asked)) if empty else _matches_comment(asked)
        return and_(filled, not_(found))

    return build


def _empty_condition(asked: ClauseQuestion, empty: Callable[[ClauseQuestion], Condition] | None) -> Condition:
    if empty is None:
        raise asked.no_empty()
    return empty(asked) if asked.operator in ("is", "~") else not_(empty(asked))


def _search_expression(asked: ClauseQuestion) -> str | None:
    if isinstance(asked.operand, Function):
        raise asked.wrong_function_error(asked.operand)
    assert isinstance(asked.operand, Value)
    said = asked.operand.text
    if not said.strip():
        raise JqlError([f"The field '{asked.name}' does not support searching for an empty string."])
    try:
        return text_search.to_fts5(said)
    except text_search.LeadingWildcard:
        why = "is not valid: the '*' and '?' are not allowed as first character in wildcard query."
        raise JqlError([f"The text query '{said}' for field '{asked.name}' {why}"]) from None
    except text_search.Unreadable:
        raise JqlError([f"Unable to parse the text '{said}' for field '{asked.name}'."]) from None


def _match_text(asked: ClauseQuestion, expression: str | None, columns: Sequence[str], comments: bool) -> Condition:
    if expression is None:
        return false()
    found: list[Condition] = []
    if columns:
        query = " OR ".join(f"({{{name}}} : ({expression}))" for name in columns)
        found.append(col(Issue.id).in_(_match_index("jira_issue_fts", query)))
    if comments:
        hits = col(Comment.id).in_(_match_index("jira_comment_fts", expression))
        found.append(col(Issue.id).in_(select(Comment.issue_id).where(hits, asked.lookups.context.comments)))
    return or_(*found)


_INDEXES = {name: table(name, typed("rowid", Integer), typed(name)) for name in ("jira_issue_fts", "jira_comment_fts")}


def _match_index(name: str, expression: str) -> Select[object]:
    index = _INDEXES[name]
    return select(index.c.rowid).where(index.c[name].op("MATCH")(expression))  # type: ignore[return-value]


def _matches_comment(asked: ClauseQuestion) -> Condition:
    return col(Issue.id).in_(select(Comment.issue_id).where(asked.lookups.context.comments))


def contains_words(column: SqlColumn) -> Callable[[ClauseQuestion, str], Condition]:
    """Words in a column that has no index: every word must occur."""

    def match_words(asked: ClauseQuestion, said: str) -> Condition:
        patterns = [
            "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
            for word in split_search_words(said)
        ]
        return and_(*[column.like(pattern, escape="\\") for pattern in patterns]) if patterns else false()

    return match_words


def split_search_words(said: str) -> list[str]:
    """The words of a search without its marks."""
    stripped = "".join(char if char.isalnum() or char in "-_." else " " for char in said)
    return [word for word in stripped.split() if word not in ("AND", "OR", "NOT")][: text_search.MOST_TERMS]


def unindexed_text_family(column: SqlColumn, empty: Condition) -> Compile:
    """Text of a custom field or of work logs: few rows, searched word by word."""

    def build(asked: ClauseQuestion) -> Condition:
        asked.check_usage(TEXT | EMPTINESS)
        if isinstance(asked.operand, Empty):
            return empty if asked.operator in ("is", "~") else not_(empty)
        _search_expression(asked)
        assert isinstance(asked.operand, Value)
        found = contains_words(column)(asked, asked.operand.text)
        return found if asked.operator == "~" else and_(not_(empty), not_(found))

    return build


def worklog_text_condition(asked: ClauseQuestion) -> Condition:
    """Text of work log comments."""
    asked.check_usage(TEXT)
    if isinstance(asked.operand, Empty):
        raise asked.no_empty()
    _search_expression(asked)
    assert isinstance(asked.operand, Value)
    found = col(Issue.id).in_(
        select(Worklog.issue_id).where(contains_words(col(Worklog.comment_text))(asked, asked.operand.text))
    )
    return found if asked.operator == "~" else and_(col(Issue.id).in_(select(Worklog.issue_id)), not_(found))
