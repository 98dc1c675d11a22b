"""Builds mail from a form: people, text, files, and the mail it answers."""

from base64 import b64decode, urlsafe_b64decode
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from apps.gmail import content, drafts
from apps.gmail.drafts import Draft
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.mime.addresses import Address, parse_addresses
from apps.gmail.mime.addresses import format_address as address_text
from apps.gmail.mime.build import File, Outgoing, build, file_part, header_value
from apps.gmail.mime.headers import Mail
from apps.gmail.mime.html import sanitise_html, to_text
from apps.gmail.mime.reply import build_forward, build_reply, reply_recipients, reply_references
from apps.gmail.mime.reply import list_files as files_of
from apps.gmail.mime.subject import forward_subject, reply_subject
from apps.gmail.outgoing import check_recipients, find_thread, list_identities, new_message_id, read_sized_mail
from apps.gmail.params import Word
from world.core.clock import zone_info
from world.core.errors import OperationError
from world.core.params import Params, Text

MOST_FILE_BYTES = 25 * 1024 * 1024  # of all files of one mail: support.google.com/mail/answer/6584
MOST_FILES = 100  # own choice
MOST_TEXT = 2_000_000  # characters of one body; own choice
MOST_LISTED = 20_000  # entries of a list of recipients that is read at all; `sending.MOST_RECIPIENTS` may be written to

Mode = Literal["new", "reply", "replyAll", "forward"]
Someone = Annotated[Text, Field(max_length=1000)]
People = Annotated[list[Someone], Field(max_length=MOST_LISTED)]
Body = Annotated[Text, Field(max_length=MOST_TEXT)]


class AttachmentParams(Params):
    """A file to attach: given with its data, or a file of a mail in the caller's mailbox."""

    filename: Annotated[Text, Field(max_length=255)] = Field(default="", description="Its name.")
    mimeType: Word = Field(default="application/octet-stream", description="Its type, such as application/pdf.")
    data: str | None = Field(default=None, max_length=2 * MOST_FILE_BYTES, description="Its bytes in base64.")
    messageId: Word = Field(default="", description="Instead of `data`: the message or draft that has the file.")
    partId: Word = Field(default="", description="With `messageId`: which part of it, as in its payload.")


class Composition(Params):
    """Fields of a mail form."""

    to: People = Field(default_factory=list, description="Recipients, as `ann@x.example` or `Ann Lee <ann@x.example>`.")
    cc: People = Field(default_factory=list, description="Recipients of a copy.")
    bcc: People = Field(default_factory=list, description="Recipients of a copy that the others do not see.")
    subject: Word = Field(
        default="",
        description="The subject; of an answer, that of the mail answered unless given.",
        examples=["Minutes"],
    )
    text: Body = Field(
        default="", description="The text; taken from `html` if only that is given.", examples=["The minutes follow."]
    )
    html: Body = Field(default="", description="The same as HTML; what could run or fetch is taken out.")
    attachments: Annotated[list[AttachmentParams], Field(max_length=MOST_FILES)] = Field(
        default_factory=list, description="Files."
    )
    mode: Mode = Field(default="new", description="What it is to the mail `inReplyTo`.")
    inReplyTo: Word = Field(
        default="", description="Id of the message in the own mailbox that is answered or forwarded."
    )
    quote: bool | None = Field(
        default=None, description="Put that mail below the text; unless told, only when forwarding."
    )
    originalFiles: bool = Field(default=True, description="When forwarding: its files go along.")
    threadId: Word = Field(default="", description="The conversation it is meant for, if not that of `inReplyTo`.")
    draftId: Word = Field(default="", description="The draft it was; changed when saved, gone when sent.")
    from_: Word = Field(default="", alias="from", description="One of the own addresses, if not the usual one.")


@dataclass(frozen=True)
class ComposedMail:
    """A written mail: its bytes, parsed fields, conversation, and former draft."""

    raw: bytes
    mail: Mail
    thread: str | None
    draft: Draft | None


class _RepliedMessage(NamedTuple):
    message: Message
    mail: Mail


def compose_mail(box: Mailbox, given: Composition) -> ComposedMail:
    """Build a mail, which may still lack recipients.

    Raises not_found, invalid_to_header, invalid_cc_header, invalid_bcc_header, invalid_from_header,
    invalid_subject_header, invalid_attachment, too_large, malformed_mail.
    """
    draft = drafts.get_draft(box, given.draftId) if given.draftId else None
    answered = _find_answered(box, given)
    raw = _build_bytes(_build_outgoing(box, given, answered))
    thread = given.threadId or (answered.message.thread_id if answered else "")
    if given.threadId:
        box.thread(given.threadId)
    return ComposedMail(raw, read_sized_mail(raw), thread or None, draft)


def compose_ready_mail(box: Mailbox, given: Composition) -> ComposedMail:
    """Build a mail that is ready to be sent, in its conversation.

    Also raises recipient_required, too_many_recipients.
    """
    made = compose_mail(box, given)
    check_recipients(made.mail)
    return replace(made, thread=_find_thread(box, made))


def _find_thread(box: Mailbox, made: ComposedMail) -> str | None:
    """Find the conversation of a mail: that of the mail it answers, or that of its draft if nothing else is in it."""
    if made.draft and len(box.thread(made.draft.thread_id)) == 1:
        return made.draft.thread_id
    within = made.thread or (made.draft.thread_id if made.draft else None)
    return find_thread(box, made.mail.subject, made.mail.answers, within) if within else None


def _find_answered(box: Mailbox, given: Composition) -> _RepliedMessage | None:
    if given.mode == "new" and not given.inReplyTo:
        return None
    message = box.message(given.inReplyTo)
    if message.mail_id < 0:
        raise OperationError("not_found")
    return _RepliedMessage(message, _read_mail(box, message))


def _read_mail(box: Mailbox, message: Message) -> Mail:
    found = content.contents_by_id(box.call, [message.mail_id])[message.mail_id]
    return read_sized_mail(content.read_bytes(box.call, found))


def _build_outgoing(box: Mailbox, given: Composition, answered: _RepliedMessage | None) -> Outgoing:
    call = box.call
    sender = _get_sender(box, given.from_)
    html = sanitise_html(given.html) if given.html else None
    mail = Outgoing(
        sender=sender,
        at_us=call.now,
        message_id=new_message_id(call),
        zone=zone_info(call.me.tz),
        to=_parse_people("to", given.to),
        cc=_parse_people("cc", given.cc),
        bcc=_parse_people("bcc", given.bcc),
        subject=_check_subject(given.subject),
        text=given.text or (to_text(html) if html else ""),
        html=html,
        attachments=_list_files(box, given),
        extra=_reply_to_headers(box, sender),
    )
    return _build_answer(box, given, mail, answered.mail) if answered else mail


def _build_answer(box: Mailbox, given: Composition, mail: Outgoing, original: Mail) -> Outgoing:
    """Build the mail as an answer: default recipients, subject, references, and the quotation if requested."""
    if given.mode == "forward":
        if given.quote is not False:
            whole = build_forward(original, mail)
            return whole if given.originalFiles else replace(whole, attachments=mail.attachments)
        files = files_of(original) if given.originalFiles else ()
        return replace(
            mail,
            subject=mail.subject or forward_subject(original.subject),
            references=reply_references(original),
            attachments=(*mail.attachments, *files),
        )
    if given.mode != "new" and not (mail.to or mail.cc or mail.bcc):
        own = [one.email for one in list_identities(box)]
        to, cc = reply_recipients(original, own, everyone=given.mode == "replyAll")
        mail = replace(mail, to=to, cc=cc)
    if given.quote:
        return build_reply(original, mail)
    return replace(
        mail,
        subject=mail.subject or reply_subject(original.subject),
        in_reply_to=original.message_id,
        references=reply_references(original),
    )


def _get_sender(box: Mailbox, wanted: str) -> Address:
    """Return the identity of the sender. Raises invalid_from_header."""
    own = list_identities(box)
    found = [one for one in own if one.email.lower() == wanted.lower()] if wanted else own
    if not found:
        raise OperationError("invalid_from_header")
    return found[0]


def _reply_to_headers(box: Mailbox, sender: Address) -> tuple[tuple[str, str], ...]:
    """Return the Reply-To header of an identity, if it has another reply address."""
    found = box.call.scalar(
        "SELECT reply_to FROM gmail_send_as WHERE person_id = :me AND email = :email",
        {"me": box.person, "email": sender.email},
    )
    return (("Reply-To", found),) if found else ()


def _parse_people(header: str, listed: list[str]) -> tuple[Address, ...]:
    """Parse the people of a header. Raises invalid_to_header, invalid_cc_header, invalid_bcc_header."""
    return tuple(one for text in listed for one in _parse_addresses(header, text))


def _parse_addresses(header: str, text: str) -> list[Address]:
    named = [] if any(not char.isprintable() for char in text) else parse_addresses(text)
    try:
        if not named or not all(address_text(one) for one in named):
            raise ValueError(text)
    except ValueError:
        raise OperationError(f"invalid_{header}_header") from None
    return named


def _check_subject(text: str) -> str:
    try:
        header_value("Subject", text)
    except ValueError:
        raise OperationError("invalid_subject_header") from None
    return text


def _list_files(box: Mailbox, given: Composition) -> tuple[File, ...]:
    """Return the files to attach. Raises invalid_attachment, too_large, not_found."""
    files = tuple(_read_file(box, one) for one in given.attachments)
    if sum(len(one.data) for one in files) > MOST_FILE_BYTES:
        raise OperationError("too_large", most=MOST_FILE_BYTES)
    return files


def _read_file(box: Mailbox, given: AttachmentParams) -> File:
    if given.messageId:
        return _read_held_file(box, given)
    try:
        file = File(given.filename, given.mimeType, _decode_base64(given.data or ""))
        file_part(replace(file, data=b""))
    except ValueError:
        raise OperationError("invalid_attachment") from None
    return file


def _read_held_file(box: Mailbox, given: AttachmentParams) -> File:
    """Read a file of a mail in the mailbox."""
    mail = _read_mail(box, box.message(given.messageId))
    found = [file for one, file in zip(mail.attachments, files_of(mail), strict=True) if one.part_id == given.partId]
    if not found:
        raise OperationError("not_found")
    return found[0]


def _decode_base64(data: str) -> bytes:
    """Bytes in base64 of either alphabet, with or without padding."""
    text = data.strip()
    padded = text + "=" * (-len(text) % 4)
    return urlsafe_b64decode(padded) if {"-", "_"} & set(text) else b64decode(padded, validate=True)


def _build_bytes(mail: Outgoing) -> bytes:
    try:
        return build(mail)
    except ValueError:
        raise OperationError("malformed_mail") from None
