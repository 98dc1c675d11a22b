"""Built mail is read as it was meant; any bytes at all are read or refused."""

import json
from datetime import timedelta, timezone

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.gmail.mime.addresses import Address, format_address, parse_addresses
from apps.gmail.mime.build import File, Outgoing, build, without_bcc
from apps.gmail.mime.date import parse_date
from apps.gmail.mime.header_words import (
    decode_words,
    encode_header,
    fold_header,
    format_parameter,
    parse_parameters,
    unfold,
)
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.parse import MalformedMail
from apps.gmail.mime.payload import message_content
from apps.gmail.mime.reply import build_forward, build_reply
from tests.examples import examples

SETTINGS = settings(
    max_examples=examples(150),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
ONE_LINE = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=120)
NAMES = ONE_LINE.map(lambda text: " ".join(text.split()))
PEOPLE = st.builds(Address, NAMES, st.from_regex(r"[a-z0-9.+_'!-]{1,20}@[a-z0-9]{1,9}(\.[a-z]{2,5})?", fullmatch=True))
IDS = st.from_regex(r"<[!-;=?-~]{1,40}@[a-z.]{1,20}>", fullmatch=True)
TEXT = st.text(
    st.one_of(st.sampled_from("ab =.\n\t-Fromé漢>"), st.characters(blacklist_categories=["Cs", "Cc"])), max_size=200
)
FILES = st.builds(
    File,
    ONE_LINE.filter(
        lambda name: "/" not in name and "\\" not in name and name.isprintable() and name == name.strip()
    ).map(lambda name: name or "f"),
    st.sampled_from(["application/pdf", "text/plain", "image/png", "message/rfc822"]),
    st.binary(max_size=100),
    st.sampled_from(["", "logo@x"]),
)
MAILS = st.builds(
    Outgoing,
    sender=PEOPLE,
    at_us=st.integers(0, 4_000_000_000).map(lambda second: second * 1_000_000),
    message_id=IDS,
    to=st.lists(PEOPLE, max_size=4).map(tuple),
    cc=st.lists(PEOPLE, max_size=2).map(tuple),
    bcc=st.lists(PEOPLE, max_size=2).map(tuple),
    subject=ONE_LINE,
    text=TEXT,
    html=st.none() | TEXT,
    attachments=st.lists(FILES, max_size=2).map(tuple),
    in_reply_to=st.just("") | IDS,
    references=st.lists(IDS, max_size=3, unique=True).map(tuple),
    zone=st.integers(-720, 840).map(lambda m: timezone(timedelta(minutes=m))),
)


@SETTINGS
@given(MAILS)
def test_what_is_built_is_read_again(mail: Outgoing) -> None:
    found = read_mail(build(mail))
    assert (found.sender, found.to, found.cc, found.bcc) == (mail.sender, mail.to, mail.cc, mail.bcc)
    assert (found.message_id, found.in_reply_to, found.references) == (
        mail.message_id,
        mail.in_reply_to,
        mail.references,
    )
    assert (found.subject, found.date_us) == (mail.subject.strip(), mail.at_us)
    assert (found.text, found.html) == (mail.text, mail.html)
    data = {(part.filename, part.mime_type, part.data) for part in found.root.walk()}
    assert all((file.filename, file.mime_type, file.data) in data for file in mail.attachments)
    assert read_mail(without_bcc(build(mail))).bcc == () and build(mail).isascii()


@settings(SETTINGS, max_examples=examples(60))
@given(MAILS, MAILS)
def test_replies_and_forwards_of_any_mail_can_be_built(original: Outgoing, mail: Outgoing) -> None:
    for answer in (build_reply, build_forward):
        found = read_mail(build(answer(read_mail(build(original)), mail)))
        assert original.message_id in found.answers


def survives(raw: bytes) -> None:
    """Whether a mail is read and shown in every format, or refused as malformed."""
    try:
        mail = read_mail(raw)
    except MalformedMail:
        return
    for shape in ("full", "metadata", "minimal", "raw"):
        json.dumps(message_content(raw, mail, "18c2f3a4b5d6e7f8", shape)).encode()
    for text in (mail.subject, mail.text, mail.html or "", *map(str, (*mail.to, *mail.attachments, *mail.references))):
        assert "\x00" not in text and text.encode() is not None
    assert read_mail(without_bcc(raw)).bcc == ()
    build(build_reply(mail, Outgoing(sender=Address("", "a@x"), at_us=0, message_id="<n@x>", html="")))


@SETTINGS
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    survives(raw)


PIECES = st.sampled_from(
    [
        b"\r\n",
        b"\n",
        b"\r",
        b"\n\n",
        b" ",
        b"\t",
        b";",
        b'"',
        b"=",
        b"*",
        b"\x00",
        b"\xff",
        b"\x0b",
        b"\xc3\xa9",
        b"Subject: ",
        b"From: ",
        b"To: ",
        b"Date: ",
        b"References: ",
        b"Message-ID: ",
        b"Content-Type: ",
        b"multipart/mixed",
        b"multipart/digest",
        b"multipart/alternative",
        b"message/rfc822",
        b"message/delivery-status",
        b"message/external-body",
        b"text/html",
        b"text/plain",
        b"; boundary=b",
        b"--b",
        b"--b--",
        b"; charset=",
        b"utf-16",
        b"unicode_escape",
        b"Content-Transfer-Encoding: ",
        b"base64",
        b"quoted-printable",
        b"x-uuencode",
        b"begin 644 a\n",
        b"=?utf-8?b?",
        b"=?utf-7?q?+2AA-",
        b"?=",
        b"w6k=",
        b"Content-Disposition: attachment",
        b"; filename*0*=",
        b"; filename*=x'y'%",
        b"; filename=",
        b"<a@x>",
        b"(",
        b"<",
        b",",
        b"Mon, 5 Jan 2026 99:03:00 +9999",
        b"<p>x",
    ]
)


@settings(SETTINGS, max_examples=examples(500))
@given(st.lists(PIECES, max_size=25).map(b"".join))
def test_any_pieces_of_mail_are_read_or_refused(raw: bytes) -> None:
    survives(raw)


@SETTINGS
@given(MAILS, st.integers(0, 5_000), st.binary(max_size=4))
def test_mail_that_is_cut_off_or_damaged_is_read_or_refused(mail: Outgoing, at: int, damage: bytes) -> None:
    raw = build(mail)
    at = at % len(raw)
    survives(raw[:at])
    survives(raw[:at] + damage + raw[at + len(damage) :])


@SETTINGS
@given(ONE_LINE)
def test_header_text_survives_encoding_and_folding(text: str) -> None:
    assert decode_words(unfold(fold_header("Subject", encode_header(text)))) == text
    assert parse_parameters("a/b" + unfold(fold_header("Content-Type", format_parameter("name", text)))) == (
        "a/b",
        {"name": text},
    )


@SETTINGS
@given(st.lists(PEOPLE, max_size=5))
def test_address_lists_survive(people: list[Address]) -> None:
    assert parse_addresses(", ".join(map(format_address, people))) == people


@SETTINGS
@given(st.text("0123456789 JanFeb:+-,MonGMT", max_size=40))
def test_any_date_is_read_or_none(value: str) -> None:
    assert isinstance(parse_date(value), int | None)
