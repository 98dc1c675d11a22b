"""Performs one run: server, agent, record, grade, run folder; and repeats or grades a stored one."""

import asyncio
import json
import traceback
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from world.agents.external_agent import AgentExit, LaunchSettings, Secrets, run_outside
from world.agents.options import OURS, WALL_S, DoorName
from world.agents.program import AgentError, call, check
from world.agents.random_writer import write_at_random
from world.agents.rest import RestDoor
from world.agents.resumption import DoneStep, ResumedDoor
from world.agents.solver import StepOutcome, play
from world.agents.steps import Door, LastResult, Scene
from world.agents.task import Task
from world.agents.tool_lists import recall_tool_lists
from world.core.clock import iso, wall_seconds
from world.core.errors import OperationError
from world.core.lazy import Lazy
from world.core.principal import Principal
from world.grading.judge import Judge
from world.grading.reasons.public import to_public
from world.grading.verdict import IN_PROCESS, Trust, Verdict
from world.run import episode
from world.run.canary import note_visibility
from world.run.capabilities import check_needs
from world.run.episode import Episode
from world.run.failures import tell_mistakes
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image, get_image_by_hash
from world.run.run_config import RunConfig, describe_header, describe_run, read_config, write_config
from world.run.run_evidence import RunRecord, collect_run_record, read_past, write_past
from world.run.run_folder import AGENT_DOORS, Contents
from world.run.sandbox_results import RecordedResults
from world.run.trajectory import CONTENT_FOLDER, FILE, HARNESS, Opening, Origin, Trajectory
from world.run.trajectory_reader import read_steps
from world.script import loader
from world.script.catalogue import chores, folders, vectors
from world.server.control_state import token_form
from world.server.serve import listening, tcp

T = TypeVar("T")
TAIL_BYTES = 4096  # of what a failed program printed


@dataclass(frozen=True, slots=True)
class RunResult:
    """A graded run and where it is kept; `raised` is what an agent that failed said last."""

    folder: Path
    verdict: Verdict
    digest: str
    steps: int
    refused: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    raised: str = ""


Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is recorded as: the scenario's name or path, the agent, its door, and settings beside the scenario's.

    A branch also has its origin, and the lines of the steps that it shares with the run it began in.
    """

    scenario: str
    agent: str
    door: DoorName
    settings: Mapping[str, Any]
    origin: Origin | None = None
    before: Sequence[bytes] = ()


@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """Settings for running an agent's program: time limit, variables, and a callback for its output.

    `in_process` calls it in this process instead, for tests.
    """

    wall_s: float = WALL_S
    env: tuple[str, ...] = ()
    echo: Callable[[bytes], None] = field(default=lambda text: None)
    in_process: bool = False


async def perform(
    home: Home,
    name: str,
    *,
    agent: str,
    door: DoorName,
    seed: int,
    company_seed: int = 7,
    progress: Progress = lambda _: None,
    judge: Judge | None = None,
    settings: Mapping[str, Any] | None = None,
    horizon: str | None = None,
    program: ProgramSettings = ProgramSettings(),
) -> RunResult:
    """Run one agent on one scenario and grade it. Raises AgentError, ScenarioError, CapabilityError and RubricError
    before anything starts.
    """
    check(agent, OURS)
    scenario = loader.find_scenario(name)
    check_needs([scenario])
    image = get_image(home, scenario.card.size, company_seed)
    folder = make_folder(home, scenario.name, agent, door, seed)
    host = open_host(image, folder / "worlds")
    try:
        run = episode.start_shortened(host, scenario, horizon, seed=seed, world="run", **(settings or {}))
        ends = {} if horizon is None else {"horizon_at": run.actor.settings.horizon_at}
        tell_mistakes(run.actor)
        episode.rubric(run)  # errors in it are raised before anything is done
        plan = Plan(name, agent, door, {**(settings or {}), **ends})
        return await carry_out(home, run, folder, plan, program=program, progress=progress, judge=judge)
    finally:
        host.store.close()


def make_folder(home: Home, scenario: str, agent: str, door: str, seed: int) -> Path:
    """A fresh run folder, named for what decides the run."""
    label = agent.replace(":", ".").replace("/", ".")
    return episode.run_folder(home.runs, f"{scenario}-{label}-{door}-{seed}")


async def carry_out(
    home: Home,
    run: Episode,
    folder: Path,
    plan: Plan,
    *,
    program: ProgramSettings,
    progress: Progress,
    judge: Judge | None,
    opening: Callable[[], Sequence[DoneStep]] = tuple,
    url: str | None = None,
) -> RunResult:
    """Let the agent act in an episode that has started, record it, and grade it.

    `opening` is done before the agent acts, and recorded; a solution goes on after the steps that it returns. `url` is
    the address of the host's agent plane if it is up.
    """
    tools = recall_tool_lists(home, run.host) if plan.door == "mcp" or ":" in plan.agent else {}
    trajectory = record(run, folder, plan, tools)
    try:
        async with _serve_agents(run.host, url) as address:
            done = opening()
            if ":" in plan.agent:
                refused, ended = (), await _call_program(run, address, plan.agent, program, folder, home)
            else:
                refused, ended = await act(run, address, plan.agent, plan.door, progress, done), AgentExit("finished")
    finally:
        trajectory.close()
    episode.finish(run)
    tell_mistakes(run.actor)
    return replace(close(run, folder, trajectory.steps, judge, refused, trust=ended.trust), raised=ended.why)


@asynccontextmanager
async def _serve_agents(host: Host, url: str | None) -> AsyncGenerator[str, None]:
    """The address of a host's agent plane, which is up meanwhile."""
    if url is not None:
        yield url
        return
    async with listening(host, tcp("127.0.0.1", 0)) as up:
        yield up.url


def record(run: Episode, folder: Path, plan: Plan, tools: Mapping[str, str]) -> Trajectory:
    """Write what decides the run, and start its trajectory; one that an earlier attempt left in the folder is dropped."""
    for name in (FILE, HARNESS):
        (folder / name).unlink(missing_ok=True)
    config = describe_run(run, plan.scenario, plan.agent, plan.door, plan.settings, tools)
    write_config(folder, config)
    header = describe_header(run, config, plan.origin)
    begun = Opening(header, plan.before)
    return Trajectory(run.actor, folder / FILE, lambda bound, contents: begun, clock=wall_seconds)


def close(
    run: Episode,
    folder: Path,
    steps: int,
    judge: Judge | None = None,
    refused: tuple[str, ...] = (),
    *,
    trust: Trust,
) -> RunResult:
    """Run on to the horizon, grade, and write the result. `trust` describes the agent's isolation."""
    episode.finish(run)
    quiet = episode.baseline(run)
    found = collect_run_record(run.actor).beside(quiet)
    write_past(found, folder / "journal.jsonl")
    digest = run.actor.world.record_digest().hexdigest()
    verdict = episode.verdict_of(run, found, judge=judge, quiet=quiet, hashes=episode.hashes(run))
    verdict = note_visibility(replace(verdict, trust=trust), found.events, folder)
    (folder / "grade.json").write_bytes(verdict.to_json())
    missed = run.host.misses(run.world)
    write_result(run, folder, digest, steps, trust)
    listed = tuple(f"{one['app']} {one['method']} over {one['door']}, {one['times']}x" for one in missed)
    return RunResult(folder, verdict, digest, steps, refused, listed)


def write_result(run: Episode, folder: Path, digest: str, steps: int, trust: Trust) -> None:
    """Write how a run ended, beside its verdict."""
    result = {
        "digest": digest,
        "ended": run.actor.ended,
        "steps": steps,
        "missed": run.host.misses(run.world),
        "trust": trust.to_json(),
    }
    (folder / "result.json").write_text(json.dumps(result) + "\n", encoding="utf-8")


async def _call_program(
    run: Episode, url: str, agent: str, program: ProgramSettings, folder: Path, home: Home
) -> AgentExit:
    """Run an agent's program on its task. Work done before a failure is graded; `why` ends with the tail of its log."""
    task = task_of(run, url)
    if program.in_process:
        return await _call_inside(agent, task)
    log = folder / "agent.log"
    secrets = secrets_of(run, folder, home.path)
    ended = await run_outside(agent, task, LaunchSettings(log, secrets, program.wall_s, program.env, program.echo))
    if ended.status != "failed":
        return ended
    said = log.read_bytes()[-TAIL_BYTES:].decode("utf-8", "replace")
    return replace(ended, why=f"{ended.why}\n{said}" if said else ended.why)


async def _call_inside(agent: str, task: Task) -> AgentExit:
    """Call the program in this very process; its verdict is not to be trusted."""
    try:
        await asyncio.to_thread(call, agent, task)
    except (Exception, SystemExit) as error:  # the edge: somebody's program
        if isinstance(error, AgentError):
            raise
        return AgentExit("failed", traceback.format_exc(), trust=IN_PROCESS)
    return AgentExit("finished", trust=IN_PROCESS)


def secrets_of(run: Episode, folder: Path, *more: Path) -> Secrets:
    """Return the files that the agent of a run must not read: its folder, the sealed company, every scenario, and what
    is injected.
    """
    scenario = run.scenario
    own = [
        path
        for one in scenario.members or (scenario,)
        for path in (one.file or one.folder, one.beside("predicates.py"))
    ]
    injected = [*vectors().values(), *(() if scenario.injection is None else scenario.injection.files)]
    files = [*folders().values(), *chores().values(), *own, *injected]
    compiled = dict.fromkeys(path.parent / "__pycache__" for path in files if path.suffix == ".py")
    hidden = [folder, run.host.store.base.path.resolve(), *files, *compiled, *more]
    return Secrets(hidden, folder / "config.json", run.scenario.rubric_paths[0])


async def act(
    run: Episode, url: str, agent: str, door: DoorName, progress: Progress, done: Sequence[DoneStep] = ()
) -> tuple[str, ...]:
    """Let one of our own agents act at a server's address; returns what its solution was refused."""
    loop = asyncio.get_running_loop()

    def on_loop(job: Callable[[], T]) -> T:
        async def once() -> T:
            return job()

        return asyncio.run_coroutine_threadsafe(once(), loop).result()

    scene = Scene(run, on_loop)
    last = LastResult()
    run.actor.recorders.append(last.take)
    if agent == "null":
        return ()
    return await asyncio.to_thread(_inside, run, url, agent, door, scene, last, progress, done)


def _inside(
    run: Episode,
    url: str,
    agent: str,
    door: DoorName,
    scene: Scene,
    last: LastResult,
    progress: Progress,
    done: Sequence[DoneStep],
) -> tuple[str, ...]:
    way = ResumedDoor(open_door(run, url, door, last, scene), run.host.operations, done)
    try:
        if agent == "random":
            progress(f"{write_at_random(run.host, scene, way, seed=run.seed)} random writes accepted")
            return ()
        if run.scenario.oracle is None:
            raise loader.ScenarioError(f"{run.scenario.name} has no oracle.py")
        try:
            played = play(
                run.scenario.oracle, scene, way, tell=lambda done: progress(_render_step(done, scene)), strict=False
            )
        except (LookupError, TypeError, AttributeError, NameError) as error:
            raise loader.locate_error(run.scenario.oracle_path, error) from error
        return tuple(f"{done.step.id}: {done.refusal}" for done in played if done.refusal)
    finally:
        way.close()


def _render_step(done: StepOutcome, scene: Scene) -> str:
    why = f": {done.detail}"[:300] if done.detail else ""
    mark = f"refused ({done.refusal}{why})" if done.refusal else "ok"
    return f"{iso(scene.now)[11:19]}  {done.step.operation:<28} {done.step.id}  {mark}"


def open_door(run: Episode, url: str, door: DoorName, last: LastResult, scene: Scene) -> Door:
    """A client of a door, with the agent's own tokens."""
    tokens = token_maker(run)
    if door == "rest":
        return RestDoor(run.host, url, tokens, last, scene)
    if door == "mcp":
        return Lazy("world.agents.mcp").McpDoor(run.host, url, tokens, last)
    return Lazy("world.agents.browser").BrowserDoor(run.host, url, tokens, last, scene)


def token_maker(run: Episode) -> Callable[[str], str]:
    """app -> a token of the agent's employee in that app's form."""

    def token(app: str) -> str:
        principal = Principal(run.world, run.agent, "user", app, generation=run.actor.generation)
        return run.host.tokens.issue(principal, token_form(run.host, app, "user"))

    return token


def task_of(run: Episode, url: str) -> Task:
    """Build the task for an outside agent."""
    token = token_maker(run)
    apps = [name for name in sorted(run.host.apps) if name != "world"]
    tokens = {name: token(name) for name in (*apps, "")}
    return Task(
        run.task, url, tokens, f"{url}/login/{tokens['']}", {name: f"{url}/mcp/{name}" for name in (*apps, "world")}
    )


def replay(home: Home, folder: Path, scratch: Path) -> tuple[RunResult, str]:
    """Repeat a stored run, call for call; returns it and the digest that was recorded. Equal digests: equal bytes."""
    config = read_config(folder)
    host = reopen_host(home, config, read_past(folder / "journal.jsonl"), scratch)
    try:
        run = restart(host, config)
        steps = repeat_steps(run, folder, (line.row for line in read_steps(folder)))
        finished = close(run, scratch, len(steps), trust=read_trust(folder))
        return finished, str(read_result(folder)["digest"])
    finally:
        host.store.close()


def read_result(folder: Path) -> dict[str, Any]:
    """Return the result of a stored run. Raises FileNotFoundError."""
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


def read_trust(folder: Path) -> Trust:
    """Return the agent's isolation in a stored run, as the run recorded it."""
    return Trust.from_json(read_result(folder).get("trust"))


def restart(host: Host, config: RunConfig) -> Episode:
    """The episode of a stored run at its first moment. Raises ScenarioError."""
    scenario = loader.find_scenario(config.scenario)
    return episode.start(host, scenario, seed=config.seed, world="run", **config.settings)


def reopen_host(home: Home, config: RunConfig, stored: RunRecord, scratch: Path) -> Host:
    """Make a host on which the sandboxes give the results of a stored run."""
    outcomes = RecordedResults(stored.outcomes, config.host.get("ci", "none"))
    return open_host(get_image_by_hash(home, config.image), scratch / "worlds", outcomes=outcomes)


def repeat_steps(run: Episode, folder: Path, rows: Iterable[Mapping[str, Any]]) -> list[DoneStep]:
    """Do the steps of a stored run again in an episode. Raises ValueError where a step that was accepted is refused."""
    contents = Contents(folder / CONTENT_FOLDER)
    return [repeat_step(run, contents, row) for row in rows]


def repeat_step(run: Episode, contents: Contents, row: Mapping[str, Any]) -> DoneStep:
    """Do one step of a stored run again. Raises ValueError if it was accepted then and is refused now."""
    host = run.host
    if row["operation"] == "advance":
        run.actor.advance(int(row["arguments"]["until"]))
        return DoneStep("advance", {}, None, is_ok=True)
    if row["door"] == "control" and row["operation"] == "hasten":
        run.actor.events.hasten(str(row["arguments"]["event"]))
        return DoneStep("hasten", {}, None, is_ok=True)
    person = str(row["actor"])
    door = str(row["door"])
    principal = Principal(
        run.world, person, "user", host.operation(str(row["operation"])).app, generation=run.actor.generation
    )
    arguments = contents.restore(row["arguments"])
    try:
        if row.get("at_door"):
            host.refuse(principal, door, str(row["operation"]), arguments, OperationError(str(row["status"])))
        result = host.call(principal, door, str(row["operation"]), arguments)
    except OperationError as refusal:
        if door in AGENT_DOORS and row["status"] == "ok":
            raise ValueError(f"step {row['seq']} was accepted then and is refused now: {refusal}") from refusal
        return DoneStep(str(row["operation"]), arguments, None, is_ok=False)
    return DoneStep(str(row["operation"]), arguments, result, is_ok=True)


def regrade(home: Home, folder: Path, scratch: Path, judge: Judge | None = None) -> Verdict:
    """Grade a stored run again from its journal alone, with the rubric as it is now; no server, no network."""
    config = read_config(folder)
    stored = read_past(folder / "journal.jsonl")
    host = reopen_host(home, config, stored, scratch)
    try:
        run = restart(host, config)
        verdict = replace(episode.verdict_of(run, stored, judge=judge), trust=read_trust(folder))
        return note_visibility(verdict, stored.events, folder)
    finally:
        host.store.close()


def as_json(finished: RunResult, *, public: bool = False) -> dict[str, Any]:
    """A finished run for `--json`; `public`: without anything of rubric and solution."""
    verdict = json.loads(finished.verdict.to_json())
    found = {**asdict(finished), "folder": str(finished.folder), "verdict": verdict}
    return {**found, "refused": (), "verdict": to_public(verdict)} if public else found
