"""Two results of one suite, task by task: the difference of their pass rates, and which tasks changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

from world.suite.intervals import Interval, estimate_difference
from world.suite.results import Manifest, read_results
from world.suite.statistics import Line, cluster_tasks, find_rates
from world.suite.suite_files import SuiteError

ALIKE = ("suite", "digest", "company", "versions")  # what two results must share
CONDITIONS = ("agent", "door", "attempts", "calls", "horizon")  # what may be compared


@dataclass(frozen=True, slots=True)
class TaskPair:
    """A task that both results have, with the share of passed attempts in each."""

    task: str
    family: str
    before: float
    after: float

    @property
    def passed_before(self) -> bool:
        """Whether most attempts passed in the first results."""
        return self.before > 0.5

    @property
    def passed_after(self) -> bool:
        """Whether most attempts passed in the second results."""
        return self.after > 0.5


@dataclass(frozen=True, slots=True)
class FamilyPair:
    """The pass rates of the tasks of one family in both results."""

    family: str
    tasks: int
    before: float
    after: float

    @property
    def difference(self) -> float:
        """Second rate less first."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two results over the tasks that both have; `alone` counts the tasks that only the first or second has."""

    manifests: tuple[Manifest, Manifest]
    pairs: Sequence[TaskPair]
    alone: tuple[int, int]
    difference: Interval

    @property
    def rates(self) -> tuple[float, float]:
        """The pass rates over the common tasks."""
        number = len(self.pairs)
        return sum(one.before for one in self.pairs) / number, sum(one.after for one in self.pairs) / number

    @property
    def lost(self) -> list[str]:
        """Tasks that passed before and do not now."""
        return [one.task for one in self.pairs if one.passed_before and not one.passed_after]

    @property
    def gained(self) -> list[str]:
        """Tasks that pass now and did not before."""
        return [one.task for one in self.pairs if one.passed_after and not one.passed_before]

    @property
    def mcnemar(self) -> float:
        """The p value of McNemar's exact test over tasks that changed."""
        return find_mcnemar_p(len(self.lost), len(self.gained))

    def list_families(self) -> list[FamilyPair]:
        """The families, the largest loss first."""
        found: dict[str, list[TaskPair]] = {}
        for one in self.pairs:
            found.setdefault(one.family, []).append(one)
        rows = [
            FamilyPair(
                family,
                len(mine),
                sum(one.before for one in mine) / len(mine),
                sum(one.after for one in mine) / len(mine),
            )
            for family, mine in found.items()
        ]
        return sorted(rows, key=lambda row: (row.difference, row.family))

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        before, after = self.rates
        return {
            "results": [{name: getattr(one, name) for name in (*ALIKE, *CONDITIONS)} for one in self.manifests],
            "tasks": len(self.pairs),
            "only_first": self.alone[0],
            "only_second": self.alone[1],
            "pass": [before, after],
            "difference": {"mean": self.difference.mean, "low": self.difference.low, "high": self.difference.high},
            "mcnemar_p": self.mcnemar,
            "pass_to_fail": self.lost,
            "fail_to_pass": self.gained,
            "families": [
                {
                    "family": row.family,
                    "tasks": row.tasks,
                    "pass": [row.before, row.after],
                    "difference": row.difference,
                }
                for row in self.list_families()
            ],
        }


def find_mcnemar_p(lost: int, gained: int) -> float:
    """Return the p value of McNemar's exact test, two-sided: were the changed tasks as likely to be lost as gained?

    It takes the tasks as independent (Q. McNemar 1947, "Note on the sampling error of the difference between correlated
    proportions or percentages", Psychometrika 12, 153-157).
    """
    changed = lost + gained
    tail = sum(comb(changed, number) for number in range(min(lost, gained) + 1))
    return min(1.0, 2 * tail / 2**changed)


def compare_results(before: Path, after: Path, *, anyway: bool = False) -> Comparison:
    """Compare two folders of results, each for the agent it was made for. Raises SuiteError.

    `anyway` compares results of different suites, versions or companies by the names of their tasks.
    """
    (first, mine), (second, theirs) = read_results(before), read_results(after)
    if not anyway:
        refuse_unlike(first, second)
    return pair_results((first, second), _of_agent(first, mine), _of_agent(second, theirs))


def _of_agent(manifest: Manifest, lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line["agent"] == manifest.agent]


def refuse_unlike(first: Manifest, second: Manifest, results: str = "the second results") -> None:
    """Raise SuiteError where two results are of different suites, versions or companies; `results` names the second."""
    for name in ALIKE:
        one, two = getattr(first, name), getattr(second, name)
        if one != two:
            what = "another version of the suite" if name == "digest" else f"another {name.removesuffix('s')}"
            values = (_render(one), _render(two)) if name == "versions" else (one, two)
            raise SuiteError(
                f"{results} are of {what} ({values[0]}, then {values[1]});"
                " compare the tasks that both have with --anyway"
            )


def _render(versions: Mapping[str, str]) -> str:
    """`firmament 1.0, sqlite 3.50`"""
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def pair_results(manifests: tuple[Manifest, Manifest], before: Sequence[Line], after: Sequence[Line]) -> Comparison:
    """Pair the tasks of two agents' lines. Raises SuiteError if they have no task in common."""
    first, second = find_rates(before), find_rates(after)
    both = [task for task in first if task in second]
    if not both:
        raise SuiteError("the results have no task in common")
    families = {line["task"]: line["scenario"] for line in before}
    pairs = [TaskPair(task, families[task], first[task], second[task]) for task in both]
    changes = {one.task: one.after - one.before for one in pairs}
    clusters = list(cluster_tasks(changes, [line for line in before if line["task"] in changes]).values())
    return Comparison(
        manifests, pairs, (len(first) - len(both), len(second) - len(both)), estimate_difference(clusters)
    )


def describe_comparison(found: Comparison) -> Iterator[str]:
    """The comparison as lines of text, without the table of families."""
    for name, manifest, rate in zip("AB", found.manifests, found.rates, strict=True):
        asked = [f"{field} {value}" for field in CONDITIONS[1:] if (value := getattr(manifest, field)) is not None]
        yield f"{name}  {manifest.agent} ({', '.join(asked)}): pass {100 * rate:.1f} % over {len(found.pairs)} tasks"
    if any(found.alone):
        yield f"not compared: {found.alone[0]} tasks that only A has, {found.alone[1]} that only B has"
    yield f"B - A {found.difference}"
    yield (
        f"{len(found.lost)} tasks from pass to fail, {len(found.gained)} from fail to pass;"
        f" McNemar's exact test p = {found.mcnemar:.3g}"
    )
    for what, tasks in (("pass to fail", found.lost), ("fail to pass", found.gained)):
        yield from (f"  {what}  {task}" for task in tasks)
