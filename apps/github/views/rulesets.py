"""JSON shapes of rulesets. Source: docs.github.com/rest/repos/rules."""

from typing import TypedDict

from apps.github.domain.context import GithubContext, node, stamp
from apps.github.domain.rulesets import bypass_of
from apps.github.models import Repository
from apps.github.models_rules import Ruleset
from world.core.json_types import JsonObject


class RuleJson(TypedDict, total=False):
    """A rule for a branch, with its ruleset."""

    type: str
    parameters: JsonObject
    ruleset_source_type: str
    ruleset_source: str
    ruleset_id: int


def ruleset_summary(context: GithubContext, repo: Repository, row: Ruleset) -> JsonObject:
    """Render a ruleset for a list."""
    return {
        "id": row.id,
        "name": row.name,
        "target": row.target,
        "source_type": "Repository",
        "source": context.full_name(repo),
        "enforcement": row.enforcement,
        "node_id": node("RepositoryRuleset", repo.id, row.id),
        "_links": {
            "self": {"href": f"{context.repo_api(repo)}/rulesets/{row.id}"},
            "html": {"href": f"{context.repo_html(repo)}/rules/{row.id}"},
        },
        "created_at": stamp(row.created_at),
        "updated_at": stamp(row.updated_at),
    }


def ruleset_json(context: GithubContext, repo: Repository, row: Ruleset) -> JsonObject:
    """Render a whole ruleset; only administrators see its bypass list."""
    actors: dict[str, object] = {"bypass_actors": row.bypass} if context.may(repo, "admin") else {}
    return {
        **ruleset_summary(context, repo, row),
        "conditions": {"ref_name": {"include": row.include, "exclude": row.exclude}},
        "rules": row.rules,
        **actors,
        "current_user_can_bypass": bypass_of(context, repo, row),
    }


def rules_json(context: GithubContext, repo: Repository, row: Ruleset) -> list[RuleJson]:
    """Render the rules of a ruleset, each with its source."""
    origin: RuleJson = {
        "ruleset_source_type": "Repository",
        "ruleset_source": context.full_name(repo),
        "ruleset_id": row.id,
    }
    return [RuleJson(**one, **origin) for one in row.rules]
