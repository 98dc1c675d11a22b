"""Everything an employee can get to see: each reading operation over REST, and every page that a link leads to."""

import html
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx

from tests.conftest import Server
from tests.doors.three import tokens
from world.agents.examples import Examples
from world.core import discovery
from world.core.errors import OperationError
from world.core.operation import Operation
from world.core.request_builder import Wire
from world.web.rest_door import find_rest_door
from world.web.session import COOKIE

STRIDE = int(
    os.environ.get("FIRMAMENT_PROBE_STRIDE", "5")
)  # of the requests that differ only in who asks or how, one in so many is made
LINK = re.compile(r'(?:href|src|hx-get)="([^"#]+)')
REST = {app.name: rest for app in discovery.apps() if (rest := find_rest_door(app.name))}


class Employee:
    """One person in one world, at the doors of a running server."""

    def __init__(self, server: Server, world: str, person: str) -> None:
        self.server, self.host, self.world, self.person = server, server.up.host, world, person
        self.bearer = {
            app: server.do(partial(tokens, self.host, world, person, app, "user"))[0] for app in (*REST, "world")
        }
        self.cookie = server.do(partial(tokens, self.host, world, person, "world", "user"))[1]
        self.http = httpx.Client(base_url=server.url, timeout=60)

    def __enter__(self) -> "Employee":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def page(self, address: str, **headers: str) -> httpx.Response:
        """GET with the login cookie."""
        return self.http.get(address, headers={"Cookie": f"{COOKIE}={self.cookie}", **headers})

    def form(self, app: str, operation: str, data: Mapping[str, Any], **headers: str) -> httpx.Response:
        """POST a form with the login cookie; `_token` is the caller's affair."""
        return self.http.post(
            f"/{app}/do/{operation}", data=dict(data), headers={"Cookie": f"{COOKIE}={self.cookie}", **headers}
        )

    def form_token(self, app: str) -> str:
        """The hidden field of a form of ours."""
        return (
            self.page(f"/{app}/more", **{"Firm-Live": "1"}).text.partition('name="_token" value="')[2].partition('"')[0]
        )

    def rest(self, operation: Operation, arguments: Mapping[str, Any]) -> httpx.Response:
        """The vendor's request for an operation."""
        return self.send(operation.app, REST[operation.app].wire(operation.id, arguments))

    def send(self, app: str, wire: Wire) -> httpx.Response:
        """A request in an app's wire shape."""
        return self.http.request(
            wire.method,
            f"/{app}{wire.path}",
            params=wire.query or None,
            json=wire.json,
            data=wire.form,
            files=wire.files,
            headers={"Authorization": f"Bearer {self.bearer[app]}", **wire.headers},
        )

    def examples(self, *, writes: bool = False) -> list[tuple[Operation, dict[str, Any]]]:
        """Reading operations with arguments that hold in this world for this person; with `writes`, all operations."""
        return self.server.do(lambda: list(self._examples(writes)))

    def _examples(self, writes: bool) -> Iterator[tuple[Operation, dict[str, Any]]]:
        me = self.host.principal(self.world, self.person)
        known = {id: operation for id, operation in self.host.operations.items() if writes or not operation.writes}
        found = Examples(known, partial(self.host.call, me, "rest"))
        for operation in known.values():
            if operation.app in REST:
                try:
                    yield from ((operation, example) for example in found.of(operation.id))
                except (LookupError, OperationError):
                    continue

    def reads(self) -> Iterator[tuple[str, httpx.Response]]:
        """The answers of all reading operations."""
        for operation, arguments in self.examples():
            yield operation.id, self.rest(operation, arguments)

    def walk(self, *starts: str, most: int = 200) -> Iterator[tuple[str, httpx.Response]]:
        """Pages, files and fragments, each linked from one before; breadth first."""
        waiting, seen = deque(starts), set(starts)
        while waiting and most:
            address = waiting.popleft()
            answer = self.page(address)
            most -= 1
            yield address, answer
            for link in LINK.findall(answer.text) if "html" in answer.headers.get("content-type", "") else ():
                following = self._inside(urljoin(str(answer.url), html.unescape(link)))
                if following and following not in seen:
                    seen.add(following)
                    waiting.append(following)
            if answer.is_redirect and (following := self._inside(urljoin(str(answer.url), answer.headers["location"]))):
                waiting.append(following)

    def _inside(self, address: str) -> str | None:
        parts = urlsplit(address)
        if f"{parts.scheme}://{parts.netloc}" != self.server.url:
            return None
        return parts.path + (f"?{parts.query}" if parts.query else "")
