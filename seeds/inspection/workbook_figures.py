"""Figures of a company's spreadsheets: tabs, formulas, rows, errors."""

import re
from collections.abc import Mapping
from statistics import median

from seeds.inspection.company_tables import Tables

COMMON = frozenset(
    "SUM IF AVERAGE ROUND VLOOKUP COUNTIF MAX MIN NOW TODAY CONCATENATE IFERROR SUMIF INDEX MATCH".split()
)
FUNCTION = re.compile(r"([A-Z]+)\(")


def measure_workbooks(tables: Tables) -> dict[str, float]:
    """Figures by the name of their band."""
    books = [row["file_id"] for row in tables["sheets_spreadsheet"]]
    tabs = [sum(row["file_id"] == book for row in tables["sheets_sheet"]) for book in books]
    used, rows = _read_cells(tables)
    return {
        "sheets.single": tabs.count(1) / len(books),
        "sheets.few": sum(number in (2, 3) for number in tabs) / len(books),
        "sheets.formulas": len(used) / len(books),
        "sheets.common": sum(names <= COMMON for names in used.values()) / len(used),
        "sheets.rows_median": median(rows.values()),
        "sheets.rows_most": max(rows.values()),
        "sheets.errors": len(_find_books_with_errors(tables)) / len(books),
    }


def _read_cells(tables: Tables) -> tuple[Mapping[str, set[str]], Mapping[str, int]]:
    """The functions that each workbook with formulas uses, and the number of rows of each workbook."""
    used, rows = dict[str, set[str]](), dict[str, int]()
    for cell in tables["sheets_cell"]:
        book = cell["file_id"]
        rows[book] = max(rows.get(book, 0), cell["row"] + 1)
        if cell["kind"] == "formula":
            used.setdefault(book, set()).update(FUNCTION.findall(cell["input"]))
    return used, rows


def _find_books_with_errors(tables: Tables) -> set[str]:
    books = {str(row["id"]): row["file_id"] for row in tables["sheets_sheet"]}
    wrong = [
        row["row_id"]
        for row in tables["story_ref"]
        if row["story"] == "blemish" and (row["part"] or "").startswith("error.")
    ]
    return {books[str(place).partition(",")[0]] for place in wrong}
