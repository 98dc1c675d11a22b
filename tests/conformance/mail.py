"""Clients of the mail service's REST door whose every answer is compared with the published description."""

import re
from email import message_from_bytes
from email.message import Message
from typing import Any
from urllib.parse import unquote

import httpx2
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Scope

from apps.gmail import rest
from tests.company import as_person
from tests.conformance.answers import CheckedAnswers, Messages
from tests.conformance.specs import methods, validate
from tests.conformance.verbs import Verbs
from world.run.host import Host

MOUNT = "/gmail"
PREFIX = re.compile(r"^(?:/resumable)?(?:/upload)?(?:/gmail)?/v1/users/")
TOO_LARGE = (414, 431)  # said before the API is reached
TORN = b'{\n  "messages": [\n    {\n      "id": "18'  # what a broken answer begins with


def method_of(verb: str, path: str) -> str:
    """The published method of a request below the mount, "" for none."""
    path = path.removeprefix(MOUNT) if path.startswith(f"{MOUNT}/gmail/") else path
    found = PREFIX.match(path)
    if found is None:
        return ""
    segments = [unquote(part) for part in path[found.end() :].split("/")]
    fitting = [
        name for name, one in methods("gmail").items() if one["httpMethod"] == verb and _fits(one["path"], segments)
    ]
    return min(fitting, key=lambda name: methods("gmail")[name]["path"].count("{"), default="")


def _fits(path: str, segments: list[str]) -> bool:
    mine = path.removeprefix("gmail/v1/users/").split("/")
    return len(mine) == len(segments) and all(
        one.startswith("{") or one == other for one, other in zip(mine, segments, strict=True)
    )


class Checked(CheckedAnswers):
    """An application whose answers to methods of the mail API must be as published."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, _is_published, check)


def _is_published(scope: Scope) -> bool:
    """Whether a request is one to the API that the description is of."""
    path = scope["raw_path"].decode("latin-1").removeprefix(MOUNT)
    return path.startswith(("/gmail/", "/v1/", "/upload/", "/resumable/"))


def check(scope: Scope, sent: Messages) -> None:
    """Compare one exchange with the description; uploads under way, broken answers and our own client's are not in it."""
    path = scope["raw_path"].decode("latin-1").partition("?")[0].removeprefix(MOUNT)
    status = sent[0]["status"]
    body = b"".join(message.get("body", b"") for message in sent[1:])
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    query = scope["query_string"].decode("latin-1")
    partly = status in (308, 499) or (status == 200 and "upload_id=" not in query and "uploadType=resumable" in query)
    if body.startswith(TORN) or partly or status in TOO_LARGE:
        return
    verb = headers.get("x-http-method-override", scope["method"])
    resumed = method_of("POST", path) or method_of("PUT", path) if "upload_id=" in query else ""
    validate("gmail", resumed or method_of(verb, path), status, body)


class MailClient(Verbs):
    """An HTTP client that speaks as anybody: `client.get(path, who="bo")`; Ada unless told."""

    def __init__(self, host: Host) -> None:
        self.host = host
        served = Starlette(routes=[Mount(MOUNT, app=Starlette(routes=rest.routes(host)))])
        self.http = TestClient(Checked(served), base_url="http://mail.test/gmail")

    def token(self, who: str, *scopes: str) -> str:
        """A person's access token."""
        return self.host.tokens.issue(as_person(self.host, who, app="gmail", scopes=scopes), "ya29.{}")

    def request(
        self, method: str, path: str, *, who: str = "ada", scopes: tuple[str, ...] = (), **more: Any
    ) -> httpx2.Response:
        """One request."""
        headers = {"Authorization": f"Bearer {self.token(who, *scopes)}", **(more.pop("headers", None) or {})}
        return self.http.request(
            method, path, headers={name: value for name, value in headers.items() if value is not None}, **more
        )

    def batch(self, *calls: tuple[str, str], **more: Any) -> list[Message]:
        """GETs and DELETEs as one batch; the parts of the answer, each checked."""
        kind = "Content-Type: application/http\r\nContent-ID: <item-{}>\r\n\r\n"
        parts = [f"--cut\r\n{kind.format(n)}{verb} {path} HTTP/1.1\r\n\r\n\r\n" for n, (verb, path) in enumerate(calls)]
        headers = {"Content-Type": "multipart/mixed; boundary=cut", **more.pop("headers", {})}
        answer = self.post("/batch/gmail/v1", content="".join(parts) + "--cut--\r\n", headers=headers, **more)
        assert answer.status_code == 200, answer.text
        found = opened(answer)
        for (verb, path), part in zip(calls, found, strict=True):
            status, content = told(part)
            validate("gmail", method_of(verb, path.partition("?")[0]), status, content)
        return found


def opened(answer: httpx2.Response) -> list[Message]:
    """The parts of a batch's answer."""
    whole = message_from_bytes(
        b"Content-Type: " + answer.headers["content-type"].encode() + b"\r\n\r\n" + answer.content
    )
    listed = whole.get_payload()
    assert isinstance(listed, list)
    return [part for part in listed if isinstance(part, Message)]


def told(part: Message) -> tuple[int, bytes]:
    """Status and body of a part."""
    inner = str(part.get_payload()).encode()
    head, _, body = inner.replace(b"\r\n", b"\n").partition(b"\n\n")
    return int(head.split(b" ")[1]), body
