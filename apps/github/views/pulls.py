"""JSON shapes of pull requests and requested reviewers.

Source: the published OpenAPI description, schemas pull-request and pull-request-simple.
"""

from collections.abc import Sequence
from typing import TypedDict

from sqlmodel import col, select

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Repository, Team
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull, ReviewRequest
from apps.github.views.accounts import UserJson, maybe_user, repo_json, user_json
from apps.github.views.issues import IssueContext, bodies, label_json
from world.core.json_types import JsonObject


class TeamSimpleJson(TypedDict):
    """A team as a pull request mentions it (schema team-simple)."""

    id: int
    node_id: str
    name: str
    slug: str
    description: str | None
    privacy: str
    notification_setting: str
    permission: str
    url: str
    html_url: str
    members_url: str
    repositories_url: str
    type: str
    organization_id: int


class SideJson(TypedDict):
    """Response of `_side`."""

    label: str
    ref: str
    sha: str
    user: UserJson | None
    repo: JsonObject | None


def team_simple(context: GithubContext, team: Team) -> TeamSimpleJson:
    """Render a team as a pull request mentions it (schema team-simple)."""
    org = context.account(team.org_id)
    url = f"{context.api}/organizations/{org.id}/team/{team.id}"
    return {
        "id": team.id,
        "node_id": node("Team", team.id),
        "name": team.name,
        "slug": team.slug,
        "description": team.description,
        "privacy": team.privacy,
        "notification_setting": team.notification,
        "permission": "pull",
        "url": url,
        "html_url": f"{context.html}/orgs/{org.login}/teams/{team.slug}",
        "members_url": f"{url}/members{{/member}}",
        "repositories_url": f"{url}/repos",
        "type": "organization",
        "organization_id": org.id,
    }


def team_json(context: GithubContext, team: Team) -> JsonObject:
    """Render a team with its parent (schema team)."""
    above = context.call.session.get(Team, team.parent_id) if team.parent_id is not None else None
    return {**team_simple(context, team), "parent": None if above is None else team_simple(context, above)}


class PullContext:
    """Rows needed to render several pull requests of one repository, read together."""

    def __init__(self, context: GithubContext, repo: Repository, issues: Sequence[Issue]) -> None:
        self.context, self.repo = context, repo
        self.around = IssueContext(context, repo, issues)
        self.requests: dict[int, list[ReviewRequest]] = {}
        ids = [issue.id for issue in issues]
        found = context.call.session.exec(
            select(ReviewRequest)
            .where(col(ReviewRequest.issue_id).in_(ids))
            .order_by(col(ReviewRequest.account_id), col(ReviewRequest.team_id))
        )
        for row in found:
            self.requests.setdefault(row.issue_id, []).append(row)
        self._repos: dict[int, JsonObject | None] = {}

    def pull(self, issue: Issue) -> Pull:
        """Return the pull request of an issue."""
        return self.around.pulls[issue.id]

    def repository(self, id: int | None) -> JsonObject | None:
        """Render a repository as part of a head or base, cached; None if it is gone or invisible to the caller."""
        if id is None:
            return None
        if id not in self._repos:
            found = self.context.repo_by_id(id)
            self._repos[id] = repo_json(self.context, found) if found is not None and self.context.sees(found) else None
        return self._repos[id]

    def reviewers(self, issue: Issue) -> list[UserJson]:
        """Render the requested people."""
        return [
            user_json(self.context, self.context.account(row.account_id))
            for row in self.requests.get(issue.id, [])
            if row.account_id
        ]

    def teams(self, issue: Issue) -> list[Team]:
        """Render the requested teams."""
        found = [
            self.context.call.session.get(Team, row.team_id) for row in self.requests.get(issue.id, []) if row.team_id
        ]
        return [team for team in found if team is not None]


def _side(near: PullContext, repo_id: int | None, ref: str, sha: str) -> SideJson:
    repo = near.context.repo_by_id(repo_id) if repo_id is not None else None
    owner = near.context.account(repo.owner_id) if repo is not None else None
    return {
        "label": f"{owner.login}:{ref}" if owner else f"unknown repository:{ref}",
        "ref": ref,
        "sha": sha,
        "user": user_json(near.context, owner) if owner else None,
        "repo": near.repository(repo_id),
    }


def auto_merge_json(context: GithubContext, pull: Pull) -> JsonObject | None:
    """Render the auto-merge settings of a pull request; None without auto-merge."""
    if pull.auto_merge is None or pull.auto_merge_by_id is None:
        return None
    return {
        "enabled_by": user_json(context, context.account(pull.auto_merge_by_id)),
        "merge_method": pull.auto_merge,
        "commit_title": pull.auto_merge_title or "",
        "commit_message": pull.auto_merge_message or "",
    }


def _addresses(context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> dict[str, str]:
    api, html = context.repo_api(repo), f"{context.repo_html(repo)}/pull/{issue.number}"
    url = f"{api}/pulls/{issue.number}"
    return {
        "url": url,
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "issue_url": f"{api}/issues/{issue.number}",
        "commits_url": f"{url}/commits",
        "review_comments_url": f"{url}/comments",
        "review_comment_url": f"{api}/pulls/comments{{/number}}",
        "comments_url": f"{api}/issues/{issue.number}/comments",
        "statuses_url": f"{api}/statuses/{pull.head_sha}",
    }


def _links(urls: dict[str, str]) -> dict[str, dict[str, str]]:
    named = {
        "self": "url",
        "html": "html_url",
        "issue": "issue_url",
        "comments": "comments_url",
        "review_comments": "review_comments_url",
        "review_comment": "review_comment_url",
        "commits": "commits_url",
        "statuses": "statuses_url",
    }
    return {name: {"href": urls[field]} for name, field in named.items()}


def simple_json(near: PullContext, issue: Issue, media: str | None = None) -> JsonObject:
    """Render one pull request for a list."""
    shown = _common(near, issue, media)
    return {**shown, "requested_teams": [team_json(near.context, team) for team in near.teams(issue)]}


def _common(near: PullContext, issue: Issue, media: str | None) -> JsonObject:
    context, repo, around, pull = near.context, near.repo, near.around, near.pull(issue)
    urls = _addresses(context, repo, issue, pull)
    assignees = [user_json(context, context.account(id)) for id in around.assignees.get(issue.id, [])]
    return {
        **urls,
        "id": issue.id,
        "node_id": node("PullRequest", repo.id, issue.id),
        "number": issue.number,
        "state": issue.state,
        "locked": issue.locked,
        "title": issue.title,
        "user": user_json(context, context.account(issue.author_id)),
        **bodies(context, repo, issue.body, media),
        "labels": [label_json(context, repo, one) for one in around.labels.get(issue.id, [])],
        "milestone": around.milestone(issue.milestone_id),
        "active_lock_reason": issue.lock_reason,
        "created_at": stamp(issue.created_at),
        "updated_at": stamp(issue.updated_at),
        "closed_at": stamp(issue.closed_at),
        "merged_at": stamp(pull.merged_at),
        "merge_commit_sha": pull.merge_sha,
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
        "requested_reviewers": near.reviewers(issue),
        "head": _side(near, pull.head_repo_id, pull.head_ref, pull.head_sha),
        "base": _side(near, pull.repo_id, pull.base_ref, pull.base_sha),
        "_links": _links(urls),
        "author_association": around.association(issue.author_id),
        "auto_merge": auto_merge_json(context, pull),
        "draft": pull.draft,
    }


def full_json(
    near: PullContext, issue: Issue, size: dict[str, int], merge_state: tuple[bool | None, str], media: str | None
) -> JsonObject:
    """Render one pull request with its size (commits, additions, deletions, changed_files) and mergeability."""
    context, pull = near.context, near.pull(issue)
    sql = (
        "SELECT count(*) FROM github_review_comment c JOIN github_review r ON r.id = c.review_id WHERE c.issue_id = :id"
        " AND r.state <> 'PENDING'"
    )
    mergeable, state = merge_state
    return {
        **_common(near, issue, media),
        "requested_teams": [team_simple(context, team) for team in near.teams(issue)],
        "merged": pull.merged_at is not None,
        "mergeable": mergeable,
        "rebaseable": None if mergeable is None else pull.rebaseable,
        "mergeable_state": state,
        "merged_by": maybe_user(context, pull.merged_by_id),
        "comments": near.around.comments.get(issue.id, 0),
        "review_comments": context.call.scalar(sql, {"id": issue.id}),
        "maintainer_can_modify": pull.maintainer_can_modify,
        **size,
    }


def load_surroundings(context: GithubContext, repo: Repository, issue: Issue) -> PullContext:
    """Return the rows needed to render one pull request."""
    context.call.flush()
    return PullContext(context, repo, [issue])
