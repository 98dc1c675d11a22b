"""Formulas that would take all time or memory: each is refused within its budget of work, and nothing around it is
hurt.
"""

import pytest

from apps.sheets.cells import Area, Entry, Fault
from tests.apps.sheets.engine.scratch_sheet import Desk

LIMIT = "Calculation limit was reached while trying to compute this formula."
TOO_LONG = "Text result is longer than the limit of 50000 characters."
PARSE = "Formula parse error."
HOSTILE = {
    "=" + "(" * 10_000 + "1" + ")" * 10_000: PARSE,
    "=" + "ABS(" * 10_000 + "1" + ")" * 10_000: PARSE,
    "=" + "{" * 10_000 + "1" + "}" * 10_000: PARSE,
    "=" + "-" * 40_000 + "1": PARSE,
    "=1" + "%" * 40_000: PARSE,
    "=1" + "+1" * 24_000: PARSE,
    "=" + "1=1&1+1*1^(" * 60 + "1" + ")" * 60: PARSE,
    "=" + ("-" * 30 + "(") * 60 + "1" + ")" * 60: PARSE,
    "=LAMBDA(x,x)" + "(1)" * 5_000: PARSE,
    "=SEQUENCE(10000000)": "Result too large.",
    "=MAKEARRAY(10000,10000,LAMBDA(r,c,1))": "Result too large.",
    "=ARRAYFORMULA(A1:A1000*TRANSPOSE(A1:A1000))": "Result too large.",
    '=REPT("x",1000000000)': TOO_LONG,
    '=SUBSTITUTE(B1,"a",B1)': TOO_LONG,
    "=B1&B1": TOO_LONG,
    '=REDUCE("x",SEQUENCE(1000),LAMBDA(a,b,a&a))': TOO_LONG,
    '=REGEXREPLACE(B1,"","xxxxxxxxxxxx")': TOO_LONG,
    "=TEXTJOIN(B1,FALSE,A1:A1000)": TOO_LONG,
    "=REDUCE(1,SEQUENCE(1000),LAMBDA(a,b,VSTACK(a,a)))": LIMIT,
    "=SUM(MAP(SEQUENCE(40000),LAMBDA(x,SUM(MAP(SEQUENCE(40000),LAMBDA(y,x*y))))))": LIMIT,
    "=IFERROR(SUM(MAP(SEQUENCE(40000),LAMBDA(x,SUM(SEQUENCE(40000))))),1)": LIMIT,
    "=LET(f,LAMBDA(g,g(g)),f(f))": LIMIT,
    '=REGEXMATCH("a","((a{1,100}){1,100}){9}")': (
        'Function REGEXMATCH parameter 2 value "((a{1,100}){1,100}){9}" is not a valid regular expression.'
    ),
    "=CUMIPMT(0.01,1E9,1,1,1E9,0)": "Function CUMIPMT parameter value is out of range.",
    "=COMBIN(1E6,5E5)": "Numeric value is greater than 1.79769e+308 and cannot be displayed properly.",
    "=MINVERSE(RANDARRAY(100,100))": "Function MINVERSE parameter 1 is too large.",
    "=WORKDAY(1,100000000)": "Function WORKDAY parameter 2 value is out of range.",
    '=QUERY(A1:A1000,"select A where ' + " or ".join(["A like '%x%'"] * 1_500) + '",0)': LIMIT,
}
QUICK = {
    "=" + "(" * 60 + "1" + ")" * 60: 1.0,
    '=REGEXMATCH("' + "a" * 4_000 + '!","(a+)+$")': False,
    '=COUNTIF(B1:B1,"*a*a*a*a*a*a*a*b")': 0.0,
    "=ARRAYFORMULA(SUM(COUNTIF(A1:A1000,A1:A1000)))": 1000.0,
    "=SUM(C1:ZZZ9999999)": 0.0,
    "=COUNTA(OFFSET(C1,0,0,1E6,300))": 0.0,
}


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A thousand numbers and a long text."""
    return Desk({"S": [], "T": [[float(row), "a" * 40_000 if row == 0 else None] for row in range(1_000)]})


def on_the_other_sheet(formula: str) -> str:
    for area in ("A1:A1000", "B1:B1", "C1:ZZZ9999999", "C1,"):
        formula = formula.replace(area, f"T!{area}")
    return (
        formula.replace("B1&B1", "T!B1&T!B1")
        .replace('(B1,"', '(T!B1,"')
        .replace('"a",B1', '"a",T!B1')
        .replace("TEXTJOIN(B1", "TEXTJOIN(T!B1")
    )


@pytest.mark.parametrize("formula", HOSTILE, ids=lambda formula: formula[:30])
def test_a_hostile_formula_is_refused(desk: Desk, formula: str):
    assert desk.refused(on_the_other_sheet(formula))[1] == HOSTILE[formula]


@pytest.mark.parametrize("formula", QUICK, ids=lambda formula: formula[:30])
def test_what_only_looks_hostile_is_computed(desk: Desk, formula: str):
    assert desk.one(on_the_other_sheet(formula)) == QUICK[formula]


def test_texts_that_double_from_cell_to_cell_stop_at_the_limit():
    desk = Desk({"S": [["x" * 1_000]]})
    desk.book.put(0, [(row, 0, Entry("formula", f"=A{row}&A{row}")) for row in range(1, 40)])
    assert max(len(value) for (value,) in desk.book.values(0, Area(0, 0, 40, 1)) if isinstance(value, str)) == 32_000
    assert desk.cell("A9") == Fault("#VALUE!", TOO_LONG)


def test_cycles_are_told_and_can_be_mended():
    desk = Desk({"S": [["=A1+1", "=C1", "=B1", "=SUM(D1:D3)"]]})
    desk.type("D2", "=D1")
    circular = "Circular dependency detected. To resolve with iterative calculation, see File > Settings."
    assert [desk.cell(name) for name in ("A1", "B1", "C1", "D1", "D2")] == [Fault("#REF!", circular)] * 5
    desk.type("C1", 5)
    desk.type("A1", "=ROW(A1)")
    assert [desk.cell(name) for name in ("A1", "B1", "C1")] == [1.0, 5.0, 5.0]


def test_half_characters_and_long_blanks_do_no_harm():
    desk = Desk({"S": [["a\ud800", '="\ud800"=A1', '="' + " " * 40_000 + '"*1']]})
    assert (desk.cell("A1"), desk.cell("B1")) == ("a?", False)
    assert desk.cell("C1").code == "#VALUE!"  # type: ignore[union-attr]
    assert len(desk.cell("C1").message) <= 500  # type: ignore[union-attr]
