"""Keys pressed while a mail is sent or written: none of them gets into what is sent, and none is taken for a shortcut."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

import apps.gmail
from tests.apps.gmail.conftest import mail_rows
from tests.browser.conftest import Hold, Office, Site, settled
from tests.browser.reach import list_covered
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


def test_tab_goes_from_the_recipients_to_the_subject_and_on_to_the_text(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox?compose=new")
    page.get_by_label("To recipients").press_sequentially("bo@tiny.example")
    for text in ("Plan", "Shall we # e?"):
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status").filter(has_text="Message sent")).to_be_visible()
    assert sent(office) == ["Shall we # e?"]
    assert office.rows("SELECT count(*) FROM _call WHERE operation LIKE '%trash%' OR operation LIKE '%discard%'") == [
        (0,)
    ]


def test_copies_are_asked_for_by_keys_and_by_pressing(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox?compose=new")
    page.get_by_label("To recipients").press("Control+Shift+C")
    expect(page.get_by_label("Cc recipients", exact=True)).to_be_focused()
    page.get_by_label("Add Bcc recipients").click()
    expect(page.get_by_label("Bcc recipients", exact=True)).to_be_focused()


def test_the_list_of_people_does_not_lie_over_the_subject_once_an_address_is_whole(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox?compose=new")
    page.get_by_label("To recipients").press_sequentially("bo@tiny.exampl")
    expect(page.locator(".suggestions")).to_be_visible()
    page.keyboard.type("e")
    expect(page.locator(".suggestions")).to_have_count(0)
    box = page.get_by_placeholder("Subject").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_placeholder("Subject")).to_be_focused()
    expect(page.locator(".compose-people .chip")).to_contain_text("Bo")


def test_letters_in_the_window_to_write_in_are_no_shortcuts_of_the_list_behind_it(office: Office) -> None:
    office.act("bo", "mail.send", to=["ada@tiny.example"], subject="Lunch", text="Today?")
    page = office.open("ada", "/gmail/mail/inbox")
    page.locator("#list .row-check input").check()
    page.get_by_role("link", name="Compose").click()
    page.locator(".compose-foot [data-command=bold]").focus()
    for key in ("#", "e", "!", "s", "x", "c"):
        page.keyboard.press(key)
    settled(page)
    page.locator(".compose-title").click()
    page.keyboard.press("#")
    settled(page)
    expect(page.locator(".compose-window")).to_be_visible()
    expect(page.locator("#list .row")).to_have_count(1)


def test_a_name_typed_faster_than_it_is_looked_up_is_not_taken_for_another(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox?compose=new")
    to = page.get_by_label("To recipients")
    to.press_sequentially("c")
    expect(page.locator(".suggestions")).to_be_visible()
    held = Hold(page, "**/gmail/people*")
    page.keyboard.type("@tiny.example")
    to.fill("dee@tiny.example")
    page.keyboard.press("Tab")
    expect(page.get_by_placeholder("Subject")).to_be_focused()
    held.let_go()
    expect(page.locator(".compose-people .chip")).to_have_text(re.compile("^Dee"))


def test_every_control_can_be_pressed_at_its_middle(office: Office) -> None:
    office.act("bo", "mail.send", to=["ada@tiny.example"], subject="Lunch", text="Today?")
    page = office.open("ada", "/gmail/mail/inbox")
    page.locator("#list .row-link").first.click()
    settled(page)
    thread = page.url.removeprefix(office.base)
    found = dict[str, list[str]]()
    for path in ("/gmail/mail/inbox", "/gmail/mail/inbox?compose=new", "/gmail/mail/inbox?dialog=search", thread):
        page.goto(office.base + path)
        settled(page)
        found[path] = list_covered(page)
    assert {path: covered for path, covered in found.items() if covered} == {}
