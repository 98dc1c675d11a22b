"""Label changes of messages: labels a caller may set, and effects of moves.

developers.google.com/workspace/gmail/api/guides/labels: labels that may be set by hand; a draft takes no labels. "Can
only add one of: INBOX, SPAM, TRASH" is the vendor's answer (observed); so a message that comes into one leaves the
others.
"""

from collections.abc import Iterable, Sequence

from apps.gmail import content, scheduled_send, snoozes
from apps.gmail.labels import PLACES, SETTABLE, SYSTEM
from apps.gmail.mailbox import Mailbox, Message
from world.core.errors import OperationError

_OWN = "SELECT id FROM gmail_label WHERE person_id = :me AND id IN (SELECT value FROM json_each(:ids))"
_AWAKE = (
    "SELECT s.thread_id FROM gmail_snooze s WHERE s.person_id = :me AND s.thread_id IN (SELECT value FROM"
    " json_each(:ids)) AND NOT EXISTS (SELECT 1 FROM gmail_message m JOIN gmail_message_label l ON l.message_id = m.id"
    " AND l.label_id = 'SNOOZED' WHERE m.person_id = s.person_id AND m.thread_id = s.thread_id) ORDER BY s.thread_id"
)


def check_labels(box: Mailbox, labels: Iterable[str], also: Iterable[str] = ()) -> None:
    """Raise invalid_label for the first label that a caller may not set: a system, unknown or foreign one."""
    wanted = list(labels)
    if not wanted:
        return
    known = {
        *SETTABLE,
        *also,
        *(row[0] for row in box.call.all(_OWN, {"me": box.person, "ids": content.to_sql_list(wanted)})),
    }
    for label in wanted:
        if label not in known:
            raise OperationError("invalid_label", label=label)


def check_sought_labels(box: Mailbox, labels: Iterable[str]) -> None:
    """Raise invalid_label for the first label that no message can have."""
    check_labels(box, labels, also=SYSTEM)


def check_label_change(box: Mailbox, add: Sequence[str], remove: Sequence[str]) -> None:
    """Raises no_label_changes, contradicting_labels, several_places, invalid_label."""
    if not add and not remove:
        raise OperationError("no_label_changes")
    if set(add) & set(remove):
        raise OperationError("contradicting_labels")
    check_labels(box, [*add, *remove])
    check_places(add)


def check_places(labels: Iterable[str]) -> None:
    """Raises several_places."""
    if len(set(labels) & set(PLACES)) > 1:
        raise OperationError("several_places")


def relabel_messages(
    box: Mailbox, messages: Sequence[Message], add: Iterable[str] = (), remove: Iterable[str] = ()
) -> None:
    """Change labels that were checked.

    A message moved to inbox, spam or trash leaves the others and is no longer snoozed.
    """
    wanted, unwanted = list(add), list(remove)
    place = [label for label in wanted if label in PLACES]
    left = [*(label for label in PLACES if label not in place), "SNOOZED"] if place else []
    box.change([one for one in messages if one.mail_id > 0], wanted, [*unwanted, *left])
    _relabel_drafts(box, [one for one in messages if one.mail_id < 0], "TRASH" in wanted, unwanted)
    if place:
        forget_empty_snoozes(box, [one.thread_id for one in messages])


def _relabel_drafts(box: Mailbox, drafts: Sequence[Message], thrown: bool, remove: Iterable[str]) -> None:
    """Move drafts to or from the trash; they take no other label, and a scheduled draft in the trash is not sent."""
    if thrown:
        for one in drafts:
            scheduled_send.withdraw_mail(box, scheduled_send.get_scheduled_draft(box, one.id))
    box.change(drafts, ["TRASH"] if thrown else [], remove)


def erase_messages(box: Mailbox, messages: Sequence[Message]) -> None:
    """Delete messages for good."""
    box.delete(messages)
    forget_empty_snoozes(box, [one.thread_id for one in messages])


def forget_empty_snoozes(box: Mailbox, threads: Iterable[str]) -> None:
    """Delete the snoozes of threads without a snoozed message."""
    for (thread,) in box.call.all(_AWAKE, {"me": box.person, "ids": content.to_sql_list(dict.fromkeys(threads))}):
        snoozes.forget_snooze(box, thread)
