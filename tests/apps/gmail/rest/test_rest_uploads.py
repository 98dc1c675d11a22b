"""Mail that is uploaded: in one request, with metadata, or in pieces."""

from base64 import b64encode, urlsafe_b64decode
from typing import Any

import pytest

from apps.gmail.rest.api import API
from apps.google.uploads import MOST_SESSIONS, STEP
from tests.conformance.mail import MailClient
from world.run.host import Host

ME = "/gmail/v1/users/me"
UP = "/upload" + ME
SEND = f"{UP}/messages/send"
MAIL = b"To: bo@tiny.example\r\nSubject: Uploaded\r\n\r\nAs it is: \xff\x00 and --cut.\r\n"
MESSAGE = {"Content-Type": "message/rfc822"}
MOST = 36_700_160


def related(metadata: bytes, mail: bytes, **headers: str) -> tuple[bytes, dict[str, str]]:
    """A body of two parts and its content type."""
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items()).encode()
    body = (
        b"--cut\r\nContent-Type: application/json\r\n\r\n"
        + metadata
        + b"\r\n--cut\r\nContent-Type: message/rfc822\r\n"
        + lines
    )
    return body + b"\r\n" + mail + b"\r\n--cut--", {"Content-Type": 'multipart/related; boundary="cut"'}


def raw(client: MailClient, id: str, who: str = "ada") -> bytes:
    """A message as it was written."""
    return urlsafe_b64decode(client.get(f"{ME}/messages/{id}?format=raw", who=who).json()["raw"])


def calls(host: Host) -> int:
    """How many calls have come through the door."""
    return host.actors["w"].bound.raw.execute("SELECT count(*) FROM _call WHERE door = 'rest'").fetchone()[0]


def test_a_mail_is_uploaded_as_it_is(client: MailClient) -> None:
    sent = client.post(f"{SEND}?uploadType=media", content=MAIL, headers=MESSAGE)
    assert sent.status_code == 200 and raw(client, sent.json()["id"]).endswith(
        b"\r\n\r\nAs it is: \xff\x00 and --cut.\r\n"
    )
    assert client.post(SEND, content=MAIL, headers=MESSAGE).status_code == 200
    wrong = client.post(f"{SEND}?uploadType=media", content=MAIL, headers={"Content-Type": "image/png"})
    assert wrong.status_code == 400 and wrong.json()["error"]["errors"][0]["reason"] == "badContent"


@pytest.mark.parametrize(
    "path", [f"{UP}/messages", f"{UP}/messages/import", f"{UP}/drafts", f"/resumable{UP}/messages"]
)
def test_every_method_that_takes_a_mail_takes_uploads(client: MailClient, path: str) -> None:
    body, headers = related(b"{}", MAIL)
    made = client.post(f"{path}?uploadType=multipart", content=body, headers=headers)
    assert made.status_code == 200, made.text
    message = made.json().get("message", made.json())
    assert b"As it is" in raw(client, message["id"])


def test_metadata_and_mail_come_in_two_parts(client: MailClient) -> None:
    first = client.post(SEND, content=MAIL, headers=MESSAGE).json()
    told = raw(client, first["id"]).decode("latin-1").partition("Message-ID: ")[2].partition("\r\n")[0]
    reply = f"To: bo@tiny.example\r\nSubject: Re: Uploaded\r\nIn-Reply-To: {told}\r\n\r\nMore.\r\n".encode()
    body, headers = related(b'{"threadId": "%s"}' % first["threadId"].encode(), reply)
    assert (
        client.post(f"{SEND}?uploadType=multipart", content=body, headers=headers).json()["threadId"]
        == first["threadId"]
    )
    body, headers = related(b'{"labelIds": ["INBOX"]}', b64encode(MAIL), Content_Transfer_Encoding="base64")
    made = client.post(
        f"{UP}/messages?uploadType=multipart&internalDateSource=dateHeader", content=body, headers=headers
    )
    assert made.json()["labelIds"] == ["INBOX"] and b"As it is" in raw(client, made.json()["id"])


def test_a_draft_is_uploaded_changed_and_sent(client: MailClient) -> None:
    draft = client.post(f"{UP}/drafts?uploadType=media", content=MAIL, headers=MESSAGE).json()
    other = MAIL.replace(b"Uploaded", b"Changed")
    changed = client.put(f"{UP}/drafts/{draft['id']}?uploadType=media", content=other, headers=MESSAGE)
    assert changed.json()["id"] == draft["id"]
    body, headers = related(b'{"id": "%s"}' % draft["id"].encode(), MAIL.replace(b"Uploaded", b"Last"))
    sent = client.post(f"{UP}/drafts/send?uploadType=multipart", content=body, headers=headers)
    assert sent.status_code == 200 and b"Subject: Last" in raw(client, sent.json()["id"])


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"--cut",
        b"--cut--",
        b"--cut\r\n\r\n{}\r\n--cut--",
        b"no parts",
        b"--cut\r\n\r\n{}\r\n--cut\r\n\r\nx",
        b"\r\n--cut\r\n" * 2000 + b"--cut--",
        b"--cut\r\n\r\n{}\r\n--cut\r\n\r\na\r\n--cut\r\n\r\nb\r\n--cut--",
    ],
)
def test_a_multipart_body_that_is_none_is_refused(client: MailClient, host: Host, body: bytes) -> None:
    answer = client.post(
        f"{SEND}?uploadType=multipart", content=body, headers={"Content-Type": "multipart/related; boundary=cut"}
    )
    assert answer.status_code == 400 and answer.json()["error"]["message"] == "Multipart must have two non-empty parts."
    assert client.get(f"{ME}/messages").json() == {"resultSizeEstimate": 0}


def test_bad_metadata_and_unknown_kinds_of_upload_are_refused(client: MailClient) -> None:
    for metadata, encoding in ((b"[]", "binary"), (b"{", "binary"), (b'{"nonsense": 1}', "binary"), (b"{}", "base64")):
        body, headers = related(metadata, b"\xff", Content_Transfer_Encoding=encoding)
        assert client.post(f"{SEND}?uploadType=multipart", content=body, headers=headers).status_code == 400, metadata
    assert client.post(f"{SEND}?uploadType=carrier", content=MAIL, headers=MESSAGE).status_code == 400
    assert (
        client.post(
            f"{SEND}?uploadType=media", content=b"", headers={"Content-Type": "message/rfc822; boundary"}
        ).status_code
        == 400
    )
    assert client.post(f"{UP}/labels?uploadType=media", content=b"{}", headers=MESSAGE).status_code == 404
    assert (
        client.post(f"{UP}/messages/send", content=MAIL, headers={**MESSAGE, "Authorization": None}).status_code == 401
    )


class Resumable:
    """A resumable upload of Ada's."""

    def __init__(self, client: MailClient, path: str = SEND, metadata: Any = None, **headers: str) -> None:
        self.client = client
        answer = client.post(
            f"{path}?uploadType=resumable",
            json=metadata or {},
            headers={name.replace("_", "-"): v for name, v in headers.items()},
        )
        assert answer.status_code == 200 and answer.content == b"", answer.text
        self.address = answer.headers["location"]

    def put(self, content: bytes = b"", told: str | None = None, **more: Any) -> Any:
        """A piece."""
        return self.client.put(
            self.address, content=content, headers={"Content-Range": told, **more.pop("headers", {})}, **more
        )


def test_an_upload_in_pieces_reaches_the_world_with_its_last_byte(client: MailClient, host: Host) -> None:
    whole = MAIL + b"." * 2 * STEP
    before = calls(host)
    up = Resumable(client, X_Upload_Content_Type="message/rfc822", X_Upload_Content_Length=str(len(whole)))
    assert up.address.startswith(f"http://mail.test/gmail{SEND}?uploadType=resumable&upload_id=")
    nothing = up.put(told=f"bytes */{len(whole)}")
    assert nothing.status_code == 308 and "range" not in nothing.headers
    first = up.put(whole[:STEP], f"bytes 0-{STEP - 1}/{len(whole)}")
    assert first.status_code == 308 and first.headers["range"] == f"bytes=0-{STEP - 1}"
    again = up.put(whole[: 2 * STEP], f"bytes 0-{2 * STEP - 1}/{len(whole)}")
    assert again.headers["range"] == f"bytes=0-{2 * STEP - 1}" == up.put(told="bytes */*").headers["range"]
    assert calls(host) == before
    last = up.put(whole[2 * STEP :], f"bytes {2 * STEP}-{len(whole) - 1}/{len(whole)}")
    assert last.status_code == 200 and calls(host) == before + 1
    assert raw(client, last.json()["id"]).endswith(whole.partition(b"\r\n\r\n")[2])
    assert up.put(told=f"bytes */{len(whole)}").json() == last.json() and calls(host) == before + 2


def test_an_upload_of_unknown_length_ends_when_its_length_is_told(client: MailClient) -> None:
    whole = MAIL + b"." * (STEP - len(MAIL))
    up = Resumable(client, f"{UP}/messages", {"labelIds": ["INBOX"]})
    assert up.put(whole, f"bytes 0-{STEP - 1}/*").status_code == 308
    done = up.put(told=f"bytes */{STEP}")
    assert done.status_code == 200 and done.json()["labelIds"] == ["INBOX"]
    assert Resumable(client).put(MAIL, headers=MESSAGE).status_code == 200


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("bytes 5-9/10", 400),
        ("bytes 0-3/100", 400),
        ("bytes 0-99/100", 400),
        ("bytes 0-4/3", 400),
        ("bytes 0-4/100", 400),
        ("nonsense", 400),
        ("bytes 4-0/5", 400),
        ("bytes 0-4/99999999999", 413),
        ("bytes */99999999999", 413),
        ("bytes 0-99999999999999999999/5", 400),
        ("bytes -1-3/5", 400),
    ],
)
def test_a_range_that_lies_adds_nothing(client: MailClient, host: Host, told: str, status: int) -> None:
    up, before = Resumable(client), calls(host)
    assert up.put(b"abcde", told).status_code == status
    rest = up.put(told="bytes */*")
    assert rest.status_code == 308 and "range" not in rest.headers and calls(host) == before


def test_a_size_that_changes_is_refused(client: MailClient) -> None:
    up = Resumable(client, X_Upload_Content_Length=str(len(MAIL)))
    assert up.put(MAIL, f"bytes 0-{len(MAIL) - 1}/{len(MAIL) + 1}").status_code == 400
    assert up.put(MAIL[:-1]).status_code == 400
    assert up.put(MAIL).status_code == 200


def test_an_upload_belongs_to_its_caller_and_can_be_given_up(client: MailClient) -> None:
    up = Resumable(client)
    assert up.put(MAIL, who="bo").status_code == 404
    assert client.put(up.address.rpartition("=")[0] + "=guess", content=MAIL).status_code == 404
    assert client.delete(up.address).status_code == 499
    assert up.put(MAIL).status_code == 404
    assert Resumable(client).put(MAIL, headers={"Authorization": None}).status_code == 200  # the address is the secret


def test_uploads_end_with_their_world_and_have_a_bound(client: MailClient, host: Host) -> None:
    first = Resumable(client)
    for _ in range(MOST_SESSIONS):
        last = Resumable(client)
    assert first.put(MAIL).status_code == 404
    host.drop("w")
    assert client.http.put(last.address, content=MAIL).status_code == 404


def test_more_than_the_documents_largest_is_refused_unread(client: MailClient, host: Host) -> None:
    before = calls(host)
    large = MAIL + b"." * (MOST + 1 - len(MAIL))
    told = client.post(f"{SEND}?uploadType=media", content=large, headers=MESSAGE)
    assert told.status_code == 413 and told.json()["error"]["errors"][0]["reason"] == "uploadTooLarge"
    start = client.post(f"{SEND}?uploadType=resumable", headers={"X-Upload-Content-Length": str(MOST + 1)})
    assert start.status_code == 413
    over = iter([b"x" * (4 * 1024 * 1024)] * 13)
    assert (
        client.post(f"{ME}/messages/send", content=over, headers={"Content-Type": "application/json"}).status_code
        == 413
    )
    assert calls(host) == before
    assert (
        API.by_operation["users.messages.send"].most == MOST
        and API.by_operation["users.messages.insert"].most == 157_286_400
    )


def test_a_bad_start_is_refused(client: MailClient) -> None:
    for headers in (
        {"X-Upload-Content-Length": "many"},
        {"X-Upload-Content-Type": "image/png"},
        {"X-Upload-Content-Length": "9" * 30},
    ):
        assert client.post(f"{SEND}?uploadType=resumable", headers=headers).status_code == 400, headers
    assert client.post(f"{SEND}?uploadType=resumable", json={"nonsense": 1}).status_code == 400
