"""Git as a person uses it: clone a branch, change files, commit, push; with the git that is installed."""

import os
import subprocess
import tempfile
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path

from world.agents.steps import Scene, StepRefused
from world.core.clock import SECOND
from world.core.request_builder import Push

WAIT_S = 120


def push(base: str, token: str, scene: Scene, given: Push) -> str:
    """Push files to a branch by one commit of the agent, at the world's time; returns what git said. Raises StepRefused
    when it could not.
    """
    who = scene.find("person", id=scene.me)
    with tempfile.TemporaryDirectory() as folder:
        env = _environment(folder, token, str(who["full_name"]), str(who["email"]), scene.now // SECOND)
        tree = Path(folder) / "tree"
        said = _git(env, "clone", "-q", "--depth", "1", "--branch", given.branch, f"{base}{given.path}", str(tree))
        for path, text in given.files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text, encoding="utf-8", newline="")
        said += _git(env, "-C", str(tree), "add", "--all")
        said += _git(env, "-C", str(tree), "commit", "-q", "--allow-empty", "-m", given.message)
        return said + _git(env, "-C", str(tree), "push", "-q", "origin", f"HEAD:refs/heads/{given.branch}")


def _git(env: Mapping[str, str], *words: str) -> str:
    done = subprocess.run(
        ["git", *words],
        env=dict(env),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=WAIT_S,
    )
    if done.returncode:
        raise StepRefused("git", done.stderr[:500])
    return done.stderr


def _environment(home: str, token: str, name: str, email: str, seconds: int) -> dict[str, str]:
    """Nothing of this machine's settings; the token in a header, so that no argument shows it."""
    secret = b64encode(f"x:{token}".encode()).decode()
    people = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", email), ("DATE", f"{seconds} +0000"))
    }
    return people | {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": home,
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.extraHeader",
        "GIT_CONFIG_VALUE_0": f"Authorization: Basic {secret}",
    }
