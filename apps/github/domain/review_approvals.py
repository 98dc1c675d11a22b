"""Approval state of a pull request: each person's latest review, and whether reviews suffice for its base branch."""

from sqlmodel import col, select

from apps.github.domain import code_owners
from apps.github.domain.branch_requirements import list_requirements
from apps.github.domain.context import GithubContext
from apps.github.domain.protection import writers
from apps.github.domain.pull_git import HEADS, Changes
from apps.github.models import Protection, Push, Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, Review, ReviewThread

OPINIONS = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")
LAST_PUSHER = "New changes require approval from someone other than {} because they were the last pusher."
UNRESOLVED = "All comments must be resolved."


def latest(context: GithubContext, issue: Issue) -> dict[int, Review]:
    """Return the latest opinion of each reviewer; mere comments do not count."""
    query = select(Review).where(Review.issue_id == issue.id, col(Review.state).in_(OPINIONS))
    rows = context.call.session.exec(query.order_by(col(Review.submitted_at), col(Review.id)))
    return {row.author_id: row for row in rows}


def decision(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> str | None:
    """Return APPROVED, CHANGES_REQUESTED or REVIEW_REQUIRED; None when no review is required or given."""
    asked = list_requirements(context, repo, pull.base_ref)
    opinions = latest(context, issue)
    counting = writers(context, repo, opinions)
    states = {opinions[id].state for id in counting}
    if "CHANGES_REQUESTED" in states:
        return "CHANGES_REQUESTED"
    needed = max((one.rule.reviews or 0 for one in asked), default=0)
    if needed:
        return "APPROVED" if _approvals(opinions, counting) >= needed else "REVIEW_REQUIRED"
    return "APPROVED" if "APPROVED" in states else None


def _approvals(opinions: dict[int, Review], counting: set[int]) -> int:
    return sum(opinions[id].state == "APPROVED" for id in counting)


def reviews_unmet(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, rule: Protection, changes: Changes
) -> list[str]:
    """Return the vendor's sentences about required reviews that are missing."""
    if rule.reviews is None:
        return []
    opinions = latest(context, issue)
    counting = writers(context, repo, opinions)
    out: list[str] = []
    if any(opinions[id].state == "CHANGES_REQUESTED" for id in counting):
        out.append("Changes have been requested by a reviewer with write access.")
    if _approvals(opinions, counting) < rule.reviews:
        words = "approving review is" if rule.reviews == 1 else "approving reviews are"
        out.append(f"At least {rule.reviews} {words} required by reviewers with write access.")
    approved = {id for id in counting if opinions[id].state == "APPROVED"}
    if rule.code_owners:
        out += _owners_unmet(context, repo, issue, approved, changes)
    if rule.last_push_approval:
        out += _last_push_unmet(context, issue, pull, {id: opinions[id] for id in approved})
    return out


def _owners_unmet(
    context: GithubContext, repo: Repository, issue: Issue, approved: set[int], changes: Changes
) -> list[str]:
    waiting: list[str] = []
    members = {id: context.teams_of(context.account(id)) for id in approved}
    for names in code_owners.groups(changes.git, changes.base_tip, [one.path for one in changes.changes]):
        owners = code_owners.resolve(context, repo, names)
        teams = {team.id for team in owners.teams}
        people = [account for account in owners.accounts if account.id != issue.author_id]
        if not people and not teams:
            continue
        if approved & {account.id for account in people} or any(members[id] & teams for id in approved):
            continue
        waiting += [account.login for account in people]
        waiting += [f"{context.account(team.org_id).login}/{team.slug}" for team in owners.teams]
    named = list(dict.fromkeys(waiting))
    return [f"Waiting on code owner review from {' and/or '.join(named)}."] if named else []


def _last_push_unmet(context: GithubContext, issue: Issue, pull: Pull, approved: dict[int, Review]) -> list[str]:
    pusher, at = last_push(context, issue, pull)
    if any(id != pusher and (row.submitted_at or 0) >= at for id, row in approved.items()):
        return []
    return [LAST_PUSHER.format(context.account(pusher).login)]


def last_push(context: GithubContext, issue: Issue, pull: Pull) -> tuple[int, int]:
    """Return the account that last pushed the head of a pull request, and the time; by default its author's."""
    row = context.call.session.exec(
        select(Push)
        .where(
            Push.repo_id == (pull.head_repo_id or pull.repo_id),
            Push.ref == HEADS + pull.head_ref,
            Push.new == pull.head_sha,
        )
        .order_by(col(Push.id).desc())
    ).first()
    return (row.account_id, row.created_at) if row is not None else (issue.author_id, issue.created_at)


def count_unresolved_threads(context: GithubContext, issue: Issue) -> int:
    """Count unresolved conversations on code, without those of unsubmitted reviews."""
    sql = """SELECT count(*) FROM github_review_thread t WHERE t.issue_id = :id AND t.resolved_by_id IS NULL AND EXISTS
        (SELECT 1 FROM github_review_comment c JOIN github_review r ON r.id = c.review_id WHERE c.thread_id = t.id AND
        r.state <> 'PENDING')"""
    return context.call.scalar(sql, {"id": issue.id})


def threads_of(context: GithubContext, issue: Issue) -> list[ReviewThread]:
    """List the conversations on a pull request's code, in order."""
    return list(
        context.call.session.exec(
            select(ReviewThread).where(ReviewThread.issue_id == issue.id).order_by(col(ReviewThread.id))
        )
    )
