"""How a simulated time reads on a page."""

from datetime import UTC, datetime

import pytest

from world.core.clock import DAY, HOUR, MINUTE, SECOND, from_datetime
from world.web.time_format import day_name, ordinal, relative, short, since, stamp

BERLIN = "Europe/Berlin"
NOW = from_datetime(datetime(2026, 3, 4, 13, 30, 10, tzinfo=UTC))  # 14:30 in Berlin, a Wednesday


def test_a_day_is_named_in_the_readers_zone() -> None:
    assert day_name(NOW, NOW, BERLIN) == "Today"
    assert day_name(NOW - 14 * HOUR - 31 * MINUTE, NOW, BERLIN) == "Yesterday"
    assert day_name(NOW - 14 * HOUR, NOW, "UTC") == "Yesterday"
    assert day_name(NOW - 14 * HOUR, NOW, BERLIN) == "Today"
    assert day_name(NOW - 3 * DAY, NOW, BERLIN) == "Sunday, March 1st"
    assert day_name(NOW - 80 * DAY, NOW, BERLIN) == "Sunday, December 14th, 2025"


def test_a_list_shows_the_hour_today_and_the_date_before() -> None:
    assert short(NOW, NOW, BERLIN) == "2:30 PM"
    assert short(NOW - 2 * DAY, NOW, BERLIN) == "Mar 2"
    assert short(NOW - 80 * DAY, NOW, BERLIN) == "Dec 14, 2025"


def test_inside_a_sentence() -> None:
    assert since(NOW, NOW, BERLIN) == "2:30 PM"
    assert since(NOW - DAY, NOW, BERLIN) == "yesterday at 2:30 PM"
    assert since(NOW - 3 * DAY, NOW, BERLIN) == "Sunday, March 1st at 2:30 PM"


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (0, "just now"),
        (59 * SECOND, "just now"),
        (MINUTE, "1 minute ago"),
        (5 * HOUR, "5 hours ago"),
        (DAY, "1 day ago"),
        (60 * DAY, "2 months ago"),
        (800 * DAY, "2 years ago"),
        (-2 * HOUR, "in 2 hours"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(gap: int, words: str) -> None:
    assert relative(NOW - gap, NOW) == words


@pytest.mark.parametrize(
    ("day", "text"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")],
)
def test_ordinals(day: int, text: str) -> None:
    assert ordinal(day) == text


def test_a_time_element_holds_the_machines_and_the_full_form() -> None:
    made = stamp(NOW, NOW, BERLIN, "time")
    assert made == '<time datetime="2026-03-04T13:30:10Z" title="Wednesday, March 4, 2026 at 2:30:10 PM">2:30 PM</time>'
    texts = {
        style: stamp(NOW, NOW, BERLIN, style).striptags()
        for style in ("clock", "gutter", "date", "ago", "both", "full", "day")
    }
    assert texts == {
        "clock": "Wed, Mar 4, 2:30 PM",
        "gutter": "2:30",
        "date": "Mar 4",
        "ago": "just now",
        "both": "Today at 2:30 PM",
        "full": "Wednesday, March 4, 2026 at 2:30:10 PM",
        "day": "Today",
    }


def test_midnight_and_noon() -> None:
    midnight = from_datetime(datetime(2026, 3, 4, tzinfo=UTC))
    assert short(midnight, midnight, "UTC") == "12:00 AM" and short(midnight + 12 * HOUR, midnight, "UTC") == "12:00 PM"
