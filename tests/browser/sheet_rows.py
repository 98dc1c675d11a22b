"""Spreadsheets for the browser tests of the grid, and short ways to a cell."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

import apps.sheets
from tests.apps.sheets.conftest import sheet_rows
from tests.browser.conftest import settled
from tests.company import image
from world.access import Tokens
from world.host import Host
from world.store import Base, Store


def host(folder: Path) -> Host:
    """A host over the small company's spreadsheets."""
    sealed = image(folder, [apps.sheets.app], sheet_rows)
    return Host(Store(folder / "worlds", Base(sealed)), [apps.sheets.app], Tokens("test secret"))


def address(key: str) -> str:
    """The page of a spreadsheet."""
    return f"/sheets/d/{key}/edit"


def cell(page: Page, name: str) -> Locator:
    """A cell in view, by its name."""
    return page.locator(f'[data-cell="{name}"]')


def shown(page: Page, name: str) -> str:
    """What a cell displays."""
    return cell(page, name).text_content() or ""


def editor(page: Page) -> Locator:
    """The field that types into the active cell."""
    return page.locator("textarea.cell-editor")


def go(page: Page, where: str) -> None:
    """To a cell or a range, by the name box."""
    field = page.get_by_label("Name box")
    field.fill(where)
    field.press("Enter")
    settled(page)


def menu(page: Page, *names: str) -> None:
    """An item of the menu bar, by its names from the bar on."""
    page.get_by_role("menubar").get_by_role("menuitem", name=names[0], exact=True).click()
    for level, name in enumerate(names[1:]):
        page.locator(f'.popup[data-level="{level}"]').get_by_label(name, exact=True).click()
    settled(page)


def context(page: Page, where: Locator, *names: str) -> None:
    """An item of a context menu."""
    where.click(button="right")
    for level, name in enumerate(names):
        page.locator(f'.popup[data-level="{level}"]').get_by_label(name, exact=True).click()
    settled(page)


__all__ = ["address", "cell", "context", "editor", "expect", "go", "host", "menu", "shown"]
