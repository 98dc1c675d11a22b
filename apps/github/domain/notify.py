"""Notifications about an issue or pull request: inbox entries on the site, and mails."""

from collections.abc import Mapping

from pydantic import JsonValue

from apps.github.domain import markup
from apps.github.domain.context import GithubContext
from apps.github.models import Repository
from apps.github.models_issues import Issue

MAIL = "person.notified"
SENDER = "notifications@github.example"
# Who takes part, with why: the first that holds counts; docs.github.com, about notifications
_TAKING_PART = """
    SELECT account_id, 'assign' FROM github_assignee WHERE issue_id = :issue
    UNION ALL SELECT author_id, 'author' FROM github_issue WHERE id = :issue
    UNION ALL SELECT account_id, 'review_requested' FROM github_review_request WHERE issue_id = :issue AND account_id <>
    0
    UNION ALL SELECT account_id, reason FROM github_notification WHERE subject_id = :issue AND subject IN ('Issue',
    'PullRequest')
        AND reason IN ('mention', 'team_mention')
    UNION ALL SELECT author_id, 'comment' FROM github_comment WHERE issue_id = :issue
    UNION ALL SELECT author_id, 'comment' FROM github_review WHERE issue_id = :issue AND state <> 'PENDING'
    UNION ALL SELECT closed_by_id, 'state_change' FROM github_issue WHERE id = :issue AND closed_by_id IS NOT NULL
    UNION ALL SELECT account_id, reason FROM github_subscription WHERE issue_id = :issue AND NOT ignored AND NOT
    unsubscribed
    UNION ALL SELECT account_id, 'subscribed' FROM github_watch WHERE repo_id = :repo AND NOT ignored"""
_IGNORING = """SELECT account_id FROM github_subscription WHERE issue_id = :issue AND ignored
    UNION SELECT w.account_id FROM github_watch w WHERE w.repo_id = :repo AND w.ignored"""
# An unsubscribing holds until its account writes something there, or is reached because it was addressed
_UNSUBSCRIBED = """SELECT s.account_id FROM github_subscription s WHERE s.issue_id = :issue AND s.unsubscribed
    AND NOT EXISTS(SELECT 1 FROM github_comment c WHERE c.issue_id = s.issue_id AND c.author_id = s.account_id AND
    c.created_at > s.created_at)
    AND NOT EXISTS(SELECT 1 FROM github_review r WHERE r.issue_id = s.issue_id AND r.author_id = s.account_id AND
    r.submitted_at > s.created_at)
    AND NOT EXISTS(SELECT 1 FROM github_notification n WHERE n.subject_id = s.issue_id AND n.subject IN ('Issue',
    'PullRequest')
        AND n.account_id = s.account_id AND n.updated_at > s.created_at)"""
_KEEP = """INSERT INTO github_notification(id, account_id, repo_id, subject, subject_id, reason, unread, done, saved,
    updated_at)
    VALUES (:id, :account, :repo, :subject, :of, :reason, 1, 0, 0, :now)
    ON CONFLICT(account_id, subject, subject_id) DO UPDATE SET reason = excluded.reason, unread = 1, done = 0,
    updated_at = excluded.updated_at"""
_KNOWN = "SELECT id FROM github_notification WHERE account_id = :account AND subject = :subject AND subject_id = :of"
MENTIONING = """SELECT id FROM github_issue WHERE body LIKE :login UNION SELECT issue_id FROM github_comment WHERE body
    LIKE :login"""
_TEAM = """SELECT m.account_id FROM github_team_member m JOIN github_team t ON t.id = m.team_id JOIN github_account o ON
    o.id = t.org_id
    WHERE lower(o.login) = :org AND t.slug = :slug ORDER BY 1"""


def list_participants(context: GithubContext, repo: Repository, issue: Issue) -> dict[int, str]:
    """Return the accounts that take part in an issue, with the reason."""
    found: dict[int, str] = {}
    for account, reason in context.call.all(_TAKING_PART, {"issue": issue.id, "repo": repo.id}):
        found.setdefault(account, reason)
    return found


def list_subscribers(context: GithubContext, repo: Repository, issue: Issue) -> dict[int, str]:
    """Return the accounts notified of every change of an issue, with the reason: participants who have not muted it."""
    silent = _accounts(context, _IGNORING, repo, issue) | _accounts(context, _UNSUBSCRIBED, repo, issue)
    return {id: reason for id, reason in list_participants(context, repo, issue).items() if id not in silent}


def _accounts(context: GithubContext, sql: str, repo: Repository, issue: Issue) -> set[int]:
    return {row[0] for row in context.call.all(sql, {"issue": issue.id, "repo": repo.id})}


def list_mentioned_accounts(context: GithubContext, text: str | None) -> dict[int, str]:
    """Return the accounts that a text mentions, by name or by team, with the reason."""
    found: dict[int, str] = {}
    for name in markup.mentions(text):
        org, _, slug = name.partition("/")
        if slug:
            members = context.call.all(_TEAM, {"org": org.lower(), "slug": slug.lower()})
            found |= {row[0]: "team_mention" for row in members if row[0] not in found}
        elif (account := context.find_login(org)) is not None and account.kind == "User":
            found[account.id] = "mention"
    return found


def notify_concerned(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    told: str,
    text: str | None = None,
    *,
    to: Mapping[int, str] | None = None,
) -> None:
    """Notify an issue's subscribers, the people a text mentions, and `to` (account -> reason).

    `told` is the caller's action, as in `merged this`.
    """
    context.call.flush()
    people = {**list_subscribers(context, repo, issue), **list_mentioned_accounts(context, text), **(to or {})}
    silent = _accounts(context, _IGNORING, repo, issue)
    reached = [
        id
        for id in sorted(people)
        if id != context.me.id and id not in silent and context.sees(repo, context.account(id))
    ]
    subject = "PullRequest" if issue.is_pull else "Issue"
    for id in reached:
        keep(context, repo, id, subject, issue.id, people[id])
    _mail(context, repo, issue, reached, told, text)


def keep(context: GithubContext, repo: Repository, account_id: int, subject: str, subject_id: int, reason: str) -> None:
    """Put a thread into an account's inbox, unread; one row per thread."""
    values = {"account": account_id, "subject": subject, "of": subject_id}
    known = context.call.scalar(_KNOWN, values)
    id = known if known is not None else context.next_id("github_notification")
    context.call.execute(_KEEP, {**values, "id": id, "repo": repo.id, "reason": reason, "now": context.call.now})


def _mail(
    context: GithubContext, repo: Repository, issue: Issue, accounts: list[int], told: str, text: str | None
) -> None:
    readers: list[JsonValue] = [person for id in accounts if (person := context.account(id).person_id) is not None]
    if not readers or not context.call.has_listeners(MAIL):
        return
    kind, word = ("pull", "PR") if issue.is_pull else ("issues", "Issue")
    me, name = context.me, context.full_name(repo)
    said = [
        f"{me.login} {told}",
        (text or "").strip(),
        f"View it on GitHub: {context.as_kept().html}/{name}/{kind}/{issue.number}",
    ]
    context.call.publish(
        MAIL,
        people=readers,
        sender=SENDER,
        sender_name=me.name or me.login,
        at=context.call.now,
        thread=f"{name}#{issue.number}",
        subject=f"[{name}] {issue.title} ({word} #{issue.number})",
        text="\n\n".join(one for one in said if one),
    )
