"""Mail that no honest client writes: what it may come to, at the doors an agent has, and what it leaves behind."""

# ruff: noqa: E501 - hostile mails, one line to a few

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apps.gmail
from apps.gmail.mime.base64url import from_base64url
from tests.apps.gmail.conftest import eml
from tests.apps.gmail.post import headers, inbox, pass_time, receive
from tests.company import as_person
from tests.conformance.mail import MailClient
from tests.examples import examples
from world.agents.examples import Examples
from world.core.errors import OperationError, Outage
from world.run.host import Host

Say = Callable[..., Any]
ME = "/gmail/v1/users/me"
PEOPLE = ("ada", "bo", "cyrus", "dee", "eve")
MAIL = (
    "gmail_mail",
    "gmail_draft",
    "gmail_message",
    "gmail_message_label",
    "gmail_outbound",
    "gmail_history",
    "_queue",
)


def b64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode()


def rows(host: Host, sql: str) -> list[tuple[Any, ...]]:
    return host.actor("w").bound.raw.execute(sql).fetchall()


def kept(host: Host) -> list[int]:
    """How many rows of mail there are."""
    return [rows(host, f"SELECT count(*) FROM {table}")[0][0] for table in MAIL]


def received(host: Host) -> dict[str, int]:
    """Mails that came to people, by their names."""
    counted = rows(host, "SELECT person_id, count(*) FROM gmail_message WHERE delivered_to <> '' GROUP BY 1")
    return {person.removeprefix("p_"): count for person, count in counted}


# arguments no client means

ODD: list[Any] = [
    "",
    " ",
    "\x00",
    "\ud800",
    "9" * 30,
    "-1",
    -1,
    2**70,
    1e400,
    float("nan"),
    True,
    None,
    [],
    {},
    [[]],
    {"a": {}},
    "null",
    "[" * 200,
    "a" * 5000,
    "me",
    "ada@tiny.example",
    "INBOX",
    "in:inbox",
    "%_*?",
    "';--",
    '"',
    "*",
    "{",
    "(",
    "larger:",
    "🎉",
    "From: x\r\nTo: y",
    "\u202e",
    ["INBOX"],
    [{"id": "x"}],
    {"raw": "eA=="},
    [{"filename": "\x00", "data": "eA=="}],
    {"from": "\ud800"},
    b64(b"\xff\x00\r\r\n\n"),
    "=",
    "//79",
]
OPERATIONS = apps.gmail.app.operations
NAMES = sorted({name for one in OPERATIONS.values() for name in one.params.model_fields} | {"from"})


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    operation=st.sampled_from(sorted(OPERATIONS)),
    base=st.booleans(),
    odd=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), min_size=1, max_size=4),
)
def test_odd_arguments_are_refused_or_answered(host: Host, operation: str, odd: dict[str, Any], base: bool) -> None:
    bot = operation == "mail.receive"

    def done(name: str, arguments: Mapping[str, Any]) -> Any:
        who = as_person(host, "mail-gateway", kind="bot") if bot else as_person(host)
        return host.call(who, "mcp", name, arguments)

    example: dict[str, Any] = {}
    if base:
        with suppress(OperationError, LookupError):
            example = Examples(host.operations, done).of(operation)[0]
    try:
        answer = done(operation, {**example, **odd})
        host.actor("w").events.fire_until(host.actor("w").now)
    except OperationError as refusal:
        assert refusal.code and not isinstance(refusal, Outage)
        return
    assert orjson.loads(orjson.dumps(answer)) is not None or answer is None


# malformed and truncated mail, lying character sets

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


@pytest.mark.full
@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN)
def test_a_broken_mail_is_refused_or_can_be_read_in_every_form(client: MailClient, host: Host, raw: bytes) -> None:
    for path, body in WAYS.values():
        before = kept(host)
        answer = client.post(ME + path, json=body(b64(raw)))
        if answer.status_code >= 400:
            assert answer.status_code == 400 and kept(host) == before, (path, answer.text)
    receive(host, to=["ada@tiny.example", "bo@tiny.example"], raw=b64(b"From: Zoe <zoe@acme.example>\r\n" + raw))
    host.actor("w").events.fire_until(host.actor("w").now)
    for who in ("ada", "bo"):
        for one in client.get(f"{ME}/messages?includeSpamTrash=true", who=who).json()["messages"]:
            for shape in ("full", "raw", "metadata", "minimal"):
                assert client.get(f"{ME}/messages/{one['id']}?format={shape}", who=who).status_code == 200
            shown = client.get(f"{ME}/messages/{one['id']}?format=minimal", who=who).json()
            draft = "DRAFT" in shown.get("labelIds", ())
            for name, asked in (
                ("mail.conversation", {"id": one["threadId"]}),
                ("mail.prepare", {"id": one["id"], "mode": "forward"}),
                ("mail.threads", {"folder": "all"}),
            ):
                answer = client.post(f"/sync/{name}", who=who, json=asked)
                assert answer.status_code == 200 or (
                    name == "mail.prepare" and answer.status_code == (404 if draft else 400)
                ), (name, answer.text)


# header injection

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


# too much

MANY = [f"person{number}@acme.example" for number in range(10_000)]


def test_ten_thousand_recipients_are_refused_at_every_door(client: MailClient, host: Host) -> None:
    before, raw = kept(host), f"To: {', '.join(MANY)}\r\nSubject: x\r\n\r\nx".encode()
    for answer in (
        client.post(f"{ME}/messages/send", json={"raw": b64(raw)}),
        client.post("/sync/mail.send", json={"to": MANY, "text": "x"}),
        client.post("/sync/mail.send", json={"to": [", ".join(MANY[:40])] * 250, "text": "x"}),
        client.post(
            f"/upload{ME}/messages/send?uploadType=media", content=raw, headers={"Content-Type": "message/rfc822"}
        ),
    ):
        assert answer.status_code == 400 and answer.json()["error"]["message"] == "Too many recipients", answer.text[
            :200
        ]
    assert kept(host) == before
    draft = client.post(f"{ME}/drafts", json={"message": {"raw": b64(raw)}}).json()["id"]
    held = kept(host)
    assert client.post(f"{ME}/drafts/send", json={"id": draft}).status_code == 400
    assert kept(host) == held, "a draft that cannot be sent stays, and nothing else comes of it"


def bombs() -> Iterator[tuple[str, bytes]]:
    deep = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(300))
    yield "nested multiparts", TO + deep
    yield "wide", TO + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n\r\n" * 20_000
    yield "mails in mails", TO + b"Content-Type: message/rfc822\r\n\r\n" * 200
    yield "headers", TO + b"X: y\r\n" * 60_000 + b"\r\n"


BOMBS = dict(bombs())


@pytest.mark.parametrize("raw", BOMBS.values(), ids=BOMBS)
def test_a_mail_made_to_be_endless_is_refused_and_nothing_is_kept(client: MailClient, host: Host, raw: bytes) -> None:
    before = kept(host)
    for path in ("/messages/send", "/messages/import", "/drafts"):
        answer = client.post(
            f"/upload{ME}{path}?uploadType=media", content=raw, headers={"Content-Type": "message/rfc822"}
        )
        assert answer.status_code == 400 and answer.json()["error"]["message"] == "Malformed MIME message", answer.text[
            :200
        ]
    assert kept(host) == before


# storms


def ring(say: Say) -> None:
    """Everybody is away, forwards to the next, and has a filter that forwards to the one after."""
    for place, who in enumerate(PEOPLE):
        following = [f"{PEOPLE[(place + step) % len(PEOPLE)]}@tiny.example" for step in (1, 2)]
        say(
            "users.settings.updateVacation",
            who,
            enableAutoReply=True,
            responseSubject="Away",
            responseBodyPlainText="I am away.",
        )
        for address in following:
            say("users.settings.forwardingAddresses.create", who, forwardingEmail=address)
        say(
            "users.settings.updateAutoForwarding",
            who,
            enabled=True,
            emailAddress=following[0],
            disposition="leaveInInbox",
        )
        say(
            "users.settings.filters.create",
            who,
            criteria={"query": "in:anywhere OR storm OR away"},
            action={"forward": following[1]},
        )


def test_a_storm_of_forwards_and_replies_ends(say: Say, host: Host) -> None:
    ring(say)
    for to in ("core@tiny.example", "bo@tiny.example, cyrus@tiny.example", "bo+x@tiny.example"):
        say("users.messages.send", raw=eml(to, "storm"))
    receive(host, to=["ada@tiny.example", "hello@tiny.example"], subject="storm")
    pass_time(host, 3 * 86_400)
    after = kept(host)
    assert after[MAIL.index("_queue")] == 0, "something goes on"
    assert sum(received(host).values()) <= 400 and after[0] <= 400, after
    pass_time(host, 30 * 86_400)
    assert kept(host) == after


def test_somebody_who_writes_to_everybody_away_again_and_again_is_answered_once_by_each(say: Say, host: Host) -> None:
    for who in PEOPLE[1:]:
        say(
            "users.settings.updateVacation",
            who,
            enableAutoReply=True,
            responseSubject="Away",
            responseBodyPlainText="I am away.",
        )
    for _ in range(10):
        say("users.messages.send", raw=eml(", ".join(f"{who}@tiny.example" for who in PEOPLE[1:]), "storm"))
        pass_time(host, 60)
    assert received(host)["ada"] == len(PEOPLE) - 1


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


# identities: whose mail it is, and which mail


def test_the_sender_is_always_ones_own_address(client: MailClient, host: Host) -> None:
    forged = [
        "From: eve@tiny.example\r\n",
        "From: Eve Martin <eve@tiny.example>\r\n",
        'From: "ada@tiny.example" <eve@tiny.example>\r\n',
        "From: ada@tiny.example <eve@tiny.example>\r\n",
        "From: eve@tiny.example\r\nFrom: ada@tiny.example\r\n",
        "From: eve@tiny.example, ada@tiny.example\r\n",
        "from: eve@tiny.example\r\n",
        "From:\r\n eve@tiny.example\r\n",
        "From : eve@tiny.example\r\n",
        "From: group: eve@tiny.example;\r\n",
        "From: =?utf-8?q?eve=40tiny=2Eexample?= <eve@tiny.example>\r\n",
        "From: <>\r\n",
        "From: nobody\r\n",
        "",
        "From: b.lindqvist@tiny.example\r\n",
        "From: core@tiny.example\r\n",
        "From: zoe@acme.example\r\n",
    ]
    for line in forged:
        answer = client.post(
            f"{ME}/messages/send", json={"raw": b64(f"{line}To: bo@tiny.example\r\nSubject: x\r\n\r\nx".encode())}
        )
        assert answer.status_code == 200, (line, answer.text)
        host.actor("w").events.fire_until(host.actor("w").now)
        got = inbox(host, "bo")[0]
        assert headers(got)["Return-Path"] == "<ada@tiny.example>"
        froms = [one["value"] for one in got["payload"]["headers"] if one["name"].lower().strip() == "from"]
        assert len(froms) == 1 and "eve" not in froms[0].lower() and froms[0].endswith("<ada@tiny.example>"), (
            line,
            froms,
        )
    assert (
        client.post(
            "/sync/mail.send", json={"to": ["bo@tiny.example"], "text": "x", "from": "eve@tiny.example"}
        ).status_code
        == 400
    )
    listed = client.post("/sync/mail.threads", who="bo", json={}).json()["threads"]
    assert {one["email"] for row in listed for one in row["senders"]} == {"ada@tiny.example"}


def test_a_display_name_that_is_anothers_stands_beside_the_true_address(say: Say, host: Host) -> None:
    say(
        "users.messages.send",
        "eve",
        raw=eml("bo@tiny.example", "Urgent", From="Ada Novak (ada@tiny.example) <eve@tiny.example>"),
    )
    receive(host, to=["bo@tiny.example"], **{"from": '"Ada Novak <ada@tiny.example>" <zoe@acme.example>'})
    shown = host.peek(as_person(host, "bo"), "rest", "mail.threads", {})["threads"]
    assert [one["email"] for row in shown for one in row["senders"]] == ["zoe@acme.example", "eve@tiny.example"]
    assert not host.peek(
        as_person(host, "bo"), "rest", "users.messages.list", {"q": "from:ada@tiny.example -from:eve -from:zoe"}
    ).get("messages")


def test_a_stolen_message_id_joins_and_replaces_nothing(say: Say, host: Host) -> None:
    say("users.messages.send", raw=eml("bo@tiny.example", "Offer", "The true one.", Message_ID="<one@tiny.example>"))
    host.actor("w").events.fire_until(host.actor("w").now)
    (true,) = inbox(host, "bo")
    again = [("Offer", "The false one."), ("Another", "The false one."), ("Offer", "The true one.")]
    for subject, text in again:
        say(
            "users.messages.send",
            "eve",
            raw=eml("bo@tiny.example, dee@tiny.example", subject, text, Message_ID="<one@tiny.example>"),
        )
    host.actor("w").events.fire_until(host.actor("w").now)
    found = {one["id"]: one for one in inbox(host, "bo")}
    assert len(found) == 4 and len({one["threadId"] for one in found.values()}) == 4
    assert from_base64url(found[true["id"]]["payload"]["body"]["data"]).startswith(b"The true one.")
    assert {headers(one)["Return-Path"] for one in found.values() if one["id"] != true["id"]} == {"<eve@tiny.example>"}
    say(
        "users.messages.send",
        "bo",
        raw=eml("ada@tiny.example", "Re: Offer", "Fine.", In_Reply_To="<one@tiny.example>"),
        threadId=true["threadId"],
    )
    host.actor("w").events.fire_until(host.actor("w").now)
    assert "eve" not in received(host)
    assert (
        inbox(host)[0]["threadId"]
        == host.peek(as_person(host), "rest", "users.messages.list", {"labelIds": ["SENT"]})["messages"][0]["threadId"]
    )


@pytest.mark.parametrize(
    "subject",
    ["Salary", "", "Re:", "Delivery Status Notification (Failure)", "Delivery Status Notification (Delay)", "Offer "],
)
def test_references_alone_pull_no_mail_into_a_thread(say: Say, host: Host, subject: str) -> None:
    say("users.messages.send", raw=eml("bo@tiny.example", "Offer", Message_ID="<one@tiny.example>"))
    host.actor("w").events.fire_until(host.actor("w").now)
    (true,) = inbox(host, "bo")
    answers = {
        "References": "<one@tiny.example>",
        "In_Reply_To": "<one@tiny.example>",
        "Message_ID": "<two@tiny.example>",
    }
    say(
        "users.messages.send",
        "eve",
        raw=eml("bo@tiny.example, ada@tiny.example", subject, **answers, Auto_Submitted="auto-replied"),
    )
    receive(
        host,
        to=["bo@tiny.example"],
        raw=b64(
            f"From: mailer-daemon@evil.example\r\nSubject: {subject}\r\nReferences: <one@tiny.example>\r\n\r\nx".encode()
        ),
    )
    joined = subject.strip() == "Offer"
    assert [one["threadId"] == true["threadId"] for one in inbox(host, "bo")] == [joined, joined, True]
    assert (inbox(host)[0]["threadId"] in {one["threadId"] for one in inbox(host, "ada", "SENT")}) == joined


def test_the_name_of_a_thread_of_another_mailbox_is_not_found(client: MailClient, host: Host) -> None:
    client.post(f"{ME}/messages/send", json={"raw": eml("bo@tiny.example")})
    host.actor("w").events.fire_until(host.actor("w").now)
    foreign = inbox(host, "bo")[0]
    before = kept(host)
    for path, body in WAYS.values():
        given = body(eml("bo@tiny.example"))
        given = (
            {"message": {**given["message"], "threadId": foreign["threadId"]}}
            if "message" in given
            else {**given, "threadId": foreign["threadId"]}
        )
        assert client.post(ME + path, who="eve", json=given).status_code == 404, path
    for given in (
        {"threadId": foreign["threadId"]},
        {"inReplyTo": foreign["id"], "mode": "reply"},
        {"attachments": [{"messageId": foreign["id"]}]},
    ):
        answer = client.post("/sync/mail.send", who="eve", json={"to": ["eve@tiny.example"], "text": "x", **given})
        assert answer.status_code == 404, (given, answer.text)
    assert kept(host) == before


# addresses


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


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\win.ini", "win.ini"),
        ("/etc/passwd", "passwd"),
        ("a\x00.exe", "a.exe"),
        ("\u202egpj.exe", "gpj.exe"),
        ("C:\\a.txt", "a.txt"),
        ("a\r\nBcc: x.txt", None),
        (".", "."),
        ("..", ".."),
        ("=?utf-8?q?a=2F..=2Fb?=", "b"),
        ("x" * 5000 + ".txt", None),
        ("\u2066a\u2069.pdf", "a.pdf"),
    ],
)
def test_names_of_files_lead_nowhere(client: MailClient, host: Host, name: str, shown: str | None) -> None:
    head = "To: bo@tiny.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b\r\nContent-Type: application/pdf\r\n"
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    raw = f'{head}Content-Disposition: attachment; filename="{quoted}"\r\n\r\nhi\r\n--b--\r\n'.encode()
    sent = client.post(f"{ME}/messages/send", json={"raw": b64(raw)}).json()["id"]
    parts = client.get(f"{ME}/messages/{sent}").json()["payload"]["parts"]
    found = parts[1]["filename"]
    assert shown is None or found == shown
    assert not re.search(r"[/\\\x00-\x1f\u202a-\u202e\u2066-\u2069]", found)


def test_a_forged_notice_is_only_a_mail(say: Say, host: Host) -> None:
    """A report of failure about another's mail changes nothing of its state, and nothing answers it."""
    sent = say("users.messages.send", raw=eml("zoe@acme.example", "Offer", Message_ID="<one@tiny.example>"))
    say(
        "users.settings.updateVacation",
        enableAutoReply=True,
        responseSubject="Away",
        responseBodyPlainText="I am away.",
    )
    host.actor("w").events.fire_until(host.actor("w").now)
    raw = host.actor("w").bound.raw
    before = raw.execute("SELECT * FROM gmail_outbound").fetchall()
    report = (
        b"From: Mail Delivery Subsystem <mailer-daemon@acme.example>\r\nTo: ada@tiny.example\r\nSubject: Delivery Status Notification (Failure)\r\n"
        b"X-Failed-Recipients: zoe@acme.example\r\nIn-Reply-To: <one@tiny.example>\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n"
        b"--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; zoe@acme.example\r\nAction: failed\r\n\r\n--r--\r\n"
    )
    receive(host, to=["ada@tiny.example"], raw=b64(report))
    pass_time(host, 86_400)
    assert raw.execute("SELECT * FROM gmail_outbound").fetchall() == before
    assert [one["threadId"] == sent["threadId"] for one in inbox(host)] == [False]


@pytest.mark.parametrize(
    "query",
    [
        "(" * 500,
        "{" * 300,
        "a " * 5000,
        "-" * 999,
        '"' * 501,
        "x" * 2000,
        "in:" * 400,
        "(a OR " * 120,
        "\x00",
        "\ud800",
    ],
)
def test_a_query_beyond_its_bounds_is_refused_in_the_vendors_words(client: MailClient, query: str) -> None:
    given = {"q": query.encode("utf-8", "surrogatepass")}
    for path in ("/messages", "/threads", "/drafts"):
        answer = client.get(ME + path, params=given)
        assert answer.status_code in (200, 400), (path, answer.text)
    created = client.post(
        f"{ME}/settings/filters",
        json={"criteria": {"query": query.encode("utf-8", "replace").decode()}, "action": {"addLabelIds": ["STARRED"]}},
    )
    assert created.status_code in (200, 400), created.text
