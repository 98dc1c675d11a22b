"""Mail from outside: built from fields or raw, and the recipients that this company's servers accept."""

from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Annotated, NamedTuple

import orjson
from pydantic import Field

from apps.gmail import bounces, outgoing
from apps.gmail.address_routes import Route, route_addresses
from apps.gmail.mime.addresses import Address, parse_addresses
from apps.gmail.mime.base64url import from_base64url
from apps.gmail.mime.build import File, Outgoing, build
from apps.gmail.params import Word
from world.core.call import Call
from world.core.clock import SECOND
from world.core.errors import OperationError
from world.core.params import Int64, Params, Text

MOST_RECEIVED = (
    26_214_400  # bytes of a mail from outside; support.google.com/a/answer/1366776 (plus what encoding adds, left out)
)
_ANSWERED = "SELECT message_id, answers FROM gmail_mail WHERE message_id = :id ORDER BY id LIMIT 1"
People = Annotated[list[Word], Field(max_length=outgoing.MOST_RECIPIENTS)]
Body = Annotated[Text, Field(max_length=2_000_000)]


class ExternalFile(Params):
    """A file of a mail."""

    filename: Annotated[Text, Field(max_length=255)] = Field(default="", description="Its name.")
    mimeType: Word = Field(default="application/octet-stream", description="Its type.")
    data: str = Field(default="", max_length=2 * MOST_RECEIVED, description="Its bytes in base64.")


class ExternalMail(Params):
    """A mail that comes from outside: as fields, or whole as `raw`."""

    from_: Word = Field(
        default="", alias="from", description="Who writes: `zoe@acme.example` or `Zoe Quist <zoe@acme.example>`."
    )
    to: People = Field(
        default_factory=list, description="Recipients; with `raw`, those it is for if not all of its headers."
    )
    cc: People = Field(default_factory=list, description="Recipients of a copy.")
    bcc: People = Field(default_factory=list, description="Recipients that no header names.")
    subject: Word = Field(default="", description="The subject.")
    text: Body = Field(default="", description="The text.")
    html: Body = Field(default="", description="The same as HTML.")
    attachments: Annotated[list[ExternalFile], Field(max_length=100)] = Field(
        default_factory=list, description="Files."
    )
    inReplyTo: Word = Field(default="", description="Message-ID of the mail it answers, in angle brackets.")
    headers: dict[str, Word] = Field(
        default_factory=dict, description="More header lines: List-Unsubscribe, Auto-Submitted …"
    )
    date: Int64 | None = Field(
        default=None, ge=0, le=253_402_300_799, description="When it was written, epoch seconds; now unless given."
    )
    raw: Text = Field(default="", description="The whole mail (RFC 822), base64url, instead of the fields.")


class Receipt(NamedTuple):
    """Outcome of a mail from outside."""

    message_id: str
    accepted: list[str]
    refused: dict[str, str]  # address -> what the server said


def receive_mail(call: Call, given: ExternalMail) -> Receipt:
    """Deliver a mail to the recipients that accept it; the others are refused at once with the reason.

    Raises invalid_raw, malformed_mail, too_large, recipient_required, invalid_from_header, invalid_to_header,
    invalid_attachment.
    """
    raw = _decode_given(given.raw) if given.raw else _build_given(call, given)
    mail = outgoing.read_sized_mail(raw, MOST_RECEIVED)
    named = [one.email for one in _parse_people("to", [*given.to, *given.cc, *given.bcc])] or [
        one.email for one in (*mail.to, *mail.cc, *mail.bcc)
    ]
    if not named:
        raise OperationError("recipient_required")
    accepted, refused = _sort_addresses(call, named)
    if accepted:
        id = outgoing.store_mail(call, raw, mail, None, call.now)
        call.later(outgoing.HAND_OVER, call.now, mail=id, to=list(accepted))
    return Receipt(mail.message_id, accepted, refused)


def _sort_addresses(call: Call, named: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Split addresses into accepted ones, and refused ones with the reason."""
    accepted: list[str] = []
    refused: dict[str, str] = {}
    for address in dict.fromkeys(one.lower() for one in named):
        way: Route = route_addresses(call, [address], from_outside=True)
        if way.dead:
            refused[address] = bounces.bounce_reason(way.dead.get(address, "unknown_user"), address)
        elif address in way.outside:
            refused[address] = "550 5.7.1 Relaying denied."
        else:
            accepted.append(address)
    return accepted, refused


def _decode_given(raw: str) -> bytes:
    try:
        return from_base64url(raw)
    except ValueError:
        raise OperationError("invalid_raw") from None


def _build_given(call: Call, given: ExternalMail) -> bytes:
    sender = _parse_people("from", [given.from_] if given.from_ else [])
    if not sender:
        raise OperationError("invalid_from_header")
    answered, references = _find_answered(call, given.inReplyTo)
    mail = Outgoing(
        sender=sender[0],
        at_us=given.date * SECOND if given.date is not None else call.now,
        message_id=outgoing.new_message_id(call, sender[0].email.rpartition("@")[2]),
        to=_parse_people("to", given.to),
        cc=_parse_people("cc", given.cc),
        subject=given.subject,
        text=given.text,
        html=given.html or None,
        attachments=_decode_files(given.attachments),
        in_reply_to=answered,
        references=references,
        extra=tuple(sorted(given.headers.items())),
    )
    try:
        return build(mail)
    except ValueError:
        raise OperationError("malformed_mail") from None


def _find_answered(call: Call, message_id: str) -> tuple[str, tuple[str, ...]]:
    """Return In-Reply-To and References of an answer; a mail unknown here is named alone."""
    if not message_id:
        return "", ()
    found = call.first(_ANSWERED, {"id": message_id})
    earlier: list[str] = orjson.loads(found[1]) if found else []
    return message_id, tuple(dict.fromkeys([*earlier[-20:], message_id]))


def _parse_people(header: str, listed: Iterable[str]) -> tuple[Address, ...]:
    found = [(text, parse_addresses(text)) for text in listed]
    if any(not people for _, people in found):
        raise OperationError(f"invalid_{header}_header")
    return tuple(one for _, people in found for one in people)


def _decode_files(listed: Iterable[ExternalFile]) -> tuple[File, ...]:
    try:
        return tuple(File(one.filename, one.mimeType, b64decode(one.data, validate=True)) for one in listed)
    except ValueError:
        raise OperationError("invalid_attachment") from None


def receipt_to_json(taken: Receipt) -> Mapping[str, object]:
    """Render the response of `mail.receive`."""
    refused = [{"address": address, "said": said} for address, said in taken.refused.items()]
    return {"messageId": taken.message_id, "accepted": taken.accepted, "refused": refused}
