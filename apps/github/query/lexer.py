"""From text to lexemes that make a search: what is unbalanced or dangling is put right here.

The vendor does not say what it makes of a broken search. Here:
- a quotation mark without its second one quotes up to the end;
- a bracket nobody closes is closed at the end, one nobody opened is ignored;
- AND and OR with nothing on one side are ignored, of several in a row the first counts; NOT before nothing is ignored;
- a qualifier without a value, and one this kind of search does not know, is text.
AND, OR and NOT are capital. Source:
docs.github.com/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from apps.github.query.errors import search_refused
from apps.github.query.tree import MAX_DEPTH, MAX_LENGTH, MAX_OPERATORS, MAX_TEXT

_LEXEME = re.compile(
    r'(?P<LPAR>\()|(?P<RPAR>\))|(?P<MINUS>-(?=[^\s)-]))|(?P<GIVEN>[A-Za-z][A-Za-z-]*:(?:"[^"]*"?|[^\s"()])+)|(?P<PHRASE>"[^"]*"?)|(?P<WORD>[^\s"()]+)'
)
_ITEM = re.compile(r'(?:"[^"]*"?|[^",])+')
_JOINERS = frozenset({"AND", "OR"})
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_TEXTS = frozenset({"WORD", "PHRASE"})


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of a search and what it is."""

    kind: str
    text: str


def scan(text: str, names: Collection[str]) -> list[Lexeme]:
    """Return the lexemes of a search whose qualifiers are `names`.

    Raises validation_failed over a limit or without a term.
    """
    if len(text) > MAX_LENGTH:
        raise search_refused(f"The search is longer than {MAX_TEXT} characters.")
    found = [_lexeme(match, names) for match in _LEXEME.finditer(text)]
    if sum(len(one.text) for one in found if one.kind in _TEXTS) > MAX_TEXT:
        raise search_refused(f"The search is longer than {MAX_TEXT} characters.")
    if sum(one.kind in _OPERATORS for one in found) > MAX_OPERATORS:
        raise search_refused("More than five AND / OR / NOT operators were used.")
    if found and not any(one.kind == "GIVEN" or one.kind in _TEXTS for one in found):
        raise search_refused("The search contains only logical operators (AND / OR / NOT) without any search terms.")
    return _drop_dangling(_balance_parentheses(found))


def _lexeme(found: re.Match[str], names: Collection[str]) -> Lexeme:
    kind, text = found.lastgroup or "WORD", found[0]
    if kind == "GIVEN":
        name = text.partition(":")[0].lower()
        return Lexeme("GIVEN", name + text[len(name) :]) if name in names else Lexeme("WORD", text)
    if kind == "WORD" and text in _OPERATORS:
        return Lexeme(text, text)
    return Lexeme(kind, text.strip('"') if kind == "PHRASE" else text)


def values(text: str) -> tuple[str, ...]:
    """Split a qualifier's values at commas outside quotation marks."""
    return tuple(item for found in _ITEM.finditer(text) if (item := found[0].replace('"', "").strip()))


def _balance_parentheses(lexemes: list[Lexeme]) -> list[Lexeme]:
    out: list[Lexeme] = []
    depth = 0
    for one in lexemes:
        if one.kind == "RPAR" and depth == 0:
            continue
        depth += {"LPAR": 1, "RPAR": -1}.get(one.kind, 0)
        if depth > MAX_DEPTH:
            raise search_refused("Parentheses are nested more than five levels deep.")
        out.append(one)
    return out + [Lexeme("RPAR", ")")] * depth


def _drop_dangling(lexemes: list[Lexeme]) -> list[Lexeme]:
    """Remove operators without operands, and empty brackets."""
    out: list[Lexeme] = []
    for one in lexemes:
        before = out[-1].kind if out else "LPAR"
        if one.kind in _JOINERS and (before == "LPAR" or before in _OPERATORS or before == "MINUS"):
            continue
        if one.kind == "RPAR":
            _drop(out)
            if out and out[-1].kind == "LPAR":
                out.pop()
                _drop(out)
                continue
        out.append(one)
    _drop(out)
    return out


def _drop(out: list[Lexeme]) -> None:
    while out and (out[-1].kind in _OPERATORS or out[-1].kind == "MINUS"):
        out.pop()
