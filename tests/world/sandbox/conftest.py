"""What needs a host that can isolate is left out elsewhere, and says so."""

import platform
import re

import pytest

from world.sandbox import KINDS, Kind, available, ladder


@pytest.fixture(params=[KINDS[0], *(pytest.param(kind, marks=pytest.mark.full) for kind in KINDS[1:])])
def isolated(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Kind:
    """Each kind of sandbox alone. Skips where the host cannot isolate by it: there is nothing to try there."""
    kind: Kind = request.param
    monkeypatch.setattr(ladder, "KINDS", (kind,))
    why = available()
    kernel = re.match(r"(\d+)\.(\d+)", platform.release())
    counts = kernel is not None and (int(kernel[1]), int(kernel[2])) >= (5, 14)
    assert not (counts and (why or "").startswith("What runs in a sandbox is not isolated")), (
        why
    )  # that would not be the host's fault
    if why is not None:
        pytest.skip(f"this host cannot isolate: {why}")
    return kind
