"""Resolvers of issues, also of the fields that pull requests share: labels, people, milestone, comments."""

from collections.abc import Sequence

from sqlmodel import col, select

from apps.github.domain import markup
from apps.github.domain.context import node, stamp
from apps.github.domain.cross_references import list_referenced_issues
from apps.github.domain.notify import list_subscribers
from apps.github.graphql.connections import Page, page_of_rows
from apps.github.graphql.conversations import ISSUES, issue_path, may_edit
from apps.github.graphql.issue_lists import COUNT, IssueLabelRow, label_page
from apps.github.graphql.loader import Loader
from apps.github.graphql.registry import TYPES, Fact, Values, batch, each, field
from apps.github.graphql.values import Args
from apps.github.models import Repository
from apps.github.models_issues import Comment, Event, Issue, Milestone, PinnedIssue, SubIssue, Subscription

_SPOKE = """SELECT issue_id, author_id FROM github_comment WHERE issue_id IN (SELECT value FROM json_each(:ids))
    UNION SELECT issue_id, account_id FROM github_assignee WHERE issue_id IN (SELECT value FROM json_each(:ids))
    UNION SELECT issue_id, author_id FROM github_review WHERE issue_id IN (SELECT value FROM json_each(:ids)) AND state
    <> 'PENDING'
    ORDER BY 1, 2"""

_ASSIGNEES = """SELECT issue_id, account_id FROM github_assignee WHERE issue_id IN (SELECT value FROM json_each(:ids))
    ORDER BY 2"""

_LABELS = """SELECT il.issue_id, l.id, l.repo_id, l.name, l.color, l.description, l."default" FROM github_issue_label il
    JOIN github_label l ON l.id = il.label_id WHERE il.issue_id IN (SELECT value FROM json_each(:ids)) ORDER BY l.id"""

each(
    ISSUES,
    number=lambda near, row: row.number,
    title=lambda near, row: row.title,
    titleHTML=lambda near, row: _inline(row.title),
    closed=lambda near, row: row.state == "closed",
    closedAt=lambda near, row: stamp(row.closed_at),
    locked=lambda near, row: row.locked,
    activeLockReason=lambda near, row: (
        row.lock_reason.upper().replace("-", "_").replace(" ", "_") if row.locked and row.lock_reason else None
    ),
    resourcePath=lambda near, row: issue_path(near, row),
    url=lambda near, row: near.url(issue_path(near, row)),
    viewerCanClose=lambda near, row: row.state == "open" and may_edit(near, row),
    viewerCanReopen=lambda near, row: row.state == "closed" and may_edit(near, row),
    viewerCanLabel=lambda near, row: near.may(row, "triage"),
    viewerCanSubscribe=lambda near, row: True,
    viewerSubscription=lambda near, row: _subscription(near, row),
)
each(
    "Issue",
    bodyUrl=lambda near, row: near.url(f"{issue_path(near, row)}#issue-{row.id}"),
    bodyResourcePath=lambda near, row: f"{issue_path(near, row)}#issue-{row.id}",
    state=lambda near, row: row.state.upper(),
    viewerThreadSubscriptionStatus=lambda near, row: (
        "SUBSCRIBED_TO_THREAD" if _subscription(near, row) == "SUBSCRIBED" else "NONE"
    ),
    viewerThreadSubscriptionFormAction=lambda near, row: (
        "UNSUBSCRIBE" if _subscription(near, row) == "SUBSCRIBED" else "SUBSCRIBE"
    ),
)


def _inline(title: str) -> str:
    return markup.html(title).removeprefix("<p>").removesuffix("</p>\n").removesuffix("</p>")


def _subscription(near: Loader, row: Issue) -> str:
    own = near.call.session.get(Subscription, (row.id, near.me.id))
    if own is not None and own.ignored:
        return "IGNORED"
    return "SUBSCRIBED" if near.me.id in list_subscribers(near.context, near.home(row), row) else "UNSUBSCRIBED"


@field("Issue", "stateReason")
def state_reason(near: Loader, row: Issue, args: Args) -> str | None:
    """Return the reason why an issue is closed or reopened."""
    if row.state_reason == "duplicate" and not args.get("enableDuplicate"):
        return "NOT_PLANNED"
    return row.state_reason.upper() if row.state_reason else None


# -- labels, people, milestone


def labels_of(near: Loader, rows: Sequence[Issue]) -> dict[int, list[IssueLabelRow]]:
    """Return the labels of issues, read together."""

    def load(ids: list[int]) -> list[tuple[int, IssueLabelRow]]:
        return [(row[0], IssueLabelRow(*row[1:])) for row in near.call.all(_LABELS, {"ids": str(ids)})]

    return near.lists("labels", [row.id for row in rows], load)


@batch(ISSUES, "labels")
def labels(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return pages of labels."""
    found = labels_of(near, rows)
    return [label_page(found[row.id], args) for row in rows]


@batch(ISSUES, "assignees")
def assignees(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the assignees of issues."""

    def load(ids: list[int]) -> list[tuple[int, int]]:
        return [(id, who) for id, who in near.call.all(_ASSIGNEES, {"ids": str(ids)})]

    found = near.lists("assignees", [row.id for row in rows], load)
    near.accounts(id for ids in found.values() for id in ids)
    return [page_of_rows([near.context.account(id) for id in found[row.id]], args, lambda one: one.id) for row in rows]


@batch(ISSUES, "participants")
def participants(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the participants of issues, the author first."""
    found = near.lists(
        "participants",
        [row.id for row in rows],
        lambda ids: [(id, who) for id, who in near.call.all(_SPOKE, {"ids": str(ids)})],
    )
    near.accounts([*(id for ids in found.values() for id in ids), *(row.author_id for row in rows)])
    out = []
    for row in rows:
        people = [near.context.account(id) for id in dict.fromkeys([row.author_id, *found[row.id]])]
        out.append(page_of_rows([one for one in people if one.kind == "User"], args, lambda one: one.id, ordered=False))
    return out


@batch(ISSUES, "milestone")
def milestones(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the milestones of issues."""
    found = near.rows(Milestone, [row.milestone_id for row in rows])
    return [found.get(row.milestone_id) if row.milestone_id is not None else None for row in rows]


each(
    "Label",
    id=lambda near, row: node("Label", row.repo_id, row.id),
    name=lambda near, row: row.name,
    color=lambda near, row: row.color,
    description=lambda near, row: row.description,
    isDefault=lambda near, row: bool(row.default),
    repository=lambda near, row: near.home(row),
    resourcePath=lambda near, row: f"{near.path(row)}/labels/{_escape_spaces(row.name)}",
    url=lambda near, row: near.url(f"{near.path(row)}/labels/{_escape_spaces(row.name)}"),
)


def _escape_spaces(name: str) -> str:
    return name.replace(" ", "%20")


def _milestone(near: Loader, row: Milestone) -> str:
    return f"{near.path(row)}/milestone/{row.number}"


each(
    "Milestone",
    id=lambda near, row: node("Milestone", row.repo_id, row.id),
    number=lambda near, row: row.number,
    title=lambda near, row: row.title,
    description=lambda near, row: row.description,
    state=lambda near, row: row.state.upper(),
    closed=lambda near, row: row.state == "closed",
    closedAt=lambda near, row: stamp(row.closed_at),
    createdAt=lambda near, row: stamp(row.created_at),
    updatedAt=lambda near, row: stamp(row.updated_at),
    dueOn=lambda near, row: stamp(row.due_on),
    creator=lambda near, row: near.context.account(row.creator_id),
    repository=lambda near, row: near.home(row),
    resourcePath=lambda near, row: _milestone(near, row),
    url=lambda near, row: near.url(_milestone(near, row)),
    viewerCanClose=lambda near, row: row.state == "open" and near.may(row, "triage"),
    viewerCanReopen=lambda near, row: row.state == "closed" and near.may(row, "triage"),
)


@batch("Milestone", "progressPercentage")
def progress(near: Loader, rows: Sequence[Milestone], args: Args) -> Values:
    """Return the progress of milestones, in percent."""
    sql = """SELECT milestone_id, 100.0 * sum(state = 'closed') / count(*) FROM github_issue
        WHERE milestone_id IN (SELECT value FROM json_each(:ids)) GROUP BY 1"""
    found = near.counts("progress", sql, [row.id for row in rows])
    return [float(found[row.id]) for row in rows]


# -- comments


@batch(ISSUES, "comments")
def comments(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return pages of comments; if only the count is selected, they are not read."""
    if not args.asks & {"nodes", "edges", "pageInfo"}:
        counts = near.counts("comments", COUNT, [row.id for row in rows])
        return [Page([], total=counts[row.id]) for row in rows]
    found = comments_of(near, rows)
    order = args.get("orderBy") or {"direction": "ASC"}
    down = order["direction"] == "DESC"
    by_change = args.get("orderBy") is not None

    def key(one: Comment) -> list[int]:
        return [one.updated_at if by_change else 0, one.id]

    return [page_of_rows(sorted(found[row.id], key=key, reverse=down), args, key, descending=down) for row in rows]


def comments_of(near: Loader, rows: Sequence[Issue]) -> dict[int, list[Comment]]:
    """Return the comments on issues, oldest first, read together."""

    def load(ids: list[int]) -> list[tuple[int, Comment]]:
        query = select(Comment).where(col(Comment.issue_id).in_(ids)).order_by(col(Comment.id))
        return [(one.issue_id, one) for one in near.call.session.exec(query)]

    return near.lists("comments read", [row.id for row in rows], load)


# -- other issues


@batch("Issue", "parent")
def parents(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the parent issues of issues."""
    links = near.rows(SubIssue, [row.id for row in rows])
    near.rows(Issue, [link.parent_id for link in links.values()])
    return [_if_visible(near, near.issue(links[row.id].parent_id)) if row.id in links else None for row in rows]


def _if_visible(near: Loader, issue: Issue | None) -> Issue | None:
    return issue if issue is not None and near.repo(issue.repo_id) is not None else None


def children_of(near: Loader, rows: Sequence[Issue]) -> dict[int, list[Issue]]:
    """Return the sub-issues that the caller sees, in order."""

    def load(ids: list[int]) -> list[tuple[int, Issue]]:
        query = (
            select(SubIssue)
            .where(col(SubIssue.parent_id).in_(ids))
            .order_by(col(SubIssue.position), col(SubIssue.issue_id))
        )
        links = list(near.call.session.exec(query))
        near.rows(Issue, [link.issue_id for link in links])
        return [
            (link.parent_id, issue)
            for link in links
            if (issue := _if_visible(near, near.issue(link.issue_id))) is not None
        ]

    return near.lists("sub-issues", [row.id for row in rows], load)


@batch("Issue", "isPinned")
def are_pinned(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return whether issues are pinned."""
    ids = [row.id for row in rows]
    found = set(near.call.session.exec(select(PinnedIssue.issue_id).where(col(PinnedIssue.issue_id).in_(ids))))
    return [row.id in found for row in rows]


TYPES[PinnedIssue] = "PinnedIssue"
each(
    "PinnedIssue",
    id=lambda near, row: node("PinnedIssue", row.repo_id, row.issue_id),
    databaseId=lambda near, row: row.issue_id,
    fullDatabaseId=lambda near, row: str(row.issue_id),
    issue=lambda near, row: near.get_issue(row.issue_id),
    pinnedBy=lambda near, row: near.account(row.pinned_by_id),
    repository=lambda near, row: near.home(row),
)


@field("Repository", "pinnedIssues")
def list_pinned_issues(near: Loader, row: Repository, args: Args) -> Page[PinnedIssue]:
    """Return the page of a repository's pinned issues, the first pinned first."""
    query = select(PinnedIssue).where(PinnedIssue.repo_id == row.id)
    found = near.call.session.exec(query.order_by(col(PinnedIssue.position), col(PinnedIssue.issue_id))).all()
    return page_of_rows(found, args, lambda one: one.issue_id, ordered=False)


@batch("Issue", "subIssues")
def sub_issues(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return pages of sub-issues."""
    found = children_of(near, rows)
    return [page_of_rows(found[row.id], args, lambda one: one.id, ordered=False) for row in rows]


@batch("Issue", "subIssuesSummary")
def summaries(near: Loader, rows: Sequence[Issue], args: Args) -> Values:
    """Return the progress of issues' sub-issues."""
    out, below = [], children_of(near, rows)
    for row in rows:
        found = below[row.id]
        done = sum(one.state == "closed" for one in found)
        out.append(
            Fact(
                "SubIssuesSummary",
                total=len(found),
                completed=done,
                percentCompleted=done * 100 // len(found) if found else 0,
            )
        )
    return out


@field("Issue", "closedByPullRequestsReferences")
def list_closing_pulls(near: Loader, row: Issue, args: Args) -> Page:
    """List the pull requests that say they close an issue."""
    query = select(Event).where(Event.issue_id == row.id, Event.kind == "cross-referenced").order_by(col(Event.id))
    sources = near.rows(Issue, [one.facts["source"] for one in near.call.session.exec(query)])
    found = [
        one
        for _, one in sorted(sources.items())
        if one.is_pull and near.repo(one.repo_id) is not None and _closes(near, one, row)
    ]
    if not args.get("includeClosedPrs"):
        found = [one for one in found if one.state == "open" or near.pull(one).merged_at is not None]
    return page_of_rows(found, args, lambda one: one.id)


def _closes(near: Loader, pull: Issue, issue: Issue) -> bool:
    return any(
        one.id == issue.id for _, one in list_referenced_issues(near.context, near.home(pull), pull.body, closing=True)
    )
