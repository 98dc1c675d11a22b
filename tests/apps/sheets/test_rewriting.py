"""References in formula text: copied, inserted, deleted, moved, renamed; the rest stays as written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.sheets.a1 import quote_sheet_name
from apps.sheets.cells import Area
from apps.sheets.structure import formula_references as rw

CORNERS = st.builds(
    lambda fixed, column, also, row: f"{'$' if fixed else ''}{column}{'$' if also else ''}{row}",
    st.booleans(),
    st.sampled_from("A B c Z AA".split()),
    st.booleans(),
    st.integers(2, 40),
)
SHEETS = st.sampled_from(["", "", "Sheet1!", "sheet1!", "'It''s'!", "Other!"])
REFERENCES = st.one_of(
    st.builds("{}{}".format, SHEETS, CORNERS),
    st.builds("{}{}:{}".format, SHEETS, CORNERS, CORNERS),
    st.builds("{}{}:B".format, SHEETS, CORNERS),
    st.builds("{}{}".format, SHEETS, st.sampled_from(["A:C", "$2:7", "B:$B", "D3:D"])),
)
OPAQUE = st.sampled_from(
    [
        '"A1:B2"',
        '"it""s A1"',
        "LOG10(",
        "rates_2026",
        "AAAA1",
        "1E5",
        "#REF!",
        "#N/A",
        "TRUE",
        "Table1[A1]",
        "A1x",
        "tax.A1",
        "  ",
        "{1,2;3}",
    ]
)
FORMULAS = st.lists(st.one_of(REFERENCES, OPAQUE), min_size=1, max_size=8).map(lambda parts: "=" + " + ".join(parts))


@pytest.mark.parametrize(
    ("formula", "rows", "columns", "expected"),
    [
        ("=A1", 1, 1, "=B2"),
        ("=$A1+A$1+$A$1", 1, 1, "=$A2+B$1+$A$1"),
        ("=A1", -1, 0, "=#REF!"),
        ("=SUM(B2:C3)", -2, 0, "=SUM(#REF!)"),
        ("=sum( a1 , 'It''s'!B2:C )", 1, 0, "=sum( A2 , 'It''s'!B3:C )"),
        ('="A1"&A1', 1, 0, '="A1"&A2'),
        ("=LOG10(A1)+ATAN2 (A1,A2)", 1, 0, "=LOG10(A2)+ATAN2 (A2,A3)"),
        ("=A:A+2:3", 1, 1, "=B:B+3:4"),
        ("=A$1:A1", 4, 0, "=A$1:A5"),
        ("=A1:INDEX(B:B,5)", 1, 0, "=A2:INDEX(B:B,5)"),
        ("=ZZZ1", 0, 1, "=#REF!"),
        ("=A10000000", 1, 0, "=#REF!"),
        ("=AAAA1+rates2026+x1y+1E5+A1.5", 1, 1, "=AAAA1+rates2026+x1y+1E5+A1.5"),
        ("=#REF!A1+A1#", 1, 0, "=#REF!A1+A2#"),
        ("=Sheet1!A1:Sheet1!B2", 1, 0, "=Sheet1!A2:Sheet1!B3"),
        ("=Umsätze!A1", 1, 0, "=Umsätze!A2"),
        ("=2026!A1", 1, 0, "=2026!A2"),
        ("=Sales[A1]+A1", 1, 0, "=Sales[A1]+A2"),
        ("=A0+A00000000", 1, 0, "=A0+A00000000"),
        ('="unclosed A1', 1, 0, '="unclosed A1'),
    ],
)
def test_copied_references_shift_and_all_else_stays(formula: str, rows: int, columns: int, expected: str):
    assert rw.shift_formula(formula, rows, columns) == expected


@pytest.mark.parametrize(
    ("formula", "axis", "start", "count", "expected"),
    [
        ("=A2", "ROWS", 1, 2, "=A4"),
        ("=A1", "ROWS", 1, 2, "=A1"),
        ("=$A$2", "ROWS", 1, 1, "=$A$3"),
        ("=SUM(A1:A3)", "ROWS", 1, 2, "=SUM(A1:A5)"),
        ("=SUM(A1:A3)", "ROWS", 3, 2, "=SUM(A1:A3)"),
        ("=SUM(A1:A3)", "ROWS", 0, 1, "=SUM(A2:A4)"),
        ("=SUM(A3:A1)", "ROWS", 1, 1, "=SUM(A4:A1)"),
        ("=SUM(A5:A)", "ROWS", 0, 1, "=SUM(A6:A)"),
        ("=SUM(A:C)", "ROWS", 0, 1, "=SUM(A:C)"),
        ("=SUM(A:C)", "COLUMNS", 1, 1, "=SUM(A:D)"),
        ("=SUM(2:3)", "ROWS", 2, 1, "=SUM(2:4)"),
        ("=Sheet2!A2+sheet1!A2+'Sheet1'!A2", "ROWS", 0, 1, "=Sheet2!A2+sheet1!A3+'Sheet1'!A3"),
        ("=A9999999", "ROWS", 0, 5, "=#REF!"),
        ("=A1:A9999999", "ROWS", 1, 5, "=A1:A10000000"),
    ],
)
def test_an_insertion_pushes_and_grows(formula: str, axis: rw.Axis, start: int, count: int, expected: str):
    assert rw.insert_lines(formula, "Sheet1", "Sheet1", axis, start, count) == expected


@pytest.mark.parametrize(
    ("formula", "axis", "start", "count", "expected"),
    [
        ("=A2", "ROWS", 1, 1, "=#REF!"),
        ("=A4", "ROWS", 1, 2, "=A2"),
        ("=SUM(A1:A5)", "ROWS", 1, 2, "=SUM(A1:A3)"),
        ("=SUM(A2:A5)", "ROWS", 0, 3, "=SUM(A1:A2)"),
        ("=SUM(A2:A5)", "ROWS", 3, 9, "=SUM(A2:A3)"),
        ("=SUM(A2:A3)", "ROWS", 1, 2, "=SUM(#REF!)"),
        ("=SUM(A5:A)", "ROWS", 3, 3, "=SUM(A4:A)"),
        ("=A:A+B:D", "COLUMNS", 0, 2, "=#REF!+A:B"),
        ("=Other!A2+A2", "ROWS", 0, 1, "=Other!A2+A1"),
        ("=SUM($D$5:$B$2)", "COLUMNS", 2, 1, "=SUM($C$5:$B$2)"),
    ],
)
def test_a_deletion_pulls_and_shrinks(formula: str, axis: rw.Axis, start: int, count: int, expected: str):
    assert rw.delete_lines(formula, "Sheet1", "Sheet1", axis, start, count) == expected


def test_cells_shifted_within_a_band_take_only_what_lies_in_it():
    assert rw.insert_lines("=A5+D5+A5:D5+A:A", "S", "S", "ROWS", 2, 1, band=(0, 2)) == "=A6+D5+A5:D5+A:A"
    assert rw.delete_lines("=A5+D5+SUM(3:4)", "S", "S", "ROWS", 2, 1, band=(0, 2)) == "=A4+D5+SUM(3:4)"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("=A1", "=C10"),
        ("=$A$1", "=$C$10"),
        ("=SUM(A1:B2)", "=SUM(C10:D11)"),
        ("=SUM(A1:B3)", "=SUM(A1:B3)"),
        ("=Sheet1!A1+Other!A1", "=Sheet1!C10+Other!A1"),
        ("=C10", "=C10"),
    ],
)
def test_cut_cells_are_followed_by_what_refers_to_them(formula: str, expected: str):
    assert rw.move_references(formula, "Sheet1", "Sheet1", Area(0, 0, 2, 2), "Sheet1", 9, 2) == expected


def test_a_cut_goes_by_how_far_it_is_from_its_source():
    assert rw.move_references("=$C4:D5+C6", "S", "S", Area(3, 2, 5, 4), "S", 1, 1) == "=$B2:C3+C6"


def test_a_cut_to_another_sheet_writes_its_title_where_needed():
    source = Area(0, 0, 1, 1)
    assert rw.move_references("=A1+B1", "Sheet1", "Sheet1", source, "New one", 4, 0) == "='New one'!A5+B1"
    assert (
        rw.move_references("=A1+B1", "Sheet1", "Sheet1", source, "New one", 4, 0, own_after="New one")
        == "=A5+Sheet1!B1"
    )
    assert rw.move_references("=Sheet1!A1", "New one", "Sheet1", source, "New one", 4, 0) == "='New one'!A5"
    assert rw.move_references("=A1", "Sheet1", "Sheet1", source, "Sheet1", 10_000_000, 0) == "=#REF!"


def test_moved_rows_keep_their_references_as_in_the_example_of_move_dimension():
    assert rw.move_lines("=A1+A2+A3+A4+A5", "S", "S", "ROWS", 1, 3, 4) == "=A1+A3+A4+A2+A5"
    assert rw.move_lines("=A1+A2+A3+A4+A5", "S", "S", "ROWS", 2, 4, 1) == "=A1+A4+A2+A3+A5"
    assert (
        rw.move_lines("=SUM(A1:A5)+SUM(A2:A3)+SUM(B2:B)", "S", "S", "ROWS", 1, 3, 4)
        == "=SUM(A1:A5)+SUM(A3:A4)+SUM(B2:B)"
    )
    assert rw.move_lines("=A2", "S", "S", "ROWS", 1, 3, 2) == "=A2"


def test_a_range_that_loses_rows_to_a_move_shrinks_and_one_that_takes_them_grows():
    assert rw.move_lines("=SUM(A1:A4)", "S", "S", "ROWS", 1, 3, 6) == "=SUM(A1:A2)"
    assert rw.move_lines("=SUM(A1:A3)", "S", "S", "ROWS", 1, 3, 6) == "=SUM(A1:A1)"
    assert rw.move_lines("=SUM(A5:A8)", "S", "S", "ROWS", 1, 3, 6) == "=SUM(A3:A8)"


@given(st.integers(0, 8), st.integers(1, 4), st.integers(0, 14), st.integers(0, 12))
def test_a_cell_ends_where_its_row_ends(start: int, count: int, destination: int, row: int):
    end = start + count
    rows = list(range(40))
    kept = [each for each in rows[:destination] if not start <= each < end]
    order = kept + rows[start:end] + [each for each in rows[destination:] if not start <= each < end]
    if start <= destination <= end:
        order = rows
    assert rw.move_lines(f"=A{row + 1}", "S", "S", "ROWS", start, end, destination) == f"=A{order.index(row) + 1}"


@pytest.mark.parametrize(
    ("formula", "old", "new", "expected"),
    [
        ("=Sheet1!A1+'Sheet1'!B2", "Sheet1", "It's", "='It''s'!A1+'It''s'!B2"),
        ("='It''s'!A1:B2&\"It's!\"", "it's", "Rota", '=Rota!A1:B2&"It\'s!"'),
        ("=Sheet1!Total+Sheet11!A1+Sheet1", "Sheet1", "Q1", "='Q1'!Total+Sheet11!A1+Sheet1"),
    ],
)
def test_a_renamed_sheet_is_renamed_wherever_it_is_named(formula: str, old: str, new: str, expected: str):
    assert rw.rename_sheet(formula, old, new) == expected


def test_a_renamed_range_is_renamed_and_functions_are_not():
    formula = '=rate*RATE(1,2)+"rate"+rates+Sheet1!rate+RATE'
    assert rw.rename_range(formula, "rate", "tax") == '=tax*RATE(1,2)+"rate"+rates+Sheet1!tax+tax'


def test_references_to_a_deleted_sheet_are_lost():
    assert rw.drop_sheet("=A1+'It''s'!A1:B2+Other!A1", "IT'S") == "=A1+#REF!+Other!A1"


def test_references_are_found_with_their_places():
    formula = "=SUM(A1:B2)+'It''s'!C:C"
    found = [
        (formula[one.start : one.end], one.sheet, one.span("ROWS"), one.span("COLUMNS"))
        for one in rw.find_references(formula)
    ]
    assert found == [("A1:B2", None, (0, 1), (0, 1)), ("'It''s'!C:C", "It's", None, (2, 2))]


@given(FORMULAS)
def test_shifting_by_nothing_is_the_identity_and_back_again_restores(formula: str):
    assert rw.shift_formula(formula, 0, 0) == formula
    there = rw.shift_formula(formula, 3, 2)
    assert rw.shift_formula(there, -3, -2).upper() == formula.upper()


@given(FORMULAS, st.sampled_from(["ROWS", "COLUMNS"]), st.integers(0, 45), st.integers(1, 5))
def test_inserting_then_deleting_restores(formula: str, axis: rw.Axis, start: int, count: int):
    there = rw.insert_lines(formula, "Sheet1", "Sheet1", axis, start, count)
    assert rw.delete_lines(there, "Sheet1", "Sheet1", axis, start, count).upper() == formula.upper()


@given(FORMULAS)
def test_a_renaming_there_and_back_restores(formula: str):
    there = rw.rename_sheet(formula, "It's", "Somewhere else")
    assert "'It''s'" not in re.sub('"[^"]*"', "", there)
    assert rw.rename_sheet(there, "Somewhere else", "It's") == formula


@given(FORMULAS)
def test_a_parse_by_words_finds_the_same_references(formula: str):
    """The parts are joined by ` + `: each is a whole reference or holds none."""
    one = re.compile(r"('It''s'!|\w+!)?(\$?[A-Za-z]{1,2}\$?\d+(:(\$?[A-Za-z]{1,2}\$?\d*))?|\$?[A-D]:\$?[A-D]|\$2:7)")
    parts = [part for part in formula[1:].split(" + ") if one.fullmatch(part)]
    assert [formula[one.start : one.end] for one in rw.find_references(formula)] == parts


@given(st.text(max_size=60))
def test_any_text_passes(text: str):
    formula = "=" + text
    assert rw.shift_formula(formula, 0, 0) == formula
    assert rw.rename_sheet(formula, "no such sheet", "x") == formula


HOSTILE = [
    "'" * 50_000,
    "'a" * 25_000,
    "a" * 50_000,
    "A1 " * 16_000,
    "[" * 50_000,
    '"' * 49_999,
    "A1:" * 16_000,
    "$" * 50_000,
]
HOSTILE += ["A1" + " " * 49_000, "1:" * 25_000, "#" * 50_000, "a." * 25_000 + "!", "A1(" * 16_000, "a!" * 25_000]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:5])
def test_hostile_text_stays_linear(text: str):
    """Quadratic patterns would take minutes here, not milliseconds."""
    rw.shift_formula("=" + text, 1, 1)


@given(st.text(min_size=1, max_size=12))
def test_any_title_can_be_renamed_to(title: str):
    formula = rw.rename_sheet("=Old!A1", "Old", title)
    assert formula == f"={quote_sheet_name(title)}!A1"
    assert [one.sheet for one in rw.find_references(formula)] == [title]
