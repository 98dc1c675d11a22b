"""Branches of the studio in which a program acts, a model's player among them."""

import asyncio
from pathlib import Path

import httpx
import pytest

from tests.agents.stub import model, says
from world.agents.runner import RunResult, perform
from world.run.home import Home
from world.studio.program_branches import MODEL
from world.studio.run_view import RunView
from world.studio.studio_app import Studio, build_studio

pytestmark = pytest.mark.full
VARIABLES = ("OPENAI_BASE_URL", "OPENAI_MODEL")


@pytest.fixture(scope="module")
def run(home: Home, company: Path) -> RunResult:
    """A run of the solution over MCP."""
    return asyncio.run(perform(home, "flapping_alert", agent="oracle", door="mcp", seed=0))


async def go_on(studio: Studio, run: RunResult, agent: str) -> tuple[str, RunView]:
    """Hand over after the first step; the panel of that step, and the branch once its program has ended."""
    transport = httpx.ASGITransport(build_studio(studio))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as http:
        page = (await http.get(f"/runs/{run.folder.name}/steps/1")).text
        told = await http.post(f"/runs/{run.folder.name}/steps/1/branch", data={"then": agent})
        assert told.status_code == 303, told.text
        begun = (await http.get(told.headers["location"])).text
        assert "under way" in begun
        await studio.programs.wait()
    return page, studio.view(told.headers["location"].removeprefix("/runs/"))


def test_a_model_goes_on_from_a_step(home: Home, run: RunResult, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hand_over() -> None:
        with model(lambda _: says(None, ("world_finish", "{}"))) as stub:
            for name, value in zip(VARIABLES, (stub.url, "small-model"), strict=True):
                monkeypatch.setenv(name, value)
            studio = Studio(home, home.runs, env=VARIABLES)
            try:
                page, branch = await go_on(studio, run, MODEL)
            finally:
                await studio.close()
        assert "small-model goes on" in page and stub.asked
        assert [step.operation for step in branch.steps][-1] == "world.finish"
        assert branch.header.origin is not None and branch.header.origin.step == 1 and branch.verdict

    asyncio.run(hand_over())


def test_a_studio_without_a_model_offers_none_and_closes_what_goes_on(home: Home, run: RunResult) -> None:
    async def hand_over() -> None:
        studio = Studio(home, home.runs)
        transport = httpx.ASGITransport(build_studio(studio))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            assert "goes on</button>" in (page := (await http.get(f"/runs/{run.folder.name}/steps/1")).text)
            assert page.count("goes on</button>") == 1  # the solution
            told = await http.post(f"/runs/{run.folder.name}/steps/1/branch", data={"then": "tests.suite.agents:hangs"})
        await studio.close()
        stopped = RunView("branch", home.runs / told.headers["location"].removeprefix("/runs/"))
        assert stopped.verdict == {} and stopped.result["ended"] == "stopped"

    asyncio.run(hand_over())


def test_a_change_that_cannot_be_made_is_told_before_anything_goes_on(home: Home, run: RunResult) -> None:
    async def hand_over() -> None:
        studio = Studio(home, home.runs)
        transport = httpx.ASGITransport(build_studio(studio))
        wrong = {"then": "tests.suite.agents:hangs", "change": "insert", "operation": "chat.noSuchMethod"}
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            told = await http.post(f"/runs/{run.folder.name}/steps/1/branch", data=wrong)
            assert told.status_code == 409 and "chat.noSuchMethod" in told.text
        assert not any(one.is_live for one in studio.runs.summaries())
        await studio.close()

    asyncio.run(hand_over())
