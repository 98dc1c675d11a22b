"""Settings of protected branches: read, replaced, removed; reviews, status checks, administrators."""

from typing import Annotated, TypedDict

from pydantic import Field

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Int64, Line, Ref, RepoRef
from apps.github.domain.protection_actors import ActorNames, ActorParams, people_of, rule_refused
from apps.github.models import Protection, Repository
from apps.github.views.protection import allowances_json, people_json, restrictions_json
from apps.github.views.urls import quote_path
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "docs.github.com/rest/branches/branch-protection"
BRANCH = {"owner": "quayline", "repo": "payments", "branch": "main"}
MOST_REVIEWS = 6
MAX_CHECKS = 100
Contexts = Annotated[list[Line], Field(max_length=MAX_CHECKS)]


class AdminsJson(TypedDict):
    """Whether a rule applies to administrators."""

    url: str
    enabled: bool


class BranchRef(RepoRef):
    """One branch."""

    branch: Ref = Field(description="The name of the branch.", examples=["main"])


class Check(Params):
    """A required check."""

    context: Line = Field(description="The name of the check.")
    app_id: Int64 | None = Field(default=None, description="The app that must provide it; any when left out.")


class StatusChecks(Params):
    """Required status checks."""

    strict: bool | None = Field(default=None, description="Whether the branch must be up to date with its base.")
    contexts: Contexts | None = Field(default=None, description="Names of checks.")
    checks: Annotated[list[Check], Field(max_length=MAX_CHECKS)] | None = Field(
        default=None, description="Checks by name and app."
    )

    @property
    def names(self) -> list[str] | None:
        """The names of the checks; None when none are given."""
        if self.checks is None and self.contexts is None:
            return None
        return list(dict.fromkeys([*(self.contexts or []), *(one.context for one in self.checks or [])]))


class Reviews(Params):
    """Required reviews."""

    dismissal_restrictions: ActorParams | None = Field(
        default=None, description="Who may dismiss reviews; an empty object: everybody with write access."
    )
    dismiss_stale_reviews: bool | None = Field(
        default=None, description="Whether approvals end when something is pushed."
    )
    require_code_owner_reviews: bool | None = Field(
        default=None, description="Whether owners of the code must approve."
    )
    required_approving_review_count: Annotated[int, Field(ge=0, le=MOST_REVIEWS)] | None = Field(
        default=None, description="How many, 0 to 6."
    )
    require_last_push_approval: bool | None = Field(
        default=None, description="Whether somebody but the last pusher must approve."
    )
    bypass_pull_request_allowances: ActorParams | None = Field(
        default=None, description="Who may push without a pull request."
    )


class Restrictions(Params):
    """People, teams and apps that may push."""

    users: list[Line] = Field(description="Logins.")
    teams: list[Line] = Field(description="Slugs of teams.")
    apps: list[Line] | None = Field(default=None, description="Slugs of apps.")


class Rule(BranchRef):
    """The whole protection of a branch."""

    required_status_checks: StatusChecks | None = Field(
        description="Checks that must pass; null for none.", examples=[None]
    )
    enforce_admins: bool | None = Field(description="Whether it holds for administrators too.", examples=[True])
    required_pull_request_reviews: Reviews | None = Field(
        description="Reviews that must be there; null for none.", examples=[None]
    )
    restrictions: Restrictions | None = Field(
        description="Who may push; null for everybody with write access.", examples=[None]
    )
    required_linear_history: bool | None = Field(default=None, description="Whether merge commits are kept out.")
    allow_force_pushes: bool | None = Field(default=None, description="Whether history may be rewritten.")
    allow_deletions: bool | None = Field(default=None, description="Whether the branch may be deleted.")
    block_creations: bool | None = Field(
        default=None, description="Whether restrictions hold for creating such branches too."
    )
    required_conversation_resolution: bool | None = Field(
        default=None, description="Whether all conversations must be resolved."
    )
    lock_branch: bool | None = Field(default=None, description="Whether nobody may push.")
    allow_fork_syncing: bool | None = Field(
        default=None, description="Whether a locked branch may be synced from upstream."
    )


class ReviewChange(BranchRef, Reviews):
    """Request fields for updating the required reviews."""


class CheckChange(BranchRef, StatusChecks):
    """Request fields for updating the required checks."""


def branch_of(context: GithubContext, params: BranchRef) -> Repository:
    """Return the repository of a branch, for change by administrators. Raises not_found, branch_not_found, archived."""
    repo = _get_administered(context, params)
    context.need(repo, "admin", code="not_found")
    return repo


def _get_administered(context: GithubContext, params: BranchRef) -> Repository:
    """Return the repository of a branch, for an administrator. Raises not_found, branch_not_found."""
    repo = context.repo(params.owner, params.repo)
    if not context.may(repo, "admin"):
        raise OperationError("not_found")
    if context.git(repo).branch(params.branch) is None:
        raise OperationError("branch_not_found")
    return repo


def rule_seen(context: GithubContext, params: BranchRef) -> tuple[Repository, Protection]:
    """Return the rule of a branch, for reading. Raises not_found, branch_not_found, no_such."""
    repo = _get_administered(context, params)
    row = context.call.session.get(Protection, (repo.id, params.branch))
    if row is None:
        raise OperationError("no_such", why="Branch not protected")
    return repo, row


def rule_at(context: GithubContext, params: BranchRef) -> tuple[Repository, Protection]:
    """Return the rule of a branch, for a change. Raises not_found, branch_not_found, no_such, archived."""
    branch_of(context, params)
    return rule_seen(context, params)


def url_of(context: GithubContext, repo: Repository, branch: str) -> str:
    """Return the address of a branch's protection."""
    return f"{context.repo_api(repo)}/branches/{quote_path(branch)}/protection"


def rule_json(context: GithubContext, repo: Repository, row: Protection) -> JsonObject:
    """Render a rule (schemas branch-protection and protected-branch)."""
    url = url_of(context, repo, row.pattern)
    shown: JsonObject = {"url": url}
    if row.contexts is not None:
        shown["required_status_checks"] = checks_json(context, repo, row)
    if row.reviews is not None:
        shown["required_pull_request_reviews"] = reviews_json(context, repo, row)
    if row.pushers is not None:
        shown["restrictions"] = restrictions_json(context, f"{url}/restrictions", row.pushers)
    return shown | {
        "required_signatures": {"url": f"{url}/required_signatures", "enabled": row.signatures},
        "enforce_admins": admins_json(context, repo, row),
        "required_linear_history": {"enabled": row.linear_history},
        "allow_force_pushes": {"enabled": row.force_pushes},
        "allow_deletions": {"enabled": row.deletions},
        "block_creations": {"enabled": row.block_creations},
        "required_conversation_resolution": {"enabled": row.conversation_resolution},
        "lock_branch": {"enabled": row.lock_branch},
        "allow_fork_syncing": {"enabled": row.fork_syncing},
    }


def checks_json(context: GithubContext, repo: Repository, row: Protection) -> JsonObject:
    """Render the checks a branch requires (schema status-check-policy)."""
    url, names = f"{url_of(context, repo, row.pattern)}/required_status_checks", row.contexts or []
    return {
        "url": url,
        "strict": row.strict,
        "contexts": names,
        "contexts_url": f"{url}/contexts",
        "checks": [{"context": name, "app_id": None} for name in names],
    }


def reviews_json(context: GithubContext, repo: Repository, row: Protection) -> JsonObject:
    """Render the reviews a branch requires (schema protected-branch-pull-request-review)."""
    shown = {
        "url": f"{url_of(context, repo, row.pattern)}/required_pull_request_reviews",
        "dismiss_stale_reviews": row.dismiss_stale,
        "require_code_owner_reviews": row.code_owners,
        "require_last_push_approval": row.last_push_approval,
        "required_approving_review_count": row.reviews or 0,
    }
    if row.dismissers is not None:
        url = f"{url_of(context, repo, row.pattern)}/dismissal_restrictions"
        shown["dismissal_restrictions"] = people_json(context, url, row.dismissers)
    if row.bypassers is not None:
        shown["bypass_pull_request_allowances"] = allowances_json(context, row.bypassers)
    return shown


def admins_json(context: GithubContext, repo: Repository, row: Protection) -> AdminsJson:
    """Render whether a rule applies to administrators."""
    return {"url": f"{url_of(context, repo, row.pattern)}/enforce_admins", "enabled": row.enforce_admins}


@app.operation(
    "repos/get-branch-protection",
    units=1,
    source=f"{SOURCE}#get-branch-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_rule(call: Call, params: BranchRef) -> JsonObject:
    """Read the protection of a branch."""
    context = GithubContext(call)
    return rule_json(context, *rule_seen(context, params))


@app.operation(
    "repos/update-branch-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-branch-protection",
    examples=[
        {
            **BRANCH,
            "required_status_checks": {"strict": False, "contexts": ["test"]},
            "enforce_admins": True,
            "required_pull_request_reviews": {"required_approving_review_count": 1},
            "restrictions": {"users": [], "teams": []},
        }
    ],
    raises=("not_found", "branch_not_found", "archived", "validation_failed"),
)
def update_rule(call: Call, params: Rule) -> JsonObject:
    """Protect a branch: required reviews and checks, who may push, force pushes, deletion. Omitted settings are off."""
    context = GithubContext(call)
    repo = branch_of(context, params)
    row = context.call.session.get(Protection, (repo.id, params.branch)) or Protection(
        repo_id=repo.id, pattern=params.branch
    )
    _set_reviews_anew(context, repo, row, params.required_pull_request_reviews)
    checks = params.required_status_checks
    row.contexts, row.strict = (checks.names or [], bool(checks.strict)) if checks is not None else (None, False)
    wanted = params.restrictions
    row.pushers = (
        None if wanted is None else people_of(context, repo, ActorNames(wanted.users, wanted.teams, wanted.apps or []))
    )
    row.enforce_admins, row.linear_history = bool(params.enforce_admins), bool(params.required_linear_history)
    row.force_pushes, row.deletions = bool(params.allow_force_pushes), bool(params.allow_deletions)
    row.block_creations, row.conversation_resolution = (
        bool(params.block_creations),
        bool(params.required_conversation_resolution),
    )
    row.lock_branch, row.fork_syncing = bool(params.lock_branch), bool(params.allow_fork_syncing)
    context.add(row)
    return rule_json(context, repo, row)


def _set_reviews_anew(context: GithubContext, repo: Repository, row: Protection, wanted: Reviews | None) -> None:
    row.reviews = row.dismissers = row.bypassers = None
    row.dismiss_stale = row.code_owners = row.last_push_approval = False
    if wanted is not None:
        row.reviews = 1
        set_reviews(context, repo, row, wanted)


def set_reviews(context: GithubContext, repo: Repository, row: Protection, wanted: Reviews) -> None:
    """Update the required reviews of a rule. Raises validation_failed."""
    if wanted.required_approving_review_count is not None:
        row.reviews = wanted.required_approving_review_count
    if wanted.dismiss_stale_reviews is not None:
        row.dismiss_stale = wanted.dismiss_stale_reviews
    if wanted.require_code_owner_reviews is not None:
        row.code_owners = wanted.require_code_owner_reviews
    if wanted.require_last_push_approval is not None:
        row.last_push_approval = wanted.require_last_push_approval
    if wanted.dismissal_restrictions is not None:
        row.dismissers = _actor_ids(context, repo, wanted.dismissal_restrictions)
    if wanted.bypass_pull_request_allowances is not None:
        row.bypassers = _actor_ids(context, repo, wanted.bypass_pull_request_allowances)


def _actor_ids(context: GithubContext, repo: Repository, who: ActorParams) -> dict[str, list[int]] | None:
    """Return the ids of named people; None for an empty object."""
    if who.users is None and who.teams is None and who.apps is None:
        return None
    return people_of(context, repo, ActorNames(who.users or [], who.teams or [], who.apps or []))


@app.operation(
    "repos/delete-branch-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-branch-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def delete_rule(call: Call, params: BranchRef) -> None:
    """Remove all protection of a branch."""
    context = GithubContext(call)
    call.session.delete(rule_at(context, params)[1])


@app.operation(
    "repos/get-pull-request-review-protection",
    units=1,
    source=f"{SOURCE}#get-pull-request-review-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_reviews(call: Call, params: BranchRef) -> JsonObject:
    """Read the reviews a branch requires."""
    context = GithubContext(call)
    repo, row = rule_seen(context, params)
    if row.reviews is None:
        raise OperationError("no_such", why="Required pull request reviews not enabled")
    return reviews_json(context, repo, row)


@app.operation(
    "repos/update-pull-request-review-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-pull-request-review-protection",
    examples=[{**BRANCH, "dismiss_stale_reviews": True}],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def update_reviews(call: Call, params: ReviewChange) -> JsonObject:
    """Change the reviews a branch requires."""
    context = GithubContext(call)
    repo, row = rule_at(context, params)
    row.reviews = 1 if row.reviews is None else row.reviews
    set_reviews(context, repo, row, params)
    return reviews_json(context, repo, row)


@app.operation(
    "repos/delete-pull-request-review-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-pull-request-review-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def delete_reviews(call: Call, params: BranchRef) -> None:
    """Stop requiring reviews on a branch."""
    context = GithubContext(call)
    repo, row = rule_at(context, params)
    _set_reviews_anew(context, repo, row, None)


@app.operation(
    "repos/get-status-checks-protection",
    units=1,
    source=f"{SOURCE}#get-status-checks-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_checks(call: Call, params: BranchRef) -> JsonObject:
    """Read the checks a branch requires."""
    context = GithubContext(call)
    return checks_json(context, *with_checks(rule_seen(context, params)))


def with_checks(found: tuple[Repository, Protection]) -> tuple[Repository, Protection]:
    """Return a rule that requires checks. Raises no_such."""
    if found[1].contexts is None:
        raise OperationError("no_such", why="Required status checks not enabled")
    return found


@app.operation(
    "repos/update-status-check-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-status-check-protection",
    examples=[{**BRANCH, "strict": True}],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived", "validation_failed"),
)
def update_checks(call: Call, params: CheckChange) -> JsonObject:
    """Change the checks a branch requires."""
    context = GithubContext(call)
    repo, row = rule_at(context, params)
    if row.contexts is None and params.names is None:
        raise rule_refused("contexts: must be given")
    row.contexts = params.names if params.names is not None else row.contexts
    row.strict = params.strict if params.strict is not None else row.strict
    return checks_json(context, repo, row)


@app.operation(
    "repos/remove-status-check-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#remove-status-check-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def delete_checks(call: Call, params: BranchRef) -> None:
    """Stop requiring checks on a branch."""
    context = GithubContext(call)
    row = with_checks(rule_at(context, params))[1]
    row.contexts, row.strict = None, False


@app.operation(
    "repos/get-admin-branch-protection",
    units=1,
    source=f"{SOURCE}#get-admin-branch-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such"),
)
def get_admins(call: Call, params: BranchRef) -> AdminsJson:
    """Read whether a branch's protection applies to administrators too."""
    context = GithubContext(call)
    return admins_json(context, *rule_seen(context, params))


@app.operation(
    "repos/set-admin-branch-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#set-admin-branch-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def set_admins(call: Call, params: BranchRef) -> AdminsJson:
    """Apply a branch's protection to administrators too."""
    context = GithubContext(call)
    repo, row = rule_at(context, params)
    row.enforce_admins = True
    return admins_json(context, repo, row)


@app.operation(
    "repos/delete-admin-branch-protection",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-admin-branch-protection",
    examples=[BRANCH],
    after=["repos/update-branch-protection"],
    raises=("not_found", "branch_not_found", "no_such", "archived"),
)
def delete_admins(call: Call, params: BranchRef) -> None:
    """Exempt administrators from a branch's protection."""
    context = GithubContext(call)
    rule_at(context, params)[1].enforce_admins = False
