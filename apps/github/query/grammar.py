"""Grammar of searches. NOT and - bind tightest, then juxtaposition, then AND, then OR."""

from functools import lru_cache
from typing import Any

from lark import Lark, Token, Transformer

from apps.github.query.lexer import scan, values
from apps.github.query.tree import EVERYTHING, Node, Qualifier, Words
from world.core.boolean_tree import And, Or, negate

GRAMMAR = """
start: any?
any: all (_OR all)*
all: row (_AND row)*
row: _part+
_part: negated | words | given | _LPAR any _RPAR
negated: (NOT | MINUS) _part
words: WORD | PHRASE
given: GIVEN
%declare WORD PHRASE GIVEN NOT MINUS _AND _OR _LPAR _RPAR
"""
_HIDDEN = frozenset({"AND", "OR", "LPAR", "RPAR"})


class _Builder(Transformer[Token, Node]):
    def start(self, parts: list[Node]) -> Node:
        return parts[0] if parts else EVERYTHING

    def any(self, parts: list[Node]) -> Node:
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def all(self, parts: list[Node]) -> Node:
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    row = all

    def negated(self, parts: list[Any]) -> Node:
        return negate(parts[1])

    def words(self, parts: list[Token]) -> Node:
        return Words(str(parts[0]))

    def given(self, parts: list[Token]) -> Node:
        name, _, value = parts[0].partition(":")
        return Qualifier(name, values(value))


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """Return the parser, built on first use, as building it takes a good part of a start."""
    return Lark(GRAMMAR, parser="lalr", lexer="basic", transformer=_Builder())


@lru_cache(maxsize=512)
def parse(text: str, names: frozenset[str]) -> Node:
    """Parse a search whose qualifiers are `names`. Raises validation_failed."""
    parser = _parser().parse_interactive("")
    for one in scan(text, names):
        parser.feed_token(Token(f"_{one.kind}" if one.kind in _HIDDEN else one.kind, one.text))
    found: Node = parser.feed_eof()
    return found
