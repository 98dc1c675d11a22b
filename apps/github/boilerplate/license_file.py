"""The licence file of a repository."""

from apps.github.boilerplate.licenses import FILES, detect_license
from apps.github.git import Entry, Repo

LARGEST = 100_000  # bytes; a larger file is no licence text


def find_license_file(git: Repo, tree: str) -> tuple[Entry, str] | None:
    """Find the licence file at the root of a tree, with the key of the licence."""
    files = {entry.name.lower(): entry for entry in git.entries(tree, "") if entry.kind == "blob"}
    entry = next((files[name] for name in FILES if name in files), None)
    return None if entry is None else (entry, detect_license(git.blob(entry.sha)[:LARGEST].decode("utf-8", "replace")))


def find_license(git: Repo, commit: str) -> str | None:
    """Return the key of the licence at a commit; None without a licence file."""
    found = find_license_file(git, git.tree_of(commit))
    return found and found[1]
