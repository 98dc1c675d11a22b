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


def readme_of(git: Repo, tree: str, folders: tuple[str, ...]) -> Entry | None:
    """Return the README of the first folder that has one."""
    for folder in folders:
        at = git.at(tree, folder)
        files = (
            {entry.name.lower(): entry for entry in git.entries(at.sha, folder) if entry.kind == "blob"}
            if at and at.kind == "tree"
            else {}
        )
        found = next((files[name] for name in README if name in files), None)
        if found is not None:
            return found
    return None
