"""Changes of several files by one commit on a branch, like a push of it."""

from typing import Annotated

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Exact, Path, Ref, RepoRef
from apps.github.domain.ref_updates import move_ref
from apps.github.domain.revisions import get_writable_repository
from apps.github.domain.tree_paths import check_tree_path
from apps.github.git.repo import FILE
from apps.github.operations.git.git_trees import check_nesting
from apps.github.operations.repositories.content_changes import Message
from apps.github.refusals import unprocessable
from apps.github.views.git_objects import RefJson, ref_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.params import Params

MOST = 1000


class FileText(Params):
    """A file and its new text."""

    path: Path = Field(description="The path of the file.", examples=["NOTES.md"])
    content: Annotated[Exact, Field(max_length=26_214_400)] = Field(
        description="The whole new text.", examples=["Notes\n"]
    )


class FilesPush(RepoRef):
    """Files to change by one commit."""

    branch: Ref = Field(description="The branch.", examples=["feature"])
    files: Annotated[list[FileText], Field(min_length=1, max_length=MOST)] = Field(
        description="The files: path and whole new content of each."
    )
    message: Message = Field(description="The commit message.", examples=["Add notes"])


@app.operation(
    "web/push-files",
    writes=True,
    units=1,
    source="docs.github.com/rest/guides/using-the-rest-api-to-interact-with-your-git-database",
    examples=[
        {
            "owner": "quayline",
            "repo": "payments",
            "branch": "$pulls/list:0.head.ref",
            "message": "Add notes",
            "files": [{"path": "NOTES.md", "content": "Notes\n"}],
        }
    ],
    raises=("not_found", "no_such", "archived", "conflict", "unprocessable", "protected_branch"),
)
def push_files(call: Call, params: FilesPush) -> RefJson:
    """Write several files by one commit on a branch, if its rules allow that; answers with the branch's ref."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git, branch = context.git(repo), params.branch.removeprefix("refs/heads/")
    head = git.branch(branch)
    if head is None and git.refs("refs/heads/"):
        raise OperationError("no_such", why=f"Branch {branch} not found")
    base = None if head is None else git.tree_of(head)
    changes: dict[str, tuple[int, str] | None] = {}
    for file in params.files:
        path = check_tree_path(file.path, "path")
        entry = None if base is None else git.at(base, path)
        if entry is not None and entry.kind != "blob":
            raise unprocessable(f"{path} is not a file")
        changes[path] = (entry.mode if entry else FILE, git.put_blob(file.content.encode()))
    check_nesting(changes)
    sha = git.put_commit(
        git.put_changed_tree(base, changes),
        [head] if head else [],
        params.message,
        context.signature(),
        context.signature(),
    )
    move_ref(context, repo, f"refs/heads/{branch}", head, sha)
    return ref_json(context, repo, f"refs/heads/{branch}", sha)
