"""The studio over a real run: the list, steps and panels, states and scores at a step, branches."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from tests.world.studio.visits import visit
from world.agents.branch import BranchPoint, continue_run, parse_branch_point
from world.agents.runner import ProgramSettings, RunResult, perform, replay
from world.run import episode
from world.run.home import Home
from world.run.host import open_host
from world.run.trajectory_reader import TrajectoryError, read_header, read_steps
from world.server.control_state import Fork, NewWorld, Plane
from world.server.world_trajectories import WorldTrajectories
from world.studio.branch_request import BranchRequest, make_branch
from world.studio.hand_branch import HandBranches
from world.studio.run_list import RunList
from world.studio.run_view import RunView
from world.studio.run_world import RunWorld, RunWorlds

SCENARIO = "flapping_alert"


@pytest.fixture(scope="module")
def run(home: Home, company: Path) -> RunResult:
    """A run of the solution over MCP."""
    return asyncio.run(perform(home, SCENARIO, agent="oracle", door="mcp", seed=0))


def at_world(home: Home, folder: Path, job: Callable[[RunWorld, RunView], Awaitable[None]]) -> None:
    """Do something with the world of a run."""

    async def once() -> None:
        worlds, view = RunWorlds(home), RunView(folder.name, folder)
        try:
            await job(await worlds.open(view), view)
        finally:
            await worlds.close()

    asyncio.run(once())


def test_the_list_holds_every_run_and_opens_nothing_else(home: Home, run: RunResult) -> None:
    runs = RunList(home.runs)
    found = {one.name: one for one in runs.summaries()}[run.folder.name]
    assert (found.scenario, found.agent, found.door, found.steps) == (SCENARIO, "oracle", "mcp", run.steps)
    assert found.passed and not found.is_live
    assert runs.find("../secrets") is None and runs.find("/etc") is None
    assert RunList(run.folder).find(run.folder.name) == run.folder


def test_the_pages_show_a_run_its_steps_and_what_the_agent_saw(home: Home, run: RunResult) -> None:
    name = run.folder.name
    first = next(read_steps(run.folder)).row
    paths = (f"/runs/{name}", f"/runs/{name}/steps/1", f"/runs/{name}/steps/1.json", f"/runs/{name}/steps/999")
    answers = visit(home, home.runs, "/", *paths, "/runs/none")
    assert [one.status_code for one in answers] == [200, 200, 200, 200, 404, 404]
    assert name in answers[0].text and first["request"]["tool"] in answers[1].text
    assert answers[3].json() == first
    assert all("script-src 'self'" in one.headers["content-security-policy"] for one in answers)


def test_what_happened_meanwhile_is_told_by_name(home: Home, run: RunResult) -> None:
    steps = [line.row for line in read_steps(run.folder)]
    number = next(step["step"] for step in steps if any(one["actor"].startswith("p_") for one in step["events"]))
    (panel,) = visit(home, home.runs, f"/runs/{run.folder.name}/steps/{number}/panels/events")
    assert panel.status_code == 200 and "<li>" in panel.text and "p_0" not in panel.text
    assert "event:" not in panel.text


def test_the_score_at_the_last_step_is_the_verdict_and_at_the_first_moment_it_is_none(
    home: Home, run: RunResult
) -> None:
    async def grade(world: RunWorld, view: RunView) -> None:
        last = dict(await world.grade(view, len(view.steps)))
        kept = dict(view.verdict)
        for one in (last, kept):
            del one["trust"], one["trusted"]
        assert last == kept
        assert not (await world.grade(view, 0))["pass"]

    at_world(home, run.folder, grade)


def test_pages_of_a_step_show_the_world_as_it_was_then(home: Home, run: RunResult) -> None:
    async def look(world: RunWorld, view: RunView) -> None:
        async with httpx.AsyncClient(follow_redirects=True) as http:
            answer = await http.get(world.open_pages(view, 1, "slack"))
        assert answer.status_code == 200 and answer.url.path.startswith("/slack/")
        fork = world.fork(view, 1)
        assert fork.actor.now <= view.steps[1].at
        world.drop(fork)

    at_world(home, run.folder, look)


def test_a_run_without_its_log_is_made_again_from_its_steps(home: Home, run: RunResult, tmp_path: Path) -> None:
    shutil.copytree(run.folder, tmp_path / "x", ignore=shutil.ignore_patterns("worlds"))

    async def look(world: RunWorld, view: RunView) -> None:
        fork = world.fork(view, len(view.steps))
        assert fork.actor.version == view.steps[-1].seq

    at_world(home, tmp_path / "x", look)


@pytest.mark.parametrize("step", [0, 2])
def test_a_branch_without_a_change_ends_in_the_same_world(home: Home, run: RunResult, step: int) -> None:
    point = BranchPoint(run.folder, step)
    made = asyncio.run(continue_run(home, point, agent="oracle", program=ProgramSettings()))
    assert made.digest == run.digest and made.verdict.score == run.verdict.score
    origin = read_header(made.folder).origin
    assert origin is not None and (origin.run, origin.step) == (run.folder.name, step)
    rows = [[line.row["operation"] for line in read_steps(one.folder)] for one in (run, made)]
    assert rows[0] == rows[1]


def test_a_branch_is_repeated_like_any_run(home: Home, run: RunResult, tmp_path: Path) -> None:
    point = BranchPoint(run.folder, 1)
    made = asyncio.run(continue_run(home, point, agent="null", program=ProgramSettings()))
    assert made.steps == 1
    assert replay(home, made.folder, tmp_path)[0].digest == made.digest


def test_a_step_that_is_not_there_is_refused(home: Home, run: RunResult) -> None:
    with pytest.raises(TrajectoryError, match="has no step 999"):
        asyncio.run(continue_run(home, BranchPoint(run.folder, 999), agent="null", program=ProgramSettings()))


def test_the_studio_drops_edits_and_inserts_calls(home: Home, run: RunResult) -> None:
    async def make(world: RunWorld, view: RunView) -> None:
        whole = await make_branch(home, world, view, BranchRequest(step=1, then="rest of the run"))
        assert whole.digest == run.digest
        less = await make_branch(home, world, view, BranchRequest(step=1, change="drop", then="rest of the run"))
        assert less.steps == run.steps - 1
        assert all("response" in line.row for line in read_steps(whole.folder))
        solved = await make_branch(home, world, view, BranchRequest(step=2, then="oracle"))
        assert solved.digest == run.digest
        said = {"channel_id": "#random", "message": "wait"}
        wanted = BranchRequest(step=1, change="insert", tool="slack_send_message", arguments=said)
        told = await make_branch(home, world, view, wanted)
        assert [line.row["request"]["arguments"] for line in read_steps(told.folder)][-1] == said
        arguments = {"channel": "#random", "text": "wait"}
        more = await make_branch(
            home, world, view, BranchRequest(step=1, change="insert", operation="chat.postMessage", arguments=arguments)
        )
        assert more.steps == 2 and not more.verdict.passed
        header = read_header(more.folder)
        assert header.origin is not None and header.origin.change == "insert chat.postMessage at step 1, then nobody"

    at_world(home, run.folder, make)


def test_a_person_goes_on_by_hand_in_the_real_pages(home: Home, run: RunResult) -> None:
    async def act(world: RunWorld, view: RunView) -> None:
        hands = HandBranches(home)
        hand = hands.begin(world, view, 1)
        assert hands.find(hand.folder) is hand and world.holders == 1
        async with httpx.AsyncClient(follow_redirects=True, timeout=60) as http:
            assert (await http.get(hand.open_pages("slack"))).status_code == 200
        steps = [line.row for line in read_steps(hand.folder)]
        assert len(steps) > 1 and steps[-1]["door"] == "page" and steps[-1]["response"]["status"] == 200
        with pytest.raises(LookupError, match="there is no app"):
            hand.open_pages("fax")
        finished = hands.finish(hand.folder)
        origin = read_header(finished.folder).origin
        assert origin is not None and (origin.run, origin.step, origin.change) == (view.name, 1, "by hand")
        assert finished.steps == len(steps) and world.holders == 0 and hands.find(hand.folder) is None

    at_world(home, run.folder, act)


def test_a_branch_of_a_served_fork_ends_in_the_same_world(home: Home, company: Path, tmp_path: Path) -> None:
    """Its folder says everything that a run's folder does."""
    host = open_host(company, tmp_path / "worlds")
    plane = Plane(host, "secret")
    plane.trajectories = WorldTrajectories(host, home.folder("trajectories"))
    try:
        plane.create(NewWorld(name="root", scenario=SCENARIO, seed=0))
        act(plane, "root", "one")
        plane.fork("root", Fork(name="child"))
        act(plane, "child", "two")
        plane.trajectories.write("child")
        digest = finish_world(plane, "child")
    finally:
        host.store.close()
    point = parse_branch_point(home, "worlds/child@2")
    made = asyncio.run(continue_run(home, point, agent="null", program=ProgramSettings()))
    assert made.digest == digest and made.steps == 2


def act(plane: Plane, world: str, text: str) -> None:
    run = plane.episodes[world]
    plane.host.call(run.principal("slack"), "mcp", "chat.postMessage", {"channel": "#random", "text": text})


def finish_world(plane: Plane, world: str) -> str:
    """Let a world run on to its horizon; its digest then."""
    episode.finish(plane.episodes[world])
    return plane.host.actors[world].world.record_digest().hexdigest()
