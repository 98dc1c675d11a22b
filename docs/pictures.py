"""Takes the README's pictures: a real browser on the outage scenario, an hour in, a suite's report, and the studio.

`python docs/pictures.py` writes docs/pictures.
"""

import asyncio
import tempfile
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, sync_playwright

from world.agents.chromium import launch
from world.agents.runner import perform, task_of
from world.core.clock import duration
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.server.serve import listening, tcp
from world.store.queries import value
from world.studio.studio_server import studio_listening
from world.suite import suite_files
from world.suite.report import write_reports
from world.suite.results import Results
from world.suite.suite_runner import Plan, run_suite

HERE = Path(__file__).parent / "pictures"
SCENARIO, MINUTES = "us_east_1_outage", "44m"
SHOTS = {
    "slack": "/slack/client/{incidents}",
    "jira": "/jira/browse/{report}",
    "gmail": "/gmail/mail/inbox",
    "github": "/github/quayline/payments/pull/{pull}",
    "sheets": "/sheets/d/{sheet}/edit",
}

CALLS = 40  # of the solution in the report's picture: enough for some tasks, not for all

PULL = """SELECT i.number FROM github_issue i JOIN github_review_request q ON q.issue_id = i.id JOIN github_repository r
    ON r.id = i.repo_id
    WHERE r.name = 'payments' AND i.state = 'open' GROUP BY i.id ORDER BY count(*) DESC, i.number DESC LIMIT 1"""


async def take() -> None:
    """One world, one server, all pictures."""
    home, scenario = Home(), loader.find_scenario(SCENARIO)
    with tempfile.TemporaryDirectory() as scratch:
        host = open_host(get_image(home, scenario.card.size), Path(scratch))
        try:
            run = episode.start(host, scenario, seed=0, world="pictures")
            async with listening(host, tcp("127.0.0.1", 0)) as up:
                run.actor.advance(run.start + duration(MINUTES))
                bound = run.actor.bound
                facts = {
                    "incidents": value(bound, "SELECT id FROM slack_channel WHERE name = 'incidents'"),
                    "report": value(bound, "SELECT key FROM jira_issue ORDER BY created_at DESC, id DESC LIMIT 1"),
                    "pull": value(bound, PULL),
                    "sheet": value(bound, "SELECT key FROM drive_file WHERE name = 'Customers & contracts'"),
                }
                task = task_of(run, up.url)
                await asyncio.to_thread(shoot, task.login, {name: path.format(**facts) for name, path in SHOTS.items()})
        finally:
            host.store.close()


def shoot(login: str, pages: dict[str, str]) -> None:
    """A PNG of 1280x800 per page."""
    HERE.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, path in pages.items():
            shot(browser, name, f"{login}?next={path}")
        browser.close()


def shot(browser: Browser, name: str, address: str, wanted: str = "body") -> None:
    """One page, once it has its fonts and what is wanted."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(address, wait_until="load")
    page.wait_for_selector(wanted)
    page.evaluate("document.fonts.ready")
    page.screenshot(path=HERE / f"{name}.png")
    print(f"{HERE / name}.png {(HERE / f'{name}.png').stat().st_size // 1000} kB")
    page.close()


def report() -> None:
    """The report of the suite `smoke`: the solution, stopped after some calls, beside the floor."""
    home = Home()
    plan = Plan(suite_files.find_suite("smoke"), "oracle", "rest", attempts=3, jobs=2, calls=CALLS)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        results = Results(Path(folder) / "results", plan.manifest(), resume=False)
        run_suite(plan, home, results, lambda line: None)
        write_reports(results.folder, results)
        browser = launch(playwright)
        shot(browser, "report", (results.folder / "report.html").as_uri())
        browser.close()


async def take_studio() -> None:
    """A run of the solution, at the step that answers a colleague."""
    home = Home()
    finished = await perform(home, "flapping_alert", agent="oracle", door="mcp", seed=0)
    async with studio_listening(home, home.runs, 0) as make_link:
        address = f"{make_link()}?next={quote(f'/runs/{finished.folder.name}?step=7')}"
        await asyncio.to_thread(shoot_studio, address)


def shoot_studio(address: str) -> None:
    """The page of a run, once its steps are graded."""
    with sync_playwright() as playwright:
        browser = launch(playwright)
        shot(browser, "studio", address, ".lane-tall:not([data-unfinished])")
        browser.close()


if __name__ == "__main__":
    asyncio.run(take())
    report()
    asyncio.run(take_studio())
