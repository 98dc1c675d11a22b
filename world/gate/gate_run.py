"""A run of the gate: check after check, each exception a finding, and the counts of every check."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from world.gate.checks import CHECKS, ONCE
from world.gate.variant_runner import CheckResult, VariantRunner
from world.grading import RubricError
from world.script.errors import ScenarioError

MEASURED = frozenset({"V23", "V24", "V25", "V26", "V27", "V28"})  # rates over corpora: said, and no reason to fail


SLOW = frozenset({"V17"})  # other processes take most of a chore's gate
TEXTUAL = frozenset({"V23", "V24", "V28"})  # of what a rubric says on texts, the same at every difficulty


def run_checks(
    runner: VariantRunner, only: Collection[str] = (), skipped: Collection[str] = ()
) -> Iterator[CheckResult]:
    """The findings of all checks, or of some; those that one seed is enough for, on the first."""
    for label in CHECKS:
        if (not only or label in only) and label not in skipped and (runner.seed == 0 or label not in ONCE):
            yield from run_check(runner, label)


def run_check(runner: VariantRunner, label: str) -> Iterator[CheckResult]:
    """Yield the findings of a check. An exception becomes a finding that names the last variant before it.

    Raises ScenarioError and RubricError.
    """
    last = "nothing"
    try:
        for found in CHECKS[label](runner):
            last = found.what
            yield found
    except (ScenarioError, RubricError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever a scenario raises is said, and the next check is tried
        yield CheckResult(label, f"stopped after {last}", False, f"{type(error).__name__}: {error}")


def holds(findings: Sequence[CheckResult]) -> bool:
    """Whether a scenario passes the gate: there are findings, and all that are no rates hold."""
    return bool(findings) and all(found.ok or found.check in MEASURED for found in findings)


def tally(findings: Sequence[CheckResult]) -> dict[str, dict[str, dict[str, int]]]:
    """By check and half of its corpus (`all` without one): how many variants were run, were left out, and failed."""
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for found in findings:
        one = counts.setdefault(found.check, {}).setdefault(found.half or "all", {"run": 0, "left_out": 0, "failed": 0})
        one["left_out" if found.left_out else "run"] += 1
        one["failed"] += not found.ok
    return counts


def to_json(findings: Sequence[CheckResult]) -> dict[str, Any]:
    """Return the content of `--json`: the counts by check, and every finding."""
    return {"checks": tally(findings), "findings": [finding_to_json(found) for found in findings]}


def finding_to_json(found: CheckResult) -> dict[str, Any]:
    """A finding, field by field."""
    return {
        "check": found.check,
        "what": found.what,
        "ok": found.ok,
        "why": found.why,
        "difficulty": found.difficulty,
        "half": found.half,
        "left_out": found.left_out,
    }
