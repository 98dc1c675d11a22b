"""Changes of refs: the only way a branch or tag moves, at every door, and the effects of each change."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from apps.github.domain.context import GithubContext
from apps.github.domain.ref_rules import judge_ref_update
from apps.github.git import ZERO, Repo
from apps.github.git.history import Row, is_ancestor
from apps.github.models import Push, Repository
from apps.github.refusals import conflict, unprocessable
from world.core.errors import OperationError

BRANCH = "refs/heads/"
TOLD = 20  # commits of a push that other apps hear of


class Update(NamedTuple):
    """One ref from `old` to `new`; None for a ref that does not exist before or after. `forced`: not a fast forward."""

    ref: str
    old: str | None
    new: str | None
    forced: bool = False

    @property
    def branch(self) -> str | None:
        """The name of the branch; None for other refs."""
        return self.ref.removeprefix(BRANCH) if self.ref.startswith(BRANCH) else None


AfterPush = Callable[[GithubContext, Repository, Sequence[Update]], None]
AFTER_PUSH: list[
    AfterPush
] = []  # what pull requests and checks do then; their modules add to it when they are imported


def move_ref(
    context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None, *, force: bool = False
) -> Update:
    """Set, create (`old` None) or delete (`new` None) a ref, if its rules allow it. Raises unprocessable,
    protected_branch, conflict.
    """
    update = update_of(context, repo, ref, old, new)
    if update.forced and not force:
        raise unprocessable("Update is not a fast forward")
    ruling = judge_ref_update(context, repo, ref, old, new)
    if ruling.declined is not None:
        raise OperationError("protected_branch", why=ruling.why)
    git = context.git(repo)
    if not git.set_ref(ref, new, old):
        raise conflict(f"{ref} is at {git.ref(ref)} but expected {old}")
    record_push(context, repo, [update])
    return update


def update_of(context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None) -> Update:
    """Build the update of a ref; it is forced when a branch's new head does not descend from the old one."""
    git = context.git(repo)
    forced = ref.startswith(BRANCH) and old is not None and new is not None and not is_ancestor(git, old, new)
    return Update(ref, old, new, forced)


def record_push(context: GithubContext, repo: Repository, updates: Sequence[Update]) -> None:
    """Record changes of refs and run their effects."""
    for update in updates:
        context.add(
            Push(
                id=context.next_id("github_push"),
                repo_id=repo.id,
                account_id=context.me.id,
                ref=update.ref,
                old=update.old or ZERO,
                new=update.new or ZERO,
                forced=update.forced,
                created_at=context.call.now,
            )
        )
    repo.pushed_at = repo.updated_at = context.call.now
    context.add(repo)
    context.call.flush()
    for follow in AFTER_PUSH:
        follow(context, repo, updates)
    if context.call.has_listeners("github.pushed"):
        told: list[JsonValue] = [_describe_update(context, repo, update) for update in updates]
        context.call.publish("github.pushed", repo=context.full_name(repo), person=context.me.person_id, updates=told)


def _describe_update(context: GithubContext, repo: Repository, update: Update) -> dict[str, JsonValue]:
    """A change of a ref as other apps hear of it: with the first new commits, oldest first."""
    fresh = new_commits(context.git(repo), update, TOLD) if update.ref.startswith(BRANCH) else []
    site = context.as_kept().repo_html(repo)
    return {
        "ref": update.ref,
        "old": update.old,
        "new": update.new,
        "forced": update.forced,
        "commits": [
            {
                "sha": row.sha1,
                "message": row.message,
                "author": row.author_name,
                "email": row.author_email,
                "url": f"{site}/commit/{row.sha1}",
            }
            for row in fresh
        ],
    }


def new_commits(git: Repo, update: Update, most: int) -> list[Row]:
    """The first commits a change of a branch brought, oldest first; none for a deleted one."""
    if update.new is None:
        return []
    others = [target for name, target in git.refs(BRANCH).items() if name != update.ref]
    hidden = [update.old] if update.old is not None else others
    shas = [node.sha for node in git.graph.newest_first([update.new], git.graph.reachable(hidden))]
    return git.graph.rows(shas[::-1][:most])
