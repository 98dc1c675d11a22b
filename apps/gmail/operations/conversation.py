"""Conversations for the browser client, without the shapes of the API."""

from collections.abc import Iterable
from typing import Literal, TypedDict

from pydantic import Field

from apps.gmail import content
from apps.gmail.access import open_mailbox
from apps.gmail.app import app
from apps.gmail.content import Content, people_to_json
from apps.gmail.example_objects import A_MESSAGE, A_THREAD
from apps.gmail.limits import CLIENT
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.message_builder import Composition, compose_mail
from apps.gmail.mime.base64url import to_base64url
from apps.gmail.mime.headers import Attachment, Mail, read_mail
from apps.gmail.mime.parse import Part
from apps.gmail.operations.compose import CLIENT_PAGE
from apps.gmail.outgoing import list_identities
from apps.gmail.params import Id, Word
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

_DRAFTS = (
    "SELECT mail_id, id, send_at FROM gmail_draft WHERE person_id = :me AND mail_id IN (SELECT value FROM"
    " json_each(:ids))"
)
_BY_HEADER = (
    "SELECT m.id FROM gmail_mail c JOIN gmail_message m ON m.mail_id = c.id AND m.person_id = :me WHERE c.message_id ="
    " :header ORDER BY m.internal_at DESC, m.id"
)

_MARK = "<div></div>"  # an empty text, below which the quotation stands


class NameAndAddress(TypedDict):
    """A name, which may be empty, and an address."""

    name: str
    email: str


class AttachedFile(TypedDict):
    """A file of a mail. `inline` ones are pictures of its HTML."""

    partId: str
    filename: str
    mimeType: str
    size: int
    contentId: str
    inline: bool


class ShownMessage(TypedDict):
    """A message of a conversation. `at` is microseconds since the epoch; `labelIds` holds the client's own states too.

    `draftId` is set for a draft, `sendAt` while it is scheduled, `answers` to the message here that it replies to.
    """

    id: str
    threadId: str
    draftId: str
    sendAt: int | None
    answers: str
    at: int
    sender: NameAndAddress
    to: list[NameAndAddress]
    cc: list[NameAndAddress]
    bcc: list[NameAndAddress]
    replyTo: list[NameAndAddress]
    subject: str
    text: str
    html: str | None
    files: list[AttachedFile]
    labelIds: list[str]
    listId: str


class Conversation(TypedDict):
    """A thread, its messages oldest first."""

    id: str
    messages: list[ShownMessage]
    addresses: list[NameAndAddress]


class ConversationParams(Params):
    """Id of a conversation."""

    id: Id = Field(description="Id of the thread.", examples=[A_THREAD])


class MessageParams(Params):
    """Id of a message."""

    id: Id = Field(description="Id of the message.", examples=[A_MESSAGE])


class AttachmentParams(MessageParams):
    """Id of a message and of one of its files."""

    partId: Word = Field(
        default="", description="The part it is, as in the message's payload; the mail itself if it has no parts."
    )


class FileData(TypedDict):
    """A file of a mail, its bytes in base64url."""

    filename: str
    mimeType: str
    size: int
    data: str


class _Drafts:
    """The drafts among some messages, and the message that each answers."""

    def __init__(self, box: Mailbox, messages: Iterable[Message]) -> None:
        ids = content.to_sql_list(one.mail_id for one in messages if one.mail_id < 0)
        self._box = box
        self._found = {row[0]: (str(row[1]), row[2]) for row in box.call.all(_DRAFTS, {"me": box.person, "ids": ids})}

    def of(self, message: Message, mail: Mail) -> tuple[str, int | None, str]:
        """Return a draft's id, its time if it is scheduled, and the message it answers."""
        id, send_at = self._found.get(message.mail_id, ("", None))
        named = mail.in_reply_to or (mail.references[-1] if mail.references else "")
        row = self._box.call.first(_BY_HEADER, {"me": self._box.person, "header": named}) if id and named else None
        return id, send_at, str(row[0]) if row else ""


def _messages_to_json(box: Mailbox, messages: list[Message]) -> list[ShownMessage]:
    labels, drafts = box.labels(messages), _Drafts(box, messages)
    found = content.contents_by_id(box.call, [one.mail_id for one in messages])
    return [_message_to_json(box, one, found[one.mail_id], labels[one.id], drafts) for one in messages]


def _message_to_json(box: Mailbox, message: Message, kept: Content, labels: list[str], drafts: _Drafts) -> ShownMessage:
    mail = read_mail(content.read_bytes(box.call, kept))
    draft, send_at, answers = drafts.of(message, mail)
    own = not message.delivered_to
    return {
        "id": message.id,
        "threadId": message.thread_id,
        "draftId": draft,
        "sendAt": send_at,
        "answers": answers,
        "at": message.internal_at,
        "sender": {"name": kept.from_name, "email": kept.from_email},
        "to": _people_to_json(kept.to),
        "cc": _people_to_json(kept.cc),
        "bcc": _people_to_json(kept.bcc) if own else [],
        "replyTo": [{"name": one.name, "email": one.email} for one in mail.reply_to],
        "subject": kept.subject,
        "text": mail.text,
        "html": mail.html,
        "files": [_file_to_json(one) for one in mail.attachments],
        "labelIds": labels,
        "listId": kept.list_id,
    }


def _people_to_json(listed: list[dict[str, str]]) -> list[NameAndAddress]:
    return [{"name": one["name"], "email": one["email"]} for one in listed]


def _file_to_json(one: Attachment) -> AttachedFile:
    return {
        "partId": one.part_id,
        "filename": one.filename,
        "mimeType": one.mime_type,
        "size": one.size,
        "contentId": one.content_id,
        "inline": one.inline,
    }


@app.operation(
    "mail.conversation",
    source=CLIENT_PAGE,
    scope="gmail.readonly",
    units=CLIENT,
    examples=[{"id": A_THREAD}],
    raises=("not_found", "mail_service_not_enabled"),
)
def conversation(call: Call, params: ConversationParams) -> Conversation:
    """Read a conversation: all its messages, drafts among them, oldest first."""
    box = open_mailbox(call, "me")
    messages = box.thread(params.id)
    own = [{"name": one.name, "email": one.email} for one in list_identities(box)]
    return {"id": params.id, "messages": _messages_to_json(box, messages), "addresses": _people_to_json(own)}


@app.operation(
    "mail.message",
    source=CLIENT_PAGE,
    scope="gmail.readonly",
    units=CLIENT,
    examples=[{"id": A_MESSAGE}],
    raises=("not_found", "mail_service_not_enabled"),
)
def one_message(call: Call, params: MessageParams) -> ShownMessage:
    """Read one message of a conversation, or a draft."""
    box = open_mailbox(call, "me")
    return _messages_to_json(box, [box.message(params.id)])[0]


class DraftParams(Params):
    """Id of a draft."""

    id: Id = Field(description="Id of the draft.")


@app.operation(
    "mail.draft",
    source=CLIENT_PAGE,
    scope="gmail.readonly",
    units=CLIENT,
    after=["mail.saveDraft"],
    examples=[{"id": "$mail.saveDraft:id"}],
    raises=("not_found", "mail_service_not_enabled"),
)
def one_draft(call: Call, params: DraftParams) -> ShownMessage:
    """Read a draft to go on writing."""
    box = open_mailbox(call, "me")
    row = call.first(
        "SELECT m.id FROM gmail_draft d JOIN gmail_message m ON m.mail_id = d.mail_id WHERE d.person_id = :me AND d.id"
        " = :id",
        {"me": box.person, "id": params.id},
    )
    if row is None:
        raise OperationError("not_found")
    return _messages_to_json(box, [box.message(str(row[0]))])[0]


@app.operation(
    "mail.file",
    source=CLIENT_PAGE,
    scope="gmail.readonly",
    units=CLIENT,
    examples=[{"id": A_MESSAGE, "partId": "1"}],
    raises=("not_found", "mail_service_not_enabled"),
)
def one_file(call: Call, params: AttachmentParams) -> FileData:
    """Fetch a part of a message as a file, whatever it is."""
    box = open_mailbox(call, "me")
    message = box.message(params.id)
    kept: object = content.contents_by_id(call, [message.mail_id])[message.mail_id]
    found = [
        part
        for part in read_mail(content.read_bytes(call, kept)).root.walk()
        if part.id == params.partId and not _holds_parts(part)
    ]
    if not found:
        raise OperationError("not_found")
    part = found[0]
    return {
        "filename": part.filename,
        "mimeType": part.mime_type,
        "size": len(part.data),
        "data": to_base64url(part.data),
    }


def _holds_parts(part: Part) -> bool:
    return part.mime_type.startswith("multipart/")


class PrepareReplyParams(MessageParams):
    """Request fields for starting an answer."""

    mode: Literal["reply", "replyAll", "forward"] = Field(default="reply", description="reply, replyAll or forward.")


class ReplyTemplate(TypedDict):
    """Start of an answer. `quoted` is the sanitised HTML below it; `files` are those of a forwarded mail."""

    to: list[NameAndAddress]
    cc: list[NameAndAddress]
    subject: str
    quoted: str
    files: list[AttachedFile]


@app.operation(
    "mail.prepare",
    source=CLIENT_PAGE,
    scope="gmail.readonly",
    units=CLIENT,
    examples=[{"id": A_MESSAGE, "mode": "replyAll"}],
    raises=("not_found", "malformed_mail", "too_large", "mail_service_not_enabled"),
)
def prepare(call: Call, params: PrepareReplyParams) -> ReplyTemplate:
    """Begin an answer: its recipients, subject and quotation."""
    box = open_mailbox(call, "me")
    given = Composition(mode=params.mode, inReplyTo=params.id, quote=True, html=_MARK, originalFiles=False)
    made = compose_mail(box, given).mail
    original = one_message(call, MessageParams(id=params.id))
    return {
        "to": _people_to_json(people_to_json(made.to)),
        "cc": _people_to_json(people_to_json(made.cc)),
        "subject": made.subject,
        "quoted": (made.html or "").removeprefix(_MARK).removeprefix("<br><br>\n"),
        "files": original["files"] if params.mode == "forward" else [],
    }
