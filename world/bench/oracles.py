"""The scenarios' own solutions, at the doors an agent has."""

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

from world.agents.options import DoorName
from world.agents.runner import act
from world.bench.timing import now_s
from world.core.lazy import Lazy
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.script.loader import Scenario
from world.server.serve import listening, tcp


def figures(home: Home, scratch: Path) -> dict[str, float]:
    """The slowest solution through MCP, of every scenario at every difficulty, and in Chromium at the usual one, where
    there is a browser.
    """
    every = [found for name in sorted(loader.folders()) if (found := loader.find_scenario(name)).oracle is not None]
    _time_solution(home, scratch / "warm", every[0], "mcp")  # tools are made once a process
    by_mcp = [
        _time_solution(home, scratch / f"{one.name}-{level}", one, "mcp", level)
        for one in every
        for level in one.card.levels
    ]
    if find_spec("playwright") is None or not Lazy("world.agents.chromium").available():
        print("no browser, hence no oracle_ui_s", file=sys.stderr)
        return {"oracle_mcp_s": max(by_mcp)}
    return {
        "oracle_mcp_s": max(by_mcp),
        "oracle_ui_s": max(_time_solution(home, scratch / f"{one.name}-ui", one, "ui") for one in every),
    }


def _time_solution(
    home: Home, folder: Path, scenario: Scenario, door: DoorName, difficulty: str | None = None
) -> float:
    """Seconds from the first call to the last, the browser's start included; the verdict has to be full marks."""
    host = open_host(get_image(home, scenario.card.size), folder)
    try:
        level = {"difficulty": difficulty} if difficulty else {}
        run = episode.start(host, scenario, seed=0, world="solved", **level)
        taken = asyncio.run(_time_oracle(run, door))
        episode.finish(run)
        if episode.verdict(run).score != 1.0:
            raise AssertionError(f"the solution of {scenario.name} {difficulty or ''} lost at {door}")
        return taken
    finally:
        host.store.close()


async def _time_oracle(run: episode.Episode, door: DoorName) -> float:
    async with listening(run.host, tcp("127.0.0.1", 0)) as up:
        begin = now_s()
        await act(run, up.url, "oracle", door, lambda line: None)
        return now_s() - begin
