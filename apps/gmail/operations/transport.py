"""Mail in transit: unsent while that is possible, and received from outside."""

from collections.abc import Mapping
from typing import TypedDict

from pydantic import Field

from apps.gmail import content, drafts, external_mail
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.external_mail import ExternalMail
from apps.gmail.limits import CLIENT
from apps.gmail.operations.compose import CLIENT_PAGE, SavedDraft
from apps.gmail.outgoing import read_sized_mail
from apps.gmail.params import Id
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

GATEWAY = "mail-gateway"
_WAITS = "SELECT queued FROM gmail_mail WHERE id = :id AND sender_id = :me AND queued > 0"


class UndoSendParams(Params):
    """A mail to unsend."""

    id: Id = Field(description="Id of the message under Sent, as `mail.send` answered.")


class RefusedRecipient(TypedDict):
    """A refused recipient, and the server's answer."""

    address: str
    said: str


class LocalRecipient(TypedDict):
    """Outcome of a mail from outside: accepted and refused recipients."""

    messageId: str
    accepted: list[str]
    refused: list[RefusedRecipient]


@app.rule("mail.receive")
def may_receive(call: Call, sender: str) -> str | None:
    """Refuse all callers except the feed of outside mail."""
    return None if call.principal.kind == "bot" and call.me.handle == GATEWAY else "forbidden"


@app.operation(
    "mail.receive",
    writes=True,
    source="RFC 5321",
    scope="gmail.modify",
    units=CLIENT,
    examples=[
        {
            "from": "Jordan Reyes <jordan@partner.example>",
            "to": ["ceo@company.example"],
            "subject": "Minutes",
            "text": "Thanks.",
        }
    ],
    raises=(
        "forbidden",
        "invalid_raw",
        "malformed_mail",
        "too_large",
        "recipient_required",
        "invalid_from_header",
        "invalid_to_header",
        "invalid_attachment",
    ),
)
def receive(call: Call, params: ExternalMail) -> Mapping[str, object]:
    """Deliver a mail from outside; for the mail gateway only. Unknown recipients are refused in the response."""
    call.authorise("mail.receive", params.from_)
    return external_mail.receipt_to_json(external_mail.receive_mail(call, params))


@app.operation(
    "mail.undoSend",
    writes=True,
    source=CLIENT_PAGE,
    scope="gmail.modify",
    units=CLIENT,
    examples=[{"id": "$mail.send:id"}],
    raises=("not_found", "too_late", "mail_service_not_enabled"),
)
def undo_send(call: Call, params: UndoSendParams) -> SavedDraft:
    """Unsend a mail that was sent with `undo`, within its 10 seconds; it is a draft again and nobody got it."""
    box = open_mailbox(call, "me")
    message = box.message(params.id)
    queued = call.scalar(_WAITS, {"id": message.mail_id, "me": box.person})
    if queued is None or not call.cancel(queued):
        raise OperationError("too_late")
    raw = content.read_bytes(call, content.contents_by_id(call, [message.mail_id])[message.mail_id])
    thread = message.thread_id if len(box.thread(message.thread_id)) > 1 else None
    box.delete([message])
    content.remove_from_index(call, message.mail_id)
    call.execute("DELETE FROM gmail_mail WHERE id = :id", {"id": message.mail_id})
    kept = drafts.save_draft(box, raw, read_sized_mail(raw), thread=thread)
    return {"id": kept.id, "messageId": kept.message_id, "threadId": kept.thread_id}
