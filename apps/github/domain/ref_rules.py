"""Whether a change of a ref is allowed: by the protection of its branch, and by the rulesets it fits."""

from typing import NamedTuple

from apps.github.domain.context import GithubContext
from apps.github.domain.protection import check_ref_update
from apps.github.domain.rulesets import describe_push, describe_violations, find_violations
from apps.github.models import Repository

PROTECTED = "protected branch hook declined"
RULES = "push declined due to repository rule violations"


class Ruling(NamedTuple):
    """What is said of a change of a ref. `declined` is the word beside the ref for a push that is refused, `why` the
    sentence of the API; `said` are the lines a push is told, done or not.
    """

    declined: str | None = None
    why: str = ""
    said: tuple[str, ...] = ()


def judge_ref_update(context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None) -> Ruling:
    """Allow or refuse a change of a ref; what `old` and `new` name is in the store already."""
    told = check_ref_update(context, repo, ref, old, new)
    if told is not None:
        return Ruling(PROTECTED, _list_reasons(told), tuple(f"error: {told}".split("\n")))
    against, passed = find_violations(context, repo, ref, old, new)
    if against:
        lines = f"error: {describe_push(context, repo, ref, against)}".rstrip("\n").split("\n")
        return Ruling(RULES, describe_violations(against), (*lines, ""))
    if passed:
        listed = (line for one in passed for line in (f"- {one}", ""))
        return Ruling(said=(f"Bypassed rule violations for {ref}:", "", *listed))
    return Ruling()


def _list_reasons(told: str) -> str:
    """Why a change is refused, without what only a push is told."""
    return "\n".join(line.removeprefix("- ") for line in told.splitlines() if line.startswith("- ")) or told
