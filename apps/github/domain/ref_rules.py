"""Rules for changes of refs: branch protection, and the rulesets that match."""

from typing import NamedTuple

from apps.github.domain.context import GithubContext
from apps.github.domain.protection import check_ref_update
from apps.github.domain.rulesets import describe_push, describe_violations, find_violations
from apps.github.models import Repository

PROTECTED = "protected branch hook declined"
RULES = "push declined due to repository rule violations"


class RefDecision(NamedTuple):
    """Verdict on a change of a ref.

    `declined`: the status word of a refused push. `why`: the sentence of the API. `said`: lines shown to a push,
    accepted or not.
    """

    declined: str | None = None
    why: str = ""
    said: tuple[str, ...] = ()


def judge_ref_update(
    context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None
) -> RefDecision:
    """Allow or refuse a change of a ref; the objects of `old` and `new` are in the store already."""
    told = check_ref_update(context, repo, ref, old, new)
    if told is not None:
        return RefDecision(PROTECTED, _list_reasons(told), tuple(f"error: {told}".split("\n")))
    against, passed = find_violations(context, repo, ref, old, new)
    if against:
        lines = f"error: {describe_push(context, repo, ref, against)}".rstrip("\n").split("\n")
        return RefDecision(RULES, describe_violations(against), (*lines, ""))
    if passed:
        listed = (line for one in passed for line in (f"- {one}", ""))
        return RefDecision(said=(f"Bypassed rule violations for {ref}:", "", *listed))
    return RefDecision()


def _list_reasons(told: str) -> str:
    """List the reasons for refusing a change, without those shown only to a push."""
    return "\n".join(line.removeprefix("- ") for line in told.splitlines() if line.startswith("- ")) or told
