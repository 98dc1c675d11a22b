"""A long run of usual and odd requests in one process: memory, descriptors and the length of a hold must not grow."""

import os
from statistics import fmean

from tests.campaign.callers import Callers, open_plane
from tests.campaign.part import Figures, Ground, Part, Tally, chance_of
from tests.campaign.rest import Requests
from world.bench.timing import memory_kb

SAMPLES = 40


def run(ground: Ground) -> Figures:
    """Requests until the share is done; the slope is over the second half."""
    tally, number = Tally(), ground.share(1_000_000, 2_000)
    points: list[tuple[int, int]] = []
    with open_plane(ground, "soak") as plane:
        requests = Requests(Callers(plane, prefix="soak", lasts=1_000), chance_of("soak"))
        opened = len(os.listdir("/proc/self/fd"))
        while tally.counts["requests"] < number:
            made = requests.send()
            if made is not None:
                tally.add(made[2], made[0], made[1])
                if tally.counts["requests"] % (number // SAMPLES) == 0:
                    points.append((tally.counts["requests"], memory_kb()))
        more = len(os.listdir("/proc/self/fd")) - opened
    half = points[len(points) // 2 :]
    return {
        **tally.figures("five_hundreds"),
        "memory_begin_kb": points[0][1],
        "memory_end_kb": points[-1][1],
        "slope_kb_per_1000_requests": round(slope(half) * 1_000, 2),
        "more_descriptors": more,
    }


def slope(points: list[tuple[int, int]]) -> float:
    """The slope of the line that fits best."""
    x, y = fmean(one for one, _ in points), fmean(one for _, one in points)
    below = sum((one - x) ** 2 for one, _ in points)
    return sum((one - x) * (other - y) for one, other in points) / below if below else 0.0


part = Part("soak", 1_000_000, "requests in one process", ("five_hundreds",), run)
