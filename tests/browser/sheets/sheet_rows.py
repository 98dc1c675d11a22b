"""Spreadsheets for the browser tests of the grid, and short ways to a cell."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

import apps.drive
import apps.sheets
from tests.apps.sheets.conftest import sheet_rows
from tests.browser.conftest import Office, Site, settled
from tests.company import image
from world.core.access import Tokens
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store


def host(folder: Path) -> Host:
    """A host over the small company's spreadsheets."""
    sealed = image(folder, [apps.drive.app, apps.sheets.app], sheet_rows)
    return Host(Store(folder / "worlds", Base(sealed)), [apps.drive.app, apps.sheets.app], Tokens("test secret"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over a few spreadsheets."""
    folder = tmp_path_factory.mktemp("sheets")
    made = Site(lambda: host(folder), [apps.drive, apps.sheets])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site, Settings(limits="off"))


@pytest.fixture
def clipboard(lent: BrowserContext) -> None:
    """The browser of a fresh world may use the clipboard."""
    lent.grant_permissions(["clipboard-read", "clipboard-write"])


def address(key: str) -> str:
    """The page of a spreadsheet."""
    return f"/sheets/d/{key}/edit"


def cell(page: Page, name: str) -> Locator:
    """A cell in view, by its name."""
    return page.locator(f'[data-cell="{name}"]')


def shows(page: Page, **texts: str) -> None:
    """Cells, by their names, come to display these texts."""
    for name, text in texts.items():
        expect(cell(page, name)).to_have_text(text)


def place(floating: dict[str, Any]) -> tuple[int, int]:
    """The row and the column a chart or a slicer is anchored at, as the API tells it."""
    at = floating["position"]["overlayPosition"]["anchorCell"]
    return at["rowIndex"], at["columnIndex"]


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


__all__ = ["address", "cell", "context", "editor", "expect", "go", "host", "menu", "place", "shows"]
