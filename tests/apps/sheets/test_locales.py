"""Spreadsheets of other countries: what is typed and shown there, how formulas are written, and what a change of the
locale does to them.
"""

import re
from pathlib import Path

import pytest

from apps.sheets.cells import Area, Entry, Fault
from apps.sheets.engine import Moment
from apps.sheets.engine.locale_rewrite import rewrite_for_locale
from apps.sheets.engine.tokens import decimal_comma
from apps.sheets.engine.workbook import NativeWorkbook
from apps.sheets.formats import format_value
from apps.sheets.formats.entry import parse_entry, render_entry
from apps.sheets.formats.locales import LOCALES, locale_of
from tests.apps.sheets.conftest import Say
from tests.apps.sheets.requests.change_requests import Asking

NOW_US = 1_773_000_000_000_000  # 2026-03-08
COMMAS = sorted(name for name in LOCALES if decimal_comma(name))
# as Unicode CLDR 47 writes them, with whole years
SHOWN = {
    "es_ES": ("1.234,50\u00a0€", "2/3/2026", "14:30:05", "marzo", "VERDADERO"),
    "it_IT": ("1.234,50\u00a0€", "02/03/2026", "14:30:05", "marzo", "VERO"),
    "pt_BR": ("R$\u00a01.234,50", "02/03/2026", "14:30:05", "março", "VERDADEIRO"),
    "nl_NL": ("€\u00a01.234,50", "02-03-2026", "14:30:05", "maart", "WAAR"),
    "pl_PL": ("1\u00a0234,50\u00a0zł", "2.03.2026", "14:30:05", "marca", "PRAWDA"),
    "sv_SE": ("1\u00a0234,50\u00a0kr", "2026-03-02", "14:30:05", "mars", "SANT"),
    "ja_JP": ("¥1,235", "2026/03/02", "14:30:05", "3月", "TRUE"),
    "ko_KR": ("₩1,235", "2026. 3. 2.", "2:30:05 PM", "3월", "TRUE"),
    "tr_TR": ("₺1.234,50", "2.03.2026", "14:30:05", "Mart", "DOĞRU"),
    "en_IN": ("₹1,234.50", "02/03/2026", "2:30:05 PM", "March", "TRUE"),
}
DAY, CLOCK = 46_083, (14 * 3600 + 30 * 60 + 5) / 86_400
FORMULAS = {
    "=SUM(1.5,A1:B2,.5)": "=SUM(1,5;A1:B2;,5)",
    "={1,2.5;3,4}": "={1\\2,5;3\\4}",
    "=IF({1,2}=(2),{SUM(1,2),3;4,5},7)": "=IF({1\\2}=(2);{SUM(1;2)\\3;4\\5};7)",
    '=A1 & "1,5;2.5"': '=A1 & "1,5;2.5"',
    "=SUM('a,b;1.5'!A1 , 2)": "=SUM('a,b;1.5'!A1 ; 2)",
}


def kept(text: str, locale: str) -> tuple[str, str]:
    """What a typed text becomes, and as what it is shown then."""
    found = parse_entry(text, locale, NOW_US, "UTC")
    value: float | str = float(found.entry.input) if found.entry.kind == "number" else found.entry.input
    return found.entry.kind, format_value(value, found.number_format, locale)


@pytest.mark.parametrize(("locale", "expected"), SHOWN.items())
def test_money_days_times_and_words_are_the_countrys(locale: str, expected: tuple[str, ...]):
    money, day, time = (
        format_value(value, {"type": kind}, locale)
        for value, kind in ((1234.5, "CURRENCY"), (DAY, "DATE"), (CLOCK, "TIME"))
    )
    assert (
        money,
        day,
        time,
        format_value(float(DAY), {"type": "DATE", "pattern": "mmmm"}, locale),
        format_value(True, None, locale),
    ) == expected


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_shown_is_what_typing_it_makes(locale: str):
    words = locale_of(locale)
    assert (words.decimal == ",") == decimal_comma(locale) and len(words.months) == len(words.months_short) == 12
    assert len(words.days) == len(words.days_short) == 7
    for value, kind in (
        (-1234.5, "NUMBER"),
        (1234.0, "CURRENCY"),
        (0.455, "PERCENT"),
        (DAY, "DATE"),
        (CLOCK, "TIME"),
        (DAY + CLOCK, "DATE_TIME"),
    ):
        text = format_value(value, {"type": kind}, locale)
        assert kept(text, locale) == ("number", text), kind
        found = parse_entry(
            render_entry(Entry("number", repr(float(value))), {"type": kind}, locale), locale, NOW_US, "UTC"
        )
        assert float(found.entry.input) == pytest.approx(value)
    assert parse_entry(words.booleans[0], locale, NOW_US, "UTC").entry == Entry("boolean", "TRUE")
    assert kept(f"2 {words.months[2]} 2026", locale)[0] == ("number" if words.months[2].isalpha() else "text")


@pytest.mark.parametrize("locale", COMMAS)
def test_a_formula_is_written_with_semicolons_where_numbers_have_commas(locale: str):
    book = NativeWorkbook(lambda spreadsheet, reference: Fault("#REF!"))
    book.at(Moment(locale=locale))
    formulas = [
        "=SUM(1,5;2)",
        "=SUM({1\\2;3\\4,5})",
        "=SUM(1.5,2)",
        '="1,5"+1',
        '=1/4&""',
        '=VALUE("1,25")',
        '=COUNTIF(B1:B2;">1,4")',
    ]
    numbers = [(0, 1, Entry("number", "1.5")), (1, 1, Entry("number", "1.3"))]
    book.load([(0, "S", [*numbers, *((row, 0, Entry("formula", text)) for row, text in enumerate(formulas))])], {})
    found = [value for (value,) in book.values(0, Area(0, 0, len(formulas), 1))]
    assert found == [3.5, 10.5, Fault("#ERROR!", "Formula parse error."), 2.5, "0,25", 1.25, 1.0]


@pytest.mark.parametrize(("point", "comma"), FORMULAS.items())
def test_a_formula_is_put_into_the_words_of_another_locale(point: str, comma: str):
    assert (rewrite_for_locale(point, "en_US", "de_DE"), rewrite_for_locale(comma, "pl_PL", "en_GB")) == (comma, point)
    assert rewrite_for_locale(point, "en_US", "ja_JP") == point


def test_a_spreadsheet_keeps_its_results_when_it_moves_to_another_country(say: Say):
    asking = Asking(say)
    asking.put("Sheet1!H1:H2", [["=ROUND(10/4,1)"], ["=SUM({1,2.5})"]])
    asking.one("updateSpreadsheetProperties", properties={"locale": "it_IT"}, fields="locale")
    assert asking.typed("Sheet1!H1:H2") == [["=ROUND(10/4;1)"], ["=SUM({1\\2,5})"]]
    assert asking.values("Sheet1!H1:H2") == [["2,5"], ["3,5"]]
    asking.put("Sheet1!H3:J3", [["1.234,5", "2/3/2026", "=H3*2"]])
    assert asking.values("Sheet1!H3:J3", valueRenderOption="UNFORMATTED_VALUE") == [[1234.5, DAY, 2469]]


def test_the_settings_offer_every_locale():
    source = Path("apps/sheets/static/grid_dialogs.js").read_text(encoding="utf-8")
    offered = re.search(r'const LOCALES = "([^"]+)"', source)
    assert offered and sorted(offered[1].split()) == sorted(LOCALES) and len(LOCALES) > 25
