"""The forms of a word that a search takes for the same; observed in Slack's search, which no page documents in full."""

import pytest

from apps.slack.word_forms import list_word_forms


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("deploys", "deploy"),
        ("deploy", "deployed"),
        ("deployed", "deploying"),
        ("retries", "retry"),
        ("retry", "retried"),
        ("running", "run"),
        ("merge", "merging"),
        ("merged", "merge"),
        ("releases", "release"),
        ("boxes", "box"),
        ("Invoices", "invoice"),
    ],
)
def test_a_word_is_found_in_its_other_endings(asked: str, said: str) -> None:
    assert said in list_word_forms(asked)


@pytest.mark.parametrize("word", ["us", "eu1", "größe", "m3"])
def test_short_words_figures_and_other_letters_stay_as_they_are(word: str) -> None:
    assert list_word_forms(word) == [word]


@pytest.mark.parametrize(("asked", "other"), [("status", "statu"), ("business", "busines"), ("string", "str")])
def test_an_ending_that_is_none_is_not_taken_away(asked: str, other: str) -> None:
    assert other not in list_word_forms(asked)
