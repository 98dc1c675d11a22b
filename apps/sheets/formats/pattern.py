"""A number pattern cut into sections of tokens (developers.google.com/workspace/sheets/api/guides/formats)."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

LONGEST = 1_000  # characters of a pattern; our own bound
_COLOURS = ("black", "blue", "cyan", "green", "magenta", "red", "white", "yellow")
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d{1,30}(?:\.\d{1,30})?)", re.ASCII)
_TOKEN = re.compile(
    r'(?P<quoted>"[^"]*")|(?P<escaped>\\.)|(?P<bracket>\[[^\[\]]*\])|(?P<pad>_.)|(?P<fill>\*)|(?P<end>;)'
    r"|(?P<general>general)|(?P<half>am/pm|a/p|am(?![a-z])|pm(?![a-z]))|(?P<exponent>e[+-])"
    r"|(?P<date>y+|m+|d+|h+|s+)|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)"
    r"|(?P<literal>[^\"\\\[_])",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER_KINDS = frozenset({"digit", "exponent", "percent"})


class BadPattern(ValueError):
    """A pattern that cannot be read."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f"Invalid number format pattern: {pattern[:200]}")
        self.pattern = pattern


class Token(NamedTuple):
    """One piece of a pattern: its kind and what it says."""

    kind: str
    text: str


class Section(NamedTuple):
    """One part between semicolons; `condition` decides when it applies, where it was written."""

    kind: str
    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None
    colour: str | None


COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda value, limit: value < limit,
    "<=": lambda value, limit: value <= limit,
    ">": lambda value, limit: value > limit,
    ">=": lambda value, limit: value >= limit,
    "=": lambda value, limit: value == limit,
    "<>": lambda value, limit: value != limit,
}


@lru_cache(maxsize=1024)
def sections_of(pattern: str) -> tuple[Section, ...]:
    """The one to four sections of a pattern; raises BadPattern."""
    if len(pattern) > LONGEST:
        raise BadPattern(pattern)
    parts: list[list[Token]] = [[]]
    at = 0
    while at < len(pattern):
        found = _TOKEN.match(pattern, at)
        if not found:
            raise BadPattern(pattern)
        at = found.end()
        if found.lastgroup == "end":
            parts.append([])
        else:
            parts[-1].append(Token(found.lastgroup or "literal", found[0]))
    if len(parts) > 4:
        raise BadPattern(pattern)
    return tuple(_section(part, pattern) for part in parts)


def _section(part: list[Token], pattern: str) -> Section:
    tokens: list[Token] = []
    condition, colour = None, None
    for token in part:
        if token.kind != "bracket":
            tokens.append(_plain(token))
            continue
        condition = _condition(token.text) or condition
        colour = _colour(token.text) or colour
        if not _condition(token.text) and not _colour(token.text):
            tokens.append(_bracket(token.text, pattern))
    return Section(_kind(tokens, pattern), tuple(_minutes(tokens)), condition, colour)


def _plain(token: Token) -> Token:
    """A literal without its quotes or backslash; a pad is a space, a `*` is ignored as the guide says."""
    if token.kind == "quoted":
        return Token("literal", token.text[1:-1])
    if token.kind == "escaped":
        return Token("literal", token.text[1])
    if token.kind == "pad":
        return Token("literal", " ")
    return Token("literal", "") if token.kind == "fill" else token


def _condition(bracket: str) -> tuple[str, float] | None:
    found = _CONDITION.fullmatch(bracket[1:-1].strip())
    return (found[1], float(found[2])) if found else None


def _colour(bracket: str) -> str | None:
    word = bracket[1:-1].strip().lower()
    if word in _COLOURS:
        return word
    number = re.fullmatch(r"color([1-9]|[1-4]\d|5[0-6])", word, re.ASCII)
    return word if number else None


def _bracket(bracket: str, pattern: str) -> Token:
    """`[h]`, `[mm]`, `[ss]`: time that has passed; `[$€-407]`: a currency's sign."""
    inside = bracket[1:-1]
    if re.fullmatch(r"h{1,9}|m{1,9}|s{1,9}", inside, re.IGNORECASE):
        return Token("elapsed", inside.lower())
    if inside.startswith("$"):
        return Token("literal", inside[1:].split("-")[0])
    raise BadPattern(pattern)


def _kind(tokens: list[Token], pattern: str) -> str:
    kinds = {token.kind for token in tokens}
    if kinds & {"date", "elapsed", "half"}:
        if kinds & {"exponent", "percent", "text", "general"} or any(
            token.kind == "digit" and token.text != "0" for token in tokens
        ):
            raise BadPattern(pattern)
        return "moment"
    if kinds & _NUMBER_KINDS:
        if kinds & {"text", "general"} or (kinds & {"point", "exponent"} and slash_of(tokens) is not None):
            raise BadPattern(pattern)
        return "number"
    if "text" in kinds:
        return "text"
    return "general" if "general" in kinds else "literal"


def slash_of(tokens: Sequence[Token]) -> int | None:
    """Return the position of a `/` between two digit characters."""
    for index, token in enumerate(tokens[1:-1], 1):
        behind = tokens[index + 1]
        if (
            token.kind == "slash"
            and tokens[index - 1].kind == "digit"
            and (behind.kind == "digit" or behind.text.isdigit())
        ):
            return index
    return None


def _minutes(tokens: list[Token]) -> list[Token]:
    """Tells minutes from months: `m` or `mm` after hours or before seconds are minutes, `M` never is."""
    clock = [index for index, token in enumerate(tokens) if token.kind in ("date", "elapsed", "half")]
    units = [tokens[index].text[0] for index in clock]
    for place, index in enumerate(clock):
        text = tokens[index].text
        if tokens[index].kind != "date":
            continue
        if text in ("m", "mm") and _beside_time(units, place):
            tokens[index] = Token("minute", text)
        else:
            tokens[index] = Token("date", text.lower())
    return tokens


def _beside_time(units: list[str], place: int) -> bool:
    before = units[place - 1] if place else ""
    after = units[place + 1] if place + 1 < len(units) else ""
    return before in ("h", "H") or after in ("s", "S")
