"""Branches and tags: listed with their protection, renamed, found by commit."""

from typing import TypedDict

from pydantic import Field
from sqlmodel import select

from apps.github.app import app
from apps.github.domain.context import GithubContext, git_node
from apps.github.domain.params import ListPage, PageParams, Ref, RepoRef, page_of
from apps.github.domain.protection import fits, rule_for
from apps.github.domain.ref_updates import Update, record_push
from apps.github.domain.revisions import get_started_git
from apps.github.domain.tree_paths import is_ref_name
from apps.github.git.paths import collides
from apps.github.models import Protection, Repository
from apps.github.models_pulls import Pull
from apps.github.refusals import unprocessable
from apps.github.views.git_objects import commit_json
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/branches/branches"
HERE = {"owner": "quayline", "repo": "payments"}
BRANCHES, TAGS = "refs/heads/", "refs/tags/"


class BranchJson(TypedDict):
    """One branch (schema branch-with-protection)."""

    name: str
    commit: JsonObject
    _links: dict[str, str]
    protected: bool
    protection: JsonObject
    protection_url: str


class TagJson(TypedDict):
    """Response of `_tag_json`."""

    name: str
    commit: dict[str, str]
    node_id: str
    zipball_url: str
    tarball_url: str


class BranchList(RepoRef, PageParams):
    """Filter of branches."""

    protected: bool | None = Field(default=None, description="Only protected branches, or only others.")


class BranchRef(RepoRef):
    """One branch."""

    branch: Ref = Field(description="The name of the branch.", examples=["main"])


class BranchName(BranchRef):
    """A branch to rename."""

    new_name: Ref = Field(description="The new name.", examples=["trunk"])


class HeadCommit(RepoRef):
    """A commit."""

    commit_sha: Ref = Field(description="The SHA of the commit.")


class TagList(RepoRef, PageParams):
    """Page of tags."""


class Rules:
    """The protection rules of a repository, loaded once to look up many branches."""

    def __init__(self, context: GithubContext, repo: Repository) -> None:
        self.context, self.repo = context, repo
        rows = context.call.session.exec(
            select(Protection).where(Protection.repo_id == repo.id).order_by(Protection.pattern)
        )
        self.rows = list(rows)

    def of(self, branch: str) -> Protection | None:
        """Return the rule of a branch, its own before one of a pattern."""
        own = next((row for row in self.rows if row.pattern == branch), None)
        return own or next((row for row in self.rows if fits(row.pattern, branch)), None)

    def short(self, name: str, sha: str) -> JsonObject:
        """Render a branch for a list (schema short-branch)."""
        rule, api = self.of(name), self.context.repo_api(self.repo)
        return {
            "name": name,
            "commit": {"sha": sha, "url": f"{api}/commits/{sha}"},
            "protected": rule is not None,
            "protection": summary(rule),
            "protection_url": f"{api}/branches/{quote_path(name)}/protection",
        }


def summary(rule: Protection | None) -> JsonObject:
    """Summarise a branch's protection for everybody."""
    contexts = (rule.contexts if rule else None) or []
    level = "off" if rule is None or rule.contexts is None else "everyone" if rule.enforce_admins else "non_admins"
    checks = [{"context": one, "app_id": None} for one in contexts]
    return {
        "enabled": rule is not None,
        "required_status_checks": {"enforcement_level": level, "contexts": contexts, "checks": checks},
    }


@app.operation("repos/list-branches", units=1, source=f"{SOURCE}#list-branches", examples=[HERE], raises=("not_found",))
def list_branches(call: Call, params: BranchList) -> list[JsonObject]:
    """List the branches of a repository with their head commits."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rules = Rules(context, repo)
    found = [(name.removeprefix(BRANCHES), sha) for name, sha in context.git(repo).refs(BRANCHES).items()]
    if params.protected is not None:
        found = [(name, sha) for name, sha in found if (rules.of(name) is not None) == params.protected]
    return ListPage([rules.short(*one) for one in found[params.start : params.start + params.size]], len(found))


def branch_json(context: GithubContext, repo: Repository, name: str, sha: str) -> BranchJson:
    """Render one branch (schema branch-with-protection)."""
    rule, api = rule_for(context, repo, name), f"{context.repo_api(repo)}/branches/{quote_path(name)}"
    return {
        "name": name,
        "commit": commit_json(context, repo, sha),
        "_links": {"self": api, "html": f"{context.repo_html(repo)}/tree/{quote_path(name)}"},
        "protected": rule is not None,
        "protection": summary(rule),
        "protection_url": f"{api}/protection",
    }


def get_branch_head(context: GithubContext, repo: Repository, name: str) -> str:
    """Return the head of a branch. Raises branch_not_found."""
    sha = context.git(repo).branch(name)
    if sha is None:
        raise OperationError("branch_not_found")
    return sha


@app.operation(
    "repos/get-branch",
    units=1,
    source=f"{SOURCE}#get-a-branch",
    examples=[{**HERE, "branch": "main"}],
    raises=("not_found", "branch_not_found"),
)
def get_branch(call: Call, params: BranchRef) -> BranchJson:
    """Read one branch: its last commit, and whether it is protected."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return branch_json(context, repo, params.branch, get_branch_head(context, repo, params.branch))


@app.operation(
    "repos/rename-branch",
    writes=True,
    units=1,
    source=f"{SOURCE}#rename-a-branch",
    examples=[{**HERE, "branch": "main", "new_name": "trunk"}],
    raises=("not_found", "branch_not_found", "forbidden", "archived", "unprocessable"),
)
def rename_branch(call: Call, params: BranchName) -> BranchJson:
    """Rename a branch; pull requests, its protection and the default branch follow."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = get_branch_head(context, repo, params.branch)
    special = params.branch == repo.default_branch or rule_for(context, repo, params.branch) is not None
    context.need(repo, "admin" if special else "push")
    _check_new(context, repo, params.new_name)
    _rename(context, repo, params.branch, params.new_name, sha)
    return branch_json(context, repo, params.new_name, sha)


def _check_new(context: GithubContext, repo: Repository, name: str) -> None:
    refs = context.git(repo).refs(BRANCHES)
    if not is_ref_name(BRANCHES + name):
        raise unprocessable(f"{name} is not a valid branch name.")
    if BRANCHES + name in refs or collides(refs, BRANCHES + name):
        raise unprocessable("New branch already exists")


def _rename(context: GithubContext, repo: Repository, old: str, new: str, sha: str) -> None:
    """Move the ref and everything that refers to it; protection does not forbid this."""
    git = context.git(repo)
    git.set_ref(BRANCHES + new, sha, None)
    git.set_ref(BRANCHES + old, None, sha)
    values = {"repo": repo.id, "old": old, "new": new}
    context.call.execute("UPDATE github_protection SET pattern = :new WHERE repo_id = :repo AND pattern = :old", values)
    if repo.default_branch == old:
        repo.default_branch = new
    for pull in context.call.session.exec(
        select(Pull).where(
            (Pull.repo_id == repo.id) | (Pull.head_repo_id == repo.id),
            Pull.merged_at == None,  # noqa: E711
        )
    ):
        if pull.repo_id == repo.id and pull.base_ref == old:
            pull.base_ref = new
        if pull.head_repo_id == repo.id and pull.head_ref == old:
            pull.head_ref = new
        context.add(pull)
    record_push(context, repo, [Update(BRANCHES + new, None, sha), Update(BRANCHES + old, sha, None)])


@app.operation(
    "repos/list-branches-for-head-commit",
    units=1,
    source="docs.github.com/rest/commits/commits#list-branches-for-head-commit",
    examples=[{**HERE, "commit_sha": "$repos/get-branch:commit.sha"}],
    raises=("not_found", "empty_repository", "unprocessable"),
)
def list_branches_for_head_commit(call: Call, params: HeadCommit) -> list[JsonObject]:
    """List the branches whose last commit is this one."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = get_started_git(context, repo)
    sha = git.commit_named(params.commit_sha)
    if sha is None:
        raise unprocessable(f"No commit found for SHA: {params.commit_sha}")
    rules = Rules(context, repo)
    found = [
        rules.short(name.removeprefix(BRANCHES), target) for name, target in git.refs(BRANCHES).items() if target == sha
    ]
    return [{name: one[name] for name in ("name", "commit", "protected")} for one in found]


@app.operation(
    "repos/list-tags",
    units=1,
    source="docs.github.com/rest/repos/repos#list-repository-tags",
    examples=[HERE],
    raises=("not_found",),
)
def list_tags(call: Call, params: TagList) -> list[TagJson]:
    """List the tags of a repository with their commits."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = context.git(repo)
    page = page_of(sorted(git.refs(TAGS).items(), reverse=True), params)
    shown = [(name, commit) for name, target in page if (commit := git.peel(target)) is not None]
    return ListPage([_tag_json(context, repo, name, sha) for name, sha in shown], page.total)


def _tag_json(context: GithubContext, repo: Repository, ref: str, sha: str) -> TagJson:
    api, name = context.repo_api(repo), quote_path(ref)
    return {
        "name": ref.removeprefix(TAGS),
        "commit": {"sha": sha, "url": f"{api}/commits/{sha}"},
        "node_id": git_node("REF", repo.id, ref),
        "zipball_url": f"{api}/zipball/{name}",
        "tarball_url": f"{api}/tarball/{name}",
    }
