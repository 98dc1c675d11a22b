"""What the tests of an app start from: a world over `sealed`, the image its folder names with the `app`, and short ways
to call operations in it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.apps.conversation import Play, playing
from tests.company import Say, saying, unmetered
from world.core.app import App
from world.core.errors import OperationError
from world.run.host import Host


@pytest.fixture
def usual() -> dict[str, Any]:
    """Arguments that go with every operation of the app that takes them."""
    return {}


@pytest.fixture
def host(sealed: Path, app: App, tmp_path: Path) -> Iterator[Host]:
    """A host with one world, `w`, without quotas."""
    made = unmetered(sealed, tmp_path, app)
    yield made
    made.store.close()


@pytest.fixture
def say(host: Host, app: App, usual: dict[str, Any]) -> Say:
    """`say("users.messages.send", "bo", raw=...)`: call an operation as somebody (Ada unless told)."""
    return saying(host, app, **usual)


@pytest.fixture
def refused(say: Say) -> Say:
    """Like `say`, for calls that must be refused; returns the code."""

    def call(operation: str, who: str = "ada", **arguments: Any) -> str:
        with pytest.raises(OperationError) as caught:
            say(operation, who, **arguments)
        return caught.value.code

    return call


@pytest.fixture
def play(firm: Host) -> Play:
    """Worlds over the seeded company that play coworkers and other parts of a script."""
    return playing(firm)
