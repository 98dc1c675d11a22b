"""Pages of served worlds: clock, schedule, events that happen now, operations as somebody."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from world.core.clock import MINUTE
from world.run import episode
from world.run.home import Home
from world.run.host import Host
from world.script import loader
from world.server.control_state import Plane
from world.studio.run_world import RunWorlds
from world.studio.studio_app import build_studio
from world.studio.studio_state import Studio
from world.studio.world_view import list_due

SCENARIO = "flapping_alert"
Visit = Callable[[httpx.AsyncClient], Awaitable[None]]


@pytest.fixture
def plane(firm: Host) -> Plane:
    """A plane that serves one world."""
    made = Plane(firm, "secret")
    made.episodes["w"] = episode.start(firm, loader.find_scenario(SCENARIO), seed=0, world="w")
    return made


def visit(plane: Plane, home: Home, root: Path, job: Visit) -> None:
    """Do something in the studio of a plane."""

    async def once() -> None:
        studio = Studio(home, root, RunWorlds(home, plane))
        transport = httpx.ASGITransport(build_studio(studio))
        try:
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                await job(http)
        finally:
            await studio.close()

    asyncio.run(once())


def test_the_clock_is_moved_paused_and_runs(plane: Plane, home: Home, tmp_path: Path) -> None:
    run = plane.episodes["w"]

    async def steer(http: httpx.AsyncClient) -> None:
        page = await http.get("/worlds/w")
        assert page.status_code == 200 and "To the next event" in page.text and SCENARIO in page.text
        before = run.actor.now
        assert (await http.post("/worlds/w/steer", data={"for": "1m"})).status_code == 303
        assert run.actor.now == before + MINUTE
        await http.post("/worlds/w/steer", data={"for": "next"})
        assert run.actor.now > before + MINUTE
        await http.post("/worlds/w/steer", data={"speed": "60"})
        assert plane.speeds == {"w": 60}
        await http.post("/worlds/w/steer", data={"speed": "0"})
        assert plane.speeds == {}
        for wrong in ({"speed": "7"}, {"event": "none"}, {"for": "soon"}):
            assert (await http.post("/worlds/w/steer", data=wrong)).status_code == 409

    visit(plane, home, tmp_path, steer)


def test_an_event_happens_now_and_not_again(plane: Plane, home: Home, tmp_path: Path) -> None:
    run = plane.episodes["w"]
    name, before = next(one.event for one in list_due(run.actor) if one.event), run.actor.now

    async def hasten(http: httpx.AsyncClient) -> None:
        assert f"<td>{name}</td>" in (await http.get("/worlds/w/now")).text
        assert (await http.post("/worlds/w/steer", data={"event": name})).status_code == 303
        assert f"<td>{name}</td>" not in (await http.get("/worlds/w/now")).text

    visit(plane, home, tmp_path, hasten)
    assert run.actor.now == before
    fired = run.actor.bound.raw.execute("SELECT count(*) FROM _state WHERE key = ?", (f"event:{name}",)).fetchone()
    assert fired == (1,)


def test_something_is_done_as_somebody(plane: Plane, home: Home, tmp_path: Path) -> None:
    async def inject(http: httpx.AsyncClient) -> None:
        form = await http.get("/worlds/w?operation=chat.postMessage")
        assert 'name="channel"' in form.text
        agent = plane.episodes["w"].agent
        given = {"_operation": "chat.postMessage", "_person": agent, "channel": "#random", "text": "from outside"}
        sent = await http.post("/worlds/w/inject", data=given)
        assert sent.status_code == 303, sent.text
        assert "chat.postMessage is done" in (await http.get(sent.headers["location"])).text
        refused = await http.post("/worlds/w/inject", data={**given, "channel": "#none-such"})
        assert refused.status_code == 409 and "was refused: channel_not_found" in refused.text
        assert (await http.post("/worlds/w/inject", data={**given, "_operation": "no.such"})).status_code == 409
        assert (await http.get("/worlds/none")).status_code == 409

    visit(plane, home, tmp_path, inject)


def test_a_studio_that_serves_no_worlds_says_so(home: Home, tmp_path: Path) -> None:
    async def look() -> None:
        transport = httpx.ASGITransport(build_studio(Studio(home, tmp_path)))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
            assert (await http.get("/worlds")).status_code == 404

    asyncio.run(look())
