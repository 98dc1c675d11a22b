"""A host that cannot isolate: nothing is run there, and the reason is one sentence."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import world
from world.sandbox import (
    Kind,
    Step,
    Unavailable,
    available,
    drive,
    enclosure,
    find_obstacle,
    forget,
    host_tools,
    ladder,
    landlock,
    run,
    seccomp,
)


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that takes the place of the system's programs, readable for the sandboxes' user."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        monkeypatch.setattr(host_tools, "BIN", name)
        forget()
        yield Path(name)
    forget()


@pytest.fixture
def only_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves the first kind of sandbox."""
    monkeypatch.setattr(ladder, "KINDS", ("bubblewrap",))


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
    said = (
        "bwrap is not installed; it comes with the package bubblewrap; without namespaces: tar is not installed; it comes"
        " with the package tar."
    )
    assert refusal(action) == available() == said


@pytest.mark.usefixtures("only_namespaces")
def test_an_old_bubblewrap_is_not_enough(programs: Path):
    for name in ("bwrap", *host_tools.TOOLS):
        program(programs / name, "echo usage")
    assert refusal("run") == "bubblewrap is older than 0.8.0, which cannot forbid nested user namespaces."


@pytest.mark.usefixtures("only_namespaces")
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


@pytest.mark.parametrize("action", ["run", "drive"])
def test_where_a_try_finds_itself_not_isolated_nothing_is_run(
    isolated: Kind, monkeypatch: pytest.MonkeyPatch, action: str
):
    monkeypatch.setattr(ladder, "_TRY", {isolated: "print('processes are not counted')"})
    forget()
    try:
        assert refusal(action) == "What runs in a sandbox is not isolated here: processes are not counted."
    finally:
        forget()


def test_a_supervisor_that_fails_is_no_word_on_what_was_run(isolated: Kind, monkeypatch: pytest.MonkeyPatch):
    if isolated == "bubblewrap":
        pytest.skip("it has none")
    monkeypatch.setattr(enclosure, "_SUPERVISE", "raise SystemExit(1)")
    assert refusal("run") == "The supervisor of a sandbox has failed."


@pytest.mark.parametrize(
    ("version", "user", "why"),
    [
        (0, 0, "the kernel has no Landlock, or the container's filter forbids it"),
        (1, 0, "Landlock is older than version 2, which lets files move between folders"),
        (5, 1000, "Landlock is version 5; only from 6 on are signals of one user held"),
    ],
)
def test_a_kernel_on_which_something_would_not_hold_is_refused(
    monkeypatch: pytest.MonkeyPatch, version: int, user: int, why: str
):
    monkeypatch.setattr(ladder, "KINDS", ("landlock",))
    monkeypatch.setattr(landlock, "version", lambda: version)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    forget()
    try:
        assert refusal("run") == why
        found = find_obstacle()
        assert found is not None and found.mend == enclosure.NO_LANDLOCK
    finally:
        forget()


AS_NORMAL_USER = """
import sys
from world.sandbox import *
from world.sandbox import ladder
kind, outside, process = sys.argv[1:]
ladder.KINDS = (kind,)
script = f'''
id -u; echo $HOME
chmod 700 x && touch -d @1 x && stat -c %a,%Y x
chmod 777 {outside} || echo kept
ln -s {outside} link; chmod 777 link || echo kept
touch -d @1 {outside} || echo kept
python -c "import os; os.setxattr('{outside}', 'user.a', b'b')" || echo kept
kill -9 {process} || echo alive
prlimit --pid {process} --nofile=1 || echo alive
renice 19 {process} || echo alive
'''
done = run({'x': b''}, [Step('s', f'({script}) 2>/dev/null')])
print(available(), *done.steps[0].output.split())
bomb = b'''
import os, signal
children = 0
try:
    while os.fork() or signal.pause():
        children += 1
except OSError:
    print(children)
'''
print(run({'b.py': bomb}, [Step('s', 'python b.py')], limits=Limits(processes=20, wall_s=20)).steps[0].output)
"""


@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; a normal user has run all the other tests"
)
def test_a_normal_user_has_sandboxes_too(isolated: Kind):
    system = host_tools.find_plain().python
    with tempfile.TemporaryDirectory() as name, as_normal_user(["/bin/cat"], stdin=subprocess.PIPE) as bystander:
        Path(name).chmod(0o755)
        copy_sandbox(Path(name))
        outside = Path(name) / "outside"
        outside.touch(mode=0o600)
        os.chown(outside, NORMAL, NORMAL)
        command = [system, "-c", AS_NORMAL_USER, isolated, str(outside), str(bystander.pid)]
        with as_normal_user(command, cwd=name) as asking:
            said, errors = asking.communicate()
        assert bystander.poll() is None
        assert (outside.stat().st_mode & 0o777, outside.stat().st_mtime > 1) == (0o600, True)
        bystander.communicate("")
    first, held = said.strip().split("\n") if said else (errors, "0")
    user = {"bubblewrap": "1000", "landlock": str(NORMAL)}[isolated]
    assert first == f"None {user} /home/ci 700,1 kept kept kept kept alive alive alive"
    assert 8 < int(held) < 20


NORMAL = 65532


def as_normal_user(command: list[str], **given: Any) -> "subprocess.Popen[str]":
    """A program run by a user who is not root."""
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **given}
    return subprocess.Popen(command, user=NORMAL, group=NORMAL, extra_groups=[], text=True, **pipes)


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
from world.sandbox import Step, find_obstacle, run, step
obstacle = find_obstacle("bubblewrap")
print(obstacle, obstacle and obstacle.mend, sep="|")
print(step(), run({}, [Step("s", "echo ran")]).steps[0].output.strip())
"""
NUMBERS = {"x86_64": (56, 272, 435), "aarch64": (220, 97, 435)}  # clone, unshare, clone3


@pytest.mark.parametrize("user", [0, NORMAL])
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_where_a_filter_forbids_user_namespaces_as_docker_does_the_second_kind_is_used(user: int):
    if find_obstacle("landlock") is not None:
        pytest.skip(f"this host cannot isolate: {find_obstacle('landlock')}")
    code = FORBIDDEN.replace("NUMBERS", repr(NUMBERS[os.uname().machine]))
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        copy_sandbox(Path(name))
        command = [host_tools.find_plain().python, "-c", code]
        done = subprocess.run(
            command, cwd=name, user=user, group=user, extra_groups=[], capture_output=True, text=True, check=False
        )
    first, second = done.stdout.splitlines()
    assert first.startswith("No namespaces can be made here: bwrap: ") and "|allow user namespaces: " in first, (
        done.stderr
    )
    assert second == "landlock ran"
