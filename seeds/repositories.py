"""The company's own repositories as they are kept here: a series of patches, with the pull requests and issues around
them.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from apps.github.git import Repo
from apps.github.git.repo import FILE
from world.core.yaml_text import load_yaml

TABLES = (
    "CREATE TABLE github_object(repo_id, sha1, kind, size, data, PRIMARY KEY (repo_id, sha1))",
    """CREATE TABLE github_commit(repo_id, sha1, tree, parents, author_name, author_email, authored_at, author_zone,
        committer_name,
    committer_email, committed_at, committer_zone, message, PRIMARY KEY (repo_id, sha1))""",
    "CREATE TABLE github_ref(repo_id, name, target, PRIMARY KEY (repo_id, name))",
)
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


class PatchError(ValueError):
    """A patch that does not fit the files it is applied to."""


@cache
def services() -> tuple[str, ...]:
    """The repositories there are, by name."""
    folder = files("seeds").joinpath("repos")
    return tuple(sorted(one.name for one in folder.iterdir() if one.joinpath("series.yaml").is_file()))


@cache
def series(service: str) -> dict[str, Any]:
    """Return the facts of a repository; its times are days before the world's start."""
    return load_yaml(files("seeds").joinpath(f"repos/{service}/series.yaml").read_text(encoding="utf-8"))


@cache
def first_proposals() -> dict[str, float]:
    """Days before the world's start of the first pull request for an issue, by the handle of the issue."""
    found: dict[str, float] = {}
    for service in services():
        facts = series(service)
        opened = [*facts["pulls"].values(), *(one["pull"] for one in facts["branches"].values() if "pull" in one)]
        for one in opened:
            if handle := one.get("jira"):
                found[handle] = max(found.get(handle, 0.0), one["opened_days"])
    return found


@cache
def patch(service: str, name: str) -> str:
    """A patch as a unified difference."""
    return files("seeds").joinpath(f"repos/{service}/patches/{name}").read_text(encoding="utf-8")


def apply_patch(tree: Mapping[str, str], text: str) -> dict[str, str | None]:
    """Return the files of a tree that a patch changes: path -> content, None for one that goes. Raises PackError."""
    out: dict[str, str | None] = {}
    for part in re.split(r"^(?=diff --git )", text, flags=re.MULTILINE):
        if part.startswith("diff --git "):
            path, content = _file(tree, part)
            out[path] = content
    return out


def _file(tree: Mapping[str, str], part: str) -> tuple[str, str | None]:
    lines = part.split("\n")
    path = lines[0].rpartition(" b/")[2]
    old = tree.get(path, "")
    made = _hunks(path, old.split("\n"), lines[1:])
    return path, None if any(line.startswith("deleted file mode") for line in lines[:4]) else made


def _hunks(path: str, old: list[str], lines: Sequence[str]) -> str:
    """The lines of a file with all hunks put on; every context line must be where the patch says."""
    out: list[str] = []
    at, place = 0, 0
    while place < len(lines):
        head = _HUNK.match(lines[place])
        place += 1
        if head is None:
            continue
        start = int(head[1]) - (1 if head[2] != "0" else 0)
        out += old[at:start]
        at, place = _hunk(path, old, lines, start, place, out)
    return "\n".join([*out, *old[at:]])


def _hunk(path: str, old: list[str], lines: Sequence[str], at: int, place: int, out: list[str]) -> tuple[int, int]:
    while place < len(lines) and (mark := lines[place][:1]) in (" ", "-", "+", "\\"):
        text = lines[place][1:]
        if mark in " -":
            if at >= len(old) or old[at] != text:
                raise PatchError(f"{path}: line {at + 1} is not {text!r}")
            at += 1
        if mark in " +":
            out.append(text)
        place += 1
    return at, place


class MemoryObjectStore:
    """In-memory store in which a repository's objects are made; it answers the SQL of a call."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:", isolation_level=None)
        for statement in TABLES:
            self._db.execute(statement)

    def execute(self, sql: str, values: Mapping[str, object] | None = None) -> Any:
        """Run SQL."""
        return self._db.execute(sql, values or {})

    def all(self, sql: str, values: Mapping[str, Any] | None = None) -> list[Any]:
        """All rows."""
        return self.execute(sql, values).fetchall()

    def first(self, sql: str, values: Mapping[str, Any] | None = None) -> Any:
        """The first row, or None."""
        return self.execute(sql, values).fetchone()

    def scalar(self, sql: str, values: Mapping[str, Any] | None = None) -> Any:
        """The first column of the first row, or None."""
        row = self.first(sql, values)
        return None if row is None else row[0]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table, in order of its key."""
        found = self._db.execute(f"SELECT * FROM {table} ORDER BY 1, 2")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]

    def close(self) -> None:
        """Forget everything."""
        self._db.close()


class Tree:
    """The files of a commit, and the way to the next commit."""

    def __init__(self, git: Repo, contents: Mapping[str, str], sha: str | None) -> None:
        self.git, self.contents, self.sha = git, dict(contents), sha

    def then(self, text: str) -> "Tree":
        """The tree with a patch put on. Raises PatchError."""
        return self.put(apply_patch(self.contents, text))

    def put(self, changed: Mapping[str, str | None]) -> "Tree":
        """The tree with some files written, or gone where they are None."""
        contents = {path: data for path, data in {**self.contents, **changed}.items() if data is not None}
        changes = {
            path: None if data is None else (FILE, self.git.put_blob(data.encode())) for path, data in changed.items()
        }
        return Tree(self.git, contents, self.git.put_changed_tree(self.sha, changes))
