"""A host that cannot isolate: nothing is run there, and the reason is one sentence."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import world
from world.sandbox import Step, Unavailable, available, drive, find_obstacle, host_tools, probe, run, seccomp


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that takes the place of the system's programs, readable for the sandboxes' user."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setattr(host_tools, "BIN", name)
        find_obstacle.cache_clear()
        yield Path(name)
    find_obstacle.cache_clear()


def program(place: Path, text: str) -> None:
    """Put a program there."""
    place.write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    place.chmod(0o755)


def copy_sandbox(folder: Path) -> None:
    """The modules of the sandbox and what they import, for a Python that has nothing installed."""
    package = Path(str(world.__file__)).parent
    shutil.copytree(package / "sandbox", folder / "world" / "sandbox")
    (folder / "world" / "core").mkdir()
    for file in ("__init__.py", "core/__init__.py", "core/clock.py"):
        shutil.copy(package / file, folder / "world" / file)


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
    find_obstacle.cache_clear()
    try:
        assert refusal(action) == "What runs in a sandbox is not isolated here: processes are not counted."
    finally:
        find_obstacle.cache_clear()


@pytest.mark.usefixtures("isolated")
@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; a normal user has run all the other tests"
)
def test_a_normal_user_has_sandboxes_too(tmp_path: Path):
    system = host_tools.find().python
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        copy_sandbox(Path(name))
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


FORBIDDEN = """
import ctypes, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
NUMBER, FLAGS = 0, 16
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, EPERM, ENOSYS = 0x7FFF0000, 0x00050001, 0x00050026
clone, unshare, clone3 = NUMBERS
code = [
    (LOAD, 0, 0, NUMBER),
    (EQUAL, 4, 0, clone), (EQUAL, 3, 0, unshare), (EQUAL, 1, 0, clone3), (RETURN, 0, 0, ALLOW),
    (RETURN, 0, 0, ENOSYS),
    (LOAD, 0, 0, FLAGS), (ANY_BIT, 0, 1, 0x10000000), (RETURN, 0, 0, EPERM), (RETURN, 0, 0, ALLOW),
]
text = b"".join(struct.pack("=HBBI", *one) for one in code)
held = ctypes.create_string_buffer(text)
program = ctypes.create_string_buffer(struct.pack("@HP", len(code), ctypes.addressof(held)))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0, ctypes.get_errno()
from world.sandbox import find_obstacle
obstacle = find_obstacle()
print(obstacle, obstacle and obstacle.mend, sep="|")
"""
NUMBERS = {"x86_64": (56, 272, 435), "aarch64": (220, 97, 435)}  # clone, unshare, clone3


@pytest.mark.usefixtures("isolated")
def test_where_a_filter_forbids_user_namespaces_as_docker_does_nothing_is_run():
    code = FORBIDDEN.replace("NUMBERS", repr(NUMBERS[os.uname().machine]))
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        copy_sandbox(Path(name))
        command = [host_tools.find().python, "-c", code]
        done = subprocess.run(command, cwd=name, capture_output=True, text=True, check=False)
    why, _, mend = done.stdout.strip().partition("|")
    assert why.startswith("No namespaces can be made here: bwrap: "), done.stderr
    assert mend.startswith("allow user namespaces: ")
