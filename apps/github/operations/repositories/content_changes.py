"""Changes of single files, each by a commit of its own: create, replace, delete."""

from typing import Annotated, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Exact, Path, Ref, Reply, RepoRef, Sha
from apps.github.domain.ref_updates import move_ref
from apps.github.domain.revisions import SignatureParams, by_web, decode_base64, get_writable_repository, signature
from apps.github.domain.tree_paths import check_tree_path
from apps.github.git import Entry, Repo
from apps.github.git.repo import FILE, Signature
from apps.github.models import Repository
from apps.github.operations.repositories.contents import SOURCE, RepoRevision
from apps.github.refusals import conflict, unprocessable
from apps.github.views.git_objects import git_commit_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

MAX_CONTENT = 36_000_000  # letters: a file of 25 MB in base64
FILE_REF = [{"owner": "quayline", "repo": "payments", "path": "docs/notes/README.md"}]
Message = Annotated[Exact, Field(max_length=65_536)]


class ChangeJson(TypedDict):
    """Response of `_change_json`."""

    content: JsonObject
    commit: JsonObject


class FileChange(RepoRef):
    """A file to change by a commit of its own."""

    path: Path = Field(description="The path of the file.", examples=["NOTES.md"])
    message: Message = Field(description="The commit message.", examples=["Add notes"])
    branch: Ref | None = Field(default=None, description="The branch; the default branch if left out.")
    committer: SignatureParams | None = Field(default=None, description="Who commits; the site if left out.")
    author: SignatureParams | None = Field(
        default=None, description="Who wrote it; the committer, or the caller, if left out."
    )


class FilePut(FileChange):
    """A file to create or replace."""

    content: Annotated[Exact, Field(max_length=MAX_CONTENT)] = Field(
        description="The new content in base64.", examples=["Tm90ZXMK"]
    )
    sha: Sha | None = Field(
        default=None, description="The blob SHA of the file that is replaced; left out for a new file."
    )


class FileDelete(FileChange):
    """A file to delete."""

    sha: Sha = Field(description="The blob SHA of the file.")


class BranchFile:
    """The branch a file is changed on, and the file's present entry."""

    def __init__(self, context: GithubContext, params: FileChange) -> None:
        self.context, self.repo = context, get_writable_repository(context, params.owner, params.repo)
        self.git: Repo = context.git(self.repo)
        self.branch = (params.branch or self.repo.default_branch).removeprefix("refs/heads/")
        self.head = self.git.branch(self.branch)
        if self.head is None and self.git.refs("refs/heads/"):
            raise OperationError("no_such", why=f"Branch {self.branch} not found")
        self.path = check_tree_path(params.path, "path")
        self.tree = None if self.head is None else self.git.tree_of(self.head)
        self.entry = None if self.tree is None else self.git.at(self.tree, self.path)

    def commit_change(
        self, change: tuple[int, str] | None, message: str, author: Signature, committer: Signature
    ) -> str:
        """Commit a change of the file and move the branch. Raises conflict."""
        tree = self.git.put_changed_tree(self.tree, {self.path: change})
        sha = self.git.put_commit(tree, [self.head] if self.head else [], message, author, committer)
        try:
            move_ref(self.context, self.repo, f"refs/heads/{self.branch}", self.head, sha)
        except OperationError as refused:
            if refused.code != "protected_branch":
                raise
            word = "delete" if change is None else "update" if self.entry else "create"
            raise conflict(f"Could not {word} file: {refused.detail['why']}") from None
        return sha


def who(context: GithubContext, params: FileChange) -> tuple[Signature, Signature]:
    """Return author and committer of a change made by the API."""
    committer = signature(context, params.committer)
    author = signature(context, params.author) or committer or context.signature()
    return author, committer or by_web(context)


@app.operation(
    "repos/create-or-update-file-contents",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-or-update-file-contents",
    examples=[{**FILE_REF[0], "message": "Add notes", "content": "Tm90ZXMK"}],
    raises=("not_found", "no_such", "archived", "conflict", "unprocessable", "empty_repository"),
)
def create_or_update_file_contents(call: Call, params: FilePut) -> Reply:
    """Create a file, or replace one (then give its blob `sha`), by a commit on a branch."""
    context = GithubContext(call)
    spot = BranchFile(context, params)
    data = decode_base64(params.content)
    _check_sha(spot, params.sha)
    mode = spot.entry.mode if spot.entry else FILE
    message = params.message or f"{'Update' if spot.entry else 'Create'} {params.path}"
    blob = spot.git.put_blob(data)
    sha = spot.commit_change((mode, blob), message, *who(context, params))
    return Reply(
        _change_json(context, spot.repo, spot.branch, Entry(spot.path, mode, blob), len(data), sha),
        200 if spot.entry else 201,
    )


def _check_sha(spot: BranchFile, given: str | None) -> None:
    """Check that the caller names the blob they replace."""
    found = spot.entry
    if found is not None and found.kind != "blob":
        raise unprocessable(f"{spot.path} is not a file")
    if found is None and given is None:
        return
    if found is not None and given is None:
        raise unprocessable('Invalid request.\n\n"sha" wasn\'t supplied.')
    if found is None or found.sha != (given or "").lower():
        raise conflict(f"{spot.path} does not match {given}")


def _change_json(
    context: GithubContext, repo: Repository, branch: str, entry: Entry, size: int, sha: str
) -> ChangeJson:
    place = RepoRevision(context, repo, f"refs/heads/{branch}")
    place.ref = branch
    return {"content": place.entry_json(entry, "file", size), "commit": commit_of_change(context, repo, sha)}


def commit_of_change(context: GithubContext, repo: Repository, sha: str) -> JsonObject:
    """Render the commit in the response to a change (in schema file-commit)."""
    return git_commit_json(context, repo, sha)


@app.operation(
    "repos/delete-file",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-file",
    after=["repos/create-or-update-file-contents"],
    examples=[{**FILE_REF[0], "message": "Drop notes", "sha": "e38d7f6166c0658c5019b23a0f05a057b5fe7eb4"}],
    raises=("not_found", "no_such", "archived", "conflict", "unprocessable"),
)
def delete_file(call: Call, params: FileDelete) -> JsonObject:
    """Delete a file by a commit on a branch; give its blob `sha`."""
    context = GithubContext(call)
    spot = BranchFile(context, params)
    if spot.entry is None:
        raise OperationError("not_found")
    _check_sha(spot, params.sha)
    sha = spot.commit_change(None, params.message or f"Delete {params.path}", *who(context, params))
    return {"content": None, "commit": commit_of_change(context, spot.repo, sha)}
