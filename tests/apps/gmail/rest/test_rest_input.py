"""What no client should send: refused in the vendor's shape, and nothing of it is left."""

import json
from typing import Any

import pytest

from tests.apps.gmail.conftest import eml
from tests.conformance.mail import MailClient
from world.run.host import Host

ME = "/gmail/v1/users/me"
SEND = f"{ME}/messages/send"
JSON = {"Content-Type": "application/json"}
PAYLOAD = "Invalid JSON payload received. "
DEEP = b'{"payload":' + b'{"parts":[' * 200 + b"{}" + b"]}" * 200 + b"}"


def left(host: Host) -> tuple[Any, ...]:
    """Everything a mail leaves in the world."""
    raw = host.actors["w"].bound.raw
    tables = ("gmail_mail", "gmail_message", "gmail_draft", "gmail_label", "gmail_filter", "blob")
    return tuple(raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", PAYLOAD + "Unexpected end of string.\n{\n ^"),
        (b'{"raw": x}', PAYLOAD + 'Unexpected token.\n{"raw": x}\n        ^'),
        (b"[]", PAYLOAD + 'Unknown name "": Root element must be a message.'),
        (b'"x"', PAYLOAD + 'Unknown name "": Root element must be a message.'),
        (b"null", PAYLOAD + 'Unknown name "": Root element must be a message.'),
        (b'{"raw": 1}', "Invalid value at 'raw' (TYPE_BYTES), 1"),
        (b'{"threadId": ["x"]}', "Invalid value at 'thread_id' (TYPE_STRING), ..."),
        (b'{"threadId": true}', "Invalid value at 'thread_id' (TYPE_STRING), true"),
        (b'{"labelIds": "INBOX"}', "Invalid value at 'label_ids' (TYPE_STRING), \"INBOX\""),
        (b'{"labelIds": [1]}', "Invalid value at 'label_ids[0]' (TYPE_STRING), 1"),
        (b'{"internalDate": "1e5"}', "Invalid value at 'internal_date' (TYPE_INT64), \"1e5\""),
        (b'{"sizeEstimate": 99999999999}', "Invalid value at 'size_estimate' (TYPE_INT32), 99999999999"),
        (b'{"payload": []}', "Invalid value at 'payload' (type.googleapis.com/google.gmail.v1.MessagePart), ..."),
        (DEEP, PAYLOAD + "Message too deep. Max recursion depth reached for key 'parts'"),
    ],
)
def test_a_body_of_the_wrong_shape_is_refused_in_the_vendors_words(
    client: MailClient, host: Host, content: bytes, message: str
) -> None:
    before = left(host)
    answer = client.post(SEND, content=content, headers=JSON)
    assert answer.status_code == 400 and answer.json()["error"]["message"] == message
    assert left(host) == before


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b"\x00",
        b"{" * 5000,
        b"[" * 100_000,
        b'{"raw": NaN}',
        b'{"raw": "\\ud800"}',
        b'{"sizeEstimate": 1e400}',
        b"9" * 5000,
        b'{"raw": "a"',
    ],
)
def test_bytes_that_are_no_json_are_refused(client: MailClient, content: bytes) -> None:
    assert client.post(SEND, content=content, headers=JSON).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"raw": ""},
        {"raw": "!!!!"},
        {"raw": "a"},
        {"raw": "AAA=A"},
        {"raw": "\x00"},
        {"raw": "é"},
        {"raw": eml("nobody")},
        {"raw": eml("bo@tiny.example"), "threadId": "0" * 16},
        {"raw": eml("bo@tiny.example"), "threadId": "\x00"},
        {"raw": eml("bo@tiny.example"), "threadId": "x" * 5000},
    ],
)
def test_a_mail_that_cannot_be_sent_leaves_nothing(client: MailClient, host: Host, body: dict[str, Any]) -> None:
    before = left(host)
    assert client.post(SEND, json=body).status_code in (400, 404)
    assert left(host) == before


def test_both_alphabets_of_base64_are_taken_with_and_without_padding(client: MailClient) -> None:
    text = eml("bo@tiny.example", "Ünï>>>???")
    for raw in (text, text.rstrip("="), text.replace("-", "+").replace("_", "/")):
        assert client.post(SEND, json={"raw": raw}).status_code == 200, raw


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "messages/batchModify", {"ids": ["0" * 16] * 1001, "addLabelIds": ["STARRED"]}),
        ("POST", "messages/batchDelete", {"ids": [""]}),
        ("POST", "messages/x/modify", {"addLabelIds": ["NOPE"]}),
        ("POST", "labels", {"name": "\x00"}),
        ("POST", "labels", {"name": ""}),
        ("POST", "labels", {"name": "x" * 100_000}),
        ("POST", "labels", {"name": "x", "color": {"textColor": "red"}}),
        ("POST", "settings/filters", {"criteria": {"size": 10**12}}),
        ("PUT", "settings/vacation", {"startTime": "soon"}),
        ("PUT", "settings/vacation", {"enableAutoReply": "yes"}),
        ("GET", "messages?format=x", None),
        ("GET", "history?startHistoryId=-1", None),
        ("GET", "messages/0000000000000000?format=entire", None),
        ("GET", "messages?pageToken=%00", None),
        ("GET", "messages?q=" + "(" * 3000, None),
        ("GET", "messages?labelIds=" + "&labelIds=".join("x" * 1100), None),
        ("POST", "drafts", {"message": {"raw": "!"}}),
        ("POST", "watch", {"topicName": "\ud83d"}),
    ],
)
def test_other_methods_refuse_bad_values(client: MailClient, host: Host, method: str, path: str, body: Any) -> None:
    before = left(host)
    content = json.dumps(body).encode() if body is not None else None
    assert client.request(method, f"{ME}/{path}", content=content, headers=JSON).status_code in (400, 404)
    assert left(host) == before


def test_a_body_without_a_type_is_json_and_a_form_is_a_query(client: MailClient) -> None:
    assert client.post(SEND, content=json.dumps({"raw": eml("bo@tiny.example")}).encode()).status_code == 200
    form = client.post(SEND, content=b"raw=x", headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert 'Unknown name "raw": Cannot bind query parameter.' in form.json()["error"]["message"]
    assert client.request("DELETE", f"{ME}/labels/x", content=b"{", headers=JSON).status_code == 404


def test_a_query_and_a_form_have_an_end(client: MailClient) -> None:
    many = "&".join(["labelIds=x"] * 7000)
    assert client.get(f"{ME}/messages?{many[:30000]}").status_code == 400
    headers = {"X-HTTP-Method-Override": "GET", "Content-Type": "application/x-www-form-urlencoded"}
    assert client.post(f"{ME}/messages", content=many.encode(), headers=headers).status_code == 413


def test_more_than_the_largest_mail_in_json_is_refused(client: MailClient, host: Host) -> None:
    before = left(host)
    large = eml("bo@tiny.example", text="x" * 36_800_000)
    answer = client.post(SEND, json={"raw": large})
    assert answer.status_code == 413 and answer.json()["error"]["errors"][0]["reason"] == "uploadTooLarge"
    assert client.post(f"{ME}/labels", content=b" " * 1_100_000, headers=JSON).status_code == 413
    assert left(host) == before
