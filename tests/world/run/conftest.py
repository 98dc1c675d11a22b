"""A host that cannot isolate, for a test or a part of one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from world.sandbox import forget, host_tools

Forbid = Callable[[], None]


@pytest.fixture
def forbid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Forbid]:
    """From its call on no program that isolates is found."""

    def take() -> None:
        monkeypatch.setattr(host_tools, "BIN", str(tmp_path / "no programs"))
        forget()

    yield take
    monkeypatch.undo()
    forget()
