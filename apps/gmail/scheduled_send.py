"""Scheduled mail: until its time it is a draft under Scheduled."""

from apps.gmail import content, drafts, outgoing
from apps.gmail.app import app
from apps.gmail.drafts import Draft
from apps.gmail.mailbox import Mailbox
from apps.gmail.message_builder import ComposedMail
from apps.gmail.mime.date import format_date_header
from apps.gmail.mime.envelope import prepend_headers, remove_header
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import zone_info
from world.core.errors import OperationError

TOPIC = "gmail.send_scheduled"
MOST = 100  # support.google.com/mail/answer/9214606
_PLAN = "UPDATE gmail_draft SET send_at = :at, queued = :queued WHERE mail_id = :id"
_DUE = "SELECT id FROM gmail_draft WHERE id = :id AND person_id = :me AND send_at <= :now"
_MINE = "SELECT count(*) FROM gmail_draft WHERE person_id = :me AND send_at IS NOT NULL"
_NAMED = (
    "SELECT d.id FROM gmail_draft d JOIN gmail_message m ON m.mail_id = d.mail_id AND m.person_id = d.person_id"
    " WHERE d.person_id = :me AND m.id = :id"
)
_QUEUED = "SELECT queued FROM gmail_draft WHERE mail_id = :id AND send_at IS NOT NULL"


def schedule_mail(box: Mailbox, made: ComposedMail, at: int) -> Draft:
    """Save a mail to be sent at a time. Raises too_many_scheduled."""
    if made.draft is not None:
        withdraw_mail(box, made.draft)
    if box.call.scalar(_MINE, {"me": box.person}) >= MOST:
        raise OperationError("too_many_scheduled", most=MOST)
    kept = drafts.save_draft(box, made.raw, made.mail, thread=made.thread, old=made.draft)
    box.change([box.message(kept.message_id)], add=["SCHEDULED"], remove=["DRAFT"])
    queued = box.call.later(TOPIC, at, person=box.person, id=kept.id)
    box.call.execute(_PLAN, {"at": at, "queued": queued, "id": kept.mail_id})
    return kept._replace(send_at=at)


def withdraw_mail(box: Mailbox, draft: Draft) -> bool:
    """Make a scheduled mail a plain draft again; False if it was one."""
    row = box.call.first(_QUEUED, {"id": draft.mail_id})
    if row is None:
        return False
    if row[0] is not None:
        box.call.cancel(row[0])
    box.call.execute(_PLAN, {"at": None, "queued": None, "id": draft.mail_id})
    box.change([box.message(draft.message_id)], add=["DRAFT"], remove=["SCHEDULED"])
    return True


def get_scheduled_draft(box: Mailbox, id: str) -> Draft:
    """A draft by its own id, or by that of its message. Raises not_found."""
    return drafts.get_draft(box, box.call.scalar(_NAMED, {"me": box.person, "id": id}) or id)


@app.on(TOPIC)
def send_scheduled(call: Call, facts: Facts) -> None:
    """Send a scheduled mail at its time, dated then; nothing is sent for somebody who has left."""
    box, id = Mailbox(call, str(facts["person"])), str(facts["id"])
    owner = call.directory.person(box.person)
    if (
        owner is None
        or owner.status != "active"
        or call.first(_DUE, {"id": id, "me": box.person, "now": call.now}) is None
    ):
        return
    draft = drafts.get_draft(box, id)
    raw = content.read_bytes(call, content.contents_by_id(call, [draft.mail_id])[draft.mail_id])
    raw = prepend_headers(remove_header(raw, "Date"), ("Date", format_date_header(call.now, zone_info(owner.tz))))
    alone = len(box.thread(draft.thread_id)) == 1
    drafts.discard_draft(box, draft)
    outgoing.send_complete_mail(box, raw, outgoing.read_sized_mail(raw), None if alone else draft.thread_id)
