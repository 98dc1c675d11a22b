"""CODEOWNERS: the owners of a repository's files. Source: docs.github.com/repositories/.../about-code-owners."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import NamedTuple

from sqlmodel import func, select

from apps.github.domain.context import GithubContext, rank
from apps.github.git import Repo
from apps.github.models import Account, Repository, RepoTeam, Team

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")  # the first that is there counts
MAX_BYTES = 3 * 1024 * 1024
_WORDS = re.compile(r"(?:\\.|[^\s\\])+")


class OwnerRule(NamedTuple):
    """A line of CODEOWNERS: a pattern and its owners (`@login`, `@org/team`, an address).

    Without owners, nobody owns the files.
    """

    line: int
    pattern: str
    owners: tuple[str, ...]

    def covers(self, path: str) -> bool:
        """Whether the pattern matches a file."""
        return _matches(self.pattern, path.split("/"))


def parse(text: str) -> list[OwnerRule]:
    """Parse the lines of CODEOWNERS; patterns that the vendor does not support (`!`, `[a-z]`) are left out."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        pattern, *owners = _WORDS.findall(line.lstrip()) or [""]
        if not pattern or pattern[0] in "#!" or "[" in pattern:
            continue
        kept = [name for name in _before_comment(owners) if "@" in name]
        found.append(OwnerRule(number, pattern.replace("\\", ""), tuple(kept)))
    return found


def _before_comment(words: list[str]) -> list[str]:
    return words[: next((at for at, word in enumerate(words) if word.startswith("#")), len(words))]


def _matches(pattern: str, names: list[str]) -> bool:
    """Whether a pattern matches: gitignore's rules, except that `docs/*` stays in its folder."""
    parts = pattern.strip("/").split("/")
    folder = pattern.endswith("/")
    if "/" not in pattern.rstrip("/"):
        parts = ["**", *parts]
    places = {0}
    for part in parts:
        if part == "**":
            places = set(range(min(places, default=len(names) + 1), len(names) + 1))
        else:
            places = {at + 1 for at in places if at < len(names) and fnmatchcase(names[at], part)}
    deeper = parts[-1] != "*" or (len(parts) == 2 and parts[0] == "**")
    return (len(names) in places and not folder) or (deeper and any(at < len(names) for at in places))


def owner_of(rules: Iterable[OwnerRule], path: str) -> OwnerRule | None:
    """Return the line that decides a file's owners: the last that covers it."""
    found = None
    for rule in rules:
        if rule.covers(path):
            found = rule
    return found


def rules_at(git: Repo, commit: str) -> list[OwnerRule]:
    """Read the owners from the CODEOWNERS file of a commit."""
    tree = git.tree_of(commit)
    for path in PLACES:
        entry = git.at(tree, path)
        if entry is not None and entry.kind == "blob":
            data = git.blob(entry.sha)
            return parse(data.decode("utf-8", "replace")) if len(data) < MAX_BYTES else []
    return []


class Owners(NamedTuple):
    """Owners of some files who may write: accounts and teams, each once, in order."""

    accounts: list[Account]
    teams: list[Team]


def resolve(context: GithubContext, repo: Repository, names: Iterable[str]) -> Owners:
    """Resolve the names of a line to accounts and teams; those who may not write are left out."""
    accounts: dict[int, Account] = {}
    teams: dict[int, Team] = {}
    for name in names:
        if "/" in name:
            team = find_team(context, name.removeprefix("@"))
            if team is not None and team_writes(context, repo, team):
                teams[team.id] = team
            continue
        account = context.find_login(name[1:]) if name.startswith("@") else context.by_email(name)
        if account is not None and rank(context.level(repo, account)) >= rank("push"):
            accounts[account.id] = account
    return Owners(list(accounts.values()), list(teams.values()))


def find_team(context: GithubContext, name: str) -> Team | None:
    """Find a team by `org/slug`."""
    org, _, slug = name.partition("/")
    owner = context.find_login(org)
    if owner is None:
        return None
    return context.call.session.exec(
        select(Team).where(Team.org_id == owner.id, func.lower(Team.slug) == slug.lower())
    ).first()


def team_writes(context: GithubContext, repo: Repository, team: Team) -> bool:
    """Whether a team, or a team above it, may write to a repository."""
    at: Team | None = team
    for _ in range(10):
        if at is None:
            return False
        grant = context.call.session.get(RepoTeam, (repo.id, at.id))
        if grant is not None and rank(grant.permission) >= rank("push"):
            return True
        at = context.call.session.get(Team, at.parent_id) if at.parent_id is not None else None
    return False


def groups(git: Repo, base: str, paths: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the distinct sets of owners of some files, in order; files without owners have none."""
    rules = rules_at(git, base)
    if not rules:
        return []
    found = (owner_of(rules, path) for path in paths)
    return list(dict.fromkeys(rule.owners for rule in found if rule is not None and rule.owners))
