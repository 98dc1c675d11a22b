"""Errands of a day among files."""

from playwright.sync_api import Locator

from tests.browser.hands.hand import Errand, Hand

BOOK = "Untitled spreadsheet"
GRANTS = """SELECT p.handle, g.role FROM drive_permission g JOIN drive_file f ON f.id = g.file_id
JOIN person p ON p.id = g.person_id WHERE f.name = ? AND g.role <> 'owner' ORDER BY 1"""


def make_a_folder(hand: Hand) -> None:
    _open(hand)
    _press_new(hand, "New folder")
    hand.find("textbox", "Folder name").wait_for()
    hand.type("Receipts 2026")
    hand.keys("Enter")
    hand.sees("Receipts 2026", within="main")
    hand.finds("SELECT count(*) FROM drive_file WHERE name LIKE 'Receipts%'", [(1,)])


def share(hand: Hand) -> None:
    _open(hand)
    hand.hover(_row(hand))
    hand.press("link", f"Share {BOOK}")
    hand.page.locator("[role=dialog] input[role=combobox]").first.wait_for()
    hand.press_on(hand.page.locator("[role=dialog] input[role=combobox]").first)
    hand.type("deepika")
    hand.press_on(hand.page.locator(".suggestions [role=option]").first)
    hand.press("button", "Send")
    hand.finds(GRANTS, [("dsharma", "writer")], BOOK)


def share_by_typing_two(hand: Hand) -> None:
    _open(hand)
    hand.hover(_row(hand))
    hand.press("link", f"Share {BOOK}")
    hand.page.locator("[role=dialog] input[role=combobox]").first.wait_for()
    hand.press_on(hand.page.locator("[role=dialog] input[role=combobox]").first)
    hand.type("karolina.lis@quayline.example,svenja.weber@quayline.example")
    hand.press("button", "Send")
    hand.finds(GRANTS, [("klis", "writer"), ("sweber", "writer")], BOOK)


def open_it_to_the_company(hand: Hand) -> None:
    _open(hand)
    hand.hover(_row(hand))
    hand.press("link", f"Share {BOOK}")
    hand.choose("combobox", "General access", "Quayline")
    sql = """SELECT g.type, g.role FROM drive_permission g JOIN drive_file f ON f.id = g.file_id
    WHERE f.name = ? AND g.type <> 'user'"""
    hand.finds(sql, [("domain", "reader")], BOOK)


def rename(hand: Hand) -> None:
    _open(hand)
    _menu(hand, "Rename")
    hand.page.locator("[role=dialog] input[type=text]").first.wait_for()
    hand.keys("Control+a")
    hand.type("Team expenses")
    hand.keys("Enter")
    hand.sees("Team expenses", within="main")
    hand.finds("SELECT count(*) FROM drive_file WHERE name = 'Team expenses'", [(1,)])


def star(hand: Hand) -> None:
    _open(hand)
    hand.hover(_row(hand))
    hand.press_on(_row(hand).get_by_role("button", name="Add to starred"))
    hand.finds("SELECT count(*) FROM drive_star WHERE person_id = ?", [(1,)], hand.person)
    hand.press("link", "Starred")
    hand.sees(BOOK, within="main")


def throw_away_and_restore(hand: Hand) -> None:
    _open(hand)
    _menu(hand, "Move to trash")
    sql = "SELECT trashed_at IS NULL FROM drive_file WHERE name = ?"
    hand.finds(sql, [(0,)], BOOK)
    hand.press("link", "Trash")
    hand.sees(BOOK, within="main")
    _menu(hand, "Restore")
    hand.finds(sql, [(1,)], BOOK)


def copy(hand: Hand) -> None:
    _open(hand)
    _menu(hand, "Make a copy")
    hand.page.locator("[role=dialog] input[type=text]").first.wait_for()
    hand.press_on(hand.page.locator("[role=dialog] .button-primary").last)
    hand.finds("SELECT count(*) FROM drive_file WHERE name = 'Copy of Untitled spreadsheet'", [(1,)])


def search(hand: Hand) -> None:
    _open(hand)
    hand.press_on(hand.page.locator("#global-search, header input[type=search]").first)
    hand.type("rota")
    hand.keys("Enter")
    hand.sees("On-call rota", within="main")


def open_and_come_back(hand: Hand) -> None:
    _open(hand)
    hand.press_on(_row(hand).locator("a.file-link, .file-name").first)
    hand.page.locator("#grid [role=gridcell]").first.wait_for()
    hand.page.go_back()
    hand.sees(BOOK, within="main")


def make_a_spreadsheet(hand: Hand) -> None:
    _open(hand)
    _press_new(hand, "Blank spreadsheet")
    hand.page.locator("#grid [role=gridcell]").first.wait_for()
    hand.type("first cell")
    hand.keys("Enter")
    hand.finds("SELECT row, col FROM sheets_cell WHERE input = 'first cell'", [(0, 0)])


def _open(hand: Hand) -> None:
    hand.open("/drive/my-drive")
    _row(hand).wait_for()


def _row(hand: Hand) -> Locator:
    return hand.page.locator("main .file", has_text=BOOK).first


def _menu(hand: Hand, choice: str) -> None:
    hand.hover(_row(hand))
    hand.press("link", f"More actions for {BOOK}")
    hand.press_on(hand.page.locator("#overlay").get_by_text(choice, exact=True).first)


def _press_new(hand: Hand, choice: str) -> None:
    hand.press_on(hand.page.get_by_text("New", exact=True).first)
    hand.press_on(hand.page.get_by_text(choice, exact=True).locator("visible=true").first)


ERRANDS: tuple[Errand, ...] = (
    make_a_folder,
    share,
    share_by_typing_two,
    open_it_to_the_company,
    rename,
    star,
    throw_away_and_restore,
    copy,
    search,
    open_and_come_back,
    make_a_spreadsheet,
)
