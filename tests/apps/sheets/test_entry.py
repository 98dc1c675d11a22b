"""Typed text: numbers, dates, times, booleans and formulas of each locale; what the formula bar shows is read back as
the same.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sheets.cells import EMPTY, Entry
from apps.sheets.formats import entry_dates, format_value
from apps.sheets.formats.entry import MOST_CHARACTERS, TooLong, parse_entry, render_entry

NOW_US = 1_773_000_000_000_000  # 2026-03-08, a Sunday
NEW_YEAR_US = (
    1_767_225_600_000_000 - 1_800_000_000
)  # half an hour before 2026 in London, half an hour after it in Berlin

Format = tuple[str, str] | None


def read(text: str, locale: str = "en_US") -> tuple[str, str, Format]:
    found = parse_entry(text, locale, NOW_US, "Europe/Berlin")
    pattern = found.number_format
    return found.entry.kind, found.entry.input, (pattern["type"], pattern.get("pattern", "")) if pattern else None


MINUTE = 1 / 1440
NUMBERS = {
    "5": ("5", None),
    "-5": ("-5", None),
    "+5": ("5", None),
    "007": ("7", None),
    "-0": ("0", None),
    ".5": ("0.5", None),
    "5.": ("5", None),
    " 5 ": ("5", None),
    "1e5": ("100000", ("SCIENTIFIC", "0.00E+00")),
    "1.5E-3": ("0.0015", ("SCIENTIFIC", "0.00E+00")),
    "1,200": ("1200", ("NUMBER", "#,##0")),
    "1,200.50": ("1200.5", ("NUMBER", "#,##0.00")),
    "-1,234,567.8": ("-1234567.8", ("NUMBER", "#,##0.00")),
    "$1,200.50": ("1200.5", ("CURRENCY", '"$"#,##0.00')),
    "$5": ("5", ("CURRENCY", '"$"#,##0')),
    "-$5": ("-5", ("CURRENCY", '"$"#,##0')),
    "$-5": ("-5", ("CURRENCY", '"$"#,##0')),
    "($5)": ("-5", ("CURRENCY", '"$"#,##0')),
    "€5": ("5", ("CURRENCY", "[$€]#,##0")),
    "(5)": ("-5", None),
    "45%": ("0.45", ("PERCENT", "0%")),
    "45.5%": ("0.455", ("PERCENT", "0.00%")),
    "-7 %": ("-0.07", ("PERCENT", "0%")),
    "9" * 30: ("1e+30", None),
    "12345678901234567": ("1.2345678901234568e+16", None),
    "0.1": ("0.1", None),
}
TEXTS = [
    "",
    "x",
    " x ",
    "1,2,3",
    "12,34",
    "1,2345",
    "1.2.3",
    "5 apples",
    "$",
    "%",
    "$5%",
    "(5",
    "5)",
    "--5",
    "-(5)",
    "1e400",
    "1e",
    "e5",
    "1 1/2",
    "½",
    "٣",
]
TEXTS += [
    "13/2/2026",
    "2/30/2026",
    "2026-02-30",
    "2026-13-01",
    "3/2/202",
    "3.2.2026",
    "192.168.1.1",
    "1-800-555",
    "10:75",
    "13:00 PM",
    "0:30 pm",
    "may",
    "May x",
]
TEXTS += [
    "Tuesday, March 2, 2026",
    "Mai 2",
    "-",
    "+",
    "=",
    "- item",
    "-A1",
    "@me",
    "2026-03-02T14:30:00Z",
    "yes",
    "truе",
    "5" * 401,
    "March 32",
]
DATES = {
    "3/2/2026": (46083, ("DATE", "")),
    "03/02/2026": (46083, ("DATE", "")),
    "3/2/26": (46083, ("DATE", "m/d/yy")),
    "3/2/30": (10_000 + 1019, ("DATE", "m/d/yy")),
    "3/2": (46083, ("DATE", "m/d")),
    "3-2-2026": (46083, ("DATE", "m-d-yyyy")),
    "2026-03-02": (46083, ("DATE", "yyyy-mm-dd")),
    "2026/3/2": (46083, ("DATE", "yyyy/m/d")),
    "2 Mar 2026": (46083, ("DATE", "d mmm yyyy")),
    "2-Mar-2026": (46083, ("DATE", "d-mmm-yyyy")),
    "2-mar": (46083, ("DATE", "d-mmm")),
    "March 2": (46083, ("DATE", "mmmm d")),
    "march 2, 2026": (46083, ("DATE", "mmmm d, yyyy")),
    "Mar 2 2026": (46083, ("DATE", "mmm d yyyy")),
    "March 2026": (46082, ("DATE", "mmmm yyyy")),
    "Monday, March 2, 2026": (46083, ("DATE", "dddd, mmmm d, yyyy")),
    "Mon 2 Mar 2026": (46083, ("DATE", "ddd, d mmm yyyy")),
    "2/29/2028": (46812, ("DATE", "")),
    "12/30/1899": (0, ("DATE", "")),
    "12/29/1899": (-1, ("DATE", "")),
    "14:30": (870 * MINUTE, ("TIME", "H:mm")),
    "2:30 PM": (870 * MINUTE, ("TIME", "h:mm am/pm")),
    "2:30:15 p.m.": (870.25 * MINUTE, ("TIME", "h:mm:ss am/pm")),
    "12:00 am": (0, ("TIME", "h:mm am/pm")),
    "3pm": (900 * MINUTE, ("TIME", "h:mm am/pm")),
    "09:05": (545 * MINUTE, ("TIME", "HH:mm")),
    "14:30:15": (870.25 * MINUTE, ("TIME", "H:mm:ss")),
    "1:02:03.5": (3723.5 / 86_400, ("TIME", "[h]:mm:ss.000")),
    "9:05": (545 * MINUTE, ("TIME", "H:mm")),
    "24:00": (1, ("TIME", "[h]:mm")),
    "03-02-2026": (46083, ("DATE", "mm-dd-yyyy")),
    "03/02/26": (46083, ("DATE", "mm/dd/yy")),
    "10/12/26": (46307, ("DATE", "m/d/yy")),
    "25:30": (1530 * MINUTE, ("TIME", "[h]:mm")),
    "3/2/2026 14:30": (46083 + 870 * MINUTE, ("DATE_TIME", "M/d/yyyy H:mm")),
    "3/2/2026 14:30:15": (46083 + 870.25 * MINUTE, ("DATE_TIME", "")),
    "2026-03-02 2:30 PM": (46083 + 870 * MINUTE, ("DATE_TIME", "yyyy-mm-dd h:mm am/pm")),
    "Mar 2, 2026, 14:30": (46083 + 870 * MINUTE, ("DATE_TIME", "mmm d, yyyy H:mm")),
}
ELSEWHERE = {
    ("en_GB", "02/03/2026"): (46083, ("DATE", "")),
    ("en_GB", "2.3.2026"): (46083, ("DATE", "d.m.yyyy")),
    ("en_GB", "2 March"): (46083, ("DATE", "d mmmm")),
    ("en_GB", "£1,200"): (1200, ("CURRENCY", '"£"#,##0')),
    ("de_DE", "1.200,50"): (1200.5, ("NUMBER", "#,##0.00")),
    ("de_DE", "3,5"): (3.5, None),
    ("de_DE", "3.5"): (46145, ("DATE", "d.m")),
    ("de_DE", "2.3."): (46083, ("DATE", "d.m.")),
    ("de_DE", "02.03.2026"): (46083, ("DATE", "")),
    ("de_DE", "2. März 2026"): (46083, ("DATE", "d. mmmm yyyy")),
    ("de_DE", "5 €"): (5, ("CURRENCY", '#,##0\u00a0"€"')),
    ("de_DE", "1.200,50 €"): (1200.5, ("CURRENCY", '#,##0.00\u00a0"€"')),
    ("de_DE", "45 %"): (0.45, ("PERCENT", "0%")),
    ("de_DE", "2.3.26 14:30"): (46083 + 870 * MINUTE, ("DATE_TIME", "d.m.yy H:mm")),
    ("fr_FR", "1 200,50"): (1200.5, ("NUMBER", "#,##0.00")),
    ("fr_FR", "1\u202f200,50\u00a0€"): (1200.5, ("CURRENCY", '#,##0.00\u00a0"€"')),
    ("fr_FR", "2 mars 2026"): (46083, ("DATE", "d mmmm yyyy")),
    ("fr_FR", "02/03/2026"): (46083, ("DATE", "")),
}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_and_the_format_they_bring(text: str):
    assert read(text) == ("number", *NUMBERS[text])


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:20])
def test_what_is_nothing_else_stays_text_as_typed(text: str):
    assert read(text) == ("text" if text else "", text, None)


@pytest.mark.parametrize("text", DATES)
def test_dates_and_times_keep_the_way_they_were_typed(text: str):
    kind, number, pattern = read(text)
    assert (kind, pattern) == ("number", DATES[text][1])
    assert float(number) == pytest.approx(DATES[text][0], abs=1e-9)


@pytest.mark.parametrize(("locale", "text"), ELSEWHERE)
def test_other_locales_have_other_marks_and_orders(locale: str, text: str):
    kind, number, pattern = read(text, locale)
    assert (kind, pattern) == ("number", ELSEWHERE[locale, text][1])
    assert float(number) == pytest.approx(ELSEWHERE[locale, text][0], abs=1e-9)


def test_booleans_in_any_case_and_in_the_locales_words():
    assert [read(text)[:2] for text in ("TRUE", "true", " False ")] == [
        ("boolean", "TRUE"),
        ("boolean", "TRUE"),
        ("boolean", "FALSE"),
    ]
    assert read("wahr", "de_DE")[:2] == ("boolean", "TRUE")
    assert read("faux", "fr_FR")[:2] == ("boolean", "FALSE")
    assert read("wahr")[0] == "text"


def test_an_apostrophe_makes_text_and_goes():
    assert read("'5") == ("text", "5", None)
    assert read("'=A1") == ("text", "=A1", None)
    assert read("'") == ("text", "", None)


def test_formulas_begin_with_an_equals_or_a_plus_sign():
    assert read("= A1 + 1") == ("formula", "= A1 + 1", None)
    assert read("+A1") == ("formula", "=+A1", None)
    assert read(" =A1")[0] == "text"


def test_the_year_that_was_not_typed_is_the_one_of_the_spreadsheets_zone():
    years = {
        zone: format_value(
            float(parse_entry("March 2", "en_US", NEW_YEAR_US, zone).entry.input), {"type": "DATE"}, "en_US"
        )
        for zone in ("UTC", "Europe/Berlin")
    }
    assert years == {"UTC": "3/2/2025", "Europe/Berlin": "3/2/2026"}


def test_no_cell_holds_more_than_fifty_thousand_characters():
    assert read("x" * MOST_CHARACTERS)[0] == "text"
    with pytest.raises(TooLong, match="maximum of 50000 characters"):
        read("x" * (MOST_CHARACTERS + 1))


@pytest.mark.parametrize("text", [*DATES, *NUMBERS])
def test_what_was_typed_is_shown_as_typed_or_tidied(text: str):
    found = parse_entry(text, "en_US", NOW_US, "UTC")
    assert format_value(float(found.entry.input), found.number_format, "en_US")


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-02",
        "3/2/2026",
        "2 Mar 2026",
        "March 2",
        "14:30",
        "2:30 PM",
        "25:30",
        "3/2/2026 14:30",
        "$5",
        "45%",
        "1,200.50",
    ],
)
def test_the_cell_displays_the_very_text(text: str):
    found = parse_entry(text, "en_US", NOW_US, "UTC")
    assert format_value(float(found.entry.input), found.number_format, "en_US") == text


@pytest.mark.parametrize(
    ("entry", "kind", "locale", "expected"),
    [
        (Entry("number", "0.45"), "PERCENT", "en_US", "45%"),
        (Entry("number", "0.285"), "PERCENT", "de_DE", "28,5%"),
        (Entry("number", "1200.5"), "CURRENCY", "en_US", "1200.5"),
        (Entry("number", "1200.5"), "", "de_DE", "1200,5"),
        (Entry("number", "46083"), "DATE", "en_US", "3/2/2026"),
        (Entry("number", "46083.5"), "DATE", "en_US", "3/2/2026 12:00:00"),
        (Entry("number", "0.5"), "TIME", "en_US", "12:00:00 PM"),
        (Entry("number", "1.5"), "TIME", "en_US", "36:00:00"),
        (Entry("number", "1e+30"), "", "en_US", "1E+30"),
        (Entry("number", "123456789012345680000"), "", "en_US", "123456789012345680000"),
        (Entry("number", "1e-07"), "", "en_US", "0.0000001"),
        (Entry("text", "5"), "", "en_US", "'5"),
        (Entry("text", "=A1"), "", "en_US", "'=A1"),
        (Entry("text", "'x"), "", "en_US", "''x"),
        (Entry("text", "x"), "", "en_US", "x"),
        (Entry("text", ""), "", "en_US", "'"),
        (Entry("boolean", "TRUE"), "", "de_DE", "WAHR"),
        (Entry("formula", "=A1"), "", "en_US", "=A1"),
        (EMPTY, "", "en_US", ""),
    ],
)
def test_the_formula_bar(entry: Entry, kind: str, locale: str, expected: str):
    assert render_entry(entry, {"type": kind} if kind else None, locale) == expected


LOCALES = st.sampled_from(["en_US", "en_GB", "de_DE", "fr_FR", "de_CH", "en_CA"])
PIECES = st.sampled_from([*"0123456789.,:/-+$€%()'= eE", "12", "2026", "Mar", "März", "pm", "TRUE", "30", "00"])
TYPED = st.one_of(st.text(max_size=12), st.lists(PIECES, max_size=8).map("".join))


@given(TYPED, LOCALES)
def test_the_formula_bar_typed_again_is_the_same_entry(text: str, locale: str):
    found = parse_entry(text, locale, NOW_US, "UTC")
    again = parse_entry(render_entry(found.entry, found.number_format, locale), locale, NOW_US, "UTC")
    assert again.entry.kind == found.entry.kind
    if found.entry.kind == "number":
        assert float(again.entry.input) == pytest.approx(float(found.entry.input), rel=1e-15, abs=1e-8)
    else:
        assert again.entry.input == found.entry.input


@given(
    st.floats(allow_nan=False, allow_infinity=False), LOCALES, st.sampled_from(["", "NUMBER", "CURRENCY", "SCIENTIFIC"])
)
def test_every_number_survives_the_formula_bar(value: float, locale: str, kind: str):
    text = render_entry(Entry("number", repr(value)), {"type": kind}, locale)
    assert float(parse_entry(text, locale, 0, "UTC").entry.input) == value


@pytest.mark.parametrize(
    "text",
    [
        "1," * 25_000,
        "9" * 50_000,
        "(" * 50_000,
        "1:" * 25_000,
        " " * 49_999 + "1",
        "Mon " * 12_000 + "1",
        "1 " * 25_000,
    ],
)
def test_hostile_text_stays_linear(text: str):
    assert read(text)[0] in ("text", "number")


def test_no_date_is_longer_than_its_bound():
    assert entry_dates.parse_moment("Monday" + " " * 60 + "March 2", "en_US", NOW_US, "UTC") is None
