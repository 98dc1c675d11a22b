"""Timelines of issues and pull requests: events, comments, commits and reviews in one order."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlmodel import col, select

from apps.github.domain import markup
from apps.github.domain.context import node, stamp
from apps.github.domain.cross_references import list_referenced_issues
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.conversations import issue_path
from apps.github.graphql.git_types import CommitAt, RefAt, commit_at, ref_at
from apps.github.graphql.issues import comments_of
from apps.github.graphql.loader import Loader
from apps.github.graphql.pulls import commit_fact
from apps.github.graphql.registry import TYPES, Values, batch, each, field, kind_of
from apps.github.graphql.reviews import reviews_of
from apps.github.graphql.values import Args
from apps.github.models import Team
from apps.github.models_issues import Event, Issue, Label
from apps.github.models_pulls import Review
from apps.github.operations.issues.milestones import moment

KINDS = {
    "assigned": "AssignedEvent",
    "auto_merge_disabled": "AutoMergeDisabledEvent",
    "auto_merge_enabled": "AutoMergeEnabledEvent",
    "auto_rebase_enabled": "AutoRebaseEnabledEvent",
    "auto_squash_enabled": "AutoSquashEnabledEvent",
    "base_ref_changed": "BaseRefChangedEvent",
    "base_ref_deleted": "BaseRefDeletedEvent",
    "closed": "ClosedEvent",
    "convert_to_draft": "ConvertToDraftEvent",
    "cross-referenced": "CrossReferencedEvent",
    "demilestoned": "DemilestonedEvent",
    "head_ref_deleted": "HeadRefDeletedEvent",
    "head_ref_force_pushed": "HeadRefForcePushedEvent",
    "head_ref_restored": "HeadRefRestoredEvent",
    "labeled": "LabeledEvent",
    "locked": "LockedEvent",
    "mentioned": "MentionedEvent",
    "merged": "MergedEvent",
    "milestoned": "MilestonedEvent",
    "parent_issue_added": "ParentIssueAddedEvent",
    "parent_issue_removed": "ParentIssueRemovedEvent",
    "pinned": "PinnedEvent",
    "ready_for_review": "ReadyForReviewEvent",
    "referenced": "ReferencedEvent",
    "renamed": "RenamedTitleEvent",
    "reopened": "ReopenedEvent",
    "review_dismissed": "ReviewDismissedEvent",
    "review_request_removed": "ReviewRequestRemovedEvent",
    "review_requested": "ReviewRequestedEvent",
    "sub_issue_added": "SubIssueAddedEvent",
    "sub_issue_removed": "SubIssueRemovedEvent",
    "subscribed": "SubscribedEvent",
    "transferred": "TransferredEvent",
    "unassigned": "UnassignedEvent",
    "unlabeled": "UnlabeledEvent",
    "unlocked": "UnlockedEvent",
    "unpinned": "UnpinnedEvent",
    "unsubscribed": "UnsubscribedEvent",
}
TYPES[Event] = lambda row: KINDS[row.kind]
EVENTS = " ".join(KINDS.values())


class Item(NamedTuple):
    """An item of a timeline, and its sort key: time, kind, number."""

    place: tuple[int, int, int]
    row: object


def items(near: Loader, row: Issue) -> list[Item]:
    """Return all items of a timeline with their sort keys: time, kind, number."""
    return near.once("timeline", row.id, lambda: _items(near, row))


def _items(near: Loader, row: Issue) -> list[Item]:
    found: list[Item] = [Item((one.created_at, 1, one.id), one) for one in _events(near, row)]
    found += [Item((one.created_at, 2, one.id), one) for one in comments_of(near, [row])[row.id]]
    if row.is_pull:
        listed = enumerate(near.changes(row).commits)
        found += [
            Item(
                (max(one.committed_at * 1_000_000, row.created_at), 0, at), commit_fact(row, CommitAt(row.repo_id, one))
            )
            for at, one in listed
        ]
        found += [Item((one.submitted_at or one.created_at, 3, one.id), one) for one in reviews_of(near, [row])[row.id]]
    return sorted(found, key=lambda one: one.place)


def _events(near: Loader, row: Issue) -> list[Event]:
    rows = near.call.session.exec(select(Event).where(Event.issue_id == row.id).order_by(col(Event.id)))
    kept = [one for one in rows if one.kind in KINDS]
    sources = near.rows(Issue, [one.facts["source"] for one in kept if one.kind == "cross-referenced"])
    near.accounts(one.actor_id for one in kept)
    return [one for one in kept if one.kind != "cross-referenced" or _is_seen(near, sources.get(one.facts["source"]))]


def _is_seen(near: Loader, issue: Issue | None) -> bool:
    return issue is not None and near.repo(issue.repo_id) is not None


def _item_type(name: str) -> str:
    """Return the object type of an item type: `LABELED_EVENT`, `ISSUE_COMMENT`."""
    return "".join(word.capitalize() for word in name.split("_"))


@field("Issue PullRequest", "timelineItems")
def timeline_items(near: Loader, row: Issue, args: Args) -> Page:
    """Return a page of timeline items."""
    everything = items(near, row)
    types = {_item_type(name) for name in args.get("itemTypes") or ()}
    kept = [one for one in everything if not types or kind_of(one.row) in types]
    if args.get("since"):
        start = moment(args["since"], "Issue", "since") or 0
        kept = [one for one in kept if one.place[0] >= start]
    found = page_of_rows(kept[args.get("skip") or 0 :], args, lambda one: list(one.place))
    return Page(
        [one.row for one in found.nodes],
        total=len(kept),
        keys=found.keys,
        onwards=found.onwards,
        more={
            "filteredCount": len(kept),
            "pageCount": len(found.nodes),
            "updatedAt": stamp(row.updated_at),
        },
    )


# -- every event


@batch(EVENTS, "actor")
def actors(near: Loader, rows: Sequence[Event], args: Args) -> Values:
    """Return the actors of events."""
    near.accounts(row.actor_id for row in rows)
    return [near.account(row.actor_id) for row in rows]


def _subjects(near: Loader, rows: Sequence[Event], args: Args) -> Values:
    found = near.rows(Issue, [row.issue_id for row in rows])
    return [found.get(row.issue_id) for row in rows]


for _name in ("assignable", "closable", "labelable", "subject", "lockable", "target", "pullRequest", "subscribable"):
    batch(EVENTS, _name)(_subjects)


def _path(near: Loader, row: Event) -> str:
    issue = near.issue(row.issue_id)
    assert issue is not None
    return f"{issue_path(near, issue)}#event-{row.id}"


each(
    EVENTS,
    id=lambda near, row: node("IssueEvent", row.repo_id, row.id),
    databaseId=lambda near, row: row.id,
    createdAt=lambda near, row: stamp(row.created_at),
    resourcePath=_path,
    url=lambda near, row: near.url(_path(near, row)),
    enabler=lambda near, row: near.account(row.actor_id),
    disabler=lambda near, row: near.account(row.actor_id),
    reason=lambda near, row: row.facts.get("reason"),
)


# -- particular ones

each(
    "AssignedEvent UnassignedEvent",
    assignee=lambda near, row: near.account(row.facts.get("assignee")),
    user=lambda near, row: near.account(row.facts.get("assignee")),
)
each("LabeledEvent UnlabeledEvent", label=lambda near, row: _label(near, row))
each("PinnedEvent UnpinnedEvent TransferredEvent", issue=lambda near, row: near.get_issue(row.issue_id))
each("TransferredEvent", fromRepository=lambda near, row: near.repo(row.facts["from_repository"]))
each("MilestonedEvent DemilestonedEvent", milestoneTitle=lambda near, row: row.facts["milestone"])
each(
    "RenamedTitleEvent",
    currentTitle=lambda near, row: row.facts["rename"]["to"],
    previousTitle=lambda near, row: row.facts["rename"]["from"],
)
each(
    "LockedEvent",
    lockReason=lambda near, row: (
        (row.facts.get("lock_reason") or "").upper().replace("-", "_").replace(" ", "_") or None
    ),
)
each("ClosedEvent ReopenedEvent", stateReason=lambda near, row: (row.facts.get("state_reason") or "").upper() or None)
each("ClosedEvent", closer=lambda near, row: _closer(near, row))
each(
    "BaseRefChangedEvent",
    currentRefName=lambda near, row: row.facts["base"]["to"],
    previousRefName=lambda near, row: row.facts["base"]["from"],
)
each("BaseRefDeletedEvent", baseRefName=lambda near, row: near.pull(near.get_issue(row.issue_id)).base_ref)
each(
    "HeadRefDeletedEvent",
    headRefName=lambda near, row: row.facts.get("ref") or near.pull(near.get_issue(row.issue_id)).head_ref,
    headRef=lambda near, row: _head(near, row),
)
each(
    "HeadRefForcePushedEvent",
    beforeCommit=lambda near, row: commit_at(near, near.home(row), row.facts.get("before")),
    afterCommit=lambda near, row: commit_at(near, near.home(row), row.facts.get("after")),
    ref=lambda near, row: _head(near, row),
)
each(
    "MergedEvent",
    commit=lambda near, row: commit_at(near, near.home(row), row.commit_sha),
    mergeRefName=lambda near, row: near.pull(near.get_issue(row.issue_id)).base_ref,
    mergeRef=lambda near, row: ref_at(
        near, near.home(row), f"refs/heads/{near.pull(near.get_issue(row.issue_id)).base_ref}"
    ),
)
each(
    "ReferencedEvent",
    commit=lambda near, row: commit_at(near, near.home(row), row.commit_sha),
    commitRepository=lambda near, row: near.home(row),
    isDirectReference=lambda near, row: True,
)
each(
    "CrossReferencedEvent",
    source=lambda near, row: near.issue(row.facts["source"]),
    referencedAt=lambda near, row: stamp(row.created_at),
    isCrossRepository=lambda near, row: _source(near, row).repo_id != row.repo_id,
    willCloseTarget=lambda near, row: _will_close(near, row),
)
each(
    "ReviewDismissedEvent",
    previousReviewState=lambda near, row: row.facts["dismissed_review"]["state"].upper(),
    dismissalMessage=lambda near, row: row.facts["dismissed_review"].get("dismissal_message"),
    dismissalMessageHTML=lambda near, row: markup.html(row.facts["dismissed_review"].get("dismissal_message")),
    review=lambda near, row: near.row(Review, row.facts["dismissed_review"].get("review_id")),
)
each(
    "ReviewRequestedEvent ReviewRequestRemovedEvent",
    requestedReviewer=lambda near, row: (
        near.row(Team, row.facts["team"]) if row.facts.get("team") else near.account(row.facts.get("reviewer"))
    ),
)
each("ParentIssueAddedEvent ParentIssueRemovedEvent", parent=lambda near, row: _other(near, row.facts.get("parent")))
each("SubIssueAddedEvent SubIssueRemovedEvent", subIssue=lambda near, row: _other(near, row.facts.get("sub_issue")))


def _label(near: Loader, row: Event) -> Label:
    """Return the label as it is now; after its deletion, as the event recorded it."""
    name, color = row.facts["label"]["name"], row.facts["label"]["color"]
    query = select(Label).where(Label.repo_id == row.repo_id, Label.name == name)
    found = near.once("label by name", (row.repo_id, name), lambda: near.call.session.exec(query).first())
    return found or Label(id=0, repo_id=row.repo_id, name=name, color=color)


def _closer(near: Loader, row: Event) -> CommitAt | Issue | None:
    if row.commit_sha:
        return commit_at(near, near.home(row), row.commit_sha)
    return _other(near, row.facts.get("pull"))


def _other(near: Loader, id: int | None) -> Issue | None:
    found = near.issue(id)
    return found if found is not None and _is_seen(near, found) else None


def _head(near: Loader, row: Event) -> RefAt | None:
    pull = near.pull(near.get_issue(row.issue_id))
    repo = near.repo(pull.head_repo_id)
    return ref_at(near, repo, f"refs/heads/{pull.head_ref}") if repo is not None else None


def _source(near: Loader, row: Event) -> Issue:
    found = near.issue(row.facts["source"])
    assert found is not None
    return found


def _will_close(near: Loader, row: Event) -> bool:
    source = _source(near, row)
    return source.is_pull and any(
        issue.id == row.issue_id
        for _, issue in list_referenced_issues(near.context, near.home(source), source.body, closing=True)
    )
