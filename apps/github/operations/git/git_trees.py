"""Trees: listed, one level or recursively, and created from entries."""

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Exact, Line, Path, Ref, RepoRef, Sha
from apps.github.domain.revisions import get_started_git, get_writable_repository
from apps.github.domain.tree_paths import check_tree_path
from apps.github.git import Entry, Repo
from apps.github.git.repo import FOLDER, MODULE
from apps.github.models import Repository
from apps.github.refusals import unprocessable
from apps.github.views.git_objects import entry_json, sizes
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "docs.github.com/rest/git/trees"
HERE = {"owner": "quayline", "repo": "payments"}
MOST = 4_000  # entries of a whole tree in one answer; the vendor lists 100,000
MODES = {"100644": "blob", "100755": "blob", "120000": "blob", "040000": "tree", "160000": "commit"}


class TreeJson(TypedDict):
    """Response of `_tree_json`."""

    sha: str
    url: str
    truncated: bool
    tree: list[JsonObject]


class TreeGet(RepoRef):
    """A tree to list."""

    tree_sha: Ref = Field(description="The SHA of a tree or commit, or the name of a branch or tag.", examples=["main"])
    recursive: Line | None = Field(default=None, description="Any value lists the folders below too.")


class NewEntry(Params):
    """One entry of a tree to make."""

    path: Path | None = Field(default=None, description="The path of the file.", examples=["NOTES.md"])
    mode: Line | None = Field(
        default=None, description="100644 file, 100755 executable, 040000 folder, 160000 submodule, 120000 link."
    )
    type: Line | None = Field(default=None, description="blob, tree or commit.")
    sha: Sha | None = Field(default=None, description="The SHA of the object; null deletes the file.")
    content: Annotated[Exact, Field(max_length=26_214_400)] | None = Field(
        default=None, description="The text of the file, instead of a SHA."
    )


class TreeNew(RepoRef):
    """A tree to make."""

    tree: list[NewEntry] = Field(
        max_length=MOST,
        description="The entries: path, mode, type, and sha or content.",
        examples=[[{"path": "NOTES.md", "mode": "100644", "type": "blob", "content": "Notes"}]],
    )
    base_tree: Sha | None = Field(default=None, description="A tree or commit whose other entries stay.")


@app.operation(
    "git/get-tree",
    units=1,
    source=f"{SOURCE}#get-a-tree",
    examples=[{**HERE, "tree_sha": "main"}],
    raises=("not_found", "empty_repository"),
)
def get_tree(call: Call, params: TreeGet) -> TreeJson:
    """List a tree: one folder, or with `recursive` everything below it."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git = get_started_git(context, repo)
    sha = tree_named(git, params.tree_sha)
    if sha is None:
        raise OperationError("not_found")
    found = git.entries(sha) if params.recursive is None else git.walk(sha, folders=True)
    return _tree_json(context, repo, sha, found)


def tree_named(git: Repo, name: str) -> str | None:
    """Return the tree of a revision, or with this SHA."""
    if git.kind(name.lower()) == "tree":
        return name.lower()
    commit = git.resolve(name)
    return None if commit is None else git.tree_of(commit)


def _tree_json(context: GithubContext, repo: Repository, sha: str, found: Iterable[Entry]) -> TreeJson:
    git = context.git(repo)
    entries = list(islice(found, MOST + 1))
    known = sizes(git, entries)
    return {
        "sha": sha,
        "url": f"{context.repo_api(repo)}/git/trees/{sha}",
        "truncated": len(entries) > MOST,
        "tree": [entry_json(context, repo, entry, known.get(entry.sha)) for entry in entries[:MOST]],
    }


@app.operation(
    "git/create-tree",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-tree",
    examples=[{**HERE, "tree": [{"path": "NOTES.md", "mode": "100644", "type": "blob", "content": "Notes"}]}],
    raises=("not_found", "archived", "empty_repository", "unprocessable"),
)
def create_tree(call: Call, params: TreeNew) -> TreeJson:
    """Create a tree from entries, on top of `base_tree` if given; commit it with git/create-commit."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git = get_started_git(context, repo)
    base = None if params.base_tree is None else tree_named(git, params.base_tree)
    if params.base_tree is not None and base is None:
        raise unprocessable("base_tree is not a valid tree oid")
    if not params.tree:
        raise unprocessable("Invalid tree info")
    changes = dict(_change(git, base, entry) for entry in params.tree)
    check_nesting(changes)
    sha = git.put_changed_tree(base, changes)
    git.check_tree(sha)
    return _tree_json(context, repo, sha, git.entries(sha))


def _change(git: Repo, base: str | None, entry: NewEntry) -> tuple[str, tuple[int, str] | None]:
    path = check_tree_path(entry.path or "", "tree.path")
    given = entry.model_fields_set & {"sha", "content"}
    if given == {"sha", "content"} and entry.sha is not None and entry.content is not None:
        raise unprocessable("Must supply either tree.sha or tree.content, but not both")
    if entry.content is not None:
        return path, (_mode(entry, "blob"), git.put_blob(entry.content.encode()))
    if "sha" not in given:
        raise unprocessable("Must supply a valid tree.sha or tree.content")
    if entry.sha is None:
        if base is None or git.at(base, path) is None:
            raise unprocessable("GitRPC::BadObjectState")
        return path, None
    return path, _get_existing_entry(git, entry, entry.sha.lower())


def _get_existing_entry(git: Repo, entry: NewEntry, sha: str) -> tuple[int, str]:
    """Return mode and SHA of an entry given by SHA; a submodule's commit is not looked up."""
    mode = _mode(entry, "blob")
    kind = "commit" if mode == MODULE else "tree" if mode == FOLDER else "blob"
    if entry.type is not None and entry.type != kind:
        raise unprocessable("tree.type does not match tree.mode")
    if kind == "commit" and len(sha) == 40 and all(letter in "0123456789abcdef" for letter in sha):
        return mode, sha
    if git.kind(sha) != kind:
        raise unprocessable(f"tree.sha {sha} is not a valid {kind}")
    return mode, sha


def _mode(entry: NewEntry, kind: str) -> int:
    mode = entry.mode or next(mode for mode, one in MODES.items() if one == (entry.type or kind))
    if mode not in MODES:
        raise unprocessable("Must supply a valid tree.mode")
    if entry.content is not None and MODES[mode] != "blob":
        raise unprocessable("tree.content is for files only")
    return int(mode, 8)


def check_nesting(changes: dict[str, tuple[int, str] | None]) -> None:
    """Refuse a path that is both a file and a folder."""
    files = {path for path, change in changes.items() if change is not None and change[0] != FOLDER}
    for path in changes:
        parts = path.split("/")
        if any("/".join(parts[:end]) in files for end in range(1, len(parts))):
            raise unprocessable("tree.path contains a malformed path component")
