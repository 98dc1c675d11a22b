"""Taking times: medians of many short rounds, and ratios of interleaved pairs."""

import gc
import time
from collections.abc import Callable
from statistics import median
from typing import Any


def per_call_us(job: Callable[[], Any], *, rounds: int = 30, calls: int = 50) -> float:
    """Median over rounds of the mean time of a call, in microseconds."""
    job()
    taken: list[float] = []
    gc.collect()
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(calls):
            job()
        taken.append((time.perf_counter() - begin) / calls * 1e6)
    return median(taken)


def each_us(job: Callable[[], Any], *, times: int) -> float:
    """Median time of single calls, in microseconds; for jobs that cannot be repeated in place."""
    taken: list[float] = []
    for _ in range(times):
        begin = time.perf_counter()
        job()
        taken.append((time.perf_counter() - begin) * 1e6)
    return median(taken)


def pair_ms(
    ours: Callable[[], Any], reference: Callable[[], Any], *, rounds: int = 40, calls: int = 10
) -> tuple[float, float]:
    """Medians of both in milliseconds, measured in turn so that a change of the machine's speed meets both."""
    for job in (ours, reference):
        for _ in range(calls):
            job()
    mine: list[float] = []
    theirs: list[float] = []
    for _ in range(rounds):
        for job, taken in ((ours, mine), (reference, theirs)):
            begin = time.perf_counter()
            for _ in range(calls):
                job()
            taken.append((time.perf_counter() - begin) / calls * 1e3)
    return median(mine), median(theirs)


def per_second(job: Callable[[], object], seconds: float) -> float:
    """Calls a second, over so many seconds after a first one."""
    job()
    begin, done = now_s(), 0
    while now_s() - begin < seconds:
        job()
        done += 1
    return done / (now_s() - begin)


def now_s() -> float:
    """Wall time for rates."""
    return time.perf_counter()


def memory_kb() -> int:
    """Resident memory of this process."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def cpu_ms(job: Callable[[], Any]) -> float:
    """Processor time of one call in this process, in milliseconds: others on the machine do not count."""
    begin = time.process_time()
    job()
    return (time.process_time() - begin) * 1e3


def loop_ms() -> float:
    """Return the processor time of a million additions now, in milliseconds; median of five.

    Every set of figures states it, as a measure of the machine.
    """
    return median(cpu_ms(lambda: sum(number for number in range(1_000_000))) for _ in range(5))
