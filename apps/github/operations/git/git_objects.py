"""Git objects: blobs, trees, commits and tags, read and written one by one."""

from typing import Annotated, Literal, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext, git_node
from apps.github.domain.params import Exact, Line, MediaType, Path, Raw, Ref, RepoRef, Sha
from apps.github.domain.revisions import (
    SignatureParams,
    decode_base64,
    encode_base64,
    get_started_git,
    get_writable_repository,
    signature,
)
from apps.github.git import Repo, Signature
from apps.github.refusals import unprocessable
from apps.github.views.git_objects import git_commit_json, tag_object_json
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject

SOURCE = "docs.github.com/rest/git"
HERE = {"owner": "quayline", "repo": "payments"}
MAX_TEXT = 36_000_000  # letters: a file of 25 MB in base64
Message = Annotated[Exact, Field(max_length=65_536)]


class BlobJson(TypedDict):
    """A file by its blob."""

    sha: str
    node_id: str
    size: int
    url: str
    content: str
    encoding: str


class BlobGet(RepoRef, MediaType):
    """A blob to read."""

    file_sha: Sha = Field(description="The SHA of the blob.")


class BlobNew(RepoRef):
    """A blob to create."""

    content: Annotated[Exact, Field(max_length=MAX_TEXT)] = Field(description="The content.", examples=["Notes"])
    encoding: Line = Field(default="utf-8", description="utf-8 or base64.")


class CommitGet(RepoRef):
    """A commit object to read."""

    commit_sha: Ref = Field(description="The SHA of the commit.")


class CommitNew(RepoRef):
    """A commit object to create."""

    message: Message = Field(description="The message.", examples=["Add notes"])
    tree: Sha = Field(description="The SHA of its tree.")
    parents: list[Sha] = Field(
        default_factory=list, max_length=100, description="The SHAs of its parents, none for a root commit."
    )
    author: SignatureParams | None = Field(default=None, description="Who wrote it; the caller now if left out.")
    committer: SignatureParams | None = Field(default=None, description="Who committed it; the author if left out.")
    signature: Annotated[Exact, Field(max_length=65_536)] | None = Field(
        default=None, description="A PGP signature; not kept."
    )


class TagGet(RepoRef):
    """An annotated tag to read."""

    tag_sha: Sha = Field(description="The SHA of the tag object.")


class TagNew(RepoRef):
    """A tag object to create; a ref makes it visible."""

    tag: Path = Field(description="The name of the tag.", examples=["v1.0"])
    message: Message = Field(description="The message.", examples=["First version"])
    object: Sha = Field(description="The SHA of what is tagged.")
    type: Literal["commit", "tree", "blob"] = Field(description="The kind of what is tagged.", examples=["commit"])
    tagger: SignatureParams | None = Field(default=None, description="Who tags; the caller now if left out.")


@app.operation(
    "git/get-blob",
    units=1,
    source=f"{SOURCE}/blobs#get-a-blob",
    examples=[{**HERE, "file_sha": "$repos/get-content:sha"}],
    raises=("not_found", "empty_repository"),
)
def get_blob(call: Call, params: BlobGet) -> Raw | BlobJson:
    """Read the content of a file by its blob SHA."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    git, sha = get_started_git(context, repo), params.file_sha.lower()
    if git.kind(sha) != "blob":
        raise OperationError("not_found")
    data = git.blob(sha)
    if params.mediaType == "raw":
        return Raw(data, "application/vnd.github.raw+json; charset=utf-8")
    return {
        "sha": sha,
        "node_id": git_node("B", repo.id, sha),
        "size": len(data),
        "url": f"{context.repo_api(repo)}/git/blobs/{sha}",
        "content": encode_base64(data),
        "encoding": "base64",
    }


@app.operation(
    "git/create-blob",
    writes=True,
    units=1,
    source=f"{SOURCE}/blobs#create-a-blob",
    examples=[{**HERE, "content": "Notes"}],
    raises=("not_found", "archived", "empty_repository", "unprocessable"),
)
def create_blob(call: Call, params: BlobNew) -> JsonObject:
    """Store a file's content as a blob, to be put into a tree."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git = get_started_git(context, repo)
    if params.encoding.lower() not in ("utf-8", "base64"):
        raise unprocessable("Invalid request.\n\nencoding must be utf-8 or base64.")
    data = decode_base64(params.content) if params.encoding.lower() == "base64" else params.content.encode()
    sha = git.put_blob(data)
    return {"sha": sha, "url": f"{context.repo_api(repo)}/git/blobs/{sha}"}


@app.operation(
    "git/get-commit",
    units=1,
    source=f"{SOURCE}/commits#get-a-commit-object",
    examples=[{**HERE, "commit_sha": "$git/get-ref:object.sha"}],
    raises=("not_found", "empty_repository"),
)
def get_commit(call: Call, params: CommitGet) -> JsonObject:
    """Read a commit object by its SHA: tree, parents, author and committer."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = get_started_git(context, repo).commit_named(params.commit_sha) if len(params.commit_sha) == 40 else None
    if sha is None:
        raise OperationError("not_found")
    return git_commit_json(context, repo, sha)


@app.operation(
    "git/create-commit",
    writes=True,
    units=1,
    source=f"{SOURCE}/commits#create-a-commit",
    examples=[
        {**HERE, "message": "Add notes", "tree": "$git/get-commit:tree.sha", "parents": ["$git/get-ref:object.sha"]}
    ],
    raises=("not_found", "archived", "empty_repository", "unprocessable"),
)
def create_commit(call: Call, params: CommitNew) -> JsonObject:
    """Store a commit of a tree; move a branch to it with git/update-ref.

    Deviates: a signature is not kept.
    """
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git = get_started_git(context, repo)
    tree, parents = params.tree.lower(), [one.lower() for one in params.parents]
    if git.kind(tree) != "tree":
        raise unprocessable("Tree SHA does not exist")
    if any(git.kind(one) != "commit" for one in parents):
        raise unprocessable("Parent SHA does not exist or is not a commit object")
    author = signature(context, params.author) or context.signature()
    committer = signature(context, params.committer) or author
    return git_commit_json(context, repo, git.put_commit(tree, parents, params.message, author, committer))


@app.operation(
    "git/get-tag",
    units=1,
    source=f"{SOURCE}/tags#get-a-tag",
    examples=[{**HERE, "tag_sha": "$git/create-tag:sha"}],
    raises=("not_found", "empty_repository"),
)
def get_tag(call: Call, params: TagGet) -> JsonObject:
    """Read an annotated tag by its SHA."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    sha = params.tag_sha.lower()
    if get_started_git(context, repo).kind(sha) != "tag":
        raise OperationError("not_found")
    return tag_object_json(context, repo, sha)


@app.operation(
    "git/create-tag",
    writes=True,
    units=1,
    source=f"{SOURCE}/tags#create-a-tag-object",
    examples=[
        {**HERE, "tag": "v1.0", "message": "First version", "object": "$git/get-ref:object.sha", "type": "commit"}
    ],
    raises=("not_found", "archived", "empty_repository", "unprocessable"),
)
def create_tag(call: Call, params: TagNew) -> JsonObject:
    """Store an annotated tag; make it visible with git/create-ref on refs/tags/…."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git, target = get_started_git(context, repo), params.object.lower()
    if git.kind(target) != params.type:
        raise unprocessable("Object does not exist")
    if not params.tag.strip() or any(letter in params.tag for letter in "\n\r\0"):
        raise unprocessable(f"{params.tag!r} is not a valid tag name.")
    return tag_object_json(context, repo, _create_tag(context, git, params, target))


def _create_tag(context: GithubContext, git: Repo, params: TagNew, target: str) -> str:
    tagger: Signature = signature(context, params.tagger) or context.signature()
    return git.put_tag(params.tag, target, params.type, params.message, tagger)
