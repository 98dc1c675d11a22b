"""95 % intervals of means over tasks that come in clusters, right for few clusters and at the edges.

Tasks of one cluster depend on each other, so the variance is taken over clusters (E. Miller 2024, "Adding Error Bars to
Evals", arXiv 2411.00640, section 2.2). A cluster is a sequence of values, one for each of its tasks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from world.core.lazy import Lazy

STATS = Lazy("scipy.stats")
Clusters = Sequence[Sequence[float]]
TAIL = 0.025
EDGE_TAIL = 0.05  # at an edge the interval has one side only


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its 95 % interval: a rate in 0-1, or a difference of rates in -1 to 1."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def estimate_rate(clusters: Clusters) -> Interval:
    """Return the mean rate with its interval.

    The exact binomial interval of Clopper and Pearson on the effective number of tasks: their number over the design
    effect, for few clusters reduced by Student's t (E. Korn and B. Graubard 1998, "Confidence intervals for proportions
    with small expected number of positive counts estimated from survey data", Survey Methodology 24, 193-201). Where every
    task passes, or none, nothing is known of the dependence within a cluster: there it is the exact one-sided interval over
    clusters. A variance over few clusters with hardly a fail is often too small (C. Franco and others 2019, "Comparative
    study of confidence intervals for proportions in complex sample surveys", J. Survey Statistics and Methodology 7,
    334-364), so no interval promises more than the one of a perfect result over the same clusters.
    """
    mean, number = _mean(clusters), count_effective(clusters)
    edge = EDGE_TAIL ** (1 / number)
    if mean in (0.0, 1.0):
        return Interval(mean, edge * mean, 1.0 - edge * (1.0 - mean))
    low, high = _find_exact_bounds(mean, _count_informative(clusters, mean))
    return Interval(mean, min(low, edge), max(high, 1.0 - edge))


def estimate_difference(clusters: Clusters) -> Interval:
    """Return the mean of differences between two agents on the same tasks, with its interval.

    Student's t interval of paired differences over clusters (arXiv 2411.00640, sections 2.2 and 4.2). With few differences it
    would be too narrow, so its variance is that of the sample with one more cluster that differs in each direction (after
    A. Agresti and Y. Min 2005, "Simple improved confidence intervals for comparing matched proportions", Statistics in
    Medicine 24, 729-740, who add half a pair to each cell).
    """
    mean, number = _mean(clusters), count_effective(clusters)
    total = sum(len(cluster) for cluster in clusters)
    half = find_t(number) * sqrt(_sum_squares(clusters, mean) + 2 * (total / number) ** 2) / total
    return Interval(mean, max(-1.0, mean - half), min(1.0, mean + half))


def count_effective(clusters: Clusters) -> float:
    """How many clusters of equal size know as much as these (L. Kish 1965, "Survey Sampling"): their number if equal."""
    sizes = [len(cluster) for cluster in clusters]
    return sum(sizes) ** 2 / sum(size**2 for size in sizes)


def _count_informative(clusters: Clusters, mean: float) -> float:
    """The effective number of tasks, at most their number."""
    total = sum(len(cluster) for cluster in clusters)
    variance = _sum_squares(clusters, mean) / total**2
    number = min(float(total), mean * (1.0 - mean) / variance) if variance > 0 else float(total)
    return number * (find_t(total) / find_t(count_effective(clusters))) ** 2


def _sum_squares(clusters: Clusters, mean: float) -> float:
    """The squared sums of the clusters' deviations from the mean, corrected for their number."""
    number = len(clusters)
    squares = fsum(fsum(value - mean for value in cluster) ** 2 for cluster in clusters)
    return squares * number / (number - 1) if number > 1 else squares


def find_t(number: float) -> float:
    """Student's t for a variance over a number of clusters, at least two."""
    return float(STATS.t.ppf(1.0 - TAIL, max(1.0, number - 1.0)))


def _find_exact_bounds(mean: float, number: float) -> tuple[float, float]:
    """Clopper and Pearson's interval; the number of tasks need not be whole."""
    hits = mean * number
    low, high = STATS.beta.ppf(TAIL, hits, number - hits + 1), STATS.beta.ppf(1.0 - TAIL, hits + 1, number - hits)
    return float(low), float(high)


def _mean(clusters: Clusters) -> float:
    total = sum(len(cluster) for cluster in clusters)
    return fsum(value for cluster in clusters for value in cluster) / total
