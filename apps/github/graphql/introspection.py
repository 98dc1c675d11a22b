"""Limit on introspection: its lists multiply as connections do."""

from collections.abc import Iterable, Sequence
from functools import cache

from graphql import (
    FieldNode,
    FragmentSpreadNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    OperationDefinitionNode,
    SelectionSetNode,
)

from apps.github.graphql.document import Document, schema

META = ("__schema", "__type")
MOST_DESCRIBED = 200_000  # values; the query with which clients fetch the whole schema is counted as 165,000


@cache
def _lists() -> dict[str, list[int]]:
    """Return the lengths of each introspection list, for every type that has one."""
    kinds = list(schema().type_map.values())
    fields = [
        list(kind.fields.values()) for kind in kinds if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType)
    ]
    return {
        "fields": [len(one) for one in fields],
        "args": [len(field.args) for one in fields for field in one] + [len(one.args) for one in schema().directives],
        "inputFields": [len(kind.fields) for kind in kinds if isinstance(kind, GraphQLInputObjectType)],
        "enumValues": [len(kind.values) for kind in kinds if isinstance(kind, GraphQLEnumType)],
        "interfaces": _relations(kinds),
        "possibleTypes": _relations(kinds),
        "directives": [len(schema().directives)],
        "types": [len(kinds)],
    }


def _relations(kinds: Sequence[GraphQLNamedType]) -> list[int]:
    found = [schema().get_implementations(kind) for kind in kinds if isinstance(kind, GraphQLInterfaceType)]
    return [len(one.objects) for one in found]


class _Measure:
    """Multiplies the lengths of lists from the root down."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def of(self, selections: SelectionSetNode | None, times: float, trail: tuple[str, ...]) -> float:
        """Count the values below selections that occur `times` times, under fields of these names."""
        total = 0.0
        for one in selections.selections if selections is not None else ():
            if total > MOST_DESCRIBED:
                break
            if isinstance(one, FieldNode):
                total += self.of_field(one, times, trail)
            elif isinstance(one, FragmentSpreadNode):
                total += self.of(self._document.fragments[one.name.value].selection_set, times, trail)
            else:
                total += self.of(one.selection_set, times, trail)  # type: ignore[attr-defined]
        return total

    def of_field(self, node: FieldNode, times: float, trail: tuple[str, ...]) -> float:
        """Count the values of a field and below it."""
        here = times * _length(node.name.value, trail)
        return here if here > MOST_DESCRIBED else here + self.of(node.selection_set, here, (*trail, node.name.value))


def _length(name: str, trail: tuple[str, ...]) -> float:
    """Return the length of a list: the average below all types, elsewhere the maximum."""
    found = _lists().get(name)
    if found is None:
        return 1
    if name == "args" and trail[-1:] == ("fields",) and "fields" not in trail[:-1]:
        return sum(found) / len(found)
    return sum(found) / _lists()["types"][0] if trail[-1:] == ("types",) else max(found, default=0)


def describes_too_much(document: Document, operation: OperationDefinitionNode) -> bool:
    """Whether the introspection fields of an operation select more values than one request may."""
    measure = _Measure(document)
    asked = _list_meta(document, operation.selection_set.selections)
    return sum(measure.of_field(one, 1, ()) for one in asked) > MOST_DESCRIBED


def _list_meta(document: Document, selections: Iterable[object]) -> list[FieldNode]:
    """Return the introspection fields at the root, including those in fragments."""
    found: list[FieldNode] = []
    for one in selections:
        if isinstance(one, FieldNode):
            found += [one] if one.name.value in META else []
        elif isinstance(one, FragmentSpreadNode):
            found += _list_meta(document, document.fragments[one.name.value].selection_set.selections)
        else:
            found += _list_meta(document, one.selection_set.selections)  # type: ignore[attr-defined]
    return found
