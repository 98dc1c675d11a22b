"""Text functions: cutting, joining, changing, and numbers as words."""

import re
import urllib.parse
from functools import lru_cache
from typing import Any

import re2

from apps.sheets.cells import Fault, Value
from apps.sheets.engine.arithmetic import too_long
from apps.sheets.engine.evaluate import Run
from apps.sheets.engine.registry import function, plain
from apps.sheets.engine.values import (
    MAX_TEXT,
    Broken,
    Grid,
    format_plain_number,
    formula_error,
    number,
    sound,
    text,
    text_number,
)


def short(result: str) -> str:
    """Return a text that fits into a cell."""
    if len(result) > MAX_TEXT:
        raise too_long()
    return result


plain(
    "t",
    {
        "UPPER": str.upper,
        "LOWER": str.lower,
        "TRIM": lambda value: " ".join(part for part in value.split(" ") if part),
        "CLEAN": lambda value: "".join(letter for letter in value if ord(letter) > 31),
        "LEN": lambda value: float(len(value)),
        "LENB": lambda value: float(len(value.encode())),
        "ENCODEURL": lambda value: urllib.parse.quote(value, safe="-_.!~*'()"),
        "ASC": lambda value: value,
    },
)


@function("PROPER", "t")
def proper(value: str) -> str:
    """Every word with a capital."""
    return re.sub(r"[^\W\d_]+", lambda match: match.group()[0].upper() + match.group()[1:].lower(), value)


def count(name: str, place: int, value: float) -> int:
    """Return a number of characters."""
    if value < 0:
        raise formula_error(
            "#VALUE!",
            f"Function {name} parameter {place} value is {format_plain_number(value)}. It should be greater than or equal to 0.",
        )
    return int(min(value, MAX_TEXT * 2))


@function("LEFT", "t n?")
def left(value: str, size: float = 1.0) -> str:
    """The first letters."""
    return value[: count("LEFT", 2, size)]


@function("RIGHT", "t n?")
def right(value: str, size: float = 1.0) -> str:
    """The last letters."""
    letters = count("RIGHT", 2, size)
    return value[-letters:] if letters else ""


@function("MID", "t n n")
def mid(value: str, start: float, size: float) -> str:
    """Letters from the middle."""
    if start < 1:
        raise formula_error(
            "#NUM!",
            f"Function MID parameter 2 value is {format_plain_number(start)}. It should be greater than or equal to 1.",
        )
    first = count("MID", 2, start) - 1
    return value[first : first + count("MID", 3, size)]


plain("t n?", {"LEFTB": left, "RIGHTB": right})
plain("t n n", {"MIDB": mid})


def to_position(name: str, needle: str, hay: str, start: float, at: int) -> float:
    """Return a position, or the vendor's error."""
    if at < 0:
        raise formula_error("#VALUE!", f"In {name} evaluation, cannot find '{needle}' within '{hay}'.")
    return float(at + 1)


@function("FIND", "t t n?")
def find_text(needle: str, hay: str, start: float = 1.0) -> float:
    """Return the position of a text, case-sensitive."""
    first = _start("FIND", start, hay)
    return to_position("FIND", needle, hay, start, hay.find(needle, first))


def _start(name: str, start: float, hay: str) -> int:
    if start < 1 or start > len(hay) + 1:
        raise formula_error(
            "#VALUE!",
            f"Function {name} parameter 3 value is {format_plain_number(start)}. It should be greater than or equal to 1.",
        )
    return int(start) - 1


@function("SEARCH", "t t n?")
def search(needle: str, hay: str, start: float = 1.0) -> float:
    """Return the position of a text, case-insensitive; ? and * are wildcards."""
    first = _start("SEARCH", start, hay)
    if not re.search(r"[?*~]", needle):
        return to_position("SEARCH", needle, hay, start, hay.casefold().find(needle.casefold(), first))
    return to_position("SEARCH", needle, hay, start, wild_position(needle, hay, first))


def wild_position(needle: str, hay: str, start: int) -> int:
    """Return the first position of a pattern with wildcards."""
    match = wild(needle).search(hay, start)
    return -1 if match is None else match.start()


@lru_cache(256)
def wild(pattern: str) -> Any:
    """Compile a pattern of `?`, `*` and the escape `~`, matched in linear time."""
    options = re2.Options()
    options.case_sensitive = False
    options.dot_nl = True
    options.log_errors = False
    parts, letters = [], iter(pattern[:255])
    for letter in letters:
        parts.append(
            re2.escape(next(letters, "~"))
            if letter == "~"
            else {"*": ".*?", "?": "."}.get(letter) or re2.escape(letter)
        )
    return re2.compile("".join(parts), options)


def wild_whole(pattern: str, hay: str) -> bool:
    """Whether a pattern with wildcards matches a whole text."""
    return wild(pattern).fullmatch(hay) is not None


plain("t t n?", {"FINDB": find_text, "SEARCHB": search})


@function("SUBSTITUTE", "t t t n?")
def substitute(value: str, old: str, new: str, occurrence: float | None = None) -> str:
    """One text in place of another."""
    if not old:
        return value
    if occurrence is None:
        if len(value) + value.count(old) * (len(new) - len(old)) > MAX_TEXT:
            raise too_long()
        return value.replace(old, new)
    if occurrence < 1:
        raise formula_error(
            "#VALUE!",
            f"Function SUBSTITUTE parameter 4 value is {format_plain_number(occurrence)}. It should be greater than or equal to 1.",
        )
    parts = value.split(old)
    index = int(occurrence)
    return short(old.join(parts[:index]) + new + old.join(parts[index:])) if index < len(parts) else value


@function("REPLACE", "t n n t")
def replace(value: str, start: float, size: float, new: str) -> str:
    """Replace characters at a position."""
    if start < 1:
        raise formula_error(
            "#VALUE!",
            f"Function REPLACE parameter 2 value is {format_plain_number(start)}. It should be greater than or equal to 1.",
        )
    first = count("REPLACE", 2, start) - 1
    return short(value[:first] + new + value[first + count("REPLACE", 3, size) :])


function("REPLACEB", "t n n t")(replace)


@function("REPT", "t n", run=True)
def rept(run: Run, value: str, times: float) -> str:
    """A text several times."""
    if times < 0:
        raise formula_error(
            "#VALUE!",
            f"Function REPT parameter 2 value is {format_plain_number(times)}. It should be greater than or equal to 0.",
        )
    if len(value) * times > MAX_TEXT:
        raise too_long()
    run.spend(int(len(value) * times) // 400)
    return value * int(times)


@function("EXACT", "t t")
def exact(one: str, two: str) -> bool:
    """Whether two texts are the same to the letter."""
    return one == two


@function("CONCATENATE", "g g*")
def concatenate(*arrays: Grid) -> str:
    """Texts one after another."""
    return join_values("", [value for array in arrays for value in array.flat()], keep_empty=True)


def join_values(between: str, values: list[Value], keep_empty: bool) -> str:
    """Values joined."""
    parts: list[str] = []
    size = 0
    for value in values:
        part = text(value)
        if part or keep_empty:
            parts.append(part)
            size += len(part) + len(between)
            if size > MAX_TEXT + len(between):
                raise too_long()
    return short(between.join(parts))


@function("JOIN", "t g g*")
def join(between: str, *arrays: Grid) -> str:
    """Values joined with a text between; blanks too."""
    for array in arrays:
        if array.height > 1 and array.width > 1:
            raise formula_error("#VALUE!", "Function JOIN parameter 2 must be a single row or a single column.")
    return join_values(between, [value for array in arrays for value in array.flat()], keep_empty=True)


@function("TEXTJOIN", "g b g g*")
def text_join(between: Grid, skip: bool, *arrays: Grid) -> str:
    """Join values with a delimiter; blanks can be skipped."""
    marks = [text(mark) for mark in between.flat()] or [""]
    values = [value for array in arrays for value in array.flat() if not skip or text(value)]
    if len(marks) == 1:
        return join_values(marks[0], values, keep_empty=True)
    parts = [
        text(value) + (marks[index % len(marks)] if index + 1 < len(values) else "")
        for index, value in enumerate(values)
    ]
    return join_values("", list(parts), keep_empty=True)


@function("SPLIT", "t t b? b?", run=True)
def split(run: Run, value: str, marks: str, each: bool = True, skip: bool = True) -> Grid:
    """Split a text at any of the characters given, or at the whole delimiter."""
    if not marks:
        raise formula_error("#VALUE!", "Function SPLIT parameter 2 value should be non-empty.")
    if not value:
        raise formula_error("#VALUE!", "Function SPLIT parameter 1 value should be non-empty.")
    run.spend(len(value) // 100 + len(marks) // 10)
    parts = (
        value.translate(dict.fromkeys(map(ord, set(marks)), marks[0])).split(marks[0]) if each else value.split(marks)
    )
    run.spend(len(parts) // 2)
    kept = [part for part in parts if part or not skip]
    return Grid([[_cell(part) for part in kept] or [None]])


def _cell(part: str) -> Value:
    if not part:
        return None
    found_number = text_number(part) if part[0] in "0123456789.+-$ " else None
    return part if found_number is None else found_number


@function("CHAR", "n")
def char(value: float) -> str:
    """The letter of a number."""
    if not 1 <= value <= 0x10FFFF or 0xD800 <= value < 0xE000:
        raise formula_error("#NUM!", f"Function CHAR parameter 1 value {format_plain_number(value)} is out of range.")
    return chr(int(value))


function("UNICHAR", "n")(char)


@function("CODE", "t")
def code(value: str) -> float:
    """The number of a letter."""
    if not value:
        raise formula_error("#VALUE!", "Function CODE parameter 1 value should be non-empty.")
    return float(ord(value[0]))


function("UNICODE", "t")(code)


@function("VALUE", "v")
def value_of(value: Value) -> float:
    """The number that a text stands for."""
    if isinstance(value, str) and value:
        found_number = text_number(value)
        if found_number is None:
            raise formula_error("#VALUE!", f"VALUE parameter '{value}' cannot be parsed to number.")
        return found_number
    return number(value, "Function VALUE parameter 1")


@function("N", "e")
def n(value: Value) -> float:
    """Return a number unchanged, TRUE as 1, anything else as 0."""
    if isinstance(value, Fault):
        raise Broken(value)
    return float(value) if isinstance(value, float | bool) else 0.0


_ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


@function("ROMAN", "n n?")
def roman(value: float, form: float = 0.0) -> str:
    """A number in Roman figures."""
    if not 0 <= value < 4000:
        raise formula_error(
            "#VALUE!",
            f"Function ROMAN parameter 1 value is {format_plain_number(value)}. Valid values are between 1 and 3999 inclusive.",
        )
    rest, figures = int(value), ""
    for size, figure in _ROMAN:
        figures += figure * (rest // size)
        rest %= size
    return figures


@function("ARABIC", "t")
def arabic(value: str) -> float:
    """Roman figures as a number."""
    figures = value.strip().upper()
    sign = -1 if figures.startswith("-") else 1
    figures = figures.lstrip("-")
    rest, total = figures, 0
    for size, figure in _ROMAN:
        while rest.startswith(figure):
            total, rest = total + size, rest[len(figure) :]
    if rest:
        raise formula_error("#VALUE!", f"In ARABIC, '{value}' is not a valid Roman numeral.")
    return float(sign * total)


@function("HYPERLINK", "t v?")
def hyperlink(url: str, label: Value = None) -> Value:
    """Return the displayed text of a link."""
    return url if label is None else sound(label)


@function("T", "v")
def t(value: Value) -> str:
    """Return a text unchanged, anything else as empty."""
    return value if isinstance(value, str) else ""
