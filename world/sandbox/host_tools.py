"""Tools that this host offers a sandbox: bubblewrap, the programs around it, a Python."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from world.sandbox import seccomp
from world.sandbox.model import Unavailable

TOOLS = {
    "nsenter": "util-linux",
    "prlimit": "util-linux",
    "setarch": "util-linux",
    "choom": "util-linux",
    "mount": "mount",
    "tar": "tar",
}
# reserved by Debian's policy, nobody's: root hands its sandboxes to it, because root's own processes are never counted
UID = 65533
BIN = "/usr/bin"
_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_KEPT = ("/etc/alternatives", "/etc/ld.so.cache")


@dataclass(frozen=True)
class Host:
    """Places of the tools: all under /usr, which is all of the host that a sandbox sees."""

    bwrap: str  # empty where it is not used
    shell: tuple[str, ...]
    python: str
    prefix: str | None  # of a Python that is not under /usr, bound read-only

    def system(self) -> list[str]:
        """Options of bwrap for the system's programs and libraries, read-only."""
        options = ["--ro-bind", "/usr", "/usr"]
        for name in _LINKS:
            path = Path("/", name)
            if path.is_symlink():
                options += ["--symlink", os.readlink(path), str(path)]
            elif path.is_dir():
                options += ["--ro-bind", str(path), str(path)]
        for name in _KEPT:
            options += ["--ro-bind-try", name, name]
        return options

    def interpreter(self) -> list[str]:
        """Options for a Python that is not the system's: in its own place, because its libraries are looked for there."""
        return ["--ro-bind", self.prefix, self.prefix] if self.prefix else []

    def list_hidden_options(self) -> list[str]:
        """Options that cover what one host has and another has not: local programs and added Python packages."""
        places = self.list_hidden_folders()
        return [
            option
            for place in places
            if place.is_dir()
            for option in ("--tmpfs", str(place), "--remount-ro", str(place))
        ]

    def list_hidden_folders(self) -> list[Path]:
        """List the folders of local programs and added Python packages."""
        local = self.python.startswith("/usr/local/")
        places = [Path("/usr/lib/python3/dist-packages"), *([] if local else [Path("/usr/local")])]
        if local or self.prefix:
            places += Path(self.prefix or "/usr/local").glob("lib/python3.*/site-packages")
        return places


def find_tools() -> Host:
    """The tools for sandboxes in namespaces. Raises Unavailable for what is missing."""
    _refuse_unknown()
    bwrap = tool("bwrap", "bubblewrap")
    for name, package in TOOLS.items():
        tool(name, package)
    if "--disable-userns" not in _run_command(bwrap, "--help"):
        raise Unavailable(
            "bubblewrap is older than 0.8.0, which cannot forbid nested user namespaces.", "install a newer one"
        )
    return Host(bwrap, _shell(), *_python())


def find_plain() -> Host:
    """The tools for sandboxes without namespaces. Raises Unavailable for what is missing."""
    _refuse_unknown()
    tool("tar", TOOLS["tar"])
    return Host("", _shell(), *_python())


def _refuse_unknown() -> None:
    if sys.platform != "linux":
        raise Unavailable("Only Linux can isolate what CI runs.")
    if not seccomp.is_known_machine():
        raise Unavailable(f"System calls of {platform.machine()} are not known, so they cannot be filtered.")


def _shell() -> tuple[str, ...]:
    return (shutil.which("bash", path=BIN) or "/bin/sh", "-e")


def tool(name: str, package: str) -> str:
    """The path of a program under /usr. Raises Unavailable."""
    path = shutil.which(name, path=BIN)
    if path is None:
        raise Unavailable(
            f"{name} is not installed; it comes with the package {package}.", f"apt-get install {package}"
        )
    return path


def identity() -> int | None:
    """The user and group that everything of a sandbox is started as, None for our own: never root."""
    return UID if os.geteuid() == 0 else None


def _python() -> tuple[str, str | None]:
    system = "/usr/bin/python3"
    if (
        Path(system).exists()
        and _run_command(system, "-IS", "-c", "import sys; print(sys.version_info >= (3, 11))").strip() == "True"
    ):
        return system, None
    prefix, name = Path(sys.base_prefix).resolve(), f"bin/python3.{sys.version_info.minor}"
    if not (prefix / name).exists():
        raise Unavailable(
            "There is no Python 3.11 or newer under /usr, and the one that runs firm is not a plain installation."
        )
    return str(prefix / name), None if prefix.is_relative_to("/usr") else str(prefix)


def _run_command(*command: str) -> str:
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")
