"""Fields of a mail that answers show: headers, text, attachments."""

from collections.abc import Iterable, Iterator

from apps.gmail.mime.base64url import from_base64url
from apps.gmail.mime.html import to_text
from mcp_servers.tools import Look
from world.core.json_types import JsonMapping

Message = JsonMapping
Part = JsonMapping
BRIEF = ["Subject", "From", "To", "Date"]


def find_header(message: Message, name: str) -> str:
    """A header's value, or nothing."""
    listed = message.get("payload", {}).get("headers", ())
    return next((str(one["value"]) for one in listed if one["name"].lower() == name.lower()), "")


def read_headers(look: Look, ids: Iterable[str], names: Iterable[str] = BRIEF) -> list[Message]:
    """Messages with a few headers each."""
    return [look("users.messages.get", id=id, format="metadata", metadataHeaders=list(names)) for id in ids]


def iter_parts(part: Part) -> Iterator[Part]:
    """A part and all below it."""
    yield part
    for inner in part.get("parts", ()):
        yield from iter_parts(inner)


def decode_part(part: Part) -> str:
    """The text of a part."""
    return from_base64url(part["body"]["data"]).decode("utf-8", "replace") if part.get("body", {}).get("data") else ""


def join_texts(message: Message, kind: str) -> str:
    """The bodies of one type, without files."""
    found = (one for one in iter_parts(message["payload"]) if one["mimeType"] == kind and not one.get("filename"))
    return "\n".join(text for one in found if (text := decode_part(one)))


def mail_text(message: Message, form: str = "text") -> str:
    """Return the text of a mail: its plain text, else its HTML as text; its HTML if `form` is `html`."""
    plain, html = join_texts(message, "text/plain"), join_texts(message, "text/html")
    if form == "html":
        return html or plain
    return (plain or to_text(html)).strip()


def list_files(message: Message) -> list[Part]:
    """The parts that are files."""
    return [one for one in iter_parts(message["payload"]) if one.get("filename") and one["body"].get("attachmentId")]
