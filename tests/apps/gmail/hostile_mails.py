"""Mails that no honest client writes, and the ways by which one may bring them."""

from collections.abc import Iterator

ME = "/gmail/v1/users/me"
WHOLE = (
    b'To: bo@tiny.example\r\nSubject: =?utf-8?b?SMOpbGxv?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="a"\r\n\r\n'
    b"--a\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nh\xc3\xa9llo\r\n"
    b"--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>h=C3=A9llo</p>\r\n--b--\r\n"
    b'--a\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\ninner\r\n--a\r\nContent-Type: application/pdf; name="x.pdf"\r\n'
    b"Content-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQK\r\n--a--\r\n"
)
TO = b"To: bo@tiny.example\r\n"
BROKEN = {
    "no blank line": TO + b"Subject: x",
    "bare LF": TO.replace(b"\r", b"") + b"Subject: x\n\nbody",
    "bare CR": TO.replace(b"\n", b"") + b"\rbody",
    "NUL": TO + b"Subject: a\x00b\r\n\r\na\x00b",
    "8-bit header": TO + b"Subject: caf\xe9 \xff\r\n\r\nx",
    "no colon": TO + b"nonsense\r\n\r\nx",
    "space before colon": TO + b"Subject : x\r\n\r\nx",
    "empty name": TO + b": x\r\n\r\nx",
    "continuation first": b" x\r\n" + TO + b"\r\nx",
    "half a word": TO + b"Subject: =?utf-8?b?SMOpbGx?=\r\n\r\nx",
    "no such charset": TO + b"Content-Type: text/plain; charset=nonsense\r\n\r\n\xe9",
    "zip charset": TO + b"Content-Type: text/plain; charset=zip\r\n\r\nx\x9c\x03",
    "rot13": TO + b"Content-Type: text/plain; charset=rot13\r\n\r\nx",
    "utf-16 lie": TO + b"Content-Type: text/plain; charset=utf-16\r\n\r\nodd",
    "utf-7": TO + b"Content-Type: text/html; charset=utf-7\r\n\r\n+ADw-script+AD4-",
    "unicode_escape": TO + b"Content-Type: text/plain; charset=unicode_escape\r\n\r\n\\ud800",
    "idna": TO + b"Subject: =?idna?q?a=2e?=\r\n\r\nx",
    "latin as utf-8": TO + b"Content-Type: text/plain; charset=utf-8\r\n\r\n\xe9\xe8\xff",
    "no boundary": TO + b"Content-Type: multipart/mixed\r\n\r\n--\r\n\r\nx",
    "wrong boundary": TO + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--y\r\n\r\nx\r\n--y--",
    "own boundary": WHOLE.replace(b"boundary=b", b'boundary="a"'),
    "bad base64": TO + b"Content-Transfer-Encoding: base64\r\n\r\n!!!=a=\xff",
    "bad quoted": TO + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=ZZ=",
    "uuencoded": TO + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 x\r\n#0V%T\r\nend",
    "no type": TO + b"Content-Type:\r\n\r\nx",
    "long header": TO + b"X-Long: " + b"a" * 200_000 + b"\r\n\r\nx",
    "long line": TO + b"\r\n" + b"a" * 200_000,
    "only headers": TO,
    "surrogate": TO + b"Subject: =?utf-8?b?7aCA?=\r\n\r\n\xed\xa0\x80",
    "bidi": TO + "Subject: \u202egpj.exe\u2066\r\n\r\nx".encode(),
    "dates": TO + b"Date: Mon, 99 Foo 99999 99:99:99 +9999\r\nDate: x\r\n\r\nx",
    "two froms": b"From: a@b.c\r\nFrom: eve@tiny.example\r\n" + TO + b"\r\nx",
    "negative date": TO + b"Date: Thu, 01 Jan 0001 00:00:00 -2359\r\n\r\nx",
    "id": TO + b"Message-ID: <\r\nReferences: " + b"<a@b> " * 5000 + b"\r\n\r\nx",
    "signed": TO + b"Content-Type: multipart/signed; boundary=s\r\n\r\n--s\r\n\r\nx",
    "external": TO + b'Content-Type: message/external-body; access-type=local-file; name="/etc/passwd"\r\n\r\n',
    **{f"cut at {part}/9": WHOLE[: len(WHOLE) * part // 9] for part in range(2, 9)},
}
WAYS = {
    "send": ("/messages/send", lambda raw: {"raw": raw}),
    "insert": ("/messages", lambda raw: {"raw": raw}),
    "import": ("/messages/import", lambda raw: {"raw": raw}),
    "draft": ("/drafts", lambda raw: {"message": {"raw": raw}}),
}


def bombs() -> Iterator[tuple[str, bytes]]:
    """Mails made to be endless, by name."""
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(300))
    yield "nested multiparts", TO + deep
    yield "wide", TO + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n\r\n" * 20_000
    yield "mails in mails", TO + b"Content-Type: message/rfc822\r\n\r\n" * 200
    yield "headers", TO + b"X: y\r\n" * 60_000 + b"\r\n"


BOMBS = dict(bombs())
