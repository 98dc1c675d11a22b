"""One worker of a suite: a host over one company, a started world of each task, and runs that are forks of it."""

import asyncio
import gc
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from world.agents import runner
from world.agents.external_agent import AgentExit, LaunchSettings, run_outside
from world.agents.random_writer import write_at_random
from world.agents.spammer import spam
from world.agents.steps import DirectDoor, Scene, StepRefused
from world.agents.tool_lists import recall_tool_lists
from world.core.clock import wall_seconds
from world.gate.leaks import exclude_known_texts, secrets
from world.gate.variant_runner import VariantRunner
from world.grading import Evidence, Rubric, Verdict, grade
from world.grading.errors import GraderError
from world.grading.explain import explain_reasons
from world.grading.labels import get_settled_labels
from world.grading.reasons.excerpt import shorten
from world.grading.reasons.public import to_public
from world.grading.verdict import ItemResult, Reason
from world.run import episode
from world.run.canary import note_visibility
from world.run.episode import Episode
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image
from world.run.needs import CapabilityError
from world.run.run_evidence import RunRecord, collect_run_record, write_past
from world.script import loader
from world.script.loader import Scenario
from world.server.serve import RunningServer, listening, tcp
from world.suite.attacks import ATTACKS, Attack, AttackContext
from world.suite.attacks.attack_context import NoOccasion
from world.suite.ladder import RUNGS, climb
from world.suite.suite_files import Limits, TaskSpec

MAX_TOLD = 400  # characters that results keep of why something is missing or charged
KEPT_TASKS = 8  # started tasks a worker keeps ready


@dataclass(frozen=True, slots=True)
class RunOrder:
    """One run to make: agent, door, task, number of the attempt, and the folder to keep it in."""

    task: TaskSpec
    agent: str
    door: runner.DoorName
    attempt: int
    folder: Path
    limits: Limits
    company_seed: int = 7
    env: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The run's name in a suite's results."""
        return f"{self.task.id}/{self.agent}/{self.attempt}"


@dataclass(slots=True)
class _Ready:
    """A task at its first moment, and what grading its runs shares. `untouched` is its world run on without any agent."""

    root: Episode
    untouched: Episode
    quiet: RunRecord
    unplayed: Evidence
    rubric: Rubric
    numbers: "count[int]" = field(default_factory=count)
    labels: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        with suppress(GraderError):  # every verdict will say it
            self.labels = get_settled_labels(self.rubric, self.unplayed)

    def finish(self, run: Episode, agent: str) -> Episode:
        """Return a run at its end. Where nobody acts, that is the world that nobody has acted in."""
        if agent == "null" and self.untouched.actor.now == run.actor.settings.horizon_at:
            return self.untouched
        episode.finish(run)
        return run

    def drop(self) -> None:
        """Forget the task's worlds."""
        for one in (self.root, self.untouched):
            one.host.drop(one.world)

    def evidence(self, run: Episode, found: RunRecord, agent: str) -> Evidence:
        """Return the evidence of a run. The state that a stranger's agent or an attack leaves is counted row by row."""
        strange = ":" in agent or agent in ATTACKS
        counted = episode.count_hash(run) if strange else episode.recount_changed_rows(run)
        hashes = (episode.advance_hash(run), counted)
        return replace(
            self.unplayed,
            changes=found.changes,
            contents=found.contents,
            lacking=found.lacking,
            calls=found.calls,
            events=found.events,
            answer=found.answer,
            state_hashes=hashes,
        )


class Worker:
    """Runs orders one after the other in this process. Nothing of one run is seen by another."""

    def __init__(self, home: Path, scratch: Path) -> None:
        self._home, self._scratch = Home(home), scratch
        self._hosts: dict[tuple[str, int], Host] = {}
        self._ready: dict[tuple[TaskSpec, int, int | None, str | None], _Ready] = {}
        self._started = count()
        self._scenarios: dict[str, Scenario] = {}
        self._lists: dict[Host, dict[str, str]] = {}
        self._loop = asyncio.Runner()
        self._servers: dict[Host, RunningServer] = {}
        self._listening = AsyncExitStack()

    def close(self) -> None:
        """Let go of every world and server."""
        with self._loop:
            self._loop.run(self._listening.aclose())
        for host in self._hosts.values():
            host.store.close()

    def run(self, order: RunOrder) -> dict[str, Any]:
        """Make one run, grade it, and return its line of the results. Raises ScenarioError, RubricError,
        CapabilityError, OSError.
        """
        ready = self._start(order)
        name = f"{ready.root.world}-{next(ready.numbers)}"
        ready.root.host.fork(ready.root.actor, name)
        run = episode.of_world(ready.root, name)
        begin = wall_seconds()
        try:
            return self._run(order, ready, run, begin)
        finally:
            run.host.drop(name)

    def _start(self, order: RunOrder) -> _Ready:
        key = (order.task, order.company_seed, order.limits.calls, order.limits.horizon)
        if key not in self._ready:
            while len(self._ready) >= KEPT_TASKS:
                self._ready.pop(next(iter(self._ready))).drop()
            self._ready[key] = self._begin(order)
            gc.freeze()  # objects of the start live on: collecting them again and again costs more than a short run
        return self._ready[key]

    def _begin(self, order: RunOrder) -> _Ready:
        scenario = self._find_scenario(order.task.scenario)
        host = self._host(scenario.card.size, order.company_seed)
        wanted: dict[str, Any] = {"difficulty": order.task.difficulty}
        if order.limits.calls is not None:
            wanted["max_calls"] = order.limits.calls
        world = f"task-{next(self._started)}"
        horizon = order.limits.horizon
        root = episode.start_shortened(host, scenario, horizon, seed=order.task.seed, world=world, **wanted)
        untouched = episode.fork_untouched(root)
        quiet = collect_run_record(untouched.actor)
        unplayed = episode.evidence(root, collect_run_record(root.actor), quiet)
        return _Ready(root, untouched, quiet, unplayed, episode.rubric(root))

    def _find_scenario(self, name: str) -> Scenario:
        """The scenario as it was when the first of its tasks came."""
        if name not in self._scenarios:
            self._scenarios[name] = loader.find_scenario(name)
        return self._scenarios[name]

    def _host(self, size: str, seed: int) -> Host:
        if (size, seed) not in self._hosts:
            self._hosts[size, seed] = open_host(get_image(self._home, size, seed), self._scratch / f"{size}-{seed}")
        return self._hosts[size, seed]

    def _run(self, order: RunOrder, ready: _Ready, run: Episode, begin: float) -> dict[str, Any]:
        order.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        settings = run.actor.settings.model_dump(exclude={"seed", "scenario"}, exclude_none=True)
        plan = runner.Plan(order.task.scenario, order.agent, order.door, settings)
        trajectory = runner.record(run, order.folder, plan, self._tools(order, run.host))
        try:
            ended = self._attack(order, ready, run) if order.agent in ATTACKS else self._act(order, run)
        finally:
            trajectory.close()
        acted, simulated = wall_seconds() - begin, run.actor.now - run.start
        run = ready.finish(run, order.agent)
        found = collect_run_record(run.actor).beside(ready.quiet)
        digest = run.actor.world.record_digest().hexdigest()
        verdict = grade(ready.rubric, ready.evidence(run, found, order.agent), labels=ready.labels)
        verdict = note_visibility(replace(verdict, trust=ended.trust), found.events, order.folder)
        self._keep(order, run, found, verdict, digest, trajectory.steps)
        if verdict.error is not None and verdict.error_kind == "host_error":
            raise CapabilityError(verdict.error)
        return _line(
            order,
            run,
            verdict,
            ended,
            {
                "digest": digest,
                "steps": trajectory.steps,
                "simulated_s": simulated / 1e6,
                "agent_s": acted,
                "wall_s": wall_seconds() - begin,
            },
        )

    def _attack(self, order: RunOrder, ready: _Ready, run: Episode) -> AgentExit:
        """Run an attack of the suite; the secrets are looked up when it has found something."""
        attack, root = ATTACKS[order.agent], ready.root

        def list_hidden() -> list[str]:
            bench = VariantRunner(root.host, root.scenario, root.seed, started=(root, ready.quiet))
            return [one.text for one in exclude_known_texts(bench, secrets(bench))]

        fight = AttackContext(run, order.attempt, secrets=list_hidden)
        try:
            if attack.served:
                asyncio.run(_run_attack(attack, fight))
            else:
                attack.act(fight)
        except NoOccasion as nothing:
            return AgentExit("skipped", str(nothing))
        return AgentExit("finished", breaches=tuple(fight.breaches))

    def _act(self, order: RunOrder, run: Episode) -> AgentExit:
        """Let the agent act; whatever it does, the run is graded as it stands."""
        if order.agent == "null":
            return AgentExit("finished")
        if order.agent in INSIDE:
            INSIDE[order.agent](run, order)
            return AgentExit("finished")
        if ":" not in order.agent:
            return self._loop.run(self._run_solution(order, run))
        return asyncio.run(self._run_outside(order, run))

    async def _run_solution(self, order: RunOrder, run: Episode) -> AgentExit:
        """The solution through a door of the server that this process keeps for its own agents."""
        up = self._servers.get(run.host)
        if up is None:
            up = await self._listening.enter_async_context(listening(run.host, tcp("127.0.0.1", 0)))
            self._servers[run.host] = up
        refused = await runner.act(run, up.url, order.agent, order.door, lambda _: None)
        return AgentExit("finished", "; ".join(refused))

    async def _run_outside(self, order: RunOrder, run: Episode) -> AgentExit:
        """Somebody's program, at a real server of its own."""
        async with listening(run.host, tcp("127.0.0.1", 0)) as up:
            secrets = runner.secrets_of(run, order.folder, order.folder.parents[1], self._home.path, self._scratch)
            launch = LaunchSettings(order.folder / "agent.log", secrets, order.limits.wall_s, order.env)
            return await run_outside(order.agent, runner.task_of(run, up.url), launch)

    def _tools(self, order: RunOrder, host: Host) -> Mapping[str, str]:
        """The tool lists an agent reads; who acts in process reads none."""
        if order.agent in (*INSIDE, *ATTACKS, "null") or (order.door != "mcp" and ":" not in order.agent):
            return {}
        if host not in self._lists:
            self._lists[host] = recall_tool_lists(self._home, host)
        return self._lists[host]

    def _keep(self, order: RunOrder, run: Episode, found: RunRecord, verdict: Verdict, digest: str, steps: int) -> None:
        write_past(found, order.folder / "journal.jsonl")
        (order.folder / "grade.json").write_bytes(verdict.to_json())
        runner.write_result(run, order.folder, digest, steps, verdict.trust)


def _line(
    order: RunOrder, run: Episode, verdict: Verdict, ended: AgentExit, figures: Mapping[str, Any]
) -> dict[str, Any]:
    """Build the line that the results keep of a run; the rest is in its folder."""
    return {
        "task": order.task.id,
        "scenario": run.scenario.name,
        "difficulty": order.task.difficulty,
        "seed": order.task.seed,
        "split": order.task.split,
        "agent": order.agent,
        "door": order.door,
        "attempt": order.attempt,
        "status": ended.status,
        "why": ended.why,
        "breaches": list(ended.breaches),
        "pass": verdict.passed,
        "score": verdict.score,
        "raw_score": verdict.raw_score,
        "error": verdict.error,
        "ended": run.actor.ended,
        "items": [_item(one) for one in verdict.items],
        "unclaimed": [
            {"change": one.change, "row": one.row, "why": one.why, "told": _describe_reasons(one.reasons)}
            for one in verdict.unclaimed
        ],
        "never": [
            {"id": one.id, "row": one.row, "why": one.why, "told": _describe_reasons(one.reasons)}
            for one in verdict.never
        ],
        "guards": list(verdict.guards),
        "public": to_public(verdict.as_json()),
        "revision": dict(verdict.revision),
        "trusted": verdict.trusted,
        "trust": verdict.trust.to_json(),
        "folder": order.folder.name,
        **({} if verdict.injection is None else {"injection": verdict.injection.as_json()}),
        **figures,
    }


def _item(item: ItemResult) -> dict[str, Any]:
    told = {"told": _describe_reasons(item.reasons)} if item.reasons else {}
    return {"id": item.id, "kind": item.kind, "share": item.share, "gate": item.gate, "why": item.why, **told}


def _describe_reasons(reasons: Sequence[Reason]) -> str:
    """The first reason on one line; all of them are in the run's folder."""
    return shorten(explain_reasons(reasons[:1]), MAX_TOLD) if reasons else ""


def _random(run: Episode, order: RunOrder) -> None:
    write_at_random(run.host, Scene(run), DirectDoor(run, "mcp"), seed=order.attempt)


def _spam(run: Episode, order: RunOrder) -> None:
    spam(run, DirectDoor(run, "mcp"))


def _reads(run: Episode, order: RunOrder) -> None:
    door = DirectDoor(run, "mcp")
    for name, operation in sorted(run.host.operations.items()):
        if not operation.writes and operation.examples == ({},) and name != "world.wait":
            try:
                door.do(name, {})
            except StepRefused:
                continue


def _climb(run: Episode, order: RunOrder) -> None:
    climb(run, order.agent, order.attempt)


INSIDE: Mapping[str, Callable[[Episode, RunOrder], None]] = {
    "random": _random,
    "spam": _spam,
    "reads": _reads,
    **dict.fromkeys(RUNGS, _climb),
}


async def _run_attack(attack: Attack, fight: AttackContext) -> None:
    """An attack against a real server; the world and its host stay on this thread."""
    loop = asyncio.get_running_loop()

    def on_loop(job: Callable[[], Any]) -> Any:
        async def once() -> Any:
            return job()

        return asyncio.run_coroutine_threadsafe(once(), loop).result()

    hidden = fight.secrets
    async with listening(fight.run.host, tcp("127.0.0.1", 0)) as up:
        fight.task, fight.apart, fight.secrets = runner.task_of(fight.run, up.url), on_loop, lambda: on_loop(hidden)
        await asyncio.to_thread(attack.act, fight)
