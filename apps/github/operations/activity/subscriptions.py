"""Watchers of repositories, and subscriptions to single issues or pull requests."""

from typing import Literal, TypedDict

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.issue_rows import find_issue
from apps.github.domain.notify import list_subscribers
from apps.github.domain.params import ListPage, Name, PageParams, RepoRef
from apps.github.domain.visibility import list_visible_repositories
from apps.github.models import Account, Repository, Watch
from apps.github.models_issues import Issue, Subscription
from apps.github.operations.issues.issues import IssueRef
from apps.github.views.accounts import UserJson, minimal_repo, user_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/activity/watching"
PAGE = "docs.github.com/subscriptions-and-notifications/how-tos/managing-subscriptions-for-activity-on-github"
EXAMPLE = {"owner": "quayline", "repo": "payments"}
ONE = {**EXAMPLE, "issue_number": 1}
WHY = {
    "assign": "you were assigned",
    "author": "you authored the thread",
    "comment": "you commented",
    "mention": "you were mentioned",
    "team_mention": "you are on a team that was mentioned",
    "review_requested": "your review was requested",
    "state_change": "you modified the open/close state",
    "subscribed": "you are watching this repository",
    "manual": "you are subscribed to this thread",
}


class FollowState(TypedDict):
    """The caller's subscription to an issue, and its reason."""

    subscribed: bool
    why: str


class WatchSummary(TypedDict):
    """State of the caller's watching of a repository."""

    state: str


class WatchJson(TypedDict):
    """Response of `_watch_json`."""

    subscribed: bool
    ignored: bool
    reason: None
    created_at: str | None
    url: str
    repository_url: str


class RepoWatch(RepoRef):
    """Request fields for watching a repository."""

    subscribed: bool | None = Field(default=None, description="Whether to be told of everything in the repository.")
    ignored: bool | None = Field(default=None, description="Whether to be told of nothing in the repository.")


class Watchers(RepoRef, PageParams):
    """Page of the watchers of a repository."""


class UserWatchedRepos(PageParams):
    """Page of somebody's watched repositories."""

    username: Name = Field(description="A login.", examples=["ada"])


class WatchState(RepoRef):
    """Request fields for watching a repository, in the words of its page."""

    state: Literal["watching", "participating", "ignoring"] = Field(
        description="watching: told of everything; participating: of what you take part in; ignoring: of nothing.",
        examples=["watching"],
    )


class Follow(IssueRef):
    """Whether to follow an issue or pull request."""

    subscribed: bool = Field(description="true to be told of what happens, false to be told no more.", examples=[True])


@app.operation("web/subscription", units=1, source=PAGE, examples=[ONE], raises=("not_found", "moved"))
def subscription(call: Call, params: IssueRef) -> FollowState:
    """Read whether you are subscribed to an issue or pull request, and why."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return _describe_subscription(context, repo, find_issue(context, repo, params.issue_number))


def _describe_subscription(context: GithubContext, repo: Repository, issue: Issue) -> FollowState:
    context.call.flush()
    reason = list_subscribers(context, repo, issue).get(context.me.id)
    if reason is not None:
        return {"subscribed": True, "why": f"You’re receiving notifications because {WHY.get(reason, WHY['manual'])}."}
    watch = context.call.session.get(Watch, (repo.id, context.me.id))
    ignoring = " because you are ignoring this repository" if watch is not None and watch.ignored else ""
    return {"subscribed": False, "why": f"You’re not receiving notifications from this thread{ignoring}."}


@app.operation(
    "web/subscribe",
    writes=True,
    units=1,
    source=PAGE,
    examples=[{**ONE, "subscribed": True}],
    raises=("not_found", "moved"),
)
def subscribe(call: Call, params: Follow) -> FollowState:
    """Subscribe to an issue or pull request, or unsubscribe: then only mentions, assignments and requests reach you."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    issue = find_issue(context, repo, params.issue_number)
    put_subscription(context, issue, unsubscribed=not params.subscribed)
    return _describe_subscription(context, repo, issue)


def put_subscription(
    context: GithubContext, issue: Issue, *, ignored: bool = False, unsubscribed: bool = False
) -> Subscription:
    """Store the caller's subscription to an issue."""
    row = context.call.session.get(Subscription, (issue.id, context.me.id)) or Subscription(
        issue_id=issue.id, account_id=context.me.id, created_at=0
    )
    row.ignored, row.unsubscribed, row.created_at = ignored, unsubscribed, context.call.now
    context.add(row)
    return row


@app.operation(
    "web/watch", writes=True, units=1, source=PAGE, examples=[{**EXAMPLE, "state": "watching"}], raises=("not_found",)
)
def watch(call: Call, params: WatchState) -> WatchSummary:
    """Watch a repository, ignore it, or be notified only where you take part."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    if params.state == "participating":
        _unwatch(context, repo)
    else:
        _watch(context, repo, ignored=params.state == "ignoring")
    return {"state": params.state}


def _watch(context: GithubContext, repo: Repository, *, ignored: bool) -> Watch:
    row = context.call.session.get(Watch, (repo.id, context.me.id)) or Watch(
        repo_id=repo.id, account_id=context.me.id, created_at=context.call.now
    )
    row.ignored = ignored
    context.add(row)
    return row


def _unwatch(context: GithubContext, repo: Repository) -> None:
    row = context.call.session.get(Watch, (repo.id, context.me.id))
    if row is not None:
        context.call.session.delete(row)


@app.operation(
    "activity/set-repo-subscription",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-a-repository-subscription",
    examples=[{**EXAMPLE, "subscribed": True}],
    raises=("not_found",),
)
def set_repo(call: Call, params: RepoWatch) -> WatchJson:
    """Watch a repository (`subscribed`) or ignore it (`ignored`)."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return _watch_json(context, repo, _watch(context, repo, ignored=bool(params.ignored)))


@app.operation(
    "activity/get-repo-subscription",
    units=1,
    source=f"{SOURCE}#get-a-repository-subscription",
    examples=[EXAMPLE],
    after=["activity/set-repo-subscription"],
    raises=("not_found",),
)
def get_repo(call: Call, params: RepoRef) -> WatchJson:
    """Read whether you watch or ignore a repository; not_found when neither."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    row = call.session.get(Watch, (repo.id, context.me.id))
    if row is None:
        raise OperationError("not_found")
    return _watch_json(context, repo, row)


def _watch_json(context: GithubContext, repo: Repository, row: Watch) -> WatchJson:
    url = context.repo_api(repo)
    return {
        "subscribed": not row.ignored,
        "ignored": row.ignored,
        "reason": None,
        "created_at": stamp(row.created_at),
        "url": f"{url}/subscription",
        "repository_url": url,
    }


@app.operation(
    "activity/delete-repo-subscription",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-repository-subscription",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def delete_repo(call: Call, params: RepoRef) -> None:
    """Stop watching or ignoring a repository."""
    context = GithubContext(call)
    _unwatch(context, context.repo(params.owner, params.repo))


@app.operation(
    "activity/list-watchers-for-repo",
    units=1,
    source=f"{SOURCE}#list-watchers",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def watchers(call: Call, params: Watchers) -> list[UserJson]:
    """List the people who watch a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    where = (Watch.repo_id == repo.id, col(Watch.ignored).is_(False))
    joined = (
        select(Account).join(Watch, col(Watch.account_id) == col(Account.id)).where(*where).order_by(col(Account.id))
    )
    rows = call.session.exec(joined.offset(params.start).limit(params.size))
    return ListPage(
        [user_json(context, row) for row in rows], call.scalar(select(func.count()).select_from(Watch).where(*where))
    )


@app.operation(
    "activity/list-watched-repos-for-authenticated-user",
    units=1,
    examples=[{}],
    source=f"{SOURCE}#list-repositories-watched-by-the-authenticated-user",
    raises=("bad_credentials",),
)
def list_own(call: Call, params: PageParams) -> list[JsonObject]:
    """List the repositories you watch."""
    context = GithubContext(call)
    return _list_watched(context, context.me, params)


@app.operation(
    "activity/list-repos-watched-by-user",
    units=1,
    examples=[{"username": "$users/get-authenticated:login"}],
    source=f"{SOURCE}#list-repositories-watched-by-a-user",
    raises=("not_found",),
)
def list_of_user(call: Call, params: UserWatchedRepos) -> list[JsonObject]:
    """List the repositories somebody watches, as far as you can see them."""
    context = GithubContext(call)
    return _list_watched(context, context.by_login(params.username), params)


def _list_watched(context: GithubContext, who: Account, params: PageParams) -> list[JsonObject]:
    where = (
        Watch.account_id == who.id,
        col(Watch.ignored).is_(False),
        col(Watch.repo_id).in_(list_visible_repositories(context).ids),
    )
    joined = (
        select(Repository)
        .join(Watch, col(Watch.repo_id) == col(Repository.id))
        .where(*where)
        .order_by(col(Repository.id))
    )
    rows = context.call.session.exec(joined.offset(params.start).limit(params.size))
    total = context.call.scalar(select(func.count()).select_from(Watch).where(*where))
    return ListPage([minimal_repo(context, row) for row in rows], total)
