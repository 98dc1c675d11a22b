"""Runs a document breadth first: each field is resolved once for all objects at its position, not once per row."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from graphql import (
    DocumentNode,
    FieldNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    execute_sync,
    get_named_type,
    get_nullable_type,
    is_abstract_type,
    is_leaf_type,
    print_ast,
)

from apps.github.graphql.answer import ErrorEntry
from apps.github.graphql.document import Document, schema
from apps.github.graphql.error_messages import list_locations
from apps.github.graphql.errors import problem_of
from apps.github.graphql.introspection import META
from apps.github.graphql.limits import EXCEEDED, EXCEEDED_KIND, MOST_WORK, ROOT_WORK, ROWS_OF_WORK, SEARCH_WORK
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import Problem, Resolver, Values, kind_of, resolver
from apps.github.graphql.values import Args, arguments, literal
from world.core.errors import OperationError, Outage
from world.core.json_types import JsonObject


class Trail(NamedTuple):
    """Path to a value: its parent's path, and the last key."""

    above: "Trail | None"
    key: str | int


_NONE = type(None)
_BROKEN: Final = object()  # in place of a value that must not be null
MOST = 100
PLANS, LONG = 8, 2000  # kept of each document; characters of variables that are not


class Field:
    """One key of a response: its field with arguments, and the selection below it."""

    __slots__ = ("args", "bad", "children", "definition", "key", "leaf", "name", "needed", "node", "resolve", "sets")

    def __init__(self, key: str, name: str, node: FieldNode) -> None:
        self.key, self.name, self.node = key, name, node
        self.sets: list[SelectionSetNode] = []
        self.children: dict[str, list[Field]] = {}
        self.args = Args()
        self.resolve: Resolver = _resolve_to_nothing
        self.definition: GraphQLField | None = None
        self.leaf = self.needed = (
            False  # whether its values are scalars, one for each object; whether they must not be null
        )
        self.bad: Problem | None = None


def _resolve_to_nothing(near: Loader, rows: Values, args: Args) -> Values:
    return [None] * len(rows)


def _names(near: Loader, rows: Values, args: Args) -> Values:
    return [kind_of(row) for row in rows]


class Run:
    """One request: its document, its variables, and the errors so far."""

    def __init__(
        self, near: Loader, document: Document, operation: OperationDefinitionNode, known: Mapping[str, object]
    ) -> None:
        self.near, self.document, self.operation, self.known = near, document, operation, known
        self.errors: list[ErrorEntry] = []
        self.refusals: list[OperationError] = []
        self._work = 0

    def data(self) -> JsonObject | None:
        """Return the result of the whole operation."""
        root = schema().get_root_type(self.operation.operation)
        assert root is not None
        fields = self._plan_fields(root)
        out: JsonObject = {}
        for field in fields:
            value = self._describe_schema(field) if field.name in META else self.value(root, field)
            if value is _BROKEN:
                return None
            out[field.key] = value
        return out

    def _plan_fields(self, root: GraphQLObjectType) -> list[Field]:
        """Plan the selected fields with arguments, once per document and variables."""
        plans, key = (
            self.document.plans,
            f"{id(self.operation)} {orjson.dumps(self.known, option=orjson.OPT_SORT_KEYS).decode()}",
        )
        if len(key) > LONG:
            return self._fields(root, [self.operation.selection_set])
        if key not in plans:
            if len(plans) >= PLANS:
                plans.clear()
            plans[key] = self._fields(root, [self.operation.selection_set])
        return plans[key]

    def value(self, root: GraphQLObjectType, field: Field) -> object:
        """Return the value of one field of the root."""
        if field.name == "__typename":
            return root.name
        self._work += ROOT_WORK
        return self._resolve_field(field, [None], [None])[0]

    def _describe_schema(self, field: Field) -> object:
        """Answer an introspection field of the schema."""
        chosen = OperationDefinitionNode(
            operation=OperationType.QUERY,
            variable_definitions=self.operation.variable_definitions,
            selection_set=SelectionSetNode(selections=(field.node,)),
        )
        asked = DocumentNode(definitions=(chosen, *self.document.fragments.values()))
        return (execute_sync(schema(), asked, variable_values=dict(self.known)).data or {}).get(field.key)

    # -- what is selected

    def _fields(self, kind: GraphQLObjectType, sets: Sequence[SelectionSetNode]) -> list[Field]:
        out: dict[str, Field] = {}
        seen: set[str] = set()
        for one in sets:
            self._collect(kind, one, out, seen)
        for field in out.values():
            self._prepare(kind, field)
        return list(out.values())

    def _collect(
        self, kind: GraphQLObjectType, selected: SelectionSetNode, out: dict[str, Field], seen: set[str]
    ) -> None:
        for one in selected.selections:
            if one.directives and not self._is_included(one):
                continue
            if isinstance(one, FieldNode):
                self._add(one, out)
            elif isinstance(one, FragmentSpreadNode):
                if one.name.value not in seen:
                    seen.add(one.name.value)
                    fragment = self.document.fragments[one.name.value]
                    if self._fits(kind, fragment.type_condition.name.value):
                        self._collect(kind, fragment.selection_set, out, seen)
            elif isinstance(one, InlineFragmentNode) and (
                one.type_condition is None or self._fits(kind, one.type_condition.name.value)
            ):
                self._collect(kind, one.selection_set, out, seen)

    def _add(self, node: FieldNode, out: dict[str, Field]) -> None:
        key = node.alias.value if node.alias else node.name.value
        field = out.get(key)
        if field is None:
            field = out[key] = Field(key, node.name.value, node)
        elif field.name != node.name.value or _write_arguments(field.node) != _write_arguments(node):
            why = (
                f"Field '{key}' has a field conflict: {field.name} or {node.name.value}?"
                if field.name != node.name.value
                else (
                    f"Field '{key}' has an argument conflict: {_write_arguments(field.node)} or {_write_arguments(node)}?"
                )
            )
            raise Conflict(
                {
                    "extensions": {"code": "fieldConflict", "fieldName": key},
                    "locations": list_locations([node]),
                    "message": why,
                }
            )
        if node.selection_set is not None:
            field.sets.append(node.selection_set)

    def _fits(self, kind: GraphQLObjectType, name: str) -> bool:
        if kind.name == name:
            return True
        wider = schema().type_map[name]
        return is_abstract_type(wider) and schema().is_sub_type(wider, kind)

    def _is_included(self, node: SelectionNode) -> bool:
        for one in node.directives or ():
            if one.name.value in ("skip", "include"):
                refused = one.name.value == "skip"
                if any(literal(given.value, None, self.known) is refused for given in one.arguments or ()):
                    return False
        return True

    def _prepare(self, kind: GraphQLObjectType, field: Field) -> None:
        if field.name == "__typename":
            field.resolve = _names
            return
        if field.name in META:
            return
        field.definition = definition = kind.fields[field.name]
        field.args = arguments(definition, field.node, self.known)
        if field.sets:
            field.args.asks = frozenset(self._list_selected(field.sets))
        field.resolve = resolver(kind.name, field.name, definition)
        field.leaf, field.needed = (
            is_leaf_type(get_nullable_type(definition.type)),
            isinstance(definition.type, GraphQLNonNull),
        )
        field.bad = _check_page_size(field, definition)

    def _list_selected(self, sets: Sequence[SelectionSetNode]) -> set[str]:
        """List the names of the fields selected below, for every type."""
        out: set[str] = set()
        waiting, seen = list(sets), set()
        while waiting:
            for one in waiting.pop().selections:
                if isinstance(one, FieldNode):
                    out.add(one.name.value)
                elif isinstance(one, InlineFragmentNode):
                    waiting.append(one.selection_set)
                elif isinstance(one, FragmentSpreadNode) and one.name.value not in seen:
                    seen.add(one.name.value)
                    waiting.append(self.document.fragments[one.name.value].selection_set)
        return out

    # -- values

    def _resolve_field(self, field: Field, rows: Values, trails: Sequence[Trail | None]) -> Values:
        if field.definition is None:
            return field.resolve(self.near, rows, field.args)
        values = [field.bad] * len(rows) if field.bad is not None else self._call_resolver(field, rows)
        if field.leaf and not _has_problem(values) and not (field.needed and None in values):
            return values
        return self._complete_values(
            field, field.definition.type, values, [Trail(trail, field.key) for trail in trails]
        )

    def _call_resolver(self, field: Field, rows: Values) -> Values:
        if self._exceeds(field, len(rows)):
            return [Problem(EXCEEDED, EXCEEDED_KIND)] * len(rows)
        try:
            return field.resolve(self.near, rows, field.args)
        except Outage:
            raise
        except OperationError as refused:
            return [problem_of(refused)] * len(rows)
        except Problem as problem:
            return [problem] * len(rows)
        except ValueError as wrong:
            if not str(wrong).startswith(("`", "The cursor")):
                raise
            return [Problem(str(wrong), "INVALID_CURSOR_ARGUMENTS")] * len(rows)

    def _exceeds(self, field: Field, rows: int) -> bool:
        """Count a resolver call; return whether the request exceeds its limit, so that the rest is left out."""
        self._work += SEARCH_WORK if field.name == "search" else 1 + rows // ROWS_OF_WORK
        return self._work > MOST_WORK

    def _complete_values(
        self, field: Field, kind: GraphQLOutputType, values: Values, trails: Sequence[Trail]
    ) -> Values:
        if isinstance(kind, GraphQLNonNull):
            for trail in (trail for value, trail in zip(values, trails, strict=True) if value is None):
                self._fault(field, Problem("Cannot return null for non-nullable field"), trail)
            return [
                _BROKEN if one is None else one for one in self._complete_values(field, kind.of_type, values, trails)
            ]
        if _has_problem(values):
            values = [
                self._fault(field, one, trail) if isinstance(one, Problem) else one
                for one, trail in zip(values, trails, strict=True)
            ]
        if is_leaf_type(kind):
            return values
        if isinstance(kind, GraphQLList):
            return self._complete_lists(field, kind.of_type, values, trails)
        return self._objects(field, kind, values, trails)

    def _fault(self, field: Field, problem: Problem, trail: Trail) -> None:
        self.refusals += [problem.refused] if problem.refused is not None else []
        error: ErrorEntry = {
            "path": _path(trail),
            "locations": list_locations([field.node]),
            "message": problem.message,
        }
        self.errors.append(error if problem.kind is None else {"type": problem.kind, **error})

    def _complete_lists(
        self, field: Field, kind: GraphQLOutputType, values: Sequence[Any], trails: Sequence[Trail]
    ) -> Values:
        """Complete the items of all lists at once, then rebuild each list."""
        flat = [item for value in values if value is not None for item in value]
        if is_leaf_type(get_named_type(kind)) and not _has_problem(flat):
            return values
        places_of = [
            Trail(trail, at)
            for value, trail in zip(values, trails, strict=True)
            if value is not None
            for at in range(len(value))
        ]
        shaped, out, start = self._complete_values(field, kind, flat, places_of), [], 0
        for value in values:
            if value is None:
                out.append(None)
                continue
            part = shaped[start : start + len(value)]
            start += len(value)
            out.append(None if _BROKEN in part else part)
        return out

    def _objects(self, field: Field, kind: GraphQLOutputType, values: Values, trails: Sequence[Trail]) -> Values:
        if isinstance(kind, GraphQLObjectType) and _NONE not in set(map(type, values)):
            return self._complete_objects(field, kind, values, trails)
        out: list[object] = [None] * len(values)
        for name, places_of in _by_type(kind, values).items():
            rows, inner = [values[at] for at in places_of], [trails[at] for at in places_of]
            for at, made in zip(places_of, self._complete_objects(field, _object_type(name), rows, inner), strict=True):
                out[at] = made
        return out

    def _complete_objects(self, field: Field, kind: GraphQLObjectType, rows: Values, trails: Sequence[Trail]) -> Values:
        """Complete objects of one type with their selected fields; None for one that lacks a non-null field."""
        if kind.name not in field.children:
            field.children[kind.name] = self._fields(kind, field.sets)
        children = field.children[kind.name]
        if not children:
            return [{} for _ in rows]
        keys = [child.key for child in children]
        columns = [
            [kind.name] * len(rows) if child.name == "__typename" else self._resolve_field(child, rows, trails)
            for child in children
        ]
        out = [dict(zip(keys, cells, strict=True)) for cells in zip(*columns, strict=True)]
        if any(_BROKEN in values for values in columns):
            return [None if _BROKEN in made.values() else made for made in out]
        return out


def _path(trail: Trail | None) -> list[str | int]:
    """Return the keys that lead to a value, from the root."""
    keys: list[str | int] = []
    while trail is not None:
        keys.append(trail.key)
        trail = trail.above
    return keys[::-1]


class Conflict(Exception):
    """Error for two selections that cannot share one key."""

    def __init__(self, error: ErrorEntry) -> None:
        super().__init__(error["message"])
        self.error = error


def _has_problem(values: Values) -> bool:
    """Whether some value is a problem."""
    return Problem in set(map(type, values))


def _write_arguments(node: FieldNode) -> str:
    return "{" + ",".join(sorted(print_ast(one) for one in node.arguments or ())) + "}"


def _object_type(name: str) -> GraphQLObjectType:
    found = schema().type_map[name]
    assert isinstance(found, GraphQLObjectType)
    return found


def _by_type(kind: GraphQLOutputType, values: Values) -> dict[str, list[int]]:
    """Return the positions of non-null values, by the type name of the objects."""
    present = [at for at, one in enumerate(values) if one is not None]
    if isinstance(kind, GraphQLObjectType):
        return {kind.name: present} if present else {}
    out: dict[str, list[int]] = {}
    for at in present:
        out.setdefault(kind_of(values[at]), []).append(at)
    return out


def _check_page_size(field: Field, definition: GraphQLField) -> Problem | None:
    """Return the reason why a connection cannot be shown: no size, or one that is too large."""
    if (
        "first" not in definition.args
        or "last" not in definition.args
        or not field.args.asks & {"nodes", "edges", "pageInfo"}
    ):
        return None
    sizes = {name: field.args[name] for name in ("first", "last") if field.args.get(name) is not None}
    if not sizes:
        why = f"You must provide a `first` or `last` value to properly paginate the `{field.name}` connection."
        return Problem(why, "MISSING_PAGINATION_BOUNDARIES")
    for name, size in sizes.items():
        if size < 0:
            return Problem(
                f"`{name}` on the `{field.name}` connection cannot be less than zero.", "INVALID_PAGINATION_BOUNDARIES"
            )
        if size > MOST:
            why = (
                f"Requesting {size} records on the `{field.name}` connection exceeds the `{name}` limit of {MOST}"
                " records."
            )
            return Problem(why, "EXCESSIVE_PAGINATION")
    return None
