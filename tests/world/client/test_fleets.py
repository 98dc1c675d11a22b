"""The client's fleets against a server of their own, and the wheel that is installed without the rest."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from world.client import AsyncFleet, ControlError, Fleet, Task, ToolDoorError
from world.run.home import Home

pytestmark = pytest.mark.anyio
SCENARIO = "flapping_alert"
CLIENT = Path(__file__).parents[3] / "docker" / "client"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def fleet(home: Home, company: Path) -> Iterator[Fleet]:
    """A fleet of two workers, in a home that is gone afterwards."""
    with Fleet.local(workers=2) as made:
        yield made


def test_many_rollouts_are_made_stepped_and_graded(fleet: Fleet) -> None:
    tasks = [Task.of(SCENARIO, seed) for seed in range(3)]
    episodes = fleet.create_many(tasks)
    assert [(one.scenario, one.seed) for one in episodes] == [(SCENARIO, 0), (SCENARIO, 1), (SCENARIO, 2)]
    assert all(one.prompt and one.agent for one in episodes)
    waits = [(one, "world_wait", {"seconds": 60}) for one in episodes for _ in range(2)]
    assert [one.is_error for one in fleet.step_many(waits)] == [False] * 6
    assert [len(one.trajectory()) for one in episodes] == [len(episodes[0].trajectory())] * 3
    assert fleet.grade_many(episodes) == [{"pass": False, "score": 0.0, "unmet": 7, "charges": []}] * 3
    fleet.close_many(episodes)
    assert fleet.client.worlds() == []


def test_a_fork_goes_on_alone_and_an_end_is_an_end(fleet: Fleet) -> None:
    with fleet.create(Task.of(SCENARIO, 1)) as root, root.fork() as branch:
        assert branch.prompt == root.prompt
        assert not branch.finish({"cause": "x"}).is_error
        assert (root.observe().ended, branch.observe().ended) == (None, "finished")
        assert branch.call("world_wait", {"seconds": 1}).is_error


def test_tools_are_listed_with_their_schemas_and_refusals_are_results(fleet: Fleet) -> None:
    with fleet.create(Task.of(SCENARIO, 1)) as episode:
        tools = {one.name: one for one in episode.tools("slack", "operations")}
        assert tools["chat_post_message"].input_schema["required"] == ["channel"]
        refused = episode.call(
            "chat_post_message", {"channel": "nowhere", "text": "x"}, app="slack", surface="operations"
        )
        assert refused.is_error and "channel_not_found" in refused.text
        with pytest.raises(ToolDoorError) as missing:
            episode.call("nothing", {})
        assert missing.value.status == 404


def test_an_unknown_task_is_refused_with_its_reason(fleet: Fleet) -> None:
    with pytest.raises(ControlError, match="no scenario"):
        fleet.create(Task.of("nothing_of_the_kind"))


async def test_the_same_on_an_event_loop(fleet: Fleet) -> None:
    async with fleet.on_loop() as other:
        assert isinstance(other, AsyncFleet)
        episodes = await other.create_many([Task.of(SCENARIO, seed) for seed in range(2)])
        results = await other.step_many([(one, "world_now", {}) for one in episodes])
        assert [one.is_error for one in results] == [False, False]
        assert [one["score"] for one in await other.grade_many(episodes)] == [0.0, 0.0]
        await other.close_many(episodes)


def test_a_task_has_a_stable_name() -> None:
    task = Task.of(SCENARIO, 3, max_calls=5, difficulty="hard")
    assert task.id == "flapping_alert-3-difficulty=hard-max_calls=5"
    assert task == Task.of(SCENARIO, 3, difficulty="hard", max_calls=5) and len({task, task}) == 1


def test_the_wheel_holds_the_client_alone_and_imports_by_itself(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=CLIENT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("firmament_client-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "there")
    code = "import sys, firmament_client as f; f.Task.of('x'); print(sorted(m for m in sys.modules if m in ('world', 'apps')))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "there",
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
