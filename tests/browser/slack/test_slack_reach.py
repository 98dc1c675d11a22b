"""Every control of the chat client's pages can be pressed where it is seen."""

import pytest

from tests.browser.conftest import Office, settled
from tests.browser.reach import list_covered
from tests.browser.slack.chat_rows import CHECKOUT, MENTION, PARENT

PAGES = (
    f"/slack/client/{CHECKOUT}?thread={PARENT}",
    f"/slack/client/{CHECKOUT}?dialog=details",
    f"/slack/client/{CHECKOUT}?dialog=schedule",
    f"/slack/client/{CHECKOUT}?menu={MENTION}",
    "/slack/channels",
    "/slack/people",
    "/slack/search?q=the",
    "/slack/drafts",
    "/slack/channels?dialog=status",
)


@pytest.mark.full
def test_every_control_can_be_pressed_at_its_middle(office: Office) -> None:
    page = office.open("ada", "/slack/later")
    found = dict[str, list[str]]()
    for path in PAGES:
        page.goto(office.base + path)
        settled(page)
        found[path] = list_covered(page)
    assert {path: covered for path, covered in found.items() if covered} == {}


def test_what_hovers_over_messages_is_not_read_out_before_it_is_there(office: Office) -> None:
    page = office.open("ada", f"/slack/client/{CHECKOUT}")
    settled(page)
    assert "More actions" not in page.locator("#messages").aria_snapshot()
    page.locator("#messages article").last.focus()
    assert page.locator("#messages").aria_snapshot().count('link "More actions"') == 1
    page.keyboard.press("Tab")
    for _ in range(12):
        if page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "More actions":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.getAttribute('aria-label')") == "More actions"
