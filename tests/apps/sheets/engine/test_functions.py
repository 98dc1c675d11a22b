"""Functions with examples and sentences of the vendor's pages (support.google.com/docs/table/25273); unconfirmed ones
are our choice.
"""

import pytest

from apps.sheets.cells import Area, Value
from apps.sheets.engine import FUNCTIONS
from apps.sheets.engine.registry import BODIES
from tests.apps.sheets.engine.scratch_sheet import Desk

STAFF = [
    ["Name", "Dept", "Pay", "When"],
    ["Ann", "Eng", 100, 45000],
    ["Bob", "Ops", 50, 45040],
    ["Cid", "Eng", 70, 45400],
    ["Dee", "Ops", 30, 45500],
]


@pytest.fixture(scope="module")
def desk() -> Desk:
    """A small staff list, a second sheet, a named range."""
    return Desk({"Staff": STAFF, "It's": [[5]]}, {"Pays": (0, Area(1, 2, 5, 3))})


ONE = {
    "=sum(pays)": 250.0,
    "='It''s'!A1+1": 6.0,
    "=SUM(C2:C)": 250.0,
    "=SUM(C:C)": 250.0,
    "=-2^2": 4.0,
    '=1/3&""': "0.333333333333333",
    '=0.1+0.2&""': "0.3",
    '="say ""hi"""': 'say "hi"',
    '="$5"*2': 10.0,
    '="1/31/2024"+1': 45323.0,
    '=VALUE("$1,200.50")': 1200.5,
    '=VALUE("45%")': 0.45,
    '=VALUE("12:30")': 12.5 / 24,
    '=JOIN("-",C2:C4)': "100-50-70",
    '=REGEXMATCH("Google Sheets","S.e*ts")': True,
    '=REGEXEXTRACT("My favorite number is 241, but my friend\'s is 17","\\d+")': "241",
    '=REGEXREPLACE("Spreadsheets","S.*d","Bed")': "Bedsheets",
    '=REGEXREPLACE("abc","(b)","[$1$1]")': "a[bb]c",
    "=COUNTUNIQUE(B2:B5)": 2.0,
    "=REDUCE(0,C2:C5,LAMBDA(a,x,a+x))": 250.0,
    "=LAMBDA(x,y,x*y)(2,3)": 6.0,
    "=LET(f,LAMBDA(x,x+1),f(f(1)))": 3.0,
    '=SUMIFS(C2:C5,B2:B5,"Eng")': 170.0,
    '=COUNTIFS(B2:B5,"Eng",C2:C5,">80")': 1.0,
    '=SUMIF(B2:B5,"Ops",C2)': 80.0,
    '=SUMPRODUCT((B2:B5="Eng")*C2:C5)': 170.0,
    '=XLOOKUP("bob",A2:A5,C2:C5)': 50.0,
    '=VLOOKUP("b*",A1:D5,3,FALSE)': 50.0,
    '=LOOKUP(60,{30,50,70},{"a","b","c"})': "b",
    "=INDEX(A1:D5,2,3)": 100.0,
    "=SUM(A1:INDEX(C1:C5,3))": 150.0,
    "=INDIRECT(\"'It''s'!A1\")": 5.0,
    '=SUM(INDIRECT("C2:C"&3))': 150.0,
    "=SUM(OFFSET(C1,1,0,2,1))": 150.0,
    "=SUM(C1,3)": 3.0,
    "=SUMSQ(C1,3)": 9.0,
    '=SUM({"3";1})': 1.0,
    '="apple"="APPLE"': True,
    '="b"<"C"': True,
    '=SUM("3",TRUE)': 4.0,
    "=AVERAGE.WEIGHTED({1,2},{3,1})": 1.25,
    '=DATEDIF(45000,45500,"M")': 16.0,
    '=TEXT(1234.5,"#,##0.00")': "1,234.50",
    '=TEXT(45000,"yyyy-mm-dd")': "2023-03-15",
    '=ENCODEURL("a b&c")': "a%20b%26c",
    '=ISEMAIL("noreply@google.com")': True,
    '=ISURL("http://www.google.com")': True,
    '=ISURL("not a url")': False,
    '=HYPERLINK("http://www.google.com/","Google")': "Google",
    '=DSUM(A1:C5,"Pay",{"Dept";"Eng"})': 170.0,
    '=CONVERT(1,"mi","km")': 1.609344,
    "=MINUS(8,3)": 5.0,
    "=GTE(2,2)": True,
    "=UNARY_PERCENT(100)": 1.0,
    "=ISBETWEEN(7.9,1.2,12.45)": True,
    '=ISBLANK("")': False,
    '=TO_PURE_NUMBER("$5")': 5.0,
    "=ERROR.TYPE(NA())": 7.0,
    "=IFERROR(1/0)": None,
    "=SPARKLINE(C2:C5)": None,
    "=B9": None,
    "=IF(TRUE,B9)": None,
    '=VLOOKUP("Ann",A1:E5,5,FALSE)': None,
    '=IF(B9=0,"zero","other")': "zero",
    '=IF(B9="","blank","other")': "blank",
    "=NETWORKDAYS(45000,45010)": 8.0,
    "=DISC(40729,42247,99.45,100)": 0.0055 / 4.155555555555556,
}

MANY = {
    "=ARRAYFORMULA(C2:C3*2)": [[200.0], [100.0]],
    '=ARRAYFORMULA(IF(C2:C5>60,"hi",C2:C5))': [["hi"], [50.0], ["hi"], [30.0]],
    "=ARRAYFORMULA(VLOOKUP(A2:A3,A1:D5,3,FALSE))": [[100.0], [50.0]],
    "=ARRAYFORMULA(A2:A&B2:B)": [["AnnEng"], ["BobOps"], ["CidEng"], ["DeeOps"]],
    "=INDEX(A1:C3,2)": [["Ann", "Eng", 100.0]],
    "={1,2;3,4}": [[1.0, 2.0], [3.0, 4.0]],
    "={A2:A3,C2:C3}": [["Ann", 100.0], ["Bob", 50.0]],
    '=SPLIT("Alas, poor Yorick"," ")': [["Alas,", "poor", "Yorick"]],
    '=SPLIT("a|b||c","|",TRUE,FALSE)': [["a", "b", None, "c"]],
    '=REGEXEXTRACT("abc 123","(\\w+) (\\d+)")': [["abc", "123"]],
    "=UNIQUE(B2:B5)": [["Eng"], ["Ops"]],
    '=FILTER(A2:A5,B2:B5="Eng")': [["Ann"], ["Cid"]],
    "=SORT(A2:C5,3,TRUE)": [["Dee", "Ops", 30.0], ["Bob", "Ops", 50.0], ["Cid", "Eng", 70.0], ["Ann", "Eng", 100.0]],
    "=SORTN(A2:C5,2,0,3,FALSE)": [["Ann", "Eng", 100.0], ["Cid", "Eng", 70.0]],
    "=MAP(C2:C3,LAMBDA(x,x*2))": [[200.0], [100.0]],
    "=BYROW(C2:D3,LAMBDA(r,MAX(r)))": [[45000.0], [45040.0]],
    "=BYCOL(C2:D5,LAMBDA(c,MIN(c)))": [[30.0, 45000.0]],
    "=SCAN(0,C2:C5,LAMBDA(a,x,a+x))": [[100.0], [150.0], [220.0], [250.0]],
    "=MAKEARRAY(2,2,LAMBDA(r,c,r*c))": [[1.0, 2.0], [2.0, 4.0]],
    "=WRAPROWS({1,2,3},2,0)": [[1.0, 2.0], [3.0, 0.0]],
    "=MMULT({1,2;3,4},{1;1})": [[3.0], [7.0]],
    "=TRANSPOSE(A1:B2)": [["Name", "Ann"], ["Dept", "Eng"]],
    "=FLATTEN(A2:B3)": [["Ann"], ["Eng"], ["Bob"], ["Ops"]],
    "=SEQUENCE(2,2,5,10)": [[5.0, 15.0], [25.0, 35.0]],
    '=IMPORTRANGE("open","A1:B1")': [["open", "A1:B1"]],
    "=OFFSET(A1,1,0,2,1)": [["Ann"], ["Bob"]],
}

REFUSED = {
    "=C2/0": ("#DIV/0!", "Function DIVIDE parameter 2 cannot be zero."),
    "=C2/B9": ("#DIV/0!", "Function DIVIDE parameter 2 cannot be zero."),
    "=MOD(1,0)": ("#DIV/0!", "Function MOD parameter 2 cannot be zero."),
    "=AVERAGE(H1:H4)": ("#DIV/0!", "Evaluation of function AVERAGE caused a divide by zero error."),
    '=1+"a"': (
        "#VALUE!",
        "Function ADD parameter 2 expects number values. But 'a' is a text and cannot be coerced to a number.",
    ),
    "=A2*2": (
        "#VALUE!",
        "Function MULTIPLY parameter 1 expects number values. But 'Ann' is a text and cannot be coerced to a number.",
    ),
    '=IF("x",1,2)': (
        "#VALUE!",
        "Function IF parameter 1 expects boolean values. But 'x' is a text and cannot be coerced to a boolean.",
    ),
    "=1E999": ("#NUM!", "Number is out of range."),
    "=NOSUCH(1)": ("#NAME?", "Unknown function: 'NOSUCH'."),
    "=foo": ("#NAME?", "Unknown range name: 'FOO'."),
    "=Gone!A1": ("#REF!", "Unresolved sheet name 'Gone'."),
    '=VLOOKUP("x",A1:C5,2,FALSE)': ("#N/A", "Did not find value 'x' in VLOOKUP evaluation."),
    '=MATCH("x",A1:A5,0)': ("#N/A", "Did not find value 'x' in MATCH evaluation."),
    '=VLOOKUP("Ann",A1:C5,9,FALSE)': ("#REF!", "VLOOKUP evaluates to an out of bounds range."),
    "=ABS()": ("#N/A", "Wrong number of arguments to ABS. Expected 1 arguments, but got 0 arguments."),
    "=VLOOKUP(1,2)": (
        "#N/A",
        "Wrong number of arguments to VLOOKUP. Expected between 3 and 4 arguments, but got 2 arguments.",
    ),
    '=FILTER(A2:A5,B2:B5="Q")': ("#N/A", "No matches are found in FILTER evaluation."),
    "=SQRT(-1)": ("#NUM!", "Function SQRT parameter 1 value is -1. It should be greater than or equal to 0."),
    "=IFS(FALSE,1)": ("#N/A", "No match."),
    "=A1:D1": ("#VALUE!", "An array value could not be found."),
    "={A2:A3,C2:C4}": ("#VALUE!", "Function ARRAY_ROW parameter 2 has mismatched row size."),
    '=REGEXMATCH(5,"5")': (
        "#VALUE!",
        "Function REGEXMATCH parameter 1 expects text values. But '5' is a number and cannot be coerced to a text.",
    ),
    '=REGEXMATCH("a","(")': ("#REF!", 'Function REGEXMATCH parameter 2 value "(" is not a valid regular expression.'),
    '=IMPORTXML("http://x.test","//a")': ("#N/A", "Could not fetch url: http://x.test"),
    '=IMPORTRANGE("secret","A1")': ("#REF!", "You don't have permission."),
    '=GOOGLEFINANCE("GOOG")': (
        "#N/A",
        "When evaluating GOOGLEFINANCE, the query for the symbol: 'GOOG' returned no data.",
    ),
    "=SUM(": ("#ERROR!", "Formula parse error."),
    "=SUM(1;2)": ("#ERROR!", "Formula parse error."),
    "=1,5": ("#ERROR!", "Formula parse error."),
    '=FIND("z","abc")': ("#VALUE!", "In FIND evaluation, cannot find 'z' within 'abc'."),
    '=DATEVALUE("soon")': ("#VALUE!", "DATEVALUE parameter 'soon' cannot be parsed to date/time."),
    "=MODE(1,2)": ("#N/A", "MODE cannot produce a result. No values occur more than once."),
}


@pytest.mark.parametrize(("formula", "value"), ONE.items())
def test_a_formula_has_its_value(desk: Desk, formula: str, value: Value):
    found = desk.one(formula)
    assert found == (pytest.approx(value) if type(value) is float else value)
    assert type(found) is type(value)


@pytest.mark.parametrize(("formula", "rows"), MANY.items())
def test_an_array_fills_cells(desk: Desk, formula: str, rows: list[list[Value]]):
    assert desk.all(formula) == rows


@pytest.mark.parametrize(("formula", "refusal"), REFUSED.items())
def test_an_error_says_what_is_wrong(desk: Desk, formula: str, refusal: tuple[str, str]):
    assert desk.refused(formula) == refusal


def test_a_range_is_intersected_with_the_formulas_row_or_column():
    desk = Desk({"S": [[1, 2, "=A1:A3*10"], [3, 4, "=A1:A3*10"], [5, 6, "=A1:A2*10"], ["=A1:B1"]]})
    assert (desk.cell("C1"), desk.cell("C2"), desk.cell("A4")) == (10.0, 30.0, 1.0)
    desk.type("D2", "=ABS(A1:A3)")
    assert desk.cell("D2") == 3.0
    assert desk.book.value(0, 2, 2).code == "#VALUE!"  # type: ignore[union-attr]


def test_a_locale_with_decimal_commas_parts_arguments_by_semicolons():
    desk = Desk({"S": []}, locale="de_DE")
    assert desk.one("=SUM(1,5;2)") == 3.5
    assert desk.all("={1\\2;3\\4}") == [[1.0, 2.0], [3.0, 4.0]]
    assert desk.refused("=SUM(1.5,2)")[0] == "#ERROR!"


def test_results_say_how_they_want_to_be_shown():
    shown = {
        "=TODAY()": "DATE",
        "=NOW()": "DATE_TIME",
        "=TODAY()+7": "DATE",
        "=TODAY()-TODAY()": "",
        "=TIME(1,2,3)": "TIME",
        "=10%": "PERCENT",
        "=TO_DOLLARS(5)": "CURRENCY",
        "=IF(TRUE,DATE(2024,1,1),0)": "DATE",
        "=A1*2": "",
        "=SUM(1)": "",
    }
    desk = Desk({"S": [[formula] for formula in shown]})
    assert {formula: desk.book.hint(0, row, 0) for row, formula in enumerate(shown)} == shown


def test_precedents_are_given_in_the_order_they_are_written():
    desk = Desk({"S": [], "T": []}, {"Pays": (1, Area(0, 0, 3, 1))})
    found = desk.book.precedents("=SUM(B2:C3)+T!A1+A:A+Pays", 0)
    assert found == [(0, Area(1, 1, 3, 3)), (1, Area(0, 0, 1, 1)), (0, Area(0, 0, None, 1)), (1, Area(0, 0, 3, 1))]


def test_the_catalogue_tells_every_function_there_is():
    assert set(FUNCTIONS) == set(BODIES)
    assert all(
        function.help and function.category and function.signature.endswith(")") for function in FUNCTIONS.values()
    )
    assert FUNCTIONS["VLOOKUP"].signature == "VLOOKUP(search_key, range, index, [is_sorted])"
