"""V17: the same work elsewhere, in processes of another date, zone, language and hash seed; `python -m` this is one of
them.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from world.gate.variant_runner import CheckResult, VariantRunner
from world.run.host import open_host
from world.script import loader

PLACES: Mapping[str, Mapping[str, str]] = {
    "east, next year": {"PYTHONHASHSEED": "1234", "TZ": "Asia/Kolkata", "LC_ALL": "POSIX"},
    "west, 1999": {"PYTHONHASHSEED": "4294967295", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"},
}
LATER_S: Mapping[str, int] = {"east, next year": 34_560_000, "west, 1999": -851_472_000}
MODULES = frozenset({"time", "random", "uuid", "secrets", "socket", "subprocess", "tempfile", "locale", "platform"})
NAMES = frozenset({"now", "utcnow", "today", "environ", "getenv", "urandom", "getpid"})
CLOCKS = ("time", "time_ns")


def check_independence(runner: VariantRunner) -> Iterator[CheckResult]:
    """V17: the solution leaves the same records and verdict in any surroundings; the scenario's code asks the machine
    for nothing.
    """
    asked = [found for path in runner.scenario.files if path.suffix == ".py" for found in surroundings(path)]
    yield CheckResult("V17", "the code asks neither clock, chance nor machine", not asked, "; ".join(asked))
    here = hash_solution_run(runner)
    with tempfile.TemporaryDirectory() as scratch:
        started = {name: _start(runner, Path(scratch) / str(number), name) for number, name in enumerate(PLACES)}
        for name, process in started.items():
            said, problem = process.communicate()
            there = json.loads(said) if process.returncode == 0 else {"process": problem[-500:]}
            differ = sorted(key for key in here.keys() | there.keys() if here.get(key) != there.get(key))
            why = there.get("process") or (f"another {' and '.join(differ)}" if differ else "")
            yield CheckResult("V17", name, not why, why)


def surroundings(path: Path) -> Iterator[str]:
    """Yield the uses of the machine in a Python file: `scenario.py:12 time`."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    asking = {"hash", "id"} - {
        node.arg for node in nodes if isinstance(node, ast.arg)
    }  # not where they name something of the author's
    for node in nodes:
        named = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        found = [name for name in named if name.split(".")[0] in MODULES]
        if isinstance(node, ast.Attribute) and node.attr in NAMES and _of_machine(node.value):
            found.append(node.attr)
        if isinstance(node, ast.Name) and node.id in asking and isinstance(node.ctx, ast.Load):
            found.append(f"{node.id}()")
        yield from (f"{path.name}:{node.lineno} {name}" for name in found if isinstance(node, (ast.stmt, ast.expr)))


def _of_machine(value: ast.expr) -> bool:
    """Whether an attribute is taken of `os`, `datetime` or `date`, and not of a scene or stage, which have a `now` too."""
    last = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    return last in ("os", "datetime", "date", "dt")


def hash_solution_run(runner: VariantRunner) -> dict[str, str]:
    """The record of the solution's run and its verdict, as hashes."""
    run, _ = runner.play_solution()
    records = run.actor.world.record_digest().hexdigest()
    return {"record": records, "verdict": sha256(runner.grade_and_drop(run).to_json()).hexdigest()}


def _start(runner: VariantRunner, scratch: Path, name: str) -> subprocess.Popen[str]:
    level = runner.root.actor.settings.difficulty or ""
    given = [
        str(runner.host.store.base.path),
        str(runner.scenario.path),
        str(runner.seed),
        level,
        str(scratch),
        str(LATER_S[name]),
    ]
    return subprocess.Popen(
        [sys.executable, "-m", "world.gate.process_independence", *given],
        env={**os.environ, **PLACES[name], "PYTHONUTF8": "1"},
        text=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _shift(seconds: int) -> None:
    """Let this process believe in another date."""
    for name in CLOCKS:
        real, by = getattr(time, name), seconds * (10**9 if name.endswith("_ns") else 1)
        setattr(time, name, lambda real=real, by=by: real() + by)


def _main(image: str, folder: str, seed: str, difficulty: str, scratch: str, later_s: str) -> None:
    _shift(int(later_s))
    host = open_host(Path(image), Path(scratch) / "worlds")
    try:
        print(
            json.dumps(
                hash_solution_run(VariantRunner(host, loader.find_scenario(folder), int(seed), difficulty or None))
            )
        )
    finally:
        host.store.close()


if __name__ == "__main__":
    _main(*sys.argv[1:])
