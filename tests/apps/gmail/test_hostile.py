"""Arguments and mails that no honest client sends: refused or answered at the doors an agent has, and what they leave behind."""

# ruff: noqa: E501 - hostile mails, one line to a few

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import apps.gmail
from tests.apps.gmail.hostile_mails import BOMBS, BROKEN, ME, WAYS
from tests.apps.gmail.post import b64, kept, receive
from tests.company import as_person
from tests.conformance.mail import MailClient
from tests.examples import examples
from world.agents.examples import Examples
from world.core.errors import OperationError, Outage
from world.run.host import Host

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
