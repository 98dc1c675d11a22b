"""What answers say of a mail: its headers, its text, its files."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from apps.gmail.mime.base64url import from_base64url
from apps.gmail.mime.html import to_text
from mcp_servers.tools import Look

Message = Mapping[str, Any]
Part = Mapping[str, Any]
BRIEF = ["Subject", "From", "To", "Date"]


def header(message: Message, name: str) -> str:
    """A header's value, or nothing."""
    listed = message.get("payload", {}).get("headers", ())
    return next((str(one["value"]) for one in listed if one["name"].lower() == name.lower()), "")


def headers(look: Look, ids: Iterable[str], names: Iterable[str] = BRIEF) -> list[Message]:
    """Messages with a few headers each."""
    return [look("users.messages.get", id=id, format="metadata", metadataHeaders=list(names)) for id in ids]


def parts(part: Part) -> Iterator[Part]:
    """A part and all below it."""
    yield part
    for inner in part.get("parts", ()):
        yield from parts(inner)


def decoded(part: Part) -> str:
    """The text of a part."""
    return from_base64url(part["body"]["data"]).decode("utf-8", "replace") if part.get("body", {}).get("data") else ""


def texts(message: Message, kind: str) -> str:
    """The bodies of one type, without files."""
    found = (one for one in parts(message["payload"]) if one["mimeType"] == kind and not one.get("filename"))
    return "\n".join(text for one in found if (text := decoded(one)))


def body(message: Message, form: str = "text") -> str:
    """What a mail says: its plain text, else its HTML as text; as HTML or with its source if asked for."""
    plain, html = texts(message, "text/plain"), texts(message, "text/html")
    if form == "html":
        return html or plain
    return (plain or to_text(html)).strip()


def files(message: Message) -> list[Part]:
    """The parts that are files."""
    return [one for one in parts(message["payload"]) if one.get("filename") and one["body"].get("attachmentId")]
