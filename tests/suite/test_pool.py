"""A whole suite run: workers apart, bad agents, lost workers, stops and going on."""

import json
import os
import signal
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result

from world.agents.external_agent import LOG_BYTES
from world.agents.runner import replay
from world.commands.suite import command
from world.run.home import Home
from world.run.trajectory_reader import read_header, read_steps
from world.suite import suite_files
from world.suite.pool import Pool
from world.suite.results import LINES, Results, read_manifest
from world.suite.suite_files import Suite
from world.suite.suite_runner import Plan, build_lost_line, run_suite
from world.suite.worker import INSIDE, RunOrder, Worker

ALERT = "flapping_alert"


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Two seeds of one scenario."""
    path = tmp_path_factory.mktemp("suite") / "two.yaml"
    path.write_text(
        f"version: 1\ntitle: Two\nentries:\n  - {{scenario: {ALERT}, seeds: [0, 1]}}\nlimits: {{wall_s: 60}}\n",
        encoding="utf-8",
    )
    return suite_files.load(path)


def run(home: Home, plan: Plan, out: Path, *, resume: bool = False) -> tuple[Results, int]:
    """A suite run in a folder."""
    results = Results(out, plan.manifest(), resume=resume)
    return results, run_suite(plan, home, results, lambda line: None)


def outside(name: str) -> str:
    """An agent of tests/suite/agents.py."""
    return f"tests.suite.agents:{name}"


def test_every_task_and_attempt_is_run_graded_and_kept(home: Home, company: Path, suite: Suite, tmp_path: Path) -> None:
    results, made = run(home, Plan(suite, "reads", "mcp", attempts=2, jobs=2, floor=False), tmp_path / "out")
    assert made == 4
    assert [(line["task"], line["attempt"]) for line in results.latest()] == [
        (f"{ALERT}.medium.00{s}", a) for s in (0, 1) for a in (0, 1)
    ]
    assert {line["status"] for line in results.lines} == {"finished"} and {line["score"] for line in results.lines} == {
        0.0
    }
    by_task: dict[str, set[str]] = {}
    for line in results.lines:
        by_task.setdefault(line["task"], set()).add(line["digest"])
    assert all(len(found) == 1 for found in by_task.values()), "two attempts with the same calls are the same run"
    first = results.latest()[0]
    again, recorded = replay(home, tmp_path / "out" / "runs" / first["folder"], tmp_path)
    assert again.digest == recorded == first["digest"]


def test_a_run_of_nobody_is_the_world_that_nobody_acted_in(
    home: Home, company: Path, suite: Suite, tmp_path: Path
) -> None:
    worker = Worker(home.path, tmp_path / "worker")
    nobody, idle = (
        RunOrder(suite.tasks[0], agent, "mcp", 0, tmp_path / agent, suite.file.limits) for agent in ("null", "idle")
    )
    try:
        with patch.dict(INSIDE, {"idle": lambda run, order: None}):
            lines = [worker.run(one) for one in (nobody, idle)]
    finally:
        worker.close()
    assert lines[0]["digest"] == lines[1]["digest"] and lines[0]["simulated_s"] == lines[1]["simulated_s"] == 0
    for name in ("journal.jsonl", "grade.json"):
        assert (nobody.folder / name).read_bytes() == (idle.folder / name).read_bytes()
    assert [read_header(one.folder).agent for one in (nobody, idle)] == ["null", "idle"]
    assert not [*read_steps(nobody.folder), *read_steps(idle.folder)]


@pytest.fixture(scope="module")
def bad(
    home: Home, company: Path, suite: Suite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, dict[str, Any]]]:
    """What became of one run of every bad agent, all made by one worker, a good one last; each with its folder."""
    out = tmp_path_factory.mktemp("bad")
    plans = [
        Plan(
            suite,
            outside(name),
            "mcp",
            attempts=1,
            jobs=1,
            calls=20,
            wall_s=8.0 if name == "hangs" else None,
            floor=False,
        )
        for name in ("dies", "raises", "prowls", "floods", "hangs")
    ] + [Plan(suite, "reads", "mcp", attempts=1, jobs=1, floor=False)]
    orders = [next(plan.orders(out)) for plan in plans]
    lines = list(Pool(1, home.path, out / "scratch").run(orders, build_lost_line, wall_s=60.0))
    yield {line["agent"].rpartition(":")[2]: {**line, "folder": out / "runs" / line["folder"]} for line in lines}


@pytest.mark.parametrize(
    ("agent", "status", "why"),
    [
        ("dies", "failed", "exit code -11"),
        ("raises", "failed", "exit code 1"),
        ("prowls", "finished", ""),
        ("floods", "finished", ""),
        ("hangs", "timeout", "stopped after 8 s"),
        ("reads", "finished", ""),
    ],
)
def test_a_bad_agent_costs_its_own_run_only(bad: dict[str, dict[str, Any]], agent: str, status: str, why: str) -> None:
    line = bad[agent]
    assert (line["status"], line["score"], line["error"], len(bad)) == (status, 0.0, None, 6)
    assert why in line["why"]
    assert line["trusted"] is (agent != "reads") and line["trust"]["process"] is line["trusted"]
    assert json.loads((line["folder"] / "grade.json").read_text())["trust"] == line["trust"]


def test_an_agent_that_floods_is_heard_to_its_budget_and_logged_to_a_limit(bad: dict[str, dict[str, Any]]) -> None:
    line = bad["floods"]
    assert line["ended"] is not None and line["steps"] >= 20
    assert (line["folder"] / "agent.log").stat().st_size == LOG_BYTES


def test_an_agent_that_hangs_is_stopped(bad: dict[str, dict[str, Any]]) -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(int((bad["hangs"]["folder"] / "agent.log").read_text()), 0)


def test_a_lost_worker_costs_one_run_and_its_agent_goes_with_it(
    home: Home, company: Path, suite: Suite, tmp_path: Path
) -> None:
    """The worker is killed from outside while its agent is at work; the run is made again on the next go."""
    plan = Plan(suite, outside("hangs"), "mcp", attempts=1, jobs=1, wall_s=5.0, floor=False)
    results = Results(tmp_path / "out", plan.manifest(), resume=False)
    said = next(plan.orders(tmp_path / "out")).folder / "agent.log"
    said.parent.mkdir(parents=True)
    os.mkfifo(said)
    killed: list[int] = []
    thread = threading.Thread(target=lambda: killed.append(_kill_worker(said)), daemon=True)
    thread.start()
    made = run_suite(plan, home, results, lambda line: None)
    thread.join(30)
    assert made == 2 and killed
    assert sorted(line["status"] for line in results.latest()) == ["crashed", "timeout"]
    assert "worker was lost" in next(line["why"] for line in results.latest() if line["status"] == "crashed")
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)
    again, made = run(home, plan, tmp_path / "out", resume=True)
    assert made == 1 and [line["status"] for line in again.latest()] == ["timeout"] * 2


def _kill_worker(said: Path) -> int:
    """Kill the worker of the first agent that says who it is: its supervisor's parent."""
    with said.open("rb") as log:
        agent = int(log.readline())
    said.unlink()
    os.kill(_parent(_parent(agent)), signal.SIGKILL)
    return agent


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def test_a_worker_goes_on_while_the_line_of_its_last_run_is_kept(
    home: Home, company: Path, suite: Suite, tmp_path: Path
) -> None:
    plan, pool = Plan(suite, "null", "mcp", attempts=1, jobs=1, floor=False), Pool(1, home.path, tmp_path / "workers")
    lines = pool.run(plan.orders(tmp_path / "out"), build_lost_line, 60.0)
    first = next(lines)
    assert all(seat.pipe.poll(60) for seat in pool._seats)  # the next run ends although nobody asks for its line yet
    assert [first["task"], *(line["task"] for line in lines)] == [task.id for task in suite.tasks]


def test_a_stopped_run_goes_on_where_it_was(home: Home, company: Path, suite: Suite, tmp_path: Path) -> None:
    plan = Plan(suite, "null", "mcp", attempts=3, jobs=1, floor=False)
    results = Results(tmp_path / "out", plan.manifest(), resume=False)

    def stop(line: Mapping[str, Any]) -> None:
        if len(results.lines) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_suite(plan, home, results, stop)
    assert len(results.lines) == 2
    again, made = run(home, plan, tmp_path / "out", resume=True)
    assert made == 4 and len(again.latest()) == 6
    assert read_manifest(tmp_path / "out") == plan.manifest()
    assert len(json.loads((tmp_path / "out" / "suite.json").read_text())["tasks"]) == 2


# through the command


def firm(suite: Path, out: Path, agent: str, *more: str) -> Result:
    """`firm suite run`, on one core."""
    given = ["run", str(suite), "--agent", agent, "--out", str(out), "--jobs", "1", "--no-baselines", *more]
    return CliRunner().invoke(command, given)


def kept(out: Path) -> list[dict[str, Any]]:
    """The lines of the results."""
    return [json.loads(text) for text in (out / LINES).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a suite of two tasks."""
    path = tmp_path_factory.mktemp("two") / "two.yaml"
    path.write_text(f"version: 1\ntitle: Two\nentries:\n  - {{scenario: {ALERT}, seeds: [0, 1]}}\n", encoding="utf-8")
    return path


@pytest.mark.full
@pytest.mark.parametrize(
    ("agent", "status"),
    [
        ("gushes", "finished"),
        ("disconnects", "finished"),
        ("lies", "finished"),
        *(
            pytest.param(*row, marks=pytest.mark.slow)
            for row in (("hangs", "timeout"), ("floods", "finished"), ("prowls", "finished"))
        ),
    ],
)
def test_a_suite_of_bad_runs_is_finished_graded_and_needs_no_other_go(
    company: Path, two: Path, tmp_path: Path, agent: str, status: str
) -> None:
    more = ("--wall", "4") if agent == "hangs" else ("--wall", "120")
    done = firm(two, tmp_path / "out", outside(agent), *more)
    assert done.exit_code == 0, done.output
    lines = kept(tmp_path / "out")
    assert [(line["status"], line["pass"], line["error"]) for line in lines] == [(status, False, None)] * 2, lines
    assert all(line["score"] < 0.01 for line in lines)  # a wrong answer may be near a right one
    assert all((tmp_path / "out" / "runs" / line["folder"] / "agent.log").stat().st_size <= LOG_BYTES for line in lines)
    again = firm(two, tmp_path / "out", outside(agent), *more, "--resume")
    assert again.exit_code == 0 and "0 runs made" in again.output and kept(tmp_path / "out") == lines


@pytest.mark.full
def test_a_run_folder_that_was_cut_off_is_made_whole_again(
    home: Home, company: Path, two: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert firm(two, out, "reads").exit_code == 0
    first, last = kept(out)
    folder = out / "runs" / last["folder"]
    (folder / "grade.json").unlink()
    for path in (out / LINES, *folder.glob("*.jsonl")):
        os.truncate(path, path.stat().st_size - 7)
    again = firm(two, out, "reads", "--resume")
    assert again.exit_code == 0 and "1 runs made" in again.output, again.output
    whole = kept(out)
    assert whole[0] == first and (whole[1]["task"], whole[1]["digest"], whole[1]["score"]) == (
        last["task"],
        last["digest"],
        last["score"],
    )
    replayed, recorded = replay(home, folder, tmp_path)
    assert replayed.digest == recorded == last["digest"] and (folder / "grade.json").is_file()


def test_a_full_disk_stops_a_suite_that_then_goes_on(
    company: Path, two: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, real = tmp_path / "out", os.fsync
    room = iter([True, False])

    def filling(descriptor: int) -> None:
        if Path(os.readlink(f"/proc/self/fd/{descriptor}")).name == LINES and not next(room):
            raise OSError(28, "No space left on device")
        real(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", filling)
        stopped = firm(two, out, "null")
    assert stopped.exit_code == 1 and "No space left on device" in stopped.output and "--resume" in stopped.output
    (first,) = kept(out)
    again = firm(two, out, "null", "--resume")
    assert again.exit_code == 0 and "1 runs made" in again.output
    assert kept(out)[0] == first and len({line["task"] for line in kept(out)}) == 2
