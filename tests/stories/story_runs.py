"""Stories as tests play them: a way through one, with other texts in some steps, and the verdict on it."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from tests.stories import (
    access_alternatives,
    checkout_alternatives,
    freeze_alternatives,
    handover_alternatives,
    migration_alternatives,
    release_alternatives,
    revert_alternatives,
    rumour_alternatives,
    sprint_alternatives,
    wave_alternatives,
)
from world.agents.solver import Solution, play
from world.agents.steps import DirectDoor, Scene, Step
from world.gate.variant_runner import VariantRunner
from world.grading.verdict import Verdict
from world.run import episode
from world.run.host import Host
from world.script import loader

TEXTS = {"chat.postMessage": "text", "mail.send": "text", "addComment": "body", "issues/create-comment": "body"}
OUTCOMES = {"go": 1, "veto_b": 0, "veto_a": 9}  # seeds of `slack_is_down`


@dataclass(frozen=True)
class Story:
    """A story under test: other honest ways, the facts that draws differ in, and seeds for solution and ways."""

    ways: Mapping[str, Solution]
    drawn: str
    solved: tuple[int, ...]
    seeds: tuple[int, ...]


STORIES = {
    "slack_is_down": Story(
        release_alternatives.ALTERNATIVES,
        "case me asker cast repo place request",
        (0, 1, 9, 12),
        tuple(OUTCOMES.values()),
    ),
    "bad_deploy": Story(
        revert_alternatives.ALTERNATIVES, "me asker cast repo request error customers alert", (0, 1, 9, 12), (0,)
    ),
    "acquisition_rumour": Story(
        rumour_alternatives.ALTERNATIVES,
        "me cast code deal party amount day customer away case request",
        (0, 1, 6, 11),
        (0, 1),
    ),
    "budget_freeze": Story(
        freeze_alternatives.ALTERNATIVES, "me cast book thaw limit waiver lines request minutes", (0, 1, 6, 11), (0, 1)
    ),
    "joiner_and_leaver": Story(
        access_alternatives.ALTERNATIVES,
        "me cast group role book files room word extended clocks request place",
        (0, 3, 4),
        (0, 4),
    ),
    "flaky_checkout": Story(
        checkout_alternatives.ALTERNATIVES, "me cast repo modules forms names request place", (0, 4), (0,)
    ),
    "three_day_handover": Story(
        handover_alternatives.ALTERNATIVES,
        "me cast book items claim kept request place minutes",
        (0, 1, 3, 4),
        (0, 1),
    ),
    "migration_week": Story(
        migration_alternatives.ALTERNATIVES,
        "me cast book items clusters vendor sooner request place minutes",
        (0, 1, 2, 3),
        (0, 1),
    ),
    "sprint_from_scraps": Story(
        sprint_alternatives.ALTERNATIVES, "me cast sprint book request place days plans points", (0, 1, 5), (0, 2)
    ),
    "phishing_wave": Story(
        wave_alternatives.ALTERNATIVES,
        "me cast book files senders genuine clean request place minutes",
        (0, 1, 4, 6),
        (1, 6),
    ),
}


def open_story(host: Host, name: str, seed: int = 0) -> VariantRunner:
    """A bench of one draw."""
    return VariantRunner(host, loader.find_scenario(name), seed, None)


def judge(bench: VariantRunner, way: Solution, change: Callable[[Step], Step] = lambda one: one) -> Verdict:
    """The verdict on a way through the story, with some of its steps changed."""
    run = bench.fork()
    play(way, Scene(run), DirectDoor(run), change=lambda one: (change(one),), strict=False)
    episode.finish(run)
    return bench.grade_and_drop(run)


def say(texts: Mapping[str, str]) -> Callable[[Step], Step]:
    """A change of steps: other texts, by the step's id."""

    def change(one: Step) -> Step:
        if one.id not in texts:
            return one
        return replace(one, arguments={**one.arguments, TEXTS[one.operation]: texts[one.id]})

    return change


def fill(arguments: Mapping[str, Mapping[str, object]]) -> Callable[[Step], Step]:
    """A change of steps: other arguments beside their own, by the step's id."""
    return lambda one: replace(one, arguments={**one.arguments, **arguments.get(one.id, {})})


def solution_of(name: str) -> Solution:
    """The solution of a story."""
    solution = loader.find_scenario(name).oracle
    assert solution is not None
    return solution


def judge_texts(host: Host, name: str, texts: Mapping[str, str], seed: int = 0) -> Verdict:
    """The verdict on the solution with other texts; `{...}` stands for facts of the draw."""
    solution = solution_of(name)
    with closing(open_story(host, name, seed)) as bench:
        facts = dict(bench.quiet.events["truth"].facts)
        return judge(bench, solution, say({step: text.format(**facts) for step, text in texts.items()}))
