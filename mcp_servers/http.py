"""Tool surfaces over HTTP: addresses, authentication, sessions, hosts and origins."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from inspect import signature
from itertools import takewhile
from typing import Any

import orjson
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import QueryParams
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from mcp_servers.catalogue import Catalogue, catalogue
from mcp_servers.error_bodies import bodies
from mcp_servers.host_config import COMBINED
from mcp_servers.plain_http import PlainDoor
from mcp_servers.serve import Context, ToolServer
from mcp_servers.sessions import CallsUnderWay
from mcp_servers.toolset import WORLD, Toolset, quote_known_name
from world.core.principal import Principal
from world.run.authentication import identify
from world.run.host import Host
from world.run.team_turns import MemberTurn

MAX_BODY = 10 * 1024 * 1024  # attachments travel as base64
IDLE_S = 1800
MAX_SESSIONS = 50_000
SESSIONS_EACH = 16  # of one employee at one address; the oldest is closed for a further one
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
SESSION, LAST_EVENT = b"mcp-session-id", b"last-event-id"
Key = tuple[bytes, str | int]  # session, request id
IN_FLIGHT = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Request id already in flight"}}'


def employee(context: Context) -> Principal:
    """Return the principal of the request that a handler serves; the door sets it per request, in both protocol eras.

    Raises LookupError outside the HTTP door.
    """
    request = context.request
    if request is None:
        raise LookupError("a request outside the HTTP front")
    return request.scope["firm.actor"]


def security(allow_hosts: Iterable[str]) -> TransportSecuritySettings:
    """Loopback and the given names, on any port; never switched off."""
    names = (*LOOPBACK, *(name.removesuffix(":*") for name in allow_hosts))
    hosts = [form for name in names for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in hosts],
    )


def digests(host: Host) -> dict[str, str]:
    """Version and SHA-256 of each tool list, by address: `slack`, `slack/operations`, `all`."""
    found = catalogue(host.apps.values())
    named = {
        f"{app}/{name}".rstrip("/"): tools for app, of_app in found.of_app.items() for name, tools in of_app.items()
    }
    return {
        name: f"{tools.version} {tools.digest}" for name, tools in sorted({**named, COMBINED: found.combined}.items())
    }


class McpEndpoint:
    """One address: checks the bearer token, binds sessions to it, and hands over to the protocol server."""

    def __init__(self, host: Host, tools: ToolServer, app: str, settings: TransportSecuritySettings) -> None:
        self._host, self._app, self.tools = host, app, tools
        known = signature(StreamableHTTPSessionManager).parameters
        limits: dict[str, Any] = {"max_sessions": MAX_SESSIONS} if "max_sessions" in known else {}
        self.manager = StreamableHTTPSessionManager(
            app=tools.server,
            json_response=True,
            stateless=False,
            security_settings=settings,
            session_idle_timeout=IDLE_S,
            max_request_body_size=MAX_BODY,
            **limits,
        )
        self._in_flight: set[Key] = set()
        self._calls = CallsUnderWay()
        self._sessions: OrderedDict[bytes, Principal] = OrderedDict()
        self._owned: dict[Principal, list[bytes]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        principal = self.find_principal(headers)
        if principal is None:
            await _UNAUTHORISED(scope, receive, send)
            return
        if scope["path_params"].get("world", principal.world) != principal.world:
            await _NOT_FOUND(scope, receive, send)
            return
        scope["firm.actor"], scope["firm.world"], scope["user"] = principal, principal.world, _user(principal)
        if unknown := self.find_unknown(scope):
            await _refuse_narrowing(unknown)(scope, receive, send)
            return
        session = headers.get(SESSION)
        if session is None:
            await self._open_session(scope, receive, send, principal)
        elif scope["method"] == "POST":
            await self._once(scope, receive, send, session)
        else:
            if scope["method"] == "DELETE":
                await self._calls.finish(session)
            await self.manager.asgi_app(_begin_stream_anew(scope), receive, send)
            if scope["method"] == "DELETE":
                self._forget(session)
                self._calls.forget(session)

    def enter_turn(self, principal: Principal) -> MemberTurn:
        """The turn of a call in its team."""
        return self._host.team_turns.enter(principal)

    def find_unknown(self, scope: Scope) -> str:
        """A word of the address that names no app and no tool of this list."""
        query = QueryParams(scope["query_string"].decode("latin-1"))
        tools = self.tools.tools.tools
        apps = {tool.app for tool in tools.values()}
        words = [(word, apps) for word in query.get("apps", "").split(",")]
        words += [(word, tools.keys()) for word in query.get("tools", "").split(",")]
        return next((word for word, known in words if word and word not in known), "")

    def find_principal(self, headers: Mapping[bytes, bytes]) -> Principal | None:
        """The employee of a bearer token that this address admits, or None."""
        scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        app = "" if self._app in (WORLD, COMBINED) else self._app
        found = identify(self._host, app, token.strip() if scheme.lower() == "bearer" else "")
        return found if found is not None and self._lives(found) else None

    def _lives(self, principal: Principal) -> bool:
        actor = self._host.actors.get(principal.world)
        if actor is None:
            return principal.world in self._host.quarantined
        return actor.generation == principal.generation

    async def _open_session(self, scope: Scope, receive: Receive, send: Send, principal: Principal) -> None:
        opened: list[bytes] = []
        messages, _ = await _body(receive)
        if _is_broken_off(messages):
            return

        async def note_session(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                opened.extend(value for key, value in message["headers"] if key == SESSION)
            await send(message)

        await self.manager.asgi_app(scope, _replay(messages, receive), note_session)
        for session in opened:
            self._sessions[session] = principal
            self._owned.setdefault(principal, []).append(session)
            await self._make_room(self._owned[principal])

    async def _make_room(self, mine: list[bytes]) -> None:
        """Close the sessions of worlds that are gone, least recent first, and an employee's oldest beyond the quota."""
        gone = list(takewhile(lambda session: not self._lives(self._sessions[session]), self._sessions))
        for session in (*gone, *mine[:-SESSIONS_EACH]):
            await self._close(session, self._sessions[session])

    def _forget(self, session: bytes) -> None:
        owner = self._sessions.pop(session, None)
        if owner is not None:
            self._owned[owner].remove(session)
            if not self._owned[owner]:
                del self._owned[owner]

    async def _close(self, session: bytes, owner: Principal) -> None:
        self._forget(session)
        await self._calls.finish(session)
        headers = [(b"host", b"127.0.0.1"), (b"accept", b"application/json, text/event-stream"), (SESSION, session)]
        scope = {
            "type": "http",
            "method": "DELETE",
            "path": "/",
            "query_string": b"",
            "headers": headers,
            "user": _user(owner),
        }
        await self.manager.asgi_app(scope, _receive_nothing, _unheard)
        self._calls.forget(session)

    async def _once(self, scope: Scope, receive: Receive, send: Send, session: bytes) -> None:
        """Serve a request unless its id is being served already: the package would never answer the second."""
        messages, body = await _body(receive)
        if _is_broken_off(messages):
            return
        key = _key(session, body)
        if key is not None and key in self._in_flight:
            await Response(IN_FLIGHT, 400, media_type="application/json")(scope, receive, send)
            return
        if self._calls.is_closing(session):
            await _NO_SESSION(scope, receive, send)
            return
        if session in self._sessions:
            self._sessions.move_to_end(session)
        with self._under_way(key), self._calls.under_way(session):
            await self.manager.asgi_app(scope, _replay(messages, receive), send)

    @contextmanager
    def _under_way(self, key: Key | None) -> Iterator[None]:
        if key is None:
            yield
            return
        self._in_flight.add(key)
        try:
            yield
        finally:
            self._in_flight.discard(key)


_UNAUTHORISED = Response(
    b'{"error":"unauthorized","message":"Send an employee token as Authorization: Bearer."}',
    401,
    {"WWW-Authenticate": "Bearer"},
    "application/json",
)
_NO_SESSION = Response(
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Session not found"}}', 404, None, "application/json"
)
_NOT_FOUND = Response(b"Not Found", 404, media_type="text/plain")


def _refuse_narrowing(word: str) -> Response:
    said = f"{quote_known_name(word)} is no app and no tool of this address."
    return Response(orjson.dumps({"error": "not_found", "message": said}), 404, None, "application/json")


def _user(principal: Principal) -> AuthenticatedUser:
    """Return the identity that the package compares with a session's owner: the world's generation and employee."""
    client = f"{principal.world}#{principal.generation}"
    return AuthenticatedUser(
        AccessToken(token="-", client_id=client, subject=f"{principal.person}/{principal.app}", scopes=[])
    )


def _begin_stream_anew(scope: Scope) -> Scope:
    """The request without the event it would go on after: answers come whole, so no event is kept to be sent again."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != LAST_EVENT]}


def _is_broken_off(messages: list[Message]) -> bool:
    """Whether a client has gone within the body: nobody is there to be answered."""
    return messages[-1]["type"] == "http.disconnect"


def _key(session: bytes, body: bytes) -> Key | None:
    try:
        sent = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    id = sent.get("id") if isinstance(sent, dict) and "method" in sent else None
    return (session, id) if isinstance(id, (str, int)) else None


async def _body(receive: Receive) -> tuple[list[Message], bytes]:
    """Return the messages of a request's body up to the limit, and their bytes; a longer body is refused later."""
    messages: list[Message] = []
    size = 0
    while True:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False) or size > MAX_BODY:
            break
    return messages, b"".join(m.get("body", b"") for m in messages) if size <= MAX_BODY else b""


def _replay(messages: list[Message], receive: Receive) -> Receive:
    left = iter(messages)

    async def again() -> Message:
        message = next(left, None)
        return await receive() if message is None else message

    return again


async def _receive_nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    return None


def routes(host: Host, *, allow_hosts: Iterable[str] = (), known: Catalogue | None = None) -> list[BaseRoute]:
    """`/mcp`, `/mcp/<app>`, `/mcp/<app>/<surface>`, the same below `/tools` without the protocol, and all of them below
    `/w/<world>`; `lifespan` must be open meanwhile.
    """
    found, settings = known or catalogue(host.apps.values()), security(allow_hosts)
    said = bodies(host.apps)

    def door(app: str, tools: Toolset) -> McpEndpoint:
        return McpEndpoint(host, ToolServer(host, tools, said, employee), app, settings)

    doors = {"/mcp": door(COMBINED, found.combined)}
    for app, made in sorted(found.of_app.items()):
        one = {id(tools): door(app, tools) for tools in made.values()}
        for name, tools in sorted(made.items()):
            doors[f"/mcp/{app}/{name}".rstrip("/")] = one[id(tools)]
    doors |= {alias_of(path): one for path, one in doors.items() if path != "/mcp"}
    plain = {
        path.replace("/mcp", "/tools", 1): PlainDoor(one) for path, one in doors.items() if path.startswith("/mcp")
    }
    return [
        Route(prefix + path, one) for prefix in ("", "/w/{world}") for path, one in (*doors.items(), *plain.items())
    ]


def alias_of(path: str) -> str:
    """The other address of a surface, below its app's: `/mcp/slack/reference` -> `/slack/mcp/reference`."""
    _, mcp, app, *surface = path.split("/")
    return "/".join(["", app, mcp, *surface])


@asynccontextmanager
async def lifespan(served: Iterable[BaseRoute]) -> AsyncIterator[None]:
    """Keeps the session managers of all doors among these routes open. A set of routes can be opened once."""
    endpoints = [route.endpoint for route in served if isinstance(route, Route)]
    doors = {id(door): door for door in endpoints if isinstance(door, McpEndpoint)}
    async with AsyncExitStack() as stack:
        for door in doors.values():
            await stack.enter_async_context(door.manager.run())
        yield


__all__ = ["McpEndpoint", "employee", "lifespan", "routes", "security"]
