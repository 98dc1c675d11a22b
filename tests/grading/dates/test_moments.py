"""What is a date or a time of day, to the letter, and which simulated times it may mean."""

from pathlib import Path

from world.core.clock import DAY, MINUTE, SECOND
from world.grading.dates import Moment, moments, one_moment, parse_at

LINES = (Path(__file__).parent / "moments.tsv").read_text(encoding="utf-8").splitlines()
CASES = [(text, read) for text, _, read in (line.partition("\t") for line in LINES)]


def _describe(one: Moment, text: str) -> str:
    days = " or ".join("-".join("?" if part is None else str(part) for part in day) for day in one.days)
    clock = ":".join(f"{part:02}" for part in one.clock or () if part is not None)
    offset = "" if one.offset is None else f"{one.offset:+}"
    parts = (days, clock, offset, one.zone, "halves" if one.halves else "", "loose" if one.loose else "")
    return f"[{text[one.start : one.end]}] {' '.join(part for part in parts if part)}"


def test_each_text_has_its_moments_at_their_places() -> None:
    assert [(text, "; ".join(_describe(one, text) for one in moments(text)) or "-") for text, _ in CASES] == CASES


MEANT = [
    ("15:00", "2026-03-04T15:00Z", 0, True),
    ("15:00", "2026-03-04T15:00:59Z", 0, True),
    ("15:00", "2026-03-04T15:01Z", 0, False),
    ("15:00", "2026-03-04T14:59:01Z", 0, True),
    ("15:00", "2026-03-04T14:59:00Z", 0, False),
    ("15:00", "2026-03-04T15:01Z", SECOND, True),
    ("15:00:30", "2026-03-04T15:00:30Z", 0, True),
    ("15:00:30", "2026-03-04T15:00:31Z", 0, False),
    ("15:00:30", "2026-03-04T15:00:31Z", SECOND, True),
    ("15:00:30", "2026-03-04T15:00:32Z", SECOND, False),
    ("00:00", "2026-03-04T23:59:30Z", 0, True),
    ("23:59", "2026-03-05T00:00Z", MINUTE, True),
    ("3 o'clock", "2026-03-04T15:00Z", 0, True),
    ("3 o'clock", "2026-03-04T03:00Z", 0, True),
    ("9 o'clock", "2026-03-04T21:00Z", 0, True),
    ("12 o'clock", "2026-03-04T00:00Z", 0, True),
    ("3pm", "2026-03-04T03:00Z", 0, False),
    ("3 March 15:00", "2026-03-03T15:00Z", 0, True),
    ("3 March 15:00", "2026-03-04T15:00Z", 0, False),
    ("3 March 2025 15:00", "2026-03-03T15:00Z", 0, False),
    ("3 March 23:59", "2026-03-04T00:00Z", MINUTE, True),
    ("3 March", "2026-03-03T23:59Z", 0, True),
    ("3 March", "2026-03-04T00:00Z", 0, False),
    ("3 March", "2026-03-04T00:00Z", DAY, True),
    ("3 March", "2026-03-02T00:00Z", DAY, True),
    ("3 March", "2026-03-02T00:00Z", DAY - 1, False),
    ("3 March", "2026-03-05T00:00Z", DAY, False),
    ("3/4/2026", "2026-04-03T00:00Z", 0, True),
    ("3 March 2026", "2025-03-03T00:00Z", 0, False),
    ("15:00 CET", "2026-03-04T14:00Z", 0, True),
    ("15:00 CET", "2026-03-04T15:00Z", 0, False),
    ("15:00 Europe/Berlin", "2026-03-04T14:00Z", 0, True),
    ("15:00 Europe/Berlin", "2026-03-04T15:00Z", 0, False),
]
FULL = [
    ("2026-03-04T15:00Z", "2026-03-04T15:00Z"),
    ("2026-03-04", "2026-03-04T00:00Z"),
    ("2026-03-04 15:00:30", "2026-03-04T15:00:30Z"),
    ("2026-03-04 15:00 CET", "2026-03-04T14:00Z"),
    ("2026-03-04 15:00 Europe/Berlin", "2026-03-04T14:00Z"),
    ("2026-03-04 15:00.", "2026-03-04T15:00Z"),
    ("3 March", None),
    ("3/4/2026", None),
    ("15:00", None),
    ("2026-03-04 2026-03-05", None),
    ("on 2026-03-04", None),
    ("2026-03-04 x", None),
]


def _at(text: str) -> int:
    at = parse_at(text)
    assert at is not None
    return at


def test_a_moment_means_what_is_within_its_last_unit_and_the_tolerance() -> None:
    found = [(text, at, tol, moments(text)[0].means(_at(at), ["UTC"], tol)) for text, at, tol, _ in MEANT]
    assert found == MEANT
    assert moments("15:00")[0].means(_at("2026-03-04T14:00Z"), ["UTC", "Europe/Berlin"])
    assert not moments("15:00")[0].means(_at("2026-03-04T14:00Z"), [])


def test_a_full_date_is_one_instant() -> None:
    assert [(text, parse_at(text)) for text, _ in FULL] == [(text, at and _at(at)) for text, at in FULL]
    assert parse_at("2026-03-04 15:00", "Europe/Berlin") == _at("2026-03-04T14:00Z")
    assert _at("2026-03-04T15:00Z") - _at("2026-03-03T14:59Z") == DAY + MINUTE


def test_places_are_those_of_the_text_as_written() -> None:
    text = "ﬁx by 15∶00 or 3\u00a0March"
    assert [text[one.start : one.end] for one in moments(text)] == ["3\u00a0March"]
    assert one_moment(" 15:00. ") is not None and one_moment("15:00 or 16:00") is None
