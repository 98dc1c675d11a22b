"""Variables and arguments of a request as Python values."""

from collections.abc import Mapping
from typing import Any

import orjson
from graphql import (
    BooleanValueNode,
    FieldNode,
    FloatValueNode,
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    GraphQLType,
    IntValueNode,
    ListValueNode,
    NullValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    ValueNode,
    VariableDefinitionNode,
    VariableNode,
    type_from_ast,
)

from apps.github.graphql.answer import ErrorEntry
from apps.github.graphql.error_messages import list_locations
from world.core.json_types import JsonObject

MISSING = object()


class Args(dict[str, Any]):
    """Arguments of a field, and the names of the fields selected below it."""

    asks: frozenset[str] = frozenset()


def variables(
    schema: GraphQLSchema, operation: OperationDefinitionNode, given: Mapping[str, object]
) -> tuple[JsonObject, list[ErrorEntry]]:
    """Return the values of an operation's variables, and the errors in those that were given."""
    out: JsonObject = {}
    errors: list[ErrorEntry] = []
    for one in operation.variable_definitions or ():
        name, kind = one.variable.name.value, type_from_ast(schema, one.type)
        if name not in given and one.default_value is not None:
            out[name] = literal(one.default_value, kind, {})
        elif name not in given:
            if isinstance(kind, GraphQLNonNull):
                errors.append(_bad(one, str(kind), None, [([], "Expected value to not be null")]))
        else:
            out[name] = _coerce_variable(one, kind, given[name], errors)
    return out, errors


def _coerce_variable(
    definition: VariableDefinitionNode, kind: GraphQLType | None, given: object, errors: list[ErrorEntry]
) -> object:
    found = _Coercion()
    value = found.value(given, kind, [])
    if found.problems:
        errors.append(_bad(definition, str(kind), given, found.problems))
    return value


class _Coercion:
    """Converts a JSON value to an input type, and collects its errors."""

    def __init__(self) -> None:
        self.problems: list[tuple[list[str | int], str]] = []

    def value(self, given: object, kind: GraphQLType | None, path: list[str | int]) -> object:
        """Return the valid part of a value."""
        if isinstance(kind, GraphQLNonNull):
            return (
                self._wrong(path, "Expected value to not be null")
                if given is None
                else self.value(given, kind.of_type, path)
            )
        if given is None:
            return None
        if isinstance(kind, GraphQLList):
            listed = given if isinstance(given, list) else [given]
            return [self.value(one, kind.of_type, [*path, at]) for at, one in enumerate(listed)]
        if isinstance(kind, GraphQLInputObjectType):
            return self._object(given, kind, path)
        if isinstance(kind, GraphQLEnumType):
            fits = isinstance(given, str) and given in kind.values
            return (
                given
                if fits
                else self._wrong(path, f"Expected {_render_value(given)} to be one of: {', '.join(kind.values)}")
            )
        return self._scalar(given, str(kind), path)

    def _wrong(self, path: list[str | int], why: str) -> None:
        self.problems.append((path, why))

    def _scalar(self, given: object, name: str, path: list[str | int]) -> object:
        if name == "ID" and type(given) is int:
            return str(given)
        fits = {
            "Int": type(given) is int and -(2**31) <= given < 2**31,
            "Float": type(given) in (int, float),
            "Boolean": type(given) is bool,
        }.get(name, isinstance(given, str))
        return given if fits else self._wrong(path, f"Could not coerce value {_render_value(given)} to {name}")

    def _object(self, given: object, kind: GraphQLInputObjectType, path: list[str | int]) -> JsonObject | None:
        if not isinstance(given, dict):
            return self._wrong(path, f"Could not coerce value {_render_value(given)} to {kind.name}")
        for name in given.keys() - kind.fields.keys():
            self._wrong([*path, name], f"Field is not defined on {kind.name}")
        out: JsonObject = {}
        for name, field in kind.fields.items():
            written = _default(field, {})
            if name in given:
                out[name] = self.value(given[name], field.type, [*path, name])
            elif written is not MISSING:
                out[name] = written
            elif isinstance(field.type, GraphQLNonNull):
                self._wrong([*path, name], "Expected value to not be null")
        return out


def _render_value(value: object) -> str:
    return orjson.dumps(value).decode()[:200]


def _bad(
    definition: VariableDefinitionNode, kind: str, given: object, found: list[tuple[list[str | int], str]]
) -> ErrorEntry:
    named = [f"{'.'.join(map(str, path))} ({why})" for path, why in found if path]
    where = f" for {', '.join(named)}" if named else ""
    problems = [{"path": path, "explanation": why} for path, why in found]
    return {
        "extensions": {"value": given, "problems": problems},
        "locations": list_locations([definition]),
        "message": f"Variable ${definition.variable.name.value} of type {kind} was provided invalid value{where}",
    }


def literal(node: ValueNode, kind: GraphQLType | None, known: Mapping[str, object]) -> object:
    """Return the value of a node that passed validation; MISSING for a variable without a value."""
    if isinstance(node, VariableNode):
        return known.get(node.name.value, MISSING)
    if isinstance(node, NullValueNode):
        return None
    if isinstance(kind, GraphQLNonNull):
        return literal(node, kind.of_type, known)
    if isinstance(kind, GraphQLList):
        listed = node.values if isinstance(node, ListValueNode) else [node]
        return [_or_none(literal(one, kind.of_type, known)) for one in listed]
    if isinstance(kind, GraphQLInputObjectType):
        return _object(node, kind, known)
    if isinstance(node, IntValueNode):
        return node.value if getattr(kind, "name", "") == "ID" else int(node.value)
    if isinstance(node, FloatValueNode):
        return float(node.value)
    return node.value if isinstance(node, BooleanValueNode) else str(node.value)  # type: ignore[attr-defined]


def _or_none(value: object) -> object:
    return None if value is MISSING else value


def _object(node: ValueNode, kind: GraphQLInputObjectType, known: Mapping[str, object]) -> JsonObject:
    assert isinstance(node, ObjectValueNode)
    given = {one.name.value: one.value for one in node.fields}
    out: JsonObject = {}
    for name, field in kind.fields.items():
        value = literal(given[name], field.type, known) if name in given else MISSING
        if value is MISSING:
            value = _default(field, known)
        if value is not MISSING:
            out[name] = value
    return out


def _default(argument: GraphQLArgument | GraphQLInputField, known: Mapping[str, object]) -> object:
    written = argument.ast_node.default_value if argument.ast_node is not None else None
    return MISSING if written is None else literal(written, argument.type, known)


def arguments(field: GraphQLField, node: FieldNode, known: Mapping[str, object]) -> Args:
    """Return the arguments of a field; those without a value are left out."""
    given = {one.name.value: one.value for one in node.arguments or ()}
    out = Args()
    for name, argument in field.args.items():
        kind: GraphQLInputType = argument.type
        value = literal(given[name], kind, known) if name in given else MISSING
        if value is MISSING:
            value = _default(argument, known)
        if value is not MISSING:
            out[name] = value
    return out
