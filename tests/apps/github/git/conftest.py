"""A world with nothing but the code host's tables, and git repositories made by the `git` command to compare with."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.github.app import app
from apps.github.git import Repo
from apps.github.git.store import BLOB, COMMIT, TAG, TREE
from tests.company import image
from world.core.access import Tokens
from world.core.call import Call
from world.core.settings import Settings
from world.run.host import Host
from world.store import Base, Store

KINDS = {"blob": BLOB, "tree": TREE, "commit": COMMIT, "tag": TAG}
REPO = 1
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@x.example",
    "GIT_COMMITTER_NAME": "Cy",
    "GIT_COMMITTER_EMAIL": "cy@x.example",
}


class Git:
    """A bare repository of the `git` command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self("init", "-q", "--bare", "-b", "main")

    def run(self, *words: str, given: bytes | None = None, **more: str) -> subprocess.CompletedProcess[bytes]:
        """Run git and say how it ended."""
        command = ["git", *words]
        return subprocess.run(
            command, cwd=self.folder, input=given, capture_output=True, env={**ENVIRONMENT, **more}, check=False
        )

    def __call__(self, *words: str, given: bytes | None = None, **more: str) -> bytes:
        """What git answers to a command that must succeed."""
        done = self.run(*words, given=given, **more)
        assert done.returncode == 0, (words, done.stderr.decode())
        return done.stdout

    def lines(self, *words: str) -> list[str]:
        """The lines of an answer."""
        return self(*words).decode("utf-8", "surrogateescape").splitlines()

    def take(self, repo: Repo) -> None:
        """Copy every object that git has into rows."""
        listed = [line.split(" ")[0] for line in self.lines("cat-file", "--batch-all-objects", "--batch-check")]
        out = self("cat-file", "--batch", given="\n".join(listed).encode())
        start = 0
        while start < len(out):
            end = out.index(b"\n", start)
            _, kind, size = out[start:end].split(b" ")
            raw = out[end + 1 : end + 1 + int(size)]
            repo.store.put(KINDS[kind.decode()], raw)
            start = end + 2 + int(size)

    def give(self, repo: Repo) -> None:
        """Copy every object that rows have into git."""
        for sha in repo.store:
            kind, raw = repo.store.get_raw(sha)
            path = self.folder / "objects" / sha[:2].decode() / sha[2:].decode()
            if not path.exists():
                name = next(name for name, number in KINDS.items() if number == kind)
                assert self("hash-object", "-t", name, "-w", "--literally", "--stdin", given=raw).strip() == sha


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of a company with a code host and nothing in it."""
    return image(tmp_path_factory.mktemp("git"), [app])


@pytest.fixture
def call(sealed: Path, tmp_path: Path) -> Iterator[Call]:
    """A call in a world of its own."""
    host = Host(Store(tmp_path / "worlds", Base(sealed)), [app], Tokens("test secret"))
    actor = host.create("w", Settings(limits="off"))
    with actor.events.step("git") as made:
        yield made
    host.store.close()


@pytest.fixture
def repo(call: Call) -> Repo:
    """An empty repository as rows."""
    return Repo(call, REPO)


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """An empty repository of the git command."""
    return Git(tmp_path / "oracle.git")
