"""Lists of the mail client: what rows show, and what is done to conversations from them, by mouse, by key and without
scripts.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

import apps.gmail
from tests.apps.gmail.conftest import eml
from tests.browser.conftest import Office, Site, settled
from tests.browser.gmail import mail_rows
from tests.browser.gmail.mail_rows import MOVE, RENEWAL, REVIEW, THREADS
from tests.company import START
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

INBOX = "/gmail/mail/inbox"
RAIL = ("Inbox", "Starred", "Snoozed", "Sent", "Drafts")
MORE = ("Important", "Scheduled", "All Mail", "Spam", "Trash", "Primary", "Social", "Updates", "Forums", "Promotions")


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


def row(page: Page, subject: str) -> Locator:
    """The row of a conversation."""
    return page.locator(f"#row-{THREADS[subject]}")


def subjects(page: Page) -> Locator:
    """The subjects listed, from the top."""
    return page.locator("#list .row-subject")


def labels(office: Office, subject: str) -> list[set[str]]:
    """The labels of a conversation's messages, oldest first."""
    return [set(one["labelIds"]) for one in office.see("ada", "users.threads.get", id=THREADS[subject])["messages"]]


def send(office: Office, subject: str) -> None:
    """Bo writes to Ada, and the mail arrives."""
    office.act("bo", "users.messages.send", raw=eml("ada@tiny.example", subject))
    office.act("bo", "users.getProfile")


def toast(page: Page) -> Locator:
    """What the client says was done."""
    return page.locator("#toasts .toast")


def tools(page: Page) -> Locator:
    """The tools over the list."""
    return page.get_by_role("toolbar", name="Conversations")


def test_the_rail_leads_to_every_list(office: Office) -> None:
    page = office.open("ada", "/gmail/")
    page.wait_for_url("**/mail/inbox")
    rail = page.get_by_role("navigation", name="Mail")
    expect(rail.get_by_role("link", name="Compose")).to_be_visible()
    expect(rail.get_by_role("link", name="Inbox, 3 unread")).to_have_css("font-weight", "700")
    expect(rail.get_by_role("link", name="Drafts, 3")).to_be_visible()
    for name in RAIL:
        expect(rail.get_by_text(name, exact=True)).to_have_count(1)
    rail.get_by_role("link", name="More", exact=True).click()
    for name in MORE:
        expect(rail.get_by_text(name, exact=True)).to_be_visible()
    rail.get_by_role("link", name="Spam, 1 unread").click()
    page.wait_for_url("**/mail/spam*")
    expect(subjects(page)).to_have_text(["You have WON"])


def test_own_labels_are_coloured_and_nested(office: Office) -> None:
    page = office.open("ada", INBOX)
    rail = page.get_by_role("navigation", name="Mail")
    expect(rail.locator(".rail-depth-1")).to_have_text("Atlas")
    expect(rail.get_by_role("link", name="Clients, 1 unread", exact=True).locator("path")).to_have_attribute(
        "fill", "#16a766"
    )
    expect(row(page, RENEWAL).locator(".row-chip")).to_have_css("background-color", "rgb(22, 167, 102)")
    rail.get_by_role("link", name="Atlas", exact=True).click()
    page.wait_for_url("**/mail/label/Projects~1Atlas")
    expect(subjects(page)).to_have_text([MOVE, "Archived plan"])
    expect(row(page, MOVE).locator(".row-chip")).to_have_text("Inbox")


def test_a_row_says_who_what_and_when(office: Office) -> None:
    page = office.open("ada", INBOX)
    expect(row(page, RENEWAL).locator(".row-who")).to_have_text("Zoe .. me, Dee 5")
    expect(row(page, RENEWAL).locator(".row-line")).to_have_text("Clients" + RENEWAL + " - Looking forward to it!")
    expect(row(page, REVIEW).locator(".draft")).to_have_css("color", "rgb(184, 51, 31)")
    expect(row(page, REVIEW).locator("time")).to_have_text("7:00 AM")
    expect(row(page, REVIEW).locator("time")).to_have_attribute("title", "Mon, Mar 2, 2026, 7:00 AM")
    expect(row(page, MOVE).locator("time")).to_have_text("Feb 27")
    expect(row(page, MOVE).locator(".row-files")).to_contain_text("floorplan.png")
    expect(row(page, MOVE).get_by_label("Starred")).to_have_attribute("aria-pressed", "true")
    expect(row(page, RENEWAL).get_by_label("Important")).to_have_attribute("aria-pressed", "true")
    page.goto(f"{office.base}/gmail/mail/label/Receipts%20%26%20co")
    expect(row(page, "Your contract").locator("time")).to_have_text("1/26/25")


def test_unread_rows_are_bold_on_white(office: Office) -> None:
    page = office.open("ada", INBOX)
    expect(row(page, REVIEW)).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(row(page, REVIEW).locator(".row-subject")).to_have_css("font-weight", "700")
    expect(row(page, MOVE)).to_have_css("background-color", "rgb(243, 246, 251)")
    expect(row(page, MOVE).locator(".row-subject")).to_have_css("font-weight", "400")


def test_sent_mail_names_its_recipients_and_drafts_are_drafts(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/sent")
    expect(page.locator(".row-who")).to_have_text(["To: Bo, Dee", "To: Zoe, Cyrus 5", "To: Core"])
    page.goto(f"{office.base}/gmail/mail/drafts")
    expect(page.locator(".row-who")).to_have_text(["Bo Lindqvist, Draft 2", "Draft", "Draft"])
    expect(subjects(page)).to_have_text([REVIEW, "Offer for Acme", "(no subject)"])
    expect(row(page, REVIEW)).to_contain_text("Looks good, one question about the")


def test_chosen_conversations_are_archived_and_brought_back(office: Office) -> None:
    page = office.open("ada", INBOX)
    expect(tools(page).get_by_label("Archive")).to_be_hidden()
    before = labels(office, RENEWAL)
    row(page, RENEWAL).get_by_label("Select").check()
    row(page, MOVE).get_by_label("Select").check()
    expect(tools(page)).to_contain_text("2 selected")
    tools(page).get_by_label("Archive").click()
    expect(toast(page)).to_contain_text("2 conversations archived.")
    expect(row(page, RENEWAL)).to_have_count(0)
    assert not any("INBOX" in one for one in labels(office, RENEWAL) + labels(office, MOVE))
    toast(page).get_by_role("button", name="Undo").click()
    expect(row(page, RENEWAL)).to_be_visible()
    expect(toast(page)).to_have_text("Action undone.")
    assert labels(office, RENEWAL) == before
    changes = office.rows("SELECT operation FROM _call WHERE operation IN ('mail.label', 'mail.revert') ORDER BY seq")
    assert changes == [("mail.label",), ("mail.revert",)]


def test_the_select_menu_chooses_kinds_of_rows(office: Office) -> None:
    page = office.open("ada", INBOX)
    checked = page.locator("#list .row-check input:checked")
    for kind, count in (("All", 11), ("Unread", 3), ("Starred", 2), ("Read", 8), ("Unstarred", 9), ("None", 0)):
        tools(page).get_by_label("Select", exact=True).click()
        tools(page).get_by_role("link", name=kind, exact=True).click()
        expect(checked).to_have_count(count)
    page.get_by_label("Select all").check()
    expect(checked).to_have_count(11)
    page.keyboard.type("*n")
    expect(checked).to_have_count(0)


def test_read_and_unread_are_marked_from_the_tools(office: Office) -> None:
    page = office.open("ada", INBOX)
    row(page, REVIEW).get_by_label("Select").check()
    expect(tools(page).get_by_label("Mark as unread")).to_be_hidden()
    tools(page).get_by_label("Mark as read").click()
    expect(page).to_have_title("(2) Inbox - Gmail")
    row(page, RENEWAL).get_by_label("Select").check()
    row(page, RENEWAL).get_by_label("Select").uncheck()
    row(page, REVIEW).get_by_label("Select").check()
    tools(page).get_by_label("Mark as unread").click()
    expect(page).to_have_title("(3) Inbox - Gmail")
    assert ["UNREAD" in one for one in labels(office, REVIEW)] == [True, False]


def test_spam_is_reported_and_taken_back_from_there(office: Office) -> None:
    page = office.open("ada", INBOX)
    row(page, REVIEW).get_by_label("Select").check()
    tools(page).get_by_label("Report spam").click()
    expect(toast(page)).to_contain_text("Conversation marked as spam.")
    page.goto(f"{office.base}/gmail/mail/spam")
    row(page, REVIEW).get_by_label("Select").check()
    tools(page).get_by_label("Not spam").click()
    expect(row(page, REVIEW)).to_have_count(0)
    assert "INBOX" in labels(office, REVIEW)[0] and "SPAM" not in labels(office, REVIEW)[0]


def test_snoozing_takes_a_conversation_away_until_then(office: Office) -> None:
    page = office.open("ada", INBOX)
    row(page, MOVE).get_by_label("Select").check()
    tools(page).get_by_label("Snooze").click()
    menu = page.get_by_role("dialog", name="Snooze until")
    expect(menu.locator(".pick-slot span")).to_have_text(["Later today", "Tomorrow", "This weekend", "Next week"])
    menu.get_by_label("Date").fill("2026-03-05")
    menu.get_by_label("Time").fill("14:30")
    menu.get_by_role("button", name="Save").click()
    expect(toast(page)).to_contain_text("Conversation snoozed until Thu, Mar 5, 2:30 PM.")
    expect(row(page, MOVE)).to_have_count(0)
    page.goto(f"{office.base}/gmail/mail/snoozed")
    expect(row(page, MOVE).locator("time")).to_have_attribute("title", "Thu, Mar 5, 2026, 2:30 PM")


def test_labels_are_put_on_and_taken_off(office: Office) -> None:
    page = office.open("ada", INBOX)
    row(page, RENEWAL).get_by_label("Select").check()
    tools(page).get_by_label("Labels").click()
    menu = page.get_by_role("dialog", name="Label as")
    expect(menu.get_by_label("Clients")).to_be_checked()
    menu.get_by_label("Filter labels").fill("rec")
    expect(menu.get_by_label("Clients")).to_be_hidden()
    menu.get_by_label("Receipts & co").check()
    menu.get_by_role("button", name="Apply").click()
    expect(toast(page)).to_contain_text("Conversation added to “Receipts & co”.")
    expect(row(page, RENEWAL).locator(".row-chip")).to_have_text(["Clients", "Receipts & co"])
    toast(page).get_by_role("button", name="Undo").click()
    expect(row(page, RENEWAL).locator(".row-chip")).to_have_text(["Clients"])


def test_moving_into_a_label_leaves_the_inbox(office: Office) -> None:
    page = office.open("ada", INBOX)
    row(page, MOVE).get_by_label("Select").check()
    tools(page).get_by_label("Move to").click()
    page.get_by_role("dialog", name="Move to").get_by_role("button", name="Clients").click()
    expect(toast(page)).to_contain_text("Conversation moved to “Clients”.")
    assert labels(office, MOVE) == [{"Label_1", "Label_2", "STARRED", "CATEGORY_PERSONAL"}]


def test_a_label_is_created_coloured_and_removed(office: Office) -> None:
    page = office.open("ada", INBOX)
    page.get_by_label("Create new label").click()
    page.get_by_label("Please enter a new label name:").fill("Zebra")
    page.get_by_label("Nest label under:").select_option("Clients")
    page.get_by_role("button", name="Create", exact=True).click()
    expect(toast(page)).to_contain_text("Label “Clients/Zebra” created.")
    rail = page.get_by_role("navigation", name="Mail")
    rail.get_by_role("link", name="Zebra", exact=True).hover()
    rail.get_by_label("Edit label Clients/Zebra").click()
    page.get_by_label("Purple", exact=True).check(force=True)
    page.get_by_role("button", name="Save").click()
    expect(rail.get_by_role("link", name="Zebra", exact=True).locator("path")).to_have_attribute("fill", "#a479e2")
    rail.get_by_role("link", name="Zebra", exact=True).hover()
    rail.get_by_label("Edit label Clients/Zebra").click()
    page.get_by_role("link", name="Remove label…").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(rail.get_by_role("link", name="Zebra", exact=True)).to_have_count(0)


def test_the_pager_counts_and_turns_pages(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/all")
    expect(page.locator(".pager-count")).to_have_text("1–50 of 66")
    page.get_by_label("Older").click()
    expect(page.locator(".pager-count")).to_have_text("51–66 of 66")
    page.wait_for_url("**/all?page=2")
    expect(page.locator("#list .row")).to_have_count(16)
    page.get_by_label("Newer").click()
    expect(page.locator(".pager-count")).to_have_text("1–50 of 66")
    page.go_back()
    expect(page.locator(".pager-count")).to_have_text("51–66 of 66")


def test_a_row_offers_its_actions_to_mouse_and_keyboard(office: Office) -> None:
    page = office.open("ada", INBOX)
    acts = row(page, MOVE).locator(".row-acts")
    expect(acts).to_have_css("opacity", "0")
    row(page, MOVE).hover()
    expect(acts).to_have_css("opacity", "1")
    expect(acts.locator("[aria-label]")).to_have_count(4)
    for place, name in enumerate(("Archive", "Delete", "Mark as unread", "Snooze")):
        expect(acts.locator("[aria-label]").nth(place)).to_have_attribute("aria-label", name)
    acts.get_by_label("Mark as unread").click()
    expect(row(page, MOVE)).to_have_class("row unread")
    row(page, MOVE).locator(".row-link").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(toast(page)).to_contain_text("Conversation moved to Trash.")
    assert labels(office, MOVE)[0] >= {"TRASH"}


def test_stars_and_importance_are_switched_in_the_row(office: Office) -> None:
    page = office.open("ada", INBOX)
    row(page, RENEWAL).get_by_label("Starred").click()
    expect(row(page, RENEWAL).get_by_label("Not starred")).to_be_visible()
    row(page, RENEWAL).get_by_label("Not starred").click()
    expect(row(page, RENEWAL).get_by_label("Starred", exact=True)).to_be_visible()
    assert ["STARRED" in one for one in labels(office, RENEWAL)] == [False] * 4 + [True]
    row(page, MOVE).get_by_label("Not important").click()
    expect(toast(page)).to_contain_text("marked as important")


def test_the_list_is_worked_through_by_keys_alone(office: Office) -> None:
    page = office.open("ada", INBOX)
    settled(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(f"#open-{THREADS['Weekly digest']}")).to_be_focused()
    page.keyboard.press("e")
    expect(row(page, "Weekly digest")).to_have_count(0)
    expect(page.locator(f"#open-{THREADS[REVIEW]}")).to_be_focused()
    page.keyboard.press("z")
    expect(row(page, "Weekly digest")).to_have_count(1)
    page.locator(f"#open-{THREADS[REVIEW]}").focus()
    page.keyboard.press("s")
    expect(row(page, REVIEW).get_by_label("Starred", exact=True)).to_be_visible()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("#")
    expect(toast(page)).to_contain_text("2 conversations moved to Trash.")
    page.keyboard.press("k")
    page.keyboard.press("b")
    expect(page.get_by_role("dialog", name="Snooze until")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("m")
    expect(toast(page)).to_contain_text("Conversation muted.")
    for keys, name in (("gs", "starred"), ("gt", "sent"), ("gd", "drafts"), ("ga", "all"), ("gi", "inbox")):
        page.keyboard.type(keys)
        page.wait_for_url(f"**/mail/{name}")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/mail/inbox/*")
    page.keyboard.press("/")
    expect(page.get_by_label("Search mail")).to_be_focused()


def test_the_help_names_the_keys(office: Office) -> None:
    page = office.open("ada", INBOX)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("Report as spam")


@pytest.mark.full
@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ("from:zoe", RENEWAL, 1),
        ("to:dee", None, 2),
        ("subject:office", MOVE, 1),
        ("has:attachment", MOVE, 2),
        ("is:unread", REVIEW, 3),
        ("in:trash", "Old newsletter", 1),
        ("label:clients", RENEWAL, 1),
        ("before:2025/12/31", "Your contract", 1),
        ("older_than:1y", "Your contract", 1),
        ("filename:pdf", MOVE, 2),
        ('"new office"', MOVE, 1),
        ("from:eve -office", None, 2),
        ("subject:office OR subject:contract", None, 3),
    ],
)
def test_the_search_language_finds(office: Office, query: str, first: str | None, count: int) -> None:
    found = office.see("ada", "mail.threads", q=query)
    assert len(found["threads"]) == found["total"] == count
    assert first in (None, found["threads"][0]["subject"])


def test_searching_from_the_bar_and_its_options(office: Office) -> None:
    page = office.open("ada", INBOX)
    page.get_by_label("Search mail").fill("from:zoe is:starred")
    page.get_by_label("Search mail").press("Enter")
    page.wait_for_url("**/mail/search?q=from*")
    expect(subjects(page)).to_have_text([RENEWAL])
    expect(row(page, RENEWAL).locator(".row-chip").first).to_have_text("Inbox")
    page.get_by_label("Show search options").click()
    options = page.get_by_role("dialog", name="Search options")
    options.get_by_label("From").fill("eve")
    options.get_by_label("Has the words").fill("")
    options.get_by_label("Has attachment").check()
    options.get_by_role("button", name="Search").click()
    page.wait_for_url("**/mail/search?q=from%3Aeve*")
    expect(page.get_by_label("Search mail")).to_have_value("from:eve has:attachment")
    expect(subjects(page)).to_have_text([MOVE, "Your contract"])


def test_the_search_field_suggests_people(office: Office) -> None:
    page = office.open("ada", INBOX)
    page.get_by_label("Search mail").press_sequentially("zo")
    expect(page.locator(".suggestion")).to_have_count(2)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".suggestion").last).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/mail/search?q=zoe%40acme.example")
    expect(subjects(page)).to_have_text(["Offer for Acme", RENEWAL])


def test_the_trash_is_emptied_after_a_question(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/trash")
    page.get_by_role("link", name="Empty Trash now").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No conversations in Trash")).to_be_visible()
    assert office.rows("SELECT count(*) FROM gmail_message WHERE trashed_at IS NOT NULL") == [(0,)]


def test_deleting_forever_offers_no_undo(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/spam")
    row(page, "You have WON").hover()
    row(page, "You have WON").get_by_label("Delete forever").click()
    expect(toast(page)).to_have_text("Conversation deleted forever.")
    expect(page.get_by_role("heading", name="Hooray, no spam here!")).to_be_visible()


def test_new_mail_arrives_without_taking_the_selection(office: Office) -> None:
    page, other = office.open("ada", INBOX), office.open("ada", INBOX)
    page.wait_for_selector('html[data-live="open"]')
    page.bring_to_front()
    page.locator(f"#open-{THREADS[REVIEW]}").focus()
    send(office, "Fresh")
    expect(page.locator("#list .row").first).to_contain_text("Fresh")
    expect(page.locator(f"#open-{THREADS[REVIEW]}")).to_be_focused()
    expect(page).to_have_title("(4) Inbox - Gmail")
    row(page, REVIEW).get_by_label("Select").check()
    send(office, "Fresher")
    page.get_by_role("button", name="New mail").wait_for()
    expect(row(page, REVIEW).get_by_label("Select")).to_be_checked()
    page.get_by_role("button", name="New mail").click()
    expect(page.locator("#list .row").first).to_contain_text("Fresher")
    other.bring_to_front()
    expect(other.locator("#list .row").first).to_contain_text("Fresher")


def test_lists_work_without_scripts(office: Office) -> None:
    page = office.open("ada", INBOX, scripts=False)
    page.locator("#select-menu summary").click()
    page.get_by_role("link", name="Unread", exact=True).click()
    expect(page.locator("#list .row-check input:checked")).to_have_count(3)
    tools(page).get_by_label("Archive").click()
    expect(toast(page)).to_contain_text("3 conversations archived.")
    expect(row(page, REVIEW)).to_have_count(0)
    toast(page).get_by_role("button", name="Undo").click()
    expect(row(page, REVIEW)).to_be_visible()
    row(page, MOVE).get_by_label("Select").check()
    tools(page).get_by_label("Labels").click()
    page.get_by_role("dialog", name="Label as").get_by_label("Clients").check()
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("dialog", name="Label as")).to_have_count(0)
    assert "Label_1" in labels(office, MOVE)[0]
    row(page, MOVE).get_by_label("Starred", exact=True).click()
    expect(row(page, MOVE).get_by_label("Starred", exact=True)).to_have_count(0)
    assert "STARRED" not in labels(office, MOVE)[0]


def test_an_address_is_the_same_page_again(office: Office) -> None:
    page = office.open("ada", f"{INBOX}?dialog=label&ids={THREADS[RENEWAL]}", live=False)
    settled(page)
    whole = page.locator("body").aria_snapshot()
    page.reload()
    settled(page)
    assert page.locator("body").aria_snapshot() == whole
    expect(page.get_by_role("dialog", name="Label as")).to_be_visible()
    expect(row(page, RENEWAL).get_by_label("Select")).to_be_checked()


def test_a_label_that_is_not_there_is_a_404_of_the_client(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/label/Nowhere")
    expect(page.locator("#main")).to_contain_text("There is no such list or label in your mailbox.")
    expect(page.get_by_role("navigation", name="Mail")).to_be_visible()
    office.expect_complaint("404")


def test_a_service_that_is_down_is_a_banner_over_the_rail(site: Site, office_of: Callable[..., Office]) -> None:
    script = Script("outage", START)
    script.fault(Fault("all", "gmail", "error", operations=("mail.threads",)), start=START, end="+1s")
    office = office_of(site, Settings(seed=1), compile_script(script, horizon="+1d"))
    page = office.open("ada", INBOX)
    expect(page.get_by_role("alert")).to_contain_text("Gmail is having trouble connecting")
    expect(page.get_by_role("navigation", name="Mail").get_by_role("link", name="Compose")).to_be_visible()
    office.expect_complaint("500")
