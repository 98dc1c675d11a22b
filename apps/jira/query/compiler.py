"""A parsed query as a WHERE clause on jira_issue and an ORDER BY that is total."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, and_, not_, or_, true
from sqlmodel import col

from apps.jira.models import Issue
from apps.jira.query import fields, history_predicates
from apps.jira.query.clause import HISTORY, ClauseQuestion, Condition, any_condition, iter_operands
from apps.jira.query.context import Context, Lookups
from apps.jira.query.grammar import parse
from apps.jira.query.tree import (
    OPPOSITE,
    And,
    Clause,
    Empty,
    FieldName,
    Function,
    JqlError,
    Node,
    Not,
    Operator,
    Query,
    Sort,
    Value,
    iter_clauses,
)

T = TypeVar("T")
MOST_SORTS = 7  # fields of ORDER BY; "The maximum number of fields to sort by is 7" in Jira Cloud
MOST_CLAUSES = 200  # as SQLite limits the depth of an expression; own limit
MOST_FILTERS = 20  # saved filters inside one another; own limit
FILTER_NAMES = ("filter", "savedfilter", "request", "searchrequest")
_FILTER_OPERATORS: frozenset[Operator] = frozenset({"=", "!=", "in", "not in"})


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """Parts of a select on jira_issue; `order_by` ends with the id."""

    where: Condition
    order_by: list[ColumnElement[Any]]


def compile_query(query: Query, context: Context) -> CompiledQuery:
    """The SQL of a query for a caller. Raises JqlError with every refusal of its clauses."""
    maker = _Maker(Lookups(context), frozenset())
    where = maker.whole(query)
    orders = maker.collect_errors(lambda: maker.orders(query.order_by))
    if maker.messages:
        raise JqlError(list(dict.fromkeys(maker.messages)))
    return CompiledQuery(where, orders or [])


class _Maker:
    """Compiles one query; `inside` are the saved filters it is part of, `outer` is the query as a whole."""

    def __init__(self, lookups: Lookups, inside: frozenset[int], outer: "_Maker | None" = None) -> None:
        self.lookups, self.inside = lookups, inside
        self.outer = outer or self
        self.messages: list[str] = []
        self.clauses = 0

    def collect_errors(self, make: Callable[[], T]) -> T | None:
        """The result, or None after noting the refusal: Jira names every wrong clause at once."""
        try:
            return make()
        except JqlError as error:
            self.messages += error.messages
            return None

    def whole(self, query: Query) -> Condition:
        """The condition of a query, or of a saved one."""
        self.outer.clauses += len(set(iter_clauses(query.where)))
        if self.outer.clauses > MOST_CLAUSES or len(self.inside) > MOST_FILTERS:
            raise JqlError([f"The JQL query is too complex: it may have at most {MOST_CLAUSES} clauses."])
        return true() if query.where is None else self.node(query.where, negated=False)

    def node(self, node: Node, *, negated: bool) -> Condition:
        """The condition of a part of the tree; NOT is pushed down to each operator."""
        if isinstance(node, Not):
            return self.node(node.clause, negated=not negated)
        if isinstance(node, Clause):
            found = self.collect_errors(lambda: self.clause(node, negated=negated))
            return true() if found is None else found
        parts = [self.node(child, negated=negated) for child in dict.fromkeys(node.clauses)]
        return and_(*parts) if isinstance(node, And) != negated else or_(*parts)

    def clause(self, clause: Clause, *, negated: bool) -> Condition:
        """The condition of one clause."""
        operator = OPPOSITE[clause.operator] if negated else clause.operator
        if clause.field.name.casefold() in FILTER_NAMES and clause.field.number is None:
            return self.build_filter_condition(clause, operator)
        field = self.field(clause.field)
        if operator in ("changed", "not changed"):
            found = history_predicates.build_changed_condition(
                self.history(field, clause.field), clause.field.name, clause, self.lookups
            )
            return found if operator == "changed" else not_(found)
        asked = ClauseQuestion(clause.field.name, operator, clause.operand or Empty(), self.lookups)
        if operator in HISTORY:
            return history_predicates.was_condition(self.history(field, clause.field), asked, clause.predicates)
        if field.build is None:
            raise JqlError([f"The operator '{operator}' is not supported by the '{clause.field.name}' field."])
        return field.build(asked)

    def field(self, name: FieldName) -> fields.Field:
        """The field, or the sentence Jira says about one it does not know."""
        found = fields.find_field(name, self.lookups)
        if found is None:
            raise JqlError([f"Field '{name.name}' does not exist or you do not have permission to view it."])
        return found

    def history(self, field: fields.Field, name: FieldName) -> history_predicates.FieldHistory:
        """The field's history, if it can be searched."""
        if field.past is None:
            raise JqlError([f"History searches do not support the '{name.name}' field."])
        return field.past

    def build_filter_condition(self, clause: Clause, operator: Operator) -> Condition:
        """Issues that a saved filter finds."""
        asked = ClauseQuestion(clause.field.name, operator, clause.operand or Empty(), self.lookups)
        asked.check_usage(_FILTER_OPERATORS)
        found = any_condition(
            [self.build_saved_filter_condition(asked, value) for value in iter_operands(asked.operand)]
        )
        return found if operator in ("=", "in") else not_(found)

    def build_saved_filter_condition(self, asked: ClauseQuestion, value: object) -> Condition:
        """The condition of one saved filter."""
        if isinstance(value, Function):
            raise asked.wrong_function_error(value)
        if not isinstance(value, Value):
            raise asked.no_empty()
        rows = self.lookups.filters
        found = next((number for number, (name, _) in rows.items() if name.casefold() == value.text.casefold()), None)
        number = found if found is not None else next((number for number in rows if str(number) == value.text), None)
        if number is None:
            raise asked.refuse_value(value)
        if number in self.inside:
            said = f"Field '{asked.name}' with value '{value.text}' matches filter '{rows[number][0]}'"
            raise JqlError(
                [f"{said} and causes a cyclical reference, this query can not be executed and should be edited."]
            )
        inner = _Maker(self.lookups, self.inside | {number}, self.outer)
        made = inner.whole(parse(rows[number][1]))
        if inner.messages:
            raise JqlError(inner.messages)
        return made

    def orders(self, sorts: Sequence[Sort]) -> list[ColumnElement[Any]]:
        """ORDER BY: the query's fields, then the newest issue first."""
        if len(sorts) > MOST_SORTS:
            raise JqlError([f"The maximum number of fields to sort by is {MOST_SORTS}."])
        found = [key for sort in sorts for key in self.order(sort)]
        return [*found, col(Issue.id).desc()]

    def order(self, sort: Sort) -> list[ColumnElement[Any]]:
        """The sort keys of a field; issues without a value come last ascending, first descending."""
        field = fields.find_field(sort.field, self.lookups)
        if field is None:
            raise JqlError([f"Not able to sort using field '{sort.field.name}'."])
        if field.sort is None:
            raise JqlError([f"Field '{sort.field.name}' does not support sorting."])
        keys = field.sort if isinstance(field.sort, tuple) else (field.sort,)
        descending = field.descending if sort.descending is None else sort.descending
        return [key.desc().nulls_first() if descending else key.asc().nulls_last() for key in keys]
