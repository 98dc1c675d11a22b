"""The grammar of Gmail's search.

- binds tightest, then AROUND, then OR and |, then AND, which is also what stands between two terms: `a b OR c` is a and
(b or c). The vendor's page states no precedence; this is the one Google's web search has.
Inside braces it is the other way round: `{a b}` is a or b, and AND, if somebody writes it, binds tighter.
"""

import re
from functools import lru_cache
from typing import Any, Literal

from lark import Lark, Token, Transformer

from apps.gmail.query.lexer import scan_query
from apps.gmail.query.tree import Group, Minus, OperatorTerm, Pair, Piece, Written

GRAMMAR = """
start: all?
all: any (_AND? any)*
any: _part (_OR _part)*
_part: negated | near | given | _group
negated: NOT _part
_group: _LPAR (all | nothing) _RPAR | _LBRACE (choice | nothing) _RBRACE
nothing:
choice: both (_OR? both)*
both: _part (_AND _part)*
given: OPERATOR (value | _group)
value: VALUE | PHRASE
near: _text (AROUND _text)*
_text: WORD | PHRASE
%declare WORD PHRASE VALUE OPERATOR NOT AROUND _AND _OR _LPAR _RPAR _LBRACE _RBRACE
"""
_HIDDEN = frozenset({"AND", "OR", "LPAR", "RPAR", "LBRACE", "RBRACE"})
_AROUND = re.compile(r"\s+AROUND\s+([0-9]{1,4})\s+")


class _Builder(Transformer[Token, Written]):
    """Builds the tree while the parser reduces, so nothing recurses over a long query."""

    def start(self, parts: list[Written]) -> Written:
        return parts[0] if parts else Group("all")

    def all(self, parts: list[Written]) -> Written:
        return _make_group("all", parts)

    def any(self, parts: list[Written]) -> Written:
        return _make_group("any", parts)

    choice, both = any, all

    def nothing(self, _: list[Written]) -> Written:
        return Group("all")

    def negated(self, parts: list[Any]) -> Written:
        part: Written = parts[1]
        return part.part if isinstance(part, Minus) else Minus(part)

    def given(self, parts: list[Any]) -> Written:
        return OperatorTerm(parts[0].rstrip(":").lower(), parts[1])

    def value(self, parts: list[Token]) -> Written:
        return _make_piece(parts[0])

    def near(self, parts: list[Token]) -> Written:
        if len(parts) == 1:
            return _make_piece(parts[0])
        pairs = [
            Pair(_make_plain_piece(parts[at - 1]), _make_plain_piece(parts[at + 1]), int(parts[at]))
            for at in range(1, len(parts), 2)
        ]
        return _make_group("all", list(pairs))


def _make_group(kind: Literal["all", "any"], parts: list[Written]) -> Written:
    return parts[0] if len(parts) == 1 else Group(kind, tuple(parts))


def _make_piece(token: Token) -> Written:
    """A word or phrase; `"secret AROUND 25 birthday"` in one pair of quotes keeps the order of the words."""
    halves = _AROUND.split(token) if token.type == "PHRASE" else []
    if len(halves) == 3:
        return Pair(Piece(halves[0]), Piece(halves[2]), int(halves[1]), ordered=True)
    return _make_plain_piece(token)


def _make_plain_piece(token: Token) -> Piece:
    return Piece(str(token))


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """The parser; making it is a good part of a start, so it is made when first asked for."""
    return Lark(GRAMMAR, parser="lalr", lexer="basic", transformer=_Builder())


def read_query(text: str) -> Written:
    """The tree of a query as written. Every text is a query; raises QueryRefused over a limit only."""
    parser = _parser().parse_interactive("")
    for one in scan_query(text):
        parser.feed_token(Token(f"_{one.kind}" if one.kind in _HIDDEN else one.kind, one.text))
    found: Written = parser.feed_eof()
    return found
