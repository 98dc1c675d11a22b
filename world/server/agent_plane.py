"""The agents' plane: every app by path and by host, tool surfaces, login, the employee's own routes."""

import logging
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from types import ModuleType
from typing import Any

import apsw
from sqlalchemy.exc import DatabaseError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from world.core import discovery
from world.core.clock import http_date
from world.run.host import Host
from world.run.quarantine import WorldQuarantined, is_damage
from world.script.errors import ScenarioError
from world.server.exchange_capture import ExchangeCapture
from world.server.lazy_app import LazyApplication, LazySurfaces
from world.server.request_limits import SENTENCES, find_excess
from world.server.step_queue import TurnTaking, find_by_headers
from world.server.team_order import TeamOrder
from world.server.world_api import employee_routes
from world.store import StoreError
from world.web import build_missing_route, page_routes, site_routes
from world.web.response_headers import add_page_headers, is_fragment
from world.web.rest_door import find_rest_door
from world.web.routes import API_HOST, VENDOR_HOST
from world.web.site import error_page, launcher_route, wants_page

log = logging.getLogger("firmament")
Paths = list[tuple[str, str]]
TRY_LATER = 1013  # RFC 6455, IANA registry of close codes
LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "testserver")


def agent_plane(
    host: Host,
    packages: Sequence[ModuleType],
    *,
    allow_hosts: Iterable[str] = (),
    surfaces: Callable[[], ModuleType | None] | None = None,
) -> Starlette:
    """The application on the agents' socket. `surfaces` finds the module that serves tool surfaces, if installed."""
    mounted = {package.app.name: LazyApplication(partial(_app, host, package)) for package in packages}
    tools = (
        LazySurfaces(surfaces, tuple(host.apps), host=host, allow_hosts=tuple(allow_hosts))
        if surfaces is not None
        else None
    )
    routes: list[BaseRoute] = [*site_routes(host), launcher_route(host), *employee_routes(host)]
    if tools is not None:
        routes += tools.routes()
    routes += [Mount(f"/{name}", app=app) for name, app in mounted.items()]
    plane = Starlette(
        routes=routes, lifespan=tools.lifespan if tools is not None else None, exception_handlers=_handlers(host)
    )
    plane.state.late = [*mounted.values(), *([tools] if tools is not None else [])]
    by_host = {
        name: Starlette(routes=[*site_routes(host), Mount("", app=app)], exception_handlers=_handlers(host, name))
        for name, app in mounted.items()
    }
    plane.add_middleware(_Edge, host=host, by_host=by_host, apis=mounted, allow=frozenset((*LOOPBACK, *allow_hosts)))
    plane.add_middleware(TurnTaking, turns=host.turns, find=find_by_headers(host.tokens))
    return plane


def vendor_hosts(host: Host) -> list[str]:
    """The vendors' own host names; `*.x` stands for every name below x."""
    return sorted({name.partition("/")[0] for app in host.apps.values() for name in app.hosts})


def vendor_paths(host: Host) -> dict[str, Paths]:
    """Host name -> which app answers below which path of it, the longest path first."""
    found: dict[str, Paths] = {}
    for app in host.apps.values():
        for name, _, path in (one.partition("/") for one in app.hosts):
            found.setdefault(name, []).append((f"/{path}", app.name))
    return {name: sorted(paths, key=lambda one: -len(one[0])) for name, paths in found.items()}


def own_paths(vendors: Mapping[str, Paths], apps: Container[str]) -> dict[str, Paths]:
    """The same by the first label of a name, for other domains; a label that several apps have goes by path alone, an
    app's name by itself.
    """
    found: dict[str, Paths] = {}
    for name, paths in vendors.items():
        label = name.partition(".")[0]
        if label != "*" and label not in apps:
            found.setdefault(label, []).extend(paths)
    return {
        label: paths if len({app for _, app in paths}) == 1 else [one for one in paths if one[0] != "/"]
        for label, paths in found.items()
    }


def _find_app(paths: Paths, path: str) -> str | None:
    return next((app for below, app in paths if path.startswith(below)), None)


def _app(host: Host, package: ModuleType) -> Starlette:
    rest, pages = find_rest_door(package.app.name), discovery.part(package, "pages")
    routes: list[BaseRoute] = list(rest.routes(host)) if rest else []
    if pages:
        routes += [*page_routes(host, pages), build_missing_route(host, pages)]
    app = Starlette(routes=routes, exception_handlers=_handlers(host, package.app.name))
    app.add_middleware(ExchangeCapture, host=host)
    app.add_middleware(TeamOrder, host=host)
    return app


def _handlers(host: Host, app: str = "") -> Mapping[Any, Any]:
    """Return the handlers of errors outside routes: a page for a browser, for other clients the vendor's own error.

    Where no vendor's app is meant, that error is a line of text.
    """

    async def answer_unknown(request: Request, error: HTTPException) -> Response:
        if shows_page(request):
            return error_page(host, request, error.status_code)
        return _answer_program(host, app, request, error.status_code, error.headers or {})

    async def handle_crash(request: Request, error: Exception) -> Response:
        """The last resort for programming errors; a refusal never comes here."""
        log.exception("%s %s", request.method, request.url.path, exc_info=error)
        return _answer_broken(host, app, request, 500)

    async def handle_scenario_error(request: Request, error: ScenarioError) -> Response:
        """A scenario's own mistake, told to its author by file and line."""
        log.error("%s %s: %s", request.method, request.url.path, error)
        return _answer_broken(host, app, request, 500)

    async def handle_damage(asked: Request | WebSocket, error: Exception) -> Response | None:
        """A door's own look at the rows that could not be read; what else the store refuses is a programming error."""
        if host.strict or not is_damage(error):
            raise error
        closed = host.quarantine(asked.scope.get("firm.world", ""), f"the door of {asked.url.path}", error)
        return await handle_quarantine(asked, closed)

    async def handle_quarantine(asked: Request | WebSocket, _: WorldQuarantined) -> Response | None:
        """A world that takes no calls; only the control plane says why."""
        if isinstance(asked, WebSocket):
            return await asked.close(TRY_LATER)
        return _answer_broken(host, app, asked, 503)

    return {
        404: answer_unknown,
        405: answer_unknown,
        WorldQuarantined: handle_quarantine,
        StoreError: handle_damage,
        apsw.Error: handle_damage,
        DatabaseError: handle_damage,
        ScenarioError: handle_scenario_error,
        Exception: handle_crash,
    }


def _answer_program(host: Host, app: str, request: Request, status: int, headers: Mapping[str, str]) -> Response:
    named = app or request.url.path.split("/")[1]
    rest = find_rest_door(named) if named in host.apps else None
    if rest is None or rest.missing is None:
        return PlainTextResponse(HTTPStatus(status).phrase, status, dict(headers))
    response = rest.missing(request, status)
    response.headers.update(headers)
    return response


def _answer_broken(host: Host, app: str, request: Request, status: int) -> Response:
    if status == 503 and is_fragment(request):
        return add_page_headers(Response(status_code=status, headers={"HX-Refresh": "true"}))
    return error_page(host, request, status) if shows_page(request) else _answer_program(host, app, request, status, {})


def shows_page(request: Request) -> bool:
    """Whether a person sees the answer: not at a host that shows no pages."""
    return wants_page(request) and not request.scope.get(API_HOST)


class _Edge:
    """Host allow-list, apps by host name, and the simulated Date of the world that answered."""

    def __init__(
        self,
        app: ASGIApp,
        host: Host,
        by_host: dict[str, Starlette],
        apis: Mapping[str, ASGIApp],
        allow: frozenset[str],
    ) -> None:
        self._app, self._host, self._by_host, self._apis, self._allow = app, host, by_host, apis, allow
        self._api_hosts = frozenset(name for app in host.apps.values() for name in app.api_hosts)
        self._vendors = vendor_paths(host)
        self._labels = own_paths(self._vendors, by_host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if scope["type"] == "http" and (excess := find_excess(scope)) is not None:
            await PlainTextResponse(SENTENCES[excess], excess)(scope, receive, send)
            return
        name = _host_name(scope)
        label, _, rest = name.partition(".")
        listed = name if name in self._vendors else f"*.{rest}"
        vendor = self._vendors.get(listed)
        known = vendor is not None or name in self._allow or rest in self._allow or name.endswith(".localhost")
        if not known:
            await self._refuse(scope, receive, send)
            return
        answering = _find_app(vendor or self._labels.get(label, []), scope["path"]) if rest else None
        scope[VENDOR_HOST] = vendor is not None
        target: ASGIApp = self._by_host.get(answering or label, self._app) if rest else self._app
        if answering and listed in self._api_hosts:
            scope[API_HOST] = True
            target = self._apis[answering]
        await target(scope, receive, _add_date(scope, send, self._host) if scope["type"] == "http" else send)

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


def _add_date(scope: Scope, send: Send, host: Host) -> Send:
    async def send_dated(message: Message) -> None:
        if message["type"] == "http.response.start":
            world = scope.get("firm.world")
            actor = host.actors.get(world) if world and world not in host.quarantined else None
            if actor is not None:
                message["headers"] = [*message["headers"], (b"date", http_date(actor.now).encode())]
        await send(message)

    return send_dated
