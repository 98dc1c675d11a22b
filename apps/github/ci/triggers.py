"""Triggers of runs: pushes, opened or updated pull requests, and manual requests."""

from collections.abc import Sequence

from apps.github.app import app
from apps.github.ci.run_queue import SKIPS, Cause, start
from apps.github.domain.context import GithubContext
from apps.github.domain.pull_git import Changes
from apps.github.domain.ref_updates import AFTER_PUSH, Update
from apps.github.git.tree_diff import list_changes
from apps.github.models import Repository
from apps.github.models_issues import Issue
from apps.github.models_pulls import Pull
from world.core.app import Facts
from world.core.call import Call
from world.core.clock import SECOND
from world.core.json_types import JsonObject

PULL_CHECKS = "github.pull_checks"
TRIED_US = 3 * SECOND  # a pull request's merge is tried first: one with conflicts has no runs
STARTING = frozenset({"opened", "synchronize", "reopened", "closed", "ready_for_review"})


def push(context: GithubContext, repo: Repository, updates: Sequence[Update]) -> None:
    """Start workflows for pushed branches and tags."""
    for update in updates:
        if update.new is not None and update.ref.startswith(("refs/heads/", "refs/tags/")):
            _start_for_push(context, repo, update)


def _start_for_push(context: GithubContext, repo: Repository, update: Update) -> None:
    git = context.git(repo)
    sha = git.peel(update.new or "")
    if sha is None:
        return
    message, tree = git.commit(sha).message.decode("utf-8", "replace"), git.tree_of(sha)
    if any(mark in message for mark in SKIPS):
        return
    before = git.peel(update.old) if update.old else None
    old = git.tree_of(before) if before else None

    def is_touched(path: str) -> bool:
        return old is None or git.at(old, path) != git.at(tree, path)

    name = update.ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    facts = {"before": before, "message": message[:2000]}
    start(
        context,
        repo,
        Cause(
            "push",
            update.ref,
            sha,
            tree,
            _subject(message),
            name,
            lambda: _paths(context, repo, old, tree),
            facts,
            touched=is_touched,
        ),
    )


def _subject(message: str) -> str:
    return (message.strip().splitlines() or [""])[0][:256]


def _paths(context: GithubContext, repo: Repository, old: str | None, new: str) -> list[str]:
    return [one.path for one in list_changes(context.git(repo), old, new, renames=False)]


def pull_changed(call: Call, facts: Facts, action: str) -> None:
    """Start workflows for an opened or changed pull request, once its merge has been tried."""
    if action in STARTING:
        call.later(PULL_CHECKS, call.now + TRIED_US, issue=facts["issue_id"], action=action, account=facts["actor_id"])


@app.on(PULL_CHECKS)
def check_pull(call: Call, facts: Facts) -> None:
    """Start the workflows of a pull request on its trial merge; not with conflicts, and once per head."""
    context = GithubContext(call).act_as(int(str(facts["account"])))
    issue = call.session.get(Issue, int(str(facts["issue"])))
    pull = call.session.get(Pull, issue.id) if issue is not None else None
    repo = context.repo_by_id(pull.repo_id) if pull is not None else None
    if issue is None or pull is None or repo is None:
        return
    action = str(facts["action"])
    git = context.git(repo)
    if git.kind(pull.head_sha) is None or (pull.mergeable is False and action != "closed"):
        return
    if any(mark in git.commit(pull.head_sha).message.decode("utf-8", "replace") for mark in SKIPS):
        return
    start(context, repo, _cause(context, repo, issue, pull, action))


def _cause(context: GithubContext, repo: Repository, issue: Issue, pull: Pull, action: str) -> Cause:
    git = context.git(repo)
    merged = git.ref(f"refs/pull/{issue.number}/merge") if pull.checked_head == pull.head_sha else None
    shown = merged or pull.head_sha
    facts: JsonObject = {
        "action": action,
        "number": issue.number,
        "head_ref": pull.head_ref,
        "base_ref": pull.base_ref,
        "merge_sha": merged,
    }
    return Cause(
        "pull_request",
        f"refs/pull/{issue.number}/merge",
        pull.head_sha,
        git.tree_of(shown),
        issue.title,
        pull.head_ref,
        lambda: [one.path for one in Changes(context, repo, issue, pull).changes],
        facts,
        pull_ids=[issue.id],
    )


AFTER_PUSH.append(push)
