"""T12: hostile formulas drawn at random never break the engine; `FIRMAMENT_FUZZ` says how many (100,000 were run by
hand).
"""

import os

import pytest

from apps.sheets.cells import EMPTY, Entry, Fault
from apps.sheets.engine.hostile_formulas import Drawer, open_workbook, type_formula

COUNT = int(os.environ.get("FIRMAMENT_FUZZ", "240"))
CODES = {"#REF!", "#N/A", "#DIV/0!", "#NAME?", "#VALUE!", "#NUM!", "#NULL!", "#ERROR!"}


@pytest.mark.parametrize("seed", [1, 2])
def test_no_hostile_formula_breaks_the_engine(seed: int):
    book = open_workbook()
    for formula in Drawer(seed).formulas(COUNT // 2):
        type_formula(book, formula)
        value = book.value(1, 0, 0)
        assert book.native.defects == [], formula
        assert type(value) is float or (isinstance(value, Fault) and value.code in CODES and value.message), (
            formula,
            value,
        )
        book.put(1, [(0, 0, EMPTY)])
        assert book.value(1, 0, 0) is None, formula
    assert book.value(0, 999, 0) == 999.0


def test_rows_that_grow_within_a_lambda_are_refused_before_they_take_the_memory():
    book = open_workbook()
    book.put(1, [(0, 0, Entry("formula", "=SUM(SCAN(1,T!C:C,LAMBDA(x,y,BYROW(T!A1:D1000,LAMBDA(z,x)))))"))])
    assert book.value(1, 0, 0) == Fault("#ERROR!", "Result too large.")


def test_a_seed_draws_the_same_formulas():
    assert list(Drawer(3).formulas(60)) == list(Drawer(3).formulas(60)) != list(Drawer(4).formulas(60))
