"""Endless tasks for trainers: drawn from the families of one split, each seed once more, the same stream for the same seed."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from world.core.rng import Stream
from world.core.yaml_document import describe_unknown
from world.script import catalogue, loader
from world.script.errors import ScenarioError
from world.script.loader import Scenario
from world.suite.suite_files import LEVELS, Split, SuiteError, TaskSpec

FIRST_SEED = 1_000  # suites use the seeds below
LAST_SEED = 2**31 - 1
Band = tuple[float, float]
Levels = Mapping[str, Sequence[str]]


def tasks(
    split: Split = "train",
    seed: int = 0,
    difficulty: str | Band | None = None,
    families: Sequence[str] | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    rates: Mapping[str, float] | None = None,
) -> Iterator[TaskSpec]:
    """Return an endless stream of tasks of a split, stratified over its families, or over some `families`.

    Every round has each family in random order; the n-th task of a family does not depend on the other families. `weights`
    maps a family to its share of the draws, by default 1. `difficulty` is a level, or a band of measured pass rates, both
    ends included: `rates` then maps `family.difficulty`, or the ids of tasks, to the rate, as `read_rates` returns it. A
    family has its usual difficulty without `difficulty`, and its only one if it has no other. The caller may change `weights`
    and `rates` as it goes. Raises SuiteError for an unknown family, one of another split, and when nothing is left to draw.
    """
    scenarios = _find_families(split, families)
    if isinstance(difficulty, tuple) and rates is None:
        raise SuiteError("a band of pass rates needs `rates`, the rates that were measured")
    if isinstance(difficulty, str) and not any(difficulty in one.card.levels for one in scenarios.values()):
        known = {level for one in scenarios.values() for level in one.card.levels}
        raise SuiteError(describe_unknown("difficulty", difficulty, known))
    return _draw_tasks(scenarios, split, seed, difficulty, {} if weights is None else weights, rates or {})


def days(split: Split = "train", size: int = 5, seed: int = 0, difficulty: str | None = None) -> Iterator[TaskSpec]:
    """Return an endless stream of composed days of `size` chores of a split, each day of other chores.

    Raises SuiteError at once for a size that no day has, a split with fewer chores, and an unknown difficulty.
    """
    most = min(catalogue.MOST, len(catalogue.list_chores(split)))
    if not 2 <= size <= most:
        raise SuiteError(f"a day of the split {split} has 2 to {most} chores, not {size}")
    if difficulty is not None and difficulty not in LEVELS:
        raise SuiteError(describe_unknown("difficulty", difficulty, LEVELS))
    return _draw_days(split, size, seed, difficulty)


def _draw_days(split: Split, size: int, seed: int, difficulty: str | None) -> Iterator[TaskSpec]:
    stream = Stream("suite.sampler", "days", split, size, seed)
    while True:
        number = stream.integer(FIRST_SEED, LAST_SEED)
        try:
            card = loader.find_scenario(name := catalogue.name_day(split, size, number)).card
        except ScenarioError as error:
            raise SuiteError(str(error)) from None
        yield TaskSpec(name, difficulty if difficulty in card.levels else card.difficulty, number, split)


def _find_families(split: Split, families: Sequence[str] | None) -> dict[str, Scenario]:
    installed = {**catalogue.folders(), **catalogue.chores()}
    names = [name for name, path in installed.items() if catalogue.read_split(path) == split]
    if families is not None:
        unknown = next((name for name in families if name not in installed), None)
        if unknown is not None:
            raise SuiteError(describe_unknown("family", unknown, installed))
        names = list(families)
    found = {name: loader.find_scenario(name) for name in sorted(set(names))}
    for name, scenario in found.items():
        if scenario.card.split != split:
            raise SuiteError(f"{name} is of the split {scenario.card.split}, not {split}")
    if not found:
        raise SuiteError(f"no family of the split {split} is installed")
    return found


def _draw_tasks(
    scenarios: Mapping[str, Scenario],
    split: Split,
    seed: int,
    difficulty: str | Band | None,
    weights: Mapping[str, float],
    rates: Mapping[str, float],
) -> Iterator[TaskSpec]:
    """Rounds of families: each gains its share of a round, and is drawn once for each whole share it has."""
    stream = Stream("suite.sampler", seed)
    credit, drawn = {name: stream.random() for name in scenarios}, Counter[str]()
    while True:
        for family, share in share_round(list_levels(scenarios, difficulty, rates), weights).items():
            credit[family] += share
        turns = [name for name in scenarios for _ in range(int(credit[name]))]
        for family in stream.shuffled(turns):
            credit[family] -= 1
            levels = list_levels(scenarios, difficulty, rates).get(family)
            if levels and weights.get(family, 1.0) > 0:  # both may have changed within the round
                own = Stream("suite.sampler", seed, family, drawn[family])
                drawn[family] += 1
                yield TaskSpec(family, own.choice(levels), own.integer(FIRST_SEED, LAST_SEED), split)


def list_levels(scenarios: Mapping[str, Scenario], difficulty: str | Band | None, rates: Mapping[str, float]) -> Levels:
    """The difficulties of each family that may be drawn now; a family without any is left out."""
    if isinstance(difficulty, tuple):
        low, high = difficulty
        pooled = pool_rates(rates)
        found = {
            name: [level for level in one.card.levels if low <= pooled.get((name, level), -1.0) <= high]
            for name, one in scenarios.items()
        }
        return {name: levels for name, levels in found.items() if levels}
    return {name: [_choose_level(one, difficulty)] for name, one in scenarios.items() if _has(one, difficulty)}


def _has(scenario: Scenario, difficulty: str | None) -> bool:
    levels = scenario.card.levels
    return difficulty is None or difficulty in levels or len(levels) == 1


def _choose_level(scenario: Scenario, difficulty: str | None) -> str:
    return difficulty if difficulty in scenario.card.levels else scenario.card.difficulty


def pool_rates(rates: Mapping[str, float]) -> dict[tuple[str, str], float]:
    """The mean rate of each family and difficulty; keys are `family.difficulty`, with or without a seed."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for name, rate in rates.items():
        family, _, rest = name.partition(".")
        found[family, rest.partition(".")[0]].append(rate)
    return {key: fsum(values) / len(values) for key, values in found.items()}


def share_round(levels: Levels, weights: Mapping[str, float]) -> dict[str, float]:
    """How often each family comes in a round that is as long as there are families. Raises SuiteError."""
    mine = {family: weights.get(family, 1.0) for family in levels}
    wrong = next((family for family, weight in mine.items() if not 0 <= weight < float("inf")), None)
    if wrong is not None:
        raise SuiteError(f"the weight of {wrong} is {mine[wrong]}; a weight is 0 or more")
    total, number = fsum(mine.values()), sum(weight > 0 for weight in mine.values())
    if not number:
        raise SuiteError("nothing is left to draw: no family has a weight and a pass rate in the band")
    return {family: weight * number / total for family, weight in mine.items() if weight > 0}
