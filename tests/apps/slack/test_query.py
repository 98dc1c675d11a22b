"""The search language: terms and dates. slack.com/help/articles/202528808-Search-in-Slack."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.slack.query import CLOSE, OPEN, Filter, Words, highlight, parse, parse_span
from world.core.clock import from_datetime, to_datetime

NOW = from_datetime(datetime(2026, 3, 4, 9, 30, tzinfo=UTC))  # a Wednesday


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("hello world", [Words("hello"), Words("world")]),
        ('"out of" office', [Words("out of", exact=True), Words("office")]),
        ("from:@ada -in:#general", [Filter("from", "@ada"), Filter("in", "#general", True)]),
        ('in:"two words" has::eyes:', [Filter("in", "two words"), Filter("has", ":eyes:")]),
        (
            '-draft -"not this" dep*',
            [Words("draft", True), Words("not this", True, exact=True), Words("dep", prefix=True)],
        ),
        ("FROM:me During:march", [Filter("from", "me"), Filter("during", "march")]),
        ("foo:bar http://x.test", [Words("foo:bar"), Words("http://x.test")]),
        ("well-known - x", [Words("well-known"), Words("-"), Words("x")]),
        ("from: ada", [Words("from:"), Words("ada")]),
        ('"open end', [Words("open end", exact=True)]),
        ("", []),
    ],
)
def test_a_query_is_read_as_terms(query: str, terms: list[object]) -> None:
    assert list(parse(query)) == terms


@given(st.text(max_size=60))
def test_every_text_is_a_query(query: str) -> None:
    assert all(isinstance(term, (Words, Filter)) for term in parse(query))


@pytest.mark.parametrize(
    ("word", "first", "last"),
    [
        ("today", "2026-03-04", "2026-03-04"),
        ("yesterday", "2026-03-03", "2026-03-03"),
        ("week", "2026-03-02", "2026-03-08"),
        ("last week", "2026-02-23", "2026-03-01"),
        ("month", "2026-03-01", "2026-03-31"),
        ("2026-02-28", "2026-02-28", "2026-02-28"),
        ("2026-02", "2026-02-01", "2026-02-28"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("3/2/2026", "2026-03-02", "2026-03-02"),
        ("march", "2026-03-01", "2026-03-31"),
        ("april", "2025-04-01", "2025-04-30"),
        ("july 4th, 2025", "2025-07-04", "2025-07-04"),
        ("monday", "2026-03-02", "2026-03-02"),
        ("wednesday", "2026-02-25", "2026-02-25"),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Los_Angeles"])
def test_dates_are_days_of_the_searcher(word: str, first: str, last: str, zone: str) -> None:
    found = parse_span(word, NOW, zone)
    assert found is not None
    low, high = to_datetime(found.low, zone), to_datetime(found.high - 1, zone)
    assert (low.date().isoformat(), low.hour, high.date().isoformat(), high.hour) == (first, 0, last, 23)


@pytest.mark.parametrize("word", ["someday", "2026-02-30", "13/1/2026", "", "march april", "99999"])
def test_words_that_are_no_date_mean_nothing(word: str) -> None:
    assert parse_span(word, NOW, "UTC") is None


def test_hits_are_marked_as_whole_words() -> None:
    assert highlight("Deploy the deployment", parse("deploy")) == f"{OPEN}Deploy{CLOSE} the deployment"
    assert highlight("Deploy the deployment", parse("deploy*")) == f"{OPEN}Deploy{CLOSE} the {OPEN}deployment{CLOSE}"
    assert highlight("nothing", parse("from:ada")) == "nothing"
