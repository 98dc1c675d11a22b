"""Conflicts of a pull request resolved on its page: the files with markers, and the resulting merge."""

from typing import Annotated, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Exact, Path
from apps.github.domain.pull_git import Changes
from apps.github.domain.pull_rows import EXAMPLE, PullRef, get_pull
from apps.github.domain.revisions import by_web
from apps.github.git import Repo
from apps.github.git.merge import Conflict, base_of, conflicts_between, merge_commits, merge_trees, render_conflicts
from apps.github.operations.pulls.merges import head_to_change, move_head
from apps.github.refusals import unprocessable
from world.core.call import Call
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "docs.github.com/pull-requests/collaborating-with-pull-requests/addressing-merge-conflicts/resolving-a-merge-conflict-on-github"
TOO_COMPLEX = "These conflicts are too complex to resolve in the web editor."
MARKERS = ("<<<<<<< ", ">>>>>>> ")
MOST_BYTES = 1_000_000
IN_CONFLICT = {**EXAMPLE, "pull_number": 41}  # of seeds/repos/payments


class SolvedFile(Params):
    """A file with its conflicts resolved."""

    path: Path = Field(description="The path of the file.")
    content: Annotated[Exact, Field(max_length=MOST_BYTES)] = Field(description="Its text.")


class Solutions(PullRef):
    """The resolved contents of the files in conflict."""

    files: Annotated[list[SolvedFile], Field(min_length=1, max_length=100)] = Field(
        description="Every file in conflict with its text."
    )


class ConflictedFile(TypedDict):
    """A file in conflict, with markers."""

    path: str
    content: str


class Conflicts(TypedDict):
    """Files in conflict; when the editor cannot resolve them, `files` is empty and `why` has the reason."""

    files: list[ConflictedFile]
    why: str | None


@app.operation("web/pulls/conflicts", units=1, source=SOURCE, examples=[IN_CONFLICT], raises=("not_found",))
def conflicts(call: Call, params: PullRef) -> Conflicts:
    """Read the files of a pull request that conflict with its base, with conflict markers."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    changes = Changes(context, repo, issue, pull)
    found = conflicts_between(changes.git, pull.head_sha, changes.base_tip) if changes.open else []
    if not all(_solvable(one) for one in found):
        return {"files": [], "why": TOO_COMPLEX}
    return {"files": [_mark_conflicts(changes.git, one, (pull.head_ref, pull.base_ref)) for one in found], "why": None}


def _solvable(one: Conflict) -> bool:
    return one.kind in ("content", "add/add") and all(
        side is not None and side.kind == "blob" for side in (one.ours, one.theirs)
    )


def _mark_conflicts(git: Repo, one: Conflict, names: tuple[str, str]) -> ConflictedFile:
    texts = [git.blob(side.sha) if side is not None else b"" for side in (one.base, one.ours, one.theirs)]
    return {
        "path": one.path,
        "content": render_conflicts(texts[0], texts[1], texts[2], names).decode("utf-8", "surrogateescape"),
    }


@app.operation(
    "web/pulls/resolve-conflicts",
    writes=True,
    units=1,
    source=SOURCE,
    examples=[
        {
            **IN_CONFLICT,
            "files": [{"path": f"$web/pulls/conflicts:files.{at}.path", "content": "Solved\n"} for at in (0, 1)],
        }
    ],
    raises=("not_found", "forbidden", "archived", "unprocessable", "protected_branch"),
)
def resolve_conflicts(call: Call, params: Solutions) -> JsonObject:
    """Merge the base into a pull request's branch with the files in conflict as given; all markers must be gone."""
    context = GithubContext(call)
    repo, issue, pull = get_pull(context, params)
    head_repo = head_to_change(context, repo, issue, pull)
    changes = Changes(context, repo, issue, pull)
    git = changes.git
    found = merge_commits(git, pull.head_sha, changes.base_tip).conflicts
    given = {one.path: one.content for one in params.files}
    if {one.path for one in found} != set(given) or not all(_solvable(one) for one in found):
        raise unprocessable("The conflicts have changed since. Reload the page and try again.")
    if any(line.startswith(MARKERS) for text in given.values() for line in text.split("\n")):
        raise unprocessable("Remove all conflict markers before marking a file as resolved.")
    tree = _write_tree(git, pull.head_sha, changes.base_tip, found, given)
    message = f"Merge branch '{pull.base_ref}' into {pull.head_ref}"
    sha = git.put_commit(tree, [pull.head_sha, changes.base_tip], message, context.signature(), by_web(context))
    return {"sha": move_head(context, repo, head_repo, pull, sha)}


def _write_tree(git: Repo, head: str, base: str, found: list[Conflict], given: dict[str, str]) -> str:
    """Write the merged tree with the files in conflict as resolved."""
    sides = {one.path: (one.theirs.mode, one.theirs.sha) for one in found if one.theirs is not None}
    agreed = git.put_changed_tree(git.tree_of(head), dict(sides))
    merged = merge_trees(git, base_of(git, head, base), agreed, git.tree_of(base)).tree
    if merged is None:
        raise unprocessable(TOO_COMPLEX)
    solved = {
        path: (sides[path][0], git.put_blob(text.encode("utf-8", "surrogateescape"))) for path, text in given.items()
    }
    return git.put_changed_tree(merged, dict(solved))
