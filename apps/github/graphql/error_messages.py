"""Errors of a query in the vendor's words and shape.

Source: docs.github.com/graphql/guides/forming-calls-with-graphql.
"""

import re
from collections.abc import Iterable, Iterator

from graphql import (
    DefinitionNode,
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    GraphQLError,
    InlineFragmentNode,
    Node,
    OperationDefinitionNode,
)
from graphql.language import TokenKind

from apps.github.graphql.answer import ErrorEntry, Location
from world.core.json_types import JsonObject

TOKENS = {
    TokenKind.NAME: "IDENTIFIER",
    TokenKind.BRACE_L: "LCURLY",
    TokenKind.BRACE_R: "RCURLY",
    TokenKind.PAREN_L: "LPAREN",
    TokenKind.PAREN_R: "RPAREN",
    TokenKind.BRACKET_L: "LBRACKET",
    TokenKind.BRACKET_R: "RBRACKET",
    TokenKind.COLON: "COLON",
    TokenKind.DOLLAR: "VAR_SIGN",
    TokenKind.BANG: "BANG",
    TokenKind.EQUALS: "EQUALS",
    TokenKind.SPREAD: "ELLIPSIS",
    TokenKind.AT: "DIR_SIGN",
    TokenKind.INT: "INT",
    TokenKind.FLOAT: "FLOAT",
    TokenKind.STRING: "STRING",
    TokenKind.PIPE: "PIPE",
}
_RULES: list[tuple[re.Pattern[str], str, str, tuple[str, ...]]] = [
    (
        re.compile(r"Cannot query field '(?P<fieldName>\w+)' on type '(?P<typeName>\w+)'"),
        "undefinedField",
        "Field '{fieldName}' doesn't exist on type '{typeName}'",
        ("typeName", "fieldName"),
    ),
    (
        re.compile(r"Unknown argument '(?P<argumentName>\w+)' on field '(?P<typeName>\w+)\.(?P<name>\w+)'"),
        "argumentNotAccepted",
        "Field '{name}' doesn't accept argument '{argumentName}'",
        ("name", "typeName", "argumentName"),
    ),
    (
        re.compile(r"Argument '\w+\.(?P<name>\w+)\((?P<arguments>\w+):\)' of type '[^']+' is required"),
        "missingRequiredArguments",
        "Field '{name}' is missing required arguments: {arguments}",
        ("name", "arguments"),
    ),
    (
        re.compile(r"Field '(?P<name>\w+)' of type '(?P<typeName>[^'!]+)!?' must have a selection of subfields"),
        "selectionMismatch",
        (
            "Field must have selections (field '{name}' returns {typeName} but has no selections. Did you mean '{name}"
            " {{ ... }}'?)"
        ),
        ("typeName",),
    ),
    (
        re.compile(r"Field '(?P<name>\w+)' must not have a selection since type '(?P<typeName>[^'!]+)!?'"),
        "selectionMismatch",
        "Selections can't be made on scalars (field '{name}' returns {typeName} but has selections)",
        ("typeName",),
    ),
    (
        re.compile(r"Variable '\$(?P<variableName>\w+)' is not defined(?: by operation '(?P<op>\w+)')?"),
        "variableNotDefined",
        "Variable ${variableName} is used by {op} but not declared",
        ("variableName",),
    ),
    (
        re.compile(r"Variable '\$(?P<variableName>\w+)' is never used(?: in operation '(?P<op>\w+)')?"),
        "variableNotUsed",
        "Variable ${variableName} is declared by {op} but not used",
        ("variableName",),
    ),
    (
        re.compile(r"Unknown fragment '(?P<fragmentName>\w+)'"),
        "useAndDefineFragment",
        "Fragment {fragmentName} was used, but not defined",
        ("fragmentName",),
    ),
    (
        re.compile(r"Fragment '(?P<fragmentName>\w+)' is never used"),
        "useAndDefineFragment",
        "Fragment {fragmentName} was defined, but not used",
        ("fragmentName",),
    ),
    (
        re.compile(r"Unknown type '(?P<typeName>\w+)'"),
        "undefinedType",
        "No such type {typeName}, so it can't be a fragment condition",
        ("typeName",),
    ),
    (
        re.compile(
            r"Variable '\$(?P<variableName>\w+)' of type '(?P<typeName>[^']+)' used in position expecting type"
            r" '(?P<argument>[^']+)'"
        ),
        "variableMismatch",
        "Type mismatch on variable ${variableName} and argument ({typeName} / {argument})",
        ("variableName", "typeName"),
    ),
    (
        re.compile(r"Unknown directive '@(?P<directiveName>\w+)'"),
        "undefinedDirective",
        "Directive @{directiveName} is not defined",
        ("directiveName",),
    ),
]


def syntax_error(error: GraphQLError, text: str) -> ErrorEntry:
    """Render a syntax error with its position and token."""
    [place] = error.locations or [None]
    assert place is not None
    found = re.search(r"(?:Unexpected|found) (?P<what>.+?)\.?$", error.message.removeprefix("Syntax Error: "))
    what = found["what"] if found else error.message.removeprefix("Syntax Error: ")
    if what == "<EOF>":
        return {"message": "Unexpected end of document", "locations": []}
    kind, _, value = what.partition(" ")
    name = next((name for token, name in TOKENS.items() if token.value == kind), None)
    named = next((name for token, name in TOKENS.items() if f"'{token.value}'" == kind), name or kind)
    shown = value.strip("'\"") or kind.strip("'\"")
    where: Location = {"line": place.line, "column": place.column}
    return {"message": f'Parse error on "{shown}" ({named}) at [{place.line}, {place.column}]', "locations": [where]}


def render_error(error: GraphQLError, parsed: DocumentNode) -> ErrorEntry:
    """Render a validation error in the vendor's words."""
    node = error.nodes[0] if error.nodes else None
    trail, operation = _trail(parsed, node)
    message = error.message
    extensions: JsonObject = {"code": "argumentLiteralsIncompatible"}
    for pattern, code, sentence, names in _RULES:
        if found := pattern.search(error.message):
            values = {**found.groupdict(), "op": found.groupdict().get("op") or operation}
            message, extensions = sentence.format(**values), {"code": code, **{name: values[name] for name in names}}
            break
    return {"path": trail, "extensions": extensions, "locations": list_locations(error.nodes or ()), "message": message}


def list_locations(nodes: Iterable[Node]) -> list[Location]:
    """Return lines and columns of nodes."""
    return [
        {"line": one.loc.start_token.line, "column": one.loc.start_token.column}
        for one in list(nodes)[:1]
        if one.loc is not None
    ]


def _trail(parsed: DocumentNode, wanted: Node | None) -> tuple[list[str], str]:
    """Return the names that lead to a node of the document, and the name of its operation."""
    for definition in parsed.definitions:
        trail = [_describe_definition(definition)]
        found = trail if definition is wanted else next(_below(definition, wanted, trail), None)
        if found is not None:
            named = definition.name if isinstance(definition, OperationDefinitionNode) else None
            return found, named.value if named is not None else "anonymous query"
    return ["query"], "anonymous query"


def _describe_definition(definition: DefinitionNode) -> str:
    if isinstance(definition, FragmentDefinitionNode):
        return f"fragment {definition.name.value}"
    kind = definition.operation.value if isinstance(definition, OperationDefinitionNode) else "document"
    name = getattr(definition, "name", None)
    return f"{kind} {name.value}" if name is not None else kind


def _below(node: Node, wanted: Node | None, trail: list[str]) -> Iterator[list[str]]:
    for key in node.keys:
        value = getattr(node, key, None)
        for child in value if isinstance(value, tuple | list) else [value]:
            if isinstance(child, Node):
                here = trail + _step(child)
                if child is wanted:
                    yield here
                yield from _below(child, wanted, here)


def _step(node: Node) -> list[str]:
    if isinstance(node, FieldNode):
        return [node.alias.value if node.alias else node.name.value]
    if isinstance(node, InlineFragmentNode):
        return [f"... on {node.type_condition.name.value}" if node.type_condition else "..."]
    return [node.name.value] if node.kind == "argument" else []  # type: ignore[attr-defined]
