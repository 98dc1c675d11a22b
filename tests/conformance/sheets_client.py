"""Clients of the REST door of Sheets and Drive whose every answer is compared with the published descriptions."""

from collections.abc import Callable
from email.message import Message
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount
from starlette.testclient import TestClient

from apps.sheets import rest
from tests.company import as_person
from tests.conformance.mail import opened, told
from tests.conformance.sheets import MOUNT, Checked, method_of
from tests.conformance.specs import NotAsPublished, validate
from tests.conformance.verbs import Verbs
from world.run.host import Host


class SheetsClient(Verbs):
    """An HTTP client that speaks as anybody: `client.get(path, who="bo")`; Ada unless told."""

    def __init__(self, host: Host, routes: Callable[[Host], list[BaseRoute]] = rest.routes) -> None:
        self.host = host
        served = Starlette(routes=[Mount(MOUNT, app=Starlette(routes=routes(host)))])
        self.http = TestClient(Checked(served), base_url="http://sheets.test/sheets")

    def token(self, who: str, *scopes: str, app: str = "sheets") -> str:
        """A person's access token."""
        return self.host.tokens.issue(as_person(self.host, who, app=app, scopes=scopes), "ya29.{}")

    def request(
        self, method: str, path: str, *, who: str = "ada", scopes: tuple[str, ...] = (), **more: Any
    ) -> httpx2.Response:
        """One request."""
        headers = {"Authorization": f"Bearer {self.token(who, *scopes)}", **(more.pop("headers", None) or {})}
        return self.http.request(
            method, path, headers={name: value for name, value in headers.items() if value is not None}, **more
        )

    def batch(self, *calls: tuple[str, str, str], at: str = "/batch/sheets/v4", **more: Any) -> list[Message]:
        """Calls (verb, path, body) as one batch; the parts of the answer, each checked."""
        kind = "Content-Type: application/http\r\nContent-ID: <item-{}>\r\n\r\n"
        inner = "{} {} HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{}\r\n"
        parts = [f"--cut\r\n{kind.format(n)}{inner.format(*call)}" for n, call in enumerate(calls)]
        headers = {"Content-Type": "multipart/mixed; boundary=cut", **more.pop("headers", {})}
        answer = self.post(at, content="".join(parts) + "--cut--\r\n", headers=headers, **more)
        if answer.status_code != 200:
            raise NotAsPublished(f"{at}: {answer.status_code} {answer.text[:300]}")
        found = opened(answer)
        for (verb, path, _), part in zip(calls, found, strict=True):
            validate(*method_of(verb, path.partition("?")[0]), *told(part))
        return found
