"""Git data of a pull request: merge base, commits, files, and the refs kept for it."""

from functools import cached_property

from apps.github.domain.context import GithubContext
from apps.github.git import Repo
from apps.github.git.diff import FileDiff, file_diff
from apps.github.git.graph import Row
from apps.github.git.history import between, is_ancestor, merge_base
from apps.github.git.tree_diff import Change, list_changes
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull

HEADS = "refs/heads/"


def head_ref(number: int) -> str:
    """Return the ref that keeps a pull request's head."""
    return f"refs/pull/{number}/head"


def merge_ref(number: int) -> str:
    """Return the ref of a pull request's trial merge."""
    return f"refs/pull/{number}/merge"


def keep_ref(git: Repo, name: str, sha: str | None) -> None:
    """Point one of a pull request's refs to a commit (None: delete it)."""
    old = git.ref(name)
    if old != sha:
        git.set_ref(name, sha, old)


class Changes:
    """Changes of a pull request: the three-dot diff between its base and its head."""

    def __init__(self, context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> None:
        self.context, self.repo, self.pull = context, repo, pull
        self.git = context.git(repo)
        self.open = issue.state == "open"

    @cached_property
    def base_tip(self) -> str:
        """The head of the base branch; of a closed pull request, the head at that time."""
        return (self.git.branch(self.pull.base_ref) if self.open else None) or self.pull.base_sha

    @cached_property
    def start(self) -> str | None:
        """The merge base of base and head."""
        return merge_base(self.git, self.base_tip, self.pull.head_sha)

    @cached_property
    def commits(self) -> list[Row]:
        """The commits of the pull request, oldest first."""
        return between(self.git, self.base_tip, self.pull.head_sha)

    @cached_property
    def trees(self) -> tuple[str | None, str]:
        """The two compared trees: the merge base's and the head's."""
        return (self.git.tree_of(self.start) if self.start is not None else None), self.git.tree_of(self.pull.head_sha)

    @cached_property
    def changes(self) -> list[Change]:
        """The changed files, by path."""
        return list_changes(self.git, *self.trees)

    @cached_property
    def files(self) -> list[FileDiff]:
        """The diff of each changed file."""
        return [file_diff(self.git, one) for one in self.changes]

    def change(self, path: str) -> Change | None:
        """Return the change of one file."""
        return next((one for one in self.changes if one.path == path), None)

    @property
    def behind(self) -> bool:
        """Whether the base has commits that the head lacks."""
        return not is_ancestor(self.git, self.base_tip, self.pull.head_sha)

    def size(self) -> dict[str, int]:
        """Count commits, added and deleted lines, and changed files."""
        return {
            "commits": len(self.commits),
            "additions": sum(one.additions for one in self.files),
            "deletions": sum(one.deletions for one in self.files),
            "changed_files": len(self.files),
        }


def carry(source: Repo, target: Repo, head: str) -> None:
    """Copy a commit and the objects it needs from another repository."""
    waiting = [head]
    while waiting:
        sha = waiting.pop()
        if target.kind(sha) is not None:
            continue
        commit = source.commit(sha)
        wanted = _list_missing_objects(source, target, commit.tree.decode())
        target.store.copy_from(source.store, [*wanted, sha])
        waiting += [parent.decode() for parent in commit.parents]


def _list_missing_objects(source: Repo, target: Repo, tree: str) -> list[str]:
    """List the objects of a tree that `target` lacks, the tree included, deepest first."""
    if target.kind(tree) is not None:
        return []
    out: list[str] = []
    for entry in source.entries(tree):
        if entry.kind == "tree":
            out += _list_missing_objects(source, target, entry.sha)
        elif entry.kind == "blob" and target.kind(entry.sha) is None:
            out.append(entry.sha)
    return [*out, tree]
