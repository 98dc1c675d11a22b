"""Fixtures of the gate's tests: the manual's scenario over the smallest company."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gate.thanks import Build, Files, whole
from world.gate.variant_runner import VariantRunner
from world.run.home import Home
from world.run.host import Host, open_host
from world.run.images import get_image
from world.script import loader


@pytest.fixture(scope="module")
def host(home: Home, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host over the smallest company."""
    made = open_host(get_image(home, "XS", 7), tmp_path_factory.mktemp("gate"))
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def manual() -> Files:
    """The scenario of the manual, file by file."""
    return whole()


@pytest.fixture
def build(host: Host, tmp_path: Path) -> Iterator[Build]:
    """Puts files into a folder and a workbench over it, in place of the last one."""

    def put(files: Files) -> VariantRunner:
        clear()
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        return VariantRunner(host, loader.load(tmp_path), 0)

    def clear() -> None:
        for name in list(host.actors):
            host.drop(name)

    yield put
    clear()
