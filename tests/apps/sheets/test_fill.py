"""Autofill: what a few cells begin is continued, forwards and backwards."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sheets.cells import EMPTY, Entry
from apps.sheets.formats.entry import parse_entry
from apps.sheets.grid.autofill import series

NOW_US = 1_773_000_000_000_000


def filled(typed: list[str], count: int, backwards: bool = False, **options: str | bool) -> list[str]:
    """The inputs after what these typed texts become, numbers as they are kept."""
    cells = [parse_entry(text, "en_US", NOW_US, "UTC") for text in typed]
    entries, formats = [cell.entry for cell in cells], [cell.number_format for cell in cells]
    return [entry.input for entry in series(entries, formats, count, backwards, **options)]  # pyright: ignore[reportArgumentType]


def serials(*dates: str) -> list[str]:
    return [parse_entry(text, "en_US", NOW_US, "UTC").entry.input for text in dates]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["1", "2"], ["3", "4", "5"]),
        (["5"], ["5", "5", "5"]),
        (["$5", "$7"], ["9", "11", "13"]),
        (["0.1", "0.2"], ["0.3", "0.4", "0.5"]),
        (["10", "8", "6"], ["4", "2", "0"]),
        (["1", "1"], ["1", "1", "1"]),
        (["1", "2", "4"], ["5.333333333333333", "6.833333333333333", "8.333333333333334"]),
        (["Mon"], ["Tue", "Wed", "Thu"]),
        (["monday", "wednesday"], ["friday", "sunday", "tuesday"]),
        (["DECEMBER"], ["JANUARY", "FEBRUARY", "MARCH"]),
        (["Jan", "Apr"], ["Jul", "Oct", "Jan"]),
        (["May"], ["Jun", "Jul", "Aug"]),
        (["March", "May"], ["July", "September", "November"]),
        (["Mon", "Jan"], ["Mon", "Jan", "Mon"]),
        (["Q3"], ["Q4", "Q1", "Q2"]),
        (["item 1"], ["item 2", "item 3", "item 4"]),
        (["item 1", "item 3"], ["item 5", "item 7", "item 9"]),
        (["item 1", "item 2", "item 4"], ["item 1", "item 2", "item 4"]),
        (["v1.2-rc"], ["v1.3-rc", "v1.4-rc", "v1.5-rc"]),
        (["INC-0099"], ["INC-0100", "INC-0101", "INC-0102"]),
        (["a 1", "b 1"], ["a 2", "b 2", "a 3"]),
        (["yes", "no"], ["yes", "no", "yes"]),
        (["TRUE"], ["TRUE", "TRUE", "TRUE"]),
        (["=A1*$B$1"], ["=A2*$B$1", "=A3*$B$1", "=A4*$B$1"]),
        (["=A1", "=B1"], ["=A3", "=B3", "=A5"]),
        (["=A1", "5"], ["=A3", "5", "=A5"]),
        (["1", "x"], ["1", "x", "1"]),
        (["1", "2", "x"], ["3", "4", "x"]),
        (["", "1"], ["", "1", ""]),
        (["x", "1", "2"], ["x", "3", "4"]),
        (["1e308", "1.7e308"], ["1e+308", "1.7e+308", "1e+308"]),
    ],
)
def test_a_series_goes_on(typed: list[str], expected: list[str]):
    assert filled(typed, 3) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["3/2/2026"], ["3/3/2026", "3/4/2026"]),
        (["3/2/2026", "3/9/2026"], ["3/16/2026", "3/23/2026"]),
        (["1/15/2026", "2/15/2026"], ["3/15/2026", "4/15/2026"]),
        (["1/31/2026", "2/28/2026"], ["3/31/2026", "4/30/2026"]),
        (["1/30/2026", "3/30/2026", "5/30/2026"], ["7/30/2026", "9/30/2026"]),
        (["12/30/2026", "1/30/2027"], ["2/28/2027", "3/30/2027"]),
        (["2/29/2024", "2/28/2025"], ["2/28/2026", "2/28/2027"]),
        (["1/30/2023", "2/28/2023"], ["3/29/2023", "4/27/2023"]),
        (["1/31/2024", "2/29/2024"], ["3/31/2024", "4/30/2024"]),
        (["1/1/2026", "1/1/2025"], ["1/1/2024", "1/1/2023"]),
        (["3/2/2026", "3/2/2026"], ["3/2/2026", "3/2/2026"]),
        (["3/2/2026 12:00"], ["3/3/2026 12:00", "3/4/2026 12:00"]),
        (["22:30"], ["23:30", "0:30"]),
        (["9:00", "9:15"], ["9:30", "9:45"]),
    ],
)
def test_dates_go_on_by_days_or_months_and_times_by_hours(typed: list[str], expected: list[str]):
    assert [float(text) for text in filled(typed, 2)] == pytest.approx(
        [float(text) for text in serials(*expected)], abs=1e-9
    )


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["1", "2"], ["0", "-1", "-2"]),
        (["Tue", "Wed"], ["Mon", "Sun", "Sat"]),
        (["Q1"], ["Q4", "Q3", "Q2"]),
        (["item 3", "item 4"], ["item 2", "item 1", "item 0"]),
        (["x", "y"], ["y", "x", "y"]),
        (["=A10"], ["=A9", "=A8", "=A7"]),
        (["=A2"], ["=A1", "=#REF!", "=#REF!"]),
    ],
)
def test_backwards_the_nearest_comes_first(typed: list[str], expected: list[str]):
    assert filled(typed, 3, backwards=True) == expected


def test_the_alternate_series_counts_a_number_and_copies_what_else_would_count():
    assert filled(["5"], 2, alternate=True) == ["6", "7"]
    assert filled(["Mon"], 2, alternate=True) == ["Mon", "Mon"]
    assert filled(["item 1"], 2, alternate=True) == ["item 1", "item 1"]
    assert filled(["3/2/2026"], 1, alternate=True) == serials("3/2/2026")
    assert filled(["=A1"], 1, alternate=True) == ["=A2"]


def test_along_a_row_formulas_shift_by_columns():
    assert filled(["=A1+$B1"], 2, axis="COLUMNS") == ["=B1+$B1", "=C1+$B1"]


def test_other_languages_have_their_own_words_and_english():
    assert filled(["Montag"], 2, locale="de_DE") == ["Dienstag", "Mittwoch"]
    assert filled(["janvier"], 1, locale="fr_FR") == ["février"]
    assert filled(["Monday"], 1, locale="de_DE") == ["Tuesday"]
    assert filled(["Montag"], 1) == ["Montag"]


def test_nothing_begins_nothing():
    assert series([], [], 3, False) == []
    assert series([EMPTY], [None], 2, False) == [EMPTY, EMPTY]
    assert filled(["1"], 0) == []


def test_a_date_beyond_the_calendar_is_not_followed():
    day: Mapping[str, str] = {"type": "DATE"}
    last = [Entry("number", text) for text in serials("10/31/9999", "11/30/9999")]
    assert [entry.input for entry in series(last, [day, day], 2, False)] == [*serials("12/31/9999"), last[1].input]


CELLS = st.lists(
    st.sampled_from(["1", "2.5", "-3", "3/2/2026", "12:00", "Mon", "Q2", "item 7", "x", "=A50", "TRUE", ""]),
    min_size=1,
    max_size=6,
)


@given(CELLS, st.integers(0, 9), st.integers(0, 9))
def test_a_longer_series_begins_with_the_shorter_one(typed: list[str], count: int, more: int):
    assert filled(typed, count + more)[:count] == filled(typed, count)


@given(CELLS)
def test_kinds_come_round_in_the_order_of_the_source(typed: list[str]):
    cells = [parse_entry(text, "en_US", NOW_US, "UTC") for text in typed]
    out = series([cell.entry for cell in cells], [cell.number_format for cell in cells], 2 * len(cells), False)
    assert [entry.kind for entry in out] == [cell.entry.kind for cell in cells] * 2
