"""A world with a shelf at the door of Sheets and Drive."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.apps.google import shelf
from tests.company import START, closed, image, unmetered
from tests.conformance.sheets_client import SheetsClient
from world.core.clock import MINUTE
from world.core.settings import Settings
from world.script.faults import Fault
from world.script.scenario import Script, compile_script

Staged = Callable[..., SheetsClient]


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small company, which keeps nothing on the shelf."""
    return image(tmp_path_factory.mktemp("shelf"), [shelf.app], list)


@pytest.fixture
def client(bare: Path, tmp_path: Path) -> Iterator[SheetsClient]:
    """An HTTP client of the door whose every answer must be as published."""
    host = unmetered(bare, tmp_path, shelf.app)
    shelf.ASKED.clear()
    made = SheetsClient(host, shelf.routes)
    with made.http:
        yield made


@pytest.fixture
def staged(bare: Path, tmp_path: Path) -> Staged:
    """`staged(Fault(...))`: a client in a world where a fault lasts from the start for an hour."""

    def stage(*faults: Fault, **settings: Any) -> SheetsClient:
        host = closed(bare, tmp_path / "staged", shelf.app)
        script = Script("faults", START)
        for fault in faults:
            script.fault(fault, start="+0s", end="+1h")
        host.create("w", Settings(**settings), compile_script(script, horizon="8h"))
        host.actors["w"].advance(START + MINUTE)
        return SheetsClient(host, shelf.routes)

    return stage
