"""Replies and forwards: subject, recipients, references and the quotation, in the vendor's form."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import tzinfo
from html import escape

from apps.gmail.mime.addresses import Address
from apps.gmail.mime.build import File, Outgoing
from apps.gmail.mime.date import format_quoted_date
from apps.gmail.mime.headers import Mail
from apps.gmail.mime.html import from_text, sanitise_html
from apps.gmail.mime.subject import forward_subject, reply_subject

# ids that are carried on: the first and the latest, which RFC 5322 section 3.6.4 and RFC 5537 section 3.4.4 advise
_MAX_REFERENCES = 20


def build_reply(original: Mail, mail: Outgoing) -> Outgoing:
    """`mail` as a reply: its own text above the quotation; its subject, if empty, is the original's."""
    text, html = _quote_original(original, mail.zone)
    return replace(
        mail,
        subject=mail.subject or reply_subject(original.subject),
        in_reply_to=original.message_id,
        references=reply_references(original),
        text=f"{mail.text}\n\n{text}",
        html=None if mail.html is None else f"{mail.html}<br><br>\n{html}",
    )


def reply_references(original: Mail) -> tuple[str, ...]:
    """The References of a reply: those of the original, then the original (RFC 5322 section 3.6.4)."""
    own = (original.message_id,) if original.message_id else ()
    chain = tuple(dict.fromkeys((*(one for one in original.answers if one not in own), *own)))
    return chain if len(chain) <= _MAX_REFERENCES else (chain[0], *chain[1 - _MAX_REFERENCES :])


def reply_recipients(
    original: Mail, own: Collection[str], *, everyone: bool
) -> tuple[tuple[Address, ...], tuple[Address, ...]]:
    """Return (To, Cc) of a reply by the owner of the addresses `own`; a reply to own mail repeats its recipients."""
    mine = {email.lower() for email in own}
    senders = original.reply_to or ((original.sender,) if original.sender else ())
    again = original.sender is not None and original.sender.email.lower() in mine
    to = _distinct_people(original.to if again else senders, set())
    others = original.cc if again else (*original.to, *original.cc)
    return to, _distinct_people(others, mine | {one.email.lower() for one in to}) if everyone else ()


def _distinct_people(people: Iterable[Address], but: set[str]) -> tuple[Address, ...]:
    """People in order, each address once, without some."""
    firsts: dict[str, Address] = {}
    for one in people:
        firsts.setdefault(one.email.lower(), one)
    return tuple(one for email, one in firsts.items() if email not in but)


def _quote_original(original: Mail, zone: tzinfo) -> tuple[str, str]:
    who = original.sender or Address("", "unknown")
    when = f"On {format_quoted_date(original.date_us, zone)} " if original.date_us is not None else ""
    named = f"{who.name} <{who.email}>" if who.name else f"<{who.email}>"
    lines = [f">{line}" if line.startswith(">") else f"> {line}".rstrip() for line in original.text.split("\n")]
    inside = sanitise_html(original.html) if original.html is not None else from_text(original.text)
    html = (
        '<div class="gmail_quote"><div dir="ltr"'
        f' class="gmail_attr">{escape(f"{when}{named} wrote:")}<br></div><blockquote class="gmail_quote"'
        ' style="margin:0px 0px 0px 0.8ex;border-left:1px solid'
        f' rgb(204,204,204);padding-left:1ex">{inside}</blockquote></div>'
    )
    return f"{when}{named} wrote:\n\n" + "\n".join(lines), html


def build_forward(original: Mail, mail: Outgoing) -> Outgoing:
    """`mail` as a forward: its own text above the original, whose files go along."""
    lines = _forward_heading(original, mail.zone)
    inside = sanitise_html(original.html) if original.html is not None else from_text(original.text)
    html = f'<div class="gmail_quote">{from_text(chr(10).join(lines))}<br><br><br>\n{inside}</div>'
    return replace(
        mail,
        subject=mail.subject or forward_subject(original.subject),
        references=reply_references(original),
        text=f"{mail.text}\n\n" + "\n".join(lines) + f"\n\n\n{original.text}",
        html=None if mail.html is None else f"{mail.html}<br><br>\n{html}",
        attachments=(*mail.attachments, *list_files(original)),
    )


def _forward_heading(original: Mail, zone: tzinfo) -> list[str]:
    fields = [
        ("From", str(original.sender or "")),
        ("Date", format_quoted_date(original.date_us, zone) if original.date_us is not None else ""),
        ("Subject", original.subject),
        ("To", ", ".join(map(str, original.to))),
        ("Cc", ", ".join(map(str, original.cc))),
    ]
    return [
        "---------- Forwarded message ---------",
        *(f"{name}: {value}" for name, value in fields if value or name == "Subject"),
    ]


def list_files(original: Mail) -> tuple[File, ...]:
    """Return the attachments of a mail, to attach them again."""
    parts = {part.id: part for part in original.root.walk()}
    return tuple(
        File(one.filename, one.mime_type, parts[one.part_id].data, one.content_id) for one in original.attachments
    )
