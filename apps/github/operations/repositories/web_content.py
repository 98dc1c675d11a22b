"""Data of the pages of files: a folder with the last change of each entry, a file as text, blame."""

from typing import Any, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.check_states import FAILING, rollup, states
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Path, Ref, RepoRef
from apps.github.domain.protection import is_among, is_exempt, may_push, rule_for
from apps.github.domain.readme import readme_of
from apps.github.domain.revisions import get_started_git, to_displayable
from apps.github.domain.rulesets import bars_pushes
from apps.github.git import Entry, Repo
from apps.github.git.binary import is_binary
from apps.github.git.blame import blame
from apps.github.git.graph import Row
from apps.github.git.history import count, last_changes, log
from apps.github.git.repo import EXECUTABLE, LINK
from apps.github.models import Protection, Repository
from apps.github.operations.repositories.contents import RepoRevision, join_link, module_url
from apps.github.operations.repositories.downloads import split_revision
from apps.github.views.accounts import user_json
from apps.github.views.git_objects import Commits, accounts_by_email, sizes, when
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "github.com, the pages of a repository's files"
HERE = {"owner": "quayline", "repo": "payments"}
MOST_TEXT = 1024 * 1024  # bytes of a file that a page shows
MOST_LINES = 10_000  # of a file that a page shows
BLAME_LINES = 1000  # of one look at who wrote them
MOST_ENTRIES = 1000
README_AT_ROOT = ("", ".github", "docs")
IMAGES = {b"\x89PNG\r\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}


class BriefJson(TypedDict):
    """A commit as a table of files shows it."""

    sha: str
    title: str
    at: str


class FolderJson(TypedDict):
    """Response of `_folder`."""

    type: str
    entries: list[JsonObject]
    left_out: int
    commits: int
    readme: JsonObject | None


class SubmoduleJson(TypedDict):
    """Response of `_submodule`."""

    type: str
    blob: str
    url: str


class ContentPath(RepoRef):
    """A revision and path in a repository."""

    place: Path = Field(
        default="",
        description="Branch, tag or SHA, then the path: `main/src/app.py`; empty for the root.",
        examples=["main"],
    )


class BlameWindow(ContentPath):
    """The same, and the line from which on it is shown."""

    first: int = Field(default=1, ge=1, le=1_000_000, description="The first line, from 1.")


class RefList(RepoRef):
    """The refs of a repository."""


class CommitStates(RepoRef):
    """Commits whose states to read."""

    shas: list[Ref] = Field(max_length=100, description="Their SHAs.", examples=[["$repos/get-branch:commit.sha"]])


class PathAtRevision:
    """A revision and path, parsed from an address."""

    def __init__(self, context: GithubContext, repo: Repository, place: str) -> None:
        self.context, self.repo, self.git = context, repo, get_started_git(context, repo)
        ref, self.path = split_revision(self.git, place) if place.strip("/") else (repo.default_branch, "")
        self.place = RepoRevision(context, repo, ref)
        self.ref, self.commit, self.tree = self.place.ref, self.place.commit, self.place.tree

    @property
    def kind(self) -> str:
        """Kind of the revision: branch, tag or commit."""
        if self.git.ref(f"refs/heads/{self.ref}") is not None:
            return "branch"
        return "tag" if self.git.ref(f"refs/tags/{self.ref}") is not None else "commit"

    def json(self) -> dict[str, Any]:
        """Render the revision and path."""
        return {
            "ref": to_displayable(self.ref),
            "kind": self.kind,
            "sha": self.commit,
            "path": to_displayable(self.path),
            "address": quote_path(self.path),
        }

    def last(self) -> dict[str, Any] | None:
        """Return the commit that last changed this path, with the state of its checks."""
        rows = log(self.git, [self.commit], path=self.path or None, limit=1)
        return (
            None
            if not rows
            else {
                **Commits(self.context, self.repo, rows).in_order()[0],
                "state": state_of(self.context, self.repo, rows[0].sha1),
            }
        )


def state_of(context: GithubContext, repo: Repository, sha: str) -> str | None:
    """Return the combined state of a commit's checks: success, pending or failure; None without any."""
    found = rollup(states(context, repo, sha))
    return "failure" if found == FAILING else found


def brief(row: Row) -> BriefJson:
    """Render a commit for a table of files."""
    return {"sha": row.sha1, "title": row.message.partition("\n")[0], "at": when(row.committed_at)}


@app.operation(
    "web/content",
    units=1,
    source=SOURCE,
    examples=[HERE, {**HERE, "place": "main/README.md"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def content(call: Call, params: ContentPath) -> JsonObject:
    """Read the data of a files page: a folder with the last change of each entry and its README, or a file as text."""
    context = GithubContext(call)
    spot = PathAtRevision(context, context.repo(params.owner, params.repo), params.place)
    entry = spot.git.at(spot.tree, spot.path)
    if entry is None:
        raise OperationError("not_found")
    details = (
        _folder(spot, entry)
        if entry.kind == "tree"
        else _submodule(spot, entry)
        if entry.kind == "commit"
        else _file(spot, entry)
    )
    return {**spot.json(), "name": to_displayable(entry.name), "last": spot.last(), **details}


def _folder(spot: PathAtRevision, entry: Entry) -> FolderJson:
    changed = last_changes(spot.git, spot.commit, spot.path)
    entries = spot.git.entries(entry.sha, spot.path)
    listed_first = sorted(entries[:MOST_ENTRIES], key=lambda one: one.kind == "blob")
    return {
        "type": "dir",
        "entries": [_entry_json(spot, one, changed.get(one.name)) for one in listed_first],
        "left_out": max(0, len(entries) - MOST_ENTRIES),
        "commits": count(spot.git, [spot.commit]),
        "readme": _readme(spot),
    }


def _entry_json(spot: PathAtRevision, entry: Entry, row: Row | None) -> dict[str, Any]:
    kind = {"tree": "dir", "commit": "submodule"}.get(entry.kind, "symlink" if entry.mode == LINK else "file")
    line = {
        "name": to_displayable(entry.name),
        "address": quote_path(entry.path),
        "type": kind,
        "sha": entry.sha,
        "commit": brief(row) if row else None,
    }
    return line | ({"url": module_url(spot.place, entry.path)} if kind == "submodule" else {})


def _readme(spot: PathAtRevision) -> JsonObject | None:
    found = readme_of(spot.git, spot.tree, README_AT_ROOT if not spot.path else (spot.path,))
    data = b"" if found is None or found.mode == LINK else spot.git.blob(found.sha)
    if found is None or is_binary(data) or len(data) > MOST_TEXT:
        return None
    return {
        "name": to_displayable(found.name),
        "path": to_displayable(found.path),
        "address": quote_path(found.path),
        "text": data.decode("utf-8", "replace"),
    }


def _submodule(spot: PathAtRevision, entry: Entry) -> SubmoduleJson:
    return {"type": "submodule", "blob": entry.sha, "url": module_url(spot.place, entry.path)}


def _file(spot: PathAtRevision, entry: Entry) -> JsonObject:
    size = sizes(spot.git, [entry]).get(entry.sha, 0)
    data = spot.git.blob(entry.sha) if size <= MOST_TEXT else b""
    large = size > MOST_TEXT or data.count(b"\n") > MOST_LINES
    binary = is_binary(data)
    details = {
        "type": "symlink" if entry.mode == LINK else "file",
        "blob": entry.sha,
        "size": size,
        "executable": entry.mode == EXECUTABLE,
        "binary": binary,
        "large": large,
        "image": _image(entry, spot.git),
        "text": None if binary or large else data.decode("utf-8", "replace"),
        "lossy": not binary and not _is_text(data),
        "barred": _is_barred(spot),
    }
    if entry.mode == LINK:
        target = data.decode("utf-8", "surrogateescape")
        there = join_link(entry.path, target)
        return details | {
            "target": to_displayable(target),
            "target_address": quote_path(there) if there and spot.git.at(spot.tree, there) else None,
        }
    return details


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _image(entry: Entry, git: Repo) -> str | None:
    """Detect the image type of a file by its first bytes; SVG drawings, being text, are none."""
    if entry.name.rpartition(".")[2].lower() not in ("png", "jpg", "jpeg", "gif", "webp"):
        return None
    start = git.blob(entry.sha)[:8]
    return next((kind for magic, kind in IMAGES.items() if start.startswith(magic)), None)


def _is_barred(spot: PathAtRevision) -> bool:
    """Whether branch protection keeps the reader from committing to the branch."""
    if spot.kind != "branch":
        return False
    rule = rule_for(spot.context, spot.repo, spot.ref)
    return (rule is not None and bars(spot.context, spot.repo, rule)) or bars_pushes(spot.context, spot.repo, spot.ref)


def bars(context: GithubContext, repo: Repository, rule: Protection) -> bool:
    """Whether a rule keeps the caller from pushing to its branches at all."""
    if is_exempt(context, repo, rule):
        return False
    by_pull = rule.reviews is not None and not is_among(context, rule.bypassers, context.me)
    return rule.lock_branch or not may_push(context, repo, rule) or by_pull or bool(rule.contexts)


@app.operation(
    "web/revision",
    units=1,
    source=SOURCE,
    examples=[{**HERE, "place": "main/README.md"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def revision(call: Call, params: ContentPath) -> JsonObject:
    """Resolve an address to branch, tag or commit and path, and whether you may commit there; the path may be new."""
    context = GithubContext(call)
    spot = PathAtRevision(context, context.repo(params.owner, params.repo), params.place)
    return {**spot.json(), "barred": _is_barred(spot)}


@app.operation(
    "web/blame",
    units=1,
    source=SOURCE,
    examples=[{**HERE, "place": "main/README.md"}],
    raises=("not_found", "no_such", "empty_repository"),
)
def get_blame(call: Call, params: BlameWindow) -> JsonObject:
    """Read a file with the commit that introduced each line, for 1,000 lines from `first` on; beyond the end, the last."""
    context = GithubContext(call)
    spot = PathAtRevision(context, context.repo(params.owner, params.repo), params.place)
    entry = spot.git.at(spot.tree, spot.path)
    if entry is None or entry.kind != "blob":
        raise OperationError("not_found")
    details = _file(spot, entry)
    first = min(params.first, _last_window(str(details["text"] or "")))
    return {
        **spot.json(),
        "name": to_displayable(entry.name),
        "last": spot.last(),
        **details,
        "first": first,
        "spans": _spans(spot, first) if details["text"] is not None else [],
    }


def _last_window(text: str) -> int:
    """The first line of the last window of a text."""
    lines = text.count("\n") + (not text.endswith("\n"))
    return (max(lines, 1) - 1) // BLAME_LINES * BLAME_LINES + 1


def _spans(spot: PathAtRevision, first: int) -> list[JsonObject]:
    """The spans of a window, cut to it."""
    last = first + BLAME_LINES - 1
    found = [
        span._replace(first_line=max(span.first_line, first), last_line=min(span.last_line, last))
        for span in blame(spot.git, spot.commit, spot.path)
        if span.first_line <= last and span.last_line >= first
    ]
    people = accounts_by_email(spot.context, {span.commit.author_email for span in found})
    return [
        {
            "first": span.first_line,
            "last": span.last_line,
            **brief(span.commit),
            "path": to_displayable(span.path),
            "parent": span.commit.parents.split(" ")[0] or None,
            "name": span.commit.author_name,
            "author": user_json(spot.context, who) if (who := people.get(span.commit.author_email.lower())) else None,
        }
        for span in found
    ]


@app.operation("web/refs", units=1, source=SOURCE, examples=[HERE], raises=("not_found",))
def refs(call: Call, params: RefList) -> dict[str, list[str]]:
    """List the names of all branches and tags: the default branch first, newest tags first."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = context.git(repo)
    branches = [to_displayable(name.removeprefix("refs/heads/")) for name in git.refs("refs/heads/")]
    tags = [to_displayable(name.removeprefix("refs/tags/")) for name in git.refs("refs/tags/")]
    return {"branches": sorted(branches, key=lambda name: (name != repo.default_branch, name)), "tags": tags[::-1]}


@app.operation(
    "web/commit-states",
    units=1,
    source=SOURCE,
    examples=[{**HERE, "shas": ["$repos/get-branch:commit.sha"]}],
    raises=("not_found",),
)
def commit_states(call: Call, params: CommitStates) -> dict[str, str]:
    """Read the combined check state of commits: success, pending or failure; commits without checks are left out."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    found = {sha: state_of(context, repo, sha) for sha in params.shas}
    return {sha: state for sha, state in found.items() if state}
