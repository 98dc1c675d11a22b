"""Runs a sample of mutants: `python -m tests.mutants.run --sample 200 --seed 1 world/core world/store world/grading`.

The tests are collected and run once; which functions of the sample each of them calls is noted. Then every mutant gets a process of its own, forked
from this one, in which the mutated function has another code object and the tests that called it run until one fails.

Cached results would hide calls and faults. Caches of a limited size hold readings of texts and are emptied before each
test that is noted; the others hold tables and are emptied before each file. A mutant's process begins with all of them empty.
"""

import argparse
import builtins
import gc
import importlib
import os
import random
import resource
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.operators import WITNESS, Mutant, mutants, mutated, witnessed

ROOT = Path(__file__).parents[2]
TESTS = {
    "world/core": ["tests/world/test_*.py", "tests/world/core", "tests/world/reading"],
    "world/store": ["tests/world/store", "tests/world/test_diff.py", "tests/world/test_journal.py"],
    "world/grading": ["tests/grading"],
}
PACKAGES = ("world.grading.", "world.store.", "world.core.")
NOT_PUT_IN = 3  # exit code of a process that has no function to change
Key = tuple[str, str]  # file and qualified name of a function


@dataclass
class Outcome:
    """What became of a sample."""

    killed: int = 0
    survived: list[str] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return self.killed + len(self.survived) + len(self.uncovered)

    def __str__(self) -> str:
        return f"{self.killed} of {self.tried} mutants killed, {100 * self.killed / max(self.tried, 1):.0f} %"


class SessionOnly:
    """Stands for the next test: nothing but what lasts as long as the session is kept for it."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[Any]:
        """The collectors to keep."""
        return [self._session]


class Mutation:
    """A pytest plugin that runs the tests once as they are, then the covering ones once for each mutant."""

    def __init__(self, sample: list[Mutant], limit_s: int) -> None:
        self.sample, self.limit_s, self.outcome = sample, limit_s, Outcome()
        self.caches = Caches()
        self.console = os.fdopen(os.dup(1), "w", encoding="utf-8")  # past pytest's capture
        self.called: set[Key] = set()
        self.covering: dict[Key, list[pytest.Item]] = defaultdict(list)
        self.cost: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        left_out = ("slow", "full", "ui")
        items[:] = [item for item in items if not any(item.get_closest_marker(name) for name in left_out)]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        following = SessionOnly(session)
        gc.unfreeze()  # functions and caches are found among what the collector knows
        self._put_witnesses_in()
        before: Path | None = None
        for item in session.items:
            self.caches.empty(tables=item.path != before)
            before = item.path
            self._note(item, following)
        for number, mutant in enumerate(self.sample, 1):
            said = self._try(mutant, following)
            print(f"{number}/{len(self.sample)} {said:9} {mutant}", file=self.console, flush=True)
        return True

    def _put_witnesses_in(self) -> None:
        """Have every function of the sample tell when it is called."""
        setattr(builtins, WITNESS, lambda path, name: self.called.add((path, name)))
        names: dict[Path, set[str]] = defaultdict(set)
        for mutant in self.sample:
            names[mutant.path].add(mutant.function)
        for path, some in names.items():
            importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
            module = compile(witnessed(path, some), str(path), "exec")
            replace_code(str(path), [code for code in _codes(module) if code.co_qualname in some])

    def _note(self, item: pytest.Item, following: SessionOnly) -> None:
        """Run a test as it is and note what it calls of the files in question."""
        self.called.clear()
        before = os.times()
        reports = runtestprotocol(item, log=False, nextitem=following)
        after = os.times()
        self.cost[item.nodeid] = after.user - before.user
        if any(report.failed for report in reports):
            print(f"fails without any mutant, left out: {item.nodeid}", file=self.console, flush=True)
            return
        for key in self.called:
            self.covering[key].append(item)

    def _try(self, mutant: Mutant, following: SessionOnly) -> str:
        key = (str(mutant.path), mutant.function)
        tests = sorted(self.covering[key], key=lambda item: self.cost[item.nodeid])
        if not tests:
            self.outcome.uncovered.append(str(mutant))
            return "untested"
        if self._dies(mutant, tests, following):
            self.outcome.killed += 1
            return "killed"
        self.outcome.survived.append(str(mutant))
        return "SURVIVES"

    def _dies(self, mutant: Mutant, tests: list[pytest.Item], following: SessionOnly) -> bool:
        child = os.fork()
        if child == 0:
            code = NOT_PUT_IN
            try:
                with open(os.devnull, "w", encoding="utf-8") as nowhere:
                    os.dup2(nowhere.fileno(), 1)
                    os.dup2(nowhere.fileno(), 2)
                put_in(mutant)
                code = 1
                self.caches.empty(tables=True)
                code = int(any(self._fails(item, following) for item in tests))
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) == NOT_PUT_IN:
            raise LookupError(str(mutant))
        return status != 0

    def _fails(self, item: pytest.Item, following: SessionOnly) -> bool:
        """Whether a test fails now; one that takes far longer than it did ends the process."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = self.limit_s + 10 * int(self.cost[item.nodeid])
        end = int(used.ru_utime + used.ru_stime) + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
        signal.alarm(20 * seconds)
        return fails(item, following)


class Caches:
    """The caches of the simulator's functions."""

    def __init__(self) -> None:
        self._known: list[_lru_cache_wrapper[Any]] = []

    def empty(self, *, tables: bool) -> None:
        """Empty those of a limited size, or all."""
        if tables:
            self._known = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper) and _is_ours(one)]
        for cached in self._known:
            if tables or cached.cache_parameters()["maxsize"] is not None:
                cached.cache_clear()


def _is_ours(cached: "_lru_cache_wrapper[Any]") -> bool:
    return cached.__module__.startswith(PACKAGES)


def fails(item: pytest.Item, following: SessionOnly) -> bool:
    """Whether a test fails now."""
    if hasattr(item, "_initrequest"):
        item._initrequest()
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))


def put_in(mutant: Mutant) -> None:
    """Give the mutated function's objects the code of the mutant. Raises LookupError if there is none."""
    module = compile(mutated(mutant), str(mutant.path), "exec")
    inner = f"{mutant.function}.<locals>."
    wanted = [
        code for code in _codes(module) if code.co_qualname == mutant.function or code.co_qualname.startswith(inner)
    ]
    if not replace_code(str(mutant.path), wanted):
        raise LookupError(str(mutant))


def replace_code(path: str, codes: list[CodeType]) -> bool:
    """Give functions of a file, and those made within them before, other code. False if there are none."""
    places = [(code.co_qualname, code.co_firstlineno) for code in codes]
    known = {place: code for place, code in zip(places, codes, strict=True) if places.count(place) == 1}
    found = False
    for function in gc.get_objects():
        if type(function) is FunctionType and function.__code__.co_filename == path:
            old = function.__code__
            new = known.get((old.co_qualname, old.co_firstlineno))
            if new is None:
                continue
            if not new.co_freevars:  # `super()` may have been left out; what the function closes over stays its own
                new = new.replace(co_freevars=old.co_freevars)
            if len(new.co_freevars) == len(old.co_freevars):
                function.__code__, found = new, True
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def drawn(folders: list[str], size: int, seed: int) -> list[Mutant]:
    """A sample of the folders' mutants."""
    every = [found for folder in folders for path in sorted((ROOT / folder).rglob("*.py")) for found in mutants(path)]
    return every if size >= len(every) else sorted(random.Random(seed).sample(every, size), key=str)


def _find_tests(folder: str) -> list[str]:
    """The tests of a folder, or of the one it is in."""
    return next((paths for root, paths in TESTS.items() if f"{folder}/".startswith(f"{root}/")), ["tests"])


def main() -> int:
    """Print the survivors and the share of mutants killed; exit code 1 below the share wanted."""
    parser = argparse.ArgumentParser(prog="tests.mutants.run", description=__doc__)
    parser.add_argument("folders", nargs="*", default=list(TESTS))
    parser.add_argument("--sample", type=int, default=200, help="mutants to try; all if there are fewer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--limit", type=int, default=10, help="seconds of CPU a test may take beyond ten times its usual"
    )
    parser.add_argument("--least", type=int, default=85, help="per cent that must be killed")
    given = parser.parse_args()
    plugin = Mutation(drawn(given.folders, given.sample, given.seed), given.limit)
    wanted = [path for folder in given.folders for path in _find_tests(folder)]
    paths = sorted({str(path) for pattern in wanted for path in ROOT.glob(pattern)})
    pytest.main(["-n", "0", "-q", "-p", "no:rerunfailures", *paths], plugins=[plugin])
    print(*(f"survives  {text}" for text in plugin.outcome.survived), sep="\n")
    print(*(f"untested  {text}" for text in plugin.outcome.uncovered), sep="\n")
    print(plugin.outcome)
    return 0 if plugin.outcome.killed * 100 >= given.least * plugin.outcome.tried > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
