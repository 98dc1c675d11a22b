"""Syntax highlighting: a file's text as lines of HTML with classes; the text itself is always escaped."""

from functools import lru_cache

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, find_lexer_class_for_filename
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

MOST_COLOURED, LONGEST_LINE = 150_000, 2_000  # letters of a file, of a line: beyond, text stays plain
PREFIX = "pl-"  # before the classes of words, here and in differences
OPTIONS = {"stripnl": False, "stripall": False, "ensurenl": False}


@lru_cache(maxsize=256)
def lexer_for(name: str) -> Lexer | None:
    """Return the lexer of a file, by its name."""
    found = find_lexer_class_for_filename(name)
    return found(**OPTIONS) if found is not None else None


@lru_cache(maxsize=64)
def lexer_of(language: str) -> Lexer | None:
    """Return the lexer of a language, by its name on a code block."""
    try:
        return find_lexer_class_by_name(language)(**OPTIONS)
    except ClassNotFound:
        return None


def split(text: str) -> list[str]:
    """Split a text into lines, as an editor counts them."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


@lru_cache(maxsize=128)
def lines(name: str, text: str) -> tuple[Markup, ...]:
    """Return the highlighted lines of a file."""
    plain = split(text)
    lexer = lexer_for(name) if len(text) <= MOST_COLOURED and max(map(len, plain), default=0) <= LONGEST_LINE else None
    return tuple(escape(line) for line in plain) if lexer is None else tuple(colour_lines(lexer, text)[: len(plain)])


def colour_lines(lexer: Lexer, text: str) -> list[Markup]:
    """Return the lines of a text with spans around its tokens."""
    out = [Markup("")]
    for kind, value in lexer.get_tokens(text.replace("\r\n", "\n")):
        first, *rest = value.split("\n")
        out[-1] += _span(kind, first)
        out += [_span(kind, part) for part in rest]
    return out


def _span(kind: _TokenType, value: str) -> Markup:
    name = _name(kind)
    return Markup('<span class="{}">{}</span>').format(name, value) if value.strip() and name else escape(value)


@lru_cache(maxsize=512)
def _name(kind: _TokenType) -> str:
    at: _TokenType | None = kind
    while at is not None and at not in STANDARD_TYPES:
        at = at.parent
    short = STANDARD_TYPES.get(at, "") if at is not None else ""
    return PREFIX + short if short else ""
