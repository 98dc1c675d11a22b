"""Number formats that show another value than the cell's, and those that only dress it."""

import pytest

from apps.sheets import formats
from apps.sheets.cells import Value
from apps.sheets.formats.faithfulness import find_other_value
from apps.sheets.vendor_types import NumberFormat

NUMBER: list[tuple[Value, str]] = [
    (1234.5, "#,##0.00"),
    (1234.5, "0"),
    (1234.5, "$#,##0.00"),
    (1234.5, '"EUR" #,##0.00'),
    (1234.5, "#,##0.00 [$€-407]"),
    (-1234.5, "#,##0.00;(#,##0.00)"),
    (-1234.5, "#,##0.00;[Red]#,##0.00"),
    (-1234.5, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)'),
    (0.0, '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)'),
    (0.0, "0;-0;;@"),
    (0.0, ";;;"),
    (0.0, "#"),
    (0.05, "0%"),
    (0.0525, "0.00%"),
    (5.0, '0"%"'),
    (1234567.0, '#,##0,,"M"'),
    (1234567.0, '#,##0.0,"k"'),
    (1234567.0, "0.00E+00"),
    (0.25, "# ?/?"),
    (1.0, '"Yes";"Yes";"No"'),
    (0.0, '"Yes";"Yes";"No"'),
    (1.0, "[=1]✓;[=0]✗;0"),
    (5551234.0, "000-0000"),
    (5551234567.0, "(000) 000-0000"),
    (12.0, "00000"),
    (12.0, '0 "m2"'),
    (12.0, '+0" °C";-0" °C"'),
    (3.0, '0 "working days"'),
    (45000.0, "yyyy-mm-dd"),
    (45000.0, "mmm yyyy"),
    (45000.25, "h:mm"),
    (0.5, "h:mm"),
    (1.5, "[h]:mm"),
    (0.0, "yyyy-mm-dd"),
    (-0.001, "0.00"),
    ("approved", "@"),
    ("approved", "0;-0;0;@"),
    ("", ";;;"),
    (True, ";;;"),
]
OTHER: list[tuple[Value, str]] = [
    (5.0, '"9,999.00"'),
    (5.0, '"EUR9999"'),
    (1.0, '"EUR9999"'),
    (5.0, ";;;"),
    (5.0, '""'),
    (5.0, '"OK"'),
    (5.0, '0"000"'),
    (5.0, '"1"0'),
    (500.0, "0\\.00"),
    (5000.0, "#,##0,"),
    (5.0, "-0"),
    (5.0, "(0)"),
    (-5.0, "0;0"),
    (-5.0, "0;[Blue]0"),
    (5.0, '"not "0'),
    (5.0, '0" will not be paid at all"'),
    (5.0, "[>100]0"),
    (5.0, '[<100]"50"'),
    (1200.0, "yyyy-mm-dd"),
    (2000.0, "yyyy"),
    (45000.0, '"9,999"yyyy'),
    (3.0, "h:mm"),
    (0.9, ";;;"),
    ("rejected", ';;;"approved"'),
    ("approved", ';;;"not "@'),
    ("rejected", ";;;"),
]


def _why(value: Value, pattern: str, locale: str = "en_US") -> str:
    number: NumberFormat = {"type": "NUMBER", "pattern": pattern}
    return find_other_value(value, formats.format_value(value, number, locale), number, locale)


@pytest.mark.parametrize(("value", "pattern"), NUMBER)
def test_a_usual_format_shows_the_value(value: Value, pattern: str) -> None:
    assert _why(value, pattern) == ""


@pytest.mark.parametrize(("value", "pattern"), OTHER)
def test_a_format_that_shows_something_else_is_found(value: Value, pattern: str) -> None:
    assert _why(value, pattern).startswith("shows ")


@pytest.mark.parametrize("locale", ["de_DE", "fr_FR", "en_GB", "ja_JP"])
def test_separators_are_those_of_the_spreadsheet(locale: str) -> None:
    for value in (1234567.891, -0.5, 1000.0, 12.0):
        for pattern in ("#,##0.00", "#,##0", "0.000", "0.0%"):
            assert _why(value, pattern, locale) == ""


def test_the_type_alone_is_a_format() -> None:
    for kind, value in (("CURRENCY", 1234.5), ("PERCENT", 0.25), ("DATE", 45000.0), ("SCIENTIFIC", 0.000123)):
        number: NumberFormat = {"type": kind}
        assert find_other_value(value, formats.format_value(value, number, "en_US"), number, "en_US") == ""
    assert find_other_value(1200.0, "4/14/1903", {"type": "DATE"}, "en_US")


def test_a_value_without_a_format_shows_itself() -> None:
    assert find_other_value(5.0, "5", None, "en_US") == ""
    assert find_other_value(5.0, "5", None, "en_US", "CURRENCY:[$€]#,##0") == ""
