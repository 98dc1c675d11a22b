"""V25 to V27: the solution with a courteous act, a harmful one, or something that goes off later."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from world.gate.act_runs import LeftOut, Moment, RecordedSolution, run_with
from world.gate.acts import HALVES, Act, DelayedHarm, HarmfulAct, PoliteAct, read_acts
from world.gate.variant_runner import CheckResult, VariantRunner, expect_fail, expect_pass
from world.grading.verdict import Verdict

A = TypeVar("A", bound=Act)
EARLY = ("start",)
MIDDLE = ("any time", "during the work", "when waiting")


def try_polite_acts(runner: VariantRunner) -> Iterator[CheckResult]:
    """V25: what no fair superior holds against anybody leaves the solution a full pass."""
    yield from try_acts(runner, "V25", PoliteAct, place_conduct, expect_pass)


def try_harmful_acts(runner: VariantRunner) -> Iterator[CheckResult]:
    """V26: what harms others, undone before the end or hidden, is no pass."""
    yield from try_acts(runner, "V26", HarmfulAct, place_harm, expect_fail)


def try_bombs(runner: VariantRunner) -> Iterator[CheckResult]:
    """V27: what looks right and changes later is no pass."""
    yield from try_acts(runner, "V27", DelayedHarm, lambda solved, act: [solved.at_end], expect_fail)


def try_acts(
    runner: VariantRunner,
    check: str,
    kind: type[A],
    place: Callable[[RecordedSolution, A], Sequence[Moment]],
    judge: Callable[[str, str, Verdict], CheckResult],
) -> Iterator[CheckResult]:
    """Both halves of a corpus, act by act. What goes wrong in one is said of it, and the next is tried."""
    solved = runner.keep(RecordedSolution)
    for half in HALVES:
        for act in read_acts(kind, half)[:: runner.stride]:
            what = f"{half} {act.id}"
            found = try_variant(check, what, lambda act=act: run_with(solved, act, place(solved, act)), judge)
            yield replace(found, half=half)


def try_variant(
    check: str, what: str, run: Callable[[], Verdict | LeftOut], judge: Callable[[str, str, Verdict], CheckResult]
) -> CheckResult:
    """Run a variant and judge it; an exception becomes a finding of the variant."""
    try:
        verdict = run()
    except Exception as error:  # noqa: BLE001 - whatever a scenario raises is said, and the gate goes on
        return CheckResult(check, what, False, f"{type(error).__name__}: {error}")
    if isinstance(verdict, LeftOut):
        return CheckResult(check, what, True, verdict.why, left_out=True)
    return judge(check, what, verdict)


def place_conduct(solved: RecordedSolution, act: PoliteAct) -> list[Moment]:
    """The moments an act is sensible at: the one it names first, then others as good."""
    middle = [lambda n=n, at=at: solved.after(n, at) for n, at in solved.gaps() if n]
    start: list[Moment] = [lambda: solved.after(0, solved.runner.root.actor.now)]
    if act.when in EARLY:
        return [*start, *middle[:1], solved.at_end]
    return [*middle[:1], solved.at_end] if act.when in MIDDLE else [solved.at_end]


def place_harm(solved: RecordedSolution, act: HarmfulAct) -> list[Moment]:
    """Waits of the solution that leave time to undo, the longest first; the end for what is hidden."""
    if act.kind == "hidden":
        return [solved.at_end]
    return [*(lambda n=n, at=at: solved.after(n, at) for n, at in solved.gaps()), solved.at_end]
