"""Mail in the shapes of users.messages.get, from golden bytes."""

import json
from base64 import b64encode, urlsafe_b64encode

import pytest

from apps.gmail.mime.base64url import from_base64url
from apps.gmail.mime.headers import read_mail
from apps.gmail.mime.payload import (
    LARGE_BODY,
    MessageContent,
    MessagePart,
    attachment,
    attachment_id,
    message_content,
    snippet,
)

ID = "18c2f3a4b5d6e7f8"
MIXED = b"""\
Received: by 10.0.0.1 with SMTP id x1;\r
        Mon, 5 Jan 2026 01:03:00 -0800 (PST)\r
received: from a\r
\tby b\r
MIME-Version: 1.0\r
Subject: =?UTF-8?Q?Caf=C3=A9_?= =?UTF-8?Q?menu?=\r
FROM: =?iso-8859-1?Q?Zo=EB?= <zoe@example.com>\r
To: ada@example.com\r
Content-Type: multipart/mixed; boundary="outer"\r
\r
preamble\r
--outer\r
Content-Type: multipart/alternative; boundary="inner"\r
\r
--inner\r
Content-Type: text/plain; charset="iso-8859-1"\r
Content-Transfer-Encoding: quoted-printable\r
\r
Caf=E9 &  <menu>\r
\r
--inner\r
Content-Type: text/html; charset="UTF-8"\r
\r
<p>Caf\xc3\xa9</p>\r
--inner--\r
--outer\r
Content-Type: image/png; name="dot.png"\r
Content-Disposition: attachment; filename="dot.png"\r
Content-Transfer-Encoding: base64\r
\r
iVBORw0K\r
--outer\r
Content-Type: message/rfc822\r
\r
Subject: inside\r
\r
hello\r
--outer--\r
"""


def content(shape: str, raw: bytes = MIXED, headers: tuple[str, ...] = ()) -> MessageContent:
    return message_content(raw, read_mail(raw), ID, shape, headers)  # type: ignore[arg-type]


def payload(raw: bytes = MIXED, shape: str = "full", headers: tuple[str, ...] = ()) -> MessagePart:
    return content(shape, raw, headers)["payload"]  # type: ignore[typeddict-item]


def test_the_tree_has_ids_types_names_and_sizes() -> None:
    def outline(part: MessagePart) -> list[tuple[str, str, str, int]]:
        here = (part["partId"], part["mimeType"], part["filename"], part["body"]["size"])
        return [here, *(line for child in part.get("parts", []) for line in outline(child))]

    assert outline(payload()) == [
        ("", "multipart/mixed", "", 0),
        ("0", "multipart/alternative", "", 0),
        ("0.0", "text/plain", "", 17),
        ("0.1", "text/html", "", 12),
        ("1", "image/png", "dot.png", 6),
        ("2", "message/rfc822", "", 24),
        ("2.0", "text/plain", "", 5),
    ]


def test_headers_keep_order_case_and_repetition_and_are_decoded_on_one_line() -> None:
    assert payload()["headers"] == [
        {"name": "Received", "value": "by 10.0.0.1 with SMTP id x1;        Mon, 5 Jan 2026 01:03:00 -0800 (PST)"},
        {"name": "received", "value": "from a\tby b"},
        {"name": "MIME-Version", "value": "1.0"},
        {"name": "Subject", "value": "Café menu"},
        {"name": "FROM", "value": "Zoë <zoe@example.com>"},
        {"name": "To", "value": "ada@example.com"},
        {"name": "Content-Type", "value": 'multipart/mixed; boundary="outer"'},
    ]


def test_text_comes_as_utf8_and_keeps_its_line_ends() -> None:
    plain, html = payload()["parts"][0]["parts"]
    assert from_base64url(plain["body"]["data"]).decode() == "Café &  <menu>\r\n"
    assert from_base64url(html["body"]["data"]).decode() == "<p>Café</p>"
    assert plain["body"]["size"] == len("Café &  <menu>\r\n".encode())


def test_files_and_other_types_come_apart_by_an_opaque_id() -> None:
    image = payload()["parts"][1]["body"]
    assert image == {"attachmentId": attachment_id(ID, "1"), "size": 6}
    assert attachment(read_mail(MIXED).root, ID, image["attachmentId"]) == {"size": 6, "data": "iVBORw0K"}
    assert attachment_id(ID, "1") != attachment_id(ID, "2")
    assert attachment(read_mail(MIXED).root, "18c2f3a4b5d6e7f9", image["attachmentId"]) is None
    assert attachment(read_mail(MIXED).root, ID, attachment_id(ID, "0.0")) is None
    assert set(image["attachmentId"]) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_an_attached_mail_is_given_byte_for_byte_and_as_a_part() -> None:
    part = payload()["parts"][2]
    given = attachment(read_mail(MIXED).root, ID, part["body"]["attachmentId"])
    assert given is not None and from_base64url(given["data"]) == b"Subject: inside\r\n\r\nhello"
    assert part["parts"][0]["headers"] == [{"name": "Subject", "value": "inside"}]


def test_a_large_body_comes_apart() -> None:
    raw = b"Content-Type: text/plain\r\n\r\n" + b"x" * (LARGE_BODY + 1)
    assert payload(raw)["body"] == {"attachmentId": attachment_id(ID, ""), "size": LARGE_BODY + 1}
    assert "data" in payload(raw[:-1])["body"]


def test_metadata_has_headers_only_and_those_asked_for() -> None:
    assert payload(shape="metadata").keys() == {"mimeType", "headers"}
    assert payload(shape="metadata")["headers"] == payload()["headers"]
    assert [one["name"] for one in payload(MIXED, "metadata", ("subject", "RECEIVED", "Date"))["headers"]] == [
        "Received",
        "received",
        "Subject",
    ]


def test_minimal_and_raw_have_no_payload_and_raw_is_the_mail() -> None:
    assert content("minimal") == {"snippet": "Café &amp; &lt;menu&gt;", "sizeEstimate": len(MIXED)}
    assert content("raw").keys() == {"snippet", "sizeEstimate", "raw"}
    assert from_base64url(content("raw")["raw"]) == MIXED


def test_an_empty_mail_has_an_empty_body() -> None:
    assert payload(b"") == {"partId": "", "mimeType": "text/plain", "filename": "", "headers": [], "body": {"size": 0}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  a \n\n b\tc ", "a b c"),
        ("""<&>"'""", "&lt;&amp;&gt;&quot;&#39;"),
        ("word " * 60, ("word " * 40).strip()),
        ("x" * 300, "x" * 200),
        ("", ""),
    ],
)
def test_the_snippet_is_one_short_escaped_line(text: str, line: str) -> None:
    assert snippet(text) == line


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="a b.txt"', "a b.txt"),
        ("attachment; filename=plain.txt", "plain.txt"),
        ('attachment; FILENAME="q\\"uote;semi.txt"', 'q"uote;semi.txt'),
        ("attachment; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt", "naïve €.txt"),
        ("attachment; filename*1*=%C3%AF.txt; filename*0*=iso-8859-15''%A4; filename=worse.txt", "€Ã¯.txt"),
        ('attachment; filename*0="long"; filename*1=".txt"', "long.txt"),
        ('attachment; filename="=?UTF-8?B?w6kudHh0?="', "é.txt"),
        ("attachment; filename*=x; filename*0=y", "x"),
        ("attachment; filename*0*99999999999999999999=x; filename=b", "b"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="C:\\\\dir\\\\a.txt"', "a.txt"),
        ('attachment; filename="a\x00\x1b.txt"', "a.txt"),
        ('attachment; filename="open', "open"),
        ("attachment; filename=", ""),
    ],
)
def test_file_names_are_read_in_every_notation(header: str, name: str) -> None:
    raw = f"Content-Type: application/x-thing\r\nContent-Disposition: {header}\r\n\r\nx".encode()
    assert payload(raw)["filename"] == name


@pytest.mark.parametrize("encoding", ["base64", "BASE64 ", "base64; odd"])
def test_transfer_encodings_are_read_as_people_write_them(encoding: str) -> None:
    raw = (
        b"Content-Type: text/plain\r\nContent-Transfer-Encoding: "
        + encoding.encode()
        + b"\r\n\r\n"
        + b64encode(b"hello there")
    )
    assert payload(raw)["body"] == {"size": 11, "data": urlsafe_b64encode(b"hello there").decode()}


def test_the_payload_is_json() -> None:
    assert json.loads(json.dumps(payload(b"Subject: \xff\xfe=?utf-8?b?//8=?=\r\nX: \x00\r\n\r\n\xff"))) is not None
