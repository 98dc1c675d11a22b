"""Same seed, same calls: the same bytes in any process, whatever its hash seed, zone, locale, folder and environment;
no chance, no clock.
"""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from world.agents.runner import Plan, read_config, record
from world.agents.tool_lists import IDLE, list_tool_roots, recall_tool_lists, tool_lists
from world.core.call import Call
from world.core.params import NoParams
from world.run import episode
from world.run.home import Home
from world.run.host import Host
from world.run.images import list_sources
from world.script import loader

ROOT = Path(__file__).parents[2]
RUN = """
import datetime, hashlib, json, os, random, secrets, sys, time, uuid
from pathlib import Path

import apsw, orjson
from world.run import episode
from world.script import loader
from world.agents.solver import play
from world.agents.steps import DirectDoor, Scene
from world.run.home import Home
from world.run.images import list_sources
from world.run.host import open_host
from world.run.images import get_image
from world.run.run_evidence import collect_run_record, write_past
from world.run.run_folder import line
from world.run.trajectory import Trajectory

class Forbidden(Exception):
    pass

asked = []

POOL = os.path.join("sqlalchemy", "pool")

def guard(name, real):
    def refuse(*given, **named):
        caller = sys._getframe(1)
        if POOL in caller.f_code.co_filename:  # a connection pool notes when it opened; nothing reads it into a world
            return real(*given, **named)
        asked.append(f"{name} from {caller.f_code.co_filename}:{caller.f_lineno}")
        raise Forbidden(asked[-1])
    return refuse

class Never(datetime.datetime):
    now = utcnow = today = classmethod(guard("datetime.now", None))

def forbid():
    for module, names in ((time, ("time", "time_ns", "localtime", "gmtime")), (uuid, ("uuid1", "uuid4")), (os, ("urandom",)),
                          (secrets, ("token_hex", "token_bytes", "token_urlsafe", "randbits", "choice")),
                          (random, ("random", "randint", "randrange", "choice", "shuffle", "getrandbits", "sample", "uniform"))):
        for name in names:
            setattr(module, name, guard(f"{module.__name__}.{name}", getattr(module, name)))
    datetime.datetime = Never
    for module in list(sys.modules.values()):
        if getattr(module, "datetime", None) is REAL and getattr(module, "__name__", "").split(".")[0] in ("world", "apps", "seeds", "scenarios"):
            module.datetime = Never

def digest(data):
    return hashlib.sha256(data).hexdigest()

def run(home, scratch, door):
    made = open_host(get_image(home, "S", 7), scratch / "worlds", secret="one secret")
    started = episode.start(made, loader.find_scenario("us_east_1_outage"), seed=5, world="run")
    steps = Trajectory(started.actor, scratch / "trajectory.jsonl")
    answers = [line(done.result) for done in play(started.scenario.oracle, Scene(started), DirectDoor(started, door), strict=False)]
    steps.close()
    episode.finish(started)
    verdict = episode.verdict(started)
    write_past(collect_run_record(started.actor), scratch / "journal.jsonl")
    found = {
        "state": started.actor.world.record_digest().hexdigest(), "journal": digest((scratch / "journal.jsonl").read_bytes()),
        "trajectory": digest((scratch / "trajectory.jsonl").read_bytes()), "answers": digest(b"".join(answers)),
        "grade": digest(verdict.to_json()), "passed": verdict.passed, "steps": len(answers), "task": digest(started.task.encode()),
        "image": made.store.base.sha256,
    }
    made.store.close()
    return found

REAL = datetime.datetime
home, scratch, guarded = Home(Path(sys.argv[1])), Path(sys.argv[2]), sys.argv[3] == "guarded"
if guarded:
    episode, loader  # everything is imported: imports may look at the clock
    import scipy.optimize, seeds.build, scenarios.us_east_1_outage.oracle, world.grading.grade, world.agents.runner
    from world.core import discovery
    discovery.apps()
    forbid()
print(json.dumps({**run(home, scratch, "mcp"), "asked": asked}))
"""
PLACES: dict[str, dict[str, str]] = {
    "plain": {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"},
    "west": {
        "TZ": "America/St_Johns",
        "PYTHONHASHSEED": "4294967295",
        "LC_ALL": "C",
        "COLUMNS": "40",
        "HOME": "/nonexistent",
    },
}
SAME = ("state", "journal", "trajectory", "answers", "grade", "passed", "steps", "task", "image")


def run(home: Path, scratch: Path, environment: dict[str, str], mode: str, folder: Path = ROOT) -> dict[str, Any]:
    """One process that plays the scripted solution; its hashes."""
    scratch.mkdir(parents=True)
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    program = scratch / "run.py"
    program.write_text(RUN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(program), str(home), str(scratch), mode],
        env={**environment, **kept, "PYTHONPATH": str(ROOT)},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def runs(company: Path, home: Home, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The same run in processes of different surroundings; the last builds the company itself, under guard."""
    root = tmp_path_factory.mktemp("determinism")
    here = run(home.path, root / "plain", PLACES["plain"], "free")
    return {"plain": here, "west": run(root / "fresh", root / "west", PLACES["west"], "guarded", Path(root.anchor))}


def test_the_same_calls_leave_the_same_bytes_in_any_surroundings(runs: dict[str, dict[str, Any]]) -> None:
    assert {name: runs["west"][name] for name in SAME} == {name: runs["plain"][name] for name in SAME}
    assert runs["plain"]["passed"] and runs["plain"]["steps"] > 15


def test_building_playing_and_grading_ask_neither_clock_nor_chance(runs: dict[str, dict[str, Any]]) -> None:
    assert runs["west"]["asked"] == []


def test_a_run_records_the_tool_lists_it_offered_and_a_changed_word_shows(
    firm: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = episode.start(firm, loader.find_scenario("us_east_1_outage"), seed=1, world="w")
    record(started, tmp_path, Plan("us_east_1_outage", "oracle", "mcp", {}), tool_lists(firm)).close()
    kept = read_config(tmp_path).tools
    assert {"all", "slack", "jira", "gmail", "slack/operations", "jira/community", "gmail/workspace"} <= set(
        kept
    ) and kept == tool_lists(firm)
    changed = replace(firm.operations["status.pages"], run=_reworded)
    monkeypatch.setitem(firm.apps["status"].operations, "status.pages", changed)
    assert {name for name, digest in tool_lists(firm).items() if digest != kept[name]} == {
        "all",
        "status",
        "status/operations",
    }


def test_tool_lists_are_computed_again_only_after_a_change_of_a_source(
    firm: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home, sources = Home(tmp_path), ["first"]
    monkeypatch.setattr("world.agents.tool_lists.digest_sources", lambda roots, kept, idle: sources[0])
    first = recall_tool_lists(at_home, firm)
    assert first == tool_lists(firm)
    changed = replace(firm.operations["status.pages"], run=_reworded)
    monkeypatch.setitem(firm.apps["status"].operations, "status.pages", changed)
    assert recall_tool_lists(at_home, firm) == first
    sources[0] = "second"
    assert recall_tool_lists(at_home, firm) == tool_lists(firm) != first
    (at_home.folder("tools") / "lists.json").write_text('{"key": ', encoding="utf-8")
    assert recall_tool_lists(at_home, firm) == tool_lists(firm)


@pytest.mark.parametrize(
    "path", ["mcp_servers/schema.py", "world/web/rest_door.py", "apps/slack/rest.py", "world/core/call.py"]
)
def test_tool_lists_are_named_by_every_file_that_shapes_them(path: str) -> None:
    known = {Path(one) for root in list_tool_roots() for _, one in list_sources(root, IDLE)}
    assert Path(__file__).parents[2] / path in known


def _reworded(call: Call, params: NoParams) -> object:
    """List the pages in other words."""
    return params
