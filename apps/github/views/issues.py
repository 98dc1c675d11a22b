"""JSON shapes of issues, labels, milestones and comments. Source: the published OpenAPI description, schemas issue,
label, milestone.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from sqlmodel import col, select

from apps.github.domain import markup
from apps.github.domain.context import GithubContext, node, stamp
from apps.github.models import Account, OrgMember, Repository
from apps.github.models_issues import Assignee, Comment, Issue, IssueLabel, IssueType, Label, Milestone
from apps.github.models_pulls import Pull
from apps.github.views.accounts import UserJson, maybe_user, user_json
from apps.github.views.autolinks import render_text
from world.core.json_types import JsonObject

CONTENTS = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")


class LabelJson(TypedDict):
    """A label."""

    id: int
    node_id: str
    url: str
    name: str
    color: str
    default: bool
    description: str | None


class MilestoneJson(TypedDict):
    """A milestone with its counts of open and closed issues."""

    url: str
    html_url: str
    labels_url: str
    id: int
    node_id: str
    number: int
    title: str
    description: str | None
    creator: UserJson
    open_issues: int
    closed_issues: int
    state: str
    created_at: str | None
    updated_at: str | None
    due_on: str | None
    closed_at: str | None


class TypeJson(TypedDict):
    """A type of issues."""

    id: int
    node_id: str
    name: str
    description: str | None
    color: str | None
    created_at: str | None
    updated_at: str | None
    is_enabled: bool


def bodies(context: GithubContext, repo: Repository, text: str | None, media: str | None) -> JsonObject:
    """Render a text in the requested forms: `body` raw, `body_text`, `body_html`."""
    out: JsonObject = {}
    if media in (None, "raw", "full"):
        out["body"] = text
    if media in ("text", "full"):
        out["body_text"] = markup.strip_markup(text)
    if media in ("html", "full"):
        out["body_html"] = render_text(context, repo, text)
    return out


def label_json(context: GithubContext, repo: Repository, label: Label) -> LabelJson:
    """Render a label."""
    return {
        "id": label.id,
        "node_id": node("Label", repo.id, label.id),
        "url": f"{context.repo_api(repo)}/labels/{label.name.replace(' ', '%20')}",
        "name": label.name,
        "color": label.color,
        "default": label.default,
        "description": label.description,
    }


def milestone_json(context: GithubContext, repo: Repository, row: Milestone) -> MilestoneJson:
    """Render a milestone with its counts of open and closed issues."""
    url = f"{context.repo_api(repo)}/milestones/{row.number}"
    counts = dict(
        (state, count)
        for state, count in context.call.all(
            "SELECT state, count(*) FROM github_issue WHERE milestone_id = :id GROUP BY state", {"id": row.id}
        )
    )
    return {
        "url": url,
        "html_url": f"{context.repo_html(repo)}/milestone/{row.number}",
        "labels_url": f"{url}/labels",
        "id": row.id,
        "node_id": node("Milestone", repo.id, row.id),
        "number": row.number,
        "title": row.title,
        "description": row.description,
        "creator": user_json(context, context.account(row.creator_id)),
        "open_issues": counts.get("open", 0),
        "closed_issues": counts.get("closed", 0),
        "state": row.state,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "due_on": stamp(row.due_on),
        "closed_at": stamp(row.closed_at),
    }


def association(context: GithubContext, repo: Repository, account: Account) -> str:
    """Return the association of an author with a repository: OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR or NONE."""
    owner = context.account(repo.owner_id)
    if owner.id == account.id:
        return "OWNER"
    if context.call.session.get(OrgMember, (owner.id, account.id)) is not None:
        return "MEMBER"
    values = {"repo": repo.id, "account": account.id, "email": account.email or ""}
    if context.call.first("SELECT 1 FROM github_collaborator WHERE repo_id = :repo AND account_id = :account", values):
        return "COLLABORATOR"
    wrote = context.call.first(
        "SELECT 1 FROM github_commit WHERE repo_id = :repo AND author_email = :email LIMIT 1", values
    )
    return "CONTRIBUTOR" if wrote else "NONE"


def reactions_json(context: GithubContext, url: str, subject: str, ids: Sequence[int]) -> dict[int, JsonObject]:
    """Return the counts of reactions by subject id; `url` is a format of the id."""
    rows = context.call.all(
        "SELECT subject_id, content, count(*) FROM github_reaction WHERE subject = :subject"
        " AND subject_id IN (SELECT value FROM json_each(:ids)) GROUP BY subject_id, content",
        {"subject": subject, "ids": str(list(ids))},
    )
    counts: dict[int, dict[str, int]] = {}
    for id, content, count in rows:
        counts.setdefault(id, {})[content] = count
    return {
        id: {
            "url": url.format(id=id),
            "total_count": sum(counts.get(id, {}).values()),
            **{name: counts.get(id, {}).get(name, 0) for name in CONTENTS},
        }
        for id in ids
    }


class IssueContext:
    """Rows needed to render several issues of one repository, read together."""

    def __init__(self, context: GithubContext, repo: Repository, issues: Sequence[Issue]) -> None:
        self.context, self.repo = context, repo
        ids = [issue.id for issue in issues]
        self.labels: dict[int, list[Label]] = {}
        self.assignees: dict[int, list[int]] = {}
        for issue_id, label in context.call.session.exec(
            select(IssueLabel.issue_id, Label)
            .join(Label, col(Label.id) == col(IssueLabel.label_id))
            .where(col(IssueLabel.issue_id).in_(ids))
            .order_by(col(Label.id))
        ):
            self.labels.setdefault(issue_id, []).append(label)
        for row in context.call.session.exec(
            select(Assignee).where(col(Assignee.issue_id).in_(ids)).order_by(col(Assignee.account_id))
        ):
            self.assignees.setdefault(row.issue_id, []).append(row.account_id)
        self.comments = _counts(
            context,
            "SELECT issue_id, count(*) FROM github_comment WHERE issue_id IN (SELECT value FROM json_each(:ids)) GROUP"
            " BY 1",
            ids,
        )
        self.reactions = reactions_json(context, "{id}", "issue", ids)
        self.pulls = {
            p.issue_id: p for p in context.call.session.exec(select(Pull).where(col(Pull.issue_id).in_(_pulls(issues))))
        }
        self._milestones: dict[int, MilestoneJson] = {}
        self._associations: dict[int, str] = {}
        context.preload([issue.author_id for issue in issues])
        context.preload([issue.closed_by_id for issue in issues])
        context.preload(id for ids in self.assignees.values() for id in ids)

    def milestone(self, id: int | None) -> MilestoneJson | None:
        """Render a milestone by id, cached."""
        if id is None:
            return None
        if id not in self._milestones:
            row = self.context.call.session.get(Milestone, id)
            assert row is not None
            self._milestones[id] = milestone_json(self.context, self.repo, row)
        return self._milestones[id]

    def association(self, account_id: int) -> str:
        """Return the cached association of an author with the repository."""
        if account_id not in self._associations:
            self._associations[account_id] = association(self.context, self.repo, self.context.account(account_id))
        return self._associations[account_id]


def _pulls(issues: Iterable[Issue]) -> list[int]:
    return [issue.id for issue in issues if issue.is_pull]


def _counts(context: GithubContext, sql: str, ids: Sequence[int]) -> Mapping[int, int]:
    return {id: count for id, count in context.call.all(sql, {"ids": str(list(ids))})}


def issues_json(
    context: GithubContext, repo: Repository, issues: Sequence[Issue], media: str | None = None
) -> list[dict[str, Any]]:
    """Render issues of one repository for a list."""
    around = IssueContext(context, repo, issues)
    return [issue_json(around, issue, media) for issue in issues]


def issue_json(around: IssueContext, issue: Issue, media: str | None = None) -> JsonObject:
    """Render one issue."""
    context, repo = around.context, around.repo
    url, kind = f"{context.repo_api(repo)}/issues/{issue.number}", "pull" if issue.is_pull else "issues"
    assignees = [user_json(context, context.account(id)) for id in around.assignees.get(issue.id, [])]
    out = {
        "url": url,
        "repository_url": context.repo_api(repo),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": f"{context.repo_html(repo)}/{kind}/{issue.number}",
        "id": issue.id,
        "node_id": node("PullRequest" if issue.is_pull else "Issue", repo.id, issue.id),
        "number": issue.number,
        "title": issue.title,
        "user": user_json(context, context.account(issue.author_id)),
        "labels": [label_json(context, repo, one) for one in around.labels.get(issue.id, [])],
        "state": issue.state,
        "locked": issue.locked,
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
        "milestone": around.milestone(issue.milestone_id),
        "comments": around.comments.get(issue.id, 0),
        "created_at": stamp(issue.created_at),
        "updated_at": stamp(issue.updated_at),
        "closed_at": stamp(issue.closed_at),
        "author_association": around.association(issue.author_id),
        "active_lock_reason": issue.lock_reason,
        **bodies(context, repo, issue.body, media),
        "closed_by": maybe_user(context, issue.closed_by_id),
        "reactions": {**around.reactions[issue.id], "url": f"{url}/reactions"},
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": None,
        "state_reason": issue.state_reason,
    }
    if issue.is_pull:
        return out | _pull_part(around, issue)
    return out | {"type": _type(context, issue), "sub_issues_summary": sub_issues(context, issue)}


def _pull_part(around: IssueContext, issue: Issue) -> JsonObject:
    pull, context, repo = around.pulls[issue.id], around.context, around.repo
    html = f"{context.repo_html(repo)}/pull/{issue.number}"
    links = {
        "url": f"{context.repo_api(repo)}/pulls/{issue.number}",
        "html_url": html,
        "diff_url": f"{html}.diff",
        "patch_url": f"{html}.patch",
        "merged_at": stamp(pull.merged_at),
    }
    return {"draft": pull.draft, "pull_request": links}


def _type(context: GithubContext, issue: Issue) -> TypeJson | None:
    row = context.call.session.get(IssueType, issue.type_id) if issue.type_id else None
    return None if row is None else type_json(row)


def type_json(row: IssueType) -> TypeJson:
    """Render a type of issues."""
    return {
        "id": row.id,
        "node_id": node("IssueType", row.id),
        "name": row.name,
        "description": row.description,
        "color": row.color,
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        "is_enabled": row.enabled,
    }


def sub_issues(context: GithubContext, issue: Issue) -> dict[str, int]:
    """Return the progress of an issue's sub-issues."""
    row = context.call.first(
        "SELECT count(*), coalesce(sum(i.state = 'closed'), 0) FROM github_sub_issue s JOIN github_issue i ON i.id ="
        " s.issue_id WHERE s.parent_id = :id",
        {"id": issue.id},
    )
    assert row is not None
    total, done = row
    return {"total": total, "completed": done, "percent_completed": done * 100 // total if total else 0}


def comment_json(
    context: GithubContext, repo: Repository, number: int, kind: str, row: Comment, media: str | None = None
) -> JsonObject:
    """Render a comment on issue `number`; `kind` is issues or pull."""
    url = f"{context.repo_api(repo)}/issues/comments/{row.id}"
    author = context.account(row.author_id)
    return {
        "url": url,
        "html_url": f"{context.repo_html(repo)}/{kind}/{number}#issuecomment-{row.id}",
        "issue_url": f"{context.repo_api(repo)}/issues/{number}",
        "id": row.id,
        "node_id": node("IssueComment", repo.id, row.id),
        "user": user_json(context, author),
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
        **bodies(context, repo, row.body, media),
        "author_association": association(context, repo, author),
        "reactions": reactions_json(context, f"{url}/reactions", "comment", [row.id])[row.id],
        "performed_via_github_app": None,
    }


def one_json(context: GithubContext, repo: Repository, issue: Issue, media: str | None = None) -> JsonObject:
    """Render one issue for the API."""
    context.call.flush()
    return issue_json(IssueContext(context, repo, [issue]), issue, media)
