"""Keys pressed while a mail is sent or written: none of them gets into what is sent, and none is taken for a shortcut."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

import apps.gmail
from tests.apps.gmail.conftest import mail_rows
from tests.browser.conftest import Hold, Office, Site, settled
from tests.company import host as make_host

SENDING = "**/do/mail.send"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over empty mailboxes."""
    folder = tmp_path_factory.mktemp("mail")
    made = Site(lambda: make_host(folder, [apps.gmail.app], mail_rows), [apps.gmail])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)


def write(office: Office, text: str) -> Page:
    """Ada writes to Bo; the caret is behind the last letter."""
    page = office.open("ada", "/gmail/mail/inbox?compose=new")
    page.get_by_label("To recipients").fill("bo@tiny.example")
    page.get_by_placeholder("Subject").fill("Plan")
    page.get_by_label("Message Body").press_sequentially(text)
    return page


def sent(office: Office) -> list[str]:
    """The texts of what Ada has sent."""
    return [
        office.see("ada", "mail.message", id=one["id"])["text"].strip()
        for one in office.see("ada", "users.messages.list", labelIds=["SENT"]).get("messages", [])
    ]


def test_what_is_typed_after_sending_does_not_get_into_the_mail(office: Office) -> None:
    page = write(office, "See you at ten")
    held = Hold(page, SENDING)
    with page.expect_request(SENDING):
        page.keyboard.press("Control+Enter")
        page.keyboard.type(" or eleven # e")
    expect(page.locator("#compose-form")).to_have_js_property("inert", True)
    held.let_go()
    expect(page.get_by_role("status").filter(has_text="Message sent")).to_be_visible()
    assert sent(office) == ["See you at ten"]


def test_a_mail_that_could_not_be_sent_can_be_written_on(office: Office) -> None:
    page = write(office, "See you at ten")
    held = Hold(page, SENDING)
    with page.expect_request(SENDING):
        page.keyboard.press("Control+Enter")
    held.lose()
    settled(page)
    expect(page.get_by_label("Message Body")).to_be_focused()
    page.keyboard.type(", or eleven")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="Message sent")).to_be_visible()
    assert sent(office) == ["See you at ten, or eleven"]
    for part in ("Failed to load resource", "htmx:afterRequest", "htmx:sendError"):
        office.expect_complaint(part)
