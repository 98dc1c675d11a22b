"""The licence file of a repository."""

from collections.abc import Iterable

from apps.github.boilerplate.licenses import FILES, detect_license
from apps.github.git import Entry, Repo

LARGEST = 100_000  # bytes; a larger file is no licence text


def find_license_file(git: Repo, tree: str) -> tuple[Entry, str] | None:
    """Find the licence file at the root of a tree, with the key of the licence."""
    files = {entry.name: entry for entry in git.entries(tree, "") if entry.kind == "blob"}
    name = choose_license_file(files)
    return None if name is None else (files[name], detect_license_of(git.blob(files[name].sha)))


def choose_license_file(names: Iterable[str]) -> str | None:
    """Return the name of the licence file among those of the files at a root; None without one."""
    named = {name.lower(): name for name in names}
    return next((named[name] for name in FILES if name in named), None)


def detect_license_of(content: bytes) -> str:
    """Return the key of the licence that a file holds."""
    return detect_license(content[:LARGEST].decode("utf-8", "replace"))


def find_license(git: Repo, branch: str) -> str | None:
    """Return the key of the licence at the head of a branch; None without the branch or a licence file."""
    head = git.branch(branch)
    found = find_license_file(git, git.tree_of(head)) if head is not None else None
    return found and found[1]
