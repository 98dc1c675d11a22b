"""Formulas for the differential test: generated in one order from a table of inputs, and written by hand."""

from itertools import product

from apps.sheets.cells import Entry

TABLE: list[list[float | str | bool | None]] = [
    [1.0, 10.0, "apple", True, 45000.0],
    [2.0, -4.5, "Banana", False, 45031.0],
    [3.0, 0.25, "cherry", True, 45366.5],
    [4.0, 100.0, "apple", None, 45658.0],
    [5.0, -0.5, "date pie", False, 36526.0],
    [6.0, 7.0, "", True, 43830.75],
    [7.0, None, "12", None, 44197.0],
    [8.0, 3.0, "fig", False, 44255.0],
]
PLACES = ("A3", "B2", "B7", "C1", "C7", "D1", "D4")
LITERALS = ("0", "-2.5", '"b"', '"3"', "TRUE")
OPERATORS = ("+", "-", "*", "/", "^", "&", "=", "<>", "<", ">", "<=", ">=")

ONE = ("-7.5", "-1", "0", "0.3", "1", "2.5", "17", "A4", "B2", "B7", "D1")
ONE_NUMBER = (
    "ABS INT SIGN SQRT EXP LN LOG10 SIN COS TAN ASIN ACOS ATAN SINH COSH TANH ASINH DEGREES RADIANS EVEN ODD ISEVEN"
    " ISODD FACT".split()
)
TWO = (("7", "3"), ("-7", "3"), ("7.55", "-3"), ("0", "2"), ("A3", "B2"), ("12345.678", "2"), ("12345.678", "-2"))
TWO_NUMBERS = "ROUND ROUNDUP ROUNDDOWN TRUNC MOD QUOTIENT POWER COMBIN MROUND ATAN2 LOG CEILING FLOOR".split()
RANGES = ("A1:A8", "B1:B8", "A1:B8", "C1:C8", "D1:D8", "A1:D8", "B2:B4")
OF_RANGE = (
    "SUM AVERAGE COUNT COUNTA MIN MAX PRODUCT SUMSQ MEDIAN STDEV STDEVP VAR VARP COUNTBLANK AVERAGEA MAXA MINA GEOMEAN"
    " DEVSQ AVEDEV HARMEAN".split()
)
TEXTS = ('"Hello World"', "C1", "C5", "C6", "C7", '"a,b;c"', "A3", "D1", '"  two  spaces "')
OF_TEXT = "LEN UPPER LOWER PROPER TRIM LEFT RIGHT CODE T VALUE".split()
CRITERIA = ('"apple"', '">3"', '"<>"', '"a*"', '"?????"', "3", '"<>apple"', '"=3"', "TRUE", '">=-0.5"', '"b*"', '""')
DATES = ("E1", "E2", "E3", "E4", "E5", "E6", "45351", "E8")
OF_DATE = "YEAR MONTH DAY WEEKDAY HOUR MINUTE SECOND ISOWEEKNUM WEEKNUM".split()

WRITTEN = [
    "=INDEX(C1:C8,MATCH(3,A1:A8,0))",
    '=IF(A1>0,IF(B2<0,"a","b"),"c")',
    "=IF(D1=TRUE,A1,A2)",
    "=SUM(A1:A3)*2-MAX(B1:B8)/ABS(B2)",
    '=IF(A1>0,"yes","no")',
    "=IF(B7,1,2)",
    "=IF(D4,1,2)",
    '=IFERROR(1/0,"x")',
    '=IFERROR(A1,"x")',
    '=IFNA(MATCH(99,A1:A8,0),"none")',
    "=AND(A1>0,B1>5)",
    "=OR(A1>5,B1>50)",
    "=XOR(TRUE,TRUE,TRUE)",
    "=NOT(D1)",
    "=AND(D1:D8)",
    "=OR(D1:D8)",
    '=IFS(A1>2,"a",A1>0,"b")',
    '=SWITCH(A2,1,"one",2,"two","many")',
    '=CHOOSE(2,"a","b","c")',
    "=VLOOKUP(3,A1:C8,3,FALSE)",
    "=VLOOKUP(3.5,A1:C8,3,TRUE)",
    "=VLOOKUP(99,A1:C8,3,FALSE)",
    "=VLOOKUP(3,A1:C8,9,FALSE)",
    "=HLOOKUP(1,A1:C8,3,FALSE)",
    "=MATCH(3,A1:A8,0)",
    "=MATCH(3.5,A1:A8,1)",
    '=MATCH("apple",C1:C8,0)',
    '=MATCH("b*",C1:C8,0)',
    '=MATCH("zz",C1:C8,0)',
    "=INDEX(A1:C8,2,3)",
    "=INDEX(A1:A8,3)",
    "=INDEX(A1:C8,9,1)",
    '=XLOOKUP("fig",C1:C8,A1:A8)',
    '=XLOOKUP("zz",C1:C8,A1:A8,"none")',
    "=XLOOKUP(3.5,A1:A8,C1:C8,0,-1)",
    "=XLOOKUP(3.5,A1:A8,C1:C8,0,1)",
    "=LOOKUP(3.5,A1:A8,C1:C8)",
    "=SUMPRODUCT(A1:A8,B1:B8)",
    "=SUMPRODUCT((A1:A8>3)*(B1:B8>0))",
    '=SUMIFS(A1:A8,C1:C8,"apple",B1:B8,">20")',
    '=COUNTIFS(A1:A8,">2",B1:B8,">0")',
    '=AVERAGEIFS(A1:A8,C1:C8,"apple")',
    '=MAXIFS(A1:A8,C1:C8,"apple")',
    '=MINIFS(A1:A8,C1:C8,"apple")',
    '=SUMIF(A1:A8,">3",B1:B8)',
    '=AVERAGEIF(A1:A8,">100")',
    "=LARGE(A1:A8,2)",
    "=SMALL(B1:B8,2)",
    "=LARGE(A1:A8,99)",
    "=RANK(3,A1:A8)",
    "=PERCENTILE(A1:A8,0.3)",
    "=QUARTILE(A1:A8,1)",
    "=ROW()",
    "=COLUMN()",
    "=ROW(B7)",
    "=COLUMN(B7)",
    "=ROWS(A1:B8)",
    "=COLUMNS(A1:B8)",
    '=CONCATENATE("a",A1,TRUE)',
    '=TEXTJOIN("-",TRUE,C1:C8)',
    '=TEXTJOIN("-",FALSE,C1:C8)',
    '=REPT("ab",3)',
    '=FIND("l","hello")',
    '=FIND("L","hello")',
    '=SEARCH("L","hello")',
    '=SEARCH("e?l","hello")',
    '=SUBSTITUTE("a-b-c","-","+")',
    '=SUBSTITUTE("a-b-c","-","+",2)',
    '=REPLACE("abcdef",2,3,"X")',
    '=MID("abcdef",2,3)',
    '=LEFT("abc",10)',
    '=RIGHT("abc",2)',
    '=EXACT("a","A")',
    "=CHAR(65)",
    '=UNICODE("é")',
    "=DATE(2024,2,29)",
    "=DATE(2024,14,1)",
    "=DATE(2023,2,29)",
    "=EDATE(E1,1)",
    "=EOMONTH(E1,0)",
    "=EOMONTH(E1,-13)",
    "=TIME(12,30,0)",
    '=DATEDIF(E5,E1,"Y")',
    '=DATEDIF(E5,E1,"M")',
    '=DATEDIF(E5,E1,"D")',
    '=DATEDIF(E5,E1,"YM")',
    "=DAYS(E1,E5)",
    "=NETWORKDAYS(E5,E1)",
    "=WORKDAY(E1,10)",
    "=YEARFRAC(E5,E1)",
    "=YEARFRAC(E5,E1,1)",
    "=YEARFRAC(E5,E1,3)",
    "=DAYS360(E5,E1)",
    "=-2^2",
    "=2^-1",
    "=2^3^2",
    "=50%",
    "=1+2*3-4/2",
    "=(1+2)*3",
    "=-(-3)",
    '="a"&"b"&1',
    "=1=1",
    '="a"<"b"',
    '=1<"a"',
    '=TRUE>"z"',
    "=ISBLANK(B7)",
    "=ISNUMBER(A1)",
    "=ISTEXT(C1)",
    "=ISLOGICAL(D1)",
    "=ISERROR(1/0)",
    "=ISNA(NA())",
    "=ISERR(NA())",
    "=ISNONTEXT(A1)",
    "=N(TRUE)",
    '=N("a")',
    "=TYPE(A1)",
    "=TYPE(C1)",
    "=PI()",
    '=SUM(A1,"3")',
    "=SUM(1,2,A1:A3)",
    "=MAX(A1:A3,99)",
    '=COUNT(A1,"3","x",TRUE)',
    '=COUNTA(A1,"",B7)',
    "=PMT(0.01,12,1000)",
    "=FV(0.01,12,-100)",
    "=PV(0.01,12,-100)",
    "=NPER(0.01,-100,1000)",
    "=NPV(0.1,A1:A5)",
    "=IRR({-100,60,60})",
    "=SLN(1000,100,5)",
    "=DEC2BIN(9)",
    '=BIN2DEC("1001")',
    '=HEX2DEC("FF")',
    "=DEC2HEX(255)",
    "=BITAND(5,3)",
    "=GCD(12,18)",
    "=LCM(4,6)",
    "=CORREL(A1:A5,A2:A6)",
    "=SLOPE(A1:A5,E1:E5)",
    "=FISHER(0.5)",
    "=NORM.S.DIST(1,TRUE)",
    "=NORM.DIST(1,0,1,FALSE)",
    "=BASE(255,16)",
    '=DECIMAL("FF",16)',
    "=ROMAN(1994)",
    '=ARABIC("MCMXCIV")',
    "=ADDRESS(2,3)",
    "=SUM(OFFSET(A1,1,0,3,1))",
    '=SUM(INDIRECT("A1:A3"))',
    "=LET(x_,2,x_*3)",
    "=LAMBDA(x_,x_+1)(2)",
    "=SUM(A1:A8)/COUNT(A1:A8)",
    "=A1:A8*2",
    "=SUM(A:A)",
    "=1/3",
    "=0.1+0.2",
    "=1E300*1E300",
    "=A1+C1",
    "=A1+C7",
    "=NOSUCH(1)",
    "=nosuch",
    "=C1&B7",
    '=IF(B7=0,"zero","other")',
    '=IF(B7="","blank","other")',
]


def generated() -> list[str]:
    """Formulas made of the lists above."""
    operands = [*PLACES, *LITERALS]
    made = [f"={one}{sign}{two}" for sign, one, two in product(OPERATORS, operands[::2], operands[1::2])]
    made += [f"={name}({argument})" for name, argument in product(ONE_NUMBER, ONE)]
    made += [f"={name}({one},{two})" for name, (one, two) in product(TWO_NUMBERS, TWO)]
    made += [f"={name}({area})" for name, area in product(OF_RANGE, RANGES)]
    made += [f"={name}({value})" for name, value in product(OF_TEXT, TEXTS)]
    made += [
        f"={name}({area},{criterion})" for name, area, criterion in product(("COUNTIF", "SUMIF"), RANGES[:4], CRITERIA)
    ]
    made += [f"={name}({value})" for name, value in product(OF_DATE, DATES)]
    return made


CORPUS = list(dict.fromkeys([*generated(), *WRITTEN]))


def entry(value: float | str | bool | None) -> Entry:
    """A value as it is stored."""
    if value is None:
        return Entry("", "")
    if isinstance(value, bool):
        return Entry("boolean", str(value).upper())
    return Entry("text", value) if isinstance(value, str) else Entry("number", repr(value))
