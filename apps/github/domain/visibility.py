"""Ids of all repositories an account may see, in one query; the result equals asking for each."""

import json
from dataclasses import dataclass

from apps.github.domain.context import GithubContext

_SEEN = """SELECT r.id FROM github_repository r JOIN github_account o ON o.id = r.owner_id
    LEFT JOIN github_org_member m ON o.kind = 'Organization' AND m.org_id = o.id AND m.account_id = :me
    WHERE r.visibility = 'public' OR r.owner_id = :me
    OR EXISTS(SELECT 1 FROM github_collaborator c WHERE c.repo_id = r.id AND c.account_id = :me AND c.permission <>
    'none')
    OR (m.account_id IS NOT NULL AND (m.role = 'admin' OR o.base_permission <> 'none' OR r.visibility = 'internal'
        OR EXISTS(SELECT 1 FROM github_repo_team t WHERE t.repo_id = r.id AND t.team_id IN (SELECT value FROM
        json_each(:teams)))))
    ORDER BY r.id"""


@dataclass(frozen=True, slots=True)
class VisibleRepositories:
    """Ids of repositories, ready for `IN (SELECT value FROM json_each(:seen))`."""

    ids: tuple[int, ...]

    @property
    def json(self) -> str:
        """The ids as a JSON list."""
        return json.dumps(self.ids)


def list_visible_repositories(context: GithubContext) -> VisibleRepositories:
    """Return the ids of every repository the caller may see."""
    if context.is_system:
        return VisibleRepositories(
            tuple(row[0] for row in context.call.all("SELECT id FROM github_repository ORDER BY id"))
        )
    teams = json.dumps(sorted(context.teams_of(context.me)))
    return VisibleRepositories(tuple(row[0] for row in context.call.all(_SEEN, {"me": context.me.id, "teams": teams})))
