"""Snoozed threads: they leave the inbox until a time, and return unread."""

from collections.abc import Iterable

from apps.gmail.app import app
from apps.gmail.mailbox import Mailbox, Message
from world.core.app import Facts
from world.core.call import Call

TOPIC = "gmail.snooze_over"
_FORGET = "DELETE FROM gmail_snooze WHERE person_id = :me AND thread_id = :thread RETURNING queued"
_ADD = "INSERT INTO gmail_snooze(person_id, thread_id, until_at, queued) VALUES (:me, :thread, :until, :queued)"


def snooze_thread(box: Mailbox, thread: str, messages: Iterable[Message], until: int) -> None:
    """Take a thread out of the inbox until a time; a thread that is snoozed already gets the new time."""
    forget_snooze(box, thread)
    listed = [one for one in messages if one.trashed_at is None and not one.is_spam]
    box.change(listed, add=["SNOOZED"], remove=["INBOX"])
    queued = box.call.later(TOPIC, until, person=box.person, thread=thread)
    box.call.execute(_ADD, {"me": box.person, "thread": thread, "until": until, "queued": queued})


def wake_thread(box: Mailbox, thread: str) -> list[Message]:
    """Bring a thread back to the inbox; returns its messages that came back."""
    forget_snooze(box, thread)
    messages = box.threads([thread]).get(thread, [])
    labels = box.labels(messages)
    asleep = [one for one in messages if "SNOOZED" in labels[one.id]]
    shown = [one for one in asleep if one.trashed_at is None and not one.is_spam]
    box.change(asleep, remove=["SNOOZED"])
    box.change(shown, add=["INBOX"])
    return shown


def forget_snooze(box: Mailbox, thread: str) -> None:
    """Cancel the wake-up of a thread."""
    for (queued,) in box.call.all(_FORGET, {"me": box.person, "thread": thread}):
        if queued is not None:
            box.call.cancel(queued)


@app.on(TOPIC)
def end_snooze(call: Call, facts: Facts) -> None:
    """Put a thread back into the inbox at its time, its last message unread."""
    box = Mailbox(call, str(facts["person"]))
    box.change(wake_thread(box, str(facts["thread"]))[-1:], add=["UNREAD"])
