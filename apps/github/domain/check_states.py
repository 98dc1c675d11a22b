"""States of a commit's statuses and checks: the latest of each name, and those a branch requires."""

from collections.abc import Mapping, Sequence

from apps.github.domain.commit_status import PASSING, checks_of
from apps.github.domain.context import GithubContext
from apps.github.models import Repository

EXPECTED, PENDING, FAILING = "expected", "pending", "failing"


def states(context: GithubContext, repo: Repository, sha: str) -> dict[str, str]:
    """Return success, pending or failing by name, for the latest status or check run of each."""
    return {name: _normalise_state(word) for name, word in checks_of(context, repo, sha).items()}


def _normalise_state(word: str) -> str:
    return "success" if word in PASSING else PENDING if word == PENDING else FAILING


def rollup(found: Mapping[str, str]) -> str | None:
    """Return the combined state of all checks; None without checks."""
    if not found:
        return None
    return next((state for state in (FAILING, PENDING) if state in found.values()), "success")


def describe_unmet_checks(
    context: GithubContext, repo: Repository, sha: str, contexts: Sequence[str], *, stale: bool = False
) -> str | None:
    """Return the vendor's sentence for missing required checks.

    `stale`: the branch is behind, so all checks are awaited again.
    """
    here = {} if stale else states(context, repo, sha)
    lacking = {name: here.get(name, EXPECTED) for name in dict.fromkeys(contexts) if here.get(name) != "success"}
    if not lacking:
        return None
    if len(set(contexts)) == 1:
        [(name, state)] = lacking.items()
        return f'Required status check "{name}" is {state}.'
    counts = {
        state: list(lacking.values()).count(state)
        for state in (EXPECTED, PENDING, FAILING)
        if state in lacking.values()
    }
    total = len(set(contexts))
    if len(counts) == 1 and len(lacking) == total:
        return f"{len(lacking)} of {total} required status checks are {next(iter(counts))}."
    parts = [f"{count} {state}" for state, count in counts.items()]
    told = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f"{',' if len(parts) > 2 else ''} and {parts[-1]}"
    return f"{len(lacking)} of {total} required status checks have not succeeded: {told}."
