"""What all tests share: one home with the seed company built once, and a server over it in a thread of its own."""

import asyncio
import gc
import os
import shutil
import threading
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.conformance import github, mail, sheets
from tests.conformance.github_packages import lacking
from tests.examples import register_profiles
from world.agents.chromium import on_system
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import digest_sources, get_image, source_roots
from world.server.control_state import Plane
from world.server.serve import RunningServer, TlsListener, listening, tcp
from world.web.rest_door import Receivers

T = TypeVar("T")
Host.strict = True  # a test whose event fails fails itself; `contained` lifts it
QUIET = [
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost",
    "--process-per-site",
    "--renderer-process-limit=1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
FULL = (
    "world/client/test_fleets.py",
    "world/server/workers/test_fleet.py",
    "agents/test_external_agent.py",
    "agents/test_reference.py",
    "apps/github/graphql/test_gh.py",
    "apps/github/test_ci.py",
    "apps/test_readings.py",
    "browser/*/test_*_live.py",
    "browser/hands/test_hands.py",
    "browser/*/test_*_scripts.py",
    "browser/github/test_github_code.py",
    "browser/github/test_github_pulls.py",
    "browser/gmail/test_gmail_conversation.py",
    "browser/gmail/test_gmail_lists.py",
    "browser/jira/test_jira_boards.py",
    "browser/jira/test_jira_shell.py",
    "browser/sheets/test_sheets_files_lists.py",
    "browser/sheets/test_sheets_files_sharing.py",
    "browser/sheets/test_sheets_grid_gestures.py",
    "browser/sheets/test_sheets_grid_typing.py",
    "browser/slack/test_slack_conversations.py",
    "browser/slack/test_slack_messages.py",
    "browser/test_*_scripts.py",
    "browser/test_page_figures.py",
    "clients/*",
    "conformance/*",
    "docs/test_blocks.py",
    "docs/test_raises.py",
    "doors/test_doors*.py",
    "doors/test_faults*.py",
    "doors/test_forms.py",
    "gate/test_contradictions.py",
    "gate/test_unsound.py",
    "grading/public/test_public.py",
    "mcp_servers/test_clients.py",
    "mcp_servers/test_seeded.py",
    "security/inputs/test_forms.py",
    "security/test_input_*",
    "security/test_t02_*",
    "security/test_t05_*",
    "security/test_t18_*",
    "seeds/test_build.py",
    "seeds/test_repositories.py",
    "seeds/test_sheets.py",
    "suite/test_attacks_unsound.py",
    "suite/test_pool.py",
    "world/commands/test_serve.py",
    "world/run/test_capabilities.py",
    "world/sandbox/test_drive.py",
    "world/sandbox/test_escapes.py",
    "world/server/test_grader.py",
    "world/studio/test_studio.py",
    "world/store/test_dialect.py",
    "world/store/test_oracle.py",
    "world/store/test_random_worlds.py",
    "world/test_determinism.py",
    "world/test_episode.py",
)
LONG = (
    "docs/test_blocks.py",
    "doors/test_doors*.py",
    "security/test_input_numbers.py",
    "seeds/test_events.py",
    "world/sandbox/test_drive.py",
    "gate/test_cheats.py",
    "suite/test_pool.py",
    "browser/*/*.py",
    "world/commands/*.py",
    "chores/test_chores.py",
    "campaign/test_campaign.py",
    "seeds/test_build.py",
    "world/test_*.py",
    "world/server/*.py",
    "world/store/*.py",
    "world/server/workers/*.py",
    "world/studio/*.py",
    "clients/test_frameworks.py",
    "docs/test_learner.py",
    "mcp_servers/test_crowd.py",
    "security/test_t*.py",
)  # files that begin first: one worker runs all of one
HOUSE = ("test_taste.py", "test_imports.py")  # how the code is written
OUTSIDE = ("agents", "browser", "clients", "docker", "docs", "suite")
DRIVER_LOOP = pytest.StashKey[asyncio.AbstractEventLoop | None]()

register_profiles()
gc.set_threshold(10_000, 10, 10)  # a collected suite is a million objects that stay; worlds left open must go


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Shows the browser driver's event loop only to the tests that use the browser.

    The driver marks its loop as running in this thread from its start to its end, and `asyncio.run` refuses to start
    beside a running loop.
    """
    uses_driver = "chromium" in getattr(item, "fixturenames", ())
    if uses_driver:
        asyncio._set_running_loop(item.session.stash.get(DRIVER_LOOP, None))
    try:
        return (yield)
    finally:
        if uses_driver:
            item.session.stash[DRIVER_LOOP] = asyncio._get_running_loop()
            asyncio._set_running_loop(None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What drives a browser or other programs has a second try, counted in the summary: their speed is not ours to
    promise. Crawls, other packages' clients, sweeps of published schemas and of all operations, and campaigns over many
    worlds and whole runs wait for `make test-full`.
    """
    for item in items:
        for mark in marks_of(item.path):
            item.add_marker(mark)
    items.sort(key=lambda item: not any(item.path.match(pattern) for pattern in LONG))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the collector need not look through it again with every test."""
    gc.collect()
    gc.freeze()


@cache
def marks_of(path: Path) -> tuple[pytest.MarkDecorator, ...]:
    """The marks of every test in a file, by where the file stands."""
    here = Path(__file__).parent
    if not path.is_relative_to(here):
        return ()
    place = path.relative_to(here)
    outside = [pytest.mark.flaky(reruns=1)] if place.parts[0] in OUTSIDE else []
    full = [pytest.mark.full] if any(place.match(pattern) for pattern in FULL) else []
    house = [pytest.mark.house] if place.name in HOUSE else []
    ui = [pytest.mark.ui] if place.parts[0] == "browser" else []
    return (*outside, *full, *house, *ui)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Home:
    """A home of its own, so that no test sees the user's; sealed images are kept from run to run while no source
    changes.
    """
    made = Home(tmp_path_factory.mktemp("home"))
    if (cache := getattr(pytestconfig, "cache", None)) is not None:
        kept, sources = cache.mkdir("firm-images"), digest_sources(source_roots())
        for old in kept.iterdir():
            if old.name != sources:
                shutil.rmtree(old, ignore_errors=True)
        (kept / sources).mkdir(mode=0o700, exist_ok=True)
        (made.path / "images").symlink_to(kept / sources)
    return made


@pytest.fixture(scope="session", autouse=True)
def apart(home: Home) -> Iterator[None]:
    """What is looked for in the home of whoever runs the tests is looked for in that one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIRM_HOME", str(home.path))
        yield


@pytest.fixture(scope="session")
def company(home: Home) -> Path:
    """The sealed S company."""
    return get_image(home, "S", 7)


@pytest.fixture
def firm(company: Path, tmp_path: Path) -> Iterator[Host]:
    """A host over the S company, with no worlds yet."""
    host = open_host(company, tmp_path / "worlds")
    yield host
    host.store.close()


class Server:
    """Both planes on loopback. Work on worlds happens on the server's thread, through `do`."""

    def __init__(
        self,
        image: Path,
        folder: Path,
        *,
        proxied: bool = False,
        tls: TlsListener | None = None,
        receivers: Receivers = frozenset(),
    ) -> None:
        self._receivers, self._tls = receivers, tls
        self._image, self.folder, self._proxy = image, folder, tcp("127.0.0.1", 0) if proxied else None
        self.problems: list[str] = []
        lacking()  # what is fetched once is fetched before a client waits
        self._ready, self._stop = threading.Event(), asyncio.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._ready.wait(60)
        if self._failure is not None:
            raise self._failure

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._failure = error
            self._ready.set()
            raise

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        host = open_host(self._image, self.folder / "worlds")
        control = tcp("127.0.0.1", 0)
        self.control_url = f"http://127.0.0.1:{control.getsockname()[1]}"
        try:
            listens = listening(
                host,
                tcp("127.0.0.1", 0),
                control,
                secret="control secret",
                proxy=self._proxy,
                tls=self._tls,
                keys=self.folder / "proxy",
                receivers=self._receivers,
            )
            async with listens as up:
                self.up: RunningServer = up
                for one in (up.servers[0], up.servers[-1]):  # the agents' plane, by address and behind the proxy
                    one.config.loaded_app = self._checked(one.config.loaded_app)
                self._ready.set()
                await self._stop.wait()
        finally:
            host.store.close()

    def _checked(self, app: Any) -> Any:
        """The same application; answers of the mail, code and spreadsheet hosts' APIs that are not as published are
        kept in `problems`.
        """
        checked = mail.Checked(github.Checked(sheets.Checked(app)))

        async def serve(scope: Any, receive: Any, send: Any) -> None:
            try:
                await checked(scope, receive, send)
            except AssertionError as problem:
                self.problems.append(f"{scope.get('method')} {scope.get('path')}: {problem}")

        return serve

    @property
    def url(self) -> str:
        """The agents' plane."""
        return self.up.url

    @property
    def proxy(self) -> str:
        """The proxy on which the vendors' own host names lead here."""
        assert self._proxy is not None
        return f"http://127.0.0.1:{self._proxy.getsockname()[1]}"

    @property
    def plane(self) -> Plane:
        """The state behind the control plane."""
        return self.up.plane

    def do(self, job: Callable[[], T]) -> T:
        """Run something on the server's thread."""

        async def once() -> T:
            return job()

        return asyncio.run_coroutine_threadsafe(once(), self.loop).result(120)

    def stop(self) -> None:
        """End the server and wait for it; what it answered must have been as published."""
        self.loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)
        assert self.problems == []


@pytest.fixture
def server(company: Path, tmp_path: Path) -> Iterator[Server]:
    """A running server without worlds."""
    running = Server(company, tmp_path)
    yield running
    running.stop()


def first(host: Host, world: str, sql: str, *values: Any) -> Any:
    """The first column of the first row of a query on a world."""
    return host.actors[world].bound.raw.execute(sql, values).fetchone()[0]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The one browser process; FIRM_CHROMIUM names another executable."""
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=on_system(), args=[*as_root, *QUIET])
        yield browser
        browser.close()
