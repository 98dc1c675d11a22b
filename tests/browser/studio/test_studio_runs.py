"""The studio in a browser over real runs and a served world: scores, pages as they were, branches, an operator."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import PATIENCE_S, new_context
from tests.browser.studio.studio_site import Reader, StudioSite, reading
from tests.conftest import Server
from world.agents.runner import perform
from world.run import episode
from world.run.home import Home
from world.script import loader

SCENARIO = "flapping_alert"
GRADED_MS = 240_000  # a bound for a dozen verdicts on a machine that does ten things at once
pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def run(home: Home, company: Path) -> str:
    """The name of a run of the solution."""
    with ThreadPoolExecutor(1) as thread:  # beside the loop of the browser's driver
        job = thread.submit(lambda: asyncio.run(perform(home, SCENARIO, agent="oracle", door="rest", seed=0)))
        return job.result().folder.name


def test_scores_pages_and_branches_of_a_run(home: Home, run: str, chromium: Browser) -> None:
    with reading(home, home.runs, chromium) as reader:
        page = reader.page
        page.goto(f"{reader.site.base}/runs/{run}?step=3")
        expect(page.locator(".score-changes li").first).to_contain_text("ack", timeout=GRADED_MS)
        expect(page.locator(".lane-colleagues .mark").first).to_be_visible()
        with page.context.expect_page() as opened:
            page.locator("#panel-pages").get_by_role("link", name="Slack").click()
        expect(opened.value).to_have_title(re.compile("Slack"))
        opened.value.close()
        with page.context.expect_page() as acting:
            page.get_by_role("button", name="Act in Slack").click()
        expect(acting.value).to_have_title(re.compile("Slack"))
        acting.value.close()
        page.get_by_role("button", name="The solution goes on").click()
        expect(page.locator(".facts")).to_contain_text(f"{run}@3")
        page.get_by_role("link", name="Branches").click()
        expect(page.locator(".tree tbody tr")).to_have_count(3)
        page.get_by_role("link", name=re.compile("-hand-")).click()
        page.get_by_role("button", name="Finish and grade").click()
        expect(page.locator(".facts")).to_contain_text("fail")


class ServedStudio(StudioSite):
    """A studio in the process, and on the loop, of a server."""

    def __init__(self, home: Home, root: Path, server: Server) -> None:
        self._server = server
        super().__init__(home, root)

    def _run(self) -> None:
        asyncio.run_coroutine_threadsafe(self._serve(self._server.plane), self._server.loop).result()


@pytest.mark.parametrize("width", [1280, 1920])
def test_an_operator_steers_a_served_world(
    home: Home, server: Server, tmp_path: Path, chromium: Browser, width: int
) -> None:
    def start() -> None:
        run = episode.start(server.up.host, loader.find_scenario(SCENARIO), seed=0, world="w")
        server.plane.episodes["w"] = run

    server.do(start)
    site, context = ServedStudio(home, tmp_path, server), new_context(chromium)
    try:
        reader = Reader(site, context)
        page = reader.go("/worlds/w", width)
        first = page.locator(".due tbody tr").first.inner_text()
        page.get_by_role("button", name="To the next event").click()
        expect(page.locator(".due tbody tr").first).not_to_have_text(first, timeout=PATIENCE_S * 1000)
        page.get_by_role("button", name="60×").click()
        expect(page.locator("#now .facts")).to_contain_text("60×")
        page.get_by_label("Operation: a message, a mail, an issue").fill("chat.postMessage")
        page.get_by_role("button", name="Choose").click()
        assert reader.list_faults() == []
        page.get_by_label("Person").fill(server.do(lambda: server.plane.episodes["w"].agent))
        page.get_by_label(re.compile("^Channel")).first.fill("#random")
        page.get_by_label(re.compile("^Text")).first.fill("from outside")
        page.get_by_role("button", name="Do it").click()
        expect(page.get_by_role("status")).to_have_text("chat.postMessage is done.")
        expect(page.locator(".journal")).to_contain_text("control")
        assert reader.complaints == []
    finally:
        context.close()
        site.stop()
