"""Long lists of operations in portions: one test of a portion, with a subtest for each operation."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Protocol

import pytest

SIZE = 20


class Owned(Protocol):
    """What belongs to an app."""

    @property
    def app(self) -> str: ...


def portions(operations: Sequence[Owned], size: int = SIZE) -> list[Any]:
    """Parameters of at most `size` operations, or other things, of one app each, named by app and number."""
    found = []
    for app, group in groupby(operations, key=lambda operation: operation.app):
        members = list(group)
        starts = range(0, len(members), size)
        found += [pytest.param(members[at : at + size], id=f"{app}-{at // size}") for at in starts]
    return found
