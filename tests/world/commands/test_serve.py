"""`firm serve` and `firm world` as processes: what is printed exists, and the end of an episode is on the console."""

import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from world.run.home import Home

SCENARIO = "flapping_alert"
TOOLS = re.compile(r"tools\s+(http://127\.0\.0\.1:\d+)/mcp\s+\(Authorization: Bearer (\S+)\)")


def firm(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "world", *arguments]


@pytest.fixture
def environment(home: Home, company: Path, tmp_path: Path) -> dict[str, str]:
    """A home of its own that knows the sealed company."""
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "home" / "images").symlink_to(home.images)
    return {**os.environ, "FIRM_HOME": str(tmp_path / "home"), "PYTHONUNBUFFERED": "1"}


class Console:
    """What a served world prints, read up to a line."""

    def __init__(self, running: "subprocess.Popen[str]") -> None:
        self.running, self.lines = running, list[str]()

    def read_until(self, part: str) -> str:
        """The first line from here on that holds a text; the server must print it before it stops."""
        assert self.running.stdout is not None
        for line in self.running.stdout:
            self.lines.append(line.rstrip())
            if part in line:
                return line
        raise AssertionError("\n".join(self.lines))


@contextmanager
def serving(environment: dict[str, str], *arguments: str) -> Iterator[Console]:
    command = firm("serve", "--listen", "127.0.0.1:0", *arguments)
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        try:
            yield Console(running)
        finally:
            running.terminate()


def ask(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        firm("world", *arguments), env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def test_firm_world_finds_a_control_plane_on_tcp_and_what_is_printed_exists(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with serving(environment, "--control", "127.0.0.1:0") as console:
        control = console.read_until("  control  ")
        url = control.split()[1]
        secret = Path(control.rpartition("secret in ")[2].rstrip(")\n"))
        headers = {"Authorization": f"Bearer {secret.read_text().strip()}"}
        assert httpx.get(f"{url}/worlds", headers=headers).json() == ["main-1"]
        links = [line.split()[-1] for line in console.lines if "/login/" in line]
        assert len(links) >= 5
        for link in links:
            answer = httpx.get(link, follow_redirects=True, timeout=60)
            assert (link, answer.status_code) == (link, 200)
        for arguments in (["list"], ["create", "--name", "side"], ["advance", "side", "10m"], ["drop", "side"]):
            done = ask(environment, *arguments)
            assert (done.returncode, done.stderr) == (0, ""), arguments
    stopped = ask(environment, "list")
    assert stopped.returncode == 1 and "no server is running" in stopped.stderr


def test_a_unix_socket_is_found_after_a_server_on_tcp_was_killed(environment: dict[str, str]) -> None:
    with serving(environment, "--control", "127.0.0.1:0") as console:
        console.read_until("  control  ")
        console.running.kill()
    left = ask(environment, "list")
    assert left.returncode == 1 and "start one with `firm serve`" in left.stderr
    with serving(environment) as console:
        console.read_until("  control  ")
        found = ask(environment, "list")
        assert found.returncode == 0 and json.loads(found.stdout)


@pytest.mark.full
def test_tls_is_served_beside_and_the_printed_authority_is_enough_to_trust_it(environment: dict[str, str]) -> None:
    with serving(environment, "--tls", "127.0.0.1:0") as console:
        url = console.read_until("  https  ").split()[1]
        authority = console.read_until("SSL_CERT_FILE=").partition("=")[2].strip()
        with httpx.Client(verify=ssl.create_default_context(cafile=authority)) as client:
            assert client.get(f"{url}/gmail/gmail/v1/users/me/profile").status_code == 401


@pytest.mark.full
def test_a_certificate_that_cannot_be_served_is_refused_at_once(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "text.pem").write_text("no certificate")
    files = ["--tls-certificate", str(tmp_path / "text.pem"), str(tmp_path / "text.pem")]
    for options, said in ((["--tls", "127.0.0.1:0"], "are no certificate and its key"), ([], "is about --tls")):
        done = subprocess.run(
            firm("serve", *options, *files), env=environment, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode != 0 and said in done.stderr, done.stderr


def test_the_console_says_that_the_episode_ended_and_why(environment: dict[str, str]) -> None:
    with serving(environment, "--scenario", SCENARIO, "--max-calls", "2") as console:
        tools = TOOLS.search(console.read_until("  tools  "))
        assert tools is not None
        url, key = tools.groups()
        console.read_until("  control  ")
        for _ in range(3):
            httpx.get(f"{url}/world/now", headers={"Authorization": f"Bearer {key}"}, timeout=60)
        ended = console.read_until("this episode ended")
        assert ended.strip() == "main-1: this episode ended: call budget of 2 reached"
        command = console.read_until("firm world grade").split("`")[1].split()
        graded = ask(environment, *command[2:])
        assert graded.returncode == 0 and "score" in json.loads(graded.stdout)


def test_a_served_episode_has_no_call_budget_unless_one_is_set(environment: dict[str, str], tmp_path: Path) -> None:
    with serving(environment, "--scenario", SCENARIO) as console:
        console.read_until("  control  ")
        console.running.terminate()
        console.read_until("run kept in")
        assert console.running.wait() == 0
    (config,) = (tmp_path / "home" / "runs").glob("*/config.json")
    assert json.loads(config.read_text())["settings"] == {"max_calls": None}
    wrong = subprocess.run(
        firm("serve", "--max-calls", "0"), env=environment, capture_output=True, text=True, check=False
    )
    assert wrong.returncode == 2 and "--max-calls" in wrong.stderr
