"""What the stock git client does not send, and what a world's refs are after it."""

from collections.abc import Callable, Iterator

import httpx

from apps.github.git.wire.pack_writer import pack
from apps.github.git.wire.pkt import DELIM, FLUSH, pkt
from tests.apps.github.conftest import APP
from tests.apps.github.git_server import Client, GitServer
from world.store.queries import rows, value

Clone = Callable[..., Client]
EMPTY_PACK = pack([])
HERE = {"owner": "tiny", "repo": "app"}


def ref(server: GitServer, name: str, repo: int = APP) -> str | None:
    """What a ref points to."""
    found = server.do(
        lambda: rows(
            server.host.actors["w"].bound, "SELECT target FROM github_ref WHERE repo_id = ? AND name = ?", repo, name
        )
    )
    return found[0][0] if found else None


def change(server: GitServer, sql: str, *values: object) -> None:
    """Change rows of the world behind everybody's back."""

    def run() -> None:
        with server.host.actors["w"].events.step("test") as call:
            call.bound.raw.execute(sql, values)

    server.do(run)


def post(server: GitServer, who: str, service: str, body: bytes | Iterator[bytes], **headers: str) -> httpx.Response:
    """A request as no client of git's would send it."""
    kind = {"Content-Type": f"application/x-git-{service}-request", "Git-Protocol": "version=2"}
    with httpx.Client(auth=httpx.BasicAuth(who, server.token(who)), timeout=60) as client:
        return client.post(f"{server.url}/tiny/app.git/git-{service}", content=body, headers={**kind, **headers})


def status_of(server: GitServer) -> str:
    """How the last call ended."""
    return server.do(lambda: value(server.host.actors["w"].bound, "SELECT status FROM _call ORDER BY seq DESC LIMIT 1"))


def pushing(*commands: str, pack: bytes = b"", words: str = "report-status side-band-64k") -> bytes:
    """The body of a push."""
    first, *others = commands
    return pkt(f"{first}\0 {words}\n") + b"".join(pkt(f"{line}\n") for line in others) + FLUSH + pack


LS_REFS = pkt("command=ls-refs\n") + DELIM + pkt("ref-prefix refs/heads/\n") + FLUSH
