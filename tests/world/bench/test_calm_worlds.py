"""The calm worlds of the fairness figure ask as often as docs/bench.md says."""

import pytest

from world.bench.fairness import PAUSE_S, choose_pause


@pytest.mark.parametrize("number", [0, 1, 55])
def test_a_calm_world_pauses_for_two_seconds_on_average(number: int) -> None:
    pauses = [choose_pause(number, step) for step in range(100)]
    assert 0 <= min(pauses) and max(pauses) < 2 * PAUSE_S
    assert sum(pauses) / len(pauses) == pytest.approx(PAUSE_S, rel=0.02)


def test_calm_worlds_do_not_all_ask_at_once() -> None:
    assert len({choose_pause(number, 0) for number in range(56)}) == 56
