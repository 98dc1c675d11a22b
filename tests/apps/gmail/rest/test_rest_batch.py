"""Batches: many calls in one request."""

import pytest

from apps.google.batch import MOST
from tests.apps.gmail.conftest import eml
from tests.conformance.mail import MailClient, opened, told
from world.run.host import Host

ME = "/gmail/v1/users/me"
MIXED = {"Content-Type": "multipart/mixed; boundary=cut"}


def part(request: str, id: str = "", kind: str = "application/http") -> str:
    """One part of a batch."""
    return f"--cut\r\nContent-Type: {kind}\r\n" + (f"Content-ID: <{id}>\r\n" if id else "") + f"\r\n{request}\r\n"


def test_parts_are_answered_in_order_under_their_ids(client: MailClient, host: Host) -> None:
    sent = client.post(f"{ME}/messages/send", json={"raw": eml("bo@tiny.example")}).json()["id"]
    before = host.actors["w"].version
    found = client.batch(
        ("GET", f"{ME}/messages/{sent}?format=minimal"),
        ("GET", f"{ME}/messages/none"),
        ("DELETE", f"{ME}/messages/{sent}"),
        ("GET", f"/v1/users/me/messages/{sent}"),
        ("GET", "/gmail/gmail/v1/users/me/labels?fields=labels/id"),
    )
    assert [one["Content-ID"] for one in found] == [f"<response-item-{n}>" for n in range(5)]
    assert [told(one)[0] for one in found] == [200, 404, 204, 404, 200]
    assert b'"id": "INBOX"' in told(found[4])[1] and b"name" not in told(found[4])[1]
    rows = (
        host.actors["w"]
        .bound.raw.execute("SELECT operation, at FROM _call WHERE door = 'rest' AND seq > ? ORDER BY seq", (before,))
        .fetchall()
    )
    made = ("messages.get", "messages.get", "messages.delete", "messages.get", "labels.list")
    assert [name for name, _ in rows] == [f"users.{name}" for name in made]
    assert len({at for _, at in rows}) == 5


def test_a_part_may_have_a_body_and_its_own_authorisation(client: MailClient) -> None:
    body = f'{{"raw": "{eml("bo@tiny.example")}"}}'
    bo = client.token("bo")
    sends = part(
        f"POST {ME}/messages/send HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length:"
        f" {len(body)}\r\n\r\n{body}",
        "a + 1",
    )
    reads = part(f"GET {ME}/profile\r\nAuthorization: Bearer {bo}\r\n", "b + 2")
    answer = client.post("/batch", content=sends + reads + "--cut--", headers=MIXED)
    first, second = opened(answer)
    assert told(first)[0] == 200 and first["Content-ID"] == "<response-a + 1>"
    assert b"bo@tiny.example" in told(second)[1]
    assert answer.headers["content-type"].startswith("multipart/mixed; boundary=batch_")
    alone = opened(client.post("/batch", content=sends + reads + "--cut--", headers={**MIXED, "Authorization": None}))
    assert [told(one)[0] for one in alone] == [401, 200]


def test_bad_parts_are_answered_apart(client: MailClient) -> None:
    away = "https://gmail.googleapis.com"
    requests = [
        "",
        "nonsense",
        "GET",
        f"get {ME}/profile",
        "POST /batch HTTP/1.1",
        "POST /batch/gmail/v1",
        f"POST /upload{ME}/messages/send",
        "GET /nothing",
        f"POST {ME}/messages/send HTTP/1.1\r\n\r\n[",
        f"GET {away}/v2/x HTTP/1.1",
        f"GET {away}{ME}/profile HTTP/1.1",
    ]
    body = "".join(part(one) for one in requests) + part(f"GET {ME}/profile", kind="text/plain")
    found = opened(client.post("/batch", content=body + "--cut--", headers=MIXED))
    assert [told(one)[0] for one in found] == [400] * 7 + [404, 400, 404, 200, 400]
    assert all(one["Content-ID"] is None for one in found)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/mixed; boundary=cut"),
        (b"--cut--", "multipart/mixed; boundary=cut"),
        (b"{}", "application/json"),
        (part(f"GET {ME}/profile").encode(), "multipart/mixed; boundary=cut"),
        (b"--\r\n", "multipart/mixed"),
        ((part(f"GET {ME}/profile") * (MOST + 1) + "--cut--").encode(), "multipart/mixed; boundary=cut"),
        (b"x", "multipart/mixed; boundary=\xff"),
    ],
)
def test_a_batch_that_is_none_or_too_large_does_nothing(client: MailClient, host: Host, body: bytes, kind: str) -> None:
    before = host.actors["w"].version
    answer = client.post("/batch/gmail/v1", content=body, headers={"Content-Type": kind.encode("latin-1")})
    assert answer.status_code == 400 and answer.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert host.actors["w"].version == before


def test_a_batch_of_a_hundred_is_one(client: MailClient) -> None:
    assert [told(one)[0] for one in client.batch(*[("GET", f"{ME}/labels/INBOX")] * MOST)] == [200] * MOST
