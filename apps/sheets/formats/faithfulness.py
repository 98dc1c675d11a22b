"""Check that a cell's display shows its value: rounding, grouping and decoration are allowed, another value is not."""

import re

from apps.sheets.cells import Fault, Value
from apps.sheets.formats import pattern_of, section_for
from apps.sheets.formats.locales import locale_of
from apps.sheets.formats.numbers import plan_of
from apps.sheets.formats.pattern import Section, sections_of
from apps.sheets.vendor_types import NumberFormat

FIRST_DAY, LAST_DAY = 10_000, 110_000  # serial numbers of 1927 and 2201: others are no dates that people write down
MOST_WORDS = 3  # of a unit beside a number
_WORD = re.compile(r"[^\W\d_]+(?:\d{1,2}(?!\d)|[²³])?")  # m2, CO2
_DENIALS = frozenset("no not never none without nein nicht kein keine non pas sin".split())
_EXPONENT = re.compile(r"(?<=\d)[eE]([+-]?\d+)")
_FRACTION = re.compile(r"(?:(\d+) +)?(\d+)/(\d+)")
_MINUS = re.compile(r"[^\d]*[-−–]|\D*\([^()]*\d[^()]*\)\D*\Z")


def find_other_value(value: Value, text: str, number: NumberFormat | None, locale: str, hint: str = "") -> str:
    """Describe what a cell displays in place of its value; empty if it shows its value."""
    if value is None or isinstance(value, (bool, Fault)):
        return ""
    pattern = pattern_of(number, locale, hint)
    if not pattern:
        return ""
    if isinstance(value, str):
        return "" if _is_dressed(value, text) else f"shows {text!r} for {value!r}"
    section = section_for(value, sections_of(pattern))[0]
    fine = section is not None and (
        _is_moment(value, section) if section.kind == "moment" else _is_number(value, text, section, locale)
    )
    return "" if fine else f"shows {text!r} for {value:.15g}"


def _is_dressed(value: str, text: str) -> bool:
    """Whether a text shows another one, surrounded only by signs."""
    return not value.strip() or (value in text and not re.search(r"\w", text.replace(value, "", 1)))


def _is_moment(value: float, section: Section) -> bool:
    """Whether a number shown as a date or a time is likely to be one."""
    kinds = {token.kind: token.text for token in section.tokens}
    if any(token.kind in ("literal", "digit") and re.search(r"[1-9]", token.text) for token in section.tokens):
        return False
    if "elapsed" in kinds or value == 0:
        return True
    units = {token.text[0] for token in section.tokens if token.kind == "date"}
    return FIRST_DAY <= value <= LAST_DAY or (0 <= value < 1 and not units & set("ymd"))


def _is_number(value: float, text: str, section: Section, locale: str) -> bool:
    words = [word.casefold() for word in _WORD.findall(_EXPONENT.sub("", text))]
    found = _read(text, locale)
    if found is None:  # words or nothing instead of a number: yes and no, a dash for nothing
        return value in (0, 1) and not re.search(r"\d", text) if text.strip() else _is_nothing(value, section)
    if len(words) > MOST_WORDS or _DENIALS.intersection(words):
        return False
    expected = _scale_value(value, section, has_unit=bool(words))
    if value and _shows_minus(text) != (value < 0) and not (value < 0 and section.colour == "red"):
        return abs(expected) < found[1]
    return abs(abs(expected) - found[0]) <= found[1] * (1 + 1e-9) + abs(expected) * 1e-9


def _is_nothing(value: float, section: Section) -> bool:
    """Whether a cell may stay empty: for zero, or a value rounded to it."""
    return value == 0 or (section.kind == "number" and abs(value) < 0.5)


def _scale_value(value: float, section: Section, *, has_unit: bool) -> float:
    """Return a value as its pattern scales it: a percentage, or thousands if a unit stands beside them."""
    if section.kind != "number":
        return value
    percents = sum(token.kind == "percent" for token in section.tokens)
    return value * 10.0 ** (plan_of(section.tokens).shift if has_unit else 2 * percents)


def _shows_minus(text: str) -> bool:
    return bool(_MINUS.match(text))


def _read(text: str, locale: str) -> tuple[float, float] | None:
    """Parse the number in a text, without its sign, and its rounding tolerance; None without digits."""
    exponent = _EXPONENT.search(text)
    plain = _WORD.sub(" ", _EXPONENT.sub("", text))
    if fraction := _FRACTION.search(plain):
        whole, top, bottom = (int(part or 0) for part in fraction.groups())
        return whole + top / max(bottom, 1), 0.5 / max(bottom, 1)
    marks = locale_of(locale)
    digits = "".join(mark for mark in plain if mark.isdigit() or mark == marks.decimal)
    number, _, decimals = digits.partition(marks.decimal)
    if not re.search(r"\d", digits) or marks.decimal in decimals:
        return None
    power = 10.0 ** int(exponent[1]) if exponent and len(exponent[1]) < 4 else 1.0
    return float(f"{number or 0}.{decimals or 0}") * power, 0.5 * 10.0 ** -len(decimals) * power
