"""A mail in the shapes of users.messages.get: the tree of parts, its formats, the snippet.

Source: developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages (Message, MessagePart, Format)
and users.messages.attachments (MessagePartBody).
"""

import re
from collections.abc import Collection
from hashlib import sha512
from html import escape
from typing import Literal, NotRequired, TypedDict

from apps.gmail.mime.base64url import to_base64url
from apps.gmail.mime.headers import Mail
from apps.gmail.mime.parse import Part

Format = Literal["minimal", "full", "raw", "metadata"]

SNIPPET = 200  # characters; observed, no page states it
LARGE_BODY = 1_048_576  # bytes of a body that is fetched apart; own choice, the page says only "when present"


class MessagePartHeader(TypedDict):
    """A header field."""

    name: str
    value: str


class MessagePartBody(TypedDict):
    """The body of one part: its data, or the id by which users.messages.attachments.get gives it."""

    size: int
    data: NotRequired[str]
    attachmentId: NotRequired[str]


class MessagePart(TypedDict):
    """One part; with the format `metadata` only the type and the headers of the outermost."""

    partId: NotRequired[str]
    mimeType: str
    filename: NotRequired[str]
    headers: list[MessagePartHeader]
    body: NotRequired[MessagePartBody]
    parts: NotRequired[list["MessagePart"]]


class MessageContent(TypedDict):
    """The fields of a Message that its bytes decide; ids, labels, history and times are the mailbox's."""

    snippet: str
    sizeEstimate: int
    payload: NotRequired[MessagePart]
    raw: NotRequired[str]


def message_content(
    raw: bytes, mail: Mail, message_id: str, shape: Format, metadata_headers: Collection[str] = ()
) -> MessageContent:
    """Return a mail for users.messages.get in one of its formats; `metadata_headers` narrows `metadata` only."""
    content: MessageContent = {"snippet": snippet(mail.text), "sizeEstimate": len(raw)}
    if shape == "raw":
        content["raw"] = to_base64url(raw)
    elif shape == "metadata":
        content["payload"] = {"mimeType": mail.root.mime_type, "headers": _headers_to_json(mail.root, metadata_headers)}
    elif shape == "full":
        content["payload"] = message_part(mail.root, message_id)
    return content


def message_part(part: Part, message_id: str) -> MessagePart:
    """A part and all below it; the outermost has the id ""."""
    tree: MessagePart = {
        "partId": part.id,
        "mimeType": part.mime_type,
        "filename": part.filename,
        "headers": _headers_to_json(part),
        "body": _body_to_json(part, message_id),
    }
    if part.parts:
        tree["parts"] = [message_part(child, message_id) for child in part.parts]
    return tree


def _headers_to_json(part: Part, names: Collection[str] = ()) -> list[MessagePartHeader]:
    """Headers in the mail's order and case, encoded words decoded."""
    wanted = {name.lower() for name in names}
    return [{"name": one.name, "value": one.value} for one in part.headers if not wanted or one.name.lower() in wanted]


def _body_to_json(part: Part, message_id: str) -> MessagePartBody:
    data = part_data(part)
    if is_apart(part):
        return {"attachmentId": attachment_id(message_id, part.id), "size": len(data)}
    return {"size": len(data), "data": to_base64url(data)} if data else {"size": 0}


def is_apart(part: Part) -> bool:
    """Whether users.messages.attachments.get serves the part's bytes."""
    if part.mime_type.startswith("multipart/"):
        return False
    return bool(part.filename) or not part.mime_type.startswith("text/") or len(part.data) > LARGE_BODY


def part_data(part: Part) -> bytes:
    """The bytes the API gives: those of the file, or for text that is no file the same in UTF-8 (observed)."""
    return part.data if part.filename or not part.mime_type.startswith("text/") else part.text.encode()


def attachment_id(message_id: str, part_id: str) -> str:
    """Return an opaque, stable id that reveals nothing and fits no other mail."""
    return "ANGjdJ" + to_base64url(sha512(f"{message_id}/{part_id}".encode()).digest()).rstrip("=")


def attachment(root: Part, message_id: str, wanted: str) -> MessagePartBody | None:
    """The answer of users.messages.attachments.get: size and data, or None if this mail has no such attachment."""
    for part in root.walk():
        if is_apart(part) and attachment_id(message_id, part.id) == wanted:
            data = part_data(part)
            return {"size": len(data), "data": to_base64url(data)}
    return None


def snippet(text: str) -> str:
    """The first words of a text on one line, HTML-escaped as the vendor escapes them."""
    line = re.sub(r"\s+", " ", text[: 20 * SNIPPET]).strip()
    if len(line) > SNIPPET:
        cut = line[: SNIPPET + 1]
        line = cut.rpartition(" ")[0] if " " in cut[SNIPPET // 2 :] else cut[:SNIPPET]
    return escape(line).replace("&#x27;", "&#39;")
