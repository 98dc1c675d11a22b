"""A pull request as git sees it: where it starts, its commits and files, and the refs kept for it."""

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
    """The ref that keeps a pull request's head."""
    return f"refs/pull/{number}/head"


def merge_ref(number: int) -> str:
    """The ref of a pull request's trial merge."""
    return f"refs/pull/{number}/merge"


def keep_ref(git: Repo, name: str, sha: str | None) -> None:
    """Let one of the refs of a pull request point somewhere (None: nowhere)."""
    old = git.ref(name)
    if old != sha:
        git.set_ref(name, sha, old)


class Changes:
    """What a pull request changes: three dots between its base and its head."""

    def __init__(self, context: GithubContext, repo: Repository, issue: Issue, pull: Pull) -> None:
        self.context, self.repo, self.pull = context, repo, pull
        self.git = context.git(repo)
        self.open = issue.state == "open"

    @cached_property
    def base_tip(self) -> str:
        """The head of the base branch; of a closed pull request, what it was then."""
        return (self.git.branch(self.pull.base_ref) if self.open else None) or self.pull.base_sha

    @cached_property
    def start(self) -> str | None:
        """Where head and base parted."""
        return merge_base(self.git, self.base_tip, self.pull.head_sha)

    @cached_property
    def commits(self) -> list[Row]:
        """The commits it brings, oldest first."""
        return between(self.git, self.base_tip, self.pull.head_sha)

    @cached_property
    def trees(self) -> tuple[str | None, str]:
        """The trees that are compared: where head and base parted, and the head's."""
        return (self.git.tree_of(self.start) if self.start is not None else None), self.git.tree_of(self.pull.head_sha)

    @cached_property
    def changes(self) -> list[Change]:
        """Which files it changes, by path."""
        return list_changes(self.git, *self.trees)

    @cached_property
    def files(self) -> list[FileDiff]:
        """What it changes in each file."""
        return [file_diff(self.git, one) for one in self.changes]

    def change(self, path: str) -> Change | None:
        """Its change of one file."""
        return next((one for one in self.changes if one.path == path), None)

    @property
    def behind(self) -> bool:
        """Whether the base has commits the head has not."""
        return not is_ancestor(self.git, self.base_tip, self.pull.head_sha)

    def size(self) -> dict[str, int]:
        """How many commits, lines and files."""
        return {
            "commits": len(self.commits),
            "additions": sum(one.additions for one in self.files),
            "deletions": sum(one.deletions for one in self.files),
            "changed_files": len(self.files),
        }


def carry(source: Repo, target: Repo, head: str) -> None:
    """Take a commit and all it needs over from another repository."""
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
    """Objects of a tree that `target` has not, the tree included, deepest first."""
    if target.kind(tree) is not None:
        return []
    out: list[str] = []
    for entry in source.entries(tree):
        if entry.kind == "tree":
            out += _list_missing_objects(source, target, entry.sha)
        elif entry.kind == "blob" and target.kind(entry.sha) is None:
            out.append(entry.sha)
    return [*out, tree]
