"""Securities, depreciation, complex numbers, shares: examples of the vendor's pages, and another engine (ironcalc) on
many more.
"""

import math
from itertools import product

import ironcalc
import pytest

from tests.apps.sheets.engine.scratch_sheet import Desk

# Examples of support.microsoft.com/en-us/office, whose meaning the vendor's pages take over
# (support.google.com/docs/topic/3105398); to the digits that are shown there.
PUBLISHED = {
    '=COUPDAYBS("2011-01-25","2011-11-15",2,1)': 71,
    '=COUPDAYS("2011-01-25","2011-11-15",2,1)': 181,
    '=COUPDAYSNC("2011-01-25","2011-11-15",2,1)': 110,
    '=COUPNCD("2011-01-25","2011-11-15",2,1)': 40678,
    '=COUPNUM("2007-01-25","2008-11-15",2,1)': 4,
    '=COUPPCD("2011-01-25","2011-11-15",2,1)': 40497,
    '=DURATION("2018-07-01","2048-01-01",8%,9%,2,1)': 10.9191453,
    '=MDURATION("2008-01-01","2016-01-01",8%,9%,2,1)': 5.73567,
    '=PRICEMAT("2008-02-15","2008-04-13","2007-11-11",6.1%,6.1%,0)': 99.98449888,
    '=YIELDMAT("2008-03-15","2008-11-03","2007-11-08",6.25%,100.0123,0)': 0.060954,
    '=PRICE("2008-02-15","2017-11-15",5.75%,6.5%,100,2,0)': 94.63436162,
    '=YIELD("2008-02-15","2016-11-15",5.75%,95.04287,100,2,0)': 0.065,
    '=PRICEDISC("2008-02-16","2008-03-01",5.25%,100,2)': 99.79583,
    '=YIELDDISC("2008-02-16","2008-03-01",99.795,100,2)': 0.052823,
    '=DISC("2018-07-01","2048-01-01",97.975,100,1)': 0.000686384,
    '=INTRATE("2008-02-15","2008-05-15",1000000,1014420,2)': 0.05768,
    '=RECEIVED("2008-02-15","2008-05-15",1000000,5.75%,2)': 1014584.65,
    '=ACCRINT("2008-03-01","2008-08-31","2008-05-01",10%,1000,2,0)': 16.666667,
    '=ACCRINTM("2008-04-01","2008-06-15",0.1,1000,3)': 20.54794521,
    '=TBILLEQ("2008-03-31","2008-06-01",9.14%)': 0.0941514936,
    '=TBILLPRICE("2008-03-31","2008-06-01",9%)': 98.45,
    '=TBILLYIELD("2008-03-31","2008-06-01",98.45)': 0.091417,
    "=PDURATION(2.5%,2000,2200)": 3.86,
    "=VDB(2400,300,3650,0,1)": 1.32,
    "=VDB(2400,300,120,0,1)": 40.00,
    "=VDB(2400,300,10,0,1)": 480.00,
    "=VDB(2400,300,120,6,18)": 396.31,
    "=VDB(2400,300,120,6,18,1.5)": 311.81,
    "=VDB(2400,300,10,0,0.875,1.5)": 315.00,
    "=VDB(100,10,20,10,11,2,TRUE)": 3.49,  # support.google.com/docs/answer/9199424
    "=VDB(100,33,20,10,11,2,FALSE)": 1.87,
    "=AMORLINC(2400,39679,39813,300,1,0.15,1)": 360,
    '=AMORLINC(1000,"7/20/1969","8/20/1969",100,6,15%)': 137.5,  # support.google.com/docs/answer/9083932
    "=BINOM.DIST.RANGE(100,0.5,45)": 0.04847429663,  # support.google.com/docs/answer/9982776
    "=BINOM.DIST.RANGE(100,0.5,30,45)": 0.1840847287,
    "=BINOM.DIST.RANGE(100,0.5,30)": 0.00002317069058,
    "=BINOM.DIST.RANGE(60,0.75,48)": 0.084,
    '=PERCENTIF(A2:A9,"Taxi")': 0.25,  # support.google.com/docs/answer/9983035
    '=PERCENTIF(B2:B9,">=10")': 0.5,
    '=PERCENTIF(B2:B9,">="&B4)': 0.5,
    '=PERCENTIF(A2:A9,"G*")': 0.25,
}

COMPLEX = {
    "=IMTANH(COMPLEX(4,1))": "1.00027905623447+0.00061024092137626i",  # support.google.com/docs/answer/9366655
    "=IMTANH(3.5)": "0.998177897611199",
    '=IMTANH("3+2i")': "1.00323862735361-0.00376402564150425i",
    "=IMCOTH(COMPLEX(4,1))": "0.999720649533931-0.000609900253822228i",  # support.google.com/docs/answer/9366256
    "=IMCOTH(3.5)": "1.00182542850644",
    '=IMCOTH("3+2j")': "0.996757796569358+0.00373971037633696j",
    '=IMLOG("1+i",10)': "0.150514997831991+0.34109408846046i",  # IMLOG10's: support.google.com/docs/answer/9366497
    "=IMLOG(COMPLEX(25,34),10)": "1.62533195973162+0.406835608369804i",
    "=IMLOG(100,10)": "2",
}

REFUSED = {
    "=COUPNUM(40862,40568,2)": (
        "#NUM!",
        "Function COUPNUM parameter 1 (40862) should be before Function COUPNUM parameter 2 (40568).",
    ),
    "=COUPDAYS(40568,40862,3)": ("#NUM!", "Function COUPDAYS parameter 3 value is 3. Valid values are 1, 2, and 4."),
    "=COUPPCD(40568,40862,2,5)": (
        "#NUM!",
        "Function COUPPCD parameter 4 value is 5. Valid values are between 0 and 4 inclusive.",
    ),
    "=DURATION(1,1000,0.1,-1,2)": (
        "#NUM!",
        "Function DURATION parameter 4 value is -1. It should be greater than or equal to 0.",
    ),
    "=YIELDMAT(100,200,50,0.1,0)": ("#NUM!", "Function YIELDMAT parameter 5 value is 0. It should be greater than 0."),
    "=PRICEMAT(100,200,150,0.1,0)": (
        "#NUM!",
        "Function PRICEMAT parameter 3 (150) should be before Function PRICEMAT parameter 1 (100).",
    ),
    "=VDB(100,10,5,3,6)": ("#NUM!", "Function VDB parameter 5 value is 6. Valid values are between 3 and 5 inclusive."),
    "=VDB(100,10,1E9,0,1E8)": (
        "#NUM!",
        "Function VDB parameter 5 value is 100000000. It should be less than or equal to 34000.",
    ),
    "=AMORLINC(100,20,10,10,1,0.1)": (
        "#NUM!",
        "Function AMORLINC parameter 2 (20) should be on or before Function AMORLINC parameter 3 (10).",
    ),
    "=BINOM.DIST.RANGE(10,0.5,11)": ("#NUM!", "Function BINOM.DIST.RANGE parameter value is out of range."),
    "=BINOM.DIST.RANGE(1E9,0.5,0,1E9)": (
        "#ERROR!",
        "Calculation limit was reached while trying to compute this formula.",
    ),
    '=IMLOG("1+i",1)': (
        "#NUM!",
        "Function IMLOG parameter 2 value is 1. It should be greater than 0 and not equal to 1.",
    ),
    "=IMCOTH(0)": ("#DIV/0!", "Evaluation of function IMCOTH caused a divide by zero error."),
    '=GETPIVOTDATA("SUM of number of units",A1)': (
        "#REF!",
        "Function GETPIVOTDATA parameter 2 is not in a pivot table.",
    ),
}

EXPENSES = [
    ["Expense", "Today"],
    ["Coffee", 4],
    ["Newspaper", 1],
    ["Taxi", 10],
    ["Golf", 26],
    ["Taxi", 8],
    ["Coffee", 3.5],
    ["Gas", 46],
    ["Restaurant", 31],
]


@pytest.fixture(scope="module")
def desk() -> Desk:
    """The expenses of the vendor's page."""
    return Desk({"S": EXPENSES})


@pytest.mark.parametrize(("formula", "value"), PUBLISHED.items())
def test_a_published_example_has_its_value(desk: Desk, formula: str, value: float):
    found = desk.one(formula)
    assert type(found) is float
    digits = len(repr(value).partition(".")[2]) if "e" not in repr(value) else 14
    assert abs(found - value) <= 0.5000001 * 10**-digits


@pytest.mark.parametrize(("formula", "value"), COMPLEX.items())
def test_a_published_complex_number_is_written_the_same(desk: Desk, formula: str, value: str):
    assert desk.one(formula) == value


@pytest.mark.parametrize(("formula", "refusal"), REFUSED.items())
def test_a_parameter_that_cannot_be_is_named(desk: Desk, formula: str, refusal: tuple[str, str]):
    assert desk.refused(formula) == refusal


SPANS = ((43131, 45900), (43159, 44255), (43861, 45715), (44255, 44256), (45291, 47177), (45351, 46081))
BASES = (0, 1, 2, 3, 4)
COUPONS = ("COUPDAYBS", "COUPDAYS", "COUPDAYSNC", "COUPNCD", "COUPNUM", "COUPPCD")
PERIODS = ((0, 1), (0, 12), (3, 4), (2, 9), (0.5, 3), (4.25, 8.75), (11, 12))


def generated() -> list[str]:
    """The same functions on many more dates, ends of February among them, frequencies and ways of counting.

    At maturity, real years and ends of months are left out: the other engine does not count them as its own YEARFRAC
    does, and we do.
    """
    made = [
        f"={name}({span[0]},{span[1]},{each},{basis})"
        for name, span, each, basis in product(COUPONS, SPANS, (1, 2, 4), BASES)
    ]
    for name, span, rate, each, basis in product(("DURATION", "MDURATION"), SPANS, (0, 0.08), (1, 2, 4), BASES):
        made.append(f"={name}({span[0]},{span[1]},{rate},0.05,{each},{basis})")
    for (name, last), (start, end), basis in product((("PRICEMAT", 0.05), ("YIELDMAT", 99.5)), SPANS, (2, 3, 4)):
        made.append(f"={name}({start},{end},{start - 200},0.06,{last},{basis})")
    for salvage, (start, end), factor, kept in product((0, 700, 4500), PERIODS, (1, 1.5, 2), ("TRUE", "FALSE")):
        made.append(f"=VDB(5000,{salvage},12,{start},{end},{factor},{kept})")
    for period, rate, basis in product((0, 1, 3, 6, 7, 12), (0.1, 0.15, 0.3), (0, 1, 3, 4)):
        made.append(f"=AMORLINC(2400,39679,39813,300,{period},{rate},{basis})")
    return made + [f"=YEARFRAC({start},{end},{basis})" for (start, end), basis in product(SPANS, BASES)]


def alike(one: object, two: object) -> bool:
    """Whether two results are the same number, to nine digits."""
    return type(one) is float and type(two) is float and math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-9)


def test_another_engine_computes_the_same():
    formulas = generated()
    desk, model = Desk({"S": [[formula] for formula in formulas]}), ironcalc.create("model", "en", "UTC", "en")
    for row, formula in enumerate(formulas, 1):
        model.set_user_input(0, row, 1, formula)
    model.evaluate()
    found = [
        (formula, desk.cell(f"A{row}"), model.get_cell_value(0, row, 1)) for row, formula in enumerate(formulas, 1)
    ]
    assert [one for one in found if not alike(one[1], one[2])] == []
