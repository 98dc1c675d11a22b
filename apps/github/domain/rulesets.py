"""Checks against the active rulesets of a repository: changes of refs, and merges.

Source: docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets
"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from sqlmodel import col, select

from apps.github.domain.check_states import describe_unmet_checks
from apps.github.domain.context import GithubContext, rank
from apps.github.domain.protection import (
    BRANCH,
    LINEAR,
    NO_DELETE,
    NO_FORCE,
    THROUGH_PULL,
    fits,
    has_merges,
)
from apps.github.git.history import is_ancestor
from apps.github.models import Account, Repository
from apps.github.models_rules import Ruleset

TAG = "refs/tags/"
PREFIX = {"branch": BRANCH, "tag": TAG}
DEFAULT, EVERY = "~DEFAULT_BRANCH", "~ALL"
ROLES = {2: "maintain", 4: "push", 5: "admin"}  # ids of the roles that may be on a bypass list
BARRING = {"update", "pull_request", "required_status_checks"}
CREATED = "Cannot create ref due to creations being restricted."
UPDATED = "Cannot update this protected ref."
NO_DELETE_REF = "Cannot delete this protected ref."
NO_FORCE_REF = "Cannot force-push to this protected ref."
FOUND = "Repository rule violations found"
_ACTIVE = "SELECT id FROM github_ruleset WHERE repo_id = :repo AND enforcement = 'active' ORDER BY id"
_OWNER = "SELECT 1 FROM github_org_member WHERE org_id = :org AND account_id = :who AND role = 'admin'"


def list_active(context: GithubContext, repo: Repository, ref: str) -> list[Ruleset]:
    """List the active rulesets that match a ref, oldest first."""
    ids = [row[0] for row in context.call.all(_ACTIVE, {"repo": repo.id})]
    if not ids:
        return []
    rows = context.call.session.exec(select(Ruleset).where(col(Ruleset.id).in_(ids)).order_by(col(Ruleset.id)))
    return [row for row in rows if is_meant(repo, row, ref)]


def is_meant(repo: Repository, row: Ruleset, ref: str) -> bool:
    """Whether a ruleset matches a ref: a pattern includes it and none excludes it."""
    if not ref.startswith(PREFIX[row.target]):
        return False
    return _fits_any(repo, row.include, ref) and not _fits_any(repo, row.exclude, ref)


def _fits_any(repo: Repository, patterns: Iterable[str], ref: str) -> bool:
    default = BRANCH + repo.default_branch
    return any(one == EVERY or (ref == default if one == DEFAULT else fits(one, ref)) for one in patterns)


def list_rules(rows: Iterable[Ruleset], kind: str) -> list[Mapping[str, Any]]:
    """List the parameters of every rule of a kind."""
    return [one.get("parameters") or {} for row in rows for one in row.rules if one["type"] == kind]


def bypass_of(context: GithubContext, repo: Repository, row: Ruleset) -> str:
    """Return the caller's bypass of a ruleset: always, exempt, pull_requests_only or never."""
    if context.is_system:
        return "always"
    modes = {one["bypass_mode"] for one in row.bypass if _is_actor(context, repo, context.me, one)}
    for mode, word in (("exempt", "exempt"), ("always", "always"), ("pull_request", "pull_requests_only")):
        if mode in modes:
            return word
    return "never"


def _is_actor(context: GithubContext, repo: Repository, account: Account, actor: Mapping[str, Any]) -> bool:
    kind, id = actor["actor_type"], actor["actor_id"]
    if kind == "RepositoryRole":
        return rank(context.level(repo, account)) >= rank(ROLES[id])
    if kind == "Team":
        return id in context.teams_of(account)
    if kind == "OrganizationAdmin":
        return context.call.first(_OWNER, {"org": repo.owner_id, "who": account.id}) is not None
    return kind == "User" and id == account.id


def find_violations(
    context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None
) -> tuple[list[str], list[str]]:
    """Return the violations of a change of a ref, and those that the caller bypasses; each sentence once."""
    against: dict[str, None] = {}
    passed: dict[str, None] = {}
    for row in list_active(context, repo, ref):
        said = _violations(context, repo, row, ref, old, new)
        mode = bypass_of(context, repo, row) if said else "exempt"
        if mode == "always":
            passed |= dict.fromkeys(said)
        elif mode != "exempt":
            against |= dict.fromkeys(said)
    return list(against), list(passed)


def _violations(
    context: GithubContext, repo: Repository, row: Ruleset, ref: str, old: str | None, new: str | None
) -> list[str]:
    kinds, branch = {one["type"] for one in row.rules}, row.target == "branch"
    if new is None:
        return [NO_DELETE if branch else NO_DELETE_REF] if "deletion" in kinds else []
    out = [CREATED] if old is None and "creation" in kinds else []
    if old is not None and "update" in kinds:
        out.append(UPDATED)
    if old is not None and "non_fast_forward" in kinds and _is_forced(context, repo, old, new):
        out.append(NO_FORCE if branch else NO_FORCE_REF)
    return out + (_of_content(context, repo, row, old, new) if branch else [])


def _is_forced(context: GithubContext, repo: Repository, old: str, new: str) -> bool:
    git = context.git(repo)
    before, after = git.peel(old), git.peel(new)
    return before is None or after is None or not is_ancestor(git, before, after)


def _of_content(context: GithubContext, repo: Repository, row: Ruleset, old: str | None, new: str) -> list[str]:
    out: list[str] = []
    kinds = {one["type"] for one in row.rules}
    if old is not None and "pull_request" in kinds:
        out.append(THROUGH_PULL)
    names = list_required_checks([row], creating=old is None)
    if names and (why := describe_unmet_checks(context, repo, new, names)):
        out.append(why)
    if old is not None and "required_linear_history" in kinds and has_merges(context, repo, old, new):
        out.append(LINEAR)
    return out


def list_required_checks(rows: Iterable[Ruleset], *, creating: bool = False) -> list[str]:
    """List the checks that rulesets require, without those that do not apply to a ref being created."""
    asked = list_rules(rows, "required_status_checks")
    return [
        check["context"]
        for one in asked
        if not (creating and one.get("do_not_enforce_on_create"))
        for check in one["required_status_checks"]
    ]


def bars_pushes(context: GithubContext, repo: Repository, branch: str) -> bool:
    """Whether a ruleset keeps the caller from pushing to a branch at all."""
    return any(
        {one["type"] for one in row.rules} & BARRING and bypass_of(context, repo, row) not in ("always", "exempt")
        for row in list_active(context, repo, BRANCH + branch)
    )


def describe_push(context: GithubContext, repo: Repository, ref: str, reasons: Iterable[str]) -> str:
    """Return the vendor's message to a person whose push violates rules."""
    address = f"{context.repo_html(repo)}/rules?ref={quote(ref, safe='')}"
    listed = "".join(f"- {reason}\n\n" for reason in reasons)
    return f"GH013: Repository rule violations found for {ref}.\nReview all repository rules at {address}\n\n{listed}"


def describe_violations(reasons: Iterable[str]) -> str:
    """Return the API's message for a change that violates rules."""
    return f"{FOUND}\n\n" + "".join(f"{reason}\n\n" for reason in reasons)
