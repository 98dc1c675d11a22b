"""The code host on a port of its own, and a git client that asks it."""

import asyncio
import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from starlette.applications import Starlette
from starlette.routing import Mount

import apps.github
from apps.github import rest
from tests.company import as_person
from world.core.access import Tokens
from world.run.host import Host
from world.server.serve import server, tcp
from world.store import Base, Store

T = TypeVar("T")
ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "HOME": os.devnull,
    "PATH": os.environ["PATH"],
    "GIT_AUTHOR_NAME": "Bo",
    "GIT_AUTHOR_EMAIL": "bo@tiny.example",
    "GIT_COMMITTER_NAME": "Bo",
    "GIT_COMMITTER_EMAIL": "bo@tiny.example",
    "GIT_AUTHOR_DATE": "1772500000 +0100",
    "GIT_COMMITTER_DATE": "1772500000 +0100",
}


class GitServer:
    """The app's REST door over a host made on the server's own thread; `do` runs something there."""

    def __init__(self, image: Path, worlds: Path) -> None:
        self._image, self.worlds, self._ready = image, worlds, threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(60)

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.host = Host(Store(self.worlds, Base(self._image)), [apps.github.app], Tokens("test secret"))
        app = Starlette(routes=[Mount("/github", routes=rest.routes(self.host))])
        socket = tcp("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{socket.getsockname()[1]}/github"
        self._server = server(app, lifespan="off")
        self._ready.set()
        await self._server.serve(sockets=[socket])
        self.host.store.close()

    def do(self, job: Callable[[], T]) -> T:
        """Run something on the server's thread."""

        async def once() -> T:
            return job()

        return asyncio.run_coroutine_threadsafe(once(), self.loop).result(60)

    def stop(self) -> None:
        """End the server."""
        self._server.should_exit = True
        self._thread.join(30)

    def token(self, who: str, world: str = "w") -> str:
        """Somebody's token."""
        return self.do(
            lambda: self.host.tokens.issue(self.host.principal(world, as_person(self.host, who).person), "ghp_{}")
        )

    def address(self, who: str | None, repo: str = "tiny/app") -> str:
        """A repository's address, with somebody's token in it."""
        credentials = f"{who}:{self.token(who)}@" if who else ""
        return self.url.replace("://", f"://{credentials}") + f"/{repo}.git"


class Client:
    """A git client that works in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, *words: str, protocol: int = 2, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run git; whatever it answers."""
        command = ["git", "-c", f"protocol.version={protocol}", *words]
        return subprocess.run(
            command, cwd=self.folder, env={**ENVIRONMENT, **environment}, capture_output=True, text=True, timeout=60
        )

    def __call__(self, *words: str, protocol: int = 2, **environment: str) -> str:
        """Run git, which must succeed; what it prints."""
        ended = self.ask(*words, protocol=protocol, **environment)
        assert ended.returncode == 0, f"git {' '.join(words)}\n{ended.stderr}"
        return ended.stdout.strip()

    def refused(self, *words: str, protocol: int = 2) -> str:
        """Run git, which must fail; what it tells."""
        ended = self.ask(*words, protocol=protocol)
        assert ended.returncode != 0, f"git {' '.join(words)}\n{ended.stdout}"
        return ended.stderr

    def commit(self, **files: str) -> str:
        """Commit files (`name=content`; an underscore stands for the dot); returns the sha."""
        for name, content in files.items():
            path = self.folder / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        self("add", "-A")
        self("commit", "-q", "-m", f"Change {', '.join(files)}")
        return self("rev-parse", "HEAD")
