"""Trajectories of a served host's worlds: held in memory, shared by forks, kept for the next process."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import Server, first
from world.client import Client, ControlError
from world.run.harness_notes import read_notes
from world.run.home import Home
from world.run.host import Host
from world.run.run_folder import read_lines
from world.run.trajectory import Trajectory
from world.run.trajectory_reader import read_steps
from world.server import world_trajectories
from world.server.control_state import Fork, NewWorld, Plane
from world.server.world_trajectories import WorldTrajectories
from world.studio.run_list import RunList, read_summary
from world.studio.run_view import RunView
from world.studio.run_world import RunWorlds

SOMEBODY = "SELECT handle FROM person WHERE kind = 'employee' AND manager_id IS NOT NULL ORDER BY id LIMIT 1"


@pytest.fixture
def plane(firm: Host, tmp_path: Path) -> Plane:
    made = Plane(firm, "secret")
    made.trajectories = WorldTrajectories(firm, tmp_path / "trajectories")
    return made


def post(host: Host, world: str, text: str) -> None:
    principal = host.principal(world, first(host, world, SOMEBODY), app="slack")
    host.call(principal, "mcp", "chat.postMessage", {"channel": "#random", "text": text})


def texts(plane: Plane, world: str) -> list[str]:
    assert plane.trajectories is not None
    rows = [line.row for line in read_steps(plane.trajectories.write(world))]
    assert [row["step"] for row in rows] == list(range(1, len(rows) + 1))
    return [row["arguments"]["text"] for row in rows]


def test_a_short_world_that_is_dropped_writes_nothing(plane: Plane, tmp_path: Path) -> None:
    plane.create(NewWorld(name="w"))
    post(plane.host, "w", "one")
    plane.drop("w")
    assert not (tmp_path / "trajectories").exists()


def test_what_is_written_late_is_what_is_written_at_once(plane: Plane, tmp_path: Path) -> None:
    plane.create(NewWorld(name="w"))
    actor = plane.host.actors["w"]
    eager = Trajectory(actor, tmp_path / "eager" / "trajectory.jsonl")
    for text in ("one", "two", "three"):
        post(plane.host, "w", text)
        actor.advance(actor.now + 60_000_000)
    eager.close()
    assert plane.trajectories is not None
    late = plane.trajectories.write("w") / "trajectory.jsonl"
    assert late.read_bytes() == eager.path.read_bytes()


def test_more_than_may_wait_are_written(plane: Plane, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(world_trajectories, "HOLD", 2)
    plane.create(NewWorld(name="w"))
    for text in ("one", "two"):
        post(plane.host, "w", text)
    assert not (tmp_path / "trajectories").exists()
    post(plane.host, "w", "three")
    assert len(list(read_steps(tmp_path / "trajectories" / "w"))) == 3


@pytest.mark.parametrize("is_written", [False, True])
def test_a_fork_begins_with_the_steps_it_shares(plane: Plane, is_written: bool) -> None:
    plane.create(NewWorld(name="w"))
    post(plane.host, "w", "one")
    at = plane.host.actors["w"].version
    post(plane.host, "w", "two")
    if is_written:
        assert texts(plane, "w") == ["one", "two"]
    plane.fork("w", Fork(name="child", at=at))
    post(plane.host, "child", "other")
    plane.fork("child", Fork(name="grandchild"))
    post(plane.host, "grandchild", "last")
    plane.drop("w")
    plane.drop("child")
    assert texts(plane, "grandchild") == ["one", "other", "last"]
    assert plane.trajectories is not None
    header = next(read_lines(plane.trajectories.write("grandchild") / "trajectory.jsonl"))
    assert header["origin"]["run"] == "child" and header["origin"]["step"] == 2


def test_the_folder_of_a_dropped_world_goes_with_its_last_fork(plane: Plane, tmp_path: Path) -> None:
    plane.create(NewWorld(name="w"))
    post(plane.host, "w", "one")
    assert texts(plane, "w") == ["one"]
    plane.fork("w", Fork(name="child"))
    plane.drop("w")
    assert len(list((tmp_path / "trajectories").iterdir())) == 1
    plane.drop("child")
    assert list((tmp_path / "trajectories").iterdir()) == []


def test_the_next_process_goes_on_with_the_file(plane: Plane, company: Path, tmp_path: Path) -> None:
    plane.create(NewWorld(name="w"))
    post(plane.host, "w", "one")
    assert plane.trajectories is not None
    plane.trajectories.close()
    plane.trajectories = WorldTrajectories(plane.host, tmp_path / "trajectories")
    plane.trajectories.resume("w", None)
    post(plane.host, "w", "two")
    assert texts(plane, "w") == ["one", "two"]


def test_the_studio_lists_served_worlds_and_follows_them(plane: Plane, home: Home, tmp_path: Path) -> None:
    runs, worlds = RunList(tmp_path / "runs", plane), RunWorlds(home, plane)
    plane.create(NewWorld(name="w"))
    post(plane.host, "w", "one")
    folder = runs.folders()["worlds/w"]
    assert runs.find("worlds/w") == folder and runs.find("worlds/other") is None
    view = RunView("worlds/w", folder)
    post(plane.host, "w", "two")
    assert worlds.find_live(folder) == "w"
    view.refresh()
    assert [one.operation for one in view.steps] == ["chat.postMessage"] * 2
    assert read_summary("worlds/w", folder).is_live


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    server.plane.trajectories = WorldTrajectories(server.up.host, server.folder / "trajectories")
    with Client(secret="control secret", url=server.control_url) as made:
        yield made


def test_a_tool_call_is_read_back_as_it_was_made_with_what_the_harness_adds(server: Server, client: Client) -> None:
    world = client.create(name="w").world
    who = server.do(lambda: first(server.up.host, "w", SOMEBODY))
    token = client.token(world, "slack", person=who).token
    call = {"name": "slack_send_message", "arguments": {"channel_id": "#random", "message": "hi"}}
    headers = {"Authorization": f"Bearer {token}"}
    answer = httpx.post(f"{server.url}/tools/slack", json=call, headers=headers, timeout=60).json()
    client.note(world, tokens={"in": 7}, messages=[{"role": "assistant", "content": "I post it."}])
    (step,) = client.trajectory(world)["steps"]
    asked = {"surface": "slack-vendor", "tool": call["name"], "arguments": call["arguments"]}
    assert step["request"] == asked
    assert step["response"]["content"] == answer["content"]
    (note,) = read_notes(server.folder / "trajectories" / "w", 1)
    assert note.tokens == {"in": 7} and note.messages[0]["content"] == "I post it." and note.screenshot is None


def test_requests_that_reach_no_operation_are_kept_and_are_no_steps(server: Server, client: Client) -> None:
    world = client.create(name="w").world
    who = server.do(lambda: first(server.up.host, "w", SOMEBODY))
    headers = {"Authorization": f"Bearer {client.token(world, 'slack', person=who).token}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=60) as http:
        assert http.post("/tools/slack", json={"name": "slack_fly", "arguments": {"to": "moon"}}).status_code == 404
        assert http.post("/slack/api/auth.test").json()["ok"]
    (step,) = client.trajectory(world)["steps"]
    assert step["step"] == 1 and step["operation"] == "auth.test"
    _, failed, _ = read_lines(server.folder / "trajectories" / "w" / "trajectory.jsonl")
    assert (failed["kind"], failed["after"]) == ("request", 0)
    assert failed["request"]["tool"] == "slack_fly"
    assert failed["response"]["content"][0]["text"].startswith("Unknown tool")


def test_a_server_that_keeps_no_trajectories_says_so(server: Server) -> None:
    with Client(secret="control secret", url=server.control_url) as client:
        world = client.create().world
        with pytest.raises(ControlError, match="keeps no trajectories"):
            client.trajectory(world)
