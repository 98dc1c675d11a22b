"""Displayed text: every example of developers.google.com/workspace/sheets/api/guides/formats, and what it leaves open
pinned here.
"""

import string
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sheets import formats
from apps.sheets.cells import Fault
from apps.sheets.formats import BadPattern, format_value
from tests.apps.sheets.conftest import BUDGET, Say

MOMENT = 42_465 + (16 * 3600 + 8 * 60 + 53.528) / 86_400  # Tuesday, April 5, 2016, 4:08:53.528 PM
PASSED = (3 * 3600 + 13 * 60 + 41.255) / 86_400


def through(pattern: str, value: float | str | bool, locale: str = "en_US") -> str:
    return format_value(value, {"type": "NUMBER", "pattern": pattern}, locale)


GUIDE = [
    (MOMENT, "h:mm:ss.00 a/p", "4:08:53.53 p"),
    (MOMENT, 'hh:mm A/P".M."', "04:08 P.M."),
    (MOMENT, "yyyy-mm-dd", "2016-04-05"),
    (MOMENT, r"mmmm d \[dddd\]", "April 5 [Tuesday]"),
    (MOMENT, "h PM, ddd mmm dd", "4 PM, Tue Apr 05"),
    (MOMENT, "dddd, m/d/yy at h:mm", "Tuesday, 4/5/16 at 16:08"),
    (PASSED, "[hh]", "03"),
    (PASSED, "[mmmm]", "0193"),
    (PASSED, "[ss]", "11621"),
    (PASSED, "[hh]:[mm]:[ss].000", "03:13:41.255"),
    (PASSED, "[mmmm]:[ss].000", "0193:41.255"),
    (3, "00.0", "03.0"),
    (12, "##0", "12"),
    (12.4, "???.???", " 12.4  "),
    (3, "#0.#", "3."),
    (0.25, "#%", "25%"),
    (12_200_000, "#0.0,,", "12.2"),
    (0.0000001, "##0.00#E+##", "100.00E-9"),
    (23.25, "0 #/#", "23 1/4"),
    (23.25, "0 #/8", "23 2/8"),
    (23.1, "0 #/3", "23"),
    (10, r"\#0", "#10"),
    (99, '[<100]"Low";[>1000]"High";000', "Low"),
    (1001, '[<100]"Low";[>1000]"High";000', "High"),
    (500, '[<100]"Low";[>1000]"High";000', "500"),
    (12345.125, "####.#", "12345.1"),
    (12.34, "000.0000", "012.3400"),
    (12, "#.0#", "12.0"),
    (5.125, "# ???/???", "5   1/8  "),
    (12_000, "#,###", "12,000"),
    (1_230_000, '0.0,,"M"', "1.2M"),
    (1_234_500_000, "0.00e+00", "1.23e+09"),
    (123114.15115, '###0.000;"TEXT: "_(@_)', "123114.151"),
    ("MyText", '###0.000;"TEXT: "_(@_)', "TEXT:  MyText "),
    (1234, "[Blue]#,##0;[Red]#,##0;[Green]0.0;[Magenta]_(@_)", "1,234"),
    (-1234, "[Blue]#,##0;[Red]#,##0;[Green]0.0;[Magenta]_(@_)", "1,234"),
    (0, "[Blue]#,##0;[Red]#,##0;[Green]0.0;[Magenta]_(@_)", "0.0"),
    ("MyText", "[Blue]#,##0;[Red]#,##0;[Green]0.0;[Magenta]_(@_)", " MyText "),
    (1005, '[>1000]"HIGH";[Color43][<=200]"LOW";0000', "HIGH"),
    (32, '[>1000]"HIGH";[Color43][<=200]"LOW";0000', "LOW"),
    (527, '[>1000]"HIGH";[Color43][<=200]"LOW";0000', "0527"),
    (2.5, "yyyy-mm-dd hh:mm", "1900-01-01 12:00"),
    (33.625, "yyyy-mm-dd h am/pm", "1900-02-01 3 PM"),
]
PINNED = [
    (1.005, "0.00", "1.01"),
    (-1.005, "0.00", "-1.01"),
    (2.5, "0", "3"),
    (-2.5, "0", "-3"),
    (-5, "#,##0.00_);(#,##0.00)", "(5.00)"),
    (5, "#,##0.00_);(#,##0.00)", "5.00 "),
    (1234.5, '_("$"* #,##0.00_)', " $ 1,234.50 "),
    (0, "0;-0;", ""),
    (0, '0;-0;"nil"', "nil"),
    (0, "#", ""),
    (1234567.891, "#,##0", "1,234,568"),
    (5551234567, "(###) ###-####", "(555) 123-4567"),
    (123456789, "000-00-0000", "123-45-6789"),
    (0.285, "0%", "29%"),
    (0.1255, "0.00%", "12.55%"),
    (-0.45, "0%", "-45%"),
    (9.9999, "0.00E+00", "1.00E+01"),
    (12345.6, "##0.0E+0", "12.3E+3"),
    (12345.6, "0.0E-0", "1.2E4"),
    (0, "0.00E+00", "0.00E+00"),
    (1e300, "0", "1" + "0" * 300),
    (5, "[<3]0", "#######"),
    (-5, "[<0]0;0.0", "5"),
    (5, "[<0]0;0.0", "5.0"),
    (-5, "[<100]0.0;0", "-5.0"),
    (12, "@", "12"),
    ("x", "0.00", "x"),
    ("x", '"Dear "@', "Dear x"),
    (5, '"Dear "@', "5"),
    (5, "[$€-407] 0.00", "€ 5.00"),
    (-1.25, "yyyy-mm-dd hh:mm", "1899-12-28 18:00"),
    (-0.5, "[h]:mm", "-12:00"),
    (1.5, "[h]:mm", "36:00"),
    (46083.999999999, "yyyy-mm-dd hh:mm:ss", "2026-03-03 00:00:00"),
    (46083, "MM/mm/M/m", "03/03/3/3"),
    (0.5 + 5 / 1440, "hh:mm m", "12:05 12"),
    (46083, "mmmmm ddd d", "M Mon 2"),
    (46083, "yy yyyy y", "26 2026 26"),
    (46083.5, 'h:mm"h" a/p', "12:00h p"),
    (46083, "h am/pm", "12 AM"),
    (3e6, "yyyy-mm-dd", "3000000"),
    (0.75, "# ?/?", " 3/4"),
    (1.999, "# ?/?", "2"),
    (1234.5, "0.00.0", "1234.50.0"),
    (True, "0.00", "TRUE"),
    (MOMENT, "mm:ss", "08:53"),
    (MOMENT, "ss 0", "53 5"),
    (MOMENT, "ss,00", "53.53"),
    (MOMENT, "ss", "53"),
    (MOMENT, "hh:mm:ss.0000000", "16:08:53.5280000"),
    (-5, "0;@", "-5"),
    (-5, "0.0;(0);@", "(5)"),
    ("x", "0;@", "x"),
    (0, "0.0;(0);@", "0.0"),
    (1234, ",0", ",1234"),
    (1234, "0,", "1"),
    (2_500_000, "0.0,,", "2.5"),
    (MOMENT, "mm ddd ss", "04 Tue 53"),
    (MOMENT, "ss mm", "53 04"),
    (5, '[<>5]0;"five"', "five"),
    (6, '[<>5]0;"five"', "6"),
    (5, '[=5]"five";0', "five"),
    (5, "[>=5]0.0;0", "5.0"),
    (5, "[<=5]0.0;0", "5.0"),
    (-1234.5, "General;(General)", "(1234.5)"),
    (-1234.5, 'General" kg"', "-1234.5 kg"),
    (-693_593, "yyyy-mm-dd", "0001-01-01"),
    (-693_594, "yyyy-mm-dd", "-693594"),
    (2_958_465.5, "yyyy-mm-dd", "9999-12-31"),
    (2_958_466, "yyyy-mm-dd", "2958466"),
    (2_958_465.999999999, "yyyy-mm-dd", "2958466"),
    ("x", "0;0;@", "x"),
    ("x", '"a"@', "ax"),
    (99.999, "0.0E+0", "1.0E+2"),
    (999.99, "##0.0E+0", "1.0E+3"),
]


@pytest.mark.parametrize(("value", "pattern", "expected"), GUIDE + PINNED)
def test_a_value_through_a_pattern(value: float | str | bool, pattern: str, expected: str):
    assert through(pattern, value) == expected


AUTOMATIC = {
    -0.0: "0",
    105.0: "105",
    0.5: "0.5",
    -2.25: "-2.25",
    1 / 3: "0.3333333333",
    100 / 3: "33.33333333",
    0.1 + 0.2: "0.3",
    123456789012345.0: "123456789012345",
    -1e15: "-1E+15",
    1e15: "1E+15",
    1234567890123456.0: "1.23457E+15",
    5.55111512312578e-17: "5.55112E-17",
    12345678901.5: "12345678902",
    1e308: "1E+308",
    0.0001: "0.0001",
    0.00001: "1E-05",
    -1e20: "-1E+20",
    9999999999.99: "10000000000",
    9999999999.4: "9999999999",
}


@pytest.mark.parametrize("value", AUTOMATIC)
def test_a_number_without_a_format(value: float):
    assert format_value(value, None, "en_US") == AUTOMATIC[value]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "TRUE"),
        (False, "FALSE"),
        ("text", "text"),
        (None, ""),
        (Fault("#DIV/0!", "x"), "#DIV/0!"),
        (float("inf"), "#NUM!"),
        (float("nan"), "#NUM!"),
    ],
)
def test_values_that_are_no_numbers(value: object, expected: str):
    assert format_value(value, None, "en_US") == expected  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("kind", "locale", "expected"),
    [
        ("NUMBER", "en_US", "1,000.12"),
        ("PERCENT", "en_US", "100012.00%"),
        ("CURRENCY", "en_US", "$1,000.12"),
        ("DATE", "en_US", "9/26/1902"),
        ("TIME", "en_US", "2:52:48 AM"),
        ("DATE_TIME", "en_US", "9/26/1902 2:52:48"),
        ("SCIENTIFIC", "en_US", "1.00E+03"),
        ("TEXT", "en_US", "1000.12"),
        ("CURRENCY", "en_GB", "£1,000.12"),
        ("DATE", "en_GB", "26/09/1902"),
        ("TIME", "en_GB", "02:52:48"),
        ("NUMBER", "de_DE", "1.000,12"),
        ("CURRENCY", "de_DE", "1.000,12\u00a0€"),
        ("DATE_TIME", "de_DE", "26.09.1902 02:52:48"),
        ("TEXT", "de_DE", "1000,12"),
        ("NUMBER", "fr_FR", "1\u202f000,12"),
        ("DATE", "fr_FR", "26/09/1902"),
        ("DATE", "xx_XX", "9/26/1902"),
        ("DATE", "de-AT", "26.09.1902"),
        ("NUMBER", "de_CH", "1\u2019000.12"),
    ],
)
def test_each_type_has_its_default_pattern_by_locale(kind: str, locale: str, expected: str):
    assert format_value(1000.12, {"type": kind}, locale) == expected


def test_names_of_days_and_months_are_the_locales():
    assert through("dddd, d. mmmm yyyy", 46083, "de_DE") == "Montag, 2. März 2026"
    assert through("ddd d mmm", 46083, "fr_FR") == "lun. 2 mars"
    assert format_value(True, None, "de_DE") == "WAHR"
    assert format_value(False, None, "fr_FR") == "FAUX"


def test_a_hint_is_used_where_no_format_is_set():
    assert format_value(46083, None, "en_US", "DATE") == "3/2/2026"
    assert format_value(46083, {"type": "NUMBER", "pattern": "0"}, "en_US", "DATE") == "46083"
    assert format_value("x", None, "en_US", "DATE") == "x"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, "blue"), (-1, "red"), (0, "green"), ("x", "magenta"), (True, None), (None, None), (Fault("#N/A"), None)],
)
def test_the_colour_is_told(value: object, expected: str | None):
    pattern = {"type": "NUMBER", "pattern": "[Blue]#,##0;[Red]#,##0;[Green]0.0;[Magenta]_(@_)"}
    assert formats.colour(value, pattern) == expected  # pyright: ignore[reportArgumentType]


def test_a_numbered_colour_goes_with_its_condition():
    pattern = {"type": "NUMBER", "pattern": '[>1000]"HIGH";[Color43][<=200]"LOW";0000'}
    assert [formats.colour(value, pattern) for value in (5, 500)] == ["color43", None]
    assert formats.colour(5, None) is None


BAD = [
    '"open',
    "0\\",
    "[Purple]0",
    "[Color57]0",
    "0;0;0;0;0",
    "[",
    "0[",
    "yyyy#",
    "0@",
    "0" * 1001,
    "_",
    "yyyy%",
    "h?",
    "0.0 0/0",
    "0/0E+0",
    "[hm]",
    "][",
]


@pytest.mark.parametrize("pattern", BAD, ids=lambda pattern: pattern[:8])
def test_what_is_no_pattern_is_refused(pattern: str):
    with pytest.raises(BadPattern):
        formats.check(pattern)


HOSTILE = [
    "0" * 1000,
    "#," * 500,
    "0." + "0" * 998,
    "?/" * 500,
    "[h]" * 333,
    "y" * 1000,
    ";" * 3,
    "%" * 999 + "0",
    "0E+" + "0" * 990,
    "0" + "," * 999,
]
HOSTILE += ["m:" * 500, "a/p" * 333, "0/" + "9" * 998, '"' * 1000, "\\" * 1000, "0 " + "?" * 400 + "/" + "?" * 400]


@pytest.mark.parametrize("pattern", HOSTILE, ids=lambda pattern: pattern[:8])
@pytest.mark.parametrize("value", [1.7976931348623157e308, -5e-324, 46083.123456789])
def test_hostile_patterns_stay_linear(pattern: str, value: float):
    try:
        assert len(through(pattern, value)) < 10_000
    except BadPattern:
        assert pattern.count("/") or pattern.count('"')


TOKENS = st.lists(
    st.sampled_from([*'0#?.,%/@;$ -"x_*\\', "E+", "[Red]", "[>1]", "[h]", "yyyy", "mm", "ss", "hh", "am/pm", '"t"']),
    max_size=10,
).map("".join)


@given(TOKENS, st.floats(allow_nan=False, allow_infinity=False))
def test_any_pattern_shows_any_number_or_is_refused(pattern: str, value: float):
    try:
        formats.check(pattern)
    except BadPattern:
        with pytest.raises(BadPattern):
            through(pattern or "0", value)
        return
    assert isinstance(through(pattern, value), str)


@given(st.floats(-1e12, 1e12), st.integers(0, 5), st.booleans())
def test_rounding_is_half_away_from_zero_on_the_digits_as_written(value: float, places: int, grouped: bool):
    pattern = ("#,##0" if grouped else "0") + ("." + "0" * places if places else "")
    exact = Decimal(repr(abs(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    expected = format(exact, ",f" if grouped else "f")
    assert through(pattern, value) == ("-" if value < 0 else "") + expected


@given(st.integers(-100_000_000, 100_000_000), st.integers(1, 4))
def test_ties_are_seen_by_the_quick_way_too(number: int, places: int):
    value = (number * 10 + 5) / 10 ** (places + 1)
    exact = Decimal(repr(abs(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    assert through("0." + "0" * places, value) == ("-" if value < 0 else "") + format(exact, "f")


@given(st.integers(-693_000, 2_900_000), st.integers(0, 86_399))
def test_a_date_and_time_is_read_back(day: int, second: int):
    text = through("yyyy-mm-dd hh:mm:ss", day + second / 86_400)
    assert through("[s]", second / 86_400) == str(second)
    hour, minute, rest = (int(part) for part in text.split(" ")[1].split(":"))
    assert hour * 3600 + minute * 60 + rest == second
    assert set(text) <= set(string.digits + "-: ")


def repeat_cell(pattern: str) -> list[dict[str, object]]:
    """A request that gives the budget's first number a pattern."""
    area = {"sheetId": 0, "startRowIndex": 1, "endRowIndex": 2, "startColumnIndex": 1, "endColumnIndex": 2}
    cell = {"userEnteredFormat": {"numberFormat": {"type": "NUMBER", "pattern": pattern}}}
    return [{"repeatCell": {"range": area, "cell": cell, "fields": "userEnteredFormat.numberFormat"}}]


def test_a_pattern_that_cannot_be_read_is_refused_when_it_is_set(say: Say, refused: Say):
    assert refused("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=repeat_cell('"open')) == "bad_request"
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="B2")["values"] == [["1200"]]


def test_a_pattern_that_is_set_shows_in_values(say: Say):
    say("spreadsheets.batchUpdate", spreadsheetId=BUDGET, requests=repeat_cell('0.0,"k"'))
    assert say("spreadsheets.values.get", spreadsheetId=BUDGET, range="B2")["values"] == [["1.2k"]]
