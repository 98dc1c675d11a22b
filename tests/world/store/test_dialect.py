"""SQLAlchemy's own dialect suite, over the shim and over pysqlite: the same tests pass, fail and are skipped."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

SUITE = Path(__file__).parent / "dialect"
ROOT = Path(__file__).parents[3]


class Outcome(NamedTuple):
    what: str
    why: str


def start(folder: Path, driver: str) -> subprocess.Popen[bytes]:
    folder.mkdir()
    (folder / "setup.cfg").write_text(
        "[sqla_testing]\nrequirement_cls=requirements:Requirements\nprofile_file=profiles.txt\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        str(SUITE / "suite.py"),
        "-q",
        "-c",
        "/dev/null",
        "--rootdir",
        str(folder),
        f"--confcutdir={SUITE}",
        "-p",
        "no:cacheprovider",
        "-p",
        "world.store.dialect",
        "-p",
        "sqlalchemy.testing.plugin.pytestplugin",
        "--dburi",
        f"sqlite+{driver}:///{folder}/suite.db",
        "--maxfail=0",
        "--tb=no",
        f"--junitxml={folder}/found.xml",
    ]
    path = {"PYTHONPATH": f"{ROOT}:{SUITE}", "PATH": "", "HOME": str(folder), "PYTHONHASHSEED": "0"}
    with (folder / "said").open("wb") as said:
        return subprocess.Popen(command, cwd=folder, env=path, stdout=said, stderr=subprocess.STDOUT)


def outcomes(found: Path) -> Iterator[tuple[str, Outcome]]:
    for case in ElementTree.parse(found).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        kind = next((child for child in case if child.tag in ("failure", "error", "skipped")), None)
        why = (kind.get("message") or "") if kind is not None else ""
        yield re.sub(r"_sqlite\+\w+?_[\d_]+", "", name), Outcome(kind.tag if kind is not None else "passed", why)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Outcome]]:
    folder = tmp_path_factory.mktemp("dialect")
    running = {driver: start(folder / driver, driver) for driver in ("apsw", "pysqlite")}
    for process in running.values():
        process.wait(timeout=120)
    return {driver: dict(outcomes(folder / driver / "found.xml")) for driver in running}


@pytest.fixture(scope="module")
def explained() -> dict[str, dict[str, str]]:
    module = runpy.run_path(str(SUITE / "requirements.py"))
    return {"skipped": module["SKIPPED"], "failure": module["FAILED"]}


def test_both_drivers_pass_fail_and_skip_the_same_tests(found: dict[str, dict[str, Outcome]]) -> None:
    ours, theirs = ({name: outcome.what for name, outcome in found[driver].items()} for driver in ("apsw", "pysqlite"))
    assert ours == theirs
    assert sum(what == "passed" for what in ours.values()) > 900
    assert "error" not in ours.values()


def test_every_skip_is_explained(found: dict[str, dict[str, Outcome]], explained: dict[str, dict[str, str]]) -> None:
    reasons = {outcome.why.rsplit(" : ", 1)[-1] for outcome in found["apsw"].values() if outcome.what == "skipped"}
    assert len(reasons) > 10
    assert reasons <= set(explained["skipped"])


def test_every_failure_is_explained(found: dict[str, dict[str, Outcome]], explained: dict[str, dict[str, str]]) -> None:
    failed = [name for name, outcome in found["apsw"].items() if outcome.what == "failure"]
    assert {re.split(r"[.\[]", name.split("Test", 1)[1])[1] for name in failed} == set(explained["failure"])
