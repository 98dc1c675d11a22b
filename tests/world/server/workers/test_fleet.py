"""`firm serve --workers`: one address, several processes, as a client meets them."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from world.client import Client, ControlError
from world.run.home import Home

SCENARIO = "flapping_alert"
STUDIO = re.compile(r"studio   (http://127\.0\.0\.1:\d+/\S+)  \(worker \d, opens once\)")


@pytest.fixture
def environment(home: Home, company: Path, tmp_path: Path) -> dict[str, str]:
    """A home of its own that knows the sealed company."""
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home" / "images").symlink_to(home.images)
    return {**os.environ, "FIRM_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "world", "serve", "--listen", "127.0.0.1:0", *arguments]


def connect(environment: dict[str, str]) -> Client:
    """A client of the control plane of a home."""
    home = Path(environment["FIRM_HOME"])
    secret = (home / "secrets" / "control").read_text().strip()
    return Client(socket=home / "run" / "control.sock", secret=secret)


@contextmanager
def serving(environment: dict[str, str], workers: int = 2) -> Iterator[Client]:
    """A client of a running fleet."""
    with serving_with_studios(environment, workers) as (client, _):
        yield client


@contextmanager
def serving_with_studios(environment: dict[str, str], workers: int = 2) -> Iterator[tuple[Client, list[str]]]:
    """A client of a running fleet, and the links to its workers' studios."""
    started = command("--workers", str(workers))
    with subprocess.Popen(started, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            assert f"{workers} workers at http://127.0.0.1:" in running.stdout.readline()
            assert "control" in running.stdout.readline()
            studios = [running.stdout.readline() for _ in range(workers)]
            with connect(environment) as client:
                yield client, [STUDIO.findall(line)[0] for line in studios]
        finally:
            running.terminate()
            assert running.wait(60) == 0


def ask(credential: str, address: str, client: httpx.Client, **form: str) -> bool:
    """Whether a Slack token is good, over a kept connection."""
    headers = {} if form else {"Authorization": f"Bearer {credential}"}
    return bool(client.post(f"{address}/api/auth.test", headers=headers, data=form).json()["ok"])


def await_restart(control: Client) -> None:
    """Return when the second worker was started again; the fleet's own answers go on meanwhile."""
    for _ in range(10_000):
        if control.health()["workers"][1]["restarts"]:
            return
    raise AssertionError("the worker was not started again")


def test_worlds_of_all_workers_are_reached_over_one_connection(environment: dict[str, str]) -> None:
    with serving(environment) as control, httpx.Client(timeout=60) as agent:
        made = [control.create(scenario=SCENARIO, seed=seed) for seed in range(3)]
        assert sorted(one.world for one in made) == control.worlds() == ["w1", "w1-1", "w2"]
        tokens = [control.token(one.world, "slack") for one in made]
        for token in (*tokens, *reversed(tokens)):
            assert ask(token.token, token.rest, agent)
            assert ask(token.token, token.rest, agent, token=token.token)
            assert not ask("nobody", token.rest, agent)
        assert {one["worker"] for one in control.status()} == {0, 1}
        fork = control.fork(made[1].world)
        assert fork.world == "w2-1"
        for taken in (lambda: control.fork("w1", name="w1-1"), lambda: control.create(name="w1-1")):
            with pytest.raises(ControlError) as refused:
                taken()
            assert refused.value.status == 409
        assert [control.grade(one.world)["score"] for one in made[:2]] == [0.0, 0.0]
        for one in (*made, fork):
            control.drop(one.world)
        assert control.worlds() == []


def test_each_worker_has_a_studio_of_its_worlds(environment: dict[str, str]) -> None:
    with (
        serving_with_studios(environment) as (control, links),
        httpx.Client(timeout=60, follow_redirects=True) as looker,
    ):
        made = [control.create(scenario=SCENARIO, seed=seed).world for seed in range(2)]
        for number, (link, world) in enumerate(zip(links, made, strict=True)):
            assert looker.get(link).status_code == 200
            base = link.partition("/enter")[0]
            page = looker.get(f"{base}/worlds").text
            assert [f'/worlds/{name}"' in page for name in made] == [number == 0, number == 1]
            steered = looker.post(f"{base}/worlds/{world}/steer", data={"speed": "600"}, headers={"Origin": base})
            assert steered.status_code == 200


def test_a_worker_that_is_killed_comes_back_with_its_worlds(environment: dict[str, str]) -> None:
    with serving(environment) as control, httpx.Client(timeout=120) as agent:
        made = [control.create(scenario=SCENARIO, seed=seed) for seed in range(2)]
        tokens = [control.token(one.world, "slack") for one in made]
        assert ask(tokens[0].token, tokens[0].rest, agent)  # its connection stays with the first worker
        states = [control.state_hash(one.world) for one in made]
        os.kill(control.health()["workers"][1]["pid"], signal.SIGKILL)
        assert ask(tokens[0].token, tokens[0].rest, agent)
        await_restart(control)
        with httpx.Client(timeout=120) as later:
            assert all(ask(one.token, one.rest, later) for one in tokens)
        with connect(environment) as fresh:
            assert [fresh.state_hash(one.world) for one in made] == states
            assert fresh.worlds() == sorted(one.world for one in made)


def test_worlds_and_tokens_outlive_the_whole_server(environment: dict[str, str]) -> None:
    with serving(environment) as control:
        made = [control.create(scenario=SCENARIO, seed=seed) for seed in range(2)]
        tokens = [control.token(one.world, "slack") for one in made]
    with serving(environment) as control, httpx.Client(timeout=60) as agent:
        assert control.worlds() == sorted(one.world for one in made)
        here = control.token(made[0].world, "slack").rest
        assert all(ask(one.token, here, agent) for one in tokens)
        assert [control.describe(one.world).scenario for one in made] == [SCENARIO] * 2


def test_options_about_one_world_are_refused(environment: dict[str, str]) -> None:
    refused = subprocess.run(
        command("--workers", "2", "--scenario", SCENARIO, "--realtime", "60"),
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert refused.returncode == 2
    assert "--scenario, --realtime is about one world" in refused.stderr


def test_worlds_of_more_workers_are_not_left_behind(environment: dict[str, str]) -> None:
    folder = Path(environment["FIRM_HOME"]) / "worlds-2" / "0a"
    folder.mkdir(parents=True)
    (folder / "w1-2.log").touch()
    refused = subprocess.run(
        command("--workers", "2"), env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert refused.returncode == 1
    assert "serve with --workers 3" in refused.stderr
