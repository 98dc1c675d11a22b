"""The grammar of searches: `not` binds tightest; `and` and `or` are taken from left to right, as the guide says."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput

from apps.drive.query.tree import EVERYTHING, BadQuery, Node, Term
from world.core.boolean_tree import And, Or, negate

MOST_LETTERS, MOST_TERMS, DEEPEST = 10_000, 100, 50
GRAMMAR = """
start: any?
any: _part ((AND | OR) _part)*
_part: negation | term | _LPAR any _RPAR
negation: _NOT _part
term: WORD OPERATOR (TEXT | WORD)    -> comparison
    | WORD _CONTAINS TEXT            -> contains
    | TEXT _IN WORD                  -> within
    | WORD _IN TEXT                  -> holds
    | WORD _HAS _LBRACE WORD OPERATOR TEXT AND WORD OPERATOR TEXT _RBRACE -> has
    | WORD                           -> alone
%declare WORD OPERATOR TEXT AND OR _NOT _CONTAINS _IN _HAS _LPAR _RPAR _LBRACE _RBRACE
"""
_LEXEME = re.compile(
    r"""\s*(?:(?P<TEXT>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<OPERATOR>!=|<=|>=|=|<|>)|(?P<_LPAR>\()|(?P<_RPAR>\))"""
    r"""|(?P<_LBRACE>\{)|(?P<_RBRACE>\})|(?P<WORD>[A-Za-z][A-Za-z0-9_.]*)|(?P<END>\Z))""",
    re.DOTALL,
)
_KEYWORDS = {"and": "AND", "or": "OR", "not": "_NOT", "contains": "_CONTAINS", "in": "_IN", "has": "_HAS"}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class _Builder(Transformer[Token, Node]):
    def start(self, parts: list[Node]) -> Node:
        return parts[0] if parts else EVERYTHING

    def any(self, parts: list[Any]) -> Node:
        found: Node = parts[0]
        for joiner, part in zip(parts[1::2], parts[2::2], strict=True):
            kind = And if joiner.type == "AND" else Or
            found = kind((*found.parts, part)) if isinstance(found, kind) else kind((found, part))
        return found

    def negation(self, parts: list[Node]) -> Node:
        return negate(parts[0])

    def comparison(self, parts: list[Token]) -> Node:
        name, operator, value = parts
        return Term(str(name), str(operator), str(value) if value.type == "TEXT" else _boolean(value))

    def contains(self, parts: list[Token]) -> Node:
        return Term(str(parts[0]), "contains", str(parts[1]))

    def within(self, parts: list[Token]) -> Node:
        return Term(str(parts[1]), "in", str(parts[0]))

    def holds(self, parts: list[Token]) -> Node:
        return Term(str(parts[0]), "in", str(parts[1]))

    def has(self, parts: list[Token]) -> Node:
        name, key, first, inner, _, value, second, outer = parts
        if (str(key), str(first), str(value), str(second)) != ("key", "=", "value", "="):
            raise BadQuery
        return Term(str(name), "has", str(outer), str(inner))

    def alone(self, parts: list[Token]) -> Node:
        return Term(str(parts[0]), "=", True)


def _boolean(word: str) -> bool:
    if word.lower() not in ("true", "false"):
        raise BadQuery
    return word.lower() == "true"


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """The parser, made when first asked for."""
    return Lark(GRAMMAR, parser="lalr", lexer="basic", transformer=_Builder())


@lru_cache(maxsize=256)
def parse(text: str) -> Node:
    """The tree of a search. Raises BadQuery."""
    if len(text) > MOST_LETTERS:
        raise BadQuery
    if not text.strip():
        return EVERYTHING
    parser = _parser().parse_interactive("")
    try:
        for token in _tokens(text):
            parser.feed_token(token)
        found: Node = parser.feed_eof()
    except UnexpectedInput:
        raise BadQuery from None
    return found


def _tokens(text: str) -> Iterator[Token]:
    """The pieces of a text. Raises BadQuery for what is none, and over the limits."""
    at = depth = words = 0
    while (found := _LEXEME.match(text, at)) is not None and found.lastgroup != "END":
        kind, piece = found.lastgroup or "", found[found.lastgroup or 0]
        depth += {"_LPAR": 1, "_RPAR": -1}.get(kind, 0)
        words += kind == "WORD"
        if depth > DEEPEST or words > 4 * MOST_TERMS:
            raise BadQuery
        at = found.span()[1]
        yield Token(
            _KEYWORDS.get(piece.lower(), kind) if kind == "WORD" else kind,
            _ESCAPED.sub(r"\1", piece[1:-1]) if kind == "TEXT" else piece,
        )
    if found is None:
        raise BadQuery
