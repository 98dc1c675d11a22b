"""A small share of every part of the campaign: nothing happens that must never happen."""

from pathlib import Path

import pytest

from tests.campaign.__main__ import find_part
from tests.campaign.part import Ground

SHARES = {
    "control_routes": 1.0,
    "forms": 0.005,
    "git": 0.01,
    "graphql": 0.001,
    "kills": 0.0002,
    "permissions": 0.05,
    "power_cuts": 0.02,
    "replays": 0.001,
    "rest": 0.0003,
    "scripts": 0.2,
    "soak": 0.001,
    "tools": 0.001,
    "workers": 0.01,
    "worlds": 0.0001,
}


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("name", SHARES)
def test_a_share_of_the_campaign_finds_nothing(company: Path, tmp_path: Path, name: str) -> None:
    part = find_part(name)
    figures = part.run(Ground(company, tmp_path, SHARES[name]))
    assert {one: figures[one] for one in part.never} == dict.fromkeys(part.never, 0)
    assert figures["done"]
