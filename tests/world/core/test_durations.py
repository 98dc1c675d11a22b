"""Durations and moments as people write them."""

from datetime import UTC, datetime
from email.utils import format_datetime
from zoneinfo import ZoneInfoNotFoundError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from world.core.builtin_operations import WaitParams, wait_end
from world.core.clock import DAY, HOUR, MINUTE, SECOND, duration, from_datetime, http_date, iso, to_datetime
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
        ("1w2d", 9 * DAY),
        ("5ms20us", 5_020),
        ("0s", 0),
        (0, 0),
    ],
)
def test_a_duration_is_read_in_microseconds(text: str | int, us: int) -> None:
    assert duration(text) == us


@pytest.mark.parametrize("text", ["", "  ", "+", "h", "5", "5x", "1h-2m", "m5", "1hm", "s s", "++1h"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a duration: " if text.strip(" +") else "an empty duration"):
        duration(text)


MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.timezones(no_cache=True))


@settings(max_examples=examples(120), database=None)
@given(MOMENTS, st.sampled_from(["UTC", "Asia/Kathmandu", "America/New_York"]))
def test_a_time_is_the_same_moment_in_every_zone_and_header(moment: datetime, zone: str) -> None:
    at = from_datetime(moment)
    utc = moment.astimezone(UTC)
    assert to_datetime(at, zone) == utc and to_datetime(at) == utc
    assert http_date(at) == format_datetime(utc.replace(microsecond=0), usegmt=True)
    assert datetime.fromisoformat(iso(at, zone)) == utc.replace(microsecond=0)


def test_times_are_microseconds_since_the_epoch() -> None:
    assert from_datetime(datetime(1970, 1, 1, 0, 0, 1, 2, tzinfo=UTC)) == 1_000_002
    assert (iso(0), iso(0, "Asia/Kathmandu")) == ("1970-01-01T00:00:00+00:00", "1970-01-01T05:30:00+05:30")
    assert http_date(784_111_777 * SECOND) == "Sun, 06 Nov 1994 08:49:37 GMT"  # the example of RFC 9110
    with pytest.raises(ValueError, match="a time needs a zone"):
        from_datetime(datetime(2026, 3, 2))
    with pytest.raises(ZoneInfoNotFoundError):
        to_datetime(0, "Europe/Atlantis")


@pytest.mark.parametrize(
    ("until", "end"),
    [
        ("14:30", "2026-03-02T14:30:00+01:00"),
        ("23:59", "2026-03-02T23:59:00+01:00"),
        ("+7d", "2026-03-09T13:00:00+01:00"),
        ("+1us", "2026-03-02T13:00:00+01:00"),
        ("+90m", "2026-03-02T14:30:00+01:00"),
        ("2026-03-02T14:30:00", "2026-03-02T14:30:00+01:00"),
        ("2026-03-02T14:30:00+00:00", "2026-03-02T15:30:00+01:00"),
        ("2026-03-03", "2026-03-03T00:00:00+01:00"),
    ],
)
def test_a_wait_ends_at_the_moment_named_in_ones_own_zone(until: str, end: str) -> None:
    assert iso(wait_end(WaitParams(until=until), NOON, "Europe/Berlin"), "Europe/Berlin") == end


@pytest.mark.parametrize(
    "until",
    [
        "13:00",
        "00:00",
        "2026-03-09T13:00:01",
        "+604801s",
        "+0s",
        "noon",
        "25:00",
        "12:60",
        "2026-13-01",
        "+soon",
        "999999999:00",
    ],
)
def test_a_wait_for_the_past_the_far_future_or_nonsense_is_refused(until: str) -> None:
    with pytest.raises(OperationError) as refusal:
        wait_end(WaitParams(until=until), NOON, "Europe/Berlin")
    assert refusal.value.code == "invalid_arguments"
    problems = refusal.value.detail["problems"]
    assert isinstance(problems, list) and [field for field, _ in problems] == ["until"]


def test_a_wait_without_a_time_lasts_an_hour_and_one_of_seconds_as_long_as_it_says() -> None:
    for params in (WaitParams(), WaitParams(next=True)):
        assert wait_end(params, NOON, "Europe/Berlin") == NOON + HOUR
    assert wait_end(WaitParams(seconds=90, until="14:30"), NOON, "Europe/Berlin") == NOON + 90 * SECOND
