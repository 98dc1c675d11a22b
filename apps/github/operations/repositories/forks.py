"""Forks: created, listed, updated from upstream; and merges of one branch into another."""

from typing import Annotated, Literal

from pydantic import Field
from sqlmodel import SQLModel, col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.fork_compare import in_network
from apps.github.domain.params import Exact, Line, PageParams, Ref, Reply, RepoRef
from apps.github.domain.pull_git import carry
from apps.github.domain.ref_updates import move_ref
from apps.github.domain.repository_names import available
from apps.github.domain.revisions import by_web, get_started_git
from apps.github.git import Repo
from apps.github.git.history import is_ancestor
from apps.github.git.merge import merge_commits
from apps.github.models import Account, OrgMember, Repository
from apps.github.operations.repositories.repositories import list_page
from apps.github.operations.repositories.repository_lifecycle import admit, new_repository
from apps.github.refusals import conflict, unprocessable
from apps.github.views.git_objects import commit_json
from apps.github.views.repository_settings import full_repo
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

HERE = {"owner": "quayline", "repo": "payments"}
COPIED = (
    "description",
    "homepage",
    "visibility",
    "default_branch",
    "size_kb",
    "allow_merge_commit",
    "allow_squash_merge",
    "allow_rebase_merge",
    "squash_title",
    "squash_message",
    "merge_title",
    "merge_message",
    "license",
)
BRANCHES = "refs/heads/"


class ForkList(RepoRef, PageParams):
    """Order and page of forks."""

    sort: Literal["newest", "oldest", "stargazers", "watchers"] = Field(
        default="newest", description="newest, oldest, stargazers or watchers."
    )


class ForkNew(RepoRef):
    """Request fields for a new fork."""

    organization: Line | None = Field(default=None, description="The organisation it goes to; the caller if left out.")
    name: Line | None = Field(default=None, description="Another name.")
    default_branch_only: bool = Field(default=False, description="Take the default branch alone.")


class Merge(RepoRef):
    """Branches to merge."""

    base: Ref = Field(description="The branch that is merged into.", examples=["main"])
    head: Ref = Field(description="The branch or commit that is merged.", examples=["main"])
    commit_message: Annotated[Exact, Field(max_length=65_536)] | None = Field(
        default=None, description="The message of the merge commit."
    )


class Upstream(RepoRef):
    """Branch of a fork to update from upstream."""

    branch: Ref = Field(description="The branch.", examples=["main"])


@app.operation(
    "repos/list-forks",
    units=1,
    source="docs.github.com/rest/repos/forks#list-forks",
    examples=[HERE],
    raises=("not_found",),
)
def list_forks(call: Call, params: ForkList) -> list[JsonObject]:
    """List the forks of a repository."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    found = call.session.exec(
        select(Repository).where(Repository.fork_of == repo.id).order_by(col(Repository.created_at), col(Repository.id))
    )
    forks = [fork for fork in found if context.sees(fork)]
    return list_page(context, forks if params.sort == "oldest" else forks[::-1], params)


@app.operation(
    "repos/create-fork",
    writes=True,
    units=1,
    source="docs.github.com/rest/repos/forks#create-a-fork",
    examples=[HERE],
    raises=("not_found", "refused", "validation_failed"),
)
def create_fork(call: Call, params: ForkNew) -> JsonObject:
    """Fork a repository into the caller's account or an organisation."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    owner = _new_owner(context, params.organization)
    if repo.visibility != "public" and not repo.allow_forking:
        raise OperationError("refused", why="Private repository forking is disabled.")
    if owner.id == repo.owner_id and not params.name:
        raise OperationError("refused", why="You cannot fork a repository into the account that owns it.")
    if (there := in_network(context, repo, owner)) is not None and there.id != repo.id and owner.id != repo.owner_id:
        return full_repo(context, there)
    return full_repo(context, _add_fork(context, repo, owner, params))


def _new_owner(context: GithubContext, organization: str | None) -> Account:
    if organization is None:
        return context.me
    org = context.by_login(organization, "Organization")
    if context.call.session.get(OrgMember, (org.id, context.me.id)) is None:
        raise OperationError("refused", why="You do not have permission to create repositories in this organization.")
    return org


def _add_fork(context: GithubContext, repo: Repository, owner: Account, params: ForkNew) -> Repository:
    fork = new_repository(context, owner, available(context, owner, params.name or repo.name))
    for name in COPIED:
        setattr(fork, name, getattr(repo, name))
    fork.fork_of, fork.has_issues, fork.pushed_at = repo.id, False, repo.pushed_at
    context.add(fork)
    context.call.flush()
    _copy_git(context, repo, fork, only=BRANCHES + repo.default_branch if params.default_branch_only else None)
    if owner.kind == "Organization":
        admit(context, fork, context.me, "admin")
    return fork


def _copy_git(context: GithubContext, repo: Repository, fork: Repository, *, only: str | None) -> None:
    """Copy objects, commits, and refs except those of pull requests."""
    values = {"old": repo.id, "new": fork.id, "only": only}
    for table in ("github_object", "github_commit"):
        columns = ", ".join(
            column.name for column in SQLModel.metadata.tables[table].columns if column.name != "repo_id"
        )
        context.call.execute(
            f"INSERT INTO {table}(repo_id, {columns}) SELECT :new, {columns} FROM {table} WHERE repo_id = :old", values
        )
    context.call.execute(
        "INSERT INTO github_ref(repo_id, name, target) SELECT :new, name, target FROM github_ref"
        " WHERE repo_id = :old AND name NOT LIKE 'refs/pull/%' AND (:only IS NULL OR name = :only)",
        values,
    )


# -- merges


@app.operation(
    "repos/merge",
    writes=True,
    units=1,
    source="docs.github.com/rest/branches/branches#merge-a-branch",
    examples=[{**HERE, "base": "main", "head": "main"}],
    raises=("not_found", "no_such", "archived", "conflict", "protected_branch", "empty_repository", "unprocessable"),
)
def merge(call: Call, params: Merge) -> Reply:
    """Merge a branch or commit into a branch, with a merge commit; an empty answer if nothing is to merge."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    git = get_started_git(context, repo)
    base, head = git.branch(params.base), git.resolve(params.head)
    if base is None or head is None:
        raise OperationError("no_such", why="Base does not exist" if base is None else "Head does not exist")
    if is_ancestor(git, head, base):
        return Reply({}, 204)
    sha = _merge_commit(context, git, base, head, params.commit_message or f"Merge {params.head} into {params.base}")
    move_ref(context, repo, BRANCHES + params.base, base, sha)
    return Reply(commit_json(context, repo, sha), 201)


def _merge_commit(context: GithubContext, git: Repo, base: str, head: str, message: str) -> str:
    merged = merge_commits(git, base, head)
    if merged.tree is None:
        raise conflict("Merge conflict")
    return git.put_commit(merged.tree, [base, head], message, context.signature(), by_web(context))


@app.operation(
    "repos/merge-upstream",
    writes=True,
    units=1,
    source="docs.github.com/rest/branches/branches#sync-a-fork-branch-with-the-upstream-repository",
    examples=[{"owner": "$repos/create-fork:owner.login", "repo": "$repos/create-fork:name", "branch": "main"}],
    raises=("not_found", "archived", "conflict", "unprocessable", "protected_branch", "empty_repository"),
)
def merge_upstream(call: Call, params: Upstream) -> JsonObject:
    """Update a branch of a fork from the repository it was forked from."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "push", code="not_found")
    above = context.repo_by_id(repo.fork_of) if repo.fork_of is not None else None
    if above is None or not context.sees(above):
        raise unprocessable("This repository is not a fork.")
    theirs, git = get_started_git(context, above), get_started_git(context, repo)
    new, old = theirs.branch(params.branch) or theirs.branch(above.default_branch), git.branch(params.branch)
    if new is None or old is None:
        raise unprocessable("There is no such branch to sync.")
    name = f"{context.account(above.owner_id).login}:{params.branch}"
    carry(theirs, git, new)
    if is_ancestor(git, new, old):
        return {
            "message": "This branch is not behind the upstream " + name + ".",
            "merge_type": "none",
            "base_branch": name,
        }
    forward = is_ancestor(git, old, new)
    sha = new if forward else _merge_commit(context, git, old, new, f"Merge branch '{name}' into {params.branch}")
    move_ref(context, repo, BRANCHES + params.branch, old, sha)
    how = ("fast-forward", "fast-forwarded from") if forward else ("merge", "merged from")
    return {"message": f"Successfully fetched and {how[1]} upstream {name}.", "merge_type": how[0], "base_branch": name}
