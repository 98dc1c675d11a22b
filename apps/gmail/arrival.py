"""What a mailbox does with mail that arrives: into which thread, under which labels."""

from apps.gmail import sending
from apps.gmail.content import Content
from apps.gmail.labels import CATEGORIES
from apps.gmail.mailbox import Mailbox, Message

_ARRIVED = "SELECT id FROM gmail_message WHERE mail_id = :mail AND person_id = :person"


def arrive(box: Mailbox, mail: Content, address: str, by_list: str = "") -> Message | None:
    """Put a mail into a mailbox; the sender's own copy comes back to the inbox instead of a second one."""
    own = box.call.scalar(_ARRIVED, {"mail": mail.id, "person": box.person})
    if own is not None:
        box.change([box.message(own)], add=["INBOX", "UNREAD"])
        return None
    thread = sending.thread_of(box, mail.subject, mail.answers)
    return box.add(mail.id, thread_id=thread, labels=first_labels(mail, by_list), at=box.call.now, delivered_to=address)


def first_labels(mail: Content, by_list: str) -> list[str]:
    """What new mail is labelled with before any filter."""
    personal, _, _, updates, forums = CATEGORIES
    if by_list or mail.list_id:
        return ["INBOX", "UNREAD", forums]
    return ["INBOX", "UNREAD", updates] if mail.is_automatic else ["INBOX", "UNREAD", "IMPORTANT", personal]
