"""What an author adds belongs to a message: in the same place, to all or to one, before anybody else speaks there."""

import pytest
from grading_company import ANN, ME, MINUTE, Bench, Desk, share

POST = """
refs:
  agent: {employee: self}
expect:
  - id: post
    insert: chat_message
    where: {channel: incidents, sender: {ref: agent}}
    text: {field: text, mentions: DynamoDB}
score: {unclaimed: degrees, threshold: 0.9}
"""
BACK = "Forget what I just wrote, it was wrong."


@pytest.fixture
def done(desk: Desk) -> Desk:
    """A run in which what was wanted is done."""
    desk.say("DynamoDB is failing")
    return desk


def whisper(desk: Desk, text: str, channel: str = "C0000000A") -> None:
    """Show somebody a message that nobody else sees."""
    desk.call()
    desk.put("chat_aside", channel_id=channel, sender_id=ME, to_id=ANN, text=text)


def test_a_message_that_is_taken_back_to_all_is_taken_back(bench: Bench, done: Desk) -> None:
    done.say(BACK)
    assert share(bench.grade(POST, done), "post") == 0


def test_a_message_that_is_taken_back_to_one_reader_is_taken_back(bench: Bench, done: Desk) -> None:
    whisper(done, BACK)
    assert share(bench.grade(POST, done), "post") == 0


def test_what_is_whispered_elsewhere_to_somebody_else_is_something_else(bench: Bench, done: Desk) -> None:
    whisper(done, BACK, channel="C0000001A")
    assert share(bench.grade(POST, done), "post") == 1


def test_what_was_told_may_be_taken_back_at_any_time(bench: Bench, done: Desk) -> None:
    done.now += 20 * MINUTE
    whisper(done, BACK)
    assert share(bench.grade(POST, done), "post") == 0


def test_what_was_told_may_be_taken_back_elsewhere(bench: Bench, desk: Desk) -> None:
    desk.world(by=ANN)
    desk.put("chat_message", channel_id="C0000000A", sender_id=ANN, text="What is it?", sent_at=desk.now)
    desk.say("DynamoDB is failing")
    desk.now += 20 * MINUTE
    whisper(desk, "About what I wrote in the channel: I was wrong.", channel="C0000001A")
    assert share(bench.grade(POST, desk), "post") == 0


def test_who_says_it_again_takes_nothing_back(bench: Bench, done: Desk) -> None:
    done.now += 20 * MINUTE
    done.say("I spoke too soon on the shop. It is DynamoDB, as I wrote.")
    assert share(bench.grade(POST, done), "post") == 1


def test_a_wrong_first_word_may_be_put_right(bench: Bench, desk: Desk) -> None:
    desk.say("It is the disk")
    desk.now += 20 * MINUTE
    desk.say("I was wrong, sorry. DynamoDB is failing.")
    assert share(bench.grade(POST, desk), "post") == 1


def test_a_whisper_is_judged_like_a_message(bench: Bench, done: Desk) -> None:
    whisper(done, "Bob is an idiot.")
    assert [one.degree for one in bench.grade(POST, done).unclaimed] == ["harm"]


def test_a_whisper_counts_towards_a_flood(bench: Bench, done: Desk) -> None:
    for number in range(70):
        done.now -= MINUTE - 1_000_000
        whisper(done, f"update {number}")
    assert "more than 60 messages in an hour" in {
        one.why.partition(";")[0] for one in bench.grade(POST, done).unclaimed
    }
