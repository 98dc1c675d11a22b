"""Watches, stars and inboxes on the code host, derived from the rows of the repositories."""

from typing import Any

from apps.github import models as m
from apps.github import models_issues as i
from apps.github import models_pulls as p
from seeds.rows.github_site import OWNERS, Hub
from seeds.rows.row_collector import Row, Sink
from seeds.spec import Spec
from world.core.clock import DAY, HOUR, MINUTE

KEPT, FRESH = 14 * DAY, 3 * DAY  # age limit of an inbox, and of unread threads


def project(spec: Spec, hub: Hub, sink: Sink) -> None:
    """Watches, stars and threads of every repository made so far."""
    members = {row["account_id"] for row in sink.rows.get(m.OrgMember, [])}
    for repo in sink.rows.get(m.Repository, []):
        draw = spec.stream("github", "inbox", repo["name"])
        watching = [hub.accounts[seat] for seat in OWNERS if seat in hub.accounts]
        for account in sorted(members):
            if account in watching:
                sink.add(m.Watch, repo_id=repo["id"], account_id=account, created_at=repo["created_at"] + HOUR)
            if draw.random() < 0.1:
                sink.add(
                    m.Star,
                    repo_id=repo["id"],
                    account_id=account,
                    created_at=repo["created_at"] + draw.integer(1, 400) * HOUR,
                )
    for issue in sink.rows.get(i.Issue, []):
        if issue["updated_at"] > spec.start - KEPT:
            _threads(spec, hub, sink, issue, members)


def _threads(spec: Spec, hub: Hub, sink: Sink, issue: Row, members: set[int]) -> None:
    draw = spec.stream("github", "inbox", str(issue["id"]))
    at, last = issue["updated_at"], _last(sink, issue)
    for account, reason in sorted(_list_recipients(sink, issue).items()):
        if account == last or account not in members:
            continue
        unread = at > spec.start - FRESH and draw.random() < 0.6
        read = None if unread else min(at + draw.integer(5, 600) * MINUTE, spec.start - MINUTE)
        sink.add(
            i.Notification,
            id=hub.number("github_notification"),
            account_id=account,
            repo_id=issue["repo_id"],
            subject="PullRequest" if issue["is_pull"] else "Issue",
            subject_id=issue["id"],
            reason=reason,
            unread=unread,
            updated_at=at,
            read_at=read,
        )


def _of(sink: Sink, model: Any, issue: Row) -> list[Row]:
    return [row for row in sink.rows.get(model, []) if row["issue_id"] == issue["id"]]


def _list_recipients(sink: Sink, issue: Row) -> dict[int, str]:
    """Return the accounts that are notified of an issue, with the reason, as the code host decides it."""
    found = {
        row["account_id"]: "subscribed" for row in sink.rows.get(m.Watch, []) if row["repo_id"] == issue["repo_id"]
    }
    spoken = [*_of(sink, i.Comment, issue), *_of(sink, p.Review, issue)]
    found |= {row["author_id"]: "comment" for row in spoken if row.get("state") != "PENDING"}
    found |= {row["account_id"]: "review_requested" for row in _of(sink, p.ReviewRequest, issue) if row["account_id"]}
    found[issue["author_id"]] = "author"
    return found | {row["account_id"]: "assign" for row in _of(sink, i.Assignee, issue)}


def _last(sink: Sink, issue: Row) -> int:
    """Return the account that acted last on an issue."""
    done = [
        (row["created_at"], row["author_id"]) for row in (*_of(sink, i.Comment, issue), *_of(sink, p.Review, issue))
    ]
    done += [(row["created_at"], row["actor_id"]) for row in _of(sink, i.Event, issue)]
    return max([(issue["created_at"], issue["author_id"]), *done])[1]
