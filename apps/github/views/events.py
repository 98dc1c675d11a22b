"""JSON shapes of events.

Source: docs.github.com/rest/using-the-rest-api/github-event-types and the published schema event.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from sqlmodel import SQLModel, col, select

from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.event_query import ActivityEvent
from apps.github.models import Account, Push, Release, Repository
from apps.github.models_issues import Comment, CommitComment, Event, Issue
from apps.github.models_pulls import Review, ReviewComment
from apps.github.views.accounts import repo_json, user_json
from apps.github.views.commit_comments import comments_json
from apps.github.views.issues import IssueContext, comment_json, issue_json, label_json
from apps.github.views.releases import release_json
from apps.github.views.reviews import ReviewContext, review_json, with_position
from world.core.json_types import JsonObject

ZERO = "0" * 40
Told = tuple[str, dict[str, Any]]  # type of the event, payload
WHATS = ("push", "issue", "change", "comment", "commit_comment", "review", "review_comment", "release", "star", "fork")
MODELS: dict[str, type[SQLModel]] = {
    "push": Push,
    "issue": Issue,
    "change": Event,
    "comment": Comment,
    "commit_comment": CommitComment,
    "review": Review,
    "review_comment": ReviewComment,
    "release": Release,
    "fork": Repository,
}
NOT_OF_REVIEWS, NOT_OF_COMMENTS, NOT_OF_FORKS = {"author_association"}, {"author_association"}, {"permissions"}
OF_REVIEW_COMMENTS = {
    "id",
    "node_id",
    "url",
    "pull_request_review_id",
    "diff_hunk",
    "path",
    "position",
    "original_position",
    "subject_type",
    "commit_id",
    "user",
    "body",
    "created_at",
    "updated_at",
    "html_url",
    "pull_request_url",
    "_links",
    "original_commit_id",
    "reactions",
    "in_reply_to_id",
}


class ActorJson(TypedDict):
    """Response of `_actor`."""

    id: int
    login: str
    gravatar_id: str
    url: str
    avatar_url: str


def happenings_json(context: GithubContext, found: Sequence[ActivityEvent]) -> list[JsonObject]:
    """Render the events of a timeline; their rows are read together."""
    telling = _EventContext(context, found)
    return [_event(context, one, *telling.to_told(one)) for one in found]


def _event(context: GithubContext, one: ActivityEvent, kind: str, payload: Mapping[str, object]) -> JsonObject:
    repo = context.repo_by_id(one.repo)
    assert repo is not None
    owner, actor = context.account(repo.owner_id), context.account(one.actor)
    shown = {
        "id": f"{WHATS.index(one.what) + 10}{one.one:08}{one.two:08}",
        "type": kind,
        "actor": {**_actor(context, actor), "display_login": actor.login},
        "repo": {"id": repo.id, "name": context.full_name(repo), "url": context.repo_api(repo)},
        "payload": payload,
        "public": repo.visibility == "public",
        "created_at": stamp(one.at),
    }
    return {**shown, "org": _actor(context, owner)} if owner.kind == "Organization" else shown


def _actor(context: GithubContext, account: Account) -> ActorJson:
    place = "orgs" if account.kind == "Organization" else "users"
    url = f"{context.api}/{place}/{account.login}"
    return {
        "id": account.id,
        "login": account.login,
        "gravatar_id": "",
        "url": url,
        "avatar_url": context.avatar(account),
    }


class _EventContext:
    """Loads the rows of events, and renders the payload of each."""

    def __init__(self, context: GithubContext, found: Sequence[ActivityEvent]) -> None:
        self.context = context
        context.preload(one.actor for one in found)
        self.rows = {
            what: self._read(model, {one.one for one in found if one.what == what}) for what, model in MODELS.items()
        }
        self._around = self._surroundings()

    def _read(self, model: Any, ids: set[int]) -> dict[int, Any]:
        if not ids:
            return {}
        return {
            row.id: row for row in self.context.call.session.exec(select(model).where(col(model.id).in_(sorted(ids))))
        }

    def _surroundings(self) -> dict[int, IssueContext]:
        """Read also the issues of comments, reviews and changes, and rows around issues, one repository at a time."""
        near = [
            row.issue_id
            for what in ("change", "comment", "review", "review_comment")
            for row in self.rows[what].values()
        ]
        self.rows["issue"] |= self._read(Issue, set(near) - self.rows["issue"].keys())
        by_repo: dict[int, list[Issue]] = {}
        for issue in self.rows["issue"].values():
            by_repo.setdefault(issue.repo_id, []).append(issue)
        return {id: IssueContext(self.context, self._repo(id), issues) for id, issues in by_repo.items()}

    def _repo(self, id: int) -> Repository:
        found = self.context.repo_by_id(id)
        assert found is not None
        return found

    def to_told(self, one: ActivityEvent) -> Told:
        """Return type and payload of an event."""
        if one.what == "star":
            return "WatchEvent", {"action": "started"}
        tell: Callable[[object], Told] = getattr(self, f"_{one.what}")
        return tell(self.rows[one.what][one.one])

    # -- one of each

    def _push(self, row: Push) -> Told:
        name = row.ref.split("/", 2)[2]
        repo = self._repo(row.repo_id)
        of_ref = {
            "ref": name,
            "ref_type": "tag" if row.ref.startswith("refs/tags/") else "branch",
            "full_ref": row.ref,
            "pusher_type": "user",
        }
        if row.old == ZERO:
            return "CreateEvent", {**of_ref, "master_branch": repo.default_branch, "description": repo.description}
        if row.new == ZERO:
            return "DeleteEvent", of_ref
        return "PushEvent", {
            "repository_id": repo.id,
            "push_id": row.id,
            "ref": row.ref,
            "head": row.new,
            "before": row.old,
        }

    def _issue(self, row: Issue) -> Told:
        return self._of_issue(row, "opened", {})

    def _of_issue(self, issue: Issue, action: str, more: Mapping[str, object]) -> Told:
        if issue.is_pull:
            return "PullRequestEvent", {
                "action": action,
                "number": issue.number,
                "pull_request": self._minimal(issue),
                **more,
            }
        return "IssuesEvent", {"action": action, "issue": self._issue_to_json(issue), **more}

    def _issue_to_json(self, issue: Issue) -> dict[str, Any]:
        return issue_json(self._around[issue.repo_id], issue)

    def _minimal(self, issue: Issue) -> dict[str, Any]:
        pull = self._around[issue.repo_id].pulls[issue.id]
        head = self.context.repo_by_id(pull.head_repo_id) if pull.head_repo_id is not None else None
        base = self._repo(issue.repo_id)
        seen = head if head is not None and self.context.sees(head) else base
        return {
            "id": issue.id,
            "number": issue.number,
            "url": f"{self.context.repo_api(base)}/pulls/{issue.number}",
            "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": self._repository_to_json(seen)},
            "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": self._repository_to_json(base)},
        }

    def _repository_to_json(self, repo: Repository) -> JsonObject:
        return {"id": repo.id, "url": self.context.repo_api(repo), "name": repo.name}

    def _change(self, row: Event) -> Told:
        issue: Issue = self.rows["issue"][row.issue_id]
        more: dict[str, object] = {}
        if "assignee" in row.facts:
            more = {"assignee": user_json(self.context, self.context.account(row.facts["assignee"]))}
        labels = self._around[row.repo_id].labels.get(issue.id, [])
        label = next((one for one in labels if one.name == row.facts.get("label", {}).get("name")), None)
        if label is not None:
            more = {"label": label_json(self.context, self._repo(row.repo_id), label)}
        return self._of_issue(issue, row.kind, more)

    def _comment(self, row: Comment) -> Told:
        issue: Issue = self.rows["issue"][row.issue_id]
        said = comment_json(
            self.context, self._repo(row.repo_id), issue.number, "pull" if issue.is_pull else "issues", row
        )
        return "IssueCommentEvent", {"action": "created", "issue": self._issue_to_json(issue), "comment": said}

    def _commit_comment(self, row: CommitComment) -> Told:
        said = comments_json(self.context, self._repo(row.repo_id), [row])[0]
        return "CommitCommentEvent", {"action": "created", "comment": _without(said, NOT_OF_COMMENTS)}

    def _review(self, row: Review) -> Told:
        issue: Issue = self.rows["issue"][row.issue_id]
        said = review_json(self.context, self._repo(row.repo_id), issue, row)
        shown = {**_without(said, NOT_OF_REVIEWS), "state": row.state.lower(), "updated_at": stamp(row.updated_at)}
        return "PullRequestReviewEvent", {"action": "created", "review": shown, "pull_request": self._minimal(issue)}

    def _review_comment(self, row: ReviewComment) -> Told:
        said = with_position(ReviewContext(self.context, self._repo(row.repo_id), [row]).all()[0])
        shown = {name: value for name, value in said.items() if name in OF_REVIEW_COMMENTS}
        return "PullRequestReviewCommentEvent", {
            "action": "created",
            "comment": shown,
            "pull_request": self._minimal(self.rows["issue"][row.issue_id]),
        }

    def _release(self, row: Release) -> Told:
        return "ReleaseEvent", {
            "action": "published",
            "release": release_json(self.context, self._repo(row.repo_id), row),
        }

    def _fork(self, row: Repository) -> Told:
        shown = {**_without(repo_json(self.context, row), NOT_OF_FORKS), "public": row.visibility == "public"}
        return "ForkEvent", {"action": "forked", "forkee": shown}


def _without(shown: Mapping[str, object], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in shown.items() if name not in names}
