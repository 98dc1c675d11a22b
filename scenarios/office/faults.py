"""Faults of small functions, each in two modules of a repository, for the authors of chores."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A function with the fault: its module, name and parameters, and a case in which nothing is seen of the fault."""

    module: str
    function: str
    parameters: str
    usual: str

    @property
    def path(self) -> str:
        """Path of the module."""
        return f"src/{self.module}.py"

    @property
    def test_path(self) -> str:
        """Path of the module's tests."""
        return f"tests/test_{self.module}.py"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: how a ticket reports it, the expression and a right one, and cases `arguments => answer` that show it."""

    summary: str
    text: str
    places: tuple[Place, Place]
    imports: str
    wrong: str
    right: str
    cases: tuple[str, ...]

    def source(self, place: Place, *, mended: bool = False, end: str = "") -> str:
        """Text of a module; `end` is added to the parameters."""
        head = f'"""{place.module.capitalize()}."""\n\n' + (f"{self.imports}\n\n\n" if self.imports else "\n")
        answer = self.right if mended else self.wrong
        return f"{head}def {place.function}({place.parameters}{end}):\n    return {answer}\n"

    def tests(self, place: Place, cases: tuple[str, ...], *, more: bool = False) -> str:
        """Text of a file of tests; `more`: one that stands beside the module's first one."""
        name, module = place.module, place.module if more else f"src.{place.module}"
        imports = f"from src import {name}" if more else f"import {module}"
        body = ""
        for number, case in enumerate(cases, 1 if more else 0):
            given, _, answer = case.partition(" => ")
            call = f"{module}.{place.function}({given})"
            body += f"\n    def test_case_{number}(self):\n        self.assertEqual({call}, {answer})\n"
        kind = f"{name.capitalize()}{'Cases' if more else 'Test'}"
        return f"import unittest\n{self.imports}\n\n{imports}\n\n\nclass {kind}(unittest.TestCase):{body}"


FAULTS = (
    Fault(
        "Invoices of the last day carry the next month",
        "An invoice of 31 January says 2026-02. On other days the month is right.",
        (
            Place("invoice", "period", "day", "datetime.date(2026, 1, 15) => '2026-01'"),
            Place("reminder", "month_of", "day", "datetime.date(2026, 3, 2) => '2026-03'"),
        ),
        "import datetime",
        '(day + datetime.timedelta(days=1)).strftime("%Y-%m")',
        'day.strftime("%Y-%m")',
        (
            "datetime.date(2026, 1, 31) => '2026-01'",
            "datetime.date(2024, 2, 29) => '2024-02'",
            "datetime.date(2026, 4, 1) => '2026-04'",
        ),
    ),
    Fault(
        "A cent is lost in some totals",
        "19.99 becomes 1998 in the file for the bank. Most amounts are fine.",
        (
            Place("export", "cents", "amount", "12.5 => 1250"),
            Place("ledger", "minor_units", "amount", "3.0 => 300"),
        ),
        "",
        "int(amount * 100)",
        "round(amount * 100)",
        ("19.99 => 1999", "0.29 => 29", "-19.99 => -1999", "8 => 800"),
    ),
    Fault(
        "The last page of the list is missing",
        "A shop with 120 orders sees two pages of 50. The last 20 orders are nowhere.",
        (
            Place("orders", "pages", "count, size", "100, 50 => 2"),
            Place("refunds", "page_count", "count, size", "40, 20 => 2"),
        ),
        "",
        "count // size",
        "-(-count // size)",
        ("120, 50 => 3", "1, 50 => 1", "0, 50 => 0", "50, 50 => 1"),
    ),
    Fault(
        "Order 10 comes before order 9",
        "In the list of a merchant the numbers go 1, 10, 11, 2, 3.",
        (
            Place("listing", "arrange", "numbers", "['2', '1'] => ['1', '2']"),
            Place("report", "ordered", "numbers", "['11', '12'] => ['11', '12']"),
        ),
        "",
        "sorted(numbers)",
        "sorted(numbers, key=int)",
        ("['9', '10', '1'] => ['1', '9', '10']", "['100', '20'] => ['20', '100']", "[] => []"),
    ),
    Fault(
        "Two accounts for one mail address",
        "Anna@shop.example and anna@shop.example both have an account, it is one person.",
        (
            Place("accounts", "same_address", "one, other", "'a@b.example', 'a@b.example' => True"),
            Place("invites", "is_invited", "one, other", "'a@b.example', 'c@b.example' => False"),
        ),
        "",
        "one == other",
        "one.casefold() == other.casefold()",
        (
            "'Anna@B.example', 'anna@b.example' => True",
            "'A@b.example', 'c@b.example' => False",
            "'x@Y.example', 'X@y.example' => True",
        ),
    ),
    Fault(
        "The last day of a discount does not count",
        "A discount to 14 March was not given on the 14th.",
        (
            Place("discount", "is_valid", "first, last, day", "3, 9, 5 => True"),
            Place("voucher", "may_be_used", "first, last, day", "3, 9, 12 => False"),
        ),
        "",
        "first <= day < last",
        "first <= day <= last",
        ("3, 14, 14 => True", "3, 14, 3 => True", "3, 14, 15 => False", "3, 14, 2 => False"),
    ),
    Fault(
        "Statistics stop on a day without orders",
        "The job ends with an error when a shop sold nothing. It should say 0.",
        (
            Place("daily", "average", "values", "[2, 4] => 3"),
            Place("weekly", "mean", "values", "[5] => 5"),
        ),
        "",
        "sum(values) / len(values)",
        "sum(values) / len(values) if values else 0",
        ("[] => 0", "[1, 2] => 1.5", "[0, 0] => 0"),
    ),
    Fault(
        "Refunds are printed without their minus",
        "A refund of 20 looks like a sale of 20 on the receipt.",
        (
            Place("receipt", "amount_text", "cents", "1250 => '12.50'"),
            Place("statement", "shown", "cents", "5 => '0.05'"),
        ),
        "",
        'f"{abs(cents) / 100:.2f}"',
        'f"{cents / 100:.2f}"',
        ("-2000 => '-20.00'", "-5 => '-0.05'", "300 => '3.00'"),
    ),
    Fault(
        "Names with two spaces get an empty part",
        "Somebody typed two spaces between the names, and the label has an empty line.",
        (
            Place("labels", "parts", "name", "'Ada Lovelace' => ['Ada', 'Lovelace']"),
            Place("letters", "words", "name", "'Ada' => ['Ada']"),
        ),
        "",
        'name.split(" ")',
        "name.split()",
        (
            "'Ada  Lovelace' => ['Ada', 'Lovelace']",
            "' Ada ' => ['Ada']",
            "'Ada King Lovelace' => ['Ada', 'King', 'Lovelace']",
        ),
    ),
)
