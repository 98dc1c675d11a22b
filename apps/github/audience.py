"""Readers of a repository and its rows, by the rule of `list_visible_repositories`."""

from collections.abc import Iterator

from world.core.audience import PUBLIC, Audience, Cells, among, as_readers_of
from world.core.reading.part import Lookup


def of_repository(repo: Cells, lookup: Lookup) -> Audience:
    """Return everybody for a public repository, else the owner's permitted members, its teams and its collaborators."""
    if repo["visibility"] == "public":
        return PUBLIC
    accounts = {repo["owner_id"], *_collaborators(repo, lookup), *_members(repo, lookup)}
    people = (lookup.row("github_account", account) for account in accounts)
    return among(str(one["person_id"]) for one in people if one is not None and one["person_id"])


def _collaborators(repo: Cells, lookup: Lookup) -> Iterator[int]:
    rows = lookup.find("github_collaborator", repo_id=repo["id"])
    return (row["account_id"] for row in rows if row["permission"] != "none")


def _members(repo: Cells, lookup: Lookup) -> Iterator[int]:
    owner = lookup.row("github_account", repo["owner_id"])
    if owner is None or owner["kind"] != "Organization":
        return
    by_team = set(_team_members(repo, lookup))
    open_to_all = owner["base_permission"] != "none" or repo["visibility"] == "internal"
    for member in lookup.find("github_org_member", org_id=owner["id"]):
        if open_to_all or member["role"] == "admin" or member["account_id"] in by_team:
            yield member["account_id"]


def _team_members(repo: Cells, lookup: Lookup) -> Iterator[int]:
    """Yield the members of the teams that a repository is shared with, and of the teams below these."""
    teams = [row["team_id"] for row in lookup.find("github_repo_team", repo_id=repo["id"])]
    for team in teams:
        teams += [row["id"] for row in lookup.find("github_team", parent_id=team) if row["id"] not in teams]
        yield from (row["account_id"] for row in lookup.find("github_team_member", team_id=team))


of_part = as_readers_of("github_repository", "repo_id", of_repository)
of_issue_part = as_readers_of("github_issue", "issue_id", of_part)


def of_review(review: Cells, lookup: Lookup) -> Audience:
    """Return only the author until a review is submitted."""
    if review["state"] != "PENDING":
        return of_issue_part(review, lookup)
    author = lookup.row("github_account", review["author_id"])
    return among(str(one) for one in (author["person_id"] if author else None,) if one)
