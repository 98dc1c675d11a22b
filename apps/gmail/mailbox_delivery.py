"""Delivery into a mailbox: thread, labels, filters, forwarding and automatic replies."""

from collections.abc import Sequence

from apps.gmail import content, label_changes, outgoing
from apps.gmail.content import Content
from apps.gmail.labels import CATEGORIES
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.mailbox_settings import filter_rules, forwards, vacation
from apps.gmail.mime.bounce import DAEMON, NOTICES
from apps.gmail.mime.headers import read_mail

_ARRIVED = "SELECT id, delivered_to FROM gmail_message WHERE mail_id = :mail AND person_id = :me"
_TWIN = (
    "SELECT 1 FROM gmail_mail c JOIN gmail_message m ON m.mail_id = c.id AND m.person_id = :me WHERE c.message_id = :id"
    " AND c.id <> :mail AND c.from_email = :sender AND c.subject = :subject AND c.text = :text"
)
_REPORTED = (
    "SELECT 1 FROM gmail_message m JOIN gmail_mail c ON c.id = m.mail_id WHERE m.person_id = :me AND m.is_spam AND"
    " c.from_email = :sender LIMIT 1"
)
_IN_STATE = (
    "SELECT l.message_id FROM gmail_message_label l JOIN gmail_message m ON m.id = l.message_id"
    " WHERE l.person_id = :me AND l.label_id = :state AND m.thread_id = :thread ORDER BY l.message_id"
)
_SOCIAL = frozenset(
    {
        "facebookmail.com",
        "instagram.com",
        "linkedin.com",
        "meetup.com",
        "nextdoor.com",
        "pinterest.com",
        "reddit.com",
        "redditmail.com",
        "tiktok.com",
        "twitter.com",
        "x.com",
        "xing.com",
    }
)


def deliver_to_mailbox(box: Mailbox, mail: Content, address: str, by_list: str = "") -> Message | None:
    """Put a mail into a mailbox, unless it is there already; the sender's own copy comes to the inbox."""
    found = box.call.first(_ARRIVED, {"mail": mail.id, "me": box.person})
    if found is not None:
        return None if found[1] else _deliver_own_mail(box, box.message(found[0]), mail, address, by_list)
    if _is_known(box, mail):
        return None
    thread = None if _is_false_notice(mail) else outgoing.find_thread(box, mail.subject, mail.answers)
    labels = _apply_filters(box, mail, list_first_labels(box, mail, by_list), address, by_list)
    if thread is not None:
        labels = _apply_thread_state(box, thread, labels)
    message = box.add(mail.id, thread_id=thread, labels=labels, at=box.call.now, delivered_to=address)
    vacation.send_vacation_reply(box, mail, message, by_list)
    return message


def _is_false_notice(mail: Content) -> bool:
    """Whether a mail is disguised as a delivery notice, which would join a thread of any subject."""
    return mail.subject in NOTICES and mail.from_email != DAEMON.email


def _is_known(box: Mailbox, mail: Content) -> bool:
    """Whether the same mail arrived before; another mail with the same Message-ID does not count."""
    if not mail.message_id:
        return False
    values = {
        "me": box.person,
        "id": mail.message_id,
        "mail": mail.id,
        "sender": mail.from_email,
        "subject": mail.subject,
        "text": mail.text,
    }
    return box.call.first(_TWIN, values) is not None


def _deliver_own_mail(box: Mailbox, own: Message, mail: Content, address: str, by_list: str) -> None:
    """Deliver the owner's own mail, sent to themselves or to a list they are on."""
    had = box.labels([own])[own.id]
    box.change([own], add=_apply_filters(box, mail, [*had, "INBOX", "UNREAD"], address, by_list))


def _apply_filters(box: Mailbox, mail: Content, labels: Sequence[str], address: str, by_list: str) -> list[str]:
    """Return the labels after filters and auto-forwarding."""
    verdict = filter_rules.judge_mail(box, mail, labels, address, by_list)
    left = forwards.forward_mail(box, mail, verdict.labels, verdict.forward)
    hidden = {"INBOX", "IMPORTANT"} if "SPAM" in left else {"INBOX"} if "TRASH" in left else set[str]()
    return [label for label in left if label not in hidden]


def _apply_thread_state(box: Mailbox, thread: str, labels: list[str]) -> list[str]:
    """Return the labels in an existing thread: a muted one stays out of the inbox, a snoozed one returns to it."""
    key = {"me": box.person, "thread": thread}
    if box.call.first(_IN_STATE, {**key, "state": "MUTED"}) is not None:
        return [*(label for label in labels if label != "INBOX"), "MUTED"]
    if "INBOX" in labels:
        asleep = box.messages(row[0] for row in box.call.all(_IN_STATE, {**key, "state": "SNOOZED"}))
        label_changes.relabel_messages(box, asleep, add=["INBOX"])
    return labels


def list_first_labels(box: Mailbox, mail: Content, by_list: str) -> list[str]:
    """Return the labels of new mail before filters. Mail from outside addresses reported as spam is spam again."""
    labels = ["INBOX", "UNREAD", mail_category(box, mail, by_list)]
    if labels[2] == CATEGORIES[0]:
        labels.append("IMPORTANT")
    inside = mail.from_email.lower().rpartition("@")[2] == box.email.rpartition("@")[2]
    reported = not inside and box.call.first(_REPORTED, {"me": box.person, "sender": mail.from_email}) is not None
    return [*labels, "SPAM"] if reported else labels


def mail_category(box: Mailbox, mail: Content, by_list: str) -> str:
    """Return the category of new mail, from its headers (after support.google.com/mail/answer/3094499)."""
    personal, social, promotions, updates, forums = CATEGORIES
    if _is_known_domain(mail.from_email.lower().rpartition("@")[2], _SOCIAL):
        return social
    if by_list or mail.list_id:
        return forums
    if mail.is_automatic:
        sent = read_mail(content.read_bytes(box.call, mail))
        return promotions if sent.list_unsubscribe and sent.auto_submitted in ("", "no") else updates
    return updates if vacation.is_machine(mail.from_email) else personal


def _is_known_domain(domain: str, known: frozenset[str]) -> bool:
    return domain in known or domain.partition(".")[2] in known
