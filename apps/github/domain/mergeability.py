"""Mergeability of a pull request: a trial merge in git soon after each change, and everything else that blocks it."""

from typing import NamedTuple

from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.branch_requirements import Requirement, list_requirements
from apps.github.domain.check_states import describe_unmet_checks, rollup, states
from apps.github.domain.context import GithubContext
from apps.github.domain.protection import LINEAR, LOCKED, NOT_AUTHORISED, may_push
from apps.github.domain.pull_git import Changes, keep_ref, merge_ref
from apps.github.domain.review_approvals import UNRESOLVED, count_unresolved_threads, reviews_unmet
from apps.github.domain.rulesets import UPDATED
from apps.github.git.merge import merge_commits
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from world.core.app import Facts
from world.core.call import Call

TOPIC = "github.mergeability"
DISALLOWED = {
    "merge": "Merge commits are not allowed on this repository.",
    "squash": "Squash merges are not allowed on this repository.",
    "rebase": "Rebase merges are not allowed on this repository.",
}
AFTER_US = 2_000_000  # from a push to the answer, as a visitor sees it
_MOVED = "SELECT max(created_at) FROM github_push WHERE repo_id IN (:base, :head) AND ref IN (:base_ref, :head_ref)"


class Trial(NamedTuple):
    """Result of a trial merge: the tree (None with conflicts), and whether the commits could be rebased."""

    tree: str | None
    rebaseable: bool


def soon(context: GithubContext, repo: Repository, *, number: int | None = None, base: str | None = None) -> None:
    """Schedule trial merges of one pull request, or of those into a branch."""
    context.call.later(TOPIC, context.call.now + AFTER_US, repo=repo.id, number=number, base=base)


def forget(pull: Pull) -> None:
    """Forget the result of a pull request's trial merge."""
    pull.mergeable = pull.rebaseable = pull.checked_head = pull.checked_base = None


@app.on(TOPIC)
def try_merges(call: Call, facts: Facts) -> None:
    """Try the pull requests whose head or base has moved."""
    context = GithubContext(call)
    repo = context.repo_by_id(int(str(facts["repo"])))
    if repo is None:
        return
    query = (
        select(Issue, Pull)
        .join(Pull, col(Pull.issue_id) == col(Issue.id))
        .where(Issue.repo_id == repo.id, Issue.state == "open")
    )
    query = (
        query.where(Issue.number == facts["number"])
        if facts["number"] is not None
        else query.where(Pull.base_ref == facts["base"])
    )
    for issue, pull in context.call.session.exec(query.order_by(col(Issue.id))).all():
        remember(context, repo, issue, pull)


def remember(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> None:
    """Try to merge a pull request and store the result, with the merge as a ref."""
    changes = Changes(context, repo, issue, pull)
    if is_known(pull, changes):
        return
    trial = attempt(changes)
    pull.mergeable, pull.rebaseable = trial.tree is not None, trial.rebaseable
    pull.checked_head, pull.checked_base = pull.head_sha, changes.base_tip
    keep_ref(
        changes.git,
        merge_ref(issue.number),
        None if trial.tree is None else _trial_commit(context, issue, changes, trial.tree),
    )


def _trial_commit(context: GithubContext, issue: Issue, changes: Changes, tree: str) -> str:
    who = context.signature(context.account(issue.author_id))
    message = f"Merge {changes.pull.head_sha} into {changes.base_tip}"
    return changes.git.put_commit(tree, [changes.base_tip, changes.pull.head_sha], message, who, who)


def is_known(pull: Pull, changes: Changes) -> bool:
    """Whether the stored result is still valid for the present head and base."""
    return pull.mergeable is not None and (pull.checked_head, pull.checked_base) == (pull.head_sha, changes.base_tip)


def attempt(changes: Changes) -> Trial:
    """Merge in memory."""
    git = changes.git
    tree = merge_commits(git, changes.base_tip, changes.pull.head_sha).tree
    return Trial(tree, tree is not None and not any(" " in row.parents for row in changes.commits))


def find_merged_tree(changes: Changes, number: int) -> str | None:
    """Return the tree of merging head and base, from the trial if it is still valid; None with conflicts."""
    if is_known(changes.pull, changes):
        trial = changes.git.ref(merge_ref(number))
        return changes.git.tree_of(trial) if trial is not None else None
    return attempt(changes).tree


def mergeable(context: GithubContext, changes: Changes) -> bool | None:
    """Whether the pull request can be merged; None while a trial is pending, and for a closed one."""
    pull = changes.pull
    if not changes.open:
        return None
    if is_known(pull, changes):
        return pull.mergeable
    head = pull.head_repo_id or pull.repo_id
    refs = {"base_ref": f"refs/heads/{pull.base_ref}", "head_ref": f"refs/heads/{pull.head_ref}"}
    moved = context.call.scalar(_MOVED, {"base": pull.repo_id, "head": head, **refs})
    if context.call.now < max(moved or 0, _issue_time(context, pull)) + AFTER_US:
        return None
    return attempt(changes).tree is not None


def _issue_time(context: GithubContext, pull: Pull) -> int:
    return context.call.scalar("SELECT created_at FROM github_issue WHERE id = :id", {"id": pull.issue_id})


def unmet(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes) -> list[str]:
    """List the base branch's unmet requirements, whoever merges."""
    asked = list_requirements(context, repo, pull.base_ref)
    return list(dict.fromkeys(why for one in asked for why in _unmet_of(context, repo, issue, pull, changes, one)))


def _unmet_of(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes, one: Requirement
) -> list[str]:
    rule = one.rule
    out = [LOCKED] if rule.lock_branch else []
    out += [UPDATED] if one.closed else []
    out += reviews_unmet(context, repo, issue, pull, rule, changes)
    if rule.contexts and (
        why := describe_unmet_checks(context, repo, pull.head_sha, rule.contexts, stale=rule.strict and changes.behind)
    ):
        out.append(why)
    if rule.conversation_resolution and count_unresolved_threads(context, issue):
        out.append(UNRESOLVED)
    return out


def against(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes, method: str
) -> list[str]:
    """List the reasons against a merge by the caller: unmet requirements that bind them, missing permission."""
    out: list[str] = []
    for one in list_requirements(context, repo, pull.base_ref):
        if one.exempt:
            continue
        out += _unmet_of(context, repo, issue, pull, changes, one)
        if not may_push(context, repo, one.rule):
            out.append(NOT_AUTHORISED)
        if one.rule.linear_history and method == "merge":
            out.append(LINEAR)
        if one.methods is not None and method not in one.methods:
            out.append(DISALLOWED[method])
    return list(dict.fromkeys(out))


def state_of(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes
) -> tuple[bool | None, str]:
    """Return `mergeable` and `mergeable_state`: unknown, dirty, draft, blocked, behind, unstable or clean."""
    found = mergeable(context, changes)
    if found is None:
        return None, "unknown"
    if not found:
        return False, "dirty"
    return True, "draft" if pull.draft else _merge_state(context, repo, issue, pull, changes)


def _merge_state(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes) -> str:
    asked = [one.rule for one in list_requirements(context, repo, pull.base_ref)]
    strict = [name for rule in asked if rule.strict for name in rule.contexts or ()]
    checks = states(context, repo, pull.head_sha)
    if changes.behind and any(rule.strict and rule.contexts is not None for rule in asked):
        rest = [why for why in unmet(context, repo, issue, pull, changes) if not why.endswith("expected.")]
        passed = all(checks.get(name) == "success" for name in strict)
        return "behind" if passed and not rest else "blocked"
    if unmet(context, repo, issue, pull, changes):
        return "blocked"
    return "unstable" if rollup(checks) in ("pending", "failing") else "clean"
