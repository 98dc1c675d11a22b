"""From text to lexemes that always make a query: what is unbalanced or dangling is put right here.

The vendor never refuses a search, and its pages do not say what it makes of a broken one. Here:
- a quotation mark without its second one quotes up to the end; curly double quotation marks are quotation marks;
- a bracket or brace nobody closes is closed at the end, one nobody opened is ignored, and `(a}` closes nothing;
- OR, | and AND with nothing on one side are ignored; of several in a row the first counts;
- AROUND without a number and a word or phrase on both sides is a word;
- an operator without a value, and one the vendor does not know, is text.
AND, OR and AROUND are capital, NOT is a word; operator names and values are not case-sensitive. `+word` is the word:
nothing here ever matches an inflection or a synonym, so every word is exact.
Operators: support.google.com/mail/answer/7190.
"""

import re
from dataclasses import dataclass

from apps.gmail.query.tokens import tokens
from apps.gmail.query.tree import MAX_DEPTH, MAX_LENGTH, MAX_LEXEMES, MAX_TERMS, QueryRefused

NAMES = (
    "from",
    "to",
    "cc",
    "bcc",
    "subject",
    "label",
    "in",
    "is",
    "has",
    "filename",
    "after",
    "before",
    "older",
    "newer",
    "older_than",
    "newer_than",
    "category",
    "size",
    "larger",
    "smaller",
    "list",
    "deliveredto",
    "rfc822msgid",
)
_PLAIN = r'[^\s"(){}|]'
_NAME = rf"(?:{'|'.join(NAMES)}):"
_VALUE_FOLLOWS = rf'(?=["({{]|{_PLAIN}|\s+(?:["({{]|(?!(?:OR|AND)(?!{_PLAIN})|(?i:{_NAME}))(?!-){_PLAIN}))'
_LEXEME = re.compile(
    r'(?P<PHRASE>"[^"]*"?)|(?P<LPAR>\()|(?P<RPAR>\))|(?P<LBRACE>\{)|(?P<RBRACE>\})'
    rf"|(?P<OR>\||OR(?!{_PLAIN}))|(?P<AND>AND(?!{_PLAIN}))"
    rf"|(?P<AROUND>AROUND\s+[0-9]{{1,4}}(?!{_PLAIN}))"
    rf"|(?P<NOT>-(?=[^\s)}}|]))|(?P<OPERATOR>(?i:{_NAME})){_VALUE_FOLLOWS}|(?P<WORD>{_PLAIN}+)"
)
_VALUE = re.compile(rf"\s*({_PLAIN}+)")
_CURLY = str.maketrans("\u201c\u201d\u201e", '"""')
_OPENS = {"LPAR": "RPAR", "LBRACE": "RBRACE"}
_TEXTS = frozenset({"WORD", "PHRASE"})
_JOINERS = frozenset({"OR", "AND"})


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A piece of a query and what it is."""

    kind: str
    text: str


def scan_query(text: str) -> list[Lexeme]:
    """The lexemes of a query, balanced and with something on both sides of every OR. Raises QueryRefused."""
    if len(text) > MAX_LENGTH:
        raise QueryRefused("too_long", MAX_LENGTH)
    found = _scan_lexemes(text.translate(_CURLY))
    if len(found) > MAX_LEXEMES:
        raise QueryRefused("too_many_terms", MAX_TERMS)
    if sum(max(1, len(tokens(one.text))) for one in found if one.kind in _TEXTS or one.kind == "VALUE") > MAX_TERMS:
        raise QueryRefused("too_many_terms", MAX_TERMS)
    return _merge_near(_drop_loose_joiners(_balance_groups(found)))


def _scan_lexemes(text: str) -> list[Lexeme]:
    out: list[Lexeme] = []
    at = 0
    while found := _match_next(text, at, out):
        at = found.end()
        kind = found.lastgroup or "VALUE"
        shown = found[found.lastindex or 0]
        if out and out[-1].kind == "NOT" and kind in ("OR", "AND", "AROUND"):
            out += [Lexeme("WORD", word) for word in shown.split()]
        else:
            out.append(Lexeme(kind, shown.strip('"') if kind == "PHRASE" else shown))
    return out


def _match_next(text: str, at: int, before: list[Lexeme]) -> re.Match[str] | None:
    if before and before[-1].kind == "OPERATOR" and (found := _VALUE.match(text, at)):
        return found
    return _LEXEME.search(text, at)


def _balance_groups(lexemes: list[Lexeme]) -> list[Lexeme]:
    out: list[Lexeme] = []
    owed: list[str] = []
    for one in lexemes:
        if one.kind in _OPENS:
            owed.append(_OPENS[one.kind])
            if len(owed) > MAX_DEPTH:
                raise QueryRefused("too_deep", MAX_DEPTH)
        if one.kind in _OPENS.values():
            if owed and owed[-1] == one.kind:
                out.append(Lexeme(owed.pop(), one.text))
            continue
        out.append(one)
    return out + [Lexeme(kind, "") for kind in reversed(owed)]


def _drop_loose_joiners(lexemes: list[Lexeme]) -> list[Lexeme]:
    out: list[Lexeme] = []
    for one in lexemes:
        before = out[-1].kind if out else "LPAR"
        if one.kind in _JOINERS and (before in _OPENS or before in _JOINERS):
            continue
        if one.kind in _OPENS.values() and before in _JOINERS:
            out.pop()
        out.append(one)
    return out[:-1] if out and out[-1].kind in _JOINERS else out


def _merge_near(lexemes: list[Lexeme]) -> list[Lexeme]:
    out: list[Lexeme] = []
    for at, one in enumerate(lexemes):
        if one.kind != "AROUND":
            out.append(one)
        elif _is_text(out) and at + 1 < len(lexemes) and lexemes[at + 1].kind in _TEXTS:
            out.append(Lexeme("AROUND", one.text.split()[1]))
        else:
            out += [Lexeme("WORD", word) for word in one.text.split()]
    return out


def _is_text(before: list[Lexeme]) -> bool:
    """Whether the last lexeme is a word or phrase that is not an operator's value."""
    return bool(before) and before[-1].kind in _TEXTS and not (len(before) > 1 and before[-2].kind == "OPERATOR")
