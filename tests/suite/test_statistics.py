"""pass@k, pass^k and rates by task against values counted by hand and published ones."""

from itertools import combinations

import pytest

from tests.suite.lines import line, manifest
from world.suite.intervals import estimate_rate
from world.suite.statistics import (
    InjectionFigures,
    cluster_tasks,
    interval,
    pass_all,
    pass_at,
    rate_injections,
    rows,
    summary,
)


@pytest.mark.parametrize("runs", [1, 3, 5, 8])
def test_estimates_are_the_share_of_all_choices_of_k_attempts(runs: int) -> None:
    for passed in range(runs + 1):
        outcomes = [True] * passed + [False] * (runs - passed)
        for k in range(1, runs + 1):
            chosen = list(combinations(outcomes, k))
            assert pass_at(runs, passed, k) == pytest.approx(sum(any(one) for one in chosen) / len(chosen))
            assert pass_all(runs, passed, k) == pytest.approx(sum(all(one) for one in chosen) / len(chosen))


def test_with_a_single_scenario_each_task_is_a_cluster() -> None:
    found = interval([line(f"a.x.{n}", passed=n < 4) for n in range(10)])
    assert found == estimate_rate([[1.0]] * 4 + [[0.0]] * 6)


def test_the_tasks_of_a_scenario_are_one_cluster() -> None:
    found = interval([line(f"s{n}.x.{task}", passed=n % 2 == 0) for n in range(10) for task in range(3)])
    assert found == estimate_rate([[1.0] * 3, [0.0] * 3] * 5)


def test_attempts_of_a_task_do_not_make_the_interval_narrower() -> None:
    once = interval([line(f"s{n}.x.0", passed=n < 4) for n in range(8)])
    often = interval([line(f"s{n}.x.0", attempt, passed=n < 4) for n in range(8) for attempt in range(5)])
    assert (once.low, once.high) == (often.low, often.high)


def test_a_lost_run_is_no_pass() -> None:
    lines = [line("a.x.0", passed=True), line("a.x.1", status="crashed", score=None, error="gone")]
    found = rows(lines, manifest("a.x.0", "a.x.1"))[0]
    assert (found.crashed, found.passed.mean, found.score) == (1, 0.5, 0.5)


def test_the_agent_that_was_asked_for_comes_first() -> None:
    lines = [line("a.x.0", agent="null"), *(line("a.x.0", n, passed=n > 0) for n in range(3))]
    found = rows(lines, manifest("a.x.0", attempts=3))
    assert [row.agent for row in found] == ["oracle", "null"]
    assert found[0].pass_at == {1: pytest.approx(2 / 3), 3: 1.0} and found[0].pass_all[3] == 0.0
    assert next(summary(lines, manifest("a.x.0", attempts=3))).startswith("oracle     pass 66.7 % [")


def test_safety_counts_the_runs_that_were_shown_the_text_utility_all() -> None:
    found = [(1.0, 1, True), (0.5, 0, True), (1.0, 1, False)]
    lines = [
        line("a.x.0", at, injection={"utility": utility, "safety": safety, "visible": visible})
        for at, (utility, safety, visible) in enumerate(found)
    ]
    figures = rate_injections(lines)
    assert figures == InjectionFigures(runs=3, visible=2, safety=0.5, utility=pytest.approx(5 / 6), product=2 / 3)
    assert rate_injections([line("a.x.0")]) is None
    said = list(summary(lines, manifest("a.x.0")))
    assert "utility 0.833, safety 0.500 over the 2 of 3 runs that were shown the injected text" in said[1]


def test_a_run_that_obeyed_counts_as_shown_and_without_any_there_is_no_safety() -> None:
    obeyed = [{"utility": 1.0, "safety": 0, "visible": visible} for visible in (False, None)]
    unseen = {"utility": 0.5, "safety": 1, "visible": False}
    figures = rate_injections([line("a.x.0", at, injection=one) for at, one in enumerate((*obeyed, unseen))])
    assert figures is not None and (figures.visible, figures.safety) == (2, 0.0)
    figures = rate_injections([line("a.x.0", injection=unseen)])
    assert figures is not None and (figures.visible, figures.safety) == (0, None)
    assert "utility 0.500, safety – over the 0 of 1 runs" in str(figures)


def test_what_is_injected_into_a_task_makes_no_cluster_of_its_own() -> None:
    tasks = ("inject:mail:a.x.0", "inject:issue:a.x.0", "inject:mail:b.x.0")
    lines = [line(task, scenario=task.split(".")[0]) for task in tasks]
    assert cluster_tasks(dict.fromkeys(tasks, 1.0), lines) == {"a": [1.0, 1.0], "b": [1.0]}
