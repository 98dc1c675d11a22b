"""The README of a folder."""

from apps.github.git import Entry, Repo

README = (
    "readme.md",
    "readme.markdown",
    "readme.rst",
    "readme.txt",
    "readme",
    "readme.mkd",
    "readme.org",
    "readme.adoc",
)
LONGEST = max(map(len, README))


def readme_of(git: Repo, tree: str, folders: tuple[str, ...]) -> Entry | None:
    """Return the README of the first folder that has one."""
    for folder in folders:
        at = git.at(tree, folder)
        entries = git.entries(at.sha, folder) if at and at.kind == "tree" else []
        similar = [entry for entry in entries if entry.path[-LONGEST:].lower().endswith(README)]
        files = {entry.name.lower(): entry for entry in similar if entry.kind == "blob"}
        found = next((files[name] for name in README if name in files), None)
        if found is not None:
            return found
    return None
