"""Typed text: parsing of USER_ENTERED input, and rendering for the formula bar.

Source: developers.google.com/workspace/sheets/api/reference/rest/v4/ValueInputOption,
support.google.com/docs/answer/56470.
"""

import re
from decimal import Context, Decimal
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from apps.sheets.cells import EMPTY, Entry
from apps.sheets.formats import entry_dates, format_value
from apps.sheets.formats.locales import Locale, locale_of
from apps.sheets.formats.serial import FIRST, LAST
from apps.sheets.vendor_types import NumberFormat

MOST_CHARACTERS = 50_000  # in a cell; support.google.com/drive/answer/37603
_LONGEST_NUMBER = 400
_SIGNS = "$€£¥₹"
_EXACT = Context(prec=800)


class TooLong(ValueError):
    """Text of more characters than a cell may hold."""

    def __init__(self, size: int) -> None:
        super().__init__(f"Your input contains more than the maximum of {MOST_CHARACTERS} characters in a single cell.")
        self.size = size


class ParsedEntry(NamedTuple):
    """Parsed entry of a typed text, and the number format it sets."""

    entry: Entry
    number_format: dict[str, str] | None


def parse_entry(text: str, locale: str, now_us: int, zone: str) -> ParsedEntry:
    """Parse a typed text; `now_us` and `zone` give the year of `March 2`; raises TooLong."""
    if len(text) > MOST_CHARACTERS:
        raise TooLong(len(text))
    if not text:
        return ParsedEntry(EMPTY, None)
    if text[0] == "'":
        return ParsedEntry(Entry("text", text[1:]), None)
    if text[0] == "=" and len(text) > 1:
        return ParsedEntry(Entry("formula", text), None)
    found = _parse_value(text.strip(), locale, now_us, zone)
    if found:
        return found
    if text[0] == "+" and text.strip() != "+":
        return ParsedEntry(Entry("formula", "=" + text), None)
    return ParsedEntry(Entry("text", text), None)


def _parse_value(text: str, locale: str, now_us: int, zone: str) -> ParsedEntry | None:
    """Parse the boolean, number, date or time of a text."""
    words = locale_of(locale)
    if not _has_figure(text):
        return _boolean(text, words)
    if len(text) > _LONGEST_NUMBER:
        return None
    number = _number(text, words)
    if number:
        return number
    moment = entry_dates.parse_moment(text, locale, now_us, zone)
    if not moment:
        return None
    return ParsedEntry(Entry("number", number_text(moment.serial)), _format(moment.type, moment.pattern))


_has_figure = re.compile("[0-9]").search


def _format(kind: str, pattern: str) -> dict[str, str]:
    return {"type": kind, "pattern": pattern} if pattern else {"type": kind}


def _boolean(text: str, words: Locale) -> ParsedEntry | None:
    word = text.upper()
    if word in ("TRUE", words.booleans[0]):
        return ParsedEntry(Entry("boolean", "TRUE"), None)
    return ParsedEntry(Entry("boolean", "FALSE"), None) if word in ("FALSE", words.booleans[1]) else None


def number_text(value: float) -> str:
    """Format a number as entries store it: `105`, `0.5`, `1e+22`."""
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)


@lru_cache(maxsize=64)
def _grammar(decimal: str, group: str, currency: str) -> re.Pattern[str]:
    """A number of a locale: `-$1,200.50`, `(5)`, `45%`, `1.5e3`, `5 €`, `5 zł`."""
    signs = f"{re.escape(currency)}|[{_SIGNS}]" if currency else f"[{_SIGNS}]"
    mark, groups = re.escape(decimal), f"[{re.escape(group)}]" if group not in "\u202f\u00a0" else "[ \u202f\u00a0]"
    return re.compile(
        rf"(?P<open>\()?(?P<sign>[+-])?\s?(?P<before>{signs})?\s?(?P<late>[+-])?"
        rf"(?P<whole>[0-9]{{1,3}}(?P<grouped>(?:{groups}[0-9]{{3}})+)|[0-9]+)?(?P<fraction>{mark}[0-9]*)?"
        rf"(?P<exponent>[eE][+-]?[0-9]{{1,5}})?\s?(?P<behind>%|{signs})?(?P<close>\))?"
    )


def _number(text: str, words: Locale) -> ParsedEntry | None:
    found = _grammar(words.decimal, words.group, words.currency).fullmatch(text)
    if not found or not _is_whole(found):
        return None
    whole = re.sub(r"[^0-9]", "", found["whole"] or "")
    fraction = (found["fraction"] or "")[1:]
    exact = Decimal(f"{whole or '0'}.{fraction or '0'}{found['exponent'] or ''}")
    value = float(exact.scaleb(-2, _EXACT) if found["behind"] == "%" else exact)
    if not isfinite(value):
        return None
    negative = found["open"] or "-" in (found["sign"], found["late"])
    return ParsedEntry(
        Entry("number", number_text(-value if negative else value)), _number_format(found, fraction, words)
    )


def _is_whole(found: re.Match[str]) -> bool:
    """Whether there are figures, both parentheses or none, one sign at most and one currency or percent."""
    if not found["whole"] and len(found["fraction"] or "") < 2:
        return False
    signs = [name for name in ("open", "sign", "late") if found[name]]
    return bool(found["open"]) == bool(found["close"]) and len(signs) <= 1 and not (found["before"] and found["behind"])


def _number_format(found: re.Match[str], fraction: str, words: Locale) -> dict[str, str] | None:
    """The format that a way of typing brings: currency, percent, exponent, thousands."""
    places = ".00" if fraction else ""
    if found["behind"] == "%":
        return _format("PERCENT", f"0{places}%")
    sign = found["before"] or found["behind"]
    if sign:
        return _format("CURRENCY", _currency(sign, places, bool(found["before"]), words))
    if found["exponent"]:
        return _format("SCIENTIFIC", "0.00E+00")
    return _format("NUMBER", f"#,##0{places}") if found["grouped"] else None


def _currency(sign: str, places: str, before: bool, words: Locale) -> str:
    """The locale's own pattern where the sign is its own and stands where it usually does."""
    own = words.patterns["CURRENCY"]
    if sign == words.currency and before == own.startswith('"'):
        return re.sub(r"#,##0(\.0+)?", f"#,##0{places}", own)
    written = f'"{sign}"' if sign == words.currency else f"[${sign}]"
    return f"{written}#,##0{places}" if before else f"#,##0{places}\u00a0{written}"


def render_entry(entry: Entry, number_format: NumberFormat | None, locale: str) -> str:
    """Render an entry for the formula bar: text that, typed again, gives the same entry."""
    if entry.kind == "number":
        return _render_number(float(entry.input), (number_format or {}).get("type", ""), locale)
    if entry.kind == "boolean":
        return locale_of(locale).booleans[entry.input != "TRUE"]
    if entry.kind == "text" and _needs_quote(entry.input, locale):
        return "'" + entry.input
    return entry.input


def _needs_quote(text: str, locale: str) -> bool:
    if len(text) >= MOST_CHARACTERS:
        return False
    return text[:1] in ("", "'") or parse_entry(text, locale, 0, "UTC").entry.kind != "text"


def _render_number(value: float, kind: str, locale: str) -> str:
    words = locale_of(locale)
    if kind in ("DATE", "TIME", "DATE_TIME") and FIRST <= value < LAST + 1:
        return _render_moment(value, kind, locale)
    if kind == "PERCENT":
        return _plain_number(Decimal(number_text(value)).scaleb(2, _EXACT), words) + "%"
    return _plain_number(Decimal(number_text(value)), words)


def _render_moment(value: float, kind: str, locale: str) -> str:
    """A whole number of days is a date, a part of the first day is a time, all else is both."""
    fine = abs(value * 86_400 - round(value * 86_400)) > 1e-3
    if kind == "TIME" and (fine or not 0 <= value < 1):
        return format_value(value, {"type": kind, "pattern": "[h]:mm:ss.000" if fine else "[h]:mm:ss"}, locale)
    if kind == "TIME":
        return format_value(value, {"type": kind}, locale)
    return format_value(value, {"type": "DATE" if value == int(value) else "DATE_TIME"}, locale)


def _plain_number(number: Decimal, words: Locale) -> str:
    """All its digits, with an exponent beyond what a person would write out."""
    plain = -21 <= number.adjusted() <= 20 or not number
    text = format(number.normalize(_EXACT), "f" if plain else "E")
    return text.replace(".", words.decimal)


def shortest_number(value: float) -> str:
    """A number in its shortest form."""
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
