"""Repository names: the vendor's normalisation, and availability."""

import re

from apps.github.domain.context import GithubContext
from apps.github.models import Account, Repository
from apps.github.refusals import invalid

MAX_NAME = 100
_OTHER = re.compile(r"[^A-Za-z0-9._-]+")


def available(context: GithubContext, owner: Account, name: str, *, but: Repository | None = None) -> str:
    """Return the normalised name of a new repository of this owner, if it is free. Raises validation_failed."""
    made = _OTHER.sub("-", name.strip())
    if not made or made in (".", "..") or made.lower().endswith((".git", ".wiki")) or len(made) > MAX_NAME:
        raise invalid("Repository", "name", "custom", "name is invalid")
    row = context.call.first(
        "SELECT id FROM github_repository WHERE owner_id = :owner AND name_key = :name",
        {"owner": owner.id, "name": made.lower()},
    )
    if row is not None and (but is None or row[0] != but.id):
        raise invalid("Repository", "name", "custom", "name already exists on this account")
    return made
