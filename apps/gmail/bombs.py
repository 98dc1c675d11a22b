"""Inputs made to cost at the mail service's parsers: searches, MIME, headers, HTML, batches."""

import base64
from collections.abc import Mapping

from world.bench.attacker import Attacker
from world.bench.bombs import Bomb, repeat

HEAD = b"From: me\r\nTo: nobody@partner.example\r\nSubject: x\r\n"


def _seek(query: str) -> Bomb:
    return lambda at: at.call("users.messages.list", q=query, maxResults=500)


def _letter(raw: bytes) -> Bomb:
    """Send a letter as bytes, then read it back in every format."""

    def send(at: Attacker) -> None:
        insert = at.call("users.messages.insert", raw=base64.urlsafe_b64encode(raw).decode(), labelIds=["INBOX"])
        at.call("users.messages.send", raw=base64.urlsafe_b64encode(raw).decode())
        if insert.status == 200:
            key = insert.text.partition('"id": "')[2].partition('"')[0]
            for form in ("full", "metadata", "raw"):
                at.call("users.messages.get", id=key, format=form)
            at.tool("mail_conversation", {"id": key})
            at.page(f"/mail/inbox/{key}")

    return send


def _html(text: str) -> Bomb:
    return _letter(HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n" + text.encode())


def _nest(depth: int) -> bytes:
    heads = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(depth))
    return HEAD + heads + b"\r\nx\r\n" + b"".join(b"--b%d--\r\n" % n for n in reversed(range(depth)))


def _repeat_part(part: bytes, times: int) -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * times + b"--b--\r\n"


def _batch(parts: int) -> Bomb:
    one = b"--b\r\nContent-Type: application/http\r\n\r\nGET /gmail/v1/users/me/messages?maxResults=500\r\n\r\n"
    return lambda at: at.send("POST", "/batch/gmail/v1", one * parts + b"--b--\r\n", "multipart/mixed; boundary=b")


bombs: Mapping[str, Bomb] = {
    "a search of alternatives": _seek(repeat("w{} OR ", 900) + "x"),
    "a search of brackets": _seek("(" * 450 + "a" + ")" * 450),
    "a search of groups": _seek("{a b} " * 150),
    "a search of nearness": _seek("a AROUND 3 b " * 70),
    "a search of files": _seek(repeat("filename:f{} ", 900)),
    "a search of exclusions": _seek(repeat("-w{} ", 900)),
    "a search of a megabyte": lambda at: at.tool("users_messages_list", {"q": repeat("w{} ", 1_000_000)}),
    "MIME of 500 levels": _letter(_nest(500)),
    "MIME of 20,000 parts": _letter(_repeat_part(b"--b\r\n\r\nx\r\n", 20_000)),
    "MIME of 20,000 files": _letter(
        _repeat_part(b'--b\r\nContent-Disposition: attachment; filename="a"\r\n\r\nx\r\n', 10_000)
    ),
    "MIME of half boundaries": _letter(_repeat_part(b"--b", 300_000)),
    "MIME of messages in messages": _letter(HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 400 + b"x"),
    "a header of a megabyte": _letter(b"X-Large: " + b"y" * 1_000_000 + b"\r\n" + HEAD + b"\r\nx"),
    "50,000 header lines": _letter(b"X-A: y\r\n" * 50_000 + HEAD + b"\r\nx"),
    "a folded header of 100,000 lines": _letter(b"X-A: y\r\n" + b" y\r\n" * 100_000 + HEAD + b"\r\nx"),
    "encoded words": _letter(b"Subject: " + b"=?utf-8?q?=41?= " * 20_000 + b"\r\nTo: a@b.example\r\n\r\nx"),
    "broken encoded words": _letter(b"Subject: " + b"=?utf-8?q?" * 50_000 + b"\r\nTo: a@b.example\r\n\r\nx"),
    "20,000 receivers": _letter(b"To: " + b"a@b.example, " * 20_000 + b"\r\nSubject: x\r\n\r\nx"),
    "receivers of brackets": _letter(b"To: " + b"<" * 50_000 + b"\r\nSubject: x\r\n\r\nx"),
    "receivers of comments": _letter(b"To: " + b"(" * 20_000 + b"a" + b")" * 20_000 + b"\r\nSubject: x\r\n\r\nx"),
    "receivers of quotes": _letter(b"To: " + b'"a" ' * 30_000 + b"\r\nSubject: x\r\n\r\nx"),
    "50,000 references": _letter(b"References: " + b"<a@b> " * 50_000 + b"\r\n" + HEAD + b"\r\nx"),
    "a file name in 2,000 pieces": _letter(
        HEAD
        + b"Content-Disposition: attachment"
        + b"".join(b"; filename*%d=a" % n for n in range(2_000))
        + b"\r\n\r\nx"
    ),
    "2,000 parameters of a type": _letter(
        HEAD + b"Content-Type: text/plain" + b"".join(b"; a%d=b" % n for n in range(2_000)) + b"\r\n\r\nx"
    ),
    "a date of 100,000 digits": _letter(b"Date: " + b"9" * 100_000 + b"\r\n" + HEAD + b"\r\nx"),
    "quoted printable": _letter(HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\n" + b"=41=\r\n" * 200_000),
    "base64 in short lines": _letter(HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QQ==\r\n" * 100_000),
    "an unknown charset": _letter(
        HEAD + b"Content-Type: text/plain; charset=" + b"x" * 50_000 + b"\r\n\r\n" + b"\xff" * 500_000
    ),
    "HTML of open elements": _html("<div>" * 100_000),
    "HTML of open brackets": _html("<" * 500_000),
    "HTML of comments": _html("<!--" * 100_000),
    "HTML of attributes": _html("<p " + " ".join(f"a{n}=b" for n in range(50_000)) + ">x"),
    "HTML of names of attributes": _html("<p " + " ".join(f"a{n}" for n in range(50_000)) + ">x"),
    "HTML of one long name": _html("<br>" * 2_000 + "<p " + "a" * 200_000 + ">x"),
    "HTML of ends of scripts": _html("<br>" * 2_000 + "<script>" + "</script " * 20_000),
    "HTML of ampersands": _html("&" * 200_000),
    "HTML of styles": _html("<p style='" + "color:red;" * 50_000 + "'>x"),
    "HTML of entities": _html("&amp;" * 100_000),
    "HTML of table cells": _html("<table>" * 3_000 + "<td>x"),
    "HTML of formatting": _html("<b><i>" * 10_000 + "<p>" * 2_000),
    "a text of quotes": _letter(HEAD + b"\r\n" + b"> " * 200_000),
    "a text of addresses": _letter(HEAD + b"\r\n" + b"http://a" * 50_000),
    "a batch of 1,000": _batch(1_000),
    "a batch of 100 lists": _batch(100),
    "10,000 labels changed": lambda at: at.call(
        "users.messages.batchModify",
        ids=[f"{number:016x}" for number in range(1_000)],
        addLabelIds=["STARRED"] * 10_000,
    ),
    "a filter of a long query": lambda at: at.call(
        "users.settings.filters.create",
        criteria={"query": repeat("w{} OR ", 1_400) + "x"},
        action={"addLabelIds": ["STARRED"]},
    ),
    "a signature of open elements": lambda at: at.call(
        "users.settings.updateVacation", enableAutoReply=True, responseBodyHtml="<b>" * 50_000
    ),
}
