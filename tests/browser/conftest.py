"""Browser tests: one Chromium, a real server over the fixture company, pages that fail on errors and foreign requests."""

import asyncio
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, ViewportSize, expect

from world.core import discovery
from world.core.principal import Principal
from world.core.settings import Settings
from world.run.host import Host, open_host
from world.script.scenario import Timeline
from world.server.agent_plane import agent_plane

T = TypeVar("T")
SIZE = (1280, 800)
PATIENCE_S = 30  # a bound for a machine that does ten things at once; nothing waits longer than it must
expect.set_options(timeout=PATIENCE_S * 1000)


class Site:
    """A server with its worlds. All work on worlds happens on the server's own thread, through `do`."""

    def __init__(self, build: Callable[[], Host], packages: list[ModuleType]) -> None:
        self._build, self._packages = build, packages
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "the server did not start"

    def _serve(self) -> None:
        self._loop = asyncio.new_event_loop()
        self.host = self._build()
        plane = agent_plane(self.host, self._packages)
        self._server = uvicorn.Server(
            uvicorn.Config(plane, host="127.0.0.1", port=0, log_level="warning", lifespan="off")
        )
        self._loop.run_until_complete(self._run())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _run(self) -> None:
        serving = asyncio.ensure_future(self._server.serve())
        while not self._server.started:
            await asyncio.sleep(0.01)
        self.port: int = self._server.servers[0].sockets[0].getsockname()[1]
        self._ready.set()
        await serving

    def do(self, run: Callable[[], T]) -> T:
        """Run something that touches a world, on the server's thread."""

        async def inside() -> T:
            return run()

        return asyncio.run_coroutine_threadsafe(inside(), self._loop).result(60)

    def stop(self) -> None:
        """End the server."""
        self._server.should_exit = True
        self._thread.join(20)


class Office:
    """One world of a site, for one test: its people's browsers, and acting as colleagues."""

    def __init__(self, site: Site, world: str, browser: Browser, lent: BrowserContext | None = None) -> None:
        self.site, self.world, self._browser, self._lent = site, world, browser, lent
        self.complaints: list[str] = []
        self._contexts: list[BrowserContext] = []

    @property
    def base(self) -> str:
        """The site's address."""
        return f"http://127.0.0.1:{self.site.port}"

    def key(self, who: str) -> str:
        """A login key."""
        return self.site.do(lambda: self.site.host.tokens.issue(self._principal(who, "session")))

    def _principal(self, who: str, kind: str = "user") -> Principal:
        found = self.site.host.principal(self.world, who)
        return Principal(found.world, found.person, kind, generation=found.generation)  # type: ignore[arg-type]

    def act(self, who: str, operation: str, **arguments: Any) -> Any:
        """Call an operation as a colleague, by another door."""
        return self.site.do(lambda: self.site.host.call(self._principal(who), "rest", operation, arguments))

    def see(self, who: str, operation: str, **arguments: Any) -> Any:
        """What a colleague sees, without a trace."""
        return self.site.do(lambda: self.site.host.peek(self._principal(who), "rest", operation, arguments))

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of the world."""
        return self.site.do(lambda: self.site.host.actor(self.world).bound.raw.execute(sql, values).fetchall())

    def until(self, read: Callable[[], T], wanted: T) -> None:
        """Wait until the world tells what is wanted: it is read now, and again after every change."""
        changed = threading.Event()

        def watch(version: int, tables: frozenset[str]) -> None:
            changed.set()

        watchers = self.site.host.actor(self.world).watchers
        self.site.do(lambda: watchers.append(watch))
        told = read()
        while told != wanted and changed.wait(PATIENCE_S):
            changed.clear()
            told = read()
        self.site.do(lambda: watchers.remove(watch))
        assert told == wanted

    def open(
        self,
        who: str,
        path: str,
        *,
        live: bool = True,
        scripts: bool = True,
        width: int = SIZE[0],
        height: int = SIZE[1],
    ) -> Page:
        """A browser of its own, signed in, on a page. Console errors and foreign requests fail the test."""
        context = self._lent if scripts and (width, height) == SIZE and self._lent not in self._contexts else None
        context = context or new_context(self._browser, width, height, scripts=scripts)
        self._contexts.append(context)
        context.on("request", self._guard)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on("console", lambda m: self.complaints.append(f"console: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda e: self.complaints.append(f"script: {e}"))
        page.goto(f"{self.base}/login/{self.key(who)}?next={quote(path if live else quiet(path), safe='/')}")
        return page

    def _guard(self, request: Request) -> None:
        """Only watches: what is held up on its way is never taken from the browser's cache. No foreign name resolves
        (`tests.conftest.QUIET`).
        """
        parts = urlsplit(request.url)
        host = parts.hostname or ""
        if (
            parts.scheme not in ("data", "blob")
            and host not in ("127.0.0.1", "localhost")
            and not host.endswith(".localhost")
        ):
            self.complaints.append(f"foreign request: {request.url}")

    def expect_complaint(self, part: str) -> None:
        """A complaint the test provoked on purpose (a refused form logs its status); anything else still fails it."""
        kept = [text for text in self.complaints if part not in text]
        assert len(kept) < len(self.complaints), f"nothing complained about {part!r}"
        self.complaints[:] = kept

    def close(self) -> None:
        """End all browsers of this test; one that was lent goes back as it came."""
        for context in self._contexts:
            if context is not self._lent:
                context.close()
                continue
            for page in context.pages[1:]:
                page.close()
            context.unroute_all()
            context.remove_listener("request", self._guard)
            context.clear_cookies()


def new_context(
    browser: Browser, width: int = SIZE[0], height: int = SIZE[1], *, scripts: bool = True
) -> BrowserContext:
    """A browser of its own: no cookies, nothing kept."""
    size: ViewportSize = {"width": width, "height": height}
    return browser.new_context(viewport=size, java_script_enabled=scripts, locale="en-US", timezone_id="UTC")


class Hold:
    """Requests that stay on their way until the test lets them go."""

    def __init__(self, page: Page, address: str) -> None:
        self.routes: list[Route] = []
        self._page, self._address = page, address
        page.route(address, lambda route: self.routes.append(route))

    def let_go(self) -> None:
        """Let go what is held, and hold nothing more."""
        for route in self.routes:
            route.continue_()
        self._page.unroute(self._address)

    def lose(self) -> None:
        """Break off what is held, as a lost connection would, and hold nothing more."""
        for route in self.routes:
            route.abort()
        self._page.unroute(self._address)


def quiet(path: str) -> str:
    """The path with the live socket off for the session."""
    return f"{path}{'&' if '?' in path else '?'}live=0"


def settled(page: Page) -> None:
    """Wait until nothing is in flight."""
    page.wait_for_selector('html[data-busy="0"]')


def painted(page: Page) -> None:
    """Wait until the fonts are there and what is laid out has been drawn."""
    drawn = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
    page.evaluate(f"() => document.fonts.ready.then(() => {drawn})")


@pytest.fixture(scope="module")
def company_site(company: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over the seed company, with every app."""
    folder = tmp_path_factory.mktemp("company-site")
    made = Site(lambda: open_host(company, folder / "worlds"), discovery.app_packages())
    yield made
    made.stop()


@pytest.fixture(scope="module")
def lent(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that the tests of a module use one after the other: it fetches scripts and styles once, and an empty
    page keeps its process.
    """
    context = new_context(chromium)
    context.new_page()
    yield context
    context.close()


@pytest.fixture
def office_of(
    chromium: Browser, lent: BrowserContext, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Office]]:
    """Makes an office: a fresh world of a site, with settings and a timeline if wanted; checks it for complaints at the
    end.
    """
    made: list[Office] = []

    def make(site: Site, settings: Settings | None = None, timeline: Timeline | None = None) -> Office:
        attempt = getattr(request.node, "execution_count", 1)
        name = re.sub(r"[^A-Za-z0-9_]+", "-", request.node.name)[:80] + f"-{attempt}-{len(made)}"
        site.do(lambda: site.host.create(name, settings, timeline))
        made.append(Office(site, name, chromium, None if made else lent))
        return made[-1]

    yield make
    for office in made:
        office.close()
    assert [text for office in made for text in office.complaints] == []
