"""Clients that take only https, at the agents' plane itself: no proxy, the run's authority or one's own certificate."""

import shutil
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.clients.day import new_world, token
from tests.clients.test_github_commands import GH, needs_gh, run
from tests.conftest import Server
from world.server.serve import TlsListener, tcp
from world.server.tls_keys import certificates

Secure = Callable[[TlsListener], Server]
ENTERPRISE = "github.localhost"


@pytest.fixture
def listener() -> socket.socket:
    """A socket that is to speak TLS."""
    return tcp("127.0.0.1", 0)


@pytest.fixture
def serve(tiny: Path, tmp_path: Path) -> Iterator[Secure]:
    """Starts a server over the small company that speaks TLS too."""
    made: list[Server] = []

    def start(secure: TlsListener) -> Server:
        made.append(Server(tiny, tmp_path / "served", tls=secure))
        new_world(made[-1], limits="off")
        return made[-1]

    yield start
    for one in made:
        one.stop()


def test_git_clones_by_https_and_trusts_the_runs_authority_alone(
    serve: Secure, listener: socket.socket, tmp_path: Path
) -> None:
    hub = serve(TlsListener(listener))
    port, mine = listener.getsockname()[1], token(hub, "github", "ada")
    address = f"https://x:{mine}@127.0.0.1:{port}/github/tiny/app.git"
    run(tmp_path, ["git", "clone", "-q", address, "strange"], fails="certificate")
    run(tmp_path, ["git", "clone", "-q", address, "copy"], GIT_SSL_CAINFO=str(hub.up.authority))
    assert (tmp_path / "copy" / "README.md").read_text() == "# app\n\nIt counts.\n"


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_curl_reaches_an_app_by_a_name_of_its_own_and_its_links_stay_there(
    serve: Secure, listener: socket.socket, tmp_path: Path
) -> None:
    hub = serve(TlsListener(listener))
    port = listener.getsockname()[1]
    site = f"{ENTERPRISE}:{port}"
    asked = ["curl", "-sS", "--cacert", str(hub.up.authority), "--resolve", f"{site}:127.0.0.1"]
    asked += ["-H", f"Authorization: Bearer {token(hub, 'github', 'ada')}", f"https://{site}/api/v3/repos/tiny/app"]
    assert f'"url":"https://{site}/api/v3/repos/tiny/app"' in run(tmp_path, asked)


def test_a_certificate_of_ones_own_is_served_as_it_is(serve: Secure, listener: socket.socket, tmp_path: Path) -> None:
    ours = certificates(tmp_path / "ours", ["code.tiny.example"])
    hub = serve(TlsListener(listener, (ours.certificate, ours.key)))
    assert hub.up.authority is None
    headers = {"Authorization": f"token {token(hub, 'github', 'ada')}"}
    with httpx.Client(verify=ssl.create_default_context(cafile=ours.authority), headers=headers) as client:
        me = client.get(f"https://localhost:{listener.getsockname()[1]}/github/api/v3/user").json()
    assert me["login"] == "ada"


def _resolves(name: str) -> bool:
    try:
        return bool(socket.getaddrinfo(name, None))
    except OSError:
        return False


@needs_gh
@pytest.mark.skipif(not _resolves(ENTERPRISE), reason=f"{ENTERPRISE} does not lead to this machine here")
def test_gh_works_at_an_enterprise_host_without_a_proxy(serve: Secure, listener: socket.socket, tmp_path: Path) -> None:
    hub = serve(TlsListener(listener))
    site = f"{ENTERPRISE}:{listener.getsockname()[1]}"
    known = {
        "GH_HOST": site,
        "GH_ENTERPRISE_TOKEN": token(hub, "github", "ada"),
        "SSL_CERT_FILE": str(hub.up.authority),
    }
    listed = run(tmp_path, [GH, "issue", "list", "--repo", f"{site}/tiny/app"], **known)
    assert "Counting is slow" in listed
