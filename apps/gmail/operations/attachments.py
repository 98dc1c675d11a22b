"""Attachments: the bytes of one file of a mail."""

from pydantic import Field

from apps.gmail import content, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_MESSAGE, AN_ATTACHMENT
from apps.gmail.limits import quota_units
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.payload import MessagePartBody, attachment
from apps.gmail.operations.messages import READ
from apps.gmail.params import Id, MailboxParams
from world.core.call import Call
from world.core.errors import OperationError

DOCS = "developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments/"


class AttachmentRef(MailboxParams):
    """An attachment of a message."""

    messageId: Id = Field(description="Id of the message that has it.")
    id: Id = Field(description="Its attachmentId, as the message's payload gives it.")


@app.operation(
    "users.messages.attachments.get",
    source=DOCS + "get",
    scope=READ,
    units=quota_units("users.messages.attachments.get", False),
    examples=[{"messageId": A_MESSAGE, "id": AN_ATTACHMENT}],
    raises=("delegation_denied", "not_found", "invalid_attachment_token", "mail_service_not_enabled"),
)
def get_attachment(call: Call, params: AttachmentRef) -> MessagePartBody:
    """Download a file of a mail, base64url."""
    box = open_mailbox(call, params.userId)
    message = box.message(params.messageId)
    mail = content.contents_by_id(call, [message.mail_id])[message.mail_id]
    found = attachment(read_mail(views.raw_in_mailbox(box, message, mail)).root, message.id, params.id)
    if found is None:
        raise OperationError("invalid_attachment_token")
    return found
