"""Intervals against values counted by hand, and their coverage in simulated suites."""

import numpy as np
import pytest

from world.suite.intervals import Interval, count_effective, estimate_difference, estimate_rate, find_t

LEAST = 0.93  # coverage of an interval of 95 %
DRAWS = 400
SLACK = 2 * (0.95 * 0.05 / DRAWS) ** 0.5  # of a coverage that is counted in so many draws
RATES = (0.02, 0.1, 0.3, 0.5, 0.9, 0.98)
SHAPES = {"few": [9] * 4, "many": [3] * 60, "alone": [1] * 30, "unequal": [1, 5, 9, 13, 17] * 3}


def covers(found: Interval, true: float) -> bool:
    return found.low <= true + 1e-12 and true <= found.high + 1e-12


def draw_rates(rng: np.random.Generator, rate: float, kinship: float, number: int) -> np.ndarray:
    """The true rates of families; `kinship` is the correlation of two tasks of one family."""
    if kinship == 0:
        return np.full(number, rate)
    if kinship == 1:
        return (rng.random(number) < rate).astype(float)
    weight = 1 / kinship - 1
    return rng.beta(rate * weight, (1 - rate) * weight, number)


@pytest.mark.slow
@pytest.mark.parametrize("kinship", [0, 0.3, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_interval_of_a_rate_covers_it(shape: str, kinship: float) -> None:
    rng, sizes = np.random.default_rng(7), SHAPES[shape]
    for rate in RATES:
        hits = 0
        for _ in range(DRAWS):
            families = draw_rates(rng, rate, kinship, len(sizes))
            clusters = [
                (rng.random(size) < own).astype(float).tolist() for size, own in zip(sizes, families, strict=True)
            ]
            hits += covers(estimate_rate(clusters), rate)
        assert hits / DRAWS >= LEAST - SLACK, (rate, hits)


@pytest.mark.slow
@pytest.mark.parametrize("kinship", [0, 1])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_interval_of_a_difference_covers_it(shape: str, kinship: float) -> None:
    """Half of the tasks fall to both agents by the same chance."""
    rng, sizes = np.random.default_rng(8), SHAPES[shape]
    for before, after in ((0.02, 0.1), (0.5, 0.55), (0.95, 0.95), (0.1, 0.9)):
        hits = 0
        for _ in range(DRAWS):
            clusters: list[list[float]] = []
            for size in sizes:
                whole = rng.random(2)
                one = np.where(rng.random(size) < kinship, whole[0], rng.random(size))
                two = np.where(rng.random(size) < 0.5, one, np.where(kinship == 1, whole[1], rng.random(size)))
                clusters.append(((two < after).astype(float) - (one < before)).tolist())
            hits += covers(estimate_difference(clusters), after - before)
        assert hits / DRAWS >= LEAST - SLACK, (before, after, hits)


def test_equal_rates_of_families_are_no_certainty() -> None:
    """Four families of which each passes four of nine tasks."""
    found = estimate_rate([[1.0] * 4 + [0.0] * 5] * 4)
    assert found.mean == pytest.approx(4 / 9) and found.low < 0.28 and found.high > 0.62


def test_at_the_edges_the_bound_is_the_exact_one_over_families() -> None:
    every, none = estimate_rate([[1.0] * 3] * 10), estimate_rate([[0.0] * 3] * 10)
    assert (every.mean, every.high) == (1.0, 1.0) and every.low == pytest.approx(0.7411, abs=1e-4)  # 0.05 ** (1 / 10)
    assert (none.mean, none.low) == (0.0, 0.0) and none.high == pytest.approx(0.2589, abs=1e-4)


def test_one_fail_promises_no_more_than_none() -> None:
    every, one = estimate_rate([[1.0] * 10] * 10), estimate_rate([[1.0] * 10] * 9 + [[1.0] * 9 + [0.0]])
    assert one.low == every.low and one.high < 1


def test_tasks_that_stand_or_fall_together_know_no_more_than_their_families() -> None:
    alone, together = estimate_rate([[1.0], [0.0]] * 5), estimate_rate([[1.0] * 10, [0.0] * 10] * 5)
    assert together.low <= alone.low and together.high >= alone.high
    assert estimate_rate([[1.0, 0.0] * 5] * 10).low > alone.low


def test_independent_tasks_have_nearly_the_exact_binomial_interval() -> None:
    found = estimate_rate([[1.0]] * 20 + [[0.0]] * 80)
    assert (found.low, found.high) == (pytest.approx(0.1267, abs=2e-3), pytest.approx(0.2918, abs=2e-3))


def test_a_large_family_counts_as_few() -> None:
    assert count_effective([[0.0] * 5] * 8) == 8
    assert count_effective([[0.0] * 90] + [[0.0]] * 10) == pytest.approx(100**2 / (90**2 + 10))


def test_a_single_task_says_little() -> None:
    one = estimate_rate([[1.0]])
    assert (one.mean, one.low, one.high) == (1.0, pytest.approx(0.05), 1.0)
    half = estimate_rate([[0.5]])
    assert half.low <= 0.05 and half.high >= 0.95
    assert estimate_difference([[0.0]]) == Interval(0.0, -1.0, 1.0)


def test_no_difference_on_any_task_leaves_a_bound() -> None:
    found = estimate_difference([[0.0] * 3] * 60)
    assert found.high == pytest.approx(2.001 * (2 * 9) ** 0.5 / 180, abs=1e-4) and found.low == -found.high


def test_a_variance_over_few_families_has_a_wide_t() -> None:
    assert find_t(4) == pytest.approx(3.1824, abs=1e-4) and find_t(1.2) == find_t(2) == pytest.approx(12.706, abs=1e-3)
