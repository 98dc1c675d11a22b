"""Random hostile formulas, drawn from hostile_formulas.txt.

`python -m apps.sheets.engine.hostile_formulas [COUNT] [SEED]` prints the cost of the slowest one.
"""

import gc
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from apps.sheets.cells import EMPTY, Entry, Fault
from apps.sheets.engine.catalogue import FUNCTIONS
from apps.sheets.engine.workbook import NativeWorkbook
from world.bench.timing import cpu_ms
from world.core.rng import Stream

ROWS, LONG = 1_000, 40_000
AGAIN, TIMES = 20, 5  # so many of the slowest are measured again, so often
HOLE = re.compile(r"<(?:(\d+)x:(.*?)|(\w+))>")
DEEP = (
    ("(", ")"),
    ("ABS(", ")"),
    ("{", "}"),
    ("-", ""),
    ("IF(TRUE,", ",1)"),
    ("IFERROR(1/0,", ")"),
    ("LET(x,1,", ")"),
    ("LAMBDA(x,", ")(1)"),
    ("1+", ""),
    ("SUM(1,", ")"),
    ("1&(", ")"),
    ("ARRAYFORMULA(T!A1:A1000*", ")"),
    ("SORT(", ")"),
    ("{1;", "}"),
    ("VSTACK(T!A1:A1000,", ")"),
)
KINDS = ("deep", "running", "giant", "textual", "crossing", "call")
ROUND = ("{}", "{}", "{}", "IFERROR({},1)", "SUM({})", "ARRAYFORMULA({})", "LET(x,{},x+x)", "{0}&{0}")


def _read_formulas() -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            found[line[2:]] = []
        else:
            found[list(found)[-1]].append(line)
    return found


class Drawer:
    """Draws formulas, equal for equal seeds."""

    def __init__(self, seed: int) -> None:
        self.chance = Stream("formulas", seed)
        self.listed = _read_formulas()
        self.names = sorted(FUNCTIONS)

    def size(self, most: float = 7) -> int:
        """Draw a number of cells, characters or rounds, of any magnitude."""
        return int(10 ** (most * self.chance.random()))

    def one(self, kind: str) -> str:
        """Draw a part of that kind."""
        if kind in ("size", "side"):
            return str(self.size(7 if kind == "size" else 4))
        if kind == "deep":
            before, after = self.chance.choice(DEEP)
            times = self.size(3.5)
            return before * times + "1" + after * times
        if kind == "call":
            arguments = [
                self.one(self.chance.choice(("number", "text", "table", "giant", "textual")))
                for _ in range(self.chance.integer(0, 6))
            ]
            return f"{self.chance.choice(self.names)}({','.join(arguments)})"
        return HOLE.sub(self.fill_hole, self.chance.choice(self.listed[kind]))

    def fill_hole(self, hole: re.Match[str]) -> str:
        """Fill a placeholder with a part of its kind, or repeated characters."""
        times, letters, kind = hole.groups()
        return letters * int(times) if times else self.one(kind)

    def formulas(self, count: int) -> Iterator[str]:
        """Draw that many hostile formulas."""
        for index in range(count):
            yield "=" + self.chance.choice(ROUND).format(self.one(KINDS[index % len(KINDS)]))


def open_workbook() -> NativeWorkbook:
    """Return an engine with a sheet of a thousand numbers and texts and a long text; formulas go to another sheet."""
    book = NativeWorkbook(lambda spreadsheet, reference: Fault("#REF!", "You don't have permission."))
    cells = [(row, 0, Entry("number", str(row))) for row in range(ROWS)]
    cells += [
        (row, column, Entry("text", f"{'abc'[row % 3]} word{row % 97}")) for row in range(ROWS) for column in (2, 3)
    ]
    book.load([(0, "T", [*cells, (0, 1, Entry("text", "ab" * (LONG // 2)))]), (1, "F", [])], {})
    type_formula(book, "=MDETERM({1,2;3,4})")  # a library is loaded once in a process
    return book


def type_formula(book: NativeWorkbook, formula: str) -> None:
    """Type a formula and compute it; cells it would spill into are counted, not filled."""
    book.put(1, [(0, 0, Entry("formula", f"=COUNTA({formula[1:]})"))])
    book.value(1, 0, 0)


def cost(count: int, seed: int = 1) -> tuple[float, str]:
    """Return the processor time in milliseconds of the slowest formula, and the formula.

    The slowest ones are measured again, and their median counts.
    """
    book = open_workbook()
    gc.collect()
    gc.freeze()  # going over all that the process holds is no formula's cost

    def measure_cpu(formula: str) -> float:
        time = cpu_ms(lambda: type_formula(book, formula))
        book.put(1, [(0, 0, EMPTY)])
        return time

    once = sorted(((measure_cpu(formula), formula) for formula in Drawer(seed).formulas(count)), reverse=True)
    rounds = [[measure_cpu(formula) for _, formula in once[:AGAIN]] for _ in range(TIMES)]
    return max(
        (median(times), formula) for times, (_, formula) in zip(zip(*rounds, strict=True), once[:AGAIN], strict=True)
    )


if __name__ == "__main__":
    gc.set_threshold(50_000, 20, 50)  # as in every process of `firm`
    slowest_, worst_ = cost(*([int(word) for word in sys.argv[1:]] or [3_000]))
    print(json.dumps({"slowest_ms": round(slowest_, 1), "formula": worst_[:500]}))
