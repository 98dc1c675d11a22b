"""Repositories, issues and pull requests of a code host as its archives hold them; people are logins, times us."""

from dataclasses import dataclass, field

from seeds.imports.git_data import GitData
from seeds.imports.identities import Identity


@dataclass(slots=True)
class HubNote:
    """A comment, or a review with a state and the commit it is about."""

    author: str
    body: str
    created_at: int
    state: str = ""
    sha: str = ""


@dataclass(slots=True)
class HubIssue:
    """An issue, or a pull request if it has a head."""

    number: int
    title: str
    body: str
    author: str
    created_at: int
    updated_at: int = 0
    closed_at: int = 0
    reason: str = ""
    milestone: int = 0
    assignees: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    comments: list[HubNote] = field(default_factory=list)
    reviews: list[HubNote] = field(default_factory=list)
    head: tuple[str, str] = ("", "")  # branch, SHA
    base: tuple[str, str] = ("", "")
    merged_at: int = 0
    merge_sha: str = ""
    is_draft: bool = False


@dataclass(slots=True)
class HubRepository:
    """A repository; labels are (colour, description) by name, milestones (title, description, state, due, created)."""

    owner: str
    name: str
    description: str = ""
    is_private: bool = True
    is_archived: bool = False
    created_at: int = 0
    topics: list[str] = field(default_factory=list)
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    milestones: dict[int, tuple[str, str, str, int, int]] = field(default_factory=dict)
    issues: dict[int, HubIssue] = field(default_factory=dict)
    git: GitData | None = None


@dataclass(slots=True)
class HubExport:
    """All repositories by owner/name, and the people by login."""

    repositories: dict[str, HubRepository] = field(default_factory=dict)
    people: dict[str, Identity] = field(default_factory=dict)
    organisation: str = ""

    def meet(self, login: str, place: str) -> str:
        """A login that must be somebody; empty for nobody."""
        if login and login not in self.people:
            kind = "bot" if login.endswith("[bot]") else "employee"
            self.people[login] = Identity("github", login, handle=login.removesuffix("[bot]"), kind=kind, place=place)
        return login

    def get_repository(self, address: str) -> HubRepository:
        """The repository of an address or API address that ends in owner/name; made when it is new."""
        owner, name = (
            [*address.rstrip("/").split("/"), "", ""] if "/" not in address else address.rstrip("/").split("/")
        )[-2:]
        return self.repositories.setdefault(f"{owner}/{name}", HubRepository(owner, name))
