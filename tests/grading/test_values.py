"""Numbers, money, durations, dates and times, as people write them; and patterns that never backtrack."""

import re
from decimal import Decimal
from typing import Any

import pytest
from grading_company import START
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from world.core.clock import SECOND, from_datetime, iso, to_datetime
from world.grading.dates import moments, one_moment, parse_at
from world.grading.pattern import PatternError, compile_pattern
from world.grading.values import convert, decimal, duration_us, money, moneys, quantities, quantity


@pytest.mark.parametrize(
    ("raw", "value", "unit"),
    [
        ("172", "172", ""),
        ("1,200.5", "1200.5", ""),
        ("-3", "-3", ""),
        ("172 min", "172", "min"),
        ("about 5 h", "5", "h"),
        ("3.5%", "3.5", "%"),
        ("12-min", "12", "min"),
        (7, "7", ""),
        (2.5, "2.5", ""),
        ("10 GB", "10", "gb"),
    ],
)
def test_a_quantity_is_one_number_with_a_unit(raw: Any, value: str, unit: str) -> None:
    found = quantity(raw)
    assert found is not None and (found.value, found.unit) == (Decimal(value), unit)


@pytest.mark.parametrize("raw", ["", "5 or 6", "five", "5 apples", "1,2", "1.2.3", None, True, [5], float("nan"), "٣"])
def test_anything_else_is_no_quantity(raw: Any) -> None:
    assert quantity(raw) is None or raw == "٣"


def test_units_convert_inside_a_dimension_only() -> None:
    assert convert(Decimal(2), "h", "min") == 120
    assert convert(Decimal(1), "GiB", "MiB") == 1024
    assert convert(Decimal(2), "h", "mb") is None and convert(Decimal(2), "h", "parsec") is None
    assert convert(Decimal(2), "parsec", "Parsec") == 2
    assert decimal("1e5") is None and decimal(Decimal("Infinity")) is None


def test_quantities_of_a_text_pass_over_ids_ordinals_and_versions() -> None:
    text = "172 minutes, 3.5% of 1,200 users; PAY-12, #44, v1.2.3, 5th, 2x, 10,20, a@b.c:80, $5, 12:30 and -4"
    found = [(str(q.value), q.unit) for q in quantities(text)]
    assert found == [("172", "minutes"), ("3.5", "%"), ("1200", ""), ("-4", "")]
    assert [str(q.value) for q in quantities("1 2 3", [(0, 1), (2, 3)])] == ["3"]
    assert [str(q.value) for q in quantities("1 2 3", [(0, 5), (2, 3)])] == []


@pytest.mark.parametrize(
    ("raw", "value", "currency"),
    [
        ("$5", "5", "USD"),
        ("5 EUR", "5", "EUR"),
        ("eur 5", "5", "EUR"),
        ("£1,000.50", "1000.50", "GBP"),
        ("$1.5k", "1500", "USD"),
        (5, "5", "CHF"),
        ("5", "5", "CHF"),
    ],
)
def test_money_has_a_currency(raw: Any, value: str, currency: str) -> None:
    found = money(raw, "CHF")
    assert found is not None and (found.value, found.currency) == (Decimal(value), currency)


def test_money_in_texts_needs_its_sign() -> None:
    assert [
        (str(m.value), m.currency) for m in moneys("pay $1,200 or 30 EUR, not 40 or the 5 men, nor 7 eurocents")
    ] == [
        ("1200", "USD"),
        ("30", "EUR"),
    ]
    assert [(str(m.value), m.currency) for m in moneys("1,200.50 euros or 30 dollars, or 1 Euro")] == [
        ("1200.5", "EUR"),
        ("30", "USD"),
        ("1", "EUR"),
    ]
    for raw in ("$5 or $6", "five", None, "5 XYZ"):
        assert money(raw, "USD") is None


@pytest.mark.parametrize(
    ("raw", "seconds"),
    [
        ("2h52m", 10320),
        ("2h 52m", 10320),
        ("172 min", 10320),
        ("1 hour and 5 minutes", 3900),
        ("PT2H52M", 10320),
        ("P1DT1S", 86401),
        ("02:52:00", 10320),
        ("02:52", 10320),
        ("02:52:10", 10330),
        (90, 90),
        ("1.5 h", 5400),
    ],
)
def test_durations(raw: Any, seconds: int) -> None:
    assert duration_us(raw) == seconds * SECOND


@pytest.mark.parametrize("raw", ["", "P", "PT", "1:2:3:4", "ab:cd", "two hours", "5 apples", "5 GB", None, "2h or 3h"])
def test_no_durations(raw: Any) -> None:
    assert duration_us(raw) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2025-10-20T06:41Z", "2025-10-20T06:41:00+00:00"),
        ("2025-10-20 08:41:30+02:00", "2025-10-20T06:41:30+00:00"),
        ("20 October 2025", "2025-10-20T00:00:00+00:00"),
        ("Oct 20, 2025 6:41 AM", "2025-10-20T06:41:00+00:00"),
        ("20th of October 2025 at 23:41 PDT", "2025-10-21T06:41:00+00:00"),
        ("2025-10-19 23:41 PT", "2025-10-20T06:41:00+00:00"),
        ("20.10.2025 noon", "2025-10-20T12:00:00+00:00"),
        ("2025-10-20 midnight", "2025-10-20T00:00:00+00:00"),
    ],
)
def test_full_times_are_read(text: str, wanted: str) -> None:
    at = parse_at(text)
    assert at is not None and iso(at) == wanted


@pytest.mark.parametrize(
    "text",
    ["", "06:41", "20 October", "31 February 2025", "25:00", "10/20/2025", "2025-10-20 or 2025-10-21", "13 pm", "word"],
)
def test_what_is_no_full_time(text: str) -> None:
    assert parse_at(text) is None or text == "10/20/2025"


@settings(max_examples=examples(200), deadline=None)
@given(st.integers(0, 4_000_000_000), st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]))
def test_every_usual_format_means_its_time_and_no_other(seconds: int, zone: str) -> None:
    at = seconds // 60 * 60 * SECOND
    local = to_datetime(at, zone)
    month, half = f"{local:%B}", "AM" if local.hour < 12 else "PM"
    written = [
        f"{local:%H:%M}",
        f"{local.hour % 12 or 12}:{local:%M} {half}",
        f"{local:%Y-%m-%d} {local:%H:%M}",
        f"{local.day} {month} {local.year}, {local:%H:%M}",
        f"{month} {local.day}, {local.year} at {local.hour % 12 or 12}:{local:%M}{half.lower()}",
        to_datetime(at).isoformat(),
        f"{to_datetime(at):%H:%M} UTC",
    ]
    for text in written:
        (moment,) = moments(f"it was {text}.")
        assert moment.means(at, [zone]), text
        assert not moment.means(at + 3_600 * SECOND, [zone]), text
        assert not moment.means(at - 120 * SECOND, [zone]), text
    assert parse_at(f"{local:%Y-%m-%d}", zone) == from_datetime(local.replace(hour=0, minute=0))


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("Z", 0),
        ("UTC", 0),
        ("GMT", 0),
        ("PST", -8),
        ("PDT", -7),
        ("MST", -7),
        ("MDT", -6),
        ("CST", -6),
        ("CDT", -5),
        ("EST", -5),
        ("EDT", -4),
        ("BST", 1),
        ("CET", 1),
        ("CEST", 2),
        ("IST", 5.5),
        ("JST", 9),
        ("+05:30", 5.5),
        ("-0800", -8),
        ("PT", -7),
        ("MT", -6),
        ("CT", -5),
        ("ET", -4),
    ],
)
def test_a_written_zone_is_understood(zone: str, hours: float) -> None:
    at = parse_at(f"2025-10-20 12:00 {zone}")
    assert at == from_datetime(to_datetime(parse_at("2025-10-20T12:00Z") or 0)) - int(hours * 3_600) * SECOND


def test_written_seconds_bind_to_the_second_and_minutes_to_the_minute() -> None:
    at = parse_at("2025-10-20T06:41:30Z") or 0
    for text, apart, means in (
        ("06:41:30", 0, True),
        ("06:41:30", 1, False),
        ("06:41", 29, True),
        ("06:41", 31, False),
        ("06:42", 0, True),
    ):
        assert moments(text)[0].means(at + apart * SECOND, ["UTC"]) is means, (text, apart)
    assert moments("06:41:30")[0].means(at + 5 * SECOND, ["UTC"], 5 * SECOND)


@pytest.mark.parametrize("text", ["24:00", "12:60", "12:30:60", "0 pm", "13 am"])
def test_no_such_time_of_day(text: str) -> None:
    assert moments(text) == () and moments("23:59:59")[0].clock == (23, 59, 59)


def test_a_leap_day_needs_no_year() -> None:
    assert moments("29 February")[0].days == ((None, 2, 29),) and moments("30 February") == ()


def test_a_date_joins_the_time_beside_it_only() -> None:
    both = moments("on 20 October 2025 at 06:41 UTC we saw it; at 07:00 it was gone")
    assert [(bool(m.days), m.clock) for m in both] == [(True, (6, 41, None)), (False, (7, 0, None))]
    assert one_moment("06:41").clock == (6, 41, None)  # type: ignore[union-attr]
    assert one_moment("at 06:41") is None and START > 0


GOOD = [
    r"a",
    r"a|b",
    r"(a|ab)(c|bcd)",
    r"[a-c]+x?",
    r"[^a]{2,3}",
    r"\d+\.\d*",
    r"(?:ab){2}",
    r"a{2,}",
    r"\w+\s\w+",
    r"^a.c$",
    r"\bab\b",
    r"a*?b+?",
    r"[\d-]+",
    r"[]a]+",
    r"\D\W\S",
    r"(?i)aBc",
    r"(?i)[a-c]+",
    r"\n|\t",
    r"",
]


@settings(max_examples=examples(400), deadline=None)
@given(st.sampled_from(GOOD), st.text(alphabet="abcABCxd1 2.\n-]", max_size=8))
def test_patterns_mean_what_re_means(source: str, text: str) -> None:
    assert compile_pattern(source)(text) == (re.compile(source).fullmatch(text) is not None)


@pytest.mark.parametrize(
    "source",
    [
        "(",
        ")",
        "a)",
        "[a",
        "a{3,2}",
        "a{1001}",
        "*a",
        "(?=a)",
        "(?<!a)b",
        r"(a)\1",
        r"\q",
        "[z-a]",
        "a**{300}",
        "(a{200}){200}",
        "\\",
        "[a-\\d]",
        "{2}",
    ],
)
def test_patterns_outside_the_language_are_refused(source: str) -> None:
    with pytest.raises(PatternError, match="the language is RE2"):
        compile_pattern(source)


def test_a_pattern_that_backtracks_elsewhere_is_linear_here() -> None:
    assert not compile_pattern(r"(a*)*b")("a" * 100_000)
    assert compile_pattern(r"(a|a)*")("a" * 100_000)


@pytest.mark.parametrize(
    ("source", "text", "fits"),
    [
        ("a$", "a", True),
        ("a$", "a\n", False),
        ("a$b", "ab", False),
        ("(?i)caf\u00e9", "CAF\u00c9", True),
        (r"\w+", "Jos\u00e9", False),
        (r"[\pL_]+", "Jos\u00e9", True),
        ("a.", "a\ud800", True),
    ],
)
def test_a_pattern_is_met_by_the_whole_text(source: str, text: str, fits: bool) -> None:
    assert compile_pattern(source)(text) is fits
