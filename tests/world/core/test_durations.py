"""Durations and moments as people write them."""

import pytest

from world.core.builtin_operations import WaitParams, wait_end
from world.core.clock import DAY, HOUR, MINUTE, SECOND, duration, from_datetime, iso, to_datetime
from world.core.errors import OperationError

NOON = from_datetime(to_datetime(0).replace(year=2026, month=3, day=2, hour=12))


@pytest.mark.parametrize(
    ("text", "us"),
    [
        (90, 90 * SECOND),
        ("90s", 90 * SECOND),
        ("+20m", 20 * MINUTE),
        ("1h30m", 90 * MINUTE),
        (" 2d 1h ", 2 * DAY + HOUR),
    ],
)
def test_a_duration_is_read_in_microseconds(text: str | int, us: int) -> None:
    assert duration(text) == us


@pytest.mark.parametrize("text", ["", "  ", "h", "5", "5x", "1h-2m", "m5"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="duration"):
        duration(text)


@pytest.mark.parametrize(
    ("until", "end"),
    [
        ("14:30", "2026-03-02T14:30:00+01:00"),
        ("+90m", "2026-03-02T14:30:00+01:00"),
        ("2026-03-02T14:30:00", "2026-03-02T14:30:00+01:00"),
        ("2026-03-02T14:30:00+00:00", "2026-03-02T15:30:00+01:00"),
        ("2026-03-03", "2026-03-03T00:00:00+01:00"),
    ],
)
def test_a_wait_ends_at_the_moment_named_in_ones_own_zone(until: str, end: str) -> None:
    assert iso(wait_end(WaitParams(until=until), NOON, "Europe/Berlin"), "Europe/Berlin") == end


@pytest.mark.parametrize("until", ["13:00", "2026-03-09T13:00:01", "noon", "25:00", "2026-13-01"])
def test_a_wait_for_the_past_the_far_future_or_nonsense_is_refused(until: str) -> None:
    with pytest.raises(OperationError) as refusal:
        wait_end(WaitParams(until=until), NOON, "Europe/Berlin")
    assert refusal.value.code == "invalid_arguments"
