"""Commits: listed by branch, path, person and time; read with their changes; compared."""

from collections.abc import Sequence
from typing import Any, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.fork_compare import locate_comparison
from apps.github.domain.params import Int64, Line, ListPage, MediaType, PageParams, Path, Raw, Ref, RepoRef
from apps.github.domain.revisions import get_started_git, seconds, to_displayable
from apps.github.git import Repo
from apps.github.git.diff import Change, file_diff, render_diff
from apps.github.git.graph import Row
from apps.github.git.history import ahead_behind, between, count, log, merge_base
from apps.github.git.patches import mbox
from apps.github.git.repo import MODULE
from apps.github.git.tree_diff import list_changes
from apps.github.models import Repository
from apps.github.refusals import unprocessable
from apps.github.views.git_objects import Commits
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/commits/commits"
HERE = {"owner": "quayline", "repo": "payments"}
MAX_FILES, COMPARED = 300, 250  # files of an answer, commits of a comparison
KINDS = {
    "diff": "application/vnd.github.v3.diff; charset=utf-8",
    "patch": "application/vnd.github.v3.patch; charset=utf-8",
}


class ChangesJson(TypedDict):
    """Statistics of all files, and one page of them."""

    stats: dict[str, int]
    files: list[JsonObject]


class CommitList(RepoRef, PageParams):
    """Filters of commits."""

    sha: Ref | None = Field(default=None, description="Branch, tag or SHA to begin at; the default branch if left out.")
    path: Path | None = Field(default=None, description="Only commits that changed this file or folder.")
    author: Line | None = Field(default=None, description="Login or address of who wrote them.")
    committer: Line | None = Field(default=None, description="Login or address of who committed them.")
    since: Line | None = Field(default=None, description="Only later ones: ISO 8601, UTC.")
    until: Line | None = Field(default=None, description="Only earlier ones: ISO 8601, UTC.")


class FilePages(RepoRef, MediaType):
    """Page of changed files."""

    per_page: Int64 = Field(default=MAX_FILES, description="Files per page, 300 at most.")
    page: Int64 = Field(default=1, description="Which page, from 1.")


class CommitGet(FilePages):
    """A commit to read."""

    ref: Ref = Field(description="SHA, branch or tag.", examples=["main"])


class Comparison(RepoRef, MediaType):
    """Revisions to compare, and page of their commits."""

    basehead: Ref = Field(
        description="`base...head`: branches, tags or SHAs; `user:branch` for one of a fork.", examples=["main...main"]
    )
    per_page: Int64 = Field(default=COMPARED, description="Commits per page, 250 at most.")
    page: Int64 = Field(default=1, description="Which page of commits, from 1.")


@app.operation(
    "repos/list-commits",
    units=1,
    source=f"{SOURCE}#list-commits",
    examples=[HERE],
    raises=("not_found", "empty_repository", "unprocessable"),
)
def list_commits(call: Call, params: CommitList) -> list[JsonObject]:
    """List the commits of a branch, newest first, also by path, author and time."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = get_started_git(context, repo)
    head = git.resolve(params.sha or repo.default_branch)
    if head is None:
        raise OperationError("not_found")
    rows, total = _list_commits(context, git, head, params)
    return ListPage(Commits(context, repo, rows).in_order(), total)


def _list_commits(context: GithubContext, git: Repo, head: str, params: CommitList) -> tuple[list[Row], int]:
    """Return one page of commits, and the total count."""
    since, until = seconds(params.since, "since"), seconds(params.until, "until")
    start, end = params.start, params.start + params.size
    if not any((params.path, params.author, params.committer, params.since, params.until)):
        return log(git, [head], start=start, limit=params.size), count(git, [head])
    author = None if params.author is None else emails_of(context, params.author)
    rows = log(git, [head], path=params.path, author=author, since=since, until=until)
    if params.committer is not None:
        wanted = emails_of(context, params.committer)
        rows = [row for row in rows if row.committer_email.lower() in wanted]
    return rows[start:end], len(rows)


def emails_of(context: GithubContext, name: str) -> set[str]:
    """Return the email addresses of a login, or an address itself."""
    found = None if "@" in name else context.find_login(name)
    if found is None:
        return {name.lower()}
    return {(found.email or "").lower(), f"{found.id}+{found.login}@users.noreply.github.com".lower()} - {""}


def file_json(context: GithubContext, repo: Repository, git: Repo, change: Change, sha: str) -> JsonObject:
    """Render a changed file (schema diff-entry); its addresses use the commit `sha`."""
    found, entry = file_diff(git, change), change.new or change.old
    path, api, html = quote_path(change.path), context.repo_api(repo), context.repo_html(repo)
    view: JsonObject = {
        "sha": entry.sha if entry else None,
        "filename": to_displayable(change.path),
        "status": change.status,
        "additions": found.additions,
        "deletions": found.deletions,
        "changes": found.additions + found.deletions,
        "blob_url": f"{html}/blob/{sha}/{path}",
        "raw_url": f"{html}/raw/{sha}/{path}",
        "contents_url": f"{api}/contents/{path}?ref={sha}",
    }
    if entry is not None and entry.mode == MODULE:
        view["blob_url"] = view["raw_url"] = f"{html}/tree/{sha}/{path}"
    if found.patch is not None:
        view["patch"] = found.patch
    return view | ({"previous_filename": to_displayable(change.old_path)} if change.old_path is not None else {})


def files_json(
    context: GithubContext, repo: Repository, git: Repo, changes: Sequence[Change], sha: str
) -> list[dict[str, Any]]:
    """Render changed files."""
    return [file_json(context, repo, git, change, sha) for change in changes]


def parent_tree(git: Repo, row: Row) -> str | None:
    """Return the tree of a commit's first parent, if the repository has it."""
    first = row.parents.split()[:1]
    return git.graph.node(first[0]).tree if first and git.graph.find(first[0]) else None


@app.operation(
    "repos/get-commit",
    units=1,
    source=f"{SOURCE}#get-a-commit",
    examples=[{**HERE, "ref": "main"}],
    raises=("not_found", "empty_repository", "unprocessable"),
)
def get_commit(call: Call, params: CommitGet) -> Raw | JsonObject:
    """Read one commit with its files and patches, or as a diff or patch."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = get_started_git(context, repo)
    sha = git.resolve(params.ref)
    if sha is None:
        raise unprocessable(f"No commit found for SHA: {params.ref}")
    (row,) = git.graph.rows([sha])
    if params.mediaType == "sha":
        return Raw(sha.encode(), "application/vnd.github.v3.sha; charset=utf-8")
    if params.mediaType in KINDS:
        data = mbox(git, [sha]) if params.mediaType == "patch" else render_diff(git, parent_tree(git, row), row.tree)
        return Raw(data, KINDS[params.mediaType])
    return {**Commits(context, repo, [row]).json(row), **_changes(context, repo, git, row, params)}


def _changes(context: GithubContext, repo: Repository, git: Repo, row: Row, params: CommitGet) -> ChangesJson:
    """Return the statistics of all files, and one page of them."""
    files = files_json(context, repo, git, list_changes(git, parent_tree(git, row), row.tree), row.sha1)
    size = params.per_page if 1 <= params.per_page <= MAX_FILES else MAX_FILES
    start = (max(params.page, 1) - 1) * size
    added, removed = sum(one["additions"] for one in files), sum(one["deletions"] for one in files)
    return {
        "stats": {"total": added + removed, "additions": added, "deletions": removed},
        "files": files[start : start + size],
    }


@app.operation(
    "repos/compare-commits-with-basehead",
    units=1,
    source=f"{SOURCE}#compare-two-commits",
    examples=[{**HERE, "basehead": "main...main"}],
    raises=("not_found", "empty_repository", "no_such"),
)
def compare_commits_with_basehead(call: Call, params: Comparison) -> Raw | JsonObject:
    """Compare two branches, tags or commits (`base...head`): commits between them and changed files, or a diff or
    patch.
    """
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    base, found, head = params.basehead.partition("...")
    if not found or not base or not head:
        raise OperationError("not_found")
    git, ours, theirs = locate_comparison(context, repo, base, head)
    root = merge_base(git, ours, theirs)
    if root is None:
        raise OperationError("no_such", why=f"No common ancestor between {base} and {head}.")
    if params.mediaType in KINDS:
        commits = [row.sha1 for row in between(git, ours, theirs)]
        data = (
            mbox(git, commits)
            if params.mediaType == "patch"
            else render_diff(git, git.graph.node(root).tree, git.graph.node(theirs).tree)
        )
        return Raw(data, KINDS[params.mediaType])
    return _comparison(context, repo, git, params, (base, head), (ours, root, theirs))


def _comparison(
    context: GithubContext,
    repo: Repository,
    git: Repo,
    params: Comparison,
    names: tuple[str, str],
    shas: tuple[str, str, str],
) -> JsonObject:
    base, root, head = shas
    ahead, behind = ahead_behind(git, base, head)
    size = params.per_page if 1 <= params.per_page <= COMPARED else COMPARED
    start = (max(params.page, 1) - 1) * size
    rows = between(git, base, head)[start : start + size]
    all_rows = Commits(context, repo, [*git.graph.rows([base, root]), *rows])
    shown_rows = all_rows.in_order()
    trees = git.graph.node(root).tree, git.graph.node(head).tree
    files = list_changes(git, *trees)[:MAX_FILES] if params.page <= 1 else []
    return {
        **_addresses(context, repo, names, (base, head)),
        "base_commit": shown_rows[0],
        "merge_base_commit": shown_rows[1],
        "status": _status(ahead, behind),
        "ahead_by": ahead,
        "behind_by": behind,
        "total_commits": ahead,
        "commits": shown_rows[2:],
        "files": files_json(context, repo, git, files, head),
    }


def _status(ahead: int, behind: int) -> str:
    return "diverged" if ahead and behind else "ahead" if ahead else "behind" if behind else "identical"


def _addresses(
    context: GithubContext, repo: Repository, names: tuple[str, str], shas: tuple[str, str]
) -> dict[str, str]:
    html, between_names = context.repo_html(repo), "...".join(quote_path(name).replace("%3A", ":") for name in names)
    short = "...".join(f"{context.account(repo.owner_id).login}:{sha[:7]}" for sha in shas)
    return {
        "url": f"{context.repo_api(repo)}/compare/{between_names}",
        "html_url": f"{html}/compare/{between_names}",
        "permalink_url": f"{html}/compare/{short}",
        "diff_url": f"{html}/compare/{between_names}.diff",
        "patch_url": f"{html}/compare/{between_names}.patch",
    }
