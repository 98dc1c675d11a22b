"""Writing mail in the browser client: sent, or saved as a draft."""

from typing import TypedDict

from pydantic import Field

from apps.gmail import drafts, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.limits import CLIENT, SENDS
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.message_builder import ComposedMail, Composition, compose_mail, compose_ready_mail
from apps.gmail.outgoing import send_complete_mail
from apps.gmail.views import MessageShape
from world.core.call import Call
from world.core.errors import OperationError

CLIENT_PAGE = "mail.google.com, the browser client"
UNDO_US = 10_000_000  # how long a mail can be taken back; the client offers 5, 10, 20 or 30 seconds


class SendMailParams(Composition):
    """A mail to send."""

    undo: bool = Field(default=False, description="Hold it for 10 seconds, in which it can be taken back.")


class SavedDraft(TypedDict):
    """A draft as it was saved."""

    id: str
    messageId: str
    threadId: str


@app.operation(
    "mail.send",
    writes=True,
    source=CLIENT_PAGE,
    scope="gmail.modify",
    units=SENDS,
    examples=[
        {
            "to": ["Jordan Reyes <jordan@partner.example>"],
            "cc": ["sam@partner.example"],
            "subject": "Minutes",
            "text": "The minutes follow.",
            "attachments": [{"filename": "minutes.csv", "mimeType": "text/csv", "data": "d2hvLHdoYXQK"}],
            "undo": True,
        }
    ],
    raises=(
        "recipient_required",
        "too_many_recipients",
        "invalid_to_header",
        "invalid_cc_header",
        "invalid_bcc_header",
        "invalid_from_header",
        "invalid_subject_header",
        "invalid_attachment",
        "too_large",
        "malformed_mail",
        "not_found",
        "sending_limit_exceeded",
        "mail_service_not_enabled",
    ),
)
def send(call: Call, params: SendMailParams) -> MessageShape:
    """Write a mail, a reply or a forward, and send it; a draft it was is gone then."""
    box = open_mailbox(call, "me")
    made = compose_ready_mail(box, params)
    return views.messages_to_minimal_json(box, [_send_composed(box, made, UNDO_US if params.undo else 0)])[0]


def _send_composed(box: Mailbox, made: ComposedMail, hold_us: int) -> Message:
    if made.draft:
        drafts.discard_draft(box, made.draft)
    return send_complete_mail(box, made.raw, made.mail, made.thread, hold_us)


@app.operation(
    "mail.saveDraft",
    writes=True,
    source=CLIENT_PAGE,
    scope="gmail.modify",
    units=CLIENT,
    examples=[{"subject": "Minutes", "text": "The minutes of"}],
    raises=(
        "invalid_to_header",
        "invalid_cc_header",
        "invalid_bcc_header",
        "invalid_from_header",
        "invalid_subject_header",
        "invalid_attachment",
        "too_large",
        "malformed_mail",
        "not_found",
        "already_scheduled",
        "mail_service_not_enabled",
    ),
)
def save_draft(call: Call, params: Composition) -> SavedDraft:
    """Save the mail written so far as a draft; with `draftId`, the same draft is changed."""
    box = open_mailbox(call, "me")
    made = compose_mail(box, params)
    if made.draft and made.draft.send_at is not None:
        raise OperationError("already_scheduled")
    kept = drafts.save_draft(box, made.raw, made.mail, thread=made.thread, old=made.draft)
    return {"id": kept.id, "messageId": kept.message_id, "threadId": kept.thread_id}
