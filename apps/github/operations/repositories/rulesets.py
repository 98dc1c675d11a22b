"""Rulesets of a repository: rules for branches and tags with matching names, and bypass lists."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError
from sqlmodel import col, select

from apps.github.app import app
from apps.github.domain.context import GithubContext
from apps.github.domain.params import Id, Line, Name, PageParams, Ref, RepoRef, page_of
from apps.github.domain.protection import BRANCH
from apps.github.domain.rulesets import ROLES, list_active
from apps.github.models import Account, Repository, Team
from apps.github.models_rules import Ruleset
from apps.github.refusals import invalid, unprocessable
from apps.github.views.rulesets import RuleJson, rules_json, ruleset_json, ruleset_summary
from world.core.call import Call
from world.core.errors import OperationError
from world.core.json_types import JsonObject
from world.core.params import Params

SOURCE = "docs.github.com/rest/repos/rules"
HERE = {"owner": "quayline", "repo": "payments"}
ONE = {**HERE, "ruleset_id": "$repos/create-repo-ruleset:id"}
MADE: dict[str, Any] = {
    **HERE,
    "name": "Releases",
    "enforcement": "active",
    "conditions": {"ref_name": {"include": ["refs/heads/release/*"], "exclude": []}},
    "rules": [{"type": "deletion"}, {"type": "non_fast_forward"}],
}
METHODS = ["merge", "squash", "rebase"]
UNFIT = "Invalid request.\n\nInvalid property /rules/{}: data matches no possible input. See `documentation_url`."
Target = Literal["branch", "tag"]
Enforcement = Literal["disabled", "active", "evaluate"]
Patterns = Annotated[list[Ref], Field(max_length=100)]


class Update(Params):
    """Parameters of `update`."""

    update_allows_fetch_and_merge: bool = False


class PullRequest(Params):
    """Parameters of `pull_request`."""

    allowed_merge_methods: Annotated[list[Literal["merge", "squash", "rebase"]], Field(min_length=1)] = Field(
        default_factory=lambda: list[Any](METHODS)
    )
    dismiss_stale_reviews_on_push: bool
    require_code_owner_review: bool
    require_last_push_approval: bool
    required_approving_review_count: Annotated[int, Field(ge=0, le=10)]
    required_review_thread_resolution: bool
    required_reviewers: Annotated[list[JsonObject], Field(max_length=0)] = Field(default_factory=list[JsonObject])


class StatusCheck(Params):
    """A required check."""

    context: Annotated[Line, Field(min_length=1)]
    integration_id: int | None = None


class StatusChecks(Params):
    """Parameters of `required_status_checks`."""

    do_not_enforce_on_create: bool = False
    required_status_checks: Annotated[list[StatusCheck], Field(min_length=1, max_length=100)]
    strict_required_status_checks_policy: bool


KINDS: dict[str, type[Params] | None] = {
    "creation": None,
    "update": Update,
    "deletion": None,
    "required_linear_history": None,
    "required_signatures": None,
    "pull_request": PullRequest,
    "required_status_checks": StatusChecks,
    "non_fast_forward": None,
}


class Rule(Params):
    """One rule."""

    type: Name = Field(description=f"What it is: {', '.join(KINDS)}.", examples=["deletion"])
    parameters: JsonObject | None = Field(default=None, description="What it asks for, as the API describes it.")


class BypassActor(Params):
    """A person or team that may bypass the rules."""

    actor_id: int | None = Field(default=None, description="A team's or user's id; of roles 2, 4 or 5.")
    actor_type: Literal["Integration", "OrganizationAdmin", "RepositoryRole", "Team", "DeployKey", "User"] = Field(
        description="What the id names."
    )
    bypass_mode: Literal["always", "pull_request", "exempt"] = Field(
        default="always", description="always, exempt, or pull_request: only by merging pull requests."
    )


class RefNames(Params):
    """Patterns of ref names."""

    include: Patterns = Field(
        default_factory=list[str], description="Patterns of whole refs, ~DEFAULT_BRANCH or ~ALL; one must fit."
    )
    exclude: Patterns = Field(default_factory=list[str], description="Patterns that must not fit.")


class Conditions(Params):
    """Refs that a ruleset applies to."""

    ref_name: RefNames | None = Field(default=None, description="By name.")


class RulesetFields(RepoRef):
    """Request fields shared by creating and updating a ruleset."""

    target: Target | None = Field(default=None, description="branch (the usual) or tag.")
    bypass_actors: Annotated[list[BypassActor], Field(max_length=100)] | None = Field(
        default=None, description="Whom the rules do not bind."
    )
    conditions: Conditions | None = Field(default=None, description="Which refs they are for; none when left out.")
    rules: Annotated[list[Rule], Field(max_length=100)] | None = Field(default=None, description="The rules.")


class RulesetNew(RulesetFields):
    """A ruleset to add."""

    name: Name = Field(description="Its name.", examples=["Releases"])
    enforcement: Enforcement = Field(description="active, evaluate or disabled.", examples=["active"])


class RulesetRef(RepoRef):
    """One ruleset."""

    ruleset_id: Id = Field(description="The ruleset's id.")


class RulesetChange(RulesetRef, RulesetFields):
    """Request fields for updating a ruleset."""

    name: Name | None = Field(default=None, description="Its name.")
    enforcement: Enforcement | None = Field(default=None, description="active, evaluate or disabled.")


class RulesetList(RepoRef, PageParams):
    """Filters of rulesets."""

    includes_parents: bool = Field(default=True, description="Whether those of the organisation are listed too.")
    targets: Line | None = Field(
        default=None, description="branch, tag or push, separated by commas; all when left out."
    )


class BranchRules(RepoRef, PageParams):
    """The rules of one branch."""

    branch: Ref = Field(description="The name of the branch; it need not be there.", examples=["main"])


def _find_administered(context: GithubContext, params: RepoRef) -> Repository:
    """Return a repository whose rulesets the caller may change. Raises not_found, archived."""
    repo = context.repo(params.owner, params.repo)
    context.need(repo, "admin", code="not_found")
    return repo


def _get_row(context: GithubContext, repo: Repository, id: int) -> Ruleset:
    row = context.call.session.get(Ruleset, id)
    if row is None or row.repo_id != repo.id:
        raise OperationError("not_found")
    return row


def _parse_rules(given: list[Rule]) -> list[dict[str, object]]:
    """Return rules as stored, with defaults for parameters left out. Raises unprocessable."""
    out: list[dict[str, object]] = []
    for place, one in enumerate(given):
        if one.type not in KINDS:
            raise unprocessable(UNFIT.format(place))
        model = KINDS[one.type]
        if model is None or (one.parameters is None and model is Update):
            out.append({"type": one.type})
            continue
        try:
            parsed = model.model_validate(one.parameters or {})
        except ValidationError:
            raise unprocessable(UNFIT.format(place)) from None
        out.append({"type": one.type, "parameters": parsed.model_dump(exclude_none=True)})
    if len({one["type"] for one in out}) < len(out):
        raise invalid("Ruleset", "rules", "custom", "Rules must be unique")
    return out


def _parse_actors(context: GithubContext, repo: Repository, given: list[BypassActor]) -> list[dict[str, object]]:
    """Return the bypass list as stored.

    Raises validation_failed for an actor that does not belong to the repository or its owner.
    """
    for one in given:
        if not _belongs(context, repo, one):
            word = "integration" if one.actor_type == "Integration" else one.actor_type
            said = f"Actor {word} must be part of the ruleset source or owner organization"
            raise invalid("Ruleset", "bypass_actors", "custom", said)
    return [one.model_dump() for one in given]


def _belongs(context: GithubContext, repo: Repository, one: BypassActor) -> bool:
    if one.actor_type == "RepositoryRole":
        return one.actor_id in ROLES
    if one.actor_type == "OrganizationAdmin":
        return context.account(repo.owner_id).kind == "Organization"
    if one.actor_type == "Team":
        team = context.call.session.get(Team, one.actor_id)
        return team is not None and team.org_id == repo.owner_id
    if one.actor_type == "User":
        account = context.call.session.get(Account, one.actor_id)
        return account is not None and account.kind == "User"
    return one.actor_type == "DeployKey" and one.actor_id is None


def _apply(context: GithubContext, repo: Repository, row: Ruleset, params: RulesetNew | RulesetChange) -> None:
    """Set the given fields. Raises unprocessable, validation_failed."""
    if params.name is not None:
        same = select(Ruleset).where(Ruleset.repo_id == repo.id, Ruleset.name == params.name, Ruleset.id != row.id)
        if context.call.session.exec(same).first() is not None:
            raise invalid("Ruleset", "name", "custom", "Name must be unique")
        row.name = params.name
    row.enforcement = params.enforcement or row.enforcement
    row.target = params.target or row.target
    if params.conditions is not None:
        names = params.conditions.ref_name or RefNames()
        row.include, row.exclude = list(names.include), list(names.exclude)
    if params.rules is not None:
        row.rules = _parse_rules(params.rules)
    if params.bypass_actors is not None:
        row.bypass = _parse_actors(context, repo, params.bypass_actors)


@app.operation(
    "repos/get-repo-rulesets",
    units=1,
    source=f"{SOURCE}#get-all-repository-rulesets",
    examples=[HERE],
    after=["repos/create-repo-ruleset"],
    raises=("not_found",),
)
def list_rulesets(call: Call, params: RulesetList) -> list[JsonObject]:
    """List the rulesets of a repository, without their rules."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = call.session.exec(select(Ruleset).where(Ruleset.repo_id == repo.id).order_by(col(Ruleset.id))).all()
    wanted = params.targets.split(",") if params.targets else None
    return page_of(
        [ruleset_summary(context, repo, row) for row in rows if wanted is None or row.target in wanted], params
    )


@app.operation(
    "repos/create-repo-ruleset",
    writes=True,
    units=1,
    source=f"{SOURCE}#create-a-repository-ruleset",
    examples=[MADE],
    raises=("not_found", "archived", "unprocessable", "validation_failed"),
)
def create_ruleset(call: Call, params: RulesetNew) -> JsonObject:
    """Add a ruleset; while it is active, pushes and merges that break its rules are refused.

    Deviates: signatures are kept and not enforced; there are no push rulesets, and no rules about metadata,
    deployments, workflows, merge queues or scans.
    """
    context = GithubContext(call)
    repo = _find_administered(context, params)
    row = Ruleset(
        id=context.next_id("github_ruleset"), repo_id=repo.id, name="", created_at=call.now, updated_at=call.now
    )
    _apply(context, repo, row, params)
    context.add(row)
    call.flush()
    return ruleset_json(context, repo, row)


@app.operation(
    "repos/get-repo-ruleset",
    units=1,
    source=f"{SOURCE}#get-a-repository-ruleset",
    examples=[ONE],
    after=["repos/create-repo-ruleset"],
    raises=("not_found",),
)
def get_ruleset(call: Call, params: RulesetRef) -> JsonObject:
    """Read a ruleset with its rules; administrators also see its bypass list."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    return ruleset_json(context, repo, _get_row(context, repo, params.ruleset_id))


@app.operation(
    "repos/update-repo-ruleset",
    writes=True,
    units=1,
    source=f"{SOURCE}#update-a-repository-ruleset",
    examples=[{**ONE, "enforcement": "disabled"}],
    after=["repos/create-repo-ruleset"],
    raises=("not_found", "archived", "unprocessable", "validation_failed"),
)
def update_ruleset(call: Call, params: RulesetChange) -> JsonObject:
    """Change a ruleset; given rules, conditions and bypass lists replace the old ones entirely."""
    context = GithubContext(call)
    repo = _find_administered(context, params)
    row = _get_row(context, repo, params.ruleset_id)
    _apply(context, repo, row, params)
    row.updated_at = call.now
    context.add(row)
    call.flush()
    return ruleset_json(context, repo, row)


@app.operation(
    "repos/delete-repo-ruleset",
    writes=True,
    units=1,
    source=f"{SOURCE}#delete-a-repository-ruleset",
    examples=[ONE],
    after=["repos/create-repo-ruleset"],
    raises=("not_found", "archived"),
)
def delete_ruleset(call: Call, params: RulesetRef) -> None:
    """Delete a ruleset; its rules no longer apply."""
    context = GithubContext(call)
    repo = _find_administered(context, params)
    call.session.delete(_get_row(context, repo, params.ruleset_id))


@app.operation(
    "repos/get-branch-rules",
    units=1,
    source=f"{SOURCE}#get-rules-for-a-branch",
    examples=[{**HERE, "branch": "main"}],
    raises=("not_found",),
)
def list_branch_rules(call: Call, params: BranchRules) -> list[RuleJson]:
    """List the active rules for a branch, each with its ruleset."""
    context = GithubContext(call)
    repo = context.repo(params.owner, params.repo)
    rows = list_active(context, repo, BRANCH + params.branch)
    return page_of([one for row in rows for one in rules_json(context, repo, row)], params)
