"""From the text of a query to a document that may be run: parsed, measured and validated once, then kept by its text."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    OperationType,
    OverlappingFieldsCanBeMergedRule,
    SelectionSetNode,
    build_schema,
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
    """The served schema, built once per process when it is first asked for."""
    return build_schema(SCHEMA.read_text(encoding="utf-8"), assume_valid=True, assume_valid_sdl=True, no_location=True)


@dataclass(slots=True)
class Document:
    """A document, or what is wrong with it."""

    errors: list[ErrorEntry] = field(default_factory=list)
    operations: list[OperationDefinitionNode] = field(default_factory=list)
    fragments: dict[str, FragmentDefinitionNode] = field(default_factory=dict)
    plans: dict[str, Any] = field(default_factory=dict)  # selections with arguments, by operation and variables

    def find_operation(self, name: str | None) -> OperationDefinitionNode | None:
        """The operation of this name; the only one without a name."""
        named = [one for one in self.operations if not name or (one.name is not None and one.name.value == name)]
        return named[0] if len(named) == 1 else None

    def writes(self, name: str | None) -> bool:
        """Whether what is to be run is a mutation."""
        found = self.find_operation(name)
        return found is not None and found.operation is OperationType.MUTATION


@lru_cache(maxsize=KEPT)
def read_document(text: str) -> Document:
    """The document of a query's text."""
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
    sizes = _Sizes(made.fragments)
    for one in made.operations:
        depth, fields = sizes.of(one.selection_set)
        if depth > MAX_DEPTH:
            made.errors.append({"message": _too_deep(depth)})
        elif fields > MAX_FIELDS:
            made.errors.append(
                {"message": f"Query has complexity of {fields}, which exceeds max complexity of {MAX_FIELDS}"}
            )
    if not made.errors:
        made.errors = [render_error(error, parsed) for error in _invalid(parsed)]
    return made


def _invalid(parsed: DocumentNode) -> list[GraphQLError]:
    return validate(schema(), parsed, RULES, max_errors=50)


class _Sizes:
    """How deep selections go and how many fields they have; each fragment is measured once."""

    def __init__(self, fragments: dict[str, FragmentDefinitionNode]) -> None:
        self._fragments = fragments
        self._known: dict[str, tuple[int, int]] = {}

    def of(self, selections: SelectionSetNode | None) -> tuple[int, int]:
        """Depth and number of fields below a selection."""
        deepest = fields = 0
        for one in selections.selections if selections is not None else ():
            if isinstance(one, FieldNode):
                depth, count = self.of(one.selection_set)
                depth, count = depth + 1, count + 1
            elif isinstance(one, FragmentSpreadNode):
                depth, count = self._fragment(one.name.value)
            else:
                depth, count = self.of(one.selection_set)  # type: ignore[attr-defined]
            deepest, fields = max(deepest, depth), fields + count
        return deepest, fields

    def _fragment(self, name: str) -> tuple[int, int]:
        if name not in self._known and name in self._fragments:
            self._known[name] = (0, 0)  # one that is inside itself is told by validation
            self._known[name] = self.of(self._fragments[name].selection_set)
        return self._known.get(name, (0, 0))
