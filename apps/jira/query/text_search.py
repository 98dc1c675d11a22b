"""Text search: what follows `~`, read as Jira's word syntax and written as a quoted FTS5 expression.

Syntax: support.atlassian.com/jira-software-cloud/docs/search-for-issues-using-the-text-field/
"""

import re
from dataclasses import dataclass

MOST_TERMS = 200  # terms of one search; own limit, below what FTS5 takes

_TOKEN = re.compile(
    r'\s+|(?P<phrase>[+-]?"(?:[^"\\]|\\.)*"?(?:~\d*)?)|(?P<mark>[()]|&&|\|\||!(?=\S))|(?P<term>(?:[^\s"()\\]|\\.?)+)',
    re.DOTALL,
)
_SUFFIX = re.compile(r"(?<=[^\\])[~^][\d.]*$")
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WILD = re.compile(r"[*?]")


class Unreadable(Exception):
    """A search text that cannot be read."""


class LeadingWildcard(Unreadable):
    """A search text with a word that starts with `*` or `?`."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a search and how it counts: `+` required, `-` excluded."""

    expression: str
    sign: str = ""


def to_fts5(text: str) -> str | None:
    """The FTS5 expression of a search; None when nothing can match. Raises Unreadable."""
    tokens = [found for found in _TOKEN.finditer(text) if found.lastgroup]
    if len(tokens) > MOST_TERMS:
        raise Unreadable(text)
    reader = _Reader(tokens)
    expression = reader.alternatives()
    if reader.at < len(tokens):
        raise Unreadable(text)
    return expression


class _Reader:
    """Reads the tokens of a search from left to right."""

    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def alternatives(self) -> str | None:
        found = [self.together()]
        while self.peek() in ("OR", "||"):
            self.at += 1
            found.append(self.together())
        known = [expression for expression in found if expression]
        return " OR ".join(known) if known else None

    def together(self) -> str | None:
        parts = [self.part()]
        while self.at < len(self.tokens) and self.peek() not in ("OR", "||", ")"):
            if self.peek() in ("AND", "&&"):
                self.at += 1
            parts.append(self.part())
        return _combine_parts([part for part in parts if part])

    def part(self) -> Part | None:
        token = self.peek()
        if token in ("NOT", "!"):
            self.at += 1
            inner = self.part()
            return Part(inner.expression, "-") if inner else None
        if token == "(":
            return self.group()
        if token in ("", ")", "AND", "OR", "&&", "||"):
            raise Unreadable(token)
        self.at += 1
        return _read_phrase(token) if self.tokens[self.at - 1].lastgroup == "phrase" else _read_word(token)

    def group(self) -> Part | None:
        self.at, self.depth = self.at + 1, self.depth + 1
        if self.depth > 20:
            raise Unreadable("(")
        expression = self.alternatives()
        if self.peek() != ")":
            raise Unreadable("(")
        self.at, self.depth = self.at + 1, self.depth - 1
        return Part(f"({expression})") if expression else None


def _combine_parts(parts: list[Part]) -> str | None:
    wanted = [part.expression for part in parts if part.sign != "-"]
    unwanted = [part.expression for part in parts if part.sign == "-"]
    if not wanted:
        return None
    expression = f"({' AND '.join(wanted)})"
    return f"({expression} NOT ({' OR '.join(unwanted)}))" if unwanted else expression


def _read_phrase(token: str) -> Part | None:
    sign = token[0] if token[0] in "+-" else ""
    inner = token[len(sign) :].rstrip("~0123456789")
    if len(inner) < 2 or not inner.endswith('"'):
        raise Unreadable(token)
    quoted = _quote_fts5(_UNESCAPE.sub(r"\1", inner[1:-1]))
    return Part(quoted, sign) if quoted else None


def _read_word(token: str) -> Part | None:
    sign = token[0] if token[0] in "+-" and len(token) > 1 else ""
    word = _SUFFIX.sub("", token[len(sign) :])
    if word[:1] in ("*", "?"):
        raise LeadingWildcard(token)
    stem, *rest = _WILD.split(word, maxsplit=1)
    quoted = _quote_fts5(_UNESCAPE.sub(r"\1", stem))
    if not quoted:
        return None
    return Part(f"{quoted} *" if rest else quoted, sign)


def _quote_fts5(text: str) -> str:
    """A string FTS5 takes literally; empty when it holds no letter or digit to look for."""
    if not any(char.isalnum() for char in text):
        return ""
    return '"' + text.replace('"', '""').replace("\0", " ") + '"'
