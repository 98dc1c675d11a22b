"""What the tests of clients share: a world with a token on a running server, a script in a client's environment, its
rows.
"""

import json
import os
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.clients import environments
from tests.conftest import Server
from world.server.control_state import Grant, NewWorld
from world.store.queries import rows

SCRIPTS = Path(__file__).parent / "scripts"
ROOT = Path(__file__).parents[2]
APPS = ROOT / "apps"
WORLD = "day"
TIMEOUT_S = 170


def urgent(app: str, least: int = 40) -> set[str]:
    """The operations of an app that every client must be able to use."""
    listed = tomllib.loads((APPS / app / "coverage.toml").read_text())["method"]
    found = {name for name, entry in listed.items() if entry.get("tier") == "P0" and entry["state"] != "refused"}
    assert len(found) > least, "coverage.toml has lost its first tier"
    return found


def interpreter(client: str) -> Path:
    """A client's interpreter; the test fails, with the reason, where there is none."""
    try:
        return environments.python(client)
    except environments.ClientUnavailable as reason:
        pytest.fail(str(reason), pytrace=False)


def new_world(server: Server, **settings: Any) -> None:
    """The world of the day."""
    server.do(lambda: server.plane.create(NewWorld(name=WORLD, settings=settings)))


def token(server: Server, app: str, person: str, kind: str = "user") -> str:
    """A person's token in the app's form."""
    grant = Grant.model_validate({"person": person, "app": app, "kind": kind})
    return server.do(lambda: server.plane.grant(WORLD, grant))["token"]


def ask(server: Server, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Rows of the world."""
    return server.do(lambda: rows(server.plane.host.actors[WORLD].bound, sql, *values))


def touched(server: Server, door: str) -> set[str]:
    """The operations that were called at a door and not refused."""
    return {
        name for (name,) in ask(server, "SELECT DISTINCT operation FROM _call WHERE door = ? AND status = 'ok'", door)
    }


def run(
    python: Path | str, script: str, *arguments: str, timeout_s: float = TIMEOUT_S, **environment: str
) -> dict[str, Any]:
    """The one line that a script prints; the test fails with what it wrote to stderr."""
    return _told([str(python), str(SCRIPTS / script), *arguments], ROOT, "", environment, timeout_s)


def run_node(client: str, script: str, **environment: str) -> dict[str, Any]:
    """The same of a script for Node, which finds the client's packages as it is read from stdin in their folder."""
    try:
        folder, node = environments.modules(client), environments.node()
    except environments.ClientUnavailable as reason:
        pytest.fail(str(reason), pytrace=False)
    return _told(
        [*node, "--input-type=module", "-"], folder, (SCRIPTS / script).read_text(encoding="utf-8"), environment
    )


def _told(
    command: list[str], folder: Path, given: str, environment: Mapping[str, str], timeout_s: float = TIMEOUT_S
) -> dict[str, Any]:
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and name != "PYTHONPATH"
    }
    clean |= environment
    ended = subprocess.run(
        command, env=clean, capture_output=True, text=True, input=given, timeout=timeout_s, cwd=folder
    )
    assert ended.returncode == 0, f"{' '.join(command)}\n{ended.stderr[-6000:]}"
    lines = ended.stdout.splitlines()
    assert len(lines) == 1, ended.stdout
    return json.loads(lines[0])
