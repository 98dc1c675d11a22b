"""Settings pages of a repository: general, branch rules, access, webhooks, secrets and variables."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

from pydantic import JsonValue
from starlette.responses import Response

from apps.github.pages.code import around
from apps.github.pages.ui import pages
from apps.github.refusals import unprocessable
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import whole_number
from world.web import View, response_headers
from world.web.pages import PageContext

PARTS = (
    ("general", "General", "settings", ""),
    ("access", "Collaborators and teams", "users", "/access"),
    ("branches", "Branches", "git-branch", "/branches"),
    ("hooks", "Webhooks", "webhook", "/hooks"),
    ("secrets", "Secrets and variables", "key-round", "/secrets/actions"),
)
FEATURES = (("has_issues", "Issues", "Issues integrate lightweight task tracking into your repository."),)
MERGES = (
    (
        "allow_merge_commit",
        "Allow merge commits",
        "Add all commits from the head branch to the base branch with a merge commit.",
    ),
    (
        "allow_squash_merge",
        "Allow squash merging",
        "Combine all commits from the head branch into a single commit in the base branch.",
    ),
    (
        "allow_rebase_merge",
        "Allow rebase merging",
        "Add all commits from the head branch onto the base branch individually.",
    ),
    (
        "allow_update_branch",
        "Always suggest updating pull request branches",
        "Whenever there are new changes available in the base branch, present an “update branch” option.",
    ),
    ("allow_auto_merge", "Allow auto-merge", "Wait for merge requirements to be met and then merge automatically."),
    (
        "delete_branch_on_merge",
        "Automatically delete head branches",
        "Deleted branches will still be able to be restored.",
    ),
)
LEVELS = (("pull", "Read"), ("triage", "Triage"), ("push", "Write"), ("maintain", "Maintain"), ("admin", "Admin"))
RULES = (
    (
        "required_linear_history",
        "Require linear history",
        "Prevent merge commits from being pushed to matching branches.",
    ),
    (
        "required_conversation_resolution",
        "Require conversation resolution before merging",
        "All conversations on code must be resolved before merging.",
    ),
    ("lock_branch", "Lock branch", "Branch is read-only. Users cannot push to the branch."),
    ("allow_force_pushes", "Allow force pushes", "Permit force pushes for all users with push access."),
    ("allow_deletions", "Allow deletions", "Allow users with push access to delete matching branches."),
)
HOOK_EVENTS = (
    "push",
    "pull_request",
    "pull_request_review",
    "issues",
    "issue_comment",
    "create",
    "delete",
    "release",
    "check_run",
    "workflow_run",
    "status",
    "fork",
    "star",
)


def _around(view: View, owner: str, repo: str, part: str) -> PageContext:
    """Return the frame of a settings page. Raises not_found for readers who may not change settings."""
    found = around(view, owner, repo)
    if not found["may_admin"]:
        raise OperationError("not_found")
    words = next(words for key, words, _, _ in PARTS if key == part)
    return found | {
        "tab": "settings",
        "part": part,
        "settings_parts": PARTS,
        "levels": LEVELS,
        "title": f"{words} · Settings · {found['full_name']}",
    }


@pages.page("/{owner}/{repo}/settings", template="settings.html")
def general(view: View, owner: str, repo: str) -> PageContext:
    """Show the general settings of a repository."""
    found = _around(view, owner, repo, "general")
    return found | {"about": view.call("repos/get", owner=owner, repo=repo), "features": FEATURES, "merges": MERGES}


@pages.action("settings.switches")
def switches(view: View, given: JsonObject) -> Any:
    """Return the check boxes of a form; empty ones become false."""
    names = str(given.pop("switches", "")).split()
    return view.submit(
        "repos/update",
        {"owner": given["owner"], "repo": given["repo"], **{name: bool(given.get(name)) for name in names}},
    )


@pages.action("settings.topics")
def topics(view: View, given: JsonObject) -> Any:
    """Save description, website and topics."""
    here = {"owner": given["owner"], "repo": given["repo"]}
    view.submit(
        "repos/update",
        {**here, "description": str(given.get("description") or ""), "homepage": str(given.get("homepage") or "")},
    )
    names: list[JsonValue] = [*str(given.get("topics") or "").replace(",", " ").split()]
    return view.submit("repos/replace-all-topics", {**here, "names": names})


@pages.action("settings.delete")
def delete(view: View, given: JsonObject) -> Response:
    """Delete a repository after its name was typed."""
    here = {"owner": str(given["owner"]), "repo": str(given["repo"])}
    if str(given.get("typed") or "").strip() != f"{here['owner']}/{here['repo']}":
        raise unprocessable(f"Type {here['owner']}/{here['repo']} to confirm.")
    view.submit("repos/delete", here)
    there = view.url(f"/{here['owner']}")
    return (
        response_headers.elsewhere(there)
        if response_headers.is_fragment(view.request)
        else response_headers.see_other(there)
    )


@pages.page("/{owner}/{repo}/settings/access", template="settings_access.html")
def access(view: View, owner: str, repo: str) -> PageContext:
    """Show the people and teams with access."""
    found = _around(view, owner, repo, "access")
    here = {"owner": owner, "repo": repo}
    return found | {
        "people": view.call("repos/list-collaborators", **here, per_page=100),
        "teams": view.attempt("repos/list-teams", **here, per_page=100) or [],
        "direct": {
            one["login"] for one in view.read("repos/list-collaborators", **here, affiliation="direct", per_page=100)
        },
        "all_teams": view.attempt("teams/list", org=owner, per_page=100) or [],
        "invited": view.attempt("repos/list-invitations", **here, per_page=100) or [],
    }


@pages.page("/{owner}/{repo}/settings/branches", template="settings_branches.html")
def rules(view: View, owner: str, repo: str) -> PageContext:
    """Show the branches with rules, and the rule of one of them."""
    found = _around(view, owner, repo, "branches")
    here = {"owner": owner, "repo": repo}
    listed = view.call("repos/list-branches", **here, protected=True, per_page=100)
    branch = view.query.get("branch", "").strip()
    rule = view.attempt("repos/get-branch-protection", **here, branch=branch) if branch else None
    own = {one["name"]: view.attempt("repos/get-branch-protection", **here, branch=one["name"]) for one in listed}
    return found | {"protected": listed, "own": own, "branch": branch, "rule": rule or {}, "rules": RULES}


@pages.action("protection.save")
def save_rule(view: View, given: dict[str, object]) -> Any:
    """Save the rule of a branch from its form; lists of who may push, dismiss or bypass stay."""
    here = {"owner": given["owner"], "repo": given["repo"], "branch": str(given.get("branch") or "").strip()}
    before = view.attempt("repos/get-branch-protection", **here) or {}
    reviews = None
    if given.get("reviews"):
        kept = _review_lists(before.get("required_pull_request_reviews", {}))
        reviews = {
            **kept,
            "required_approving_review_count": whole_number(given.get("count"), 1),
            "dismiss_stale_reviews": bool(given.get("dismiss_stale")),
            "require_code_owner_reviews": bool(given.get("code_owners")),
            "require_last_push_approval": bool(given.get("last_push")),
        }
    names = [one.strip() for one in str(given.get("contexts") or "").replace(",", "\n").split("\n") if one.strip()]
    checks = {"strict": bool(given.get("strict")), "contexts": names} if given.get("checks") else None
    pushers = _names(before["restrictions"]) if before.get("restrictions") else None
    rule: dict[str, object] = {
        **here,
        "required_status_checks": checks,
        "enforce_admins": bool(given.get("enforce_admins")),
        "required_pull_request_reviews": reviews,
        "restrictions": pushers,
        **{name: bool(given.get(name)) for name, _, _ in RULES},
    }
    return view.submit("repos/update-branch-protection", rule)


def _review_lists(reviews: dict[str, Any]) -> dict[str, Any]:
    """Return the lists of people who may dismiss reviews or bypass them."""
    return {
        name: _names(reviews[name])
        for name in ("dismissal_restrictions", "bypass_pull_request_allowances")
        if reviews.get(name)
    }


def _names(people: dict[str, Any]) -> dict[str, list[str]]:
    return {
        "users": [one["login"] for one in people.get("users", [])],
        "teams": [one["slug"] for one in people.get("teams", [])],
        "apps": [one["slug"] for one in people.get("apps", [])],
    }


@pages.page("/{owner}/{repo}/settings/hooks", template="settings_hooks.html")
def hooks(view: View, owner: str, repo: str) -> PageContext:
    """The webhooks of a repository."""
    found = _around(view, owner, repo, "hooks")
    return found | {
        "hooks": view.call("repos/list-webhooks", owner=owner, repo=repo, per_page=100),
        "hook": None,
        "events": HOOK_EVENTS,
    }


@pages.page("/{owner}/{repo}/settings/hooks/new", template="settings_hook.html")
def new_hook(view: View, owner: str, repo: str) -> PageContext:
    """A form for a webhook."""
    blank = {"id": None, "config": {"url": "", "content_type": "json"}, "events": ["push"], "active": True}
    return _around(view, owner, repo, "hooks") | {
        "hook": blank,
        "deliveries": [],
        "delivery": None,
        "events": HOOK_EVENTS,
    }


@pages.page("/{owner}/{repo}/settings/hooks/{hook_id:int}", template="settings_hook.html")
def hook(view: View, owner: str, repo: str, hook_id: int) -> PageContext:
    """Show a webhook with its deliveries."""
    found = _around(view, owner, repo, "hooks")
    here = {"owner": owner, "repo": repo, "hook_id": hook_id}
    one = view.call("repos/get-webhook", **here)
    asked = view.query.get("delivery", "")
    delivery = view.attempt("repos/get-webhook-delivery", **here, delivery_id=whole_number(asked)) if asked else None
    told = view.read("repos/list-webhook-deliveries", **here, per_page=30)
    return found | {"hook": one, "deliveries": told, "delivery": delivery, "events": HOOK_EVENTS}


@pages.action("hook.save")
def save_hook(view: View, given: dict[str, object]) -> Any:
    """Create or change a webhook."""
    here = {"owner": given["owner"], "repo": given["repo"]}
    chosen = given.get("events") or []
    config = {"url": str(given.get("url") or ""), "content_type": str(given.get("content_type") or "json")}
    shape = {
        "config": config | ({"secret": str(given["secret"])} if given.get("secret") else {}),
        "active": bool(given.get("active")),
        "events": {"all": ["*"], "push": ["push"]}.get(
            str(given.get("which")), chosen if isinstance(chosen, list) else [chosen]
        ),
    }
    if given.get("hook_id"):
        return view.submit("repos/update-webhook", {**here, **shape, "hook_id": whole_number(given["hook_id"])})
    return view.submit("repos/create-webhook", {**here, **shape})


@pages.page("/{owner}/{repo}/settings/secrets/actions", template="settings_secrets.html")
def secrets(view: View, owner: str, repo: str) -> PageContext:
    """Secrets and variables of workflows."""
    found = _around(view, owner, repo, "secrets")
    here = {"owner": owner, "repo": repo}
    listed = view.call("actions/list-repo-secrets", **here, per_page=100)
    return found | {
        "secrets": listed["secrets"],
        "variables": view.read("actions/list-repo-variables", **here, per_page=30)["variables"],
    }


@pages.action("secret.save")
def save_secret(view: View, given: JsonObject) -> Any:
    """Set a secret. As nobody can open a sealed value, a digest of the value is sent in its place."""
    here = {"owner": given["owner"], "repo": given["repo"]}
    name, value = str(given.get("secret_name") or "").strip().upper(), str(given.get("value") or "")
    if not name or not value:
        raise unprocessable("A secret needs a name and a value.")
    key = view.submit("actions/get-repo-public-key", here)
    sealed = b64encode(sha256(b"sealed:" + value.encode()).digest() * 2).decode()
    view.submit(
        "actions/create-or-update-repo-secret",
        {**here, "secret_name": name, "encrypted_value": sealed, "key_id": key["key_id"]},
    )
    return {"name": name}
