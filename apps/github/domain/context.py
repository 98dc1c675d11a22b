"""Context of one call: caller, accounts, visible repositories, ids, addresses and permissions."""

import base64
import struct
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from sqlalchemy import bindparam
from sqlmodel import SQLModel, col, select

from apps.github.app import VENDOR_API, app
from apps.github.domain.markup import Autolink
from apps.github.git import Repo, Signature
from apps.github.models import Account, Repository
from world.core.call import Call
from world.core.clock import to_datetime
from world.core.errors import OperationError
from world.core.portraits import portrait_mark

M = TypeVar("M", bound=SQLModel)
LEVELS = ("none", "pull", "triage", "push", "maintain", "admin")  # each grants what stands before it
BASE = {"none": "none", "read": "pull", "write": "push", "admin": "admin"}
ROLE = {"none": "none", "pull": "read", "triage": "triage", "push": "write", "maintain": "maintain", "admin": "admin"}
WRITING = frozenset(LEVELS[2:])
_COLLABORATES = "SELECT permission FROM github_collaborator WHERE repo_id = :repo AND account_id = :who"
_MEMBER = "SELECT role FROM github_org_member WHERE org_id = :org AND account_id = :who"
NODES = {  # kind -> prefix of its node ids; the first letters of each are the vendor's
    "User": "U",
    "Organization": "O",
    "Bot": "BOT",
    "Repository": "R",
    "Issue": "I",
    "PullRequest": "PR",
    "IssueComment": "IC",
    "PullRequestReview": "PRR",
    "PullRequestReviewComment": "PRRC",
    "PullRequestReviewThread": "PRRT",
    "Label": "LA",
    "PinnedIssue": "PI",
    "Milestone": "MI",
    "Team": "T",
    "Release": "RE",
    "ReleaseAsset": "RA",
    "Reaction": "REA",
    "CheckRun": "CR",
    "CheckSuite": "CS",
    "StatusContext": "SC",
    "WorkflowRun": "WFR",
    "Workflow": "W",
    "CommitComment": "CC",
    "Deployment": "DE",
    "DeploymentStatus": "DES",
    "IssueType": "IT",
    "IssueEvent": "E",
    "Gist": "G",
    "GistComment": "GC",
    "ReviewDismissedEvent": "RDE",
    "HeadRef": "HR",
    "App": "A",
    "Environment": "EN",
    "RepositoryRuleset": "RRS",
}
KINDS = {prefix: kind for kind, prefix in NODES.items()}


def stamp(at: int | None) -> str | None:
    """Format a time as `2026-03-02T08:00:00Z`; None for None."""
    return None if at is None else f"{to_datetime(at).isoformat()[:19]}Z"


def rank(level: str) -> int:
    """Return the rank of a permission among all."""
    return LEVELS.index(level)


def node(kind: str, *numbers: int) -> str:
    """Return a node id: the kind's prefix and the packed numbers (repository and row, or the row alone)."""
    packed = bytes([0x90 + len(numbers) + 1, 0]) + b"".join(
        b"\xce" + struct.pack(">I", number & 0xFFFFFFFF) for number in numbers
    )
    return f"{NODES[kind]}_{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def git_node(prefix: str, repo_id: int, name: str) -> str:
    """Return the node id of git data: `C` commit, `T` tree, `B` blob, `REF` ref, `TA` tag, by SHA or name."""
    packed = b"\x93\x00\xce" + struct.pack(">I", repo_id) + bytes([0xD9, len(name.encode()) & 0xFF]) + name.encode()
    return f"{prefix}_{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def unnode(text: str) -> tuple[str, list[int]] | None:
    """Parse a node id into kind and numbers; None for an invalid id."""
    prefix, _, packed = text.rpartition("_")
    if prefix not in KINDS:
        return None
    try:
        raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except ValueError:
        return None
    if len(raw) < 7 or raw[1] != 0 or (len(raw) - 2) % 5 or any(raw[i] != 0xCE for i in range(2, len(raw), 5)):
        return None
    return KINDS[prefix], [struct.unpack(">I", raw[i + 1 : i + 5])[0] for i in range(2, len(raw), 5)]


_AMONG: dict[tuple[str, str], object] = {}


def among(model: Any, column: str) -> Any:
    """Return the cached select of rows by `:keys`: building a select costs as much as running it."""
    key = (str(model.__tablename__), column)
    if key not in _AMONG:
        _AMONG[key] = select(model).where(col(getattr(model, column)).in_(bindparam("keys", expanding=True)))
    return _AMONG[key]


class GithubContext:
    """Accounts, repositories and permissions of one call; nothing outlives it."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.api, self.reached = roots(call.base_url)
        self._accounts: dict[int, Account | None] = {}
        self._repos: dict[int, Repository | None] = {}
        self._levels: dict[tuple[int, int], str] = {}
        self._git: dict[int, Repo] = {}
        self.autolinks: dict[int, tuple[Autolink, ...]] = {}
        self._acting: Account | None = None

    @cached_property
    def html(self) -> str:
        """The public address of the pages: github.com, or the Enterprise host that was called."""
        return self.call.public_link("", app.name)

    @cached_property
    def _domain(self) -> str:
        return self.call.directory.company().domain

    @cached_property
    def _employees(self) -> dict[str, tuple[str, str]]:
        """First name and pronouns of each employee."""
        found = self.call.all("SELECT id, first_name, pronouns FROM person WHERE kind = 'employee'")
        return {id: (first_name, pronouns) for id, first_name, pronouns in found}

    def avatar(self, account: Account | None) -> str:
        """The address of an account's picture: an employee's portrait, or a pattern of the account's own."""
        drawn = account.person_id if account is not None and account.kind == "User" else None
        known = self._employees.get(drawn) if drawn else None
        mark = f"u={portrait_mark(self._domain, drawn, *known)}&" if drawn and known else ""
        return f"{self.reached}/avatars/u/{account.id if account else 0}?{mark}v=4"

    def as_kept(self) -> "GithubContext":
        """The same caller with the vendor's own addresses, for stored texts, which must be equal at every door."""
        kept = GithubContext(self.call)
        kept._acting = self._acting
        kept.api, kept.reached = roots(VENDOR_API)
        kept.html = self.call.get_kept_link("", app.name)
        return kept

    def rows(self, model: type[M], column: str, keys: Sequence[int]) -> Iterable[M]:
        """Return the rows of a table whose column has one of some keys."""
        return self.call.session.scalars(among(model, column), {"keys": keys})

    # -- who

    @cached_property
    def _caller(self) -> Account | None:
        id = self.call.scalar("SELECT id FROM github_account WHERE person_id = :person", {"person": self.call.person})
        return None if id is None else self.account(id)

    @property
    def me(self) -> Account:
        """The calling account. Raises bad_credentials for a person without one."""
        found = self._acting or self._caller
        if found is None:
            raise OperationError("bad_credentials")
        return found

    @property
    def is_system(self) -> bool:
        """Whether the system user calls, for nobody in particular."""
        return self._acting is None and self.call.person.startswith("system:")

    def act_as(self, account_id: int) -> "GithubContext":
        """Act as an account from here on, for later effects of its call."""
        self._acting = self.account(account_id)
        return self

    def account(self, id: int) -> Account:
        """Return an account by id; rows never refer to a missing one."""
        if id not in self._accounts:
            self._accounts[id] = self.call.session.get(Account, id)
        found = self._accounts[id]
        assert found is not None, f"no account {id}"
        return found

    def preload(self, ids: Iterable[int | None]) -> None:
        """Read the accounts that a list needs, in one query."""
        missing = sorted({id for id in ids if id is not None} - self._accounts.keys())
        if missing:
            self._accounts.update({row.id: row for row in self.rows(Account, "id", missing)})

    def by_login(self, login: str, *kinds: str) -> Account:
        """Return an account by login, case-insensitive. Raises not_found."""
        found = self.find_login(login)
        if found is None or (kinds and found.kind not in kinds):
            raise OperationError("not_found")
        return found

    def find_login(self, login: str) -> Account | None:
        """Find an account by login, or None."""
        from_text = login.removeprefix("@").lower()
        row = self.call.first("SELECT id FROM github_account WHERE lower(login) = :login", {"login": from_text})
        return self.account(row[0]) if row else None

    def by_email(self, email: str) -> Account | None:
        """Find the account of a commit's email address."""
        row = self.call.first(
            "SELECT id FROM github_account WHERE lower(email) = :email OR (kind = 'User' AND lower(:email) = id || '+'"
            " || lower(login) || '@users.noreply.github.com')",
            {"email": email.lower()},
        )
        return self.account(row[0]) if row else None

    def signature(self, account: Account | None = None) -> Signature:
        """Return the signature of an account at the current time."""
        who = account or self.me
        email = who.email or f"{who.id}+{who.login}@users.noreply.github.com"
        return Signature(who.name or who.login, email, self.call.now // 1_000_000)

    # -- repositories

    def repo(self, owner: str, name: str) -> Repository:
        """Return a repository the caller may see. Raises not_found."""
        row = self.call.first(
            "SELECT r.id FROM github_repository r JOIN github_account a ON a.id = r.owner_id WHERE lower(a.login) ="
            " :owner AND r.name_key = :name",
            {"owner": owner.lower(), "name": name.lower().removesuffix(".git")},
        )
        found = self.repo_by_id(row[0]) if row else None
        if found is None or not self.sees(found):
            raise OperationError("not_found")
        return found

    def repo_by_id(self, id: int) -> Repository | None:
        """Return a repository by id, visible or not."""
        if id not in self._repos:
            self._repos[id] = next(iter(self.rows(Repository, "id", [id])), None)
        return self._repos[id]

    def git(self, repo: Repository) -> Repo:
        """Return the git data of a repository."""
        if repo.id not in self._git:
            self._git[repo.id] = Repo(self.call, repo.id)
        return self._git[repo.id]

    def full_name(self, repo: Repository) -> str:
        """Return the full name of a repository: `quayline/payments`."""
        return f"{self.account(repo.owner_id).login}/{repo.name}"

    # -- what is allowed

    def level(self, repo: Repository, account: Account | None = None) -> str:
        """Return the highest permission of an account (default: the caller) on a repository, one of LEVELS."""
        if account is None and self.is_system:
            return "admin"
        who = account or self.me
        if (repo.id, who.id) not in self._levels:
            self._levels[repo.id, who.id] = max(self._grants(repo, who), key=rank)
        return self._levels[repo.id, who.id]

    def _grants(self, repo: Repository, who: Account) -> list[str]:
        owner = self.account(repo.owner_id)
        if owner.id == who.id:
            return ["admin"]
        grants = ["pull" if repo.visibility == "public" else "none"]
        own = self.call.scalar(_COLLABORATES, {"repo": repo.id, "who": who.id})
        if own is not None:
            grants.append(own)
        role = self.call.scalar(_MEMBER, {"org": owner.id, "who": who.id}) if owner.kind == "Organization" else None
        if role is not None:
            grants.append("admin" if role == "admin" else BASE[owner.base_permission])
            grants += ["pull"] if repo.visibility == "internal" else []
            grants += self._by_team(repo, who)
        return grants

    def _by_team(self, repo: Repository, who: Account) -> list[str]:
        rows = self.call.all(
            "SELECT team_id, permission FROM github_repo_team WHERE repo_id = :repo", {"repo": repo.id}
        )
        of_repo: dict[int, str] = {team: permission for team, permission in rows}
        return [of_repo[team] for team in self.teams_of(who) if team in of_repo] if of_repo else []

    def teams_of(self, who: Account) -> set[int]:
        """Return the teams of an account and the teams above them, whose permissions also apply."""
        own = {
            row[0]
            for row in self.call.all("SELECT team_id FROM github_team_member WHERE account_id = :who", {"who": who.id})
        }
        above_of = "SELECT id, parent_id FROM github_team WHERE parent_id IS NOT NULL"
        parents: dict[int, int] = {team: parent for team, parent in self.call.all(above_of)} if own else {}
        found = set(own)
        for team in own:
            above = parents.get(team)
            while above is not None and above not in found:
                found.add(above)
                above = parents.get(above)
        return found

    def sees(self, repo: Repository, account: Account | None = None) -> bool:
        """Whether an account (default: the caller) may see a repository."""
        return self.level(repo, account) != "none"

    def may(self, repo: Repository, level: str) -> bool:
        """Whether the caller has at least this permission."""
        return rank(self.level(repo)) >= rank(level)

    def need(self, repo: Repository, level: str, *, code: str = "forbidden") -> None:
        """Raise `code` unless the caller has at least this permission, or archived for a read-only repository."""
        if not self.may(repo, level):
            raise OperationError(code)
        if repo.archived and level in WRITING:
            raise OperationError("archived")

    # -- ids and addresses

    def next_id(self, table: str) -> int:
        """Return the next number of a sequence."""
        sql = (
            "INSERT INTO github_counter(name, next) VALUES (:name, 2) ON CONFLICT(name) DO UPDATE SET next = next + 1"
            " RETURNING next - 1"
        )
        return self.call.scalar(sql, {"name": table})

    def next_number(self, repo: Repository) -> int:
        """Return the number of a repository's next issue or pull request."""
        repo.number += 1
        return repo.number

    def add(self, row: SQLModel) -> None:
        """Add a new row."""
        self.call.session.add(row)

    def repo_api(self, repo: Repository) -> str:
        """Return the address of a repository in the API."""
        return f"{self.api}/repos/{self.full_name(repo)}"

    def page_path(self, address: str) -> str:
        """Return the path of a page's address, public or as the caller reached the service."""
        known = (self.html, self.reached, self.call.get_kept_link("", app.name))
        return next((address.removeprefix(root) for root in known if address.startswith(root)), address)

    def repo_html(self, repo: Repository) -> str:
        """Return the address of a repository's pages."""
        return f"{self.html}/{self.full_name(repo)}"


def roots(base: str) -> tuple[str, str]:
    """Return the roots of the API and of files, archives, pictures and git, from the address of a call."""
    scheme, _, rest = base.partition("://")
    if rest.startswith("api."):
        return base, f"{scheme}://{rest.removeprefix('api.')}"
    return f"{base}/api/v3", base
