"""Repeats the calls of a log in a world of its own: a run like any other, graded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from world.agents import runner
from world.agents.tool_lists import recall_tool_lists
from world.grading.judge import Judge
from world.grading.verdict import Trust
from world.run import episode
from world.run.capabilities import check_needs
from world.run.episode import Episode
from world.run.failures import tell_mistakes
from world.run.home import Home
from world.run.host import open_host
from world.run.images import get_image, get_image_by_hash
from world.script import loader
from world.studio.agent_logs.call_resolver import CallResolver, UnknownCall
from world.studio.agent_logs.logged_call import LoggedCall, join_texts
from world.studio.tool_lists import LocalTools

IMPORTED = Trust(why="the calls were read from a log; where its agent ran is not known")
TOLD = 10  # differences that are described


@dataclass(frozen=True, slots=True)
class LogPlan:
    """The world in which a log is repeated. `image` is the hash of a sealed company, empty for that of `company`."""

    scenario: str
    seed: int = 0
    agent: str = "log"
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    image: str = ""
    company: int = 7


@dataclass(slots=True)
class Repetition:
    """What came of the calls: how many were made and skipped, and where answers differ from the log's."""

    made: int = 0
    skipped: int = 0
    different: int = 0
    places: list[str] = field(default_factory=list[str])


def repeat_log(
    home: Home, plan: LogPlan, resolver: CallResolver, calls: Iterable[LoggedCall], judge: Judge | None = None
) -> tuple[runner.RunResult, Repetition]:
    """Make the calls in a fresh episode, in a run folder of its own, and grade it. Calls that the resolver does not know
    are skipped. Raises ScenarioError, CapabilityError, RubricError, FileNotFoundError.
    """
    scenario = loader.find_scenario(plan.scenario)
    check_needs([scenario])
    image = get_image_by_hash(home, plan.image) if plan.image else get_image(home, scenario.card.size, plan.company)
    folder = runner.make_folder(home, scenario.name, plan.agent, "mcp", plan.seed)
    host = open_host(image, folder / "worlds")
    try:
        run = episode.start(host, scenario, seed=plan.seed, world="run", **plan.settings)
        tell_mistakes(run.actor)
        episode.rubric(run)  # errors in it are raised before anything is done
        recorded = runner.Plan(plan.scenario, plan.agent, "mcp", plan.settings)
        trajectory = runner.record(run, folder, recorded, recall_tool_lists(home, host))
        try:
            told = repeat_calls(run, resolver, calls)
        finally:
            trajectory.close()
        tell_mistakes(run.actor)
        return runner.close(run, folder, trajectory.steps, judge, trust=IMPORTED), told
    finally:
        host.store.close()


def repeat_calls(run: Episode, resolver: CallResolver, calls: Iterable[LoggedCall]) -> Repetition:
    """Make the calls as the agent's employee, one after the other."""
    told = Repetition()
    for call in calls:
        try:
            surface, tool = resolver.resolve(call)
        except UnknownCall:
            told.skipped += 1
            continue
        seen = repeat_call(run, resolver.lists, surface, tool, call)
        told.made += 1
        if call.seen is not None and seen != call.seen:
            told.different += 1
            told.places += [f"{call.place}: {call.tool}"] if len(told.places) < TOLD else []
    return told


def repeat_call(run: Episode, lists: LocalTools, surface: str, tool: str, call: LoggedCall) -> str:
    """Make one call; returns what the agent sees of the answer."""
    answer = lists.call(run.host, run.principal(), surface, tool, call.arguments)
    return join_texts(list(answer["content"]))
