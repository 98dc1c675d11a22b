"""WAS and CHANGED: the changelog as intervals in which an issue held a value, and as the moments it changed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import String, and_, cast, exists, literal_column, not_, or_, tuple_
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from apps.jira.models import ChangeItem, Issue
from apps.jira.query import dates, functions
from apps.jira.query.clause import (
    HISTORY,
    ClauseQuestion,
    Condition,
    Ids,
    Resolve,
    SqlColumn,
    Values,
    is_among,
    iter_operands,
    resolve_operands,
    resolve_people,
)
from apps.jira.query.dates import SECOND
from apps.jira.query.functions import Kind
from apps.jira.query.tree import Clause, Empty, Function, JqlError, Operand, OperandList, Predicate, Value

Holds = Callable[[Callable[[SqlColumn], Condition]], Condition]
DAY = 24 * 3600 * SECOND
MINUTE = 60 * SECOND


@dataclass(frozen=True, slots=True)
class FieldHistory:
    """A field whose history can be searched: its changelog id, and how to ask what an issue holds now.

    `holds(test)` is the condition that the issue has a value x for which `test(x)`.
    """

    field_id: str
    how: Resolve
    holds: Holds
    empty: Condition
    kinds: tuple[Kind, ...] = ()


@dataclass(slots=True)
class Limits:
    """Limits set by predicates: values before and after, authors, and the times `since` <= t < `until`."""

    since: int | None = None
    until: int | None = None
    authors: Ids | None = None
    before: Values | None = None
    after: Values | None = None
    said: set[str] = field(default_factory=set)

    def narrow(self, since: int | None, until: int | None) -> None:
        """Keep only times in a range."""
        if since is not None:
            self.since = since if self.since is None else max(self.since, since)
        if until is not None:
            self.until = until if self.until is None else min(self.until, until)


def was_condition(past: FieldHistory, asked: ClauseQuestion, predicates: tuple[Predicate, ...]) -> Condition:
    """Whether the issue ever held one of the values within the limits."""
    asked.check_usage(HISTORY)
    values = resolve_operands(asked, past.kinds, past.how)
    limits = _read_limits(past, asked, predicates)
    if limits.said & {"from", "to"}:
        shown = next(f"{p.kind} {p.operand.shown}" for p in predicates if p.kind in ("from", "to"))
        name = asked.operator.upper().replace(" ", "_")
        raise JqlError([f"The {name} operator does not support the use of the {shown} predicate."])
    held = or_(
        _became_condition(past, values, limits),
        _was_changed_from(past, values, limits),
        _never_changed(past, values, limits),
    )
    return held if asked.operator in ("was", "was in") else not_(held)


def build_changed_condition(past: FieldHistory, name: str, clause: Clause, lookups: functions.Lookups) -> Condition:
    """Whether the field changed within the limits."""
    asked = ClauseQuestion(name, "changed", Empty(), lookups)
    limits = _read_limits(past, asked, clause.predicates)
    item: Any = aliased(ChangeItem)
    conditions = [
        item.issue_id == Issue.id,
        item.field_id == past.field_id,
        *_author_conditions(item.author_id, limits),
    ]
    conditions += [] if limits.before is None else [_is_one_of(item.from_value, limits.before)]
    conditions += [] if limits.after is None else [_is_one_of(item.to_value, limits.after)]
    conditions += [] if limits.since is None else [item.created_at >= limits.since]
    conditions += [] if limits.until is None else [item.created_at < limits.until]
    return _exists_row(item, *conditions)


def _became_condition(past: FieldHistory, values: Values, limits: Limits) -> Condition:
    """An edit set a value, and it was still there when the limits begin."""
    item: Any = aliased(ChangeItem)
    conditions = [
        item.issue_id == Issue.id,
        item.field_id == past.field_id,
        _is_one_of(item.to_value, values),
        *_author_conditions(item.author_id, limits),
    ]
    if limits.until is not None:
        conditions.append(item.created_at < limits.until)
    if limits.since is not None:
        conditions.append(not_(_has_changed_away(past, item, limits.since)))
    return _exists_row(item, *conditions)


def _has_changed_away(past: FieldHistory, item: Any, since: int) -> Condition:
    later: Any = aliased(ChangeItem)
    return _exists_row(
        later,
        later.issue_id == item.issue_id,
        later.field_id == past.field_id,
        later.from_value.is_not_distinct_from(item.to_value),
        tuple_(later.history_id, later.ordinal) > tuple_(item.history_id, item.ordinal),
        later.created_at <= since,
    )


def _was_changed_from(past: FieldHistory, values: Values, limits: Limits) -> Condition:
    """The issue was created with a value that an edit took away."""
    item: Any = aliased(ChangeItem)
    earlier: Any = aliased(ChangeItem)
    mentioned = _exists_row(
        earlier,
        earlier.issue_id == item.issue_id,
        earlier.field_id == past.field_id,
        or_(
            earlier.from_value.is_not_distinct_from(item.from_value),
            earlier.to_value.is_not_distinct_from(item.from_value),
        ),
        tuple_(earlier.history_id, earlier.ordinal) < tuple_(item.history_id, item.ordinal),
    )
    conditions = [
        item.issue_id == Issue.id,
        item.field_id == past.field_id,
        _is_one_of(item.from_value, values),
        not_(mentioned),
    ]
    if limits.since is not None:
        conditions.append(item.created_at > limits.since)
    return and_(*_creation_conditions(limits), _exists_row(item, *conditions))


def _never_changed(past: FieldHistory, values: Values, limits: Limits) -> Condition:
    """The issue was created with a value and no edit has touched it."""

    def build_untouched_condition(value: SqlColumn) -> Condition:
        item: Any = aliased(ChangeItem)
        same = item.to_value == cast(value, String)
        return and_(
            is_among(value, values.ids),
            not_(_exists_row(item, item.issue_id == Issue.id, item.field_id == past.field_id, same)),
        )

    item: Any = aliased(ChangeItem)
    emptied = _exists_row(item, item.issue_id == Issue.id, item.field_id == past.field_id, item.to_value.is_(None))
    held = [past.holds(build_untouched_condition)] if values.ids else []
    held += [and_(past.empty, not_(emptied))] if values.empty else []
    return and_(*_creation_conditions(limits), or_(*held))


def _creation_conditions(limits: Limits) -> list[Condition]:
    until = [] if limits.until is None else [col(Issue.created_at) < limits.until]
    return [*_author_conditions(col(Issue.creator_id), limits), *until]


def _author_conditions(column: SqlColumn, limits: Limits) -> list[Condition]:
    return [] if limits.authors is None else [is_among(column, limits.authors)]


def _is_one_of(column: SqlColumn, values: Values) -> Condition:
    texts = [str(value) for value in values.ids]
    found = is_among(column, texts)
    return or_(found, column.is_(None)) if values.empty else found


def _exists_row(item: Any, *conditions: Condition) -> Condition:
    return exists(select(literal_column("1")).select_from(item).where(*conditions).correlate_except(item))


def _read_limits(past: FieldHistory, asked: ClauseQuestion, predicates: tuple[Predicate, ...]) -> Limits:
    limits = Limits()
    for predicate in predicates:
        limits.said.add(predicate.kind)
        if predicate.kind == "by":
            limits.authors = resolve_operands(replace(asked, operand=predicate.operand), ("user",), _resolve_author).ids
        elif predicate.kind == "from":
            limits.before = resolve_operands(replace(asked, operand=predicate.operand), past.kinds, past.how)
        elif predicate.kind == "to":
            limits.after = resolve_operands(replace(asked, operand=predicate.operand), past.kinds, past.how)
        else:
            _narrow_limits(limits, predicate, asked)
    return limits


def _resolve_author(asked: ClauseQuestion, value: Value) -> Ids:
    try:
        return resolve_people(asked, value)
    except JqlError:
        raise JqlError([f"The user '{value.text}' does not exist and cannot be used in the 'by' predicate."]) from None


def _narrow_limits(limits: Limits, predicate: Predicate, asked: ClauseQuestion) -> None:
    moments = [_resolve_moment(predicate, operand, asked) for operand in iter_operands(predicate.operand)]
    if predicate.kind == "during":
        if len(moments) != 2:
            raise JqlError(["The DURING predicate must be supplied with exactly 2 date values."])
        limits.narrow(moments[0].at, moments[1].at + SECOND)
        return
    if len(moments) != 1 or isinstance(predicate.operand, OperandList):
        raise JqlError([f"The {predicate.kind.upper()} predicate must be supplied with only 1 date value."])
    at = moments[0].at
    if predicate.kind == "after":
        limits.narrow(at + SECOND, None)
    elif predicate.kind == "before":
        limits.narrow(None, at)
    else:
        limits.narrow(at, at + (DAY if moments[0].day else MINUTE))


def _resolve_moment(predicate: Predicate, operand: Operand, asked: ClauseQuestion) -> dates.Moment:
    if isinstance(operand, Function):
        if functions.find_function(operand).kind != "date":
            raise JqlError(
                [f"A date for the predicate '{predicate.kind}' provided by the function '{operand.name}' is not valid."]
            )
        return dates.Moment(int(functions.evaluate(operand, asked.lookups).values[0]))
    said = operand.text if isinstance(operand, Value) else operand.shown
    number = isinstance(operand, Value) and operand.number
    found = (
        dates.Moment(int(said) * 1000)
        if number and len(said) < 17
        else dates.parse_moment(said, functions.caller_clock(asked.lookups))
    )
    if found is None:
        raise JqlError([f"Date value '{said}' for predicate '{predicate.kind}' is invalid. {dates.FORMATS}"])
    return found
