"""Number formats: conversion between a file's codes and the vendor's type and pattern.

ECMA-376 part 1, 18.8.30; …/sheets/api/guides/formats.
"""

import re
from functools import lru_cache

from apps.sheets import formats
from apps.sheets.formats.pattern import BadPattern, sections_of

BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0_);("$"#,##0)',
    6: '"$"#,##0_);[Red]("$"#,##0)',
    7: '"$"#,##0.00_);("$"#,##0.00)',
    8: '"$"#,##0.00_);[Red]("$"#,##0.00)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "m/d/yyyy",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "m/d/yyyy h:mm",
    37: "#,##0_);(#,##0)",
    38: "#,##0_);[Red](#,##0)",
    39: "#,##0.00_);(#,##0.00)",
    40: "#,##0.00_);[Red](#,##0.00)",
    41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
    42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
    43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
    44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
LONGEST = 255
_TEXTS = re.compile(r'"[^"]*"|\\.|_.|\*.')
_HALF = re.compile(r"am/pm", re.IGNORECASE)
_CURRENCY = re.compile(r"\[\$[^\]-]|[$€£¥₹]")
_LOCALE_ONLY = re.compile(r"\[\$-[0-9A-Fa-f]*\]")


@lru_cache(maxsize=4096)
def parse_code(code: str) -> tuple[str, str] | None:
    """Return type and pattern of a code; None for the automatic format or an unreadable code."""
    pattern = _LOCALE_ONLY.sub("", code)
    if not pattern or pattern.lower() == "general" or len(pattern) > LONGEST:
        return None
    pattern = _HALF.sub("am/pm", pattern)
    try:
        kind = sections_of(pattern)[0].kind
    except BadPattern:
        return None
    return (_moment(pattern) if kind == "moment" else _number(pattern, kind)), pattern


def _number(pattern: str, kind: str) -> str:
    bare = _TEXTS.sub("", pattern)
    if kind == "text":
        return "TEXT"
    if "%" in bare:
        return "PERCENT"
    if re.search(r"[eE][+-]", bare):
        return "SCIENTIFIC"
    return "CURRENCY" if _CURRENCY.search(pattern) else "NUMBER"


def _moment(pattern: str) -> str:
    kinds = {token.kind if token.kind != "date" else token.text[0] for token in sections_of(pattern)[0].tokens}
    day, clock = kinds & set("dmy"), kinds & {"h", "s", "minute", "elapsed", "half"}
    return "DATE_TIME" if day and clock else "TIME" if clock else "DATE"


def is_moment(code: str) -> bool:
    """Whether a code formats numbers as dates or times."""
    found = parse_code(code)
    return found is not None and found[0] in ("DATE", "TIME", "DATE_TIME")


@lru_cache(maxsize=4096)
def format_code(kind: str, pattern: str, locale: str) -> str:
    """Return the code of a type and a pattern; empty for the automatic format."""
    code = _HALF.sub("AM/PM", pattern or formats.default_pattern(kind, locale))
    if len(code) > LONGEST or any(not mark.isprintable() and mark != "\u00a0" and mark != "\u202f" for mark in code):
        return ""
    return code
