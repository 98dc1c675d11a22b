"""Stories whose solutions plan many tickets and fill cells are solved in the pages too; `make bench` solves every story there."""

import asyncio
from pathlib import Path

import pytest

from world.agents.runner import act
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image
from world.script import loader
from world.server.serve import listening, tcp


async def work(run: episode.Episode) -> None:
    """Play the solution in a browser."""
    async with listening(run.host, tcp("127.0.0.1", 0)) as up:
        await act(run, up.url, "oracle", "ui", lambda line: None)


@pytest.mark.full
@pytest.mark.ui
@pytest.mark.parametrize("name", ["sprint_from_scraps", "three_day_handover"])
def test_a_story_is_solved_in_the_pages(home: Home, tmp_path: Path, name: str) -> None:
    host = open_host(get_image(home, "S"), tmp_path)
    try:
        run = episode.start(host, loader.find_scenario(name), seed=1, world="pages")
        asyncio.run(work(run))
        episode.finish(run)
        assert episode.verdict(run).score == 1.0
    finally:
        host.store.close()
