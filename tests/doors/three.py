"""The three doors of a running server, each with one lasting client, and what a call through one left in its world."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import httpx2
import orjson
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.conformance.mail import TORN, method_of
from tests.conformance.specs import validate
from tests.conftest import Server
from world.core.journal import changes
from world.core.operation import Operation
from world.core.principal import Kind, Principal
from world.core.request_builder import Wire
from world.run.host import Host
from world.server.control_state import token_form
from world.web.rest_door import find_rest_door
from world.web.session import COOKIE

TOKEN = 'name="_token" value="'
CALLS = "SELECT seq, at, actor, operation, params_hash, cause_seq, status FROM _call WHERE seq > ? ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Trace:
    """What calls left behind, without the numbers that differ between doors: rows, calls, and the time it is now."""

    rows: tuple[Any, ...]
    calls: tuple[Any, ...]
    now: int
    ended: str | None

    @property
    def statuses(self) -> list[str]:
        """How each call ended."""
        return [call[-1] for call in self.calls]


@dataclass(frozen=True, slots=True)
class Said:
    """What a door answered: whether it took the call, and its words; over HTTP, its status and headers too."""

    accepted: bool
    text: str
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


class Doors:
    """Clients of every door. `world` and `person` choose on whose behalf the next calls are made."""

    def __init__(self, server: Server) -> None:
        self.server, self.host = server, server.up.host
        self._stack = ExitStack()
        self._http = self._stack.enter_context(httpx.Client(timeout=60))
        self._portal: BlockingPortal = self._stack.enter_context(start_blocking_portal())
        self._tools: dict[str, Client] = {}
        self._bearer, self._cookie, self._proof = "", "", ""

    def close(self) -> None:
        """Close every client."""
        self._stack.close()

    def become(self, world: str, person: str, app: str, kind: Kind = "user") -> None:
        """Work in a world as a person from now on."""
        self._bearer, self._cookie = self.server.do(lambda: tokens(self.host, world, person, app, kind))
        self._proof = ""

    def call(self, door: str, operation: Operation, arguments: Mapping[str, Any]) -> Said:
        """One call through a door."""
        return {"rest": self.rest, "mcp": self.mcp, "page": self.page}[door](operation, arguments)

    def rest(self, operation: Operation, arguments: Mapping[str, Any]) -> Said:
        """The vendor's request."""
        headers = {"Authorization": f"Bearer {self._bearer}"}
        url, rest = self.server.url, find_rest_door(operation.app)
        if rest is None:
            address = f"{url}/world/{operation.id.split('.')[1]}"
            reads = operation.id == "world.now"
            answer = (
                self._http.get(address, headers=headers)
                if reads
                else self._http.post(address, json=arguments, headers=headers)
            )
            return _said(answer, answer.status_code == 200)
        wire = rest.wire(operation.id, arguments)
        answer = self._request(
            wire.method,
            f"{url}/{operation.app}{wire.path}",
            params=wire.query or None,
            headers={**headers, **wire.headers},
            json=wire.json,
            data=wire.form,
            files=wire.files,
            content=wire.content,
        )
        if operation.app == "gmail" and answer.status:
            published(wire, answer)
        refused = '"ok":false' in answer.text[:20] or (operation.id == "graphql/mutate" and '"errors":[' in answer.text)
        return answer if answer.status == 0 else replace(answer, accepted=answer.status < 400 and not refused)

    def _request(self, method: str, url: str, **more: Any) -> Said:
        """What came back; nothing at all when the connection broke inside the answer."""
        try:
            answer = self._http.request(method, url, **more)
        except httpx.RemoteProtocolError:
            return Said(False, "")
        return _said(answer, True)

    def mcp(self, operation: Operation, arguments: Mapping[str, Any]) -> Said:
        """The derived tool."""
        name = operation.id.split(".")[1] if operation.app == "world" else operation.snake
        answer = self._portal.call(self._tool(operation.app).call_tool, name, dict(arguments))
        return Said(not answer.is_error, "\n".join(getattr(part, "text", "") for part in answer.content))

    def _tool(self, app: str) -> Client:
        if app not in self._tools:
            http = self._stack.enter_context(
                self._portal.wrap_async_context_manager(httpx2.AsyncClient(auth=_Bearer(self), timeout=60))
            )
            address = f"{self.server.url}/mcp/world" if app == "world" else f"{self.server.url}/mcp/{app}/operations"
            opened = Client(streamable_http_client(address, http_client=http), mode="auto")
            self._tools[app] = self._stack.enter_context(self._portal.wrap_async_context_manager(opened))
        return self._tools[app]

    def page(
        self, operation: Operation, arguments: Mapping[str, Any], place: str = "/more", *, app: str = "", **control: str
    ) -> Said:
        """The form, sent from a page of the operation's app, or of another `app` that shows it. `control` are its
        hidden fields; `_script` sends it as the script does.
        """
        base = f"{self.server.url}/{app or paged(operation)}"
        self.open_page(operation)
        script = {"HX-Request": "true", "HX-Current-URL": base + place} if control.pop("_script", "") else {}
        answer = self._http.post(
            f"{base}/do/{operation.id}",
            data={**fields(arguments), **control, "_token": self._proof},
            headers={
                "Cookie": f"{COOKIE}={self._cookie}",
                "Origin": self.server.url,
                "Referer": base + place,
                **script,
            },
        )
        return _said(answer, answer.status_code < 400)

    def look(self, address: str) -> httpx.Response:
        """The page at an address, or the one it leads to."""
        headers = {"Cookie": f"{COOKIE}={self._cookie}"}
        page = self._http.get(f"{self.server.url}{address}", headers=headers)
        return (
            self._http.get(f"{self.server.url}{page.headers['location']}", headers=headers)
            if page.is_redirect
            else page
        )

    def reload(self) -> None:
        """Forget the page looked at, so that the next form is not the same one sent twice."""
        self._proof = ""

    def open_page(self, operation: Operation) -> None:
        """Take the hidden field from a form of the app, once; looking is free when it is done as the live socket does."""
        if not self._proof:
            address = f"{self.server.url}/{paged(operation)}/more"
            page = self._http.get(address, headers={"Cookie": f"{COOKIE}={self._cookie}", "Firm-Live": "1"})
            self._proof = page.text.partition(TOKEN)[2].partition('"')[0]


def published(wire: Wire, answer: Said) -> None:
    """Hold an answer of the mail API against its published description; broken ones and those of our own client are not
    in it.
    """
    body, method = answer.text.encode(), method_of(wire.method, wire.path)
    if not body.startswith(TORN) and (method or answer.status >= 400):
        validate("gmail", method, answer.status, body)


def _said(answer: httpx.Response, accepted: bool) -> Said:
    return Said(accepted, answer.text, answer.status_code, dict(answer.headers))


class _Bearer(httpx2.Auth):
    """Sends whatever token the doors stand for at the moment."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._doors._bearer}"
        yield request


def paged(operation: Operation) -> str:
    """The app on whose pages an operation's form stands; what belongs to the employee is on those of any app."""
    return "slack" if operation.app == "world" else operation.app


def leave(host: Host, world: str, person: str) -> None:
    """Make somebody leave the company, as an event of a scenario would."""
    bound = host.actors[world].bound
    bound.sql.begin()
    bound.raw.execute("UPDATE person SET status = 'left' WHERE id = ?", (person,))
    bound.sql.commit()


def tokens(host: Host, world: str, person: str, app: str, kind: Kind) -> tuple[str, str]:
    """The vendor's token and the login cookie of a person."""
    generation, vendor = host.actors[world].generation, "" if app == "world" else app
    bearer = Principal(world, person, kind, vendor, generation=generation)
    cookie = Principal(world, person, kind, "", generation=generation)
    return host.tokens.issue(bearer, token_form(host, vendor, kind)), host.tokens.issue(cookie)


def trace(host: Host, world: str, since: int) -> Trace:
    """What happened in a world after a call."""
    actor = host.actors[world]
    rows = tuple((c.call_seq, c.table, c.pk, c.op, c.before, c.after) for c in changes(actor.bound, since))
    calls = tuple(actor.bound.raw.execute(CALLS, (since,)).fetchall())
    return Trace(rows, calls, actor.now, actor.ended)


def fields(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as a form sends them: dotted names for objects of texts, repeated names for lists of texts, else JSON."""
    return dict(_fields(arguments, ""))


def _fields(arguments: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in arguments.items():
        if isinstance(value, Mapping) and value and all(isinstance(item, str) for item in value.values()):
            yield from _fields(value, f"{prefix}{name}.")
        elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            yield prefix + name, value
        elif isinstance(value, bool):
            yield prefix + name, str(value).lower()
        elif isinstance(value, (Mapping, list)):
            yield f"{prefix}{name}:json", orjson.dumps(value).decode()
        elif value is not None:
            yield prefix + name, str(value)
