"""Contexts available to the expressions of a run."""

from typing import Any

from apps.github.ci.workflow import Workflow
from apps.github.domain.context import GithubContext
from apps.github.models import Repository
from apps.github.models_actions import Run
from world.core.json_types import JsonObject

_JOBS = "SELECT key, conclusion FROM github_job WHERE run_id = :run AND attempt = :attempt ORDER BY id"
_VARIABLES = "SELECT name, value FROM github_variable WHERE repo_id = :repo AND environment = '' ORDER BY name"
_WORST = ("failure", "timed_out", "cancelled", "skipped", "success")


def contexts_of(context: GithubContext, repo: Repository, run: Run, workflow: Workflow) -> dict[str, Any]:
    """Return the contexts of a run: `github`, `vars`, `inputs`, `needs`, `runner` etc.; there are no secrets."""
    facts, ref = run.facts, str(run.facts.get("ref") or "")
    kind = "tag" if ref.startswith("refs/tags/") else "branch"
    github = {
        "event_name": run.event,
        "ref": ref,
        "ref_name": ref.removeprefix("refs/heads/").removeprefix("refs/tags/").removeprefix("refs/pull/"),
        "ref_type": kind,
        "head_ref": facts.get("head_ref") or "",
        "base_ref": facts.get("base_ref") or "",
        "sha": facts.get("merge_sha") or run.head_sha,
        "repository": context.full_name(repo),
        "repository_owner": context.account(repo.owner_id).login,
        "repository_id": str(repo.id),
        "actor": context.account(run.actor_id).login,
        "triggering_actor": context.account(run.trigger_id).login,
        "run_id": str(run.id),
        "run_number": str(run.number),
        "run_attempt": str(run.attempt),
        "workflow": workflow.name,
        "workspace": "/workspace",
        "server_url": "https://github.com",
        "api_url": "https://api.github.com",
        "token": "",
        "ref_protected": False,
        "event": _event(context, repo, run),
    }
    return {
        "github": github,
        "vars": dict(facts.get("vars") or {}),
        "inputs": dict(run.inputs),
        "needs": needs_of(context, run),
        "runner": {"os": "Linux", "arch": "X64", "temp": "/tmp", "name": "GitHub Actions 1", "debug": ""},
        "env": dict(workflow.env),
        "secrets": {},
        "steps": {},
        "job": {"status": "success"},
        "matrix": {},
        "strategy": {},
    }


def _event(context: GithubContext, repo: Repository, run: Run) -> JsonObject:
    event: JsonObject = {
        "repository": {"name": repo.name, "full_name": context.full_name(repo), "default_branch": repo.default_branch},
        "sender": {"login": context.account(run.trigger_id).login},
        "ref": run.facts.get("ref"),
        "action": run.facts.get("action"),
    }
    if run.event == "push":
        event |= {"after": run.head_sha, "head_commit": {"id": run.head_sha, "message": run.facts.get("message", "")}}
    if run.facts.get("number") is not None:
        head, base = ({"ref": run.facts.get(name)} for name in ("head_ref", "base_ref"))
        number = float(run.facts["number"])
        event |= {"number": number, "pull_request": {"number": number, "title": run.title, "head": head, "base": base}}
    if run.inputs:
        event["inputs"] = dict(run.inputs)
    return event | {name: run.facts[name] for name in ("client_payload",) if name in run.facts}


def variables_now(context: GithubContext, repo: Repository) -> dict[str, str]:
    """Return the current variables of a repository; a run keeps those it was started with."""
    return {name: value for name, value in context.call.all(_VARIABLES, {"repo": repo.id})}


def needs_of(context: GithubContext, run: Run) -> JsonObject:
    """Return the result of each job of this attempt, by key; a matrix job reports its worst result."""
    found: dict[str, str] = {}
    for key, conclusion in context.call.all(_JOBS, {"run": run.id, "attempt": run.attempt}):
        if conclusion is not None and (key not in found or _WORST.index(conclusion) < _WORST.index(found[key])):
            found[key] = conclusion
    return {key: {"result": "failure" if one == "timed_out" else one, "outputs": {}} for key, one in found.items()}
