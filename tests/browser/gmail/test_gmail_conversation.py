"""Reading conversations and writing mail, by mouse and keyboard."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import apps.gmail
from tests.apps.gmail.conftest import mail_rows
from tests.browser.conftest import Office, Site, settled
from tests.company import host as make_host

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PLAN = (
    "<p>The <b>plan</b>, see <a href='https://wiki.example/plan'>the wiki</a>.</p><script>document.title ="
    " 'run'</script><img src='https://track.example/p.png'><img src=x onerror='document.title = 1'><form"
    " action='https://evil.example'><button>Go</button></form>"
)


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


def newest(office: Office, who: str = "ada") -> dict[str, Any]:
    """Somebody's newest message."""
    return office.act(who, "mail.message", id=office.act(who, "users.messages.list")["messages"][0]["id"])


def mail(office: Office, **fields: Any) -> str:
    """Bo writes to Ada; her address of the conversation."""
    office.act("bo", "mail.send", **{"to": ["ada@tiny.example"], "subject": "Plan", "text": "Shall we?"} | fields)
    return f"/gmail/mail/inbox/{newest(office)['threadId']}"


def back_and_forth(office: Office, times: int) -> str:
    """A conversation of many messages, all but the last read by Ada."""
    address = mail(office, cc=["cyrus@tiny.example"])
    for number in range(times):
        who = "ada" if number % 2 else "bo"
        office.act(
            who, "mail.send", mode="replyAll", inReplyTo=newest(office, who)["id"], text=f"Answer {number}", quote=True
        )
    office.act("ada", "users.threads.modify", id=address.rsplit("/", 1)[1], removeLabelIds=["UNREAD"])
    office.act(
        "bo", "mail.send", mode="replyAll", inReplyTo=newest(office, "bo")["id"], text="The last word", quote=True
    )
    office.act("ada", "mail.counts")
    return address


def compose(page: Page) -> None:
    """Open the window."""
    page.keyboard.press("c")
    settled(page)


def write(page: Page, to: str, subject: str, text: str) -> None:
    """Fill in the window as an agent does: one field after the other."""
    page.get_by_label("To recipients").fill(to)
    page.get_by_label("Subject").fill(subject)
    page.get_by_role("textbox", name="Message Body").fill(text)
    settled(page)


def test_old_messages_are_folded_and_opening_marks_as_read(office: Office) -> None:
    page = office.open("ada", back_and_forth(office, 8))
    settled(page)
    expect(page.locator("h1")).to_have_text("Plan")
    expect(page.get_by_text("7 older messages")).to_be_visible()
    expect(page.locator("details.message[open]")).to_have_count(1)
    expect(page.locator("details.message[open] .plain-text").first).to_have_text("The last word")
    page.get_by_text("7 older messages").click()
    page.locator("details.message").nth(1).locator("summary").first.click()
    expect(page.locator("details.message").nth(1).locator(".plain-text").first).to_have_text("Answer 0")
    expect(page.locator("#sidebar").get_by_role("link", name="Inbox", exact=True)).to_be_visible()
    message = newest(office)["id"]
    office.until(lambda: "UNREAD" in office.see("ada", "mail.message", id=message)["labelIds"], False)


def test_quoted_text_is_trimmed_and_shown_on_demand(office: Office) -> None:
    page = office.open("ada", back_and_forth(office, 1))
    quoted = page.locator("details.message[open] .trimmed .plain-text")
    expect(quoted).to_be_hidden()
    page.get_by_label("Show trimmed content").last.click()
    expect(quoted).to_contain_text("Shall we?")


def test_the_header_expands(office: Office) -> None:
    page = office.open("ada", mail(office, cc=["Cyrus Patel <cyrus@tiny.example>"]))
    expect(page.locator(".to-line")).to_contain_text("to me, Cyrus")
    page.get_by_label("Show details").click()
    details = page.locator(".details-table")
    for text in (
        "Bo Lindqvist <bo@tiny.example>",
        "ada@tiny.example",
        "Cyrus Patel <cyrus@tiny.example>",
        "mailed-by:tiny.example",
    ):
        expect(details).to_contain_text(re.compile(re.escape(text).replace("mailed\\-by:", r"mailed-by:\s*")))


def test_html_mail_is_shown_in_a_frame_where_nothing_runs_or_loads(office: Office) -> None:
    page = office.open("ada", mail(office, text="", html=PLAN))
    frame = page.frame_locator("iframe.mail-frame")
    expect(frame.locator("b")).to_have_text("plan")
    link = frame.get_by_role("link", name="the wiki")
    expect(link).to_have_attribute("target", "_blank")
    expect(link).to_have_attribute("rel", re.compile("noopener"))
    expect(frame.locator("script, form, button, [onerror]")).to_have_count(0)
    expect(page.get_by_text("Images from outside are not shown")).to_be_visible()
    box = page.locator("iframe.mail-frame")
    expect(box).not_to_have_attribute("sandbox", re.compile("allow-scripts"))
    expect(box).to_have_css("height", re.compile(r"^(2\d|[3-9]\d|[12]\d\d)(\.\d+)?px$"))
    policy = page.request.get(page.url.split("/gmail/")[0] + str(box.get_attribute("src"))).headers[
        "content-security-policy"
    ]
    assert "script-src 'none'" in policy and "default-src 'none'" in policy and "allow-scripts" not in policy
    expect(page).to_have_title(re.compile("Plan"))


def test_plain_text_links_and_shows_markup_as_it_is_written(office: Office) -> None:
    page = office.open("ada", mail(office, text="<img src=x onerror=alert(1)> https://status.example/a?b=1&c=2, now"))
    expect(page.locator(".plain-text")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator(".plain-text a")).to_have_attribute("href", "https://status.example/a?b=1&c=2")


def test_attachments_are_cards_that_download_and_never_show(office: Office) -> None:
    files = [
        {"filename": "evil.html", "mimeType": "text/html", "data": b64encode(b"<script>x</script>").decode()},
        {"filename": "graph.png", "mimeType": "image/png", "data": PIXEL},
    ]
    page = office.open("ada", mail(office, attachments=files))
    expect(page.locator(".file-card")).to_have_count(2)
    expect(page.locator(".file-card img")).to_have_count(1)
    with page.expect_download() as started:
        page.get_by_label("Download evil.html").click()
    assert Path(started.value.path()).read_bytes() == b"<script>x</script>"
    link = str(page.get_by_label("Download evil.html").get_attribute("href"))
    headers = page.request.get(page.url.split("/gmail/")[0] + link).headers
    assert headers["content-disposition"].startswith("attachment") and headers["x-content-type-options"] == "nosniff"
    message = newest(office)["id"]
    assert page.request.get(f"{office.base}/gmail/image/{message}/1").status == 404


def test_archive_star_and_unread_by_key_and_label_chips_come_off(office: Office) -> None:
    address = mail(office)
    message = newest(office)["id"]
    page = office.open("ada", address)
    settled(page)
    page.get_by_label("Not starred").click()
    expect(page.get_by_role("button", name="Starred", exact=True)).to_be_visible()
    page.get_by_label("Remove label Inbox").click()
    expect(page.locator(".thread-label")).to_have_count(0)
    assert {"INBOX", "UNREAD"}.isdisjoint(newest(office)["labelIds"])
    page.keyboard.press("#")
    expect(page.locator("#toasts")).to_contain_text("moved to Trash")
    expect(page).to_have_url(re.compile("/mail/inbox$"))
    assert "TRASH" in office.see("ada", "mail.message", id=message)["labelIds"]


def test_s_stars_the_message_that_has_the_focus_or_the_last_one(office: Office) -> None:
    address = back_and_forth(office, 1)
    found = office.see("ada", "users.threads.get", id=address.rsplit("/", 1)[1], format="minimal")["messages"]
    first, last = found[0]["id"], found[-1]["id"]
    page = office.open("ada", address)
    settled(page)
    page.keyboard.press("s")
    expect(page.locator(f"#star-{last}").get_by_label("Starred", exact=True)).to_be_visible()
    page.locator(f"#m-{first} > summary").focus()
    page.keyboard.press("s")
    expect(page.locator(f"#star-{first} [aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("s")
    expect(page.locator(f"#star-{first} [aria-pressed=false]")).to_have_count(1)
    settled(page)
    starred = office.see("ada", "users.messages.list", labelIds=["STARRED"])["messages"]
    assert [one["id"] for one in starred] == [last]


def test_a_reply_is_written_below_and_appears_in_the_conversation(office: Office) -> None:
    page = office.open("ada", mail(office, cc=["cyrus@tiny.example"]))
    settled(page)
    page.keyboard.press("a")
    settled(page)
    expect(page.locator("#answer .chip")).to_have_count(2)
    page.keyboard.type("Yes, let us.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Message sent")
    expect(page.locator("details.message")).to_have_count(2)
    expect(page.frame_locator("iframe.mail-frame").first.locator("body")).to_have_text("Yes, let us.")
    office.act("ada", "world.wait", seconds=20)
    got = newest(office, "bo")
    assert (got["subject"], got["text"].split("\n")[0]) == ("Re: Plan", "Yes, let us.") and "> Shall we?" in got["text"]
    assert newest(office, "cyrus")["id"] != got["id"]


def test_a_forward_takes_the_files_along_unless_they_are_taken_off(office: Office) -> None:
    page = office.open(
        "ada",
        mail(office, attachments=[{"filename": f"{n}.csv", "mimeType": "text/csv", "data": "YQ=="} for n in (1, 2)]),
    )
    page.keyboard.press("f")
    settled(page)
    page.get_by_label("Remove 1.csv").click()
    expect(page.locator("#answer-form-status")).to_have_text("Draft saved")
    page.reload()
    expect(page.locator("#answer .file-chip")).to_have_count(1)
    page.get_by_label("To recipients").fill("dee@tiny.example")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Message sent")
    office.act("ada", "world.wait", seconds=20)
    got = newest(office, "dee")
    assert (
        got["subject"] == "Fwd: Plan"
        and [one["filename"] for one in got["files"]] == ["2.csv"]
        and got["text"].count("Shall we?") == 1
    )


def test_a_mail_is_written_in_the_window_with_chips_files_and_undo(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox")
    compose(page)
    write(page, "Zoe Quist <zoe@acme.example>, cyr", "Hello", "Good morning")
    expect(page.locator("#compose .chip")).to_have_text(["Zoe Quist×", "Cyrus Patel×"])
    page.locator("#compose input[type=file]").set_input_files(
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"hello"}
    )
    expect(page.locator("#compose-form-state .file-chip")).to_contain_text("notes.txt")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Message sent")
    expect(page.locator("#compose form")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Subject")).to_have_value("Hello")
    expect(page.locator("#compose .file-chip")).to_contain_text("notes.txt")
    assert newest(office)["labelIds"] == ["DRAFT"]
    page.get_by_role("button", name="Send", exact=True).click()
    page.get_by_role("link", name="View message").click()
    expect(page.locator("h1")).to_have_text("Hello")


def test_a_draft_is_saved_survives_and_is_discarded(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox")
    compose(page)
    write(page, "bo@tiny.example", "Half", "a thought")
    page.get_by_role("textbox", name="Message Body").blur()
    expect(page.locator("#compose-form-status")).to_have_text("Draft saved")
    page.reload()
    expect(page.get_by_role("textbox", name="Message Body")).to_have_text("a thought")
    page.get_by_label("Save & close").click()
    expect(page.locator("#compose form")).to_have_count(0)
    page.goto(f"{office.base}/gmail/mail/drafts")
    page.get_by_role("link", name=re.compile("Half")).click()
    page.get_by_label("Discard draft").click()
    expect(page.locator("#toasts")).to_contain_text("Draft discarded")
    assert office.rows("SELECT count(*) FROM gmail_draft") == [(0,)]


def test_what_was_typed_stays_when_it_cannot_be_saved_or_sent(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox")
    compose(page)
    write(page, "nobody", "Half", "a thought")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#compose-form-error")).not_to_be_empty()
    expect(page.get_by_role("textbox", name="Message Body")).to_have_text("a thought")
    office.expect_complaint("422")
    page.route("**/do/mail.saveDraft", lambda route: route.abort())
    page.get_by_label("Subject").fill("Whole")
    page.get_by_label("Subject").blur()
    expect(page.locator("#compose-form-status")).to_contain_text("Couldn't save")
    expect(page.get_by_label("Subject")).to_have_value("Whole")
    office.expect_complaint("ERR_FAILED")


def test_the_window_is_formatted_minimised_and_stays_while_one_reads(office: Office) -> None:
    address = mail(office)
    page = office.open("ada", "/gmail/mail/inbox")
    compose(page)
    body = page.get_by_role("textbox", name="Message Body")
    body.click()
    page.get_by_role("button", name="Bold").click()
    page.keyboard.type("loud")
    expect(body.locator("b")).to_have_text("loud")
    page.get_by_label("Minimize").click()
    expect(body).to_be_hidden()
    page.locator(f"a[href='{address}']").first.click()
    expect(page.locator("h1")).to_have_text("Plan")
    page.get_by_label("Full screen").click()
    expect(body).to_have_text("loud")
    page.keyboard.press("Escape")
    expect(page.locator("#compose form")).to_have_count(0)
    assert newest(office)["labelIds"] == ["DRAFT"]


def test_a_mail_is_scheduled(office: Office) -> None:
    page = office.open("ada", "/gmail/mail/inbox")
    compose(page)
    write(page, "bo@tiny.example", "Later", "Good morning")
    page.get_by_label("More send options").click()
    page.get_by_role("button", name=re.compile("Tomorrow morning")).click()
    expect(page.locator("#toasts")).to_contain_text("Send scheduled for tomorrow, 8:00 AM")
    office.act("bo", "world.wait", seconds=86_400)
    assert newest(office, "bo")["subject"] == "Later"


def test_a_bounce_is_shown_in_the_thread(office: Office) -> None:
    office.act("ada", "mail.send", to=["nobody@tiny.example"], subject="Plan", text="Shall we?")
    office.act("ada", "world.wait", seconds=3600)
    page = office.open("ada", f"/gmail/mail/inbox/{newest(office)['threadId']}")
    expect(page.locator(".line-name").last).to_have_text("Mail Delivery Subsystem")
    expect(page.locator("details.message")).to_have_count(2)


def test_reading_and_writing_work_without_scripts(office: Office) -> None:
    page = office.open("ada", mail(office), scripts=False)
    page.get_by_role("button", name="Mark as read").click()
    expect(page.get_by_role("button", name="Mark as read")).to_have_count(0)
    assert "UNREAD" not in newest(office)["labelIds"]
    page.get_by_role("link", name="Reply", exact=True).last.click()
    page.get_by_label("Message Body").fill("Yes.")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Message sent")
    page.goto(f"{office.base}/gmail/mail/inbox?compose=new")
    page.get_by_label("To recipients").fill("bo@tiny.example, cyrus@tiny.example")
    page.get_by_label("Message Body").fill("Half")
    page.get_by_label("Save & close").click()
    expect(page.get_by_label("Message Body")).to_have_count(0)
    assert [one["email"] for one in newest(office)["to"]] == ["bo@tiny.example", "cyrus@tiny.example"]


def test_the_original_is_shown_as_text(office: Office) -> None:
    mail(office, html="<p>Hi</p>", text="")
    page = office.open("ada", f"/gmail/original/{newest(office)['id']}")
    expect(page.locator("pre.raw")).to_contain_text("Delivered-To: ada@tiny.example")


def test_settings_change_signature_vacation_and_filters(office: Office) -> None:
    page = office.open("ada", "/gmail/settings")
    page.get_by_label("Added to the messages").fill("Ada\nTiny")
    page.get_by_role("button", name="Save signature").click()
    expect(page.locator("#toasts")).to_contain_text("saved")
    page.get_by_label("Vacation responder on").check()
    page.get_by_label("Message", exact=True).fill("Back on Monday")
    page.get_by_role("button", name="Save Changes").click()
    office.until(lambda: office.see("ada", "users.settings.getVacation")["enableAutoReply"], True)
    settled(page)
    page.get_by_role("link", name="Filters and Blocked Addresses").click()
    page.get_by_label("From").fill("bo@tiny.example")
    page.get_by_label("Skip the Inbox").check()
    page.get_by_role("button", name="Create filter").click()
    expect(page.locator(".settings-table")).to_contain_text("from:(bo@tiny.example)")
    compose(page)
    expect(page.get_by_role("textbox", name="Message Body")).to_contain_text("Tiny")


def test_the_inbox_tells_when_a_conversation_was_last_written_in(office: Office) -> None:
    address = mail(office)
    office.act("ada", "world.wait", seconds=600)
    office.act("ada", "mail.send", mode="reply", inReplyTo=newest(office)["id"], text="Yes.")
    page = office.open("ada", "/gmail/mail/inbox")
    expect(page.locator(f"#row-{address.rsplit('/', 1)[1]} .row-when")).to_have_text("9:10 AM")


def test_the_frame_of_the_answer_shows_where_the_focus_is(office: Office) -> None:
    page = office.open("ada", mail(office))
    page.keyboard.press("r")
    expect(page.locator(".compose-editor")).to_be_focused()
    expect(page.locator(".compose-text")).to_have_css("box-shadow", "none")
    expect(page.locator(".answer-inner")).to_have_css("box-shadow", re.compile("2px"))
