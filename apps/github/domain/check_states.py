"""How the statuses and checks of a commit stand: the latest of each name, and what a branch that requires some says."""

from collections.abc import Mapping, Sequence

from apps.github.domain.commit_status import PASSING, checks_of
from apps.github.domain.context import GithubContext
from apps.github.models import Repository

EXPECTED, PENDING, FAILING = "expected", "pending", "failing"


def states(context: GithubContext, repo: Repository, sha: str) -> dict[str, str]:
    """success, pending or failing by name, for the latest status or check run of each."""
    return {name: _normalise_state(word) for name, word in checks_of(context, repo, sha).items()}


def _normalise_state(word: str) -> str:
    return "success" if word in PASSING else PENDING if word == PENDING else FAILING


def rollup(found: Mapping[str, str]) -> str | None:
    """What all checks together say; None without any."""
    if not found:
        return None
    return next((state for state in (FAILING, PENDING) if state in found.values()), "success")


def describe_unmet_checks(
    context: GithubContext, repo: Repository, sha: str, contexts: Sequence[str], *, stale: bool = False
) -> str | None:
    """The vendor's sentence when required checks have not passed; `stale`: the branch is behind, so that all are
    awaited again.
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
