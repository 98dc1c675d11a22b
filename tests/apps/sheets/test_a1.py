"""A1 notation, from the table of developers.google.com/workspace/sheets/api/guides/concepts#cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sheets import a1
from apps.sheets.cells import Area

FORMS = {
    "Sheet1!A1:B2": ("Sheet1", Area(0, 0, 2, 2), None),
    "Sheet1!A:A": ("Sheet1", Area(0, 0, None, 1), None),
    "Sheet1!1:2": ("Sheet1", Area(0, 0, 2, None), None),
    "Sheet1!A5:A": ("Sheet1", Area(4, 0, None, 1), None),
    "A1:B2": (None, Area(0, 0, 2, 2), None),
    "Sheet1": (None, None, "Sheet1"),
    "'Jon's_Data'!A1:D5": ("Jon's_Data", Area(0, 0, 5, 4), None),
    "'My Custom Sheet'!A:A": ("My Custom Sheet", Area(0, 0, None, 1), None),
    "'My Custom Sheet'": ("My Custom Sheet", None, None),
    "Sheet1!R1C1:R2C2": ("Sheet1", Area(0, 0, 2, 2), None),
    "R1C1:R2C2": (None, Area(0, 0, 2, 2), None),
    "r3c2": (None, Area(2, 1, 3, 2), None),
    "'It''s'!B2:C": ("It's", Area(1, 1, None, 3), None),
    "Class Data!A2:E": ("Class Data", Area(1, 0, None, 5), None),
    "A1": (None, Area(0, 0, 1, 1), None),
    "$A$1": (None, Area(0, 0, 1, 1), None),
    "$B5:a$2": (None, Area(1, 0, 5, 2), None),
    "A2:2": (None, Area(1, 0, 2, None), None),
    "ZZZ10000000": (None, Area(9_999_999, 18_277, 10_000_000, 18_278), None),
    "AAAA1": (None, None, "AAAA1"),
    "A0": (None, None, "A0"),
    "rates2026": (None, None, "rates2026"),
    "tax2026": (None, Area(2025, 13_569, 2026, 13_570), None),
    "Sheet1!Total": ("Sheet1", None, "Total"),
    "'Bang!'!A1": ("Bang!", Area(0, 0, 1, 1), None),
    "2:1": (None, Area(0, 0, 2, None), None),
    "My Sheet": (None, None, "My Sheet"),
}
BAD = [
    "",
    " ",
    "!A1",
    "Sheet1!",
    "A1:",
    ":A1",
    "A1:B2:C3",
    "A:1",
    "''!A1",
    "'Open!A1",
    "Sheet1!A1:word",
    "A0:B2",
    "AAAA1:B2",
    "Sheet1!A 1",
    "'S'!",
]
BAD += ["x" * 300, "Sheet1!R[3]C[1]", "$:$", "A1:B10000001"]


@pytest.mark.parametrize("written", FORMS)
def test_each_form_of_the_guide_is_read(written: str):
    assert tuple(a1.parse(written)) == FORMS[written]


@pytest.mark.parametrize("written", BAD)
def test_what_is_no_range_is_refused_in_the_vendors_words(written: str):
    with pytest.raises(a1.BadRange) as refused:
        a1.parse(written)
    assert str(refused.value) == f"Unable to parse range: {written}"


@pytest.mark.parametrize(
    ("title", "area", "expected"),
    [
        ("Sheet1", Area(0, 0, None, None), "Sheet1!A1:Z1000"),
        ("Sheet1", Area(0, 0, None, 1), "Sheet1!A1:A1000"),
        ("Sheet1", Area(1, 1, 2, 2), "Sheet1!B2"),
        ("It's", Area(1, 1, 3, None), "'It''s'!B2:Z3"),
        ("Q1", Area(0, 0, 1, 1), "'Q1'!A1"),
        ("2026", Area(0, 0, 1, 1), "'2026'!A1"),
        ("R1C1", Area(0, 0, 1, 1), "'R1C1'!A1"),
        ("True", Area(0, 0, 1, 1), "'True'!A1"),
        ("Umsätze", Area(0, 0, 1, 1), "'Umsätze'!A1"),
        ("rota_2026", Area(0, 0, 1, 1), "rota_2026!A1"),
        ("Sheet1", Area(1200, 0, 1300, 1), "Sheet1!A1201:A1300"),
    ],
)
def test_a_range_is_written_back_closed_and_quoted_where_needed(title: str, area: Area, expected: str):
    assert a1.text(title, area, 1000, 26) == expected


@given(st.integers(0, 18_277))
def test_letters_and_columns_are_inverse(number: int):
    assert a1.column(a1.letters(number)) == number


@given(
    st.text(min_size=1, max_size=20), st.integers(0, 5000), st.integers(0, 800), st.integers(1, 50), st.integers(1, 50)
)
def test_what_is_written_is_read_back(title: str, top: int, left: int, height: int, width: int):
    area = Area(top, left, top + height, left + width)
    assert a1.parse(a1.text(title, area, 9000, 900)) == (title, area, None)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(written: str):
    try:
        a1.parse(written)
    except a1.BadRange as refused:
        assert refused.text == written
