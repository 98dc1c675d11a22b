"""A studio on a port of its own over a folder of runs, for tests in a browser."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request

from tests.browser.conftest import PATIENCE_S, new_context
from tests.browser.scripts import AUDIT, DETECT, NEVER
from world.run.home import Home
from world.server.control_state import Plane
from world.studio.studio_server import studio_listening

UNNAMED = """() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
  .filter(e => !(e.ariaLabel || e.textContent.trim() || e.labels?.length || e.title)).map(e => e.outerHTML.slice(0, 120))"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


class StudioSite:
    """A studio that runs in a thread. `link` opens it once."""

    def __init__(self, home: Home, root: Path) -> None:
        self._home, self._root = home, root
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._ready.wait(60), "the studio did not start"

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self, plane: Plane | None = None) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        async with studio_listening(self._home, self._root, 0, plane) as make_link:
            self.link = make_link()
            self._ready.set()
            await self._stop.wait()

    @property
    def base(self) -> str:
        """The address of the studio."""
        parts = urlsplit(self.link)
        return f"{parts.scheme}://{parts.netloc}"

    def stop(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)


class Reader:
    """A browser that has entered the studio. Errors on the console and foreign requests are kept in `complaints`."""

    def __init__(self, site: StudioSite, context: BrowserContext) -> None:
        self.site, self._context, self.complaints = site, context, list[str]()
        context.on("request", self._watch)
        context.add_init_script(DETECT)
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE_S * 1000)
        self.page.on("console", lambda m: self.complaints.append(f"console: {m.text}") if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        self.page.goto(site.link)

    def _watch(self, request: Request) -> None:
        if urlsplit(request.url).hostname != "127.0.0.1":
            self.complaints.append(f"foreign request: {request.url}")

    def go(self, path: str, width: int = 1280) -> Page:
        """A page of the studio, once its parts have come."""
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.goto(self.site.base + path)
        self.page.wait_for_function("() => !document.querySelector('[data-late]')")
        return self.page

    def list_faults(self) -> list[str]:
        """What is wrong with the page as it stands: what ran, controls without a name, what is wider than the window."""
        page = self.page
        wider: int = page.evaluate(WIDER)
        return [
            *page.evaluate(AUDIT, NEVER),
            *(f"without a name: {one}" for one in page.evaluate(UNNAMED)),
            *([f"{wider} px wider than the window"] if wider > 0 else []),
        ]


@contextmanager
def reading(home: Home, root: Path, chromium: Browser) -> Iterator[Reader]:
    """A reader of the runs below a folder. Fails if its pages complained."""
    site, context = StudioSite(home, root), new_context(chromium)
    try:
        reader = Reader(site, context)
        yield reader
        assert reader.complaints == []
    finally:
        context.close()
        site.stop()
