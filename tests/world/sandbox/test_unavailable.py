"""A host that cannot isolate: nothing is run there, and the reason is one sentence."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import world
from world.sandbox import Step, Unavailable, available, drive, host_tools, probe, run, seccomp


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that takes the place of the system's programs, readable for the sandboxes' user."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setattr(host_tools, "BIN", name)
        available.cache_clear()
        yield Path(name)
    available.cache_clear()


def program(place: Path, text: str) -> None:
    """Put a program there."""
    place.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    place.chmod(0o755)


def refusal(action: str) -> str:
    """Why nothing is run."""
    with pytest.raises(Unavailable) as refused:
        if action == "run":
            run({}, [Step("try", "true")])
        else:
            drive({}, Step("try", "true"), {}, ["a"])
    return str(refused.value)


@pytest.mark.parametrize("action", ["run", "drive"])
def test_without_bubblewrap_nothing_is_run(programs: Path, action: str):
    assert refusal(action) == available() == "bwrap is not installed; it comes with the package bubblewrap."


def test_an_old_bubblewrap_is_not_enough(programs: Path):
    for name in ("bwrap", *host_tools.TOOLS):
        program(programs / name, "echo usage")
    assert refusal("run") == "bubblewrap is older than 0.8.0, which cannot forbid nested user namespaces."


def test_where_no_namespace_is_made_nothing_is_run(programs: Path):
    for name in ("bwrap", *host_tools.TOOLS):
        program(programs / name, "echo --disable-userns; echo 'bwrap: No permissions to create new namespace'")
    program(
        programs / "bwrap",
        'test "$1" = --help && echo --disable-userns || echo bwrap: No permissions to create new namespace',
    )
    assert refusal("run") == "No namespaces can be made here: bwrap: No permissions to create new namespace."


def test_a_machine_whose_calls_are_not_known_is_refused(programs: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(seccomp.platform, "machine", lambda: "vax")
    assert refusal("run") == "System calls of vax are not known, so they cannot be filtered."


@pytest.mark.usefixtures("isolated")
@pytest.mark.parametrize("action", ["run", "drive"])
def test_where_a_try_finds_itself_not_isolated_nothing_is_run(monkeypatch: pytest.MonkeyPatch, action: str):
    monkeypatch.setattr(probe, "_TRY", "print('processes are not counted')")
    available.cache_clear()
    try:
        assert refusal(action) == "What runs in a sandbox is not isolated here: processes are not counted."
    finally:
        available.cache_clear()


@pytest.mark.usefixtures("isolated")
@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; a normal user has run all the other tests"
)
def test_a_normal_user_has_sandboxes_too(tmp_path: Path):
    system = host_tools.find().python
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        shutil.copytree(Path(host_tools.__file__).parent, f"{name}/world/sandbox")
        for file in ("__init__.py", "clock.py"):
            shutil.copy(Path(str(world.__file__)).with_name(file), f"{name}/world/{file}")
        code = (
            "from world.sandbox import *; print(available(), run({}, [Step('s', 'id -u; echo"
            " $HOME')]).steps[0].output.split())"
        )
        done = subprocess.run(
            [system, "-c", code],
            cwd=name,
            user=65532,
            group=65532,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.stdout == "None ['1000', '/home/ci']\n", done.stderr
