"""Applications that are loaded when they are first asked for: a start does not pay for what nobody uses."""

from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

import anyio
from anyio.abc import TaskGroup, TaskStatus
from starlette.routing import BaseRoute, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send


class LazyApplication:
    """One application; `load` makes it."""

    def __init__(self, load: Callable[[], ASGIApp]) -> None:
        self._load = load
        self._app: ASGIApp | None = None

    async def ready(self) -> ASGIApp:
        """The application, loaded if it was not."""
        if self._app is None:
            self._app = self._load()
        return self._app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self.ready())(scope, receive, send)


class LazySurfaces:
    """Tool surfaces; what keeps their sessions runs beside the requests until the plane closes."""

    def __init__(self, find: Callable[[], ModuleType | None], apps: Collection[str] = (), **known: Any) -> None:
        self._find, self._apps, self._known = find, apps, known
        self._app: Router | None = None
        self._group: TaskGroup | None = None
        self._lock = anyio.Lock()

    def routes(self) -> list[BaseRoute]:
        """The addresses that lead here: `/mcp` and what is below it, the same below each app, also of one world."""
        below = [
            "/mcp{rest:path}",
            "/tools{rest:path}",
            *(f"/{app}/mcp{rest}" for app in self._apps for rest in ("", "/{surface}")),
        ]
        return [Route(prefix + path, self) for prefix in ("", "/w/{world}") for path in below]

    @asynccontextmanager
    async def lifespan(self, _: Any) -> AsyncGenerator[None, None]:
        """Must be open while requests come."""
        async with anyio.create_task_group() as self._group:
            yield
            self._group.cancel_scope.cancel()

    async def ready(self) -> Router:
        """The surfaces, loaded if they were not."""
        async with self._lock:
            if self._app is None:
                self._app = Router(await self._open_group())
        return self._app

    async def _open_group(self) -> Sequence[BaseRoute]:
        surfaces = self._find()
        if surfaces is None:
            return []
        if self._group is None:
            raise RuntimeError("tool surfaces outside the plane's lifespan")
        routes: list[BaseRoute] = surfaces.routes(**self._known)
        await self._group.start(_hold_lifespan, surfaces, routes)
        return routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._app or await self.ready())(scope, receive, send)


async def _hold_lifespan(surfaces: ModuleType, routes: list[BaseRoute], *, task_status: TaskStatus[None]) -> None:
    async with surfaces.lifespan(routes):
        task_status.started()
        await anyio.sleep_forever()
