"""Protection of branches: allowed changes of the ref, and allowed merges.

Source:
docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-protected-branches/about-protected-branches
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from sqlmodel import select

from apps.github.domain.check_states import describe_unmet_checks
from apps.github.domain.context import GithubContext, rank
from apps.github.git.history import between, is_ancestor
from apps.github.models import Account, Protection, Repository

BRANCH = "refs/heads/"
THROUGH_PULL = "Changes must be made through a pull request."
NOT_AUTHORISED = (
    "You're not authorized to push to this branch. Visit https://docs.github.com/articles/about-protected-branches/ for"
    " more information."
)
NO_DELETE = "Cannot delete this branch"
NO_FORCE = "Cannot force-push to this branch"
LOCKED = "Cannot change this locked branch"
LINEAR = "This branch must not contain merge commits."


def rule_for(context: GithubContext, repo: Repository, branch: str) -> Protection | None:
    """Return the rule of a branch: one with its exact name, else the first whose pattern matches."""
    own = context.call.session.get(Protection, (repo.id, branch))
    if own is not None:
        return own
    rows = context.call.session.exec(select(Protection).where(Protection.repo_id == repo.id)).all()
    return min((row for row in rows if fits(row.pattern, branch)), key=lambda row: row.pattern, default=None)


def fits(pattern: str, branch: str) -> bool:
    """Whether a pattern matches a branch's name; `*` stops at a slash, `**/` does not."""
    names, places = branch.split("/"), {0}
    *folders, last = pattern.split("/")
    for part in folders:
        if part == "**":
            places = set(range(min(places, default=len(names)), len(names)))
        else:
            places = {place + 1 for place in places if place < len(names) and fnmatchcase(names[place], part)}
    return len(names) - 1 in places and fnmatchcase(names[-1], last)


def check_ref_update(
    context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None
) -> str | None:
    """Return None for an allowed change of a ref, else the vendor's message to the person who pushes.

    The message has the rule's number first, then the reasons.

    `old` and `new` are None for a ref that does not exist before or after. Their objects are in the store already.
    """
    rule = rule_for(context, repo, ref.removeprefix(BRANCH)) if ref.startswith(BRANCH) else None
    reasons = [] if rule is None else _reasons(context, repo, rule, old, new)
    if not reasons:
        return None
    listed = "\n".join(f"- {reason}" for reason in reasons)
    return f"GH006: Protected branch update failed for {ref}.\n\n{listed}"


def _reasons(context: GithubContext, repo: Repository, rule: Protection, old: str | None, new: str | None) -> list[str]:
    if new is None:
        return [] if rule.deletions else [NO_DELETE]
    if old is not None and not rule.force_pushes and not is_ancestor(context.git(repo), old, new):
        return [NO_FORCE]
    if is_exempt(context, repo, rule):
        return []
    if rule.lock_branch:
        return [LOCKED]
    if old is None:
        return [NOT_AUTHORISED] if rule.block_creations and not may_push(context, repo, rule) else []
    return _of_content(context, repo, rule, old, new)


def _of_content(context: GithubContext, repo: Repository, rule: Protection, old: str, new: str) -> list[str]:
    out: list[str] = []
    if not may_push(context, repo, rule):
        out.append(NOT_AUTHORISED)
    if rule.reviews is not None and not is_among(context, rule.bypassers, context.me):
        out.append(THROUGH_PULL)
    if rule.contexts and (why := describe_unmet_checks(context, repo, new, rule.contexts)):
        out.append(why)
    if rule.linear_history and has_merges(context, repo, old, new):
        out.append(LINEAR)
    return out


def is_exempt(context: GithubContext, repo: Repository, rule: Protection) -> bool:
    """Whether a rule exempts the caller: an administrator, unless it binds administrators too."""
    return not rule.enforce_admins and context.may(repo, "admin")


def may_push(context: GithubContext, repo: Repository, rule: Protection) -> bool:
    """Whether a rule lets the caller push; administrators always may."""
    return rule.pushers is None or context.may(repo, "admin") or is_among(context, rule.pushers, context.me)


def is_among(context: GithubContext, people: dict[str, list[int]] | None, account: Account) -> bool:
    """Whether an account is among {users, teams, apps}, by itself or through a team."""
    if not people:
        return False
    return account.id in people.get("users", []) or bool(context.teams_of(account) & set(people.get("teams", [])))


def has_merges(context: GithubContext, repo: Repository, old: str, new: str) -> bool:
    """Whether the commits in `new` and not in `old` include a merge commit."""
    return any(" " in row.parents for row in between(context.git(repo), old, new))


def writers(context: GithubContext, repo: Repository, accounts: Iterable[int]) -> set[int]:
    """Return those of the accounts that may write to a repository."""
    return {id for id in accounts if rank(context.level(repo, context.account(id))) >= rank("push")}
