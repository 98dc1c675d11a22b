"""Webhook payloads of repository events; and workflow runs that pull requests trigger."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from pydantic import JsonValue

from apps.github.app import app
from apps.github.ci.jobs import RUN_COMPLETED
from apps.github.ci.triggers import pull_changed
from apps.github.domain.context import GithubContext, stamp
from apps.github.domain.ref_updates import AFTER_PUSH, Update
from apps.github.git.history import between
from apps.github.models import Deployment, DeploymentStatus, Repository
from apps.github.models_actions import CheckRun, Run, Status
from apps.github.models_issues import Issue
from apps.github.views.checks import check_json, status_json
from apps.github.views.deployments import deployment_json
from apps.github.views.deployments import status_json as deployment_status_json
from apps.github.views.issues import one_json
from apps.github.views.pulls import load_surroundings, simple_json
from apps.github.views.runs import run_json
from apps.github.webhooks.delivery import hooks_for, queue_deliveries
from world.core.app import Facts
from world.core.call import Call
from world.core.json_types import JsonObject

MOST_COMMITS = 20  # told of one push; docs.github.com/webhooks/webhook-events-and-payloads#push allows 2048
ZERO = "0" * 40
PULLS = {
    "pull_opened": "opened",
    "pull_reopened": "reopened",
    "pull_closed": "closed",
    "pull_merged": "closed",
    "pull_synchronized": "synchronize",
    "pull_ready": "ready_for_review",
}
ISSUES = {"issue_opened": "opened", "issue_closed": "closed", "issue_reopened": "reopened"}


# -- pushes


class CommitJson(TypedDict):
    """Response of `_commit`."""

    id: JsonValue
    tree_id: JsonValue
    distinct: int
    message: JsonValue
    timestamp: str | None
    url: str
    author: JsonObject
    committer: JsonObject


def announce_push(context: GithubContext, repo: Repository, updates: Sequence[Update]) -> None:
    """Announce pushes, and created or deleted branches and tags."""
    wanted = {event: bool(hooks_for(context, repo, event)) for event in ("push", "create", "delete")}
    if not any(wanted.values()):
        return
    context = context.as_kept()
    for update in updates:
        kind = "branch" if update.branch is not None else "tag" if update.ref.startswith("refs/tags/") else None
        if kind is None:
            continue
        queue_deliveries(
            context,
            repo,
            "push",
            None,
            push_payload(context, repo, update.ref, update.old, update.new, forced=update.forced),
        )
        if update.old is None or update.new is None:
            name = update.ref.partition("/")[2].partition("/")[2]
            about = {
                "ref": name,
                "ref_type": kind,
                "pusher_type": "user",
                "master_branch": repo.default_branch,
                "description": repo.description,
            }
            queue_deliveries(context, repo, "create" if update.old is None else "delete", None, about)


AFTER_PUSH.append(announce_push)


def push_payload(
    context: GithubContext, repo: Repository, ref: str, old: str | None, new: str | None, *, forced: bool
) -> JsonObject:
    """Return the payload of a push."""
    git = context.git(repo)
    tip = git.peel(new) if new else None
    rows = (
        between(git, old, tip)[-MOST_COMMITS:]
        if tip and old and git.kind(old) == "commit"
        else git.graph.rows([tip])
        if tip
        else []
    )
    commits = [_commit(context, repo, row) for row in rows]
    html = context.repo_html(repo)
    return {
        "ref": ref,
        "before": old or ZERO,
        "after": new or ZERO,
        "created": old is None,
        "deleted": new is None,
        "forced": forced,
        "base_ref": None,
        "compare": f"{html}/compare/{(old or ZERO)[:12]}...{(new or ZERO)[:12]}",
        "commits": commits,
        "head_commit": commits[-1] if commits else None,
        "pusher": {"name": context.me.login, "email": context.me.email},
    }


def _commit(context: GithubContext, repo: Repository, row: Any) -> CommitJson:
    return {
        "id": row.sha1,
        "tree_id": row.tree,
        "distinct": True,
        "message": row.message.removesuffix("\n"),
        "timestamp": stamp(row.committed_at * 1_000_000),
        "url": f"{context.repo_html(repo)}/commit/{row.sha1}",
        "author": {"name": row.author_name, "email": row.author_email},
        "committer": {"name": row.committer_name, "email": row.committer_email},
    }


# -- what others publish


Heard = Callable[[GithubContext, Repository, Facts], None]


def _on(topic: str) -> Callable[[Heard], Heard]:
    """Subscribe to a repository event; the handler acts as the event's actor."""

    def declare(heard: Heard) -> Heard:
        @app.on(topic)
        def run(call: Call, facts: Facts) -> None:
            context = GithubContext(call).as_kept()
            repo = (
                context.repo_by_id(int(str(facts["repo_id"])))
                if "repo_id" in facts
                else _by_name(context, str(facts["repo"]))
            )
            actor = _actor(context, facts)
            if repo is not None and actor is not None:
                heard(context.act_as(actor), repo, facts)

        return heard

    return declare


def _by_name(context: GithubContext, name: str) -> Repository | None:
    sql = """SELECT r.id FROM github_repository r JOIN github_account a ON a.id = r.owner_id WHERE lower(a.login) || '/'
        || r.name_key = :name"""
    id = context.call.scalar(sql, {"name": name.lower()})
    return None if id is None else context.repo_by_id(id)


def _actor(context: GithubContext, facts: Facts) -> int | None:
    if "actor_id" in facts:
        return int(str(facts["actor_id"]))
    return context.call.scalar(
        "SELECT id FROM github_account WHERE person_id = :who OR login = :who ORDER BY id", {"who": facts["actor"]}
    )


def _issue(context: GithubContext, repo: Repository, facts: Facts) -> Issue | None:
    sql = "SELECT id FROM github_issue WHERE repo_id = :repo AND number = :number"
    id = context.call.scalar(sql, {"repo": repo.id, "number": facts["number"]})
    return None if id is None else context.call.session.get(Issue, id)


def _pull_event(topic: str, action: str) -> None:
    @_on(f"github.{topic}")
    def send_pull_event(context: GithubContext, repo: Repository, facts: Facts) -> None:
        pull_changed(context.call, facts, action)
        issue = _issue(context, repo, facts)
        if issue is not None and hooks_for(context, repo, "pull_request"):
            shown = {**simple_json(load_surroundings(context, repo, issue), issue), "merged": topic == "pull_merged"}
            queue_deliveries(context, repo, "pull_request", action, {"number": issue.number, "pull_request": shown})


def _issue_event(topic: str, action: str) -> None:
    @_on(f"github.{topic}")
    def send_issue_event(context: GithubContext, repo: Repository, facts: Facts) -> None:
        issue = _issue(context, repo, facts)
        if issue is not None and not issue.is_pull and hooks_for(context, repo, "issues"):
            queue_deliveries(context, repo, "issues", action, {"issue": one_json(context, repo, issue)})


for _topic, _action in PULLS.items():
    _pull_event(_topic, _action)
for _topic, _action in ISSUES.items():
    _issue_event(_topic, _action)


@_on("github.commented")
def announce_comment(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a comment."""
    issue = _issue(context, repo, facts)
    if issue is not None and hooks_for(context, repo, "issue_comment"):
        told = {"issue": one_json(context, repo, issue), "comment": {"body": facts["text"]}}
        queue_deliveries(context, repo, "issue_comment", "created", told)


@_on("github.review_submitted")
def announce_review(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a review."""
    issue = _issue(context, repo, facts)
    if issue is not None and hooks_for(context, repo, "pull_request_review"):
        review = {"id": facts["review_id"], "state": facts["state"], "body": facts["text"]}
        told = {"pull_request": simple_json(load_surroundings(context, repo, issue), issue), "review": review}
        queue_deliveries(context, repo, "pull_request_review", "submitted", told)


@_on("github.status_set")
def status_set(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a commit status."""
    row = context.call.session.get(Status, facts["status"])
    if row is not None and hooks_for(context, repo, "status"):
        queue_deliveries(
            context,
            repo,
            "status",
            None,
            {**status_json(context, repo, row), "sha": row.sha, "name": context.full_name(repo)},
        )


@_on("github.check_changed")
def check_changed(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a check."""
    row = context.call.session.get(CheckRun, facts["check"])
    if row is not None and hooks_for(context, repo, "check_run"):
        action = "completed" if row.status == "completed" else "created"
        queue_deliveries(context, repo, "check_run", action, {"check_run": check_json(context, repo, row)})


@_on(RUN_COMPLETED)
def run_completed(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a completed run."""
    run = context.call.session.get(Run, facts["run"])
    if run is not None and hooks_for(context, repo, "workflow_run"):
        queue_deliveries(context, repo, "workflow_run", "completed", {"workflow_run": run_json(context, repo, run)})


@_on("github.deployment_created")
def deployment_created(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a new deployment."""
    row = context.call.session.get(Deployment, facts["deployment"])
    if row is not None and hooks_for(context, repo, "deployment"):
        queue_deliveries(context, repo, "deployment", "created", {"deployment": deployment_json(context, repo, row)})


@_on("github.deployment_status")
def deployment_status(context: GithubContext, repo: Repository, facts: Facts) -> None:
    """Announce a deployment status."""
    row = context.call.session.get(Deployment, facts["deployment"])
    status = context.call.session.get(DeploymentStatus, facts["status"])
    if row is not None and status is not None and hooks_for(context, repo, "deployment_status"):
        told = {
            "deployment": deployment_json(context, repo, row),
            "deployment_status": deployment_status_json(context, repo, status),
        }
        queue_deliveries(context, repo, "deployment_status", "created", told)
