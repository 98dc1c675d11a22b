"""Refs: read, create, move, delete."""

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Ref, RepoRef, Sha
from apps.github.domain.ref_updates import move_ref
from apps.github.domain.revisions import get_started_git, get_writable_repository
from apps.github.domain.tree_paths import is_ref_name
from apps.github.git import Repo
from apps.github.git.paths import collides
from apps.github.models import Repository
from apps.github.refusals import unprocessable
from apps.github.views.git_objects import RefJson, ref_json
from world.core.call import Call
from world.core.errors import OperationError

SOURCE = "docs.github.com/rest/git/refs"
OWN = ("refs/pull/", "refs/changes/")  # kept by the service itself
HERE = {"owner": "quayline", "repo": "payments"}


class RefParams(RepoRef):
    """One ref."""

    ref: Ref = Field(description="The ref without `refs/`: heads/main, tags/v1.", examples=["heads/main"])


class RefPrefix(RepoRef):
    """Refs by the start of their names."""

    ref: Ref = Field(
        default="",
        description="How the refs begin, without `refs/`: heads/feat, tags; empty for all.",
        examples=["heads/"],
    )


class RefNew(RepoRef):
    """A ref to create."""

    ref: Ref = Field(description="The full name: refs/heads/feature.", examples=["refs/heads/feature"])
    sha: Sha = Field(description="The SHA it points to.")


class RefMove(RefParams):
    """A ref to move."""

    sha: Sha = Field(description="The SHA it shall point to.")
    force: bool = Field(default=False, description="Move it even if commits are lost by that.")


def full(ref: str) -> str:
    """Return a ref with `refs/` in front."""
    return ref if ref.startswith("refs/") else f"refs/{ref}"


@app.operation(
    "git/get-ref",
    units=1,
    source=f"{SOURCE}#get-a-reference",
    examples=[{**HERE, "ref": "heads/main"}],
    raises=("not_found", "empty_repository"),
)
def get_ref(call: Call, params: RefParams) -> RefJson:
    """Read one branch or tag ref by its full name without `refs/`."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    target = get_started_git(context, repo).ref(full(params.ref))
    if target is None:
        raise OperationError("not_found")
    return ref_json(context, repo, full(params.ref), target)


@app.operation(
    "git/list-matching-refs",
    units=1,
    source=f"{SOURCE}#list-matching-references",
    examples=[{**HERE, "ref": "heads/"}],
    raises=("not_found", "empty_repository"),
)
def list_matching_refs(call: Call, params: RefPrefix) -> list[RefJson]:
    """List the refs with a prefix: `heads/feat` finds every branch that starts with feat."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return [
        ref_json(context, repo, name, target)
        for name, target in get_started_git(context, repo).refs(full(params.ref)).items()
    ]


@app.operation(
    "git/create-ref",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-reference",
    examples=[{**HERE, "ref": "refs/heads/feature/notes", "sha": "$git/get-ref:object.sha"}],
    raises=("not_found", "archived", "empty_repository", "unprocessable", "protected_branch"),
)
def create_ref(call: Call, params: RefNew) -> RefJson:
    """Create a branch (`refs/heads/…`) or tag (`refs/tags/…`) that points to an object."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git = get_started_git(context, repo)
    check_name(params.ref)
    if git.ref(params.ref) is not None:
        raise unprocessable("Reference already exists")
    if collides(git.refs(), params.ref):
        raise unprocessable("Reference update failed")
    sha = check_target(git, params.ref, params.sha)
    move_ref(context, repo, params.ref, None, sha)
    return ref_json(context, repo, params.ref, sha)


def check_name(ref: str) -> None:
    """Refuse names that git does not allow or the service reserves. Raises unprocessable."""
    if not ref.startswith("refs/") or ref.count("/") < 2:
        raise unprocessable("Reference name must start with 'refs/' and have at least two slashes.")
    if not is_ref_name(ref):
        raise unprocessable(f"{ref} is not a valid ref name.")
    if ref.startswith(OWN):
        raise unprocessable("Reference update failed")


def check_target(git: Repo, ref: str, sha: str) -> str:
    """Check the new target of a ref; a branch takes only a commit. Raises unprocessable."""
    sha = sha.lower()
    kind = git.kind(sha)
    if kind is None or (ref.startswith("refs/heads/") and kind != "commit"):
        raise unprocessable("Object does not exist")
    return sha


def _get_ref(git: Repo, ref: str) -> tuple[str, str]:
    """Return name and target of an existing ref. Raises unprocessable."""
    name = full(ref)
    target = git.ref(name)
    if target is None:
        raise unprocessable("Reference does not exist")
    if name.startswith(OWN):
        raise unprocessable("Reference update failed")
    return name, target


@app.operation(
    "git/update-ref",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-reference",
    after=["git/create-ref"],
    examples=[{**HERE, "ref": "heads/feature/notes", "sha": "$git/get-ref:object.sha"}],
    raises=("not_found", "archived", "unprocessable", "protected_branch"),
)
def update_ref(call: Call, params: RefMove) -> RefJson:
    """Move a branch or tag to another commit; `force` is needed when commits are lost."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    git = context.git(repo)
    name, old = _get_ref(git, params.ref)
    sha = check_target(git, name, params.sha)
    if sha != old:
        _check_forward(git, name, old, sha, params.force)
        move_ref(context, repo, name, old, sha, force=params.force)
    return ref_json(context, repo, name, sha)


def _check_forward(git: Repo, name: str, old: str, new: str, force: bool) -> None:
    """Refuse to move a tag without force; branches are checked where refs move."""
    if not force and not name.startswith("refs/heads/") and git.peel(old) != git.peel(new):
        raise unprocessable("Update is not a fast forward")


@app.operation(
    "git/delete-ref",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-reference",
    after=["git/create-ref"],
    examples=[{**HERE, "ref": "heads/feature/notes"}],
    raises=("not_found", "archived", "unprocessable", "protected_branch"),
)
def delete_ref(call: Call, params: RefParams) -> None:
    """Delete a branch or tag ref."""
    context = GithubContext(call)
    repo = get_writable_repository(context, params.owner, params.repo)
    name, old = _get_ref(context.git(repo), params.ref)
    check_deletable(repo, name)
    move_ref(context, repo, name, old, None)


def check_deletable(repo: Repository, name: str) -> None:
    """Refuse to delete the default branch. Raises unprocessable."""
    if name == f"refs/heads/{repo.default_branch}":
        raise unprocessable("Cannot delete the default branch")
