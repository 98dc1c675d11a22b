"""Review requests of a pull request: people and teams, requested by hand or as code owners."""

from pydantic import Field
from sqlmodel import col, func, select

from apps.github.app import app
from apps.github.domain import code_owners
from apps.github.domain.context import GithubContext
from apps.github.domain.notify import notify_concerned
from apps.github.domain.params import Line
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull, publish
from apps.github.domain.timeline_events import record
from apps.github.models import Account, Repository, RepoTeam, Team
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, ReviewRequest
from apps.github.refusals import unprocessable
from apps.github.views.accounts import user_json
from apps.github.views.pulls import load_surroundings, simple_json, team_json
from world.core.call import Call
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/pulls/review-requests"
NOT_AUTHOR = "Review cannot be requested from pull request author."
NOT_COLLABORATOR = (
    "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a"
    " collaborator of the {} repository."
)
MOST = 15  # people and teams; docs.github.com, about requesting pull request reviews


class Reviewers(PullRef):
    """People and teams."""

    reviewers: list[Line] | None = Field(default=None, description="Logins.", examples=[["mia"]])
    team_reviewers: list[Line] | None = Field(default=None, description="Slugs of teams.")


@app.operation(
    "pulls/list-requested-reviewers",
    units=1,
    source=f"{SOURCE}#get-all-requested-reviewers-for-a-pull-request",
    examples=[EXAMPLE],
    raises=("not_found",),
)
def list_requested_reviewers(call: Call, params: PullRef) -> JsonObject:
    """List the people and teams with an open review request."""
    context = GithubContext(call)
    _, issue, _ = get_pull(context, params)
    rows = list_pending_requests(context, issue)
    teams = [team for row in rows if row.team_id and (team := call.session.get(Team, row.team_id)) is not None]
    users = [user_json(context, context.account(row.account_id)) for row in rows if row.account_id]
    return {"users": users, "teams": [team_json(context, team) for team in teams]}


def list_pending_requests(context: GithubContext, issue: Issue) -> list[ReviewRequest]:
    """List the open review requests."""
    query = select(ReviewRequest).where(ReviewRequest.issue_id == issue.id)
    return list(context.call.session.exec(query.order_by(col(ReviewRequest.account_id), col(ReviewRequest.team_id))))


@app.operation(
    "pulls/request-reviewers",
    writes=True,
    units=1,
    source=f"{SOURCE}#request-reviewers-for-a-pull-request",
    examples=[{**EXAMPLE, "reviewers": []}],
    raises=("not_found", "forbidden", "archived", "unprocessable"),
)
def request_reviewers(call: Call, params: Reviewers) -> JsonObject:
    """Request reviews from people and teams; needs triage access."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    context.need(repo, "triage")
    accounts = [_person(context, repo, issue, login) for login in dict.fromkeys(params.reviewers or [])]
    teams = [_team(context, repo, slug) for slug in dict.fromkeys(params.team_reviewers or [])]
    if len(accounts) + len(teams) > MOST:
        raise unprocessable(f"A pull request may have no more than {MOST} requested reviewers.")
    ask(context, repo, issue, pull, accounts, teams)
    return simple_json(load_surroundings(context, repo, issue), issue)


def _person(context: GithubContext, repo: Repository, issue: Issue, login: str) -> Account:
    account = context.find_login(login)
    if account is not None and account.id == issue.author_id:
        raise unprocessable(NOT_AUTHOR)
    if account is None or account.kind == "Organization" or not _collaborates(context, repo, account):
        raise unprocessable(NOT_COLLABORATOR.format(context.full_name(repo)))
    return account


def _collaborates(context: GithubContext, repo: Repository, account: Account) -> bool:
    """Whether somebody has been given access to a repository; public visibility alone does not count."""
    if context.level(repo, account) not in ("none", "pull"):
        return True
    values = {"repo": repo.id, "owner": repo.owner_id, "account": account.id}
    sql = """SELECT 1 FROM github_collaborator WHERE repo_id = :repo AND account_id = :account
        UNION ALL SELECT 1 FROM github_org_member WHERE org_id = :owner AND account_id = :account"""
    return context.sees(repo, account) and context.call.first(sql, values) is not None


def _team(context: GithubContext, repo: Repository, slug: str) -> Team:
    query = select(Team).where(Team.org_id == repo.owner_id, func.lower(Team.slug) == slug.lower())
    team = context.call.session.exec(query).first()
    if team is None or context.call.session.get(RepoTeam, (repo.id, team.id)) is None:
        raise unprocessable(NOT_COLLABORATOR.format(context.full_name(repo)))
    return team


def ask(
    context: GithubContext,
    repo: Repository,
    issue: Issue,
    pull: Pull,
    accounts: list[Account],
    teams: list[Team],
    *,
    owners: bool = False,
) -> None:
    """Request reviews, without repeating open requests."""
    rows = list_pending_requests(context, issue)
    here = {(row.account_id, row.team_id) for row in rows}
    wanted = [(account.id, 0) for account in accounts] + [(0, team.id) for team in teams]
    fresh = [one for one in wanted if one not in here]
    for account_id, team_id in fresh:
        context.add(
            ReviewRequest(
                issue_id=issue.id,
                account_id=account_id,
                team_id=team_id,
                requester_id=context.me.id,
                as_code_owner=owners,
                created_at=context.call.now,
            )
        )
        _record(context, repo, issue, "review_requested", account_id, team_id)
    context.call.flush()
    if fresh:
        _tell(context, repo, issue, pull, [id for id, _ in fresh if id], [id for _, id in fresh if id])


def _record(context: GithubContext, repo: Repository, issue: Issue, kind: str, account_id: int, team_id: int) -> None:
    if account_id:
        record(context, repo, issue, kind, reviewer=account_id)
    else:
        record(context, repo, issue, kind, team=team_id)


def _tell(
    context: GithubContext, repo: Repository, issue: Issue, pull: Pull, accounts: list[int], teams: list[int]
) -> None:
    sql = "SELECT account_id FROM github_team_member WHERE team_id IN (SELECT value FROM json_each(:teams)) ORDER BY 1"
    members = [id for (id,) in context.call.all(sql, {"teams": str(teams)})]
    reached = dict.fromkeys([*accounts, *members], "review_requested")
    slugs = [team.slug for id in teams if (team := context.call.session.get(Team, id)) is not None]
    publish(
        context,
        "review_requested",
        repo,
        issue,
        pull,
        reviewers=[context.account(id).login for id in accounts],
        teams=list(slugs),
        people=[person for id in reached if (person := context.account(id).person_id) is not None],
    )
    notify_concerned(context, repo, issue, "requested your review.", None, to=reached)


@app.operation(
    "pulls/remove-requested-reviewers",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-requested-reviewers-from-a-pull-request",
    examples=[{**EXAMPLE, "reviewers": []}],
    raises=("not_found", "forbidden", "archived"),
)
def remove_requested_reviewers(call: Call, params: Reviewers) -> JsonObject:
    """Remove review requests."""
    context = GithubContext(call)
    repo, issue, _ = get_pull(context, params)
    context.need(repo, "triage")
    logins = {login.lower() for login in params.reviewers or []}
    slugs = {slug.lower() for slug in params.team_reviewers or []}
    for row in list_pending_requests(context, issue):
        team = call.session.get(Team, row.team_id) if row.team_id else None
        if (
            (team.slug.lower() in slugs)
            if team is not None
            else (context.account(row.account_id).login.lower() in logins)
        ):
            call.session.delete(row)
            _record(context, repo, issue, "review_request_removed", row.account_id, row.team_id)
    return simple_json(load_surroundings(context, repo, issue), issue)


def ask_owners(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, changes: Changes) -> None:
    """Request reviews from the owners of a pull request's files; not for drafts."""
    if pull.draft:
        return
    names = [
        name
        for group in code_owners.groups(changes.git, changes.base_tip, [one.path for one in changes.changes])
        for name in group
    ]
    owners = code_owners.resolve(context, repo, dict.fromkeys(names))
    accounts = [account for account in owners.accounts if account.id != issue.author_id]
    ask(context, repo, issue, pull, accounts, owners.teams, owners=True)
