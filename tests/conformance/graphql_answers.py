"""Answers of a GraphQL door, compared with the published schema: the query must be valid there, the answer of its
selections' types.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLField,
    GraphQLList,
    GraphQLNamedType,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLScalarType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    OverlappingFieldsCanBeMergedRule,
    SchemaMetaFieldDef,
    SelectionSetNode,
    TypeMetaFieldDef,
    TypeNameMetaFieldDef,
    build_schema,
    is_abstract_type,
    is_object_type,
    parse,
    specified_rules,
    validate,
    value_from_ast_untyped,
)

from tests.conformance.github_packages import GRAPHQL, published
from tests.conformance.specs import NotAsPublished

Problem = tuple[str, str]
TEXTS = {
    "Base64String": r"[A-Za-z0-9+/]*={0,2}",
    "BigInt": r"-?\d+",
    "Date": r"\d{4}-\d\d-\d\d",
    "GitObjectID": r"[0-9a-f]{40}",
    "DateTime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
    "GitSSHRemote": r"[^@\s]+@[^:\s]+:\S+",
    "GitRefname": r"\S+",
    "ID": r"\S+",
    "GitTimestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)",
    "PreciseDateTime": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z",
    "URI": r"([A-Za-z][A-Za-z0-9+.-]*:|/)\S*",
    "HTML": r"(?s).*",
    "String": r"(?s).*",
    "X509Certificate": r"(?s).+",
}
OTHERS: dict[str, tuple[type, ...]] = {"Int": (int,), "Float": (int, float), "Boolean": (bool,)}
META = {"__typename": TypeNameMetaFieldDef, "__schema": SchemaMetaFieldDef, "__type": TypeMetaFieldDef}
ERROR_FIELDS: dict[str, type] = {"message": str, "type": str, "path": list, "locations": list, "extensions": dict}
# The vendor lets fields of different types share a key in fragments that exclude each other: its own client asks so for
# `state`.
RULES = [rule for rule in specified_rules if rule is not OverlappingFieldsCanBeMergedRule]
AT_THE_DOOR = {"message", "documentation_url", "status"}  # what a request is told that never became a query


@cache
def schema() -> GraphQLSchema:
    """The published schema."""
    return build_schema(
        published(*GRAPHQL).read_text(encoding="utf-8"), assume_valid=True, assume_valid_sdl=True, no_location=True
    )


def check_exchange(asked: bytes, status: int, body: bytes) -> None:
    """Raise NotAsPublished unless a request to the door may be answered so."""
    if status >= 500 and body.startswith(b"<"):
        return
    shown = _json(body)
    if status != 200:
        _refused(status, body, shown)
        return
    if (
        not isinstance(shown, dict)
        or not {"data", "errors"} & shown.keys()
        or shown.keys() - {"data", "errors", "extensions"}
    ):
        raise NotAsPublished(f"{body[:200]!r} is no answer to a query")
    for error in shown.get("errors", ()):
        _error(error)
    if "errors" in shown and not shown["errors"]:
        raise NotAsPublished("errors without any")
    if shown.get("data") is not None:
        given = _json(asked)
        check_data(given["query"], given.get("variables") or {}, given.get("operationName"), shown["data"])
    elif "errors" not in shown:
        raise NotAsPublished("neither data nor errors")


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise NotAsPublished(f"{body[:200]!r} is no JSON") from None


def _refused(status: int, body: bytes, shown: Any) -> None:
    if not isinstance(shown, dict) or "message" not in shown or shown.keys() - AT_THE_DOOR:
        raise NotAsPublished(f"{status} {body[:200]!r}")
    if shown.get("status", str(status)) != str(status):
        raise NotAsPublished(f"status {shown['status']!r} in an answer of {status}")


def _error(error: Any) -> None:
    fine = isinstance(error, dict) and "message" in error
    if not fine or any(not isinstance(value, ERROR_FIELDS.get(name, ())) for name, value in error.items()):
        raise NotAsPublished(f"{json.dumps(error)[:300]} is no error")


def check_data(query: str, variables: Mapping[str, Any], operation: str | None, data: Any) -> None:
    """Raise NotAsPublished unless a query is valid by the published schema and data are of the types it selects."""
    document, problem = _read(query)
    if problem:
        raise NotAsPublished(f"answered although {problem}")
    chosen = _chosen(document, operation)
    root = schema().get_root_type(chosen.operation)
    assert root is not None
    walk = _Walk(document, {**_defaults(chosen), **variables}, root)
    for where, what in walk.selected(root, [chosen.selection_set], data):
        raise NotAsPublished(f"{chosen.operation.value}{where} {what}"[:500])


@lru_cache(maxsize=256)
def _read(query: str) -> tuple[DocumentNode, str]:
    """A query, and why the published schema does not allow it."""
    try:
        document = parse(query)
    except GraphQLError as error:
        return DocumentNode(definitions=()), error.message
    return document, next((problem.message[:400] for problem in validate(schema(), document, RULES)), "")


def _chosen(document: DocumentNode, name: str | None) -> OperationDefinitionNode:
    listed = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    fitting = [one for one in listed if not name or (one.name and one.name.value == name)]
    if len(fitting) != 1:
        raise NotAsPublished(f"answered although {len(fitting)} operations are named {name}")
    assert fitting[0].operation in (OperationType.QUERY, OperationType.MUTATION)
    return fitting[0]


def _defaults(chosen: OperationDefinitionNode) -> dict[str, Any]:
    listed = [one for one in chosen.variable_definitions or () if one.default_value is not None]
    return {
        one.variable.name.value: value_from_ast_untyped(one.default_value)
        for one in listed
        if one.default_value is not None
    }


class _Field(NamedTuple):
    """What one key of an answer stands for."""

    name: str
    sets: list[SelectionSetNode]


class _Walk:
    """Compares an answer with the selections it was made for."""

    def __init__(self, document: DocumentNode, variables: Mapping[str, Any], root: GraphQLObjectType) -> None:
        self._fragments = {
            one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)
        }
        self._variables = variables
        self._root = root
        self._collected: dict[tuple[str | int, ...], dict[str, _Field]] = {}

    def selected(self, kind: GraphQLNamedType, sets: list[SelectionSetNode], value: Any) -> list[Problem]:
        """What is wrong with an object, of one of the types that `kind` stands for."""
        if not isinstance(value, dict):
            return [("", f"is no {kind.name}")]
        if is_object_type(kind):
            return self._object(kind, sets, value)
        assert is_abstract_type(kind)
        tried: list[list[Problem]] = []
        for one in schema().get_possible_types(kind):
            found = self._object(one, sets, value)
            if not found:
                return []
            tried.append(found)
        return min(tried, key=len)

    def _object(self, kind: GraphQLObjectType, sets: list[SelectionSetNode], value: Mapping[str, Any]) -> list[Problem]:
        fields = self._fields(kind, sets)
        wrong = [(f".{key}", f"of {kind.name} was asked for") for key in fields if key not in value]
        wrong += [(f".{key}", f"of {kind.name} was not asked for") for key in value if key not in fields]
        if wrong or _named_otherwise(kind, fields, value):
            return wrong or [("", f"is no {kind.name}")]
        return [
            (f".{key}{where}", what)
            for key, field in fields.items()
            for where, what in self._value(self._definition(kind, field.name).type, field.sets, value[key])
        ]

    def _fields(self, kind: GraphQLObjectType, sets: list[SelectionSetNode]) -> dict[str, _Field]:
        key = (kind.name, *map(id, sets))  # the nodes live as long as the document
        if key not in self._collected:
            fields = self._collected[key] = {}
            for one in sets:
                self._collect(kind, one, fields)
        return self._collected[key]

    def _definition(self, kind: GraphQLObjectType, name: str) -> GraphQLField:
        return META[name] if name == "__typename" or (kind is self._root and name in META) else kind.fields[name]

    def _collect(self, kind: GraphQLObjectType, selection: SelectionSetNode, into: dict[str, _Field]) -> None:
        for one in selection.selections:
            if not self._wanted(one):
                continue
            if isinstance(one, FieldNode):
                key = one.alias.value if one.alias else one.name.value
                field = into.setdefault(key, _Field(one.name.value, []))
                field.sets.extend([one.selection_set] if one.selection_set else [])
            else:
                self._spread(kind, one, into)

    def _spread(self, kind: GraphQLObjectType, one: Any, into: dict[str, _Field]) -> None:
        spread = self._fragments[one.name.value] if isinstance(one, FragmentSpreadNode) else one
        assert isinstance(spread, InlineFragmentNode | FragmentDefinitionNode)
        on = schema().type_map[spread.type_condition.name.value] if spread.type_condition else kind
        if on is kind or (is_abstract_type(on) and schema().is_sub_type(on, kind)):
            self._collect(kind, spread.selection_set, into)

    def _wanted(self, one: Any) -> bool:
        """Whether @skip and @include leave a selection in."""
        told = {
            node.name.value: value_from_ast_untyped(node.arguments[0].value, dict(self._variables))
            for node in one.directives or ()
            if node.name.value in ("skip", "include")
        }
        return told.get("include", True) is not False and told.get("skip", False) is not True

    def _value(self, kind: GraphQLOutputType, sets: list[SelectionSetNode], value: Any) -> list[Problem]:
        if isinstance(kind, GraphQLNonNull):
            return [("", "is null")] if value is None else self._value(kind.of_type, sets, value)
        if value is None:
            return []
        if isinstance(kind, GraphQLList):
            if not isinstance(value, list):
                return [("", "is no list")]
            return [
                (f"[{at}]{where}", what)
                for at, one in enumerate(value)
                for where, what in self._value(kind.of_type, sets, one)
            ]
        return (
            list(_leaf(kind, value))
            if isinstance(kind, GraphQLScalarType | GraphQLEnumType)
            else self.selected(kind, sets, value)
        )


def _named_otherwise(kind: GraphQLObjectType, fields: Mapping[str, _Field], value: Mapping[str, Any]) -> bool:
    return any(field.name == "__typename" and value[key] != kind.name for key, field in fields.items())


def _leaf(kind: GraphQLScalarType | GraphQLEnumType, value: Any) -> Iterator[Problem]:
    if isinstance(kind, GraphQLEnumType):
        fine = isinstance(value, str) and value in kind.values
    elif kind.name in OTHERS:
        fine = type(value) in OTHERS[kind.name]
    else:
        fine = isinstance(value, str) and re.fullmatch(TEXTS[kind.name], value) is not None
    if not fine:
        yield "", f"{value!r:.60} is no {kind.name}"


def not_published(served: GraphQLSchema) -> list[str]:
    """What a served schema has, by type or field, that the published one has not or has otherwise; served types must be
    whole.
    """
    out: list[str] = []
    for name, kind in served.type_map.items():
        real = schema().type_map.get(name)
        if real is None or type(real) is not type(kind):
            out.append(name)
            continue
        mine, theirs = getattr(kind, "fields", {}), getattr(real, "fields", {})
        out += [
            f"{name}.{field}"
            for field, one in mine.items()
            if field not in theirs or str(one.type) != str(theirs[field].type)
        ]
    return sorted(out)
