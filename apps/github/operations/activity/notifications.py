"""The notification inbox: threads are read, marked as read or done, and subscribed to."""

from typing import TypedDict

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.columns import Condition
from apps.github.domain import notify
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.params import Id, Line, ListPage, PageParams, RepoRef
from apps.github.domain.visibility import list_visible_repositories
from apps.github.models import Repository
from apps.github.models_issues import Issue, Notification, Subscription
from apps.github.operations.activity import subscriptions
from apps.github.operations.issues.milestones import moment
from apps.github.views.notifications import ThreadJson, threads_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Int64, NoParams, Params

SOURCE = "docs.github.com/rest/activity/notifications"
EXAMPLE = {"owner": "quayline", "repo": "payments"}
FIRST = "$activity/list-notifications-for-authenticated-user:0.id"
LISTED = {"all": True}
WATCHING = ("subscribed", "ci_activity")  # reasons of who neither takes part nor was addressed


class SubscriptionJson(TypedDict):
    """Response of `_subscription_json`."""

    subscribed: bool
    ignored: bool
    reason: str | None
    created_at: str | None
    url: str
    thread_url: str


class ThreadFilter(Params):
    """Filters of threads."""

    all: bool = Field(default=False, description="Those already read too.")
    participating: bool = Field(default=False, description="Only where you take part or are mentioned.")
    since: Line | None = Field(default=None, description="Only those updated after this time (ISO 8601, UTC).")
    before: Line | None = Field(default=None, description="Only those updated before this time (ISO 8601, UTC).")


class Inbox(ThreadFilter):
    """Filters and page of the inbox."""

    per_page: Int64 = Field(default=50, description="Results per page, 50 at most.")
    page: Int64 = Field(default=1, description="Which page, from 1.")


class RepoInbox(ThreadFilter, RepoRef, PageParams):
    """Filters and page of the threads of a repository."""


class MarkRead(Params):
    """Request fields for marking threads as read up to a time."""

    last_read_at: Line | None = Field(
        default=None, description="Threads updated after this time stay unread (ISO 8601, UTC); now unless given."
    )
    read: bool = Field(default=True, description="Whether they are read.")


class MarkRepoRead(RepoRef):
    """Request fields for marking a repository's threads as read up to a time."""

    last_read_at: Line | None = Field(
        default=None, description="Threads updated after this time stay unread (ISO 8601, UTC); now unless given."
    )


class ThreadRef(Params):
    """One thread."""

    thread_id: Id = Field(description="The thread's id.", examples=[1])


class ThreadFollow(ThreadRef):
    """Request fields for subscribing to a thread."""

    ignored: bool = Field(default=False, description="Whether nothing of it shall reach you, mentions neither.")


@app.operation(
    "activity/list-notifications-for-authenticated-user",
    units=1,
    examples=[LISTED],
    source=f"{SOURCE}#list-notifications-for-the-authenticated-user",
    raises=("validation_failed",),
)
def list_own(call: Call, params: Inbox) -> list[ThreadJson]:
    """List your notifications, latest first; unread ones unless `all`."""
    context = GithubContext(call)
    size = params.per_page if 1 <= params.per_page <= 50 else 50
    return _list_notifications(
        context, params, list(list_visible_repositories(context).ids), (max(params.page, 1) - 1) * size, size
    )


@app.operation(
    "activity/list-repo-notifications-for-authenticated-user",
    units=1,
    examples=[EXAMPLE],
    source=f"{SOURCE}#list-repository-notifications-for-the-authenticated-user",
    raises=("not_found", "validation_failed"),
)
def list_repo(call: Call, params: RepoInbox) -> list[ThreadJson]:
    """List your notifications of one repository, latest first."""
    context = GithubContext(call)
    return _list_notifications(context, params, [context.repo(params.owner, params.repo).id], params.start, params.size)


def _list_notifications(
    context: GithubContext, params: ThreadFilter, repos: list[int], start: int, size: int
) -> list[ThreadJson]:
    where: list[Condition] = [
        Notification.account_id == context.me.id,
        col(Notification.repo_id).in_(repos),
        col(Notification.done).is_(False),
    ]
    if not params.all:
        where.append(col(Notification.unread).is_(True))
    if params.participating:
        where.append(col(Notification.reason).not_in(WATCHING))
    if params.since:
        where.append(Notification.updated_at > (moment(params.since, "Notification", "since") or 0))
    if params.before:
        where.append(Notification.updated_at < (moment(params.before, "Notification", "before") or 0))
    order = (col(Notification.updated_at).desc(), col(Notification.id).desc())
    rows = list(
        context.call.session.exec(select(Notification).where(*where).order_by(*order).offset(start).limit(size))
    )
    return ListPage(
        threads_json(context, rows), context.call.scalar(select(func.count()).select_from(Notification).where(*where))
    )


@app.operation(
    "activity/mark-notifications-as-read",
    writes=True,
    units=1,
    source=f"{SOURCE}#mark-notifications-as-read",
    examples=[{}],
    raises=("validation_failed",),
)
def read_all(call: Call, params: MarkRead) -> None:
    """Mark all your notifications as read."""
    _mark_read(GithubContext(call), [], params.last_read_at, unread=not params.read)


@app.operation(
    "activity/mark-repo-notifications-as-read",
    writes=True,
    units=1,
    source=f"{SOURCE}#mark-repository-notifications-as-read",
    examples=[EXAMPLE],
    raises=("not_found", "validation_failed"),
)
def read_repo(call: Call, params: MarkRepoRead) -> None:
    """Mark your notifications of one repository as read."""
    context = GithubContext(call)
    _mark_read(context, [Notification.repo_id == context.repo(params.owner, params.repo).id], params.last_read_at)


def _mark_read(context: GithubContext, where: list[Condition], upto: str | None, *, unread: bool = False) -> None:
    until = (moment(upto, "Notification", "last_read_at") if upto else None) or context.call.now
    own = (
        Notification.account_id == context.me.id,
        Notification.updated_at <= until,
        col(Notification.unread).is_(not unread),
    )
    for row in context.call.session.exec(select(Notification).where(*own, *where).order_by(col(Notification.id))):
        _mark(context, row, unread=unread)


def _mark(context: GithubContext, row: Notification, *, unread: bool = False) -> None:
    row.unread, row.read_at = unread, row.read_at if unread else context.call.now
    context.add(row)


def _get_own(context: GithubContext, id: int) -> tuple[Notification, Repository]:
    row = context.call.session.get(Notification, id)
    repo = context.repo_by_id(row.repo_id) if row is not None and row.account_id == context.me.id else None
    if row is None or repo is None or not context.sees(repo):
        raise OperationError("not_found")
    return row, repo


@app.operation(
    "activity/get-thread",
    units=1,
    source=f"{SOURCE}#get-a-thread",
    examples=[{"thread_id": FIRST}],
    raises=("not_found",),
)
def get_thread(call: Call, params: ThreadRef) -> ThreadJson:
    """Read one of your notifications."""
    context = GithubContext(call)
    return threads_json(context, [_get_own(context, params.thread_id)[0]])[0]


@app.operation(
    "activity/mark-thread-as-read",
    writes=True,
    units=1,
    source=f"{SOURCE}#mark-a-thread-as-read",
    examples=[{"thread_id": FIRST}],
    raises=("not_found",),
)
def read_thread(call: Call, params: ThreadRef) -> None:
    """Mark one of your notifications as read."""
    context = GithubContext(call)
    row, _ = _get_own(context, params.thread_id)
    if row.unread:
        _mark(context, row)


@app.operation(
    "activity/mark-thread-as-done",
    writes=True,
    units=1,
    source=f"{SOURCE}#mark-a-thread-as-done",
    examples=[{"thread_id": FIRST}],
    raises=("not_found",),
)
def mark_done(call: Call, params: ThreadRef) -> None:
    """Mark one of your notifications as done; it leaves the inbox."""
    context = GithubContext(call)
    row, _ = _get_own(context, params.thread_id)
    if row.unread:
        _mark(context, row)
    row.done = True
    context.add(row)


def _issue(context: GithubContext, row: Notification) -> Issue:
    issue = context.call.session.get(Issue, row.subject_id) if row.subject in ("Issue", "PullRequest") else None
    if issue is None:
        raise OperationError("not_found")
    return issue


def _subscription_json(
    context: GithubContext, row: Notification, reason: str | None, kept: Subscription | None
) -> SubscriptionJson:
    url = f"{context.api}/notifications/threads/{row.id}"
    ignored = kept is not None and kept.ignored
    return {
        "subscribed": reason is not None and not ignored,
        "ignored": ignored,
        "reason": reason,
        "created_at": stamp(kept.created_at if kept else row.updated_at),
        "url": f"{url}/subscription",
        "thread_url": url,
    }


@app.operation(
    "activity/get-thread-subscription-for-authenticated-user",
    units=1,
    examples=[{"thread_id": FIRST}],
    source=f"{SOURCE}#get-a-thread-subscription-for-the-authenticated-user",
    raises=("not_found",),
)
def get_subscription(call: Call, params: ThreadRef) -> SubscriptionJson:
    """Read your subscription to a thread; not_found when you neither follow nor ignore it."""
    context = GithubContext(call)
    row, repo = _get_own(context, params.thread_id)
    issue = _issue(context, row)
    kept = call.session.get(Subscription, (issue.id, context.me.id))
    reason = notify.list_subscribers(context, repo, issue).get(context.me.id)
    if reason is None and (kept is None or not kept.ignored):
        raise OperationError("not_found")
    return _subscription_json(context, row, reason, kept)


@app.operation(
    "activity/set-thread-subscription",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-a-thread-subscription",
    examples=[{"thread_id": FIRST}],
    raises=("not_found",),
)
def set_subscription(call: Call, params: ThreadFollow) -> SubscriptionJson:
    """Follow a thread, or ignore it altogether."""
    context = GithubContext(call)
    row, repo = _get_own(context, params.thread_id)
    issue = _issue(context, row)
    kept = subscriptions.put_subscription(context, issue, ignored=params.ignored)
    call.flush()
    return _subscription_json(context, row, notify.list_subscribers(context, repo, issue).get(context.me.id), kept)


@app.operation(
    "activity/delete-thread-subscription",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-thread-subscription",
    examples=[{"thread_id": FIRST}],
    raises=("not_found",),
)
def delete_subscription(call: Call, params: ThreadRef) -> None:
    """Mute a thread until you comment there or are mentioned."""
    context = GithubContext(call)
    row, _ = _get_own(context, params.thread_id)
    subscriptions.put_subscription(context, _issue(context, row), unsubscribed=True)


@app.operation(
    "web/unread", units=1, source="github.com, the bell over every page", examples=[{}], raises=("bad_credentials",)
)
def unread(call: Call, _: NoParams) -> int:
    """Count your unread notifications."""
    context = GithubContext(call)
    sql = """SELECT count(*) FROM github_notification WHERE account_id = :me AND unread AND NOT done
        AND repo_id IN (SELECT value FROM json_each(:seen))"""
    return call.scalar(sql, {"me": context.me.id, "seen": list_visible_repositories(context).json})
