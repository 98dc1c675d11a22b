"""What agents and people reach: every app by path and by host, tool surfaces, login, the employee's own routes."""

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from types import ModuleType

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from world import discovery
from world.clock import http_date
from world.host import Host
from world.server.employee import employee_routes
from world.web import missing_route, page_routes, site_routes
from world.web.site import launcher_route

log = logging.getLogger("firmament")
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "testserver")


class HostNotAllowed(Exception):
    """A Host header outside the allow-list."""


def agent_plane(
    host: Host, packages: Sequence[ModuleType], *, allow_hosts: Iterable[str] = (), surfaces: ModuleType | None = None
) -> Starlette:
    """The application on the agents' socket. `surfaces` is the module that serves tool surfaces, if installed."""
    mounted = {package.app.name: _app(host, package) for package in packages}
    routes: list[BaseRoute] = [*site_routes(host), launcher_route(host), *employee_routes(host)]
    if surfaces is not None:
        routes += surfaces.routes(host, allow_hosts=tuple(allow_hosts))
    routes += [Mount(f"/{name}", app=app) for name, app in mounted.items()]
    plane = Starlette(routes=routes, lifespan=_lifespan(surfaces, routes), exception_handlers={Exception: _crashed})
    by_host = {
        name: Starlette(routes=[*site_routes(host), Mount("", app=app)], exception_handlers={Exception: _crashed})
        for name, app in mounted.items()
    }
    plane.add_middleware(_Edge, host=host, by_host=by_host, allow=frozenset((*LOOPBACK, *allow_hosts)), vendors=vendor_hosts(host))
    return plane


def vendor_hosts(host: Host) -> dict[str, str]:
    """The vendors' own host names -> app; `*.x` stands for every name below x."""
    return {name: app.name for app in host.apps.values() for name in app.hosts}


def _app(host: Host, package: ModuleType) -> Starlette:
    rest, pages = discovery.part(package, "rest"), discovery.part(package, "pages")
    routes: list[BaseRoute] = list(rest.routes(host)) if rest else []
    if pages:
        routes += [*page_routes(host, pages), missing_route(host, pages)]
    return Starlette(routes=routes, exception_handlers={Exception: _crashed})


def _lifespan(surfaces: ModuleType | None, routes: list[BaseRoute]) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if surfaces is not None:
                await stack.enter_async_context(surfaces.lifespan(routes))
            yield

    return lifespan


async def _crashed(request: Request, error: Exception) -> Response:
    """The last resort for programming errors; a refusal never comes here."""
    log.exception("%s %s", request.method, request.url.path, exc_info=error)
    return PlainTextResponse("Internal Server Error", status_code=500)


class _Edge:
    """Host allow-list, apps by host name, and the simulated Date of the world that answered."""

    def __init__(
        self, app: ASGIApp, host: Host, by_host: dict[str, Starlette], allow: frozenset[str], vendors: dict[str, str]
    ) -> None:
        self._app, self._host, self._by_host, self._allow, self._vendors = app, host, by_host, allow, vendors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        name = _host_name(scope)
        label, _, rest = name.partition(".")
        vendor = self._vendors.get(name) or self._vendors.get(f"*.{rest}")
        known = vendor is not None or name in self._allow or rest in self._allow or name.endswith(".localhost")
        if not known:
            await self._refuse(scope, receive, send)
            return
        target = self._by_host.get(vendor or label, self._app) if rest else self._app
        await target(scope, receive, _dated(scope, send, self._host) if scope["type"] == "http" else send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await PlainTextResponse("Misdirected Request", status_code=421)(scope, receive, send)


def _host_name(scope: Scope) -> str:
    for key, value in scope["headers"]:
        if key == b"host":
            text = value.decode("latin-1").lower()
            return text.rsplit(":", 1)[0] if not text.endswith("]") else text
    return ""


def _dated(scope: Scope, send: Send, host: Host) -> Send:
    async def dated(message: Message) -> None:
        if message["type"] == "http.response.start":
            world = scope.get("firm.world")
            actor = host.actors.get(world) if world else None
            if actor is not None:
                message["headers"] = [*message["headers"], (b"date", http_date(actor.now).encode())]
        await send(message)

    return dated
