"""Executable documents: the text of a query is parsed, measured and validated once, then cached by its text."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    OperationType,
    OverlappingFieldsCanBeMergedRule,
    SelectionSetNode,
    StringValueNode,
    build_schema,
    is_specified_scalar_type,
    parse,
    specified_rules,
    validate,
)

from apps.github.graphql.answer import ErrorEntry
from apps.github.graphql.error_messages import render_error, syntax_error

SCHEMA = Path(__file__).parent / "schema.graphql"
MAX_TEXT = 200_000
MAX_TOKENS = 20_000
MAX_NESTING = 100  # of brackets, before anything is parsed
MAX_DEPTH = 25  # docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api
MAX_FIELDS = 20_000  # with every fragment written out
KEPT = 256  # documents
# What overlaps is compared where selections are put together: the published rule takes quadratic time.
RULES = [rule for rule in specified_rules if rule is not OverlappingFieldsCanBeMergedRule]


@cache
def schema() -> GraphQLSchema:
    """Return the served schema, built once per process on first use."""
    made = build_schema(SCHEMA.read_text(encoding="utf-8"), assume_valid=True, assume_valid_sdl=True, no_location=True)
    for kind in made.type_map.values():
        if isinstance(kind, GraphQLScalarType) and not is_specified_scalar_type(kind):
            kind.coerce_input_value = _read_text  # type: ignore[method-assign]
            kind.coerce_input_literal = _read_literal
    return made


def _read_text(value: object) -> str:
    """Parse the value of one of the vendor's scalars (URI, DateTime, ...). Raises GraphQLError for a non-string."""
    if not isinstance(value, str):
        raise GraphQLError("Expected a string")
    return value


def _read_literal(node: object) -> str:
    """Parse such a scalar written in a document. Raises GraphQLError."""
    return _read_text(node.value if isinstance(node, StringValueNode) else None)


@dataclass(slots=True)
class Document:
    """A parsed document, or its errors."""

    errors: list[ErrorEntry] = field(default_factory=list)
    operations: list[OperationDefinitionNode] = field(default_factory=list)
    fragments: dict[str, FragmentDefinitionNode] = field(default_factory=dict)
    plans: dict[str, Any] = field(default_factory=dict)  # selections with arguments, by operation and variables

    def find_operation(self, name: str | None) -> OperationDefinitionNode | None:
        """Return the operation of this name; without a name, the only one."""
        named = [one for one in self.operations if not name or (one.name is not None and one.name.value == name)]
        return named[0] if len(named) == 1 else None

    def writes(self, name: str | None) -> bool:
        """Whether the selected operation is a mutation."""
        found = self.find_operation(name)
        return found is not None and found.operation is OperationType.MUTATION


@lru_cache(maxsize=KEPT)
def read_document(text: str) -> Document:
    """Parse the text of a query."""
    if len(text) > MAX_TEXT or _measure_nesting(text) > MAX_NESTING:
        return Document(
            [{"message": "The query is too large." if len(text) > MAX_TEXT else _too_deep(_measure_nesting(text))}]
        )
    try:
        parsed = parse(text, max_tokens=MAX_TOKENS, no_location=False)
    except GraphQLSyntaxError as error:
        return Document([syntax_error(error, text)])
    return _build_document(parsed)


def _measure_nesting(text: str) -> int:
    deepest = depth = 0
    for char in text:
        if char in "{[(":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "}])":
            depth -= 1
    return deepest


def _too_deep(depth: int) -> str:
    return f"Query has depth of {depth}, which exceeds max depth of {MAX_DEPTH}"


def _build_document(parsed: DocumentNode) -> Document:
    made = Document(
        operations=[one for one in parsed.definitions if isinstance(one, OperationDefinitionNode)],
        fragments={one.name.value: one for one in parsed.definitions if isinstance(one, FragmentDefinitionNode)},
    )
    if not made.operations:
        made.errors = [{"message": "A query attribute must be specified and must be a string."}]
        return made
    made.errors = _check_sizes(made)
    if not made.errors:
        made.errors = [render_error(error, parsed) for error in _invalid(parsed)]
    return made


def _check_sizes(made: Document) -> list[ErrorEntry]:
    """Return errors for a document that is too deep or too large, before anything descends into it by recursion."""
    sizes = _Sizes(made.fragments)
    try:
        for fragment in made.fragments:
            sizes.measure_fragment(fragment)
        measured = [sizes.of(one.selection_set) for one in made.operations]
    except _TooLong as long:
        return [{"message": _too_deep(long.fragments)}]
    errors: list[ErrorEntry] = [{"message": _too_deep(one.depth)} for one in measured if one.depth > MAX_DEPTH]
    much = [one.fields for one in measured if one.depth <= MAX_DEPTH and one.fields > MAX_FIELDS]
    return [*errors, *({"message": _too_much(fields)} for fields in much)]


def _too_much(fields: int) -> str:
    return f"Query has complexity of {fields}, which exceeds max complexity of {MAX_FIELDS}"


def _invalid(parsed: DocumentNode) -> list[GraphQLError]:
    return validate(schema(), parsed, RULES, max_errors=50)


class _TooLong(Exception):
    """Error for deeper nesting of fragments than anybody writes."""

    def __init__(self, fragments: int) -> None:
        super().__init__(fragments)
        self.fragments = fragments


class _Size(NamedTuple):
    """Size of selections: depth, number of fields, and nesting of fragments."""

    depth: int = 0
    fields: int = 0
    fragments: int = 0


class _Sizes:
    """Measures selections; each fragment only once."""

    def __init__(self, fragments: dict[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._known: dict[str, _Size] = {}
        self._open = 0  # fragments being measured

    def of(self, selections: SelectionSetNode | None) -> _Size:
        """Return the size of the fields below a selection."""
        found = _Size()
        for one in selections.selections if selections is not None else ():
            if isinstance(one, FieldNode):
                depth, fields, fragments = self.of(one.selection_set)
                here = _Size(depth + 1, fields + 1, fragments)
            elif isinstance(one, FragmentSpreadNode):
                here = self.measure_fragment(one.name.value)
            else:
                here = self.of(one.selection_set)  # type: ignore[attr-defined]
            found = _Size(
                max(found.depth, here.depth), found.fields + here.fields, max(found.fragments, here.fragments)
            )
        return found

    def measure_fragment(self, name: str) -> _Size:
        """Return the size of a fragment; zero for a missing one, or one inside itself, which validation reports."""
        if name not in self._known and name in self._fragments:
            self._known[name] = _Size()
            self._open += 1
            self._check_length(self._open)
            depth, fields, fragments = self.of(self._fragments[name].selection_set)
            self._check_length(fragments + 1)
            self._open -= 1
            self._known[name] = _Size(depth, fields, fragments + 1)
        return self._known.get(name, _Size())

    def _check_length(self, fragments: int) -> None:
        if fragments > MAX_NESTING:
            raise _TooLong(fragments)
