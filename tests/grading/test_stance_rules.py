"""Rubrics ask for a stance: what a message asserts or denies, together with what its author adds at once."""

import pytest
from grading_company import MINUTE, Bench, Desk, share

from world.core.reading.plain import from_plain
from world.grading import RubricError
from world.grading.stance.classifier import judge_stance
from world.grading.stance.proposition import load_proposition

RUBRIC = """
refs:
  agent: {employee: self}
expect:
  - id: told
    insert: chat_message
    where: {channel: incidents, sender: {ref: agent}}
    text: {field: text, stance: {on: slack_down, is: asserted}}
score: {unclaimed: degrees}
"""
CONFLICT = "none_of: [{stance: {on: incident_called_for, is: conflicting}}]"


@pytest.mark.parametrize("text", ["Slack is down.", "Slack doesn't work for us.", "Slack is out"])
def test_a_message_that_asserts_it_counts(bench: Bench, desk: Desk, text: str) -> None:
    desk.say(text)
    assert bench.grade(RUBRIC, desk).passed


@pytest.mark.parametrize(
    "text",
    [
        "Slack is not down.",
        "Is Slack down?",
        "~Slack is down.~",
        "> Slack is down.",
        "If Slack is down, mail me.",
        "Lunch?",
    ],
)
def test_one_that_does_not_earns_nothing(bench: Bench, desk: Desk, text: str) -> None:
    desk.say(text)
    assert share(bench.grade(RUBRIC, desk), "told") == 0


@pytest.mark.parametrize(
    ("text", "met"),
    [("Slack is not down: no one reports anything.", 1), ("No outage: no message has not failed.", 0), ("Hm.", 1)],
)
def test_a_sentence_that_contradicts_itself_is_told(bench: Bench, desk: Desk, text: str, met: int) -> None:
    desk.say(text)
    rubric = RUBRIC.replace("stance: {on: slack_down, is: asserted}", CONFLICT)
    assert share(bench.grade(rubric, desk), "told") == met


def test_nothing_is_said_not_to_conflict(bench: Bench, desk: Desk) -> None:
    with pytest.raises(RubricError, match="conflicting"):
        bench.grade(RUBRIC.replace("is: asserted", "not: conflicting"), desk)


def test_what_is_taken_back_at_once_was_not_said(bench: Bench, desk: Desk) -> None:
    desk.say("Slack is down.")
    desk.say("Scratch that, Slack works.")
    assert share(bench.grade(RUBRIC, desk), "told") == 0


def test_what_is_reported_later_is_news(bench: Bench, desk: Desk) -> None:
    desk.say("Slack is down.")
    desk.now += 20 * MINUTE
    desk.say("Slack is back.")
    assert bench.grade(RUBRIC, desk).passed


def test_another_place_takes_nothing_back(bench: Bench, desk: Desk) -> None:
    desk.say("Slack is down.")
    desk.say("Scratch that, Slack works.", channel="C0000001A")
    assert share(bench.grade(RUBRIC, desk), "told") == 1


@pytest.mark.parametrize(
    ("stance", "message"),
    [
        ("{on: slack_dwn, is: asserted}", "did you mean 'slack_down'"),
        ("{on: slack_down, is: true}", "unknown stance"),
        ("{on: slack_down, is: denied, of: me}", "unknown key 'of'"),
        ("slack_down", "stance takes a mapping"),
        ("{on: slack_down, is: denied, with: Slack}", "with takes a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(bench: Bench, stance: str, message: str) -> None:
    with pytest.raises(RubricError, match=message):
        bench.rubric(RUBRIC.replace("{on: slack_down, is: asserted}", stance))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("It was repaired at 16:51.", "denied"),
        ("Payments were restored at noon.", "denied"),
        ("Payments were fixed at noon, but they broke again at one.", "asserted"),
        ("Payments were down at noon.", "unclear"),
        ("Payments half works.", "asserted"),
        ("Payments performance is below normal.", "asserted"),
        ("Payments: the error rate is back up.", "asserted"),
    ],
)
def test_what_was_put_right_lasts_and_half_of_it_is_not_enough(text: str, outcome: str) -> None:
    assert judge_stance([from_plain(text)], load_proposition("payments_degraded")).outcome == outcome


@pytest.mark.parametrize(
    ("name", "text", "outcome"),
    [
        ("needs_fix", "The description says 60, here it is 600. Please correct one of them.", "asserted"),
        ("pr_was_merged", "I went through all five values against the description.", "unclear"),
        ("pr_may_merge", "Please change it to 60. Then I'll gladly approve.", "unclear"),
        ("pr_may_merge", "Yes, it's all right. Not merged.", "unclear"),
        ("pr_may_merge", "Not to be merged.", "denied"),
        ("outage_over", "it is over: no error since 14:38", "asserted"),
        ("outage_over", "It is over: no", "denied"),
        ("failover_merged", "It waits for the next open window", "denied"),
        ("fix_deployed", "The fix goes out on 5 March.", "unclear"),
        ("fix_deployed", "The fix went out on 5 March.", "asserted"),
    ],
)
def test_only_what_the_words_carry_is_heard(name: str, text: str, outcome: str) -> None:
    assert judge_stance([from_plain(text)], load_proposition(name)).outcome == outcome
