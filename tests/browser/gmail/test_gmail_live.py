"""Live updates of the mail client: what comes while tabs are open, what stays still, and what every page is to eye and
tree.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

import apps.gmail
from tests.apps.gmail.conftest import eml
from tests.browser.conftest import Office, Site, painted, settled
from tests.browser.gmail import mail_rows
from tests.browser.gmail.mail_rows import MOVE, RENEWAL, REVIEW, THREADS
from tests.browser.slack.test_slack_live import DOUBLED
from world.core import diff

INBOX, CHAT = "/gmail/mail/inbox", f"/gmail/mail/inbox/{THREADS[REVIEW]}"
TABS = (
    INBOX,
    "/gmail/mail/all",
    "/gmail/mail/starred",
    "/gmail/settings",
    "/gmail/mail/search?q=from%3Abo",
    f"{INBOX}/{THREADS[MOVE]}",
)
WITH_LIST = (0, 1, 4)
DRAFT = next(
    row.id for row in mail_rows.post().rows if isinstance(row, mail_rows.m.Draft) and row.subject == "Offer for Acme"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over Ada's mailbox."""
    folder = tmp_path_factory.mktemp("mail")
    made = Site(lambda: mail_rows.host(folder), [apps.gmail])
    yield made
    made.stop()


@pytest.fixture
def office(site: Site, office_of: Callable[..., Office]) -> Office:
    """A fresh world."""
    return office_of(site)


def send(office: Office, subject: str, **more: str) -> None:
    """Bo writes to Ada, and the mail arrives."""
    office.act("bo", "users.messages.send", raw=eml("ada@tiny.example", subject, **more))
    office.act("bo", "users.getProfile")


def answer(office: Office, text: str) -> None:
    """Bo writes once more in the conversation that he began."""
    office.act(
        "bo",
        "users.messages.send",
        raw=eml("ada@tiny.example", f"Re: {REVIEW}", text, In_Reply_To=HEADER, References=HEADER),
    )
    office.act("bo", "users.getProfile")


HEADER = next(
    row.message_id for row in mail_rows.post().rows if isinstance(row, mail_rows.m.Mail) and row.subject == REVIEW
)


def state(office: Office) -> tuple[object, ...]:
    """Simulated time, number of calls, and a hash of every row."""
    return (
        *office.rows("SELECT at, call_seq FROM _now"),
        office.site.do(lambda: diff.full_hash(office.site.host.actor(office.world).bound)),
    )


def connected(page: Page) -> None:
    """Wait for the socket."""
    page.wait_for_selector('html[data-live="open"]')


def test_new_mail_shows_in_every_open_tab_and_looking_costs_nothing(office: Office) -> None:
    page = office.open("ada", TABS[0])
    connected(page)
    tabs = [page, *(page.context.new_page() for _ in TABS[1:])]
    for tab, address in zip(tabs[1:], TABS[1:], strict=True):
        tab.goto(f"{office.base}{address}", wait_until="networkidle")
        connected(tab)
    send(office, "Fresh")
    before = state(office)
    for place, tab in enumerate(tabs):
        tab.bring_to_front()
        expect(tab.get_by_role("link", name="Inbox, 4 unread")).to_be_visible()
        expect(tab).to_have_title(re.compile(r"^\(4\) "))
        if place in WITH_LIST:
            expect(tab.locator("#list .row").first).to_contain_text("Fresh")
    for tab in tabs:
        settled(tab)
    assert state(office) == before


def test_an_open_conversation_tells_of_a_reply_and_keeps_the_half_written_one(office: Office) -> None:
    page = office.open("ada", f"{CHAT}?answer=reply.{THREADS[REVIEW]}")
    connected(page)
    body = page.get_by_role("textbox", name="Message Body")
    body.click()
    page.keyboard.type("Half a sen")
    answer(office, "One more thing.")
    news = page.locator("#thread-news").get_by_role("link")
    expect(news).to_be_visible()
    expect(body).to_be_focused()
    page.keyboard.type("tence")
    expect(body).to_contain_text("Half a sentence")
    expect(page.locator("details.message")).to_have_count(1)
    news.click()
    expect(page.locator("details.message").last.locator(".plain-text").first).to_have_text("One more thing.")
    expect(page.get_by_role("textbox", name="Message Body")).to_contain_text("Half a sentence")
    office.until(lambda: office.rows("SELECT count(*) FROM gmail_draft WHERE subject = ?", f"Re: {REVIEW}"), [(2,)])


def test_without_the_socket_nothing_moves_between_two_looks(office: Office) -> None:
    page = office.open("ada", INBOX, live=False)
    other = page.context.new_page()
    other.goto(f"{office.base}{CHAT}")
    for tab in (page, other):
        settled(tab)
        expect(tab.locator("html")).to_have_attribute("data-live", "off")
    before = [tab.content() for tab in (page, other)]
    answer(office, "One more thing.")
    for tab in (page, other):
        tab.evaluate("() => new Promise((done) => setTimeout(done, 200))")
    assert [tab.content() for tab in (page, other)] == before
    page.bring_to_front()
    page.locator(f"#row-{THREADS[MOVE]}").get_by_label("Starred", exact=True).click()
    expect(page.locator(f"#row-{THREADS[REVIEW]} .row-snippet")).to_contain_text("One more thing.")


def test_two_loads_of_one_state_are_equal_to_the_eye_and_to_the_tree(office: Office) -> None:
    page = office.open("ada", "/gmail/settings", live=False)
    page.set_extra_http_headers({"Firm-Live": "1"})
    office.act("ada", "users.threads.modify", id=THREADS["Weekly digest"], removeLabelIds=["UNREAD"])
    addresses = (f"{INBOX}/{THREADS['Weekly digest']}", f"{INBOX}?compose={DRAFT}")
    seen: dict[str, tuple[str, str, bytes]] = {}
    for address in (*addresses, *addresses):
        page.goto(f"{office.base}{address}")
        settled(page)
        painted(page)
        html = re.sub(r"[0-9a-f]{32}\.\d+", "token", page.content())
        found = (page.locator("body").aria_snapshot(), html, page.screenshot())
        for first, second in zip(seen.setdefault(address, found), found, strict=True):
            assert first == second, address


def test_every_control_has_a_role_and_a_name_of_its_own(office: Office) -> None:
    page = office.open("ada", "/gmail/settings?live=0", live=False)
    page.set_extra_http_headers({"Firm-Live": "1"})
    chat, move, few = THREADS[RENEWAL], THREADS[MOVE], "/mail/label/Clients"
    for address in (
        "/mail/inbox?page=2",
        "/mail/drafts",
        "/mail/spam",
        "/mail/trash?dialog=empty",
        "/mail/search?q=office",
        f"/mail/inbox/{chat}",
        f"/mail/starred/{move}?answer=forward.{move}",
        f"/mail/all/{chat}?answer=replyAll.{chat}",
        f"{few}?compose=new",
        f"/mail/drafts?compose={DRAFT}&more=1",
        f"/original/{move}",
        *(f"/settings?tab={name}" for name in ("general", "labels", "accounts", "filters", "forwarding")),
        *(f"{few}?ids={chat}&dialog={name}" for name in ("label", "move", "snooze", "search", "new-label")),
        f"{few}?dialog=edit-label&of=Label_1",
        f"{few}?dialog=remove-label&of=Label_1",
        "/mail/nowhere",
    ):
        page.goto(f"{office.base}/gmail{address}")
        settled(page)
        assert page.evaluate(DOUBLED) == [], address
    office.expect_complaint("404")


def test_back_and_reload_give_the_same_conversation(office: Office) -> None:
    page = office.open("ada", INBOX)
    page.locator(f"#open-{THREADS[RENEWAL]}").click()
    expect(page.locator("h1")).to_have_text(RENEWAL)
    page.get_by_role("link", name="Starred", exact=True).click()
    page.wait_for_url("**/mail/starred")
    page.go_back()
    expect(page.locator("h1")).to_have_text(RENEWAL)
    settled(page)
    page.reload()
    expect(page.locator("details.message")).to_have_count(5)
    page.go_back()
    expect(page.locator("#list .row")).to_have_count(11)


def test_a_request_whose_link_went_away_is_not_waited_for(office: Office) -> None:
    page = office.open("ada", INBOX)

    def hold(route: Route) -> None:
        page.wait_for_selector('html[data-busy="1"]')
        page.evaluate("() => document.getElementById('sidebar').remove()")
        route.continue_()

    page.route("**/mail/starred", hold)
    with page.expect_response("**/mail/starred"):
        page.get_by_role("link", name="Starred", exact=True).click()
    settled(page)


def test_without_the_vendored_script_links_and_forms_still_work(office: Office) -> None:
    page = office.open("ada", "/gmail/settings")
    page.route("**/vendor/htmx.min.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{office.base}{INBOX}")
    assert page.evaluate("() => typeof window.htmx") == "undefined"
    page.locator(f"#row-{THREADS[MOVE]}").get_by_label("Select").check()
    page.get_by_role("toolbar", name="Conversations").get_by_label("Archive").click()
    expect(page.locator("#toasts .toast")).to_contain_text("Conversation archived.")
    page.locator(f"#open-{THREADS[RENEWAL]}").click()
    page.get_by_role("link", name="Reply", exact=True).last.click()
    expect(page.locator("[contenteditable=true][role=textbox]")).to_be_visible()
    page.get_by_role("textbox", name="Message Body").fill("Gladly.")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#toasts .toast")).to_contain_text("Message sent")
