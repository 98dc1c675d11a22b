"""Display of a cell's value through its number format (developers.google.com/workspace/sheets/api/guides/formats)."""

from functools import lru_cache
from math import isfinite

from apps.sheets.cells import Fault, Value
from apps.sheets.formats.dates import format_moment
from apps.sheets.formats.locales import Locale, locale_of
from apps.sheets.formats.numbers import Plain, automatic, format_number, format_plain, plain_of
from apps.sheets.formats.pattern import COMPARISONS, BadPattern, Section, sections_of
from apps.sheets.vendor_types import NumberFormat

__all__ = ["BadPattern", "check", "colour", "default_pattern", "pattern_of", "format_value", "section_for"]

TYPES = ("NUMBER", "PERCENT", "CURRENCY", "DATE", "TIME", "DATE_TIME", "SCIENTIFIC", "TEXT")
_FULL = "#######"  # what no section takes fills its cell with these; how many depends on the width


def check(pattern: str) -> None:
    """Refuse an invalid pattern: raises BadPattern."""
    sections_of(pattern)


def default_pattern(kind: str, locale: str) -> str:
    """Return the pattern of a number format that names only its type; empty for the automatic one."""
    return locale_of(locale).patterns.get(kind, "")


def pattern_of(number_format: NumberFormat | None, locale: str, hint: str = "") -> str:
    """Return the effective pattern.

    `hint` is the type that a formula's result suggests where no format is set, with its pattern after a colon.
    """
    if not number_format:
        kind, _, pattern = hint.partition(":")
        return pattern or (default_pattern(kind, locale) if kind else "")
    return number_format.get("pattern") or default_pattern(number_format.get("type", ""), locale)


def format_value(value: Value, number_format: NumberFormat | None, locale: str, hint: str = "") -> str:
    """Return the text a cell displays (FORMATTED_VALUE)."""
    if type(value) is float or type(value) is int:
        if not number_format and not hint:
            if value == (whole := int(value) if isfinite(value) else None) and -1e15 < value < 1e15:
                return str(whole)
            return _automatic(value, locale)
        return _format_number(float(value), pattern_of(number_format, locale, hint), locale)
    if isinstance(value, str):
        pattern = pattern_of(number_format, locale)
        return value if not pattern or pattern == "@" else _format_text(value, pattern)
    if value is None:
        return ""
    if isinstance(value, Fault):
        return value.code
    return locale_of(locale).booleans[0 if value else 1]


@lru_cache(maxsize=16_384)
def _automatic(value: float, locale: str) -> str:
    return automatic(value, locale_of(locale)) if isfinite(value) else "#NUM!"


@lru_cache(maxsize=32_768)
def _format_number(value: float, pattern: str, locale: str) -> str:
    words = locale_of(locale)
    if not isfinite(value):
        return "#NUM!"
    plain = _plain(pattern, locale)
    text = format_plain(abs(value), plain) if plain else None
    if text is not None:
        return "-" + text if value < 0 else text
    section, signed = section_for(value, sections_of(pattern)) if pattern else (None, True)
    if section is None and pattern:
        return _FULL
    if section is None or section.kind == "text":
        return automatic(value, words)
    if section.kind == "general":
        return _around(automatic(value if signed else abs(value), words), section)
    if section.kind == "moment":
        return format_moment(value, section.tokens, locale) or automatic(value, words)
    return _add_sign(value, section, signed, words)


@lru_cache(maxsize=1024)
def _plain(pattern: str, locale: str) -> Plain | None:
    """Format with the fast path of a pattern of one section."""
    section, *others = sections_of(pattern)
    if others or section.condition or section.kind != "number":
        return None
    return plain_of(section.tokens, locale_of(locale))


def _add_sign(value: float, section: Section, signed: bool, words: Locale) -> str:
    minus = "-" if signed and value < 0 else ""
    if section.kind == "literal":
        return minus + "".join(token.text for token in section.tokens)
    return minus + format_number(abs(value), section.tokens, words)


def _around(text: str, section: Section) -> str:
    """Put a text between the literals of its section."""
    return "".join(text if token.kind in ("text", "general") else token.text for token in section.tokens)


def section_for(value: float, sections: tuple[Section, ...]) -> tuple[Section | None, bool]:
    """Return the section for a number, and whether a negative one still needs its sign."""
    if len(sections) == 1 and not sections[0].condition:
        return sections[0], True
    numeric = sections[:-1] if len(sections) > 1 and (len(sections) == 4 or sections[-1].kind == "text") else sections
    conditional = any(section.condition for section in numeric)
    for place, section in enumerate(numeric):
        operator, limit = section.condition or _by_place(place, len(numeric), conditional)
        if not operator or COMPARISONS[operator](value, limit):
            return section, not (operator in ("<", "<=") and limit <= 0)
    return None, True


def _by_place(place: int, count: int, conditional: bool) -> tuple[str, float]:
    """Return the condition of a section without one: positive, negative, zero; the last section takes the rest."""
    if place == count - 1 and (conditional or count != 2):
        return "", 0
    return (">=" if count == 2 and not conditional else ">", 0) if place == 0 else ("<", 0)


def _text_section(sections: tuple[Section, ...]) -> Section | None:
    if len(sections) == 4:
        return sections[3]
    return sections[-1] if sections[-1].kind == "text" else None


@lru_cache(maxsize=4096)
def _format_text(value: str, pattern: str) -> str:
    section = _text_section(sections_of(pattern))
    return _around(value, section) if section else value


def colour(value: Value, number_format: NumberFormat | None, locale: str = "en_US") -> str | None:
    """Return the colour a pattern gives to a value: `red`, `color23`; None for none."""
    pattern = pattern_of(number_format, locale)
    if not pattern or value is None or isinstance(value, (bool, Fault)):
        return None
    sections = sections_of(pattern)
    section = _text_section(sections) if isinstance(value, str) else section_for(value, sections)[0]
    return section.colour if section else None
