"""A code host for the small company: an organisation, two teams, three repositories, and a short way to call operations
in it.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlmodel import Session

import apps.github
from apps.github.git import Repo, Signature
from apps.github.models import Account, Collaborator, Counter, OrgMember, Repository, RepoTeam, Team, TeamMember
from apps.github.models_issues import Issue, Label, Milestone
from tests.company import START, as_person, company_rows
from tests.conformance.github_client import HubClient
from world.core.app import App
from world.core.image_builder import build
from world.core.principal import Principal
from world.run.host import Host

Say = Callable[..., Any]
DAY = 86_400 * 1_000_000
AT = START // 1_000_000 - 10 * 86_400  # seconds: when the first commit was made
ADA, BO, CY, DEE, EVE, ORG = 101, 102, 103, 104, 105, 100
APP, SITE, SECRET = 501, 502, 503
FILES = {
    "README.md": b"# app\n\nIt counts.\n",
    "src/count.py": b"def count(n):\n    return list(range(n))\n",
    "src/__init__.py": b"",
    "tests/test_count.py": b"from src.count import count\n\n\ndef test_count():\n    assert count(2) == [0, 1]\n",
}


class Rows:
    """Stands where a call's `execute` does while an image is built."""

    def __init__(self, connection: Connection) -> None:
        self._raw: Any = connection.connection.driver_connection

    def execute(self, sql: str, values: Any = None) -> Any:
        return self._raw.execute(sql, values or {})

    def all(self, sql: str, values: Any = None) -> Any:
        return self.execute(sql, values).fetchall()

    def first(self, sql: str, values: Any = None) -> Any:
        return self.execute(sql, values).fetchone()

    def scalar(self, sql: str, values: Any = None) -> Any:
        row = self.first(sql, values)
        return None if row is None else row[0]


def account(id: int, login: str, handle: str, name: str) -> Account:
    """A person's account."""
    return Account(
        id=id,
        login=login,
        person_id=f"p_{handle}",
        name=name,
        email=f"{login}@tiny.example",
        created_at=START - DAY,
        updated_at=START - DAY,
    )


def rows() -> list[Any]:
    """The organisation `tiny`: Ada owns it, Bo writes through the team core, Cy and Dee read, Eve is outside."""
    made = [
        Account(
            id=ORG,
            login="tiny",
            kind="Organization",
            name="Tiny",
            email="dev@tiny.example",
            created_at=START - DAY,
            updated_at=START - DAY,
        ),
        account(ADA, "ada", "ada", "Ada Novak"),
        account(BO, "bo", "bo", "Bo Lindqvist"),
        account(CY, "cyrus", "cy", "Cyrus Patel"),
        account(DEE, "dee", "dee", "Dee Okafor"),
        account(EVE, "eve", "eve", "Eve Martin"),
        OrgMember(org_id=ORG, account_id=ADA, role="admin"),
        OrgMember(org_id=ORG, account_id=BO),
        OrgMember(org_id=ORG, account_id=CY),
        OrgMember(org_id=ORG, account_id=DEE),
        Team(id=1, org_id=ORG, slug="core", name="Core", created_at=START - DAY, updated_at=START - DAY),
        Team(id=2, org_id=ORG, slug="support", name="Support", created_at=START - DAY, updated_at=START - DAY),
        TeamMember(team_id=1, account_id=BO),
        TeamMember(team_id=1, account_id=ADA, role="maintainer"),
        TeamMember(team_id=2, account_id=CY),
        repository(APP, "app", number=2),
        repository(SITE, "site", visibility="public"),
        repository(SECRET, "secret"),
        RepoTeam(repo_id=APP, team_id=1, permission="push"),
        RepoTeam(repo_id=APP, team_id=2, permission="triage"),
        Collaborator(repo_id=SECRET, account_id=EVE, permission="pull", created_at=START - DAY),
        Label(id=1, repo_id=APP, name="bug", color="d73a4a", description="Something isn't working", default=True),
        Label(id=2, repo_id=APP, name="good first issue", color="7057ff"),
        Milestone(
            id=1, repo_id=APP, number=1, title="v1", creator_id=ADA, created_at=START - DAY, updated_at=START - DAY
        ),
        Issue(
            id=1,
            repo_id=APP,
            number=1,
            title="Counting is slow",
            body="See @bo, `@ada`.",
            author_id=CY,
            created_at=START - DAY,
            updated_at=START - DAY,
        ),
        Issue(
            id=2,
            repo_id=APP,
            number=2,
            title="Old one",
            author_id=DEE,
            state="closed",
            state_reason="completed",
            created_at=START - 2 * DAY,
            updated_at=START - DAY,
            closed_at=START - DAY,
            closed_by_id=ADA,
        ),
        *(
            Counter(name=f"github_{name}", next=1000)
            for name in ("issue", "label", "milestone", "comment", "event", "repository", "account", "team")
        ),
    ]
    return made


def repository(id: int, name: str, **more: Any) -> Repository:
    """A repository of the organisation."""
    values = {
        "visibility": "private",
        "created_at": START - 10 * DAY,
        "updated_at": START - DAY,
        "pushed_at": START - DAY,
    }
    return Repository(id=id, owner_id=ORG, name=name, name_key=name, **{**values, **more})


def history(git: Repo) -> str:
    """Three commits on main, a branch `feature` with one more, and the tag v0.1. Returns main's head."""
    ada, bo = (
        Signature("Ada Novak", "ada@tiny.example", AT, 60),
        Signature("Bo Lindqvist", "bo@tiny.example", AT + 3600, 60),
    )
    tree = git.put_changed_tree(None, {path: (0o100644, git.put_blob(data)) for path, data in FILES.items()})
    one = git.put_commit(tree, [], "Count things\n", ada, ada)
    tree = git.put_changed_tree(
        tree, {"src/count.py": (0o100644, git.put_blob(b"def count(n):\n    return [*range(n)]\n"))}
    )
    two = git.put_commit(tree, [one], "Unpack instead of list\n\nFaster.\n", bo, bo)
    tree = git.put_changed_tree(tree, {"docs/guide.md": (0o100644, git.put_blob(b"# Guide\n\nCount with `count`.\n"))})
    three = git.put_commit(
        tree, [two], "Write a guide\n", ada, Signature("Ada Novak", "ada@tiny.example", AT + 7200, 60)
    )
    work = git.put_changed_tree(
        tree, {"src/count.py": (0o100644, git.put_blob(b"def count(n):\n    return tuple(range(n))\n"))}
    )
    four = git.put_commit(
        work, [three], "Count in tuples\n", bo, Signature("Bo Lindqvist", "bo@tiny.example", AT + 9000, 60)
    )
    git.set_ref("refs/heads/main", three, None)
    git.set_ref("refs/heads/feature", four, None)
    git.set_ref("refs/tags/v0.1", one, None)
    return three


def load(connection: Connection) -> None:
    """The small company with its organisation and two repositories with history."""
    with Session(bind=connection) as session:
        session.add_all([*company_rows(), *rows()])
        session.commit()
    for id in (APP, SITE):
        history(Repo(Rows(connection), id))  # type: ignore[arg-type]


@pytest.fixture
def app() -> App:
    """The app under test."""
    return apps.github.app


@pytest.fixture
def usual() -> dict[str, str]:
    """Operations are called on tiny/app unless told."""
    return {"owner": "tiny", "repo": "app"}


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small company's code host."""
    return build(tmp_path_factory.mktemp("github") / "images", [apps.github.app], load, now=START)


@pytest.fixture
def somebody(host: Host) -> Callable[[str], Principal]:
    """A principal of the world by handle."""
    return lambda who: as_person(host, who)


@pytest.fixture
def client(host: Host) -> Iterator[HubClient]:
    """An HTTP client of the REST door whose every answer must be as published."""
    made = HubClient(host)
    with made.http:
        yield made
