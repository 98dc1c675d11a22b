"""Branches and pull requests for tests: pushes without a client, and time that passes."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from apps.github.domain.context import GithubContext
from apps.github.domain.ref_updates import move_ref
from apps.github.models import Repository
from tests.apps.github.conftest import ADA, APP, BO, CY, DEE, EVE
from world.core.errors import OperationError
from world.run.host import Host

PEOPLE = {"ada": ADA, "bo": BO, "cy": CY, "dee": DEE, "eve": EVE}
SECOND = 1_000_000


def push(
    host: Host,
    branch: str,
    files: Mapping[str, str | None] | None = None,
    message: str = "Work",
    *,
    who: str = "bo",
    start: str | None = None,
    repo: int = APP,
    force: bool = False,
    author: str | None = None,
    merging: str | None = None,
) -> str:
    """Commit files (None: removed) on top of a branch, or of `start`, and push as somebody; the new head."""
    with host.actors["w"].events.step("push") as call:
        context = GithubContext(call).act_as(PEOPLE[who])
        where = context.repo_by_id(repo)
        assert isinstance(where, Repository)
        git = context.git(where)
        old = git.branch(branch)
        parent = git.resolve(start) if start is not None else old
        assert parent is not None
        signed = context.signature(context.account(PEOPLE[author or who]))
        changes = {
            path: None if text is None else (0o100644, git.put_blob(text.encode()))
            for path, text in (files or {}).items()
        }
        parents = [parent] + ([merging] if merging else [])
        sha = (
            git.put_commit(git.put_changed_tree(git.tree_of(parent), changes), parents, message, signed, signed)
            if files or merging
            else parent
        )
        move_ref(context, where, f"refs/heads/{branch}", old, sha, force=force)
        return sha


def delete(host: Host, branch: str, *, who: str = "bo", repo: int = APP) -> None:
    """Delete a branch by a push."""
    with host.actors["w"].events.step("push") as call:
        context = GithubContext(call).act_as(PEOPLE[who])
        where = context.repo_by_id(repo)
        assert where is not None
        move_ref(context, where, f"refs/heads/{branch}", context.git(where).branch(branch), None)


def later(host: Host, seconds: int = 5) -> None:
    """Let simulated time pass."""
    actor = host.actors["w"]
    actor.advance(actor.now + seconds * SECOND)


def rows(host: Host, sql: str) -> list[Any]:
    """Rows of the world's database."""
    with host.actors["w"].events.step("look") as call:
        return [tuple(row) for row in call.all(sql)]


def why(say: Callable[..., Any], operation: str, who: str = "ada", **arguments: Any) -> str:
    """The sentence of a refusal, else the field that is wrong, else its code."""
    with pytest.raises(OperationError) as caught:
        say(operation, who, **arguments)
    errors = caught.value.detail.get("errors")
    if not isinstance(errors, list):
        return str(caught.value.detail.get("why", caught.value.code))
    return errors[0] if isinstance(errors[0], str) else errors[0].get("message") or errors[0]["field"]
