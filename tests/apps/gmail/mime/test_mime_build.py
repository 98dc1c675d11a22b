"""Mail as it is built: its bytes, replies, forwards, bounces; and what no header may carry."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from apps.gmail.mime.addresses import Address
from apps.gmail.mime.bounce import DAEMON, Failure, build_bounce
from apps.gmail.mime.build import File, Outgoing, build, without_bcc
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.reply import build_forward, build_reply, reply_recipients, reply_references

ADA, BOB, EVE = Address("Ada", "ada@example.com"), Address("Bob B.", "bob@example.com"), Address("", "eve@example.com")
AT = 1_767_603_780_000_000
MAIL = Outgoing(
    sender=ADA,
    at_us=AT,
    message_id="<1@x>",
    to=(BOB,),
    cc=(EVE,),
    bcc=(Address("", "boss@example.com"),),
    subject="Budget",
    text="Hi\n",
)
ANSWER = Outgoing(sender=BOB, at_us=AT, message_id="<2@x>", to=(ADA,), text="Yes.", zone=timezone(timedelta(hours=-8)))


def test_the_bytes_of_a_plain_mail() -> None:
    assert (
        build(MAIL).decode()
        == "MIME-Version: 1.0\r\nDate: Mon, 05 Jan 2026 09:03:00 +0000\r\nMessage-ID: <1@x>\r\nSubject: Budget\r\nFrom:"
        ' Ada <ada@example.com>\r\nTo: "Bob B." <bob@example.com>\r\nCc: eve@example.com\r\nBcc:'
        ' boss@example.com\r\nContent-Type: text/plain; charset="UTF-8"\r\n\r\nHi\r\n'
    )


def test_the_same_fields_give_the_same_bytes_and_other_content_other_boundaries() -> None:
    one, other = (replace(MAIL, html=f"<p>{word}</p>") for word in ("a", "b"))
    assert build(one) == build(one)
    assert build(one).split(b"boundary=")[1][:30] != build(other).split(b"boundary=")[1][:30]


def test_images_stand_with_the_html_and_files_beside_it() -> None:
    files = (File("a.pdf", "application/pdf", b"%PDF"), File("é.png", "image/png", b"\x89PNG", content_id="logo@x"))
    root = read_mail(build(replace(MAIL, html='<img src="cid:logo@x">', attachments=files))).root
    assert [(part.id, part.mime_type, part.filename) for part in root.walk()] == [
        ("", "multipart/mixed", ""),
        ("0", "multipart/alternative", ""),
        ("0.0", "text/plain", ""),
        ("0.1", "multipart/related", ""),
        ("0.1.0", "text/html", ""),
        ("0.1.1", "image/png", "é.png"),
        ("1", "application/pdf", "a.pdf"),
    ]
    assert (root.parts[1].data, root.parts[0].parts[1].parts[1].first("content-id")) == (b"%PDF", "<logo@x>")


def test_no_line_is_long_and_every_byte_is_ascii() -> None:
    people = tuple(Address(f"Zoë {n}", f"z{n}@example.com") for n in range(300))
    raw = build(
        replace(
            MAIL,
            to=people,
            subject="Überaus " * 200,
            text="x" * 5_000 + "é \n" * 9,
            references=tuple(f"<{n}@x>" for n in range(99)),
        )
    )
    assert raw.isascii() and max(map(len, raw.split(b"\r\n"))) <= 78
    assert (read_mail(raw).to, len(read_mail(raw).references)) == (people, 99)


@pytest.mark.parametrize(
    "change",
    [
        {"subject": "a\r\nBcc: evil@x"},
        {"subject": "a\nb"},
        {"subject": "a\rb"},
        {"subject": "a\0b"},
        {"subject": "\ud800"},
        {"message_id": "1@x"},
        {"message_id": "<1@x>\r\nA: b"},
        {"message_id": "<1@ x>"},
        {"message_id": ""},
        {"in_reply_to": "<a>\n"},
        {"references": ("<a>", "b")},
        {"sender": Address("", "ada")},
        {"sender": Address("", "a@b\r\nBcc: c@d")},
        {"to": (Address("", "a@b, c@d"),)},
        {"to": (Address("", "a@b>"),)},
        {"to": (Address("", ""),)},
        {"to": (Address("", "jürgen@x"),)},
        {"extra": (("X-A\r\nBcc", "b"),)},
        {"extra": (("X A", "b"),)},
        {"extra": (("", "b"),)},
        {"extra": (("X-A", "b\nBcc: c"),)},
        {"attachments": (File("a\r\nb", "text/plain", b""),)},
        {"attachments": (File("a", "text/plain\r\nX: y", b""),)},
        {"attachments": (File("a", "multipart/mixed", b""),)},
        {"attachments": (File("a", "textplain", b""),)},
        {"attachments": (File("a" * 256, "text/plain", b""),)},
        {"html": "", "attachments": (File("a", "image/png", b"", "b>\r\nX: y"),)},
    ],
    ids=repr,
)
def test_what_would_begin_another_header_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        build(replace(MAIL, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ['A "B" \\ C', "A, B", "=?utf-8?q?x?=", " A  B", "Bob\r\nBcc: evil@x", "\u202eevil", "a@b.c", "(x)"]
)
def test_names_are_carried_whatever_they_hold(name: str) -> None:
    mail = read_mail(build(replace(MAIL, sender=Address(name, "a@b"), bcc=())))
    assert mail.sender == Address(" ".join(name.replace("\r\n", "").split()), "a@b")
    assert mail.bcc == ()


def test_recipients_do_not_see_bcc() -> None:
    raw = build(replace(MAIL, bcc=tuple(Address("", f"boss{n}@example.com") for n in range(30)), text="Bcc: stays\n"))
    seen = without_bcc(raw)
    assert b"boss" not in seen and read_mail(seen).bcc == () and read_mail(seen).text == "Bcc: stays\n"
    assert [header.name for header in read_mail(seen).root.headers] == [
        header.name for header in read_mail(raw).root.headers if header.name != "Bcc"
    ]
    assert (
        without_bcc(seen) == seen
        and without_bcc(b"bcc: a@b\n c@d\nBCC: e@f") == b""
        and without_bcc(b"\nBcc: body") == b"\nBcc: body"
    )


def test_a_reply_quotes_and_refers() -> None:
    original = read_mail(
        build(replace(MAIL, references=("<0@x>",), text="Hi\n\n> old", html="<p>Hi<script>x</script></p>"))
    )
    mail = build_reply(original, replace(ANSWER, html="<p>Yes.</p>"))
    assert (mail.subject, mail.in_reply_to, mail.references) == ("Re: Budget", "<1@x>", ("<0@x>", "<1@x>"))
    assert mail.text == "Yes.\n\nOn Mon, Jan 5, 2026 at 1:03 AM Ada <ada@example.com> wrote:\n\n> Hi\n>\n>> old"
    assert mail.html is not None and "On Mon, Jan 5, 2026 at 1:03 AM Ada &lt;ada@example.com&gt; wrote:" in mail.html
    assert mail.html.endswith("<p>Hi</p></blockquote></div>")
    assert read_mail(build(mail)).answers == ("<0@x>", "<1@x>")


def test_a_chain_of_references_keeps_its_first_and_its_latest() -> None:
    chain = reply_references(read_mail(build(replace(MAIL, references=tuple(f"<r{n}@x>" for n in range(50))))))
    assert (len(chain), chain[0], chain[-1], chain[-2]) == (20, "<r0@x>", "<1@x>", "<r49@x>")
    assert reply_references(read_mail(b"In-Reply-To: <a@x>\n\n")) == ("<a@x>",)


@pytest.mark.parametrize(
    ("own", "everyone", "to", "cc"),
    [
        ("bob@example.com", False, (ADA,), ()),
        ("BOB@example.com", True, (ADA,), (EVE,)),
        ("ada@example.com", False, (BOB,), ()),
        ("ada@example.com", True, (BOB,), (EVE,)),
        ("boss@example.com", True, (ADA,), (BOB, EVE)),
    ],
)
def test_a_reply_goes_to_the_sender_or_to_everyone_else(
    own: str, everyone: bool, to: tuple[Address], cc: tuple[Address]
) -> None:
    assert reply_recipients(read_mail(build(MAIL)), [own], everyone=everyone) == (to, cc)


def test_a_reply_goes_where_it_is_asked_to() -> None:
    assert reply_recipients(read_mail(b"From: a@x\nReply-To: d@x\nTo: b@x, D@x\n\n"), ["b@x"], everyone=True) == (
        (Address("", "d@x"),),
        (),
    )


def test_a_forward_shows_the_original_and_takes_its_files_along() -> None:
    original = read_mail(build(replace(MAIL, attachments=(File("a.pdf", "application/pdf", b"%PDF"),))))
    mail = build_forward(original, ANSWER)
    assert (mail.subject, mail.in_reply_to, mail.attachments) == (
        "Fwd: Budget",
        "",
        (File("a.pdf", "application/pdf", b"%PDF"),),
    )
    assert (
        mail.text
        == "Yes.\n\n---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nDate: Mon, Jan 5, 2026 at 1:03"
        " AM\nSubject: Budget\nTo: Bob B. <bob@example.com>\nCc: eve@example.com\n\n\nHi\n"
    )
    attached = build_forward(read_mail(build(mail)), ANSWER)
    assert attached.subject == "Fwd: Budget" and attached.text.count("Forwarded message") == 2


def test_an_attached_mail_is_forwarded_byte_for_byte() -> None:
    inner = b"Subject: caf\xe9\n\nbody\r\n"
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\n" + inner + b"\n--b--\n"
    assert read_mail(build(build_forward(read_mail(raw), ANSWER))).root.parts[1].data == inner


@pytest.mark.parametrize(
    "raw",
    [build(MAIL), "Subject: Grüße\r\nMessage-ID: broken\r\n\r\nbödy\r\n".encode("cp1252")],
    ids=["built", "foreign"],
)
def test_a_bounce_is_a_report_for_people_and_machines(raw: bytes) -> None:
    report = read_mail(
        build_bounce(raw, read_mail(raw), ADA, Failure("gone@example.com"), at_us=AT, message_id="<b@x>")
    )
    assert (report.subject, report.sender, report.to) == ("Delivery Status Notification (Failure)", DAEMON, (ADA,))
    assert report.automatic and report.root.first("x-failed-recipients") == "gone@example.com"
    assert "report-type=delivery-status" in report.root.first("content-type")
    assert "** Address not found **" in report.text and "550 5.1.1" in report.text
    status, whole = report.root.parts[1:]
    blocks = status.text.replace("\r\n", "\n").split("\n\n")
    assert (status.mime_type, blocks[0].splitlines()[0]) == (
        "message/delivery-status",
        "Reporting-MTA: dns; googlemail.com",
    )
    assert blocks[1].splitlines()[:3] == [
        "Final-Recipient: rfc822; gone@example.com",
        "Action: failed",
        "Status: 5.1.1",
    ]
    assert (whole.mime_type, whole.data) == ("message/rfc822", raw)
    assert report.in_reply_to == read_mail(raw).message_id


def test_late_mail_is_told_as_late() -> None:
    failure = Failure("slow@example.com", "4.4.1", "451 4.4.1 try again", "delayed")
    report = read_mail(build_bounce(build(MAIL), read_mail(build(MAIL)), ADA, failure, at_us=AT, message_id="<b@x>"))
    assert report.subject == "Delivery Status Notification (Delay)" and b"Action: delayed" in report.root.parts[1].data
    with pytest.raises(ValueError):
        build_bounce(
            b"", read_mail(b""), ADA, replace(failure, diagnostic="a\r\nAction: failed"), at_us=AT, message_id="<b@x>"
        )
