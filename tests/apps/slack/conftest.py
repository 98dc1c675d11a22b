"""A world with the small workspace, and a short way to call operations in it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import apps.slack
from tests.apps.slack.rows import workspace_rows
from tests.company import as_person, image
from world.access import Tokens
from world.host import Host
from world.operation import OperationError
from world.settings import Settings
from world.store import Base, Store

Say = Callable[..., Any]


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sealed image of the small workspace."""
    return image(tmp_path_factory.mktemp("slack"), [apps.slack.app], workspace_rows)


@pytest.fixture
def host(sealed: Path, tmp_path: Path) -> Iterator[Host]:
    """A host with one world, `w`, without rate limits."""
    made = Host(Store(tmp_path / "worlds", Base(sealed)), [apps.slack.app], Tokens("test secret"))
    made.create("w", Settings(limits="off"))
    yield made


@pytest.fixture
def say(host: Host) -> Say:
    """`say("chat.postMessage", "bo", channel=..., text=...)`: call an operation as somebody (Ada unless told)."""

    def call(operation: str, who: str = "ada", *, kind: str = "user", **arguments: Any) -> Any:
        principal = as_person(host, who, kind=kind)
        return host.call(principal, "rest", operation, arguments, base_url="http://slack.test")

    return call


@pytest.fixture
def refused(say: Say) -> Say:
    """Like `say`, for calls that must be refused; returns the code."""

    def call(operation: str, who: str = "ada", **arguments: Any) -> str:
        with pytest.raises(OperationError) as caught:
            say(operation, who, **arguments)
        return caught.value.code

    return call
