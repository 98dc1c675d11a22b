"""Changes of messages: labelled, moved, deleted, and inserted without being sent."""

from typing import Literal

from pydantic import Field

from apps.gmail import content, label_changes, outgoing, views
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.example_objects import A_MAIL, A_MESSAGE
from apps.gmail.labels import PLACES
from apps.gmail.limits import quota_units
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.mailbox_delivery import list_first_labels
from apps.gmail.mailbox_settings import filter_rules
from apps.gmail.mime.headers import Mail
from apps.gmail.operations.messages import DOCS, MODIFY, MessageParams, SendMessageParams, decode_raw
from apps.gmail.params import Ids, LabelIds, MailboxParams
from apps.gmail.views import MessageShape
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params, Text

INSERT, FULL = "gmail.insert", "mail.google.com"
MOST_PLACED_BYTES = 157_286_400  # mediaUpload.maxSize of users.messages.insert and import in the discovery document
ADDED, REMOVED = "Ids of labels to add, at most 100.", "Ids of labels to remove, at most 100."


class LabelChanges(Params):
    """Labels to add and to remove."""

    addLabelIds: LabelIds = Field(default_factory=list, description=ADDED, examples=[["STARRED"]])
    removeLabelIds: LabelIds = Field(default_factory=list, description=REMOVED, examples=[["UNREAD"]])


class ModifyMessageParams(MessageParams, LabelChanges):
    """A message and its new labels."""


class MessageBatch(MailboxParams):
    """Several messages."""

    ids: Ids = Field(default_factory=list, description="Ids of messages, at most 1,000.")


class BatchModifyParams(MessageBatch, LabelChanges):
    """Several messages and their new labels."""


class AddMessageParams(SendMessageParams):
    """A mail to put into the mailbox."""

    raw: Text = Field(default="", description="The whole mail (RFC 822), base64url.")
    labelIds: LabelIds = Field(
        default_factory=list, description="Ids of labels it is to have.", examples=[["INBOX", "UNREAD"]]
    )
    deleted: bool = Field(
        default=False, description="Of no effect: the vendor's archive for administrators is not there."
    )


class InsertMessageParams(AddMessageParams):
    """A mail to put into the mailbox as it is."""

    internalDateSource: Literal["receivedTime", "dateHeader"] = Field(
        default="receivedTime", description="What its time is taken from."
    )


class ImportMessageParams(AddMessageParams):
    """A mail to put into the mailbox as if it arrived."""

    internalDateSource: Literal["receivedTime", "dateHeader"] = Field(
        default="dateHeader", description="What its time is taken from."
    )
    neverMarkSpam: bool = Field(default=False, description="Never put it into spam, whatever else would.")
    processForCalendar: bool = Field(default=False, description="Of no effect: there is no calendar.")


@app.operation(
    "users.messages.modify",
    writes=True,
    source=DOCS + "modify",
    scope=MODIFY,
    units=quota_units("users.messages.modify", True),
    examples=[{"id": A_MESSAGE, "addLabelIds": ["STARRED"]}],
    raises=(
        "delegation_denied",
        "not_found",
        "invalid_label",
        "no_label_changes",
        "contradicting_labels",
        "several_places",
        "mail_service_not_enabled",
    ),
)
def modify(call: Call, params: ModifyMessageParams) -> MessageShape:
    """Change the labels of a message: archive (remove INBOX), mark read (remove UNREAD), star, label, move to spam or
    trash.

    A draft can only be moved to the trash and back.
    """
    box = open_mailbox(call, params.userId)
    message = box.message(params.id)
    label_changes.check_label_change(box, params.addLabelIds, params.removeLabelIds)
    if message.mail_id < 0:
        _check_draft(params.addLabelIds)
    label_changes.relabel_messages(box, [message], params.addLabelIds, params.removeLabelIds)
    return _message_to_json(box, message)


def _check_draft(labels: list[str]) -> None:
    for label in labels:
        if label != "TRASH":
            raise OperationError("invalid_label", label=label)


def _message_to_json(box: Mailbox, message: Message) -> MessageShape:
    return views.messages_to_minimal_json(box, [box.message(message.id)])[0]


@app.operation(
    "users.messages.trash",
    writes=True,
    source=DOCS + "trash",
    scope=MODIFY,
    units=quota_units("users.messages.trash", True),
    examples=[{"id": A_MESSAGE}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def trash(call: Call, params: MessageParams) -> MessageShape:
    """Move a message to the trash, out of the inbox."""
    box = open_mailbox(call, params.userId)
    message = box.message(params.id)
    label_changes.relabel_messages(box, [message], ["TRASH"])
    return _message_to_json(box, message)


@app.operation(
    "users.messages.untrash",
    writes=True,
    source=DOCS + "untrash",
    scope=MODIFY,
    units=quota_units("users.messages.untrash", True),
    examples=[{"id": A_MESSAGE}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def untrash(call: Call, params: MessageParams) -> MessageShape:
    """Take a message out of the trash; it does not come back to the inbox by that."""
    box = open_mailbox(call, params.userId)
    message = box.message(params.id)
    label_changes.relabel_messages(box, [message], [], ["TRASH"])
    return _message_to_json(box, message)


@app.operation(
    "users.messages.delete",
    writes=True,
    source=DOCS + "delete",
    scope=FULL,
    units=quota_units("users.messages.delete", True),
    examples=[{"id": A_MESSAGE}],
    raises=("delegation_denied", "not_found", "mail_service_not_enabled"),
)
def delete(call: Call, params: MessageParams) -> None:
    """Delete a message for good, which nothing brings back; the trash is `users.messages.trash`."""
    box = open_mailbox(call, params.userId)
    label_changes.erase_messages(box, [box.message(params.id)])


@app.operation(
    "users.messages.batchModify",
    writes=True,
    source=DOCS + "batchModify",
    scope=MODIFY,
    units=quota_units("users.messages.batchModify", True),
    examples=[{"ids": [A_MESSAGE], "removeLabelIds": ["UNREAD"]}],
    raises=(
        "delegation_denied",
        "no_message_ids",
        "invalid_label",
        "no_label_changes",
        "contradicting_labels",
        "several_places",
        "mail_service_not_enabled",
    ),
)
def batch_modify(call: Call, params: BatchModifyParams) -> None:
    """Change the labels of up to 1,000 messages; ids of no message are passed over."""
    box = open_mailbox(call, params.userId)
    _check_ids(params.ids)
    label_changes.check_label_change(box, params.addLabelIds, params.removeLabelIds)
    label_changes.relabel_messages(box, box.messages(params.ids), params.addLabelIds, params.removeLabelIds)


def _check_ids(ids: list[str]) -> None:
    if not ids:
        raise OperationError("no_message_ids")


@app.operation(
    "users.messages.batchDelete",
    writes=True,
    source=DOCS + "batchDelete",
    scope=FULL,
    units=quota_units("users.messages.batchDelete", True),
    examples=[{"ids": [A_MESSAGE]}],
    raises=("delegation_denied", "no_message_ids", "mail_service_not_enabled"),
)
def batch_delete(call: Call, params: MessageBatch) -> None:
    """Delete up to 1,000 messages for good; ids of no message are passed over."""
    box = open_mailbox(call, params.userId)
    _check_ids(params.ids)
    label_changes.erase_messages(box, box.messages(params.ids))


@app.operation(
    "users.messages.insert",
    writes=True,
    source=DOCS + "insert",
    scope=INSERT,
    units=quota_units("users.messages.insert", True),
    examples=[{"raw": A_MAIL, "labelIds": ["INBOX"]}],
    raises=(
        "delegation_denied",
        "raw_missing",
        "invalid_raw",
        "too_large",
        "malformed_mail",
        "invalid_label",
        "several_places",
        "not_found",
        "mail_service_not_enabled",
    ),
)
def insert(call: Call, params: InsertMessageParams) -> MessageShape:
    """Put a mail into the mailbox unchanged, under the given labels; it is sent to nobody.

    A mail from one of the owner's own addresses is put under SENT too.
    """
    box = open_mailbox(call, params.userId)
    raw, mail = _read_given(box, params)
    own = {one.email.lower() for one in outgoing.list_identities(box)}
    sent = ["SENT"] if mail.sender is not None and mail.sender.email.lower() in own else []
    return _place_mail(box, params, raw, mail, [*params.labelIds, *sent])


@app.operation(
    "users.messages.import",
    writes=True,
    source=DOCS + "import",
    scope=INSERT,
    units=quota_units("users.messages.import", True),
    examples=[{"raw": A_MAIL}],
    raises=(
        "delegation_denied",
        "raw_missing",
        "invalid_raw",
        "too_large",
        "malformed_mail",
        "invalid_label",
        "several_places",
        "not_found",
        "mail_service_not_enabled",
    ),
)
def import_message(call: Call, params: ImportMessageParams) -> MessageShape:
    """Put a mail into the mailbox as if it had arrived: into the inbox, unread, under its category; it is sent to
    nobody.
    """
    box = open_mailbox(call, params.userId)
    raw, mail = _read_given(box, params)
    return _place_mail(box, params, raw, mail, params.labelIds, arrived=True)


def _read_given(box: Mailbox, params: AddMessageParams) -> tuple[bytes, Mail]:
    """Return the mail to insert, with all fields checked."""
    label_changes.check_labels(box, params.labelIds, also=["SENT"])
    label_changes.check_places(params.labelIds)
    raw = decode_raw(params.raw)
    mail = outgoing.read_sized_mail(raw, MOST_PLACED_BYTES)
    if params.threadId:
        box.thread(params.threadId)
    return raw, mail


def _place_mail(
    box: Mailbox,
    params: InsertMessageParams | ImportMessageParams,
    raw: bytes,
    mail: Mail,
    labels: list[str],
    *,
    arrived: bool = False,
) -> MessageShape:
    at = _date_header_time(box.call, mail) if params.internalDateSource == "dateHeader" else box.call.now
    id = outgoing.store_mail(box.call, raw, mail, None, at)
    if arrived:
        labels = _list_arrival_labels(box, id, params)
    thread = outgoing.find_thread(box, mail.subject, mail.answers, params.threadId or None)
    message = box.add(id, thread_id=thread, labels=labels, at=at, delivered_to=box.email if arrived else "")
    return _message_to_json(box, message)


def _list_arrival_labels(box: Mailbox, id: int, params: InsertMessageParams | ImportMessageParams) -> list[str]:
    """Return the labels of an arriving mail after filters; without INBOX if it belongs elsewhere."""
    mail = content.contents_by_id(box.call, [id])[id]
    found = [*params.labelIds, *filter_rules.judge_mail(box, mail, list_first_labels(box, mail, ""), box.email).labels]
    if isinstance(params, ImportMessageParams) and params.neverMarkSpam and "SPAM" not in params.labelIds:
        found = [label for label in found if label != "SPAM"]
    place = next((label for label in ("TRASH", "SPAM", "INBOX") if label in found), None)
    return [label for label in found if label not in PLACES or label == place]


def _date_header_time(call: Call, mail: Mail) -> int:
    """Return the time of the Date header, if it has one in the past."""
    return mail.date_us if mail.date_us is not None and 0 <= mail.date_us <= call.now else call.now
