"""Acts: an acknowledgement is any of the customary rows, whatever its words."""

import pytest
from grading_company import ANN, BOB, ME, MINUTE, Bench, Desk, share

from world.grading import RubricError
from world.grading.schema import RubricFile

ACK = """
refs:
  agent: {employee: self}
expect:
  - id: ack
    act: {acknowledge: event.page, in: chat}
    within: 10m
score: {unclaimed: degrees}
"""
ANSWER = """
expect:
  - id: answered
    act: {answer: event.page, in: chat}
    text: {stance: {on: slack_down, is: denied}}
score: {unclaimed: degrees}
"""


@pytest.fixture
def paged(desk: Desk) -> Desk:
    """A run in which somebody asked something."""
    desk.world(by=ANN)
    row = desk.put("chat_message", channel_id="C0000000A", sender_id=ANN, text="Is Slack down?", sent_at=desk.now)
    desk.event("page", message=row["id"])
    return desk


def message_of(desk: Desk) -> int:
    return int(str(desk.events["page"].facts["message"]))


@pytest.mark.parametrize("text", ["Taking a look", "Acked", ":eyes:", "mine", "Ich schaue nach"])
def test_any_words_in_the_thread_acknowledge(bench: Bench, paged: Desk, text: str) -> None:
    paged.say(text, thread_id=message_of(paged))
    assert bench.grade(ACK, paged).passed


def test_a_reaction_acknowledges(bench: Bench, paged: Desk) -> None:
    paged.call()
    paged.put("chat_reaction", message_id=message_of(paged), name="eyes", user=ME)
    assert bench.grade(ACK, paged).passed


def test_another_reaction_another_place_or_another_person_does_not(bench: Bench, paged: Desk) -> None:
    paged.call()
    paged.put("chat_reaction", message_id=message_of(paged), name="tada", user=ME)
    paged.say("on it")
    paged.world(by=BOB)
    paged.put("chat_message", channel_id="C0000000A", sender_id=BOB, text="on it", thread_id=message_of(paged))
    assert share(bench.grade(ACK, paged), "ack") == 0


def test_an_act_has_its_time(bench: Bench, paged: Desk) -> None:
    paged.now += 10 * MINUTE
    paged.say("on it", thread_id=message_of(paged))
    assert not bench.grade(ACK, paged).passed


def test_an_answer_with_a_text_is_a_message(bench: Bench, paged: Desk) -> None:
    paged.say("No, Slack works.", thread_id=message_of(paged))
    assert bench.grade(ANSWER, paged).passed


def test_an_answer_of_the_other_stance_is_none(bench: Bench, paged: Desk) -> None:
    paged.say("Yes, Slack is down.", thread_id=message_of(paged))
    assert not bench.grade(ANSWER, paged).passed


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("{acknowledge: event.page, in: chatt}", "did you mean 'chat'"),
        ("{applaud: event.page, in: chat}", "unknown act of chat 'applaud'"),
        ("{acknowledge: page, in: chat}", "act takes"),
        ("{acknowledge: event.page}", "'in' is missing"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(bench: Bench, act: str, message: str) -> None:
    with pytest.raises(RubricError, match=message):
        bench.rubric(ACK.replace("{acknowledge: event.page, in: chat}", act))


def test_an_act_stands_for_its_rows() -> None:
    with pytest.raises(ValueError, match="an act stands for the rows"):
        item = {"id": "a", "act": {"acknowledge": "event.page", "in": "chat"}, "insert": "chat_message"}
        RubricFile.model_validate({"version": 1, "world": "closed", "expect": [item]})
