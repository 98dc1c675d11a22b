"""Tasks in the form of Harbor: a folder each, with a world in a container beside the agent's."""

import hashlib
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from world.run.trajectory_reader import TrajectoryError
from world.studio.exports.chat import ChatWriter
from world.studio.exports.selection import RunSource, StoredRun
from world.studio.exports.turns import Turn, read_turns

ORGANISATION, WORLD, AGENT_S = "firmament", "task", 3600.0
VERDICT = "/data/runs/verdict.json"  # in a volume of the world's container: files in memory cannot be copied out
SOLUTION = "solution/solve.sh"
COMMAND = Path(__file__).with_name("company_command.py")
BASE = "FROM python:3.11-slim-bookworm\n"
INSTRUCTION = """{task}

Your tools are on the command line:

- `company tools` lists them, `company tools APP` those of one app.
- `company tool NAME` shows the arguments of one.
- `company call NAME '{{"argument": "value"}}'` calls one.

The same tools are an MCP server: `/task/task.json` has its `url` (add `/mcp`) and, as `tokens[""]`, the bearer token.
"""
CONFIG = """schema_version = "1.4"

[task]
name = {name}

[metadata]
scenario = {scenario}
seed = {seed}
revision = {revision}
image = {image}
settings = {settings}

[agent]
timeout_sec = {agent_s}

[verifier]
environment_mode = "separate"

[[verifier.collect]]
service = "world"
command = {grade}
timeout_sec = 300.0

[[artifacts]]
source = {verdict}
service = "world"
"""
COMPOSE = """services:
  main:
    volumes: ["task:/task:ro"]
    depends_on:
      steward: {{condition: service_completed_successfully}}

  world:
    image: &firmament "${{FIRM_IMAGE:-firmament}}"
    command: [serve, --listen=0.0.0.0:8400, --allow-host=world, {size}]
    volumes: ["control:/data/run", "secrets:/data/secrets"]

  steward:
    image: *firmament
    entrypoint: [sh, -c]
    command: [{setup}]
    volumes: ["control:/data/run", "secrets:/data/secrets:ro", "task:/task"]
    network_mode: none
    healthcheck: {{disable: true}}
    depends_on:
      world: {{condition: service_healthy}}

volumes: {{control: {{}}, secrets: {{}}, task: {{}}}}
"""
CHECK = f"""#!/bin/sh
set -eu
mkdir -p /logs/verifier
python3 -c 'import json; print(json.dumps({{"reward": float(json.load(open("{VERDICT}"))["score"])}}))' \\
  > /logs/verifier/reward.part
mv /logs/verifier/reward.part /logs/verifier/reward.json
"""


def export_tasks(source: RunSource, writer: ChatWriter, folder: Path) -> int:
    """Write a folder for the task of each run, and return how many. The solution is that of a run that passed.

    Raises OSError, TrajectoryError for a path that is no run.
    """
    solved: dict[str, bool] = {}
    for run in source.list_runs():
        name, passed = name_task(run), run.summary.passed is True
        if name in solved and (solved[name] or not passed):
            continue
        try:
            solution = render_solution(run, writer)
            write_task(folder / name, run, solution if passed else "")
        except TrajectoryError as error:
            source.skip(run.name, str(error))
            continue
        solved[name] = passed
    return len(solved)


def name_task(run: StoredRun) -> str:
    """Scenario, seed and settings in the letters that names of folders and packages may have; a digest of the settings keeps
    apart those that differ in other letters only.
    """
    settings = [f"{name}_{value}" for name, value in sorted(run.config.settings.items())]
    text = "-".join([Path(run.config.scenario).name, str(run.config.seed), *settings])
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", text)
    digest = hashlib.sha256(_dump_settings(run).encode()).hexdigest()[:8]
    return f"{name}-{digest}" if settings else name


def render_solution(run: StoredRun, writer: ChatWriter) -> str:
    """A script with the calls of a run; in a new world of its task they have the same effect. Raises TrajectoryError."""
    usual = writer.lists.surfaces[0]  # what `company` asks unless it is told a list
    found = ((turn, writer.find_surface(run, turn)) for turn in read_turns(run.folder))
    calls = (_render_call(turn, "" if surface == usual else surface) for turn, surface in found)
    return "\n".join(["#!/bin/sh", "set -eu", *calls, ""])


def _render_call(turn: Turn, surface: str) -> str:
    at = ["--at", surface.replace("-", "/", 1)] if surface else []
    line = shlex.join(["company", "call", *at, turn.tool, json.dumps(turn.arguments, ensure_ascii=False)])
    return f"{line} || true  # refused" if turn.is_error else line


def write_task(folder: Path, run: StoredRun, solution: str) -> None:
    """Write the files of one task. Raises OSError, TrajectoryError for a scenario that no image has."""
    if "/" in run.config.scenario:
        raise TrajectoryError(f"{run.config.scenario} is a folder; an image has scenarios by name only")
    (folder / SOLUTION).unlink(missing_ok=True)
    for path, text in _render_files(run, solution):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
        if text.startswith("#!"):
            (folder / path).chmod(0o755)


def _render_files(run: StoredRun, solution: str) -> Iterator[tuple[str, str]]:
    yield "instruction.md", INSTRUCTION.format(task=run.header.task.rstrip())
    yield "task.toml", _render_config(run)
    yield "environment/docker-compose.yaml", _render_compose(run)
    yield "environment/Dockerfile", f"{BASE}COPY company /usr/local/bin/company\nWORKDIR /work\n"
    yield "environment/company", COMMAND.read_text(encoding="utf-8")
    yield "tests/Dockerfile", f"{BASE}COPY . /tests/\n"
    yield "tests/test.sh", CHECK
    if solution:
        yield SOLUTION, solution


def _render_config(run: StoredRun) -> str:
    config = run.config
    return CONFIG.format(
        name=_quote(f"{ORGANISATION}/{name_task(run)}"),
        scenario=_quote(config.scenario),
        seed=config.seed,
        revision=_quote(config.revision),
        image=_quote(config.image),
        settings=_quote(_dump_settings(run)),
        agent_s=AGENT_S,
        grade=_quote(f"firm world grade --public {WORLD} > {VERDICT}"),
        verdict=_quote(VERDICT),
    )


def _render_compose(run: StoredRun) -> str:
    config = run.config
    create = ["firm", "world", "create", "--name", WORLD, "--scenario", config.scenario, "--seed", str(config.seed)]
    if config.settings:
        create += ["--settings", _dump_settings(run)]
    task = ["firm", "world", "task", WORLD, "--url", "http://world:8400", "--out", "/task/task.json"]
    setup = f"{shlex.join(create)} && {shlex.join(task)}".replace("$", "$$")  # Compose reads $NAME as a variable
    return COMPOSE.format(size=_quote(f"--size={config.size}"), setup=_quote(setup))


def _dump_settings(run: StoredRun) -> str:
    return json.dumps(run.config.settings, sort_keys=True)


def _quote(text: str) -> str:
    """A text as TOML and YAML write it."""
    return json.dumps(text, ensure_ascii=False)
