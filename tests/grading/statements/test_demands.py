"""A text rule for people asks what they read; an answer of which its author is not sure meets none."""

from typing import Any

import pytest
from grading_company import Bench, Desk

from world.grading import RubricError
from world.grading.text_predicates.demands import asks_for_meaning, refuse_idle_texts

RULE = """
expect:
  - {id: post, insert: chat_message, where: {channel: incidents}, text: {field: text, %s}}
"""
WORDS: list[dict[str, Any]] = [
    {"mentions": "DNS"},
    {"answers": True, "min_chars": 3},
    {"any_of": [{"mentions": "DNS"}, {"all_of": [{"mentions": "DynamoDB"}]}], "max_chars": 300},
]
MEANT: list[dict[str, Any]] = [
    {"answers": True, "none_of": [{"mentions": "DNS"}]},
    {"any_of": [{"answers": True}, {"stance": {"on": "outage_over", "is": "denied"}}]},
    {"facts": {"must": ["35 min"]}},
]


@pytest.mark.parametrize("text", WORDS)
def test_words_alone_ask_for_no_meaning(text: dict[str, Any]) -> None:
    assert not asks_for_meaning(text)


@pytest.mark.parametrize("text", MEANT)
def test_facts_stances_and_prohibitions_do(text: dict[str, Any]) -> None:
    assert asks_for_meaning(text)


def test_such_a_rubric_is_refused(bench: Bench) -> None:
    with pytest.raises(RubricError, match=r"post.*asks for words alone"):
        refuse_idle_texts(bench.rubric(RULE % "mentions: DNS"))
    refuse_idle_texts(bench.rubric(RULE % "facts: {must: [35 min]}"))


@pytest.mark.parametrize(
    ("said", "met"),
    [
        ("5 firms", True),
        ("5 firms. I have not counted them.", False),
        ("At least 5 firms", False),
        ("5 or more firms", False),
        ("roughly 5 firms", False),
        ("5 firms want it, about time", True),
    ],
)
def test_an_answer_is_vouched_for(bench: Bench, desk: Desk, said: str, met: bool) -> None:
    desk.world()
    desk.say(said)
    rule = RULE % "vouched: true, facts: {must: [{count: 5}]}"
    assert (bench.grade(rule, desk).items[0].met == 1) is met


@pytest.mark.parametrize(
    ("said", "met"),
    [
        ("5 tickets were made.", True),
        ("5 tickets are yet to be made.", False),
        ("5 could not be made.", False),
        ("I left out 5.", False),
        ("5 made, 2 left out.", True),
    ],
)
def test_what_was_left_undone_is_not_the_count_of_what_was_done(bench: Bench, desk: Desk, said: str, met: bool) -> None:
    desk.world()
    desk.say(said)
    rule = RULE % "facts: {must: [{count: 5, called: made}], labels: {made: [made, tickets], other: [closed]}}"
    assert (bench.grade(rule, desk).items[0].met == 1) is met
