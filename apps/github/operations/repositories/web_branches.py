"""Data of the branches page: distance from the default branch, author, pull request; and the refs of a commit."""

from typing import Any, Literal

from pydantic import Field
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Line, ListPage, PageParams, Ref, RepoRef
from apps.github.domain.revisions import get_started_git, to_displayable
from apps.github.git import Repo
from apps.github.git.graph import Row
from apps.github.git.history import ahead_behind, is_ancestor
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from apps.github.operations.repositories.branches import BRANCHES, TAGS, Rules
from apps.github.operations.repositories.web_content import bars, state_of
from apps.github.views.accounts import user_json
from apps.github.views.git_objects import accounts_by_email, when
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "github.com, the page of a repository's branches"
HERE = {"owner": "quayline", "repo": "payments"}
STALE_S = (
    90 * 86_400
)  # docs.github.com/repositories/configuring-branches-and-merges-in-your-repository/managing-branches-in-your-repository


class BranchesShown(RepoRef, PageParams):
    """Filters of branches."""

    which: Literal["all", "mine", "active", "stale"] = Field(
        default="all", description="all, mine, active (in three months) or stale."
    )
    text: Line = Field(default="", description="Only those with this in their name.")


class CommitPlace(RepoRef):
    """A commit."""

    ref: Ref = Field(description="Its SHA.", examples=["$repos/get-branch:commit.sha"])


@app.operation("web/branches", units=1, source=SOURCE, examples=[HERE], raises=("not_found",))
def branches(call: Call, params: BranchesShown) -> list[JsonObject]:
    """List branches except the default one, latest change first, with authors, distance from it and pull requests."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = context.git(repo)
    found = _heads(git, repo)
    rows = {row.sha1: row for row in git.graph.rows(sorted(set(found.values())))}
    people = accounts_by_email(context, {row.author_email for row in rows.values()})

    def is_listed(name: str, row: Row) -> bool:
        fresh = row.committed_at * 1_000_000 > call.now - STALE_S * 1_000_000
        who = people.get(row.author_email.lower())
        wanted = {
            "all": True,
            "mine": who is not None and who.id == context.me.id,
            "active": fresh,
            "stale": not fresh,
        }[params.which]
        return wanted and params.text.lower() in name.lower()

    names = sorted(
        (name for name, sha in found.items() if is_listed(name, rows[sha])),
        key=lambda name: (-rows[found[name]].committed_at, name),
    )
    page = names[params.start : params.start + params.size]
    table = _Table(context, repo, git)
    return ListPage(
        [table.line(name, rows[found[name]], people.get(rows[found[name]].author_email.lower())) for name in page],
        len(names),
    )


def _heads(git: Repo, repo: Repository) -> dict[str, str]:
    found = {name.removeprefix(BRANCHES): sha for name, sha in git.refs(BRANCHES).items()}
    found.pop(repo.default_branch, None)
    return found


class _Table:
    """Builds the rows of the branches table."""

    def __init__(self, context: GithubContext, repo: Repository, git: Repo) -> None:
        self.context, self.repo, self.git = context, repo, git
        self.base = git.branch(repo.default_branch)
        self.rules = Rules(context, repo)

    def line(self, name: str, row: Row, who: Any) -> dict[str, Any]:
        """Return the row of one branch."""
        rule = self.rules.of(name)
        ahead, behind = ahead_behind(self.git, self.base, row.sha1) if self.base else (0, 0)
        return {
            "name": to_displayable(name),
            "sha": row.sha1,
            "at": when(row.committed_at),
            "author": user_json(self.context, who) if who else None,
            "author_name": row.author_name,
            "ahead": ahead,
            "behind": behind,
            "protected": rule is not None,
            "barred": rule is not None and (bars(self.context, self.repo, rule) or not rule.deletions),
            "pull": self._pull(name),
            "state": state_of(self.context, self.repo, row.sha1),
        }

    def _pull(self, name: str) -> JsonObject | None:
        query = (
            select(Issue, Pull)
            .join(Pull, col(Pull.issue_id) == col(Issue.id))
            .where(Pull.repo_id == self.repo.id, Pull.head_repo_id == self.repo.id, Pull.head_ref == name)
        )
        found = self.context.call.session.exec(query.order_by(col(Issue.id).desc())).first()
        if found is None:
            return None
        issue, pull = found
        state = (
            "merged" if pull.merged_at is not None else "draft" if issue.state == "open" and pull.draft else issue.state
        )
        return {"number": issue.number, "title": issue.title, "state": state}


@app.operation(
    "web/commit-place",
    units=1,
    source=SOURCE,
    examples=[{**HERE, "ref": "$repos/get-branch:commit.sha"}],
    raises=("not_found", "empty_repository"),
)
def commit_place(call: Call, params: CommitPlace) -> dict[str, list[str]]:
    """List the branches and tags that contain a commit; only the default branch if it does."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = get_started_git(context, repo)
    sha = git.commit_named(params.ref)
    if sha is None:
        raise OperationError("not_found")
    default = git.branch(repo.default_branch)
    if default is not None and is_ancestor(git, sha, default):
        names = [repo.default_branch]
    else:
        names = [
            name.removeprefix(BRANCHES) for name, head in git.refs(BRANCHES).items() if is_ancestor(git, sha, head)
        ]
    tags = [
        name.removeprefix(TAGS)
        for name, target in git.refs(TAGS).items()
        if (tip := git.peel(target)) and is_ancestor(git, sha, tip)
    ]
    return {"branches": [to_displayable(name) for name in names], "tags": [to_displayable(name) for name in tags]}
