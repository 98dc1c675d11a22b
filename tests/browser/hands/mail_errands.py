"""Errands of a day in the mail client."""

import re

from tests.browser.hands.hand import Errand, Hand

INBOX = "/gmail/mail/inbox"
SENT = "SELECT m.subject, m.text, m.to_list FROM gmail_mail m WHERE m.subject = ? AND m.sender_id = ?"
PLANNING = "Planning, the short version"
LABELS = """SELECT x.label_id FROM gmail_message_label x JOIN gmail_message g ON g.id = x.message_id
JOIN gmail_mail m ON m.id = g.mail_id WHERE m.subject = ? AND g.person_id = ? ORDER BY 1"""


def write_and_send(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press("link", "Compose")
    hand.press("combobox", "To recipients")
    hand.type("deepika")
    hand.press_on(hand.page.locator(".suggestions [role=option]").first)
    hand.keys("Tab")
    hand.type("Ledger review at 15:00")
    hand.keys("Tab")
    hand.type("Hi Deepika, shall we look at the ledger together? I have time from three to four. Daniel")
    hand.press("button", "Send")
    hand.sees("Message sent")
    text = "Hi Deepika, shall we look at the ledger together? I have time from three to four. Daniel"
    _is_sent(hand, "Ledger review at 15:00", text, "deepika.sharma@")


def write_by_keys_alone(hand: Hand) -> None:
    hand.open(INBOX)
    hand.keys("c")
    hand.type("karolina.lis@quayline.example")
    hand.keys("Tab")
    hand.type("Keys page")
    hand.keys("Tab")
    hand.type("Please send me the e#!js draft when it is ready.")
    hand.keys("Control+Enter")
    hand.sees("Message sent")
    _is_sent(hand, "Keys page", "Please send me the e#!js draft when it is ready.", "karolina.lis@")


def write_to_two_with_a_copy(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press("link", "Compose")
    hand.press("combobox", "To recipients")
    hand.type("svenja.weber@quayline.example,karolina.lis@quayline.example,")
    hand.press("button", "Add Cc recipients")
    hand.type("deepika.sharma@quayline.example")
    hand.press("textbox", "Subject")
    hand.type("Two and a copy")
    hand.keys("Tab")
    hand.type("For all three.")
    hand.press("button", "Send")
    hand.sees("Message sent")
    _is_sent(hand, "Two and a copy", "For all three.", "svenja.weber@", "karolina.lis@")
    copies = hand.row("SELECT cc_list FROM gmail_mail WHERE subject = 'Two and a copy'")
    assert "deepika.sharma@" in copies and "svenja" not in copies


def reply(hand: Hand) -> None:
    _open(hand)
    hand.keys("r")
    hand.type("Thanks, I take the settlements part.\nThe limits can wait.")
    hand.press("button", "Send")
    hand.sees("Message sent")
    texts = _answers(hand)
    assert len(texts) == 1 and texts[0].startswith("Thanks, I take the settlements part.\nThe limits can wait."), texts


def reply_by_the_button(hand: Hand) -> None:
    _open(hand)
    hand.press("link", "Reply")
    hand.find("textbox", "Message Body").wait_for()
    hand.type("Yes.")
    hand.press("button", "Send")
    hand.sees("Message sent")
    texts = _answers(hand)
    assert len(texts) == 1 and texts[0].startswith("Yes."), texts


def forward(hand: Hand) -> None:
    _open(hand)
    hand.press("link", "Forward")
    hand.find("combobox", "To recipients").wait_for()
    hand.type("karolina.lis@quayline.example")
    hand.press("textbox", "Message Body")
    hand.keys("Control+Home")
    hand.type("For you, Karolina. ")
    hand.press("button", "Send")
    hand.sees("Message sent")
    hand.rests()
    sql = "SELECT text FROM gmail_mail WHERE subject = 'Fwd: Planning, the short version' AND sender_id = ?"
    texts = [row[0] for row in hand.office.rows(sql, hand.person)]
    assert len(texts) == 1 and texts[0].startswith("For you, Karolina."), texts


def archive(hand: Hand) -> None:
    _open(hand)
    hand.press("button", "Archive", within=".conversation-tools, [role=toolbar]")
    hand.sees("Conversation archived")
    hand.rests()
    assert ("INBOX",) not in hand.office.rows(LABELS, PLANNING, hand.person)


def archive_by_key_from_the_list(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press_on(_row(hand).get_by_role("checkbox"))
    hand.keys("e")
    hand.sees("Conversation archived")
    hand.rests()
    assert ("INBOX",) not in hand.office.rows(LABELS, PLANNING, hand.person)


def make_a_label_and_put_it_on(hand: Hand) -> None:
    _open(hand)
    hand.keys("l")
    hand.press_text("Create new label", within="[role=dialog]")
    hand.find("textbox", "Please enter a new label name:").wait_for()
    hand.type("Follow up")
    hand.keys("Enter")
    hand.sees("Label “Follow up” created.")
    hand.finds("SELECT name FROM gmail_label WHERE name LIKE 'Follow%'", [("Follow up",)])
    hand.press("link", "Labels")
    hand.find("searchbox", "Filter labels").wait_for()
    hand.type("follow")
    hand.press_text("Follow up", within="[role=dialog]")
    hand.press("button", "Apply", within="[role=dialog]")
    label = hand.row("SELECT id FROM gmail_label WHERE name = 'Follow up'")
    hand.office.until(lambda: (label,) in hand.office.rows(LABELS, PLANNING, hand.person), wanted=True)


def star_and_find_it_again(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press_on(_row(hand).get_by_role("button", name="Not starred"))
    hand.press("link", "Starred")
    hand.sees(PLANNING, within="main")
    assert ("STARRED",) in hand.office.rows(LABELS, PLANNING, hand.person)


def search(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press("searchbox", "Search mail")
    hand.type("from:henrik subject:slide")
    hand.keys("Enter")
    hand.sees("Number for a slide", within="main")
    hand.rests()
    assert hand.page.locator("#list .row").count() == 1


def mark_unread_and_delete_two(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press_on(_row(hand).get_by_role("checkbox"))
    hand.press_on(_row(hand, "Number for a slide").get_by_role("checkbox"))
    hand.press("button", "Delete", within="[role=toolbar]")
    hand.sees("2 conversations moved to Trash")
    hand.rests()
    sql = """SELECT count(*) FROM gmail_message g JOIN gmail_mail m ON m.id = g.mail_id
    WHERE g.person_id = ? AND g.trashed_at IS NULL AND m.subject IN (?, 'Number for a slide')"""
    assert hand.row(sql, hand.person, PLANNING) == 0


def leave_a_draft_and_send_it_later(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press("link", "Compose")
    hand.press("combobox", "To recipients")
    hand.type("svenja.weber@quayline.example")
    hand.keys("Tab")
    hand.type("Half a")
    hand.keys("Tab")
    hand.type("This is not yet")
    hand.press("button", "Save & close")
    hand.press("link", re.compile("^Drafts"))  # with their number, once it is known
    hand.press_on(hand.page.locator("#list .row-link").first)
    hand.find("textbox", "Message Body").wait_for()
    hand.press("textbox", "Message Body")
    hand.keys("Control+End")
    hand.type(" done.")
    hand.press("button", "Send")
    hand.sees("Message sent")
    _is_sent(hand, "Half a", "This is not yet done.", "svenja.weber@")


def snooze(hand: Hand) -> None:
    _open(hand)
    hand.keys("b")
    hand.press_on(hand.page.locator("[role=dialog]").get_by_text("Tomorrow", exact=True).first)
    hand.finds("SELECT count(*) FROM gmail_snooze WHERE person_id = ?", [(1,)], hand.person)


def _row(hand: Hand, subject: str = PLANNING):  # type: ignore[no-untyped-def]
    return hand.page.locator("#list .row", has_text=subject).first


def _open(hand: Hand) -> None:
    hand.open(INBOX)
    hand.press_on(_row(hand).locator(".row-link"))
    hand.page.locator(".conversation h1, h1").get_by_text(PLANNING).wait_for()


def _answers(hand: Hand) -> list[str]:
    hand.rests()
    sql = "SELECT text FROM gmail_mail WHERE subject = 'Re: Planning, the short version' AND sender_id = ? AND sent_at >= ?"
    return [row[0] for row in hand.office.rows(sql, hand.person, hand.began)]


def _is_sent(hand: Hand, subject: str, text: str, *receivers: str) -> None:
    hand.rests()
    found = hand.office.rows(SENT, subject, hand.person)
    assert [(row[0], row[1].strip()) for row in found] == [(subject, text)], found
    assert all(one in found[0][2] for one in receivers), found
    assert found[0][2].count("@") >= len(receivers)
    drafts = hand.office.rows("SELECT subject FROM gmail_draft WHERE subject = ?", subject)
    assert drafts == [], drafts


ERRANDS: tuple[Errand, ...] = (
    write_and_send,
    write_by_keys_alone,
    write_to_two_with_a_copy,
    reply,
    reply_by_the_button,
    forward,
    archive,
    archive_by_key_from_the_list,
    make_a_label_and_put_it_on,
    star_and_find_it_again,
    search,
    mark_unread_and_delete_two,
    leave_a_draft_and_send_it_later,
    snooze,
)
