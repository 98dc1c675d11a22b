"""Loading, editing, spilling, clock and chance."""

import gc
import subprocess
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

from apps.sheets.cells import EMPTY, Area, Entry, Fault
from apps.sheets.engine import Moment, compile
from tests.apps.sheets.engine.scratch_sheet import Desk, cells

OVER = "Array result was not expanded because it would overwrite data in {}."


def test_an_edit_reaches_all_that_depends_on_it():
    desk = Desk({"S": [[2], ["=A1*3"], ["=A2+1"], ['=IF(A3>5,"big","small")']]})
    assert (desk.cell("A3"), desk.cell("A4")) == (7.0, "big")
    desk.type("A1", 1)
    assert (desk.cell("A3"), desk.cell("A4")) == (4.0, "small")
    desk.type("A1", "x")
    assert desk.cell("A4") == Fault(
        "#VALUE!",
        "Function MULTIPLY parameter 1 expects number values. But 'x' is a text and cannot be coerced to a number.",
    )
    desk.type("A1", None)
    assert desk.cell("A3") == 1.0


def test_ten_thousand_dependents_share_one_program():
    formulas = [(row, 2, Entry("formula", f"=$A$1*B{row + 1}")) for row in range(10_000)]
    numbers = [(row, 1, Entry("number", str(row))) for row in range(10_000)]
    desk = Desk({"Filled": [[2]]})
    desk.book.load([(0, "Filled", [(0, 0, Entry("number", "2")), *numbers, *formulas])], {})
    desk.type("A1", 3)
    assert desk.book.value(0, 9_999, 2) == 29_997.0
    assert len(desk.book.native.compiler.programs) == 1
    asked: list[float] = []
    desk.book.called = lambda number, *arguments: asked.append(number)  # type: ignore[method-assign]
    desk.type("A1", 4)
    assert desk.book.value(0, 9_999, 2) == 39_996.0 and asked == []


def test_spilled_cells_follow_their_formula():
    desk = Desk({"S": [["=SEQUENCE(C1)", None, 3], [None, "=SUM(A1:A9)"]]})
    assert [desk.cell(f"A{row}") for row in range(1, 5)] == [1.0, 2.0, 3.0, None]
    assert desk.cell("B2") == 6.0
    assert desk.book.list_spilled_cells(0, Area(0, 0, 9, 9)) == {(1, 0): (0, 0), (2, 0): (0, 0)}
    desk.type("C1", 2)
    assert [desk.cell("A3"), desk.cell("B2")] == [None, 3.0]
    desk.type("A1", 9)
    assert [desk.cell("A2"), desk.cell("B2")] == [None, 9.0]
    assert desk.book.list_spilled_cells(0, Area(0, 0, 9, 9)) == {}


def test_a_spill_that_meets_data_is_an_error_until_the_data_go():
    desk = Desk({"S": [["=SEQUENCE(3)"], [None], ["here"], ["=A1"]]})
    blocked = Fault("#REF!", OVER.format("A3"))
    assert [desk.cell(f"A{row}") for row in range(1, 5)] == [blocked, None, "here", blocked]
    desk.type("A3", None)
    assert [desk.cell(f"A{row}") for row in range(1, 5)] == [1.0, 2.0, 3.0, 1.0]
    desk.type("A2", 7)
    assert [desk.cell(f"A{row}") for row in range(1, 4)] == [Fault("#REF!", OVER.format("A2")), 7.0, None]
    desk.book.put(0, [(1, 0, EMPTY)])
    assert [desk.cell(f"A{row}") for row in range(1, 4)] == [1.0, 2.0, 3.0]


def test_errors_within_a_spill_keep_their_sentence():
    desk = Desk({"S": [["=ARRAYFORMULA(1/C1:C2)", "=A2+1", 2], [None, None, 0]]})
    told = Fault("#DIV/0!", "Function DIVIDE parameter 2 cannot be zero.")
    assert (desk.cell("A1"), desk.cell("A2"), desk.cell("B1")) == (0.5, told, told)


def test_a_spill_onto_what_it_reads_is_circular():
    desk = Desk({"S": [["=ARRAYFORMULA(A2:A4*2)"], [1], [2]]})
    assert desk.cell("A1").code == "#REF!"  # type: ignore[union-attr]


def test_blank_results_count_as_blank_for_what_reads_them():
    row = ["=B1", None, "=A1+1", '=A1&"x"', '=IF(A1>0,"more","less")', "=AVERAGE(A1,4)", '=IF(A1="","none","some")']
    desk = Desk({"S": [row]})
    assert [desk.cell(f"{column}1") for column in "ACDEFG"] == [None, 1.0, "x", "less", 4.0, "none"]
    desk.book.put(0, [(0, 0, Entry("text", ""))])
    assert desk.cell("A1") == ""


def test_references_made_at_run_time_follow_edits():
    desk = Desk({"S": [["B1", 5, "=INDIRECT(A1)", "=SUM(OFFSET(B1,0,0,A2,1))"], [2, 6]]})
    assert (desk.cell("C1"), desk.cell("D1")) == (5.0, 11.0)
    desk.type("B2", 10)
    assert desk.cell("D1") == 15.0
    desk.type("A1", "B2")
    desk.type("A2", 1)
    assert (desk.cell("C1"), desk.cell("D1")) == (10.0, 5.0)


def test_a_range_without_end_grows_with_its_data():
    desk = Desk({"S": [['=JOIN(",",C1:C)', None, 1]]})
    desk.book.put(0, [(1_500, 2, Entry("number", "7"))])
    assert str(desk.cell("A1")).startswith("1,,") and str(desk.cell("A1")).endswith(",7")


def test_today_and_now_are_the_moments():
    desk = Desk({"S": [["=TODAY()", "=NOW()", "=A1+1", "=HOUR(NOW())"]]})
    assert (desk.cell("A1"), desk.cell("C1"), desk.cell("D1")) == (46082.0, 46083.0, 13.0)
    desk.book.at(Moment(now_us=1_772_366_400_000_000 + 12 * 3_600_000_000, zone="Europe/Berlin", seed=7))
    assert (desk.cell("A1"), desk.cell("D1")) == (46083.0, 1.0)


def test_chance_is_the_seeds_and_the_cells_alone():
    sheet = {"S": [["=RAND()", "=RAND()", "=RANDBETWEEN(1,1000)", "=SUM(RANDARRAY(2,2))"]]}
    first, second = Desk(sheet), Desk(sheet)
    drawn = [first.cell(f"{column}1") for column in "ABCD"]
    assert drawn == [second.cell(f"{column}1") for column in "ABCD"] and drawn[0] != drawn[1]
    first.type("H1", 5)
    assert [first.cell(f"{column}1") for column in "ABCD"] == drawn
    first.book.at(Moment(now_us=0, seed=8))
    assert first.cell("A1") != drawn[0]


def test_another_process_computes_the_same():
    code = (
        "from tests.apps.sheets.engine.scratch_sheet import Desk; d = Desk({'S': [['=RAND()',"
        " '=JOIN(\"-\",UNIQUE(FLATTEN(C1:E1)))', 'b', 'a', 'b']]});print(d.cell('A1'), d.cell('B1'))"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1 and "b-a" in told.pop()


def test_a_second_engine_finds_the_formulas_read_by_the_first(monkeypatch: pytest.MonkeyPatch):
    sheet = {"Read": [[2, "=A1*2", '=SUM(A:A)&"x"']]}
    Desk(sheet)
    monkeypatch.setattr(compile, "parse", None)
    again = Desk(sheet)
    assert (again.cell("B1"), again.cell("C1")) == (4.0, "2x")


def test_loading_again_forgets_what_was():
    desk = Desk({"S": [["=SEQUENCE(3)"]]})
    desk.book.load([(4, "Other", cells([["=Other!B1", 2]]))], {})
    assert desk.book.values(4, Area(0, 0, 2, 2)) == [[2.0, 2.0], [None, None]]


def test_an_engine_that_is_let_go_is_freed():
    desk = Desk({"S": [['=JOIN("",A2:A3)'], ["x"]]})
    held = weakref.ref(desk.book)
    del desk
    gc.collect()
    assert held() is None


def test_an_engine_may_be_used_from_another_thread():
    desk = Desk({"S": [['=JOIN("-",A2:A3)'], ["x"], ["y"]]})
    with ThreadPoolExecutor(1) as threads:
        threads.submit(desk.type, "A2", "z").result()
    assert desk.cell("A1") == "z-y"
