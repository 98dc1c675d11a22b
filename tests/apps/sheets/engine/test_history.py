"""What a spreadsheet computes is a matter of what it holds, not of how that came about."""

import random

import pytest

from apps.sheets.cells import EMPTY, Area, Entry
from apps.sheets.engine import Moment
from apps.sheets.engine.workbook import NativeWorkbook
from tests.apps.sheets.engine.scratch_sheet import Typed, entry

ROWS, COLUMNS = 7, 6
PIECES: list[Typed] = [
    None,
    None,
    None,
    1,
    2,
    3,
    "x",
    "B2",
    "C1",
    "A3",
    True,
    "",
    "$5",
    "=A1",
    "=B2+1",
    "=C3*A1",
    "=IF(A1>1,B2,C3)",
    "=SUM(A1:C3)",
    "=SUM(A:A)",
    "=SEQUENCE(3)",
    "=SEQUENCE(2,3)",
    "=SEQUENCE(1,A1)",
    "=UNIQUE(A1:A4)",
    "=INDIRECT(A1)",
    "=INDIRECT(B2)",
    "=SUM(OFFSET(A1,C1,0,2,2))",
    "=ARRAYFORMULA(B1:B3*2)",
    '=JOIN("-",C1:C)',
    "=1/A1",
    "=IFERROR(B3,9)",
    "=COUNTA(A1:D4)",
    "=FILTER(A1:A5,A1:A5>1)",
    "=RAND()",
    "=TRANSPOSE(A1:A3)",
    "=ROWS(FLATTEN(2:3))",
    "=VLOOKUP(1,A1:C5,3,FALSE)",
    "=ISBLANK(D4)",
]

FEEDING: list[Typed] = [
    None,
    None,
    1,
    2,
    3,
    "x",
    "C3",
    "B2:C3",
    "=SEQUENCE(B2)",
    "=SEQUENCE(1,C3)",
    "=SEQUENCE(A1,C2)",
    "=TRANSPOSE(B1:B3)",
    "=TRANSPOSE(A2:C2)",
    "=UNIQUE(C1:C4)",
    "=ARRAYFORMULA(A1:A3+1)",
    "=ARRAYFORMULA(C1:D2*2)",
    "=FILTER(B1:B4,B1:B4>1)",
    '=IF(A3="",1,SEQUENCE(3))',
    "=IF(C2>1,SEQUENCE(2,2),5)",
    '=INDIRECT("C"&A1)',
    "=SUM(A1:B2)",
    "=COUNTA(B:C)",
    "=OFFSET(A1,B2,1,2,2)",
    "=INDIRECT(B1)",
    "=SORT(D1:D4)",
    "=IFERROR(TRANSPOSE(C1:C3),7)",
    "=IFERROR(SEQUENCE(D2),2)",
    "=D1",
    "=C4+1",
    "=A2",
    "=MAX(C:C)",
    "=SEQUENCE(COUNTA(A:A))",
]


def values(book: NativeWorkbook) -> object:
    """All values, with which cells a formula elsewhere fills."""
    area = Area(0, 0, ROWS + 6, COLUMNS + 6)
    return book.values(0, area), book.list_spilled_cells(0, area)


def fresh(held: dict[tuple[int, int], Entry]) -> NativeWorkbook:
    """An engine that was loaded with what is held."""
    book = NativeWorkbook(lambda spreadsheet, reference: [])
    book.at(Moment(seed=3))
    book.load([(0, "S", [(row, column, one) for (row, column), one in held.items()])], {})
    return book


def edited(seed: int, pieces: list[Typed], rows: int, columns: int, times: int) -> None:
    """Edit here and there; after each edit a fresh engine with the same content must agree."""
    chance = random.Random(seed)
    held: dict[tuple[int, int], Entry] = {}
    book = fresh(held)
    for _ in range(times):
        cell = (chance.randrange(rows), chance.randrange(columns))
        typed = entry(chance.choice(pieces))
        book.put(0, [(*cell, typed)])
        held.pop(cell, None)
        if typed != EMPTY:
            held[cell] = typed
        assert values(book) == values(fresh(held)), sorted(held.items())
    assert book.native.defects == []


@pytest.mark.parametrize("seed", range(9))
def test_edits_and_a_fresh_load_come_to_the_same(seed: int):
    edited(seed, PIECES, ROWS, COLUMNS, 60)


@pytest.mark.parametrize("seed", (7, 27, 40))
def test_arrays_that_feed_each_other_come_to_the_same(seed: int):
    edited(seed, FEEDING, 5, 5, 46)


def test_of_two_arrays_that_exclude_each_other_the_edit_decides_nothing():
    first, second = '=IF(B2="",SEQUENCE(3),1)', '=IF(A2="",SEQUENCE(3),1)'
    found = []
    for steps in (((0, first), (1, second)), ((1, second), (0, first))):
        book = fresh({})
        for column, text in steps:
            book.put(0, [(0, column, Entry("formula", text))])
        found.append(values(book))
    assert found[0] == found[1] == values(fresh({(0, 0): Entry("formula", first), (0, 1): Entry("formula", second)}))
