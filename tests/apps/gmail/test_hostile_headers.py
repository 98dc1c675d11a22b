"""Headers that no honest client writes: what begins one, and who hears of a mail because of one."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from apps.gmail.mime.base64url import from_base64url
from tests.apps.gmail.conftest import Say, eml
from tests.apps.gmail.hostile_mails import ME
from tests.apps.gmail.post import b64, kept, pass_time, receive, received, rows
from tests.conformance.mail import MailClient
from world.run.host import Host

INJECTIONS = (
    "x\r\nBcc: eve@tiny.example",
    "x\nBcc: eve@tiny.example",
    "x\rBcc: eve@tiny.example",
    "x\r\n\r\n<script>",
    "x\x0bBcc: eve@tiny.example",
    "x\u2028Bcc: eve@tiny.example",
    "x\u0085Bcc: eve@tiny.example",
    "=?utf-8?q?x=0D=0ABcc:_eve@tiny.example?=",
    "x\x00\r\nBcc: eve@tiny.example",
    "x\r\n Bcc: eve@tiny.example",
    '"x\r\nBcc: eve@tiny.example"',
)
FIELDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "subject": lambda text: {"subject": text},
    "name": lambda text: {"to": [f'"{text}" <bo@tiny.example>']},
    "bare name": lambda text: {"to": [f"{text} <bo@tiny.example>"]},
    "address": lambda text: {"to": [f"bo@tiny.example{text}"]},
    "inside": lambda text: {"to": [f"<bo{text}@tiny.example>"]},
    "cc": lambda text: {"cc": [text]},
    "filename": lambda text: {"attachments": [{"filename": text, "data": "eA=="}]},
    "type": lambda text: {"attachments": [{"filename": "a", "mimeType": f"text/{text}", "data": "eA=="}]},
    "from": lambda text: {"from": f"ada@tiny.example{text}"},
    "html": lambda text: {"html": text},
    "text": lambda text: {"text": text},
}


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_of_a_mail_begins_a_header(client: MailClient, host: Host, field: str) -> None:
    for text in INJECTIONS:
        host.actor("w").events.fire_until(host.actor("w").now)
        before = kept(host)
        written = {"to": ["bo@tiny.example"], "subject": "x", "text": "x", **FIELDS[field](text)}
        answer = client.post("/sync/mail.send", json=written)
        if answer.status_code != 200:
            assert answer.status_code == 400 and kept(host) == before, (text, answer.text)
            continue
        host.actor("w").events.fire_until(host.actor("w").now)
        raw = from_base64url(client.get(f"{ME}/messages/{answer.json()['id']}?format=raw").json()["raw"])
        names = re.findall(rb"^([^\s:]+):", raw.partition(b"\r\n\r\n")[0], re.M)
        assert {name.decode().lower() for name in names} <= {
            "mime-version",
            "date",
            "message-id",
            "subject",
            "from",
            "to",
            "cc",
            "content-type",
            "content-transfer-encoding",
            "content-disposition",
        }, (text, names)
    assert set(received(host)) <= {"bo", "ada"}, "Ada hears of what led nowhere"


SETTINGS = {
    "sendAs name": ("PATCH", "/settings/sendAs/ada@tiny.example", lambda text: {"displayName": text}),
    "replyTo": (
        "PATCH",
        "/settings/sendAs/ada@tiny.example",
        lambda text: {"replyToAddress": f"ada@tiny.example{text}"},
    ),
    "vacation": (
        "PUT",
        "/settings/vacation",
        lambda text: {"enableAutoReply": True, "responseSubject": text, "responseBodyPlainText": text},
    ),
    "forward": ("POST", "/settings/forwardingAddresses", lambda text: {"forwardingEmail": f"bo@tiny.example{text}"}),
    "sendAs": ("POST", "/settings/sendAs", lambda text: {"sendAsEmail": f"bo{text}@tiny.example", "displayName": text}),
}


@pytest.mark.parametrize("what", SETTINGS)
def test_no_setting_begins_a_header_of_the_mail_it_makes(client: MailClient, host: Host, what: str) -> None:
    method, path, body = SETTINGS[what]
    for text in INJECTIONS:
        answer = client.request(method, ME + path, json=body(text))
        assert answer.status_code in (200, 400), answer.text
        client.post("/sync/mail.send", json={"to": ["bo@tiny.example"], "subject": "x", "text": "x"})
        client.post("/sync/mail.send", who="cyrus", json={"to": ["ada@tiny.example"], "subject": "x", "text": "x"})
        pass_time(host, 5 * 86_400)
    heads = [bytes(data).partition(b"\r\n\r\n")[0] for (data,) in rows(host, "SELECT data FROM blob")]
    assert heads and not [head for head in heads if re.search(rb"^bcc:", head, re.M | re.I)]
    assert "eve" not in received(host)


@pytest.mark.parametrize(
    "header",
    [
        {"X_Forwarded_For": "bo@tiny.example eve@tiny.example"},
        {"Delivered_To": "bo@tiny.example"},
        {"Return_Path": "<eve@tiny.example>"},
        {"Reply_To": "eve@tiny.example"},
        {"Errors_To": "eve@tiny.example"},
        {"Sender": "eve@tiny.example"},
        {"Resent_From": "eve@tiny.example"},
        {"Disposition_Notification_To": "eve@tiny.example"},
        {"Return_Receipt_To": "eve@tiny.example"},
        {"X_Failed_Recipients": "eve@tiny.example"},
    ],
)
def test_no_header_makes_a_third_person_hear_of_a_mail(say: Say, host: Host, header: dict[str, str]) -> None:
    """Neither bounces nor vacation replies go where a header says: those to the sender of this company, these to the sender alone."""
    stuffed = {f"{name}": value for name, value in header.items()}
    say(
        "users.settings.updateVacation",
        "bo",
        enableAutoReply=True,
        responseSubject="Away",
        responseBodyPlainText="I am away.",
    )
    raw = from_base64url(eml("bo@tiny.example, nobody@tiny.example, x@nowhere.invalid", **stuffed))
    ((name, value),) = stuffed.items()
    line = f"{name.replace('_', '-')}: {value}\r\n".encode()
    say("users.messages.send", raw=b64(line * 40 + raw))
    say("users.messages.send", raw=b64(raw))
    receive(host, to=["bo@tiny.example", "dee@tiny.example"], raw=b64(b"From: zoe@acme.example\r\n" + line * 40 + raw))
    pass_time(host, 86_400)
    assert "eve" not in received(host) and set(received(host)) <= {"ada", "bo", "dee"}


@pytest.mark.parametrize(
    ("address", "gets"),
    [
        ("bo+news@tiny.example", "bo"),
        ("BO@TINY.EXAMPLE", "bo"),
        ("bo+a+b@tiny.example", "bo"),
        ("b.lindqvist+x@tiny.example", "bo"),
        ("bo+@tiny.example", "bo"),
        ("+bo@tiny.example", ""),
        ("bo@tiny.example.", None),
        ("bo@xn--tiny.example", ""),
        ("bo@tiny.example.evil.invalid", ""),
        ("core+x@tiny.example", ""),
        ("bо@tiny.example", ""),
        ("bo@tіny.example", None),
        ("ｂo@tiny.example", ""),
        ("bo@ｔiny.example", None),
        ("bo\u200b@tiny.example", ""),
        ("bo@münchen.example", None),
        ("bo@tiny。example", None),
        ("bo@@tiny.example", ""),
        ("bo", None),
        ("@tiny.example", None),
        ("bo@", None),
        ("bo@localhost", ""),
        ("bo@[127.0.0.1]", None),
        ('"bo"@tiny.example', None),
        ("bo%tiny.example@acme.example", ""),
        ("eve@tiny.example!bo@tiny.example", ""),
        ("a" * 400 + "@tiny.example", None),
        ("@acme.example:bo@tiny.example", "bo"),
        ("bo@tiny.example;", "bo"),
        ("x: bo@tiny.example;", "bo"),
        ("bo(comment)@tiny.example", "bo"),
    ],
)
def test_an_address_leads_to_whom_it_names_and_to_nobody_alike(
    client: MailClient, host: Host, address: str, gets: str | None
) -> None:
    before = kept(host)
    raw = b64(f"To: {address}\r\nSubject: x\r\n\r\nx".encode())
    answer = client.post(f"{ME}/messages/send", json={"raw": raw})
    host.actor("w").events.fire_until(host.actor("w").now)
    if answer.status_code != 200:
        assert answer.status_code == 400 and kept(host) == before and gets is None, answer.text
    assert received(host) == ({gets: 1} if gets else {}), address


@pytest.mark.parametrize("to", ["core@tiny.example", "CORE@tiny.example", "core+x@tiny.example"])
def test_mail_from_outside_reaches_no_list_of_the_company(host: Host, to: str) -> None:
    got = receive(
        host,
        to=[to],
        headers={"List-Id": "<core.tiny.example>", "Precedence": "list", "List-Post": "<mailto:core@tiny.example>"},
    )
    assert not got["accepted"] and received(host) == {}
    receive(
        host,
        to=["bo@tiny.example"],
        subject="as if",
        headers={"List-Id": "<core.tiny.example>", "X-BeenThere": "core@tiny.example"},
    )
    assert received(host) == {"bo": 1}
