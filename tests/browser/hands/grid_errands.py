"""Errands of a day in a spreadsheet."""

import re

from playwright.sync_api import Locator

from tests.browser.hands.hand import Errand, Hand
from tests.browser.sheets.sheet_rows import cell

BOOK = "Untitled spreadsheet"
CELLS = """SELECT c.row, c.col, c.input FROM sheets_cell c JOIN drive_file f ON f.id = c.file_id
WHERE f.name = ? AND c.row BETWEEN ? AND ? AND c.col BETWEEN ? AND ? ORDER BY 1, 2"""
FIRST = 40  # the row, counted from 0, below which nothing was written


def type_down_a_column(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for text in ("Berlin", "Warsaw", "New York", "12.5"):
        hand.type(text)
        hand.keys("Enter")
    _holds(hand, {(0, 0): "Berlin", (1, 0): "Warsaw", (2, 0): "New York", (3, 0): "12.5"})


def type_across_and_back(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for row in (("a", "b", "c"), ("d", "e", "f")):
        for text, key in zip(row, ("Tab", "Tab", "Enter"), strict=True):
            hand.type(text)
            hand.keys(key)
    _holds(hand, {(0, 0): "a", (0, 1): "b", (0, 2): "c", (1, 0): "d", (1, 1): "e", (1, 2): "f"})


def sum_up(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for text in ("3", "4", "=SUM(A41:A42)"):
        hand.type(text)
        hand.keys("Enter")
    _holds(hand, {(0, 0): "3", (1, 0): "4", (2, 0): "=SUM(A41:A42)"})
    hand.find("gridcell", re.compile(r"^A43 7\b")).wait_for()


def copy_down(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for text in ("3", "4", "5"):
        hand.type(text)
        hand.keys("Enter")
    _go(hand, "B41")
    hand.type("=A41*2")
    hand.keys("Enter")
    _go(hand, "B41")
    hand.keys("Control+c")
    _go(hand, "B42:B43")
    hand.keys("Control+v")
    hand.find("gridcell", re.compile(r"^B43 10\b")).wait_for()
    _holds(hand, {(0, 0): "3", (1, 0): "4", (2, 0): "5", (0, 1): "=A41*2", (1, 1): "=A42*2", (2, 1): "=A43*2"})


def correct_a_letter(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    hand.type("Berln")
    hand.keys("Enter")
    hand.press_on(_cell(hand, "A41"), clicks=2)
    hand.keys("End", "ArrowLeft")
    hand.type("i")
    hand.keys("Enter")
    _holds(hand, {(0, 0): "Berlin"})


def rename_a_tab(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    hand.type("stays")
    hand.keys("Enter")
    hand.press_on(hand.page.locator("#tabs .tab").first, clicks=2)
    hand.type("Numbers 2026")
    hand.keys("Enter")
    hand.sees("Numbers 2026", within="#tabs")
    hand.type("next")
    hand.keys("Enter")
    _holds(hand, {(0, 0): "stays", (1, 0): "next"})
    sql = (
        "SELECT s.title FROM sheets_sheet s JOIN drive_file f ON f.id = s.file_id WHERE f.name = ? ORDER BY s.position"
    )
    hand.finds(sql, [("Numbers 2026",)], BOOK)


def add_a_tab_and_type(hand: Hand) -> None:
    _open(hand)
    hand.press("button", "Add sheet")
    hand.sees("Sheet2", within="#tabs")
    hand.press_on(_cell(hand, "B2"))
    hand.type("on the second")
    hand.keys("Enter")
    sql = """SELECT s.title, c.row, c.col, c.input FROM sheets_cell c JOIN sheets_sheet s ON s.id = c.sheet_id
    WHERE c.input = 'on the second'"""
    hand.finds(sql, [("Sheet2", 1, 1, "on the second")])


def sort_a_range(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for text in ("pear", "apple", "fig"):
        hand.type(text)
        hand.keys("Enter")
    _go(hand, "A41:A43")
    hand.press("menuitem", "Data")
    hand.press_text(re.compile("^Sort range"), within="[role=menu]")
    hand.press_text(re.compile("A to Z|A → Z"), within="[role=menu], [role=dialog], dialog")
    _holds(hand, {(0, 0): "apple", (1, 0): "fig", (2, 0): "pear"})


def make_it_bold(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    hand.type("Head")
    hand.keys("Enter", "ArrowUp", "Control+b")
    sql = "SELECT c.input FROM sheets_cell c JOIN drive_file f ON f.id = c.file_id WHERE f.name = ? AND c.format LIKE '%bold%' AND c.row = 40"
    hand.finds(sql, [("Head",)], BOOK)


def undo(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for text in ("one", "two"):
        hand.type(text)
        hand.keys("Enter")
    hand.keys("Control+z")
    _holds(hand, {(0, 0): "one"})
    hand.keys("Control+y")
    _holds(hand, {(0, 0): "one", (1, 0): "two"})


def clear(hand: Hand) -> None:
    _open(hand)
    _go(hand, "A41")
    for text in ("one", "two", "three"):
        hand.type(text)
        hand.keys("Enter")
    _go(hand, "A41:A42")
    hand.keys("Delete")
    _holds(hand, {(2, 0): "three"})


def find_a_word(hand: Hand) -> None:
    _open(hand)
    _go(hand, "C60")
    hand.type("needle")
    hand.keys("Enter")
    _go(hand, "A1")
    hand.keys("Control+f")
    hand.page.get_by_role("textbox", name=re.compile("Find", re.IGNORECASE)).first.wait_for()
    hand.type("needl")
    hand.keys("Enter")
    hand.sees("Found in C60")
    hand.keys("Escape")


def rename_the_file(hand: Hand) -> None:
    _open(hand)
    hand.fill("textbox", "Rename", "Expenses of the team")
    hand.keys("Enter")
    hand.finds("SELECT count(*) FROM drive_file WHERE name = 'Expenses of the team'", [(1,)])
    _go(hand, "A41")
    hand.type("x")
    hand.keys("Enter")
    hand.finds(CELLS, [(FIRST, 0, "x")], "Expenses of the team", FIRST, FIRST + 30, 0, 10)


def _open(hand: Hand) -> None:
    key = hand.row('SELECT "key" FROM drive_file WHERE name = ?', BOOK)
    hand.open(f"/sheets/d/{key}/edit")
    hand.page.locator("#grid [role=gridcell]").first.wait_for()


def _cell(hand: Hand, name: str) -> Locator:
    return cell(hand.page, name)


def _go(hand: Hand, name: str) -> None:
    hand.press("textbox", "Name box")
    hand.keys("Control+a")
    hand.type(name)
    hand.keys("Enter")


def _holds(hand: Hand, cells: dict[tuple[int, int], str]) -> None:
    wanted = [(FIRST + row, col, text) for (row, col), text in sorted(cells.items())]
    hand.finds(f"SELECT * FROM ({CELLS}) WHERE input <> ''", wanted, BOOK, FIRST, FIRST + 30, 0, 10)


ERRANDS: tuple[Errand, ...] = (
    type_down_a_column,
    type_across_and_back,
    sum_up,
    copy_down,
    correct_a_letter,
    rename_a_tab,
    add_a_tab_and_type,
    sort_a_range,
    make_it_bold,
    undo,
    clear,
    find_a_word,
    rename_the_file,
)
