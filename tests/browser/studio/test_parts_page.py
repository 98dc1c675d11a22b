"""The page of shared parts: each works there, in a window of every width, and no agent can ask for it."""

from pathlib import Path

import httpx
from playwright.sync_api import Browser, expect

from tests.browser.studio.studio_site import reading
from world.run.home import Home


def test_every_part_works_on_the_page_of_parts(chromium: Browser, tmp_path: Path) -> None:
    with reading(Home(tmp_path / "home"), tmp_path, chromium) as reader:
        page = reader.go("/_parts", 390)
        assert reader.list_faults() == []
        page = reader.go("/_parts")
        assert reader.list_faults() == []
        page.get_by_label("Size", exact=True).click()
        page.locator('.listbox [role="option"]', has_text="Large").click()
        expect(page.get_by_label("Size", exact=True)).to_have_value("Large")
        page.get_by_label("Several people").fill("ko")
        page.locator(".suggestions li", has_text="Kofi Mensah").click()
        expect(page.locator('input[name="many"]')).to_have_value("Kofi Mensah")
        page.get_by_text("Actions").click()
        expect(page.get_by_role("button", name="Rename")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Rename")).to_be_hidden()
        page.get_by_role("button", name="Open a dialog").click()
        expect(page.get_by_role("dialog", name="Rename")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_label("Text", exact=True).select_text()
        page.get_by_role("button", name="Bold").click()
        expect(page.get_by_label("Text", exact=True)).to_have_value("**A text with a word in it**")
        page.get_by_role("button", name="Dismiss").click()
        expect(page.get_by_text("Message sent")).to_have_count(0)
        drawn = "() => [...document.querySelectorAll('img.avatar')].every(one => one.complete && one.naturalWidth > 0)"
        assert page.evaluate(drawn)
        assert httpx.get(f"{reader.site.base}/_parts").status_code == 401
