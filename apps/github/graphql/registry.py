"""Registry of resolvers by type and field. A resolver is called once for all objects at one position of a query."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from graphql import GraphQLField, GraphQLList, GraphQLNonNull, GraphQLOutputType, get_named_type

from apps.github.graphql.connections import Page
from apps.github.graphql.errors import Problem, not_found, problem_of
from apps.github.graphql.values import Args
from world.core.errors import OperationError, Outage

if TYPE_CHECKING:
    from apps.github.graphql.loader import Loader

__all__ = [
    "RESOLVERS",
    "TYPES",
    "Fact",
    "Problem",
    "Resolver",
    "Values",
    "batch",
    "each",
    "empty",
    "field",
    "kind_of",
    "not_found",
    "resolver",
]
Values = Sequence[object]  # one for each object at a place of a query
Resolver = Callable[["Loader", Sequence[Any], Args], Values]
RowResolver = Callable[["Loader", Any, Args], object]  # the same for one object
Property = Callable[["Loader", Any], object]  # what one object says of itself
AnyResolver = TypeVar("AnyResolver", bound=Resolver)
AnyRowResolver = TypeVar("AnyRowResolver", bound=RowResolver)
RESOLVERS: dict[tuple[str, str], Resolver] = {}
TYPES: dict[type, str | Callable[[Any], str]] = {}
ZERO: dict[str, object] = {"Boolean": False, "Int": 0, "Float": 0.0, "String": "", "HTML": "", "BigInt": "0"}


class Fact(dict[str, Any]):
    """An object of a type without a table: its fields by name."""

    typename: str

    def __init__(self, typename: str, **fields: object) -> None:
        super().__init__(fields)
        self.typename = typename


def batch(types: str, name: str) -> Callable[[AnyResolver], AnyResolver]:
    """Declare the resolver of a field of some types, for many objects."""

    def declare(run: AnyResolver) -> AnyResolver:
        for one in types.split():
            RESOLVERS[one, name] = run
        return run

    return declare


def each(types: str, **fields: Property) -> None:
    """Declare fields that are attributes or functions of one object."""
    for name, run in fields.items():
        batch(types, name)(_one_by_one(run))


def _one_by_one(run: Property) -> Resolver:
    return lambda near, rows, _: [run(near, row) for row in rows]


def field(types: str, name: str) -> Callable[[AnyRowResolver], AnyRowResolver]:
    """Declare the resolver of a field with arguments, for one object at a time; a refusal becomes its error."""

    def declare(run: AnyRowResolver) -> AnyRowResolver:
        batch(types, name)(lambda near, rows, args: [attempt(run, near, row, args) for row in rows])
        return run

    return declare


def attempt(run: RowResolver, near: "Loader", row: object, args: Args) -> object:
    """Call a resolver for one object; a refusal is returned as a Problem."""
    try:
        return run(near, row, args)
    except Problem as problem:
        return problem
    except Outage:
        raise
    except OperationError as refused:
        return problem_of(refused)


def kind_of(row: Any) -> str:
    """Return the type name of an object."""
    known = TYPES.get(type(row)) or row.typename
    return known if isinstance(known, str) else known(row)


def resolver(typename: str, name: str, definition: GraphQLField) -> Resolver:
    """Return the resolver of a field; a field without one is empty."""
    found = RESOLVERS.get((typename, name))
    if found is not None:
        return found
    if typename.endswith("Connection"):
        return lambda near, rows, args: [row.field(name) for row in rows]
    nothing = empty(definition.type)
    return lambda near, rows, args: [row.get(name, nothing) if isinstance(row, dict) else nothing for row in rows]


def empty(kind: GraphQLOutputType) -> object:
    """Return the empty value of a field: null, an empty list, an empty connection, or zero."""
    if not isinstance(kind, GraphQLNonNull):
        named = get_named_type(kind)
        return Page([]) if named.name.endswith("Connection") else None
    if isinstance(kind.of_type, GraphQLList):
        return []
    return Page([]) if kind.of_type.name.endswith("Connection") else ZERO.get(kind.of_type.name)
