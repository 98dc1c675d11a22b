"""Requirements for merges into a branch, from its protection and from each active ruleset that matches it."""

from typing import Any, NamedTuple

from apps.github.domain.context import GithubContext
from apps.github.domain.protection import BRANCH, is_exempt, rule_for
from apps.github.domain.rulesets import bypass_of, list_active, list_required_checks, list_rules
from apps.github.models import Protection, Repository
from apps.github.models_rules import Ruleset


class Requirement(NamedTuple):
    """One set of rules.

    `exempt`: the rules do not bind the caller. `methods`: allowed merge methods, None for all. `closed`: nobody else
    may change the branch.
    """

    rule: Protection
    exempt: bool
    methods: frozenset[str] | None = None
    closed: bool = False


def list_requirements(context: GithubContext, repo: Repository, branch: str) -> list[Requirement]:
    """List all requirements for merges into a branch, the branch's own protection first."""
    own = rule_for(context, repo, branch)
    out = [] if own is None else [Requirement(own, is_exempt(context, repo, own))]
    return out + [_of_ruleset(context, repo, row) for row in list_active(context, repo, BRANCH + branch)]


def allows_method(one: Requirement, method: str) -> bool:
    """Whether the rules allow a merge method, whoever merges."""
    return not (method == "merge" and one.rule.linear_history) and (one.methods is None or method in one.methods)


def _of_ruleset(context: GithubContext, repo: Repository, row: Ruleset) -> Requirement:
    kinds = {one["type"] for one in row.rules}
    reviews, checks = list_rules([row], "pull_request"), list_rules([row], "required_status_checks")
    methods = [frozenset(one["allowed_merge_methods"]) for one in reviews if one.get("allowed_merge_methods")]
    rule = Protection(
        repo_id=repo.id,
        pattern="",
        enforce_admins=True,
        reviews=max((one["required_approving_review_count"] for one in reviews), default=None),
        dismiss_stale=_any(reviews, "dismiss_stale_reviews_on_push"),
        code_owners=_any(reviews, "require_code_owner_review"),
        last_push_approval=_any(reviews, "require_last_push_approval"),
        conversation_resolution=_any(reviews, "required_review_thread_resolution"),
        contexts=list_required_checks([row]) if checks else None,
        strict=_any(checks, "strict_required_status_checks_policy"),
        linear_history="required_linear_history" in kinds,
    )
    allowed = frozenset.intersection(*methods) if methods else None
    return Requirement(rule, bypass_of(context, repo, row) != "never", allowed, "update" in kinds)


def _any(rules: list[Any], name: str) -> bool:
    return any(one.get(name) for one in rules)
