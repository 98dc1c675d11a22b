"""Messages and threads in the shapes of the API.

developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages and users.threads
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NotRequired, TypedDict

from apps.gmail import content
from apps.gmail.content import Content
from apps.gmail.labels import STATES
from apps.gmail.mailbox import Mailbox, Message
from apps.gmail.mailing_lists import list_headers, list_id, list_mailing_lists
from apps.gmail.mime.build import without_bcc
from apps.gmail.mime.date import format_date_header
from apps.gmail.mime.envelope import prepend_headers
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.payload import Format, MessagePart, message_content, snippet


class MessageShape(TypedDict):
    """A message. `internalDate` is milliseconds since the epoch, UTC; `raw` is base64url."""

    id: str
    threadId: str
    labelIds: NotRequired[list[str]]
    snippet: NotRequired[str]
    payload: NotRequired[MessagePart]
    sizeEstimate: NotRequired[int]
    raw: NotRequired[str]
    historyId: NotRequired[str]
    internalDate: NotRequired[str]


class ThreadShape(TypedDict):
    """A thread; `snippet` stands in lists, `messages` when one thread is read."""

    id: str
    historyId: NotRequired[str]
    snippet: NotRequired[str]
    messages: NotRequired[list[MessageShape]]


def list_label_ids(labels: Iterable[str]) -> list[str]:
    """Labels as the API lists them."""
    return [label for label in labels if label not in STATES]


def messages_to_minimal_json(box: Mailbox, messages: Sequence[Message]) -> list[MessageShape]:
    """Render messages for the response to a change: ids and labels."""
    labels = box.labels(messages)
    return [_add_labels({"id": one.id, "threadId": one.thread_id}, labels[one.id]) for one in messages]


def _add_labels(shape: MessageShape, labels: Iterable[str]) -> MessageShape:
    shown = list_label_ids(labels)
    return {**shape, "labelIds": shown} if shown else shape


def messages_to_json(
    box: Mailbox, messages: Sequence[Message], shape: Format = "full", headers: Collection[str] = ()
) -> list[MessageShape]:
    """Messages in one of the API's formats."""
    labels = box.labels(messages)
    found = content.contents_by_id(box.call, [one.mail_id for one in messages])
    return [_message_to_json(box, one, found[one.mail_id], labels[one.id], shape, headers) for one in messages]


def _message_to_json(
    box: Mailbox, message: Message, mail: Content, labels: Sequence[str], shape: Format, headers: Collection[str]
) -> MessageShape:
    out = _add_labels({"id": message.id, "threadId": message.thread_id}, labels)
    if shape == "minimal":
        out |= {"snippet": snippet(mail.text), "sizeEstimate": mail.size}
    else:
        raw = raw_in_mailbox(box, message, mail)
        out |= message_content(raw, read_mail(raw), message.id, shape, headers)  # type: ignore[typeddict-item]
    return out | {"historyId": str(message.history_id), "internalDate": str(message.internal_at // 1000)}  # type: ignore[return-value]


def raw_in_mailbox(box: Mailbox, message: Message, mail: Content) -> bytes:
    """Return the bytes of a mail as in a mailbox: received mail has delivery headers, and no blind copies."""
    raw = content.read_bytes(box.call, mail)
    if not message.delivered_to:
        return raw
    when = format_date_header(message.internal_at)
    lines = [
        ("Delivered-To", box.email),
        ("Received", f"by mx.google.com with ESMTPS id {message.id} for <{message.delivered_to}>; {when}"),
        *([("Return-Path", f"<{mail.from_email}>")] if mail.from_email.isascii() else []),
        *_list_header_lines(box, message, mail),
    ]
    return prepend_headers(without_bcc(raw) if mail.bcc else raw, *lines)


def _list_header_lines(box: Mailbox, message: Message, mail: Content) -> list[tuple[str, str]]:
    """Return the header lines that a mailing list of the company adds."""
    by = mail.list_id == list_id(message.delivered_to) and list_mailing_lists(box.call, [message.delivered_to])
    return list_headers(message.delivered_to) if by else []


def thread_to_json(
    box: Mailbox, messages: Sequence[Message], shape: Format = "full", headers: Collection[str] = ()
) -> ThreadShape:
    """A thread with its messages, which are in order."""
    last = max(one.history_id for one in messages)
    return {
        "id": messages[0].thread_id,
        "historyId": str(last),
        "messages": messages_to_json(box, messages, shape, headers),
    }
