"""The chat client's pages and what browser tests find on them."""

from playwright.sync_api import Locator, Page

from tests.browser.conftest import Office, settled
from tests.browser.slack.chat_rows import CHECKOUT

ROOM = f"/slack/client/{CHECKOUT}"


def texts(office: Office, channel: str = CHECKOUT) -> list[str]:
    """What was said in a channel, the latest first."""
    return [
        row[0] for row in office.rows("SELECT text FROM slack_message WHERE channel_id = ? ORDER BY ts DESC", channel)
    ]


def last_message(page: Page, pane: str = "#messages") -> Locator:
    """The newest message shown."""
    return page.locator(f"{pane} article").last


def menu_of(page: Page, ts: str, choice: str) -> None:
    """Choose from a message's menu."""
    message = page.locator(f"#m-{ts.replace('.', '-')}")
    message.hover()
    message.get_by_label("More actions").click()
    page.locator("#overlay").get_by_text(choice, exact=True).click()
    settled(page)
